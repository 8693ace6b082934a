import FeedModel
import FeedStorage
import Searching

struct StoryPane {
  private(set) var library: Library
  /// All that is listed, rows opened or not, as positions in the data file.
  private(set) var listed: [Int] = []
  /// The positions of what has a line: without the other stories of closed rows.
  private(set) var positions: [Int] = []
  private var similar = SimilarStories()
  /// Ids of the stories of opened rows.
  private var opened: Set<String> = []
  private(set) var cursor = ListCursor()
  /// Marks that the store may not have yet, by story id.
  private var marks: [String: ItemMarks] = [:]
  var picked: Set<String> = []
  /// True if `positions` is sorted; a search may have another order.
  private var isByDate = true
  private var isReversed = false

  /// Unread stories by position; nil until they are counted.
  private var isUnread: [Bool]?
  /// The most rows that a key reads before they are counted: a million take seconds.
  var reach = 8_192

  init(_ library: Library) {
    self.library = library
  }

  var count: Int { positions.count }

  mutating func list(_ found: FoundStories, isReversed: Bool = false) {
    self.isReversed = isReversed
    opened = []
    set(found)
    (cursor, picked) = (ListCursor(), [])
  }

  /// Lists in another order, or more or fewer stories.
  ///
  /// The chosen story stays chosen, unless it is the first row.
  mutating func listAgain(_ found: FoundStories, isReversed: Bool, rows: Int) throws {
    let chosen = cursor.selected > 0 ? positions[cursor.selected] : nil
    let picked = picked
    list(found, isReversed: isReversed)
    try pick(listedOf: picked)
    guard let chosen, let row = row(of: line(of: chosen)) else { return }
    cursor.select(row, of: count, rows: rows)
  }

  /// Takes another version of the store; the chosen story keeps its place on the screen.
  ///
  /// - Returns: false if the chosen story or a picked one is no longer listed.
  mutating func update(to library: Library, _ found: FoundStories, rows: Int) throws -> Bool {
    let chosen = positions.isEmpty ? nil : positions[cursor.selected]
    let isAtTop = cursor.selected == 0 && cursor.top == 0
    // The file of the old version may have been cut short meanwhile.
    let id = chosen.flatMap { try? self.library.items.id(at: $0) }
    let position = try id.flatMap { id in
      try library.items.index(ofID: id, near: chosen ?? 0)
    }
    (self.library, isUnread) = (library, nil)
    set(found)
    let index = position.map(line).flatMap(index) ?? cursor.selected
    // A reader at the top sees new stories come.
    if isAtTop, !isReversed { cursor.select(index, of: count, rows: rows) }
    cursor.follow(to: index, of: count, rows: rows)
    let isThere = chosen == nil || position.flatMap(row) != nil
    let before = picked.count
    try pick(listedOf: picked)
    return isThere && picked.count == before
  }

  private mutating func pick(listedOf ids: Set<String>) throws {
    picked = ids
    guard !ids.isEmpty else { return }
    picked = Set(try self.ids(at: pickedPositions()))
  }

  private mutating func set(_ found: FoundStories) {
    listed = isReversed ? found.positions.reversed() : found.positions
    similar = found.similar
    arrange()
  }

  /// Gives each row a line, and an opened one a line for each of its stories.
  private mutating func arrange() {
    // Of an id that cannot be read no row is opened.
    let found = opened.isEmpty ? [] : (try? library.items.positions(of: ItemIDs(opened))) ?? []
    let openedRows = Set(found.map { similar.firsts[$0] ?? $0 })
    positions = similar.rows(of: listed).flatMap { first in
      openedRows.contains(first) ? similar.row(of: first) : [first]
    }
    isByDate = zip(positions, positions.dropFirst()).allSatisfy { isReversed ? $0 > $1 : $0 < $1 }
  }

  /// Returns the index of a position, or the one at which a sorted list would have it.
  ///
  /// nil if an unsorted list lacks it.
  private func index(of position: Int) -> Int? {
    guard isByDate else { return positions.firstIndex(of: position) }
    return positions.firstIndexInOrder { isReversed ? $0 <= position : $0 >= position }
  }

  mutating func select(_ index: Int, rows: Int) {
    cursor.select(index, of: count, rows: rows)
  }

  // MARK: Rows of similar stories

  /// Returns the positions of the stories that a line stands for, its own first.
  func row(at index: Int) -> [Int] {
    let first = positions[index]
    guard let others = similar.others[first], !isOpened(index) else { return [first] }
    return [first] + others
  }

  /// Returns true for the first line of an opened row, below which the others stand.
  private func isOpened(_ index: Int) -> Bool {
    index + 1 < count && similar.firsts[positions[index + 1]] == positions[index]
  }

  /// Returns true for the line of a story below the first one of its row.
  func isInRow(_ index: Int) -> Bool { similar.firsts[positions[index]] != nil }

  /// Returns the stories that a line stands for, its own first.
  func stories(ofLine index: Int) throws -> [StoredItem] {
    try row(at: index).map { position in try story(at: position) }
  }

  /// Returns the position of the line that shows a listed story.
  private func line(of position: Int) -> Int {
    row(of: position) == nil ? similar.firsts[position] ?? position : position
  }

