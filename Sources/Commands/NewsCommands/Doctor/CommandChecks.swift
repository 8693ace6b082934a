import CommandSupport
import FeedStorage

enum CommandChecks {
  static func findings(_ store: LibraryStore) -> [Finding] {
    let needs = store.needs()
    let isNeeded =
      !needs.commands.isEmpty || !needs.documentCommands.isEmpty || !needs.remotes.isEmpty
    guard isNeeded, let refusal = store.ownWords(needs).refusal else { return [] }
    return [.wrong("commands", "none is run: \(refusal)", "let nobody else decide what it says")]
  }
}
