import FeedModel
import FeedStorage
import System

/// Puts the stories of one table among those of another: each once, newest first.
///
/// PERF: of a story a few numbers are held and nothing else, for both tables may have a million;
/// the file is made by copying their bytes.
struct TableMerge {
  let base: ItemTable
  let other: ItemTable
  private let now: Date
  /// For stories of the other table, the place of the same one in the base; -1 for none.
  private var partners: [Int32]
  /// For stories of the base, whether the other table has them, too.
  private var isShared: [Bool]
  private var runs: [PlacedRun] = []
  private var nextRun = 0
  private var adjusted: [Int: ItemAdjustment] = [:]
  /// Stories of the base that the change's source makes, and their numbers there.
  private var replaced: [Int: Int] = [:]
  private var removed: Set<Int> = []
  private var arrivals: [Arrival] = []
  private var adjustedArrivals: [Int: ItemAdjustment] = [:]

  /// Stories of the other table, and what they followed.
  private struct PlacedRun {
    let end: Int
    /// A place in the base, and as of when that story counts.
    let anchor: (place: Int, instant: Double)?
  }

  init(into base: ItemTable, of other: ItemTable, now: Date) {
    self.base = base
    self.other = other
    self.now = now
    partners = Array(repeating: -1, count: other.count)
    isShared = Array(repeating: false, count: base.count)
  }

  func partner(of position: Int) -> Int? {
    partners[position] < 0 ? nil : Int(partners[position])
  }

  /// Whether the other table has this story of the base, too.
  func isInBoth(_ place: Int) -> Bool { isShared[place] }

  // MARK: Finding

  private mutating func pair(_ position: Int, with place: Int) {
    guard partners[position] < 0, !isShared[place] else { return }
    partners[position] = Int32(place)
    isShared[place] = true
  }

  /// Finds the stories that are in both tables by their ids.
  mutating func findByID() throws(StorageError) {
    // The smaller part is held.
    if base.count < other.count {
      try StoryPlaces(of: base).forEachShared(with: other) { pair($0, with: $1) }
    } else {
      try StoryPlaces(of: other).forEachShared(with: base) { pair($1, with: $0) }
    }
  }

  /// Finds stories that have another id: a feed that has moved, or has renamed its stories before
  /// they were cleared, gives them new ones when they come back.
  ///
  /// - Parameters:
  ///   - fresh: the table in which they came back.
  ///   - date: when they were cleared.
  ///   - isSame: whether two stories of one identity are one, though their ids differ.
  /// - Throws: when a table cannot be read.
  mutating func findRenamed(
    in fresh: Side,
    since date: Date,
    isSame: (_ fresh: StoredItem, _ cleared: StoredItem) -> Bool,
  ) throws(StorageError) {
    let isInBase = fresh == .base
    let found = try ReappearedStories(
      in: isInBase ? base : other,
      since: date,
      isOpen: { isInBase ? !isShared[$0] : partners[$0] < 0 },
    )
    let pairs = try found.pairs(
      with: isInBase ? other : base,
      isOpen: { isInBase ? partners[$0] < 0 : !isShared[$0] },
      isSame: isSame,
    )
    for (fresh, cleared) in pairs {
      pair(isInBase ? cleared : fresh, with: isInBase ? fresh : cleared)
    }
  }

  enum Side {
    case base, other
  }

  /// Finds the stories that the runs of the other table followed.
  mutating func place(_ runs: [ClearedRun]) throws(StorageError) {
    var places: [String: Int] = [:]
    for position in try base.positions(of: ItemIDs(runs.lazy.compactMap(\.after))) {
      places[try base.id(at: position)] = position
    }
    var end = 0
    for run in runs where end < other.count {
      end = min(end + run.count, other.count)
      var anchor: (Int, Double)?
      if let place = run.after.flatMap({ places[$0] }) {
        let date = try base.date(at: place)?.timeIntervalSinceReferenceDate
        let stored = try base.stored(at: place)?.timeIntervalSinceReferenceDate
        anchor = (place, StoryTime.place(date: date, stored: stored, now: now))
      }
      self.runs.append(PlacedRun(end: end, anchor: anchor))
    }
  }

