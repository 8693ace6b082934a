// Libraries that are loaded on first use, so that commands which need none of them start at once.

#ifndef NEWS_CDYNAMICLIBRARY_H
#define NEWS_CDYNAMICLIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Has `names`: the names that a library may have, in the order in which they are tried, and NULL.
///
/// On Linux the program says them to packagers, too, in a note (https://uapi-group.org/specifications,
/// "ELF dlopen metadata"): `.ci/packaging/libraries` reads them. `need` is required, recommended or suggested.
#if defined(__ELF__)
#define CDYNAMIC_NAMES(need, use, ...)                                                             \
  CDYNAMIC_NOTE("[{\"feature\":\"" use "\",\"priority\":\"" need "\",\"soname\":[" #__VA_ARGS__ "]}]") \
  static const char *const names[] = {__VA_ARGS__, NULL};
#define CDYNAMIC_NOTE(text)                                                                        \
  __attribute__((used, section(".note.dlopen"), aligned(4))) static const struct {                 \
    uint32_t name_size, size, type;                                                                \
    char name[4];                                                                                  \
    __attribute__((aligned(4))) char json[sizeof(text)];                                           \
  } note = {sizeof "FDO", sizeof(text), 0x407c0c0a, "FDO", text};
#else
#define CDYNAMIC_NAMES(need, use, ...) static const char *const names[] = {__VA_ARGS__, NULL};
#endif

/// A library, and the functions that are wanted of it.
struct cdynamic_library {
  const char *const *names;
  /// The names of its functions, and NULL.
  const char *const *symbols;
  /// Room for their addresses, in the same order.
  void *functions;
  /// Prepares the library; returns NULL, or why it cannot be used.
  const char *(*start)(void);
  bool is_loaded;
};

/// Loads a library (dlopen(3)) once for the process, from any thread; one that could not be loaded is
/// tried again.
///
/// - Returns: NULL, or the reason, for this thread until it asks again: why it cannot be opened, by
///   the first of its names that is there, or what it lacks.
const char *cdynamic_load(struct cdynamic_library *library);

/// Why a library of that name could not be used in its place, or NULL; opens and closes it.
const char *cdynamic_try(const struct cdynamic_library *library, const char *name);

#endif
