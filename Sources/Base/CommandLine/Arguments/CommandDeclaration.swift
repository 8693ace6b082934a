package protocol CommandDeclaration: SendableMetatype {
  static var name: String { get }
  static var summary: String { get }
  /// The operands and options, such as `N… [--browser]`.
  static var synopsis: String { get }
  static var examples: [HelpExample] { get }
  static var options: [CommandOption] { get }
  static var notes: [String] { get }
  static var json: JSONForm? { get }
  /// The forms that take its place with an option.
  static var jsonWith: [(option: String, form: JSONForm)] { get }
}

extension CommandDeclaration {
  package static var options: [CommandOption] { [] }
  package static var notes: [String] { [] }
  package static var json: JSONForm? { nil }
  package static var jsonWith: [(option: String, form: JSONForm)] { [] }

  /// The forms of all its JSON, by the words before `--json`.
  package static var jsonForms: [(words: String, form: JSONForm)] {
    (json.map { [(name, $0)] } ?? []) + jsonWith.map { ("\(name) --\($0.option)", $0.form) }
  }
}

package struct CommandGroup: Sendable {
  package let name: String
  package let title: String
  package let commands: [any CommandDeclaration.Type]

  package init(name: String, title: String, commands: [any CommandDeclaration.Type]) {
    (self.name, self.title, self.commands) = (name, title, commands)
  }
}

package struct ProgramDeclaration: Sendable {
  package let name: String
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

  package var commands: [any CommandDeclaration.Type] { groups.flatMap(\.commands) }

  func command(named name: String) -> (any CommandDeclaration.Type)? {
    commands.first { $0.name == name }
  }

  /// The options of all commands; one takes a value in every command that has it, or in none.
  var commandOptions: [CommandOption] { commands.flatMap { $0.options } }
}

package struct HelpExample: Hashable, Sendable {
  package let words: String
  package let meaning: String

  package init(_ words: String, _ meaning: String) {
    self.words = words
    self.meaning = meaning
  }
}
