package import FeedModel
internal import FeedStorage
internal import System

/// The user's answer to changes that are too many to be made unasked.
package enum SyncConsent: Hashable, Sendable {
  /// No answer: the changes are reported, and not made.
  case asked
  /// The changes are made (`--accept`).
  case accepted
}

package struct PendingConsent: Hashable, Sendable {
  package var removed = 0
  package var added = 0
  package var settings = 0
  package var deleted = 0
  /// Stories that would lose a mark, by the kind of the mark (`SyncKey.StoryMark.kinds`).
  package internal(set) var lost: [SyncKey.StoryMark: Int] = [:]

  package init() {}

  package var isEmpty: Bool { self == PendingConsent() }
}

/// Limits for the changes that one sync makes unasked.
///
/// They guard against a server restored from a backup, an emptied folder and a hostile machine.
package enum SyncBounds {
  package static func isTooMany(feeds: Int, of all: Int) -> Bool { feeds > 2 && feeds * 5 > all }

  package static func isTooMany(marks: Int, of all: Int) -> Bool { marks > 20 && marks * 5 > all }

  /// All feeds, or at least two that are more than a fifth.
  ///
  /// A feed that a server lacks may have been lost there.
  package static func isTooMany(lostFeeds lost: Int, of all: Int) -> Bool {
    lost > 0 && lost == all || lost > 1 && lost * 5 > all
  }

  package static func isTooMany(lostMarks lost: Int, of all: Int) -> Bool {
    isTooMany(marks: lost, of: all) || lost >= fewestLostMarks && lost * 2 >= all
  }

  static let fewestLostMarks = 5

  /// More than 20 stories, and more than half.
  ///
  /// Unread ones have the limit of marks too.
  static func isTooMany(deleted: Int, of all: Int) -> Bool { deleted > 20 && deleted * 2 > all }

  package static let (mostAdded, mostSettings) = (500, 5_000)

  /// The most moves of a feed that are followed; hostile ones may form a circle.
  static let mostMoves = 16

  /// The age in seconds up to which read stories are counted.
  package static let recent = 30 * 86_400.0
}

/// The changes of others that exceed the limits, by their keys.
struct ExcessiveChanges {
  private(set) var keys: Set<SyncKey> = []
  private(set) var pending = PendingConsent()

  init(
    of known: Replica,
    over own: Replica,
    _ stories: SharedMarks,
    _ library: Library,
    _ now: Date,
  ) throws {
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

  /// The URL at which a feed is followed after its moves, or nil if they lead to no followed feed.
  ///
  /// `init` counts a feed as removed if this is nil, or another feed's destination.
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
  ) throws {
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
      pending.lost[kind] = count
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
      let isRead = read.map { !$0.isGone } ?? stories.flags[index][.read]
      all[isRead, default: 0] += 1
      let own = keys.map { SyncKey.story($0, .deleted) }.filter(deletions.contains)
      guard !own.isEmpty, !stories.flags[index][.starred] else { continue }
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
  /// The number of stories with a mark; of read ones, those of the last days; of tags, the number
  /// of all tags.
  func marked(_ mark: SyncKey.StoryMark, _ library: Library, _ now: Date) throws -> Int {
    guard !mark.isTag else { return tags.values.reduce(0) { $0 + $1.count } }
    let marked = (0..<count).filter { has(mark, at: $0) }
    guard mark == .read else { return marked.count }
    let earliest = SyncStamp.time(of: now.addingTimeInterval(-SyncBounds.recent))
    let times = try library.items.storedTimes()
    return marked.count { times[$0] >= earliest }
  }
}
