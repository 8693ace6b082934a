/// Inflates gzip (RFC 1952) and zlib (RFC 1950) in any chunking, with 96 KiB of memory.
///
/// For the feeds that stand compressed on a server which does not say so. Written here because
/// zlib's headers would be one more package to build with, and its stream structure cannot be
/// declared safely without them. Checksums are not compared: a damaged document shows in its markup,
/// and what can be read of it is to be read.
final class Inflater {
  enum State: Hashable {
    case header
    case blockHeader
    case stored(left: Int)
    case compressed
    case trailer
    /// The stream has ended.
    case ended
    /// What follows the stream is no part of the document.
    case ignoring
    /// The stream cannot be read from here.
    case damaged
  }

  private(set) var state = State.header
  let format: CompressionFormat

  private var input: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount = 0
  private var codes: DeflateCodes?
  private var isLastBlock = false
  private var window = InflateWindow()

  init(_ format: CompressionFormat) {
    self.format = format
  }

  /// Inflates the next bytes.
  func inflate(
    _ chunk: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    var position = 0
    while position < chunk.count {
      let end = min(chunk.count, position + Self.pieceSize)
      input.append(contentsOf: chunk[position..<end])
      try inflateInput(into: sink)
      position = end
    }
  }

  /// Pieces of this size bound what moves when the rest of one waits for the next.
  private static let pieceSize = 16 << 10

  private func inflateInput(into sink: ByteSink) throws(FeedParsingError) {
    var position = 0
    while step(from: &position) {
      try window.flushIfFull(into: sink)
    }
    input.removeFirst(position)
    if case .header = state, input.count > CompressionFormat.maximumHeaderBytes { state = .damaged }
    try window.flush(into: sink)
  }

  /// One piece of work; false when more input is needed.
  private func step(from position: inout Int) -> Bool {
    input.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      var reader = BitReader(rest, bits: bits, count: bitCount)
      let advanced = advance(&reader)
      (bits, bitCount) = (reader.bits, reader.count)
      position += reader.consumed
      return advanced
    }
  }

  /// Advances the state by one step; false, with the reader as it was, when it cannot.
  private func advance(_ reader: inout BitReader) -> Bool {
    switch state {
    case .header: readHeader(&reader)
    case .blockHeader: readBlockHeader(&reader)
    case .stored(let left): copyStored(&reader, left: left)
    case .compressed: decodeSymbols(&reader)
    case .trailer: readTrailer(&reader)
    case .ended: readNextMember(&reader)
    case .ignoring, .damaged: ignore(&reader)
    }
  }

  private func ignore(_ reader: inout BitReader) -> Bool {
    while reader.take(8) != nil {}
    return false
  }

  /// A gzip file may have several members (RFC 1952 §2.2).
  private func readNextMember(_ reader: inout BitReader) -> Bool {
    var copy = reader
    guard let signature = copy.take(16) else { return false }
    state = format == .gzip && signature == 0x8B1F ? .header : .ignoring
    return true
  }

  private func damage() -> Bool {
    state = .damaged
    return true
  }

  private func readHeader(_ reader: inout BitReader) -> Bool {
    var copy = reader
    guard let length = format.readHeader(&copy) else { return false }
    guard length else { return damage() }
    reader = copy
    state = .blockHeader
    return true
  }

  private func readTrailer(_ reader: inout BitReader) -> Bool {
    var copy = reader
    copy.alignToByte()
    for _ in 0..<format.trailerLength {
      guard copy.take(8) != nil else { return false }
    }
    reader = copy
    state = .ended
    return true
  }

  private func readBlockHeader(_ reader: inout BitReader) -> Bool {
    var copy = reader
    guard let last = copy.take(1), let type = copy.take(2) else { return false }
    switch type {
    case 0:
      copy.alignToByte()
      guard let length = copy.take(16), let complement = copy.take(16) else { return false }
      guard length == ~complement & 0xFFFF else { return damage() }
      state = .stored(left: length)
    case 1:
      codes = DeflateCodes.fixed
      state = .compressed
    case 2:
      switch DeflateCodes.read(&copy) {
      case .codes(let own): codes = own
      case .needsMore: return false
      case .invalid: return damage()
      }
      state = .compressed
    default:
      return damage()
    }
    isLastBlock = last == 1
    reader = copy
    return true
  }

  private func copyStored(_ reader: inout BitReader, left: Int) -> Bool {
    var left = left
    while left > 0, window.hasRoom {
      guard let byte = reader.take(8) else {
        state = .stored(left: left)
        return false
      }
      window.append(UInt8(byte))
      left -= 1
    }
    state = left == 0 ? endOfBlock : .stored(left: left)
    return true
  }

  private var endOfBlock: State { isLastBlock ? .trailer : .blockHeader }

  private func decodeSymbols(_ reader: inout BitReader) -> Bool {
    guard let codes else { return damage() }
    while window.hasRoom {
      var copy = reader
      switch decodeSymbol(&copy, codes) {
      case .some(.decoded): reader = copy
      case .some(.endOfBlock):
        reader = copy
        state = endOfBlock
        return true
      case .some(.invalid): return damage()
      case .none: return false
      }
    }
    return true
  }

  private enum Decoded {
    case decoded
    case endOfBlock
    case invalid
  }

  /// Decodes a literal or a copy; nil, with nothing done, when there are too few bits.
  private func decodeSymbol(_ reader: inout BitReader, _ codes: DeflateCodes) -> Decoded? {
    reader.refill()
    switch codes.literals.decode(reader.bits, available: reader.count) {
    case .needsMore: return nil
    case .invalid: return .invalid
    case .symbol(let symbol, let length):
      reader.drop(length)
      if symbol < 256 {
        window.append(UInt8(symbol))
        return .decoded
      }
      return symbol == 256 ? .endOfBlock : decodeCopy(&reader, codes, lengthSymbol: symbol - 257)
    }
  }

  private func decodeCopy(
    _ reader: inout BitReader,
    _ codes: DeflateCodes,
    lengthSymbol: Int,
  ) -> Decoded? {
    guard lengthSymbol < DeflateCodes.lengthBases.count else { return .invalid }
    guard let extra = reader.take(DeflateCodes.lengthExtraBits[lengthSymbol]) else { return nil }
    reader.refill()
    switch codes.distances.decode(reader.bits, available: reader.count) {
    case .needsMore: return nil
    case .invalid: return .invalid
    case .symbol(let symbol, let length):
      reader.drop(length)
      guard symbol < DeflateCodes.distanceBases.count else { return .invalid }
      guard let more = reader.take(DeflateCodes.distanceExtraBits[symbol]) else { return nil }
      return window.copy(
        count: DeflateCodes.lengthBases[lengthSymbol] + extra,
        distance: DeflateCodes.distanceBases[symbol] + more,
      ) ? .decoded : .invalid
    }
  }
}
