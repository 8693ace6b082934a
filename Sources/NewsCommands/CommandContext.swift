import FeedFetching
import FeedModel
import FeedStorage

/// What a command works with: its words, and the world outside.
struct CommandContext {
  let arguments: Arguments
  let environment: Environment
  /// How standard output is dressed.
  let style: Style
  /// How standard error is dressed.
  let errorStyle: Style

  init(command: String?, arguments: Arguments, environment: Environment) throws(CommandError) {
    self.arguments = arguments
    self.environment = environment
    let word = arguments.value("color") ?? "auto"
    guard let choice = ColorChoice(rawValue: word) else {
      throw .usage(
        "--color: \(Spelling.quoted(word)) is none of auto, always and never",
        command: command,
      )
    }
    style = .forStream(
      isTerminal: environment.terminal.isOutputTerminal,
      choice: choice,
      variable: environment.variable,
    )
    errorStyle = .forStream(
      isTerminal: environment.terminal.isErrorTerminal,
      choice: choice,
      variable: environment.variable,
    )
  }

  var output: TextOutput { environment.output }
  var isJSON: Bool { arguments.has("json") }
  var isQuiet: Bool { arguments.has("quiet") }
  var isVerbose: Bool { arguments.has("verbose") }
  var isOnTerminal: Bool { environment.terminal.isOutputTerminal }

  /// Whether a question can be asked and answered.
  var canAsk: Bool {
    environment.terminal.isInputTerminal && environment.terminal.isErrorTerminal
  }

  /// Columns to lay text out in: `COLUMNS`, else the window's, else 80.
  var columns: Int {
    if let text = environment.variable("COLUMNS"), let value = Int(text), value > 0 {
      return min(value, 10_000)
    }
    return environment.terminal.columns ?? 80
  }

  /// Rows of the screen: `LINES`, else the window's; nil when nobody knows.
  var rows: Int? {
    if let text = environment.variable("LINES"), let value = Int(text), value > 0 { return value }
    return environment.terminal.rows.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Where everything is kept.
  func home() throws(CommandError) -> String {
    try HomeFolder.path(option: arguments.value("home"), environment: environment)
  }

  func store() throws(CommandError) -> LibraryStore {
    LibraryStore(home: try home())
  }

  /// What asks servers, with the passwords that commands say; with `--verbose` it tells of each
  /// request.
  func makeFetcher() -> any FeedFetcher {
    let fetcher = PasswordFetcher(base: environment.makeFetcher())
    guard isVerbose, !isQuiet else { return fetcher }
    return TellingFetcher(base: fetcher, output: environment.errorOutput)
  }

  /// Says something that is no data, unless it is not wanted (`--quiet`).
  func say(_ line: String) {
    if !isQuiet { environment.errorOutput.printLine(line) }
  }

  /// Says what went wrong without ending the command.
  func complain(_ message: String) {
    environment.errorOutput.printLine("news: \(SafeText.line(message))")
  }

  /// Asks whether to go ahead; only a clear yes is one.
  func confirm(_ question: String) -> Bool {
    let answer = ask("\(question) [y/N] ")?.lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Asks a question on the terminal; nil when there is no answer.
  func ask(_ question: String) -> String? {
    environment.output.flush()
    environment.errorOutput.print(question)
    environment.errorOutput.flush()
    return environment.readLine().map { SafeText.line($0) }
  }
}
