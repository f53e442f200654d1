#pragma once

/// The least that the work costs: C loops over the engines' own calls, on stores that saver has made.
/// Times are seconds of the calling thread's CPU; negative: it failed.

typedef struct {
  unsigned char id[16];
  char text[64];
  int text_length;
  char title[32];
  int title_length; // 0: no title
  int tag_count;    // the first so many of "swift", "reading-list"
  double created;
} floor_item;

/// Inserts in one transaction.
double floor_sqlite_insert(const char *path, const floor_item *items, int count);
double floor_lmdb_insert(const char *path, const floor_item *items, int count);

/// Fetches the newest `limit` (all if negative), newest first; copies every text, one malloc each, into a growing array.
/// Puts the number of rows and the sum of the texts' lengths where the pointers say.
double floor_sqlite_fetch(const char *path, int limit, long *rows, long *bytes);
double floor_lmdb_fetch(const char *path, int limit, int with_cursor, long *rows, long *bytes);
