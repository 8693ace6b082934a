#include "CDynamicLibrary.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/// Returns true if a loader's message says that there is no such library, rather than why it cannot
/// be loaded now.
static bool is_missing(const char *message) {
  return strstr(message, "No such file") != NULL || strstr(message, "no such file") != NULL;
}

/// Fills `functions` from the first of `names` that is there: NULL, or what is wrong, for `keep`.
static const char *find(const struct cdynamic_library *wanted, const char *const *names,
                        void *functions, bool keep) {
  static _Thread_local char reason[256];
  reason[0] = 0;
  // Lazily, as a program that is linked with it would have it: a library brings others, and binding
  // all that they could ever call takes longer than what is then done with them.
  void *library = NULL;
  for (; *names != NULL && library == NULL; names++) {
    library = dlopen(*names, RTLD_LAZY | RTLD_LOCAL);
    const char *message = library == NULL ? dlerror() : NULL;
    // One that is there and cannot be loaded says more than another that is not there.
    if (message != NULL && (reason[0] == 0 || (is_missing(reason) && !is_missing(message)))) {
      snprintf(reason, sizeof reason, "%s", message);
    }
  }
  if (library == NULL) return reason[0] != 0 ? reason : "it cannot be opened";
  for (size_t index = 0; wanted->symbols[index] != NULL; index++) {
    void *function = dlsym(library, wanted->symbols[index]);
    if (function == NULL) {
      snprintf(reason, sizeof reason, "it is too old: %s is missing", wanted->symbols[index]);
      dlclose(library);
      return reason;
    }
    if (functions != NULL) ((void **)functions)[index] = function;
  }
  // A library that is kept is never closed: its functions are in use until the process ends.
  if (!keep) dlclose(library);
  return NULL;
}

const char *cdynamic_load(struct cdynamic_library *library) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  const char *failure = NULL;
  if (!library->is_loaded) {
    failure = find(library, library->names, library->functions, true);
    if (failure == NULL && library->start != NULL) failure = library->start();
    // A failure for want of memory or descriptors is not kept: the next time there may be some.
    library->is_loaded = failure == NULL;
  }
  pthread_mutex_unlock(&mutex);
  return failure;
}

const char *cdynamic_try(const struct cdynamic_library *library, const char *name) {
  return find(library, (const char *const[]){name, NULL}, NULL, false);
}
