import CommandLine
import CommandSupport

/// A line of the user's crontab(5).
struct CronTimer: FetchTimer {
  private static let mark = "# news schedule"
  /// The commands that show the table, and whether a daemon runs it.
  static let questions = [
    ["crontab", "-l"],
    ["pgrep", "-x", "cron|crond|fcron|dcron"],
    ["systemctl", "is-active", "--quiet", "cron.service", "crond.service", "cron.target"],
  ]

  let name = "cron"
  let diagnosis = "crontab -l, and whether a cron runs: pgrep cron"
  let context: CommandContext

  var isThere: Bool { listing != nil }

  /// The answer of `crontab -l`; nil without cron, or without leave to use it (`/etc/cron.deny`).
  private var listing: POSIX.ProgramAnswer? {
    let answer = context.environment.runProgram(Self.questions[0], "")
    guard let answer, answer.status == 0 || !answer.text.contains("not allowed") else { return nil }
    return answer
  }

  /// Returns the reason that this user has no crontab: none is installed, or its own words.
  var fault: Failure {
    let said = context.environment.runProgram(Self.questions[0], "")?.text
    return Failure(said.map { SafeText.line($0) } ?? LibraryFault(.crontab).sentence)
  }

  func files(_ fetch: TimedFetch) -> [TimerFile] {
    [TimerFile(path: "crontab", text: line(fetch) + "\n")]
  }

  /// Returns the line; cron would mail its output each time, and `news log` has that all the same.
  private func line(_ fetch: TimedFetch) -> String {
    let command = fetch.words.map(Self.word).joined(separator: " ")
    return "\(fetch.times.cron) * * * \(command) >/dev/null 2>&1 \(Self.mark)"
  }

  private static func word(_ text: String) -> String {
    // cron takes a % for a line break.
    ShellWord.asNeeded(text).replacing("%", with: "\\%")
  }

  /// Returns false for the line of another home, which has its own path.
  private func isOwn(_ line: String, _ home: String) -> Bool {
    line.hasSuffix(Self.mark)
      && (line.contains(" --home \(home) ") || !line.contains(" --home "))
  }

  private var home: String { (try? context.home()).map(Self.word) ?? "" }

  func install(_ fetch: TimedFetch) throws -> Bool {
    guard let old = try lines() else {
      throw fault
    }
    let new = others(old) + [line(fetch)]
    // The place of the line in the table is the user's choice.
    guard Set(old) != Set(new) || old.count != new.count else { return false }
    try save(new)
    return true
  }

  func remove() throws -> Bool {
    guard let old = try lines() else { return false }
    let others = others(old)
    guard others.count < old.count else { return false }
    if others.isEmpty {
      try context.runOrFail("crontab", "-r")
    } else {
      try save(others)
    }
    return true
  }

  func state() throws -> TimerState? {
    guard let line = try lines()?.first(where: { [home] in isOwn($0, home) }) else { return nil }
    let times = TimerTimes(cron: line)
    let now = Int(clamping: context.clock.now())
    return TimerState(
      times: times,
      isOn: !line.hasPrefix("#"),
      isUnmetered: line.contains(MeteredNetwork.option.spelling),
      next: times?.next(after: now, context.clock),
    )
  }

  func obstacle() -> TimerObstacle? {
    let answers = Self.questions.dropFirst().compactMap { context.environment.runProgram($0, "") }
    guard !answers.isEmpty, !answers.contains(where: { $0.status == 0 }) else { return nil }
    return TimerObstacle(
      fault: "no cron daemon runs here",
      remedy: "service cron start, or the like",
    )
  }

  private func others(_ lines: [String]) -> [String] {
    let home = home
    return lines.filter { !isOwn($0, home) }
  }

  private func lines() throws -> [String]? {
    guard let answer = listing else { return nil }
    guard answer.isWhole else { throw Failure("the crontab is larger than 1 MiB") }
    if answer.status == 0 {
      let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
      return (lines.last == "" ? lines.dropLast() : lines[...]).map(String.init)
    }
    let reason = answer.text.split(separator: "\n").first ?? ""
    guard reason.contains("no crontab") else { throw Failure("crontab -l: \(reason)") }
    return []
  }

  private func save(_ lines: [String]) throws {
    try context.runOrFail("crontab", "-", input: lines.map { $0 + "\n" }.joined())
  }
}
