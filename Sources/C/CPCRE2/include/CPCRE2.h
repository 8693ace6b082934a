// The part of PCRE2's stable ABI (libpcre2-8, soname 0) that a search uses, loaded on first use.

#ifndef NEWS_CPCRE2_H
#define NEWS_CPCRE2_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads the library, once for the process and from any thread.
///
/// - Returns: NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable cpcre2_load(void);

/// Compiles an expression in valid UTF-8 (pcre2_compile(3)) that ignores case.
///
/// - Returns: what many threads may use, and `cpcre2_free` frees; NULL with the library's words in
///   `message` for what is no expression.
void *_Nullable cpcre2_compile(const uint8_t *pattern, size_t length, char message[_Nonnull 128]);
void cpcre2_free(void *code);

/// The memory that a thread needs to match; NULL without memory for it.
void *_Nullable cpcre2_match_data(void);
void cpcre2_free_match_data(void *match_data);

enum {
  CPCRE2_NO_MATCH = 0,
  CPCRE2_MATCH = 1,
  /// More than `CPCRE2_STEPS` steps back, or more memory than a search may take.
  CPCRE2_GIVEN_UP = 2,
};

enum {
  CPCRE2_STEPS = 1000000,
  /// The limit if there is little time.
  CPCRE2_FEW_STEPS = 10000,
};

/// Looks for the expression in `text`, which is valid UTF-8; with `hurries` it gives up
/// after `CPCRE2_FEW_STEPS`.
int cpcre2_match(
  const void *code,
  const uint8_t *text,
  size_t length,
  void *match_data,
  int hurries
);

#pragma clang assume_nonnull end

#endif
