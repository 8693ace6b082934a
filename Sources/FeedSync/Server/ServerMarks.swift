package import FeedModel
internal import FeedStorage
internal import System

/// The marks that are recorded in a home and those of a server's stories, merged: a value; nothing is
/// read or sent here.
package struct ServerMarks {
  /// What is to be remembered of the server's stories: what they had when it was read.
  ///
  /// What they are to have (`edits`) follows once it was sent.
  package private(set) var items: [ServerItemID: ServerItem] = [:]
  /// The same of its labels.
  package private(set) var labels: ServerLabels?
  /// What is to be sent.
  package private(set) var edits: [ServerEdit: [ServerItemID]] = [:]
  /// What the server has taken back that is to be asked about.
  package private(set) var pending = PendingConsent()
  private let local: ServerStories
  private let isMerged: Bool
  private let tags: ServerTags?

  /// One story of the server: what it had at the last merge (nil where it never was merged), and what
  /// it has.
  private struct Known {
    let id: ServerItemID
    let base: ServerItem?
    let item: ServerItem
  }

  /// One mark of a story that is to be changed here, on the server, or both.
  private struct Decision {
    let mark: SyncKey.StoryMark
    let keys: [UInt64]
    let index: Int?
    let known: [Known]
    let here: Bool
    let result: Bool

    /// Whether the server has taken the mark back.
    var isTakenBack: Bool { here && !result }
  }

  /// Merges into `home` what the server has changed.
  ///
  /// `isMerged` says whether what is remembered of the server belongs to what the home remembers.
  init(
    _ state: ServerState,
    _ reading: ServerReading,
    _ home: inout SyncMerge,
    isMerged: Bool,
    _ consent: SyncConsent,
  ) throws(StorageError) {
    let feeds = ServerFeeds.names(of: reading.feeds, state, home.library.subscriptions)
    let found = Found(reading, feeds)
    let tags = reading.labels.map { ServerTags($0, reading, state, home, isMerged: isMerged) }
    self = try ServerMarks(state.items, tags, home, isMerged: isMerged) {
      found.item($0, state.items[$0])
    }
    for id in found.new(besides: state) where items[id] == nil {
      if let item = found.item(id, nil) { add(id, nil, item, home) }
    }
    try merge(into: &home, consent)
  }

  /// The changes of marks here that the server does not know of.
  static func unsent(
    _ state: ServerState,
    _ home: SyncMerge,
  ) throws(StorageError) -> [ServerEdit: [ServerItemID]] {
    var home = home
    let tags = state.labels.map { ServerTags($0, nil, state, home, isMerged: true) }
    var marks = try ServerMarks(state.items, tags, home, isMerged: true) { state.items[$0] }
    try marks.merge(into: &home, .accepted)
    return marks.edits
  }

  /// By their indices here; stories that are not stored now by the numbers of their ids.
  private var known: [Int: [Known]] = [:]
  private var absent: [UInt64: [Known]] = [:]

  private init(
    _ old: [ServerItemID: ServerItem],
    _ tags: ServerTags?,
    _ home: SyncMerge,
    isMerged: Bool,
    now: (ServerItemID) -> ServerItem?,
  ) throws(StorageError) {
    local = try ServerStories(home.library.items, home.library.subscriptions)
    (self.isMerged, self.tags, labels) = (isMerged, tags, tags?.now)
    items.reserveCapacity(old.count)
    for (id, base) in old {
      if let item = now(id) { add(id, base, item, home) }
    }
  }

  private mutating func add(
    _ id: ServerItemID,
    _ base: ServerItem?,
    _ item: ServerItem,
    _ home: SyncMerge,
  ) {
    var item = item
    let base = isMerged ? base : nil
    if let index = local.index(of: item) {
      item.story = local.ids[index]
      known[index, default: []].append(Known(id: id, base: base, item: item))
    } else if item.story != 0,
      home.isRecorded(item.story) || tags?.isRecorded(item.story) == true
    {
      absent[item.story, default: []].append(Known(id: id, base: base, item: item))
    } else {
      item.story = 0
    }
    items[id] = item
  }

  private mutating func merge(
    into home: inout SyncMerge,
    _ consent: SyncConsent,
  ) throws(StorageError) {
    var decisions: [Decision] = []
    for (index, known) in known {
      decide(known, home.keys(of: index), at: index, home, &decisions)
    }
    for (story, known) in absent { decide(known, [story], at: nil, home, &decisions) }
    (known, absent) = ([:], [:])
    for kind in SyncKey.StoryMark.kinds {
      let excess = consent == .accepted ? [] : try excessive(decisions, kind, home)
      if consent == .asked, !excess.isEmpty { pending.note(excess.count, of: kind) }
      for (number, decision) in decisions.enumerated() where decision.mark.isOfKind(kind) {
        carryOut(decision, isWaiting: excess.contains(number), consent, &home)
      }
    }
    for (edit, ids) in edits { edits[edit] = ids.sorted() }
  }

  private func decide(
    _ known: [Known],
    _ keys: [UInt64],
    at index: Int?,
    _ home: SyncMerge,
    _ decisions: inout [Decision],
  ) {
    let tags = tags?.marks(of: known.map(\.id), keys) ?? []
    for mark in SyncKey.StoryMark.states + tags {
      let sides = known.map { side(mark, of: $0) }
      let here = home.recorded(mark, of: keys)
      let result = Self.merged(here, sides)
      guard result != here ?? false || sides.contains(where: { $0.there != result }) else {
        continue
      }
      decisions.append(
        Decision(
          mark: mark,
          keys: keys,
          index: index,
          known: known,
          here: here ?? sides.contains { $0.base == true },
          result: result,
        )
      )
    }
  }

  private func side(
    _ mark: SyncKey.StoryMark,
    of known: Known,
  ) -> (base: Bool?, there: Bool) {
    if case .tag(let tag) = mark, let tags {
      return (
        known.base.flatMap { _ in tags.base?.has(tag, known.id) }, tags.now.has(tag, known.id),
      )
    }
    return (known.base?.has(mark), known.item.has(mark))
  }

  /// The decisions by which the server takes back more than it may without being asked.
  private func excessive(
    _ decisions: [Decision],
    _ kind: SyncKey.StoryMark,
    _ home: SyncMerge,
  ) throws(StorageError) -> Set<Int> {
    let taken = decisions.indices.filter {
      decisions[$0].mark.isOfKind(kind) && decisions[$0].isTakenBack
    }
    guard taken.count >= SyncBounds.fewestLostMarks,
      SyncBounds.isTooMany(lostMarks: taken.count, of: try home.marked(kind))
    else {
      return []
    }
    return Set(taken)
  }

  private mutating func carryOut(
    _ decision: Decision,
    isWaiting: Bool,
    _ consent: SyncConsent,
    _ home: inout SyncMerge,
  ) {
    guard !isWaiting || consent == .restored else {
      // What the server had stays remembered, for the next sync to see what it has taken back.
      for one in decision.known { remember(decision.mark, of: one.id) }
      return
    }
    let result = isWaiting ? true : decision.result
    let name = tags?.name(decision.mark, of: decision.keys) ?? ""
    if home.recorded(decision.mark, of: decision.keys) ?? false != result {
      let value: SyncValue = decision.mark.isTag ? .text(name) : .yes
      home.take(decision.mark, result ? value : .none, of: decision.keys)
    }
    let edit = ServerEdit(decision.mark, name, result)
    for one in decision.known where side(decision.mark, of: one).there != result {
      edits[edit, default: []].append(one.id)
    }
  }

  private mutating func remember(_ mark: SyncKey.StoryMark, of id: ServerItemID) {
    if case .tag(let tag) = mark { labels?.set(tag, of: id, true) }
    items[id]?.set(mark, true)
  }

  /// What a mark is to be of which `here` is recorded (nil where nothing is), and that on the server has
  /// been `base` at the last merge and is `there`, for each of the server's stories that are this one.
  ///
  /// What was never merged is marked where either side has it so.
  static func merged(_ here: Bool?, _ sides: [(base: Bool?, there: Bool)]) -> Bool {
    let merged = sides.filter { $0.base != nil }
    if let here, merged.contains(where: { $0.base != here }) { return here }
    if let changed = merged.first(where: { $0.there != $0.base }) { return changed.there }
    let isMarked = here ?? merged.contains { $0.there }
    return isMarked || sides.contains { $0.base == nil && $0.there }
  }
}

