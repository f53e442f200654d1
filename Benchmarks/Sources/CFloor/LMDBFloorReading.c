#define _GNU_SOURCE
#include "LMDBFloor.h"

#include <stdlib.h>


/* A place in a row. */
typedef const unsigned char *place;

/* Reads the head of a text, and moves behind it. */
static size_t text_size(place *at) {
  unsigned char head = *(*at)++;
  return head == 0xd9 ? *(*at)++ : head & 31;
}

static char *copy_text(place *at, size_t *size) {
  *size = text_size(at);
  char *copy = floor_copy(*at, *size);
  *at += *size;
  return copy;
}

static double read_double(place *at) {
  uint64_t bits;
  memcpy(&bits, *at + 1, sizeof bits);
  *at += 1 + sizeof bits;
  bits = __builtin_bswap64(bits);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static void copy_row(const MDB_val *row, floor_item *item) {
  place at = (place)row->mv_data + 3;
  memcpy(item->id, at, id_size);
  at += id_size;
  item->text = copy_text(&at, &item->text_size);
  if (*at == 0xc0) {
    at++;
  } else {
    item->title = copy_text(&at, &item->title_size);
  }
  item->tag_count = *at++ & 15;
  if (item->tag_count > 0) item->tags = malloc(item->tag_count * sizeof *item->tags);
  for (size_t tag = 0; tag < item->tag_count; tag++) {
    size_t size;
    item->tags[tag] = copy_text(&at, &size);
  }
  item->created_at = read_double(&at);
  item->updated_at = read_double(&at);
}

static int next_text_has(place *at, const char *word, size_t size) {
  size_t text = text_size(at);
  int has = memmem(*at, text, word, size) != NULL;
  *at += text;
  return has;
}

static int has_word(const MDB_val *row, const char *word, size_t size) {
  place at = (place)row->mv_data + 3 + id_size;
  if (next_text_has(&at, word, size)) return 1;
  if (*at == 0xc0) {
    at++;
  } else if (next_text_has(&at, word, size)) {
    return 1;
  }
  size_t tags = *at++ & 15;
  while (tags-- > 0) {
    if (next_text_has(&at, word, size)) return 1;
  }
  return 0;
}

/* What one walk down the index of the times needs. */
typedef struct {
  MDB_txn *transaction;
  MDB_dbi database;
  MDB_cursor *index, *rows;
  floor_access access;
} walk;

static int begin_walk(floor_lmdb *floor, walk *walk) {
  walk->database = floor->rows;
  int result = mdb_txn_begin(floor->environment, NULL, MDB_RDONLY, &walk->transaction);
  if (!result) result = mdb_cursor_open(walk->transaction, floor->by_created_at, &walk->index);
  if (!result) result = mdb_cursor_open(walk->transaction, floor->rows, &walk->rows);
  return result;
}

static int end_walk(walk *walk, int result) {
  if (walk->rows) mdb_cursor_close(walk->rows);
  if (walk->index) mdb_cursor_close(walk->index);
  if (walk->transaction) mdb_txn_abort(walk->transaction);
  return result == MDB_NOTFOUND ? 0 : result;
}

static int find_row(walk *walk, const MDB_val *index_key, MDB_val *row) {
  MDB_val id = {id_size, (char *)index_key->mv_data + index_key->mv_size - id_size};
  return walk->access == floor_from_root ? mdb_get(walk->transaction, walk->database, &id, row)
                                          : mdb_cursor_get(walk->rows, &id, row, MDB_SET_KEY);
}

/* Copies the newest rows, from the last of the index on. */
static int copy_rows(walk *walk, long limit, const char *word, floor_list *list) {
  size_t size = word ? strlen(word) : 0;
  MDB_val key, nothing, row;
  int result = mdb_cursor_get(walk->index, &key, &nothing, MDB_LAST);
  for (long left = limit; !result && left != 0; left--) {
    result = find_row(walk, &key, &row);
    if (result) break;
    if (!word || has_word(&row, word, size)) copy_row(&row, floor_list_add(list));
    result = mdb_cursor_get(walk->index, &key, &nothing, MDB_PREV);
  }
  return result;
}

static int read_rows(floor_lmdb *floor, floor_access access, long limit, const char *word, floor_list *list) {
  walk walk = {.access = access};
  int result = begin_walk(floor, &walk);
  if (!result) result = copy_rows(&walk, limit, word, list);
  return end_walk(&walk, result);
}

int floor_lmdb_newest(floor_lmdb *floor, floor_access access, long limit, floor_list *list) {
  return read_rows(floor, access, limit, NULL, list);
}

int floor_lmdb_search(floor_lmdb *floor, const char *word, floor_list *list) {
  return read_rows(floor, floor_by_cursor, -1, word, list);
}

int floor_lmdb_lookup(floor_lmdb *floor, const unsigned char id[16], floor_list *list) {
  MDB_txn *transaction;
  int result = mdb_txn_begin(floor->environment, NULL, MDB_RDONLY, &transaction);
  if (result) return result;
  MDB_val key = {id_size, (void *)id}, row;
  result = mdb_get(transaction, floor->rows, &key, &row);
  if (!result) copy_row(&row, floor_list_add(list));
  mdb_txn_abort(transaction);
  return result == MDB_NOTFOUND ? 0 : result;
}

/* Puts the index's cursor on the last key below a time. */
static int seek_below(walk *walk, double time, MDB_val *key) {
  unsigned char bytes[9];
  MDB_val nothing;
  put_date(bytes, time);
  *key = (MDB_val){sizeof bytes, bytes};
  int result = mdb_cursor_get(walk->index, key, &nothing, MDB_SET_RANGE);
  if (result == MDB_NOTFOUND) return mdb_cursor_get(walk->index, key, &nothing, MDB_LAST);
  return result ? result : mdb_cursor_get(walk->index, key, &nothing, MDB_PREV);
}

/* Walks down from a time to another; copies the rows, or counts them if there is no list. */
static int walk_range(floor_lmdb *floor, double from, double until, floor_list *list, long *count) {
  walk walk = {.access = floor_by_cursor};
  unsigned char end[9];
  put_date(end, from);
  MDB_val key, nothing, row;
  int result = begin_walk(floor, &walk);
  if (!result) result = seek_below(&walk, until, &key);
  while (!result && memcmp(key.mv_data, end, sizeof end) >= 0) {
    ++*count;
    if (list) {
      result = find_row(&walk, &key, &row);
      if (result) break;
      copy_row(&row, floor_list_add(list));
    }
    result = mdb_cursor_get(walk.index, &key, &nothing, MDB_PREV);
  }
  return end_walk(&walk, result);
}

int floor_lmdb_range(floor_lmdb *floor, double from, double until, floor_list *list) {
  long count = 0;
  return walk_range(floor, from, until, list, &count);
}

int floor_lmdb_count_range(floor_lmdb *floor, double from, double until, long *count) {
  *count = 0;
  return walk_range(floor, from, until, NULL, count);
}

int floor_lmdb_count(floor_lmdb *floor, long *count) {
  MDB_txn *transaction;
  MDB_stat rows;
  int result = mdb_txn_begin(floor->environment, NULL, MDB_RDONLY, &transaction);
  if (result) return result;
  result = mdb_stat(transaction, floor->rows, &rows);
  if (!result) *count = rows.ms_entries;
  mdb_txn_abort(transaction);
  return result;
}

/* Whether the title of a row is this one. */
static int is_titled(const MDB_val *row, const char *title, size_t size) {
  place at = (place)row->mv_data + 3 + id_size;
  size_t text = text_size(&at);
  at += text;
  if (*at == 0xc0) return 0;
  return text_size(&at) == size && memcmp(at, title, size) == 0;
}

/* In the order of the ids: the rows themselves. */
int floor_lmdb_titled(floor_lmdb *floor, const char *title, floor_list *list) {
  walk walk = {0};
  size_t size = strlen(title);
  MDB_val key, row;
  int result = begin_walk(floor, &walk);
  if (!result) result = mdb_cursor_get(walk.rows, &key, &row, MDB_FIRST);
  while (!result) {
    if (is_titled(&row, title, size)) copy_row(&row, floor_list_add(list));
    result = mdb_cursor_get(walk.rows, &key, &row, MDB_NEXT);
  }
  return end_walk(&walk, result);
}

/* MARK: Observing */

/* The window, and where the history stands in the same snapshot: who knows only the rows does not know of when they are. */
int floor_lmdb_check_window(void *store, floor_list *list) {
  floor_lmdb *floor = store;
  walk walk = {.access = floor_by_cursor};
  MDB_cursor *history = NULL;
  int result = begin_walk(floor, &walk);
  if (!result) result = mdb_cursor_open(walk.transaction, floor->history, &history);
  if (!result) result = last_sequence(history, &floor->seen);
  if (history) mdb_cursor_close(history);
  if (!result) result = copy_rows(&walk, 50, NULL, list);
  return end_walk(&walk, result);
}

/* The id stands behind the array's head, the type and the blob's head. */
static int copy_changed(floor_lmdb *floor, MDB_txn *transaction, const MDB_val *change, floor_list *list) {
  place at = (place)change->mv_data + 1;
  size_t type_size = text_size(&at);
  at += type_size + 2;
  MDB_val id = {id_size, (void *)at}, row;
  int result = mdb_get(transaction, floor->rows, &id, &row);
  if (!result) copy_row(&row, floor_list_add(list));
  return result == MDB_NOTFOUND ? 0 : result;
}

static int read_history(floor_lmdb *floor, MDB_txn *transaction, MDB_cursor *history, floor_list *list) {
  if (floor->seen < 0) return last_sequence(history, &floor->seen);
  unsigned char bytes[8];
  put_bits(bytes, floor->seen + 1);
  MDB_val key = {sizeof bytes, bytes}, change;
  int result = mdb_cursor_get(history, &key, &change, MDB_SET_RANGE);
  while (!result) {
    floor->seen = sequence_of(&key);
    result = copy_changed(floor, transaction, &change, list);
    if (!result) result = mdb_cursor_get(history, &key, &change, MDB_NEXT);
  }
  return result == MDB_NOTFOUND ? 0 : result;
}

int floor_lmdb_check_history(void *store, floor_list *list) {
  floor_lmdb *floor = store;
  MDB_txn *transaction;
  MDB_cursor *history = NULL;
  int result = mdb_txn_begin(floor->environment, NULL, MDB_RDONLY, &transaction);
  if (result) return result;
  result = mdb_cursor_open(transaction, floor->history, &history);
  if (!result) result = read_history(floor, transaction, history, list);
  if (history) mdb_cursor_close(history);
  mdb_txn_abort(transaction);
  return result;
}
