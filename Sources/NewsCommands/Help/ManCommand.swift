struct ManCommand: Command {
  static let name = "man"
  static let summary = "the manual page: shown on a terminal, printed when piped"
  static let synopsis = ""
  static let examples = [
    HelpExample("news man", "read it"),
    HelpExample("news man > ~/.local/share/man/man1/news.1", "install it"),
  ]
  static let notes = ["It is written in mdoc(7), for man, mandoc and groff."]

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("man takes no operands: news man") }
    let source = ManualPage(commands: CommandList.all).source
    if context.isOnTerminal, isShown(source) { return .done }
    context.output.print(source)
    if context.isOnTerminal { context.say("to read it, install man-db or mandoc") }
    return .done
  }

  private func isShown(_ source: String) -> Bool {
    context.output.flush()
    return [["man", "-l", "-"], ["mandoc", "-a"]].contains { words in
      // The shell's words for a program that it could not find, or not start.
      ![126, 127].contains(context.environment.showInPager(words, [:], [source]))
    }
  }
}

/// The manual page news(1), made from what the commands declare.
struct ManualPage {
  let commands: [any Command.Type]

  var source: String {
    var page = Roff()
    addHead(&page)
    addCommands(&page)
    addJSON(&page)
    addSurroundings(&page)
    addExamples(&page)
    return page.text
  }

  private func addHead(_ page: inout Roff) {
    page.macro("Dd", .macro(Version.day))
    page.macro("Dt", .macro("NEWS"), .macro("1"))
    page.macro("Os")
    page.macro("Sh", .macro("NAME"))
    page.macro("Nm", .text("news"))
    page.macro("Nd", .text("follow RSS, Atom and JSON feeds from the command line"))
    page.macro("Sh", .macro("SYNOPSIS"))
    page.macro("Nm")
    page.macro("Op", .macro("Ar"), .text("command"))
    page.macro("Op", .macro("Ar"), .text("option ..."))
    page.macro("Op", .macro("Ar"), .text("operand ..."))
    page.macro("Sh", .macro("DESCRIPTION"))
    for (index, paragraph) in ManualFacts.description.enumerated() {
      if index > 0 { page.macro("Pp") }
      page.prose(paragraph)
    }
    page.macro("Pp")
    page.prose("These options may be given to every command:")
    addOptions(CommandOption.global, &page)
  }

  private func addCommands(_ page: inout Roff) {
    page.macro("Sh", .macro("COMMANDS"))
    for command in commands {
      page.macro("Ss", .text("news"), .text(command.name))
      page.macro("D1", [.macro("Nm"), .macro("Cm"), .text(command.name)] + operands(of: command))
      page.macro("Pp")
      page.prose(Self.sentence(command.summary))
      addOptions(command.options, &page)
      for note in command.notes {
        page.macro("Pp")
        page.prose(note)
      }
    }
  }

  private func operands(of command: any Command.Type) -> [Roff.Word] {
    guard !command.synopsis.isEmpty else { return [] }
    return [.macro("No"), .text(command.synopsis)]
  }

  private func addOptions(_ options: [CommandOption], _ page: inout Roff) {
    guard !options.isEmpty else { return }
    page.macro("Bl", .macro("-tag"), .macro("-width"), .macro("Ds"))
    for option in options {
      var words: [Roff.Word] = []
      if let letter = option.letter { words += [.macro("Fl"), .text(String(letter))] }
      if !option.name.isEmpty {
        words += words.isEmpty ? [.macro("Fl")] : [.macro(","), .macro("Fl")]
        words.append(.text("-\(option.name)\(option.optionalValue.map { "[=\($0)]" } ?? "")"))
      }
      if let value = option.value { words += [.macro("Ar"), .text(value)] }
      page.macro("It", words)
      page.prose(Self.sentence(option.help))
    }
    page.macro("El")
  }

  private func addJSON(_ page: inout Roff) {
    page.macro("Sh", .macro("JSON"))
    page.prose(
      "With --json a command that prints data prints JSON. Absent values are null. Keys stay as "
        + "they are; new ones may be added."
    )
    addForm("news", Welcome.json, &page)
    for command in commands {
      if let form = command.json { addForm("news \(command.name)", form, &page) }
    }
  }

  private func addForm(_ name: String, _ form: JSONForm, _ page: inout Roff) {
    page.macro("Ss", (name + " --json").split(separator: " ").map { .text(String($0)) })
    let kind = form.isArray ? "An array of objects" : "An object"
    page.prose("\(kind): \(form.meaning).")
    addKeys(form.keys, &page)
  }

  private func addKeys(_ keys: [JSONKey], _ page: inout Roff) {
    let width = (keys.map(\.name.count).max() ?? 0) + 2
    page.macro("Bl", .macro("-tag"), .macro("-width"), .macro("\(width)n"), .macro("-compact"))
    for key in keys {
      page.macro("It", .macro("Va"), .text(key.name))
      page.prose(key.meaning + (key.inside.isEmpty ? "" : ":"))
      if !key.inside.isEmpty { addKeys(key.inside, &page) }
    }
    page.macro("El")
  }

  private func addSurroundings(_ page: inout Roff) {
    page.macro("Sh", .macro("ENVIRONMENT"))
    addTags("Ev", ManualFacts.environment, &page)
    page.macro("Sh", .macro("FILES"))
    page.prose(ManualFacts.fileNotes)
    addTags("Pa", ManualFacts.files, &page)
    page.macro("Sh", .macro("EXIT"), .macro("STATUS"))
    addTags("Li", ManualFacts.statuses, &page)
  }

  private func addTags(_ macro: String, _ rows: [(String, String)], _ page: inout Roff) {
    page.macro("Bl", .macro("-tag"), .macro("-width"), .macro("Ds"))
    for (name, meaning) in rows {
      page.macro("It", .macro(macro), .text(name))
      page.prose(Self.sentence(meaning))
    }
    page.macro("El")
  }

  private func addExamples(_ page: inout Roff) {
    page.macro("Sh", .macro("EXAMPLES"))
    for example in ManualFacts.session + commands.flatMap({ $0.examples }) {
      page.prose(Self.sentence(example.meaning, end: ":"))
      page.verbatim([example.words])
    }
    page.macro("Sh", .macro("SEE"), .macro("ALSO"))
    page.prose("jq(1), curl(1), systemd.timer(5), crontab(5), netrc(5)")
  }

  private static func sentence(_ text: String, end: String = ".") -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : end)
  }
}
