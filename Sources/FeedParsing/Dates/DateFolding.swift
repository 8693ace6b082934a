/// Brings the letters, digits and marks of a date to the ones that the tables are written in.
enum DateFolding {
  /// The text in lower case, without accents, with ASCII digits, hyphens and apostrophes.
  static func fold(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      let value = fold(scalar.value)
      if value < 0x80 {
        if value != 0 { bytes.append(lower(UInt8(value))) }
      } else {
        bytes.append(contentsOf: UTF8.encode(Unicode.Scalar(value) ?? " ") ?? .init())
      }
    }
    return bytes
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// The scalar without case and accent; 0 for one that is dropped.
  private static func fold(_ value: UInt32) -> UInt32 {
    switch value {
    // Apostrophes are parts of words, or stand for a century: `'19`.
    case 0x27, 0x2018, 0x2019, 0x2BC: 0
    // Java puts the name of the zone in brackets: a comment, too.
    case 0x5B: 0x28
    case 0x5D: 0x29
    case 0..<0x80: value
    case 0xAA, 0xBA, 0xC0...0xFF: letter(latin1, value - 0xAA)
    case 0xB5: 0x3BC
    case 0x100...0x17F: letter(latinExtendedA, value - 0x100)
    case 0x218...0x21B: value < 0x21A ? 0x73 : 0x74
    case 0x300...0x36F: 0
    case 0x386...0x3CE: greek(value)
    case 0x400...0x45F: cyrillic(value)
    case 0x2010...0x2015, 0x2212: 0x2D
    case 0x200C, 0x200D: 0
    case 0x3001: 0x2C
    case 0x3002: 0x2E
    case 0xFF01...0xFF5E: value - 0xFEE0
    default: value
    }
  }

  private static func letter(_ table: StaticString, _ index: UInt32) -> UInt32 {
    index < table.utf8CodeUnitCount ? UInt32(table.utf8Start[Int(index)]) : 0
  }

  /// The base letters of U+00AA to U+00FF; `.` for what is no letter.
  private static let latin1: StaticString = """
    a...............o.....aaaaaaaceeeeiiiidnooooo.ouuuuytsaaaaaaaceeeeiiiidnooooo.ouuuuyty
    """

  /// The base letters of U+0100 to U+017F.
  private static let latinExtendedA: StaticString = """
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrsss\
    sssssttttttuuuuuuuuuuuuwwyyyzzzzzzs
    """

  private static func greek(_ value: UInt32) -> UInt32 {
    switch value {
    case 0x386, 0x3AC: 0x3B1
    case 0x388, 0x3AD: 0x3B5
    case 0x389, 0x3AE: 0x3B7
    case 0x38A, 0x390, 0x3AA, 0x3AF, 0x3CA: 0x3B9
    case 0x38C, 0x3CC: 0x3BF
    case 0x38E, 0x3AB, 0x3B0, 0x3CB, 0x3CD: 0x3C5
    case 0x38F, 0x3CE: 0x3C9
    case 0x3C2: 0x3C3
    case 0x391...0x3A9: value + 0x20
    default: value
    }
  }

  private static func cyrillic(_ value: UInt32) -> UInt32 {
    switch value {
    case 0x401, 0x451: 0x435
    case 0x419, 0x439: 0x438
    case 0x410...0x42F: value + 0x20
    case 0x400...0x40F: value + 0x50
    default: value
    }
  }
}
