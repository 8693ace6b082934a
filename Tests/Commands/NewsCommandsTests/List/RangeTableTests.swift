import Testing

@testable import CommandLine
@testable import Searching

@Suite("Ranges in a flat list")
struct RangeTableTests {
  @Test("a number is found in its range, ends included, and nowhere else")
  func numbers() {
    let ranges: [ClosedRange<UInt32>] = [2...2, 5...9, 10...10, 40...60]
    let list = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
    for number in UInt32(0)...70 {
      let isInside = ranges.contains { $0.contains(number) }
      #expect(RangeTable.contains(number, in: list) == isInside)
    }
    #expect(!RangeTable.contains(1, in: []))
  }

  @Test("the tables that are searched so are in ascending order")
  func ascending() {
    for list in [TextFolding.marks, TerminalWidthTable.wide] {
      let isAscending = list.indices.dropFirst().allSatisfy {
        $0 % 2 == 1 ? list[$0 - 1] <= list[$0] : list[$0 - 1] < list[$0]
      }
      #expect(isAscending)
    }
  }
}
