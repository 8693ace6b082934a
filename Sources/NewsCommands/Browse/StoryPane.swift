import FeedModel
import FeedStorage

/// The stories of a source, newest first, as of one version of the store.
struct StoryPane {
  private(set) var library: Library
  /// In the data file.
  private(set) var positions: [Int] = []
  private(set) var cursor = ListCursor()
  /// Marks that were asked for, and that the store may not have yet, by the ids of their stories.
  private var marks: [String: ItemMarks] = [:]
  /// The ids of those that are chosen for the next command.
  var picked: Set<String> = []
  /// Whether they stand as they do in the data file, or the oldest first; a search may have another
  /// order.
  private var isByDate = true
  /// Whether the last stand first.
  private var isReversed = false

  /// Whether each story of the library is unread; nil until somebody has counted.
  private var isUnread: [Bool]?
  /// Rows that a key may look at while that is not known: a million take seconds.
  var reach = 8_192

  init(_ library: Library) {
    self.library = library
  }

  var count: Int { positions.count }

  /// Lists other stories from the beginning.
  mutating func list(_ positions: [Int], isReversed: Bool = false) {
    self.isReversed = isReversed
    set(positions)
    (cursor, picked) = (ListCursor(), [])
  }

  /// Lists the same stories in another order, or more or fewer of them: who has gone down from the top
  /// stays with the chosen one, if it is there.
  mutating func listAgain(
    _ positions: [Int],
    isReversed: Bool,
    rows: Int,
  ) throws(StorageError) {
    let chosen = cursor.selected > 0 ? self.positions[cursor.selected] : nil
    let picked = picked
    list(positions, isReversed: isReversed)
    try pick(listedOf: picked)
    guard let chosen, let row = row(of: chosen) else { return }
    cursor.select(row, of: count, rows: rows)
  }

  /// Lists the same stories as another version of the store has them: the chosen one stays where it
  /// stands on the screen.
  ///
  /// - Returns: false where it is listed no more, or one of those that were picked.
  mutating func update(
    to library: Library,
    _ positions: [Int],
    rows: Int,
  ) throws(StorageError) -> Bool {
    let chosen = self.positions.isEmpty ? nil : self.positions[cursor.selected]
    let isAtTop = cursor.selected == 0 && cursor.top == 0
    // The file of before may have been cut short meanwhile.
    let id = chosen.flatMap { try? self.library.items.id(at: $0) }
    let position = try id.flatMap { id throws(StorageError) in
      try library.items.index(ofID: id, near: chosen ?? 0)
    }
    (self.library, isUnread) = (library, nil)
    set(positions)
    let index = position.flatMap(index) ?? cursor.selected
    // Who looks at the newest ones sees those that come.
    if isAtTop, !isReversed { cursor.select(index, of: count, rows: rows) }
    cursor.follow(to: index, of: count, rows: rows)
    let isThere = chosen == nil || position.flatMap(row) != nil
    let before = picked.count
    try pick(listedOf: picked)
    return isThere && picked.count == before
  }

  private mutating func pick(listedOf ids: Set<String>) throws(StorageError) {
    picked = ids
    guard !ids.isEmpty else { return }
    picked = Set(
      try pickedPositions().map { position throws(StorageError) in
        try library.items.id(at: position)
      }
    )
  }

  private mutating func set(_ positions: [Int]) {
    isByDate = zip(positions, positions.dropFirst()).allSatisfy(<)
    self.positions = isReversed ? positions.reversed() : positions
  }

