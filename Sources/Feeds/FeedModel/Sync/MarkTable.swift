/// Read and starred marks by the hashes of their stories.
///
/// PERF: rows of one size in one array, in their order: a million of them takes 32 MB, where a
/// dictionary took 150. Changed rows stand in a dictionary beside it, and are sorted in from time
/// to time.
package struct MarkTable: Sendable {
  package struct Key: Hashable, Comparable, Sendable {
    package let story: UInt64
    package let isStarred: Bool

    package init(_ story: UInt64, isStarred: Bool) {
      (self.story, self.isStarred) = (story, isStarred)
    }

    package static func < (one: Key, other: Key) -> Bool {
      one.story != other.story ? one.story < other.story : !one.isStarred && other.isStarred
    }
  }

  package struct Row: Hashable, Sendable {
    package let story: UInt64
    package let time: UInt64
    package let machine: MachineID
    package let serial: UInt32
    package let isStarred: Bool
    package let isSet: Bool

    package init(_ key: Key, _ register: Replica.Register) {
      (story, isStarred, isSet) = (key.story, key.isStarred, !register.isGone)
      (time, machine) = (register.stamp.time, register.stamp.machine)
      serial = register.serial
    }

    package var key: Key { Key(story, isStarred: isStarred) }
    package var isGone: Bool { !isSet }

    package var register: Replica.Register {
      Replica.Register(
        isSet ? .yes : .none,
        SyncStamp(time: time, machine: machine),
        serial: serial,
      )
    }
  }

  private var rowsInOrder: [Row] = []
  /// Changed rows by their keys; nil for a removed one.
  private var changes: [Key: Row?] = [:]
  package private(set) var count = 0

  package var isEmpty: Bool { count == 0 }

  private static let leastChanges = 4_096

  package init() {}

  /// Takes rows in any order; the latest of one key counts.
  package init(_ rows: [Row]) {
    rowsInOrder = rows
    if !zip(rows, rows.dropFirst()).allSatisfy({ $0.key < $1.key }) { sort() }
    count = rowsInOrder.count
  }

  private mutating func sort() {
    rowsInOrder.sort { one, other in
      one.key != other.key ? one.key < other.key : other.register < one.register
    }
    var end = 0
    for row in rowsInOrder where end == 0 || rowsInOrder[end - 1].key != row.key {
      rowsInOrder[end] = row
      end += 1
    }
    rowsInOrder.removeLast(rowsInOrder.count - end)
  }

  package var rows: [Row] {
    guard !changes.isEmpty else { return rowsInOrder }
    let changes = changes.sorted { $0.key < $1.key }
    return Self.joined(rowsInOrder, changes, by: { $0.key }, { $1 == nil ? $0 : $1?.value })
  }

  /// Joins two lists in the order of their keys, and keeps what `choose` returns for each key.
  private static func joined<Other>(
    _ rows: [Row],
    _ others: [Other],
    by key: (Other) -> Key,
    _ choose: (Row?, Other?) -> Row?,
  ) -> [Row] {
    var all: [Row] = []
    all.reserveCapacity(max(rows.count, others.count))
    var (index, next) = (0, 0)
    while index < rows.count || next < others.count {
      let one = index < rows.count ? rows[index] : nil
      let two = next < others.count ? others[next] : nil
      let isFirst = one.map { one in two.map { one.key <= key($0) } ?? true } ?? false
      let isSecond = two.map { two in one.map { key(two) <= $0.key } ?? true } ?? false
      if let row = choose(isFirst ? one : nil, isSecond ? two : nil) { all.append(row) }
      index += isFirst ? 1 : 0
      next += isSecond ? 1 : 0
    }
    return all
  }

  package subscript(key: Key) -> Row? {
    get {
      if let change = changes[key] { return change }
      let index = rowsInOrder.firstIndexInOrder(of: key.story) { $0.key >= key }
      return index < rowsInOrder.count && rowsInOrder[index].key == key ? rowsInOrder[index] : nil
    }
    set {
      let isThere = self[key] != nil
      guard isThere || newValue != nil else { return }
      changes[key] = .some(newValue)
      count += (newValue == nil ? 0 : 1) - (isThere ? 1 : 0)
      if changes.count > max(rowsInOrder.count / 2, Self.leastChanges) { applyChanges() }
    }
  }

  private mutating func applyChanges() {
    rowsInOrder = rows
    changes = [:]
  }

  package mutating func removeAll(where isUnwanted: (Row) -> Bool) {
    applyChanges()
    rowsInOrder.removeAll(where: isUnwanted)
    count = rowsInOrder.count
  }

  package mutating func merge(_ other: MarkTable, _ choose: (Row?, Row?) -> Row?) {
    rowsInOrder = Self.joined(rows, other.rows, by: \.key, choose)
    (changes, count) = ([:], rowsInOrder.count)
  }
}

