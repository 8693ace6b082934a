/// The first stage of a document: raw bytes in any chunking in, UTF-8 out.
struct DocumentDecoder {
  /// Known before the sink's first call; nil for a document of white space only.
  private(set) var kind: DocumentKind?
  /// What had to be recovered, each a short sentence without a full stop.
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - charset: The `charset` parameter of the transport's content type.
  ///   - maximumDecodedBytes: More decoded bytes than this are refused.
  init(charset: String? = nil, maximumDecodedBytes: Int = 32 << 20) {
  }

  /// Decodes the next bytes of the document.
  mutating func decode(
    _ chunk: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    guard !chunk.isEmpty else { return }
    if kind == nil { kind = chunk.first == UInt8(ascii: "{") ? .json : .markup }
    try sink(chunk)
  }

  /// Hands on what was held back; the document has ended.
  mutating func finish(into sink: ByteSink) throws(FeedParsingError) {
  }
}
