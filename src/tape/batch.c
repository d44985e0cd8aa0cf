// Instruction scheduling of a tape: equal operations beside each other. See batch.h.
//
// in    operations in the order in which values were made
// out   the same in another order, and slots for it
// how   A heap of what is ready for each code, the oldest first. The code in hand goes on while it has something ready,
//       not farther than a window behind the oldest operation that waits, so that values do not wait long in memory;
//       then comes the code with the most that is ready. Slots are given out again behind the last use of a value, the
//       youngest free one first.
//
// Notation: value 2 i is what operation i leaves, 2 i + 1 the cosine beside a sine.
#include "tape/batch.h"

#include "tape/operands.h"

#include <string.h>

enum {
  window = 512, // operations; from 300 to 800 it makes no difference
  none = UINT32_MAX
};

typedef struct Batching {
  const Tape *tape;
  const TapeOp *ops;
  uint32_t count;
  uint32_t *reads;      // three an operation: values; none: a slot that is given
  uint32_t *start, *to; // the operations that read what operation i leaves: to[start[i]] .. to[start[i + 1] - 1]
  uint32_t *waits;      // by operation: how many reads are not there yet
  uint32_t *heap[tape_code_count], ready[tape_code_count];
  bool *done;
} Batching;

static bool make_rooms(Batching *x, Arena *arena) {
  uint32_t counts[tape_code_count] = {0};
  size_t n = x->count;
  x->reads = arena_array(arena, 3 * n + 1, sizeof *x->reads);
  x->start = arena_array(arena, n + 2, sizeof *x->start);
  x->to = arena_array(arena, 3 * n + 1, sizeof *x->to);
  x->waits = arena_array(arena, n + 1, sizeof *x->waits);
  x->done = arena_array(arena, n + 1, sizeof *x->done);
  uint32_t *heaps = arena_array(arena, n + 1, sizeof *heaps);
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < x->count; i++) counts[x->ops[i].code]++;
  for (uint32_t c = 0; c < tape_code_count; heaps += counts[c++]) x->heap[c] = heaps;
  return true;
}

// What reads what. left: by slot, the value that stands there last.
static bool find_reads(Batching *x, Arena *arena, uint32_t **left) {
  uint32_t *now = *left = arena_array(arena, (size_t)x->tape->slot_count + 1, sizeof *now);
  if (!now) return false;
  memset(now, 0xFF, x->tape->slot_count * sizeof *now);
  for (uint32_t i = 0; i < x->count; i++) {
    const TapeOp *op = &x->ops[i];
    const uint32_t slot[3] = {op->a, op->b, op->c};
    uint32_t arity = tape_arity(op->code);
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t value = x->reads[3 * i + k] = k < arity ? now[slot[k]] : none;
      if (value == none) continue;
      x->start[value / 2 + 1]++;
      x->waits[i]++;
    }
    now[op->dst] = 2 * i;
    if (op->code == tape_sincos) now[op->b] = 2 * i + 1;
  }
  // by what is read: where its readers begin, then one after the other
  for (uint32_t i = 0; i < x->count; i++) x->start[i + 1] += x->start[i];
  uint32_t *at = arena_array(arena, (size_t)x->count + 1, sizeof *at);
  if (!at) return false;
  memcpy(at, x->start, x->count * sizeof *at);
  for (uint32_t r = 0; r < 3 * x->count; r++) {
    if (x->reads[r] != none) x->to[at[x->reads[r] / 2]++] = r / 3;
  }
  return true;
}

static void put_ready(Batching *x, uint32_t i) {
  uint16_t code = x->ops[i].code;
  uint32_t *heap = x->heap[code], at = x->ready[code]++;
  for (; at && heap[(at - 1) / 2] > i; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = i;
}

// The oldest of a code.
static uint32_t take(Batching *x, uint16_t code) {
  uint32_t *heap = x->heap[code], n = --x->ready[code], taken = heap[0], last = heap[n], at = 0;
  for (uint32_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && heap[child + 1] < heap[child]) child++;
    if (heap[child] >= last) break;
    heap[at] = heap[child];
  }
  heap[at] = last;
  x->done[taken] = true;
  for (uint32_t e = x->start[taken]; e < x->start[taken + 1]; e++) {
    if (--x->waits[x->to[e]] == 0) put_ready(x, x->to[e]);
  }
  return taken;
}

static bool may_go_on(const Batching *x, uint16_t code, uint32_t oldest) {
  return x->ready[code] && x->heap[code][0] <= oldest + window;
}

