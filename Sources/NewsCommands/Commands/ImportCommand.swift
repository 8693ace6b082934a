import FeedModel
import FeedParsing
import FeedStorage

/// `news import`: takes the subscriptions of another reader.
enum ImportCommand: Command {
  static let name = "import"
  static let summary = "subscribe to the feeds of an OPML file"
  static let synopsis = "FILE|-"
  static let examples = [
    HelpExample("news import subscriptions.opml", "the feeds of another reader; folders are tags"),
    HelpExample("news import ~/.newsboat/urls", "newsboat's feeds with their tags and titles"),
    HelpExample("ssh host news export | news import -", "standard input"),
  ]
  static let notes = [
    "No feed is asked: `news refresh` does that. What is there already is not added twice; it gets "
      + "the tags that it lacks."
  ]

  private static let maximumBytes = 32 << 20

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard let word = context.arguments.operands.first, context.arguments.operands.count == 1 else {
      throw usage("say which file: news import FILE")
    }
    let name = word == "-" ? "standard input" : Spelling.quoted(word)
    let bytes = try bytes(word, name, context)
    let found = try subscriptions(bytes, name)
    let subscriber = Subscriber(context: context, store: try context.store())
    let (added, known) = try subscriber.add(found.subscriptions)
    for url in found.refused {
      context.complain("\(Spelling.quoted(url)): not an http or https URL; left out")
    }
    context.say(message(added.count, known.count))
    return .done
  }

  private static func bytes(
    _ word: String,
    _ name: String,
    _ context: CommandContext,
  ) throws(CommandError) -> [UInt8] {
    do throws(FileReadingError) {
      if word == "-" { return try context.environment.readInput(maximumBytes) }
      return try SystemCalls.readFile(word, maximumBytes: maximumBytes)
    } catch {
      throw .failed("\(name): \(error)")
    }
  }

  /// Markup is OPML, everything else newsboat's format.
  private static func subscriptions(
    _ bytes: [UInt8],
    _ name: String,
  ) throws(CommandError) -> OPMLImport.Result {
    let isText = !bytes.contains(0) && !bytes.starts(with: [0x1f, 0x8b])
    let white: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]
    if isText, bytes.first(where: { !white.contains($0) }) != UInt8(ascii: "<") {
      let result = NewsboatURLs.read(bytes)
      if !result.subscriptions.isEmpty || bytes.isEmpty { return result }
      throw .failed("\(name): neither OPML nor a list of URLs")
    }
    do throws(FeedParsingError) {
      return try OPMLImport.read(bytes)
    } catch {
      throw .failed("\(name): \(reason(error))")
    }
  }

  private static func reason(_ error: FeedParsingError) -> String {
    switch error {
    case .notAFeed(let root): "not OPML: the root element is \(Spelling.quoted(root))"
    case .webPage: "not OPML: a web page"
    case .unrecognized, .empty: "not OPML"
    default: SafeText.line("\(error)")
    }
  }

  private static func message(_ added: Int, _ known: Int) -> String {
    let there = known > 0 ? "; \(known) \(known == 1 ? "was" : "were") there already" : ""
    return "\(Count.of(added, "feed")) imported\(there)"
  }
}
