internal import System

/// Reads XML property lists, as `plutil -convert xml1` and editors write them.
///
/// It knows only what property lists need: the five entities and numeric references, CDATA,
/// comments; a DOCTYPE is skipped, and one with declarations is refused.
package struct XMLPropertyListReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  package static func value(
    _ bytes: UnsafeRawBufferPointer
  ) throws -> PropertyListValue {
    var reader = XMLPropertyListReader(bytes: bytes)
    return try reader.document()
  }

  package static func isXML(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    return bytes[start...].first { !$0.isASCIISpace } == UInt8(ascii: "<")
  }

  private init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    position = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
  }

  private mutating func document() throws -> PropertyListValue {
    guard var tag = try nextTag() else { throw PropertyListError.unrecognized }
    guard tag.name == "plist" else { throw PropertyListError.unrecognized }
    guard !tag.isEmpty, let inner = try nextTag(), !inner.isEnd else {
      throw failure("the list is empty")
    }
    let value = try value(inner, depth: 0)
    tag = try nextTag() ?? Tag(name: "", isEnd: false, isEmpty: false)
    guard tag.isEnd, tag.name == "plist" else { throw failure("</plist> is missing") }
    return value
  }

  private mutating func value(_ tag: Tag, depth: Int) throws -> PropertyListValue {
    guard depth < BinaryPropertyListReader.maximumDepth else {
      throw PropertyListError.tooDeep(limit: BinaryPropertyListReader.maximumDepth)
    }
    switch tag.name {
    case "array": return .array(tag.isEmpty ? [] : try array(depth: depth))
    case "dict":
      return .dictionary(tag.isEmpty ? PropertyListDictionary() : try dictionary(depth: depth))
    case "true", "false":
      if !tag.isEmpty, !(try text(of: tag).isEmpty) { throw failure("<\(tag.name)> has content") }
      return .boolean(tag.name == "true")
    default: return try scalar(tag.name, try text(of: tag))
    }
  }

  private mutating func array(depth: Int) throws -> [PropertyListValue] {
    var values: [PropertyListValue] = []
    while true {
      guard let tag = try nextTag() else { throw failure("</array> is missing") }
      if tag.isEnd {
        guard tag.name == "array" else { throw failure("</\(tag.name)> ends an array") }
        return values
      }
      values.append(try value(tag, depth: depth + 1))
    }
  }

  private mutating func dictionary(depth: Int) throws -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    while true {
      guard let tag = try nextTag() else { throw failure("</dict> is missing") }
      if tag.isEnd {
        guard tag.name == "dict" else { throw failure("</\(tag.name)> ends a dictionary") }
        return dictionary
      }
      guard tag.name == "key" else { throw failure("<\(tag.name)> in place of a key") }
      let key = try text(of: tag)
      guard let next = try nextTag(), !next.isEnd else { throw failure("a key without a value") }
      dictionary.append(key, try value(next, depth: depth + 1))
    }
  }

  private func scalar(_ name: String, _ text: String) throws -> PropertyListValue {
    let value: PropertyListValue? =
      switch name {
      case "string": .string(text)
      case "integer": Self.integer(text)
      case "real": Double(text.filter { !$0.isWhitespace }).map { .real($0) }
      case "date": Self.date(text).map { .date($0) }
      case "data": Base64.decode(text.utf8).map { .data($0) }
      default: throw failure("<\(name)> is no property-list element")
      }
    guard let value else { throw failure("<\(name)> holds no \(name)") }
    return value
  }

  // MARK: Markup

  private struct Tag {
    var name: String
    var isEnd: Bool
    var isEmpty: Bool
  }

  private mutating func nextTag() throws -> Tag? {
    while true {
      while position < bytes.count, bytes[position].isASCIISpace { position += 1 }
      guard position < bytes.count else { return nil }
      guard bytes[position] == UInt8(ascii: "<") else { throw failure("text between elements") }
      if has("<!--") {
        try skip(past: "-->")
      } else if has("<?") {
        try skip(past: "?>")
      } else if has("<!DOCTYPE") {
        try skipDocumentType()
      } else {
        return try tag()
      }
    }
  }

  private mutating func skipDocumentType() throws {
    let start = position
    try skip(past: ">")
    guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
      throw failure("declarations in the DOCTYPE are refused")
    }
  }

  private mutating func tag() throws -> Tag {
    position += 1
    let start = position
    try skip(past: ">")
    var content = bytes[start..<position - 1]
    let isEnd = content.first == UInt8(ascii: "/")
    if isEnd { content = content.dropFirst() }
    let isEmpty = content.last == UInt8(ascii: "/")
    if isEmpty { content = content.dropLast() }
    let name = content.prefix { !$0.isASCIISpace }
    guard !name.isEmpty, name.count <= 16 else { throw failure("a tag without a known name") }
    return Tag(name: String(decoding: name, as: UTF8.self), isEnd: isEnd, isEmpty: isEmpty)
  }

  private mutating func text(of tag: Tag) throws -> String {
    guard !tag.isEmpty else { return "" }
    var text: [UInt8] = []
    while true {
      // PERF: runs of plain text as a whole; byte by byte, a store of 26 MB took a minute.
      let run = bytes[position..<endOfRun()]
      position = run.endIndex
      guard position < bytes.count else { throw failure("</\(tag.name)> is missing") }
      if bytes[position] == UInt8(ascii: "&") {
        text += run
        text += try reference().utf8
      } else if has("<![CDATA[") {
        let start = position + 9
        try skip(past: "]]>")
        text += run
        text += bytes[start..<position - 3]
      } else if has("<!--") {
        text += run
        try skip(past: "-->")
      } else {
        let end = try self.tag()
        guard end.isEnd, end.name == tag.name else {
          throw failure("<\(end.name)> in <\(tag.name)>")
        }
        guard !text.isEmpty else { return String(decoding: run, as: UTF8.self) }
        text += run
        return String(decoding: text, as: UTF8.self)
      }
    }
  }

  private func endOfRun() -> Int {
    var end = position
    while end < bytes.count, bytes[end] != UInt8(ascii: "<"), bytes[end] != UInt8(ascii: "&") {
      end += 1
    }
    return end
  }

  private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  private mutating func reference() throws -> String {
    let start = position + 1
    try skip(past: ";")
    let name = String(decoding: bytes[start..<position - 1].prefix(12), as: UTF8.self)
    if let text = Self.entities[name] { return text }
    let number =
      name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
    guard name.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number) else {
      throw failure("an unknown reference")
    }
    return String(Character(scalar))
  }

  private func has(_ text: StaticString) -> Bool { bytes.hasASCII(text, at: position) }

  private mutating func skip(past text: StaticString) throws {
    guard let start = ByteScan.first(text, in: bytes, from: position) else {
      position = bytes.count
      throw PropertyListError.truncated
    }
    position = start + text.utf8CodeUnitCount
  }

  private func failure(_ reason: String) -> PropertyListError {
    let line = 1 + bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    return .malformedXML(reason, line: line)
  }
}

