// The part of libcurl's stable ABI (soname 4) that `news` uses.
//
// libcurl is loaded on first use, not linked: commands that stay off the network start without its
// forty libraries, and building needs neither its headers nor the library. Where curl/curl.h is
// installed, CCurlChecks.c has the compiler compare every constant and signature with it.

#ifndef NEWS_CCURL_H
#define NEWS_CCURL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: - Types

/// `CURL`, `CURLM`: opaque.
typedef void CCurlEasy;
typedef void CCurlMulti;

/// `struct curl_slist`.
struct ccurl_slist {
  char *data;
  struct ccurl_slist *next;
};

/// `struct CURLMsg`. Only `CCURL_MESSAGE_DONE` exists, whose data is the result.
struct ccurl_message {
  int message;
  CCurlEasy *easy;
  union {
    void *whatever;
    unsigned int result;
  } data;
};

/// `struct curl_waitfd`.
struct ccurl_waitfd {
  int fd;
  short events;
  short revents;
};

/// `struct curl_sockaddr`.
struct ccurl_sockaddr {
  int family;
  int socktype;
  int protocol;
  unsigned int addrlen;
  struct {
    unsigned short family;
    char data[14];
  } addr;
};

/// The callbacks for headers and bodies: bytes taken; any other number than `size * count` stops
/// the transfer.
typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);

/// The callback that opens a transfer's socket: a descriptor, or -1 to refuse the address.
typedef int (*ccurl_open_socket_callback)(void *context, int purpose,
                                          struct ccurl_sockaddr *address);

/// The callback before a request is sent, on a connection that is new or used again: 0, or 1 to
/// send nothing. Addresses are numeric.
typedef int (*ccurl_prerequest_callback)(void *context, char *peer, char *own, int peer_port,
                                         int own_port);

// MARK: - Constants

enum {
  CCURL_GLOBAL_DEFAULT = 3,
  CCURL_MESSAGE_DONE = 1,
  CCURL_WAIT_POLLIN = 1,
  CCURL_ERROR_SIZE = 256,

  // Values of options
  CCURL_HTTP_VERSION_2TLS = 4,
  CCURL_SSLVERSION_TLSV1_2 = 6,
  CCURL_AUTH_BASIC = 1,
  CCURL_AUTH_DIGEST = 2,
  CCURL_PIPE_MULTIPLEX = 2,
  CCURL_PROTOCOLS_HTTP_HTTPS = 3,
};

/// `CURLoption`: long 0, object pointer 10000, function pointer 20000, offset 30000.
enum {
  CCURL_OPTION_WRITEDATA = 10001,
  CCURL_OPTION_URL = 10002,
  CCURL_OPTION_PROXY = 10004,
  CCURL_OPTION_ERRORBUFFER = 10010,
  CCURL_OPTION_WRITEFUNCTION = 20011,
  CCURL_OPTION_USERAGENT = 10018,
  CCURL_OPTION_HTTPHEADER = 10023,
  CCURL_OPTION_HEADERDATA = 10029,
  CCURL_OPTION_NOPROGRESS = 43,
  CCURL_OPTION_FOLLOWLOCATION = 52,
  CCURL_OPTION_FRESH_CONNECT = 74,
  CCURL_OPTION_SSL_VERIFYPEER = 64,
  CCURL_OPTION_CAINFO = 10065,
  CCURL_OPTION_HEADERFUNCTION = 20079,
  CCURL_OPTION_SSL_VERIFYHOST = 81,
  CCURL_OPTION_HTTP_VERSION = 84,
  CCURL_OPTION_BUFFERSIZE = 98,
  CCURL_OPTION_CAPATH = 10097,
  CCURL_OPTION_NOSIGNAL = 99,
  CCURL_OPTION_ACCEPT_ENCODING = 10102,
  CCURL_OPTION_PRIVATE = 10103,
  CCURL_OPTION_HTTPAUTH = 107,
  CCURL_OPTION_CONNECTTIMEOUT_MS = 156,
  CCURL_OPTION_USERNAME = 10173,
  CCURL_OPTION_PASSWORD = 10174,
  CCURL_OPTION_NOPROXY = 10177,
  CCURL_OPTION_OPENSOCKETFUNCTION = 20163,
  CCURL_OPTION_OPENSOCKETDATA = 10164,
  CCURL_OPTION_PROTOCOLS = 181,
  CCURL_OPTION_REDIR_PROTOCOLS = 182,
  CCURL_OPTION_SSLVERSION = 32,
  CCURL_OPTION_PIPEWAIT = 237,
  CCURL_OPTION_SUPPRESS_CONNECT_HEADERS = 265,
  CCURL_OPTION_HTTP09_ALLOWED = 285,
  CCURL_OPTION_PREREQFUNCTION = 20312,
  CCURL_OPTION_PREREQDATA = 10313,
  CCURL_OPTION_PROTOCOLS_STR = 10318,
  CCURL_OPTION_REDIR_PROTOCOLS_STR = 10319,
  CCURL_OPTION_QUICK_EXIT = 322,
};

