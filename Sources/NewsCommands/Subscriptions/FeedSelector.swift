import FeedModel

/// Finds the subscriptions that a word means: a feed's URL, its title, or an unambiguous part of
/// either; with `tag:` before it, the tag of any number of them.
struct FeedSelector {
  let subscriptions: [Subscription]
  let currentFolder: String?

  static let option = CommandOption(
    "feed",
    value: "FEED",
    isRepeatable: true,
    help: "only stories of this feed, or of those with tag:NAME",
  )

  private static let maximumChoices = 20

  /// Those that a word matches by itself, else those that have it somewhere.
  func found(_ word: String) -> [Subscription] {
    guard !word.isEmpty else { return [] }
    let found = exact(word)
    return found.isEmpty ? partial(word) : found
  }

  /// The one that is meant, by a tag of its own, too.
  func subscription(_ word: String) throws(CommandError) -> Subscription {
    let found = try subscriptions(word)
    guard found.count == 1 else { throw tooMany(found, word) }
    return found[0]
  }

  /// Those with a tag (`tag:news`, which means `news/world`, too), else the one that is meant.
  func subscriptions(_ word: String) throws(CommandError) -> [Subscription] {
    let found = try matches(word)
    guard found.count == 1 || Self.tag(word) != nil else { throw tooMany(found, word) }
    return found
  }

  /// The same, but all that an ambiguous word matches.
  func matches(_ word: String) throws(CommandError) -> [Subscription] {
    if let tag = Self.tag(word) { return try tagged(tag) }
    let found = found(word)
    if found.isEmpty { throw noMatch(word) }
    return found
  }

  /// The tag that a word means; nil for a word that means a feed.
  private static func tag(_ word: String) -> String? {
    word.hasPrefix("tag:") ? String(word.dropFirst(4)) : nil
  }

  private func tooMany(_ found: [Subscription], _ word: String) -> CommandError {
    .failed(
      "\(Spelling.quoted(word)) matches \(found.count) feeds; name one of them:",
      choices: Self.choices(found),
    )
  }

  private func tagged(_ word: String) throws(CommandError) -> [Subscription] {
    let name = TextFolding.fold(word)
    let below = TextFolding.fold(word + "/")
    let found = subscriptions.filter { subscription in
      subscription.tags.map { TextFolding.fold($0) }.contains {
        $0 == name || $0.starts(with: below)
      }
    }
    if !found.isEmpty { return found }
    if subscriptions.isEmpty { throw CommandError.noSubscriptions }
    let tags = Set(subscriptions.flatMap(\.tags).map { $0.lowercased() }).sorted()
    let hint = Spelling.hint(word, among: tags, before: "tag:")
    throw .failed("no feed has the tag \(Spelling.quoted(word))\(hint)")
  }

  private static func choices(_ candidates: [Subscription]) -> [String] {
    let rest = candidates.count - maximumChoices
    return candidates.prefix(maximumChoices).map(line) + (rest > 0 ? ["and \(rest) more"] : [])
  }

  private func noMatch(_ word: String) -> CommandError {
    if subscriptions.isEmpty { return CommandError.noSubscriptions }
    let titles = subscriptions.map { FeedName.printable($0).lowercased() }
    let hint = Spelling.hint(word, among: titles)
    return .failed("no feed matches \(Spelling.quoted(word))\(hint) (`news feeds` lists them)")
  }

  private static func line(_ subscription: Subscription) -> String {
    let url = FeedName.printableURL(subscription.url)
    let title = FeedName.printable(subscription)
    return title == url ? url : "\(url)  \(title)"
  }

  /// By URL in any spelling, by path, or by title.
  private func exact(_ word: String) -> [Subscription] {
    // Two accounts with a server are told apart only by the whole URL.
    if let same = subscriptions.first(where: { $0.url == word }) { return [same] }
    let url = WebURL.canonical(word)
    let file = LocalPath.absolute(word, in: currentFolder).map(LocalPath.fileURL)
    let byURL = subscriptions.filter {
      $0.url == file || WebURL.canonical($0.url) == url
    }
    if !byURL.isEmpty { return byURL }
    let title = TextFolding.fold(word)
    return subscriptions.filter { TextFolding.fold($0.displayTitle) == title }
  }

  private func partial(_ word: String) -> [Subscription] {
    let part = TextFolding.fold(word)
    return subscriptions.filter {
      TextFolding.contains($0.displayTitle, part) || TextFolding.contains($0.url, part)
        || ($0.state.title.map { TextFolding.contains($0, part) } ?? false)
    }
  }
}

extension CommandContext {
  func selector(_ subscriptions: [Subscription]) -> FeedSelector {
    FeedSelector(subscriptions: subscriptions, currentFolder: environment.currentFolder())
  }

  /// Those that any `--feed` means, in their order; nil without one.
  func chosenFeeds(_ subscriptions: [Subscription]) throws(CommandError) -> [Subscription]? {
    let words = arguments.values(FeedSelector.option.name)
    guard !words.isEmpty else { return nil }
    var chosen: Set<String> = []
    for word in words {
      guard !word.isEmpty else { throw usage("--feed needs a feed's URL or title: --feed FEED") }
      chosen.formUnion(try selector(subscriptions).subscriptions(word).map(\.url))
    }
    return subscriptions.filter { chosen.contains($0.url) }
  }
}
