internal import CommandLine
package import CommandSupport
import FeedStorage

protocol FetchTimer {
  var name: String { get }
  /// The command that shows why it does not run.
  var diagnosis: String { get }

  func files(_ fetch: TimedFetch) -> [TimerFile]

  /// Installs and starts the timer; returns true if that is a change.
  func install(_ fetch: TimedFetch) throws -> Bool

  /// Removes the timer and all that it left; returns true if there was anything.
  func remove() throws -> Bool

  func state() throws -> TimerState?

  /// Returns what keeps an installed timer from running; nil if nothing is known.
  func obstacle() -> TimerObstacle?
}

package struct TimerObstacle: Hashable {
  let fault: String
  let remedy: String

  package var text: String { "\(fault): \(remedy)" }
}

struct TimerState: Hashable {
  /// The times; nil where a person has changed them.
  var times: TimerTimes?
  /// True if the system knows of it and has started it.
  var isOn = true
  /// True if it asks whether the network is metered.
  var isUnmetered = false
  /// Seconds since 1970.
  var next: Int?
}

/// A file that tells a system's timer, or its manager of services, what to do.
///
/// The first line with `mark` in it says that the file is ours, and then the times.
package struct TimerFile: Hashable {
  static let mark = "news schedule: "

  let path: String
  let text: String
  /// The mark of the command that makes the file.
  let mark: String

  package init(path: String, text: String, mark: String = Self.mark) {
    (self.path, self.text, self.mark) = (path, text, mark)
  }

  /// Returns the text of a file; nil when there is none.
  ///
  /// - Throws: when it is somebody else's.
  package static func current(_ path: String, mark: String = Self.mark) throws -> String? {
    guard FileStatus(at: path, followingLinks: false) != nil else { return nil }
    let bytes = try POSIX.readFile(path, maximumBytes: 65_536)
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains(mark) else {
      let command = mark.prefix { $0 != ":" }
      throw Failure("\(path) already exists and was not made by `\(command)`; left unchanged")
    }
    return text
  }

  static func times(in text: String) -> TimerTimes? {
    text.firstRange(of: mark).flatMap {
      TimerTimes(cron: text[$0.upperBound...].prefix { $0 != "\n" })
    }
  }

  /// Checks words that a file names: no line of it can hold a control character.
  package static func check(_ words: [String]) throws {
    if let word = words.first(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) {
      throw Failure("\(Spelling.quoted(word)) has control characters")
    }
  }

  /// Writes the files that differ; returns true if there were any.
  package static func write(_ files: [TimerFile]) throws -> Bool {
    var isChanged = false
    for file in files where try current(file.path, mark: file.mark) != file.text {
      if let refusal = FileTrust.refusal(file.path) {
        throw Failure("\(file.path) would name a program, and \(refusal)")
      }
      try AtomicFile(path: file.path).replaceMakingFolder(Array(file.text.utf8))
      isChanged = true
    }
    return isChanged
  }

  static func remove(_ paths: [String], mark: String = Self.mark) throws -> Bool {
    var isChanged = false
    for path in paths where try current(path, mark: mark) != nil {
      guard unlink(path) == 0 else { throw Failure("\(path): \(POSIX.errorMessage(errno))") }
      isChanged = true
    }
    return isChanged
  }
}

extension CommandContext {
  var timers: [any FetchTimer] {
    environment.isMacOS
      ? [LaunchdTimer(self), CronTimer(context: self)]
      : [SystemdTimer(self), CronTimer(context: self)]
  }

  func installedTimer() throws -> (timer: any FetchTimer, state: TimerState)? {
    for timer in timers {
      if let state = try timer.state() { return (timer, state) }
    }
    return nil
  }

  package func printFiles(_ files: [TimerFile]) {
    for file in files {
      if files.count > 1 { output.printLine("# \(file.path)") }
      output.print(file.text)
    }
  }

  package func runOrFail(_ words: String..., input: String = "") throws {
    let line = words.joined(separator: " ")
    guard let answer = environment.runProgram(words, input) else {
      throw Failure("\(line): program not found")
    }
    guard answer.status == 0 else {
      let reason = answer.text.split(separator: "\n").first.map { ": \($0)" } ?? ""
      let status = answer.status.map { "failed with status \($0)" } ?? "did not end in time"
      throw Failure("\(line) \(status)\(reason)")
    }
  }

  /// Returns the output of a system's program; nil when it fails.
  package func answer(_ words: [String]) -> String? {
    let answer = environment.runProgram(words, "")
    return answer?.status == 0 ? answer?.text : nil
  }
}
