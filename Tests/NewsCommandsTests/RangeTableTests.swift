import Testing

@testable import NewsCommands

@Suite("Ranges in a flat list")
struct RangeTableTests {
  @Test("a number is found in its range, ends included, and nowhere else", arguments: [2, 4])
  func rows(width: Int) {
    let ranges = [2...2, 5...9, 10...10, 40...60]
    let list = ranges.flatMap {
      [$0.lowerBound, $0.upperBound] + Array(repeating: 7, count: width - 2)
    }
    for number in 0...70 {
      let row = ranges.firstIndex { $0.contains(number) }.map { $0 * width }
      #expect(RangeTable.row(of: number, in: list, width: width) == row)
    }
    #expect(RangeTable.row(of: 1, in: [Int](), width: width) == nil)
  }

  @Test("the tables that are searched so are in ascending order")
  func ascending() {
    let pairs = [FoldingTable.marks, TerminalWidthTable.wide, TerminalWidthTable.zero]
    for list in pairs {
      let isAscending = list.indices.dropFirst().allSatisfy {
        $0 % 2 == 1 ? list[$0 - 1] <= list[$0] : list[$0 - 1] < list[$0]
      }
      #expect(isAscending)
    }
    let runs = stride(from: 0, to: FoldingTable.runs.count, by: 4).map {
      (FoldingTable.runs[$0], FoldingTable.runs[$0 + 1])
    }
    #expect(runs.allSatisfy { $0.0 <= $0.1 })
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.1 < $1.0 })
  }
}
