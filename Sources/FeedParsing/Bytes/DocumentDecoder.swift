/// The first stage of a document: raw bytes in any chunking in, clean UTF-8 out.
///
/// Inflates what was handed over compressed, finds the encoding (RFC 7303 §3 and what the bytes
/// show), and leaves no byte order mark, no invalid byte and no control character that XML forbids.
/// The sink gets whole characters, and the same bytes whatever the chunking. A well-formed UTF-8
/// document passes without a copy.
struct DocumentDecoder {
  /// Known before the sink's first call; nil for an empty document.
  private(set) var kind: DocumentKind?

  private let charset: String?
  private let maximumDecodedBytes: Int
  private var inflatedBytes = 0
  private var decodedBytes = 0
  private var decompression = Decompression.undecided([])
  /// The first bytes, until there are enough of them to decide on the encoding.
  private var window: [UInt8] = []
  private var transcoder: Transcoder?
  private var detectionNotes: [String] = []

  private enum Decompression {
    case undecided([UInt8])
    case plain
    case inflating(Inflater)
  }

  /// - Parameters:
  ///   - charset: The `charset` parameter of the transport's content type.
  ///   - maximumDecodedBytes: More decoded bytes than this are refused with `limitExceeded`.
  init(charset: String? = nil, maximumDecodedBytes: Int = 32 << 20) {
    self.charset = charset
    self.maximumDecodedBytes = maximumDecodedBytes
  }

  /// Decodes the next bytes of the document.
  mutating func decode(
    _ chunk: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    switch decompression {
    case .plain: try transcode(chunk, into: sink)
    case .inflating(let inflater): try inflate(chunk, with: inflater, into: sink)
    case .undecided(var first):
      let missing = min(chunk.count, CompressionFormat.signatureLength - first.count)
      first.append(contentsOf: chunk[..<missing])
      decompression = .undecided(first)
      if first.count == CompressionFormat.signatureLength {
        try begin(first, into: sink)
        try decode(UnsafeRawBufferPointer(rebasing: chunk[missing...]), into: sink)
      }
    }
  }

  /// Hands on what was held back; the document has ended.
  mutating func finish(into sink: ByteSink) throws(FeedParsingError) {
    if case .undecided(let first) = decompression { try begin(first, into: sink) }
    if transcoder == nil { try beginTranscoding(into: sink) }
    guard var transcoder else { return }
    try transcoder.finish { bytes throws(FeedParsingError) in try handOn(bytes, into: sink) }
    self.transcoder = transcoder
  }

  /// What had to be recovered, each a short sentence without a full stop.
  var notes: [String] {
    var notes = detectionNotes
    if case .inflating(let inflater) = decompression {
      notes.append("handed over compressed with \(inflater.format)")
      switch inflater.state {
      case .ended, .ignoring: break
      case .damaged: notes.append("the compressed data are damaged")
      default: notes.append("the compressed data are cut off")
      }
    }
    return notes + (transcoder?.repair.notes ?? [])
  }

  private mutating func begin(
    _ first: [UInt8],
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    let format = CompressionFormat(signature: first)
    decompression = format.map { .inflating(Inflater($0)) } ?? .plain
    try first.withRawBytes { bytes throws(FeedParsingError) in try decode(bytes, into: sink) }
  }

  private mutating func inflate(
    _ chunk: UnsafeRawBufferPointer,
    with inflater: Inflater,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    try inflater.inflate(chunk) { bytes throws(FeedParsingError) in
      // Here and not only behind the encoding, which drops what XML forbids: 396 bytes may stand
      // for gigabytes of NUL.
      inflatedBytes = try count(bytes, after: inflatedBytes)
      try transcode(bytes, into: sink)
    }
  }

  private func count(
    _ bytes: UnsafeRawBufferPointer,
    after sum: Int,
  ) throws(FeedParsingError) -> Int {
    let (total, overflow) = sum.addingReportingOverflow(bytes.count)
    guard !overflow, total <= maximumDecodedBytes else {
      throw .limitExceeded(name: "decoded bytes", limit: maximumDecodedBytes)
    }
    return total
  }

  private mutating func transcode(
    _ chunk: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    guard transcoder == nil else { return try convert(chunk, into: sink) }
    let missing = min(chunk.count, EncodingDetector.windowSize - window.count)
    window.append(contentsOf: chunk[..<missing])
    guard window.count == EncodingDetector.windowSize else { return }
    try beginTranscoding(into: sink)
    try convert(UnsafeRawBufferPointer(rebasing: chunk[missing...]), into: sink)
  }

  /// Decides on the encoding, and converts what was held back for that.
  private mutating func beginTranscoding(into sink: ByteSink) throws(FeedParsingError) {
    let first = window
    window = []
    try first.withRawBytes { bytes throws(FeedParsingError) in
      let decision = try EncodingDetector.decide(bytes, charset: charset)
      detectionNotes = decision.notes
      transcoder = try Transcoder(decision.encoding, fallback: decision.fallback)
      let rest = UnsafeRawBufferPointer(rebasing: bytes[decision.markLength...])
      try convert(rest, into: sink)
    }
  }

  private mutating func convert(
    _ chunk: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    guard !chunk.isEmpty, var transcoder else { return }
    self.transcoder = nil
    try transcoder.convert(chunk) { bytes throws(FeedParsingError) in
      try handOn(bytes, into: sink)
    }
    self.transcoder = transcoder
  }

  private mutating func handOn(
    _ bytes: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    decodedBytes = try count(bytes, after: decodedBytes)
    guard kind == nil else { return try sink(bytes) }
    // Joined files bring their marks with them.
    var start = 0
    while bytes[start...].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    guard start < bytes.count else { return }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
    kind = DocumentKind(rest)
    try sink(rest)
  }
}
