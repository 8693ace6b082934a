/// Text without case and diacritics: `Café` and `CAFE` are the same to a search.
enum TextFolding {
  /// The folded scalars of `text`; marks that stand alone are dropped.
  static func fold(_ text: String) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if let value = fold(scalar.value) { result.append(value) }
    }
    return result
  }

  /// Whether the folded `needle` occurs in `text`.
  static func contains(_ text: String, _ needle: [UInt32]) -> Bool {
    guard let first = needle.first else { return true }
    let folded = fold(text)
    guard folded.count >= needle.count else { return false }
    return (0...(folded.count - needle.count)).contains { start in
      folded[start] == first && folded[start..<(start + needle.count)].elementsEqual(needle)
    }
  }

  private static func fold(_ value: UInt32) -> UInt32? {
    switch value {
    case 0x41...0x5a: return value + 32
    case 0..<0xc0: return value
    case 0x300...0x36f: return nil
    case 0xc0..<0x2000: return base(value)
    default: return value
    }
  }

  private static func base(_ value: UInt32) -> UInt32 {
    let runs = FoldingTable.runs
    let wanted = Int32(value)
    var low = 0
    var high = runs.count / 3
    while low < high {
      let middle = (low + high) / 2
      if wanted > runs[middle * 3 + 1] {
        low = middle + 1
      } else if wanted < runs[middle * 3] {
        high = middle
      } else {
        return UInt32(wanted + runs[middle * 3 + 2])
      }
    }
    return value
  }
}
