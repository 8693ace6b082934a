// The machine, as a filter of system calls knows it, and numbers of calls that an older system that this
// is built on may not name; since 424 they are the same on every machine.

#ifndef NEWS_CALLS_H
#define NEWS_CALLS_H

#ifdef __linux__
#include <linux/audit.h>
#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif
#endif

enum {
  PIDFD_SEND_SIGNAL = 424, OPEN_TREE = 428, MOVE_MOUNT = 429, PIDFD_OPEN = 434,
  CLOSE_RANGE = 436, PIDFD_GETFD = 438, FACCESSAT2 = 439, EPOLL_PWAIT2 = 441,
  MOUNT_SETATTR = 442, LANDLOCK_CREATE_RULESET = 444, LANDLOCK_ADD_RULE = 445,
  LANDLOCK_RESTRICT_SELF = 446, FUTEX_WAITV = 449, FCHMODAT2 = 452,
};

#endif
