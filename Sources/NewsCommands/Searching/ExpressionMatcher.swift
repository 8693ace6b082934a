/// Runs a regular expression over folded texts, in time that grows with their length alone.
///
/// PERF: the sets of places that the machine is in, and where they lead, are remembered as they are
/// met (a lazy DFA), so that a scalar mostly costs one load.
struct ExpressionMatcher {
  private let program: ExpressionProgram
  private let classes: ScalarClasses
  /// Classes, and one for the end of a text.
  private let width: Int
  private var states: [State] = []
  private var numbers: [State: Int32] = [:]
  /// By state and class the next state, or one of the two below.
  private var steps: [Int32] = []

  private static let unknown: Int32 = -1
  private static let matched: Int32 = -2
  /// More are forgotten, and found again where they are needed.
  private static let maximumStates = 2_000

  /// Where the machine is before a scalar is known.
  private struct State: Hashable {
    /// Instructions to go on at, besides the first one; ascending.
    var places: [Int32] = []
    var before = Edge.none
  }

  /// What is on one side of a place between scalars.
  private enum Edge {
    case none, word, other
  }

  init(_ program: ExpressionProgram) {
    self.program = program
    classes = program.classes
    width = classes.count + 1
    _ = number(of: State())
  }

  /// Whether the expression matches within one of the texts.
  mutating func matches(_ texts: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    var state: Int32 = 0
    while position < texts.count {
      let byte = texts[position]
      let column: Int
      if byte < 0x80 {
        column = Int(classes.ascii[Int(byte)])
        position += 1
      } else if byte == FoldedText.end {
        column = width - 1
        position += 1
      } else {
        column = classes.number(of: Self.scalar(texts, &position))
      }
      var next = steps[Int(state) * width + column]
      if next == Self.unknown { next = step(&state, column) }
      if next == Self.matched { return true }
      state = next
    }
    return false
  }

  /// The scalar that begins at a position of valid UTF-8.
  private static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ position: inout Int,
  ) -> UInt32 {
    let lead = bytes[position]
    let length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    var scalar = UInt32(lead & (0xff >> UInt8(length + 1)))
    for next in bytes[(position + 1)..<(position + length)] {
      scalar = scalar << 6 | UInt32(next & 0x3f)
    }
    position += length
    return scalar
  }

  /// Where a state goes on a class, remembered; the end of a text leads back to the beginning.
  private mutating func step(_ state: inout Int32, _ column: Int) -> Int32 {
    let current = states[Int(state)]
    let isEnd = column == classes.count
    let after: Edge = isEnd ? .none : classes.areWord[column] ? .word : .other
    guard let takers = takers(current, after) else {
      steps[Int(state) * width + column] = Self.matched
      return Self.matched
    }
    var next = State()
    if !isEnd {
      next.before = after
      for (place, set) in takers where classes.members[set][column] {
        next.places.append(Int32(place + 1))
      }
    }
    if states.count >= Self.maximumStates, numbers[next] == nil {
      forget(keeping: current, &state)
    }
    let number = number(of: next)
    steps[Int(state) * width + column] = number
    return number
  }

  private mutating func forget(keeping current: State, _ state: inout Int32) {
    states.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    _ = number(of: State())
    state = number(of: current)
  }

  private mutating func number(of state: State) -> Int32 {
    if let known = numbers[state] { return known }
    let number = Int32(states.count)
    states.append(state)
    numbers[state] = number
    steps += repeatElement(Self.unknown, count: width)
    return number
  }

  /// The instructions that wait for a scalar, ascending, with their sets; nil for a match.
  private func takers(_ state: State, _ after: Edge) -> [(place: Int, set: Int)]? {
    var takers: [(place: Int, set: Int)] = []
    var isSeen = [Bool](repeating: false, count: program.instructions.count)
    var open = [0] + state.places.map { Int($0) }
    while let place = open.popLast() {
      if isSeen[place] { continue }
      isSeen[place] = true
      switch program.instructions[place] {
      case .take(let set): takers.append((place, set))
      case .jump(let target): open.append(target)
      case .fork(let one, let other): open += [other, one]
      case .check(let assertion):
        if Self.holds(assertion, state.before, after) { open.append(place + 1) }
      case .match: return nil
      }
    }
    return takers.sorted { $0.place < $1.place }
  }

  private static func holds(
    _ assertion: ExpressionNode.Assertion,
    _ before: Edge,
    _ after: Edge,
  ) -> Bool {
    switch assertion {
    case .start: before == .none
    case .end: after == .none
    case .wordBoundary: (before == .word) != (after == .word)
    case .noWordBoundary: (before == .word) == (after == .word)
    }
  }
}
