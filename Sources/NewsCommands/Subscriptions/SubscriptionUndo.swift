import FeedModel
import FeedStorage
import FeedUpdating

/// Takes a change of the subscriptions back: they are what the record says that they were, with what
/// fetches have found out since.
struct SubscriptionUndo {
  private let record: UndoRecord
  private let library: Library
  /// Followed again.
  private(set) var returned: [Subscription] = []
  /// Followed no longer.
  private(set) var removed: [Subscription] = []
  /// Called, tagged or asked again as they were.
  private(set) var changed: [Subscription] = []
  private(set) var subscriptions: [Subscription] = []

  init(of record: UndoRecord, in library: Library) {
    self.record = record
    self.library = library
    var rest: [String: Subscription] = [:]
    // What was merged into another feed is one of its own again.
    let merged = record.move.flatMap { $0.ids == nil ? nil : $0.from }
    for feed in library.subscriptions {
      for url in feed.state.formerURLs where url != merged { rest[url] = feed }
    }
    for feed in library.subscriptions { rest[feed.url] = feed }
    var known: Set<String> = []
    for old in record.subscriptions {
      let moved = record.move.flatMap { $0.from == old.url && $0.ids == nil ? rest[$0.to] : nil }
      guard let feed = moved ?? rest[old.url], known.insert(feed.url).inserted else {
        subscriptions.append(old)
        returned.append(old)
        continue
      }
      var again = moved == nil ? feed.set(as: old) : feed.moved(back: old)
      if again != feed { changed.append(again) }
      again.state.formerURLs.removeAll { $0 == merged }
      subscriptions.append(again)
    }
    removed = library.subscriptions.filter { !known.contains($0.url) }
  }

  var count: Int { returned.count + removed.count + changed.count }

  /// The stories' part; nil where cleared ones are to be brought back.
  func edits(now: Date) throws(StorageError) -> [ItemEdit]? {
    if let move = record.move { return try edits(move) }
    guard !removed.isEmpty else { return nil }
    let gone = removed.map(\.url)
    let choice = StoryClearing.Choice(feeds: gone, isReadOnly: false, isOfGoneFeeds: true)
    return try StoryClearing(choice, in: library, now: now).change(command: record.command).items
  }

  private func edits(_ move: MovedStories) throws(StorageError) -> [ItemEdit]? {
    let items = library.items
    var edits = ItemEdits()
    try items.forEachStory(at: 0..<items.count) { index, story throws(StorageError) in
      let feeds = try story.strings(.feeds)
      guard feeds.contains(move.to) else { return }
      let again = feedsAgain(feeds, of: try items.id(at: index), move)
      guard again != feeds else { return }
      edits.change(index, to: .adjust(index, ItemAdjustment(feeds: again)))
    }
    return edits.isEmpty ? nil : edits.all(of: items.count)
  }

  private func feedsAgain(_ feeds: [String], of id: String, _ move: MovedStories) -> [String] {
    if move.ids?.contains(id) ?? true { return feeds.map { $0 == move.to ? move.from : $0 } }
    guard let left = record.left.first, left.ids.contains(id), !feeds.contains(left.feed) else {
      return feeds
    }
    return left.owned.contains(id) ? [left.feed] + feeds : feeds + [left.feed]
  }
}

extension Subscription {
  /// The same with what the reader had said of it.
  fileprivate func set(as old: Subscription) -> Subscription {
    var copy = self
    copy.title = old.title
    copy.tags = old.tags
    copy.passwordCommand = old.passwordCommand
    copy.settle(old.settings)
    // To be allowed in a private network is the reader's word.
    if state.isOnInternet == false { copy.state.isOnInternet = old.state.isOnInternet }
    return copy
  }

  /// The same at the URL that it was moved from, as it was there unless it was asked since.
  fileprivate func moved(back old: Subscription) -> Subscription {
    guard state.lastAsked != old.state.lastAsked else { return old }
    var copy = old
    copy.state = state
    copy.state.forgetPlace()
    return copy
  }
}
