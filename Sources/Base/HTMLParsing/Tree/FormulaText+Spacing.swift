// A space stands on both sides of what has a sign that could take what stands beside it.
extension FormulaText {
  private struct Part {
    let node: Int32
    let line: String
    /// True of a part whose line has a sign that could take what stands beside it: `1/2`, `w^T`.
    var hasOperator: Bool
    /// True where the sign of a product that is not seen stands before it.
    let isFactor: Bool
  }

  func line(_ nodes: [Int32]) -> String {
    let parts = parts(nodes)
    return parts.indices.map { index in
      let part = parts[index]
      guard index > 0, isApart(parts[index - 1], part) else { return part.line }
      // Four and three eighths have no product between them.
      let isProduct = part.isFactor && name(parts[index - 1].node) == "mn" && isFraction(part.node)
      return (isProduct ? "·" : " ") + part.line
    }.joined()
  }

  private func parts(_ nodes: [Int32]) -> [Part] {
    var parts: [Part] = []
    var isFactor = false
    for node in nodes.flatMap(seen) {
      let isFenced = parts.last.map { isFence($0.node) } ?? false
      let line = name(node) == "mtable" ? table(node, isFenced: isFenced) : self.line(node)
      isFactor = isFactor || name(node) == "mo" && content(of: node) == "\u{2062}"
      guard !line.isEmpty else { continue }
      let hasOperator = hasOperator(node, line)
      parts.append(Part(node: node, line: line, hasOperator: hasOperator, isFactor: isFactor))
      isFactor = false
    }
    for index in parts.indices where isTight(parts[index].node) {
      parts[index].hasOperator = parts[max(index - 1, 0)...].prefix(3).contains(
        where: \.hasOperator
      )
    }
    return parts
  }

  /// Returns what stands in groups that are not seen.
  private func seen(_ node: Int32) -> [Int32] {
    let isGroup = ["mrow", "mstyle", "mpadded"].contains(name(node)) && !hasText(node)
    return isGroup ? children(of: node).flatMap(seen) : [node]
  }

  private func isFraction(_ node: Int32) -> Bool { name(node) == "mfrac" }

  func hasOperator(_ node: Int32, _ line: String) -> Bool {
    Self.operators.contains(name(node)) && line.contains { "/√^_( ".contains($0) }
  }

  private static let operators = scripted.union([
    "mfrac", "msqrt", "mroot", "mover", "mmultiscripts", "menclose",
  ])

  private func isApart(_ part: Part, _ next: Part) -> Bool {
    guard let last = part.line.last, let first = next.line.first, !last.isWhitespace else {
      return false
    }
    let isClear = !(part.hasOperator || next.hasOperator) || ends(part.node) || begins(next.node)
    return !isClear || isApart(part.node, last, next.node, first)
  }

  /// True of a sign behind which nothing is taken for a part of what stands before it.
  private func ends(_ node: Int32) -> Bool {
    sign(node).map { !isTight(node) && !Self.closing.contains($0) } ?? false
  }

  private func begins(_ node: Int32) -> Bool {
    sign(node).map { !isTight(node) && (!isFence(node) || "|‖".contains($0)) } ?? false
  }

  private func isTight(_ node: Int32) -> Bool { sign(node).map(Self.tight.contains) ?? false }

  private static let tight: Set<String> = [
    "/", "∕", "÷", "×", "·", "⋅", "∗", "*", "∘", "!", "%", "^", "_", "√",
  ]
  private static let closing: Set<String> = [")", "]", "}", "⟩", "⌋", "⌉"]

  func isFence(_ node: Int32) -> Bool { sign(node).map(Self.fences.contains) ?? false }

  private static let fences: Set<String> = ["(", "[", "{", "|", "‖", "⟨", "⌊", "⌈"]

  func sign(_ node: Int32) -> String? {
    let node = inner(node)
    return name(node) == "mo" && children(of: node).isEmpty ? token(node) : nil
  }

  /// True where two words or numbers would be one without a space: `sin x`.
  private func isApart(
    _ node: Int32,
    _ last: Character,
    _ next: Int32,
    _ first: Character,
  ) -> Bool {
    guard first.isLetter || first.isNumber, last.isLetter || last.isNumber else { return false }
    return isWord(node) || isWord(next) || name(node) == "mn" && name(next) == "mn"
  }

  private func isWord(_ node: Int32) -> Bool {
    let node = base(of: node)
    return name(node) == "mi" && children(of: node).isEmpty && content(of: node).count > 1
  }

  private func base(of node: Int32) -> Int32 {
    guard Self.scripted.contains(name(node)), let first = children(of: node).first else {
      return node
    }
    return first
  }
}
