package import CommandLine
package import FeedFetching
// `Date` and the C library are in nearly every file of this module.
@_exported public import System

/// Everything that the commands have of the world outside: tests put their own in its place.
package struct Environment: Sendable {
  /// The value of an environment variable.
  package var variable: @Sendable (String) -> String?
  package var clock: WallClock
  package var output: TextOutput
  /// The descriptor that `output` writes to.
  var outputDescriptor: Int32 = 1
  /// Standard error; written at once.
  package var errorOutput: TextOutput
  /// One line of standard input; nil at its end.
  package var readLine: @Sendable () -> String?
  /// Asks in the place of the terminal; nil where the terminal is asked.
  var ask: (@Sendable (String) -> String?)?
  /// Gives all of standard input, up to so many bytes, in pieces that do not outlive the call.
  package var readInput:
    @Sendable (Int, (UnsafeRawBufferPointer) -> Void) throws(FileReadingError) -> Void
  package var terminal: TerminalFacts
  package var currentFolder: @Sendable () -> String?
  /// Built when it is first needed: most commands stay off the network.
  package var makeFetcher: @Sendable () -> any FeedFetcher
  /// Starts a program and waits for it: its exit status, 127 when there is no such program.
  package var launch: @Sendable ([String]) -> Int32
  /// Runs a program of the system's with a text as its standard input; nil when there is none such.
  package var runProgram: @Sendable ([String], String) -> POSIX.ProgramAnswer? = { _, _ in nil }
  /// Starts a program to exchange bytes with; nil when there is none such.
  var startProgram: @Sendable ([String]) -> ProgramPipe? = { ProgramPipe(starting: $0) }
  /// Another machine's news, where it has started this one.
  var caller = ProgramPipe(readingFrom: 0, writingTo: 1)
  /// The file of this program; nil when it is gone.
  package var executable: @Sendable () -> String? = { nil }
  /// The commit that the program was built from; nil where the build was neither told nor in a checkout
  /// of git.
  package var commit: String?
  /// What people call this machine, and what tells it from others.
  var machine: @Sendable () -> (name: String, id: String) = { POSIX.machine }
  /// Starts a pager with variables of its own, gives it lines that have their line feeds, and waits:
  /// its exit status, 127 when there is no such program.
  var showInPager: @Sendable ([String], [String: String], [String]) -> Int32 = {
    Pager.show($2, with: $0, variables: $1)
  }
  /// What a run has fetched is saved at least so often; nil as often as usual.
  package var savingInterval: Duration?
  /// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT cancel this instead of ending the process.
  package var cancelOnInterruption: @Sendable (FetchCancellation) -> Void
  /// Has what strangers wrote be read by a process with these rights from now on.
  package var beginReading: @Sendable (Confinement, _ isAwaited: Bool) -> Void = { _, _ in }
  /// Leaves this process these rights, for good.
  package var confine: @Sendable (Confinement) -> Void = { _ in }
  /// The signal that asked the process to stop; nil while none did.
  package var interruption: @Sendable () -> Int32?
  /// The system keeps data under `Library/Application Support`, and opens links with `open`.
  package var isMacOS: Bool

  /// What has to be done before anything else: open descriptors 0 to 2, and no death by SIGPIPE.
  package static func prepareProcess() {
    POSIX.openStandardDescriptors()
    POSIX.ignoreSignals()
  }

  /// Columns to lay text out in: `COLUMNS`, else the window's, else 80.
  var columns: Int {
    if let text = variable("COLUMNS"), let value = Int(text), value > 0 {
      return min(value, 10_000)
    }
    return terminal.columns ?? 80
  }

  func report(_ error: CommandError) {
    for (index, line) in error.lines.enumerated() {
      tell(index == 0 ? "news: \(line)" : line)
    }
  }

  /// Says a line on standard error; one that is too long for a terminal goes on at a word.
  func tell(_ line: String) {
    // The table view, which asks for itself, lays lines out itself.
    guard terminal.isErrorTerminal, ask == nil,
      TerminalText.width(TerminalText.unstyled(line)) > columns
    else { return errorOutput.printLine(line) }
    let margin = String(line.prefix { $0 == " " })
    for row in TerminalText.wrap(line, to: max(columns - margin.count, 1)) {
      errorOutput.printLine(margin + row)
    }
  }

  /// The process that we are.
  package static func process() -> Environment {
    Environment(
      variable: { name in getenv(name).map { String(cString: $0) } },
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
        Starter.begin { ReaderWork.run($0, confinement) }
        if isAwaited { Starter.prepareReader() }
      },
      confine: { _ = $0.begin() },
      interruption: POSIX.interruption,
      isMacOS: isMacOS,
    )
  }

  /// One line of standard input without its line feed; nil at the end of the input, and when the
  /// process is asked to stop.
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

  /// Dates and messages are as they are everywhere; what hangs is not waited for.
  private static func runProgram(_ words: [String], _ input: String) -> POSIX.ProgramAnswer? {
    POSIX.run(
      words,
      input: input,
      variables: programVariables,
      until: .now + .seconds(30),
    )
  }

  /// What `runProgram` is started with.
  static let programVariables = ["LC_ALL": "C.UTF-8", "TZ": "UTC"]

  /// Its standard output is ours of standard error, so that data stays data.
  private static func run(_ arguments: [String]) -> Int32 {
    StartedProgram(arguments, copying: [(from: 2, to: 1)], outlivesUs: true)?.waitForEnd() ?? 127
  }

  #if os(macOS)
  private static let isMacOS = true
  #else
  private static let isMacOS = false
  #endif
}
