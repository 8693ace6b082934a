import System

/// The character references that HTML5 names, and what they stand for.
enum HTMLEntities {
  /// The UTF-8 that a name stands for; nil for a name that HTML does not have.
  ///
  /// The name is given without `&` and `;`; case matters.
  static func text(named name: UnsafeRawBufferPointer) -> [UInt8]? {
    let table = bytes(of: HTMLEntityTable.records)
    // A search in bytes, not in records: a record begins behind the nearest space on the left.
    var (low, high) = (0, table.count)
    while low < high {
      var start = (low + high) / 2
      while start > low, table[start - 1] != space { start -= 1 }
      var index = start
      switch compare(name, with: table, at: &index) {
      case 0: return text(of: table[(index + 1)...])
      case ..<0: high = start
      default:
        while table[index] != space { index += 1 }
        low = index + 1
      }
    }
    return nil
  }

  /// The character of an entity that XML has, too: `lt`, `gt`, `amp`, `quot`, `apos` (XML 1.0 §4.6).
  @inline(__always)
  static func predefined(_ name: UnsafeRawBufferPointer) -> UInt8? {
    switch name.count {
    case 2 where name.isASCII("lt"): UInt8(ascii: "<")
    case 2 where name.isASCII("gt"): UInt8(ascii: ">")
    case 3 where name.isASCII("amp"): UInt8(ascii: "&")
    case 4 where name.isASCII("quot"): UInt8(ascii: "\"")
    case 4 where name.isASCII("apos"): UInt8(ascii: "'")
    default: nil
    }
  }

  /// The length of the longest name at the beginning of some letters that HTML understands without a
  /// semicolon.
  static func legacyPrefix(of letters: UnsafeRawBufferPointer) -> Int {
    legacyNames.reduce(0) { max($0, letters.starts(with: $1) ? $1.count : 0) }
  }

  private static let legacyNames =
    HTMLEntityTable.legacy.description.utf8.split(separator: space).map(Array.init)

  private static let space = UInt8(ascii: " ")

  private static func bytes(of table: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
  }

  private static func compare(
    _ name: UnsafeRawBufferPointer,
    with table: UnsafeBufferPointer<UInt8>,
    at index: inout Int,
  ) -> Int {
    for byte in name {
      guard byte == table[index] else { return Int(byte) - Int(table[index]) }
      index += 1
    }
    return table[index] == UInt8(ascii: "#") ? 0 : -1
  }

  private static func text(of numbers: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var text: [UInt8] = []
    var number: UInt32 = 0
    for byte in numbers {
      if let digit = byte.hexadecimalValue {
        number = number << 4 | UInt32(digit)
      } else {
        text.append(codePoint: number)
        number = 0
        if byte == space { break }
      }
    }
    return text
  }
}
