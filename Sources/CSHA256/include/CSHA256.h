#ifndef CSHA256_H
#define CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The 64 constants of the rounds (FIPS 180-4 §4.2.2).
const uint32_t *_Nonnull csha256_constants(void);

/// Takes blocks of 64 bytes into the state of SHA-256 by the processor's own instructions.
///
/// False, and nothing is done, where it has none.
bool csha256_take(uint32_t state[_Nullable 8], const void *_Nullable blocks, size_t count);

#endif
