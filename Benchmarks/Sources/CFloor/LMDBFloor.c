#define _GNU_SOURCE
#include "CFloor.h"

#include <lmdb.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The databases of Documentation/LMDB-Format.md: rows by id, two indexes whose keys end with the id, and the history by
 * sequence. */
struct floor_lmdb {
  MDB_env *environment;
  MDB_dbi rows, by_created_at, by_duplicate_key, history, transactions;
  /* The last sequence that a check has seen; -1 before the first. */
  int64_t seen;
};

enum { id_size = 16, key_size_max = 511, row_size_max = 4096 };

/* MARK: Opening */

static int open_databases(floor_lmdb *floor) {
  MDB_txn *transaction;
  int result = mdb_txn_begin(floor->environment, NULL, 0, &transaction);
  if (result) return result;
  result = mdb_dbi_open(transaction, "item", 0, &floor->rows);
  if (!result) result = mdb_dbi_open(transaction, "item.created_at", 0, &floor->by_created_at);
  if (!result) result = mdb_dbi_open(transaction, "item.duplicate_key", 0, &floor->by_duplicate_key);
  if (!result) result = mdb_dbi_open(transaction, "history", 0, &floor->history);
  if (!result) result = mdb_dbi_open(transaction, "transactions", 0, &floor->transactions);
  if (!result) return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return result;
}

int floor_lmdb_open(const char *path, floor_lmdb **opened) {
  floor_lmdb *floor = *opened = calloc(1, sizeof *floor);
  floor->seen = -1;
  int result = mdb_env_create(&floor->environment);
  if (result) return result;
  mdb_env_set_maxreaders(floor->environment, 1024);
  mdb_env_set_maxdbs(floor->environment, 128);
  mdb_env_set_mapsize(floor->environment, (size_t)64 << 30);
  result = mdb_env_open(floor->environment, path, MDB_NOSUBDIR | MDB_NOTLS, 0600);
  return result ? result : open_databases(floor);
}

void floor_lmdb_close(floor_lmdb *floor) {
  mdb_env_close(floor->environment);
  free(floor);
}

/* MARK: Writing */

static unsigned char *put_bytes(unsigned char *end, const void *bytes, size_t size) {
  memcpy(end, bytes, size);
  return end + size;
}

static unsigned char *put_bits(unsigned char *end, uint64_t bits) {
  bits = __builtin_bswap64(bits);
  return put_bytes(end, &bits, sizeof bits);
}

static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* MessagePack. */
static unsigned char *put_text(unsigned char *end, const char *text, size_t size) {
  if (size < 32) {
    *end++ = 0xa0 | size;
  } else {
    *end++ = 0xd9;
    *end++ = size;
  }
  return put_bytes(end, text, size);
}

static unsigned char *put_double(unsigned char *end, double number) {
  *end++ = 0xcb;
  return put_bits(end, bits_of(number));
}

static size_t encode_row(const floor_item *item, unsigned char *row) {
  unsigned char *end = row;
  *end++ = 0x96;
  *end++ = 0xc4;
  *end++ = id_size;
  end = put_bytes(end, item->id, id_size);
  end = put_text(end, item->text, item->text_size);
  if (item->title) {
    end = put_text(end, item->title, item->title_size);
  } else {
    *end++ = 0xc0;
  }
  *end++ = 0x90 | item->tag_count;
  for (size_t tag = 0; tag < item->tag_count; tag++) end = put_text(end, item->tags[tag], strlen(item->tags[tag]));
  end = put_double(end, item->created_at);
  end = put_double(end, item->updated_at);
  return end - row;
}

static size_t end_key(unsigned char *key, unsigned char *end, const floor_item *item) {
  *end++ = 0x30;
  end = put_bytes(end, item->id, id_size);
  return end - key;
}

/* Of a date since 1970: a clear sign bit is flipped. */
static size_t created_at_key(const floor_item *item, unsigned char *key) {
  unsigned char *end = key;
  *end++ = 0x21;
  end = put_bits(end, bits_of(item->created_at) ^ (uint64_t)1 << 63);
  return end_key(key, end, item);
}

static size_t duplicate_key_key(const floor_item *item, unsigned char *key) {
  unsigned char *end = key;
  *end++ = 0x02;
  end = put_bytes(end, item->duplicate_key, item->duplicate_key_size);
  *end++ = 0;
  return end_key(key, end, item);
}

/* One transaction that writes, with its cursors. */
typedef struct {
  MDB_txn *transaction;
  MDB_cursor *rows, *by_created_at, *by_duplicate_key, *history;
  floor_access access;
  int64_t sequence;
} writing;

static int put(
    writing *writing, MDB_cursor *cursor, const void *key, size_t key_size, void *value, size_t value_size,
    unsigned flags) {
  MDB_val key_value = {key_size, (void *)key};
  MDB_val data = {value_size, value};
  return writing->access == floor_by_cursor
             ? mdb_cursor_put(cursor, &key_value, &data, flags)
             : mdb_put(writing->transaction, mdb_cursor_dbi(cursor), &key_value, &data, flags);
}

/* The last sequence of the history; 0 if it is empty. */
static int last_sequence(MDB_cursor *history, int64_t *sequence) {
  MDB_val key, value;
  int result = mdb_cursor_get(history, &key, &value, MDB_LAST);
  *sequence = 0;
  if (result) return result == MDB_NOTFOUND ? 0 : result;
  uint64_t bits;
  memcpy(&bits, key.mv_data, sizeof bits);
  *sequence = __builtin_bswap64(bits);
  return 0;
}

