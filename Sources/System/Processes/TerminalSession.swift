/// A terminal session (getsid(2)): what one logs in to, one window of a terminal, a job of cron.
package struct TerminalSession: Hashable, Sendable {
  /// The number of the process that leads it and when that was started: numbers come again.
  package let name: String

  package init(name: String) {
    self.name = name
  }

  package init(leader: pid_t) {
    // The 22nd field; the second, a name in parentheses, may have anything in it.
    let status = try? POSIX.readFile("/proc/\(leader)/stat", maximumBytes: 65_536)
    let fields = status?.split(separator: UInt8(ascii: ")")).last?.split(
      separator: UInt8(ascii: " ")
    )
    let start = fields.flatMap { $0.count > 19 ? String(decoding: $0[19], as: UTF8.self) : nil }
    name = [String(leader), start].compactMap(\.self).joined(separator: "-")
  }

  package static func current() -> TerminalSession {
    TerminalSession(leader: getsid(0))
  }

  /// Whether nobody is in it any more: a session outlives the process that led it.
  package var hasEnded: Bool {
    guard let leader = pid_t(name.prefix { $0 != "-" }) else { return true }
    // Nobody gets the number of a session that has somebody in it.
    if getsid(leader) != -1 { return TerminalSession(leader: leader) != self }
    // Where the system does not tell its processes as a folder, nobody is left.
    let processes = POSIX.names(inFolder: "/proc") ?? []
    return getsid(0) != leader
      && !processes.contains { name in pid_t(name).map { getsid($0) == leader } ?? false }
  }
}
