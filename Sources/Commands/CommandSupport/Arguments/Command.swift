package import CommandLine

package protocol Command: CommandDeclaration {
  /// True for a command whose caller looks at the stories.
  static var isVisit: Bool { get }
  /// True for a command that needs the terminal for itself, as a player and a pager do.
  static var needsTerminal: Bool { get }
  /// Words that, as the first operand, make another action of the command.
  static var actions: [String] { get }
  /// Groups of options of which one alone may be given; one that is typed takes the place of the
  /// defaults' others.
  static var exclusions: [[String]] { get }

  /// Returns true where a person may have typed the words, and false for calls of programs.
  static func takesDefaults(_ typed: Arguments) -> Bool

  var context: CommandContext { get }
  /// The reach of the process that reads untrusted data; nil where none is read.
  var readerAccess: ReaderAccess? { get }
  /// True if the command always reads, so that the process may begin before it is asked.
  var readsAlways: Bool { get }
  /// True if the command may take long, so that marks are not to wait behind it.
  var isSlow: Bool { get }

  init(context: CommandContext)

  func run() throws -> ExitStatus
}

extension Command {
  package static var isVisit: Bool { false }
  package static var needsTerminal: Bool { false }
  package static var actions: [String] { [] }
  package static var exclusions: [[String]] { [] }
  package static func takesDefaults(_ typed: Arguments) -> Bool { true }
  package var readerAccess: ReaderAccess? { nil }
  package var readsAlways: Bool { false }
  package var isSlow: Bool {
    switch readerAccess {
    case .network, .files: true
    case .texts, nil: false
    }
  }

  package func usage(_ message: String) -> Failure {
    context.usage(message)
  }

  /// Throws where options exclude each other, or stand without what they belong to.
  package static func check(_ given: Arguments) throws {
    if let (one, other) = given.clash(allExclusions) {
      let spellings = [one, other].map { key in
        (options + CommandOption.global).first { $0.key == key }?.spelling ?? key
      }
      let both = spellings.joined(separator: " and ")
      throw Failure.usage("\(both) cannot be used together", command: name)
    }
    for option in options where given.has(option.key) && !hasCompany(option, given) {
      let company = option.companions.map { actions.contains($0) ? $0 : "--\($0)" }
      let words = company.joined(separator: " or ")
      throw Failure.usage("\(option.spelling) can only be used with \(words)", command: name)
    }
  }

  /// Returns the words without options of defaults that stand without what they belong to.
  package static func inCompany(_ given: Arguments) -> Arguments {
    var result = given
    for option in options where !hasCompany(option, given) { result.remove(option) }
    return result
  }

  package static var allExclusions: [[String]] { exclusions + [["json", "format"]] }

  private static func hasCompany(_ option: CommandOption, _ given: Arguments) -> Bool {
    option.companions.isEmpty
      || option.companions.contains { name in
        given.has(name) || actions.contains(name) && given.operands.first == name
      }
  }
}

extension CommandContext {
  package func deadline() throws -> Duration? {
    guard let text = arguments.value("deadline") else { return nil }
    guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
      throw usage(
        "--deadline: \(Spelling.quoted(text)) is not a number of seconds above zero, such as 30"
      )
    }
    return .milliseconds(Int64(seconds * 1000))
  }
}

extension CommandOption {
  package static let global: [CommandOption] = [
    CommandOption("home", value: "DIR", help: "keep everything in DIR (or set NEWS_HOME)"),
    CommandOption("json", help: "print JSON"),
    CommandOption("quiet", "q", help: "print data and errors only"),
    CommandOption("verbose", "v", help: "tell of each request, and why others were not made"),
    CommandOption("color", value: "auto|always|never", help: "colours; auto is on terminals only"),
    CommandOption("no-defaults", help: "leave out the options of your defaults"),
    CommandOption("no-history", help: "do not note when you look at your stories, nor go by it"),
    CommandOption("help", "h", help: "show this help"),
    CommandOption("version", "V", help: "print the version"),
  ]
}
