#include "CSHA256.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define WITH_SHA __attribute__((target("sha,sse4.1")))

/// Four rounds at a time: `words` has the next sixteen of the schedule.
WITH_SHA static void take_block(
    __m128i *abef, __m128i *cdgh, const __m128i *block, const __m128i *constants) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i abef_before = *abef, cdgh_before = *cdgh;
  __m128i words[4];
  for (int i = 0; i < 4; i++) words[i] = _mm_shuffle_epi8(_mm_loadu_si128(block + i), big_endian);
#pragma unroll
  for (int i = 0; i < 16; i++) {
    const __m128i first = words[i & 3], last = words[(i + 3) & 3];
    const __m128i sum = _mm_add_epi32(first, _mm_loadu_si128(constants + i));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sum);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sum, 0x0e));
    const __m128i sigma0 = _mm_sha256msg1_epu32(first, words[(i + 1) & 3]);
    const __m128i middle = _mm_alignr_epi8(last, words[(i + 2) & 3], 4);
    words[i & 3] = _mm_sha256msg2_epu32(_mm_add_epi32(sigma0, middle), last);
  }
  *abef = _mm_add_epi32(*abef, abef_before);
  *cdgh = _mm_add_epi32(*cdgh, cdgh_before);
}

WITH_SHA static void take(
    uint32_t *state, const __m128i *blocks, size_t count, const __m128i *constants) {
  __m128i *halves = (__m128i *)state;
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(halves), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(halves + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; count > 0; count--, blocks += 4) take_block(&abef, &cdgh, blocks, constants);
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(halves, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(halves + 1, _mm_alignr_epi8(dchg, feba, 8));
}

bool csha256_take(uint32_t state[8], const void *blocks, size_t count, const uint32_t constants[64]) {
  if (!__builtin_cpu_supports("sha") || !__builtin_cpu_supports("sse4.1")) return false;
  take(state, blocks, count, (const __m128i *)constants);
  return true;
}

#else

bool csha256_take(uint32_t state[8], const void *blocks, size_t count, const uint32_t constants[64]) {
  (void)state, (void)blocks, (void)count, (void)constants;
  return false;
}

#endif
