#include "CCrypt.h"

#include <stdlib.h>
#include <string.h>

#include "CDynamicLibrary.h"

enum { DATA_SIZE = 32768, SALT_SIZE = 192 };

// The compiler compares what stands here with the library's header, if that is installed.
#if __has_include(<crypt.h>) && defined(__linux__)
#include <crypt.h>
_Static_assert(sizeof(struct crypt_data) == DATA_SIZE, "crypt_data");
_Static_assert(CRYPT_GENSALT_OUTPUT_SIZE == SALT_SIZE, "CRYPT_GENSALT_OUTPUT_SIZE");
_Static_assert(CRYPT_OUTPUT_SIZE == CCRYPT_HASH_SIZE, "CRYPT_OUTPUT_SIZE");
#endif

// X(name without "crypt_", result, parameters)
#define CCRYPT_FUNCTIONS(X)                                                                        \
  X(rn, char *, (const char *, const char *, void *, int))                                         \
  X(gensalt_rn, char *, (const char *, unsigned long, const char *, int, char *, int))

#define CCRYPT_SYMBOL(name, result, parameters) "crypt_" #name,

CDYNAMIC_FUNCTIONS(crypt_library, CCRYPT_FUNCTIONS)

#if defined(__linux__)
CDYNAMIC_NAMES("suggested", "passwords for apps", "libcrypt.so.1", "libcrypt.so.2")
#else
CDYNAMIC_NAMES("suggested", "passwords for apps", "libcrypt.so.2")
#endif

CDYNAMIC_LIBRARY(ccrypt_load, crypt_library, NULL, CCRYPT_FUNCTIONS(CCRYPT_SYMBOL) NULL)

bool ccrypt_hash_as(const char *password, const char *other, char *hash) {
  void *data = calloc(1, DATA_SIZE);
  if (data == NULL) return false;
  // NULL for what is no hash, unlike crypt_r's texts of failure.
  const char *result = crypt_library.rn(password, other, data, DATA_SIZE);
  bool is_hashed = result != NULL && strlen(result) < CCRYPT_HASH_SIZE;
  if (is_hashed) strcpy(hash, result);
  free(data);
  return is_hashed;
}

bool ccrypt_hash(const char *password, char *hash) {
  char salt[SALT_SIZE];
  // Without a prefix it is the library's best, which is yescrypt.
  if (crypt_library.gensalt_rn(NULL, 0, NULL, 0, salt, sizeof salt) == NULL) return false;
  return ccrypt_hash_as(password, salt, hash);
}