extension MarkTable: Hashable {
  package static func == (one: MarkTable, other: MarkTable) -> Bool {
    one.count == other.count && one.rows == other.rows
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

/// The values that machines share, each with its stamp.
///
/// Marks are packed, because there may be a million of them; all else stands in a dictionary.
package struct SyncRegisters: Hashable, Sendable {
  package var marks = MarkTable()
  /// The marks of each kind in `SyncKey.StoryMark.flags`; no table is empty.
  private(set) var flags: [SyncKey.StoryMark: MarkTable] = [:]
  package var others: [SyncKey: Replica.Register] = [:]

  package init() {}

  /// The marks of a kind, under keys with `isStarred` false.
  package subscript(flag mark: SyncKey.StoryMark) -> MarkTable {
    get { flags[mark] ?? MarkTable() }
    set { flags[mark] = newValue.isEmpty ? nil : newValue }
  }

  package subscript(key: SyncKey) -> Replica.Register? {
    get {
      if let flag = key.flag { return flags[flag.mark]?[flag.key]?.register }
      guard let mark = key.packed else { return others[key] }
      return marks[mark]?.register
    }
    set {
      if let (mark, key) = key.flag {
        flags[mark, default: MarkTable()][key] = newValue.map { MarkTable.Row(key, $0) }
        if flags[mark]?.isEmpty == true { flags[mark] = nil }
      } else if let mark = key.packed {
        marks[mark] = newValue.map { MarkTable.Row(mark, $0) }
      } else {
        others[key] = newValue
      }
    }
  }

  package var count: Int {
    marks.count + others.count + flags.values.reduce(0) { $0 + $1.count }
  }
  package var isEmpty: Bool { count == 0 }

  package var machines: Set<MachineID> {
    let tables = [marks] + flags.values
    return Set(tables.lazy.flatMap { $0.rows.lazy.map(\.machine) })
      .union(others.values.lazy.map(\.stamp.machine))
  }

  package mutating func removeAll(where isUnwanted: (SyncKey, Replica.Register) -> Bool) {
    marks.removeAll { isUnwanted(SyncKey($0.key), $0.register) }
    for mark in flags.keys {
      self[flag: mark].removeAll { isUnwanted(.story($0.story, mark), $0.register) }
    }
    others = others.filter { !isUnwanted($0.key, $0.value) }
  }
}

extension SyncRegisters: Sequence {
  package func makeIterator() -> AnyIterator<(key: SyncKey, value: Replica.Register)> {
    var (rows, rest) = (marks.rows.makeIterator(), others.makeIterator())
    var flagged = flags.lazy.flatMap { mark, table in table.rows.lazy.map { (mark, $0) } }
      .makeIterator()
    return AnyIterator {
      rows.next().map { (SyncKey($0.key), $0.register) }
        ?? flagged.next().map { (.story($1.story, $0), $1.register) }
        ?? rest.next().map { ($0.key, $0.value) }
    }
  }
}

extension SyncKey {
  fileprivate init(_ key: MarkTable.Key) {
    self = .story(key.story, key.isStarred ? .starred : .read)
  }

  fileprivate var flag: (mark: StoryMark, key: MarkTable.Key)? {
    guard case .story(let story, let mark) = self, StoryMark.flags.contains(mark) else {
      return nil
    }
    return (mark, MarkTable.Key(story, isStarred: false))
  }

  fileprivate var packed: MarkTable.Key? {
    switch self {
    case .story(let story, .read): MarkTable.Key(story, isStarred: false)
    case .story(let story, .starred): MarkTable.Key(story, isStarred: true)
    default: nil
    }
  }
}
