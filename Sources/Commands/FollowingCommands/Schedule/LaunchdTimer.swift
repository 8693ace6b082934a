import CommandLine
import CommandSupport

/// An agent of launchd (launchd.plist(5)).
struct LaunchdTimer: FetchTimer {
  private static let label = "news.fetch"

  let name = "launchd"
  let diagnosis = "launchctl print gui/$(id -u)/\(Self.label)"
  private let context: CommandContext
  private let path: String

  init(_ context: CommandContext) {
    self.context = context
    let home = context.environment.variable("HOME") ?? ""
    path = "\(home)/Library/LaunchAgents/\(Self.label).plist"
  }

  func files(_ fetch: TimedFetch) -> [TimerFile] {
    [TimerFile(path: path, text: text(fetch))]
  }

  private func text(_ fetch: TimedFetch) -> String {
    let words = fetch.words.map { "    <string>\(Self.escaped($0))</string>" }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- \(TimerFile.mark)\(fetch.times.cron)
        -->
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>\(Self.label)</string>
        <key>ProgramArguments</key>
        <array>
      \(words.joined(separator: "\n"))
        </array>
        <key>StartCalendarInterval</key>
        <array>
      \(times(fetch.times).joined(separator: "\n"))
        </array>
        <key>ProcessType</key>
        <string>Background</string>
        <key>Umask</key>
        <integer>63</integer>
      </dict>
      </plist>

      """
  }

  private func times(_ times: TimerTimes) -> [String] {
    let hours: [Int?] = times.hours ?? [nil]
    return hours.flatMap { hour in
      times.minutes.map { minute in
        let hour = hour.map { "<key>Hour</key><integer>\($0)</integer>" } ?? ""
        return "    <dict>\(hour)<key>Minute</key><integer>\(minute)</integer></dict>"
      }
    }
  }

  private static func escaped(_ text: String) -> String {
    let names: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
    return text.reduce(into: "") { $0 += names[$1] ?? String($1) }
  }

  private var domain: String { "gui/\(getuid())" }

  func install(_ fetch: TimedFetch) throws -> Bool {
    let isOn = try state()?.isOn ?? false
    guard try TimerFile.write(files(fetch)) || !isOn else { return false }
    _ = context.answer(["launchctl", "bootout", "\(domain)/\(Self.label)"])
    try context.runOrFail("launchctl", "bootstrap", domain, path)
    return true
  }

  func remove() throws -> Bool {
    guard try state() != nil else { return false }
    _ = context.answer(["launchctl", "bootout", "\(domain)/\(Self.label)"])
    return try TimerFile.remove([path])
  }

  func state() throws -> TimerState? {
    guard let text = try TimerFile.current(path) else { return nil }
    let times = TimerFile.times(in: text)
    return TimerState(
      times: times,
      isOn: context.answer(["launchctl", "print", "\(domain)/\(Self.label)"]) != nil,
      isUnmetered: text.contains(MeteredNetwork.option.spelling),
      next: times?.next(after: Int(clamping: context.clock.now()), context.clock),
    )
  }

  func obstacle() -> TimerObstacle? { nil }
}
