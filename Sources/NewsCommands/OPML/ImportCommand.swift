import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage

struct ImportCommand: Command {
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

  private static let maximumFeeds = 10_000
  private static let maximumBytes = 32 << 20
  private static let maximumRefusalsTold = 20

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard let word = context.arguments.operands.first, context.arguments.operands.count == 1 else {
      throw usage("say which file: news import FILE")
    }
    let name = word == "-" ? "standard input" : Spelling.quoted(word)
    let list = try list(try bytes(word, name), name)
    guard list.subscriptions.count <= Self.maximumFeeds else {
      throw .failed("\(name): refused: number of feeds over \(Self.maximumFeeds)")
    }
    let merge = try context.store().subscribe(
      to: list.subscriptions,
      of: list.document,
      undoneBy: context.undoRecord,
    )
    complain(list.refused)
    context.say(message(merge.added.count, merge.known.count))
    guard list.isCutShort else { return .done }
    context.complain("\(name): breaks off; what is there was imported")
    return .failed
  }

  private func complain(_ refused: [ImportedList.LeftOut]) {
    for refusal in refused.prefix(Self.maximumRefusalsTold) {
      let text = Spelling.quoted(WebURL.redacted(refusal.text))
      context.complain("\(text): \(refusal.reason); left out")
    }
    let rest = refused.count - Self.maximumRefusalsTold
    if rest > 0 { context.complain("\(rest) more left out") }
  }

  private func bytes(_ word: String, _ name: String) throws(CommandError) -> [UInt8] {
    do throws(FileReadingError) {
      if word == "-" { return try context.environment.readInput(Self.maximumBytes) }
      return try POSIX.readFile(word, maximumBytes: Self.maximumBytes)
    } catch {
      throw .failed("\(name): \(error)")
    }
  }

  /// Markup is OPML, everything else newsboat's format.
  private func list(_ bytes: [UInt8], _ name: String) throws(CommandError) -> ImportedList {
    let permission = ImportedURL.Permission(
      files: context.arguments.has("files"),
      privateNetworks: context.arguments.has("allow-private"),
    )
    let isText = !bytes.contains(0) && !bytes.starts(with: [0x1f, 0x8b])
    let white: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]
    if isText, bytes.first(where: { !white.contains($0) }) != UInt8(ascii: "<") {
      let list = NewsboatURLs.read(bytes, permission)
      if !list.subscriptions.isEmpty || bytes.isEmpty { return list }
      throw .failed("\(name): neither OPML nor a list of URLs")
    }
    do throws(FeedParsingError) {
      return try OPMLImport.read(bytes, permission)
    } catch {
      throw .failed("\(name): \(reason(error))")
    }
  }

  private func reason(_ error: FeedParsingError) -> String {
    switch error {
    case .notAFeed(let root): "not OPML: the root element is \(Spelling.quoted(root))"
    case .webPage: "not OPML: a web page"
    case .unrecognized, .empty: "not OPML"
    default: SafeText.line("\(error)")
    }
  }

  private func message(_ added: Int, _ known: Int) -> String {
    let there = known > 0 ? "; \(Count.of(known, "was", "were")) there already" : ""
    return "\(Count.of(added, "feed")) imported\(there)"
  }
}

/// What a file of subscriptions holds, and what of it cannot be taken.
struct ImportedList: Hashable, Sendable {
  struct LeftOut: Hashable, Sendable {
    let text: String
    let reason: String
  }

  var subscriptions: [Subscription] = []
  var refused: [LeftOut] = []
  /// The document that it was, with the URLs of `subscriptions` in its elements; nil where the file
  /// has no more to say than they do.
  var document: OutlineDocument?
  var isCutShort = false

  mutating func refuse(_ text: String, _ reason: String = "not an http or https URL") {
    refused.append(LeftOut(text: text, reason: reason))
  }
}

/// Reads the URLs of feeds that files of other programs bring.
enum ImportedURL {
  /// What a list from elsewhere may name, which has no business with this machine or its network.
  struct Permission: Hashable, Sendable {
    var files = false
    var privateNetworks = false
  }

  /// The URL to subscribe to: http or https with a host, white space around it removed, what is not
  /// ASCII escaped; user and password stay, since some feeds are asked with them.
  static func read(_ text: String, _ permission: Permission) throws(WordFault) -> String {
    var url = SafeText.line(text)
    if url.lowercased().hasPrefix("feed://") { url = "https" + url.dropFirst(4) }
    if url.lowercased().hasPrefix("feed:http") { url = String(url.dropFirst(5)) }
    if let path = LocalPath.path(ofFileURL: url) {
      guard permission.files else { throw WordFault(reason: "a file (`--files` takes those too)") }
      return LocalPath.fileURL(LocalPath.normalized(path))
    }
    let encoded = SafeLink.isSafe(url) ? url : WebURL.resolveBase(url, against: nil)
    guard let encoded, WebURL.isWeb(encoded), SafeLink.isSafe(encoded) else {
      throw WordFault(reason: "not an http or https URL")
    }
    guard permission.privateNetworks || !(WebURL.host(of: encoded).map(LocalHost.contains) ?? false)
    else { throw WordFault(reason: "in a private network (`--allow-private` takes those too)") }
    return encoded
  }

  /// The subscription to a URL of a list: its server is to be one of the internet, unless those of
  /// private networks are taken too.
  static func subscription(
    _ url: String,
    title: String? = nil,
    _ permission: Permission,
  ) -> Subscription {
    var subscription = Subscription(url: url, title: title)
    if WebURL.isWeb(url) { subscription.state.isOnInternet = !permission.privateNetworks }
    return subscription
  }
}
