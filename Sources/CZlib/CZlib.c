#include "CZlib.h"

#include <dlfcn.h>
#include <pthread.h>

#include "CDynamicLibrary.h"

struct czlib_functions {
  int (*start)(struct czlib_stream *stream, int window_bits, const char *version, int stream_size);
  int (*inflate)(struct czlib_stream *stream, int flush);
  int (*restart)(struct czlib_stream *stream);
  int (*end)(struct czlib_stream *stream);
};

// Written once under `once`, before any reader gets past `czlib_load`.
static struct czlib_functions zlib;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static const char *const library_names[] = {
#if defined(__APPLE__)
  "/usr/lib/libz.1.dylib",
#else
  "libz.so.1",
#endif
};

#define CZLIB_FIND(member, name)                                                                   \
  if ((*(void **)&functions->member = dlsym(library, name)) == NULL) return name;

/// The name of the first function that the library lacks, or NULL.
static const char *find_functions(void *library, void *table) {
  struct czlib_functions *functions = table;
  CZLIB_FIND(start, "inflateInit2_")
  CZLIB_FIND(inflate, "inflate")
  CZLIB_FIND(restart, "inflateReset")
  CZLIB_FIND(end, "inflateEnd")
  return NULL;
}

static void load(void) {
  static struct cdynamic_reason reason;
  struct cdynamic_names names = {library_names, sizeof library_names / sizeof library_names[0]};
  // Never closed: its functions are in use until the process ends.
  if (cdynamic_open(names, find_functions, &zlib, &reason) == NULL) failure = reason.text;
}

const char *czlib_load(void) {
  pthread_once(&once, load);
  return failure;
}

int czlib_start(struct czlib_stream *stream) {
  // The largest window, and 32: the header tells gzip from zlib. Of the version, zlib compares the
  // first digit.
  return zlib.start(stream, 15 + 32, "1", sizeof *stream);
}

int czlib_inflate(struct czlib_stream *stream) {
  return zlib.inflate(stream, 0);
}

int czlib_restart(struct czlib_stream *stream) {
  return zlib.restart(stream);
}

void czlib_end(struct czlib_stream *stream) {
  (void)zlib.end(stream);
}
