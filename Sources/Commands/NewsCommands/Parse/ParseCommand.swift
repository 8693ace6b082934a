import CommandLine
import CommandSupport
import FeedFetching
import FeedLibrary
import FeedModel
import FeedParsing
import FeedUpdating
import FollowingCommands
import HTMLText

struct ParseCommand: Command {
  static let name = "parse"
  static let summary = "show what is in a feed, without storing anything"
  static let synopsis = "FILE|URL|- | --date STRING"
  static let examples = [
    HelpExample("news parse feed.xml", "show format, title, stories, and what was repaired"),
    HelpExample("news parse https://example.com/feed --json", "print the whole document as JSON"),
    HelpExample("curl -s URL | news parse -", "standard input"),
    HelpExample("news parse --date 'Tue, 10 Jun 2003 04:00:00 GMT'", "parse one date; prints UTC"),
  ]
  static let options = [
    CommandOption(
      "date",
      value: "STRING",
      help: "parse one date, and print it in UTC, or - if it is none",
    ),
    .maximumSize,
  ]
  static let notes = [
    "The exit status is 65 if the source is not a feed. For a web page, the feeds that it "
      + "announces are listed."
  ]
  static let json: JSONForm? = .object(
    "the document; with --date, one string or null",
    FeedJSON.fields,
  )

  let context: CommandContext

  var readerAccess: ReaderAccess? {
    let words = context.arguments.operands
    return words.isEmpty ? nil : words.contains(where: WebURL.isWeb) ? .network : .texts
  }
  var readsAlways: Bool { true }

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    if let text = context.arguments.value("date") {
      guard words.isEmpty else {
        throw usage("--date takes no source beside it: news parse --date STRING")
      }
      return printDate(text)
    }
    guard let word = words.first, words.count == 1 else {
      throw usage(
        words.isEmpty
          ? "say what to parse: news parse FILE" : "parse takes one source: news parse FILE"
      )
    }
    let feed = try feed(word)
    if context.isJSON {
      context.output.printLine(PrintedJSON.object(FeedJSON.fields, feed).description)
    } else {
      DocumentSummary(context: context).print(feed)
    }
    return .done
  }

  private func printDate(_ text: String) -> ExitStatus {
    let date = FeedDate.date(text).map(RFC3339.string)
    context.output.printLine(context.isJSON ? PrintedJSON.text(date).description : date ?? "-")
    return .done
  }

  private func feed(_ word: String) throws -> Feed {
    let size = try context.maximumBytes()
    let url = word == "-" ? word : try context.source(word).url
    let name = word == "-" ? "standard input" : WebURL.printable(word)
    let requests = [FetchRequest(url: url)]
    let document = context.documents(
      requests,
      printing: context.isJSON ? .items : .lines,
      maximumBytes: size,
    ).first.flatMap(\.self)
    switch document?.feed {
    case .success(let feed): return feed
    case .failure(.library(let fault)): throw Failure("\(name): \(fault.sentence)")
    case .failure(let error): throw notAFeed(error, name)
    case nil:
      let reason = document?.reason ?? "no answer"
      throw Failure("\(name): \(SafeText.line(reason))")
    }
  }

  private func notAFeed(_ error: FeedParsingError, _ name: String) -> Failure {
    guard case .webPage(let announced) = error, !announced.isEmpty else {
      return Failure("\(name): \(SafeText.line("\(error)"))", status: .notAFeed)
    }
    return Failure(
      "\(name): \(error); it announces \(Count.of(announced.count, "feed")):",
      choices: announced.map { FeedFinder.line($0, isVerbose: context.isVerbose) },
      status: .notAFeed,
    )
  }
}

