#define _GNU_SOURCE
#include "CFloor.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* One connection writes and another reads, as in the engine, with its pragmas and its rule for checkpoints. */
struct floor_sqlite {
  sqlite3 *writer;
  sqlite3_stmt *begin_writing, *commit, *insert, *head, *close_transaction;
  sqlite3 *reader;
  sqlite3_stmt *begin_reading, *end_reading, *newest, *changes, *row;
  /* The last sequence that a check has seen; -1 before the first. */
  sqlite3_int64 seen;
  int wal_frames;
  int checkpoint_attempted_at;
};

static const char *const columns = "\"id\", \"text\", \"title\", \"tags\", \"created_at\", \"updated_at\"";

/* MARK: Opening */

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

static int prepare(sqlite3 *connection, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(connection, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

int floor_sqlite_open(const char *path, floor_sqlite **opened) {
  floor_sqlite *floor = *opened = calloc(1, sizeof *floor);
  char *select = sqlite3_mprintf(
      "SELECT %s FROM \"item\" ORDER BY \"created_at\" DESC, \"id\" DESC LIMIT ?", columns);
  char *insert = sqlite3_mprintf(
      "INSERT INTO \"item\" (%s, \"duplicate_key\") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", columns);
  char *row = sqlite3_mprintf("SELECT %s FROM \"item\" WHERE \"id\" = ?1", columns);
  floor->seen = -1;
  int result = connect(path, &floor->writer, floor);
  if (!result) {
    result = sqlite3_exec(floor->writer, "PRAGMA synchronous = full; PRAGMA cache_size = -16000", NULL, NULL, NULL);
  }
  if (!result) result = prepare(floor->writer, "BEGIN IMMEDIATE", &floor->begin_writing);
  if (!result) result = prepare(floor->writer, "COMMIT", &floor->commit);
  if (!result) result = prepare(floor->writer, insert, &floor->insert);
  if (!result) result = prepare(floor->writer, "SELECT max(sequence) FROM saver_history", &floor->head);
  if (!result) {
    /* The engine's entry of a transaction: a floor's is read by nobody. */
    result = prepare(
        floor->writer,
        "INSERT INTO saver_transaction (last, first, author, user, operation, name, undoes, time, nonce, bytes, bytes_before)"
        " VALUES (?1, ?2, zeroblob(16), 0, zeroblob(16), 'write', NULL, 1.7e9, 1, 0, 0)",
        &floor->close_transaction);
  }
  if (!result) result = connect(path, &floor->reader, floor);
  if (!result) result = prepare(floor->reader, "BEGIN", &floor->begin_reading);
  if (!result) result = prepare(floor->reader, "ROLLBACK", &floor->end_reading);
  if (!result) result = prepare(floor->reader, select, &floor->newest);
  if (!result) {
    result = prepare(
        floor->reader, "SELECT sequence, id FROM saver_history WHERE sequence > ?1 ORDER BY sequence", &floor->changes);
  }
  if (!result) result = prepare(floor->reader, row, &floor->row);
  sqlite3_free(row);
  sqlite3_free(select);
  sqlite3_free(insert);
  return result;
}

void floor_sqlite_close(floor_sqlite *floor) {
  sqlite3_stmt *statements[] = {floor->begin_writing, floor->commit,      floor->insert, floor->head,
                                floor->close_transaction, floor->begin_reading, floor->end_reading, floor->newest,
                                floor->changes,       floor->row};
  for (size_t index = 0; index < sizeof statements / sizeof *statements; index++) sqlite3_finalize(statements[index]);
  sqlite3_close(floor->reader);
  sqlite3_close(floor->writer);
  free(floor);
}

/* Runs a statement without rows. */
static int run(sqlite3_stmt *statement) {
  sqlite3_step(statement);
  return sqlite3_reset(statement);
}

/* MARK: Writing */

/* The tags as a JSON array. */
static size_t json_tags(const floor_item *item, char *json) {
  char *end = json;
  *end++ = '[';
  for (size_t index = 0; index < item->tag_count; index++) {
    if (index > 0) *end++ = ',';
    *end++ = '"';
    end = stpcpy(end, item->tags[index]);
    *end++ = '"';
  }
  *end++ = ']';
  return end - json;
}

static int insert_item(sqlite3_stmt *statement, const floor_item *item) {
  char tags[256];
  sqlite3_bind_blob(statement, 1, item->id, sizeof item->id, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, item->text, item->text_size, SQLITE_STATIC);
  if (item->title) {
    sqlite3_bind_text(statement, 3, item->title, item->title_size, SQLITE_STATIC);
  } else {
    sqlite3_bind_null(statement, 3);
  }
  sqlite3_bind_text(statement, 4, tags, json_tags(item, tags), SQLITE_STATIC);
  sqlite3_bind_double(statement, 5, item->created_at);
  sqlite3_bind_double(statement, 6, item->updated_at);
  sqlite3_bind_text(statement, 7, item->duplicate_key, item->duplicate_key_size, SQLITE_STATIC);
  return run(statement);
}

/* The engine's rule, without the lock that it takes against foreign writers. */
static void checkpoint(floor_sqlite *floor) {
  int frames = floor->wal_frames;
  if (frames < floor->checkpoint_attempted_at) floor->checkpoint_attempted_at = 0;
  if (frames < 1000 || frames < floor->checkpoint_attempted_at + 250) return;
  floor->checkpoint_attempted_at = frames;
  int mode = frames > 8000 ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE;
  sqlite3_wal_checkpoint_v2(floor->writer, "main", mode, NULL, NULL);
}

static sqlite3_int64 head(floor_sqlite *floor) {
  sqlite3_step(floor->head);
  sqlite3_int64 last = sqlite3_column_int64(floor->head, 0);
  sqlite3_reset(floor->head);
  return last;
}

static int close_transaction(floor_sqlite *floor, sqlite3_int64 before) {
  sqlite3_bind_int64(floor->close_transaction, 1, head(floor));
  sqlite3_bind_int64(floor->close_transaction, 2, before + 1);
  return run(floor->close_transaction);
}

int floor_sqlite_insert(floor_sqlite *floor, const floor_item *items, size_t count) {
  int result = run(floor->begin_writing);
  sqlite3_int64 before = head(floor);
  for (size_t index = 0; !result && index < count; index++) result = insert_item(floor->insert, &items[index]);
  if (!result) result = close_transaction(floor, before);
  if (!result) result = run(floor->commit);
  if (!result) checkpoint(floor);
  return result;
}

/* MARK: Reading */

/* Copies the elements of a JSON array of strings without escapes. */
static void copy_tags(floor_item *item, const char *json, size_t size) {
  const char *end = json + size;
  const char *start = memchr(json, '"', size);
  if (!start) return;
  size_t capacity = 0;
  while (start) {
    start++;
    const char *quote = memchr(start, '"', end - start);
    if (!quote) return;
    if (item->tag_count == capacity) {
      capacity = capacity ? capacity * 2 : 4;
      item->tags = realloc(item->tags, capacity * sizeof *item->tags);
    }
    item->tags[item->tag_count++] = floor_copy(start, quote - start);
    start = memchr(quote + 1, '"', end - (quote + 1));
  }
}

static void copy_row(sqlite3_stmt *row, floor_item *item) {
  memcpy(item->id, sqlite3_column_blob(row, 0), sizeof item->id);
  const void *text = sqlite3_column_text(row, 1);
  item->text_size = sqlite3_column_bytes(row, 1);
  item->text = floor_copy(text, item->text_size);
  const void *title = sqlite3_column_text(row, 2);
  if (title) {
    item->title_size = sqlite3_column_bytes(row, 2);
    item->title = floor_copy(title, item->title_size);
  }
  const void *tags = sqlite3_column_text(row, 3);
  copy_tags(item, tags, sqlite3_column_bytes(row, 3));
  item->created_at = sqlite3_column_double(row, 4);
  item->updated_at = sqlite3_column_double(row, 5);
}

static int has_word(sqlite3_stmt *row, const char *word, size_t size) {
  for (int column = 1; column <= 3; column++) {
    const void *text = sqlite3_column_text(row, column);
    if (text && memmem(text, sqlite3_column_bytes(row, column), word, size)) return 1;
  }
  return 0;
}

static int read_rows(floor_sqlite *floor, long limit, const char *word, floor_list *list) {
  size_t size = word ? strlen(word) : 0;
  int result = run(floor->begin_reading);
  if (result) return result;
  sqlite3_bind_int64(floor->newest, 1, limit);
  while (sqlite3_step(floor->newest) == SQLITE_ROW) {
    if (!word || has_word(floor->newest, word, size)) copy_row(floor->newest, floor_list_add(list));
  }
  result = sqlite3_reset(floor->newest);
  int ended = run(floor->end_reading);
  return result ? result : ended;
}

int floor_sqlite_newest(floor_sqlite *floor, long limit, floor_list *list) {
  return read_rows(floor, limit, NULL, list);
}

int floor_sqlite_search(floor_sqlite *floor, const char *word, floor_list *list) {
  return read_rows(floor, -1, word, list);
}

/* MARK: Observing */

int floor_sqlite_check_window(void *store, floor_list *list) {
  return floor_sqlite_newest(store, 50, list);
}

static int copy_changed(floor_sqlite *floor, floor_list *list) {
  sqlite3_bind_blob(floor->row, 1, sqlite3_column_blob(floor->changes, 1), 16, SQLITE_STATIC);
  if (sqlite3_step(floor->row) == SQLITE_ROW) copy_row(floor->row, floor_list_add(list));
  return sqlite3_reset(floor->row);
}

int floor_sqlite_check_history(void *store, floor_list *list) {
  floor_sqlite *floor = store;
  if (floor->seen < 0) {
    floor->seen = head(floor);
    return SQLITE_OK;
  }
  int result = run(floor->begin_reading);
  if (result) return result;
  sqlite3_bind_int64(floor->changes, 1, floor->seen);
  while (!result && sqlite3_step(floor->changes) == SQLITE_ROW) {
    floor->seen = sqlite3_column_int64(floor->changes, 0);
    result = copy_changed(floor, list);
  }
  int reset = sqlite3_reset(floor->changes);
  int ended = run(floor->end_reading);
  return result ? result : reset ? reset : ended;
}
