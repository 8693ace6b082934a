import FeedStorage

/// What runs `news fetch --due` again and again.
protocol FetchTimer {
  /// systemd, launchd or cron.
  var name: String { get }
  /// What shows why it does not run.
  var diagnosis: String { get }

  /// The files that it needs, or the line.
  func files(_ fetch: TimedFetch) -> [TimerFile]

  /// Has it run from now on; whether that is a change.
  func install(_ fetch: TimedFetch) throws(CommandError) -> Bool

  /// Takes it away with all that it left; whether there was anything.
  func remove() throws(CommandError) -> Bool

  /// nil when it is not installed.
  func state() throws(CommandError) -> TimerState?

  /// What keeps it from running, though it is installed; nil where nobody knows of anything.
  func obstacle() -> TimerObstacle?
}

/// Why nothing runs a timer, or not always, and what to do about it.
struct TimerObstacle: Hashable {
  let fault: String
  let remedy: String

  var text: String { "\(fault): \(remedy)" }
}

struct TimerState: Hashable {
  /// nil where a person has changed them.
  var times: TimerTimes?
  /// Whether the system knows of it and has started it.
  var isOn = true
  /// Seconds since 1970.
  var next: Int?
}

/// A file that tells a system's timer what to do.
///
/// The first line that has `mark` in it says that it is ours, and behind that when it is to run.
struct TimerFile: Hashable {
  static let mark = "news schedule: "

  let path: String
  let text: String

  /// The file as it is; nil when there is none.
  ///
  /// - Throws: when it is somebody else's.
  static func current(_ path: String) throws(CommandError) -> String? {
    guard FileStatus(at: path, followingLinks: false) != nil else { return nil }
    let bytes = try commandErrors { try POSIX.readFile(path, maximumBytes: 65_536) }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains(mark) else {
      throw .failed("\(path) already exists and was not made by `news schedule`; left unchanged")
    }
    return text
  }

  static func times(in text: String) -> TimerTimes? {
    text.firstRange(of: mark).flatMap {
      TimerTimes(cron: text[$0.upperBound...].prefix { $0 != "\n" })
    }
  }

  /// Writes those files that are not so already; whether there were any.
  static func write(_ files: [TimerFile]) throws(CommandError) -> Bool {
    var isChanged = false
    for file in files where try current(file.path) != file.text {
      if let refusal = FileTrust.refusal(file.path) {
        throw .failed("\(file.path) would name a program, and \(refusal)")
      }
      try commandErrors { try AtomicFile(path: file.path).place(Array(file.text.utf8)) }
      isChanged = true
    }
    return isChanged
  }

  /// Removes files of ours; whether there were any.
  static func remove(_ paths: [String]) throws(CommandError) -> Bool {
    var isChanged = false
    for path in paths where try current(path) != nil {
      guard unlink(path) == 0 else { throw .failed("\(path): \(POSIX.errorMessage(errno))") }
      isChanged = true
    }
    return isChanged
  }
}

extension CommandContext {
  /// All timers that this system may have.
  var timers: [any FetchTimer] {
    environment.isMacOS
      ? [LaunchdTimer(self), CronTimer(self)] : [SystemdTimer(self), CronTimer(self)]
  }

  /// The first timer that is installed, and how it is.
  func installedTimer() throws(CommandError) -> (timer: any FetchTimer, state: TimerState)? {
    for timer in timers {
      if let state = try timer.state() { return (timer, state) }
    }
    return nil
  }

  /// Runs a program of the system's, and fails as it does.
  func runOrFail(_ words: String..., input: String = "") throws(CommandError) {
    let line = words.joined(separator: " ")
    guard let answer = environment.runProgram(words, input) else {
      throw .failed("\(line): program not found")
    }
    guard answer.status == 0 else {
      let reason = answer.text.split(separator: "\n").first.map { ": \($0)" } ?? ""
      let status = answer.status.map { "failed with status \($0)" } ?? "did not end in time"
      throw .failed("\(line) \(status)\(reason)")
    }
  }

  /// What a program of the system's prints; nil when it fails.
  func answer(_ words: [String]) -> String? {
    let answer = environment.runProgram(words, "")
    return answer?.status == 0 ? answer?.text : nil
  }
}
