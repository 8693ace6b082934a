import Synchronization
import TestSupport

/// The death of a command before a file takes the place of another, or before a request is sent.
///
/// Nothing ends: once the command has run, the files are put back as they were at that moment.
enum ModelKill {
  private final class Countdown: @unchecked Sendable {
    var left: Int
    let body: () -> Void

    init(_ left: Int, _ body: @escaping () -> Void) { (self.left, self.body) = (left, body) }
  }

  /// The countdown of each thread, used by that thread alone.
  private static let countdowns = Mutex<[UInt: Countdown]>([:])

  private static var thread: UInt { UInt(bitPattern: pthread_self().hashValue) }

  /// Calls `body` before the save or request of this number that the thread makes within `work`.
  static func before(
    _ number: Int,
    _ body: @escaping () -> Void,
    in work: () throws -> Void,
  ) rethrows {
    let countdown = Countdown(number, body)
    // A server may be killed within a command that is killed later.
    let outer = countdowns.withLock { $0.updateValue(countdown, forKey: thread) }
    defer { countdowns.withLock { $0[thread] = outer } }
    try work()
  }

  static func passed() {
    guard let countdown = countdowns.withLock({ $0[thread] }) else { return }
    countdown.left -= 1
    if countdown.left == -1 { countdown.body() }
  }
}

private typealias Rename =
  @convention(c) (Int32, UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?) -> Int32

/// The C library's `renameat`, which this program's own hides.
private let systemRename = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "renameat")
  .map { unsafeBitCast($0, to: Rename.self) }

/// Replaces the C library's function for all tests of the program.
@_cdecl("renameat")
func countedRename(
  _ folder: Int32,
  _ name: UnsafePointer<CChar>?,
  _ other: Int32,
  _ new: UnsafePointer<CChar>?,
) -> Int32 {
  ModelKill.passed()
  return systemRename?(folder, name, other, new) ?? -1
}

struct ModelFiles {
  private struct File {
    let bytes: [UInt8]
    let modified: timespec
  }

  private let folders: [String]
  private var files: [String: File] = [:]

  /// The files of a home that may get lost.
  static let names = [
    "newsdata.plist", "feeds.plist", "sync.plist", "sync-rss.plist", "history.plist", "rules.plist",
    "places.plist", "outlines.plist", "newsdata.plist.cleared-1",
  ]

  static func name(_ number: Int) -> String { names[number % names.count] }

  init(_ folders: [String]) {
    self.folders = folders
    for folder in folders { read(folder) }
  }

  private mutating func read(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in (try? namesInFolder(path)) ?? [] { read("\(path)/\(name)") }
    } else if let bytes = try? readFile(path) {
      files[path] = File(bytes: bytes, modified: status.st_mtim)
    }
  }

  func putBack() {
    let now = ModelFiles(folders)
    for (path, _) in now.files where files[path] == nil { unlink(path) }
    for (path, _) in files { putBack(path) }
  }

  func putBack(_ path: String) {
    guard let file = files[path], (try? writeFile(path, file.bytes)) != nil else { return }
    var times = [file.modified, file.modified]
    utimensat(AT_FDCWD, path, &times, 0)
  }

  func has(_ path: String) -> Bool { files[path] != nil }
}
