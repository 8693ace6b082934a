#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

#include "CCurlFunctions.h"
#include "CDynamicLibrary.h"

#define CCURL_MEMBER(name, result, parameters) result(*name) parameters;
struct ccurl_functions {
  CCURL_FUNCTIONS(CCURL_MEMBER)
};

// Written once under `once`, before any reader gets past `ccurl_load`.
static struct ccurl_functions curl;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

// OpenSSL's libcurl first; Debian and its children also ship one with GnuTLS and the same ABI.
static const char *const library_names[] = {
#if defined(__APPLE__)
  "libcurl.4.dylib",
  "/usr/lib/libcurl.4.dylib",
#else
  "libcurl.so.4",
  "libcurl-gnutls.so.4",
#endif
};

#define CCURL_FIND(name, result, parameters)                                                       \
  if ((*(void **)&functions->name = dlsym(library, "curl_" #name)) == NULL) return "curl_" #name;

/// The name of the first function that the library lacks, or NULL.
static const char *find_functions(void *library, void *table) {
  struct ccurl_functions *functions = table;
  CCURL_FUNCTIONS(CCURL_FIND)
  return NULL;
}

static void load(void) {
  static struct cdynamic_reason reason;
  struct cdynamic_names names = {library_names, sizeof library_names / sizeof library_names[0]};
  // Never closed: its functions are in use until the process ends. libcurl 7.68 (2020) has them all.
  if (cdynamic_open(names, find_functions, &curl, &reason) == NULL) {
    failure = reason.text;
  } else if (curl.global_init(CCURL_GLOBAL_DEFAULT) != CCURL_OK) {
    failure = "it cannot be initialised";
  }
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return failure;
}

const char *ccurl_try(const char *const *names, size_t count) {
  struct ccurl_functions functions;
  return cdynamic_try((struct cdynamic_names){names, count}, find_functions, &functions);
}

// MARK: - Version

unsigned int ccurl_version(void) {
  return curl.version_info(0)->version_num;
}

// MARK: - Easy handles

CCurlEasy *ccurl_easy_init(void) {
  return curl.easy_init();
}

void ccurl_easy_cleanup(CCurlEasy *easy) {
  curl.easy_cleanup(easy);
}

unsigned int ccurl_easy_set_long(CCurlEasy *easy, unsigned int option, long value) {
  return curl.easy_setopt(easy, option, value);
}

unsigned int ccurl_easy_set_string(CCurlEasy *easy, unsigned int option, const char *value) {
  return curl.easy_setopt(easy, option, value);
}

unsigned int ccurl_easy_set_pointer(CCurlEasy *easy, unsigned int option, void *value) {
  return curl.easy_setopt(easy, option, value);
}

unsigned int ccurl_easy_set_list(CCurlEasy *easy, unsigned int option, struct ccurl_slist *value) {
  return curl.easy_setopt(easy, option, value);
}

unsigned int ccurl_easy_set_data_callback(CCurlEasy *easy, unsigned int option,
                                          ccurl_data_callback value) {
  return curl.easy_setopt(easy, option, value);
}

unsigned int ccurl_easy_set_open_socket(CCurlEasy *easy, ccurl_open_socket_callback value) {
  return curl.easy_setopt(easy, CCURL_OPTION_OPENSOCKETFUNCTION, value);
}

unsigned int ccurl_easy_set_prerequest(CCurlEasy *easy, ccurl_prerequest_callback value) {
  return curl.easy_setopt(easy, CCURL_OPTION_PREREQFUNCTION, value);
}

unsigned int ccurl_easy_get_long(CCurlEasy *easy, unsigned int info, long *value) {
  return curl.easy_getinfo(easy, info, value);
}

unsigned int ccurl_easy_get_offset(CCurlEasy *easy, unsigned int info, int64_t *value) {
  return curl.easy_getinfo(easy, info, value);
}

unsigned int ccurl_easy_get_string(CCurlEasy *easy, unsigned int info, const char **value) {
  return curl.easy_getinfo(easy, info, value);
}

unsigned int ccurl_easy_get_pointer(CCurlEasy *easy, unsigned int info, void **value) {
  return curl.easy_getinfo(easy, info, value);
}

// MARK: - Lists of header lines

struct ccurl_slist *ccurl_slist_append(struct ccurl_slist *list, const char *line) {
  return curl.slist_append(list, line);
}

void ccurl_slist_free_all(struct ccurl_slist *list) {
  curl.slist_free_all(list);
}

// MARK: - Multi handles

CCurlMulti *ccurl_multi_init(void) {
  return curl.multi_init();
}

int ccurl_multi_cleanup(CCurlMulti *multi) {
  return curl.multi_cleanup(multi);
}

int ccurl_multi_set_long(CCurlMulti *multi, unsigned int option, long value) {
  return curl.multi_setopt(multi, option, value);
}

int ccurl_multi_add_handle(CCurlMulti *multi, CCurlEasy *easy) {
  return curl.multi_add_handle(multi, easy);
}

int ccurl_multi_remove_handle(CCurlMulti *multi, CCurlEasy *easy) {
  return curl.multi_remove_handle(multi, easy);
}

int ccurl_multi_perform(CCurlMulti *multi, int *running) {
  return curl.multi_perform(multi, running);
}

int ccurl_multi_poll(CCurlMulti *multi, struct ccurl_waitfd *extra, unsigned int count,
                     int milliseconds, int *ready) {
  return curl.multi_poll(multi, extra, count, milliseconds, ready);
}

struct ccurl_message *ccurl_multi_info_read(CCurlMulti *multi, int *remaining) {
  return curl.multi_info_read(multi, remaining);
}
