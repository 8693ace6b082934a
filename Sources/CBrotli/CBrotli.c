#include "CBrotli.h"

#include "CDynamicLibrary.h"

static struct {
  CBrotliStream *(*start)(void *allocate, void *release, void *opaque);
  int (*decompress)(CBrotliStream *stream, size_t *in_count, const uint8_t **next_in,
                    size_t *out_count, uint8_t **next_out, size_t *total);
  void (*end)(CBrotliStream *stream);
} brotli;

static struct cdynamic_library library = {
#if defined(__APPLE__)
  .names = (const char *const[]){"libbrotlidec.1.dylib", NULL},
#else
  .names = (const char *const[]){"libbrotlidec.so.1", NULL},
#endif
  .symbols = (const char *const[]){"BrotliDecoderCreateInstance", "BrotliDecoderDecompressStream",
                                   "BrotliDecoderDestroyInstance", NULL},
  .functions = &brotli,
};

const char *cbrotli_load(void) {
  return cdynamic_load(&library);
}

CBrotliStream *cbrotli_start(void) {
  return brotli.start(NULL, NULL, NULL);
}

int cbrotli_decompress(CBrotliStream *stream, size_t *in_count, const uint8_t **next_in,
                       size_t *out_count, uint8_t **next_out) {
  return brotli.decompress(stream, in_count, next_in, out_count, next_out, NULL);
}

void cbrotli_end(CBrotliStream *stream) {
  brotli.end(stream);
}
