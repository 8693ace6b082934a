import System

/// Repairs a document so that libxml2 reads it whole: takes clean UTF-8, and writes UTF-8 without
/// what XML forbids.
///
/// The result has no XML declaration and no DOCTYPE. Of comments and processing instructions only
/// the line breaks stay, so that lines still count. Attributes are quoted, and every end tag closes
/// the innermost element. The result begins with the root element and ends behind it; in a document
/// that breaks off, open elements stay open.
struct MarkupRepair: ~Copyable {
  struct Document {
    var bytes: [UInt8]
    var notes: [String]
    /// True if the root element was closed: the only proof that nothing is missing.
    var isRootClosed: Bool
  }

  enum Stage: Hashable {
    case prolog
    case content
    case epilog
    case page
  }

  static let maximumDepth = 256
  /// The most faults and guesses: a document that is not meant to be read has one every few bytes.
  private static let maximumFaults = 1_000_000

  let bytes: UnsafeRawBufferPointer
  var position = 0
  var run = 0
  var output: [UInt8] = []
  var stage = Stage.prolog
  var stack: ElementStack
  var entities = DeclaredEntities()
  var findings = MarkupFindings()
  var mismatches = 0
  /// The number of vain guesses: attributes of malformed tags, and candidates for the root element.
  var guesses = 0
  /// The number of tags that may still be looked at to find the end of an element.
  var lookaheads = 1_000_000
  var prolog = Prolog()

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    stack = ElementStack(bytes)
    output.reserveCapacity(bytes.count + bytes.count / 16)
  }

  static func repair(
    _ bytes: UnsafeRawBufferPointer,
    url: String? = nil,
  ) throws(FeedParsingError) -> Document {
    var repair = MarkupRepair(bytes)
    try repair.run(url: url)
    return Document(
      bytes: repair.output,
      notes: repair.findings.notes,
      isRootClosed: repair.stage == .epilog,
    )
  }

  private mutating func run(url: String?) throws(FeedParsingError) {
    while position < bytes.count, stage == .prolog || stage == .content {
      if stage == .prolog { try readProlog() } else { try readContent() }
      guard findings.total + guesses <= Self.maximumFaults else {
        throw .limitExceeded(name: "number of faults", limit: Self.maximumFaults)
      }
    }
    switch stage {
    case .page: throw .webPage(announced: WebPage.announcedFeeds(rest, url: url))
    case .epilog: readEpilog()
    case .content where stack.depth > 0: drop(to: bytes.count)
    case .prolog, .content:
      guard prolog.hasMarkup else { throw .unrecognized }
      // Before the root element only line feeds are written, so they count the lines.
      throw .malformed(line: output.count + 1, reason: "no root element")
    }
  }

  /// Drops all that is behind the root element: it does not belong to the document.
  private mutating func readEpilog() {
    let rest = bytes[position...].drop { $0 <= 0x20 }.prefix(2)
    let isRemark =
      rest.first == UInt8(ascii: "<")
      && (rest.count == 1 || rest.last == UInt8(ascii: "!") || rest.last == UInt8(ascii: "?"))
    if !rest.isEmpty, !isRemark { findings.add(.trailingContent) }
    drop(to: bytes.count)
  }

  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  var rest: UnsafeRawBufferPointer { slice(position..<bytes.count) }

  mutating func drop(to end: Int) {
    output.append(contentsOf: slice(run..<position))
    position = end
    run = end
  }

  mutating func dropKeepingLines(to end: Int) {
    let start = position
    drop(to: end)
    var line = start
    while let next = ByteScan.first(0x0A, in: slice(0..<end), from: line) {
      output.append(0x0A)
      line = next + 1
    }
  }

  mutating func replace(to end: Int, with text: StaticString) {
    drop(to: end)
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  /// Skips the next end mark, or the rest of the document; returns false if the mark is missing.
  mutating func swallow(through mark: StaticString) -> Bool {
    let start = ByteScan.first(mark, in: bytes, from: position)
    let end = start.map { $0 + mark.utf8CodeUnitCount } ?? bytes.count
    dropKeepingLines(to: end)
    return start != nil
  }
}

/// A repair of a document's markup, as a short sentence without a full stop.
enum MarkupFinding: String, CaseIterable, Sendable {
  case leadingJunk = "text before the document's beginning dropped"
  case secondDeclaration = "XML declaration not at the beginning dropped"
  case bareAmpersand = "ampersands not written as &amp;"
  case unknownEntity = "references to unknown entities kept as text"
  case undeclaredEntity = "HTML entities that XML does not know"
  case illegalReference = "references to characters that XML forbids"
  case windowsReference = "references to windows-1252 characters"
  case bareLessThan = "less-than signs not written as &lt;"
  case strayCDATAEnd = "]]> in text"
  case attributeSyntax = "tags with malformed attributes"
  case missingTagEnd = "tags without >"
  case unclosedElement = "elements not closed"
  case strayEndTag = "end tags of nothing dropped"
  case misspeltEndTag = "misspelt end tags"
  case truncatedTag = "a tag cut off at the end"
  case trailingContent = "content after the root element ignored"
}

struct MarkupFindings {
  private(set) var total = 0
  private var counts: [MarkupFinding: Int] = [:]

  mutating func add(_ finding: MarkupFinding) {
    counts[finding, default: 0] += 1
    total += 1
  }

  var notes: [String] {
    MarkupFinding.allCases.compactMap { finding in
      counts[finding].map { $0 == 1 ? finding.rawValue : "\(finding.rawValue): \($0)" }
    }
  }
}
