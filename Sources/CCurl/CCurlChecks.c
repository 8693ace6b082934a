// Where libcurl's headers are installed, the compiler compares every declaration of ours with them.
// Nothing of this is code: without the headers, or with older ones, the target builds just as well.

#if __has_include(<curl/curl.h>)

// Its type checks are macros around the variadic functions, which would hide their signatures.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <sys/socket.h>

#include "CCurlFunctions.h"

// CURLOPT_PROTOCOLS is deprecated, and all that libcurl before 7.85 has.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#define CCURL_SAME(ours, theirs)                                                                   \
  _Static_assert((long long)(ours) == (long long)(theirs), #ours " is not " #theirs)

#if LIBCURL_VERSION_NUM >= 0x075600

// MARK: - Structs

#define CCURL_SAME_FIELD(ours, theirs, our_field, their_field)                                     \
  CCURL_SAME(offsetof(struct ours, our_field), offsetof(theirs, their_field));                     \
  CCURL_SAME(sizeof(((struct ours *)0)->our_field), sizeof(((theirs *)0)->their_field))

CCURL_SAME(sizeof(struct ccurl_slist), sizeof(struct curl_slist));
CCURL_SAME_FIELD(ccurl_slist, struct curl_slist, data, data);
CCURL_SAME_FIELD(ccurl_slist, struct curl_slist, next, next);
CCURL_SAME(sizeof(struct ccurl_message), sizeof(CURLMsg));
CCURL_SAME_FIELD(ccurl_message, CURLMsg, message, msg);
CCURL_SAME_FIELD(ccurl_message, CURLMsg, easy, easy_handle);
CCURL_SAME_FIELD(ccurl_message, CURLMsg, data.result, data.result);
CCURL_SAME(sizeof(struct ccurl_waitfd), sizeof(struct curl_waitfd));
CCURL_SAME_FIELD(ccurl_waitfd, struct curl_waitfd, fd, fd);
CCURL_SAME_FIELD(ccurl_waitfd, struct curl_waitfd, events, events);
CCURL_SAME_FIELD(ccurl_waitfd, struct curl_waitfd, revents, revents);
CCURL_SAME(sizeof(struct ccurl_sockaddr), sizeof(struct curl_sockaddr));
CCURL_SAME_FIELD(ccurl_sockaddr, struct curl_sockaddr, family, family);
CCURL_SAME_FIELD(ccurl_sockaddr, struct curl_sockaddr, socktype, socktype);
CCURL_SAME_FIELD(ccurl_sockaddr, struct curl_sockaddr, protocol, protocol);
CCURL_SAME_FIELD(ccurl_sockaddr, struct curl_sockaddr, addrlen, addrlen);
CCURL_SAME_FIELD(ccurl_sockaddr, struct curl_sockaddr, addr, addr);
CCURL_SAME_FIELD(ccurl_version_info, curl_version_info_data, version_num, version_num);
CCURL_SAME_FIELD(ccurl_version_info, curl_version_info_data, features, features);
CCURL_SAME(sizeof(int64_t), sizeof(curl_off_t));
CCURL_SAME(sizeof(int), sizeof(curl_socket_t));

// MARK: - Signatures

// From here on the names of our structs mean libcurl's, whose layout was compared above, so that
// the list of functions can be compared as it stands.
#define ccurl_slist curl_slist
#define ccurl_message CURLMsg
#define ccurl_waitfd curl_waitfd
#define ccurl_version_info curl_version_info_data

#define CCURL_COMPATIBLE(name, result, parameters)                                                 \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&curl_##name), result(*) parameters),     \
                 "curl_" #name " has another signature");
CCURL_FUNCTIONS(CCURL_COMPATIBLE)

// MARK: - Constants

CCURL_SAME(CCURL_GLOBAL_DEFAULT, CURL_GLOBAL_DEFAULT);
CCURL_SAME(CCURL_MESSAGE_DONE, CURLMSG_DONE);
CCURL_SAME(CCURL_WAIT_POLLIN, CURL_WAIT_POLLIN);
CCURL_SAME(CCURL_ERROR_SIZE, CURL_ERROR_SIZE);
CCURL_SAME(CCURL_HTTP_VERSION_2TLS, CURL_HTTP_VERSION_2TLS);
CCURL_SAME(CCURL_SSLVERSION_TLSV1_2, CURL_SSLVERSION_TLSv1_2);
CCURL_SAME(CCURL_AUTH_BASIC, CURLAUTH_BASIC);
CCURL_SAME(CCURL_AUTH_DIGEST, CURLAUTH_DIGEST);
CCURL_SAME(CCURL_PIPE_MULTIPLEX, CURLPIPE_MULTIPLEX);
CCURL_SAME(CCURL_PROTOCOLS_HTTP_HTTPS, CURLPROTO_HTTP | CURLPROTO_HTTPS);

#define CCURL_SAME_OPTION(name) CCURL_SAME(CCURL_OPTION_##name, CURLOPT_##name)
CCURL_SAME_OPTION(WRITEDATA);
CCURL_SAME_OPTION(URL);
CCURL_SAME_OPTION(PROXY);
CCURL_SAME_OPTION(ERRORBUFFER);
CCURL_SAME_OPTION(WRITEFUNCTION);
CCURL_SAME_OPTION(USERAGENT);
CCURL_SAME_OPTION(HTTPHEADER);
CCURL_SAME_OPTION(HEADERDATA);
CCURL_SAME_OPTION(NOPROGRESS);
CCURL_SAME_OPTION(FOLLOWLOCATION);
CCURL_SAME_OPTION(FRESH_CONNECT);
CCURL_SAME_OPTION(SSL_VERIFYPEER);
CCURL_SAME_OPTION(CAINFO);
CCURL_SAME_OPTION(HEADERFUNCTION);
CCURL_SAME_OPTION(SSL_VERIFYHOST);
CCURL_SAME_OPTION(HTTP_VERSION);
CCURL_SAME_OPTION(BUFFERSIZE);
CCURL_SAME_OPTION(CAPATH);
CCURL_SAME_OPTION(NOSIGNAL);
CCURL_SAME_OPTION(ACCEPT_ENCODING);
CCURL_SAME_OPTION(PRIVATE);
CCURL_SAME_OPTION(HTTPAUTH);
CCURL_SAME_OPTION(CONNECTTIMEOUT_MS);
CCURL_SAME_OPTION(USERNAME);
CCURL_SAME_OPTION(PASSWORD);
CCURL_SAME_OPTION(NOPROXY);
CCURL_SAME_OPTION(PREREQFUNCTION);
CCURL_SAME_OPTION(PREREQDATA);
CCURL_SAME_OPTION(OPENSOCKETFUNCTION);
CCURL_SAME_OPTION(OPENSOCKETDATA);
CCURL_SAME_OPTION(SSLVERSION);
CCURL_SAME_OPTION(PROTOCOLS);
CCURL_SAME_OPTION(REDIR_PROTOCOLS);
CCURL_SAME_OPTION(PIPEWAIT);
CCURL_SAME_OPTION(SUPPRESS_CONNECT_HEADERS);
CCURL_SAME_OPTION(HTTP09_ALLOWED);
CCURL_SAME_OPTION(PROTOCOLS_STR);
CCURL_SAME_OPTION(REDIR_PROTOCOLS_STR);
CCURL_SAME_OPTION(QUICK_EXIT);

#define CCURL_SAME_INFO(name) CCURL_SAME(CCURL_INFO_##name, CURLINFO_##name)
CCURL_SAME_INFO(PRIVATE);
CCURL_SAME_INFO(HTTP_CONNECTCODE);
CCURL_SAME_INFO(OS_ERRNO);
CCURL_SAME_INFO(PRIMARY_IP);
CCURL_SAME_INFO(SIZE_DOWNLOAD_T);
CCURL_SAME_INFO(NAMELOOKUP_TIME_T);
CCURL_SAME_INFO(PRETRANSFER_TIME_T);

CCURL_SAME(CCURL_MULTI_OPTION_PIPELINING, CURLMOPT_PIPELINING);
CCURL_SAME(CCURL_MULTI_OPTION_MAXCONNECTS, CURLMOPT_MAXCONNECTS);

#define CCURL_SAME_RESULT(name) CCURL_SAME(CCURL_##name, CURLE_##name)
CCURL_SAME_RESULT(OK);
CCURL_SAME_RESULT(UNSUPPORTED_PROTOCOL);
CCURL_SAME_RESULT(URL_MALFORMAT);
CCURL_SAME_RESULT(COULDNT_RESOLVE_PROXY);
CCURL_SAME_RESULT(COULDNT_RESOLVE_HOST);
CCURL_SAME_RESULT(COULDNT_CONNECT);
CCURL_SAME_RESULT(WEIRD_SERVER_REPLY);
CCURL_SAME_RESULT(HTTP2);
CCURL_SAME_RESULT(PARTIAL_FILE);
CCURL_SAME_RESULT(WRITE_ERROR);
CCURL_SAME_RESULT(OUT_OF_MEMORY);
CCURL_SAME_RESULT(OPERATION_TIMEDOUT);
CCURL_SAME_RESULT(SSL_CONNECT_ERROR);
CCURL_SAME_RESULT(BAD_FUNCTION_ARGUMENT);
CCURL_SAME_RESULT(GOT_NOTHING);
CCURL_SAME_RESULT(SEND_ERROR);
CCURL_SAME_RESULT(RECV_ERROR);
CCURL_SAME_RESULT(SSL_CIPHER);
CCURL_SAME_RESULT(PEER_FAILED_VERIFICATION);
CCURL_SAME_RESULT(BAD_CONTENT_ENCODING);
CCURL_SAME_RESULT(SSL_CACERT_BADFILE);
CCURL_SAME_RESULT(SSL_ISSUER_ERROR);
CCURL_SAME_RESULT(SSL_PINNEDPUBKEYNOTMATCH);
CCURL_SAME_RESULT(SSL_INVALIDCERTSTATUS);
CCURL_SAME_RESULT(HTTP2_STREAM);
CCURL_SAME_RESULT(PROXY);
CCURL_SAME_RESULT(SSL_CLIENTCERT);
#if LIBCURL_VERSION_NUM >= 0x080600
CCURL_SAME_RESULT(TOO_LARGE);
#endif

#endif
#endif
