#include "CSQLite.h"

#include "CDynamicLibrary.h"

// X(name without "SQLITE_", value)
#define CSQLITE_CONSTANTS(X)                                                                       \
  X(OPEN_READONLY, 0x1)                                                                            \
  X(OPEN_URI, 0x40)                                                                                \
  X(OPEN_NOMUTEX, 0x8000)                                                                          \
  X(LIMIT_LENGTH, 0)                                                                               \
  X(DBCONFIG_ENABLE_TRIGGER, 1003)                                                                 \
  X(DBCONFIG_DEFENSIVE, 1010)                                                                      \
  X(DBCONFIG_ENABLE_VIEW, 1015)                                                                    \
  X(DBCONFIG_TRUSTED_SCHEMA, 1017)

enum { CSQLITE_CONSTANTS(CDYNAMIC_CONSTANT) };

// The compiler compares what stands here with the library's header, if that is installed.
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#define CSQLITE_CHECK(name, value) _Static_assert(SQLITE_##name == value, #name);
CSQLITE_CONSTANTS(CSQLITE_CHECK)
_Static_assert(SQLITE_OK == CSQLITE_OK && SQLITE_BUSY == CSQLITE_BUSY, "codes");
_Static_assert(SQLITE_CORRUPT == CSQLITE_CORRUPT && SQLITE_TOOBIG == CSQLITE_TOOBIG, "codes");
_Static_assert(SQLITE_NOTADB == CSQLITE_NOTADB, "codes");
_Static_assert(SQLITE_ROW == CSQLITE_ROW && SQLITE_DONE == CSQLITE_DONE, "codes");
#endif

// X(name without "sqlite3_", result, parameters)
#define CSQLITE_FUNCTIONS(X)                                                                       \
  X(open_v2, int, (const char *, void **, int, const char *))                                      \
  X(close, int, (void *))                                                                          \
  X(db_config, int, (void *, int, ...))                                                            \
  X(limit, int, (void *, int, int))                                                                \
  X(busy_timeout, int, (void *, int))                                                              \
  X(progress_handler, void, (void *, int, int (*)(void *), void *))                                \
  X(exec, int, (void *, const char *, void *, void *, void *))                                     \
  X(errcode, int, (void *))                                                                        \
  X(errmsg, const char *, (void *))                                                                \
  X(prepare_v2, int, (void *, const char *, int, void **, const char **))                          \
  X(finalize, int, (void *))                                                                       \
  X(reset, int, (void *))                                                                          \
  X(bind_int64, int, (void *, int, int64_t))                                                       \
  X(step, int, (void *))                                                                           \
  X(column_count, int, (void *))                                                                   \
  X(column_name, const char *, (void *, int))                                                      \
  X(column_text, const uint8_t *, (void *, int))                                                   \
  X(column_bytes, int, (void *, int))                                                              \
  X(column_int64, int64_t, (void *, int))

#define CSQLITE_SYMBOL(name, result, parameters) "sqlite3_" #name,

CDYNAMIC_FUNCTIONS(sqlite, CSQLITE_FUNCTIONS)

CDYNAMIC_NAME("recommended", "other readers' databases", "libsqlite3.so.0",
              "/usr/lib/libsqlite3.dylib")

CDYNAMIC_LIBRARY(csqlite_load, sqlite, NULL, CSQLITE_FUNCTIONS(CSQLITE_SYMBOL) NULL)

// Called every million steps; ends what would never end.
static int is_endless(void *steps) {
  return ++*(int *)steps > 4000;
}

void *csqlite_open(const char *uri, int maximum_bytes) {
  void *database = NULL;
  sqlite.open_v2(uri, &database, OUR_OPEN_READONLY | OUR_OPEN_URI | OUR_OPEN_NOMUTEX, NULL);
  if (database == NULL) return NULL;
  sqlite.limit(database, OUR_LIMIT_LENGTH, maximum_bytes);
  // Older versions know some of these not.
  sqlite.db_config(database, OUR_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
  sqlite.db_config(database, OUR_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
  sqlite.db_config(database, OUR_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
  sqlite.db_config(database, OUR_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
  sqlite.busy_timeout(database, 2000);
  static _Thread_local int steps;
  steps = 0;
  sqlite.progress_handler(database, 1000000, is_endless, &steps);
  sqlite.exec(
    database,
    // A log is then indexed in memory, not in a file that others could use.
    "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;"
    "PRAGMA locking_mode = EXCLUSIVE;",
    NULL, NULL, NULL);
  return database;
}

void csqlite_close(void *database) {
  sqlite.close(database);
}

int csqlite_code(void *database) {
  return sqlite.errcode(database) & 0xff;
}

const char *csqlite_message(void *database) {
  return sqlite.errmsg(database);
}

void *csqlite_prepare(void *database, const char *sql) {
  void *statement = NULL;
  return sqlite.prepare_v2(database, sql, -1, &statement, NULL) == CSQLITE_OK ? statement : NULL;
}

void csqlite_finalize(void *statement) {
  sqlite.finalize(statement);
}

void csqlite_start(void *statement, int64_t value) {
  sqlite.reset(statement);
  sqlite.bind_int64(statement, 1, value);
}

int csqlite_step(void *statement) {
  return sqlite.step(statement) & 0xff;
}

int csqlite_column_count(void *statement) {
  return sqlite.column_count(statement);
}

const char *csqlite_column_name(void *statement, int column) {
  return sqlite.column_name(statement, column);
}

const uint8_t *csqlite_text(void *statement, int column) {
  return sqlite.column_text(statement, column);
}

int csqlite_text_size(void *statement, int column) {
  return sqlite.column_bytes(statement, column);
}

int64_t csqlite_integer(void *statement, int column) {
  return sqlite.column_int64(statement, column);
}
