import CommandLine
import CommandSupport
import FeedModel

struct SubscribeCommand: Command {
  static let name = "subscribe"
  static let summary = "subscribe to a feed, or to the feed of a web page"
  static let synopsis =
    "URL|FILE|-… [--title TITLE] [--tag TAG]… [--command COMMAND] [--filter COMMAND] [--password-command COMMAND] [--allow-private] [--no-check]|--list URL"
  static let examples = [
    HelpExample("news subscribe https://example.com/feed.xml", "subscribe to a feed"),
    HelpExample("news subscribe example.com", "subscribe to the feed of a web page"),
    HelpExample("news subscribe feeds/local.xml", "subscribe to a local file"),
    HelpExample("news subscribe URL URL URL", "subscribe to several feeds"),
    HelpExample("news subscribe - < urls.txt", "subscribe to those in a file, one a line"),
    HelpExample(
      "news subscribe URL --title Daily --tag work",
      "with a title and a tag of your own",
    ),
    HelpExample("news subscribe --command 'my-scraper --x'", "subscribe to what a command prints"),
    HelpExample(
      "news subscribe URL --filter 'jq .feed'",
      "subscribe to what a command makes of a document",
    ),
    HelpExample(
      "news subscribe --list https://example.com/blogroll.opml",
      "follow a list, whose feeds come and go with it",
    ),
    HelpExample(
      "news subscribe https://me@example.com/feed --password-command 'pass show example.com'",
      "with a password from another program",
    ),
  ]
  static let options =
    [
      CommandOption("title", value: "TITLE", help: "use TITLE instead of the feed's own title"),
      CommandOption("tag", value: "TAG", isRepeatable: true, help: "add a tag"),
      CommandOption(
        "command",
        value: CommandOption.command,
        help: "follow the document that COMMAND prints",
      ),
      CommandOption(
        "filter",
        value: CommandOption.command,
        help: "pass the document through COMMAND",
      ),
      CommandOption(
        "password-command",
        value: CommandOption.command,
        help: "use the first line that COMMAND prints as the password",
      ),
      CommandOption("list", help: "follow a list of feeds on the web (OPML)"),
      Confirmation.option.only(with: "list"),
    ] + RequestHeaders.options + FeedRoute.options + [
      .noTexts, .maximumSize,
      CommandOption("allow-private", help: "allow the feed to be in a private network"),
      CommandOption("public", help: "refuse a feed in a private network, but for --allow-private"),
      CommandOption("no-check", help: "do not check the feed first"),
    ]
  static let notes = [
    "The source is fetched once, to check that it is a feed, and its stories are stored. "
      + "With --no-check nothing is fetched until the next refresh.",
    "Several are asked at once, and each is tried, even if others fail. The exit status is 1 if one "
      + "failed. With - they stand on standard input, one a line; what begins with # is a comment, "
      + "and a failure names its line.",
    "COMMAND is stored with the feed, and run whenever the feed is fetched: those that say passwords "
      + "and headers by sh, the others without a shell, unless it is named: sh -c 'a | b'. For a feed that "
      + "you follow already, it replaces the command. It is not run if others can write to the "
      + "home or its files.",
    "What --password-command prints is neither printed nor stored. It is the password of the user "
      + "in the URL, or, if there is no user, a bearer token (https only).",
    "What --command prints is the feed's document, and the feed's URL is exec:COMMAND. With "
      + "--filter, COMMAND reads the document on its standard input and prints another one. Either "
      + "has 30 seconds, may print as much as a document may have (--max-size), and fails with "
      + "another status than 0 and with no output. Neither is told to other machines or servers.",
    "Headers are for the feed's own site: a redirect to another gets none, and neither do exports, "
      + "other machines and servers. They are stored with the feed, in a file that only you can "
      + "read, and never printed.",
    "A URL with a user name is the same feed with and without the password. The URL stays as "
      + "you first gave it; `news move` changes it.",
    "A list (--list) is asked again once a week by `news fetch`. Its new feeds come with the list's "
      + "title as their tag (--tag: another one); those that it no longer has go as by `news "
      + "unsubscribe`, and `news undo` takes either back. Feeds that you followed before stay yours, "
      + "and what you unsubscribe from stays away. More than 20 new feeds, or the loss of more "
      + "than a fifth, wait until you give the same command again. `news unsubscribe --list` ends it.",
    "A feed that a page announces, or that was on the internet when it was first fetched, "
      + "may not lead into a private network unless you give --allow-private; neither may links "
      + "in its stories.",
  ]

  static let exclusions = [
    ["list", "title"], ["list", "command"], ["list", "filter"], ["list", "password-command"],
    ["list", "header"], ["list", "header-command"], ["list", "no-check"], ["list", "public"],
    ["list", "no-texts"], ["list", "max-size"],
  ]

  let context: CommandContext

  var readerAccess: ReaderAccess? { .network }

  func run() throws -> ExitStatus {
    let command = try context.commandLine("command")
    guard context.arguments.operands.isEmpty == (command?.isEmpty == false) else {
      throw usage(
        command == nil
          ? "say what to follow: news subscribe https://example.com/feed.xml"
          : "--command cannot be used with a URL: news subscribe --command 'my-scraper --x'"
      )
    }
    let words = try context.numberedInput(in: context.arguments.operands)
    guard !words.isEmpty || command != nil else {
      context.say("nothing to subscribe to: no feed on standard input")
      return .done
    }
    guard context.arguments.value("title") == nil || words.count <= 1 else {
      throw usage("--title is for one feed: news subscribe URL --title TITLE")
    }
    let secrets = ["password-command", "header", "header-command"]
    if command != nil, let name = secrets.first(where: context.arguments.has) {
      throw usage("--\(name) cannot be used with --command")
    }
    if words.count > 1, let name = (secrets + ["filter"]).first(where: context.arguments.has) {
      throw usage("--\(name) is for one feed: news subscribe URL --\(name) …")
    }
    if context.arguments.has("list") {
      let lists = FeedLists(context: context, store: try context.store())
      for word in words { try lists.follow(word.text) }
      return .done
    }
    let subscriber = FeedSubscriber(context: context, store: try context.store())
    guard words.count > 1 || words.first?.line != nil else {
      try subscriber.follow(try context.source(words.first?.text ?? "", command: command))
      return .done
    }
    return try followAll(words, subscriber)
  }

  /// The most sources that are asked at once: their documents are kept until all have come.
  private static let mostAtOnce = 64

  private func followAll(_ words: [InputWord], _ subscriber: FeedSubscriber) throws -> ExitStatus {
    var (status, rest) = (ExitStatus.done, words[...])
    while !rest.isEmpty, !isInterrupted {
      let part = rest.prefix(Self.mostAtOnce)
      rest = rest.dropFirst(part.count)
      try subscriber.ask(for: part.compactMap { try? context.source($0.text) })
      for word in part where !isInterrupted {
        do {
          try subscriber.add(try context.source(word.text))
        } catch {
          context.environment.report(word.named(error))
          status = .failed
        }
      }
      try subscriber.storeAnswers()
    }
    return isInterrupted ? .failed : status
  }

  private var isInterrupted: Bool { context.environment.interruption() != nil }
}
