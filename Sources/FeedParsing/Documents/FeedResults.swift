import FeedModel

/// The stories found so far, and what belongs to the feed itself.
final class FeedResults {
  var language: String?
  /// The `version` attribute of the root.
  var version: String?
  /// How many stories there are so far.
  @exclusivity(unchecked) private(set) var count = 0
  /// How many `xml:base` there were when the item began.
  @exclusivity(unchecked) private(set) var baseCount = 0
  /// Whether stories were left out because there were too many.
  private(set) var isCut = false
  private(set) var hints = UpdateHints()
  private let limits: ParsingLimits
  private let url: String?
  @exclusivity(unchecked) private var feedBase: String?
  @exclusivity(unchecked) private var linksSeen = 0
  private let assembly = ItemAssembly()
  @exclusivity(unchecked) private var batch = ItemBatch()
  @exclusivity(unchecked) private var thread: AssemblyThread?
  /// Bytes collected of items so far.
  @exclusivity(unchecked) private var bytes = 0

  /// A document of which more has been collected gets a thread to make its stories: a hundredth of
  /// a second is left to be won then.
  private static let threadedBytes = 1 << 20

  init(url: String?, limits: ParsingLimits) {
    self.url = url
    self.limits = limits
  }

  /// The draft for an item that begins.
  func startItem(baseCount: Int) -> Draft {
    self.baseCount = baseCount
    return batch.begin()
  }

  /// The item has ended.
  ///
  /// - Parameters:
  ///   - bases: By their numbers.
  ///   - feed: What has been collected of the feed itself.
  func endItem(bases: [String], feed: Draft) {
    guard count < limits.maximumItems else {
      isCut = true
      batch.drop()
      return
    }
    count += 1
    updateBase(feed, bases)
    // PERF: each reference to an object costs two atomic operations.
    let batch = batch
    batch.add(ItemBatch.Place(bases: bases, outerBase: feedBase ?? url))
    if thread != nil {
      if batch.isFull { hand(on: batch) }
    } else {
      bytes += batch.buffer.count
      assembly.add(batch)
      if bytes > Self.threadedBytes {
        thread = AssemblyThread(assembly)
        bytes = 0
      }
    }
  }

  private func hand(on full: ItemBatch) {
    guard let thread else { return }
    batch = thread.exchange(full)
  }

  /// An hour or a day on which the feed asks not to be visited.
  func skip(_ text: UnsafeBufferPointer<UInt8>, _ element: FeedElement) {
    if element == .hour, let hour = UpdateHintText.hour(text) { hints.skipHours.insert(hour) }
    if element == .day, let day = UpdateHintText.day(text) { hints.skipDays.insert(day) }
  }

  /// The feed, when the document has ended.
  func feed(_ draft: Draft, root: FeedRoot, bases: [String]) -> Feed {
    finish()
    var builder = builder(draft, bases)
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
    feed.items = assembly.items
    feed.notes = FeedLint.notes(on: feed, hasRelativeLinks: assembly.hasRelativeLinks)
    if isCut { feed.notes.insert("stories after the first \(count) are left out", at: 0) }
    return feed
  }

  /// Makes stories of all items.
  private func finish() {
    thread?.finish()
    thread = nil
    assembly.add(batch)
  }

  private func builder(_ feed: Draft, _ bases: [String]) -> ItemBuilder {
    ItemBuilder(feed, bases: bases, outerBase: url, memory: BuilderMemory())
  }

  /// The feed's own link is the base of what no `xml:base` holds for.
  private func updateBase(_ feed: Draft, _ bases: [String]) {
    guard feed.links.count != linksSeen else { return }
    linksSeen = feed.links.count
    var builder = builder(feed, bases)
    let link = builder.bestLink()
    feedBase = link.flatMap { LinkReference.isUnresolved($0.utf8) ? nil : $0 }
  }

  /// Resolves what stood before the link of the feed.
  private func resolve() {
    guard let feedBase else { return }
    for index in assembly.unresolved { resolve(&assembly.items[index], feedBase) }
  }

  private func resolve(_ item: inout Item, _ base: String) {
    item.link = resolved(item.link, base)
    for index in item.enclosures.indices {
      item.enclosures[index].url = resolved(item.enclosures[index].url, base)
    }
  }

  private func resolved(_ link: String, _ base: String) -> String {
    LinkReference.isUnresolved(link.utf8) ? WebURL.resolve(link, against: base) ?? link : link
  }

  /// An entry without an author has the feed's (RFC 4287 §4.2.1); in RSS it has none.
  private func inherit(_ author: String?, _ root: FeedRoot) {
    guard let author, case .atom = root.kind else { return }
    for index in assembly.items.indices where assembly.items[index].author == nil {
      assembly.items[index].author = author
    }
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
    let isUnresolved = withUTF8(of: .link) { LinkReference.isUnresolved($0) }
    return isUnresolved || enclosures.contains { LinkReference.isUnresolved($0.url.utf8) }
  }
}
