/// Scalars that an expression cannot tell apart, as classes with numbers.
struct ScalarClasses: Sendable {
  let count: Int
  /// The class of each ASCII scalar.
  let ascii: [UInt16]
  /// For each set, whether it has the scalars of each class.
  let members: [[Bool]]
  /// Whether the scalars of each class make words.
  let areWord: [Bool]
  /// Where intervals of one class begin, and their classes.
  private let starts: [UInt32]
  private let numbers: [UInt16]

  /// The sets of an expression, and what makes words if it asks for them.
  init(_ sets: [ScalarSet], word: ScalarSet?) {
    let all = sets + (word.map { [$0] } ?? [])
    let starts = Set([0] + all.flatMap(\.ranges).flatMap { [$0.lowerBound, $0.upperBound + 1] })
      .sorted()
    var known: [[Bool]: UInt16] = [:]
    var signatures: [[Bool]] = []
    var numbers: [UInt16] = []
    for start in starts {
      let signature = all.map { $0.contains(start) }
      if known[signature] == nil {
        known[signature] = UInt16(signatures.count)
        signatures.append(signature)
      }
      numbers.append(known[signature] ?? 0)
    }
    self.starts = starts
    self.numbers = numbers
    count = signatures.count
    members = sets.indices.map { set in signatures.map { $0[set] } }
    areWord = signatures.map { word != nil && $0[sets.count] }
    ascii = (0..<0x80).map { Self.number($0, starts, numbers) }
  }

  func number(of scalar: UInt32) -> Int {
    Int(scalar < 0x80 ? ascii[Int(scalar)] : Self.number(scalar, starts, numbers))
  }

  private static func number(_ scalar: UInt32, _ starts: [UInt32], _ numbers: [UInt16]) -> UInt16 {
    // The last start that is not above the scalar; the first one is 0.
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= scalar { low = middle } else { high = middle }
    }
    return numbers[low]
  }
}
