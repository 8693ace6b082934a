import FeedModel

/// The stories found so far, and what belongs to the feed itself.
final class FeedResults {
  var language: String?
  /// The `version` attribute of the root.
  var version: String?
  @exclusivity(unchecked) private(set) var items: [Item] = []
  /// How many `xml:base` there were when the item began.
  @exclusivity(unchecked) private(set) var baseCount = 0
  /// How long the collected text was when the item began.
  @exclusivity(unchecked) private(set) var textStart = 0
  /// Whether stories were left out because there were too many.
  private(set) var isCut = false
  private(set) var hints = UpdateHints()
  private let limits: ParsingLimits
  private let url: String?
  /// Items with relative references, whose base may stand after them.
  @exclusivity(unchecked) private var unresolved: [Int] = []
  @exclusivity(unchecked) private var feedBase: String?
  @exclusivity(unchecked) private var linksSeen = 0
  @exclusivity(unchecked) private var hasRelativeLinks = false

  init(url: String?, limits: ParsingLimits) {
    self.url = url
    self.limits = limits
  }

  func startItem(baseCount: Int, textStart: Int) {
    self.baseCount = baseCount
    self.textStart = textStart
  }

  func add(_ draft: Draft, root: FeedRoot, bases: BaseStack, feed: Draft) {
    guard items.count < limits.maximumItems else {
      isCut = true
      return
    }
    updateBase(feed, bases)
    if let link = draft.links.first, !draft.buffer.bytes(link.url).hasPrefix("http") {
      hasRelativeLinks = true
    }
    var builder = ItemBuilder(draft, bases: bases, outerBase: feedBase ?? url)
    let item = builder.item()
    if builder.isUnresolved { unresolved.append(items.count) }
    items.append(consume item)
  }

  /// An hour or a day on which the feed asks not to be visited.
  func skip(_ text: UnsafeBufferPointer<UInt8>, _ element: FeedElement) {
    if element == .hour, let hour = UpdateHintText.hour(text) { hints.skipHours.insert(hour) }
    if element == .day, let day = UpdateHintText.day(text) { hints.skipDays.insert(day) }
  }

  /// The feed, when the document has ended.
  func feed(_ draft: Draft, root: FeedRoot, bases: BaseStack) -> Feed {
    var builder = ItemBuilder(draft, bases: bases, outerBase: url)
    var feed = Feed(format: root.format(version: version))
    feed.title = builder.line(FieldPriority.title)
    feed.link = builder.bestLink()
    feed.description = builder.summary(FieldPriority.feedDescription)
    let language = builder.line(FieldPriority.language) ?? language.map { SafeText.line($0) }
    feed.language = language.map { LanguageTag.repaired($0) }
    takeDate(draft, &feed)
    UpdateHintText.take(draft, into: &hints)
    feed.hints = hints
    if let field = draft.field(.newFeedURL) {
      let text = draft.buffer.bytes(field.span).string
      feed.newLocation = WebURL.resolve(text, against: url)
    }
    updateBase(draft, bases)
    resolve()
    inherit(builder.authors(draft.authors), root)
    feed.items = items
    feed.notes = FeedLint.notes(on: feed, hasRelativeLinks: hasRelativeLinks)
    if isCut { feed.notes.insert("stories after the first \(items.count) are left out", at: 0) }
    return feed
  }

  /// The feed's own link is the base of what no `xml:base` holds for.
  private func updateBase(_ feed: Draft, _ bases: BaseStack) {
    guard feed.links.count != linksSeen else { return }
    linksSeen = feed.links.count
    var builder = ItemBuilder(feed, bases: bases, outerBase: url)
    let link = builder.bestLink()
    feedBase = link.flatMap { LinkReference.isUnresolved($0) ? nil : $0 }
  }

  /// Resolves what stood before the link of the feed.
  private func resolve() {
    guard let feedBase else { return }
    for index in unresolved {
      items[index].link = resolved(items[index].link, feedBase)
      for enclosure in items[index].enclosures.indices {
        let url = items[index].enclosures[enclosure].url
        items[index].enclosures[enclosure].url = resolved(url, feedBase)
      }
    }
  }

  private func resolved(_ link: String, _ base: String) -> String {
    LinkReference.isUnresolved(link) ? WebURL.resolve(link, against: base) ?? link : link
  }

  /// An entry without an author has the feed's (RFC 4287 §4.2.1); in RSS it has none.
  private func inherit(_ author: String?, _ root: FeedRoot) {
    guard let author, case .atom = root.kind else { return }
    for index in items.indices where items[index].author == nil { items[index].author = author }
  }

  private func takeDate(_ draft: Draft, _ feed: inout Feed) {
    for source in FieldPriority.feedDate.elements {
      guard let field = draft.field(source) else { continue }
      feed.date = FeedDate.date(utf8: draft.buffer.bytes(field.span))
      if feed.date != nil { return }
    }
  }
}

extension Item {
  /// Whether it has references that wait for a base.
  var isUnresolved: Bool {
    LinkReference.isUnresolved(link) || enclosures.contains { LinkReference.isUnresolved($0.url) }
  }
}
