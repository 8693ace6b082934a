#define _GNU_SOURCE
#include "CConfinement.h"

#include "Calls.h"

#ifdef MACHINE
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifndef __x86_64__
// Calls of older machines: others have had only those that came after them.
enum {
  SYS_access = -1, SYS_alarm = -1, SYS_arch_prctl = -1, SYS_chmod = -1, SYS_chown = -1,
  SYS_creat = -1, SYS_dup2 = -1, SYS_epoll_create = -1, SYS_epoll_wait = -1, SYS_eventfd = -1,
  SYS_futimesat = -1, SYS_getpgrp = -1, SYS_lchown = -1, SYS_link = -1, SYS_lstat = -1,
  SYS_mkdir = -1, SYS_mknod = -1, SYS_open = -1, SYS_pause = -1, SYS_pipe = -1, SYS_poll = -1,
  SYS_readlink = -1, SYS_rename = -1, SYS_rmdir = -1, SYS_select = -1, SYS_stat = -1,
  SYS_symlink = -1, SYS_time = -1, SYS_unlink = -1, SYS_utime = -1, SYS_utimes = -1,
};
#endif

enum {
  ONLINE = CCONFINEMENT_ONLINE, SERVING = CCONFINEMENT_SERVING, PROGRAM = CCONFINEMENT_PROGRAM,
  READING = CCONFINEMENT_OFFLINE | ONLINE | SERVING, ALL = READING | PROGRAM,
};

#define ALLOW SECCOMP_RET_ALLOW
#define REFUSE(code) (SECCOMP_RET_ERRNO | code)
// The process dies by SIGSYS, for calls that no reading library makes.
#define KILL SECCOMP_RET_KILL_PROCESS

#define LIST(type, ...) (const type[]){__VA_ARGS__}, sizeof (const type[]){__VA_ARGS__} / sizeof(type)
#define CALLS(...) LIST(short, __VA_ARGS__)
// The argument is one of the values, or the bits of a mask that it has are.
#define IS(argument, ...) {argument, 0, LIST(uint32_t, __VA_ARGS__)}
#define BITS(argument, mask, ...) {argument, mask, LIST(uint32_t, __VA_ARGS__)}
#define WHERE(...) {__VA_ARGS__}
#define ALWAYS {{0}}

enum {
  THREAD = CLONE_VM | CLONE_THREAD,
  NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
               CLONE_NEWPID | CLONE_NEWNET | 0x80 /* CLONE_NEWTIME */,
  WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | 020000000 /* O_TMPFILE */,
  // The kind of a socket stands in an argument that has flags, too (socket(2), socketpair(2)).
  KIND = 0xf,
};

// What changes files.
#define CHANGES                                                                                    \
  CALLS(SYS_chmod, SYS_fchmod, SYS_fchmodat, FCHMODAT2, SYS_chown, SYS_lchown, SYS_fchownat,       \
        SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,             \
        SYS_fremovexattr, SYS_utime, SYS_utimes, SYS_futimesat, SYS_utimensat, SYS_truncate,       \
        SYS_creat, SYS_unlink, SYS_unlinkat, SYS_rename, SYS_renameat, SYS_renameat2, SYS_link,    \
        SYS_linkat, SYS_symlink, SYS_symlinkat, SYS_mkdir, SYS_mkdirat, SYS_rmdir, SYS_mknod,      \
        SYS_mknodat)

