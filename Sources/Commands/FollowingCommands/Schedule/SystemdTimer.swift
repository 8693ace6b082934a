import CommandLine
package import CommandSupport
import FeedParsing
import FeedStorage

/// A timer of systemd's user manager (systemd.timer(5), systemd.service(5)).
package struct SystemdTimer: FetchTimer {
  private static let timer = "news-fetch.timer"
  /// The commands that show the timer, and whether its user's units run while the user is away.
  static let questions = [
    [
      "systemctl", "--user", "show", "--property=ActiveState", "--property=FragmentPath",
      "--property=NextElapseUSecRealtime", "--property=UnitFileState", timer,
    ],
    ["loginctl", "show-user", "--property=Linger", "--value", String(getuid())],
  ]

  let name = "systemd"
  let diagnosis = "systemctl --user status \(Self.timer) news-fetch.service"
  private let context: CommandContext

  package init(_ context: CommandContext) {
    self.context = context
  }

  package var isThere: Bool { context.systemctl("show", "--property=Version") != nil }

  func files(_ fetch: TimedFetch) -> [TimerFile] {
    zip(paths, [timerText(fetch), service(fetch)]).map { TimerFile(path: $0, text: $1) }
  }

  private func service(_ fetch: TimedFetch) -> String {
    SystemdService.text(
      context,
      fetch.words,
      mark: "\(TimerFile.mark)\(fetch.times.cron)",
      unit: ["Description=Fetch the news feeds whose time has come"],
      // 3 is no news, for readers whose defaults have --exit-status.
      lines: ["Type=oneshot", "TimeoutStartSec=5min", "Nice=10", "SuccessExitStatus=3"],
      startsPrograms: SystemdService.startsPrograms(
        (try? context.store())?.needs(),
        fetch.words + context.environment.fetchDefaults,
      ),
    )
  }

  private var folder: String { context.configurationFolder.map { $0 + "/systemd/user" } ?? "~" }

  /// The user's own folders that may have a timer: ours, or one that came with the program.
  var folders: [String] {
    [folder] + [context.dataFolder].compactMap(\.self).map { $0 + "/systemd/user" }
  }

  private var paths: [String] {
    ["\(folder)/\(Self.timer)", "\(folder)/news-fetch.service"]
  }

  private func timerText(_ fetch: TimedFetch) -> String {
    let two = { (number: Int) in number.padded(to: 2) }
    let hours = fetch.times.hours?.map(two).joined(separator: ",") ?? "*"
    let minutes = fetch.times.minutes.map(two).joined(separator: ",")
    return """
      # \(TimerFile.mark)\(fetch.times.cron)
      [Unit]
      Description=Fetch the news, \(fetch.times.text)

      [Timer]
      OnCalendar=*-*-* \(hours):\(minutes):00
      Persistent=true
      RandomizedDelaySec=\(min(fetch.times.interval * 12, 120))

      [Install]
      WantedBy=timers.target

      """
  }

  func install(_ fetch: TimedFetch) throws -> Bool {
    guard context.configurationFolder != nil else { throw Failure("HOME is not set") }
    let isOn = try state()?.isOn ?? false
    guard try TimerFile.write(files(fetch)) || !isOn else { return false }
    try context.runOrFail("systemctl", "--user", "daemon-reload")
    try context.runOrFail("systemctl", "--user", "enable", Self.timer)
    try context.runOrFail("systemctl", "--user", "restart", Self.timer)
    return true
  }

  func remove() throws -> Bool {
    guard try state() != nil else { return false }
    // Without a manager the files are all there is.
    _ = context.systemctl("disable", "--now", Self.timer)
    _ = context.systemctl("clean", "--what=state", Self.timer)
    try context.removeUnits(paths, of: "timers.target")
    return true
  }

  func state() throws -> TimerState? {
    let own = try TimerFile.current(paths[0])
    let facts = context.answer(Self.questions[0])
    let lines = facts?.split(separator: "\n") ?? []
    guard let text = own ?? Self.packaged(lines) else { return nil }
    return TimerState(
      times: TimerFile.times(in: text),
      isOn: lines.contains("ActiveState=active"),
      isUnmetered: (try? TimerFile.current(paths[1]))?.contains(MeteredNetwork.option.spelling)
        ?? false,
      next: lines.compactMap(Self.instant).first,
    )
  }

  func obstacle() -> TimerObstacle? {
    guard let text = try? TimerFile.current(paths[1]), SystemdService.isClosed(text) else {
      return Self.lingering(context)
    }
    let needs = (try? context.store())?.needs()
    var fault: String?
    if SystemdService.startsPrograms(needs, context.environment.fetchDefaults) {
      fault = "start your commands, which are newer than it"
    } else if needs?.savesEpisodes == true, let folder = try? context.downloadPath(),
      !text.contains(SystemdService.path("-" + folder))
    {
      fault = "write to \(folder)"
    }
    guard let fault else { return Self.lingering(context) }
    return TimerObstacle(
      fault: "what it runs cannot \(fault)",
      remedy: "news schedule install",
    )
  }

  /// Returns the obstacle that the user's manager ends with the log-in.
  package static func lingering(_ context: CommandContext) -> TimerObstacle? {
    guard context.answer(questions[1]) == "no\n" else { return nil }
    return TimerObstacle(
      fault: "it runs only while you are logged in",
      remedy: "loginctl enable-linger",
    )
  }

  /// Returns the timer that came with the program, if the user enabled it by `systemctl --user
  /// enable`.
  private static func packaged(_ facts: [Substring]) -> String? {
    guard facts.contains("UnitFileState=enabled") || facts.contains("ActiveState=active"),
      let path = facts.first(where: { $0.hasPrefix("FragmentPath=/") })
    else { return nil }
    // Another program's timer of that name is none of ours.
    return try? TimerFile.current(String(path.dropFirst("FragmentPath=".count)))
  }

  /// Reads `NextElapseUSecRealtime=Mon 2026-11-23 01:34:10 UTC`; programs run with `TZ=UTC`.
  private static func instant(_ line: some StringProtocol) -> Int? {
    let parts = line.split(separator: " ")
    guard parts.count == 4, parts[0].hasPrefix("Next") else { return nil }
    return FeedDate.date("\(parts[1])T\(parts[2])Z")?.wholeSeconds
  }
}

