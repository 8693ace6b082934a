package import FeedModel
package import FeedStorage
import System

/// A change of a mark, as a server takes it for many stories at once.
package enum ServerEdit: String, CaseIterable, Hashable, Sendable {
  case read, unread, starred, unstarred
}

/// The marks of a home's stories and those of a server's, merged: a value; nothing is read or sent
/// here.
package struct ServerMarks {
  /// What is to be remembered of the server's stories: what they had when it was read.
  ///
  /// What they are to have (`edits`) follows once it was sent.
  package private(set) var items: [ServerItemID: ServerItem] = [:]
  /// The marks that stories here are to have which have others now, by their places.
  package private(set) var marks: [Int: ItemMarks] = [:]
  /// What is to be sent.
  package private(set) var edits: [ServerEdit: [ServerItemID]] = [:]
  private let local: ServedStories

  /// One story of the server: what it had at the last merge (nil where it never was merged with the
  /// story here), and what it has.
  private struct Known {
    let id: ServerItemID
    let base: ServerItem?
    let item: ServerItem
  }

  package init(
    _ state: ServerState,
    _ reading: ServerReading,
    _ library: Library,
  ) throws(StorageError) {
    let feeds = ServerFeeds.names(of: reading.feeds, state, library.subscriptions)
    let found = Found(reading, feeds)
    self = try ServerMarks(state.items, library) { found.item($0, state.items[$0]) }
    for id in found.new(besides: state) where items[id] == nil {
      if let item = found.item(id, nil) { add(id, nil, item) }
    }
    merge()
  }

  /// How many marks were changed here since they were merged with a server's.
  static func waiting(
    _ state: ServerState,
    _ library: Library,
  ) throws(StorageError) -> Int {
    var marks = try ServerMarks(state.items, library) { state.items[$0] }
    marks.merge()
    return marks.edits.values.reduce(0) { $0 + $1.count }
  }

  private var known: [Int: [Known]] = [:]

  private init(
    _ old: [ServerItemID: ServerItem],
    _ library: Library,
    now: (ServerItemID) -> ServerItem?,
  ) throws(StorageError) {
    local = try ServedStories(library.items, library.subscriptions)
    items.reserveCapacity(old.count)
    for (id, base) in old {
      if let item = now(id) { add(id, base, item) }
    }
  }

  private mutating func add(_ id: ServerItemID, _ base: ServerItem?, _ item: ServerItem) {
    var item = item
    let place = local.place(of: item)
    // What was merged with a story that is gone, or has come again, was never merged with this one.
    let isMerged = base != nil && place != nil && local.place(ofID: item.story) == place
    item.story = place.map { local.ids[$0] } ?? 0
    items[id] = item
    guard let place else { return }
    known[place, default: []].append(Known(id: id, base: isMerged ? base : nil, item: item))
  }

  private mutating func merge() {
    for (place, known) in known {
      let old = local.marks[place]
      let isRead = Self.merged(old.isRead, known.map { ($0.base?.isRead, $0.item.isRead) })
      let isStarred = Self.merged(
        old.isStarred,
        known.map { ($0.base?.isStarred, $0.item.isStarred) },
      )
      var marks = ItemMarks()
      if isRead != old.isRead { marks.isRead = isRead }
      if isStarred != old.isStarred { marks.isStarred = isStarred }
      if marks != ItemMarks() { self.marks[place] = marks }
      for one in known {
        if one.item.isRead != isRead {
          edits[isRead ? .read : .unread, default: []].append(one.id)
        }
        if one.item.isStarred != isStarred {
          edits[isStarred ? .starred : .unstarred, default: []].append(one.id)
        }
      }
    }
    for (edit, ids) in edits { edits[edit] = ids.sorted() }
    self.known = [:]
  }

  /// What a mark is to be that is `here` now, and on the server has been `base` at the last merge and
  /// is `there`, for each of the server's stories that are this one.
  ///
  /// What was never merged is marked where either side has it so.
  static func merged(_ here: Bool, _ sides: [(base: Bool?, there: Bool)]) -> Bool {
    let merged = sides.filter { $0.base != nil }
    if merged.contains(where: { $0.base != here }) { return here }
    if merged.contains(where: { $0.there != here }) { return !here }
    return here || sides.contains { $0.base == nil && $0.there }
  }
}

/// What the server's stories are now.
private struct Found {
  private let reading: ServerReading
  /// By its stream, what a feed's stories are known by.
  private let feeds: [String: String]
  private let unread: Set<ServerItemID>
  private let starred: Set<ServerItemID>
  private let listed: Set<ServerItemID>

  init(_ reading: ServerReading, _ feeds: [String: String]) {
    (self.reading, self.feeds) = (reading, feeds)
    (unread, starred) = (Set(reading.unread), Set(reading.starred))
    listed = unread.union(starred).union(reading.recent)
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
    let isGone = !item.isRead && !unread.contains(id) || item.isStarred && !starred.contains(id)
    if item.story == 0, isGone || !listed.contains(id) { return nil }
    if unread.contains(id) { item.isRead = false }
    if starred.contains(id) { item.isStarred = true }
    return item
  }

  private func item(_ story: ServerReading.Story, _ old: ServerItem?) -> ServerItem {
    var item = ServerItem(isRead: story.isRead, isStarred: story.isStarred)
    item.story = old?.story ?? 0
    (item.link, item.title) = (old?.link ?? 0, old?.title ?? 0)
    guard let feed = feeds[story.stream] else { return item }
    if let link = ItemID.canonicalPageURL(story.link) {
      item.link = ServedStories.key(feed, link: link)
    }
    if let date = story.date {
      item.title = ServedStories.key(feed, title: story.title, date: date)
    }
    return item
  }
}