static int note_insert(writing *writing, const floor_item *item) {
  unsigned char change[64], key[8], *end = change;
  put_bits(key, ++writing->sequence);
  *end++ = 0x94;
  end = put_text(end, "item", 4);
  *end++ = 0xc4;
  *end++ = id_size;
  end = put_bytes(end, item->id, id_size);
  *end++ = 0;
  *end++ = 0xc0;
  return put(writing, writing->history, key, sizeof key, change, end - change, MDB_APPEND);
}

/* As long as the engine's; a floor's entries are read by nobody. */
static int put_transaction(floor_lmdb *floor, writing *writing) {
  unsigned char entry[110] = {0}, key[8];
  put_bits(key, writing->sequence);
  MDB_val key_value = {sizeof key, key}, value = {sizeof entry, entry};
  return mdb_put(writing->transaction, floor->transactions, &key_value, &value, 0);
}

static int insert_item(writing *writing, const floor_item *item) {
  unsigned char row[row_size_max], key[key_size_max];
  int result = put(writing, writing->rows, item->id, id_size, row, encode_row(item, row), MDB_NOOVERWRITE);
  if (!result) result = put(writing, writing->by_created_at, key, created_at_key(item, key), NULL, 0, 0);
  if (!result) result = put(writing, writing->by_duplicate_key, key, duplicate_key_key(item, key), NULL, 0, 0);
  if (!result) result = note_insert(writing, item);
  return result;
}

int floor_lmdb_insert(floor_lmdb *floor, floor_access access, const floor_item *items, size_t count) {
  writing writing = {.access = access};
  int result = mdb_txn_begin(floor->environment, NULL, 0, &writing.transaction);
  if (result) return result;
  result = mdb_cursor_open(writing.transaction, floor->rows, &writing.rows);
  if (!result) result = mdb_cursor_open(writing.transaction, floor->by_created_at, &writing.by_created_at);
  if (!result) result = mdb_cursor_open(writing.transaction, floor->by_duplicate_key, &writing.by_duplicate_key);
  if (!result) result = mdb_cursor_open(writing.transaction, floor->history, &writing.history);
  if (!result) result = last_sequence(writing.history, &writing.sequence);
  for (size_t index = 0; !result && index < count; index++) result = insert_item(&writing, &items[index]);
  if (!result) result = put_transaction(floor, &writing);
  /* Ending a transaction that writes closes its cursors. */
  if (!result) return mdb_txn_commit(writing.transaction);
  mdb_txn_abort(writing.transaction);
  return result;
}

/* MARK: Reading */

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

/* What one walk needs. */
typedef struct {
  MDB_txn *transaction;
  MDB_dbi database;
  MDB_cursor *index, *rows;
  floor_access access;
} walk;

static int find_row(walk *walk, const MDB_val *index_key, MDB_val *row) {
  MDB_val id = {id_size, (char *)index_key->mv_data + index_key->mv_size - id_size};
  return walk->access == floor_from_root ? mdb_get(walk->transaction, walk->database, &id, row)
                                          : mdb_cursor_get(walk->rows, &id, row, MDB_SET_KEY);
}

static int walk_newest(walk *walk, long limit, const char *word, floor_list *list) {
  size_t size = word ? strlen(word) : 0;
  MDB_val key, nothing, row;
  int result = mdb_cursor_get(walk->index, &key, &nothing, MDB_LAST);
  for (long left = limit; !result && left != 0; left--) {
    result = find_row(walk, &key, &row);
    if (result) return result;
    if (!word || has_word(&row, word, size)) copy_row(&row, floor_list_add(list));
    result = mdb_cursor_get(walk->index, &key, &nothing, MDB_PREV);
  }
  return result == MDB_NOTFOUND ? 0 : result;
}

static int read_rows(floor_lmdb *floor, floor_access access, long limit, const char *word, floor_list *list) {
  walk walk = {.database = floor->rows, .access = access};
  int result = mdb_txn_begin(floor->environment, NULL, MDB_RDONLY, &walk.transaction);
  if (result) return result;
  result = mdb_cursor_open(walk.transaction, floor->by_created_at, &walk.index);
  if (!result) result = mdb_cursor_open(walk.transaction, floor->rows, &walk.rows);
  if (!result) result = walk_newest(&walk, limit, word, list);
  if (walk.rows) mdb_cursor_close(walk.rows);
  if (walk.index) mdb_cursor_close(walk.index);
  mdb_txn_abort(walk.transaction);
  return result;
}

int floor_lmdb_newest(floor_lmdb *floor, floor_access access, long limit, floor_list *list) {
  return read_rows(floor, access, limit, NULL, list);
}

int floor_lmdb_search(floor_lmdb *floor, const char *word, floor_list *list) {
  return read_rows(floor, floor_by_cursor, -1, word, list);
}

/* MARK: Observing */

int floor_lmdb_check_window(void *store, floor_list *list) {
  return floor_lmdb_newest(store, floor_by_cursor, 50, list);
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
    uint64_t bits;
    memcpy(&bits, key.mv_data, sizeof bits);
    floor->seen = __builtin_bswap64(bits);
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
