#include "CCurl.h"

#include "CDynamicLibrary.h"

#define CCURL_MEMBER(name, result, parameters, arguments) result(*name) parameters;
#define CCURL_SYMBOL(name, result, parameters, arguments) "curl_" #name,

static struct {
  CCURL_FUNCTIONS(CCURL_MEMBER)
  unsigned int (*easy_setopt)(CCurlEasy *, unsigned int, ...);
  unsigned int (*easy_getinfo)(CCurlEasy *, unsigned int, ...);
  int (*multi_setopt)(CCurlMulti *, unsigned int, ...);
} curl;

static const char *start(void) {
  return curl.global_init(CCURL_GLOBAL_DEFAULT) != CCURL_OK ? "it cannot be initialised" : NULL;
}

#if defined(__APPLE__)
CDYNAMIC_NAMES("required", "http and https", "libcurl.4.dylib", "/usr/lib/libcurl.4.dylib")
#else
// OpenSSL's libcurl first; Debian and its children also ship one with GnuTLS and the same ABI.
CDYNAMIC_NAMES("required", "http and https", "libcurl.so.4", "libcurl-gnutls.so.4")
#endif

// libcurl 7.68 (2020) has them all.
CDYNAMIC_LIBRARY(ccurl_load, curl, start, CCURL_FUNCTIONS(CCURL_SYMBOL) "curl_easy_setopt",
                 "curl_easy_getinfo", "curl_multi_setopt", NULL)

const char *ccurl_try(const char *name) {
  return cdynamic_try(&library, name);
}

#define CCURL_CALL(name, result, parameters, arguments)                                            \
  result ccurl_##name parameters { return curl.name arguments; }
CCURL_FUNCTIONS(CCURL_CALL)

#define CCURL_SETTER(name, function, handle, result, type)                                         \
  result ccurl_##name(handle on, unsigned int option, type value) {                                \
    return curl.function(on, option, value);                                                       \
  }
CCURL_SETTERS(CCURL_SETTER)
