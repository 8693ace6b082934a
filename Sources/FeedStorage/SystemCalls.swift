internal import PropertyLists
internal import System

/// Every system call of the store, each with its result checked.
enum SystemCalls {
  /// An open file or folder, closed with the last reference to it.
  final class Descriptor {
    let number: Int32
    /// For messages.
    let path: String
    private var isOpen = true

    fileprivate init(_ number: Int32, path: String) {
      self.number = number
      self.path = path
    }

    /// Closes it now, and tells when the system reports a late write error (NFS, quotas).
    func close() throws(StorageError) {
      isOpen = false
      // After EINTR the descriptor is closed on Linux; closing again could hit another file.
      guard systemClose(number) == 0 || errno == EINTR else { throw failure("write", path) }
    }

    deinit {
      if isOpen { _ = systemClose(number) }
    }
  }

  // MARK: Folders

  /// mkdir, parents first; folders that are there already are left as they are.
  ///
  /// A new folder's name is brought to the disk: what is saved in it would be lost without it.
  static func makeFolder(_ path: String) throws(StorageError) {
    if try isMade(path) { return }
    try makeFolder(FilePath.folder(of: path))
    guard try isMade(path) else { throw failure("create the folder", path) }
  }

  /// false when the folder above is missing.
  private static func isMade(_ path: String) throws(StorageError) -> Bool {
    if retrying({ mkdir(path, 0o700) }) == 0 {
      try synchronize(openFolder(FilePath.folder(of: path)))
      return true
    }
    if errno == EEXIST { return true }
    guard errno == ENOENT, FilePath.folder(of: path) != path else {
      throw failure("create the folder", path)
    }
    return false
  }

