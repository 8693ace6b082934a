import FeedModel
import FeedParsing
import FeedStorage

/// `news import`: takes the subscriptions of another reader.
enum ImportCommand: Command {
  static let name = "import"
  static let summary = "subscribe to the feeds of an OPML file"
  static let synopsis = "FILE|- [--files] [--allow-private]"
  static let examples = [
    HelpExample("news import subscriptions.opml", "the feeds of another reader; folders are tags"),
    HelpExample("news import ~/.newsboat/urls", "newsboat's feeds with their tags and titles"),
    HelpExample("ssh host news export | news import -", "standard input"),
  ]
  static let options = [
    CommandOption("files", help: "take feeds that are files of this machine, too (file:///…)"),
    CommandOption(
      "allow-private",
      help: "take feeds of this machine and private networks, too (http://localhost/…)",
    ),
  ]
  static let notes = [
    "No feed is asked: `news refresh` does that. What is there already is not added twice; it gets "
      + "the tags that it lacks.",
    "A list comes from elsewhere: its feeds are not followed into private networks, by their names "
      + "neither, unless --allow-private says so.",
    "What an OPML file has besides its feeds is kept for `news export`.",
  ]

  private static let maximumBytes = 32 << 20
  /// Lines about what was left out.
  private static let maximumLines = 20

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard let word = context.arguments.operands.first, context.arguments.operands.count == 1 else {
      throw usage("say which file: news import FILE")
    }
    let name = word == "-" ? "standard input" : Spelling.quoted(word)
    let leave = SubscriptionURL.Leave(
      files: context.arguments.has("files"),
      privateNetworks: context.arguments.has("allow-private"),
    )
    let list = try list(try bytes(word, name, context), name, leave)
    let (added, known) = try SubscriptionImport(store: try context.store()).add(list)
    complain(list.refused, context)
    context.say(message(added, known))
    guard list.isCutShort else { return .done }
    context.complain("\(name): breaks off; what is there was imported")
    return .failed
  }

  private static func complain(_ refused: [ImportedList.Refusal], _ context: CommandContext) {
    for refusal in refused.prefix(maximumLines) {
      let text = Spelling.quoted(FeedName.withoutPassword(refusal.text))
      context.complain("\(text): \(refusal.reason); left out")
    }
    let rest = refused.count - maximumLines
    if rest > 0 { context.complain("\(rest) more left out") }
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
  private static func list(
    _ bytes: [UInt8],
    _ name: String,
    _ leave: SubscriptionURL.Leave,
  ) throws(CommandError) -> ImportedList {
    let list = try read(bytes, name, leave)
    let limit = ImportedList.maximumFeeds
    guard list.subscriptions.count <= limit else {
      throw .failed("\(name): refused: number of feeds over \(limit)")
    }
    return list
  }

  private static func read(
    _ bytes: [UInt8],
    _ name: String,
    _ leave: SubscriptionURL.Leave,
  ) throws(CommandError) -> ImportedList {
    let isText = !bytes.contains(0) && !bytes.starts(with: [0x1f, 0x8b])
    let white: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]
    if isText, bytes.first(where: { !white.contains($0) }) != UInt8(ascii: "<") {
      let list = NewsboatURLs.read(bytes, leave)
      if !list.subscriptions.isEmpty || bytes.isEmpty { return list }
      throw .failed("\(name): neither OPML nor a list of URLs")
    }
    do throws(FeedParsingError) {
      return try OPMLImport.read(bytes, leave)
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
