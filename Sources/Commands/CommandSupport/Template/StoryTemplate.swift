package import CommandLine
package import FeedStorage

package struct StoryTemplate: Sendable {
  /// The part after the colon in `{title:q}`.
  enum Form: Sendable {
    case plain
    case quoted
    case columns(Int)
    case date(DateFormat)
  }

  enum Piece: Sendable {
    case text(String)
    case field(TemplateField, Form)
  }

  package static let option = CommandOption(
    "format",
    value: "TEMPLATE",
    help: "print each story in this form: '{n} {title} {link} {date:%F}'",
  )

  package static let notes = [
    "--format: the fields are " + TemplateField.names.joined(separator: ", ")
      + ". {title:q} is quoted for a shell, {title:40} fitted to 40 columns, {date:%F %H:%M} and "
      + "{stored:%F} are dates in the forms of strftime(3); {{ and }} are braces, \\t, \\n, \\0 and "
      + "\\\\ a tab, a line feed, NUL and a backslash. Each story ends with a line feed, unless the "
      + "template ends with \\0. Control characters in a story are never printed. "
      + "{words} counts the words of the text that is stored, and {minutes} how long \(WordCount.wordsOfMinute) "
      + "words each take, rounded up; of Chinese and Japanese two signs count as a word. Both read "
      + "the text of each story, so a long list with them takes longer."
  ]

  let pieces: [Piece]

  /// True if a line feed follows each story: not after the NUL that `xargs -0` reads.
  var endsLine: Bool {
    guard case .text(let text) = pieces.last else { return true }
    return !text.hasSuffix("\0")
  }

  /// Returns a word for a program, and the first field that would be an option there.
  ///
  /// A field that begins with a minus, and is a word of its own for the program or for a shell, has
  /// a blank before it, except after `--`.
  package func word(
    _ story: TemplateStory,
    isBehindDashes: Bool,
  ) -> (text: String, guarded: String?) {
    var text = ""
    var guarded: String?
    for piece in pieces {
      switch piece {
      case .text(let literal): text += literal
      case .field(let field, let form):
        let isQuoted = if case .quoted = form { true } else { false }
        let value = isQuoted ? story.text(field) : Self.text(story, field, form)
        let isOption =
          value.hasPrefix("-") && (isQuoted || text.isEmpty) && !isBehindDashes
          && !text.contains("-- ")
        if isOption { guarded = guarded ?? value }
        let word = isOption ? " " + value : value
        text += isQuoted ? ShellWord.quoted(word) : word
      }
    }
    return (text, guarded)
  }

  package func names(_ name: String) -> Bool {
    pieces.contains { if case .field(let field, _) = $0 { field.name == name } else { false } }
  }

  /// Returns the store's texts if a field is looked for in them, else nil.
  package func texts(_ context: CommandContext) -> StoryTextIndex? {
    let isNeeded = pieces.contains { piece in
      if case .field(let field, _) = piece { field.isInText } else { false }
    }
    return isNeeded ? (try? context.store())?.textIndex() : nil
  }

  package func text(_ story: TemplateStory) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let field, let form): Self.text(story, field, form)
      }
    }.joined() + (endsLine ? "\n" : "")
  }

  /// Returns the path of a file: a field is never more than one part, but for a date with a slash.
  package func path(_ story: TemplateStory) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let field, .date(let format)): story.dateText(field, format)
      case .field(let field, let form):
        String(Self.text(story, field, form).map { $0 == "/" ? " " : $0 })
      }
    }.joined()
  }

  static func text(_ story: TemplateStory, _ field: TemplateField, _ form: Form) -> String {
    switch form {
    case .plain: story.text(field)
    case .quoted: ShellWord.quoted(story.text(field))
    case .columns(let columns): TerminalText.fit(story.text(field), to: columns)
    case .date(let format): story.dateText(field, format)
    }
  }
}

extension StoryTemplate {
  package static func read(_ context: CommandContext) throws -> StoryTemplate? {
    guard let text = context.arguments.value(option.name) else { return nil }
    do {
      return try StoryTemplate(text)
    } catch {
      throw context.usage("--format: \(error.line)")
    }
  }

  package init(_ text: String) throws {
    var pieces: [Piece] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        literal.append(character)
        rest.removeFirst()
      case "{":
        if !literal.isEmpty { pieces.append(.text(literal)) }
        literal = ""
        pieces.append(try Self.field(&rest))
      case "}": throw Failure("a } without {; a brace itself is written }}")
      case "\\": literal += try Self.escape(rest.popFirst())
      default: literal.append(character)
      }
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
    self.pieces = pieces
  }

  private static func escape(_ letter: Character?) throws -> String {
    switch letter {
    case "n": "\n"
    case "t": "\t"
    case "0": "\0"
    case "\\": "\\"
    case let letter:
      throw Failure(
        "\\\(letter.map { Spelling.quoted(String($0)) } ?? "") means nothing;"
          + " there are \\n, \\t, \\0 and \\\\"
      )
    }
  }

  static func field(_ rest: inout Substring) throws -> Piece {
    guard let end = rest.firstIndex(of: "}") else {
      throw Failure("a { without }; a brace itself is written {{")
    }
    let parts = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    rest = rest[rest.index(after: end)...]
    let name = String(parts[0])
    guard let field = TemplateField.named(name) else { throw unknown(name) }
    return .field(field, parts.count == 2 ? try form(String(parts[1]), of: field) : .plain)
  }

  private static func form(_ text: String, of field: TemplateField) throws -> Form {
    if text == "q" { return .quoted }
    if let columns = Int(text), (1...1000).contains(columns) { return .columns(columns) }
    guard field.isDate, text.contains("%") else {
      let forms = field.isDate ? "a form such as %F, q, or columns" : "q, or columns"
      throw Failure(
        "{\(field.name):\(Spelling.quoted(text))}: after the colon stands \(forms)"
      )
    }
    return .date(try DateFormat(text))
  }

  private static func unknown(_ name: String) -> Failure {
    let names = TemplateField.names
    let nearest = name.isEmpty ? nil : Spelling.nearest(to: name, among: names)
    let hint =
      nearest.map { "; did you mean {\($0)}?" }
      ?? "; there are \(names.joined(separator: ", "))"
    let shown = SafeText.prefix(SafeText.line(name), maximumCharacters: 80)
    return Failure("unknown field {\(shown)}\(hint)")
  }
}
