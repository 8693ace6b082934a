import CommandLine
import CommandSupport
import FeedStorage
import ReadingCommands

/// Checks of what the reader writes: the defaults, and the keys of the table view.
struct SettingsChecks {
  let environment: Environment
  let store: LibraryStore

  private static let advice = "correct it, or take it out"

  func findings() -> [Finding] { defaults() + keys() + oldKeys() }

  private func defaults() -> [Finding] {
    let defaults = CommandDefaults(environment)
    guard defaults.faults.isEmpty else {
      return defaults.faults.map { .wrong("defaults", defaults.message($0), Self.advice) }
    }
    let count = Count.of(defaults.lines.count, "line")
    return [
      .ok("defaults", defaults.isThere ? "\(count) in \(defaults.name ?? "")" : "not there yet")
    ]
  }

  private func keys() -> [Finding] {
    let faults = KeyMap(home: store.home, environment).faults
    guard faults.isEmpty, let path = environment.keysPath else {
      return faults.map { fault in
        .wrong(fault.hasPrefix(KeyMap.oldName) ? KeyMap.oldName : "keys", fault, Self.advice)
      }
    }
    let isThere = FileStatus(at: path) != nil
    return [.ok("keys", isThere ? "yours in \(environment.shortened(path))" : "not there yet")]
  }

  private func oldKeys() -> [Finding] {
    let old = "\(store.home)/\(KeyMap.oldName)"
    guard FileStatus(at: old) != nil, let new = environment.keysPath else { return [] }
    let text = "is still read; keys are kept in \(environment.shortened(new)) now"
    let (from, to) = (ShellWord.asNeeded(old), ShellWord.asNeeded(new))
    let folder = ShellWord.asNeeded(FilePath.folder(of: new))
    let advice =
      FileStatus(at: new) == nil
      ? "move it: mkdir -p \(folder) && mv \(from) \(to)"
      // Before the others, which count; awk ends each line.
      : "put its lines there: awk 1 \(from) \(to) > \(to).new && mv \(to).new \(to) && rm \(from)"
    return [.note(KeyMap.oldName, text, advice)]
  }
}
