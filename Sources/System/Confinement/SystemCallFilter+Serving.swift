extension SystemCallFilter {
  static func filter(of cage: Confinement.Cage) -> SystemCallFilter {
    switch cage {
    case .offline: reading(online: false)
    case .online: reading(online: true)
    case .serving: serving()
    }
  }

  /// The filter for what answers requests: it accepts connections on the socket that it was given, and
  /// saves; which files it may change is Landlock's to say.
  private static func serving() -> SystemCallFilter {
    var filter = SystemCallFilter()
    filter.allowComputing()
    filter.add(
      .allow,
      "open openat fsync fdatasync fallocate flock copy_file_range sync_file_range",
    )
    filter.add(.allow, "unlink unlinkat rename renameat renameat2 link linkat mkdir mkdirat rmdir")
    filter.add(.allow, "chmod fchmod fchmodat fchmodat2 fchown utimensat umask")
    filter.allowUsingFiles()
    filter.allowExchanging()
    filter.add(.allow, "accept accept4 setsockopt")
    filter.allowOwnSignals()
    filter.add(.refuse(EACCES), "socket")
    filter.kill()
    filter.add(.kill, "execve listen")
    return filter
  }
}
