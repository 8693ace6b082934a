#include "CIDN2.h"

#include "CDynamicLibrary.h"

#include <stddef.h>
#include <stdint.h>

// X(name without "IDN2_", value)
#define CIDN2_CONSTANTS(X)                                                                         \
  X(OK, 0)                                                                                         \
  X(NFC_INPUT, 1)                                                                                  \
  X(TRANSITIONAL, 4)                                                                               \
  X(NONTRANSITIONAL, 8)

enum { CIDN2_CONSTANTS(CDYNAMIC_CONSTANT) };

// X(name without "idn2_", result, parameters)
#define CIDN2_FUNCTIONS(X)                                                                         \
  X(lookup_u8, int, (const uint8_t *, uint8_t **, int))                                            \
  X(check_version, const char *, (const char *))                                                   \
  X(free, void, (void *))

// The compiler compares what stands here with the library's header, if that is installed.
#if __has_include(<idn2.h>)
#include <idn2.h>
#define CIDN2_CHECK(name, value) _Static_assert((int)IDN2_##name == value, #name);
CIDN2_CONSTANTS(CIDN2_CHECK)
#define CIDN2_COMPATIBLE(name, result, parameters)                                                 \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&idn2_##name), result(*) parameters),     \
                 "idn2_" #name " has another signature");
CIDN2_FUNCTIONS(CIDN2_COMPATIBLE)
#endif

#define CIDN2_SYMBOL(name, result, parameters) "idn2_" #name,

CDYNAMIC_FUNCTIONS(idn, CIDN2_FUNCTIONS)

CDYNAMIC_NAME("required", "hosts that are not in ASCII", "libidn2.so.0",
              "libidn2.0.dylib", "/opt/homebrew/lib/libidn2.0.dylib")

CDYNAMIC_LIBRARY(cidn2_load, idn, NULL, CIDN2_FUNCTIONS(CIDN2_SYMBOL) NULL)

const char *cidn2_version(void) {
  return idn.check_version(NULL);
}

char *cidn2_ascii(const char *name, bool transitional) {
  uint8_t *ascii = NULL;
  int flags = OUR_NFC_INPUT | (transitional ? OUR_TRANSITIONAL : OUR_NONTRANSITIONAL);
  int result = idn.lookup_u8((const uint8_t *)name, &ascii, flags);
  return result == OUR_OK ? (char *)ascii : NULL;
}

void cidn2_free(char *name) {
  idn.free(name);
}
