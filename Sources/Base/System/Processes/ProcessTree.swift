struct ProcessTree {
  private var children: [pid_t: [pid_t]] = [:]

  static var current: ProcessTree {
    var tree = ProcessTree()
    for name in POSIX.names(inFolder: "/proc") ?? [] {
      guard let process = pid_t(name), let parent = parent(of: process) else { continue }
      tree.children[parent, default: []].append(process)
    }
    return tree
  }

  func descendants(of processes: Set<pid_t>) -> Set<pid_t> {
    var found = processes
    var rest = Array(processes)
    while let process = rest.popLast() {
      for child in children[process] ?? [] where found.insert(child).inserted { rest.append(child) }
    }
    return found
  }

  /// The field after the state in proc_pid_stat(5), behind the name in parentheses.
  private static func parent(of process: pid_t) -> pid_t? {
    let fields = POSIX.statusFields(of: process)
    return fields.count > 1 ? pid_t(String(decoding: fields[1], as: UTF8.self)) : nil
  }
}

extension POSIX {
  /// Returns the fields of a process's status from the third on.
  ///
  /// The second, a name in parentheses, may have anything in it.
  static func statusFields(of process: pid_t) -> [ArraySlice<UInt8>] {
    let status = try? readFile("/proc/\(process)/stat", maximumBytes: 65_536)
    return status?.split(separator: UInt8(ascii: ")")).last?.split(separator: UInt8(ascii: " "))
      ?? []
  }
}