static const struct cconfinement_rule rules[] = {
    {ALL, ALLOW, ALWAYS,
     CALLS(
         // Memory.
         SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_mlock,
         SYS_mlock2, SYS_munlock, SYS_membarrier,
         // Threads.
         SYS_futex, FUTEX_WAITV, SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_gettid,
         SYS_getpid, SYS_getppid, SYS_exit, SYS_exit_group, SYS_restart_syscall, SYS_sched_yield,
         SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
         SYS_sched_get_priority_min, SYS_sched_get_priority_max, SYS_getcpu,
         // Signals that it gets.
         SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait,
         SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_sigaltstack, SYS_pause, SYS_alarm,
         SYS_setitimer, SYS_getitimer,
         // The time, the system, and whose process it is.
         SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep,
         SYS_gettimeofday, SYS_time, SYS_times, SYS_uname, SYS_sysinfo, SYS_getrusage,
         SYS_getrlimit, SYS_getrandom, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
         SYS_getresuid, SYS_getresgid, SYS_getgroups,
         // It gives up more rights only.
         LANDLOCK_RESTRICT_SELF,
         // Looking at files.
         SYS_stat, SYS_lstat, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs,
         SYS_access, SYS_faccessat, FACCESSAT2, SYS_readlink, SYS_readlinkat, SYS_getcwd,
         SYS_getdents64, SYS_fadvise64, SYS_readahead,
         // Of descriptors: what it may write to and shorten was given to it, or is memory.
         SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_preadv2, SYS_write, SYS_writev,
         SYS_pwrite64, SYS_pwritev, SYS_pwritev2, SYS_lseek, SYS_ftruncate, SYS_memfd_create,
         SYS_close, CLOSE_RANGE, SYS_dup, SYS_dup2, SYS_dup3, SYS_pipe, SYS_pipe2,
         // Waiting and exchanging.
         SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6, SYS_eventfd, SYS_eventfd2,
         SYS_epoll_create, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_wait, SYS_epoll_pwait,
         EPOLL_PWAIT2, SYS_sendmsg, SYS_recvmsg, SYS_sendmmsg, SYS_recvmmsg, SYS_sendto,
         SYS_recvfrom, SYS_shutdown, SYS_getsockopt, SYS_getsockname, SYS_getpeername)},
    // Its own limits; those of others are theirs.
    {ALL, ALLOW, WHERE(IS(0, 0)), CALLS(SYS_prlimit64)},
    // A thread's name, that of memory (PR_SET_VMA), and whether the process may be traced.
    {ALL, ALLOW, WHERE(IS(0, PR_SET_NAME, PR_GET_NAME, 0x53564d41, PR_GET_DUMPABLE)),
     CALLS(SYS_prctl)},
    // Threads without namespaces; clone3 hides its flags in memory, where no filter looks.
    {ALL, ALLOW, WHERE(BITS(0, THREAD | NAMESPACES | CLONE_PTRACE, THREAD)), CALLS(SYS_clone)},
    // Opening files for reading; more is refused without killing, because libraries try it.
    {ALL, ALLOW, WHERE(BITS(2, WRITING, 0)), CALLS(SYS_openat)},
    {ALL, ALLOW, WHERE(BITS(1, WRITING, 0)), CALLS(SYS_open)},
    {ALL, REFUSE(EACCES), ALWAYS, CALLS(SYS_openat, SYS_open)},
    // SQLite gives a database's log to its owner, where root reads it.
    {ALL, REFUSE(EPERM), ALWAYS, CALLS(SYS_fchown)},
    // Without F_SETOWN and F_SETSIG, by which the kernel sends signals to others.
    {ALL, ALLOW,
     WHERE(IS(1, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK,
              F_SETLKW, F_SETPIPE_SZ, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS)),
     CALLS(SYS_fcntl)},
    // TCGETS is that with which isatty(3) asks; TIOCSTI would type.
    {ALL, ALLOW, WHERE(IS(1, TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX)), CALLS(SYS_ioctl)},
    // A pair of datagram sockets could send to any socket of this machine that has a name.
    {ALL, ALLOW, WHERE(IS(0, AF_UNIX), BITS(1, KIND, SOCK_STREAM, SOCK_SEQPACKET)),
     CALLS(SYS_socketpair)},
    {ALL, KILL, ALWAYS,
     CALLS(SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
           PIDFD_OPEN, PIDFD_GETFD, PIDFD_SEND_SIGNAL, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
           SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, MOVE_MOUNT,
           OPEN_TREE, MOUNT_SETATTR, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl,
           SYS_add_key, SYS_request_key, SYS_listen)},

    // Signals to the process itself, which abort(3) needs.
    {READING, ALLOW, WHERE(IS(0, CCONFINEMENT_OWN_PROCESS)), CALLS(SYS_kill, SYS_tgkill)},
    {READING, REFUSE(EPERM), ALWAYS, CALLS(SYS_kill, SYS_tgkill)},
    {READING, KILL, ALWAYS, CHANGES},
    {READING, KILL, ALWAYS, CALLS(SYS_execve)},

    {ONLINE, ALLOW,
     WHERE(IS(0, AF_INET, AF_INET6), BITS(1, KIND, SOCK_STREAM, SOCK_DGRAM)), CALLS(SYS_socket)},
    // getaddrinfo(3) asks the kernel for this machine's addresses, and first of all nscd for names.
    {ONLINE, ALLOW, WHERE(IS(0, AF_NETLINK), IS(2, NETLINK_ROUTE)), CALLS(SYS_socket)},
    {ONLINE, REFUSE(EACCES), WHERE(IS(0, AF_UNIX)), CALLS(SYS_socket)},
    {ONLINE, ALLOW, ALWAYS, CALLS(SYS_connect)},
    // The length of netlink's addresses is too short for one of the Internet.
    {ONLINE, ALLOW, WHERE(IS(2, sizeof(struct sockaddr_nl))), CALLS(SYS_bind)},
    {ONLINE | SERVING, ALLOW, ALWAYS, CALLS(SYS_setsockopt)},
    {SERVING, ALLOW, ALWAYS, CALLS(SYS_accept, SYS_accept4)},
    {ALL & ~ONLINE, REFUSE(EACCES), ALWAYS, CALLS(SYS_socket)},
    {ALL & ~SERVING, KILL, ALWAYS, CALLS(SYS_accept, SYS_accept4)},

    {PROGRAM, ALLOW, ALWAYS,
     CALLS(SYS_execve, SYS_arch_prctl, SYS_umask, SYS_getpgrp, SYS_getpgid, SYS_getsid, SYS_wait4,
           SYS_waitid)},
    // The size of a terminal, which it does not have.
    {PROGRAM, ALLOW, WHERE(IS(1, TIOCGWINSZ)), CALLS(SYS_ioctl)},
    {PROGRAM, REFUSE(EPERM), ALWAYS, CALLS(SYS_kill, SYS_tkill, SYS_tgkill)},
    // Libraries keep caches.
    {PROGRAM, REFUSE(EACCES), ALWAYS, CHANGES},
};

const struct cconfinement_rule *cconfinement_rules(int *count) {
  _Static_assert(sizeof rules / sizeof *rules <= 64, "a set of rules has 64 bits");
  *count = sizeof rules / sizeof *rules;
  return rules;
}
#endif
