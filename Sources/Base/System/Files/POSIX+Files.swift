extension POSIX {
  /// Opens a file, without waiting for the writer of a pipe; -1 on failure.
  package static func openForReading(_ path: String) -> Int32 {
    retrying { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
  }

  /// True where fewer than eight descriptors are left to this process or to the machine.
  package static var lacksDescriptors: Bool {
    // Looking a host up and connecting to it may take that many.
    let opened = (0..<8).map { _ in openForReading("/dev/null") }
    defer { for descriptor in opened where descriptor >= 0 { _ = close(descriptor) } }
    return opened.contains(-1) && [EMFILE, ENFILE].contains(errno)
  }

  package static func readFile(
    _ path: String,
    maximumBytes: Int,
  ) throws(FileReadingError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readFile(path, maximumBytes: maximumBytes) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Calls `body` with one piece after the other, valid only for the call, as `readAll` does.
  package static func readFile(
    _ path: String,
    maximumBytes: Int,
    _ body: (UnsafeRawBufferPointer) -> Void,
  ) throws(FileReadingError) {
    let descriptor = openForReading(path)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { _ = close(descriptor) }
    guard let status = FileStatus(of: descriptor) else { throw .system(errno) }
    if status.kind == .folder { throw .system(EISDIR) }
    try readAll(descriptor, maximumBytes: maximumBytes, body)
  }

  /// The host name, and the id in `/etc/machine-id`, or the name again where there is none.
  package static var machine: (name: String, id: String) {
    var buffer = [CChar](repeating: 0, count: 256)
    let isKnown = gethostname(&buffer, buffer.count - 1) == 0
    let bytes = buffer.prefix { isKnown && $0 != 0 }.map { UInt8(bitPattern: $0) }
    let name = String(decoding: bytes, as: UTF8.self)
    let id = (try? readFile("/etc/machine-id", maximumBytes: 64)) ?? []
    return (name, id.isEmpty ? name : String(decoding: id, as: UTF8.self))
  }

  /// The number of bytes read, 0 at the end, -1 on failure (EAGAIN: none yet).
  package static func readPart(
    of descriptor: Int32,
    into buffer: UnsafeMutableRawBufferPointer,
  ) -> Int {
    retrying { read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Calls `body` with a copy of a file from its beginning, or of its first `size` bytes, as far as
  /// it can be read.
  ///
  /// A file that is mapped would change while it is read, and end this process where it is cut.
  package static func withBytes(
    of file: Int32,
    atMost size: Int,
    _ body: (UnsafeRawBufferPointer) -> Void,
  ) {
    let size = min(FileStatus(of: file)?.size ?? 0, size)
    // PERF: even a quarter of a large page is filled in a third of the time of small ones.
    let page = size > largePage / 4 ? largePage : 16
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: (size + page - 1) / page * page,
      alignment: page,
    )
    defer { bytes.deallocate() }
    useLargePages(bytes)
    var count = 0
    while count < size {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count..<size])
      let part = retrying { pread(file, rest.baseAddress, rest.count, off_t(count)) }
      guard part > 0 else { break }
      count += part
    }
    body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
  }

  package static func readAll(
    _ descriptor: Int32,
    maximumBytes: Int,
  ) throws(FileReadingError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readAll(descriptor, maximumBytes: maximumBytes) { bytes.append(contentsOf: $0) }
    return bytes
  }

  package static func readAll(
    _ descriptor: Int32,
    maximumBytes: Int,
    _ body: (UnsafeRawBufferPointer) -> Void,
  ) throws(FileReadingError) {
    var total = 0
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = chunk.withUnsafeMutableBytes { readPart(of: descriptor, into: $0) }
      if count < 0, errno == EAGAIN {
        // A pipe that a shell made of another command (`<(command)`) has nothing to say yet.
        wait(on: [descriptor], until: nil)
        continue
      }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { return }
      total += count
      guard total <= maximumBytes else { throw .tooLarge(maximumBytes) }
      chunk.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Returns the path without symbolic links, or `path` itself where nothing is there.
  package static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the target of a symbolic link; nil, with `errno`, where it cannot be read.
  ///
  /// A name that is no UTF-8 is EILSEQ: one that was repaired would be the name of another file.
  package static func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = retrying { readlink(path, &buffer, buffer.count) }
    guard length >= 0 else { return nil }
    let bytes = buffer[..<length].map { UInt8(bitPattern: $0) }
    let target = length < buffer.count ? String(validating: bytes, as: UTF8.self) : nil
    if target == nil { errno = EILSEQ }
    return target
  }

  /// Returns the names in a folder but for those of itself and the one above; none where it cannot
  /// be read.
  package static func entries(inFolder path: String) -> [String] {
    (names(inFolder: path) ?? []).filter { $0 != "." && $0 != ".." }
  }

  /// Returns the names in a folder, in no order; nil, with `errno`, where it cannot be read.
  package static func names(inFolder path: String) -> [String]? {
    let descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    return names(inOwn: descriptor)
  }

  package static func names(inFolder descriptor: Int32) -> [String]? {
    // Reading moves the position of an open file, which its duplicates share: it is opened anew.
    names(inOwn: retrying { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
  }

  private static func names(inOwn descriptor: Int32) -> [String]? {
    guard descriptor >= 0 else { return nil }
    guard let folder = fdopendir(descriptor) else {
      _ = close(descriptor)
      return nil
    }
    defer { closedir(folder) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      names.append(name)
      errno = 0
    }
    return errno == 0 ? names : nil
  }

  package static func writePart(
    of bytes: UnsafeRawBufferPointer,
    to descriptor: Int32,
  ) -> Int {
    retrying { write(descriptor, bytes.baseAddress, bytes.count) }
  }

  package static func writeAll(
    _ bytes: UnsafeRawBufferPointer,
    to descriptor: Int32,
    until end: ContinuousClock.Instant? = nil,
  ) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let count = writePart(of: rest, to: descriptor)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if count < 0, errno == EAGAIN {
        // Somebody else made it non-blocking, or nobody reads.
        guard end.map({ .now < $0 }) ?? true else { return ETIMEDOUT }
        wait(for: Int32(POLLOUT), on: [descriptor], until: end)
      } else {
        return count < 0 ? errno : EIO
      }
    }
    return 0
  }

  /// Hints that part of a file will be synchronized, so that the disk begins now.
  package static func startWriting(_ descriptor: Int32, _ part: Range<Int>) {
    #if canImport(Glibc)
    // Linux begins to write what is to leave its memory; what it is writing stays there.
    _ = posix_fadvise(descriptor, part.lowerBound, part.count, POSIX_FADV_DONTNEED)
    #endif
  }

  /// Returns the bytes that this user may still write in a path's file system, and all of its
  /// bytes.
  ///
  /// Nil where the system does not say.
  package static func space(at path: String) -> (free: Int, all: Int)? {
    var facts = statvfs()
    guard retrying({ statvfs(path, &facts) }) == 0 else { return nil }
    let unit = Int(facts.f_frsize)
    let bytes = { (blocks: Int) in
      let (bytes, isTooMany) = blocks.multipliedReportingOverflow(by: unit)
      return isTooMany ? Int.max : bytes
    }
    return (bytes(Int(clamping: facts.f_bavail)), bytes(Int(clamping: facts.f_blocks)))
  }

  /// Brings a file or folder to the disk, and returns false on failure.
  ///
  /// EIO is final: the kernel has dropped the pages.
  package static func synchronize(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
    if retrying({ fcntl(descriptor, F_FULLFSYNC) }) == 0 { return true }
    guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { return false }
    #endif
    // EINVAL: the file system cannot, and there is nothing to wait for.
    return retrying({ fsync(descriptor) }) == 0 || errno == EINVAL
  }
}

package enum FileReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  case system(Int32)
  case tooLarge(Int)

  package var description: String {
    switch self {
    case .system(let code): POSIX.errorMessage(code)
    case .tooLarge(let limit): "larger than \(limit) bytes"
    }
  }
}

