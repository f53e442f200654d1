#pragma once
#include "CFloor.h"

#include <sqlite3.h>

/* One connection writes and another reads, as in the engine, with its pragmas and its rule for checkpoints. */
struct floor_sqlite {
  sqlite3 *writer;
  sqlite3_stmt *begin_writing, *commit, *insert, *update, *delete_item;
  sqlite3_stmt *head, *close_transaction, *transactions, *trim_history, *trim_transactions;
  sqlite3 *reader;
  sqlite3_stmt *begin_reading, *end_reading, *newest, *range, *titled, *count, *count_range, *changes, *row, *last_change;
  /* The last sequence that a check has seen; -1 before the first. */
  sqlite3_int64 seen;
  int wal_frames;
  int checkpoint_attempted_at;
};

/* Runs a statement without rows. */
static inline int floor_sqlite_run(sqlite3_stmt *statement) {
  sqlite3_step(statement);
  return sqlite3_reset(statement);
}

/* The last sequence of the history; 0 if it is empty. */
static inline sqlite3_int64 floor_sqlite_head(floor_sqlite *floor) {
  sqlite3_step(floor->head);
  sqlite3_int64 last = sqlite3_column_int64(floor->head, 0);
  sqlite3_reset(floor->head);
  return last;
}
