import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedUpdating

struct MoveCommand: Command {
  static let name = "move"
  static let summary = "change a feed's URL, and keep its stories"
  static let synopsis = "FEED URL|FILE|--command COMMAND [--no-check] [--merge]"
  static let examples = [
    HelpExample("news move reuters https://example.com/new.xml", "the feed has a new URL"),
    HelpExample("news move reuters URL --no-check", "do not check the new URL first"),
    HelpExample(
      "news move old.example new.example/feed --merge",
      "merge two subscriptions into one",
    ),
  ]
  static let options = [
    CommandOption(
      "command",
      value: CommandOption.command,
      help: "follow what COMMAND prints in its place",
    ),
    CommandOption("no-check", help: "do not check the new URL first"),
    CommandOption("merge", help: "merge with the subscription that has this URL already"),
  ]
  static let notes = [
    "The stories keep their marks, and the feed keeps its title, tags and position. The new "
      + "URL is fetched once, to check that it is a feed, and its stories are stored. `news "
      + "undo` reverts the move."
  ]

  let context: CommandContext

  var readerAccess: ReaderAccess? { .network }

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    let command = try context.commandLine("command").flatMap { $0.isEmpty ? nil : $0 }
    guard words.count == (command == nil ? 2 : 1) else {
      throw usage("no feed and no URL given: news move FEED URL")
    }
    var store = try context.store()
    let place = try context.source(words.last ?? "", command: command)
    store.typed = store.typed.union(context.typed(place))
    let move = try move(words[0], to: place.url, try store.library().subscriptions)
    guard move.to != move.from.url else { return stay(move.from) }
    let answer = try check(move)
    var checked = move
    if let answer { checked.to = answer.url }
    guard checked.to != move.from.url else { return stay(move.from) }
    let now = context.clock.date
    let (result, rules) = try store.change { library in
      var (change, moved) = try checked.change(library, now: now, answer?.feed)
      let rules = try context.followFeeds(&change, of: library)
      return (change, (moved, rules))
    }
    say(result, checked)
    for line in rules { context.say(line) }
    if let answer {
      let answers = [checked.to: answer.document]
      try RefreshRun(context: context, store: store, answers: answers).storeAnswers()
    }
    return .done
  }

  private func move(
    _ feed: String,
    to url: String,
    _ subscriptions: [Subscription],
  ) throws -> SubscriptionMove {
    let from = try context.selector(subscriptions).subscription(feed)
    let whenKnown: SubscriptionMove.WhenKnown = context.arguments.has("merge") ? .merge : .refuse
    let move = SubscriptionMove(
      from: from,
      to: url,
      whenKnown: whenKnown,
      origin: context.origin,
    )
    // Checked before anything is fetched, and again under the lock.
    _ = try move.target(among: subscriptions)
    return move
  }

  private func check(_ move: SubscriptionMove) throws -> FoundFeed? {
    guard !context.arguments.has("no-check") else { return nil }
    return try FeedFinder(
      context: context,
      unchecked: "moves",
      passwordCommand: move.from.passwordCommand,
      headers: move.from.headers,
      filter: move.from.filter,
      maximumBytes: move.from.settings.maximumBytes,
    ).feed(at: move.to)
  }

  private func stay(_ subscription: Subscription) -> ExitStatus {
    let url = WebURL.printable(subscription.url)
    context.say("\(FeedName.printable(subscription)) is there already: \(url)")
    return .done
  }

  private func say(_ result: SubscriptionMove.Moved, _ move: SubscriptionMove) {
    let name = FeedName.printable(result.subscription)
    let url = WebURL.printable(result.subscription.url)
    let stories = Count.stories(result.stories)
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
