#define _GNU_SOURCE
#include "SQLiteFloor.h"

#include <stdlib.h>
#include <string.h>


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

/* Reads the rows of a statement whose parameters are bound. */
static int copy_rows(sqlite3_stmt *statement, const char *word, floor_list *list) {
  size_t size = word ? strlen(word) : 0;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (!word || has_word(statement, word, size)) copy_row(statement, floor_list_add(list));
  }
  return sqlite3_reset(statement);
}

/* The same, in a transaction of its own. */
static int read_rows(floor_sqlite *floor, sqlite3_stmt *statement, const char *word, floor_list *list) {
  int result = floor_sqlite_run(floor->begin_reading);
  if (result) return result;
  result = copy_rows(statement, word, list);
  int ended = floor_sqlite_run(floor->end_reading);
  return result ? result : ended;
}

int floor_sqlite_newest(floor_sqlite *floor, long limit, floor_list *list) {
  sqlite3_bind_int64(floor->newest, 1, limit);
  return read_rows(floor, floor->newest, NULL, list);
}

int floor_sqlite_search(floor_sqlite *floor, const char *word, floor_list *list) {
  sqlite3_bind_int64(floor->newest, 1, -1);
  return read_rows(floor, floor->newest, word, list);
}

int floor_sqlite_lookup(floor_sqlite *floor, const unsigned char id[16], floor_list *list) {
  sqlite3_bind_blob(floor->row, 1, id, 16, SQLITE_STATIC);
  return read_rows(floor, floor->row, NULL, list);
}

int floor_sqlite_range(floor_sqlite *floor, double from, double until, floor_list *list) {
  sqlite3_bind_double(floor->range, 1, from);
  sqlite3_bind_double(floor->range, 2, until);
  return read_rows(floor, floor->range, NULL, list);
}

int floor_sqlite_titled(floor_sqlite *floor, const char *title, floor_list *list) {
  sqlite3_bind_text(floor->titled, 1, title, -1, SQLITE_STATIC);
  return read_rows(floor, floor->titled, NULL, list);
}

/* MARK: Counting */

static int read_count(floor_sqlite *floor, sqlite3_stmt *statement, long *count) {
  int result = floor_sqlite_run(floor->begin_reading);
  if (result) return result;
  if (sqlite3_step(statement) == SQLITE_ROW) *count = sqlite3_column_int64(statement, 0);
  result = sqlite3_reset(statement);
  int ended = floor_sqlite_run(floor->end_reading);
  return result ? result : ended;
}

int floor_sqlite_count(floor_sqlite *floor, long *count) { return read_count(floor, floor->count, count); }

int floor_sqlite_count_range(floor_sqlite *floor, double from, double until, long *count) {
  sqlite3_bind_double(floor->count_range, 1, from);
  sqlite3_bind_double(floor->count_range, 2, until);
  return read_count(floor, floor->count_range, count);
}

/* MARK: Observing */

/* The window, and where the history stands in the same snapshot: who knows only the rows does not know of when they are. */
int floor_sqlite_check_window(void *store, floor_list *list) {
  floor_sqlite *floor = store;
  int result = floor_sqlite_run(floor->begin_reading);
  if (result) return result;
  if (sqlite3_step(floor->last_change) == SQLITE_ROW) floor->seen = sqlite3_column_int64(floor->last_change, 0);
  result = sqlite3_reset(floor->last_change);
  sqlite3_bind_int64(floor->newest, 1, 50);
  if (!result) result = copy_rows(floor->newest, NULL, list);
  int ended = floor_sqlite_run(floor->end_reading);
  return result ? result : ended;
}

static int copy_changed(floor_sqlite *floor, floor_list *list) {
  sqlite3_bind_blob(floor->row, 1, sqlite3_column_blob(floor->changes, 1), 16, SQLITE_STATIC);
  if (sqlite3_step(floor->row) == SQLITE_ROW) copy_row(floor->row, floor_list_add(list));
  return sqlite3_reset(floor->row);
}

int floor_sqlite_check_history(void *store, floor_list *list) {
  floor_sqlite *floor = store;
  if (floor->seen < 0) {
    floor->seen = floor_sqlite_head(floor);
    return SQLITE_OK;
  }
  int result = floor_sqlite_run(floor->begin_reading);
  if (result) return result;
  sqlite3_bind_int64(floor->changes, 1, floor->seen);
  while (!result && sqlite3_step(floor->changes) == SQLITE_ROW) {
    floor->seen = sqlite3_column_int64(floor->changes, 0);
    result = copy_changed(floor, list);
  }
  int reset = sqlite3_reset(floor->changes);
  int ended = floor_sqlite_run(floor->end_reading);
  return result ? result : reset ? reset : ended;
}
