internal import FeedModel
internal import FeedReading
internal import FeedStorage
internal import System

struct ServerMarks {
  struct Change {
    /// The mark; a tag is in the server's or the home's spelling.
    let mark: SyncKey.StoryMark
    let keys: [SyncKey]
    /// The server's stories that are this story here, one for each side of the value.
    let items: [ServerItemID]
    let value: ServerValue
  }

  static let kinds = SyncMerge.serverFlags + [.tag("")]

  private let base: ServerState?
  /// The last change of each machine that was known at the last merge.
  private let told: Replica.Seen
  private let there: ServerState
  /// The server's stories by their index here, and by the number of their id if they are not
  /// stored.
  private var stories: [Int: [ServerItemID]] = [:]
  private var absent: [UInt64: [ServerItemID]] = [:]
  private var theirTags: [ServerItemID: [String]] = [:]
  private var ownTags: [UInt64: [SyncKey.StoryMark]] = [:]
  /// The names of folders on the server, and others that cannot be labels.
  private var reserved: Set<String> = []

  /// Finds the server's stories in the home, and notes their numbers in `there`.
  init(
    _ base: ServerState?,
    _ there: inout ServerState,
    _ reading: ServerReading,
    _ home: SyncMerge,
  ) throws {
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
    (self.base, self.there, told) = (base, there, base?.told ?? [:])
  }

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
    for mark in SyncMerge.serverFlags { add(mark, items, stories, home, to: &changes) }
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
    // PERF: nearly all marks are the same everywhere.
    let areSame = items.allSatisfy { item in
      let isThere = there.has(mark, item)
      return isThere == isHere ?? false && isThere == base?.has(mark, item)
    }
    guard !areSame else { return }
    let written = written(mark, register)
    let value = { (isSet: Bool) in isSet ? written.value : SyncValue.none }
    // What the server has otherwise may be what another machine has told it before.
    let isNewer = register.map { $0.serial > told[$0.stamp.machine, default: 0] } ?? false
    let merged = ServerValue(
      isHere.map(value),
      isNewer: isNewer,
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

  /// Returns a mark with the value that sets it; a tag is spelled as on the server, or else as
  /// here.
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
  /// The state without stories that have come to the server again since: what was agreed on was
  /// about those that it had before, under the same ids.
  ///
  /// They came later than all that were known, by the server's clock, which may be wrong.
  func withoutReturned(_ reading: ServerReading) -> ServerState {
    guard let newest else { return self }
    var state = self
    for (id, story) in reading.stories where items[id] != nil {
      if let arrived = story.arrived, arrived > newest { state.items[id] = nil }
    }
    return state
  }

  /// Takes in a server's reading; `feeds` gives the name of a feed's stories by its stream.
  mutating func take(_ reading: ServerReading, _ feeds: [String: String]) {
    // Earlier versions have saved the time of the sync alone.
    let known = [newest ?? synced].compactMap(\.self)
    newest = (known + reading.stories.values.compactMap(\.arrived)).max()
    let old = items
    items = [:]
    items.reserveCapacity(old.count)
    for (id, item) in old { items[id] = reading.item(id, item, feeds) }
    for id in reading.stories.keys where old[id] == nil {
      items[id] = reading.item(id, nil, feeds)
    }
    guard var new = reading.labels else { return }
    // A story that lost a label may be gone: only an answer for the story itself tells.
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
  /// The server's story after a reading, or nil if it is gone or need not be remembered.
  fileprivate func item(
    _ id: ServerItemID,
    _ old: ServerItem?,
    _ feeds: [String: String],
  ) -> ServerItem? {
    guard !asked.contains(id) else {
      return stories[id].map { Self.item($0, old, feeds[$0.stream]) }
    }
    guard var item = old else { return nil }
    // For stories that are not stored here, the lists are enough.
    if item.story == 0, hasChanged(id, item) || !lists.contains(where: { $0.contains(id) }) {
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
