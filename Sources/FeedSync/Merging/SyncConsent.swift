package import FeedModel
internal import FeedStorage
internal import System

/// What the reader says to changes that are too many to be made without being asked.
package enum SyncConsent: Hashable, Sendable {
  /// Nothing yet: they are told of, and not made.
  case asked
  /// They are made (`--accept`).
  case accepted
  /// What is here is told to the others instead (`--restore`).
  case restored
}

/// Changes of others that wait for the reader's word.
package struct PendingConsent: Hashable, Sendable {
  package var removed = 0
  package var added = 0
  package var settings = 0
  /// Stories that would go, as they were deleted elsewhere.
  package var deleted = 0
  /// Of each kind of marks (`SyncKey.StoryMark.kinds`) how many stories would lose one.
  package private(set) var lost: [SyncKey.StoryMark: Int] = [:]

  package init() {}

  package var isEmpty: Bool { self == PendingConsent() }

  mutating func note(_ stories: Int, of kind: SyncKey.StoryMark) {
    lost[kind] = stories
  }
}

/// How much one sync may take away or bring: a server that was restored from a backup, an emptied
/// folder or a hostile member is not what somebody did.
package enum SyncBounds {
  /// A fifth of the feeds, and two.
  package static func isTooMany(feeds: Int, of all: Int) -> Bool { feeds > 2 && feeds * 5 > all }

  /// A fifth of the marks, and twenty.
  package static func isTooMany(marks: Int, of all: Int) -> Bool { marks > 20 && marks * 5 > all }

  /// Of what a server has no more, which may have lost it: all of the feeds, or a fifth of them and two.
  package static func isTooMany(lostFeeds lost: Int, of all: Int) -> Bool {
    lost > 0 && lost == all || lost > 1 && lost * 5 > all
  }

  /// A fifth of the marks, and twenty; of few marks five that are half of them.
  package static func isTooMany(lostMarks lost: Int, of all: Int) -> Bool {
    isTooMany(marks: lost, of: all) || lost >= fewestLostMarks && lost * 2 >= all
  }

  static let fewestLostMarks = 5

  /// Half of the stories, and twenty; of those that are not read a fifth, as of marks.
  static func isTooMany(deleted: Int, of all: Int) -> Bool { deleted > 20 && deleted * 2 > all }

  /// Feeds, and titles, tags, settings and rules of feeds that are followed here.
  package static let (mostAdded, mostSettings) = (500, 5_000)

  /// Of one story, with those of others.
  static let mostTags = 100

  /// Places of a feed, one after the other; hostile ones may go round in circles.
  static let mostMoves = 16

  /// Seconds of which read marks are counted.
  package static let recent = 30 * 86_400.0
}

/// What is too much of what others know, by its keys.
struct ExcessiveChanges {
  private(set) var keys: Set<SyncKey> = []
  private(set) var pending = PendingConsent()

  init(
    of known: Replica,
    over own: Replica,
    _ stories: SharedMarks,
    _ library: Library,
    _ now: Date,
  ) throws(StorageError) {
    let indices = SharedSettings(library.subscriptions, []).indices
    var (removed, added, settings): ([SyncKey], [SyncKey], [SyncKey]) = ([], [], [])
    var (unmarked, deleted): (Set<SyncKey>, Set<SyncKey>) = ([], [])
    var destinations: Set<String> = []
    for (key, register) in known.registers {
      let old = own.registers[key]
      guard old.map({ $0 < register }) ?? true, old?.value ?? .none != register.value else {
        continue
      }
      switch key {
      case .story(_, .deleted): if !register.isGone { deleted.insert(key) }
      case .story: if register.isGone { unmarked.insert(key) }
      case .feed(let url, .followed):
        if register.isGone {
          guard indices[url] != nil else { continue }
          let index = Self.destination(of: url, known, own)
          let isMoved =
            index.map { indices[$0] == nil && destinations.insert($0).inserted } ?? false
          if !isMoved { removed.append(key) }
        } else if indices[url] == nil {
          added.append(key)
        }
      case .feed, .rule, .ruleOrder: settings.append(key)
      }
    }
    if SyncBounds.isTooMany(feeds: removed.count, of: indices.count) {
      pending.removed = removed.count
      keys.formUnion(removed)
    }
    if added.count > SyncBounds.mostAdded {
      pending.added = added.count
      keys.formUnion(added)
    }
    if settings.count > SyncBounds.mostSettings {
      pending.settings = settings.count
      keys.formUnion(settings)
    }
    try postpone(unmarked, stories, library, now)
    postpone(deletions: deleted, of: stories, known)
  }

