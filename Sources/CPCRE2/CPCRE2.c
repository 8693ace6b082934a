#include "CPCRE2.h"

#include <dlfcn.h>
#include <pthread.h>

#include "CDynamicLibrary.h"

// Where its header is installed, the compiler compares what stands here with it.
#if __has_include(<pcre2.h>)
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#define CHECK(name, value) _Static_assert((name) == (value), #name);
CHECK(PCRE2_CASELESS, 0x8)
CHECK(PCRE2_NEVER_BACKSLASH_C, 0x100000)
CHECK(PCRE2_UCP, 0x20000)
CHECK(PCRE2_UTF, 0x80000)
CHECK(PCRE2_NO_UTF_CHECK, 0x40000000)
CHECK(PCRE2_JIT_COMPLETE, 1)
CHECK(PCRE2_ERROR_NOMATCH, -1)
#endif

enum {
  caseless = 0x8,
  unicode_properties = 0x20000,
  utf = 0x80000,
  never_backslash_c = 0x100000,
  no_utf_check = 0x40000000,
  jit_complete = 1,
  no_match = -1,
};

// X(name without "pcre2_" and "_8", result, parameters)
#define CPCRE2_FUNCTIONS(X)                                                                        \
  X(compile, void *, (const uint8_t *, size_t, uint32_t, int *, size_t *, void *))                 \
  X(code_free, void, (void *))                                                                     \
  X(jit_compile, int, (void *, uint32_t))                                                          \
  X(get_error_message, int, (int, uint8_t *, size_t))                                              \
  X(match_context_create, void *, (void *))                                                        \
  X(set_match_limit, int, (void *, uint32_t))                                                      \
  X(match_data_create, void *, (uint32_t, void *))                                                 \
  X(match_data_free, void, (void *))                                                               \
  X(match, int,                                                                                    \
    (const void *, const uint8_t *, size_t, size_t, uint32_t, void *, void *))

#define CPCRE2_MEMBER(name, result, parameters) result(*name) parameters;
struct functions {
  CPCRE2_FUNCTIONS(CPCRE2_MEMBER)
};

// Written once under `once`, before any reader gets past `cpcre2_load`.
static struct functions pcre;
static void *limits;
static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *const library_names[] = {
#if defined(__APPLE__)
  "libpcre2-8.0.dylib",
  "/opt/homebrew/lib/libpcre2-8.0.dylib",
#else
  "libpcre2-8.so.0",
#endif
};

#define CPCRE2_FIND(name, result, parameters)                                                      \
  if ((*(void **)&functions->name = dlsym(library, "pcre2_" #name "_8")) == NULL)                  \
    return "pcre2_" #name "_8";

static const char *find_functions(void *library, void *table) {
  struct functions *functions = table;
  CPCRE2_FUNCTIONS(CPCRE2_FIND)
  return NULL;
}

static void load(void) {
  static struct cdynamic_reason reason;
  struct cdynamic_names names = {library_names, sizeof library_names / sizeof library_names[0]};
  if (cdynamic_open(names, find_functions, &pcre, &reason) == NULL) {
    failure = reason.text;
  } else if ((limits = pcre.match_context_create(NULL)) == NULL) {
    failure = "it cannot be initialised";
  } else {
    pcre.set_match_limit(limits, 1000000);
  }
}

const char *cpcre2_load(void) {
  pthread_once(&once, load);
  return failure;
}

void *cpcre2_compile(const uint8_t *pattern, size_t length, char message[128]) {
  int error;
  size_t offset;
  uint32_t options = caseless | utf | unicode_properties | never_backslash_c;
  void *code = pcre.compile(pattern, length, options, &error, &offset, NULL);
  if (code == NULL) {
    pcre.get_error_message(error, (uint8_t *)message, 128);
    return NULL;
  }
  // Where the system forbids code that is made at run time, it is interpreted.
  pcre.jit_compile(code, jit_complete);
  return code;
}

void cpcre2_free(void *code) {
  pcre.code_free(code);
}

void *cpcre2_match_data(void) {
  // One pair of offsets: which text a group took is not asked for.
  return pcre.match_data_create(1, NULL);
}

void cpcre2_free_match_data(void *match_data) {
  pcre.match_data_free(match_data);
}

int cpcre2_match(const void *code, const uint8_t *text, size_t length, void *match_data) {
  int result = pcre.match(code, text, length, 0, no_utf_check, match_data, limits);
  if (result >= 0) return CPCRE2_MATCH;
  return result == no_match ? CPCRE2_NO_MATCH : CPCRE2_GIVEN_UP;
}
