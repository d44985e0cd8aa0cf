// C text of the kernel of trees: its data and its call, in text that stands alone.
#include "tape/emit_parts.h"
#include "tape/kernel_ldl.h"
#include "tape/kernel_tree_parts.h"

// ---- text that stands alone

typedef struct TreeList {
  const char *name;
  const unsigned *items;
  uint32_t count;
} TreeList;

static void put_lists(const EmitJob *job, uint32_t call, const TreeList *lists, size_t count) {
  for (size_t i = 0; i < count; i++) kernel_put_numbers(job, call, lists[i].name, lists[i].items, lists[i].count);
}

static void name_lists(const EmitJob *job, uint32_t call, const TreeList *lists, size_t count) {
  for (size_t i = 0; i < count; i++) text_printf(job->out, ", %s_%s%u", job->name, lists[i].name, call);
}

bool kernel_tree_emit_data(const EmitJob *job, uint32_t call) {
  const viva_tree *s = &((const TreeData *)job->tape->calls[call].data)->s;
  const viva_tree_order *o = &s->level;
  const uint32_t all = s->force + s->velocities, n = s->links;
  const TreeList tree[] = {{"parent", s->parent, n},
                           {"joint", s->joint, n},
                           {"how", s->how, n},
                           {"position", s->position, n},
                           {"velocity", s->velocity, n},
                           {"kept", s->kept, n},
                           {"above", s->above, n},
                           {"sine", s->sine, n},
                           {"member_start", s->member_start, s->trees + 1},
                           {"member", s->member, n},
                           {"operands", s->operands, s->trees + 1},
                           {"operand", s->operand, all},
                           {"owner", s->owner, all},
                           {"start", s->start, s->velocities + 1}};
  const TreeList order[] = {{"what", o->what, o->runs},
                            {"run_joint", o->joint, o->runs},
                            {"run_how", o->how, o->runs},
                            {"end", o->end, o->runs},
                            {"link", o->link, o->end[o->runs - 1]},
                            {"own", o->own, n},
                            {"up", o->up, n}};
  enum { trees = sizeof tree / sizeof *tree, orders = sizeof order / sizeof *order };
  put_lists(job, call, tree, trees);
  put_lists(job, call, order, orders);
  text_printf(job->out, "static const viva_tree %s_tree%u = {%u, %u, %u, %u, %u, %u, %u, %u", job->name, call, n,
              s->positions, s->velocities, s->keeps, s->force, s->gravity, s->number, s->trees);
  name_lists(job, call, tree, trees);
  text_printf(job->out, ", {%u, %u", o->runs, o->frames);
  name_lists(job, call, order, orders);
  text_put(job->out, "}};\n");
  return !arena_failed(job->arena);
}

// The operands are written behind the results; derivatives take them twice.
static void emit_call(Emit *e, const TapeOp *op, const char *name, bool twice, uint32_t count) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t a = op->dst + count;
  for (uint32_t i = 0; i < call->count; i++) {
    text_printf(e->out, "  w[%u] = ", a + i);
    emit_operand(e, e->tape->args[call->args + i]);
    text_put(e->out, ";\n");
  }
  text_printf(e->out, "  %s(&%s_tree%u, w + %u, ", name, e->job->name, op->a, a);
  if (twice) text_printf(e->out, "w + %u, ", a);
  text_printf(e->out, "w + %u, w + %u);\n", op->dst, a + call->count);
  emit_left_in_slots(e, op);
}

static const viva_tree *tree_of(const Emit *e, const TapeOp *op) {
  return &((const TreeData *)e->tape->calls[op->a].data)->s;
}

void kernel_tree_emit(Emit *e, const TapeOp *op, uint32_t index) {
  (void)index;
  emit_call(e, op, "viva_tree_solve", false, tree_of(e, op)->velocities);
}

void kernel_tree_emit_slopes(Emit *e, const TapeOp *op, uint32_t index) {
  (void)index;
  emit_call(e, op, "viva_tree_slopes", true, tree_of(e, op)->start[tree_of(e, op)->velocities]);
}
