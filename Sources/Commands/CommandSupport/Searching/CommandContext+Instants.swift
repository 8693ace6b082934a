import CommandLine
package import Searching

extension CommandContext {
  /// Returns the time in an option, in seconds since 1970; nil without the option.
  package func instant(_ name: String, _ edge: TimeExpression.Edge) throws -> Int? {
    guard let word = arguments.value(name) else { return nil }
    if let seconds = TimeExpression(clock: clock).seconds(word, edge: edge) { return seconds }
    throw usage(
      "--\(name): \(Spelling.quoted(word)) is not a time"
        + " (2026-11-01, 2026-11-01T10:00, yesterday, tuesday, last week, 3d or 2h)"
    )
  }
}
