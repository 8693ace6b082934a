import System

/// A character encoding that the program accepts in documents.
///
/// The white list is the Encoding Standard's (WHATWG), plus UTF-32. Encodings that hide ASCII
/// markup in other bytes (UTF-7, UTF-1, EBCDIC, HZ, ISO-2022-CN and -KR) are refused.
struct TextEncoding: Hashable, Sendable {
  enum Form: Hashable, Sendable {
    case utf8
    case wide(WideDecoder)
    case windows1252
    case singleByte
    case multiByte
  }

  let name: String
  let form: Form
  let converters: [String]

  init(_ name: String, _ form: Form, converters: [String] = []) {
    self.name = name
    self.form = form
    self.converters = converters
  }

  static let utf8 = TextEncoding("UTF-8", .utf8)
  static let windows1252 = TextEncoding("windows-1252", .windows1252)
  static let utf16LE = TextEncoding("UTF-16LE", .wide(.init(unitSize: 2, isBigEndian: false)))
  static let utf16BE = TextEncoding("UTF-16BE", .wide(.init(unitSize: 2, isBigEndian: true)))
  static let utf32LE = TextEncoding("UTF-32LE", .wide(.init(unitSize: 4, isBigEndian: false)))
  static let utf32BE = TextEncoding("UTF-32BE", .wide(.init(unitSize: 4, isBigEndian: true)))

  var isASCIICompatible: Bool {
    switch form {
    case .utf8, .windows1252, .singleByte: true
    case .wide: false
    case .multiByte: name != "ISO-2022-JP"
    }
  }
}

extension TextEncoding {
  /// Returns the bytes in UTF-8, where they may still hold what XML forbids, or nil for UTF-8
  /// itself.
  ///
  /// - Throws: `unsupportedEncoding` when the C library lacks the encoding, `limitExceeded`.
  func utf8(
    _ bytes: UnsafeRawBufferPointer,
    maximumBytes: Int,
  ) throws(FeedParsingError) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(min(bytes.count + bytes.count / 8, maximumBytes))
    switch form {
    case .utf8: return nil
    case .wide(let decoder): try decoder.convert(bytes, into: &output, maximumBytes)
    case .windows1252:
      try SingleByteTable.windows1252.convert(bytes, into: &output, maximumBytes)
    case .singleByte:
      guard let table = SingleByteTable(self) else { throw .unsupportedEncoding(name) }
      try table.convert(bytes, into: &output, maximumBytes)
    case .multiByte:
      guard let converter = IconvConverter(self) else { throw .unsupportedEncoding(name) }
      try converter.convert(bytes, into: &output, maximumBytes)
    }
    return output
  }
}

extension [UInt8] {
  func check(maximumBytes: Int) throws(FeedParsingError) {
    guard count <= maximumBytes else {
      throw .limitExceeded(name: "decoded bytes", limit: maximumBytes)
    }
  }
}

/// The conversion of UTF-16 and UTF-32 in either byte order.
///
/// A lone surrogate, a number above U+10FFFF and an odd byte at the end are one U+FFFD each.
struct WideDecoder: Hashable, Sendable {
  let unitSize: Int
  let isBigEndian: Bool

  func convert(
    _ bytes: UnsafeRawBufferPointer,
    into output: inout [UInt8],
    _ maximumBytes: Int,
  ) throws(FeedParsingError) {
    var position = 0
    var highSurrogate: UInt32?
    while position + unitSize <= bytes.count {
      try output.check(maximumBytes: maximumBytes)
      let unit = unit(bytes, at: position)
      position += unitSize
      if let high = highSurrogate {
        highSurrogate = nil
        if (0xDC00...0xDFFF).contains(unit) {
          output.append(codePoint: 0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00))
          continue
        }
        output.append(codePoint: 0xFFFD)
      }
      if (0xD800...0xDBFF).contains(unit) {
        highSurrogate = unit
      } else {
        output.append(codePoint: unit)
      }
    }
    if highSurrogate != nil || position < bytes.count { output.append(codePoint: 0xFFFD) }
  }

  private func unit(_ bytes: UnsafeRawBufferPointer, at position: Int) -> UInt32 {
    var unit: UInt32 = 0
    for index in 0..<unitSize {
      let offset = isBigEndian ? index : unitSize - 1 - index
      unit = unit << 8 | UInt32(bytes[position + offset])
    }
    return unit
  }
}
