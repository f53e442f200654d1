/* Stands before the C library's allocation. The dynamic linker looks for it in the program first, so that the libraries
 * and Swift's runtime call these. */
#include "allocations.h"

/* Says which C library this is, too. */
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#if defined(IS_SANITIZED) || !defined(__GLIBC__)

long allocations_of_this_thread(void) { return -1; }

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static __thread long allocations __attribute__((tls_model("initial-exec")));

long allocations_of_this_thread(void) { return allocations; }

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  allocations++;
  return __libc_realloc(memory, size);
}

#endif
