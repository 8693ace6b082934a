extension SystemCallFilter {
  /// The filter for a process that reads what strangers wrote or answers them.
  ///
  /// It allows memory, threads, time, files opened to read, its descriptors, sockets of the
  /// Internet if `online`, and connections to the socket that it has if `serving`. Libraries are
  /// loaded after it is installed. It holds for the process that makes it, whose number is in it.
  static func reading(_ cage: Confinement.Cage) -> SystemCallFilter {
    var filter = SystemCallFilter()
    filter.allowComputing()
    filter.allowReading()
    filter.allowExchanging()
    filter.allowOwnSignals()
    cage == .online ? filter.allowInternet() : filter.add(.refuse(EACCES), "socket")
    if cage == .serving { filter.add(.allow, "accept accept4 setsockopt") }
    filter.kill()
    filter.add(.kill, cage == .serving ? "listen" : "listen accept accept4")
    filter.add(.kill, changes)
    filter.add(.kill, "execve")
    return filter
  }

  mutating func allowComputing() {
    add(.allow, "brk mmap munmap mremap mprotect madvise mlock mlock2 munlock membarrier")
    add(.allow, "futex futex_waitv set_robust_list rseq set_tid_address")
    add(.allow, "gettid getpid getppid exit exit_group restart_syscall")
    add(.allow, "sched_yield sched_getaffinity sched_getparam sched_getscheduler")
    add(.allow, "sched_get_priority_min sched_get_priority_max getcpu")
    add(.allow, "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait rt_sigpending")
    add(.allow, "rt_sigsuspend sigaltstack pause alarm setitimer getitimer")
    add(.allow, "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times")
    add(.allow, "uname sysinfo getrusage getrlimit getrandom")
    add(.allow, "getuid geteuid getgid getegid getresuid getresgid getgroups")
    // Its own limits; those of others are theirs.
    add(.allow, "prlimit64", where: .equals(0, 0))
    // A thread's name, that of memory, and whether the process may be traced.
    for option: Int32 in [15, 16, 0x5356_4d41, 3] {
      add(.allow, "prctl", where: .equals(0, option))
    }
    allowThreads()
    // It gives up more rights only.
    add(.allow, "landlock_restrict_self")
  }

  /// Threads without namespaces; clone3 hides its flags in memory, where no filter looks.
  private mutating func allowThreads() {
    let (sharesMemory, isThread): (Int32, Int32) = (0x100, 0x10000)
    // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; CLONE_PTRACE, NEWTIME.
    let namespaces: Int32 = 0x7e02_0000 | 0x2000 | 0x80
    let required = sharesMemory | isThread
    add(.allow, "clone", where: .masked(0, mask: required | namespaces, bits: required))
  }

  /// Signals to the process itself, which abort(3) needs.
  mutating func allowOwnSignals() {
    let own = getpid()
    add(.allow, "kill tgkill", where: .equals(0, own))
    add(.refuse(EPERM), "kill tgkill", where: .differs(0, own))
  }

  mutating func allowReading() {
    allowOpening("openat", flags: 2)
    allowOpening("open", flags: 1)
    allowUsingFiles()
  }

  mutating func allowUsingFiles() {
    add(.allow, "stat lstat fstat newfstatat statx statfs fstatfs access faccessat faccessat2")
    add(.allow, "readlink readlinkat getcwd getdents64 fadvise64 readahead")
    // Of descriptors: what it may write to and shorten was given to it, or is memory.
    add(.allow, "read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 lseek")
    add(.allow, "ftruncate memfd_create close close_range dup dup2 dup3 pipe pipe2")
    // SQLite gives a database's log to its owner, where root reads it.
    add(.refuse(EPERM), "fchown")
    // Without F_SETOWN and F_SETSIG, by which the kernel sends signals to others.
    let commands = [
      F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
      // F_SETPIPE_SZ, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS
      1031, 1032, 1033, 1034,
    ]
    for command in commands { add(.allow, "fcntl", where: .equals(1, command)) }
    // TCGETS, with which isatty(3) asks; FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. TIOCSTI would type.
    for request: Int32 in [0x5401, 0x541b, 0x5421, 0x5450, 0x5451] {
      add(.allow, "ioctl", where: .equals(1, request))
    }
  }

  /// Opening files for reading; more is refused without killing, because libraries try it.
  private mutating func allowOpening(_ call: String, flags: Int) {
    // The last one is that of O_TMPFILE.
    let writing = [O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, 0x40_0000]
    add(.allow, call, where: .masked(flags, mask: writing.reduce(0, |), bits: 0))
    for flag in writing {
      add(.refuse(EACCES), call, where: .masked(flags, mask: flag, bits: flag))
    }
  }

  mutating func allowExchanging() {
    add(.allow, "poll ppoll select pselect6 eventfd eventfd2")
    add(.allow, "epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2")
    add(.allow, "sendmsg recvmsg sendmmsg recvmmsg sendto recvfrom shutdown")
    add(.allow, "getsockopt getsockname getpeername")
    // A pair of datagram sockets could send to any socket of this machine that has a name.
    for kind in [Sockets.stream, Sockets.packets] {
      add(.allow, "socketpair", where: .equals(0, AF_UNIX), Sockets.isOf(kind))
    }
  }

  private mutating func allowInternet() {
    for family in [AF_INET, AF_INET6] {
      for kind in [Sockets.stream, Sockets.datagrams] {
        add(.allow, "socket", where: .equals(0, family), Sockets.isOf(kind))
      }
    }
    // getaddrinfo(3) asks the kernel for this machine's addresses, and first of all nscd for names.
    add(.allow, "socket", where: .equals(0, Sockets.netlink), .equals(2, Sockets.netlinkRoute))
    add(.refuse(EACCES), "socket", where: .equals(0, AF_UNIX))
    add(.allow, "connect setsockopt")
    // The length of netlink's addresses is too short for one of the Internet.
    add(.allow, "bind", where: .equals(2, Sockets.netlinkAddressSize))
  }

  mutating func kill() {
    add(.kill, "execveat ptrace process_vm_readv process_vm_writev kcmp")
    add(.kill, "pidfd_open pidfd_getfd pidfd_send_signal rt_sigqueueinfo rt_tgsigqueueinfo")
    add(.kill, "unshare setns mount umount2 pivot_root chroot move_mount open_tree mount_setattr")
    add(.kill, "bpf perf_event_open userfaultfd keyctl add_key request_key")
  }

  static let changes =
    "chmod fchmod fchmodat fchmodat2 chown lchown fchownat "
    + "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr "
    + "utime utimes futimesat utimensat truncate creat "
    + "unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat "
    + "mkdir mkdirat rmdir mknod mknodat"
}

private enum Sockets {
  static let (stream, datagrams, packets): (Int32, Int32, Int32) = (1, 2, 5)
  static let (netlink, netlinkRoute, netlinkAddressSize): (Int32, Int32, Int32) = (16, 0, 12)

  /// Compares the kind of socket in an argument that has flags, too (socket(2), socketpair(2)).
  static func isOf(_ kind: Int32) -> SystemCallFilter.Condition {
    .masked(1, mask: 0xf, bits: kind)
  }
}
