/// The bytes of one encoding to clean UTF-8.
struct Transcoder {
  private enum Source {
    case utf8
    case wide(WideDecoder)
    case table(SingleByteTable)
    case iconv(IconvConverter)
  }

  private var source: Source
  private var output: [UInt8] = []
  private(set) var repair: UTF8Repair

  /// Prepares for an encoding.
  ///
  /// - Parameters:
  ///   - encoding: Of the bytes.
  ///   - fallback: What bytes are that should have been UTF-8.
  /// - Throws: `unsupportedEncoding` when the C library lacks the encoding.
  init(_ encoding: TextEncoding, fallback: TextEncoding?) throws(FeedParsingError) {
    switch encoding.form {
    case .utf8: source = .utf8
    case .utf16(let order): source = .wide(WideDecoder(unitSize: 2, order: order))
    case .utf32(let order): source = .wide(WideDecoder(unitSize: 4, order: order))
    case .windows1252: source = .table(.windows1252)
    case .singleByte:
      guard let table = SingleByteTable(encoding) else {
        throw .unsupportedEncoding(encoding.name)
      }
      source = .table(table)
    case .multiByte:
      guard let converter = IconvConverter(encoding) else {
        throw .unsupportedEncoding(encoding.name)
      }
      source = .iconv(converter)
    }
    repair = UTF8Repair(fallback: fallback.flatMap(SingleByteTable.init) ?? .windows1252)
  }

  mutating func convert(
    _ chunk: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    if case .utf8 = source { return try repair.convert(chunk, into: sink) }
    var position = 0
    while position < chunk.count {
      let end = min(chunk.count, position + Self.pieceSize)
      convertPiece(UnsafeRawBufferPointer(rebasing: chunk[position..<end]))
      try handOn(into: sink)
      position = end
    }
  }

  /// The document has ended.
  mutating func finish(into sink: ByteSink) throws(FeedParsingError) {
    switch source {
    case .utf8, .table: break
    case .wide(var decoder): decoder.finish(into: &output)
    case .iconv(let converter): converter.finish(into: &output)
    }
    try handOn(into: sink)
    try repair.finish(into: sink)
  }

  /// Bounds the output of one step, whatever the chunk.
  private static let pieceSize = 32 << 10

  private mutating func convertPiece(_ piece: UnsafeRawBufferPointer) {
    switch source {
    case .utf8: break
    case .table(let table): table.convert(piece, into: &output)
    case .iconv(let converter): converter.convert(piece, into: &output)
    case .wide(var decoder):
      decoder.convert(piece, into: &output)
      source = .wide(decoder)
    }
  }

  private mutating func handOn(into sink: ByteSink) throws(FeedParsingError) {
    let result = output.withUnsafeBytes { bytes in
      Result { () throws(FeedParsingError) in try repair.convert(bytes, into: sink) }
    }
    output.removeAll(keepingCapacity: true)
    try result.get()
  }
}
