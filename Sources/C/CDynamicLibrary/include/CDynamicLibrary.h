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
/// `CDYNAMIC_NAME` has `name`, or on macOS the names behind it.
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
#define CDYNAMIC_NAME(need, use, name, ...) CDYNAMIC_NAMES(need, use, name)
#else
#define CDYNAMIC_NAMES(need, use, ...) static const char *const names[] = {__VA_ARGS__, NULL};
#define CDYNAMIC_NAME(need, use, name, ...) CDYNAMIC_NAMES(need, use, __VA_ARGS__)
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

/// Has `room` for the addresses of a list of functions: of the name, result and parameters of each.
#define CDYNAMIC_FUNCTIONS(room, functions)                                                        \
  static struct {                                                                                  \
    functions(CDYNAMIC_MEMBER)                                                                     \
  } room;
#define CDYNAMIC_MEMBER(name, result, parameters) result(*name) parameters;

/// A value in a list of the library's constants, under a name that its header does not have.
#define CDYNAMIC_CONSTANT(name, value) OUR_##name = value,

/// Has the function `load`, for the library with these `names`.
///
/// `room` and `prepare` are `functions` and `start` of `cdynamic_library`; `symbols` follow.
#define CDYNAMIC_LIBRARY(load, room, prepare, ...)                                                 \
  static struct cdynamic_library library = {                                                       \
    .names = names,                                                                                \
    .symbols = (const char *const[]){__VA_ARGS__},                                                 \
    .functions = &room,                                                                            \
    .start = prepare,                                                                              \
  };                                                                                               \
  const char *load(void) {                                                                         \
    return cdynamic_load(&library);                                                                \
  }

/// Why a library of that name could not be used in its place, or NULL; opens and closes it.
const char *cdynamic_try(const struct cdynamic_library *library, const char *name);

#endif
