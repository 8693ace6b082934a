/// What `--dates` may say.
enum DateChoice: String, CaseIterable, Sendable {
  /// `3 h ago`, `12 Mar`.
  case relative
  /// `2026-11-01T11:42:00+01:00`: to the second, in the time zone here.
  case iso
  /// As the feed published it.
  case published

  static let option = CommandOption(
    "dates",
    value: "FORM",
    help: "relative, iso or published (relative on a terminal, published when piped)",
  )

  /// The choice of the command line; nil without the option.
  static func read(
    _ context: CommandContext,
    command: String,
  ) throws(CommandError) -> DateChoice? {
    guard let word = context.arguments.value(option.name) else { return nil }
    if let choice = DateChoice(rawValue: word) { return choice }
    let hint =
      Spelling.nearest(to: word, among: allCases.map(\.rawValue))
      .map { "; did you mean \($0)?" } ?? ""
    throw .usage(
      "--dates: \(Spelling.quoted(word)) is none of relative, iso and published\(hint)",
      command: command,
    )
  }
}
