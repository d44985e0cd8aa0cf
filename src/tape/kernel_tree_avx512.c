// The articulated-body algorithm for processors with AVX-512: 8 lanes in a register.
#if defined(__x86_64__)
#define VIVA_TREE_CODE tree_code_avx512
#define TREE_LANES 8
#include "tape/kernel_tree_code_text.h"
#else
typedef int viva_tree_avx512_is_for_other_processors; // a file is not empty
#endif
