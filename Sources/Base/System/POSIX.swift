/// System calls that several modules need.
///
/// A call that a signal interrupts is repeated. Where nothing is thrown, a failure leaves its
/// reason in `errno`, as in C.
package enum POSIX {
  package static func retrying<R: SignedInteger>(_ call: () -> R) -> R {
    var result = call()
    while result == -1, errno == EINTR { result = call() }
    return result
  }

  /// Returns the system's message for an `errno`, with a small first letter.
  package static func errorMessage(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    let words = String(cString: text)
    return words.prefix(1).lowercased() + words.dropFirst()
  }

  package static var processors: Int {
    max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
  }

  package static var maximumDescriptors: Int {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    // It is negative where there is none.
    return limit < 0 ? .max : limit
  }

  /// Sleeps; a signal ends it early.
  package static func pause(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }

  /// Waits until a descriptor is ready or at its end, nobody reads `output` any more, or the time
  /// ends.
  ///
  /// - Returns: true for each descriptor that is ready, and last for `output`. A signal ends the
  ///   wait
  ///   early, with none.
  @discardableResult
  package static func wait(
    for events: Int32 = Int32(POLLIN),
    on descriptors: [Int32],
    orClosed output: Int32? = nil,
    until end: ContinuousClock.Instant?,
  ) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
    if let output { entries.append(pollfd(fd: output, events: 0, revents: 0)) }
    _ = poll(&entries, nfds_t(entries.count), milliseconds(until: end))
    return entries.map { $0.revents != 0 }
  }

  /// The timeout for poll(2): -1 without an end, else rounded up, and at most an hour.
  package static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
    guard let end else { return -1 }
    let left = end - ContinuousClock.now
    guard left > .zero else { return 0 }
    guard left < .seconds(3_600) else { return 3_600_000 }
    return Int32((left / .milliseconds(1)).rounded(.up))
  }

  /// Opens a socket that started programs do not inherit; -1 on failure.
  package static func openSocket(family: Int32, type: Int32, protocol number: Int32) -> Int32 {
    let descriptor = socket(family, type, number)
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
  }

  /// Returns true where a resolver says that a name has no address.
  ///
  /// False where it cannot be known: macOS gives the same answer without a network.
  package static func hasNoAddress(_ host: String) -> Bool {
    #if canImport(Glibc)
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var addresses: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &addresses)
    if let addresses { freeaddrinfo(addresses) }
    // EAI_NODATA, which glibc declares for GNU's own programs only: a name, but without addresses.
    return code == EAI_NONAME || code == -5
    #else
    return false
    #endif
  }
}

/// A pipe that started programs do not inherit.
package struct SystemPipe: Sendable {
  package let readEnd: Int32
  package let writeEnd: Int32

  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}

/// An event for threads and signal handlers to cause and to wait for.
///
/// It is a pipe: once written to, it is readable until `forget`.
package final class SystemEvent: Sendable {
  private let pipe: SystemPipe

  package var readEnd: Int32 { pipe.readEnd }
  package var writeEnd: Int32 { pipe.writeEnd }

  package init?() {
    guard let pipe = SystemPipe() else { return nil }
    self.pipe = pipe
    // A full pipe is readable already: writing must not wait.
    for end in [readEnd, writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  package func forget() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while bytes.withUnsafeMutableBytes({ POSIX.readPart(of: readEnd, into: $0) }) > 0 {}
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  package func happen() {
    var byte: UInt8 = 1
    // It fails only when the pipe is full.
    _ = write(writeEnd, &byte, 1)
  }

  package var hasHappened: Bool {
    POSIX.wait(on: [readEnd], until: .now) == [true]
  }
}
