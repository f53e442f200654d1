#include "SQLiteFloor.h"

#include <stdlib.h>

static int count_frames(void *floor, sqlite3 *connection, const char *database, int frames) {
  (void)connection, (void)database;
  ((floor_sqlite *)floor)->wal_frames = frames;
  return SQLITE_OK;
}

static int connect(const char *path, sqlite3 **connection, floor_sqlite *floor) {
  int result = sqlite3_open_v2(path, connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (result) return result;
  /* Its presence turns automatic checkpoints off. */
  sqlite3_wal_hook(*connection, count_frames, floor);
  return SQLITE_OK;
}

/* A statement, and where it goes. */
typedef struct {
  sqlite3_stmt **statement;
  const char *sql;
} preparation;

static int prepare(sqlite3 *connection, const preparation *all, size_t count) {
  int result = SQLITE_OK;
  for (size_t index = 0; !result && index < count; index++) {
    result = sqlite3_prepare_v3(connection, all[index].sql, -1, SQLITE_PREPARE_PERSISTENT, all[index].statement, NULL);
  }
  return result;
}

#define COUNT(array) (sizeof array / sizeof *array)
#define COLUMNS "id, text, title, tags, created_at, updated_at"

static int prepare_writing(floor_sqlite *floor) {
  preparation all[] = {
      {&floor->begin_writing, "BEGIN IMMEDIATE"},
      {&floor->commit, "COMMIT"},
      {&floor->insert, "INSERT INTO item (" COLUMNS ", duplicate_key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"},
      /* What has changed, and no more: a program that knows it need not write the rest. */
      {&floor->update, "UPDATE item SET title = ?2, updated_at = ?3 WHERE id = ?1"},
      {&floor->delete_item, "DELETE FROM item WHERE id = ?1"},
      {&floor->head, "SELECT max(sequence) FROM saver_history"},
      /* The engine's entry of a transaction: a floor's is read by nobody. */
      {&floor->close_transaction,
       "INSERT INTO saver_transaction (last, first, author, user, operation, name, undoes, time, nonce, bytes, "
       "bytes_before) VALUES (?1, ?2, zeroblob(16), 0, zeroblob(16), 'write', NULL, 1.7e9, 1, 0, 0)"},
      {&floor->transactions, "SELECT last, first FROM saver_transaction ORDER BY last"},
      {&floor->trim_history, "DELETE FROM saver_history WHERE sequence <= ?1"},
      {&floor->trim_transactions, "DELETE FROM saver_transaction WHERE last <= ?1"},
  };
  return prepare(floor->writer, all, COUNT(all));
}

static int prepare_reading(floor_sqlite *floor) {
  preparation all[] = {
      {&floor->begin_reading, "BEGIN"},
      {&floor->end_reading, "ROLLBACK"},
      {&floor->newest, "SELECT " COLUMNS " FROM item ORDER BY created_at DESC, id DESC LIMIT ?"},
      {&floor->range,
       "SELECT " COLUMNS " FROM item WHERE created_at >= ?1 AND created_at < ?2 ORDER BY created_at DESC, id DESC"},
      {&floor->titled, "SELECT " COLUMNS " FROM item WHERE title = ?1"},
      {&floor->count, "SELECT count(*) FROM item"},
      {&floor->count_range, "SELECT count(*) FROM item WHERE created_at >= ?1 AND created_at < ?2"},
      {&floor->changes, "SELECT sequence, id FROM saver_history WHERE sequence > ?1 ORDER BY sequence"},
      {&floor->row, "SELECT " COLUMNS " FROM item WHERE id = ?1"},
      {&floor->last_change, "SELECT max(sequence) FROM saver_history"},
  };
  return prepare(floor->reader, all, COUNT(all));
}

int floor_sqlite_open(const char *path, floor_sqlite **opened) {
  floor_sqlite *floor = *opened = calloc(1, sizeof *floor);
  floor->seen = -1;
  int result = connect(path, &floor->writer, floor);
  if (!result) {
    result = sqlite3_exec(floor->writer, "PRAGMA synchronous = full; PRAGMA cache_size = -16000", NULL, NULL, NULL);
  }
  if (!result) result = prepare_writing(floor);
  if (!result) result = connect(path, &floor->reader, floor);
  if (!result) result = prepare_reading(floor);
  return result;
}

static void finalize_all(sqlite3 *connection) {
  sqlite3_stmt *statement;
  while ((statement = sqlite3_next_stmt(connection, NULL))) sqlite3_finalize(statement);
}

void floor_sqlite_close(floor_sqlite *floor) {
  finalize_all(floor->reader);
  finalize_all(floor->writer);
  sqlite3_close(floor->reader);
  sqlite3_close(floor->writer);
  free(floor);
}
