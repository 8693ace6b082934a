#ifndef CSHA256_H
#define CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Takes blocks of 64 bytes into the state of SHA-256 by the processor's own instructions.
///
/// False, and nothing is done, where it has none.
bool csha256_take(uint32_t state[8], const void *blocks, size_t count);

#endif
