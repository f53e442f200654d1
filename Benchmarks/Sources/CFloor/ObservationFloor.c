#define _GNU_SOURCE
#include "CFloor.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int64_t floor_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* MARK: The moment of a commit */

static _Atomic int64_t last_touch;

int64_t floor_last_touch(void) { return last_touch; }

/* Stands before the system's: a store's notify file is opened right behind each commit. The call that commits returns too
 * late to be the beginning: the reader that it wakes often takes the writer's core first. */
int open(const char *path, int flags, ...) {
  static const char name[] = "-notify";
  size_t length = strlen(path);
  if (length >= sizeof name && !memcmp(path + length - (sizeof name - 1), name, sizeof name)) last_touch = floor_now();
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
  va_end(arguments);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* MARK: The reader */

/* The number at the end of a text; -1 if it is not the writer's. */
static long number_of(const char *text, size_t size) {
  if (size < 6 || !memmem(text, size, "observed", 8)) return -1;
  return strtol(text + size - 6, NULL, 10);
}

int floor_observe(const char *notify_path, long count, int64_t *seen, floor_check check, void *store) {
  int descriptor = inotify_init1(IN_CLOEXEC);
  if (descriptor < 0 || inotify_add_watch(descriptor, notify_path, IN_CLOSE_WRITE) < 0) return -1;
  char events[4096] __attribute__((aligned(8)));
  floor_list changed = {0};
  long left = count;
  int result = 0;
  while (left > 0 && !result) {
    if (read(descriptor, events, sizeof events) < 0) {
      result = -1;
      break;
    }
    result = check(store, &changed);
    int64_t now = floor_now();
    for (size_t index = 0; index < changed.count; index++) {
      long number = number_of(changed.items[index].text, changed.items[index].text_size);
      if (number < 0 || number >= count || seen[number]) continue;
      seen[number] = now;
      left--;
    }
    floor_list_clear(&changed);
  }
  close(descriptor);
  return result;
}
