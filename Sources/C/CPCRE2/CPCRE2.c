#include "CPCRE2.h"

#include "CDynamicLibrary.h"

// X(name without "PCRE2_", value)
#define CPCRE2_CONSTANTS(X)                                                                        \
  X(CASELESS, 0x8)                                                                                 \
  X(UCP, 0x20000)                                                                                  \
  X(UTF, 0x80000)                                                                                  \
  X(NEVER_BACKSLASH_C, 0x100000)                                                                   \
  X(NO_UTF_CHECK, 0x40000000)                                                                      \
  X(JIT_COMPLETE, 1)                                                                               \
  X(ERROR_NOMATCH, -1)

enum { CPCRE2_CONSTANTS(CDYNAMIC_CONSTANT) };

// The compiler compares what stands here with the library's header, if that is installed.
#if __has_include(<pcre2.h>)
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#define CPCRE2_CHECK(name, value) _Static_assert((int)PCRE2_##name == value, #name);
CPCRE2_CONSTANTS(CPCRE2_CHECK)
#endif

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

#define CPCRE2_SYMBOL(name, result, parameters) "pcre2_" #name "_8",

CDYNAMIC_FUNCTIONS(pcre, CPCRE2_FUNCTIONS)
static void *limits;
static void *narrow_limits;

static const char *start(void) {
  limits = pcre.match_context_create(NULL);
  narrow_limits = pcre.match_context_create(NULL);
  if (limits == NULL || narrow_limits == NULL) return "it cannot be initialised";
  pcre.set_match_limit(limits, CPCRE2_STEPS);
  pcre.set_match_limit(narrow_limits, CPCRE2_FEW_STEPS);
  return NULL;
}

CDYNAMIC_NAME("required", "expressions", "libpcre2-8.so.0",
              "libpcre2-8.0.dylib", "/opt/homebrew/lib/libpcre2-8.0.dylib")

CDYNAMIC_LIBRARY(cpcre2_load, pcre, start, CPCRE2_FUNCTIONS(CPCRE2_SYMBOL) NULL)

void *cpcre2_compile(const uint8_t *pattern, size_t length, char message[128]) {
  int error;
  size_t offset;
  uint32_t options = OUR_CASELESS | OUR_UTF | OUR_UCP | OUR_NEVER_BACKSLASH_C;
  void *code = pcre.compile(pattern, length, options, &error, &offset, NULL);
  if (code == NULL) {
    pcre.get_error_message(error, (uint8_t *)message, 128);
    return NULL;
  }
  // An expression is interpreted if the system forbids code that is made at run time.
  pcre.jit_compile(code, OUR_JIT_COMPLETE);
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

int cpcre2_match(
  const void *code,
  const uint8_t *text,
  size_t length,
  void *match_data,
  int hurries
) {
  void *own = hurries ? narrow_limits : limits;
  int result = pcre.match(code, text, length, 0, OUR_NO_UTF_CHECK, match_data, own);
  if (result >= 0) return CPCRE2_MATCH;
  return result == OUR_ERROR_NOMATCH ? CPCRE2_NO_MATCH : CPCRE2_GIVEN_UP;
}
