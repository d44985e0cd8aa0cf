// The articulated-body algorithm for any processor. Nearly every x86-64 processor has AVX2 and never comes here.
#if defined(__x86_64__)
#define VIVA_TREE_GENERAL
#endif
#define VIVA_TREE_CODE tree_code_plain
#define TREE_LANES 0
#include "tape/kernel_tree_code_text.h"
