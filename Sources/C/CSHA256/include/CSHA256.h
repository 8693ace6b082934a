// The processor's own instructions for SHA-256, which Swift cannot call.

#ifndef NEWS_CSHA256_H
#define NEWS_CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Takes blocks of 64 bytes into the state, with the 64 constants of FIPS 180-4 §4.2.2; false, with the
/// state as it was, on a processor without such instructions.
bool csha256_take(
    uint32_t state[_Nonnull 8],
    const void *_Nonnull blocks,
    size_t count,
    const uint32_t constants[_Nonnull 64]);

#endif
