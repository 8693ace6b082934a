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
        choices: candidates.map(Self.line),
      )
    }
  }

  func noMatch(_ word: String) -> CommandError {
    if subscriptions.isEmpty { return NoSubscriptions.error }
    let titles = subscriptions.map { $0.displayTitle.lowercased() }
    let hint = Spelling.nearest(to: word, among: titles).map { "; did you mean \($0)?" } ?? ""
    return .failed("no feed matches \(Spelling.quoted(word))\(hint) (`news feeds` lists them)")
  }

  /// A subscription on one line, for a choice.
  static func line(_ subscription: Subscription) -> String {
    let url = FeedName.printableURL(subscription.url)
    let title = SafeText.line(subscription.displayTitle)
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
    let url = WebURL.canonical(word)
    let file = FilePath.absolute(word, in: currentFolder).map(FilePath.fileURL)
    let byURL = subscriptions.filter {
      $0.url == word || $0.url == file || WebURL.canonical($0.url) == url
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
