// The start of a loop of threaded code (threaded.h): op and count, w; behind it stands `others:`, and the end of its
// diagnostics. No include guard: this is a template.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
static const void *const go[tape_code_count] = {
    // clang-format off
      [tape_nop] = &&others, [tape_div] = &&others, [tape_neg] = &&others, [tape_sqrt] = &&others,
      [tape_pow] = &&others, [tape_sincos] = &&others, [tape_call] = &&others,
// clang-format on
#define OP THREADED_OTHER
#include "expr/ops.def"
#undef OP
    THREADED_ARITHMETIC(THREADED_GO)};
if (count == 0) return;
const TapeOp *end = op + count;
goto *go[op->code];
THREADED_ARITHMETIC(THREADED_DO)
