package import FeedModel

extension StoryText {
  /// All of it as one line of plain text, to look in.
  package var line: String {
    bytes.withUnsafeBufferPointer { bytes in
      isHTML ? PlainText.thorough(bytes, for: .title) : SafeText.line(utf8: bytes)
    }
  }
}
