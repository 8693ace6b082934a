internal import System

/// Why stories or subscriptions could not be put into the store.
package struct UpdatingError: DescribedError, Hashable {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
