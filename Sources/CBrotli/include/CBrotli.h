// The part of Brotli's decoder that `news` uses (RFC 7932), loaded on first use: libcurl brings it.

#ifndef NEWS_CBROTLI_H
#define NEWS_CBROTLI_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// `BrotliDecoderState`: opaque.
typedef void CBrotliStream;

/// `BrotliDecoderResult`
enum {
  CBROTLI_ERROR = 0,
  CBROTLI_STREAM_END = 1,
};

/// Loads Brotli once; NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable cbrotli_load(void);

CBrotliStream *_Nullable cbrotli_start(void);
/// Decompresses what there is room for, and moves the pointers and counts on.
int cbrotli_decompress(CBrotliStream *stream, size_t *in_count,
                       const uint8_t *_Nullable *_Nonnull next_in, size_t *out_count,
                       uint8_t *_Nullable *_Nonnull next_out);
void cbrotli_end(CBrotliStream *stream);

#pragma clang assume_nonnull end

#endif
