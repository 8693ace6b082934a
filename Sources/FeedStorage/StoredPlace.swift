/// The home, or a file in it, as the file system has it.
package struct StoredPlace: Hashable, Sendable {
  package let path: String
  package let isFolder: Bool
  /// "a folder", "a pipe"…: for messages; nil for a regular file.
  package let kind: String?
  /// The permission bits.
  package let mode: Int
  /// Whether it belongs to the user who asks.
  package let isOurs: Bool
  package let bytes: Int
}
