/// An option that a command understands.
struct CommandOption: Hashable, Sendable {
  /// The long name without dashes; empty for an option that has only a letter.
  let name: String
  let letter: Character?
  /// What the value is called in the help; nil for an option without value.
  let value: String?
  /// One sentence for the help.
  let help: String

  init(_ name: String, _ letter: Character? = nil, value: String? = nil, help: String) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
  }

  /// The name under which its value is found: the long one, else the letter.
  var key: String {
    name.isEmpty ? letter.map(String.init) ?? "" : name
  }

  /// How it is typed: `--feed`, `-n`.
  var spelling: String {
    name.isEmpty ? "-\(key)" : "--\(name)"
  }
}

extension CommandOption {
  /// The options that every command has (design §2).
  static let global: [CommandOption] = [
    CommandOption("home", value: "DIR", help: "keep everything in DIR (or set NEWS_HOME)"),
    CommandOption("json", help: "print JSON"),
    CommandOption("quiet", "q", help: "print data and errors only"),
    CommandOption("verbose", "v", help: "tell of each request, and why others were not made"),
    CommandOption("color", value: "auto|always|never", help: "colours; auto is on terminals only"),
    CommandOption("help", "h", help: "show this help"),
    CommandOption("version", help: "print the version"),
  ]
}
