// Loop rerolling: repetition in a tape, found without trying every period.
//
// how   positions whose next four operations are alike are chained; the distance to the next few such positions is a
//       candidate of the period. Two operations a period apart are alike when they do the same and their operands were
//       made equally far back, or by none of these operations. A stretch of enough iterations becomes a loop; slots
//       that follow no stride get a table, and where too many would need one the stretch stays straight. Last, the
//       iteration is begun where fewest values are carried over to the next.
#include "tape/rolled.h"

#include "tape/operands.h"

#include <string.h>

// Short tapes are better off straight, but for those with a kernel, whose operands go through memory anyway. A loop is
// worth it from least_turns iterations on, if at most one slot in `irregular` follows no stride: each such slot needs a
// table. A pattern has at most most_period operations. Beginnings are compared over `gram` operations.
enum { least_count = 1000, least_turns = 16, irregular = 12, most_period = 2000, gram = 4, table_bits = 16, tries = 4 };

typedef struct Roller {
  Arena *arena;
  const Tape *tape;
  const TapeOp *ops;
  uint32_t count;
  uint32_t *source; // three an operation: 1 + twice the operation that left the value, plus which; 0: none of these
  uint32_t *next;   // the next position that begins alike; 0: none
  uint32_t *slots;  // room
  VEC(RolledPart) parts;
} Roller;

// ---- where values come from, and what begins alike

static bool find_sources(Roller *r) {
  uint32_t *def = arena_array(r->arena, r->tape->slot_count, sizeof *def);
  r->source = arena_array(r->arena, (size_t)r->count * 3, sizeof *r->source);
  if (!def || !r->source) return false;
  for (uint32_t i = 0; i < r->count; i++) {
    const TapeOp *op = &r->ops[i];
    uint32_t own[3], n;
    const uint32_t *reads = tape_operands(r->tape, op, own, &n);
    for (uint32_t k = 0; op->code != tape_call && k < n; k++) r->source[(size_t)i * 3 + k] = def[reads[k]];
    for (uint32_t k = 0; k < tape_leaves(r->tape, op); k++) def[tape_left_in(op, k)] = k < 2 ? 1 + 2 * i + k : 0;
  }
  return true;
}

static bool find_next(Roller *r) {
  uint32_t *last = arena_array(r->arena, (size_t)1 << table_bits, sizeof *last); // plus one
  r->next = arena_array(r->arena, (size_t)r->count + 1, sizeof *r->next);
  if (!last || !r->next) return false;
  for (uint32_t i = r->count; i-- > 0;) {
    uint32_t hash = 0;
    for (uint32_t k = i; k < i + gram && k < r->count; k++) hash = (hash + r->ops[k].code + 1) * 2654435761u;
    uint32_t *at = &last[hash >> (32 - table_bits)];
    r->next[i] = *at ? *at - 1 : 0;
    *at = i + 1;
  }
  return true;
}

// How far back the value of an operand was made, if in less than two periods; 0: further, or no operation made it.
static uint32_t distance(const Roller *r, uint32_t i, uint32_t k, uint32_t period) {
  uint32_t source = r->source[(size_t)i * 3 + k];
  uint32_t back = source ? i - (source - 1) / 2 : 0;
  return back < 2 * period ? back : 0;
}

static uint32_t which(const Roller *r, uint32_t i, uint32_t k) { return (r->source[(size_t)i * 3 + k] - 1) % 2; }

static bool alike(const Roller *r, uint32_t i, uint32_t period) {
  const TapeOp *x = &r->ops[i], *y = &r->ops[i + period];
  if (x->code != y->code || x->code == tape_call) return false;
  for (uint32_t k = 0; k < tape_arity(x->code); k++) {
    uint32_t back = distance(r, i, k, period);
    if (back != distance(r, i + period, k, period) || (back && which(r, i, k) != which(r, i + period, k))) return false;
  }
  return true;
}

// ---- loops

static RolledSlots slots_of(Roller *r, uint32_t turns) {
  const uint32_t *s = r->slots;
  RolledSlots out = {.first = s[0], .stride = turns > 1 ? (int64_t)s[1] - s[0] : 0};
  bool even = true;
  for (uint32_t i = 1; even && i < turns; i++) even = (int64_t)s[i] - s[i - 1] == out.stride;
  if (even) return out;
  uint32_t *each = arena_array(r->arena, turns, sizeof *each);
  if (each) memcpy(each, s, turns * sizeof *each);
  out.each = each;
  return out;
}

static uint32_t operand(const TapeOp *op, uint32_t k) { return k == 0 ? op->a : k == 1 ? op->b : op->c; }

static bool put_loop(Roller *r, uint32_t from, uint32_t period, uint32_t turns) {
  RolledLoop *loop = arena_new_of(r->arena, RolledLoop);
  r->slots = arena_array(r->arena, turns, sizeof *r->slots);
  if (!loop || !r->slots) return false;
  *loop = (RolledLoop){.period = period, .turns = turns};
  loop->operands = arena_array(r->arena, (size_t)period * 3, sizeof *loop->operands);
  loop->results = arena_array(r->arena, (size_t)period * 2, sizeof *loop->results);
  if (!loop->operands || !loop->results) return false;
  for (uint32_t j = 0; j < period; j++) {
    const TapeOp *op = &r->ops[from + j];
    for (uint32_t k = 0; k < tape_arity(op->code); k++) {
      RolledOperand *o = &loop->operands[j * 3 + k];
      uint32_t back = distance(r, from + j, k, period);
      for (uint32_t t = 0; t < turns; t++) r->slots[t] = operand(op + (size_t)t * period, k);
      o->slots = slots_of(r, turns);
      if (!back || back > j + period) continue;
      o->kind = back <= j ? rolled_local : rolled_carried;
      o->op = back <= j ? j - back : j + period - back;
      o->result = which(r, from + j, k);
    }
    for (uint32_t k = 0; k < tape_leaves(r->tape, op); k++) {
      for (uint32_t t = 0; t < turns; t++) r->slots[t] = tape_left_in(op + (size_t)t * period, k);
      loop->results[j * 2 + k] = slots_of(r, turns);
    }
  }
  return vec_push(r->arena, &r->parts, (RolledPart){from, from + turns * period, loop});
}

