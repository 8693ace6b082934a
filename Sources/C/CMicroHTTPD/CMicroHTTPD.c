#include "CMicroHTTPD.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "CDynamicLibrary.h"

// X(name without "MHD_", value)
#define CMICROHTTPD_CONSTANTS(X)                                                                   \
  X(USE_TLS, 2)                                                                                    \
  X(USE_THREAD_PER_CONNECTION, 4)                                                                  \
  X(USE_INTERNAL_POLLING_THREAD, 8)                                                                \
  X(USE_POLL, 64)                                                                                  \
  X(USE_ITC, 1024)                                                                                 \
  X(OPTION_END, 0)                                                                                 \
  X(OPTION_CONNECTION_MEMORY_LIMIT, 1)                                                             \
  X(OPTION_CONNECTION_LIMIT, 2)                                                                    \
  X(OPTION_CONNECTION_TIMEOUT, 3)                                                                  \
  X(OPTION_NOTIFY_COMPLETED, 4)                                                                    \
  X(OPTION_URI_LOG_CALLBACK, 7)                                                                    \
  X(OPTION_HTTPS_MEM_KEY, 8)                                                                       \
  X(OPTION_HTTPS_MEM_CERT, 9)                                                                      \
  X(OPTION_HTTPS_PRIORITIES, 11)                                                                   \
  X(OPTION_LISTEN_SOCKET, 12)                                                                      \
  X(OPTION_THREAD_STACK_SIZE, 19)                                                                  \
  X(OPTION_NOTIFY_CONNECTION, 27)                                                                  \
  X(OPTION_STRICT_FOR_CLIENT, 29)                                                                  \
  X(CONNECTION_INFO_CLIENT_ADDRESS, 2)                                                             \
  X(CONNECTION_INFO_CONNECTION_FD, 6)                                                              \
  X(CONNECTION_NOTIFY_STARTED, 0)                                                                  \
  X(HEADER_KIND, 1)                                                                                \
  X(RESPMEM_MUST_COPY, 2)

enum { CMICROHTTPD_CONSTANTS(CDYNAMIC_CONSTANT) };

// The compiler compares what stands here with the library's header, if that is installed.
#if __has_include(<microhttpd.h>)
#include <microhttpd.h>
#define CMICROHTTPD_CHECK(name, value) _Static_assert((int)MHD_##name == value, #name);
CMICROHTTPD_CONSTANTS(CMICROHTTPD_CHECK)
#endif

union info {
  const struct sockaddr *address;
  int descriptor;
};

// The parameters of callbacks, as the library has them; its `enum MHD_Result` is an int: 0 for no.
typedef int access_handler(void *, void *, const char *, const char *, const char *, const char *,
                           size_t *, void **);
typedef int header_handler(void *, int, const char *, const char *);

// X(name without "MHD_", result, parameters)
#define CMICROHTTPD_FUNCTIONS(X)                                                                   \
  X(get_version, const char *, (void))                                                             \
  X(start_daemon, void *, (unsigned int, uint16_t, void *, void *, access_handler *, void *, ...)) \
  X(quiesce_daemon, int, (void *))                                                                 \
  X(stop_daemon, void, (void *))                                                                   \
  X(get_connection_info, const union info *, (void *, int, ...))                                   \
  X(get_connection_values, int, (void *, int, header_handler *, void *))                           \
  X(create_response_from_buffer, void *, (size_t, void *, int))                                    \
  X(add_response_header, int, (void *, const char *, const char *))                                \
  X(queue_response, int, (void *, unsigned int, void *))                                           \
  X(destroy_response, void, (void *))

#define CMICROHTTPD_SYMBOL(name, result, parameters) "MHD_" #name,

CDYNAMIC_FUNCTIONS(mhd, CMICROHTTPD_FUNCTIONS)

CDYNAMIC_NAME("suggested", "serving", "libmicrohttpd.so.12",
              "libmicrohttpd.12.dylib", "/opt/homebrew/lib/libmicrohttpd.12.dylib")

CDYNAMIC_LIBRARY(cmicrohttpd_load, mhd, NULL, CMICROHTTPD_FUNCTIONS(CMICROHTTPD_SYMBOL) NULL)

const char *cmicrohttpd_version(void) {
  return mhd.get_version();
}

// MARK: Callbacks

/// A daemon, and whose it is.
struct server {
  const struct cmicrohttpd_handlers *handlers;
  void *server;
  void *daemon;
};

/// A request between two calls of the library.
struct exchange {
  void *exchange;
  bool has_head;
};

