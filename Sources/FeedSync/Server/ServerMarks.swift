internal import FeedModel
internal import FeedStorage
internal import System

/// The marks and tags of a server's stories, as values that it has in common with a home.
struct ServerMarks {
  /// A mark that is to be changed here, on the server, or both.
  struct Change {
    /// A tag as it is written there, or is to be.
    let mark: SyncKey.StoryMark
    let keys: [SyncKey]
    /// The server's stories that are the one here, each with a side of the value.
    let items: [ServerItemID]
    let value: ServerValue
  }

  /// The marks that a server takes; others are of homes alone.
  private static let states: [SyncKey.StoryMark] = [.read, .starred]
  /// One of each kind, as `SyncKey.StoryMark.kinds`.
  static let kinds = states + [.tag("")]

  /// The last agreed values; nil where there are none.
  private let base: ServerState?
  private let there: ServerState
  /// By their indices here; stories that are not stored now by the numbers of their ids.
  private var stories: [Int: [ServerItemID]] = [:]
  private var absent: [UInt64: [ServerItemID]] = [:]
  /// The tags that the server's stories have or had, and those of which the home knows anything.
  private var theirTags: [ServerItemID: [String]] = [:]
  private var ownTags: [UInt64: [SyncKey.StoryMark]] = [:]
  /// The names of folders there, and what is no label for other reasons.
  private var reserved: Set<String> = []

  /// Finds the server's stories here, and notes in `there` which they are.
  init(
    _ base: ServerState?,
    _ there: inout ServerState,
    _ reading: ServerReading,
    _ home: SyncMerge,
  ) throws(StorageError) {
    if let labels = reading.labels {
      let old = base?.labels?.byStory ?? [:]
      theirTags = (there.labels ?? labels).byStory.merging(old) { $0 + $1 }
      ownTags = home.merged.otherMarks
      let folders = there.feeds.values.flatMap(\.serverTags) + reading.feeds.flatMap(\.tags)
      reserved = reading.folders.union(folders.map { $0.lowercased() })
    }
    let local = try ServerStories(home.library.items, home.library.subscriptions)
    for (id, item) in there.items {
      var story = item.story
      if let index = local.index(of: item) {
        story = local.ids[index]
        stories[index, default: []].append(id)
      } else if story != 0, home.isRecorded(story) || ownTags[story] != nil {
        absent[story, default: []].append(id)
      } else {
        story = 0
      }
      if story != item.story { there.items[id]?.story = story }
    }
    (self.base, self.there) = (base, there)
  }

  /// Returns the marks that are not the same here and there, or not as agreed.
  func changes(of home: SyncMerge) -> [Change] {
    var changes: [Change] = []
    for (index, items) in stories { add(items, home.stories.keys(of: index), home, to: &changes) }
    for (story, items) in absent { add(items, [story], home, to: &changes) }
    return changes
  }

  private func add(
    _ items: [ServerItemID],
    _ stories: [UInt64],
    _ home: SyncMerge,
    to changes: inout [Change],
  ) {
    for mark in Self.states { add(mark, items, stories, home, to: &changes) }
    for mark in tags(of: items, stories) { add(mark, items, stories, home, to: &changes) }
  }

  private func add(
    _ mark: SyncKey.StoryMark,
    _ items: [ServerItemID],
    _ stories: [UInt64],
    _ home: SyncMerge,
    to changes: inout [Change],
  ) {
    let register = home.register(of: stories.lazy.map { .story($0, mark) })
    let isHere = register.map { !$0.isGone }
    // PERF: nearly all are the same everywhere.
    let areSame = items.allSatisfy { item in
      let isThere = there.has(mark, item)
      return isThere == isHere ?? false && isThere == base?.has(mark, item)
    }
    guard !areSame else { return }
    let written = written(mark, register)
    let value = { (isSet: Bool) in isSet ? written.value : SyncValue.none }
    let merged = ServerValue(
      isHere.map(value),
      items.map { item in
        let isThere = there.has(mark, item) ?? false
        return ServerValue.Side(base: base?.has(mark, item).map(value), there: value(isThere))
      },
    )
    guard !merged.isSettled else { return }
    let keys = stories.map { SyncKey.story($0, mark) }
    changes.append(Change(mark: written.mark, keys: keys, items: items, value: merged))
  }

  private func tags(of items: [ServerItemID], _ stories: [UInt64]) -> [SyncKey.StoryMark] {
    guard !theirTags.isEmpty || !ownTags.isEmpty else { return [] }
    let there = items.flatMap { theirTags[$0] ?? [] }.map(SyncKey.StoryMark.tag)
    let all = Set(there + stories.flatMap { ownTags[$0] ?? [] })
    return all.filter { $0.tag.map { !reserved.contains($0) } ?? false }.sorted()
  }

  /// Returns a mark with the value that it has where it is set: a tag as the server writes it, or the
  /// home.
  private func written(
    _ mark: SyncKey.StoryMark,
    _ register: Replica.Register?,
  ) -> (mark: SyncKey.StoryMark, value: SyncValue) {
    guard let tag = mark.tag else { return (mark, .yes) }
    let name = there.labels?.all[tag]?.name ?? register?.value.text ?? tag
    return (.tag(name), .text(name))
  }
}

extension ServerState {
  /// Takes in what the server says of its stories; `feeds` says by its stream what the stories of a
  /// feed are known by.
  mutating func take(_ reading: ServerReading, _ feeds: [String: String]) {
    let old = items
    items = [:]
    items.reserveCapacity(old.count)
    for (id, item) in old { items[id] = reading.item(id, item, feeds) }
    for id in reading.stories.keys where old[id] == nil {
      items[id] = reading.item(id, nil, feeds)
    }
    guard var new = reading.labels else { return }
    // A story that has lost a label may be gone: that is said by the answer for the story alone.
    for (tag, label) in labels?.all ?? [:] {
      for id in label.stories
      where !new.has(tag, id) && old[id] != nil && !reading.asked.contains(id) {
        new.set(label.name, of: id, true)
      }
    }
    labels = new
  }
}

extension ServerReading {
  /// The server's story now; nil for one that is gone, or that nothing has to be remembered of.
  fileprivate func item(
    _ id: ServerItemID,
    _ old: ServerItem?,
    _ feeds: [String: String],
  ) -> ServerItem? {
    guard !asked.contains(id) else {
      return stories[id].map { Self.item($0, old, feeds[$0.stream]) }
    }
    guard var item = old else { return nil }
    // Of stories that are not here the lists say all.
    if item.story == 0, hasLeft(id, item) || !lists.contains(where: { $0.contains(id) }) {
      return nil
    }
    if unread.contains(id) { item.isRead = false }
    if starred.contains(id) { item.isStarred = true }
    return item
  }

  private static func item(_ story: Story, _ old: ServerItem?, _ feed: String?) -> ServerItem {
    var item = ServerItem(isRead: story.isRead, isStarred: story.isStarred)
    item.story = old?.story ?? 0
    (item.link, item.title) = (old?.link ?? 0, old?.title ?? 0)
    guard let feed else { return item }
    if let link = ItemID.canonicalPageURL(story.link) {
      item.link = ServerStories.key(feed, link: link)
    }
    if let date = story.date {
      item.title = ServerStories.key(feed, title: story.title, date: date)
    }
    return item
  }
}
