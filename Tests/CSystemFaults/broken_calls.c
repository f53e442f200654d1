/* Which calls fail, by their kind and the file that they are on. */
#include "broken_calls.h"
#include "system_faults.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char kinds[16], wanted[4096];
static int error, first, count;
/* Set last, cleared first: the rest is only read while it is set. */
static _Atomic int is_armed;
static _Atomic int calls, failures;

void system_faults_break(const char *new_kinds, const char *path, int new_error, int new_first, int new_count) {
  atomic_store(&is_armed, 0);
  snprintf(kinds, sizeof kinds, "%s", new_kinds);
  snprintf(wanted, sizeof wanted, "%s", path);
  error = new_error;
  first = new_first;
  count = new_count;
  atomic_store(&calls, 0);
  atomic_store(&failures, 0);
  atomic_store(&is_armed, *kinds != 0);
}

int system_faults_broken(void) { return atomic_load(&failures); }

enum outcome outcome_of(char kind, int file, const char *path) {
  if (!atomic_load(&is_armed) || !strchr(kinds, kind)) return GOES_ON;
  char link[64], found[4096];
  if (!path) {
    int saved = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, found, sizeof found - 1);
    errno = saved;
    if (length < 0) return GOES_ON;
    found[length] = 0;
    path = found;
  }
  /* An empty path: the file is not known. */
  if (*path && !strstr(path, wanted)) return GOES_ON;
  int turn = atomic_fetch_add(&calls, 1) + 1;
  if (turn < first || turn >= first + count) return GOES_ON;
  atomic_fetch_add(&failures, 1);
  if (error == 0 && kind == 'w') return IS_SHORT;
  errno = error ? error : EIO;
  return FAILS;
}
