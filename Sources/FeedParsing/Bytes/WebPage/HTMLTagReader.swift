import System

/// Finds the start tags of a web page, past comments and scripts.
struct HTMLTagReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private let isWanted: (String) -> Bool
  /// End marks that do not come any more: searching for each beginning's would be quadratic.
  private var missingMarks: Set<String> = []

  init(_ bytes: UnsafeRawBufferPointer, isWanted: @escaping (String) -> Bool) {
    self.bytes = bytes
    self.isWanted = isWanted
  }

  mutating func next() -> HTMLTag? {
    while let start = ByteScan.first(UInt8(ascii: "<"), in: bytes, from: position) {
      position = start + 1
      if bytes.hasASCII("<!--", at: start) {
        skip(past: "-->")
      } else if let tag = readTag(at: start) {
        return tag
      }
    }
    return nil
  }

  private mutating func readTag(at start: Int) -> HTMLTag? {
    let nameEnd = XMLNameScan.end(bytes, from: start + 1)
    guard nameEnd > start + 1, nameEnd < bytes.count else { return nil }
    let name = bytes[start + 1..<nameEnd].lowercasedASCII
    if Self.rawTextEnds[name] == nil, !isWanted(name) { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
    var scanner = TagEndScanner()
    guard case .end(let length) = scanner.scan(rest) else { return nil }
    position = start + length
    if let end = Self.rawTextEnds[name] { skip(past: end) }
    guard isWanted(name) else { return nil }
    let tag = UnsafeRawBufferPointer(rebasing: rest[..<(length - 1)])
    return HTMLTag(name: name, tag, nameEnd: nameEnd - start)
  }

  /// Elements whose content has no tags (HTML §13.2.5).
  private static let rawTextEnds: [String: StaticString] = [
    "script": "</script", "style": "</style", "textarea": "</textarea", "title": "</title",
  ]

  private mutating func skip(past mark: StaticString) {
    guard !missingMarks.contains("\(mark)") else { return }
    if let start = ByteScan.first(mark, in: bytes, from: position) {
      position = start + mark.utf8CodeUnitCount
    } else {
      // Without its end it is no such thing: go on behind its beginning.
      missingMarks.insert("\(mark)")
    }
  }
}

struct HTMLTag: Hashable {
  let name: String
  /// Decoded values by name in small letters; of two of a name the first.
  private(set) var attributes: [String: String] = [:]

  /// A page's tag with more attributes has something else in mind.
  private static let maximumAttributes = 64

  init(name: String, _ bytes: UnsafeRawBufferPointer, nameEnd: Int) {
    self.name = name
    var reader = AttributeReader(bytes, nameEnd: nameEnd)
    while attributes.count < Self.maximumAttributes, let attribute = reader.next() {
      let name = bytes[attribute.name].lowercasedASCII
      if attributes[name] == nil {
        attributes[name] = Self.decoded(UnsafeRawBufferPointer(rebasing: bytes[attribute.value]))
      }
    }
  }

  private static func decoded(_ value: UnsafeRawBufferPointer) -> String {
    var text: [UInt8] = []
    var position = 0
    while position < value.count {
      guard value[position] == UInt8(ascii: "&") else {
        text.append(value[position])
        position += 1
        continue
      }
      switch MarkupReference.read(value, at: position, declared: DeclaredEntities()) {
      case .legal(let point, let length), .character(let point, let length, _):
        text.append(codePoint: point)
        position += length
      case .html(let plain, let length):
        text += plain
        position += length
      case .forbidden(let length):
        position += length
      case .bare, .declared:
        text.append(UInt8(ascii: "&"))
        position += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate var lowercasedASCII: String {
    String(decoding: map(\.asciiLowercased), as: UTF8.self)
  }
}
