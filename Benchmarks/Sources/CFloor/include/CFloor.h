#pragma once
#include <stddef.h>
#include <stdint.h>

/* The floors: what a C program would do in place of the engines, against the same files.
 *
 * Every function returns 0, or the library's result code. Nothing here is made for more than one thread. The data is the
 * benchmark's own: texts without NUL, tags without characters that JSON escapes, keys short enough for LMDB.
 */

/* An item, each text in memory of its own and ended by NUL. */
typedef struct {
  unsigned char id[16];
  char *text;
  size_t text_size;
  char *title; /* NULL if there is none */
  size_t title_size;
  char **tags;
  size_t tag_count;
  double created_at;
  double updated_at;
  char *duplicate_key; /* only of items that are to be inserted */
  size_t duplicate_key_size;
} floor_item;

/* A growing array. All zero is an empty one. */
typedef struct {
  floor_item *items;
  size_t count;
  size_t capacity;
} floor_list;

/* A new item at the end of the list, all zero. */
floor_item *floor_list_add(floor_list *list);
/* Frees the items and all they hold; the list is empty then. */
void floor_list_clear(floor_list *list);
/* A copy of `size` bytes, ended by NUL. */
char *floor_copy(const void *bytes, size_t size);

/* MARK: SQLite */

typedef struct floor_sqlite floor_sqlite;

/* Opens a store that the engine has made. */
int floor_sqlite_open(const char *path, floor_sqlite **floor);
void floor_sqlite_close(floor_sqlite *floor);
/* Inserts items in one durable transaction. */
int floor_sqlite_insert(floor_sqlite *floor, const floor_item *items, size_t count);
/* Sets title and time of change, in one durable transaction. */
int floor_sqlite_update(floor_sqlite *floor, const floor_item *items, size_t count);
/* Deletes in one durable transaction. */
int floor_sqlite_delete(floor_sqlite *floor, const floor_item *items, size_t count);
/* The newest items, newest first; all if `limit` is negative. */
int floor_sqlite_newest(floor_sqlite *floor, long limit, floor_list *list);
/* The items that have these bytes in text, title or tags, newest first. */
int floor_sqlite_search(floor_sqlite *floor, const char *word, floor_list *list);

/* The item of an id, if there is one. */
int floor_sqlite_lookup(floor_sqlite *floor, const unsigned char id[16], floor_list *list);
/* The items made at or after one time and before another, newest first. */
int floor_sqlite_range(floor_sqlite *floor, double from, double until, floor_list *list);
/* The items with this title, by looking at each row. */
int floor_sqlite_titled(floor_sqlite *floor, const char *title, floor_list *list);
int floor_sqlite_count(floor_sqlite *floor, long *count);
int floor_sqlite_count_range(floor_sqlite *floor, double from, double until, long *count);

/* MARK: LMDB */

typedef struct floor_lmdb floor_lmdb;

/* How the place of a key is found. */
typedef enum {
  floor_from_root, /* mdb_get and mdb_put: from the root of the tree, each time */
  floor_by_cursor  /* a cursor for each database, kept for the transaction, which looks in its page first */
} floor_access;

int floor_lmdb_open(const char *path, floor_lmdb **floor);
void floor_lmdb_close(floor_lmdb *floor);
int floor_lmdb_insert(floor_lmdb *floor, floor_access access, const floor_item *items, size_t count);
int floor_lmdb_newest(floor_lmdb *floor, floor_access access, long limit, floor_list *list);
int floor_lmdb_search(floor_lmdb *floor, const char *word, floor_list *list);
/* By cursors, where there are any. */
int floor_lmdb_update(floor_lmdb *floor, const floor_item *items, size_t count);
int floor_lmdb_delete(floor_lmdb *floor, const floor_item *items, size_t count);
int floor_lmdb_lookup(floor_lmdb *floor, const unsigned char id[16], floor_list *list);
int floor_lmdb_range(floor_lmdb *floor, double from, double until, floor_list *list);
int floor_lmdb_titled(floor_lmdb *floor, const char *title, floor_list *list);
int floor_lmdb_count(floor_lmdb *floor, long *count);
int floor_lmdb_count_range(floor_lmdb *floor, double from, double until, long *count);

/* MARK: Observing */

/* Nanoseconds on the monotonic clock, which all processes share. */
int64_t floor_now(void);

/* When this process last began to tell others of a commit: on that clock; 0 if it never has. */
int64_t floor_last_touch(void);

/* Looks into a store after a wake-up: puts the items that are new, or all of its window, into the list. */
typedef int (*floor_check)(void *store, floor_list *list);

/* Waits for the touch of the notify file, checks, and notes when each of the writer's `count` items was first seen.
 * `seen` is all zero. Ends when all were. */
int floor_observe(const char *notify_path, long count, int64_t *seen, floor_check check, void *store);

/* The newest 50, queried again. */
int floor_sqlite_check_window(void *store, floor_list *list);
int floor_lmdb_check_window(void *store, floor_list *list);
/* The rows that the history names since the last check. The first check names none. */
int floor_sqlite_check_history(void *store, floor_list *list);
int floor_lmdb_check_history(void *store, floor_list *list);

/* MARK: Processes */

/* What a run of a program took: nanoseconds from before it was started. */
typedef struct {
  int64_t first_output; /* to the first byte that it printed; to its end if it printed nothing */
  int64_t end;          /* until it had been waited for */
  int status;           /* as waitpid gives it */
} floor_run;

/* Runs a program, reads what it prints, and waits for it. */
int floor_run_program(char *const argv[], char *const environment[], floor_run *run);
/* The most memory that a run of a program had, in KiB; what `getrusage` tells begins with that of the program that
 * started it. Its output is thrown away. Negative if it cannot be told. */
long floor_peak_memory(char *const argv[], char *const environment[]);
