#include "CZlib.h"

#include "CDynamicLibrary.h"

static struct {
  int (*start)(struct czlib_stream *stream, int window_bits, const char *version, int stream_size);
  int (*inflate)(struct czlib_stream *stream, int flush);
  int (*end)(struct czlib_stream *stream);
} zlib;

#if defined(__APPLE__)
CDYNAMIC_NAMES("required", "compressed documents", "/usr/lib/libz.1.dylib")
#else
CDYNAMIC_NAMES("required", "compressed documents", "libz.so.1")
#endif

static struct cdynamic_library library = {
  .names = names,
  .symbols = (const char *const[]){"inflateInit2_", "inflate", "inflateEnd", NULL},
  .functions = &zlib,
};

const char *czlib_load(void) {
  return cdynamic_load(&library);
}

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
