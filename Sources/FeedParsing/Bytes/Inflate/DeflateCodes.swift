/// The two codes of a DEFLATE block.
struct DeflateCodes {
  let literals: HuffmanCode
  let distances: HuffmanCode

  private init?(literalLengths: some Collection<UInt8>, distanceLengths: some Collection<UInt8>) {
    guard
      let literals = HuffmanCode(lengths: literalLengths),
      let distances = HuffmanCode(lengths: distanceLengths)
    else { return nil }
    self.literals = literals
    self.distances = distances
  }

  /// RFC 1951 §3.2.6.
  static let fixed: DeflateCodes? = {
    let literals =
      [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
      + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
    return DeflateCodes(
      literalLengths: literals,
      distanceLengths: [UInt8](repeating: 5, count: 32),
    )
  }()

  enum Reading {
    case codes(DeflateCodes)
    case needsMore
    case invalid
  }

  /// Reads the head of a block with its own codes (RFC 1951 §3.2.7).
  static func read(_ reader: inout BitReader) -> Reading {
    guard
      let literalCount = reader.take(5), let distanceCount = reader.take(5),
      let lengthCount = reader.take(4)
    else { return .needsMore }
    var lengths = [UInt8](repeating: 0, count: 19)
    for index in order.prefix(lengthCount + 4) {
      guard let length = reader.take(3) else { return .needsMore }
      lengths[index] = UInt8(length)
    }
    guard let code = HuffmanCode(lengths: lengths) else { return .invalid }
    return read(&reader, code, literalCount: literalCount + 257, distanceCount: distanceCount + 1)
  }

  private static func read(
    _ reader: inout BitReader,
    _ code: HuffmanCode,
    literalCount: Int,
    distanceCount: Int,
  ) -> Reading {
    let total = literalCount + distanceCount
    var lengths: [UInt8] = []
    lengths.reserveCapacity(total)
    while lengths.count < total {
      switch next(&reader, code, previous: lengths.last) {
      case .run(let length, let count):
        guard lengths.count + count <= total else { return .invalid }
        for _ in 0..<count { lengths.append(length) }
      case .needsMore: return .needsMore
      case .invalid: return .invalid
      }
    }
    let codes = DeflateCodes(
      literalLengths: lengths[..<literalCount],
      distanceLengths: lengths[literalCount...],
    )
    return codes.map(Reading.codes) ?? .invalid
  }

  private enum LengthRun {
    case run(UInt8, count: Int)
    case needsMore
    case invalid
  }

  private static func next(
    _ reader: inout BitReader,
    _ code: HuffmanCode,
    previous: UInt8?,
  ) -> LengthRun {
    reader.refill()
    switch code.decode(reader.bits, available: reader.count) {
    case .needsMore: return .needsMore
    case .invalid: return .invalid
    case .symbol(let symbol, let length):
      reader.drop(length)
      switch symbol {
      case 0..<16: return .run(UInt8(symbol), count: 1)
      case 16:
        guard let previous else { return .invalid }
        return reader.take(2).map { .run(previous, count: $0 + 3) } ?? .needsMore
      case 17: return reader.take(3).map { .run(0, count: $0 + 3) } ?? .needsMore
      default: return reader.take(7).map { .run(0, count: $0 + 11) } ?? .needsMore
      }
    }
  }

  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Length symbols from 257: the base and the extra bits (RFC 1951 §3.2.5).
  static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  static let lengthExtraBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  static let distanceExtraBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]
}
