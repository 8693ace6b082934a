import FeedStorage

/// `news clear`: deletes the stored stories; subscriptions stay.
enum ClearCommand: Command {
  static let name = "clear"
  static let summary = "delete all stored stories; subscriptions stay"
  static let synopsis = "[--yes]"
  static let examples = [
    HelpExample("news clear", "ask, then delete the stories"),
    HelpExample("news clear --yes && news refresh", "begin anew: the refresh brings them back"),
  ]
  static let options = [CommandOption("yes", "y", help: "do not ask")]
  static let notes = ["What was read and starred is forgotten, too."]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("clear takes no operands: news clear")
    }
    let store = try context.store()
    if context.canAsk, !context.arguments.has("yes"), try !isConfirmed(context, store) {
      context.say("nothing was deleted")
      return .failed
    }
    do {
      try store.clearStories()
    } catch {
      throw .failed("\(error)")
    }
    ListingRecord.forget(store, context)
    context.say("all stories deleted; `news refresh` brings them back")
    return .done
  }

  /// A data file that cannot be read can still be deleted, when the user says so.
  private static func isConfirmed(
    _ context: CommandContext,
    _ store: LibraryStore,
  ) throws(CommandError) -> Bool {
    // The question is asked all the same; what is unreadable has no number.
    let stories = (try? store.read().items.count).map { Count.of($0, "story", "stories") }
    let answer = context.ask("Delete \(stories ?? "the data file")? [y/N] ")?.lowercased()
    return answer == "y" || answer == "yes"
  }
}
