/// What stands after a command's name, read from its synopsis: the notation is the declaration.
///
/// Upper-case words are placeholders (`N`, `FEED`), lower-case ones and `-` stand for themselves;
/// `|` is between alternatives, `…` after what may be repeated, brackets are around what may be
/// left out.
struct Synopsis {
  /// What may stand in each place of an operand.
  private(set) var operands: [[String]] = []
  /// Whether the last place may be filled many times.
  private(set) var isRepeated = false
  /// The options that are mentioned, as they are typed.
  private(set) var mentioned: [String] = []

  init(_ text: String, options: [CommandOption]) {
    var isValue = false
    for word in text.split(separator: " ") {
      let isAlone = word.allSatisfy { "|[]…".contains($0) }
      guard !isAlone, !isValue else {
        isValue = isAlone && isValue
        continue
      }
      isValue = add(word, options)
    }
  }

  /// The alternatives at a place, counted from 0; none where nothing may stand.
  func alternatives(at place: Int) -> [String] {
    if place < operands.count { return operands[place] }
    return isRepeated ? operands.last ?? [] : []
  }

  /// Takes one word; whether the next one is an option's value.
  private mutating func add(_ word: Substring, _ options: [CommandOption]) -> Bool {
    let parts = word.split { "|[]…".contains($0) }.map(String.init)
    let names = parts.filter { $0.hasPrefix("-") && $0 != "-" }
    mentioned += names
    let others = parts.filter { !names.contains($0) }
    if !others.isEmpty {
      operands.append(others)
      isRepeated = word.contains("…")
    }
    return names.contains { name in
      options.contains { ($0.spelling == name || "-\($0.key)" == name) && $0.value != nil }
    }
  }
}
