import FeedFetching
import FeedModel
import FeedParsing

/// `news parse`: what a document says; touches no store.
enum ParseCommand: Command {
  static let name = "parse"
  static let summary = "show what a feed's document says; stores nothing"
  static let synopsis = "FILE|URL|- | --date STRING"
  static let examples = [
    HelpExample("news parse feed.xml", "format, title, stories, and what is odd"),
    HelpExample("news parse https://example.com/feed --json", "the whole document as JSON"),
    HelpExample("curl -s URL | news parse -", "standard input"),
    HelpExample("news parse --date 'Tue, 10 Jun 2003 04:00:00 GMT'", "one date, in UTC"),
  ]
  static let options = [
    CommandOption("date", value: "STRING", help: "print the instant of a date, or - if it is none")
  ]
  static let notes = [
    "The status is 65 when the source is not a feed. A web page's feeds are listed."
  ]
  static let json: JSONForm? = .object(
    "the document; with --date, one string or null",
    FeedJSON.fields,
  )

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    if let text = context.arguments.value("date") {
      guard words.isEmpty else {
        throw usage("--date takes no source beside it: news parse --date STRING")
      }
      return printDate(text, context)
    }
    guard let word = words.first, words.count == 1 else {
      throw usage(
        words.isEmpty
          ? "say what to parse: news parse FILE" : "parse takes one source: news parse FILE"
      )
    }
    let feed = try feed(word, context)
    if context.isJSON {
      context.output.printLine(JSONValue.object(FeedJSON.fields, feed).description)
    } else {
      for line in DocumentSummary(context: context).lines(feed) { context.output.printLine(line) }
    }
    return .done
  }

  private static func printDate(_ text: String, _ context: CommandContext) -> ExitStatus {
    let date = FeedDate.date(text).map(FeedDate.rfc3339String)
    context.output.printLine(context.isJSON ? JSONValue.text(date).description : date ?? "-")
    return .done
  }

  private static func feed(
    _ word: String,
    _ context: CommandContext,
  ) throws(CommandError) -> Feed {
    let url = try url(word, context)
    let name = word == "-" ? "standard input" : FeedName.printableURL(word)
    let cancellation = FetchCancellation()
    context.environment.cancelOnInterruption(cancellation)
    let document = DocumentFetch(
      fetcher: context.makeFetcher(),
      options: Fetching.options(context),
      keepsBodies: false,
    ).documents([FetchRequest(url: url)], cancellation: cancellation).first
    switch document?.feed {
    case .success(let feed): return feed
    case .failure(.libraryMissing(let reason)):
      throw .failed("\(name): \(FeedParsingError.libraryMissing(reason))")
    case .failure(let error): throw notAFeed(error, name)
    case nil:
      let reason = document?.outcome.error.map { "\($0)" } ?? "no answer"
      throw .failed("\(name): \(SafeText.line(reason))")
    }
  }

  private static func url(
    _ word: String,
    _ context: CommandContext,
  ) throws(CommandError) -> String {
    if word == "-" { return word }
    return try FeedSource.read(
      word,
      in: context.environment.currentFolder(),
      kind: SystemCalls.kind(ofPath:),
    ).url
  }

  private static func notAFeed(_ error: FeedParsingError, _ name: String) -> CommandError {
    guard case .webPage(let announced) = error, !announced.isEmpty else {
      return .notAFeed("\(name): \(SafeText.line("\(error)"))")
    }
    return .notAFeed(
      "\(name): \(error); it announces \(Count.of(announced.count, "feed")):",
      choices: announced.map(FeedFinder.line),
    )
  }
}
