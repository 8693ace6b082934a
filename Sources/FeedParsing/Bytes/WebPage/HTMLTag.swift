import System

/// A start tag of a web page.
struct HTMLTag: Hashable {
  /// In small letters.
  var name: String
  /// Decoded values by name in small letters; of two of a name the first.
  var attributes: [String: String]

  /// A page's tag with more attributes has something else in mind.
  private static let maximumAttributes = 64

  /// - Parameters:
  ///   - bytes: The whole tag from `<`, without its `>`.
  ///   - nameEnd: Behind its name.
  init(_ bytes: UnsafeRawBufferPointer, nameEnd: Int) {
    name = Self.lowercased(bytes[1..<nameEnd])
    attributes = [:]
    var reader = AttributeReader(bytes, nameEnd: nameEnd)
    while attributes.count < Self.maximumAttributes, let attribute = reader.next() {
      let name = Self.lowercased(bytes[attribute.name])
      if attributes[name] == nil {
        attributes[name] = Self.decoded(UnsafeRawBufferPointer(rebasing: bytes[attribute.value]))
      }
    }
  }

  private static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)
  }

  /// The text of a value with its references.
  private static func decoded(_ value: UnsafeRawBufferPointer) -> String {
    var text: [UInt8] = []
    var position = 0
    while position < value.count {
      guard value[position] == UInt8(ascii: "&") else {
        text.append(value[position])
        position += 1
        continue
      }
      position += append(value, at: position, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(
    _ value: UnsafeRawBufferPointer,
    at position: Int,
    to text: inout [UInt8],
  ) -> Int {
    let none = DeclaredEntities()
    switch MarkupReference.read(value, at: position, declared: none) {
    case .legal(let point, let length), .character(let point, let length, _):
      text.append(codePoint: point)
      return length
    case .html(let plain, let length):
      text.append(contentsOf: plain)
      return length
    case .forbidden(let length):
      return length
    case .bare, .declared:
      text.append(UInt8(ascii: "&"))
      return 1
    }
  }
}
