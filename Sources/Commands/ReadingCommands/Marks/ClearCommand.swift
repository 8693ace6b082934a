import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage

struct ClearCommand: Command {
  static let name = "clear"
  static let summary = "clear stored stories: all, or those of a feed"
  static let synopsis = "[--feed FEED] [--yes] | --history"
  static let examples = [
    HelpExample(
      "news clear --feed reuters",
      "clear a feed's stories; those it still carries come back with a refresh",
    ),
    HelpExample("news clear", "clear all stories, after asking"),
    HelpExample("news clear --yes && news refresh", "start over with what the feeds carry now"),
  ]
  static let options = [
    FeedSelector.option,
    Confirmation.option,
    CommandOption("history", help: "forget when you read, and clear no stories"),
  ]
  static let notes = [
    "--feed keeps starred stories, and stories that other feeds carry too. Without it, everything "
      + "is cleared, including starred stories. Pages that you have saved (`news save`) always "
      + "stay: `news delete` deletes them.",
    "Stories are cleared on this machine alone. `news delete --all --grep is:read` deletes what "
      + "you have read for good, here and on other machines.",
    "`news undo` brings the stories back.",
  ]

  static let exclusions = [["history", "feed"]]

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      let word = ShellWord.proposed(context.arguments.operands[0], or: "FEED")
      throw usage("clear takes options only; for a feed: news clear --feed \(word)")
    }
    let store = try context.store()
    let isPartial = context.arguments.has("feed")
    if context.arguments.has("history") {
      try store.forgetHistory()
      context.say("your reading times and your place in browse are forgotten")
      return .done
    }
    guard try isAgreed(store, isPartial: isPartial) else {
      context.say("nothing was cleared")
      return .failed
    }
    try isPartial ? clear(store) : clearAll(store)
    return .done
  }

  private func isAgreed(_ store: LibraryStore, isPartial: Bool) throws -> Bool {
    if context.isConfirmed { return true }
    return try isPartial ? isPartConfirmed(store) : isWholeConfirmed(store)
  }

  private func clearAll(_ store: LibraryStore) throws {
    let isDone = try store.clearStories(by: context.origin)
    context.forgetListing(in: store)
    guard isDone else { return try clear(store) }
    context.say("all stories cleared\(here(store)); \(Self.ways)")
  }

  /// Asks even if the data file cannot be read: it can be deleted all the same.
  private func isWholeConfirmed(_ store: LibraryStore) throws -> Bool {
    try context.confirm("Clear \((try? Self.amount(store.read().items)) ?? "the data file")")
  }

  /// Returns `98 stories, 3 of them starred`; saved pages are not counted.
  private static func amount(_ items: ItemTable) throws -> String {
    var (count, starred) = (0, 0)
    try items.forEachStory(at: 0..<items.count) { (_, story) in
      guard try !story.strings(.feeds).contains(Subscription.savedURL) else { return }
      count += 1
      if try story.isStarred() { starred += 1 }
    }
    return Count.stories(count) + (starred == 0 ? "" : ", \(starred) of them starred")
  }

  private func isPartConfirmed(_ store: LibraryStore) throws -> Bool {
    let library = try store.read()
    let clearing = try clearing(library)
    let count = clearing.cleared + clearing.leftToOthers
    guard count > 0 else { return true }
    let feeds = try context.chosenFeeds(library.subscriptions) ?? []
    let name = feeds.count == 1 ? FeedName.printable(feeds[0]) : Count.of(feeds.count, "feed")
    return try context.confirm("Clear \(Count.stories(count)) of \(name)")
  }

  private func clear(_ store: LibraryStore) throws {
    let command = Self.name + (context.arguments.has("feed") ? " --feed" : "")
    tell(
      try store.change { library in
        let clearing = try clearing(library)
        return (clearing.change(command: command), clearing)
      },
      store,
    )
  }

  private func here(_ store: LibraryStore) -> String {
    store.isSynchronized ? " on this machine alone" : ""
  }

  private func clearing(_ library: Library) throws -> StoryClearing {
    let feeds = try context.chosenFeeds(library.subscriptions)
    let choice = feeds.map { StoryClearing.Choice.feeds($0.map(\.url)) } ?? .everything
    return try StoryClearing(choice, in: library, now: context.clock.date)
  }

  private func tell(_ clearing: StoryClearing, _ store: LibraryStore) {
    var parts = ["\(Count.stories(clearing.cleared)) cleared\(here(store))"]
    if clearing.leftToOthers > 0 { parts.append("\(clearing.leftToOthers) left to other feeds") }
    if clearing.starred > 0 { parts.append("\(clearing.starred) starred kept") }
    if clearing.saved > 0 { parts.append("\(Count.of(clearing.saved, "saved page")) kept") }
    if clearing.cleared + clearing.leftToOthers > 0 {
      parts[parts.count - 1] += "; " + Self.ways
    } else if clearing.saved > 0 {
      parts[parts.count - 1] += "; `news delete` deletes \(clearing.saved == 1 ? "it" : "them")"
    }
    context.say(parts.joined(separator: ", "))
  }

  private static let ways =
    "`news undo` brings them back, `news refresh` what the feeds still carry"
}
