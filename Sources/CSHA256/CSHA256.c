#include "CSHA256.h"

/// §4.2.2 of FIPS 180-4: of the cube roots of the first 64 primes, the first 32 bits after the point.
static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

const uint32_t *csha256_constants(void) {
  return constants;
}

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

static bool look(void) {
  unsigned int a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

static bool has_instructions(void) {
  // 0 until someone has looked: twice is no harm, and takes a virtual machine some microseconds.
  static atomic_int answer;
  int known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (known == 0) {
    known = look() ? 1 : -1;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known > 0;
}

/// The instructions keep the state as the words ABEF and CDGH, and do four rounds in a pair.
__attribute__((target("sha,sse4.1"))) static void take(uint32_t state[8], const uint8_t *block,
                                                       size_t count) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8);
  __m128i cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; count > 0; count--, block += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];
    for (int part = 0; part < 16; part++) {
      __m128i *word = &words[part % 4];
      const __m128i *before = &words[(part + 3) % 4];
      if (part < 4) {
        *word = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + part), order);
      } else {
        __m128i sum = _mm_sha256msg1_epu32(*word, words[(part + 1) % 4]);
        sum = _mm_add_epi32(sum, _mm_alignr_epi8(*before, words[(part + 2) % 4], 4));
        *word = _mm_sha256msg2_epu32(sum, *before);
      }
      const __m128i added =
        _mm_add_epi32(*word, _mm_loadu_si128((const __m128i *)(constants + 4 * part)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  low = _mm_shuffle_epi32(abef, 0x1b);
  high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

bool csha256_take(uint32_t state[8], const void *blocks, size_t count) {
  if (!has_instructions()) return false;
  take(state, blocks, count);
  return true;
}

#else

bool csha256_take(uint32_t state[8], const void *blocks, size_t count) {
  (void)state, (void)blocks, (void)count;
  return false;
}

#endif
