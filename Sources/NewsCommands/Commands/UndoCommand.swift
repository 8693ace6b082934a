/// `news undo`: takes back the last marking or clearing.
enum UndoCommand: Command {
  static let name = "undo"
  static let summary = "take back the last marking or clearing"
  static let synopsis = ""
  static let examples = [
    HelpExample("news read --all && news undo", "what was unread is unread again"),
    HelpExample("news clear --read && news undo", "the stories are back, in their places"),
    HelpExample("news undo --json", "what was taken back, for a program"),
  ]
  static let notes = [
    "Takes back `read`, `unread`, `star`, `unstar`, the reading of `open`, and `clear` in all its "
      + "forms: one step, kept until the next of them. What a fetch has stored since stays."
  ]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("undo takes no operands") }
    let undoing = Undoing(store: try context.store(), now: context.environment.clock.date)
    let result = try undoing.run()
    let isDone = (result?.count ?? 0) > 0
    if context.isJSON {
      let value = JSONValue.object([
        JSONMember("undone", isDone ? .text(result?.command) : .null),
        JSONMember("stories", .integer(result?.count ?? 0)),
      ])
      context.output.printLine(value.description)
    }
    guard let result else { throw .failed("there is nothing to undo") }
    guard isDone else {
      throw .failed(
        "there is nothing to undo: nothing is left of the last `news \(result.command)`"
      )
    }
    if !context.isJSON { context.say(result.words.joined(separator: ", ")) }
    return .done
  }
}
