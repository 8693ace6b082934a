package struct CommandOption: Hashable, Sendable {
  /// The name without dashes; empty for an option that has only a letter.
  package let name: String
  package let letter: Character?
  /// The placeholder in the help; nil for an option without a value, or with an optional one.
  package let value: String?
  /// The placeholder of a command of the user's (`Arguments.commands`).
  package static let command = "COMMAND"
  /// The placeholder of a value that is optional and must follow an equals sign.
  package let optionalValue: String?
  /// Takes the next word, too, as the optional value where that is a time: `--pause 3d`.
  let takesNextTime: Bool
  package let isRepeatable: Bool
  package let help: String
  /// The options and actions of which one has to be there; empty for an option that may stand alone.
  package private(set) var companions: [String] = []

  package init(
    _ name: String,
    _ letter: Character? = nil,
    value: String? = nil,
    optionalValue: String? = nil,
    takesNextTime: Bool = false,
    isRepeatable: Bool = false,
    help: String,
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.optionalValue = optionalValue
    self.takesNextTime = takesNextTime
    self.isRepeatable = isRepeatable
    self.help = isRepeatable ? "\(help); may be repeated" : help
  }

  package func only(with companions: String...) -> CommandOption {
    var option = self
    option.companions = companions
    return option
  }

  package var key: String {
    name.isEmpty ? letter.map(String.init) ?? "" : name
  }

  package var spelling: String {
    name.isEmpty ? "-\(key)" : "--\(name)"
  }

  /// The placeholders of the value, and words that stand for themselves.
  var alternatives: [String] {
    (value ?? optionalValue ?? "").split(separator: "|").map(String.init)
  }

  /// Returns the reason why a value is none of this option, as far as its placeholder tells.
  package func fault(of word: String) -> String? {
    let isWord = { (name: String) in name.allSatisfy { $0.isLowercase || $0 == "-" } }
    if value == "N" {
      return Int(word).map { $0 < 0 } ?? true
        ? "\(spelling): \(Spelling.quoted(word)) is not a number" : nil
    }
    guard alternatives.count > 1, alternatives.allSatisfy(isWord), !alternatives.contains(word)
    else { return nil }
    let list = alternatives.joined(separator: ", ")
    return "\(spelling): \(Spelling.quoted(word)) is not one of \(list)"
  }
}

extension [CommandOption] {
  /// The option whose value is the next word, as behind `--feed`, `-n` and `-qn`; nil behind `-n5`.
  package func waiting(behind word: String) -> CommandOption? {
    guard !word.contains("=") else { return nil }
    if word.hasPrefix("--") { return first { $0.spelling == word && $0.value != nil } }
    for (place, letter) in word.dropFirst().enumerated() {
      guard let option = first(where: { $0.letter == letter }) else { return nil }
      if option.value != nil { return place == word.count - 2 ? option : nil }
    }
    return nil
  }
}

/// The operands of a command, parsed from its synopsis.
///
/// Upper-case words are placeholders (`N`, `FEED`), lower-case ones and `-` stand for themselves;
/// `|` is between alternatives, `…` after what may be repeated, brackets are around what may be
/// left out.
package struct Synopsis {
  private(set) var operands: [[String]] = []
  private var isRepeated = false

  init(_ text: String, options: [CommandOption]) {
    var isValue = false
    for word in text.split(separator: " ") {
      let parts = word.split { "|[]…".contains($0) }.map(String.init)
      if parts.isEmpty { continue }
      isValue = isValue ? false : add(parts, isRepeated: word.contains("…"), options)
    }
  }

  func alternatives(at place: Int) -> [String] {
    if place < operands.count { return operands[place] }
    return isRepeated ? operands.last ?? [] : []
  }

  /// Adds the alternatives of one operand; true for an option whose value is the next word.
  private mutating func add(
    _ parts: [String],
    isRepeated: Bool,
    _ options: [CommandOption],
  ) -> Bool {
    let names = parts.filter { $0.hasPrefix("-") && $0 != "-" }
    let others = parts.filter { !names.contains($0) }
    if !others.isEmpty {
      operands.append(others)
      self.isRepeated = isRepeated
    }
    return names.contains { name in
      options.contains { ($0.spelling == name || "-\($0.key)" == name) && $0.value != nil }
    }
  }
}
