import FeedFetching
import FeedModel
import FeedStorage

/// Follows the feed that a word names, and says so.
struct Subscribing {
  let context: CommandContext
  let store: LibraryStore

  /// What came of it.
  struct Result: Sendable {
    let subscription: Subscription
    /// What its server answered just now.
    let answer: FirstAnswer?
  }

  @discardableResult
  func subscribe(
    _ word: String,
    title: String? = nil,
    tags: [String] = [],
  ) throws(CommandError) -> Result {
    let source = try FeedSource.read(
      word,
      in: context.environment.currentFolder(),
      kind: SystemCalls.kind(ofPath:),
    )
    if let known = try known(source) { return try again(known, title: title, tags: tags) }
    if context.arguments.has("no-check") {
      return try add(subscription(source.url, title, tags), nil)
    }
    let cancellation = FetchCancellation()
    context.environment.cancelOnInterruption(cancellation)
    let found = try FeedFinder(
      context: context,
      fetcher: context.makeFetcher(),
      cancellation: cancellation,
    ).find(source)
    var new = subscription(found.url, title, tags)
    new.state.title = found.feed.title
    new.state.link = found.feed.link
    return try add(new, found)
  }

  private func subscription(_ url: String, _ title: String?, _ tags: [String]) -> Subscription {
    var new = Subscription(url: url, title: title?.isEmpty == true ? nil : title)
    new.tags = tags
    return new
  }

  /// The subscription to that very source, before anything is asked.
  private func known(_ source: FeedSource) throws(CommandError) -> Subscription? {
    var merge = SubscriptionMerge(try store.library().subscriptions)
    merge.add(Subscription(url: source.url))
    return merge.known.first
  }

  private func again(
    _ known: Subscription,
    title: String?,
    tags: [String],
  ) throws(CommandError) -> Result {
    _ = try Subscriber(context: context, store: store)
      .add([subscription(known.url, title, tags)])
    context.say("already subscribed to \(FeedName.printable(known))")
    return Result(subscription: known, answer: nil)
  }

  private func add(_ new: Subscription, _ found: FoundFeed?) throws(CommandError) -> Result {
    let (added, known) = try Subscriber(context: context, store: store).add([new])
    guard let subscription = added.first else {
      return try again(known.first ?? new, title: nil, tags: [])
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
