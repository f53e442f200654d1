/* Stands before the C library's calls that change files. The dynamic linker looks for them in the program first, so that
   the engines' libraries call these. */
#define _GNU_SOURCE
#include "system_faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic int armed = SYSTEM_FAULT_NONE;
static _Atomic int target = 0;
static _Atomic int calls = 0;

void system_faults_arm(enum system_fault fault, int n) {
  atomic_store(&armed, SYSTEM_FAULT_NONE);
  atomic_store(&calls, 0);
  atomic_store(&target, n);
  atomic_store(&armed, fault);
}

int system_faults_calls(void) { return atomic_load(&calls); }

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* Whether the call goes on. If not, errno is set. */
static int before(int *is_last) {
  *is_last = 0;
  int number = atomic_fetch_add(&calls, 1) + 1;
  int fault = atomic_load(&armed);
  if (fault == SYSTEM_FAULT_NONE || number != atomic_load(&target)) return 1;
  switch (fault) {
    case SYSTEM_FAULT_KILL_BEFORE: die();
    case SYSTEM_FAULT_KILL_AFTER: *is_last = 1; return 1;
    case SYSTEM_FAULT_NO_SPACE: errno = ENOSPC; return 0;
    case SYSTEM_FAULT_BROKEN: errno = EIO; return 0;
  }
  return 1;
}

/* Defines a function that stands before the C library's own. */
#define STAND_BEFORE(result, name, parameters, arguments) \
  result name parameters {                                \
    static result(*_Atomic next) parameters;              \
    if (!next) next = dlsym(RTLD_NEXT, #name);            \
    int is_last;                                          \
    if (!before(&is_last)) return (result)-1;             \
    result value = next arguments;                        \
    if (is_last) die();                                   \
    return value;                                         \
  }

STAND_BEFORE(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
STAND_BEFORE(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t offset), (file, bytes, count, offset))
STAND_BEFORE(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count))
STAND_BEFORE(int, fdatasync, (int file), (file))
STAND_BEFORE(int, fsync, (int file), (file))
STAND_BEFORE(int, ftruncate, (int file, off_t size), (file, size))
STAND_BEFORE(int, ftruncate64, (int file, off64_t size), (file, size))
STAND_BEFORE(int, unlink, (const char *path), (path))
STAND_BEFORE(int, rename, (const char *old, const char *new), (old, new))
STAND_BEFORE(int, link, (const char *old, const char *new), (old, new))

/* Files that are opened to be written to or made: stores, logs, and the file that is touched behind a commit. */
#define OPEN_BEFORE(name)                                             \
  int name(const char *path, int flags, ...) {                        \
    static int (*_Atomic next)(const char *, int, ...);               \
    if (!next) next = dlsym(RTLD_NEXT, #name);                        \
    mode_t mode = 0;                                                  \
    if (flags & (O_CREAT | __O_TMPFILE)) {                            \
      va_list arguments;                                              \
      va_start(arguments, flags);                                     \
      mode = va_arg(arguments, mode_t);                               \
      va_end(arguments);                                              \
    }                                                                 \
    if ((flags & O_ACCMODE) == O_RDONLY) return next(path, flags, mode); \
    int is_last;                                                      \
    if (!before(&is_last)) return -1;                                 \
    int file = next(path, flags, mode);                               \
    if (is_last) die();                                               \
    return file;                                                      \
  }

OPEN_BEFORE(open)
OPEN_BEFORE(open64)
