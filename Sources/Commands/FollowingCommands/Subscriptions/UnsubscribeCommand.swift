import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage

struct UnsubscribeCommand: Command {
  static let name = "unsubscribe"
  static let summary = "stop following a feed"
  static let synopsis = "FEED… [--yes]"
  static let examples = [
    HelpExample("news unsubscribe https://example.com/feed.xml", "by URL"),
    HelpExample("news unsubscribe reuters", "by part of its title or URL"),
    HelpExample("news unsubscribe tag:old", "all feeds with this tag, after asking"),
  ]
  static let options = [Confirmation.option]
  static let notes = [
    "The feed's stories are deleted, except starred ones and those that another feed "
      + "carries. `news undo` brings everything back. The feed of saved pages stays as long as it has "
      + "any."
  ]

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard !context.arguments.operands.isEmpty else {
      throw usage("no feed given: news unsubscribe FEED")
    }
    let store = try context.store()
    guard try isAgreed(store) else {
      context.say("nothing was unsubscribed from")
      return .failed
    }
    let (gone, clearing, rules) = try store.change(remove)
    for subscription in gone.dropLast() {
      context.say("unsubscribed from \(FeedName.printable(subscription))")
    }
    var parts = [Count.stories(clearing.cleared) + " deleted"]
    if clearing.leftToOthers > 0 { parts.append("\(clearing.leftToOthers) left to other feeds") }
    if clearing.starred > 0 { parts.append("\(clearing.starred) starred kept") }
    if let last = gone.last {
      let name = FeedName.printable(last)
      context.say("unsubscribed from \(name); \(parts.joined(separator: ", "))")
    }
    for line in rules { context.say(line) }
    return .done
  }

  private func isAgreed(_ store: LibraryStore) throws -> Bool {
    guard !context.isConfirmed else { return true }
    let library = try store.library()
    let feeds = try chosen(library)
    guard feeds.count > 1 || context.environment.isInTableView else { return true }
    let (_, clearing) = try library.unsubscribing(from: feeds, context.origin)
    let stories = clearing.cleared > 0 ? " and delete \(Count.stories(clearing.cleared))" : ""
    let names = feeds.count == 1 ? FeedName.printable(feeds[0]) : Count.of(feeds.count, "feed")
    return try context.confirm("Unsubscribe from \(names)\(stories)")
  }

  private func chosen(_ library: Library) throws -> [Subscription] {
    let selector = context.selector(library.subscriptions)
    var gone: [Subscription] = []
    for word in context.arguments.operands {
      gone += try selector.subscriptions(word).filter { !gone.contains($0) }
    }
    if gone.contains(where: \.isOfSavedPages),
      try library.items.hasSavedPages
    {
      throw Failure(
        "saved pages stay until you delete them: news delete --all --feed \(Subscription.savedURL)"
      )
    }
    return gone
  }

  private func remove(
    _ library: Library
  ) throws -> (LibraryChange, ([Subscription], StoryClearing, [String])) {
    let gone = try chosen(library)
    var (change, clearing) = try library.unsubscribing(from: gone, context.origin)
    let rules = try context.followFeeds(&change, of: library)
    return (change, (gone, clearing, rules))
  }
}
