#include "CFloor.h"

#include <stdlib.h>
#include <string.h>

floor_item *floor_list_add(floor_list *list) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? list->capacity * 2 : 16;
    list->items = realloc(list->items, list->capacity * sizeof(floor_item));
  }
  floor_item *item = &list->items[list->count++];
  memset(item, 0, sizeof *item);
  return item;
}

void floor_list_clear(floor_list *list) {
  for (size_t index = 0; index < list->count; index++) {
    floor_item *item = &list->items[index];
    free(item->text);
    free(item->title);
    for (size_t tag = 0; tag < item->tag_count; tag++) free(item->tags[tag]);
    free(item->tags);
    free(item->duplicate_key);
  }
  free(list->items);
  memset(list, 0, sizeof *list);
}

char *floor_copy(const void *bytes, size_t size) {
  char *copy = malloc(size + 1);
  memcpy(copy, bytes, size);
  copy[size] = 0;
  return copy;
}