  // MARK: Changing

  /// The feeds of a story of the base as they are to be.
  func feeds(of place: Int) throws(StorageError) -> [String] {
    if let feeds = adjusted[place]?.feeds { return feeds }
    return try base.feeds(at: place)
  }

  mutating func setFeeds(of place: Int, to feeds: [String]) {
    adjusted[place, default: ItemAdjustment()].feeds = feeds
  }

  /// Gives a story of the base these feeds and marks besides its own.
  mutating func add(
    feeds: [String],
    marks: ItemMarks,
    to place: Int,
  ) throws(StorageError) {
    let old = try self.feeds(of: place)
    let missing = feeds.filter { !old.contains($0) }
    if !missing.isEmpty { setFeeds(of: place, to: old + missing) }
    if marks.isRead == true, try !base.isRead(at: place) {
      adjusted[place, default: ItemAdjustment()].marks.isRead = true
    }
    if marks.isStarred == true, try !base.isStarred(at: place) {
      adjusted[place, default: ItemAdjustment()].marks.isStarred = true
    }
  }

  /// Gives a story of the base the content that the change's source makes, by its number there.
  mutating func replace(_ place: Int, by number: Int) {
    replaced[place] = number
  }

  mutating func remove(_ place: Int) {
    removed.insert(place)
  }

  /// Adds a story of the other table; the ones behind it have to follow in their order.
  ///
  /// - Parameters:
  ///   - position: its place there.
  ///   - instant: as of when it counts, in seconds since 2001.
  ///   - feeds: those that it is to have; nil for its own.
  mutating func insert(_ position: Int, asOf instant: Double, feeds: [String]?) {
    while nextRun < runs.count, runs[nextRun].end <= position { nextRun += 1 }
    var anchor = -1
    if nextRun < runs.count, let before = runs[nextRun].anchor, before.instant == instant {
      anchor = before.place
    }
    arrivals.append(
      Arrival(instant: instant, anchor: Int32(anchor), position: Int32(position))
    )
    if let feeds { adjustedArrivals[position] = ItemAdjustment(feeds: feeds) }
  }

  // MARK: The change

  /// The order of all stories as edits of the base; nil when nothing has changed.
  func edits() throws(StorageError) -> [ItemEdit]? {
    guard
      !adjusted.isEmpty || !replaced.isEmpty || !removed.isEmpty || !arrivals.isEmpty
    else { return nil }
    var edits = EditList()
    guard !arrivals.isEmpty else {
      for place in 0..<base.count where !removed.contains(place) { edit(place, &edits) }
      return edits.all
    }
    ArrivalOrder(arrivals, among: try instants()).forEach { place in
      edit(place, &edits)
    } arrival: { position in
      if let adjustment = adjustedArrivals[position] {
        edits.all.append(.bringAdjusted(position, adjustment))
      } else {
        edits.bring(position)
      }
    }
    return edits.all
  }

  private func edit(_ place: Int, _ edits: inout EditList) {
    if let number = replaced[place] {
      edits.all.append(.replaceNumber(place, number))
    } else if let adjustment = adjusted[place] {
      edits.all.append(.adjust(place, adjustment))
    } else {
      edits.keep(place)
    }
  }

  private func instants() throws(StorageError) -> [Double] {
    var instants: [Double] = []
    instants.reserveCapacity(base.count)
    guard var scanner = ItemScanner(base) else { return instants }
    for place in 0..<base.count {
      try scanner.move(to: place)
      instants.append(removed.contains(place) ? .nan : try scanner.instant(now: now))
    }
    return instants
  }
}

/// Edits of which neighbours become one.
private struct EditList {
  var all: [ItemEdit] = []

  mutating func keep(_ place: Int) {
    if case .keep(let run)? = all.last, run.upperBound == place {
      all[all.count - 1] = .keep(run.lowerBound..<place + 1)
    } else {
      all.append(.keep(place..<place + 1))
    }
  }

  mutating func bring(_ position: Int) {
    if case .bring(let run)? = all.last, run.upperBound == position {
      all[all.count - 1] = .bring(run.lowerBound..<position + 1)
    } else {
      all.append(.bring(position..<position + 1))
    }
  }
}
