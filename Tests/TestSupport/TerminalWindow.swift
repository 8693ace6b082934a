/// A window of a real terminal emulator, tmux, in which a test types and looks.
///
/// The window has a shell, as a user's has; it ends with the last reference to it.
package final class TerminalWindow {
  private let socket: String

  /// Opens a window with a shell that has `environment` over this process's own.
  ///
  /// - Throws: when tmux cannot be started.
  package init(
    columns: Int = 80,
    rows: Int = 24,
    in folder: String,
    environment: [String: String?] = [:],
  ) throws {
    socket = "\(folder)/tmux"
    let shell: [String: String?] = [
      "PS1": "$ ", "ENV": nil, "BASH_ENV": nil, "TMUX": nil, "LC_ALL": "C.UTF-8", "HISTFILE": nil,
    ]
    let size = ["-x", "\(columns)", "-y", "\(rows)"]
    let start = ["tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d"] + size
    let result = try Subprocess.run(
      start + ["bash", "--norc", "--noprofile"],
      environment: shell.merging(environment) { $1 },
    )
    guard result.status == 0 else { throw POSIXFailure("tmux", result.errorText) }
    _ = try tmux("set-option", "-g", "status", "off")
    _ = try tmux("set-option", "-s", "set-clipboard", "on")
    try wait(for: "$")
  }

  deinit {
    _ = try? tmux("kill-server")
  }

  /// The visible text, a line a row, without spaces at their ends.
  package var screen: String {
    get throws { try tmux("capture-pane", "-p", "-t", "0").text }
  }

  /// The visible text with the sequences (SGR, OSC 8) that dress it.
  package var dressedScreen: String {
    get throws { try tmux("capture-pane", "-p", "-e", "-t", "0").text }
  }

  package var rows: [String] {
    get throws {
      try screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Presses keys by tmux's names: `Enter`, `C-z`, `Down`, `j`.
  package func press(_ keys: String...) throws {
    _ = try tmux(["send-keys", "-t", "0"] + keys)
  }

  package func run(_ line: String) throws {
    _ = try tmux("send-keys", "-t", "0", "-l", line)
    try press("Enter")
  }

  package func resize(columns: Int, rows: Int) throws {
    _ = try tmux("resize-window", "-t", "0", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// Returns a fact that tmux knows of the window, such as `alternate_on`.
  package func fact(_ name: String) throws -> String {
    let text = try tmux("display-message", "-p", "-t", "0", "#{\(name)}").text
    return text.filter { !$0.isNewline }
  }

  /// Returns when the screen has this text, or when a condition is met.
  ///
  /// - Throws: when the window is gone, and when its screen stays unchanged, with its text.
  package func wait(for text: String) throws {
    try wait { $0.contains(text) }
  }

  package func wait(until isShown: (String) throws -> Bool) throws {
    var last = ""
    var quietLooks = 0
    while true {
      let shown = try screen(after: last)
      if try isShown(shown) { return }
      quietLooks = try shown == last && isAsleep() ? quietLooks + 1 : 0
      last = shown
      guard quietLooks < Self.mostQuietLooks else { throw TerminalWindowError.stays(shown) }
      poll(nil, 0, 20)
    }
  }

  package func wait(until name: String, is value: String) throws {
    try wait { _ in try fact(name) == value }
  }

  private func screen(after last: String) throws -> String {
    do { return try screen } catch { throw TerminalWindowError.gone(last) }
  }

  /// The number of looks in a row with an equal screen and no program at work after which a wait
  /// gives up.
  ///
  /// A program that a busy machine has not come to yet waits for a processor, and is not asleep.
  private static let mostQuietLooks = 1000

  /// True if all threads of all programs in the window sleep; false where that is not known.
  private func isAsleep() throws -> Bool {
    let shell = try fact("pane_pid")
    var paths = glob_t()
    defer { globfree(&paths) }
    glob("/proc/[0-9]*/task/[0-9]*/stat", 0, nil, &paths)
    let states = (0..<Int(paths.gl_pathc)).compactMap { index -> Substring? in
      // Processes that have ended meanwhile are left out.
      guard let path = paths.gl_pathv[index], let text = try? readText(String(cString: path)),
        let end = text.lastIndex(of: ")")
      else { return nil }
      // The fields are the state, the parent, the process group and the session.
      let fields = text[end...].split(separator: " ").dropFirst().prefix(4)
      return fields.last == shell[...] ? fields.first : nil
    }
    return !states.isEmpty && states.allSatisfy { $0 == "S" || $0 == "T" }
  }

  package var clipboard: String {
    get throws { try tmux("show-buffer").text }
  }

  private func tmux(_ words: String...) throws -> Subprocess.Result {
    try tmux(words)
  }

  private func tmux(_ words: [String]) throws -> Subprocess.Result {
    let result = try Subprocess.run(["tmux", "-S", socket] + words)
    guard result.status == 0 else { throw POSIXFailure("tmux", result.errorText) }
    return result
  }
}

package enum TerminalWindowError: Error, CustomStringConvertible {
  case gone(String)
  case stays(String)

  package var description: String {
    switch self {
    case .gone(let screen): "the window is gone; it showed:\n\(screen)"
    case .stays(let screen): "nothing goes on in the window any more; it shows:\n\(screen)"
    }
  }
}
