#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A network with nothing in it but this machine itself, and files of its own below `/etc`.
package enum NetworkNamespace {
  /// Whether this machine lets this user make one.
  package static let isAllowed: Bool = (try? run {}) != nil

  /// Runs `body` on a thread inside a new one; whatever it opens and starts is inside too.
  ///
  /// - Parameters:
  ///   - files: what stands in files of the system, by their paths, for those inside only; where
  ///     there is no such file there will be none.
  ///   - body: must not leave behind what it started.
  /// - Returns: what `body` returned.
  /// - Throws: what `body` threw, or why there can be no such network.
  package static func run<R: Sendable>(
    files: [String: String] = [:],
    _ body: @escaping @Sendable () throws -> R,
  ) throws -> R {
    let result = Monitor<Result<R, any Error>?>(nil)
    let thread = try TestThread {
      let ended = Result {
        let folder = try TemporaryFolder()
        try enter(replacing: files, folder)
        return try body()
      }
      result.change { $0 = ended }
    }
    thread.join()
    guard let ended = result.change({ $0 }) else { throw POSIXFailure("pthread_create", "") }
    return try ended.get()
  }

  #if canImport(Glibc)
  private static func enter(replacing files: [String: String], _ folder: TemporaryFolder) throws {
    try unshare()
    // Otherwise what is mounted here would be mounted for everybody.
    try mount("none", at: "/", MS_REC | MS_PRIVATE)
    for (number, file) in files.enumerated() where access(file.key, F_OK) == 0 {
      let own = try folder.write(file.value, to: "\(number)")
      try mount(own, at: file.key, MS_BIND)
    }
    try raiseLoopback()
  }

  /// glibc declares `unshare` for GNU's own programs only.
  private static func unshare() throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = dlsym(nil, "unshare") else { throw POSIXFailure("dlsym", "unshare") }
    let (newMounts, newNetwork): (Int32, Int32) = (0x0002_0000, 0x4000_0000)
    guard unsafeBitCast(symbol, to: Unshare.self)(newMounts | newNetwork) == 0 else {
      throw POSIXFailure("unshare", "")
    }
  }

  private static func mount(_ source: String, at target: String, _ flags: Int) throws {
    guard Glibc.mount(source, target, nil, UInt(flags), nil) == 0 else {
      throw POSIXFailure("mount", target)
    }
  }

  /// As `ip link set lo up` does it; 127.0.0.1 and ::1 come with it.
  private static func raiseLoopback() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { throw POSIXFailure("socket", "") }
    defer { close(descriptor) }
    // struct ifreq: a name of 16 bytes, then the flags.
    var request = [UInt8](repeating: 0, count: 40)
    request.replaceSubrange(0..<2, with: Array("lo".utf8))
    request[16] = UInt8(IFF_UP | IFF_RUNNING)
    guard ioctl(descriptor, UInt(SIOCSIFFLAGS), &request) == 0 else {
      throw POSIXFailure("ioctl", "lo")
    }
  }
  #else
  private static func enter(replacing files: [String: String], _ folder: TemporaryFolder) throws {
    errno = ENOTSUP
    throw POSIXFailure("unshare", "")
  }
  #endif
}
