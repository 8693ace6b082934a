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
    CommandOption("tag", value: "TAG", help: "give it a tag; may be repeated"),
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
    let subscribing = Subscribing(context: context, store: try context.store())
    guard words.count > 1 else {
      try subscribing.subscribe(words[0])
      return .done
    }
    return followAll(words, subscribing)
  }

  /// One that fails does not keep the others from being followed.
  private func followAll(_ words: [String], _ subscribing: Subscribing) -> ExitStatus {
    var status = ExitStatus.done
    for word in words {
      do throws(CommandError) {
        try subscribing.subscribe(word)
      } catch {
        context.environment.report(error)
        status = .failed
      }
      if let signal = context.environment.interruption() { return .interrupted(by: signal) }
    }
    return status
  }
}
