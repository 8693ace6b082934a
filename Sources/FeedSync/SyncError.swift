internal import System

/// Why a home could not be synchronized.
package struct SyncError: DescribedError, Hashable {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// The message as one safe line.
  package var line: String { SafeText.line(description) }
}
