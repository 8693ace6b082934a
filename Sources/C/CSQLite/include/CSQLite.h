// The part of SQLite's stable ABI (libsqlite3, soname 0) that reading another program's database
// needs, loaded on first use.

#ifndef NEWS_CSQLITE_H
#define NEWS_CSQLITE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads the library, once for the process and from any thread.
///
/// - Returns: NULL, or why it cannot be used. It is to be called before all else here.
const char *_Nullable csqlite_load(void);

/// Opens a database for reading alone (sqlite3_open_v2(3)), as a file that somebody else may have
/// made: nothing in its schema is trusted, no view and no trigger of it is run, no value is larger
/// than `maximum_bytes`, and no query takes more than some billion steps.
///
/// - Returns: what `csqlite_close` closes; NULL without memory. Whether it is a database shows with
///   the first query.
void *_Nullable csqlite_open(const char *uri, int maximum_bytes);
void csqlite_close(void *_Nullable database);

enum {
  CSQLITE_OK = 0,
  CSQLITE_BUSY = 5,
  CSQLITE_CORRUPT = 11,
  CSQLITE_TOOBIG = 18,
  CSQLITE_NOTADB = 26,
  CSQLITE_ROW = 100,
  CSQLITE_DONE = 101,
};

/// The last error of a database: its number, and the library's words for it.
int csqlite_code(void *database);
const char *csqlite_message(void *database);

/// Compiles a query; NULL when it cannot be.
void *_Nullable csqlite_prepare(void *database, const char *sql);
void csqlite_finalize(void *_Nullable statement);
/// Starts it over, with a value for its first parameter.
void csqlite_start(void *statement, int64_t value);
/// CSQLITE_ROW for a row, CSQLITE_DONE at the end, or the number of an error.
int csqlite_step(void *statement);

int csqlite_column_count(void *statement);
/// NULL without memory.
const char *_Nullable csqlite_column_name(void *statement, int column);
/// NULL where the value is NULL; what is no text becomes one. Valid until the next step.
const uint8_t *_Nullable csqlite_text(void *statement, int column);
/// The bytes of the text that was asked for last.
int csqlite_text_size(void *statement, int column);
int64_t csqlite_integer(void *statement, int column);

#pragma clang assume_nonnull end

#endif
