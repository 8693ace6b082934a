import CommandLine
import CommandSupport
import FeedLibrary
import FeedStorage
import Searching

struct DeleteCommand: MarkingCommand {
  let context: CommandContext

  static let name = "delete"
  static let summary = "delete stories for good, unless they are starred"
  static let leading: [String] = []

  static var options: [CommandOption] {
    [
      CommandOption("all", help: "all stories that match the filters below, after asking"),
      Confirmation.option,
    ] + StoryQuery.options
  }

  static var notes: [String] {
    [
      "A deleted story does not come back while its feeds carry it. Starred stories are kept: "
        + "`news unstar` them first. `news sync` has other machines delete theirs, but for those that are "
        + "starred there: such a story comes back here, too. Servers keep theirs. `news undo` brings "
        + "the stories back, on other machines with their next fetch.",
      "`news delete --all --grep is:read` deletes what you have read. `news clear` clears a feed's "
        + "stories, or all, here alone; those that feeds still carry come back.",
    ]
  }

  func run() throws -> ExitStatus {
    try checkWords()
    let store = try context.store()
    var choose = try chosen(in: store)
    if context.arguments.has("all") {
      guard
        let agreed = try context.agreed(
          toDelete: choose,
          by: StoryClearing.Choice.deleted,
          in: store,
        )
      else { return .failed }
      choose = agreed
    }
    tell(
      try store.change { library in
        let clearing = try clearing(library, choose)
        return (clearing.change(command: Self.name), clearing)
      }
    )
    return .done
  }

  private func clearing(
    _ library: Library,
    _ choose: (Library) throws -> [Int],
  ) throws -> StoryClearing {
    try StoryClearing(.deleted(try choose(library)), in: library, now: context.clock.date)
  }

  private func tell(_ clearing: StoryClearing) {
    let back = clearing.cleared == 1 ? "it" : "them"
    let undo = clearing.cleared > 0 ? "; `news undo` brings \(back) back" : ""
    let kept = clearing.starred > 0 ? ", \(clearing.starred) starred kept" : ""
    context.say("\(Count.stories(clearing.cleared)) deleted\(kept)\(undo)")
  }
}
