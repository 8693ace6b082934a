#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>

#include "Calls.h"

#ifdef __linux__
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

bool cconfinement_drop_capabilities(void) {
  struct __user_cap_header_struct own = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
  if (syscall(SYS_capset, &own, none) == 0) return true;
  // A filter may refuse the call itself, with no capability to give up.
  struct __user_cap_data_struct had[_LINUX_CAPABILITY_U32S_3];
  return syscall(SYS_capget, &own, had) == 0 && (had[0].effective | had[1].effective) == 0;
}

static bool take_descriptors(const int descriptors[3]) {
  int high[3];
  // Above those that they are to be, which another one would take otherwise.
  for (int index = 0; index < 3; index++) {
    high[index] = fcntl(descriptors[index], F_DUPFD_CLOEXEC, 3);
    if (high[index] < 0) return false;
  }
  for (int index = 0; index < 3; index++) {
    if (dup2(high[index], index) < 0) return false;
  }
  return true;
}

static bool limit(int resource, rlim_t most) {
  struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
  return setrlimit(resource, &limit) == 0;
}

/// A program has a thread a processor, and each thread takes its share of the memory.
static void use_few_processors(void) {
  cpu_set_t all, few;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  CPU_ZERO(&few);
  for (int index = 0; index < CPU_SETSIZE && CPU_COUNT(&few) < 4; index++) {
    if (CPU_ISSET(index, &all)) CPU_SET(index, &few);
  }
  sched_setaffinity(0, sizeof few, &few);
}

static void reset_signals(void) {
  // Ignored and blocked signals stay so in a program.
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/// Between fork(2) and execve(2), where other threads may have held any lock: nothing that takes one.
static bool enter(const int descriptors[3], int list) {
  reset_signals();
  // Away from the terminal; what has started it takes it along when it ends.
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  use_few_processors();
  return take_descriptors(descriptors) && limit(RLIMIT_CPU, 10) &&
         limit(RLIMIT_AS, (rlim_t)1 << 30) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0) &&
         cconfinement_set_no_new_privileges() && cconfinement_drop_capabilities() &&
         cconfinement_filter(CCONFINEMENT_PROGRAM) && cconfinement_restrict(list) &&
         syscall(CLOSE_RANGE, 3, ~0U, 0) == 0;
}

int cconfinement_start(const char *path, char *const *arguments, char *const *variables,
                       const int descriptors[3], int list) {
  pid_t process = fork();
  if (process != 0) return process;
  if (enter(descriptors, list)) execve(path, arguments, variables);
  _exit(127);
}
#else
bool cconfinement_drop_capabilities(void) {
  errno = ENOSYS;
  return false;
}

int cconfinement_start(const char *path, char *const *arguments, char *const *variables,
                       const int descriptors[3], int list) {
  (void)path, (void)arguments, (void)variables, (void)descriptors, (void)list;
  errno = ENOSYS;
  return -1;
}
#endif
