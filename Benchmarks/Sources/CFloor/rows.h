#pragma once
#include "floor.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

typedef struct {
  unsigned char id[16];
  char *text, *title, *tags[8];
  int tag_count;
  double created, updated;
} row;

typedef struct {
  row *rows;
  long count, capacity, bytes;
} row_array;

static inline char *copied(const void *bytes, size_t count) {
  char *copy = malloc(count + 1);
  memcpy(copy, bytes, count);
  copy[count] = 0;
  return copy;
}

static inline row *next_row(row_array *array) {
  if (array->count == array->capacity) {
    array->capacity = array->capacity ? array->capacity * 2 : 16;
    array->rows = realloc(array->rows, sizeof(row) * array->capacity);
  }
  return &array->rows[array->count++];
}

static inline void free_rows(row_array *array) {
  for (long i = 0; i < array->count; i++) {
    free(array->rows[i].text);
    free(array->rows[i].title);
    for (int k = 0; k < array->rows[i].tag_count; k++) free(array->rows[i].tags[k]);
  }
  free(array->rows);
}
