/// What an end tag closes.
enum EndTagMatch: Hashable {
  /// So many elements, of which the outermost has the tag's name.
  case closes(Int)
  /// The innermost element, whose name it misspells.
  case misspelt
  /// Nothing.
  case stray

  /// Finds what is meant by an end tag whose name is not that of the innermost element.
  ///
  /// - Parameters:
  ///   - name: The end tag's.
  ///   - stack: The open elements.
  ///   - isThorough: False looks only at the nearest elements, for exactly this name.
  init(_ name: UnsafeRawBufferPointer, in stack: borrowing ElementStack, isThorough: Bool) {
    let limit = isThorough ? stack.depth : 16
    if let height = stack.height(of: name, atMost: limit) {
      self = .closes(height)
    } else if !isThorough {
      self = .stray
    } else if let height = stack.height(
      atMost: limit,
      where: { Self.isEqualIgnoringCase($0, name) },
    ) {
      self = .closes(height)
    } else {
      self = Self.isSimilar(stack.top, Array(name)) ? .misspelt : .stray
    }
  }

  private static func isEqualIgnoringCase(
    _ name: [UInt8],
    _ other: UnsafeRawBufferPointer,
  ) -> Bool {
    name.count == other.count
      && zip(name, other).allSatisfy { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Whether two names are one with a slip of the finger or without its prefix.
  private static func isSimilar(_ name: [UInt8], _ other: [UInt8]) -> Bool {
    let (one, two) = (local(name[...]), local(other[...]))
    if one.elementsEqual(two) { return true }
    guard min(one.count, two.count) >= 4, max(one.count, two.count) <= 32 else { return false }
    return distance(Array(one), Array(two)) <= 2
  }

  private static func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
  }

  /// Levenshtein's distance, letters without regard to case.
  private static func distance(_ one: [UInt8], _ two: [UInt8]) -> Int {
    var row = Array(0...two.count)
    for (index, byte) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in two.enumerated() {
        let cost = lowercased(byte) == lowercased(other) ? diagonal : diagonal + 1
        diagonal = row[column + 1]
        row[column + 1] = min(cost, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[two.count]
  }
}
