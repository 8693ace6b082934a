@testable import FeedParsing

/// Runs the byte stages over a document and collects what comes out.
struct StageRun {
  var output: [UInt8] = []
  var kind: DocumentKind?
  var notes: [String] = []
  var isRootClosed = false
  var error: FeedParsingError?

  /// The chunk sizes that have to make no difference.
  static let chunkSizes = [1, 2, 7, 64, 4096, 1 << 20]

  var text: String { String(decoding: output, as: UTF8.self) }

  /// The decoder alone.
  static func decode(
    _ bytes: [UInt8],
    charset: String? = nil,
    chunk: Int = 1 << 20,
    maximumDecodedBytes: Int = 32 << 20,
  ) -> StageRun {
    var run = StageRun()
    var decoder = DocumentDecoder(charset: charset, maximumDecodedBytes: maximumDecodedBytes)
    do throws(FeedParsingError) {
      try each(bytes, chunk) { piece throws(FeedParsingError) in
        try decoder.decode(piece) { run.output.append(contentsOf: $0) }
      }
      try decoder.finish { run.output.append(contentsOf: $0) }
    } catch {
      run.error = error
    }
    run.kind = decoder.kind
    run.notes = decoder.notes
    return run
  }

  /// The repair alone, with the texts in the places of their marks.
  static func repair(_ bytes: [UInt8], chunk: Int = 1 << 20, url: String? = nil) -> StageRun {
    var run = StageRun()
    var repair = MarkupRepair(url: url)
    do throws(FeedParsingError) {
      try each(bytes, chunk) { piece throws(FeedParsingError) in
        try repair.repair(piece) { run.output.append(contentsOf: $0) }
      }
      try repair.finish { run.output.append(contentsOf: $0) }
    } catch {
      run.error = error
    }
    run.output = resolved(run.output, repair.texts)
    run.notes = repair.notes
    run.isRootClosed = repair.isRootClosed
    return run
  }

  /// One after the other.
  static func both(_ bytes: [UInt8], charset: String? = nil, chunk: Int = 1 << 20) -> StageRun {
    var run = StageRun()
    var decoder = DocumentDecoder(charset: charset)
    var repair = MarkupRepair()
    let sink: ByteSink = { utf8 throws(FeedParsingError) in
      try repair.repair(utf8) { run.output.append(contentsOf: $0) }
    }
    do throws(FeedParsingError) {
      try each(bytes, chunk) { piece throws(FeedParsingError) in
        try decoder.decode(piece, into: sink)
      }
      try decoder.finish(into: sink)
      try repair.finish { run.output.append(contentsOf: $0) }
    } catch {
      run.error = error
    }
    run.output = resolved(run.output, repair.texts)
    run.notes = decoder.notes + repair.notes
    run.isRootClosed = repair.isRootClosed
    return run
  }

  /// What libxml2 gets, with each mark replaced by its text, escaped.
  private static func resolved(_ output: [UInt8], _ texts: MarkupTexts) -> [UInt8] {
    let start = [UInt8]("<![CDATA[")
    var result: [UInt8] = []
    var rest = output[...]
    while let first = rest.first {
      guard first == UInt8(ascii: "<"), rest.starts(with: start) else {
        result.append(rest.removeFirst())
        continue
      }
      rest = rest.dropFirst(start.count)
      result += texts.take(rest.removeFirst()).map(escaped) ?? []
      rest = rest.drop { $0 == UInt8(ascii: "\n") }.dropFirst("]]>".utf8.count)
    }
    return result
  }

  private static func escaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      default: result.append(byte)
      }
    }
    return result
  }

  private static func each(
    _ bytes: [UInt8],
    _ size: Int,
    _ body: ByteSink,
  ) throws(FeedParsingError) {
    for start in stride(from: 0, to: bytes.count, by: size) {
      try Array(bytes[start..<min(bytes.count, start + size)]).withRawBytes(body)
    }
  }
}

extension [UInt8] {
  init(_ text: String) {
    self = Array(text.utf8)
  }

  /// Bytes written as hexadecimal digits.
  init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
