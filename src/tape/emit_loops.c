// Loops of emitted C: a pattern of operations that comes again and again (rolled.h) is written once.
//
// A value that the next iteration reads is carried in a variable c beside its r; slots that follow no stride stand in
// tables.
#include "tape/emit_parts.h"

static void put_table(const Emit *e, const RolledSlots *s, uint32_t table, uint32_t turns) {
  if (!s->each) return;
  text_printf(e->out, "  static const unsigned t%u[%u] = {", table, turns);
  for (uint32_t i = 0; i < turns; i++) text_printf(e->out, "%s%u", i ? i % 16 ? ", " : ",\n    " : "", s->each[i]);
  text_put(e->out, "};\n");
}

// The operations of the pattern, once; values: those of an iteration.
static void put_turn(Emit *e, const RolledPart *part, uint32_t values) {
  const RolledLoop *l = part->loop;
  for (uint32_t j = 0; j < l->period; j++) {
    e->loop_op = j;
    emit_op(e, part->from + j);
    for (uint32_t k = 0; k < tape_leaves(e->tape, &e->ops[part->from + j]); k++) {
      bool kept = false;
      for (uint32_t t = 0; t < l->turns && !kept; t++) kept = e->keep[e->names[j] + k + t * values];
      if (!kept) continue;
      text_put(e->out, "  ");
      emit_slots(e, &l->results[j * 2 + k], 3 * l->period + j * 2 + k);
      text_printf(e->out, " = r%u;\n", e->names[j] + k);
    }
  }
}

bool emit_loop(Emit *e, const RolledPart *part) {
  const RolledLoop *l = part->loop;
  uint32_t values = 0, first = e->values + 1;
  e->names = arena_array(e->job->arena, l->period, sizeof *e->names);
  bool *carried = arena_array(e->job->arena, (size_t)l->period * 2, sizeof *carried);
  if (!e->names || !carried) return false;
  for (uint32_t j = 0; j < l->period; j++) {
    e->names[j] = first + values;
    values += tape_leaves(e->tape, &e->ops[part->from + j]);
  }
  for (uint32_t j = 0; j < l->period * 3; j++) {
    const RolledOperand *o = &l->operands[j];
    if (o->kind == rolled_slot) put_table(e, &o->slots, j, l->turns);
    if (o->kind != rolled_carried || carried[o->op * 2 + o->result]) continue;
    carried[o->op * 2 + o->result] = true;
    text_printf(e->out, "  %s c%u = w[%u]%s;\n", e->job->target->real, e->names[o->op] + o->result, o->slots.first,
                e->job->target->in_slot);
  }
  for (uint32_t j = 0; j < l->period * 2; j++) put_table(e, &l->results[j], 3 * l->period + j, l->turns);
  e->loop = l;
  if (e->job->target->sincos_loop && emit_is_sincos_loop(e, part)) {
    e->job->target->sincos_loop(e, l->turns);
    e->loop = NULL;
    e->values = first - 1 + values * l->turns;
    return true;
  }
  text_printf(e->out, "  for (int i = 0; i < %u; i++) {\n", l->turns);
  put_turn(e, part, values);
  for (uint32_t j = 0; j < l->period * 2; j++) {
    uint32_t value = e->names[j / 2] + j % 2;
    if (carried[j]) text_printf(e->out, "  c%u = r%u;\n", value, value);
  }
  e->loop = NULL;
  text_put(e->out, "  }\n");
  e->values = first - 1 + values * l->turns;
  return true;
}
