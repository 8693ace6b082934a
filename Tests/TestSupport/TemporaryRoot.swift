/// The folder of all temporary folders of this process, and the shell that clears up behind it.
///
/// A test process that is killed clears up nothing. A shell outlives it: when the pipe to it
/// breaks, it ends what was started with a name from this folder, unmounts what was mounted in it
/// (loop devices go with that), and removes it.
final class TemporaryRoot: Sendable {
  static let path = Result { try TemporaryRoot() }.map(\.path)

  private let path: String

  private static let script = """
    read -r line
    for process in /proc/[0-9]*; do
      grep -qsF "$0/" "$process/cmdline" && kill -9 "${process#/proc/}"
    done
    while read -r device place rest; do
      case $place in "$0"/*) umount -l "$place" ;; esac
    done < /proc/mounts
    rm -rf "$0"
    """

  private init() throws {
    let parent =
      getenv("TMPDIR").map { String(cString: $0) } ?? (Self.isMemoryRoomy ? "/dev/shm" : "/tmp")
    var template = Array("\(parent)/news-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXFailure("mkdtemp", parent) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try Self.leaveBehind(["sh", "-c", Self.script, path])
  }

  /// True if files can be kept in memory: on a disk the tests would wait two thirds of their time.
  private static var isMemoryRoomy: Bool {
    var status = statvfs()
    guard statvfs("/dev/shm", &status) == 0, access("/dev/shm", W_OK) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 4 << 30
  }

  /// Starts a shell in a process group of its own, with a pipe that breaks when this process ends.
  private static func leaveBehind(_ words: [String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXFailure("pipe", "") }
    // No other program may hold the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    for number: Int32 in [1, 2] {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A signal to the process group of the tests leaves this shell alive.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var child: pid_t = 0
    let code = withCStrings(words) { words in
      withCStrings(["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]) { variables in
        posix_spawn(&child, "/bin/sh", &actions, &attributes, words, variables)
      }
    }
    close(ends[0])
    guard code == 0 else {
      errno = code
      throw POSIXFailure("posix_spawn", "sh")
    }
  }
}