// The code with the most that is ready.
static uint16_t choose(const Batching *x, uint32_t oldest) {
  uint16_t best = 0;
  uint32_t most = 0;
  for (uint16_t c = 0; c < tape_code_count; c++) {
    if (x->ready[c] <= most || !may_go_on(x, c, oldest)) continue;
    most = x->ready[c];
    best = c;
  }
  return best;
}

static void find_order(Batching *x, uint32_t *order) {
  uint16_t code = 0;
  for (uint32_t i = 0; i < x->count; i++) {
    if (!x->waits[i]) put_ready(x, i);
  }
  for (uint32_t n = 0, oldest = 0; n < x->count; n++) {
    while (x->done[oldest]) oldest++;
    if (!may_go_on(x, code, oldest)) code = choose(x, oldest);
    order[n] = take(x, code);
  }
}

// ---- slots

typedef struct Slots {
  uint32_t *of;         // by value
  uint32_t *uses;       // by value: reads that are still to come; results are read by the caller
  uint32_t *free, top;  // those that can be given out again
  uint32_t *more, left; // those that were not given out yet
  uint32_t next;        // behind those of the tape
} Slots;

// Slots that operations of the tape write, but for those of its results, which stay where they are.
static bool find_slots(const Batching *x, Arena *arena, const uint32_t *left, Slots *s) {
  uint32_t slots = x->tape->slot_count, values = 2 * x->count;
  bool *seen = arena_array(arena, (size_t)slots + 1, sizeof *seen);
  *s = (Slots){.next = slots};
  s->of = arena_array(arena, (size_t)values + 1, sizeof *s->of);
  s->uses = arena_array(arena, (size_t)values + 1, sizeof *s->uses);
  s->free = arena_array(arena, (size_t)values + 1, sizeof *s->free);
  s->more = arena_array(arena, (size_t)slots + 1, sizeof *s->more);
  if (arena_failed(arena)) return false;
  memset(s->of, 0xFF, values * sizeof *s->of);
  for (uint32_t r = 0; r < 3 * x->count; r++) {
    if (x->reads[r] != none) s->uses[x->reads[r]]++;
  }
  for (uint32_t i = 0; i < x->tape->output_count; i++) {
    uint32_t slot = x->tape->outputs[i], value = left[slot];
    seen[slot] = true;
    if (value == none) continue;
    s->of[value] = slot;
    s->uses[value]++;
  }
  for (uint32_t slot = slots; slot-- > 0;) {
    if (left[slot] != none && !seen[slot]) s->more[s->left++] = slot;
  }
  return true;
}

static uint32_t give(Slots *s, uint32_t value) {
  if (s->of[value] == none) s->of[value] = s->top ? s->free[--s->top] : s->left ? s->more[--s->left] : s->next++;
  return s->of[value];
}

static void give_back(Slots *s, uint32_t value) {
  if (value != none && --s->uses[value] == 0) s->free[s->top++] = s->of[value];
}

static TapeOp placed(const Batching *x, uint32_t i, Slots *s) {
  TapeOp op = x->ops[i];
  const uint32_t *reads = x->reads + 3 * (size_t)i;
  bool pair = op.code == tape_sincos; // it writes twice, so its operand stays until both are written
  if (reads[0] != none) op.a = s->of[reads[0]];
  if (reads[1] != none) op.b = s->of[reads[1]];
  if (reads[2] != none) op.c = s->of[reads[2]];
  for (int k = 0; k < 3 && !pair; k++) give_back(s, reads[k]);
  op.dst = give(s, 2 * i);
  if (pair) op.b = give(s, 2 * i + 1);
  if (pair) give_back(s, reads[0]);
  return op;
}

TapeOp *tape_batch(Arena *arena, const Tape *tape, uint32_t *slots) {
  Batching batch = {.tape = tape, .ops = tape->ops, .count = tape->op_count}, *x = &batch;
  Arena *scratch = arena_new();
  TapeOp *out = arena_array(arena, (size_t)x->count + 1, sizeof *out);
  uint32_t *left, *order = scratch ? arena_array(scratch, (size_t)x->count + 1, sizeof *order) : NULL;
  Slots s;
  bool ok = out && order && make_rooms(x, scratch) && find_reads(x, scratch, &left) && find_slots(x, scratch, left, &s);
  if (ok) {
    find_order(x, order);
    for (uint32_t n = 0; n < x->count; n++) out[n] = placed(x, order[n], &s);
    if (s.next > *slots) *slots = s.next;
  }
  if (scratch) arena_free(scratch);
  return ok ? out : NULL;
}