  /// Opens the row that is chosen, or closes it; false for a story alone.
  mutating func toggleRow(rows: Int) throws -> Bool {
    guard !positions.isEmpty else { return false }
    let chosen = positions[cursor.selected]
    let first = similar.firsts[chosen] ?? chosen
    guard similar.others[first] != nil else { return false }
    let ids = try ids(at: similar.row(of: first))
    let isClosed = row(at: cursor.selected).count > 1
    if isClosed { opened.formUnion(ids) } else { opened.subtract(ids) }
    arrange()
    cursor.follow(to: row(of: first) ?? cursor.selected, of: count, rows: rows)
    return true
  }

  /// Returns the ids of the stories of the chosen line, if this one is its first; else its own.
  func rowIDs(of story: StoredItem) throws -> [String] {
    guard !positions.isEmpty, try library.items.id(at: positions[cursor.selected]) == story.id
    else { return [story.id] }
    return try ids(at: row(at: cursor.selected))
  }

  /// Empties the list, and lets go of a file that another program has damaged.
  ///
  /// While anybody holds a file that was cut short, what is read of its path is not believed.
  mutating func letGo() {
    library.items = .empty
    list(FoundStories([]), isReversed: isReversed)
    isUnread = nil
  }

  // MARK: Stories

  func story(_ index: Int) throws -> StoredItem {
    try story(at: positions[index])
  }

  func story(withID id: String) throws -> StoredItem? {
    let near = positions.isEmpty ? 0 : positions[cursor.selected]
    return try library.items.index(ofID: id, near: near).map { position in
      try story(at: position)
    }
  }

  private func story(at position: Int) throws -> StoredItem {
    var story = try library.items.item(at: position)
    let marks = marks(of: story.id)
    story.flags = marks.applied(to: story.flags)
    return story
  }

  func index(ofID id: String) throws -> Int? {
    try library.items.index(ofID: id, near: 0).map(line).flatMap(row)
  }

  private func row(of position: Int) -> Int? {
    guard let index = index(of: position), positions.indices.contains(index) else { return nil }
    return positions[index] == position ? index : nil
  }

  func ids() throws -> [String] { try ids(at: positions) }

  private func ids(at positions: [Int]) throws -> [String] {
    try positions.map { position in try library.items.id(at: position) }
  }

  /// Returns the stories of the picked lines, else of the chosen one; with `wholeRows` all that
  /// these stand for.
  func meantStories(wholeRows: Bool) throws -> [StoredItem] {
    try meantLines().flatMap { line in
      wholeRows ? try stories(ofLine: line) : [try story(line)]
    }
  }

  /// Returns the stories of the first line that is meant.
  func firstMeantRow() throws -> [StoredItem] {
    try meantLines().first.map { line in try stories(ofLine: line) } ?? []
  }

  /// Returns the ids of the unread stories above a line, or below it, in rows opened or not.
  func unreadIDs(isAbove: Bool, line: Int) throws -> [String] {
    let lines = isAbove ? 0..<line : min(line + 1, count)..<count
    var ids: [String] = []
    try library.items.forEachStory(at: lines.flatMap(row).sorted()) { _, story in
      let id = try story.id()
      if try !(marks(of: id)[.read] ?? story.isRead()) { ids.append(id) }
    }
    return ids
  }

  private func meantLines() throws -> [Int] {
    guard !picked.isEmpty else { return positions.isEmpty ? [] : [cursor.selected] }
    let picked = Set(try pickedPositions())
    return positions.indices.filter { picked.contains(positions[$0]) }
  }

  private func pickedPositions() throws -> [Int] {
    let found = Set(try library.items.positions(of: ItemIDs(picked)))
    return positions.filter(found.contains)
  }

  func selected() throws -> StoredItem? {
    positions.isEmpty ? nil : try story(cursor.selected)
  }

  func shown(rows: Int) throws -> [StoredItem] {
    try cursor.range(of: count, rows: rows).map { (index) in try story(index) }
  }

  /// Takes counts of this version, unless a story was marked as unread meanwhile.
  mutating func learn(_ counts: UnreadCounts) {
    guard counts.items.isUnchanged(in: library.items) else { return }
    if marks.values.allSatisfy({ $0[.read] != false }) { isUnread = counts.isUnread }
  }

  func nextUnread(by step: Int) throws -> NextUnread {
    try unread(from: cursor.selected + step, by: step)
  }

  func firstUnread() throws -> NextUnread {
    try unread(from: 0, by: 1)
  }

  private func unread(from start: Int, by step: Int) throws -> NextUnread {
    guard var reader = ItemReader(library.items) else { return .nowhere }
    var (index, rest) = (start, reach)
    while positions.indices.contains(index) {
      for position in row(at: index) where isUnread?[position] ?? true {
        guard rest > 0 else { return .unknown }
        rest -= 1
        try reader.move(to: position)
        let mark = marks.isEmpty ? nil : try marks(of: reader.id())[.read]
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

  mutating func mark(_ id: String, _ new: ItemMarks) {
    marks[id, default: ItemMarks()].take(new)
    if new[.read] == false { isUnread = nil }
  }

  mutating func forgetMarks() {
    marks = [:]
  }
}

enum NextUnread: Hashable, Sendable {
  case row(Int)
  case nowhere
  /// No row that was read is unread; the others have to be counted first.
  case unknown
}
