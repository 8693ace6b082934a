// The part of libzstd that `news` uses (RFC 8878), loaded on first use: libcurl brings it.

#ifndef NEWS_CZSTD_H
#define NEWS_CZSTD_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// `ZSTD_DStream`: opaque.
typedef void CZstdStream;

/// `ZSTD_inBuffer`
struct czstd_input {
  const void *_Nullable bytes;
  size_t count;
  size_t position;
};

/// `ZSTD_outBuffer`
struct czstd_output {
  void *_Nullable bytes;
  size_t count;
  size_t position;
};

/// Loads libzstd once; NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable czstd_load(void);

/// Prepares a stream whose window is at most the 8 MiB that HTTP allows (RFC 9659).
CZstdStream *_Nullable czstd_start(void);
/// Decompresses what there is room for; 0 at the end of a frame.
size_t czstd_decompress(CZstdStream *stream, struct czstd_output *output,
                        struct czstd_input *input);
/// Returns whether a result means an error.
bool czstd_is_error(size_t result);
void czstd_end(CZstdStream *stream);

#pragma clang assume_nonnull end

#endif
