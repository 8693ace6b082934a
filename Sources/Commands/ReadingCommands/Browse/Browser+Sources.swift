import FeedStorage
import Searching

// MARK: The feeds' pane

extension Browser {
  mutating func update(sources: [BrowserSource]) {
    let all = own.map { [$0] + sources } ?? sources
    guard !feeds.update(to: all, rows: layout.paneRows) else { return }
    readHere = []
    lost.insert(.feed)
  }

  mutating func take(counts: [BrowserSource.ID: Int]) {
    feeds.arrange(rows: layout.paneRows) { $0.unread = counts }
  }

  mutating func arrangeFeeds(asIn place: BrowsePlace) {
    let rows = layout.paneRows
    feeds.arrange(rows: rows) { feeds in
      feeds.order = FeedOrder(rawValue: place.feedOrder) ?? .file
      feeds.folded = Set(place.folded.map { .tag(TextFolding.fold($0)) })
    }
  }

  mutating func goBack(toSourceOf place: BrowsePlace) {
    let rows = layout.paneRows
    arrangeFeeds(asIn: place)
    isReversed = isReversed || place.isReversed
    isGrouped = isGrouped || place.isGrouped
    feeds.arrange(rows: rows) { $0.hidesRead = place.hidesRead }
    feeds.choose(BrowserSource.ID(words: place.source), rows: rows)
  }

  private mutating func change(_ change: (inout FeedPane, Int) -> Void) -> [BrowserAction] {
    let before = source.id
    change(&feeds, layout.paneRows)
    guard source.id != before else { return [] }
    readHere = []
    return [.list]
  }

  mutating func chooseSource(row: Int) -> [BrowserAction] {
    change { $0.choose(row: row, rows: $1) }
  }

  mutating func chooseSource(_ id: BrowserSource.ID) -> [BrowserAction] {
    change { $0.choose(id, rows: $1) }
  }

  /// Lists another feed, or a folded tag, which stands for its feeds.
  mutating func goToFeed(by step: Int, isUnread: Bool = false) -> [BrowserAction] {
    let isWanted = { [feeds] (source: BrowserSource) in
      feeds.isOfFeeds(source) && (!isUnread || feeds.unread[source.id, default: 0] > 0)
    }
    var row = feeds.cursor.selected + step
    while feeds.shown.indices.contains(row), !isWanted(feeds.shown[row]) { row += step }
    guard feeds.shown.indices.contains(row) else {
      return say("no\(isUnread ? " unread" : "") feed \(step > 0 ? "below" : "above")")
    }
    if focus == .text { focus = .stories }
    return chooseSource(row: row)
  }

  mutating func sortFeeds() -> [BrowserAction] {
    feeds.arrange(rows: layout.paneRows) { $0.order = $0.order.next }
    message = "feeds \(feeds.order.words)"
    return []
  }

  /// Goes to the first source whose name contains the words; a tag that hides it is unfolded.
  mutating func jump(to words: String) -> [BrowserAction] {
    guard !words.isEmpty else { return [] }
    soughtFeed = TextFolding.fold(words)
    guard let found = feeds.shown.first(where: isSought) ?? feeds.all.first(where: isSought) else {
      return say("no feed has this name")
    }
    return chooseSource(found.id)
  }

  /// Goes to the next source whose name contains the words, or to the one before.
  mutating func jump(by step: Int) -> [BrowserAction] {
    let rows = feeds.shown.indices.filter { isSought(feeds.shown[$0]) }
    let chosen = feeds.cursor.selected
    let next =
      step > 0 ? rows.first { $0 > chosen } ?? rows.first : rows.last { $0 < chosen } ?? rows.last
    return next.map { chooseSource(row: $0) } ?? say("no feed has this name")
  }

  private func isSought(_ source: BrowserSource) -> Bool {
    TextFolding.contains(source.name, soughtFeed)
  }

  mutating func fold() -> [BrowserAction] {
    guard let tag = source.kind == .tag ? source.id : source.tag else {
      return say("- folds the feeds of a tag: t goes to the tags")
    }
    let folded = feeds.folded.symmetricDifference([tag])
    return change { $0.arrange(rows: $1) { $0.folded = folded } }
  }

  mutating func foldAll() -> [BrowserAction] {
    let tags = Set(feeds.all.filter { $0.kind == .tag }.map(\.id))
    guard !tags.isEmpty else { return goToTags() }
    let folded = feeds.folded.isSuperset(of: tags) ? [] : tags
    return change { $0.arrange(rows: $1) { $0.folded = folded } }
  }

  mutating func goToFeeds() -> [BrowserAction] {
    focus = .feeds
    return []
  }

  mutating func goToTags() -> [BrowserAction] {
    let tags = feeds.shown.indices.filter { feeds.shown[$0].kind == .tag }
    guard let first = tags.first else {
      return say("no feed has a tag yet: news feeds set FEED --tag TAG")
    }
    let isOnFeeds = focus == .feeds
    focus = .feeds
    return chooseSource(
      row: isOnFeeds ? tags.first { $0 > feeds.cursor.selected } ?? first : first
    )
  }
}
