/// A regular expression as a machine that many threads may run.
///
/// Thompson's construction: the machine is in several places at once, so that a text is read once
/// however the expression is written.
final class ExpressionProgram: Sendable {
  enum Instruction: Hashable, Sendable {
    /// Takes a scalar of the set with this number, and goes on behind.
    case take(Int)
    /// Goes on only where this holds.
    case check(ExpressionNode.Assertion)
    case jump(Int)
    /// Goes on at both.
    case fork(Int, Int)
    case match
  }

  let instructions: [Instruction]
  let classes: ScalarClasses

  static let maximumInstructions = 4_000

  init(_ node: ExpressionNode) throws(ExpressionError) {
    var compiler = Compiler()
    try compiler.add(node)
    instructions = compiler.instructions + [.match]
    let asksForWords =
      instructions.contains(.check(.wordBoundary)) || instructions.contains(.check(.noWordBoundary))
    classes = ScalarClasses(compiler.sets, word: asksForWords ? .word : nil)
  }

  private struct Compiler {
    var instructions: [Instruction] = []
    var sets: [ScalarSet] = []
    private var numbers: [ScalarSet: Int] = [:]
    /// Nodes and copies of them that may still be visited.
    private var budget = 10 * ExpressionProgram.maximumInstructions

    mutating func add(_ node: ExpressionNode) throws(ExpressionError) {
      budget -= 1
      guard budget > 0, instructions.count < ExpressionProgram.maximumInstructions else {
        throw .tooLarge
      }
      switch node {
      case .scalar(let set): instructions.append(.take(number(of: set)))
      case .assertion(let assertion): instructions.append(.check(assertion))
      case .sequence(let parts): for part in parts { try add(part) }
      case .alternatives(let branches): try add(alternatives: branches)
      case .repetition(let body, let minimum, let maximum):
        for _ in 0..<minimum { try add(body) }
        if let maximum {
          try add(optional: body, times: maximum - minimum)
        } else {
          try add(loop: body)
        }
      }
    }

    private mutating func number(of set: ScalarSet) -> Int {
      if let known = numbers[set] { return known }
      numbers[set] = sets.count
      sets.append(set)
      return sets.count - 1
    }

    private mutating func add(alternatives branches: [ExpressionNode]) throws(ExpressionError) {
      var ends: [Int] = []
      for (index, branch) in branches.enumerated() {
        guard index < branches.count - 1 else {
          try add(branch)
          break
        }
        let fork = instructions.count
        instructions.append(.match)
        try add(branch)
        ends.append(instructions.count)
        instructions.append(.match)
        instructions[fork] = .fork(fork + 1, instructions.count)
      }
      for end in ends { instructions[end] = .jump(instructions.count) }
    }

    private mutating func add(loop body: ExpressionNode) throws(ExpressionError) {
      let fork = instructions.count
      instructions.append(.match)
      try add(body)
      instructions.append(.jump(fork))
      instructions[fork] = .fork(fork + 1, instructions.count)
    }

    private mutating func add(
      optional body: ExpressionNode,
      times: Int,
    ) throws(ExpressionError) {
      var forks: [Int] = []
      for _ in 0..<times {
        forks.append(instructions.count)
        instructions.append(.match)
        try add(body)
      }
      for fork in forks { instructions[fork] = .fork(fork + 1, instructions.count) }
    }
  }
}
