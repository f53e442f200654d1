/* Stands before the C library's calls that change files. The dynamic linker looks for them in the program first, so that
   the engines' libraries call these. */
#define _GNU_SOURCE
#include "broken_calls.h"
#include "system_faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

/* The C library's own function of a name. */
#define NEXT(result, name, ...)                      \
  static result (*_Atomic next)(__VA_ARGS__);        \
  if (!next) next = dlsym(RTLD_NEXT, #name)

/* Defines a function that stands before the C library's own. `kind` and `file` say what may break; a call that is short
   is made with the arguments `half`. */
#define STAND_BEFORE(result, name, parameters, kind, file, path, arguments, half) \
  result name parameters {                                                        \
    static result(*_Atomic next) parameters;                                      \
    if (!next) next = dlsym(RTLD_NEXT, #name);                                    \
    int is_last;                                                                  \
    if (!before(&is_last)) return (result)-1;                                     \
    enum outcome outcome = outcome_of(kind, file, path);                          \
    if (outcome == FAILS) return (result)-1;                                      \
    result value = outcome == IS_SHORT ? next half : next arguments;              \
    if (is_last) die();                                                           \
    return value;                                                                 \
  }

#define WRITER(name, offset_t)                                                                               \
  STAND_BEFORE(ssize_t, name, (int file, const void *bytes, size_t count, offset_t offset), 'w', file, NULL, \
               (file, bytes, count, offset), (file, bytes, count > 1 ? count / 2 : count, offset))
WRITER(pwrite, off_t)
WRITER(pwrite64, off64_t)

STAND_BEFORE(ssize_t, writev, (int file, const struct iovec *parts, int count), 'w', file, NULL, (file, parts, count),
             (file, parts, count > 1 ? count / 2 : count))

#define VECTOR_WRITER(name, offset_t)                                                                            \
  ssize_t name(int file, const struct iovec *parts, int count, offset_t offset) {                                \
    NEXT(ssize_t, name, int, const struct iovec *, int, offset_t);                                               \
    enum outcome outcome = outcome_of('w', file, NULL);                                                          \
    if (outcome == FAILS) return -1;                                                                             \
    struct iovec half = {parts->iov_base, parts->iov_len / 2};                                                   \
    if (outcome == IS_SHORT && count == 1) return next(file, &half, 1, offset);                                  \
    return next(file, parts, outcome == IS_SHORT ? count / 2 : count, offset);                                   \
  }
VECTOR_WRITER(pwritev, off_t)
VECTOR_WRITER(pwritev64, off64_t)

#define SIMPLE(result, name, kind, parameters, arguments) \
  STAND_BEFORE(result, name, parameters, kind, file, NULL, arguments, arguments)
SIMPLE(int, fdatasync, 's', (int file), (file))
SIMPLE(int, fsync, 's', (int file), (file))
SIMPLE(int, ftruncate, 't', (int file, off_t size), (file, size))
SIMPLE(int, ftruncate64, 't', (int file, off64_t size), (file, size))

#define OF_A_NAME(name, parameters, arguments) \
  STAND_BEFORE(int, name, parameters, 'n', -1, path, arguments, arguments)
OF_A_NAME(unlink, (const char *path), (path))
OF_A_NAME(rename, (const char *path, const char *new), (path, new))
OF_A_NAME(link, (const char *path, const char *new), (path, new))

/* Calls that change no file, or all kinds of files: they break, and are not counted. */
#define UNCOUNTED(result, name, parameters, kind, file, arguments, half, failure) \
  result name parameters {                                                        \
    static result(*_Atomic next) parameters;                                      \
    if (!next) next = dlsym(RTLD_NEXT, #name);                                    \
    enum outcome outcome = file < 0 ? GOES_ON : outcome_of(kind, file, NULL);     \
    if (outcome == FAILS) return failure;                                         \
    return outcome == IS_SHORT ? next half : next arguments;                      \
  }
UNCOUNTED(ssize_t, write, (int file, const void *bytes, size_t count), 'w', file, (file, bytes, count),
          (file, bytes, count > 1 ? count / 2 : count), -1)
UNCOUNTED(ssize_t, pread, (int file, void *bytes, size_t count, off_t offset), 'r', file,
          (file, bytes, count, offset), (file, bytes, count, offset), -1)
UNCOUNTED(ssize_t, pread64, (int file, void *bytes, size_t count, off64_t offset), 'r', file,
          (file, bytes, count, offset), (file, bytes, count, offset), -1)
UNCOUNTED(ssize_t, read, (int file, void *bytes, size_t count), 'r', file, (file, bytes, count), (file, bytes, count), -1)
UNCOUNTED(void *, mmap, (void *start, size_t size, int protection, int flags, int file, off_t offset), 'm', file,
          (start, size, protection, flags, file, offset), (start, size, protection, flags, file, offset), MAP_FAILED)
UNCOUNTED(void *, mmap64, (void *start, size_t size, int protection, int flags, int file, off64_t offset), 'm', file,
          (start, size, protection, flags, file, offset), (start, size, protection, flags, file, offset), MAP_FAILED)

/* It returns the number of its error. */
int posix_fallocate(int file, off_t start, off_t size) {
  NEXT(int, posix_fallocate, int, off_t, off_t);
  return outcome_of('t', file, NULL) == FAILS ? errno : next(file, start, size);
}

int fallocate(int file, int mode, off_t start, off_t size) {
  NEXT(int, fallocate, int, int, off_t, off_t);
  return outcome_of('t', file, NULL) == FAILS ? -1 : next(file, mode, start, size);
}

/* They make names, beside what `OF_A_NAME` has, and are not counted. */
#define UNCOUNTED_NAME(name, parameters, path, arguments)            \
  int name parameters {                                              \
    static int(*_Atomic next) parameters;                            \
    if (!next) next = dlsym(RTLD_NEXT, #name);                       \
    return outcome_of('n', -1, path) == FAILS ? -1 : next arguments; \
  }
UNCOUNTED_NAME(mkdir, (const char *path, mode_t mode), path, (path, mode))
UNCOUNTED_NAME(chmod, (const char *path, mode_t mode), path, (path, mode))
UNCOUNTED_NAME(linkat, (int folder, const char *path, int new_folder, const char *new, int flags), new,
               (folder, path, new_folder, new, flags))

/* Which file lies under the memory is not known: it breaks whatever the path. */
int msync(void *start, size_t size, int flags) {
  NEXT(int, msync, void *, size_t, int);
  return outcome_of('s', -1, "") == FAILS ? -1 : next(start, size, flags);
}

/* Files that are opened to be written to or made are counted: stores, logs, and the file that is touched behind a
   commit. */
#define OPEN_BEFORE(name)                                             \
  int name(const char *path, int flags, ...) {                        \
    NEXT(int, name, const char *, int, ...);                          \
    mode_t mode = 0;                                                  \
    if (flags & (O_CREAT | __O_TMPFILE)) {                            \
      va_list arguments;                                              \
      va_start(arguments, flags);                                     \
      mode = va_arg(arguments, mode_t);                               \
      va_end(arguments);                                              \
    }                                                                 \
    int is_last = 0;                                                  \
    if ((flags & O_ACCMODE) != O_RDONLY && !before(&is_last)) return -1; \
    if (outcome_of('o', -1, path) == FAILS) return -1;                \
    int file = next(path, flags, mode);                               \
    if (is_last) die();                                               \
    return file;                                                      \
  }

OPEN_BEFORE(open)
OPEN_BEFORE(open64)
