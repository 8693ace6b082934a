/// A document's bytes as clean UTF-8.
///
/// Inflates a document that was handed over compressed, finds its encoding (RFC 7303 §3 and what
/// the bytes show), and leaves no byte order mark, no invalid byte and no control character that
/// XML forbids.
package struct DocumentDecoder {
  /// The converted document; nil where the bytes that came are clean UTF-8 from `start` on.
  private var text: [UInt8]?
  private var start = 0
  private(set) var notes: [String] = []

  package init(
    _ bytes: UnsafeRawBufferPointer,
    charset: String? = nil,
    maximumBytes: Int = 32 << 20,
  ) throws(FeedParsingError) {
    if let inflated = try Inflater.inflate(bytes, maximumBytes: maximumBytes) {
      notes = inflated.notes
      text = inflated.bytes
    }
    let decision = try withBytes(of: bytes) { (bytes) throws(FeedParsingError) in
      try EncodingDetector.decide(
        UnsafeRawBufferPointer(rebasing: bytes.prefix(EncodingDetector.windowSize)),
        charset: charset,
      )
    }
    notes += decision.notes
    start = decision.markLength
    let converted = try withBytes(of: bytes) { (bytes) throws(FeedParsingError) in
      try decision.encoding.utf8(bytes, maximumBytes: maximumBytes)
    }
    if let converted { (text, start) = (converted, 0) }
    var repair = UTF8Repair(fallback: decision.fallback.flatMap(SingleByteTable.init))
    let repaired = try withBytes(of: bytes) { (bytes) throws(FeedParsingError) in
      try repair.repaired(bytes, maximumBytes: maximumBytes)
    }
    if let repaired { (text, start) = (repaired, 0) }
    notes += repair.notes
    // Joined files bring their marks with them.
    start += withBytes(of: bytes) { bytes in
      var length = 0
      while bytes[length...].starts(with: [0xEF, 0xBB, 0xBF]) { length += 3 }
      return length
    }
  }

  /// Calls a closure with the UTF-8 text; `source` has to be the bytes that the decoder was made
  /// of.
  package func withBytes<R, E: Error>(
    of source: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(E) -> R,
  ) throws(E) -> R {
    guard let text else { return try body(UnsafeRawBufferPointer(rebasing: source[start...])) }
    return try text.withUnsafeBufferPointer { (bytes) throws(E) in
      try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...]))
    }
  }
}
