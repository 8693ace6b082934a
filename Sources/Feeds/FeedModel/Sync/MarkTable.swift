/// The marks that each story either has or has not, by the hashes of their stories.
///
/// PERF: rows of one size in one array, in their order: a million of them takes 32 MB, where a
/// dictionary took 150. Changed rows stand in a dictionary beside it, and are sorted in from time
/// to time.
package struct MarkTable: Sendable {
  /// The order is that of the rows of a story.
  package enum Kind: Hashable, Comparable, Sendable {
    case flag(StoryFlag)
    case deleted
  }

  package struct Key: Hashable, Comparable, Sendable {
    package let story: UInt64
    package let kind: Kind

    package init(_ story: UInt64, _ kind: Kind) {
      (self.story, self.kind) = (story, kind)
    }

    package static func < (one: Key, other: Key) -> Bool {
      one.story != other.story ? one.story < other.story : one.kind < other.kind
    }
  }

  package struct Row: Hashable, Sendable {
    package let story: UInt64
    package let time: UInt64
    package let machine: MachineID
    package let serial: UInt32
    package let kind: Kind
    package let isSet: Bool

    package init(_ key: Key, _ register: Replica.Register) {
      (story, kind, isSet) = (key.story, key.kind, !register.isGone)
      (time, machine) = (register.stamp.time, register.stamp.machine)
      serial = register.serial
    }

    package var key: Key { Key(story, kind) }
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

  package func has(_ kind: Kind) -> Bool {
    changes.values.contains { $0?.kind == kind }
      || rowsInOrder.contains { $0.kind == kind && changes[$0.key] == nil }
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
  package var others: [SyncKey: Replica.Register] = [:]

  package init() {}

  package subscript(key: SyncKey) -> Replica.Register? {
    get {
      guard let mark = MarkTable.Key(key) else { return others[key] }
      return marks[mark]?.register
    }
    set {
      if let mark = MarkTable.Key(key) {
        marks[mark] = newValue.map { MarkTable.Row(mark, $0) }
      } else {
        others[key] = newValue
      }
    }
  }

  package var count: Int { marks.count + others.count }
  package var isEmpty: Bool { count == 0 }

  package var hasDeletions: Bool { marks.has(.deleted) }

  package var machines: Set<MachineID> {
    Set(marks.rows.lazy.map(\.machine)).union(others.values.lazy.map(\.stamp.machine))
  }

  package mutating func removeAll(where isUnwanted: (SyncKey, Replica.Register) -> Bool) {
    marks.removeAll { isUnwanted(SyncKey($0.key), $0.register) }
    others = others.filter { !isUnwanted($0.key, $0.value) }
  }
}

extension SyncRegisters: Sequence {
  package func makeIterator() -> AnyIterator<(key: SyncKey, value: Replica.Register)> {
    var (rows, rest) = (marks.rows.makeIterator(), others.makeIterator())
    return AnyIterator {
      rows.next().map { (SyncKey($0.key), $0.register) } ?? rest.next().map { ($0.key, $0.value) }
    }
  }
}

extension SyncKey {
  fileprivate init(_ key: MarkTable.Key) { self = .story(key.story, key.kind.mark) }
}

extension MarkTable.Kind {
  package var mark: SyncKey.StoryMark {
    switch self {
    case .flag(let flag): .flag(flag)
    case .deleted: .deleted
    }
  }
}

extension MarkTable.Key {
  /// Creates the key of a mark; nil for any other value.
  package init?(_ key: SyncKey) {
    switch key {
    case .story(let story, .flag(let flag)): self.init(story, .flag(flag))
    case .story(let story, .deleted): self.init(story, .deleted)
    default: return nil
    }
  }
}
