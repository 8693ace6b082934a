// The part of libseccomp's stable ABI (soname 2, from 2.4) that a filter of system calls needs, loaded
// on first use.

#ifndef NEWS_CSECCOMP_H
#define NEWS_CSECCOMP_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The answer to a call.
enum cseccomp_action {
  CSECCOMP_ALLOW = 0x7fff0000,
  /// It fails with the `errno` that is added.
  CSECCOMP_REFUSE = 0x00050000,
  /// The process ends, by SIGSYS.
  CSECCOMP_KILL = 0x80000000,
};

enum cseccomp_operation {
  CSECCOMP_DIFFERS = 1,
  CSECCOMP_EQUALS = 4,
  /// The bits of the first number that the argument has are the second one.
  CSECCOMP_MASKED = 7,
};

/// libseccomp's `scmp_arg_cmp`: one argument of a call, from 0, compared.
struct cseccomp_comparison {
  unsigned int argument;
  enum cseccomp_operation operation;
  uint64_t first;
  uint64_t second;
};

/// Loads the library once; NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable cseccomp_load(void);

/// The library's version: three numbers, each of 8 bits.
uint32_t cseccomp_version(void);

/// Begins a filter that refuses what it has no rule for; NULL without memory for it.
void *_Nullable cseccomp_begin(int32_t code);

/// Adds a rule for a call as all comparisons hold: 0, or an `errno`. A call that this machine does not
/// have is left out.
int cseccomp_add(void *filter, uint32_t action, const char *call,
                 const struct cseccomp_comparison *_Nullable comparisons, unsigned int count);

/// Writes the filter to a file, as the kernel reads it: 0, or an `errno`. Frees it.
int cseccomp_export(void *filter, int file);

#pragma clang assume_nonnull end

#endif
