package import FeedStorage
package import System

/// The place of a story in the order: by its instant, and among equal ones in document order.
package struct Placement: Hashable, Sendable {
  package let instant: Double
  /// The position of the last stored story with the same instant before it; -1 without one.
  let anchor: Int32
  let sequence: Int32

  package func precedes(_ other: Placement) -> Bool {
    if instant != other.instant { return instant > other.instant }
    return (anchor, sequence) < (other.anchor, other.sequence)
  }
}

/// The third step of a merge for each document: places that keep its order.
package struct DocumentOrder {
  /// The last stored story of each instant; new ones that follow in the document go behind it.
  private var anchors: [Double: Int32] = [:]
  private var sequence: Int32 = 0

  package init() {}

  package mutating func beginDocument() {
    anchors = [:]
  }

  package mutating func noteStored(_ position: Int, at instant: Double) {
    anchors[instant] = max(anchors[instant] ?? -1, Int32(position))
  }

  /// The place of the document's next story; an imported one has its place among those of all
  /// feeds.
  package mutating func placement(at instant: Double, importedAt index: Int? = nil) -> Placement {
    sequence += 1
    return Placement(
      instant: instant,
      anchor: anchors[instant] ?? -1,
      sequence: index.map { Int32(clamping: $0) } ?? sequence,
    )
  }
}

/// The third step of a merge for all stories: newest first, and equally old ones in document order.
package struct StoryOrder {
  private let count: Int
  package var changes = StoryChanges()
  private var placed: [(placement: Placement, story: PlacedStory)] = []

  package init(count: Int, placing expected: Int = 0) {
    self.count = count
    placed.reserveCapacity(expected)
  }

  var isUnchanged: Bool { changes.isEmpty && placed.isEmpty }

  package var needsInstants: Bool { !placed.isEmpty }

  package mutating func place(_ story: PlacedStory, at placement: Placement) {
    placed.append((placement, story))
  }

  package mutating func move(_ position: Int, to placement: Placement) {
    guard changes.leave(position) else { return }
    place(.stored(position), at: placement)
  }

  /// Returns the changes in order; `instants` are those of the stored stories in seconds since
  /// 2001, if `needsInstants`.
  package consuming func ordered(_ instants: [Double]) -> StoryChanges {
    if needsInstants { moveMisplaced(instants) }
    let isSorted = placed.indices.dropFirst().allSatisfy {
      !placed[$0].placement.precedes(placed[$0 - 1].placement)
    }
    if !isSorted { placed.sort { $0.placement.precedes($1.placement) } }
    changes.expect(placed.count)
    var position = 0
    for (placement, story) in placed {
      while position < count,
        changes.leaves(position) || !placement.isBefore(position, instants[position])
      {
        position += 1
      }
      changes.place(story, before: position)
    }
    return changes
  }

  /// Moves stories that are out of order, beside which new ones would find the wrong place.
  ///
  /// Their date was in the future and has come, or another program put them elsewhere.
  private mutating func moveMisplaced(_ instants: [Double]) {
    var oldest = Double.infinity
    for position in 0..<count where !changes.leaves(position) {
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

@usableFromInline package enum StoryTime {
  /// The date, or the time of storing if there is no date or it is in the future; nil if neither is
  /// known.
  @inlinable
  package static func instant<Time: Comparable>(date: Time?, stored: Time?, now: Time) -> Time? {
    if let date, date <= now { date } else { stored }
  }

  /// The instant in seconds since 2001; stories without one come last.
  package static func sortInstant(date: Date?, stored: Date?, now: Date) -> Double {
    (instant(date: date, stored: stored, now: now) ?? .distantPast).timeIntervalSinceReferenceDate
  }
}

extension ItemReader {
  package func instant(now: Date) throws -> Double {
    let (date, stored) = try instants()
    let now = now.timeIntervalSinceReferenceDate
    return StoryTime.instant(date: date, stored: stored, now: now)
      ?? Date.distantPast.timeIntervalSinceReferenceDate
  }
}

extension ItemTable {
  /// The rows of a short list among which stories that were dated ahead are looked for.
  package static let unsettledRows = 100

  /// Puts stories whose date has come since the last merge where they belong among the first ones.
  package func settled(_ positions: [Int], _ rows: Int, now: Date) throws -> [Int] {
    let head = positions.prefix(rows)
    var instants: [Double] = []
    try forEachStory(at: Array(head)) { _, story in instants.append(try story.instant(now: now)) }
    guard zip(instants, instants.dropFirst()).contains(where: <) else { return positions }
    let order = instants.indices.sorted { (-instants[$0], $0) < (-instants[$1], $1) }
    return order.map { head[$0] } + positions.dropFirst(head.count)
  }

  /// The instants of all stories in seconds since 2001; those that are not a number in `known` are
  /// read.
  package func instants(now: Date, known: [Double] = []) throws -> [Double] {
    var instants = known.isEmpty ? Array(repeating: .nan, count: count) : known
    try forEachStory(at: instants.indices.filter { instants[$0].isNaN }) { position, story in
      instants[position] = try story.instant(now: now)
    }
    return instants
  }
}
