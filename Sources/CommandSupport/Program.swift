import CommandLine
package import FeedStorage

/// The program that a command belongs to, for commands that run others of it.
package struct Program: Sendable {
  package let commands: CommandList
  package let run: @Sendable (_ words: [String], Environment) -> Int32
  /// Refreshes the feeds that a word names, all without one; returns a summary.
  package let refresh:
    @Sendable (CommandContext, LibraryStore, _ feed: String?, ProgressLine) -> String

  package init(
    commands: CommandList,
    run: @escaping @Sendable (_ words: [String], Environment) -> Int32,
    refresh:
      @escaping @Sendable (CommandContext, LibraryStore, _ feed: String?, ProgressLine) -> String,
  ) {
    (self.commands, self.run, self.refresh) = (commands, run, refresh)
  }
}
