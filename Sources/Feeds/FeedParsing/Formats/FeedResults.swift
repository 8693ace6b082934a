import FeedModel
import HTMLParsing
import System

final class FeedResults {
  var language: String?
  var version: String?
  // PERF: asked or changed at each element or story.
  @exclusivity(unchecked) private(set) var baseCount = 0
  @exclusivity(unchecked) var isCut = false
  var hasRoom: Bool { count < limits.maximumItems }
  private(set) var hints = UpdateHints()
  private let limits: ParsingLimits
  private let url: String?
  /// The absolute link of the feed, the base of references without a nearer one; `ownLink` is its
  /// `rel="self"`.
  private var feedBase: String?
  private var ownLink: String?
  @exclusivity(unchecked) private var linksSeen = 0
  private var older: (reference: String, base: String?, isArchive: Bool)?
  private let draft: Draft
  @exclusivity(unchecked) private var start = 0
  let memory: BuilderMemory
  private var items: [Item] = []
  @exclusivity(unchecked) private var lines = StoryLines()
  private var texts: [StoryText?] = []
  /// The bytes that texts may still take, at first `maximumBytes`.
  private var textRoom: Int
  /// The items with relative references, whose base may stand behind them in the document.
  private var unresolved: [Int] = []

  init(url: String?, limits: ParsingLimits, size: Int, buffer: TextBuffer) {
    self.url = url
    self.limits = limits
    textRoom = limits.maximumBytes
    memory = BuilderMemory(limits)
    draft = Draft(buffer: buffer)
    if limits.kept == .lines { lines = StoryLines(ofDocument: size) }
  }

  var count: Int { items.count + lines.count }

  /// Takes the document's word for its address where the caller has none.
  func takeOwnLink(_ link: String) {
    guard url == nil, ownLink == nil else { return }
    ownLink = WebURL.resolve(link, against: nil)
    linksSeen = -1
  }

  /// Takes the first archive, whose stories stay in it, or else the first page.
  func takeOlder(_ reference: String, base: String?, isArchive: Bool) {
    guard older.map({ isArchive && !$0.isArchive }) ?? true else { return }
    older = (reference, base, isArchive)
  }

  func startItem(baseCount: Int) -> Draft {
    self.baseCount = baseCount
    draft.reset()
    start = draft.buffer.count
    return draft
  }

  func endItem(bases: [String], feed: Draft) {
    defer { draft.buffer.truncate(to: start) }
    updateBase(feed, bases)
    memory.dates.feed = (feed, language)
    var builder = ItemBuilder(
      draft: draft,
      bases: bases,
      outerBase: feedBase ?? url ?? ownLink,
      memory: memory,
    )
    if limits.kept == .lines { return builder.append(to: &lines) }
    let item = builder.item(keeping: limits.kept == .texts ? keep : nil)
    if builder.isUnresolved { unresolved.append(items.count) }
    items.append(item)
  }

  private func keep(textOf story: ItemBuilder, besides summary: String) -> StoryText? {
    var text = story.wholeText(besides: summary)
    textRoom -= text?.bytes.count ?? 0
    if textRoom < 0 { text = nil }
    texts.append(text)
    return text
  }

  func skip(_ text: UnsafeBufferPointer<UInt8>, _ element: FeedElement) {
    if element == .hour, let hour = UpdateHintText.hour(text) { hints.skipHours.insert(hour) }
    if element == .day, let day = UpdateHintText.day(text) { hints.skipDays.insert(day) }
  }

