internal import System

package struct SyncError: DescribedError, Hashable {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  package var line: String { SafeText.line(description) }
}
