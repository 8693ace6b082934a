import FeedModel
package import FeedStorage
package import System

/// Takes a step back in a library that may have changed since: the state before the step returns,
/// beside what has come.
package struct LibraryUndo {
  let step: HistoryStep
  let cleared: ItemTable?
  let library: Library
  let now: Date
  let moved: MovedFeeds
  let elsewhere: MarksElsewhere?
  /// The positions of the stories that alone come back; nil for all.
  let chosen: Set<Int>?
  var order: StoryOrder
  var noted: ClearedHashUpdates
  private var kept = ClearedHashUpdates()
  /// Feeds that lose stories which they may still carry.
  private var losing: Set<String> = []

  package internal(set) var change = LibraryChange()
  package let feeds: SubscriptionUndo
  /// The number of stories of which each of the step's facts was taken back.
  package private(set) var unmarked: [Int]
  package private(set) var unmarkedStories = 0
  package internal(set) var returned = 0
  package internal(set) var wereBack = 0
  /// Stories that belong again to a feed from which the step took them.
  package private(set) var rejoined = 0

  package var removed: Int { change.stories.removed.count - wereBack }

  /// Undoes a step; `cleared` are the stories that it took away, and `isTold` says that other
  /// machines learn of it.
  ///
  /// With `chosen` only these come back, by their positions among them.
  package init(
    of step: HistoryStep,
    _ cleared: ItemTable?,
    in stored: Library,
    _ elsewhere: MarksElsewhere?,
    isTold: Bool,
    returning chosen: Set<Int>? = nil,
    now: Date,
  ) throws {
    let step = chosen == nil ? step : step.takingAway
    (self.step, self.cleared, self.elsewhere, self.now) = (step, cleared, elsewhere, now)
    self.chosen = chosen
    feeds = SubscriptionUndo(of: step, in: stored, isTold: isTold)
    var library = stored
    library.subscriptions = feeds.subscriptions
    self.library = library
    moved = MovedFeeds(since: step, now: library.subscriptions)
    order = StoryOrder(count: library.items.count)
    let remembering = library.subscriptions.filter { !$0.state.cleared.isEmpty }
    noted = ClearedHashUpdates(feeds: Set(remembering.map(\.url)))
    unmarked = step.marked.map { _ in 0 }
    try changeStories()
    change.feeds.subscriptions = subscriptions()
    change.outlines = step.outlines
    if !step.lists.isEmpty {
      change.feeds.lists = stored.feeds.lists.takingBack(step.lists) { _, _, _ in }
    }
    change.feeds.moves = feeds.moves
    // The undo counts as made once the stories are saved: one stopped before that is done again.
    change.feeds.areSavedFirst = true
  }

  private mutating func changeStories() throws {
    if let cleared, step.isWhole, library.items.count == 0, moved.isUnchanged, elsewhere == nil {
      change.stories.returning = ReturningStories(cleared, isWhole: true)
      returned = cleared.count
      return
    }
    try changeStored()
    if let cleared { try putBack(cleared) }
    guard !order.isUnchanged else { return }
    let instants = order.needsInstants ? try library.items.instants(now: now) : []
    change.stories = order.ordered(instants)
  }

  // MARK: Stories that are there

  private mutating func changeStored() throws {
    guard var reader = ItemReader(library.items) else { return }
    let followed = Set(feeds.removed.map(\.url))
    for position in try positions() {
      try reader.move(to: position)
      let (id, stored) = (try reader.id(), isOfFeeds ? try reader.feedURLs() : [])
      let isAdded = step.added.contains(id)
      guard !isAdded, !step.returned.contains(id) else {
        try remove(position, &reader, isAdded: isAdded)
        continue
      }
      let feeds = try feeds(stored, of: id, reader)
      let rest = feeds.filter { !followed.contains($0) }
      if rest.isEmpty, !feeds.isEmpty, try !reader.isStarred() {
        order.changes.removed.insert(position)
        continue
      }
      let left = rest.isEmpty ? feeds : rest
      var new = ItemAdjustment(feeds: left == stored ? nil : left)
      try unmark(id, reader, &new)
      if new != ItemAdjustment() { order.changes.adjusted[position] = new }
    }
  }

  private func positions() throws -> [Int] {
    guard feeds.removed.isEmpty, feeds.moves.isEmpty else {
      return Array(0..<library.items.count)
    }
    var ids = step.added
    for others in [step.returned] + step.marked.map(\.ids) + (step.left + step.joined).map(\.ids) {
      ids.formUnion(others)
    }
    return try library.items.positions(of: ids)
  }

  private var isOfFeeds: Bool {
    !feeds.removed.isEmpty || !feeds.moves.isEmpty || !step.left.isEmpty || !step.joined.isEmpty
      || !step.added.isEmpty || !step.returned.isEmpty
  }

  private mutating func remove(_ position: Int, _ reader: inout ItemReader, isAdded: Bool) throws {
    order.changes.removed.insert(position)
    let feeds = try reader.feedURLs()
    if isAdded {
      order.changes.withdrawn.insert(position)
      losing.formUnion(feeds)
    } else if step.origin.isForGood {
      try kept.note(reader, feeds: feeds)
      order.changes.deleted.insert(position)
    }
  }

  private mutating func feeds(
    _ stored: [String],
    of id: String,
    _ reader: borrowing ItemReader,
  ) throws -> [String] {
    var feeds = stored
    for move in self.feeds.moves { feeds = feeds.map { $0 == move.from ? move.to : $0 } }
    let count = feeds.count
    for left in step.left where left.ids.contains(id) {
      guard let feed = moved.feeds([left.feed]).first else { continue }
      try noted.note(reader, feeds: [feed])
      guard !feeds.contains(feed) else { continue }
      feeds.insert(feed, at: left.owned.contains(id) ? 0 : feeds.count)
    }
    if feeds.count > count { rejoined += 1 }
    for joined in step.joined where joined.ids.contains(id) && feeds.count > 1 {
      feeds.removeAll { $0 == joined.feed }
    }
    return feeds
  }

  private mutating func unmark(
    _ id: String,
    _ reader: borrowing ItemReader,
    _ new: inout ItemAdjustment,
  ) throws {
    var isChanged = false
    for (number, marked) in step.marked.enumerated() where marked.ids.contains(id) {
      guard try marked.fact.takeBack(reader, &new) else { continue }
      unmarked[number] += 1
      isChanged = true
    }
    if isChanged { unmarkedStories += 1 }
  }

  // MARK: Subscriptions

  /// The subscriptions with the states that a clearing took from them, without the hashes of
  /// stories that are back.
  private mutating func subscriptions() -> [Subscription] {
    var states: [String: FeedState] = [:]
    var forgetting: Set<String> = []
    for fact in step.feeds {
      guard let old = fact.old, let new = fact.new, old.url == new.url else { continue }
      for url in moved.feeds([old.url]) {
        if old.isForgotten(in: new) { states[url] = old.state }
        if new.isForgotten(in: old) { forgetting.insert(url) }
      }
    }
    // What had stayed of a feed that is back was cleared since.
    if library.items.count == 0, cleared == nil { losing.formUnion(feeds.returned.map(\.url)) }
    return library.subscriptions.map { subscription in
      var copy = subscription
      copy.state.forget(cleared: Set(noted.hashes(of: copy.url)))
      if let state = states[copy.url] { copy = copy.rememberingStories(as: state) }
      if forgetting.contains(copy.url) { copy = copy.forgettingStories() }
      let away = kept.hashes(of: copy.url)
      if !away.isEmpty { copy.state.remember(cleared: away) }
      return losing.contains(copy.url) ? copy.forgettingDocument() : copy
    }
  }
}

extension StoryFact {
  /// Takes the fact back in a story; returns false if that is so already, or the value has changed
  /// since.
  fileprivate func takeBack(
    _ story: borrowing ItemReader,
    _ new: inout ItemAdjustment,
  ) throws -> Bool {
    switch self {
    case .flag(let flag, let isSet):
      guard try story.has(flag) == isSet else { return false }
      new.marks[flag] = !isSet
    case .tagged(let name), .untagged(let name):
      let stored = try story.strings(.tags)
      let tags = new.tags ?? stored
      let isTagged = if case .tagged = self { true } else { false }
      guard tags.contains(name) == isTagged else { return false }
      new.tags = isTagged ? tags.filter { $0 != name } : tags + [name]
    case .text(let mark, let old, let text):
      guard try story.typedTexts()[mark] ?? "" == text else { return false }
      new.texts[mark] = old
    case .article(let article):
      guard try story.article() != article else { return false }
      new.article = article
    }
    return true
  }
}
