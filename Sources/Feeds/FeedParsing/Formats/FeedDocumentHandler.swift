import FeedModel
import System

/// The handler for RSS (all versions, RDF too), Atom and CDF.
///
/// The meaning of an element depends on its place (`Scope`). A field's bytes are collected in a
/// `Draft`, and looked at when its item ends.
final class FeedDocumentHandler: XMLEventHandler {
  enum Scope: UInt8 {
    case document
    case feed
    /// An element at the feed's level that means nothing: only items in it count.
    case aside
    case item
    case person
    case source
    case text
    case markup
    case media

    var hasText: Bool {
      switch self {
      case .text, .markup, .person: true
      case .document, .feed, .aside, .item, .source, .media: false
      }
    }
  }

  struct Frame {
    var scope: Scope
    var element: FeedElement
    var outerBase: Int
    var tag: UInt8 = 0
  }

  struct Capture {
    var element = FeedElement.unknown
    var start = 0
    var mode = TextMode.html
    var isOpaque = false
    var maximumBytes = Draft.maximumFieldBytes
    var base = -1
    /// The start of its HTML in `Draft.markup`; nil before its first unescaped element.
    var markupStart: Int?
    /// The starts of the texts of the elements `sup` and `sub` that are open, the outermost first.
    var raised: [Int] = []
    /// The starts of an open formula's text and markup.
    var formula: (text: Int, markup: Int)?

    var isMarkup: Bool {
      switch element {
      case .link, .guid, .id, .title, .pubDate, .category, .creator, .dcDate, .date, .updated,
        .published:
        false
      default: true
      }
    }
  }

  let limits: ParsingLimits
  let results: FeedResults
  /// The fields of the feed, and behind them those of the open item.
  let buffer: TextBuffer
  let feedDraft: Draft
  @exclusivity(unchecked) var draft: Draft
  @exclusivity(unchecked) var frames: [Frame] = []
  @exclusivity(unchecked) var capture = Capture()
  @exclusivity(unchecked) var person = PersonDraft()
  @exclusivity(unchecked) var root = FeedRoot()
  @exclusivity(unchecked) var bases: BaseStack
  /// True after a channel or a default namespace of RSS: RDF without them and without stories is no
  /// feed.
  var hasChannel = false
  /// The number of open elements inside one that is left out, and itself.
  @exclusivity(unchecked) private var skipped = 0
  @exclusivity(unchecked) private(set) var wantsText = false

  /// Makes a handler; by the `size` of the document its lines get their memory.
  init(url: String?, limits: ParsingLimits, size: Int = 0) {
    self.limits = limits
    bases = BaseStack(document: url)
    buffer = TextBuffer()
    results = FeedResults(url: url, limits: limits, size: size, buffer: buffer)
    feedDraft = Draft(buffer: buffer)
    draft = feedDraft
  }

  var isRootClosed: Bool { root.kind != nil && frames.isEmpty && skipped == 0 }

  /// A document may have a million stories beyond those that are taken.
  var hasEnough: Bool { results.isCut }

  var isFeed: Bool { root.kind != nil && (root.kind != .rdf || hasChannel || results.count > 0) }

  func feed() throws(FeedParsingError) -> Feed {
    try results.feed(feedDraft, root: root, bases: bases.bases)
  }

  func code(of name: XMLName) -> UInt16 {
    var code = root.code(of: name)
    code.tag = HTMLTagName.number(of: name.local)
    return code.rawValue
  }

  func startElement(_ code: UInt16, _ attributes: XMLAttributes) throws(FeedParsingError) {
    if skipped > 0 {
      skipped += 1
      return
    }
    let code = FeedElementCode(rawValue: code)
    if code.element == .item { try results.memory.checkBases(limits) }
    let outerBase = bases.current
    if attributes.count > 0, let base = attributes.xmlValue("base") { bases.enter(base) }
    let scope: Scope?
    switch self.scope {
    case .document: scope = try startRoot(code, attributes)
    case .feed: scope = startInFeed(code, attributes)
    case .aside: scope = startAside(code, attributes)
    case .item: scope = startInItem(code, attributes)
    case .person: scope = try startInPerson(code, attributes)
    case .source: scope = code.element == .author ? startPerson(code) : nil
    case .text, .markup: scope = try startInText(code, attributes)
    case .media: scope = startInMedia(code, attributes)
    }
    guard let scope else {
      bases.current = outerBase
      skipped = 1
      wantsText = false
      return
    }
    frames.append(
      Frame(scope: scope, element: code.element, outerBase: outerBase, tag: code.tag)
    )
    wantsText = scope.hasText
  }

