import FeedModel

/// Finds the subscription that a word means: a feed's URL, its title, or an unambiguous part.
struct FeedSelector {
  let subscriptions: [Subscription]
  /// The folder that relative paths start from.
  let currentFolder: String?

  /// What a word means.
  enum Match: Hashable, Sendable {
    case none
    case one(Subscription)
    case several([Subscription])
  }

  /// Candidates listed in a message.
  private static let maximumChoices = 20

  func match(_ word: String) -> Match {
    guard !word.isEmpty else { return .none }
    let found = exact(word)
    return Self.match(of: found.isEmpty ? partial(word) : found)
  }

  /// The one that is meant.
  func subscription(_ word: String) throws(CommandError) -> Subscription {
    switch match(word) {
    case .one(let subscription): return subscription
    case .none: throw noMatch(word)
    case .several(let candidates):
      throw .failed(
        "\(Spelling.quoted(word)) matches \(candidates.count) feeds; name one of them:",
        choices: Self.choices(candidates),
      )
    }
  }

  /// All that are meant: those with a tag (`tag:news`, which means `news/world`, too), else those
  /// that the word matches.
  func subscriptions(_ word: String) throws(CommandError) -> [Subscription] {
    if word.hasPrefix("tag:") { return try tagged(String(word.dropFirst(4))) }
    switch match(word) {
    case .one(let subscription): return [subscription]
    case .several(let candidates): return candidates
    case .none: throw noMatch(word)
    }
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
    if subscriptions.isEmpty { throw NoSubscriptions.error }
    let tags = Set(subscriptions.flatMap(\.tags)).sorted()
    let hint = Spelling.nearest(to: word, among: tags).map { "; did you mean tag:\($0)?" } ?? ""
    throw .failed("no feed has the tag \(Spelling.quoted(word))\(hint)")
  }

  private static func choices(_ candidates: [Subscription]) -> [String] {
    let rest = candidates.count - maximumChoices
    return candidates.prefix(maximumChoices).map(line) + (rest > 0 ? ["and \(rest) more"] : [])
  }

  func noMatch(_ word: String) -> CommandError {
    if subscriptions.isEmpty { return NoSubscriptions.error }
    let titles = subscriptions.map { FeedName.printable($0).lowercased() }
    let hint = Spelling.nearest(to: word, among: titles).map { "; did you mean \($0)?" } ?? ""
    return .failed("no feed matches \(Spelling.quoted(word))\(hint) (`news feeds` lists them)")
  }

  /// A subscription on one line, for a choice.
  static func line(_ subscription: Subscription) -> String {
    let url = FeedName.printableURL(subscription.url)
    let title = FeedName.printable(subscription)
    return title == url ? url : "\(url)  \(title)"
  }

  private static func match(of found: [Subscription]) -> Match {
    switch found.count {
    case 0: .none
    case 1: .one(found[0])
    default: .several(found)
    }
  }

  /// By URL in any spelling, by path, or by title.
  private func exact(_ word: String) -> [Subscription] {
    // Two accounts with a server are told apart only by the whole URL.
    if let same = subscriptions.first(where: { $0.url == word }) { return [same] }
    let url = WebURL.canonical(word)
    let file = FilePath.absolute(word, in: currentFolder).map(FilePath.fileURL)
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
