package import CommandLine
package import FeedStorage

/// The program that a command belongs to, for commands that run others of it.
package struct Program: Sendable {
  package let commands: CommandList
  package let run: @Sendable (_ words: [String], Environment) -> Int32
  /// Returns the arguments of a command with the reader's defaults before them.
  let withDefaults: @Sendable (_ words: [String], Environment) -> Arguments
  /// Returns true for the words of a command that may take long (`Command.isSlow`).
  package let isSlow: @Sendable (_ words: [String], Environment) -> Bool
  /// Refreshes the feeds that words name, all without one; returns a summary.
  package let refresh:
    @Sendable (CommandContext, LibraryStore, _ feeds: [String], ProgressLine) -> String

  package init(
    commands: CommandList,
    run: @escaping @Sendable (_ words: [String], Environment) -> Int32,
    withDefaults: @escaping @Sendable (_ words: [String], Environment) -> Arguments,
    isSlow: @escaping @Sendable (_ words: [String], Environment) -> Bool,
    refresh:
      @escaping @Sendable (CommandContext, LibraryStore, _ feeds: [String], ProgressLine) -> String,
  ) {
    (self.commands, self.run, self.isSlow) = (commands, run, isSlow)
    (self.withDefaults, self.refresh) = (withDefaults, refresh)
  }
}
