// The list of kernels.
#include "tape/kernels.h"

#include <string.h>

const TapeKernel *const tape_kernels[] = {
#define KERNEL(name) &kernel_##name,
#include "tape/kernels.def"
#undef KERNEL
};

const uint32_t tape_kernel_count = sizeof tape_kernels / sizeof *tape_kernels;

const TapeKernel *tape_kernel_find(const char *name) {
  for (uint32_t i = 0; i < tape_kernel_count; i++) {
    if (strcmp(tape_kernels[i]->name, name) == 0) return tape_kernels[i];
  }
  return NULL;
}
