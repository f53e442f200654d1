#include "LMDBFloor.h"

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

static size_t created_at_key(const floor_item *item, unsigned char *key) {
  return end_key(key, put_date(key, item->created_at), item);
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

enum { kind_insert, kind_update, kind_delete };

/* The entry of a change, with the row before it unless it is an insert. */
static int note(writing *writing, int kind, const floor_item *item, const MDB_val *old) {
  unsigned char change[64 + row_size_max], key[8], *end = change;
  put_bits(key, ++writing->sequence);
  *end++ = 0x94;
  end = put_text(end, "item", 4);
  *end++ = 0xc4;
  *end++ = id_size;
  end = put_bytes(end, item->id, id_size);
  *end++ = kind;
  if (old && old->mv_size < 256) {
    *end++ = 0xc4;
    *end++ = old->mv_size;
    end = put_bytes(end, old->mv_data, old->mv_size);
  } else {
    *end++ = 0xc0;
  }
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
  if (!result) result = note(writing, kind_insert, item, NULL);
  return result;
}

/* Puts the rows' cursor on an item. */
static int find_old(writing *writing, const floor_item *item, MDB_val *old) {
  MDB_val key = {id_size, (void *)item->id};
  return mdb_cursor_get(writing->rows, &key, old, MDB_SET_KEY);
}

/* Title and time of the change: no index is touched. */
static int update_item(writing *writing, const floor_item *item) {
  unsigned char row[row_size_max];
  MDB_val old;
  int result = find_old(writing, item, &old);
  if (!result) result = note(writing, kind_update, item, &old);
  if (!result) result = put(writing, writing->rows, item->id, id_size, row, encode_row(item, row), 0);
  return result;
}

static int remove_key(writing *writing, MDB_cursor *index, unsigned char *key, size_t size) {
  MDB_val value = {size, key};
  return mdb_del(writing->transaction, mdb_cursor_dbi(index), &value, NULL);
}

static int delete_item(writing *writing, const floor_item *item) {
  unsigned char key[key_size_max];
  MDB_val old;
  int result = find_old(writing, item, &old);
  if (!result) result = note(writing, kind_delete, item, &old);
  if (!result) result = mdb_cursor_del(writing->rows, 0);
  if (!result) result = remove_key(writing, writing->by_created_at, key, created_at_key(item, key));
  if (!result) result = remove_key(writing, writing->by_duplicate_key, key, duplicate_key_key(item, key));
  return result;
}

/* The engine's rule: at each 64th sequence whole transactions go, the oldest first, as long as there are more changes
 * than a history keeps, and no more than twice as many as were added. */
static int trim(floor_lmdb *floor, writing *writing, int64_t before) {
  if (writing->sequence / 64 == before / 64) return 0;
  MDB_cursor *transactions;
  MDB_stat history;
  int result = mdb_stat(writing->transaction, floor->history, &history);
  if (!result) result = mdb_cursor_open(writing->transaction, floor->transactions, &transactions);
  if (result) return result;
  int64_t left = history.ms_entries, trimmed = 0;
  MDB_val key, value;
  while (left > 100000 && trimmed < 2 * (writing->sequence - before) + 64) {
    result = mdb_cursor_get(transactions, &key, &value, MDB_FIRST);
    if (result || sequence_of(&key) >= writing->sequence) break;
    int64_t last = sequence_of(&key);
    result = mdb_cursor_del(transactions, 0);
    MDB_val change;
    while (!result && !mdb_cursor_get(writing->history, &key, &change, MDB_FIRST) && sequence_of(&key) <= last) {
      result = mdb_cursor_del(writing->history, 0);
      left--, trimmed++;
    }
    if (result) break;
  }
  mdb_cursor_close(transactions);
  return result == MDB_NOTFOUND ? 0 : result;
}

/* What a transaction does with each item. */
typedef int (*change)(writing *writing, const floor_item *item);

static int write_items(
    floor_lmdb *floor, change change, floor_access access, const floor_item *items, size_t count) {
  writing writing = {.access = access};
  int result = mdb_txn_begin(floor->environment, NULL, 0, &writing.transaction);
  if (result) return result;
  result = mdb_cursor_open(writing.transaction, floor->rows, &writing.rows);
  if (!result) result = mdb_cursor_open(writing.transaction, floor->by_created_at, &writing.by_created_at);
  if (!result) result = mdb_cursor_open(writing.transaction, floor->by_duplicate_key, &writing.by_duplicate_key);
  if (!result) result = mdb_cursor_open(writing.transaction, floor->history, &writing.history);
  if (!result) result = last_sequence(writing.history, &writing.sequence);
  int64_t before = writing.sequence;
  for (size_t index = 0; !result && index < count; index++) result = change(&writing, &items[index]);
  if (!result) result = put_transaction(floor, &writing);
  if (!result) result = trim(floor, &writing, before);
  /* Ending a transaction that writes closes its cursors. */
  if (!result) return mdb_txn_commit(writing.transaction);
  mdb_txn_abort(writing.transaction);
  return result;
}

int floor_lmdb_insert(floor_lmdb *floor, floor_access access, const floor_item *items, size_t count) {
  return write_items(floor, insert_item, access, items, count);
}

int floor_lmdb_update(floor_lmdb *floor, const floor_item *items, size_t count) {
  return write_items(floor, update_item, floor_by_cursor, items, count);
}

int floor_lmdb_delete(floor_lmdb *floor, const floor_item *items, size_t count) {
  return write_items(floor, delete_item, floor_by_cursor, items, count);
}
