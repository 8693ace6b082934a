/// Tells that something has changed in folders, not what: inotify(7) on Linux, kqueue(2) on macOS.
///
/// In network file systems only this machine's changes are told.
package final class FolderWatch {
  /// Readable after a change since the last `forget`.
  package let descriptor: Int32

  #if canImport(Glibc)
  package init?() {
    // A failure after the assignment would run `deinit`, which closes it and changes `errno`.
    let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if watch < 0 { return nil }
    descriptor = watch
  }

  /// Watches a folder, once however often it is called; false, with `errno`, on failure.
  package func add(_ path: String) -> Bool {
    let names = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    let events = names | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF
    return inotify_add_watch(descriptor, path, UInt32(events)) >= 0
  }

  package func forget() {
    var events = [UInt8](repeating: 0, count: 16_384)
    while events.withUnsafeMutableBytes({ POSIX.readPart(of: descriptor, into: $0) }) > 0 {}
  }
  #else
  private var folders: [String: (descriptor: Int32, status: FileStatus)] = [:]

  package init?() {
    let watch = kqueue()
    if watch < 0 { return nil }
    descriptor = watch
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  package func add(_ path: String) -> Bool {
    let folder = open(path, O_EVTONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0, let status = FileStatus(of: folder) else { return false }
    let old = folders[path]
    if let old, old.status.isSameFile(as: status) { return close(folder) == 0 }
    if let old { close(old.descriptor) }
    folders[path] = (folder, status)
    var event = kevent(
      ident: UInt(folder),
      filter: Int16(EVFILT_VNODE),
      flags: UInt16(EV_ADD | EV_CLEAR),
      fflags: UInt32(NOTE_WRITE | NOTE_DELETE | NOTE_RENAME),
      data: 0,
      udata: nil,
    )
    return kevent(descriptor, &event, 1, nil, 0, nil) == 0
  }

  package func forget() {
    var event = kevent()
    var now = timespec()
    while kevent(descriptor, nil, 0, &event, 1, &now) > 0 {}
  }
  #endif

  deinit {
    #if !canImport(Glibc)
    for folder in folders.values { close(folder.descriptor) }
    #endif
    close(descriptor)
  }
}
