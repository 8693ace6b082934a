package import CommandLine
package import FeedFetching
// `Date` and the C library are in nearly every file of this module.
@_exported public import System

/// The outside world of the commands; tests put their own in its place.
package struct Environment: Sendable {
  package var program: Program
  package var variable: @Sendable (String) -> String?
  package var clock: WallClock
  package var output: TextOutput
  package var outputDescriptor: Int32 = 1
  /// Standard error; written at once.
  package var errorOutput: TextOutput
  package var readLine: @Sendable () -> String?
  /// True for the commands that the table view runs.
  package var isInTableView = false
  /// Asks in the place of the terminal; nil where the terminal is asked.
  package var ask: (@Sendable (String) -> String?)?
  /// Gives standard input, up to so many bytes, in pieces that do not outlive the call.
  package var readInput:
    @Sendable (Int, (UnsafeRawBufferPointer) -> Void) throws(FileReadingError) -> Void
  package var terminal: TerminalFacts
  package var currentFolder: @Sendable () -> String?
  /// Builds a fetcher when it is first needed: most commands stay off the network.
  package var makeFetcher: @Sendable () -> any FeedFetcher
  /// Runs a program to its end: its exit status, 127 when there is no such program.
  package var launch: @Sendable ([String]) -> Int32
  package var runProgram: @Sendable ([String], String) -> POSIX.ProgramAnswer? = { _, _ in nil }
  package var startProgram: @Sendable ([String]) -> ProgramPipe? = { ProgramPipe(starting: $0) }
  /// The `news` of another machine, where it has started this one.
  package var caller = ProgramPipe(readingFrom: 0, writingTo: 1)
  /// The path of this program's file; nil when it is gone.
  package var executable: @Sendable () -> String? = { nil }
  /// The commit of the build; nil where the build was not told it and is not in a checkout of git.
  package var commit: String?
  /// A name for people, and an id that no other machine has.
  package var machine: @Sendable () -> (name: String, id: String) = { POSIX.machine }
  /// Runs a pager with variables of its own on lines that have their line feeds.
  ///
  /// Returns its exit status, 127 when there is no such program.
  package var showInPager: @Sendable ([String], [String: String], [String]) -> Int32 = {
    Pager.show($2, with: $0, variables: $1)
  }
  /// The longest time between saves of what a run has fetched; nil for the usual one.
  package var savingInterval: Duration?
  /// Makes SIGINT, SIGTERM, SIGHUP and SIGQUIT cancel this instead of ending the process.
  package var cancelOnInterruption: @Sendable (FetchCancellation) -> Void
  /// Lets a process with these rights read untrusted data from now on; `isAwaited` starts it now.
  package var beginReading: @Sendable (Confinement, _ isAwaited: Bool) -> Void = { _, _ in }
  /// Has another process do work from now on that this one may do no more (`Starter.handOver`).
  package var handOver: @Sendable (Int, ([Int32]) -> Void) -> [Int32]? = { _, _ in nil }
  /// Leaves this process these rights, for good; returns why, where some could not be taken away.
  package var confine: @Sendable (Confinement) -> [String] = { _ in [] }
  /// The signal that asked the process to stop; nil while none did.
  package var interruption: @Sendable () -> Int32?
  /// True where data is kept under `Library/Application Support`, and `open` opens links.
  package var isMacOS: Bool

  /// Opens descriptors 0 to 2, ignores SIGPIPE and shares memory among threads, before anything
  /// else.
  package static func prepareProcess() {
    POSIX.shareMemory()
    POSIX.openStandardDescriptors()
    POSIX.ignoreSignals()
  }

  /// Returns true if a folder of `PATH` has that program, or if it is a path that leads to one.
  package func hasProgram(_ name: String) -> Bool {
    if name.contains("/") { return access(name, X_OK) == 0 }
    return (variable("PATH") ?? "").split(separator: ":").contains {
      access("\($0)/\(name)", X_OK) == 0
    }
  }

  /// The columns for text: `COLUMNS`, else the window's, else 80.
  var columns: Int {
    if let text = variable("COLUMNS"), let value = Int(text), value > 0 {
      return min(value, 10_000)
    }
    return terminal.columns ?? 80
  }

  package func report(_ error: any Error) {
    for (index, line) in error.lines.enumerated() {
      tell(index == 0 ? "news: \(line)" : line)
    }
  }

  /// Prints a line on standard error, wrapped at words on a terminal.
  func tell(_ line: String) {
    // The table view, which sets `ask`, lays lines out itself.
    guard terminal.isErrorTerminal, ask == nil,
      TerminalText.width(TerminalText.unstyled(line)) > columns
    else { return errorOutput.printLine(line) }
    let margin = String(line.prefix { $0 == " " })
    for row in TerminalText.wrap(line, to: max(columns - margin.count, 1)) {
      errorOutput.printLine(margin + row)
    }
  }

  package static func process(_ program: Program) -> Environment {
    Environment(
      program: program,
      variable: { name in
        getenv(name).map { String(cString: $0) } ?? (name == "HOME" ? POSIX.ownFolder : nil)
      },
      clock: .system,
      output: .descriptor(1),
      errorOutput: .descriptor(2, capacity: 0),
      readLine: readLine,
      readInput: { limit, body throws(FileReadingError) in
        try POSIX.readAll(0, maximumBytes: limit, body)
      },
      terminal: .standard(),
      currentFolder: folder,
      makeFetcher: { SourceFetcher() },
      launch: run,
      runProgram: runProgram,
      executable: { POSIX.executablePath },
      cancelOnInterruption: { POSIX.noteInterruptions(waking: $0.event) },
      beginReading: { confinement, isAwaited in
        Starter.begin {
          ReaderWork.run($0, confinement, isAwaited: isAwaited)
        }
        if isAwaited { Starter.prepareReader() }
      },
      handOver: Starter.handOver,
      confine: { $0.begin().words.off },
      interruption: POSIX.interruption,
      isMacOS: isMacOS,
    )
  }

  /// Reads a line of standard input; nil at its end and when the process is asked to stop.
  ///
  /// Reads byte by byte, so that nothing of the next line is swallowed.
  private static func readLine() -> String? {
    var line: [UInt8] = []
    while line.count < 4096 {
      guard POSIX.interruption() == nil else { return nil }
      var byte: UInt8 = 0
      let count = read(0, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else {
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  private static func folder() -> String? {
    guard let buffer = getcwd(nil, 0) else { return nil }
    defer { free(buffer) }
    return String(cString: buffer)
  }

  /// Runs with dates and messages that are alike everywhere, for at most 30 seconds.
  private static func runProgram(_ words: [String], _ input: String) -> POSIX.ProgramAnswer? {
    POSIX.run(
      words,
      input: input,
      variables: programVariables,
      until: .now + .seconds(30),
    )
  }

  static let programVariables = ["LC_ALL": "C.UTF-8", "TZ": "UTC"]

  /// Sends the program's standard output to our standard error, so that data stays data.
  private static func run(_ arguments: [String]) -> Int32 {
    StartedProgram(arguments, copying: [(from: 2, to: 1)], as: .independent)?.waitForEnd() ?? 127
  }

  #if os(macOS)
  private static let isMacOS = true
  #else
  private static let isMacOS = false
  #endif
}

extension Environment {
  package func isSet(_ name: String) -> Bool { variable(name).map { !$0.isEmpty } ?? false }

  /// True in a terminal to which a line leads.
  package var isRemote: Bool {
    ["SSH_CONNECTION", "SSH_TTY", "MOSH", "MOSH_CONNECTION"].contains(where: isSet)
  }
}
