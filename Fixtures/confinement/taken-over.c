// Code that runs in the process that reads what strangers wrote as soon as its cage is closed, as that of
// a document would that takes it over: it is preloaded, and stands in for syscall(2).
//
// ATTEMPTS names what it tries, with a semicolon between two; how each ended is a line of ATTEMPT_REPORT,
// of which "begun" alone is left where it was the end of the process.
#include "attempts.c"
#include <stdarg.h>

enum { RESTRICT_SELF = 446 };

static int report = -1;

__attribute__((constructor)) static void open_report(void) {
  if (getenv("ATTEMPT_REPORT") == NULL) return;
  int file = open(getenv("ATTEMPT_REPORT"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  report = fcntl(file, F_DUPFD_CLOEXEC, 500);
  close(file);
}

static void say(const char *attempt, const char *end) {
  char line[512];
  int size = snprintf(line, sizeof line, "%s: %s\n", attempt, end);
  if (write(report, line, size) != size) abort();
}

static void try_all(void) {
  char names[4096];
  snprintf(names, sizeof names, "%s", getenv("ATTEMPTS"));
  char *rest = NULL;
  for (char *name = strtok_r(names, ";", &rest); name != NULL; name = strtok_r(NULL, ";", &rest)) {
    say(name, "begun");
    int code = attempt(name);
    say(name, code == 0 ? "done" : strerror(code));
  }
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long words[6];
  for (int index = 0; index < 6; index++) words[index] = va_arg(list, long);
  va_end(list);
  static long (*next)(long, ...);
  if (next == NULL) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  long result =
      next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  if (number != RESTRICT_SELF || result != 0 || report < 0) return result;
  int reason = errno;
  try_all();
  errno = reason;
  return result;
}
