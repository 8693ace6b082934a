import System

struct MarkupDocument<Handler: XMLEventHandler> {
  let handler: Handler
  private(set) var notes: [String] = []
  /// False where a repaired document's root was never closed.
  private(set) var isComplete = true
  private let recovered: [SAXParser.Recovery]

  init(
    _ utf8: UnsafeRawBufferPointer,
    url: String?,
    limits: ParsingLimits,
    makeHandler: () -> Handler,
  ) throws(FeedParsingError) {
    if let clean = try Self.clean(utf8, limits, makeHandler()) {
      self = clean
      return
    }
    let repaired = try MarkupRepair.repair(utf8, url: url)
    handler = makeHandler()
    let parser = SAXParser(handler: handler, faults: .recovered, limits: limits)
    try repaired.bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try parser.parse(UnsafeRawBufferPointer(bytes))
    }
    isComplete = repaired.isRootClosed
    notes = repaired.notes
    recovered = parser.recovered
  }

  private init(handler: Handler, parser: SAXParser) {
    self.handler = handler
    notes = parser.findings.notes
    recovered = parser.recovered
  }

  /// Returns nil for a document that has to be repaired, or whose root may be junk.
  private static func clean(
    _ utf8: UnsafeRawBufferPointer,
    _ limits: ParsingLimits,
    _ handler: Handler,
  ) throws(FeedParsingError) -> Self? {
    guard !hasLongTag(utf8) else { return nil }
    let parser = SAXParser(handler: handler, faults: .fatal, limits: limits)
    do throws(FeedParsingError) {
      try parser.parse(utf8)
    } catch .notAFeed {
      return nil
    }
    return parser.isBroken ? nil : Self(handler: handler, parser: parser)
  }

  /// Finds a tag longer than any honest one, for which libxml2 takes quadratic time.
  ///
  /// A tag has no `<` inside, so two of them near each other leave no room for a long one.
  private static func hasLongTag(_ utf8: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    while utf8.count - position > TagEndScanner.maximumLength {
      let window = utf8[position..<position + TagEndScanner.maximumLength]
      guard let last = window.lastIndex(of: UInt8(ascii: "<")), last > position else { return true }
      position = last
    }
    return false
  }

  func remarks(isWhole: Bool) -> [String] {
    let errors = recovered.filter { isWhole || !$0.isEnd }
    return notes + errors.map { "line \($0.line): \(SafeText.line($0.reason))" }
      + (isWhole ? [] : ["the document breaks off"])
  }

  var firstRecovery: SAXParser.Recovery? { recovered.first }
}
