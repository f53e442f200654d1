#include "rows.h"
#include <sqlite3.h>

static const char *const tags_json[] = {"[]", "[\"swift\"]", "[\"swift\",\"reading-list\"]"};

static sqlite3 *open_store(const char *path) {
  sqlite3 *store = NULL;
  sqlite3_open_v2(path, &store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  sqlite3_exec(store, "PRAGMA synchronous=FULL; PRAGMA cache_size=-16000; PRAGMA wal_autocheckpoint=0", 0, 0, 0);
  return store;
}

double floor_sqlite_insert(const char *path, const floor_item *items, int count) {
  sqlite3 *store = open_store(path);
  sqlite3_stmt *insert;
  if (sqlite3_prepare_v2(store,
                         "INSERT INTO item(id,text,title,tags,created_at,updated_at,duplicate_key)"
                         " VALUES(?,?,?,?,?,?,?)",
                         -1, &insert, NULL) != SQLITE_OK)
    return -1;
  double start = cpu_seconds();
  sqlite3_exec(store, "BEGIN IMMEDIATE", 0, 0, 0);
  for (int i = 0; i < count; i++) {
    const floor_item *item = &items[i];
    sqlite3_bind_blob(insert, 1, item->id, 16, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, item->text, item->text_length, SQLITE_STATIC);
    if (item->title_length) sqlite3_bind_text(insert, 3, item->title, item->title_length, SQLITE_STATIC);
    else sqlite3_bind_null(insert, 3);
    sqlite3_bind_text(insert, 4, tags_json[item->tag_count], -1, SQLITE_STATIC);
    sqlite3_bind_double(insert, 5, item->created);
    sqlite3_bind_double(insert, 6, item->created);
    sqlite3_bind_text(insert, 7, item->text, item->text_length, SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE) return -1;
    sqlite3_reset(insert);
  }
  sqlite3_exec(store, "COMMIT", 0, 0, 0);
  double seconds = cpu_seconds() - start;
  sqlite3_finalize(insert);
  sqlite3_close(store);
  return seconds;
}

static void read_tags(row *into, const char *json, int count) {
  into->tag_count = 0;
  const char *end = json + count;
  for (json++; json < end && *json == '"';) {
    const char *close = memchr(json + 1, '"', end - json - 1);
    into->tags[into->tag_count++] = copied(json + 1, close - json - 1);
    json = close + 1;
    if (*json == ',') json++;
  }
}

double floor_sqlite_fetch(const char *path, int limit, long *rows, long *bytes) {
  sqlite3 *store = open_store(path);
  sqlite3_stmt *select;
  if (sqlite3_prepare_v2(store,
                         "SELECT id,text,title,tags,created_at,updated_at FROM item"
                         " ORDER BY created_at DESC, id DESC LIMIT ?",
                         -1, &select, NULL) != SQLITE_OK)
    return -1;
  double best = -1;
  // Twice: the first finds the cache cold, as a statement that is kept does not.
  for (int round = 0; round < 2; round++) {
    row_array array = {0};
    sqlite3_bind_int(select, 1, limit);
    double start = cpu_seconds();
    sqlite3_exec(store, "BEGIN", 0, 0, 0);
    while (sqlite3_step(select) == SQLITE_ROW) {
      row *into = next_row(&array);
      memcpy(into->id, sqlite3_column_blob(select, 0), 16);
      int length = sqlite3_column_bytes(select, 1);
      array.bytes += length;
      into->text = copied(sqlite3_column_text(select, 1), length);
      const void *title = sqlite3_column_text(select, 2);
      into->title = title ? copied(title, sqlite3_column_bytes(select, 2)) : NULL;
      read_tags(into, (const char *)sqlite3_column_text(select, 3), sqlite3_column_bytes(select, 3));
      into->created = sqlite3_column_double(select, 4);
      into->updated = sqlite3_column_double(select, 5);
    }
    sqlite3_reset(select);
    sqlite3_exec(store, "COMMIT", 0, 0, 0);
    double seconds = cpu_seconds() - start;
    if (best < 0 || seconds < best) best = seconds;
    *rows = array.count;
    *bytes = array.bytes;
    free_rows(&array);
  }
  sqlite3_finalize(select);
  sqlite3_close(store);
  return best;
}
