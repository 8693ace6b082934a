import FeedFetching
import FeedModel
import FeedStorage

struct SubscribeCommand: Command {
  static let name = "subscribe"
  static let summary = "follow a feed, or the feed of a web page"
  static let synopsis =
    "URL|FILE… [--title TITLE] [--tag TAG]… [--password-command COMMAND] [--allow-private] [--no-check]"
  static let examples = [
    HelpExample("news subscribe https://example.com/feed.xml", "a feed"),
    HelpExample("news subscribe example.com", "the feed that a web page announces"),
    HelpExample("news subscribe feeds/local.xml", "a file"),
    HelpExample("news subscribe URL URL URL", "several at once"),
    HelpExample(
      "news subscribe URL --title Daily --tag work",
      "with a name and a tag of your own",
    ),
    HelpExample(
      "news subscribe https://me@example.com/feed --password-command 'pass show example.com'",
      "with a password that another program keeps",
    ),
  ]
  static let options = [
    CommandOption("title", value: "TITLE", help: "call it so, whatever it calls itself"),
    CommandOption("tag", value: "TAG", isRepeatable: true, help: "give it a tag"),
    CommandOption(
      "password-command",
      value: "COMMAND",
      help: "ask with the password in the first line that COMMAND prints",
    ),
    CommandOption("allow-private", help: "follow it into a private network, too"),
    CommandOption("no-check", help: "subscribe without asking the server first"),
  ]
  static let notes = [
    "The source is asked once, to see that it is a feed; its stories come with the next refresh.",
    "Of several, those that can be followed are, whatever becomes of the others; the exit status is "
      + "1 when one was not.",
    "A COMMAND is kept with the feed, and run by sh when the feed is asked; what it prints is neither "
      + "printed nor stored. It is the password of the user in the URL, or without one a bearer token, "
      + "for https only. Said of a feed that is followed already, it is the feed's from then on.",
    "What a page announces, and a feed that was on the internet when it was first asked, is not "
      + "followed into a private network unless --allow-private says so.",
  ]

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    guard !words.isEmpty else {
      throw usage("say what to follow: news subscribe https://example.com/feed.xml")
    }
    guard context.arguments.value("title") == nil || words.count == 1 else {
      throw usage("--title is for one feed: news subscribe URL --title TITLE")
    }
    guard words.count == 1 || context.arguments.value("password-command") == nil else {
      throw usage(
        "--password-command is for one feed: news subscribe URL --password-command COMMAND"
      )
    }
    let subscriber = FeedSubscriber(context: context, store: try context.store())
    guard words.count > 1 else {
      try subscriber.subscribe(words[0])
      return .done
    }
    return followAll(words, subscriber)
  }

  /// One that fails does not keep the others from being followed.
  private func followAll(_ words: [String], _ subscriber: FeedSubscriber) -> ExitStatus {
    var status = ExitStatus.done
    for word in words {
      do throws(CommandError) {
        try subscriber.subscribe(word)
      } catch {
        context.environment.report(error)
        status = .failed
      }
      if context.environment.interruption() != nil { return .failed }
    }
    return status
  }
}

/// Follows the feed that a word names, and says so.
struct FeedSubscriber {
  let context: CommandContext
  let store: LibraryStore

  struct Subscribed: Sendable {
    let subscription: Subscription
    /// What its server answered just now.
    let answer: FirstAnswer?
  }

  @discardableResult
  func subscribe(_ word: String) throws(CommandError) -> Subscribed {
    let source = try context.source(word)
    let known = SubscriptionMerge(try store.library().subscriptions)
    if let known = known.subscription(to: source.url) { return try again(known) }
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

  private func again(_ known: Subscription) throws(CommandError) -> Subscribed {
    _ = try store.subscribe(to: [try subscription(known.url)])
    context.say("already subscribed to \(FeedName.printable(known))")
    return Subscribed(subscription: known, answer: nil)
  }

  private func add(_ new: Subscription, _ found: FoundFeed?) throws(CommandError) -> Subscribed {
    let (added, known) = try store.subscribe(to: [new])
    guard let subscription = added.first else { return try again(known.first ?? new) }
    if let answer = found?.answer {
      FirstAnswers(home: store.home).keep(answer, of: subscription.url)
    }
    context.say(Self.message(subscription, found))
    return Subscribed(subscription: subscription, answer: found?.answer)
  }

  /// `subscribed to Reuters: Technology News (20 stories), https://…`.
  private static func message(_ subscription: Subscription, _ found: FoundFeed?) -> String {
    let name = FeedName.printable(subscription)
    let url = FeedName.printableURL(subscription.url)
    let stories = found.map { " (\(Count.stories($0.feed.items.count)))" } ?? ""
    return "subscribed to \(name)\(stories)" + (name == url ? "" : ": \(url)")
  }
}
