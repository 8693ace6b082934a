package import CommandLine
package import FeedFetching
import FeedLibrary
import FeedModel
package import FeedStorage

package struct CommandContext: Sendable {
  /// The command's name; nil for `news` alone.
  package private(set) var command: String?
  package let arguments: Arguments
  package var environment: Environment
  package private(set) var style: Style
  private var author = ChangeAuthor.user

  package init(command: String?, arguments: Arguments, environment: Environment) throws {
    self.command = command
    self.arguments = arguments
    self.environment = environment
    if environment.isSet(Self.byPhone) { author = .phone }
    let word = arguments.value("color") ?? "auto"
    guard let choice = ColorChoice(rawValue: word) else {
      throw Failure.usage(
        "--color: \(Spelling.quoted(word)) is not one of auto, always and never",
        command: command,
      )
    }
    style = .forStream(
      isTerminal: environment.terminal.isOutputTerminal,
      choice: choice,
      variable: environment.variable,
    )
  }

  /// Returns a context for output within other output, where columns do not count from the first.
  package func inside(_ environment: Environment) -> CommandContext {
    var context = self
    context.environment = environment
    context.style.origin = nil
    return context
  }

  package func named(_ command: String) -> CommandContext {
    var context = self
    context.command = command
    return context
  }

  /// The variable that `news serve` sets for what it starts.
  package static let byPhone = "NEWS_BY_PHONE"

  /// Returns a context whose changes are a phone's.
  package var byPhone: CommandContext {
    var context = self
    context.author = .phone
    return context
  }

  /// The given options that hold for the commands that this one runs, too.
  package var passedOn: [String] {
    ["no-defaults", "no-history"].filter(arguments.has).map { "--\($0)" }
  }

  package var output: TextOutput { environment.output }
  package var clock: WallClock { environment.clock }
  package var isJSON: Bool { arguments.has("json") }
  package var isQuiet: Bool { arguments.has("quiet") }
  package var isVerbose: Bool { arguments.has("verbose") }
  package var isOnTerminal: Bool { environment.terminal.isOutputTerminal }

  package var columns: Int { environment.columns }

  /// The rows of the screen: `LINES`, else the window's; nil if unknown.
  package var rows: Int? {
    if let text = environment.variable("LINES"), let value = Int(text), value > 0 { return value }
    return environment.terminal.rows.flatMap { $0 > 0 ? $0 : nil }
  }

  /// True if the locale's character set is UTF-8, by the first variable set (POSIX.1 §8.2).
  package var isUTF8: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment.variable)
    guard let locale = names.first(where: { !$0.isEmpty })?.lowercased() else {
      return environment.isMacOS
    }
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  package func home() throws -> String {
    try HomeFolder.path(option: arguments.value("home"), environment: environment)
  }

  package func store() throws -> LibraryStore {
    let isNamed = arguments.has("home") || environment.isSet("NEWS_HOME")
    var store = LibraryStore(
      home: try home(),
      state: environment.stateFolder(isForNewHome: !isNamed),
    )
    store.typed = typedCommands
    store.notice = complain
    return store
  }

  package var origin: ChangeOrigin {
    var origin = ChangeOrigin(command: command ?? "", date: clock.date)
    origin.author = author
    return origin
  }

  package func usage(_ message: String) -> Failure {
    .usage(message, command: command)
  }

  package func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = arguments.value(name) else { return nil }
    if let number = Int(text), range.contains(number) { return number }
    let option = name.count == 1 ? "-\(name)" : "--\(name)"
    let end = range.upperBound < 10_000 ? " from \(range.lowerBound) to \(range.upperBound)" : ""
    throw usage("\(option): \(Spelling.quoted(text)) is not a number\(end)")
  }

  /// Returns the command in an option, for `sh`; nil without the option.
  ///
  /// Throws for control characters: a command is one line.
  package func commandLine(_ name: String) throws -> String? {
    guard let text = arguments.value(name) else { return nil }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
      throw usage("--\(name): a command of one line, or a script in a file of its own")
    }
    return String(text.drop { $0 == " " })
  }

  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: CommandOption
  ) throws -> Choice? {
    guard let word = arguments.value(option.name) else { return nil }
    if let choice = Choice(rawValue: word) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    let list = names.dropLast().joined(separator: ", ") + " and \(names.last ?? "")"
    let hint = Spelling.hint(word, among: names)
    throw usage("\(option.spelling): \(Spelling.quoted(word)) is not one of \(list)\(hint)")
  }

  /// Returns a fetcher that runs commands for feeds and passwords; `--verbose` logs each request.
  package func makeFetcher() -> any FeedFetcher {
    let store = try? store()
    let commands = { @Sendable in store?.ownWords() ?? OwnWords() }
    let web = PasswordFetcher(base: environment.makeFetcher(), commands: commands)
    let fetcher = CommandFetcher(base: web, commands: commands)
    guard isVerbose, !isQuiet else { return fetcher }
    return LoggingFetcher(base: fetcher, output: environment.errorOutput)
  }

  /// Returns the options of requests; servers that asked `library` to wait are left out.
  package func fetchOptions(library: Library? = nil) -> FetchOptions {
    var options = FetchOptions()
    let holds = library?.retryTimes ?? [:]
    options.stoppedServers = RefreshMoment(environment.clock.date, holds).stoppedServers
    if let home = environment.variable("HOME"), home.hasPrefix("/") {
      options.netrc = home + "/.netrc"
    }
    options.proxies = ProxySettings(variable: environment.variable)
    let named = { name in environment.variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    options.userAgent =
      named("NEWS_USER_AGENT").map { SafeText.line($0) } ?? "news/\(Version.number) (feed reader)"
    // libcurl itself reads none of these: its command line tool and OpenSSL's programs do.
    options.certificateAuthorities = named("CURL_CA_BUNDLE") ?? named("SSL_CERT_FILE")
    options.certificateDirectory = named("SSL_CERT_DIR")
    return options
  }

  /// Returns a cancellation that SIGINT, SIGTERM, SIGHUP and SIGQUIT set from now on.
  package func cancellation() -> FetchCancellation {
    let cancellation = FetchCancellation()
    environment.cancelOnInterruption(cancellation)
    return cancellation
  }

  package func say(_ line: String) {
    if !isQuiet { environment.tell(line) }
  }

  package func complain(_ message: String) {
    environment.tell("news: \(SafeText.line(message))")
  }
}

extension Pager {
  package init(_ context: CommandContext) {
    let isWanted = context.isOnTerminal && !context.arguments.has(Self.option.name)
    self.init(
      output: context.output,
      variable: isWanted ? context.environment.variable : nil,
      columns: context.columns,
      rows: context.rows,
      show: context.environment.showInPager,
    )
  }
}
