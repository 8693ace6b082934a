package struct Arguments: Hashable, Sendable {
  private struct Given: Hashable, Sendable {
    let key: String
    let value: String?
    let isRepeatable: Bool
    let isCommand: Bool
  }

  package private(set) var operands: [String] = []
  private var options: [Given] = []
  /// Keys of options before these words that do not hold any more.
  private var withdrawn: Set<String> = []

  package init() {}

  package var isEmpty: Bool { operands.isEmpty && options.isEmpty && withdrawn.isEmpty }

  package func has(_ key: String) -> Bool {
    options.contains { $0.key == key }
  }

  package func value(_ key: String) -> String? {
    options.first { $0.key == key }?.value
  }

  package func values(_ key: String) -> [String] {
    options.compactMap { $0.key == key ? $0.value : nil }
  }

  /// The commands that options give, which are run or kept.
  package var commands: [String] { options.filter(\.isCommand).compactMap(\.value) }

  package mutating func add(operand: String) {
    operands.append(operand)
  }

  package mutating func removeFirstOperand() { operands.removeFirst() }

  package mutating func add(_ option: CommandOption, value: String?) {
    options.append(
      Given(
        key: option.key,
        value: value,
        isRepeatable: option.isRepeatable,
        isCommand: option.value == CommandOption.command,
      )
    )
  }

  package mutating func remove(_ option: CommandOption) {
    options.removeAll { $0.key == option.key }
  }

  mutating func withdraw(_ option: CommandOption) {
    remove(option)
    withdrawn.insert(option.key)
  }

  /// Returns these words with the options of earlier ones before them.
  ///
  /// An earlier option gives way to one of its key, unless that may be repeated, to its opposite
  /// (`--images` and `--no-images`), and to any that stands in a group with it.
  package func over(_ earlier: Arguments, rivals: [[String]]) -> Arguments {
    var result = self
    let kept = earlier.options.filter { option in
      !withdrawn.contains(option.key)
        && !options.contains { Self.replaces($0, option, rivals) }
    }
    result.options = kept + options
    return result
  }

  /// Returns the keys of two options that exclude each other: opposites, or two of a group.
  package func clash(_ groups: [[String]]) -> (String, String)? {
    for (index, later) in options.enumerated() {
      for earlier in options[..<index]
      where earlier.key != later.key && Self.replaces(later, earlier, groups) {
        return (earlier.key, later.key)
      }
    }
    return nil
  }

  private static func replaces(_ later: Given, _ earlier: Given, _ rivals: [[String]]) -> Bool {
    if later.key == earlier.key { return !later.isRepeatable }
    let areOpposite = later.key == "no-\(earlier.key)" || earlier.key == "no-\(later.key)"
    let areRivals = rivals.contains { $0.contains(later.key) && $0.contains(earlier.key) }
    // `--untag a` is no rival of `--tag b`.
    let areOfOthers = later.isRepeatable && earlier.isRepeatable && later.value != earlier.value
    return areOpposite || areRivals && !areOfOthers
  }
}