// Where in the pattern an iteration begins best: fewest values are carried over.
static uint32_t best_begin(const Roller *r, uint32_t from, uint32_t period) {
  enum { most_tried = 200 };
  uint32_t best = 0, least = UINT32_MAX;
  for (uint32_t begin = 0; begin < period && begin < most_tried; begin++) {
    uint32_t carried = 0;
    for (uint32_t p = 0; p < period && carried < least; p++) {
      uint32_t place = (p + period - begin) % period;
      for (uint32_t k = 0; k < tape_arity(r->ops[from + p].code); k++) {
        // of the iteration in which the whole pattern stands
        carried += distance(r, from + 2 * period + p, k, period) > place;
      }
    }
    if (carried >= least) continue;
    least = carried;
    best = begin;
  }
  return best;
}

// What is known of a period: up to where operations are alike by it, and, once that was asked, how many iterations from
// each of them each of its operands keeps its stride. So a long stretch that makes no loop is looked at once, not once
// from each position in it.
typedef struct Known {
  uint32_t period, end;
  uint32_t *even; // three an operation; room for all
  bool counted;
} Known;

static Known *alike_until(Roller *r, uint32_t from, uint32_t period, Known known[tries]) {
  Known *k = &known[period % tries];
  if (k->period == period && from < k->end) return k;
  uint32_t i = from;
  while (i + period < r->count && alike(r, i, period)) i++;
  *k = (Known){period, i, k->even, false};
  return k;
}

static int64_t stride_at(const Roller *r, uint32_t i, uint32_t k, uint32_t period) {
  return (int64_t)operand(&r->ops[i + period], k) - operand(&r->ops[i], k);
}

static bool count_even(Roller *r, Known *x, uint32_t from) {
  if (!x->even) x->even = arena_array(r->arena, (size_t)r->count * 3, sizeof *x->even);
  if (!x->even) return false;
  for (uint32_t i = x->end; i-- > from;) {
    for (uint32_t k = 0; k < tape_arity(r->ops[i].code); k++) {
      uint32_t next = i + x->period;
      bool goes_on = next < x->end && stride_at(r, next, k, x->period) == stride_at(r, i, k, x->period);
      x->even[(size_t)i * 3 + k] = goes_on ? x->even[(size_t)next * 3 + k] + 1 : 1;
    }
  }
  x->counted = true;
  return true;
}

// Are most of the slots regular that a loop would read? No: also when it is out of memory.
static bool is_regular(Roller *r, Known *x, uint32_t from, uint32_t turns) {
  uint32_t slots = 0, odd = 0;
  if (!x->counted && !count_even(r, x, from)) return false;
  for (uint32_t i = from; i < from + x->period; i++) {
    for (uint32_t k = 0; k < tape_arity(r->ops[i].code); k++) {
      if (distance(r, i, k, x->period)) continue;
      slots++;
      odd += x->even[(size_t)i * 3 + k] + 1 < turns;
    }
  }
  return odd * irregular <= slots;
}

static bool find_loops(Roller *r) {
  Known known[tries] = {{0}};
  uint32_t straight = 0;
  for (uint32_t i = 0; i < r->count;) {
    uint32_t best = 0, best_until = 0, saved = 0;
    uint32_t j = r->next ? r->next[i] : 0;
    for (int n = 0; n < tries && j && j - i <= most_period; n++, j = r->next[j]) {
      Known *x = alike_until(r, i, j - i, known);
      uint32_t period = x->period, turns = (x->end - i) / period + 1;
      if (turns < least_turns || (turns - 1) * period <= saved || !is_regular(r, x, i, turns)) continue;
      saved = (turns - 1) * period;
      best = period;
      best_until = x->end;
    }
    if (!saved) {
      i++;
      continue;
    }
    i += best_begin(r, i, best);
    uint32_t turns = (best_until - i) / best + 1;
    if (straight < i && !vec_push(r->arena, &r->parts, (RolledPart){straight, i, NULL})) return false;
    if (!put_loop(r, i, best, turns)) return false;
    straight = i = i + turns * best;
  }
  return straight == r->count || vec_push(r->arena, &r->parts, (RolledPart){straight, r->count, NULL});
}

const Rolled *tape_roll(Arena *arena, const Tape *tape, const TapeOp *ops, uint32_t count) {
  Roller r = {.arena = arena, .tape = tape, .ops = ops, .count = count};
  Rolled *out = arena_new_of(arena, Rolled);
  const bool is_long = count >= least_count || tape->call_count;
  if (!out || (is_long && (!find_sources(&r) || !find_next(&r)))) return NULL;
  if (count && !find_loops(&r)) return NULL;
  *out = (Rolled){.parts = r.parts.items, .part_count = r.parts.count};
  for (uint32_t i = 0; i < out->part_count; i++) {
    const RolledPart *p = &out->parts[i];
    out->length += p->loop ? p->loop->period : p->to - p->from;
  }
  return arena_failed(arena) ? NULL : out;
}
