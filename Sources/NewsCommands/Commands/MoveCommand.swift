import FeedFetching
import FeedModel
import FeedStorage

/// `news move`: follows a feed at another URL.
enum MoveCommand: Command {
  static let name = "move"
  static let summary = "follow a feed at another URL, and keep its stories"
  static let synopsis = "FEED URL|FILE [--no-check] [--merge]"
  static let examples = [
    HelpExample("news move reuters https://example.com/new.xml", "the feed has a new home"),
    HelpExample("news move reuters URL --no-check", "without asking the server first"),
    HelpExample("news move old.example new.example/feed --merge", "make one of two subscriptions"),
  ]
  static let options = [
    CommandOption("no-check", help: "move without asking the server first"),
    CommandOption("merge", help: "when URL is subscribed to already, make one of the two"),
  ]
  static let notes = [
    "The stories keep their marks, the feed its title, its tags and its place. The new URL is asked "
      + "once, to see that it is a feed."
  ]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    guard words.count == 2 else {
      throw usage("say which feed, and where it is now: news move FEED URL")
    }
    let store = try context.store()
    let move = try move(words, try store.library().subscriptions, context)
    guard move.to != move.from.url else { return stay(move.from, context) }
    let answer = try check(move, context)
    var checked = move
    if let answer { checked.to = answer.url }
    guard checked.to != move.from.url else { return stay(move.from, context) }
    let now = context.environment.clock.date
    let result = try store.change { library throws(CommandError) in
      try checked.change(library, now: now, answer?.feed)
    }
    keep(answer, checked, FirstAnswers(home: store.home))
    say(result, checked, context)
    return .done
  }

  private static func move(
    _ words: [String],
    _ subscriptions: [Subscription],
    _ context: CommandContext,
  ) throws(CommandError) -> SubscriptionMove {
    let folder = context.environment.currentFolder()
    let from = try context.selector(subscriptions).subscription(words[0])
    let source = try FeedSource.read(words[1], in: folder, kind: SystemCalls.kind(ofPath:))
    let whenKnown: SubscriptionMove.WhenKnown = context.arguments.has("merge") ? .merge : .refuse
    let move = SubscriptionMove(from: from, to: source.url, whenKnown: whenKnown)
    // Said before anything is asked, and looked at again under the lock.
    _ = try move.target(among: subscriptions)
    return move
  }

  /// What the new place answers; nil when it is not to be asked.
  private static func check(
    _ move: SubscriptionMove,
    _ context: CommandContext,
  ) throws(CommandError) -> FoundFeed? {
    guard !context.arguments.has("no-check") else { return nil }
    let cancellation = FetchCancellation()
    context.environment.cancelOnInterruption(cancellation)
    return try FeedFinder(
      context: context,
      fetcher: context.makeFetcher(),
      cancellation: cancellation,
      unchecked: "moves",
      passwordCommand: move.from.passwordCommand,
    ).feed(at: move.to)
  }

  private static func keep(
    _ answer: FoundFeed?,
    _ move: SubscriptionMove,
    _ answers: FirstAnswers,
  ) {
    answers.forget(move.from.url)
    if let answer = answer?.answer { answers.keep(answer, of: move.to) }
  }

  private static func stay(_ subscription: Subscription, _ context: CommandContext) -> ExitStatus {
    let url = FeedName.printableURL(subscription.url)
    context.say("\(FeedName.printable(subscription)) is there already: \(url)")
    return .done
  }

  private static func say(
    _ result: SubscriptionMove.Result,
    _ move: SubscriptionMove,
    _ context: CommandContext,
  ) {
    let name = FeedName.printable(result.subscription)
    let url = FeedName.printableURL(result.subscription.url)
    let stories = Count.of(result.stories, "story", "stories")
    context.say(
      result.isMerged
        ? "merged \(FeedName.printable(move.from)) into \(name): \(url) (\(stories) moved)"
        : "moved \(name == url ? "it" : name) to \(url) (\(stories) kept)"
    )
    if result.hasNothingInCommon {
      context.complain("none of its stories is among those at \(url): is it the same feed?")
    }
  }
}
