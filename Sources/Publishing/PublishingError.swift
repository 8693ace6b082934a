internal import System

/// Why a site could not be written.
package struct PublishingError: DescribedError, Hashable {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
