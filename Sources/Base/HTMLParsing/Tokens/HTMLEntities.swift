import System

package enum HTMLEntities {
  /// The length of `CounterClockwiseContourIntegral`, the longest name.
  static let maximumLength = 31

  /// Returns nil for a name that HTML does not have.
  ///
  /// The name is given without `&` and `;`; case matters.
  package static func reference(_ name: UnsafeRawBufferPointer) -> HTMLReference? {
    if let character = predefined(name) { return HTMLReference(first: UInt32(character)) }
    let table = bytes(of: HTMLEntityTable.records)
    guard var index = place(behind: name, in: table) else { return nil }
    var numbers: (UInt32, UInt32) = (0, 0)
    while table[index] != space {
      index += 1
      if let digit = table[index].hexadecimalValue {
        numbers.1 = numbers.1 << 4 | UInt32(digit)
      } else if table[index] == UInt8(ascii: "+") {
        numbers = (numbers.1, 0)
      }
    }
    return numbers.0 > 0
      ? HTMLReference(first: numbers.0, second: numbers.1) : HTMLReference(first: numbers.1)
  }

  @inline(__always)
  package static func predefined(_ name: UnsafeRawBufferPointer) -> UInt8? {
    switch name.count {
    case 2 where name.isASCII("lt"): UInt8(ascii: "<")
    case 2 where name.isASCII("gt"): UInt8(ascii: ">")
    case 3 where name.isASCII("amp"): UInt8(ascii: "&")
    case 4 where name.isASCII("quot"): UInt8(ascii: "\"")
    case 4 where name.isASCII("apos"): UInt8(ascii: "'")
    default: nil
    }
  }

  /// Returns the length of the longest name that HTML understands without a semicolon.
  static func legacyPrefix(of letters: UnsafeRawBufferPointer) -> Int? {
    // The shortest is `lt`, the longest `frac12`.
    (2...6).reversed().first { length in
      length <= letters.count
        && place(
          behind: UnsafeRawBufferPointer(rebasing: letters.prefix(length)),
          in: bytes(of: HTMLEntityTable.legacy),
        ) != nil
    }
  }

  private static let space = UInt8(ascii: " ")

  private static func bytes(of table: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
  }

  private static func place(
    behind name: UnsafeRawBufferPointer,
    in table: UnsafeBufferPointer<UInt8>,
  ) -> Int? {
    // A search in bytes, not in records: a record begins behind the nearest space on the left.
    var (low, high) = (0, table.count)
    while low < high {
      var start = (low + high) / 2
      while start > low, table[start - 1] != space { start -= 1 }
      var index = start
      switch compare(name, with: table, at: &index) {
      case 0: return index
      case ..<0: high = start
      default:
        while table[index] != space { index += 1 }
        low = index + 1
      }
    }
    return nil
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
    return table[index] == UInt8(ascii: "#") || table[index] == space ? 0 : -1
  }
}
