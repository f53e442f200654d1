#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

/* How often this thread has allocated memory since it began: malloc, calloc and realloc. Other threads, and the tests that
 * run on them, do not count. Negative where allocations cannot be counted: under a sanitizer, which has its own. */
long allocations_of_this_thread(void);

#endif
