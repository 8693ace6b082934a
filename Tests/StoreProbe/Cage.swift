import CConfinement
import System

/// The attempts of a library in a cage, `Fixtures/confinement/attempts.c`.
struct CageProbe {
  let cage: Confinement.Cage
  let library: String

  /// Prints how each attempt ended: "done", the system's words, or "killed" by a signal.
  ///
  /// Each is made by a process of its own, which has no threads yet.
  func run(_ attempts: [String]) {
    print("outcome: \(outcome())")
    for attempt in attempts {
      let status = inChild {
        _ = confinement.begin()
        return load()?(attempt) ?? ENOENT
      }
      let said =
        switch status {
        case 0: "done"
        case 128...: "killed by \(status - 128)"
        default: POSIX.errorMessage(status)
        }
      print("\(attempt): \(said)")
    }
    print("microseconds: \(microseconds())")
  }

  private var confinement: Confinement {
    var confinement = Confinement()
    confinement.readable = ["/usr", "/lib", "/lib64", "/etc", "/proc", library]
    confinement.cage = cage
    return confinement
  }

  private func outcome() -> String {
    ["landlock", "seccomp"].enumerated().map { index, name in
      let status = inChild {
        let outcome = confinement.begin()
        if case .on = [outcome.landlock, outcome.seccomp][index] { return 0 }
        return 1
      }
      return status == 0 ? name : "-"
    }.joined(separator: " ")
  }

  /// Returns the median duration of a hundred attempts.
  private func microseconds() -> Int {
    var times: [Int] = []
    for _ in 0..<100 {
      guard let pipe = SystemPipe() else { break }
      _ = inChild {
        let begun = ContinuousClock.now
        _ = confinement.begin()
        var time = Int(begun.duration(to: .now) / .microseconds(1))
        _ = write(pipe.writeEnd, &time, MemoryLayout<Int>.size)
        return 0
      }
      var time = 0
      _ = read(pipe.readEnd, &time, MemoryLayout<Int>.size)
      for end in [pipe.readEnd, pipe.writeEnd] { _ = close(end) }
      times.append(time)
    }
    return times.sorted()[times.count / 2]
  }

  private func inChild(_ body: () -> Int32) -> Int32 {
    fflush(nil)
    let process = cconfinement_fork()
    if process == 0 { _exit(body()) }
    return POSIX.waitForEnd(of: process)
  }

  private func load() -> (@convention(c) (UnsafePointer<CChar>) -> Int32)? {
    guard let handle = dlopen(library, RTLD_NOW), let symbol = dlsym(handle, "attempt") else {
      return nil
    }
    return unsafeBitCast(symbol, to: (@convention(c) (UnsafePointer<CChar>) -> Int32).self)
  }
}
