// Loaded before a program, it makes the system one that takes no filter of calls (prctl(2)).
#define _GNU_SOURCE
#include <errno.h>
#include <linux/prctl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

int prctl(int option, ...) {
  if (option == PR_SET_SECCOMP) {
    errno = EINVAL;
    return -1;
  }
  va_list list;
  va_start(list, option);
  unsigned long words[4];
  for (int index = 0; index < 4; index++) words[index] = va_arg(list, unsigned long);
  va_end(list);
  return syscall(SYS_prctl, option, words[0], words[1], words[2], words[3]);
}
