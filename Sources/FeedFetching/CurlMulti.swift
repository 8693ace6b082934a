internal import CCurl
import System

/// libcurl's multi handle: the transfers of one thread, and the connections that they share.
final class CurlMulti {
  private let handle: UnsafeMutableRawPointer
  private var isKeptForEver = false

  /// - Parameter connections: how many stay open for later requests.
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
    if !isKeptForEver { _ = ccurl_multi_cleanup(handle) }
  }

  /// Leaves the handle for ever: cleaning it up could wait for the system's resolver.
  func keepForEver() {
    isKeptForEver = true
  }

  func add(_ easy: CurlEasy) -> Bool {
    ccurl_multi_add_handle(handle, easy.handle) == 0
  }

  func remove(_ easy: CurlEasy) {
    _ = ccurl_multi_remove_handle(handle, easy.handle)
  }

  /// Does what can be done without waiting; the callbacks come from in here.
  func perform() {
    var running: Int32 = 0
    _ = ccurl_multi_perform(handle, &running)
  }

  /// Waits for the network, for `descriptor`, or until `end`.
  func wait(until end: ContinuousClock.Instant?, orReadable descriptor: Int32?) {
    var extra = ccurl_waitfd(fd: descriptor ?? -1, events: Int16(CCURL_WAIT_POLLIN), revents: 0)
    let milliseconds = end.map { _ in POSIX.milliseconds(until: end) } ?? 1_000
    _ = ccurl_multi_poll(handle, &extra, descriptor == nil ? 0 : 1, milliseconds, nil)
  }

  /// The next exchange that has ended: its easy handle, and libcurl's result.
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
