import FeedModel
import FeedStorage
import System

/// Puts stored, changed and new stories in their order: newest first.
struct ItemOrder {
  private struct Placed {
    let placement: Placement
    let edit: ItemEdit
  }

  private let count: Int
  private let changed: [Int: StoredItem]
  /// Stored stories that do not stay where they are.
  private var gone: Set<Int>
  private var placed: [Placed] = []
  /// Seconds since 2001.
  private var instants: [Double] = []
  private var result: [ItemEdit] = []
  private var runStart = 0

  init(count: Int, changed: [Int: StoredItem], removed: Set<Int>) {
    self.count = count
    self.changed = changed
    gone = removed
  }

  /// Gives new, re-dated and misplaced stories their places.
  ///
  /// - Parameters:
  ///   - instants: as of when each stored story counts, in seconds since 2001.
  ///   - insertions: the new stories.
  ///   - placements: where changed stories go that do not stay.
  mutating func place(
    _ instants: [Double],
    insertions: [Insertion],
    placements: [Int: Placement],
  ) {
    self.instants = instants
    placed = insertions.enumerated().map { number, insertion in
      Placed(placement: insertion.placement, edit: .insertNumber(number))
    }
    for (position, placement) in placements where !gone.contains(position) {
      take(position, to: placement)
    }
    placeMisplaced()
    placed.sort { $0.placement.precedes($1.placement) }
  }

  /// Stories whose date was in the future and has come, or that another program put elsewhere.
  private mutating func placeMisplaced() {
    var oldest = Date.distantFuture.timeIntervalSinceReferenceDate
    for position in 0..<count where !gone.contains(position) {
      let instant = instants[position]
      if instant > oldest {
        let date = Date(timeIntervalSinceReferenceDate: instant)
        take(position, to: Placement(instant: date, anchor: position, sequence: -1))
      } else {
        oldest = instant
      }
    }
  }

  private mutating func take(_ position: Int, to placement: Placement) {
    gone.insert(position)
    let edit = changed[position].map { ItemEdit.replace(position, $0) }
    placed.append(Placed(placement: placement, edit: edit ?? .keep(position..<position + 1)))
  }

  /// The edits, with runs of kept stories as long as they can be.
  consuming func edits() -> [ItemEdit] {
    if placed.isEmpty {
      for position in Set(changed.keys).union(gone).sorted() { visit(position) }
    } else {
      weave()
    }
    endRun(at: count)
    return result
  }

  private mutating func weave() {
    var next = 0
    for position in 0..<count {
      while next < placed.count, goes(placed[next].placement, before: position) {
        endRun(at: position)
        runStart = position
        append(placed[next].edit)
        next += 1
      }
      visit(position)
    }
    endRun(at: count)
    runStart = count
    for rest in placed[next...] { append(rest.edit) }
  }

  private func goes(_ placement: Placement, before position: Int) -> Bool {
    guard !gone.contains(position) else { return false }
    let instant = instants[position]
    let placed = placement.instant.timeIntervalSinceReferenceDate
    if placed != instant { return placed > instant }
    return placement.anchor < position
  }

  /// Ends the run before a story that is not simply kept.
  private mutating func visit(_ position: Int) {
    let isGone = gone.contains(position)
    guard isGone || changed[position] != nil else { return }
    endRun(at: position)
    runStart = position + 1
    if !isGone, let item = changed[position] { result.append(.replace(position, item)) }
  }

  private mutating func endRun(at position: Int) {
    if runStart < position { append(.keep(runStart..<position)) }
  }

  /// Adds an edit; neighbouring runs become one.
  private mutating func append(_ edit: ItemEdit) {
    if case .keep(let run) = edit, case .keep(let before)? = result.last,
      before.upperBound == run.lowerBound
    {
      result[result.count - 1] = .keep(before.lowerBound..<run.upperBound)
    } else {
      result.append(edit)
    }
  }
}