enum FeedJSON {
  static let fields: [JSONField<Feed>] = [
    JSONField(
      "format",
      "rss0.90, rss0.91, rss0.92, rss1.0, rss2.0, atom0.3, atom1.0, jsonfeed1.0 or jsonfeed1.1",
    ) { .string($0.format.rawValue) },
    JSONField("title", "plain text") { .text($0.title) },
    JSONField("link", "the feed's web page") { .text($0.link) },
    JSONField("description", "plain text") { .text($0.description) },
    JSONField("language", "as the document has it, such as en-us") { .text($0.language) },
    JSONField("date", "when the document was made, as YYYY-MM-DDTHH:MM:SSZ") { .date($0.date) },
    JSONField("items", "the stories in the document's order", array: itemFields) { $0.items },
  ]

  private static let itemFields: [JSONField<Item>] = ownFields + StoryJSON.published

  private static let ownFields: [JSONField<Item>] = [
    JSONField("title", "plain text") { .text($0.title) },
    JSONField("link", "an absolute URL") { .text($0.link) },
    JSONField("pubDate", "the date as it was published") { .text($0.pubDate) },
    StoryJSON.dateField,
    JSONField("guid", "what the feed knows it by") { .text($0.guid) },
    JSONField("author", "who wrote it") { .text($0.author) },
    JSONField("summary", "plain text") { .text($0.summary) },
    JSONField("categories", "what it is about, an array of strings") { .strings($0.categories) },
    JSONField(
      "enclosures",
      "files that it carries",
      // A string, like the attribute of a document.
      array: StoryJSON.enclosureFields { .text($0.map { String($0) }) },
    ) { $0.enclosures },
  ]
}

struct DocumentSummary {
  let context: CommandContext

  func print(_ feed: Feed) {
    for fact in facts(feed) { context.output.printLine(fact) }
    if feed.lines.count > 0 {
      context.output.printLine()
      print(feed.lines)
    }
    let notes = notes(feed)
    if !notes.isEmpty { context.output.printLine() }
    for note in notes { context.output.printLine("note: \(SafeText.line(note))") }
  }

  private func facts(_ feed: Feed) -> [String] {
    let facts: [(String, String?)] = [
      ("Format", feed.format.rawValue), ("Title", feed.title), ("Link", feed.link),
      ("About", feed.description), ("Language", feed.language),
      ("Date", feed.date.map(RFC3339.string)), ("Stories", String(feed.lines.count)),
    ]
    return facts.compactMap { name, value in
      let text = SafeText.line(value ?? "")
      guard !text.isEmpty else { return nil }
      return context.style.dim(TerminalText.fit(name, to: 8)) + "  " + cut(text, leaving: 10)
    }
  }

  private func print(_ stories: StoryLines) {
    let width = String(stories.count).count
    let unknown = TerminalText.fit("-", to: 20)
    // A narrow terminal has room for the titles alone.
    let hasDates = !context.isOnTerminal || context.columns >= 50
    let room = width + (hasDates ? 24 : 2)
    let (style, output) = (context.style, context.output)
    // PERF: text that stays as it is becomes no string.
    let isPlain = !context.isOnTerminal && !style.isColored && !style.hasHyperlinks
    var index = 0
    stories.visit { date, link, title in
      index += 1
      output.print { line in
        let number = String(index)
        line.append(contentsOf: repeatElement(0x20, count: width - number.utf8.count))
        line += number.utf8
        line += "  ".utf8
        if isPlain, !date.isEmpty {
          line += date
        } else if hasDates {
          line += style.dim(date.isEmpty ? unknown : date.string).utf8
        }
        if hasDates { line += "  ".utf8 }
        if isPlain {
          line += title
        } else {
          line += style.link(cut(title.string, leaving: room), to: link.string).utf8
        }
        line.append(0x0A)
      }
    }
  }

  private func cut(_ text: String, leaving taken: Int) -> String {
    context.isOnTerminal ? TerminalText.cut(text, to: max(context.columns - taken, 10)) : text
  }

  private func notes(_ feed: Feed) -> [String] {
    feed.notes + (feed.isComplete ? [] : ["the document ends before its end tag"])
  }
}
