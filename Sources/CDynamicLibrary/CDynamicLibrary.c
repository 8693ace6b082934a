#include "CDynamicLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

/// Opens the first of `names` that is there, or leaves in `reason` why the first one is not.
static void *open_first(struct cdynamic_names names, struct cdynamic_reason *reason) {
  for (size_t index = 0; index < names.count; index++) {
    // Lazily, as a program that is linked with it would have it: a library brings others, and binding
    // all that they could ever call takes longer than what is then done with them.
    void *library = dlopen(names.first[index], RTLD_LAZY | RTLD_LOCAL);
    if (library != NULL) return library;
    const char *message = dlerror();
    if (index > 0) continue;
    snprintf(reason->text, sizeof reason->text, "%s",
             message != NULL ? message : "it cannot be opened");
  }
  return NULL;
}

void *cdynamic_open(struct cdynamic_names names, cdynamic_find find, void *functions,
                    struct cdynamic_reason *reason) {
  void *library = open_first(names, reason);
  if (library == NULL) return NULL;
  const char *missing = find(library, functions);
  if (missing == NULL) return library;
  snprintf(reason->text, sizeof reason->text, "it is too old: %s is missing", missing);
  dlclose(library);
  return NULL;
}

const char *cdynamic_try(struct cdynamic_names names, cdynamic_find find, void *functions) {
  static _Thread_local struct cdynamic_reason reason;
  void *library = cdynamic_open(names, find, functions, &reason);
  if (library == NULL) return reason.text;
  dlclose(library);
  return NULL;
}
