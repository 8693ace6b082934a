/// A command as `help --json` prints it.
enum HelpJSON {
  static let keys = [
    JSONKey("name", "the word that calls it"),
    JSONKey("summary", "what it does"),
    JSONKey("synopsis", "what stands after its name"),
    JSONKey(
      "examples",
      "command lines",
      inside: [JSONKey("words", "the line"), JSONKey("meaning", "what it does")],
    ),
    JSONKey(
      "options",
      "those of every command included",
      inside: [
        JSONKey("name", "the long name without dashes, null without one"),
        JSONKey("letter", "the short name, null without one"),
        JSONKey("value", "what its value is called, null when it takes none"),
        JSONKey("help", "what it does"),
      ],
    ),
    JSONKey("notes", "an array of strings"),
  ]

  static func value(_ command: any Command.Type) -> JSONValue {
    .object([
      JSONMember("name", .string(command.name)),
      JSONMember("summary", .string(command.summary)),
      JSONMember("synopsis", .string(command.synopsis)),
      JSONMember("examples", .array(command.examples.map(value))),
      JSONMember("options", .array((command.options + CommandOption.global).map(value))),
      JSONMember("notes", .strings(command.notes)),
    ])
  }

  private static func value(_ example: HelpExample) -> JSONValue {
    .object([
      JSONMember("words", .string(example.words)), JSONMember("meaning", .string(example.meaning)),
    ])
  }

  private static func value(_ option: CommandOption) -> JSONValue {
    .object([
      JSONMember("name", .text(option.name)),
      JSONMember("letter", .text(option.letter.map(String.init))),
      JSONMember("value", .text(option.value)),
      JSONMember("help", .string(option.help)),
    ])
  }
}