/// `CURLINFO`: string 0x100000, long 0x200000, offset 0x600000.
enum {
  CCURL_INFO_PRIVATE = 0x100000 + 21,
  CCURL_INFO_HTTP_CONNECTCODE = 0x200000 + 22,
  CCURL_INFO_OS_ERRNO = 0x200000 + 25,
  CCURL_INFO_PRIMARY_IP = 0x100000 + 32,
  CCURL_INFO_SIZE_DOWNLOAD_T = 0x600000 + 8,
  CCURL_INFO_NAMELOOKUP_TIME_T = 0x600000 + 51,
  CCURL_INFO_PRETRANSFER_TIME_T = 0x600000 + 53,
};

/// `CURLMoption`.
enum {
  CCURL_MULTI_OPTION_PIPELINING = 3,
  CCURL_MULTI_OPTION_MAXCONNECTS = 6,
};

/// `CURLcode`: the results that are told apart.
enum {
  CCURL_OK = 0,
  CCURL_UNSUPPORTED_PROTOCOL = 1,
  CCURL_URL_MALFORMAT = 3,
  CCURL_COULDNT_RESOLVE_PROXY = 5,
  CCURL_COULDNT_RESOLVE_HOST = 6,
  CCURL_COULDNT_CONNECT = 7,
  CCURL_WEIRD_SERVER_REPLY = 8,
  CCURL_HTTP2 = 16,
  CCURL_PARTIAL_FILE = 18,
  CCURL_WRITE_ERROR = 23,
  CCURL_OUT_OF_MEMORY = 27,
  CCURL_OPERATION_TIMEDOUT = 28,
  CCURL_SSL_CONNECT_ERROR = 35,
  CCURL_BAD_FUNCTION_ARGUMENT = 43,
  CCURL_GOT_NOTHING = 52,
  CCURL_SEND_ERROR = 55,
  CCURL_RECV_ERROR = 56,
  CCURL_SSL_CIPHER = 59,
  CCURL_PEER_FAILED_VERIFICATION = 60,
  CCURL_BAD_CONTENT_ENCODING = 61,
  CCURL_SSL_CACERT_BADFILE = 77,
  CCURL_SSL_ISSUER_ERROR = 83,
  CCURL_SSL_PINNEDPUBKEYNOTMATCH = 90,
  CCURL_SSL_INVALIDCERTSTATUS = 91,
  CCURL_HTTP2_STREAM = 92,
  CCURL_PROXY = 97,
  CCURL_SSL_CLIENTCERT = 98,
  CCURL_TOO_LARGE = 100,
};

// MARK: - Loading

/// Loads libcurl, once for the process and from any thread.
///
/// Returns NULL when it is there, otherwise the loader's reason, which lives for ever.
const char *ccurl_load(void);

/// Tries to load one of `names` and finds every function in it, without keeping anything: what
/// `ccurl_load` does with libcurl's own names. Returns NULL or the reason, which the next call on
/// the same thread overwrites.
const char *ccurl_try(const char *const *names, size_t count);

// MARK: - Functions: only after `ccurl_load` returned NULL

/// Version as 0xXXYYZZ.
unsigned int ccurl_version(void);

CCurlEasy *ccurl_easy_init(void);
void ccurl_easy_cleanup(CCurlEasy *easy);

unsigned int ccurl_easy_set_long(CCurlEasy *easy, unsigned int option, long value);
unsigned int ccurl_easy_set_string(CCurlEasy *easy, unsigned int option, const char *value);
unsigned int ccurl_easy_set_pointer(CCurlEasy *easy, unsigned int option, void *value);
unsigned int ccurl_easy_set_list(CCurlEasy *easy, unsigned int option, struct ccurl_slist *value);
unsigned int ccurl_easy_set_data_callback(CCurlEasy *easy, unsigned int option,
                                          ccurl_data_callback value);
unsigned int ccurl_easy_set_open_socket(CCurlEasy *easy, ccurl_open_socket_callback value);
unsigned int ccurl_easy_set_prerequest(CCurlEasy *easy, ccurl_prerequest_callback value);

unsigned int ccurl_easy_get_long(CCurlEasy *easy, unsigned int info, long *value);
unsigned int ccurl_easy_get_offset(CCurlEasy *easy, unsigned int info, int64_t *value);
unsigned int ccurl_easy_get_string(CCurlEasy *easy, unsigned int info, const char **value);
unsigned int ccurl_easy_get_pointer(CCurlEasy *easy, unsigned int info, void **value);

struct ccurl_slist *ccurl_slist_append(struct ccurl_slist *list, const char *line);
void ccurl_slist_free_all(struct ccurl_slist *list);

CCurlMulti *ccurl_multi_init(void);
int ccurl_multi_cleanup(CCurlMulti *multi);
int ccurl_multi_set_long(CCurlMulti *multi, unsigned int option, long value);
int ccurl_multi_add_handle(CCurlMulti *multi, CCurlEasy *easy);
int ccurl_multi_remove_handle(CCurlMulti *multi, CCurlEasy *easy);
int ccurl_multi_perform(CCurlMulti *multi, int *running);
int ccurl_multi_poll(CCurlMulti *multi, struct ccurl_waitfd *extra, unsigned int count,
                     int milliseconds, int *ready);
struct ccurl_message *ccurl_multi_info_read(CCurlMulti *multi, int *remaining);

#ifdef __cplusplus
}
#endif

#endif
