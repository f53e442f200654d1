#include "rows.h"
#include <lmdb.h>

static const char *const tag_names[] = {"swift", "reading-list"};

static MDB_env *open_store(const char *path) {
  MDB_env *store;
  mdb_env_create(&store);
  mdb_env_set_mapsize(store, 1UL << 34);
  mdb_env_set_maxdbs(store, 128);
  if (mdb_env_open(store, path, MDB_NOSUBDIR | MDB_NOTLS, 0600)) return NULL;
  return store;
}

static unsigned char *put_double(unsigned char *to, unsigned char tag, double value, int ordered) {
  unsigned long bits;
  memcpy(&bits, &value, 8);
  if (ordered) bits ^= 1UL << 63; // dates after 1970 only
  bits = __builtin_bswap64(bits);
  *to++ = tag;
  memcpy(to, &bits, 8);
  return to + 8;
}

static unsigned char *put_text(unsigned char *to, const char *text, int length) {
  if (length < 32) *to++ = 0xa0 | length;
  else {
    *to++ = 0xd9;
    *to++ = length;
  }
  memcpy(to, text, length);
  return to + length;
}

static size_t encode(unsigned char *value, const floor_item *item) {
  unsigned char *to = value;
  *to++ = 0x96;
  *to++ = 0xc4;
  *to++ = 16;
  memcpy(to, item->id, 16);
  to = put_text(to + 16, item->text, item->text_length);
  if (item->title_length) to = put_text(to, item->title, item->title_length);
  else *to++ = 0xc0;
  *to++ = 0x90 | item->tag_count;
  for (int i = 0; i < item->tag_count; i++) to = put_text(to, tag_names[i], strlen(tag_names[i]));
  to = put_double(to, 0xcb, item->created, 0);
  to = put_double(to, 0xcb, item->created, 0);
  return to - value;
}

double floor_lmdb_insert(const char *path, const floor_item *items, int count) {
  MDB_env *store = open_store(path);
  if (!store) return -1;
  MDB_txn *transaction;
  MDB_dbi rows, by_date, by_key;
  double start = cpu_seconds();
  mdb_txn_begin(store, NULL, 0, &transaction);
  if (mdb_dbi_open(transaction, "item", 0, &rows) || mdb_dbi_open(transaction, "item.created_at", 0, &by_date) ||
      mdb_dbi_open(transaction, "item.duplicate_key", 0, &by_key))
    return -1;
  for (int i = 0; i < count; i++) {
    const floor_item *item = &items[i];
    unsigned char value[256], date[32], key[128];
    MDB_val k = {16, (void *)item->id}, v = {encode(value, item), value}, none = {0, ""};
    if (mdb_put(transaction, rows, &k, &v, MDB_NOOVERWRITE)) return -1;
    unsigned char *end = put_double(date, 0x21, item->created, 1);
    *end++ = 0x30;
    memcpy(end, item->id, 16);
    MDB_val date_key = {end + 16 - date, date};
    if (mdb_put(transaction, by_date, &date_key, &none, 0)) return -1;
    key[0] = 0x02;
    memcpy(key + 1, item->text, item->text_length);
    end = key + 1 + item->text_length;
    *end++ = 0;
    *end++ = 0x30;
    memcpy(end, item->id, 16);
    MDB_val text_key = {end + 16 - key, key};
    if (mdb_put(transaction, by_key, &text_key, &none, 0)) return -1;
  }
  if (mdb_txn_commit(transaction)) return -1;
  double seconds = cpu_seconds() - start;
  mdb_env_close(store);
  return seconds;
}

static double get_double(const unsigned char *from) {
  unsigned long bits;
  memcpy(&bits, from, 8);
  bits = __builtin_bswap64(bits);
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

static const unsigned char *get_text(const unsigned char *from, char **text, int *length) {
  if (*from == 0xd9) {
    *length = from[1];
    from += 2;
  } else {
    *length = *from & 31;
    from += 1;
  }
  *text = copied(from, *length);
  return from + *length;
}

static void decode(row *into, const unsigned char *from, long *bytes) {
  int length;
  memcpy(into->id, from + 3, 16);
  from = get_text(from + 19, &into->text, &length);
  *bytes += length;
  if (*from == 0xc0) {
    into->title = NULL;
    from++;
  } else from = get_text(from, &into->title, &length);
  into->tag_count = *from++ & 15;
  for (int i = 0; i < into->tag_count; i++) from = get_text(from, &into->tags[i], &length);
  into->created = get_double(from + 1);
  into->updated = get_double(from + 10);
}

double floor_lmdb_fetch(const char *path, int limit, int with_cursor, long *rows, long *bytes) {
  MDB_env *store = open_store(path);
  if (!store) return -1;
  MDB_txn *transaction;
  MDB_dbi items, by_date;
  MDB_cursor *index, *item;
  double best = -1;
  for (int round = 0; round < 2; round++) {
    row_array array = {0};
    double start = cpu_seconds();
    mdb_txn_begin(store, NULL, MDB_RDONLY, &transaction);
    if (mdb_dbi_open(transaction, "item", 0, &items) || mdb_dbi_open(transaction, "item.created_at", 0, &by_date))
      return -1;
    mdb_cursor_open(transaction, by_date, &index);
    mdb_cursor_open(transaction, items, &item);
    MDB_val key, none, id, value;
    int result = mdb_cursor_get(index, &key, &none, MDB_LAST);
    while (!result && (limit < 0 || array.count < limit)) {
      id.mv_size = 16;
      id.mv_data = (char *)key.mv_data + key.mv_size - 16;
      if (with_cursor ? mdb_cursor_get(item, &id, &value, MDB_SET_KEY) : mdb_get(transaction, items, &id, &value))
        return -1;
      decode(next_row(&array), value.mv_data, &array.bytes);
      result = mdb_cursor_get(index, &key, &none, MDB_PREV);
    }
    mdb_cursor_close(index);
    mdb_cursor_close(item);
    mdb_txn_abort(transaction);
    double seconds = cpu_seconds() - start;
    if (best < 0 || seconds < best) best = seconds;
    *rows = array.count;
    *bytes = array.bytes;
    free_rows(&array);
  }
  mdb_env_close(store);
  return best;
}