  /// Where a position stands in the list, or would; nil where it does not in another order.
  private func index(of position: Int) -> Int? {
    guard isByDate else { return positions.firstIndex(of: position) }
    var range = positions.startIndex..<positions.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        (isReversed ? positions[middle] > position : positions[middle] < position)
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  mutating func select(_ index: Int, rows: Int) {
    cursor.select(index, of: count, rows: rows)
  }

  /// Lists nothing, of a file that another program has damaged.
  ///
  /// As long as somebody has a file that was cut short, what is read of its path is not believed.
  mutating func letGo() {
    library.items = .empty
    list([], isReversed: isReversed)
    isUnread = nil
  }

  // MARK: Stories

  func story(_ index: Int) throws(StorageError) -> StoredItem {
    try story(at: positions[index])
  }

  /// A story wherever it stands; nil for one that has gone.
  func story(withID id: String) throws(StorageError) -> StoredItem? {
    let near = positions.isEmpty ? 0 : positions[cursor.selected]
    return try library.items.index(ofID: id, near: near).map { position throws(StorageError) in
      try story(at: position)
    }
  }

  private func story(at position: Int) throws(StorageError) -> StoredItem {
    var story = try library.items.item(at: position)
    let marks = marks(of: story.id)
    story.isRead = marks.isRead ?? story.isRead
    story.isStarred = marks.isStarred ?? story.isStarred
    return story
  }

  /// The row of a story; nil where it is not listed.
  func index(ofID id: String) throws(StorageError) -> Int? {
    try library.items.index(ofID: id, near: 0).flatMap(row)
  }

  private func row(of position: Int) -> Int? {
    guard let index = index(of: position), positions.indices.contains(index) else { return nil }
    return positions[index] == position ? index : nil
  }

  /// The ids of all that are listed.
  func ids() throws(StorageError) -> [String] {
    try positions.map { position throws(StorageError) in try library.items.id(at: position) }
  }

  /// Those that are picked, as they stand in the list.
  func pickedStories() throws(StorageError) -> [StoredItem] {
    try pickedPositions().map { position throws(StorageError) in try story(at: position) }
  }

  private func pickedPositions() throws(StorageError) -> [Int] {
    let found = Set(try library.items.positions(of: ItemIDs(picked)))
    return positions.filter(found.contains)
  }

  /// The story that is chosen; nil where there is none.
  func selected() throws(StorageError) -> StoredItem? {
    positions.isEmpty ? nil : try story(cursor.selected)
  }

  /// Stories that are shown on so many rows, by their indices in the list.
  func shown(rows: Int) throws(StorageError) -> [StoredItem] {
    try cursor.range(of: count, rows: rows).map { (index) throws(StorageError) in try story(index) }
  }

  /// Learns which stories are unread, if these are still the stories, and none was marked as unread
  /// that they were counted without.
  mutating func learn(_ counts: UnreadCounts) {
    guard counts.items.isUnchanged(in: library.items) else { return }
    if marks.values.allSatisfy({ $0.isRead != false }) { isUnread = counts.isUnread }
  }

  /// The next unread story behind the chosen one, or before it.
  func nextUnread(by step: Int) throws(StorageError) -> NextUnread {
    try unread(from: cursor.selected + step, by: step)
  }

  func firstUnread() throws(StorageError) -> NextUnread {
    try unread(from: 0, by: 1)
  }

  private func unread(from start: Int, by step: Int) throws(StorageError) -> NextUnread {
    guard var reader = ItemReader(library.items) else { return .nowhere }
    var (index, rest) = (start, reach)
    while positions.indices.contains(index) {
      let position = positions[index]
      if isUnread?[position] ?? true {
        guard rest > 0 else { return .unknown }
        rest -= 1
        try reader.move(to: position)
        let mark = marks.isEmpty ? nil : try marks(of: reader.id()).isRead
        let isRead = try reader.isRead()
        if !(mark ?? isRead) { return .row(index) }
      }
      index += step
    }
    return .nowhere
  }

  // MARK: Marks

  func marks(of id: String) -> ItemMarks {
    marks[id] ?? ItemMarks()
  }

  /// Shows a story as it will be.
  mutating func mark(_ id: String, _ new: ItemMarks) {
    marks[id, default: ItemMarks()].take(new)
    if new.isRead == false { isUnread = nil }
  }

  /// Shows all stories as the store has them.
  mutating func forgetMarks() {
    marks = [:]
  }
}

/// Where an unread story was found.
enum NextUnread: Hashable, Sendable {
  case row(Int)
  case nowhere
  /// Not among the rows that were looked at; the others have to be counted first.
  case unknown
}
