/// A mount table of a test's own: no other process sees its mounts, nor keeps them mounted.
///
/// A process that copies the mount table (a container, a service, another test) keeps the file
/// systems in it alive after their unmounting, until it ends.
package enum MountNamespace {
  /// Runs `body` on a thread inside a new namespace, with all that it mounts and starts.
  ///
  /// - Parameter body: must not leave behind what it started.
  /// - Returns: what `body` returned.
  /// - Throws: what `body` threw, or why there can be no such namespace.
  package static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
    try runApart {
      try enter()
      return try body()
    }
  }

  /// Runs `body` on a thread of its own, which alone enters namespaces.
  static func runApart<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
    let result = Monitor<Result<R, any Error>?>(nil)
    let thread = try TestThread {
      let ended = Result(catching: body)
      result.change { $0 = ended }
    }
    thread.join()
    guard let ended = result.change({ $0 }) else { throw POSIXFailure("pthread_create", "") }
    return try ended.get()
  }

  #if canImport(Glibc)
  /// Takes the calling thread out of the mount table of the others, and out of the namespaces that
  /// `flags` of `unshare` name, for the rest of its life.
  package static func enter(_ flags: Int32 = 0) throws {
    // glibc declares `unshare` for GNU's own programs only.
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = dlsym(nil, "unshare") else { throw POSIXFailure("dlsym", "unshare") }
    let newMounts: Int32 = 0x0002_0000
    guard unsafeBitCast(symbol, to: Unshare.self)(newMounts | flags) == 0 else {
      throw POSIXFailure("unshare", "")
    }
    // Without this, mounts in here would be mounts for every process.
    try mount("none", at: "/", MS_REC | MS_PRIVATE)
  }

  static func mount(_ source: String, at target: String, _ flags: Int) throws {
    guard Glibc.mount(source, target, nil, UInt(flags), nil) == 0 else {
      throw POSIXFailure("mount", target)
    }
  }
  #else
  package static func enter(_ flags: Int32 = 0) throws {
    errno = ENOTSUP
    throw POSIXFailure("unshare", "")
  }
  #endif
}
