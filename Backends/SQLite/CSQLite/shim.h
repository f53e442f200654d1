#pragma once
#include <sqlite3.h>

/* Swift cannot call variadic functions: one wrapper for each use. */

/* Switches one of SQLITE_DBCONFIG_... on (1) or off (0); returns a result code. */
static inline int saver_sqlite3_db_config(sqlite3 *connection, int option, int value) {
  return sqlite3_db_config(connection, option, value, (int *)0);
}

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. */
static inline int saver_sqlite3_bind_text_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int saver_sqlite3_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* Extended result codes are expressions, which Swift does not import. */
enum {
  SAVER_SQLITE_CONSTRAINT_PRIMARYKEY = SQLITE_CONSTRAINT_PRIMARYKEY,
  SAVER_SQLITE_IOERR_FSYNC = SQLITE_IOERR_FSYNC,
  SAVER_SQLITE_IOERR_DIR_FSYNC = SQLITE_IOERR_DIR_FSYNC,
};
