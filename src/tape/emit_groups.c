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

// ---- loops

static uint32_t slot_in(const RolledSlots *s, uint32_t turn) {
  return s->each ? s->each[turn] : (uint32_t)(s->first + s->stride * (int64_t)turn);
}

bool emit_is_sincos_loop(const Emit *e, const RolledPart *part) {
  enum { together = 4 };
  const RolledLoop *l = part->loop;
  if (l->period != 1 || e->ops[part->from].code != tape_sincos || l->operands[0].kind != rolled_slot) return false;
  const RolledSlots *all[] = {&l->operands[0].slots, &l->results[0], &l->results[1]};
  for (int k = 0; k < 3; k++) {
    if (!all[k]->each && !all[k]->stride) return false;
  }
  for (uint32_t t = 1; t < l->turns; t++) {
    for (uint32_t before = 1; before < together && before <= t; before++) {
      const uint32_t read = slot_in(all[0], t);
      if (read == slot_in(all[1], t - before) || read == slot_in(all[2], t - before)) return false;
    }
  }
  return true;
}

void emit_sincos_slot(const Emit *e, uint32_t which) {
  const RolledLoop *l = e->loop;
  if (which) emit_slots(e, &l->results[which - 1], 3 * l->period + which - 1);
  else emit_slots(e, &l->operands[0].slots, 0);
}
