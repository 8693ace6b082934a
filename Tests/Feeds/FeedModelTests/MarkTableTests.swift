import TestSupport
import Testing

@testable import FeedModel

@Suite("Packed marks are what a dictionary of them would be")
struct MarkTableTests {
  private typealias Rows = [MarkTable.Key: MarkTable.Row]

  private func row(_ random: inout Chance) -> MarkTable.Row {
    let key = MarkTable.Key(
      UInt64.random(in: 0..<40, using: &random),
      [.flag(.read), .flag(.starred), .deleted].randomElement(using: &random) ?? .deleted,
    )
    let time = UInt64.random(in: 0..<1_000, using: &random)
    let stamp = SyncStamp(
      time: time,
      machine: MachineID(UInt64.random(in: 0..<3, using: &random)),
    )
    let value: SyncValue = Bool.random(using: &random) ? .yes : .none
    return MarkTable.Row(key, Replica.Register(value, stamp, serial: 1))
  }

  private func sorted(_ rows: Rows) -> [MarkTable.Row] {
    rows.sorted { $0.key < $1.key }.map(\.value)
  }

  @Test("whatever is set, removed and merged, in any order", arguments: 0..<50)
  func same(seed: Int) {
    var random = Chance(state: UInt64(seed))
    var (table, rows) = (MarkTable(), Rows())
    for _ in 0..<200 {
      let new = row(&random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: (table[new.key], rows[new.key]) = (nil, nil)
      case 1:
        table.removeAll { $0.time < new.time / 4 }
        rows = rows.filter { $0.value.time >= new.time / 4 }
      case 2:
        let others = (0..<10).map { _ in row(&random) }
        table.merge(MarkTable(others)) { $0 ?? $1 }
        for (key, other) in Rows(
          others.map { ($0.key, $0) },
          uniquingKeysWith: {
            $0.register < $1.register ? $1 : $0
          },
        ) where rows[key] == nil {
          rows[key] = other
        }
      default: (table[new.key], rows[new.key]) = (new, new)
      }
      #expect(table.rows == sorted(rows) && table.count == rows.count)
      #expect(table[new.key] == rows[new.key])
    }
    #expect(table == MarkTable(rows.map(\.value)))
  }

  @Test("each mark that a story either has or has not has a kind, and no other")
  func kinds() {
    for mark in SyncKey.StoryMark.flags + [.deleted] {
      #expect(MarkTable.Key(.story(7, mark))?.kind.mark == mark)
    }
    for mark in SyncKey.StoryMark.texts + [.tag("read")] {
      #expect(MarkTable.Key(.story(7, mark)) == nil)
    }
  }

  @Test("many changes are sorted in, and few stand beside what is there")
  func many() {
    var table = MarkTable()
    for story in (0..<20_000 as Range<UInt64>).reversed() {
      let key = MarkTable.Key(story, .flag(.read))
      let stamp = SyncStamp(time: story, machine: MachineID(1))
      table[key] = MarkTable.Row(key, Replica.Register(.yes, stamp, serial: 1))
    }
    #expect(table.count == 20_000)
    #expect(table.rows.map(\.story) == Array(0..<20_000))
    #expect(table[MarkTable.Key(7, .flag(.read))]?.time == 7)
    #expect(table[MarkTable.Key(7, .flag(.starred))] == nil)
  }
}
