// C code generation from tapes: the traversal that all targets (EmitTarget) share.
//
// in    a tape, its operations perhaps rolled into loops (rolled.h), a target (emit_parts.h)
// out   functions of a few hundred operations each, and one that calls them in order
// how   first it is found which values must stand in the workspace: those that another piece, another iteration, a
//       kernel or the caller reads; then every operation becomes one line
#include "tape/emit_parts.h"

#include <string.h>

// Straight parts are cut into pieces; the iterations of a loop are units of their own.
static bool find_units(Emit *e) {
  uint32_t unit = 0;
  e->unit = arena_array(e->job->arena, (size_t)e->count + 1, sizeof *e->unit);
  for (uint32_t p = 0; e->unit && p < e->part_count; p++) {
    const RolledPart *part = &e->parts[p];
    uint32_t size = part->loop ? part->loop->period : e->piece_size;
    for (uint32_t i = part->from; i < part->to; i++) e->unit[i] = unit += (i - part->from) % size == 0;
  }
  return e->unit != NULL;
}

// ---- which values must stand in the workspace

// A value that an operation reads and that is carried from iteration to iteration needs its slot only before the first.
static bool is_carried(const RolledPart *part, uint32_t op, uint32_t k) {
  if (!part->loop || op < part->from + part->loop->period) return false;
  return part->loop->operands[(op - part->from) % part->loop->period * 3 + k].kind == rolled_carried;
}

static bool find_kept(Emit *e) {
  Arena *arena = e->job->arena;
  const RolledPart *part = e->parts;
  uint32_t slots = e->tape->slot_count;
  e->constant = arena_array(arena, slots, sizeof *e->constant);
  e->def = arena_array(arena, slots, sizeof *e->def);
  e->local = arena_array(arena, slots, sizeof *e->local);
  e->stamp = arena_array(arena, slots, sizeof *e->stamp);
  size_t most = 0;
  for (uint32_t i = 0; i < e->count; i++) most += tape_leaves(e->tape, &e->ops[i]);
  e->keep = arena_array(arena, most + 1, sizeof *e->keep);
  e->group = arena_array(arena, (size_t)e->count + 1, sizeof *e->group);
  uint32_t *where = arena_array(arena, most + 1, sizeof *where); // unit of each value
  if (!e->constant || !e->def || !e->local || !e->stamp || !e->keep || !e->group || !where) return false;
  for (uint32_t i = 0; i < e->tape->constant_count; i++) e->constant[e->tape->constants[i].slot] = i + 1;
  for (uint32_t i = 0; i < e->count; i++) {
    const TapeOp *op = &e->ops[i];
    uint32_t own[3], count;
    const uint32_t *reads = tape_operands(e->tape, op, own, &count);
    if (i >= part->to) part++;
    for (uint32_t k = 0; k < count; k++) {
      uint32_t value = e->def[reads[k]];
      if (value && ((where[value] != e->unit[i] && !is_carried(part, i, k)) || emit_called_back(e, op)))
        e->keep[value] = true;
    }
    uint32_t results = tape_leaves(e->tape, op);
    for (uint32_t k = 0; k < results; k++) {
      e->def[tape_left_in(op, k)] = ++e->values;
      where[e->values] = e->unit[i];
      e->keep[e->values] = emit_called_back(e, op);
    }
  }
  // results of the whole, and all a prologue leaves
  bool all = e->ops == e->tape->prologue;
  for (uint32_t i = 0; all && i < slots; i++) {
    if (e->def[i]) e->keep[e->def[i]] = true;
  }
  for (uint32_t i = 0; i < e->tape->output_count; i++) {
    uint32_t value = e->def[e->tape->outputs[i]];
    if (value) e->keep[value] = true;
  }
  memset(e->def, 0, slots * sizeof *e->def);
  e->values = 0;
  return true;
}

// ---- pieces

