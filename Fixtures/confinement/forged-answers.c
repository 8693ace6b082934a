// Changes what the process that reads tells, once its cage is closed: FORGE_FROM becomes FORGE_TO, a
// text of the same length; with FORGE_MORE, the last message promises bytes that never come.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { restrict_self = 446 };

static int is_closed;

long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list list;
  va_start(list, number);
  long values[6];
  for (int index = 0; index < 6; index++) values[index] = va_arg(list, long);
  va_end(list);
  long result = real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
  if (number == restrict_self && result == 0) is_closed = 1;
  return result;
}

// Returns where the last of some whole messages begins.
static size_t last_message(const unsigned char *bytes, size_t count) {
  size_t last = 0, next = 0;
  while (next + 8 <= count) {
    uint32_t lengths[2];
    memcpy(lengths, bytes + next, 8);
    last = next;
    next += 8 + (size_t)lengths[0] + lengths[1];
  }
  return last;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  const char *from = getenv("FORGE_FROM"), *to = getenv("FORGE_TO");
  if (!is_closed || count < 300) return real(descriptor, bytes, count);
  unsigned char *copy = malloc(count);
  if (!copy) return -1;
  memcpy(copy, bytes, count);
  size_t length = from ? strlen(from) : 0;
  for (unsigned char *place = copy; length && to && strlen(to) == length; place += length) {
    place = memmem(place, count - (size_t)(place - copy), from, length);
    if (!place) break;
    memcpy(place, to, length);
  }
  if (getenv("FORGE_MORE")) copy[last_message(copy, count) + 6] += 1;
  size_t done = 0;
  while (done < count) {
    ssize_t part = real(descriptor, copy + done, count - done);
    if (part < 0 && errno != EINTR) break;
    if (part > 0) done += (size_t)part;
  }
  free(copy);
  return (ssize_t)count;
}