static int descriptor(void *connection) {
  const union info *info = mhd.get_connection_info(connection, OUR_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->descriptor;
}

static void notify_connection(void *user, void *connection, void **context, int code) {
  struct server *server = user;
  (void)context;
  int file = descriptor(connection);
  if (code == OUR_CONNECTION_NOTIFY_STARTED) {
    server->handlers->connected(server->server, file);
  } else {
    server->handlers->disconnected(server->server, file);
  }
}

static void *begin(void *user, const char *target, void *connection) {
  struct server *server = user;
  struct exchange *exchange = calloc(1, sizeof *exchange);
  if (exchange == NULL) return NULL;
  exchange->exchange = server->handlers->begin(server->server, target, descriptor(connection));
  return exchange;
}

static int receive(void *user, void *connection, const char *target, const char *method,
                   const char *version, const char *bytes, size_t *count, void **context) {
  (void)target;
  struct server *server = user;
  struct exchange *exchange = *context;
  if (exchange == NULL) return 0;
  if (!exchange->has_head) {
    exchange->has_head = true;
    return server->handlers->head(exchange->exchange, connection, method, version);
  }
  if (*count == 0) return server->handlers->finish(exchange->exchange, connection);
  bool is_taken = server->handlers->receive(exchange->exchange, bytes, *count);
  *count = 0;
  return is_taken;
}

static void complete(void *user, void *connection, void **context, int code) {
  (void)connection, (void)code;
  struct server *server = user;
  struct exchange *exchange = *context;
  if (exchange == NULL) return;
  server->handlers->end(exchange->exchange);
  free(exchange);
  *context = NULL;
}

// MARK: Serving

static void *start(struct server *server, int socket, struct cmicrohttpd_options options) {
  unsigned int flags =
    OUR_USE_THREAD_PER_CONNECTION | OUR_USE_INTERNAL_POLLING_THREAD | OUR_USE_POLL | OUR_USE_ITC;
#define CMICROHTTPD_START(flags, ...)                                                              \
  mhd.start_daemon(                                                                                \
    flags, 0, NULL, NULL, receive, server, OUR_OPTION_LISTEN_SOCKET, socket,                       \
    OUR_OPTION_CONNECTION_LIMIT, options.connections, OUR_OPTION_CONNECTION_MEMORY_LIMIT,          \
    options.memory, OUR_OPTION_CONNECTION_TIMEOUT, options.timeout, OUR_OPTION_THREAD_STACK_SIZE,  \
    options.stack, OUR_OPTION_STRICT_FOR_CLIENT, 1, OUR_OPTION_URI_LOG_CALLBACK, begin, server,    \
    OUR_OPTION_NOTIFY_COMPLETED, complete, server, OUR_OPTION_NOTIFY_CONNECTION,                   \
    notify_connection, server, __VA_ARGS__)
  if (options.certificate == NULL) return CMICROHTTPD_START(flags, OUR_OPTION_END);
  return CMICROHTTPD_START(flags | OUR_USE_TLS, OUR_OPTION_HTTPS_MEM_CERT, options.certificate,
                           OUR_OPTION_HTTPS_MEM_KEY, options.key, OUR_OPTION_HTTPS_PRIORITIES,
                           "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA", OUR_OPTION_END);
}

void *cmicrohttpd_start(int socket, struct cmicrohttpd_options options,
                        const struct cmicrohttpd_handlers *handlers, void *user) {
  struct server *server = calloc(1, sizeof *server);
  if (server == NULL) return NULL;
  server->handlers = handlers;
  server->server = user;
  server->daemon = start(server, socket, options);
  if (server->daemon != NULL) return server;
  free(server);
  return NULL;
}

int cmicrohttpd_quiesce(void *server) {
  return mhd.quiesce_daemon(((struct server *)server)->daemon);
}

void cmicrohttpd_stop(void *server) {
  mhd.stop_daemon(((struct server *)server)->daemon);
  free(server);
}

// MARK: Requests and answers

struct header_body {
  void *user;
  void (*body)(void *, const char *, const char *);
  /// The end of the line before, and whether the lines so far follow each other.
  const char *end;
  bool is_sound;
};

static int take_header(void *user, int kind, const char *name, const char *value) {
  (void)kind;
  struct header_body *body = user;
  if (value == NULL) value = "";
  body->body(body->user, name, value);
  body->is_sound = body->is_sound && name == body->end + 2;
  body->end = value + strlen(value);
  return 1;
}

bool cmicrohttpd_headers(CMicroHTTPDConnection *connection, const char *version, void *user,
                         void (*body)(void *user, const char *name, const char *value)) {
  struct header_body all = {
    .user = user, .body = body, .end = version + strlen(version), .is_sound = version[0] != 0};
  mhd.get_connection_values(connection, OUR_HEADER_KIND, take_header, &all);
  // Versions before 1.0 take a bare LF for the end of a line, and join folded lines; later ones refuse
  // both. They cut the head in place, with zeros for line ends, and copy what they join: so a line
  // begins two bytes behind the one before, and four zeros end the last.
  bool has_own_check = strncmp(mhd.get_version(), "0.", 2) != 0;
  return has_own_check || (all.is_sound && memcmp(all.end, "\0\0\0", 4) == 0);
}

const void *cmicrohttpd_peer(CMicroHTTPDConnection *connection) {
  const union info *info = mhd.get_connection_info(connection, OUR_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->address;
}

bool cmicrohttpd_answer(CMicroHTTPDConnection *connection, unsigned int status, const void *bytes,
                        size_t count, const char *const *headers) {
  void *response =
    mhd.create_response_from_buffer(count, (void *)(uintptr_t)bytes, OUR_RESPMEM_MUST_COPY);
  if (response == NULL) return false;
  for (; headers[0] != NULL; headers += 2) {
    mhd.add_response_header(response, headers[0], headers[1]);
  }
  int result = mhd.queue_response(connection, status, response);
  mhd.destroy_response(response);
  return result != 0;
}
