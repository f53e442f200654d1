#include "LMDBFloor.h"

#include <stdlib.h>

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
