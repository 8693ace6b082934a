internal import PropertyLists
internal import System

/// An open file or folder of the store, closed with the last reference to it.
///
/// The result of every system call is checked.
final class OpenFile {
  let number: Int32
  let path: String
  private var isOpen = true
  private var isLocked = false

  init(_ number: Int32, _ path: String, to action: String = "open") throws {
    guard number >= 0 else { throw StorageError.failed(action, path) }
    self.number = number
    self.path = path
  }

  deinit {
    guard isOpen else { return }
    unlock()
    _ = systemClose(number)
  }

  /// Closes the file, and throws a late write error of the system (NFS, quotas).
  func close() throws {
    unlock()
    isOpen = false
    // After EINTR the descriptor is closed on Linux; closing again could hit another file.
    guard systemClose(number) == 0 || errno == EINTR else {
      throw StorageError.failed("write", path)
    }
  }

  func status() throws -> FileStatus {
    guard let status = FileStatus(of: number) else { throw StorageError.failed("examine", path) }
    return status
  }

  /// The status of a regular file; throws for a pipe or a device in its place.
  func fileStatus() throws -> FileStatus {
    let status = try status()
    guard status.kind == .file else {
      throw StorageError.notAFile(path: path, kind: status.kind.rawValue)
    }
    return status
  }

  // MARK: Opening

  /// Opens a regular file; nil when there is none.
  ///
  /// A pipe is not waited for.
  static func reading(_ path: String) throws -> (OpenFile, FileStatus)? {
    let number = POSIX.openForReading(path)
    if number < 0, errno == ENOENT { return nil }
    let file = try OpenFile(number, path)
    return (file, try file.fileStatus())
  }

  static func folder(_ path: String) throws -> OpenFile {
    let number = POSIX.retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    return try OpenFile(number, path, to: "open the folder")
  }

  func create(_ name: String) throws -> OpenFile {
    try create(name, O_WRONLY | O_EXCL)
  }

  func draft(_ name: String) throws -> OpenFile {
    let file = try create(name, O_WRONLY | O_NONBLOCK)
    _ = try file.fileStatus()
    return file
  }

  func create(_ name: String, _ flags: Int32, mode: mode_t = 0o600) throws -> OpenFile {
    let flags = flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let file = POSIX.retrying { openat(number, name, flags, mode) }
    return try OpenFile(file, "\(path)/\(name)", to: "create")
  }

  // MARK: Reading

