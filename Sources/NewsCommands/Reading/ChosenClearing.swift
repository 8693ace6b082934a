import Aggregation
import FeedModel
import FeedStorage

/// Deletes the stories that the options of `news clear` choose.
struct ChosenClearing {
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
    let clearing = try store.change {
      library throws(CommandError) -> (LibraryChange, StoryClearing) in
      let clearing = try self.clearing(library, try feeds(library))
      do throws(StorageError) {
        return (try clearing.change(command: command), clearing)
      } catch {
        throw .failed("\(error)")
      }
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
    do {
      return try StoryClearing(choice, in: library, now: context.environment.clock.date)
    } catch {
      throw .failed("\(error)")
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
