/// A character encoding that the program accepts in documents.
///
/// The white list is the Encoding Standard's (WHATWG), plus UTF-32. Encodings that hide ASCII markup
/// in other bytes (UTF-7, UTF-1, EBCDIC, HZ, ISO-2022-CN and -KR) are refused.
struct TextEncoding: Hashable, Sendable {
  enum Form: Hashable, Sendable {
    case utf8
    case utf16(ByteOrder)
    case utf32(ByteOrder)
    case windows1252
    /// ASCII below 0x80, one character a byte above.
    case singleByte
    /// Left to iconv.
    case multiByte
  }

  enum ByteOrder: Hashable, Sendable {
    case littleEndian
    case bigEndian
  }

  /// The name for people.
  let name: String
  let form: Form
  /// The names by which iconv knows it, the best first.
  let converters: [String]

  init(_ name: String, _ form: Form, converters: [String] = []) {
    self.name = name
    self.form = form
    self.converters = converters
  }

  static let utf8 = TextEncoding("UTF-8", .utf8)
  static let windows1252 = TextEncoding("windows-1252", .windows1252)
  static let utf16LE = TextEncoding("UTF-16LE", .utf16(.littleEndian))
  static let utf16BE = TextEncoding("UTF-16BE", .utf16(.bigEndian))
  static let utf32LE = TextEncoding("UTF-32LE", .utf32(.littleEndian))
  static let utf32BE = TextEncoding("UTF-32BE", .utf32(.bigEndian))

  /// Whether a byte below 0x80 is always the ASCII character.
  var isASCIICompatible: Bool {
    switch form {
    case .utf8, .windows1252, .singleByte: true
    case .utf16, .utf32: false
    case .multiByte: name != "ISO-2022-JP"
    }
  }
}
