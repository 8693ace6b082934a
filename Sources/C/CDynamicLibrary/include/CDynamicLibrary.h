// Libraries that are loaded on first use, so that commands which need none of them start at once.

#ifndef NEWS_CDYNAMICLIBRARY_H
#define NEWS_CDYNAMICLIBRARY_H

#include <stdbool.h>

/// A library, and the functions that are wanted of it.
struct cdynamic_library {
  /// The names that it may have, in the order in which they are tried, and NULL.
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
