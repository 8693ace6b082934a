/// The second stage of a markup document: clean UTF-8 in any chunking in, and out of it XML that
/// libxml2 digests whole.
///
/// What comes out has no XML declaration, no DOCTYPE, comments and processing instructions only as
/// the line breaks that were in them (so that lines still count), marks instead of texts (which wait
/// in `texts`) but for the shortest, tags with quoted attributes, and every end tag closes the
/// innermost element. It begins with the root element and ends behind it.
struct MarkupRepair: ~Copyable {
  enum Stage: Hashable {
    /// Before the root element.
    case prolog
    case content
    case comment(inProlog: Bool)
    case instruction(inProlog: Bool, end: InstructionEnd)
    case cdata
    /// Behind the root element.
    case epilog
    case page
  }

  enum InstructionEnd: Hashable {
    case questionMark
    /// An XML declaration's: it has no `>` inside, and its `?` is forgotten at times.
    case greaterThan
  }

  /// Elements inside one another.
  static let maximumDepth = 256

  /// The texts, for whoever comes upon their marks.
  let texts = MarkupTexts()
  var stage = Stage.prolog
  var stack = ElementStack(capacity: maximumDepth)
  var entities = DeclaredEntities()
  var findings = MarkupFindings()
  var writer = RunWriter()
  var tagEnd: TagEndScanner?
  /// End tags so far that were not those of the innermost element.
  var mismatches = 0
  var prolog = Prolog()
  var epilog = Epilog()
  var page: WebPage

  /// The beginning of something whose end is not there yet.
  private var pending: [UInt8] = []

  /// - Parameter url: Where the document came from: the base of a web page's links.
  init(url: String? = nil) {
    page = WebPage(url: url)
  }

  /// Whether the document closed its root element: the only proof that nothing is missing.
  var isRootClosed: Bool { stage == .epilog }

  /// What had to be recovered, each a short sentence without a full stop.
  var notes: [String] { findings.notes }

  /// Repairs the next bytes of the document.
  ///
  /// A web page is swallowed: `finish` throws `FeedParsingError.webPage` with the feeds announced.
  mutating func repair(
    _ chunk: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    guard !pending.isEmpty else {
      let consumed = try process(chunk, isLast: false, into: sink)
      pending.append(contentsOf: chunk[consumed...])
      return
    }
    pending.append(contentsOf: chunk)
    try processPending(isLast: false, into: sink)
  }

  /// Hands on what was held back; the document has ended.
  ///
  /// Throws when it was no feed: a web page, or nothing with a root element.
  mutating func finish(into sink: ByteSink) throws(FeedParsingError) {
    try processPending(isLast: true, into: sink)
    closeText()
    try writer.flush(into: sink)
    switch stage {
    case .page: throw .webPage(announced: page.announcedFeeds())
    case .prolog, .comment(inProlog: true), .instruction(inProlog: true, _):
      throw prolog.hasMarkup
        ? .malformed(line: prolog.lines + 1, reason: "no root element") : .unrecognized
    case .content where stack.depth == 0:
      throw .malformed(line: prolog.lines + 1, reason: "no root element")
    default: break
    }
  }

  private mutating func processPending(
    isLast: Bool,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    var bytes: [UInt8] = []
    swap(&bytes, &pending)
    var consumed = 0
    try bytes.withRawBytes { bytes throws(FeedParsingError) in
      consumed = try process(bytes, isLast: isLast, into: sink)
    }
    bytes.removeFirst(consumed)
    swap(&bytes, &pending)
  }

  /// Works through some bytes; answers how many of them are done with.
  private mutating func process(
    _ bytes: UnsafeRawBufferPointer,
    isLast: Bool,
    into sink: ByteSink,
  ) throws(FeedParsingError) -> Int {
    var cursor = MarkupCursor(bytes, isLast: isLast)
    while !cursor.isAtEnd, try step(&cursor) {
      try writer.flushIfLarge(into: sink)
    }
    try writer.flush(then: bytes, in: cursor.run..<cursor.position, into: sink)
    return cursor.position
  }

  /// One stretch of the document; false when more bytes are needed.
  private mutating func step(_ cursor: inout MarkupCursor) throws(FeedParsingError) -> Bool {
    switch stage {
    case .content: try readContent(&cursor)
    case .cdata: readCDATA(&cursor)
    case .prolog: try readProlog(&cursor)
    case .comment(let inProlog): readComment(&cursor, inProlog: inProlog)
    case .instruction(let inProlog, let end):
      readInstruction(&cursor, inProlog: inProlog, end: end)
    case .epilog: readEpilog(&cursor)
    case .page: readPage(&cursor)
    }
  }
}

// How bytes are kept, dropped and replaced.
extension MarkupRepair {
  /// Hands on what is kept, and goes on behind `end` without the bytes up to it.
  mutating func drop(_ cursor: inout MarkupCursor, to end: Int) {
    writer.append(cursor.bytes, in: cursor.run..<cursor.position)
    cursor.position = end
    cursor.run = end
  }

  /// Leaves only the line feeds of the bytes up to `end`.
  mutating func dropKeepingLines(_ cursor: inout MarkupCursor, to end: Int) {
    let start = cursor.position
    drop(&cursor, to: end)
    for byte in cursor.bytes[start..<end] where byte == 0x0A { writer.append(byte) }
  }

  /// Writes other bytes for those up to `end`.
  mutating func replace(
    _ cursor: inout MarkupCursor,
    to end: Int,
    with bytes: StaticString,
  ) {
    drop(&cursor, to: end)
    writer.append(bytes)
  }
}