  /// Where a feed is followed instead, as both know it together; nil where it is nowhere.
  ///
  /// One that leads nowhere, or to where another one leads, is one feed less.
  private static func destination(of url: String, _ one: Replica, _ other: Replica) -> String? {
    let latest = { (key: SyncKey) in
      [one, other].compactMap { $0.registers[key] }.max()?.value ?? .none
    }
    var index = url
    for _ in 0..<SyncBounds.mostMoves {
      guard let next = latest(.feed(index, .moved)).text else { return nil }
      if latest(.feed(next, .followed)) == .yes { return next }
      index = next
    }
    return nil
  }

  private mutating func postpone(
    _ unmarked: Set<SyncKey>,
    _ stories: SharedMarks,
    _ library: Library,
    _ now: Date,
  ) throws(StorageError) {
    guard unmarked.count > 20 else { return }
    for kind in SyncKey.StoryMark.kinds {
      var deferred: Set<SyncKey> = []
      var count = 0
      for index in 0..<stories.count {
        for (mark, _) in stories.set(at: index) where mark.isOfKind(kind) {
          let keys = stories.keys(of: index).map { SyncKey.story($0, mark) }
          guard keys.contains(where: unmarked.contains) else { continue }
          deferred.formUnion(keys)
          count += 1
        }
      }
      guard SyncBounds.isTooMany(marks: count, of: try stories.marked(kind, library, now))
      else { continue }
      keys.formUnion(deferred)
      pending.note(count, of: kind)
    }
  }
}

extension ExcessiveChanges {
  private mutating func postpone(
    deletions: Set<SyncKey>,
    of stories: SharedMarks,
    _ known: Replica,
  ) {
    guard deletions.count > 20 else { return }
    var deferred: [SyncKey] = []
    var (all, gone) = ([Bool: Int](), [Bool: Int]())
    for index in 0..<stories.count {
      let keys = stories.keys(of: index)
      let read = keys.lazy.compactMap { known.registers[.story($0, .read)] }.first
      let isRead = read.map { !$0.isGone } ?? stories.marks[index].isRead
      all[isRead, default: 0] += 1
      let own = keys.map { SyncKey.story($0, .deleted) }.filter(deletions.contains)
      guard !own.isEmpty, !stories.marks[index].isStarred else { continue }
      gone[isRead, default: 0] += 1
      deferred += own
    }
    let count = gone.values.reduce(0, +)
    guard
      SyncBounds.isTooMany(deleted: count, of: stories.count)
        || SyncBounds.isTooMany(marks: gone[false, default: 0], of: all[false, default: 0])
    else { return }
    keys.formUnion(deferred)
    pending.deleted = count
  }
}

extension SharedMarks {
  /// How many stories have a mark, read ones of the last days alone; of tags, how many there are.
  func marked(
    _ mark: SyncKey.StoryMark,
    _ library: Library,
    _ now: Date,
  ) throws(StorageError) -> Int {
    guard !mark.isTag else { return tags.values.reduce(0) { $0 + $1.count } }
    let marked = (0..<count).filter { has(mark, at: $0) }
    guard mark == .read else { return marked.count }
    let earliest = SyncStamp.time(of: now.addingTimeInterval(-SyncBounds.recent))
    let times = try library.items.storedTimes()
    return marked.count { times[$0] >= earliest }
  }
}
