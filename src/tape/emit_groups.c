// Sines and cosines that share a call.
//
// Functions that are called lose every register with them, and one that takes several numbers at once needs hardly
// longer than for one. So those whose operand is known where a piece begins are computed in front of it, in groups.
#include "tape/emit_parts.h"

bool emit_known_before(const Emit *e, uint32_t index, uint32_t sincos) {
  uint32_t slot = e->ops[sincos].a;
  for (uint32_t k = index; k < sincos; k++) {
    const TapeOp *between = &e->ops[k];
    uint32_t results = between->code == tape_sincos ? 1 : tape_leaves(e->tape, between);
    if (slot - between->dst < results || (between->code == tape_sincos && slot == between->b)) return false;
  }
  return true;
}

void emit_group_all(Emit *e, uint32_t from, uint32_t most, EmitGroup *put) {
  enum { widest = 4 };
  uint32_t members[widest], count = 0;
  for (uint32_t i = from; i < e->end; i++) {
    if (e->ops[i].code != tape_sincos || !emit_known_before(e, from, i)) continue;
    members[count++] = i;
    if (count < most) continue;
    put(e, members, count);
    count = 0;
  }
  if (count) put(e, members, count);
}
