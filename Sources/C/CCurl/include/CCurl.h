// The part of libcurl's stable ABI (soname 4) that `news` uses.
//
// libcurl is loaded on first use, not linked: commands that stay off the network start without its
// forty libraries, and building needs neither its headers nor the library. Where curl/curl.h is
// installed, CCurlChecks.c has the compiler compare every constant and signature with it.

#ifndef NEWS_CCURL_H
#define NEWS_CCURL_H

#include <stddef.h>
#include <stdint.h>

// MARK: - Types

/// `CURL`, `CURLM`: opaque.
typedef void CCurlEasy;
typedef void CCurlMulti;

/// `struct curl_slist`.
struct ccurl_slist {
  char *data;
  struct ccurl_slist *next;
};

/// `struct curl_blob`.
struct ccurl_blob {
  void *data;
  size_t length;
  unsigned int flags;
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

/// The first fields of `curl_version_info_data`, there since its first version.
struct ccurl_version {
  unsigned int age;
  const char *version;
  unsigned int version_num;
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
  CCURL_BLOB_COPY = 1,

  // Values of options
  CCURL_HTTP_VERSION_1_1 = 2,
  CCURL_HTTP_VERSION_2TLS = 4,
  CCURL_SSLVERSION_TLSV1_2 = 6,
  CCURL_AUTH_BASIC = 1,
  CCURL_AUTH_DIGEST = 2,
  CCURL_PIPE_MULTIPLEX = 2,
  CCURL_PROTOCOLS_HTTP_HTTPS = 3,
};

/// `CURLoption`: long 0, object pointer 10000, function pointer 20000, offset 30000, blob
/// 40000.
#define CCURL_OPTIONS(X)                                                                           \
  X(WRITEDATA, 10001) X(URL, 10002) X(PROXY, 10004) X(ERRORBUFFER, 10010) X(WRITEFUNCTION, 20011)  \
  X(USERAGENT, 10018) X(COOKIE, 10022) X(HTTPHEADER, 10023) X(HEADERDATA, 10029)                   \
  X(COOKIEFILE, 10031) X(COOKIELIST, 10135) X(NOPROGRESS, 43)                                      \
  X(CUSTOMREQUEST, 10036) X(POST, 47) X(COPYPOSTFIELDS, 10165) X(FOLLOWLOCATION, 52) X(FRESH_CONNECT, 74) X(SSL_VERIFYPEER, 64) X(CAINFO, 10065)                \
  X(HEADERFUNCTION, 20079) X(SSL_VERIFYHOST, 81) X(HTTP_VERSION, 84) X(BUFFERSIZE, 98)             \
  X(CAPATH, 10097) X(NOSIGNAL, 99) X(ACCEPT_ENCODING, 10102) X(HTTPAUTH, 107)                      \
  X(CONNECTTIMEOUT_MS, 156) X(USERNAME, 10173) X(PASSWORD, 10174) X(NOPROXY, 10177)                \
  X(OPENSOCKETFUNCTION, 20163) X(OPENSOCKETDATA, 10164) X(PROTOCOLS, 181) X(REDIR_PROTOCOLS, 182)  \
  X(SSLVERSION, 32) X(SSLCERT_BLOB, 40291) X(SSLKEY_BLOB, 40292) X(CAINFO_BLOB, 40309)             \
  X(PIPEWAIT, 237) X(SUPPRESS_CONNECT_HEADERS, 265) X(HTTP09_ALLOWED, 285)       \
  X(PREREQFUNCTION, 20312) X(PREREQDATA, 10313) X(PROTOCOLS_STR, 10318)                            \
  X(REDIR_PROTOCOLS_STR, 10319) X(QUICK_EXIT, 322)

/// `CURLINFO`: string 0x100000, long 0x200000, list 0x400000, offset 0x600000.
#define CCURL_INFOS(X)                                                                             \
  X(HTTP_CONNECTCODE, 0x200000 + 22) X(OS_ERRNO, 0x200000 + 25)                                    \
  X(PRIMARY_IP, 0x100000 + 32) X(COOKIELIST, 0x400000 + 28) X(SIZE_DOWNLOAD_T, 0x600000 + 8)       \
  X(NAMELOOKUP_TIME_T, 0x600000 + 51) X(PRETRANSFER_TIME_T, 0x600000 + 53)

/// `CURLMoption`.
#define CCURL_MULTI_OPTIONS(X)                                                                     \
  X(PIPELINING, 3) X(MAXCONNECTS, 6)

/// `CURLcode`: the results that are told apart.
#define CCURL_RESULTS(X)                                                                           \
  X(OK, 0) X(UNSUPPORTED_PROTOCOL, 1) X(URL_MALFORMAT, 3) X(COULDNT_RESOLVE_PROXY, 5)              \
  X(COULDNT_RESOLVE_HOST, 6) X(COULDNT_CONNECT, 7) X(WEIRD_SERVER_REPLY, 8) X(HTTP2, 16)           \
  X(PARTIAL_FILE, 18) X(WRITE_ERROR, 23) X(OUT_OF_MEMORY, 27) X(OPERATION_TIMEDOUT, 28)            \
  X(SSL_CONNECT_ERROR, 35) X(BAD_FUNCTION_ARGUMENT, 43) X(GOT_NOTHING, 52) X(SEND_ERROR, 55)       \
  X(RECV_ERROR, 56) X(SSL_CIPHER, 59) X(PEER_FAILED_VERIFICATION, 60) X(BAD_CONTENT_ENCODING, 61)  \
  X(SSL_CACERT_BADFILE, 77) X(SSL_ISSUER_ERROR, 83) X(SSL_PINNEDPUBKEYNOTMATCH, 90)                \
  X(SSL_INVALIDCERTSTATUS, 91) X(HTTP2_STREAM, 92) X(PROXY, 97) X(SSL_CLIENTCERT, 98)              \
  X(SSL_CERTPROBLEM, 58) X(TOO_LARGE, 100)

#define CCURL_OPTION(name, value) CCURL_OPTION_##name = value,
#define CCURL_INFO(name, value) CCURL_INFO_##name = value,
#define CCURL_MULTI_OPTION(name, value) CCURL_MULTI_OPTION_##name = value,
#define CCURL_RESULT(name, value) CCURL_##name = value,
enum {
  CCURL_OPTIONS(CCURL_OPTION)
  CCURL_INFOS(CCURL_INFO)
  CCURL_MULTI_OPTIONS(CCURL_MULTI_OPTION)
  CCURL_RESULTS(CCURL_RESULT)
};

// MARK: - Functions

/// Loads libcurl, once for the process and from any thread; it is to be called before all else here.
///
/// Returns NULL when it is there, otherwise the loader's reason.
const char *ccurl_load(void);

/// Why a library of this name could not be libcurl, or NULL. The next call on the same thread
/// overwrites it.
const char *ccurl_try(const char *name);

/// libcurl's functions, which are `ccurl_` and the name here: one list to declare them, to call them
/// and to check them.
///
/// CURLcode, CURLoption, CURLINFO and CURLMoption have no negative values, so they are `unsigned
/// int` in the ABI; CURLMcode has one, so it is `int`.
// X(name without "curl_", result, parameters, arguments)
#define CCURL_FUNCTIONS(X)                                                                         \
  X(global_init, unsigned int, (long flags), (flags))                                              \
  X(version_info, struct ccurl_version *, (unsigned int age), (age))                          \
  X(easy_init, CCurlEasy *, (void), ())                                                            \
  X(easy_cleanup, void, (CCurlEasy * easy), (easy))                                                \
  X(slist_append, struct ccurl_slist *, (struct ccurl_slist * list, const char *line),             \
    (list, line))                                                                                  \
  X(slist_free_all, void, (struct ccurl_slist * list), (list))                                     \
  X(multi_init, CCurlMulti *, (void), ())                                                          \
  X(multi_cleanup, int, (CCurlMulti * multi), (multi))                                             \
  X(multi_add_handle, int, (CCurlMulti * multi, CCurlEasy * easy), (multi, easy))                  \
  X(multi_remove_handle, int, (CCurlMulti * multi, CCurlEasy * easy), (multi, easy))               \
  X(multi_perform, int, (CCurlMulti * multi, int *running), (multi, running))                      \
  X(multi_poll, int,                                                                               \
    (CCurlMulti * multi, struct ccurl_waitfd * extra, unsigned int count, int milliseconds,        \
     int *ready),                                                                                  \
    (multi, extra, count, milliseconds, ready))                                                    \
  X(multi_info_read, struct ccurl_message *, (CCurlMulti * multi, int *remaining),                 \
    (multi, remaining))

#define CCURL_DECLARE(name, result, parameters, arguments) result ccurl_##name parameters;
CCURL_FUNCTIONS(CCURL_DECLARE)

/// Swift cannot call functions with arguments of any type: one for each type of theirs.
// X(name behind "ccurl_", function of libcurl, handle, result, type of the last argument)
#define CCURL_SETTERS(X)                                                                           \
  X(easy_set_long, easy_setopt, CCurlEasy *, unsigned int, long)                                   \
  X(easy_set_string, easy_setopt, CCurlEasy *, unsigned int, const char *)                         \
  X(easy_set_pointer, easy_setopt, CCurlEasy *, unsigned int, void *)                              \
  X(easy_set_list, easy_setopt, CCurlEasy *, unsigned int, struct ccurl_slist *)                   \
  X(easy_set_blob, easy_setopt, CCurlEasy *, unsigned int, struct ccurl_blob *)                    \
  X(easy_set_data_callback, easy_setopt, CCurlEasy *, unsigned int, ccurl_data_callback)           \
  X(easy_set_open_socket, easy_setopt, CCurlEasy *, unsigned int, ccurl_open_socket_callback)      \
  X(easy_set_prerequest, easy_setopt, CCurlEasy *, unsigned int, ccurl_prerequest_callback)        \
  X(easy_get_long, easy_getinfo, CCurlEasy *, unsigned int, long *)                                \
  X(easy_get_offset, easy_getinfo, CCurlEasy *, unsigned int, int64_t *)                           \
  X(easy_get_string, easy_getinfo, CCurlEasy *, unsigned int, const char **)                       \
  X(easy_get_list, easy_getinfo, CCurlEasy *, unsigned int, struct ccurl_slist **)                 \
  X(multi_set_long, multi_setopt, CCurlMulti *, int, long)

#define CCURL_DECLARE_SETTER(name, function, handle, result, type)                                 \
  result ccurl_##name(handle, unsigned int option, type value);
CCURL_SETTERS(CCURL_DECLARE_SETTER)

#endif