extension XMLPropertyListReader {
  /// Reads a decimal number, or a hexadecimal one with `0x`, with an optional sign.
  private static func integer(_ text: String) -> PropertyListValue? {
    let trimmed = text.filter { !$0.isWhitespace }
    let sign = trimmed.prefix { $0 == "-" || $0 == "+" }
    var digits = trimmed.dropFirst(sign.count)
    let isHexadecimal = digits.lowercased().hasPrefix("0x")
    if isHexadecimal { digits = digits.dropFirst(2) }
    let radix = isHexadecimal ? 16 : 10
    return Int64(sign + digits, radix: radix).map { .integer($0) }
      ?? UInt64(sign + digits, radix: radix).map { .unsigned($0) }
  }

  /// Reads `YYYY-MM-DDTHH:MM:SSZ` as seconds since 2001.
  private static func date(_ text: String) -> Double? {
    let trimmed = text.filter { !$0.isWhitespace }
    guard trimmed.hasSuffix("Z"), let separator = trimmed.firstIndex(of: "T") else { return nil }
    let day = trimmed[..<separator].split(separator: "-", omittingEmptySubsequences: false)
    let time = trimmed[trimmed.index(after: separator)...].dropLast().split(separator: ":")
    let numbers = (day + time).map { Int($0) }
    guard numbers.count == 6, let year = numbers[0], let month = numbers[1], let date = numbers[2],
      let hour = numbers[3], let minute = numbers[4], let second = numbers[5],
      (-9999...9999).contains(year), (1...12).contains(month), (1...31).contains(date),
      (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = CivilDate.daysSinceEpoch(year: year, month: month, day: date) - 11_323
    return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
  }
}
