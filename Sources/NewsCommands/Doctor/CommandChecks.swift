import CommandSupport
import FeedStorage
import ReadingCommands

enum CommandChecks {
  static func findings(_ store: LibraryStore) -> [Finding] {
    let needs = store.needs()
    let isNeeded =
      !needs.commands.isEmpty || !needs.documentCommands.isEmpty || !needs.remotes.isEmpty
    var findings: [Finding] = []
    if isNeeded, let refusal = store.whyCommandsAreRefused() {
      findings.append(
        .wrong("commands", "none is run: \(refusal)", "let nobody else decide what it says")
      )
    }
    // A file that cannot be read keeps `browse` from starting, which says so.
    let faults = (try? KeyMap(home: store.home, .news))?.faults ?? []
    return findings + faults.map { .wrong(KeyMap.fileName, $0, "correct it, or take it out") }
  }
}
