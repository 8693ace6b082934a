package import FeedModel

/// What there is room for of what another machine says, beside what others have said before it.
///
/// Values that are known already, and marks of stories that are here, take no room.
package struct SyncIntake {
  /// The latest time of a change that is taken.
  let latest: UInt64
  /// Whether the hashes of its stories are wanted.
  private(set) var takesStories: Bool
  private let own: SyncRegisters
  private let stories: StoriesHere
  /// What was taken of others before.
  private(set) var known = SyncRegisters()
  private var storyHashes = 0

  /// Of all machines together.
  private static let maximumStoryHashes = 4_000_000

  /// `stories` gives what the stories are known by that are here: it is asked where there is more than
  /// room for, once.
  package init(
    latest: UInt64,
    takesStories: Bool,
    own: SyncRegisters,
    stories: @escaping () throws(StorageError) -> Set<UInt64>,
  ) {
    (self.latest, self.takesStories, self.own) = (latest, takesStories, own)
    self.stories = StoriesHere(stories)
  }

  /// Remembers what there is after one of the others was taken in.
  mutating func note(_ known: SyncRegisters, storyHashes count: Int) {
    self.known = known
    storyHashes += count
  }

  /// For the file that the machine itself has written, which is compared with what it would write now.
  var ofOwnFile: SyncIntake {
    var intake = self
    (intake.takesStories, intake.storyHashes) = (true, 0)
    return intake
  }

  func isKnown(_ key: SyncKey) -> Bool { known.others[key] != nil || own.others[key] != nil }

  func isHere(_ story: UInt64) throws(StorageError) -> Bool {
    try stories.all().contains(story)
  }

  /// Whether a mark takes no room: it is of a story that is here, or makes out of date what is known of
  /// another story.
  func isKnown(
    _ mark: MarkTable.Row,
    in table: KeyPath<SyncRegisters, MarkTable>,
  ) throws(StorageError) -> Bool {
    if known[keyPath: table][mark.key] != nil { return true }
    if let old = own[keyPath: table][mark.key], old.register < mark.register { return true }
    return try isHere(mark.story)
  }

  /// How many hashes of stories there is room for.
  var roomForStories: Int { takesStories ? Self.maximumStoryHashes - storyHashes : 0 }

  /// How many marks of a table there is room for that are of stories that are not here.
  func roomForMarks(
    in table: KeyPath<SyncRegisters, MarkTable>
  ) throws(StorageError) -> Int {
    let (share, all) = (ReplicaLimits.share.otherMarks, ReplicaLimits.sent.otherMarks)
    let known = known[keyPath: table]
    guard known.count + share > all else { return share }
    var others = 0
    for row in known.rows where try !isHere(row.story) { others += 1 }
    return min(share, max(all - others, 0))
  }

  /// Room for tags and settings: the share of one machine, and what is left of the whole.
  var rooms: [ReplicaRoom] {
    var whole = ReplicaRoom(.sent)
    for (key, register) in known.others where own.others[key] == nil {
      _ = whole.takes(key, register.value)
    }
    return [ReplicaRoom(.share), whole]
  }
}

/// What the stories are known by that are here, made when it is asked for.
private final class StoriesHere {
  private let make: () throws(StorageError) -> Set<UInt64>
  private var made: Set<UInt64>?

  init(_ make: @escaping () throws(StorageError) -> Set<UInt64>) { self.make = make }

  func all() throws(StorageError) -> Set<UInt64> {
    if let made { return made }
    let new = try make()
    made = new
    return new
  }
}

/// Of many rows those that are known, and the newest of the others, up to a number.
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
