package import FeedModel

/// The room for another machine's values, beside those that others have sent before.
///
/// Values that are known already, and marks of stories that are here, take no room.
package struct SyncIntake {
  let latest: UInt64
  private let own: SyncRegisters
  private let stories: StoriesHere
  var known = SyncRegisters()

  /// `stories` gives the keys of the stories that are here; it is called at most once, if there is
  /// more than room for.
  package init(
    latest: UInt64,
    own: SyncRegisters,
    stories: @escaping () throws -> Set<UInt64>,
  ) {
    (self.latest, self.own) = (latest, own)
    self.stories = StoriesHere(stories)
  }

  func isKnown(_ key: SyncKey) -> Bool { known.others[key] != nil || own.others[key] != nil }

  func isHere(_ story: UInt64) throws -> Bool {
    try stories.all().contains(story)
  }

  /// Returns true if a mark takes no room: its story is here, or it replaces a known mark of
  /// another.
  func isKnown(_ mark: MarkTable.Row) throws -> Bool {
    if known.marks[mark.key] != nil { return true }
    if let old = own.marks[mark.key], old.register < mark.register { return true }
    return try isHere(mark.story)
  }

  /// Returns the room for marks of stories that are not here, deletions among them.
  func roomForMarks() throws -> Int {
    let (share, all) = (ReplicaLimits.share.otherMarks, ReplicaLimits.sent.otherMarks)
    guard known.marks.count + share > all else { return share }
    var others = 0
    for row in known.marks.rows where try !isHere(row.story) { others += 1 }
    return min(share, max(all - others, 0))
  }

  /// The room for tags and settings: one machine's share, and the rest of the whole.
  var rooms: [ReplicaRoom] {
    var whole = ReplicaRoom(.sent)
    for (key, register) in known.others where own.others[key] == nil {
      _ = whole.takes(key, register.value)
    }
    return [ReplicaRoom(.share), whole]
  }
}

private final class StoriesHere {
  private let make: () throws -> Set<UInt64>
  private var made: Set<UInt64>?

  init(_ make: @escaping () throws -> Set<UInt64>) { self.make = make }

  func all() throws -> Set<UInt64> {
    if let made { return made }
    let new = try make()
    made = new
    return new
  }
}

/// Keeps all known rows, and the newest of the others up to a number.
struct NewestRows<Row> {
  private var known: [Row] = []
  private var others: [Row] = []
  private let most: Int
  private let time: (Row) -> UInt64
  private(set) var isCut = false

  init(most: Int, time: @escaping (Row) -> UInt64) { (self.most, self.time) = (most, time) }

  mutating func add(_ row: Row, isKnown: Bool) {
    guard !isKnown else { return known.append(row) }
    others.append(row)
    if others.count / 2 > most { cut() }
  }

  private mutating func cut() {
    guard others.count > most else { return }
    isCut = true
    others.sort { time($0) > time($1) }
    others.removeLast(others.count - most)
  }

  mutating func all() -> [Row] {
    cut()
    return known + others
  }
}