// The named slots that a piece reads become local constants.
static void put_names(Emit *e, uint32_t from, uint32_t to) {
  uint32_t named = e->tape->param_count + e->tape->var_count;
  bool *seen = e->job->names ? arena_array(e->job->arena, (size_t)named + 1, sizeof *seen) : NULL;
  if (!seen) return;
  for (uint32_t i = from; i < to; i++) {
    uint32_t own[3], count;
    const uint32_t *reads = tape_operands(e->tape, &e->ops[i], own, &count);
    for (uint32_t k = 0; k < count; k++) {
      if (reads[k] < named) seen[reads[k]] = true;
    }
  }
  for (uint32_t i = 0; i < named; i++) {
    if (seen[i]) text_printf(e->out, "  const %s %s = w[%u];\n", e->job->target->real, e->job->names[i], i);
  }
}

// Pieces of long native text are spread over several texts, so that several compilers can work on them.
static Text *text_of_piece(const Emit *e, uint32_t pieces) {
  const EmitJob *job = e->job;
  return job->part_count ? &job->parts[(uint64_t)(e->piece - 1) * job->part_count / pieces] : job->out;
}

// ---- functions

static uint32_t pieces_of(const Emit *e) {
  uint32_t pieces = 0;
  for (uint32_t p = 0; p < e->part_count; p++)
    pieces += e->parts[p].loop ? 1 : (e->parts[p].to - e->parts[p].from + e->piece_size - 1) / e->piece_size;
  return pieces;
}

static bool put_function(const EmitJob *job, const TapeOp *ops, uint32_t count, const char *suffix,
                         const char *visible) {
  Emit emit = {.job = job, .out = job->out, .tape = job->tape, .ops = ops, .count = count}, *e = &emit;
  const RolledPart straight = {0, count, NULL};
  e->parts = job->rolled ? job->rolled->parts : &straight;
  e->part_count = job->rolled ? job->rolled->part_count : count > 0;
  // the two halves of the lanes run through a piece one after the other, independently
  const uint32_t usual = job->target->again ? emit_half_piece : emit_piece;
  e->piece_size = job->rolled && rolled_is_long(job->rolled) ? emit_short_piece : usual;
  if (!find_units(e) || !find_kept(e)) return false;
  uint32_t pieces = pieces_of(e);
  const char *again = job->target->again;
  bool alone = pieces == 1 && !again; // the piece is the function
  const char *linkage = job->part_count ? "VIVA_HIDDEN " : "static VIVA_NOINLINE ";
  for (uint32_t p = 0; p < e->part_count; p++) {
    const RolledPart *part = &e->parts[p];
    for (uint32_t from = part->from; from < part->to; from = e->end) {
      e->piece++;
      e->end = part->loop || part->to - from <= e->piece_size ? part->to : from + e->piece_size;
      e->out = text_of_piece(e, pieces);
      if (!alone)
        text_printf(e->out, "%svoid %s%s_%u(%s) {\n", linkage, job->name, suffix, e->piece, e->job->target->parameters);
      else text_printf(e->out, "%svoid %s%s(%s) {\n", visible, job->name, suffix, e->job->target->parameters);
      if (job->target->alone) put_names(e, from, e->end);
      if (part->loop && !emit_loop(e, part)) return false;
      if (!part->loop && job->target->begin) job->target->begin(e, from);
      for (uint32_t i = from; !part->loop && i < e->end; i++) emit_op(e, i);
      text_put(e->out, "}\n\n");
    }
  }
  if (alone) return !arena_failed(job->arena);
  e->out = job->out;
  for (uint32_t i = 1; job->part_count && i <= pieces; i++)
    text_printf(e->out, "%svoid %s%s_%u(%s);\n", linkage, job->name, suffix, i, e->job->target->parameters);
  text_printf(e->out, "%svoid %s%s(%s) {\n", visible, job->name, suffix, e->job->target->parameters);
  for (uint32_t i = 1; i <= pieces; i++) {
    text_printf(e->out, "  %s%s_%u(%s);\n", job->name, suffix, i, job->target->arguments);
    if (again) text_printf(e->out, "  %s%s_%u(%s);\n", job->name, suffix, i, again);
  }
  if (!pieces) text_put(e->out, job->target->unused);
  text_put(e->out, "}\n\n");
  return !arena_failed(job->arena);
}

