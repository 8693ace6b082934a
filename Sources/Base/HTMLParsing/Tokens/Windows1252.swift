/// The characters of windows-1252 at 0x80 to 0x9F.
///
/// ISO-8859-1 has control characters there that no document means.
package enum Windows1252 {
  package static func codePoint(_ byte: UInt8) -> UInt32? {
    guard (0x80...0x9F).contains(byte) else { return UInt32(byte) }
    let point = table[Int(byte) - 0x80]
    return point == 0 ? nil : UInt32(point)
  }

  /// Returns the character that U+0080 to U+009F in UTF-8 was meant to be, or nil for any other
  /// text.
  ///
  /// Such a character comes from a reference (`&#146;`), which a parser hands out by itself.
  package static func character(reference utf8: UnsafeBufferPointer<UInt8>) -> Character? {
    guard utf8.count == 2, utf8[0] == 0xC2, utf8[1] < 0xA0 else { return nil }
    return codePoint(utf8[1]).flatMap(Unicode.Scalar.init).map(Character.init) ?? "\u{FFFD}"
  }

  /// The Unicode Consortium's CP1252.TXT.
  private static let table: [UInt16] = [
    0x20AC, 0x0000, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x0000, 0x017D, 0x0000,
    0x0000, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x0000, 0x017E, 0x0178,
  ]
}
