// The part of zlib that `news` uses: inflating gzip (RFC 1952) and zlib (RFC 1950), and deflating
// gzip, loaded on first use. Its headers are not needed: zlib itself compares the size of the
// stream declared here.

#ifndef NEWS_CZLIB_H
#define NEWS_CZLIB_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// zlib's `z_stream`.
struct czlib_stream {
  const unsigned char *_Nullable next_in;
  unsigned int avail_in;
  unsigned long total_in;
  unsigned char *_Nullable next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *_Nullable message;
  void *_Nullable state;
  void *_Nullable allocate;
  void *_Nullable release;
  void *_Nullable opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
};

enum {
  CZLIB_OK = 0,
  CZLIB_STREAM_END = 1,
  CZLIB_BUFFER_ERROR = -5,
};

/// Loads zlib once; NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable czlib_load(void);

/// Prepares a zeroed stream for gzip or zlib, whichever comes; CZLIB_OK or an error.
int czlib_start(struct czlib_stream *stream);
/// Inflates what there is room for; CZLIB_OK, CZLIB_STREAM_END or an error.
int czlib_inflate(struct czlib_stream *stream);
void czlib_end(struct czlib_stream *stream);

/// Prepares a zeroed stream for making gzip; CZLIB_OK or an error.
int czlib_start_deflating(struct czlib_stream *stream);
/// Deflates all of the input; CZLIB_STREAM_END where there was room for it.
int czlib_deflate(struct czlib_stream *stream);
void czlib_end_deflating(struct czlib_stream *stream);

#pragma clang assume_nonnull end

#endif
