#include "fuzzer.h"

/* libFuzzer's own main function, which is linked and not used, wants it. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  (void)bytes;
  (void)size;
  return 0;
}
