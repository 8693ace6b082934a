package struct ManualFacts: Sendable {
  /// The day of the last change that users can see, in the form of mdoc(7).
  package var day = ""
  package var purpose = ""
  package var description: [String] = []
  package var json: JSONForm
  package var environment: [(name: String, meaning: String)] = []
  package var fileNotes = ""
  package var files: [(name: String, meaning: String)] = []
  package var statuses: [(name: String, meaning: String)] = []
  package var session: [HelpExample] = []
  package var related = ""

  package init(json: JSONForm) { self.json = json }
}

package struct ManualPage {
  private let program: ProgramDeclaration
  private let facts: ManualFacts

  package init(_ program: ProgramDeclaration, _ facts: ManualFacts) {
    (self.program, self.facts) = (program, facts)
  }

  package var source: String {
    var page = Roff()
    addHead(&page)
    addCommands(&page)
    page.macro("Sh", .macro("JSON"))
    page.prose("The keys of what --json prints are in \(program.name)-json(1).")
    addSurroundings(&page)
    addExamples(&page)
    return page.text
  }

  /// The page of all keys of `--json`.
  package var jsonSource: String {
    var page = Roff()
    addTitle("\(program.name)-json", "the keys of what \(program.name) prints as JSON", &page)
    let line: [Roff.Word] = [.macro("Ar"), .text("command"), .macro("Fl"), .text("-json")]
    page.macro("Nm", [.text(program.name)] + line)
    page.macro("Sh", .macro("DESCRIPTION"))
    page.prose(
      "With --json a command that prints data prints JSON. Absent values are null. Keys stay as "
        + "they are; new ones may be added."
    )
    addForm(program.name, facts.json, &page)
    for (words, form) in program.commands.flatMap({ $0.jsonForms }) {
      addForm("\(program.name) \(words)", form, &page)
    }
    page.macro("Sh", .macro("SEE"), .macro("ALSO"))
    page.prose("\(program.name)(1), jq(1)")
    return page.text
  }

  /// Returns the page of one command: what the whole page says of it, with its examples.
  package func source(of command: any CommandDeclaration.Type) -> String {
    var page = Roff()
    addTitle("\(program.name)-\(command.name)", command.summary, &page)
    addLine(of: command, &page)
    page.macro("Sh", .macro("DESCRIPTION"))
    page.prose(Self.sentence(command.summary))
    addDetails(of: command, &page)
    page.macro("Pp")
    page.prose("The options of every command are in \(program.name)(1).")
    let forms = command.jsonForms
    if !forms.isEmpty { page.macro("Sh", .macro("JSON")) }
    for (words, form) in forms { addForm("\(program.name) \(words)", form, &page) }
    page.macro("Sh", .macro("EXAMPLES"))
    addExamples(command.examples, &page)
    page.macro("Sh", .macro("SEE"), .macro("ALSO"))
    page.prose("\(program.name)(1)")
    return page.text
  }

  private func addTitle(_ name: String, _ purpose: String, _ page: inout Roff) {
    page.macro("Dd", .macro(facts.day))
    page.macro("Dt", .macro(name.uppercased()), .macro("1"))
    page.macro("Os")
    page.macro("Sh", .macro("NAME"))
    page.macro("Nm", .text(name))
    page.macro("Nd", .text(purpose))
    page.macro("Sh", .macro("SYNOPSIS"))
  }

  private func addHead(_ page: inout Roff) {
    addTitle(program.name, facts.purpose, &page)
    page.macro("Nm")
    page.macro("Op", .macro("Ar"), .text("command"))
    page.macro("Op", .macro("Ar"), .text("option ..."))
    page.macro("Op", .macro("Ar"), .text("operand ..."))
    page.macro("Sh", .macro("DESCRIPTION"))
    for (index, paragraph) in facts.description.enumerated() {
      if index > 0 { page.macro("Pp") }
      page.prose(paragraph)
    }
    page.macro("Pp")
    page.prose("These options may be given to every command:")
    addOptions(program.options, &page)
  }

  private func addCommands(_ page: inout Roff) {
    page.macro("Sh", .macro("COMMANDS"))
    for command in program.commands {
      page.macro("Ss", .text(program.name), .text(command.name))
      page.macro("D1", [.macro("Nm"), .macro("Cm"), .text(command.name)] + operands(of: command))
      page.macro("Pp")
      page.prose(Self.sentence(command.summary))
      addDetails(of: command, &page)
    }
  }

  private func addLine(of command: any CommandDeclaration.Type, _ page: inout Roff) {
    page.macro(
      "Nm",
      [.text(program.name), .macro("Cm"), .text(command.name)] + operands(of: command),
    )
  }

  private func addDetails(of command: any CommandDeclaration.Type, _ page: inout Roff) {
    addOptions(command.options, &page)
    for note in command.notes {
      page.macro("Pp")
      page.prose(note)
    }
  }

  private func operands(of command: any CommandDeclaration.Type) -> [Roff.Word] {
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
    addTags("Ev", facts.environment, &page)
    page.macro("Sh", .macro("FILES"))
    page.prose(facts.fileNotes)
    addTags("Pa", facts.files, &page)
    page.macro("Sh", .macro("EXIT"), .macro("STATUS"))
    addTags("Li", facts.statuses, &page)
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
    addExamples(facts.session + program.commands.flatMap { $0.examples }, &page)
    page.macro("Sh", .macro("SEE"), .macro("ALSO"))
    page.prose(facts.related)
  }

  private func addExamples(_ examples: [HelpExample], _ page: inout Roff) {
    for example in examples {
      page.prose(Self.sentence(example.meaning, end: ":"))
      page.verbatim([example.words])
    }
  }

  private static func sentence(_ text: String, end: String = ".") -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : end)
  }
}
