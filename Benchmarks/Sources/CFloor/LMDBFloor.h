#pragma once
#include "CFloor.h"

#include <lmdb.h>
#include <stdint.h>
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

/* Each of these writes behind `end` and returns the new end. */

static inline unsigned char *put_bytes(unsigned char *end, const void *bytes, size_t size) {
  memcpy(end, bytes, size);
  return end + size;
}

static inline unsigned char *put_bits(unsigned char *end, uint64_t bits) {
  bits = __builtin_bswap64(bits);
  return put_bytes(end, &bits, sizeof bits);
}

static inline uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* The sequence that a key of the history is. */
static inline int64_t sequence_of(const MDB_val *key) {
  uint64_t bits;
  memcpy(&bits, key->mv_data, sizeof bits);
  return __builtin_bswap64(bits);
}

/* Of a date since 1970: a clear sign bit is flipped. */
static inline unsigned char *put_date(unsigned char *end, double date) {
  *end++ = 0x21;
  return put_bits(end, bits_of(date) ^ (uint64_t)1 << 63);
}

/* The last sequence of the history; 0 if it is empty. */
static inline int last_sequence(MDB_cursor *history, int64_t *sequence) {
  MDB_val key, value;
  int result = mdb_cursor_get(history, &key, &value, MDB_LAST);
  *sequence = 0;
  if (result) return result == MDB_NOTFOUND ? 0 : result;
  *sequence = sequence_of(&key);
  return 0;
}
