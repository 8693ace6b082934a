internal import System

package struct UpdatingError: DescribedError, Hashable {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
