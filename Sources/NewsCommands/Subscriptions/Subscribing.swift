import FeedFetching
import FeedModel
import FeedStorage

/// Follows the feed that a word names, and says so.
struct Subscribing {
  let context: CommandContext
  let store: LibraryStore

  struct Result: Sendable {
    let subscription: Subscription
    /// What its server answered just now.
    let answer: FirstAnswer?
  }

  @discardableResult
  func subscribe(_ word: String) throws(CommandError) -> Result {
    let source = try context.source(word)
    if let known = try known(source) { return try again(known) }
    if context.arguments.has("no-check") { return try add(try subscription(source.url), nil) }
    let found = try FeedFinder(
      context: context,
      passwordCommand: try passwordCommand(source.url),
      allowsPrivate: allowsPrivate,
    ).find(source)
    var new = try subscription(found.url)
    if new.passwordCommand != nil, !found.takesPassword {
      new.passwordCommand = nil
      context.complain(
        "\(FeedName.printableURL(found.url)): on another site than you said; it gets no password"
      )
    }
    new.state.title = found.feed.title
    new.state.link = found.feed.link
    new.state.isOnInternet = new.state.isOnInternet ?? found.isOnInternet
    return try add(new, found)
  }

  private func subscription(_ url: String) throws(CommandError) -> Subscription {
    let title = context.arguments.value("title").map { SafeText.line($0) }
    var new = Subscription(url: url, title: title?.isEmpty == true ? nil : title)
    new.tags = context.arguments.values("tag").map { SafeText.line($0) }.filter { !$0.isEmpty }
    new.passwordCommand = try passwordCommand(url)
    if allowsPrivate { new.state.isOnInternet = false }
    return new
  }

  private var allowsPrivate: Bool { context.arguments.has("allow-private") }

  /// The command for the feed's password; in the clear it serves only a user that the URL names.
  private func passwordCommand(_ url: String) throws(CommandError) -> String? {
    guard let command = context.arguments.value("password-command"), !command.isEmpty else {
      return nil
    }
    guard url.lowercased().hasPrefix("https:") || WebURL.account(of: url) != nil else {
      throw .failed(
        "\(FeedName.printableURL(url)): --password-command is for https, or for a URL with a user:"
          + " http://NAME@HOST/"
      )
    }
    return command
  }

  /// The subscription to that very source, before anything is asked.
  private func known(_ source: FeedSource) throws(CommandError) -> Subscription? {
    var merge = SubscriptionMerge(try store.library().subscriptions)
    merge.add(Subscription(url: source.url))
    return merge.known.first
  }

  private func again(_ known: Subscription) throws(CommandError) -> Result {
    _ = try store.subscribe(to: [try subscription(known.url)])
    context.say("already subscribed to \(FeedName.printable(known))")
    return Result(subscription: known, answer: nil)
  }

  private func add(_ new: Subscription, _ found: FoundFeed?) throws(CommandError) -> Result {
    let (added, known) = try store.subscribe(to: [new])
    guard let subscription = added.first else {
      return try again(known.first ?? new)
    }
    if let answer = found?.answer {
      FirstAnswers(home: store.home).keep(answer, of: subscription.url)
    }
    context.say(Self.message(subscription, found))
    return Result(subscription: subscription, answer: found?.answer)
  }

  /// `subscribed to Reuters: Technology News (20 stories), https://…`.
  private static func message(_ subscription: Subscription, _ found: FoundFeed?) -> String {
    let name = FeedName.printable(subscription)
    let url = FeedName.printableURL(subscription.url)
    let stories = found.map { " (\(Count.of($0.feed.items.count, "story", "stories")))" } ?? ""
    return "subscribed to \(name)\(stories)" + (name == url ? "" : ": \(url)")
  }
}
