/// The character references that HTML5 names, and what they stand for.
enum HTMLEntities {
  /// The UTF-8 bytes that a name stands for, or nil for a name that HTML does not have.
  ///
  /// They live as long as the program and end with a zero byte, which is not counted. The name is
  /// given without `&` and `;`; case matters.
  static func codePoints(
    named name: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>? {
    guard !name.isEmpty, name.count <= longestName else { return nil }
    let table = bytes(of: HTMLEntityTable.records)
    // A search in bytes, not in records: a record begins after the nearest mark on the left.
    var low = 0
    var high = table.count - 1
    while low < high {
      var start = (low + high) / 2
      while table[start] != mark { start -= 1 }
      var end = start + 1
      switch compare(name, with: table, at: &end) {
      case 0: return replacement(in: table, at: end + 1)
      case ..<0: high = start
      default:
        while table[end] != mark { end += 1 }
        low = end
      }
    }
    return nil
  }

  /// The same for a name in a string.
  static func codePoints(named name: String) -> UnsafeBufferPointer<UInt8>? {
    var name = name
    return name.withUTF8 { codePoints(named: $0) }
  }

  /// What the most frequent names stand for, if it is a single scalar.
  ///
  /// PERF NOTES: a tenth of the time that the search in the table takes.
  static func frequent(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> StaticString? {
    guard name.count <= 6 else { return nil }
    var packed: UInt64 = 0
    for byte in name { packed = packed << 8 | UInt64(byte) }
    return switch packed {
    case 0x616D70: "&"  // amp
    case 0x6C74: "<"  // lt
    case 0x6774: ">"  // gt
    case 0x7175_6F74: "\""  // quot
    case 0x6170_6F73: "'"  // apos
    case 0x6E62_7370: "\u{A0}"  // nbsp
    case 0x006C_7371_756F: "\u{2018}"  // lsquo
    case 0x0072_7371_756F: "\u{2019}"  // rsquo
    case 0x006C_6471_756F: "\u{201C}"  // ldquo
    case 0x0072_6471_756F: "\u{201D}"  // rdquo
    case 0x6865_6C6C_6970: "\u{2026}"  // hellip
    case 0x006E_6461_7368: "\u{2013}"  // ndash
    case 0x006D_6461_7368: "\u{2014}"  // mdash
    default: nil
    }
  }

  /// The longest name at the beginning of some letters that HTML understands without a semicolon.
  static func legacyPrefix(of letters: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    let table = bytes(of: HTMLEntityTable.legacy)
    var longest = 0
    var start = 0
    while table[start] != mark {
      var end = start
      while table[end] != space { end += 1 }
      if end - start > longest, letters.starts(with: table[start..<end]) { longest = end - start }
      start = end + 1
    }
    return longest
  }

  private static let longestName = 31
  private static let mark: UInt8 = 1
  private static let space: UInt8 = 0x20

  private static func bytes(of table: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
  }

  /// Compares a name with that of a record; leaves the index at the first byte not equal.
  private static func compare(
    _ name: UnsafeBufferPointer<UInt8>,
    with table: UnsafeBufferPointer<UInt8>,
    at index: inout Int,
  ) -> Int {
    for byte in name {
      guard byte == table[index] else { return Int(byte) - Int(table[index]) }
      index += 1
    }
    return table[index] == 0 ? 0 : -1
  }

  private static func replacement(
    in table: UnsafeBufferPointer<UInt8>,
    at start: Int,
  ) -> UnsafeBufferPointer<UInt8> {
    var end = start
    while table[end] != 0 { end += 1 }
    return UnsafeBufferPointer(rebasing: table[start..<end])
  }
}
