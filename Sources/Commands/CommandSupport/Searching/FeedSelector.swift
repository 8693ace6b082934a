package import CommandLine
package import FeedModel
package import Searching

/// Finds subscriptions by URL, title, or an unambiguous part of either; `tag:` means any number.
package struct FeedSelector {
  package let subscriptions: [Subscription]
  let currentFolder: String?

  package static let option = option("only stories of this feed or tag:NAME")

  static func option(_ help: String) -> CommandOption {
    CommandOption("feed", value: "FEED", isRepeatable: true, help: help)
  }

  package static let emptyWord = "--feed needs a feed's URL or title: --feed FEED"

  private static let maximumChoices = 20

  package func found(_ word: String) -> [Subscription] {
    guard !word.isEmpty else { return [] }
    let found = exact(word)
    return found.isEmpty ? partial(word) : found
  }

  /// Returns the one subscription that is meant; a tag that only one has does so, too.
  package func subscription(_ word: String) throws -> Subscription {
    let found = try subscriptions(word)
    guard found.count == 1 else { throw tooMany(found, word) }
    return found[0]
  }

  /// Returns all with a tag (`tag:news` means `news/world`, too), else the one that is meant.
  package func subscriptions(_ word: String) throws -> [Subscription] {
    let found = try matches(word)
    guard found.count == 1 || StoryTag(word) != nil else { throw tooMany(found, word) }
    return found
  }

  /// Returns all that a word matches, even an ambiguous one.
  package func matches(_ word: String) throws -> [Subscription] {
    let tag = StoryTag(word)
    let found = tag.map(tagged) ?? found(word)
    guard found.isEmpty else { return found }
    if let tag { throw noTag(named: tag.name) }
    throw noMatch(word)
  }

  static func search(_ word: String) -> String? {
    word.hasPrefix("search:") ? String(word.dropFirst(7)) : nil
  }

  private func tooMany(_ found: [Subscription], _ word: String) -> Failure {
    Failure(
      "\(Spelling.quoted(word)) matches \(found.count) feeds; name one of them:",
      choices: Self.choices(found),
    )
  }

  package func tagged(_ tag: StoryTag) -> [Subscription] {
    subscriptions.filter { tag.isAmong($0.tags) }
  }

  func noTag(named name: String) -> Failure {
    if subscriptions.isEmpty { return .noSubscriptions }
    let tags = Set(subscriptions.flatMap(\.tags).map { $0.lowercased() }).sorted()
    let hint = Spelling.hint(name, among: tags, before: "tag:")
    return Failure("no feed has the tag \(Spelling.quoted(name))\(hint)")
  }

  private static func choices(_ candidates: [Subscription]) -> [String] {
    let rest = candidates.count - maximumChoices
    let names = FeedName.distinct(candidates)
    return candidates.prefix(maximumChoices).map { line($0, names[$0.url]) }
      + (rest > 0 ? ["and \(rest) more"] : [])
  }

  private func noMatch(_ word: String) -> Failure {
    if let name = Self.search(word) {
      return Failure(
        "\(Spelling.quoted(word)) is a saved search, and no feed;"
          + " its stories: news list --feed \(ShellWord.asNeeded("search:" + name))"
      )
    }
    if subscriptions.isEmpty { return .noSubscriptions }
    let tag = "tag:\(word)"
    if let known = StoryTag(tag), !tagged(known).isEmpty {
      let proposed = ShellWord.proposed(tag, or: "tag:TAG")
      return Failure("no feed matches \(Spelling.quoted(word)); did you mean \(proposed)?")
    }
    let titles = subscriptions.map { FeedName.printable($0).lowercased() }
    let hint = Spelling.hint(word, among: titles)
    return Failure("no feed matches \(Spelling.quoted(word))\(hint) (`news feeds` lists them)")
  }

  private static func line(_ subscription: Subscription, _ name: String?) -> String {
    let url = WebURL.printable(subscription.url)
    let title = name ?? FeedName.printable(subscription)
    return title == url ? url : "\(url)  \(title)"
  }

  /// Matches a URL in any spelling, a path, or a title.
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
  package func selector(_ subscriptions: [Subscription]) -> FeedSelector {
    FeedSelector(subscriptions: subscriptions, currentFolder: environment.currentFolder())
  }

  /// Returns the feeds of all `--feed`, in the order of the subscriptions; nil without one.
  package func chosenFeeds(_ subscriptions: [Subscription]) throws -> [Subscription]? {
    let words = arguments.values(FeedSelector.option.name)
    guard !words.isEmpty else { return nil }
    var chosen: Set<String> = []
    for word in words {
      guard !word.isEmpty else { throw usage(FeedSelector.emptyWord) }
      try FeedSelector.option.lookUp(word) {
        chosen.formUnion(try selector(subscriptions).subscriptions(word).map(\.url))
      }
    }
    return subscriptions.filter { chosen.contains($0.url) }
  }
}

extension Failure {
  package static let noSubscriptions = Failure(
    "no subscriptions yet; subscribe to a feed with `news subscribe URL` or `news import FILE`"
  )
}
