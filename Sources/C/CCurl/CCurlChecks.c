// The compiler compares every declaration of ours with libcurl's headers, if they are installed.
// Nothing of this is code: without the headers, or with older ones, the target builds just as well.

#if __has_include(<curl/curl.h>)

// Its type checks are macros around the variadic functions, which would hide their signatures.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <sys/socket.h>

#include "CCurl.h"

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
CCURL_SAME(sizeof(struct ccurl_blob), sizeof(struct curl_blob));
CCURL_SAME_FIELD(ccurl_blob, struct curl_blob, data, data);
CCURL_SAME_FIELD(ccurl_blob, struct curl_blob, length, len);
CCURL_SAME_FIELD(ccurl_blob, struct curl_blob, flags, flags);
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
CCURL_SAME_FIELD(ccurl_version, curl_version_info_data, version_num, version_num);
CCURL_SAME(sizeof(int64_t), sizeof(curl_off_t));
CCURL_SAME(sizeof(int), sizeof(curl_socket_t));

// MARK: - Signatures

// From here on the names of our structs mean libcurl's, whose layout was compared above, so that
// the list of functions can be compared as it stands.
#define ccurl_slist curl_slist
#define ccurl_message CURLMsg
#define ccurl_waitfd curl_waitfd
#define ccurl_version curl_version_info_data

#define CCURL_COMPATIBLE(name, result, parameters, arguments)                                      \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&curl_##name), result(*) parameters),     \
                 "curl_" #name " has another signature");
CCURL_FUNCTIONS(CCURL_COMPATIBLE)
CCURL_COMPATIBLE(easy_setopt, unsigned int, (CCurlEasy *, unsigned int, ...), )
CCURL_COMPATIBLE(easy_getinfo, unsigned int, (CCurlEasy *, unsigned int, ...), )
CCURL_COMPATIBLE(multi_setopt, int, (CCurlMulti *, unsigned int, ...), )

// MARK: - Constants

CCURL_SAME(CCURL_GLOBAL_DEFAULT, CURL_GLOBAL_DEFAULT);
CCURL_SAME(CCURL_MESSAGE_DONE, CURLMSG_DONE);
CCURL_SAME(CCURL_WAIT_POLLIN, CURL_WAIT_POLLIN);
CCURL_SAME(CCURL_ERROR_SIZE, CURL_ERROR_SIZE);
CCURL_SAME(CCURL_HTTP_VERSION_1_1, CURL_HTTP_VERSION_1_1);
CCURL_SAME(CCURL_HTTP_VERSION_2TLS, CURL_HTTP_VERSION_2TLS);
CCURL_SAME(CCURL_SSLVERSION_TLSV1_2, CURL_SSLVERSION_TLSv1_2);
CCURL_SAME(CCURL_AUTH_BASIC, CURLAUTH_BASIC);
CCURL_SAME(CCURL_AUTH_DIGEST, CURLAUTH_DIGEST);
CCURL_SAME(CCURL_PIPE_MULTIPLEX, CURLPIPE_MULTIPLEX);
CCURL_SAME(CCURL_PROTOCOLS_HTTP_HTTPS, CURLPROTO_HTTP | CURLPROTO_HTTPS);

#define CCURL_SAME_OPTION(name, value) CCURL_SAME(CURLOPT_##name, value);
CCURL_OPTIONS(CCURL_SAME_OPTION)
#define CCURL_SAME_INFO(name, value) CCURL_SAME(CURLINFO_##name, value);
CCURL_INFOS(CCURL_SAME_INFO)
#define CCURL_SAME_MULTI_OPTION(name, value) CCURL_SAME(CURLMOPT_##name, value);
CCURL_MULTI_OPTIONS(CCURL_SAME_MULTI_OPTION)
// Newer than the headers may be.
#if LIBCURL_VERSION_NUM < 0x080600
#define CURLE_TOO_LARGE 100
#endif
#define CCURL_SAME_RESULT(name, value) CCURL_SAME(CURLE_##name, value);
CCURL_RESULTS(CCURL_SAME_RESULT)

#endif
#endif
