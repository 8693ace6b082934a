/// A form for a story that the user chose (`--format`): text with fields in braces.
struct StoryTemplate: Hashable, Sendable {
  /// What stands after the colon in `{title:q}`.
  enum Form: Hashable, Sendable {
    case plain
    /// One word of a shell.
    case quoted
    /// Cut, and filled with spaces, to so many columns.
    case columns(Int)
    case date(DateFormat)
  }

  enum Piece: Hashable, Sendable {
    case text(String)
    case field(TemplateField, Form)
  }

  static let option = CommandOption(
    "format",
    value: "TEMPLATE",
    help: "print each story so: '{n} {title} {link} {date:%F}'",
  )

  /// What the help says of templates.
  static let notes = [
    "--format: the fields are " + TemplateField.names.joined(separator: ", ")
      + ". {title:q} is quoted for a shell, {title:40} fitted to 40 columns, {date:%F %H:%M} and "
      + "{stored:%F} are dates in the forms of strftime(3); {{ and }} are braces, \\t, \\n, \\0 and "
      + "\\\\ a tab, a line feed, NUL and a backslash. Each story ends with a line feed, unless the "
      + "template ends with \\0. Control characters in a story are never printed."
  ]

  let pieces: [Piece]

  /// Whether a line feed follows each story: not after the NUL that `xargs -0` reads.
  var endsLine: Bool {
    guard case .text(let text) = pieces.last else { return true }
    return !text.hasSuffix("\0")
  }

  /// One story.
  func text(_ story: TemplateStory) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let field, let form): Self.text(story, field, form)
      }
    }.joined() + (endsLine ? "\n" : "")
  }

  private static func text(_ story: TemplateStory, _ field: TemplateField, _ form: Form) -> String {
    switch form {
    case .plain: story.text(field)
    case .quoted: ShellWord.quoted(story.text(field))
    case .columns(let columns): TerminalText.fit(story.text(field), to: columns)
    case .date(let format): story.dateText(field, format)
    }
  }
}
