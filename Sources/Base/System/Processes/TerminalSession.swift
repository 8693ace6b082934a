/// A terminal session (getsid(2)): a login, one window of a terminal, a job of cron.
package struct TerminalSession: Hashable, Sendable {
  /// The leader's number and the time of its start, because numbers come again.
  package let name: String

  package init(name: String) {
    self.name = name
  }

  package init(leader: pid_t) {
    // The 22nd field.
    let fields = POSIX.statusFields(of: leader)
    let start = fields.count > 19 ? String(decoding: fields[19], as: UTF8.self) : nil
    name = [String(leader), start].compactMap(\.self).joined(separator: "-")
  }

  package static func current() -> TerminalSession {
    TerminalSession(leader: getsid(0))
  }

  /// True when no process is left in it; a session outlives its leader.
  package var hasEnded: Bool {
    guard let leader = pid_t(name.prefix { $0 != "-" }) else { return true }
    // A number in use as a session's is given to no new process.
    if getsid(leader) != -1 { return TerminalSession(leader: leader) != self }
    // Without `/proc`, as on macOS, nobody is taken to be left.
    let processes = POSIX.names(inFolder: "/proc") ?? []
    return getsid(0) != leader
      && !processes.contains { name in pid_t(name).map { getsid($0) == leader } ?? false }
  }
}