extension ServerItem {
  fileprivate func has(_ mark: SyncKey.StoryMark) -> Bool { mark == .read ? isRead : isStarred }

  fileprivate mutating func set(_ mark: SyncKey.StoryMark, _ isSet: Bool) {
    if mark == .read { isRead = isSet }
    if mark == .starred { isStarred = isSet }
  }
}

extension ServerEdit {
  fileprivate init(_ mark: SyncKey.StoryMark, _ name: String, _ isSet: Bool) {
    self =
      switch (mark, isSet) {
      case (.tag, true): .tagged(name)
      case (.tag, false): .untagged(name)
      case (.read, true): .read
      case (.read, false): .unread
      case (.starred, true): .starred
      case (.starred, false): .unstarred
      }
  }
}

/// What the server's stories are now.
private struct Found {
  private let reading: ServerReading
  /// By its stream, what a feed's stories are known by.
  private let feeds: [String: String]
  private let lists: [ServerIDs]

  init(_ reading: ServerReading, _ feeds: [String: String]) {
    (self.reading, self.feeds) = (reading, feeds)
    lists = [reading.unread, reading.starred, reading.recent, reading.labelled]
  }

  func new(besides state: ServerState) -> [ServerItemID] {
    reading.stories.keys.filter { state.items[$0] == nil }
  }

  /// nil for one that is gone, or that nothing has to be remembered of.
  func item(_ id: ServerItemID, _ old: ServerItem?) -> ServerItem? {
    guard !reading.asked.contains(id) else {
      return reading.stories[id].map { item($0, old) }
    }
    guard var item = old else { return nil }
    // Of stories that are not here the lists say all.
    let (isUnread, isStarred) = (reading.unread.contains(id), reading.starred.contains(id))
    let isGone = !item.isRead && !isUnread || item.isStarred && !isStarred
    if item.story == 0, isGone || !lists.contains(where: { $0.contains(id) }) { return nil }
    if isUnread { item.isRead = false }
    if isStarred { item.isStarred = true }
    return item
  }

  private func item(_ story: ServerReading.Story, _ old: ServerItem?) -> ServerItem {
    var item = ServerItem(isRead: story.isRead, isStarred: story.isStarred)
    item.story = old?.story ?? 0
    (item.link, item.title) = (old?.link ?? 0, old?.title ?? 0)
    guard let feed = feeds[story.stream] else { return item }
    if let link = ItemID.canonicalPageURL(story.link) {
      item.link = ServerStories.key(feed, link: link)
    }
    if let date = story.date {
      item.title = ServerStories.key(feed, title: story.title, date: date)
    }
    return item
  }
}