extension Environment {
  /// The words of the defaults that hold for a timer's fetch.
  fileprivate var fetchDefaults: [String] {
    guard let path = defaultsPath else { return [] }
    let lines = SettingsText(at: path).lines.map { ShellLine(String($0)).words }
    return lines.filter { $0.first == FetchCommand.name }.flatMap(\.self)
  }
}

extension CommandContext {
  /// Returns the output of `systemctl --user`; nil when it fails.
  package func systemctl(_ words: String...) -> String? { answer(["systemctl", "--user"] + words) }

  /// Removes units of ours, the first of which a target wants, and the folders that are empty then.
  package func removeUnits(
    _ paths: [String],
    of target: String,
    mark: String = TimerFile.mark,
  ) throws {
    let folder = FilePath.folder(of: paths[0])
    let wants = "\(folder)/\(target).wants"
    _ = unlink("\(wants)/\(FilePath.name(of: paths[0]))")
    _ = try TimerFile.remove(paths, mark: mark)
    _ = systemctl("daemon-reload")
    for folder in [wants, folder, FilePath.folder(of: folder)] { _ = rmdir(folder) }
  }

  package var configurationFolder: String? {
    environment.userFolder("XDG_CONFIG_HOME", or: ".config")
  }

  fileprivate var dataFolder: String? {
    environment.userFolder("XDG_DATA_HOME", or: ".local/share")
  }
}
