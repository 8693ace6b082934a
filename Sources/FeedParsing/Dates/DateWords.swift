/// The words of dates.
enum DateWords {
  /// The month of an English abbreviation, from its three letters.
  static func englishMonth(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int? {
    let packed =
      UInt32(first | 0x20) << 16 | UInt32(second | 0x20) << 8 | UInt32(third | 0x20)
    return switch packed {
    case 0x6A616E: 1
    case 0x666562: 2
    case 0x6D6172: 3
    case 0x617072: 4
    case 0x6D6179: 5
    case 0x6A756E: 6
    case 0x6A756C: 7
    case 0x617567: 8
    case 0x736570: 9
    case 0x6F6374: 10
    case 0x6E6F76: 11
    case 0x646563: 12
    default: nil
    }
  }
}
