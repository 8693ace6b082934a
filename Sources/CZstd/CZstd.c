#include "CZstd.h"

#include "CDynamicLibrary.h"

static struct {
  CZstdStream *(*start)(void);
  size_t (*set)(CZstdStream *stream, int parameter, int value);
  size_t (*decompress)(CZstdStream *stream, struct czstd_output *output,
                       struct czstd_input *input);
  unsigned int (*is_error)(size_t result);
  size_t (*end)(CZstdStream *stream);
} zstd;

static struct cdynamic_library library = {
#if defined(__APPLE__)
  .names = (const char *const[]){"libzstd.1.dylib", NULL},
#else
  .names = (const char *const[]){"libzstd.so.1", NULL},
#endif
  // libzstd 1.4 (2019) has them all.
  .symbols = (const char *const[]){"ZSTD_createDStream", "ZSTD_DCtx_setParameter",
                                   "ZSTD_decompressStream", "ZSTD_isError", "ZSTD_freeDStream",
                                   NULL},
  .functions = &zstd,
};

enum {
  // ZSTD_d_windowLogMax
  WINDOW_LOG_MAXIMUM = 100,
};

const char *czstd_load(void) {
  return cdynamic_load(&library);
}

CZstdStream *czstd_start(void) {
  CZstdStream *stream = zstd.start();
  if (stream != NULL) (void)zstd.set(stream, WINDOW_LOG_MAXIMUM, 23);
  return stream;
}

size_t czstd_decompress(CZstdStream *stream, struct czstd_output *output,
                        struct czstd_input *input) {
  return zstd.decompress(stream, output, input);
}

bool czstd_is_error(size_t result) {
  return zstd.is_error(result) != 0;
}

void czstd_end(CZstdStream *stream) {
  (void)zstd.end(stream);
}
