package import FeedFetching

/// Everything that the commands have of the world outside: tests put their own in its place.
package struct Environment {
  /// The value of an environment variable.
  package var variable: (String) -> String?
  package var clock: WallClock
  package var output: TextOutput
  /// Standard error; written at once.
  package var errorOutput: TextOutput
  /// One line of standard input; nil at its end.
  package var readLine: () -> String?
  var readInput: (Int) throws(FileReadingError) -> [UInt8]
  package var terminal: TerminalFacts
  package var currentFolder: () -> String?
  /// Built when it is first needed: most commands stay off the network.
  package var makeFetcher: () -> any FeedFetcher
  /// Starts a program and waits for it: its exit status, 127 when there is no such program.
  package var launch: ([String]) -> Int32
  /// Starts a pager with variables of its own, gives it lines that have their line feeds, and waits:
  /// its exit status, 127 when there is no such program.
  var showInPager: ([String], [String: String], [String]) -> Int32 = {
    Platform.page($0, variables: $1, lines: $2)
  }
  /// From now on SIGINT and SIGTERM cancel this instead of ending the process.
  package var cancelOnInterruption: (FetchCancellation) -> Void
  /// The signal that asked the process to stop; nil while none did.
  package var interruption: () -> Int32?
  /// The system keeps data under `Library/Application Support`, and opens links with `open`.
  package var isMacOS: Bool

  /// What has to be done before anything else: open descriptors 0 to 2, and no death by SIGPIPE.
  package static func prepareProcess() {
    Platform.openStandardDescriptors()
    Platform.ignoreSignals()
  }

  func report(_ error: CommandError) {
    for (index, line) in error.lines.enumerated() {
      errorOutput.printLine(index == 0 ? "news: \(line)" : line)
    }
  }

  /// The process that we are.
  package static func process() -> Environment {
    Environment(
      variable: Platform.environmentVariable,
      clock: .system,
      output: .descriptor(1),
      errorOutput: .descriptor(2, capacity: 0),
      readLine: { Platform.readLine(from: 0) },
      readInput: { limit throws(FileReadingError) in
        try Platform.readAll(0, maximumBytes: limit)
      },
      terminal: .standard(),
      currentFolder: Platform.currentFolder,
      makeFetcher: { SourceFetcher() },
      launch: Platform.run,
      cancelOnInterruption: { Platform.noteInterruptions(waking: $0.signalDescriptor) },
      interruption: Platform.interruption,
      isMacOS: isMacOS,
    )
  }

  #if os(macOS)
  private static let isMacOS = true
  #else
  private static let isMacOS = false
  #endif
}
