/// What a command says of itself: for the help, the manual, the shells and the reader of arguments.
package protocol CommandDeclaration: SendableMetatype {
  static var name: String { get }
  static var summary: String { get }
  /// What stands after its name, such as `N… [--browser]`.
  static var synopsis: String { get }
  static var examples: [HelpExample] { get }
  static var options: [CommandOption] { get }
  static var notes: [String] { get }
  static var json: JSONForm? { get }
}

extension CommandDeclaration {
  package static var options: [CommandOption] { [] }
  package static var notes: [String] { [] }
  package static var json: JSONForm? { nil }
}

/// Commands that serve one purpose.
package struct CommandGroup: Sendable {
  /// The word that calls it in the help.
  package let name: String
  package let title: String
  package let commands: [any CommandDeclaration.Type]

  package init(name: String, title: String, commands: [any CommandDeclaration.Type]) {
    (self.name, self.title, self.commands) = (name, title, commands)
  }
}

/// A program: its name, its commands, and the options that all of them have.
package struct ProgramDeclaration: Sendable {
  package let name: String
  /// What it is, in a few words.
  package let summary: String
  package let groups: [CommandGroup]
  package let options: [CommandOption]

  package init(
    name: String,
    summary: String,
    groups: [CommandGroup],
    options: [CommandOption],
  ) {
    (self.name, self.summary, self.groups, self.options) = (name, summary, groups, options)
  }

  /// All commands, in the order of the help.
  package var commands: [any CommandDeclaration.Type] { groups.flatMap(\.commands) }

  /// The command that a word calls.
  func command(named name: String) -> (any CommandDeclaration.Type)? {
    commands.first { $0.name == name }
  }

  /// The options of all commands: one takes a value in every command that has it, or in none.
  var commandOptions: [CommandOption] { commands.flatMap { $0.options } }
}

/// A command line and what it does.
package struct HelpExample: Hashable, Sendable {
  package let words: String
  package let meaning: String

  package init(_ words: String, _ meaning: String) {
    self.words = words
    self.meaning = meaning
  }
}
