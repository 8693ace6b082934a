package import CommandLine
import FeedLibrary
package import FeedModel
import FeedReading
package import FeedStorage
import HTMLText
import Searching

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

  private static func text(_ story: TemplateStory, _ field: TemplateField, _ form: Form) -> String {
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

  private static func field(_ rest: inout Substring) throws -> Piece {
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

/// A story for a template: its fields are text that can change neither a terminal nor a line.
package struct TemplateStory {
  let number: Int?
  let story: StoredItem
  let feed: String
  let dates: StoryDates
  var change: String?
  /// The numbers of the other stories of its row.
  let similar: [Int]
  package var texts: StoryTextIndex?
  /// The text that the story is to have, while it is not stored.
  var newText: StoryText?

  package init(
    number: Int?,
    story: StoredItem,
    feed: String,
    dates: StoryDates,
    change: String? = nil,
    similar: [Int] = [],
    texts: StoryTextIndex? = nil,
    newText: StoryText? = nil,
  ) {
    (self.number, self.story, self.feed, self.dates) = (number, story, feed, dates)
    (self.change, self.similar, self.texts, self.newText) = (change, similar, texts, newText)
  }

  func dateText(_ field: TemplateField, _ format: DateFormat) -> String {
    field.date?(self).map { format.text($0.wholeSeconds, clock: dates.clock) } ?? ""
  }

  func text(_ field: TemplateField) -> String {
    if let date = field.date { return date(self).map { dates.exactText($0.wholeSeconds) } ?? "" }
    return SafeText.line(field.text(self) ?? "")
  }

  fileprivate var enclosures: [String] {
    story.item.enclosures.map(\.url).filter(SafeLink.isSafe)
  }

  /// The first picture that its feed declares, else the first in its text.
  fileprivate var image: String? {
    if let url = story.item.pictures.first(where: SafeLink.isSafe) { return url }
    // A text that cannot be read shows none.
    guard let text = newText ?? (try? texts?.text(of: story)),
      let document = try? StoryReading.document(text, link: story.item.link)
    else { return nil }
    return document.images.compactMap(\.url).first(where: SafeLink.isSafe)
  }
}

extension TemplateStory {
  /// The number of words of the text that is shown; nil where there are none.
  fileprivate var words: Int? {
    if let newText { return newText.words }
    // A text that cannot be read has none.
    guard story.textKeys.isEmpty else { return (try? texts?.text(of: story))?.words }
    return StoryText.words(ofSummary: story.item.summary)
  }
}

struct TemplateField: Sendable {
  let name: String
  fileprivate var text: @Sendable (TemplateStory) -> String? = { _ in nil }
  fileprivate var date: (@Sendable (TemplateStory) -> Date?)?
  fileprivate var isInText = false

  var isDate: Bool { date != nil }

  static let names = all.map { $0.name }

  static func named(_ name: String) -> TemplateField? {
    all.first { $0.name == name }
  }

  private static let all: [TemplateField] = [
    .init(name: "n", text: { $0.number.map(String.init) }),
    .init(name: "id", text: { $0.story.id }),
    .init(name: "title", text: { $0.story.item.title }),
    .init(name: "link", text: { [$0.story.item.link].first(where: SafeLink.isSafe) }),
    .init(name: "guid", text: { $0.story.item.guid }),
    .init(name: "pubDate", text: { $0.story.item.pubDate }),
    .init(name: "date", date: { $0.story.item.date }),
    .init(name: "stored", date: { $0.story.stored }),
    .init(name: "feed", text: { $0.feed }),
    .init(
      name: "feeds",
      text: { $0.story.feeds.map { WebURL.redacted($0) }.joined(separator: " ") },
    ),
    .init(name: "author", text: { $0.story.item.author }),
    .init(name: "summary", text: { $0.story.item.summary }),
    .init(name: "categories", text: { $0.story.item.categories.joined(separator: ", ") }),
    .init(name: "read", text: { String($0.story.isRead) }),
    .init(name: "starred", text: { String($0.story.isStarred) }),
    .init(name: "note", text: { $0.story.note }),
    .init(name: "tags", text: { $0.story.tags.joined(separator: ", ") }),
    .init(name: "enclosure", text: { $0.enclosures.first }),
    .init(name: "enclosures", text: { $0.enclosures.joined(separator: " ") }),
    .init(name: "image", text: { $0.image }, isInText: true),
    .init(name: "words", text: { $0.words.map(String.init) }, isInText: true),
    .init(
      name: "minutes",
      text: { $0.words.map { String(WordCount.minutes(words: $0)) } },
      isInText: true,
    ),
    .init(
      name: "duration",
      text: { $0.story.item.enclosures.first?.duration.map { FileDescription.time($0) } },
    ),
    .init(name: "file", text: { $0.story.isDownloaded ? $0.story.file : nil }),
    .init(name: "season", text: { $0.story.item.season.map(String.init) }),
    .init(name: "episode", text: { $0.story.item.episode.map(String.init) }),
    .init(name: "chapters", text: { $0.story.item.chapters.map(\.words).joined(separator: "; ") }),
    .init(name: "people", text: { $0.story.item.people.map(\.words).joined(separator: ", ") }),
    .init(
      name: "comments",
      text: { [$0.story.item.comments ?? ""].first(where: SafeLink.isSafe) },
    ),
    .init(name: "change", text: { $0.change }),
    .init(name: "similar", text: { $0.similar.map(String.init).joined(separator: ",") }),
  ]
}
