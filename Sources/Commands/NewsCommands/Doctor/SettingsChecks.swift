import CommandSupport
import ReadingCommands

/// Checks of what the reader writes: the defaults, and the keys of the table view.
struct SettingsChecks {
  let environment: Environment

  private static let advice = "correct it, or take it out"

  func findings() -> [Finding] { defaults() + keys() }

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
    let faults = KeyMap(environment).faults
    guard faults.isEmpty, let path = environment.keysPath else {
      return faults.map { .wrong("keys", $0, Self.advice) }
    }
    let isThere = FileStatus(at: path) != nil
    return [.ok("keys", isThere ? "yours in \(environment.shortened(path))" : "not there yet")]
  }
}
