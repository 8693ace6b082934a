extension SystemCallFilter {
  /// The filter for a program that reads its input and prints.
  ///
  /// It is executed, and may execute a program in its place, but starts no other process. Changes
  /// of files are refused without killing it: libraries keep caches.
  static func programs() -> SystemCallFilter {
    var filter = SystemCallFilter()
    filter.allowComputing()
    filter.allowReading()
    filter.allowExchanging()
    filter.add(.allow, "execve arch_prctl umask getpgrp getpgid getsid wait4 waitid")
    // TIOCGWINSZ, of a terminal that it does not have.
    filter.add(.allow, "ioctl", where: .equals(1, 0x5413))
    filter.add(.refuse(EPERM), "kill tkill tgkill")
    filter.add(.refuse(EACCES), "socket")
    filter.add(.refuse(EACCES), changes)
    filter.kill()
    filter.add(.kill, "listen accept accept4")
    return filter
  }
}
