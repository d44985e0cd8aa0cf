// The articulated-body algorithm for processors with AVX2: 4 lanes in a register.
#if defined(__x86_64__)
#define VIVA_TREE_CODE tree_code_avx2
#define TREE_LANES 4
#include "tape/kernel_tree_code_text.h"
#else
typedef int viva_tree_avx2_is_for_other_processors; // a file is not empty
#endif