package struct FileStatus: Sendable {
  package enum Kind: String, Hashable, Sendable {
    case file = "a file"
    case folder = "a folder"
    case pipe = "a pipe"
    case socket = "a socket"
    case device = "a device"
    case link = "a symbolic link"
    case other = "no file"
  }

  private var raw = stat()

  package init?(of descriptor: Int32) {
    guard POSIX.retrying({ fstat(descriptor, &raw) }) == 0 else { return nil }
  }

  /// Describes the file at a path; a link is followed unless it is what is asked for.
  package init?(at path: String, in folder: Int32 = AT_FDCWD, followingLinks: Bool = true) {
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    // C would take what stands before a NUL for the path.
    guard !path.utf8.contains(0),
      POSIX.retrying({ fstatat(folder, path, &raw, flags) }) == 0
    else { return nil }
  }

  package var size: Int { Int(raw.st_size) }
  package var names: Int { Int(raw.st_nlink) }
  package var mode: mode_t { raw.st_mode & 0o7777 }
  package var owner: uid_t { raw.st_uid }
  package var group: gid_t { raw.st_gid }
  package var device: UInt64 { UInt64(raw.st_dev) }
  package var inode: UInt64 { UInt64(raw.st_ino) }

  package var kind: Kind {
    switch raw.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    case S_IFCHR, S_IFBLK: .device
    case S_IFLNK: .link
    default: .other
    }
  }

  /// The time of the last write, in nanoseconds since 1970.
  package var modified: Int {
    #if canImport(Darwin)
    Self.nanoseconds(raw.st_mtimespec)
    #else
    Self.nanoseconds(raw.st_mtim)
    #endif
  }

  /// The time of the last write or renaming, in nanoseconds since 1970; nobody can set it.
  package var changed: Int {
    #if canImport(Darwin)
    Self.nanoseconds(raw.st_ctimespec)
    #else
    Self.nanoseconds(raw.st_ctim)
    #endif
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
  }

  package func isSameFile(as other: FileStatus) -> Bool {
    inode == other.inode && device == other.device
  }
}

package enum FilePath {
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func name(of path: String) -> String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }
}
