#ifndef SAVER_FUZZER_H
#define SAVER_FUZZER_H

#include <stddef.h>
#include <stdint.h>

/* Of libFuzzer, which comes with the compiler. */
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t size));

#endif