  func endElement(_ code: UInt16) throws(FeedParsingError) {
    if skipped > 1 {
      skipped -= 1
      return
    }
    if skipped == 0, let frame = frames.popLast() {
      end(frame)
      bases.current = frame.outerBase
    }
    skipped = 0
    wantsText = scope.hasText
  }

  func end(_ frame: Frame) {
    switch frame.scope {
    case .text: endText()
    case .markup: endMarkup(frame)
    case .media: endTag(frame.tag)
    case .item where frame.element == .item: endItem()
    case .person: endPerson()
    case .document, .feed, .aside, .item, .source: break
    }
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    let room = capture.start + capture.maximumBytes - buffer.count
    if utf8.count <= room {
      buffer.append(utf8)
    } else if room > 0 {
      buffer.append(utf8.characters(atMost: room))
    }
    if capture.markupStart != nil { appendMarkup(utf8) }
  }

  var scope: Scope { frames.last?.scope ?? .document }

  func neutralize(after index: Int, scope: Scope) {
    for later in frames.indices.dropFirst(index + 1) {
      frames[later].scope = scope
      frames[later].element = .unknown
    }
  }
}

extension FeedDocumentHandler {
  func startRoot(
    _ code: FeedElementCode,
    _ attributes: XMLAttributes,
  ) throws(FeedParsingError) -> Scope? {
    let name = root.lastName
    results.language = attributes.xmlValue("lang")
    results.version = attributes.raw("version")?.string
    switch code.element {
    case .rss: root.start(.rss, home: name.namespace)
    case .rdf:
      root.start(.rdf, home: nil)
      // RSS 1.0 and 0.90 without a channel are empty feeds; other RDF is not.
      if let uri = attributes.defaultNamespace { hasChannel = root.isRSS(uri) }
    case .feed: root.start(.atom, home: name.namespace)
    case .channel: startChannelRoot(name, attributes)
    case .item where code.isAtom && name.local == "entry":
      // An entry document (RFC 4287 §2): a feed of one.
      root.start(.atom, home: name.namespace)
      return startItem(code, attributes)
    default: throw .notAFeed(root: SafeText.line(name.qualified))
    }
    return .feed
  }

  /// A root `channel` is CDF, whose channel has attributes, or RSS that lost its outermost element.
  private func startChannelRoot(_ name: XMLName, _ attributes: XMLAttributes) {
    let isCDF =
      name.local == "CHANNEL" || attributes.raw("href") != nil || attributes.raw("lastmod") != nil
    root.start(isCDF ? .cdf : .rss, home: name.namespace)
    takeCDFAttributes(attributes)
  }

  func takeCDFAttributes(_ attributes: XMLAttributes) {
    guard attributes.count > 0 else { return }
    if let base = attributes.raw("base") { bases.enter(base.string) }
    if let url = attributes.value("href", into: buffer) { keepLink(url, rank: 2) }
    if let date = attributes.value("lastmod", into: buffer), !date.isEmpty {
      draft.keep(FieldDraft(span: date, mode: .plain), as: .modified)
    }
  }
}

struct BaseStack {
  let document: String?
  var current = -1
  private(set) var bases: [String] = []
  private static let maximumCount = 10_000

  var count: Int { bases.count }

  func base(_ number: Int) -> String? {
    bases.indices.contains(number) ? bases[number] : nil
  }

  mutating func enter(_ reference: String) {
    let outer = base(current) ?? document
    guard let base = WebURL.resolveBase(reference, against: outer) else { return }
    if bases.last == base {
      current = bases.count - 1
    } else if bases.count < Self.maximumCount {
      bases.append(base)
      current = bases.count - 1
    }
  }

  mutating func forget(after count: Int) {
    guard bases.count > count, current < count else { return }
    bases.removeLast(bases.count - count)
  }
}
