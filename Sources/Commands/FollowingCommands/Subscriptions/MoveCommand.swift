import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedUpdating

struct MoveCommand: Command {
  static let name = "move"
  static let summary = "change a feed's URL, and keep its stories"
  static let synopsis = "FEED URL|FILE|--command COMMAND [--no-check] [--merge] | --host OLD NEW"
  static let examples = [
    HelpExample("news move --host old.example new.example", "a site has a new name"),
    HelpExample("news move reuters https://example.com/new.xml", "the feed has a new URL"),
    HelpExample("news move reuters URL --no-check", "do not check the new URL first"),
    HelpExample(
      "news move old.example new.example/feed --merge",
      "merge two subscriptions into one",
    ),
  ]
  static let options = [
    CommandOption("host", help: "move all feeds of the host OLD to the host NEW"),
    CommandOption(
      "command",
      value: CommandOption.command,
      help: "follow what COMMAND prints in its place",
    ),
    CommandOption("no-check", help: "do not check the new URL first"),
    CommandOption("merge", help: "merge with the subscription that has this URL already"),
  ]
  static let exclusions = [["host", "command"], ["host", "merge"]]
  static let notes = [
    "The stories keep their marks, and the feed keeps its title, tags and position. The new "
      + "URL is fetched once, to check that it is a feed, and its stories are stored. `news "
      + "undo` reverts the move."
  ]

  let context: CommandContext

  var readerAccess: ReaderAccess? { .network }

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    if context.arguments.has("host") { return try moveHost(words) }
    let command = try context.commandLine("command").flatMap { $0.isEmpty ? nil : $0 }
    guard words.count == (command == nil ? 2 : 1) else {
      throw usage("no feed and no URL given: news move FEED URL")
    }
    var store = try context.store()
    let place = try context.source(words.last ?? "", command: command)
    store.typed = store.typed.union(context.typed(place))
    let subscriptions = try store.read().subscriptions
    let from = try context.selector(subscriptions).subscription(words[0])
    let move = try move(from, to: place.url, subscriptions)
    guard move.to != from.url else { return stay(from) }
    return try carryOut([checked(move)], store)
  }

  private func carryOut(
    _ moves: [(move: SubscriptionMove, answer: FoundFeed?)],
    _ store: LibraryStore,
  ) throws -> ExitStatus {
    // A redirect may lead back to where the feed is.
    let staying = moves.filter { $0.move.to == $0.move.from.url }
    for part in staying { _ = stay(part.move.from) }
    let moves = moves.filter { $0.move.to != $0.move.from.url }
    guard !moves.isEmpty else { return .done }
    let now = context.clock.date
    let (moved, rules) = try store.change { library in
      let parts = moves.map { ($0.move, feed: $0.answer?.feed) }
      var (change, moved) = try SubscriptionMove.change(library, by: parts, now: now)
      let rules = try context.followFeeds(&change, of: library)
      return (change, (moved, rules))
    }
    for (result, part) in zip(moved, moves) { say(result, part.move) }
    for line in rules { context.say(line) }
    let answers = moves.compactMap { part in part.answer.map { (part.move.to, $0.document) } }
    if !answers.isEmpty {
      let answers = Dictionary(answers) { first, _ in first }
      try RefreshRun(context: context, store: store, answers: answers).storeAnswers()
    }
    return .done
  }

  private func move(
    _ from: Subscription,
    to url: String,
    _ subscriptions: [Subscription],
  ) throws -> SubscriptionMove {
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
    return try FeedFinder(context: context, unchecked: "moves", wanted: move.from).feed(at: move.to)
  }

  // MARK: All feeds of a host

  private func moveHost(_ words: [String]) throws -> ExitStatus {
    guard words.count == 2 else { throw usage("two hosts: news move --host OLD NEW") }
    let store = try context.store()
    let moves = try moves(from: words[0], to: words[1], try store.read().subscriptions)
    let answered: [(move: SubscriptionMove, answer: FoundFeed?)]
    do { answered = try moves.map(checked) } catch {
      throw Failure("nothing was moved: \(Failure(error).message)")
    }
    return try carryOut(answered, store)
  }

  private func moves(
    from old: String,
    to new: String,
    _ subscriptions: [Subscription],
  ) throws -> [SubscriptionMove] {
    let host = WebURL.host(of: "https://\(old)") ?? old
    guard WebURL.host(of: "https://\(new)/") != nil, !new.contains(where: { "/?#@ ".contains($0) })
    else {
      throw usage("\(Spelling.quoted(new)) is no host: news move --host OLD NEW")
    }
    guard WebURL.host(of: "https://\(new)/") != host || new.contains(":") else {
      throw usage("the two hosts are one: news move --host OLD NEW")
    }
    let moves = try subscriptions.filter { WebURL.host(of: $0.url) == host && WebURL.isWeb($0.url) }
      .map { try move($0, to: Self.url($0.url, on: new), subscriptions) }
    guard !moves.isEmpty else {
      throw Failure("\(SafeText.line(host)): no feed of this host is followed")
    }
    return moves
  }

  private static func url(_ url: String, on host: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return url }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    let account = WebURL.account(of: url).map { $0 + "@" } ?? ""
    let port = host.contains(":") ? nil : authority.firstMatch(of: /:[0-9]+$/)?.output
    return url[..<start] + account + host + (port ?? "") + url[authority.endIndex...]
  }

  /// Returns the move to where the feed is; nothing has been moved by then.
  private func checked(
    _ move: SubscriptionMove
  ) throws -> (move: SubscriptionMove, answer: FoundFeed?) {
    let answer = try check(move)
    var move = move
    if let answer { move.to = answer.url }
    return (move, answer)
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