  /// Maps the file, or reads it when there are too many mappings.
  func mapped(size: Int) throws -> PropertyListBytes {
    guard size > 0 else { return PropertyListBytes([]) }
    guard let slot = MappedFiles.slot(for: path) else {
      return PropertyListBytes(try readAll(limit: size))
    }
    let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, number, 0)
    guard let address, address != MAP_FAILED else {
      let failure = StorageError.failed("map", path)
      MappedFiles.release(slot)
      throw failure
    }
    let buffer = UnsafeRawBufferPointer(start: address, count: size)
    MappedFiles.guardAgainstCuts(slot, buffer)
    return PropertyListBytes(buffer) { buffer in
      // Discarded pages of a file come back as they are looked at; if they are not discarded,
      // nothing is lost.
      let start = UnsafeMutableRawPointer(mutating: buffer.baseAddress)
      _ = madvise(start, buffer.count, MADV_DONTNEED)
    } release: { buffer in
      MappedFiles.release(slot)
      munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
    }
  }

  func readAll(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try readAll(limit: limit) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Passes the bytes to `body` in pieces, none of which outlives the call.
  func readAll(limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws {
    do {
      try POSIX.readAll(number, maximumBytes: limit, body)
    } catch {
      guard case .system = error else { throw StorageError.tooLarge(path: path, limit: limit) }
      throw StorageError.system(action: "read", path: path, reason: "\(error)")
    }
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = POSIX.retrying { pread(number, rest.baseAddress, rest.count, offset + done) }
      guard count >= 0 else { throw StorageError.failed("read", path) }
      guard count > 0 else {
        throw StorageError.system(action: "read", path: path, reason: "it is cut short")
      }
      done += count
    }
  }

  /// Returns true if these are all bytes of the file.
  func holds(_ bytes: [UInt8], _ status: FileStatus) throws -> Bool {
    guard status.size == bytes.count else { return false }
    let contents = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { contents.deallocate() }
    try fill(contents, at: 0)
    return contents.baseAddress.map { memcmp($0, bytes, bytes.count) == 0 } ?? true
  }

  // MARK: Writing

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let code = POSIX.writeAll(bytes, to: number)
    guard code == 0 else { throw StorageError.failed("write", path, code) }
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.span.bytes.withUnsafeBytes { all in try write(all) }
  }

  func write(_ bytes: [UInt8], at offset: Int) throws {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        POSIX.retrying { pwrite(number, rest.baseAddress, rest.count, offset + written) }
      }
      guard count > 0 else { throw StorageError.failed("write", path) }
      written += count
    }
  }

  func empty() throws {
    guard POSIX.retrying({ ftruncate(number, 0) }) == 0 else {
      throw StorageError.failed("write", path)
    }
  }

  func synchronize() throws {
    guard POSIX.synchronize(number) else { throw StorageError.failed("synchronize", path) }
  }

  /// Takes the owner (root only) and the mode of the file that it is to replace.
  ///
  /// If everybody may write the old file, not everybody may write the new one.
  func adopt(_ status: FileStatus?) throws {
    if let status, geteuid() == 0 {
      guard POSIX.retrying({ fchown(number, status.owner, status.group) }) == 0 else {
        throw StorageError.failed("change the owner of", path)
      }
    }
    let mode = (status?.mode ?? 0o600) & 0o775
    guard POSIX.retrying({ fchmod(number, mode) }) == 0 else {
      throw StorageError.failed("change the mode of", path)
    }
  }
}

/// The system's function, which the class's own `close` hides.
private func systemClose(_ number: Int32) -> Int32 {
  close(number)
}

extension OpenFile {
  /// Opens a lock's file, or creates it; never waits for a pipe or a device in its place.
  static func lock(_ path: String) throws -> OpenFile {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let number = POSIX.retrying { open(path, flags, 0o600) }
    guard number >= 0 else {
      let failure = StorageError.failed("open", path)
      // The system's words for a folder, a socket or a link do not say what is there.
      let kind = FileStatus(at: path, followingLinks: false)?.kind ?? .file
      throw kind == .file ? failure : .notAFile(path: path, kind: kind.rawValue)
    }
    let file = try OpenFile(number, path)
    _ = try file.fileStatus()
    return file
  }

  /// Returns true if the lock could be had at once; the kernel takes it back when the process ends.
  ///
  /// With `orUnlockable`, a file that cannot be locked, such as a folder on NFS, counts as locked.
  func tryLock(orUnlockable isEnough: Bool = false) throws -> Bool {
    isLocked = POSIX.retrying { flock(number, LOCK_EX | LOCK_NB) } == 0
    if isLocked { return true }
    if isEnough, [EBADF, EINVAL, ENOLCK, EOPNOTSUPP].contains(errno) { return true }
    guard errno == EWOULDBLOCK else { throw StorageError.failed("lock", path) }
    return false
  }

  /// Ends the lock: closing alone leaves it to a process that is just being started.
  func unlock() {
    guard isLocked else { return }
    isLocked = false
    _ = flock(number, LOCK_UN)
  }

  func write(note text: String) {
    // The note serves only the message of those who wait: a failure harms nothing.
    _ = ftruncate(number, 0)
    _ = Array(text.utf8).withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, 0) }
  }

  func readNote() -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = max(pread(number, &bytes, bytes.count, 0), 0)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
