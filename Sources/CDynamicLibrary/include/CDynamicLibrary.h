// Libraries that are loaded on first use, so that commands which need none of them start at once.

#ifndef NEWS_CDYNAMICLIBRARY_H
#define NEWS_CDYNAMICLIBRARY_H

#include <stddef.h>

/// The names that a library may have, in the order in which they are tried.
struct cdynamic_names {
  const char *const *first;
  size_t count;
};

/// Fills `functions` from a library: NULL, or the name of the first function that it lacks.
typedef const char *(*cdynamic_find)(void *library, void *functions);

/// Why a library could not be opened.
struct cdynamic_reason {
  char text[256];
};

/// Opens the first library that is there (dlopen(3)) and fills `functions`.
///
/// - Returns: NULL on failure, with the reason: why the first of the names cannot be opened, or
///   what the library that was found lacks.
void *cdynamic_open(struct cdynamic_names names, cdynamic_find find, void *functions,
                    struct cdynamic_reason *reason);

/// Why `cdynamic_open` would fail, or NULL; opens and closes the library.
const char *cdynamic_try(struct cdynamic_names names, cdynamic_find find, void *functions);

#endif
