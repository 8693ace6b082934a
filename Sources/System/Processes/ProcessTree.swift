/// The processes of this machine, by their parents.
struct ProcessTree {
  private var children: [pid_t: [pid_t]] = [:]

  /// The processes as `/proc` has them now; none where there is no such folder.
  static var current: ProcessTree {
    var tree = ProcessTree()
    for name in POSIX.names(inFolder: "/proc") ?? [] {
      guard let process = pid_t(name), let parent = parent(of: process) else { continue }
      tree.children[parent, default: []].append(process)
    }
    return tree
  }

  /// Processes, and all that they and theirs have started.
  func descendants(of processes: Set<pid_t>) -> Set<pid_t> {
    var found = processes
    var rest = Array(processes)
    while let process = rest.popLast() {
      for child in children[process] ?? [] where found.insert(child).inserted { rest.append(child) }
    }
    return found
  }

  /// The parent as of proc_pid_stat(5): the second field behind the name, which stands in parentheses.
  private static func parent(of process: pid_t) -> pid_t? {
    var bytes: [UInt8] = []
    try? POSIX.readFile("/proc/\(process)/stat", maximumBytes: 4096) { bytes += $0 }
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 1 ? pid_t(String(decoding: fields[1], as: UTF8.self)) : nil
  }
}
