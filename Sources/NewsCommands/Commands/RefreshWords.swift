import Aggregation

/// The options that `refresh` and `fetch` share.
enum RefreshWords {
  static let options = [
    CommandOption(
      "keep",
      value: "N",
      help: "keep N stories of each feed that it no longer carries (1000; 0 keeps all)",
    ),
    CommandOption("max-size", value: "MIB", help: "refuse larger feeds, in MiB (32)"),
  ]

  static func read(
    _ context: CommandContext,
    command: String,
  ) throws(CommandError) -> RefreshOptions {
    var options = RefreshOptions(command: command)
    if let keep = try number("keep", 0...1_000_000_000, context, command) { options.keep = keep }
    if let size = try number("max-size", 1...2047, context, command) {
      options.maximumBytes = size << 20
    }
    return options
  }

  /// The number that an option has; nil without the option.
  static func number(
    _ name: String,
    _ range: ClosedRange<Int>,
    _ context: CommandContext,
    _ command: String,
  ) throws(CommandError) -> Int? {
    guard let text = context.arguments.value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let option = name.count == 1 ? "-\(name)" : "--\(name)"
      throw .usage(
        "\(option): \(Spelling.quoted(text)) is not a number from \(range.lowerBound)"
          + (range.upperBound < 10_000 ? " to \(range.upperBound)" : " up"),
        command: command,
      )
    }
    return number
  }
}
