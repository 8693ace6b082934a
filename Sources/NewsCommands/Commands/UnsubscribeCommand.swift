import FeedModel
import FeedStorage

/// `news unsubscribe`: follows a feed no longer.
enum UnsubscribeCommand: Command {
  static let name = "unsubscribe"
  static let summary = "stop following a feed"
  static let synopsis = "FEED…"
  static let examples = [
    HelpExample("news unsubscribe https://example.com/feed.xml", "by its URL"),
    HelpExample("news unsubscribe reuters", "by an unambiguous part of its title or URL"),
    HelpExample("news unsubscribe tag:old", "all feeds with this tag"),
  ]
  static let notes = [
    "Its stories go with it, but for starred ones and those that another feed carries as well."
  ]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    guard !words.isEmpty else { throw usage("say which feed: news unsubscribe FEED") }
    let store = try context.store()
    let folder = context.environment.currentFolder()
    let results = try store.change { library throws(CommandError) in
      try Unsubscribing(library: library, currentFolder: folder).change(words)
    }
    for result in results {
      FirstAnswers(home: store.home).forget(result.subscription.url)
      let removed = Count.of(result.removed, "story", "stories")
      let name = FeedName.printable(result.subscription)
      context.say("unsubscribed from \(name); \(removed) removed")
    }
    return .done
  }
}