  static func openFolder(_ path: String) throws(StorageError) -> Descriptor {
    try opened(
      path,
      "open the folder",
      retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) },
    )
  }

  /// Where a symbolic link leads; the path itself when it is none.
  static func resolvingLinks(_ path: String) throws(StorageError) -> String {
    var path = path
    for _ in 0..<40 {
      guard let target = try linkTarget(path) else { return path }
      path = target.hasPrefix("/") ? target : FilePath.folder(of: path) + "/" + target
    }
    throw .system(action: "open", path: path, reason: "too many symbolic links")
  }

  /// nil for what is no link, or not there.
  private static func linkTarget(_ path: String) throws(StorageError) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = retrying { readlink(path, &buffer, buffer.count) }
    if length < 0, errno == EINVAL || errno == ENOENT || errno == ENOTDIR { return nil }
    guard length >= 0 else { throw failure("examine", path) }
    // A name that was repaired would be the name of another file.
    let bytes = buffer[..<length].map { UInt8(bitPattern: $0) }
    guard length < buffer.count, let target = String(validating: bytes, as: UTF8.self) else {
      throw .system(action: "open", path: path, reason: "the link's target is no usable name")
    }
    return target
  }

  // MARK: Reading

  /// Opens a regular file; nil when there is none.
  ///
  /// A pipe or a device is refused, not waited for.
  static func openForReading(_ path: String) throws(StorageError) -> (Descriptor, FileStatus)? {
    let number = retrying { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    if number < 0, errno == ENOENT { return nil }
    let file = try opened(path, "open", number)
    let status = try status(of: file)
    guard status.kind == .file else { throw .notAFile(path: path, kind: status.kind.rawValue) }
    return (file, status)
  }

  static func status(of file: Descriptor) throws(StorageError) -> FileStatus {
    guard let status = FileStatus(of: file.number) else { throw failure("examine", file.path) }
    return status
  }

  /// Maps a file; an empty one is no bytes.
  static func map(_ file: Descriptor, size: Int) throws(StorageError) -> PropertyListBytes {
    guard size > 0 else { return PropertyListBytes([]) }
    guard let slot = MappedFiles.slot(for: file.path) else {
      return PropertyListBytes(try readAll(file, limit: size))
    }
    let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.number, 0)
    guard let address, address != MAP_FAILED else {
      let failure = failure("map", file.path)
      MappedFiles.release(slot)
      throw failure
    }
    let buffer = UnsafeRawBufferPointer(start: address, count: size)
    MappedFiles.guardAgainstCuts(slot, buffer)
    return PropertyListBytes(buffer) { buffer in
      // Pages of a file come back as they are looked at; when they do not go, nothing is lost.
      _ = madvise(
        UnsafeMutableRawPointer(mutating: buffer.baseAddress),
        buffer.count,
        MADV_DONTNEED,
      )
    } release: { buffer in
      MappedFiles.release(slot)
      munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
    }
  }

  /// Reads a file to its end.
  static func readAll(_ file: Descriptor, limit: Int) throws(StorageError) -> [UInt8] {
    do {
      return try POSIX.readAll(file.number, maximumBytes: limit)
    } catch {
      guard case .system = error else { throw .tooLarge(path: file.path, limit: limit) }
      throw .system(action: "read", path: file.path, reason: "\(error)")
    }
  }

  // MARK: Writing

  /// openat for a new file that only this user may read.
  static func create(_ name: String, in folder: Descriptor) throws(StorageError) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    return try opened(
      "\(folder.path)/\(name)",
      "create",
      retrying { openat(folder.number, name, flags, 0o600) },
    )
  }

  /// Writes all of it, however often the system takes only a part.
  static func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor) throws(StorageError) {
    let code = POSIX.writeAll(bytes, to: file.number)
    guard code == 0 else { throw failure("write", file.path, code) }
  }

  /// A file without a name, which goes with its descriptor.
  static func createUnnamed(in path: String) throws(StorageError) -> Descriptor {
    let folder = try openFolder(path)
    let name = ".fetched.new"
    // Left by a process that was stopped between the next two calls.
    try remove(name, in: folder)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let file = try opened(
      "\(path)/\(name)",
      "create",
      retrying { openat(folder.number, name, flags, 0o600) },
    )
    try remove(name, in: folder)
    return file
  }

  static func write(_ bytes: [UInt8], at offset: Int, to file: Descriptor) throws(StorageError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        retrying { pwrite(file.number, rest.baseAddress, rest.count, offset + written) }
      }
      guard count > 0 else { throw failure("write", file.path) }
      written += count
    }
  }

  /// Fills a buffer from a place in a file.
  static func fill(
    _ buffer: UnsafeMutableRawBufferPointer,
    from file: Descriptor,
    at offset: Int,
  ) throws(StorageError) {
    var done = 0
    while done < buffer.count {
      let count = retrying {
        pread(
          file.number,
          buffer.baseAddress.map { $0 + done },
          buffer.count - done,
          offset + done,
        )
      }
      guard count >= 0 else { throw failure("read", file.path) }
      guard count > 0 else {
        throw .system(action: "read", path: file.path, reason: "it is cut short")
      }
      done += count
    }
  }

  static func write(_ bytes: [UInt8], to file: Descriptor) throws(StorageError) {
    try bytes.span.bytes.withUnsafeBytes { all throws(StorageError) in try write(all, to: file) }
  }

  /// Brings a file or a folder to the disk.
  static func synchronize(_ file: Descriptor) throws(StorageError) {
    guard POSIX.synchronize(file.number) else { throw failure("synchronize", file.path) }
  }

  /// Gives a new file the owner (root only) and the mode of the one that it is to replace.
  ///
  /// Whoever may write the old file because everybody may cannot write the new one.
  static func adopt(_ status: FileStatus?, for file: Descriptor) throws(StorageError) {
    if let status, geteuid() == 0 {
      guard retrying({ fchown(file.number, status.owner, status.group) }) == 0 else {
        throw failure("change the owner of", file.path)
      }
    }
    let mode = (status?.mode ?? 0o600) & 0o775
    guard retrying({ fchmod(file.number, mode) }) == 0 else {
      throw failure("change the mode of", file.path)
    }
  }

  static func rename(_ old: String, to new: String, in folder: Descriptor) throws(StorageError) {
    guard retrying({ renameat(folder.number, old, folder.number, new) }) == 0 else {
      throw failure("replace", "\(folder.path)/\(new)")
    }
  }

  /// Removes a file; one that is not there is no error.
  static func remove(_ name: String, in folder: Descriptor) throws(StorageError) {
    guard retrying({ unlinkat(folder.number, name, 0) }) == 0 || errno == ENOENT else {
      throw failure("remove", "\(folder.path)/\(name)")
    }
  }

  // MARK: Errors

  static func opened(
    _ path: String,
    _ action: String,
    _ number: Int32,
  ) throws(StorageError) -> Descriptor {
    guard number >= 0 else { throw failure(action, path) }
    return Descriptor(number, path: path)
  }

  static func failure(_ action: String, _ path: String, _ code: Int32 = errno) -> StorageError {
    .system(action: action, path: path, reason: POSIX.words(code))
  }

  static func retrying<R: SignedInteger>(_ call: () -> R) -> R {
    POSIX.retrying(call)
  }
}

/// The function of the same name, out of reach behind the class's own.
private func systemClose(_ number: Int32) -> Int32 {
  close(number)
}
