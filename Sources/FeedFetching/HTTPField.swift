/// Names and values of header fields.
enum HTTPField {
  /// Without the white space around it (RFC 9110 §5.6.3).
  static func trimmed(_ text: some StringProtocol) -> String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
    var bytes = Array(text.utf8).drop(while: isSpace)
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a value may be kept, and sent back in a header: printable ASCII, at most 1 KiB.
  ///
  /// What a server sent is written into a later request; a line break in it would be an injection.
  static func isSafe(_ value: String) -> Bool {
    !value.isEmpty && value.utf8.count <= 1_024
      && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
