// The part of GNU libidn2's stable ABI (soname 0) that writes names of hosts in ASCII, loaded on first
// use: libcurl brings it.

#ifndef NEWS_CIDN2_H
#define NEWS_CIDN2_H

#include <stdbool.h>

#pragma clang assume_nonnull begin

/// Loads the library, once for the process and from any thread.
///
/// - Returns: NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable cidn2_load(void);

/// The library's version, such as `2.3.8`.
const char *_Nullable cidn2_version(void);

/// Writes a name in valid UTF-8 as it is looked up (UTS #46), in the transitional way or the other.
///
/// - Returns: what `cidn2_free` frees; NULL for what is no name, and without memory for it.
char *_Nullable cidn2_ascii(const char *name, bool transitional);
void cidn2_free(char *name);

#pragma clang assume_nonnull end

#endif