// ---- results and rates

void emit_result(const EmitJob *job, uint32_t i) {
  uint32_t slot = job->tape->outputs[i];
  Emit e = {.job = job, .out = job->out};
  for (uint32_t k = 0; k < job->tape->constant_count; k++) {
    if (job->tape->constants[k].slot != slot) continue;
    emit_literal(&e, job->tape->constants[k].value);
    return;
  }
  text_printf(job->out, "w[%u]", slot);
}

// What a right-hand side does around its tape, in one function: y goes in, rates come out, and whether all are finite.
static void put_rates(const EmitJob *job) {
  const Tape *t = job->tape;
  const EmitRates *rates = job->target->rates;
  Text *o = job->out;
  const char *type = job->target->slot;
  text_printf(o, "int %s_rates(%s, const %s *y, %s *dydt, %s *w, const viva_kit *k) {\n", job->name, rates->time, type,
              type, type);
  text_put(o, rates->begin);
  text_printf(o, "%s%u%s", rates->set, t->param_count, rates->to);
  text_printf(o, "  for (int i = 0; i < %u; i++) w[%u + i] = y[i];\n", t->var_count - 1 - t->held_count,
              t->param_count + 1);
  text_printf(o, "  %s((void *)w, k);\n", job->name);
  enum { least_turns = 8 }; // fewer results in a row are shorter without a loop
  for (uint32_t i = 0, n; i < t->output_count; i += n) {
    const uint32_t *from = t->outputs + i;
    uint32_t left = t->output_count - i;
    int64_t stride = left > 1 ? (int64_t)from[1] - from[0] : 0;
    for (n = 1; n < left && (int64_t)from[n] - from[n - 1] == stride;) n++;
    if (n < least_turns) {
      n = 1;
      text_printf(o, "  dydt[%u] = w[%u];\n  sum += w[%u] - w[%u];\n", i, *from, *from, *from);
      continue;
    }
    text_printf(o, "  for (int i = 0; i < %u; i++) {\n    const %s r = w[%u + %lld*i];\n    dydt[%u + i] = r;\n", n,
                type, *from, (long long)stride, i);
    text_put(o, rates->many);
  }
  text_put(o, rates->finish);
}

bool emit_fronts(const EmitJob *job) {
  const Tape *t = job->tape;
  for (uint32_t i = 0; i < t->op_count; i++) {
    const TapeKernel *kernel = t->ops[i].code == tape_call ? t->calls[t->ops[i].a].kernel : NULL;
    if (kernel && kernel->emit_front && !kernel->emit_front(job, t->ops[i].a)) return false;
  }
  return true;
}

bool emit_c(const EmitJob *job) {
  const Tape *t = job->tape;
  if (!job->target->alone) {
    if (!put_function(job, t->ops, t->op_count, "", "")) return false;
    if (job->rates) put_rates(job);
    return !arena_failed(job->arena);
  }
  for (uint32_t part = 0; part < 2; part++) {
    const TapeOp *ops = part ? t->ops : t->prologue;
    for (uint32_t i = 0; i < (part ? t->op_count : t->prologue_count); i++) {
      const TapeKernel *kernel = ops[i].code == tape_call ? t->calls[ops[i].a].kernel : NULL;
      if (kernel && kernel->emit_data && !kernel->emit_data(job, ops[i].a)) return false;
    }
  }
  return put_function(job, t->prologue, t->prologue_count, "_prepare", "static ") &&
         put_function(job, t->ops, t->op_count, "", "static ");
}

void emit_head(Text *out, const EmitTarget *target, const Rolled *rolled) { target->head(out, rolled); }
