#include "CZlib.h"

#include "CDynamicLibrary.h"

static struct {
  int (*start)(struct czlib_stream *stream, int window_bits, const char *version, int stream_size);
  int (*inflate)(struct czlib_stream *stream, int flush);
  int (*end)(struct czlib_stream *stream);
  int (*start_deflating)(struct czlib_stream *stream, int level, int method, int window_bits,
                         int memory_level, int strategy, const char *version, int stream_size);
  int (*deflate)(struct czlib_stream *stream, int flush);
  int (*end_deflating)(struct czlib_stream *stream);
} zlib;

CDYNAMIC_NAME("required", "compressed documents", "libz.so.1", "/usr/lib/libz.1.dylib")

CDYNAMIC_LIBRARY(czlib_load, zlib, NULL, "inflateInit2_", "inflate", "inflateEnd", "deflateInit2_",
                 "deflate", "deflateEnd", NULL)

int czlib_start(struct czlib_stream *stream) {
  // The largest window. With 32 the header tells gzip from zlib. Of the version, zlib compares the
  // first digit.
  return zlib.start(stream, 15 + 32, "1", sizeof *stream);
}

int czlib_inflate(struct czlib_stream *stream) {
  return zlib.inflate(stream, 0);
}

void czlib_end(struct czlib_stream *stream) {
  (void)zlib.end(stream);
}

int czlib_start_deflating(struct czlib_stream *stream) {
  // zlib's own level and memory, the only method, gzip around the largest window.
  return zlib.start_deflating(stream, -1, 8, 15 + 16, 8, 0, "1", sizeof *stream);
}

int czlib_deflate(struct czlib_stream *stream) {
  const int finish = 4;
  return zlib.deflate(stream, finish);
}

void czlib_end_deflating(struct czlib_stream *stream) {
  (void)zlib.end_deflating(stream);
}
