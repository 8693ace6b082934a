#include "CArguments.h"

static char *const none[] = {0};
static char *const *arguments = none;

// glibc and macOS call constructors with what they call `main` with.
__attribute__((constructor)) static void keep(int count, char **words) {
  if (count > 0) arguments = words;
}

char *const *carguments(void) {
  return arguments;
}
