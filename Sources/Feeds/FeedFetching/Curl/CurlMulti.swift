internal import CCurl
package import System

final class CurlMulti {
  private let handle: UnsafeMutableRawPointer

  init?(connections: Int) {
    guard let handle = ccurl_multi_init() else { return nil }
    self.handle = handle
    _ = ccurl_multi_set_long(handle, UInt32(CCURL_MULTI_OPTION_MAXCONNECTS), connections)
    _ = ccurl_multi_set_long(
      handle,
      UInt32(CCURL_MULTI_OPTION_PIPELINING),
      Int(CCURL_PIPE_MULTIPLEX),
    )
  }

  deinit {
    _ = ccurl_multi_cleanup(handle)
  }

  func add(_ easy: CurlEasy) -> Bool {
    ccurl_multi_add_handle(handle, easy.handle) == 0
  }

  func remove(_ easy: CurlEasy) {
    _ = ccurl_multi_remove_handle(handle, easy.handle)
  }

  /// Does the work that needs no waiting; the callbacks are called from in here.
  func perform() {
    var running: Int32 = 0
    _ = ccurl_multi_perform(handle, &running)
  }

  func wait(until end: ContinuousClock.Instant?, orReadable descriptor: Int32?) {
    var extra = ccurl_waitfd(fd: descriptor ?? -1, events: Int16(CCURL_WAIT_POLLIN), revents: 0)
    let milliseconds = end.map { _ in POSIX.milliseconds(until: end) } ?? 1_000
    _ = ccurl_multi_poll(handle, &extra, descriptor == nil ? 0 : 1, milliseconds, nil)
  }

  func nextEnded() -> (handle: UnsafeMutableRawPointer, result: UInt32)? {
    var left: Int32 = 0
    while let message = ccurl_multi_info_read(handle, &left) {
      if message.pointee.message == CCURL_MESSAGE_DONE, let easy = message.pointee.easy {
        return (easy, message.pointee.data.result)
      }
    }
    return nil
  }
}

package enum CurlLibrary {
  /// Loads the library before it is needed; whoever needs it hears why that failed.
  package static func prepare() {
    _ = ccurl_load()
  }

  static func load() throws(FetchError) {
    if let fault { throw .library(fault) }
  }

  private static var fault: LibraryFault? { LibraryFault(.curl, loading: ccurl_load()) }

  /// True if a transfer can be removed without waiting for its name to be looked up (7.87).
  static var removesWithoutWaiting: Bool {
    number >= 0x07_57_00
  }

  static func reasonAgainst(_ name: String) -> String? {
    ccurl_try(name).map { String(cString: $0) }
  }

  /// Returns the version that is found here, such as `7.88.1`.
  ///
  /// - Throws: the reason that it cannot be loaded.
  package static func version() throws(LibraryFault) -> String {
    if let fault { throw fault }
    return [number >> 16 & 0xff, number >> 8 & 0xff, number & 0xff].map(String.init)
      .joined(separator: ".")
  }

  private static var number: UInt32 { ccurl_version_info(0).pointee.version_num }
}
