#define _GNU_SOURCE
#include "SQLiteFloor.h"

#include <string.h>

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

static int insert_item(floor_sqlite *floor, const floor_item *item) {
  sqlite3_stmt *statement = floor->insert;
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
  return floor_sqlite_run(statement);
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

/* The engine's rule: at each 64th sequence whole transactions go, the oldest first, as long as there are more changes
 * than a history keeps, and no more than twice as many as were added. */
static int trim(floor_sqlite *floor, sqlite3_int64 before, sqlite3_int64 last) {
  if (last / 64 == before / 64) return SQLITE_OK;
  sqlite3_int64 end = 0, trimmed = 0;
  while (trimmed < 2 * (last - before) + 64 && sqlite3_step(floor->transactions) == SQLITE_ROW) {
    sqlite3_int64 oldest_last = sqlite3_column_int64(floor->transactions, 0);
    sqlite3_int64 oldest_first = sqlite3_column_int64(floor->transactions, 1);
    if (oldest_last >= last || last - oldest_first < 100000) break;
    trimmed += oldest_last - oldest_first + 1;
    end = oldest_last;
  }
  sqlite3_reset(floor->transactions);
  if (end == 0) return SQLITE_OK;
  sqlite3_bind_int64(floor->trim_history, 1, end);
  sqlite3_bind_int64(floor->trim_transactions, 1, end);
  int result = floor_sqlite_run(floor->trim_history);
  return result ? result : floor_sqlite_run(floor->trim_transactions);
}

static int close_transaction(floor_sqlite *floor, sqlite3_int64 before) {
  sqlite3_int64 last = floor_sqlite_head(floor);
  sqlite3_bind_int64(floor->close_transaction, 1, last);
  sqlite3_bind_int64(floor->close_transaction, 2, before + 1);
  int result = floor_sqlite_run(floor->close_transaction);
  return result ? result : trim(floor, before, last);
}

/* What a transaction does with each item. */
typedef int (*writing)(floor_sqlite *floor, const floor_item *item);

static int write_items(floor_sqlite *floor, writing write, const floor_item *items, size_t count) {
  int result = floor_sqlite_run(floor->begin_writing);
  sqlite3_int64 before = floor_sqlite_head(floor);
  for (size_t index = 0; !result && index < count; index++) result = write(floor, &items[index]);
  if (!result) result = close_transaction(floor, before);
  if (!result) result = floor_sqlite_run(floor->commit);
  if (!result) checkpoint(floor);
  return result;
}

static int update_item(floor_sqlite *floor, const floor_item *item) {
  sqlite3_bind_blob(floor->update, 1, item->id, sizeof item->id, SQLITE_STATIC);
  sqlite3_bind_text(floor->update, 2, item->title, item->title_size, SQLITE_STATIC);
  sqlite3_bind_double(floor->update, 3, item->updated_at);
  return floor_sqlite_run(floor->update);
}

static int delete_item(floor_sqlite *floor, const floor_item *item) {
  sqlite3_bind_blob(floor->delete_item, 1, item->id, sizeof item->id, SQLITE_STATIC);
  return floor_sqlite_run(floor->delete_item);
}

int floor_sqlite_insert(floor_sqlite *floor, const floor_item *items, size_t count) {
  return write_items(floor, insert_item, items, count);
}

int floor_sqlite_update(floor_sqlite *floor, const floor_item *items, size_t count) {
  return write_items(floor, update_item, items, count);
}

int floor_sqlite_delete(floor_sqlite *floor, const floor_item *items, size_t count) {
  return write_items(floor, delete_item, items, count);
}
