import System

/// The system calls of this module.
enum SystemCall {
  /// Opens for reading without waiting for a FIFO's writer; the corresponding C function is `open`.
  static func open(_ path: String) throws(FileFailure) -> Int32 {
    while true {
      #if canImport(Glibc)
      let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      #else
      let descriptor = Darwin.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      #endif
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { throw failure(errno) }
    }
  }

  /// The corresponding C function is `fstat`.
  static func status(_ descriptor: Int32) throws(FileFailure) -> FileStatus {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    return FileStatus(status)
  }

  /// The bytes read, 0 at the end, nil when there are none yet; the C function is `read`.
  static func read(
    _ descriptor: Int32,
    into buffer: UnsafeMutableRawBufferPointer,
  ) throws(FileFailure) -> Int? {
    while true {
      #if canImport(Glibc)
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #else
      let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
      if errno != EINTR { throw failure(errno) }
    }
  }

  /// A whole file of at most so many bytes.
  static func readFile(_ path: String, maximumBytes: Int) throws(FileFailure) -> [UInt8] {
    let descriptor = try open(path)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
    defer { piece.deallocate() }
    while bytes.count < maximumBytes, let count = try read(descriptor, into: piece), count > 0 {
      bytes += piece[..<count]
    }
    return bytes
  }

  /// The corresponding C function is `close`; for what was only read, its result says nothing.
  static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
    _ = Glibc.close(descriptor)
    #else
    _ = Darwin.close(descriptor)
    #endif
  }

  /// Waits until one of the descriptors is readable (or at its end) or the time is over.
  ///
  /// - Returns: for each descriptor whether it is ready. A signal ends the wait early, with none.
  static func waitForReading(_ descriptors: [Int32], until: ContinuousClock.Instant?) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&entries, nfds_t(entries.count), milliseconds(until: until))
    return entries.map { $0.revents != 0 }
  }

  /// For `poll`: -1 without an end, never negative with one, rounded up, at most an hour.
  static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
    guard let end else { return -1 }
    let left = end - ContinuousClock.now
    guard left > .zero else { return 0 }
    guard left < .seconds(3_600) else { return 3_600_000 }
    let (seconds, attoseconds) = left.components
    return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Processors that this process may use.
  static var processors: Int {
    max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
  }

  /// How many descriptors this process may have open.
  static var descriptors: Int {
    var limit = rlimit()
    #if canImport(Glibc)
    let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
    let result = getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    return result == 0 ? Int(clamping: limit.rlim_cur) : 256
  }

  /// What `errno` says, in words.
  static func words(_ number: Int32) -> String {
    guard let words = strerror(number) else { return "error \(number)" }
    let text = String(cString: words)
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  static func failure(_ number: Int32) -> FileFailure {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EISDIR: .isDirectory
    case EACCES, EPERM: .permissionDenied
    case ENXIO, EOPNOTSUPP: .notReadable
    default: .system(number)
    }
  }

  /// Whether a resolver says that a name has no address; the C function is `getaddrinfo`.
  ///
  /// False where it cannot be known: macOS gives the same answer without a network.
  static func hasNoAddress(_ host: String) -> Bool {
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

  /// Four or sixteen bytes of a numeric address; the corresponding C function is `inet_pton`.
  static func addressBytes(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  /// The four bytes of an IPv4 address in any spelling; the corresponding C function is `inet_aton`.
  static func looseAddressBytes(_ text: String) -> [UInt8]? {
    var address = in_addr()
    guard inet_aton(text, &address) != 0 else { return nil }
    return withUnsafeBytes(of: address) { Array($0) }
  }

  /// The same of a socket address, which begins with family and port.
  static func addressBytes(_ address: UnsafeRawBufferPointer, family: Int32) -> [UInt8]? {
    switch family {
    case AF_INET where address.count >= 8: Array(address[4..<8])
    case AF_INET6 where address.count >= 24: Array(address[8..<24])
    default: nil
    }
  }

  /// A socket that programs started by this one do not inherit, or -1; the C function is `socket`.
  static func socket(family: Int32, type: Int32, protocol number: Int32) -> Int32 {
    #if canImport(Glibc)
    let descriptor = Glibc.socket(family, type, number)
    #else
    let descriptor = Darwin.socket(family, type, number)
    #endif
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
  }

  /// Which of the network's errors `errno` was, for a connection that failed.
  static func connectionError(_ number: Int32, host: String) -> FetchError {
    switch number {
    case ECONNREFUSED: .connectionRefused(host: host)
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: .networkUnreachable(host: host)
    case EMFILE, ENFILE, ENOMEM: .resourcesExhausted
    default: .connectionFailed(host: host)
    }
  }
}

/// What `fstat` says of an open file.
struct FileStatus {
  var isDirectory: Bool
  var isRegular: Bool
  /// Names this state of the file: it changes when the file does.
  var version: String
  /// Seconds since the last change, negative for one in the future.
  var age: Int

  init(_ status: stat) {
    let kind = status.st_mode & S_IFMT
    isDirectory = kind == S_IFDIR
    isRegular = kind == S_IFREG
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    age = Int(now.tv_sec) - Int(time.tv_sec)
    version = "\"\(status.st_ino)-\(status.st_size)-\(time.tv_sec).\(time.tv_nsec)\""
  }
}

/// A pipe that nobody reads from: once written to, it is readable for ever.
final class SystemPipe: Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  /// Makes one, or nil when there are no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A full pipe is readable already: writing must not wait.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    SystemCall.close(readEnd)
    SystemCall.close(writeEnd)
  }

  func write() {
    var byte: UInt8 = 1
    // It fails only when the pipe is full.
    #if canImport(Glibc)
    _ = Glibc.write(writeEnd, &byte, 1)
    #else
    _ = Darwin.write(writeEnd, &byte, 1)
    #endif
  }

  var isReadable: Bool {
    SystemCall.waitForReading([readEnd], until: .now) == [true]
  }
}
