import CommandLine
import FeedModel
import Searching

/// Finds the subscriptions that a word means: a feed's URL, its title, or an unambiguous part of
/// either; with `tag:` before it, the tag of any number of them.
struct FeedSelector {
  let subscriptions: [Subscription]
  let currentFolder: String?

  static let option = CommandOption(
    "feed",
    value: "FEED",
    isRepeatable: true,
    help: "only stories of this feed, tag:NAME or search:NAME",
  )
  static let emptyWord = "--feed needs a feed's URL or title: --feed FEED"

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
    guard found.count == 1 || StoryTag(word) != nil else { throw tooMany(found, word) }
    return found
  }

  /// The same, but all that an ambiguous word matches.
  func matches(_ word: String) throws(CommandError) -> [Subscription] {
    let tag = StoryTag(word)
    let found = tag.map(tagged) ?? found(word)
    guard found.isEmpty else { return found }
    if let tag { throw noTag(named: tag.name) }
    throw noMatch(word)
  }

  /// The name of the saved search that a word means; nil for a word that means feeds.
  static func search(_ word: String) -> String? {
    word.hasPrefix("search:") ? String(word.dropFirst(7)) : nil
  }

  private func tooMany(_ found: [Subscription], _ word: String) -> CommandError {
    .failed(
      "\(Spelling.quoted(word)) matches \(found.count) feeds; name one of them:",
      choices: Self.choices(found),
    )
  }

  func tagged(_ tag: StoryTag) -> [Subscription] {
    subscriptions.filter { tag.isAmong($0.tags) }
  }

  func noTag(named name: String) -> CommandError {
    if subscriptions.isEmpty { return CommandError.noSubscriptions }
    let tags = Set(subscriptions.flatMap(\.tags).map { $0.lowercased() }).sorted()
    let hint = Spelling.hint(name, among: tags, before: "tag:")
    return .failed("no feed has the tag \(Spelling.quoted(name))\(hint)")
  }

  private static func choices(_ candidates: [Subscription]) -> [String] {
    let rest = candidates.count - maximumChoices
    let names = FeedName.distinct(candidates)
    return candidates.prefix(maximumChoices).map { line($0, names[$0.url]) }
      + (rest > 0 ? ["and \(rest) more"] : [])
  }

  private func noMatch(_ word: String) -> CommandError {
    if let name = Self.search(word) {
      return .failed(
        "\(Spelling.quoted(word)) is a saved search, and no feed;"
          + " its stories: news list --feed \(ShellWord.asNeeded("search:" + name))"
      )
    }
    if subscriptions.isEmpty { return CommandError.noSubscriptions }
    let titles = subscriptions.map { FeedName.printable($0).lowercased() }
    let hint = Spelling.hint(word, among: titles)
    return .failed("no feed matches \(Spelling.quoted(word))\(hint) (`news feeds` lists them)")
  }

  private static func line(_ subscription: Subscription, _ name: String?) -> String {
    let url = WebURL.printable(subscription.url)
    let title = name ?? FeedName.printable(subscription)
    return title == url ? url : "\(url)  \(title)"
  }

  /// By URL in any spelling, by path, or by title.
  private func exact(_ word: String) -> [Subscription] {
    // Two accounts with a server are told apart by the whole URL, or by the user in it.
    if let same = subscriptions.first(where: { $0.url == word }) { return [same] }
    let url = WebURL.canonical(word)
    let file = LocalPath.absolute(word, in: currentFolder).map(LocalPath.fileURL)
    let byURL = subscriptions.filter {
      $0.url == file || WebURL.canonical($0.url) == url
    }
    let ofUser = byURL.filter { WebURL.user(of: $0.url) == WebURL.user(of: word) }
    if !byURL.isEmpty { return ofUser.isEmpty ? byURL : ofUser }
    let title = TextFolding.fold(word)
    let byTitle = subscriptions.filter { TextFolding.fold($0.displayTitle) == title }
    guard byTitle.isEmpty, word.hasSuffix(")") else { return byTitle }
    let names = FeedName.distinct(subscriptions)
    return subscriptions.filter { names[$0.url].map(TextFolding.fold) == title }
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
      guard !word.isEmpty else { throw usage(FeedSelector.emptyWord) }
      chosen.formUnion(try selector(subscriptions).subscriptions(word).map(\.url))
    }
    return subscriptions.filter { chosen.contains($0.url) }
  }
}
