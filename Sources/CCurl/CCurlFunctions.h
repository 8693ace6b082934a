// libcurl's functions as this target declares them: one list for the table, for loading it and for
// checking it against curl/curl.h.
//
// CURLcode, CURLoption, CURLINFO and CURLMoption have no negative values, so they are `unsigned
// int` in the ABI; CURLMcode has one, so it is `int`.

#ifndef NEWS_CCURL_FUNCTIONS_H
#define NEWS_CCURL_FUNCTIONS_H

#include "CCurl.h"

/// The first fields of `curl_version_info_data`, there since its first version.
struct ccurl_version_info {
  unsigned int age;
  const char *version;
  unsigned int version_num;
  const char *host;
  int features;
};

// X(name without "curl_", result, parameters)
#define CCURL_FUNCTIONS(X)                                                                         \
  X(global_init, unsigned int, (long))                                                             \
  X(version_info, struct ccurl_version_info *, (unsigned int))                                     \
  X(easy_init, CCurlEasy *, (void))                                                                \
  X(easy_cleanup, void, (CCurlEasy *))                                                             \
  X(easy_setopt, unsigned int, (CCurlEasy *, unsigned int, ...))                                   \
  X(easy_getinfo, unsigned int, (CCurlEasy *, unsigned int, ...))                                  \
  X(slist_append, struct ccurl_slist *, (struct ccurl_slist *, const char *))                      \
  X(slist_free_all, void, (struct ccurl_slist *))                                                  \
  X(multi_init, CCurlMulti *, (void))                                                              \
  X(multi_cleanup, int, (CCurlMulti *))                                                            \
  X(multi_setopt, int, (CCurlMulti *, unsigned int, ...))                                          \
  X(multi_add_handle, int, (CCurlMulti *, CCurlEasy *))                                            \
  X(multi_remove_handle, int, (CCurlMulti *, CCurlEasy *))                                         \
  X(multi_perform, int, (CCurlMulti *, int *))                                                     \
  X(multi_poll, int, (CCurlMulti *, struct ccurl_waitfd *, unsigned int, int, int *))              \
  X(multi_info_read, struct ccurl_message *, (CCurlMulti *, int *))

#endif
