import NewsCommands
import System
import TestSupport

/// The attempts of somebody who has taken over the process that reads what strangers wrote.
///
/// Its rights are those that a command leaves it; each line of the output names an attempt, and how
/// it ended.
struct Attempts {
  private let user = getenv("HOME").map { String(cString: $0) } ?? "/"
  let home: String
  let folder: String

  func run() {
    let begun = ContinuousClock.now
    let words = ["sync", folder, "--home", home]
    _ = NewsCommand.confinement(arguments: words, environment: .process())?.begin()
    let time = begun.duration(to: .now) / .microseconds(1)
    // The permitted attempts come first: the others may end the process.
    say("read settings", read("/etc/hosts"))
    say("write .profile", write(user + "/.profile"))
    say("make .bashrc", write(user + "/.bashrc", O_CREAT | O_EXCL))
    say("read a key", read(user + "/.ssh/id_ed25519"))
    say("list the keys", POSIX.names(inFolder: user + "/.ssh") == nil ? -1 : 0)
    say("write through a link", write(folder + "/link", O_CREAT))
    say("move onto the keys", rename(folder + "/file", user + "/.ssh/authorized_keys"))
    say("make a link", symlink(user + "/.ssh", folder + "/other"))
    say("run a shell", runShell())
    say("write at home", write(home + "/new", O_CREAT))
    say("write in the folder", write(folder + "/new", O_CREAT))
    say("replace in the folder", rename(folder + "/new", folder + "/file"))
    print("microseconds: \(Int(time))")
  }

  /// Prints the outcome of a call that returns -1 when it fails.
  private func say(_ attempt: String, _ result: Int32) {
    let failure = POSIX.errorMessage(errno)
    print("\(attempt): \(result == -1 ? failure : "done")")
    // This line may be the last one.
    fflush(nil)
  }

  private func write(_ path: String, _ flags: Int32 = 0) -> Int32 {
    let file = open(path, O_WRONLY | flags, 0o600)
    guard file >= 0 else { return -1 }
    defer { close(file) }
    return Glibc.write(file, "x", 1) == 1 ? 0 : -1
  }

  private func read(_ path: String) -> Int32 {
    let file = open(path, O_RDONLY)
    return file < 0 ? -1 : close(file)
  }

  private func runShell() -> Int32 {
    let process = POSIX.spawn(["/bin/sh", "-c", "exit"], copying: [])
    guard let process else {
      errno = EACCES
      return -1
    }
    return POSIX.waitForEnd(of: process)
  }
}
