// The part of libmicrohttpd's stable ABI (soname 12, from 0.9.64) that serving needs, loaded on first
// use.

#ifndef NEWS_CMICROHTTPD_H
#define NEWS_CMICROHTTPD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// `MHD_Connection`: opaque.
typedef void CMicroHTTPDConnection;

/// A server's callbacks; each is called by the thread of the connection that it is about.
struct cmicrohttpd_handlers {
  /// A connection has begun, or is about to be closed, on a descriptor.
  void (*connected)(void *server, int descriptor);
  void (*disconnected)(void *server, int descriptor);
  /// A request has its first line; returns an exchange for it, with which the others are called.
  void *_Nonnull (*_Nonnull begin)(void *server, const char *target, int descriptor);
  /// All headers are there; an answer given here is sent before any body is read. False closes.
  bool (*head)(void *exchange, CMicroHTTPDConnection *connection, const char *method,
               const char *version);
  /// A piece of the body; false closes the connection.
  bool (*receive)(void *exchange, const void *bytes, size_t count);
  /// The body is there, and an answer is to be given; false closes.
  bool (*finish)(void *exchange, CMicroHTTPDConnection *connection);
  /// The answer is sent, or the connection lost: the exchange is called with no more.
  void (*end)(void *exchange);
};

struct cmicrohttpd_options {
  unsigned int connections;
  /// Bytes for the first line and the headers of a request.
  size_t memory;
  /// Seconds without a byte.
  unsigned int timeout;
  size_t stack;
  /// In PEM, NUL-terminated; NULL for plain HTTP.
  const char *_Nullable certificate;
  const char *_Nullable key;
};

/// Loads the library once; NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable cmicrohttpd_load(void);

/// The library's version, such as `0.9.75`.
const char *cmicrohttpd_version(void);

/// Answers what comes to a socket that listens, with a thread for each connection; NULL where that
/// cannot be. The handlers, and what they are given, outlive it. It closes the socket at its end.
void *_Nullable cmicrohttpd_start(int socket, struct cmicrohttpd_options options,
                                  const struct cmicrohttpd_handlers *handlers, void *server);

/// Takes no new connection from now on, and leaves the socket open: its descriptor.
int cmicrohttpd_quiesce(void *daemon);

/// Closes all connections, and waits for their threads.
void cmicrohttpd_stop(void *daemon);

/// Calls back for each header of a request, in their order. False for a head with a folded line, or
/// with an LF alone. `version` is what `head` was given.
bool cmicrohttpd_headers(CMicroHTTPDConnection *connection, const char *version, void *user,
                         void (*body)(void *user, const char *name, const char *value));

/// The peer's address (`struct sockaddr`); NULL where it has none.
const void *_Nullable cmicrohttpd_peer(CMicroHTTPDConnection *connection);

/// Gives an answer; its headers are names and values in turn, and NULL. False where it cannot be given.
bool cmicrohttpd_answer(CMicroHTTPDConnection *connection, unsigned int status, const void *bytes,
                        size_t count, const char *_Nullable const *_Nonnull headers);

#pragma clang assume_nonnull end

#endif
