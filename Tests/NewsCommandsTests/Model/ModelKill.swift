import Synchronization
import TestSupport

/// Where a command is killed: before a file takes the place of another, or a request is sent.
///
/// Nothing ends: the files are as they were then, once the command has run.
enum ModelKill {
  private final class Countdown: @unchecked Sendable {
    var left: Int
    let body: () -> Void

    init(_ left: Int, _ body: @escaping () -> Void) { (self.left, self.body) = (left, body) }
  }

  /// By thread: a countdown is used by its own alone.
  private static let countdowns = Mutex<[UInt: Countdown]>([:])

  private static var thread: UInt { UInt(bitPattern: pthread_self().hashValue) }

  /// Calls `body` before the save or request of a number that comes on this thread within `work`.
  static func before(
    _ number: Int,
    _ body: @escaping () -> Void,
    in work: () throws -> Void,
  ) rethrows {
    let countdown = Countdown(number, body)
    countdowns.withLock { $0[thread] = countdown }
    defer { countdowns.withLock { $0[thread] = nil } }
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

/// The C library's `renameat`, behind the one of this program.
private let systemRename = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "renameat")
  .map { unsafeBitCast($0, to: Rename.self) }

/// Stands in the place of the C library's, for all tests of the program.
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

/// The files of some folders as they were.
struct ModelFiles {
  private struct File {
    let bytes: [UInt8]
    let modified: timespec
  }

  private let folders: [String]
  private var files: [String: File] = [:]

  /// What a home has, of what may get lost.
  static let names = [
    "newsdata.plist", "feeds.plist", "sync.plist", "sync-rss.plist", "changes.plist",
    "history.plist", "rules.plist", "places.plist", "outlines.plist", "newsdata.plist.cleared-1",
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

  /// Has the folders be as they were, and nothing else in them.
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
