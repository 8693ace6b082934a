import Aggregation
import FeedModel
import FeedStorage

/// `news clear`: deletes stored stories; subscriptions stay.
enum ClearCommand: Command {
  static let name = "clear"
  static let summary = "delete stored stories: all, a feed's, or those that were read"
  static let synopsis = "[--feed FEED] [--read] [--yes]"
  static let examples = [
    HelpExample("news clear --read", "delete what was read, for good"),
    HelpExample(
      "news clear --feed reuters",
      "delete a feed's stories; a refresh brings them back",
    ),
    HelpExample("news clear", "ask, then delete all stories"),
    HelpExample("news clear --yes && news refresh", "begin anew: the refresh brings them back"),
  ]
  static let options = [
    FeedSelector.option,
    CommandOption("read", help: "only stories that were read; they do not come back"),
    CommandOption("yes", "y", help: "do not ask"),
  ]
  static let notes = [
    "With --feed or --read starred stories stay, and a story that other feeds carry stays with "
      + "them. Without either everything goes, what is starred, too.",
    "`news undo` brings them back: they are kept aside until the next marking or clearing.",
  ]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      let word = ShellWord.proposed(context.arguments.operands[0], or: "FEED")
      throw usage("clear takes options only; for a feed: news clear --feed \(word)")
    }
    let isPartial = context.arguments.has("feed") || context.arguments.has("read")
    let store = try context.store()
    let clearing = PartialClearing(context: context, store: store)
    if context.canAsk, !context.arguments.has("yes") {
      guard try isPartial ? clearing.isConfirmed() : isConfirmed(context, store) else {
        context.say("nothing was deleted")
        return .failed
      }
    }
    return try isPartial ? clearing.run() : clearAll(store, context)
  }

  private static func clearAll(
    _ store: LibraryStore,
    _ context: CommandContext,
  ) throws(CommandError) -> ExitStatus {
    let record = UndoRecord(command: name, date: context.environment.clock.date)
    try reading { try store.clearStories(undoneBy: record) }
    ListingRecord.forget(store, context)
    context.say("all stories deleted; `news refresh` or `news undo` brings them back")
    return .done
  }

  /// A data file that cannot be read can still be deleted, when the user says so.
  private static func isConfirmed(
    _ context: CommandContext,
    _ store: LibraryStore,
  ) throws(CommandError) -> Bool {
    // The question is asked all the same; what is unreadable has no number.
    let stories = (try? store.read().items.count).map { Count.of($0, "story", "stories") }
    return context.confirm("Delete \(stories ?? "the data file")?")
  }
}

/// Deletes the stories that the options of `news clear` choose.
struct PartialClearing {
  let context: CommandContext
  let store: LibraryStore

  /// Asks, with the number of stories; where there are none there is nothing to ask.
  func isConfirmed() throws(CommandError) -> Bool {
    let library = try store.library()
    let feeds = try feeds(library)
    let clearing = try self.clearing(library, feeds)
    let count = clearing.cleared + clearing.leftToOthers
    guard count > 0 else { return true }
    let kind = context.arguments.has("read") ? "read story" : "story"
    let kinds = context.arguments.has("read") ? "read stories" : "stories"
    let place = feeds.map { " of \(Self.name($0))" } ?? ""
    return context.confirm("Delete \(Count.of(count, kind, kinds))\(place)?")
  }

  func run() throws(CommandError) -> ExitStatus {
    let words = ["feed", "read"].filter(context.arguments.has).map { " --\($0)" }
    let command = "clear" + words.joined()
    let clearing = try store.change { library throws(CommandError) in
      let clearing = try self.clearing(library, try feeds(library))
      return (try reading { try clearing.change(command: command) }, clearing)
    }
    tell(clearing)
    return .done
  }

  private func feeds(_ library: Library) throws(CommandError) -> [Subscription]? {
    try context.chosenFeeds(library.subscriptions, command: ClearCommand.name)
  }

  private static func name(_ feeds: [Subscription]) -> String {
    feeds.count == 1 ? FeedName.printable(feeds[0]) : Count.of(feeds.count, "feed")
  }

  private func clearing(
    _ library: Library,
    _ feeds: [Subscription]?,
  ) throws(CommandError) -> StoryClearing {
    let isReadOnly = context.arguments.has("read")
    let choice = StoryClearing.Choice(feeds: feeds?.map(\.url), isReadOnly: isReadOnly)
    return try reading {
      try StoryClearing(choice, in: library, now: context.environment.clock.date)
    }
  }

  private func tell(_ clearing: StoryClearing) {
    var parts = ["\(Count.of(clearing.cleared, "story", "stories")) deleted"]
    if clearing.leftToOthers > 0 { parts.append("\(clearing.leftToOthers) left to other feeds") }
    if clearing.starred > 0 { parts.append("\(clearing.starred) starred kept") }
    let isUndoable = clearing.cleared + clearing.leftToOthers > 0
    let ways = context.arguments.has("read") ? "`news undo`" : "`news refresh` or `news undo`"
    context.say(parts.joined(separator: ", ") + (isUndoable ? "; \(ways) brings them back" : ""))
  }
}
