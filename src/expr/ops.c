// The columns of ops.def as a table. Nothing else: rules and passes read it.
#include "expr/ops.h"

// The words of the columns.
#define above(low, high) switching_above, part_##low, part_##high
#define from(low, high) switching_from, part_##low, part_##high
#define sides(low, high) switching_sides, part_##low, part_##high
#define point(low, high) switching_point, part_##low, part_##high
#define whole(low, high) switching_whole, part_##low, part_##high
#define never switching_never, part_none, part_none
#define choice switching_choice, part_none, part_none
#define truth switching_truth, part_none, part_none
enum { answer_number, answer_truth };

const OpInfo expr_ops[op_count] = {
#define FORM(name, smoothness, making)                                                                                 \
  [op_##name] = {#name, 0, smoothness_##smoothness, parity_none, never, false, making_##making},
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  [op_##name] = {#name, arity, smoothness_##smoothness, parity_##parity, switching, answer_##answer, making_rules},
#include "expr/ops.def"
#undef OP
};
