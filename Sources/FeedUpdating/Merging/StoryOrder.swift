import FeedStorage
import System

/// Where a story goes in the order: by its instant, and among equal ones in document order.
struct Placement: Hashable, Sendable {
  /// As of when it counts, in seconds since 2001.
  let instant: Double
  /// The last stored story with the same instant that comes before it, as a position in the table;
  /// -1 when there is none.
  let anchor: Int32
  let sequence: Int32

  func precedes(_ other: Placement) -> Bool {
    if instant != other.instant { return instant > other.instant }
    return (anchor, sequence) < (other.anchor, other.sequence)
  }
}

/// The third step of a merge, for each document: gives its stories places that keep its order.
struct DocumentOrder {
  /// Of each instant the last stored story: new ones that follow in the document go behind it.
  private var anchors: [Double: Int32] = [:]
  private var sequence: Int32 = 0

  mutating func beginDocument() {
    anchors = [:]
  }

  /// Passes a stored story of the document that stays where it is.
  mutating func pass(_ position: Int, at instant: Double) {
    anchors[instant] = max(anchors[instant] ?? -1, Int32(position))
  }

  /// The place of the next story of the document that needs one.
  ///
  /// An imported story has its place among those of all feeds.
  mutating func placement(at instant: Double, importedAt index: Int? = nil) -> Placement {
    sequence += 1
    return Placement(
      instant: instant,
      anchor: anchors[instant] ?? -1,
      sequence: index.map { Int32(clamping: $0) } ?? sequence,
    )
  }
}

/// The third step of a merge, for all stories: puts stored, changed and new ones in their order,
/// newest first; of equally old ones, as their documents have them.
struct StoryOrder {
  private let count: Int
  var changes = StoryChanges()
  private var moved: Set<Int> = []
  private var placed: [(placement: Placement, story: PlacedStory)] = []

  init(count: Int, placing expected: Int = 0) {
    self.count = count
    placed.reserveCapacity(expected)
  }

  var isUnchanged: Bool { changes.isEmpty && placed.isEmpty }

  /// Says that `ordered` has to know the instants of the stored stories.
  var needsInstants: Bool { !placed.isEmpty }

  mutating func place(_ story: PlacedStory, at placement: Placement) {
    placed.append((placement, story))
  }

  /// Gives a stored story another place; one that goes has none.
  mutating func move(_ position: Int, to placement: Placement) {
    guard !changes.removed.contains(position), moved.insert(position).inserted else { return }
    place(.stored(position), at: placement)
  }

  private func leaves(_ position: Int) -> Bool {
    changes.removed.contains(position) || moved.contains(position)
  }

  /// Returns the changes with everything in its place.
  ///
  /// `instants` are those of the stored stories, in seconds since 2001, where it needs them.
  consuming func ordered(_ instants: [Double]) -> StoryChanges {
    if needsInstants { moveMisplaced(instants) }
    let isSorted = placed.indices.dropFirst().allSatisfy {
      !placed[$0].placement.precedes(placed[$0 - 1].placement)
    }
    if !isSorted { placed.sort { $0.placement.precedes($1.placement) } }
    changes.expect(placed.count)
    var position = 0
    for (placement, story) in placed {
      while position < count,
        leaves(position) || !placement.isBefore(position, instants[position])
      {
        position += 1
      }
      changes.place(story, before: position)
    }
    return changes
  }

  /// Stories whose date was in the future and has come, or that another program put elsewhere: what
  /// is new would find the wrong place beside them.
  private mutating func moveMisplaced(_ instants: [Double]) {
    var oldest = Double.infinity
    for position in 0..<count where !leaves(position) {
      let instant = instants[position]
      if instant > oldest {
        move(position, to: Placement(instant: instant, anchor: Int32(position), sequence: -1))
      } else {
        oldest = instant
      }
    }
  }
}

extension Placement {
  fileprivate func isBefore(_ position: Int, _ instant: Double) -> Bool {
    self.instant == instant ? anchor < position : self.instant > instant
  }
}

/// The instant that a story counts as of in the order of stories.
package enum StoryTime {
  /// Its date; when it was stored where it has none or one in the future; nil when neither is known.
  @inlinable
  package static func instant<Time: Comparable>(date: Time?, stored: Time?, now: Time) -> Time? {
    if let date, date <= now { date } else { stored }
  }

  /// The same in seconds since 2001 for a place in the order: stories of which nothing is known come
  /// last.
  static func sortInstant(date: Date?, stored: Date?, now: Date) -> Double {
    (instant(date: date, stored: stored, now: now) ?? .distantPast).timeIntervalSinceReferenceDate
  }
}

extension ItemReader {
  func instant(now: Date) throws(StorageError) -> Double {
    let (date, stored) = try instants()
    let now = now.timeIntervalSinceReferenceDate
    return StoryTime.instant(date: date, stored: stored, now: now)
      ?? Date.distantPast.timeIntervalSinceReferenceDate
  }
}

extension ItemTable {
  /// As of when each story counts, in seconds since 2001; what is not `known` of it is not a number.
  func instants(now: Date, known: [Double] = []) throws(StorageError) -> [Double] {
    guard var reader = ItemReader(self) else { return [] }
    var instants = known.isEmpty ? Array(repeating: .nan, count: count) : known
    for position in instants.indices where instants[position].isNaN {
      try reader.move(to: position)
      instants[position] = try reader.instant(now: now)
    }
    return instants
  }
}