  func feed(
    _ draft: Draft,
    root: FeedRoot,
    bases: [String],
  ) throws(FeedParsingError) -> Feed {
    var builder = builder(draft, bases)
    var feed = Feed(format: root.format(version: version))
    feed.title = builder.text(FieldPriority.title)
    feed.link = builder.bestLink()
    feed.description = builder.text(FieldPriority.feedDescription, for: .summary)
    let language = builder.text(FieldPriority.language) ?? language.map { SafeText.line($0) }
    feed.language = language.map { LanguageTag.repaired($0) }
    memory.dates.feed = (draft, self.language)
    feed.date = memory.dates.date(draft, of: FieldPriority.feedDate)
    UpdateHintText.take(draft, into: &hints)
    feed.hints = hints
    feed.newLocation = address(.newFeedURL, draft)
    feed.icon = address(.imageURL, draft) ?? address(.icon, draft)
    feed.olderPage = older.flatMap {
      WebURL.resolve($0.reference, against: $0.base ?? url ?? ownLink)
    }
    updateBase(draft, bases)
    try resolve()
    inherit(builder.authors(draft.authors), root)
    feed.items = items
    feed.lines = lines
    feed.texts = texts
    if isCut { feed.notes = ["stories after the first \(count) are left out"] }
    if memory.dates.hasUnknownZone {
      feed.notes.append("dates are read without their time zone, whose name has several meanings")
    }
    return feed
  }

  private func address(_ element: FeedElement, _ draft: Draft) -> String? {
    draft.field(element).flatMap { field in
      WebURL.resolve(draft.buffer.bytes(field.span).string, against: url)
    }
  }

  private func builder(_ feed: Draft, _ bases: [String]) -> ItemBuilder {
    ItemBuilder(draft: feed, bases: bases, outerBase: url ?? ownLink, memory: memory)
  }

  private func updateBase(_ feed: Draft, _ bases: [String]) {
    guard feed.links.count != linksSeen else { return }
    linksSeen = feed.links.count
    var builder = builder(feed, bases)
    let link = builder.bestLink()
    feedBase = link.flatMap { LinkReference.isUnresolved($0.utf8) ? nil : $0 }
  }

  private func resolve() throws(FeedParsingError) {
    guard let base = feedBase ?? ownLink else { return }
    for index in unresolved {
      resolve(&items[index], base)
      try memory.checkBases(limits)
    }
  }

  private func resolve(_ item: inout Item, _ base: String) {
    item.link = resolved(item.link, base)
    // An item is packed anew with each change of it.
    var enclosures = item.enclosures
    for index in enclosures.indices {
      enclosures[index].url = resolved(enclosures[index].url, base)
    }
    item.enclosures = enclosures
    var related = item.related
    guard !related.isEmpty else { return }
    for index in related.indices { related[index].url = resolved(related[index].url, base) }
    item.related = related
  }

  private func resolved(_ link: String, _ base: String) -> String {
    guard LinkReference.isUnresolved(link.utf8) else { return link }
    return WebURL.resolve(link, against: memory.use(base)) ?? link
  }

  /// An entry without an author has the feed's (RFC 4287 §4.2.1); in RSS it has none.
  private func inherit(_ author: String?, _ root: FeedRoot) {
    guard let author, root.kind == .atom else { return }
    for index in items.indices where items[index].author == nil { items[index].author = author }
  }
}

/// The update hints of RSS 2.0 and RSS 1.0 Syndication.
enum UpdateHintText {
  static func take(_ draft: Draft, into hints: inout UpdateHints) {
    let bytes = { (element: FeedElement) in
      draft.field(element).map { draft.buffer.bytes($0.span) }
    }
    hints.timeToLive = draft.number(.timeToLive, in: 1...10_000_000)
    hints.updateFrequency = draft.number(.updateFrequency, in: 1...10_000_000)
    hints.updatePeriod = bytes(.updatePeriod).flatMap(period)
    hints.updateBase = bytes(.updateBase).flatMap { FeedDate.date(utf8: $0) }
  }

  /// Returns 0 to 23, also for 24, to which some feeds count.
  static func hour(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let hour = Int(text.string), 0...24 ~= hour else { return nil }
    return hour % 24
  }

  static func day(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    let name = text.string.lowercased()
    return CalendarName.weekdays.firstIndex { $0.lowercased() == name }
  }

  private static func period(_ text: UnsafeBufferPointer<UInt8>) -> Duration? {
    let hours: [(StaticString, Int)] = [
      ("hourly", 1), ("daily", 24), ("weekly", 168), ("monthly", 720), ("yearly", 8760),
    ]
    let found = hours.first { text.isEqual(ignoringCase: $0.0) }
    return found.map { .seconds($0.1 * 3600) }
  }
}
