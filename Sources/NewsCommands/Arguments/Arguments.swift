/// What the words of a command line came to.
struct Arguments: Hashable, Sendable {
  private struct Given: Hashable, Sendable {
    let key: String
    let value: String?
  }

  /// The words that are no options and no values of options.
  private(set) var operands: [String] = []
  private var options: [Given] = []

  /// Whether an option was given.
  func has(_ key: String) -> Bool {
    options.contains { $0.key == key }
  }

  /// The value of an option, the last one if it was given more than once; nil without it.
  func value(_ key: String) -> String? {
    options.last { $0.key == key }?.value
  }

  /// The values of an option that may be given more than once.
  func values(_ key: String) -> [String] {
    options.compactMap { $0.key == key ? $0.value : nil }
  }

  mutating func add(operand: String) {
    operands.append(operand)
  }

  mutating func add(_ option: CommandOption, value: String?) {
    options.append(Given(key: option.key, value: value))
  }
}
