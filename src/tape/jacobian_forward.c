// Jacobian by forward-mode automatic differentiation (forward.h), as a tape that is one call of a kernel.
//
// in    a system with large calls of kernels that have rates in numbers
// out   the same as jacobian.c: entries column by column, results of a tape
// how   The kernel holds the tape of y' and `more`, with a workspace of its own, and follows all columns through it.
//       Which entries there are is found beforehand: along the tape every slot knows the columns that move it, by a bit
//       each.
// args  parameters and variables as the tape of the rates has them
// room  entries, workspace, derivatives of all rows, forward mode's own
#include "tape/jacobian.h"

#include "tape/forward.h"
#include "tape/frame.h"
#include "tape/operands.h"

#include <string.h>

typedef struct ForwardJacobian {
  const Tape *f;
  uint32_t columns, rows; // as TapeJacobian's
  const uint32_t *start, *row;
} ForwardJacobian;

// ---- the kernel

static uint32_t results(const void *data) {
  const ForwardJacobian *j = data;
  return j->start[j->columns];
}

static uint32_t room(const void *data) {
  const ForwardJacobian *j = data;
  return results(j) + j->f->slot_count + j->rows * j->columns + (uint32_t)tape_forward_room(j->f);
}

static uint64_t work(const void *data) { return 30 * (uint64_t)results(data); }

// Time is the first variable and the last column.
static void eval(const TapeCall *call, const uint32_t *args, double *w, double *result) {
  const ForwardJacobian *j = call->data;
  double *inner = result + results(j), *slopes = inner + j->f->slot_count, *of_time = slopes;
  double *own = slopes + (size_t)j->rows * j->columns;
  uint32_t y = j->columns - 1;
  for (uint32_t i = 0; i < call->count; i++) inner[i] = w[args[i]];
  tape_prepare(j->f, inner);
  tape_forward_in(j->f, inner, 1, y, slopes, own);
  for (uint32_t c = 0; c < y; c++) {
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) result[k] = slopes[(size_t)j->row[k] * y + c];
  }
  if (j->start[y] == j->start[y + 1]) return;
  tape_forward_in(j->f, inner, 0, 1, of_time, own);
  for (uint32_t k = j->start[y]; k < j->start[y + 1]; k++) result[k] = of_time[j->row[k]];
}

static const TapeKernel kernel_forward = {.name = "jacobian by forward mode",
                                          .fault = "overflow",
                                          .blames_none = true,
                                          .results = results,
                                          .room = room,
                                          .eval = eval,
                                          .work = work};

// ---- which entries there are

typedef struct Moves {
  const Tape *f;
  uint64_t *bits; // `words` a slot
  uint32_t words;
} Moves;

static uint64_t *bits_of(const Moves *m, uint32_t slot) { return m->bits + (size_t)slot * m->words; }

static void join(const Moves *m, uint64_t *to, const uint64_t *from) {
  for (uint32_t k = 0; k < m->words; k++) to[k] |= from[k];
}

// Results of a call, by its pattern; rows of one pattern that follow each other are joined once.
static void move_call(const Moves *m, const TapeOp *op, uint64_t *sum) {
  const TapeCall *call = &m->f->calls[op->a];
  const uint32_t *args = m->f->args + call->args;
  TapePattern p = call->kernel->pattern ? call->kernel->pattern(call->data) : (TapePattern){0};
  uint32_t count = tape_results(call);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t *list = p.start ? p.argument + p.start[i] : NULL;
    uint32_t length = p.start ? p.start[i + 1] - p.start[i] : call->count;
    bool same = i > 0 && (!p.start || (p.start[i] - p.start[i - 1] == length &&
                                       memcmp(list, p.argument + p.start[i - 1], length * sizeof *list) == 0));
    if (!same) memset(sum, 0, m->words * sizeof *sum);
    for (uint32_t k = 0; !same && k < length; k++) join(m, sum, bits_of(m, args[list ? list[k] : k]));
    memcpy(bits_of(m, op->dst + i), sum, m->words * sizeof *sum);
  }
}

static void move_all(const Moves *m, uint64_t *sum) {
  for (uint32_t i = 0; i < m->f->op_count; i++) {
    const TapeOp *op = &m->f->ops[i];
    uint32_t own[3], count;
    if (op->code == tape_call) {
      move_call(m, op, sum);
      continue;
    }
    const uint32_t *reads = tape_operands(m->f, op, own, &count);
    memset(sum, 0, m->words * sizeof *sum);
    for (uint32_t k = 0; k < count; k++) join(m, sum, bits_of(m, reads[k]));
    for (uint32_t k = 0; k < tape_leaves(m->f, op); k++)
      memcpy(bits_of(m, tape_left_in(op, k)), sum, m->words * sizeof *sum);
  }
}

static bool find_entries(Arena *arena, TapeJacobian *j, const Tape *f) {
  Arena *work_arena = arena_new_scratch(arena);
  Moves m = {.f = f, .words = j->columns / 64 + 1};
  if (!work_arena) return false;
  m.bits = arena_array(work_arena, (size_t)f->slot_count * m.words, sizeof *m.bits);
  uint64_t *sum = arena_array(work_arena, m.words, sizeof *sum);
  VEC(uint32_t) rows = {0};
  j->start = arena_array(arena, (size_t)j->columns + 1, sizeof *j->start);
  bool ok = m.bits && sum && j->start;
  for (uint32_t c = 0; ok && c < j->columns; c++) {
    uint32_t variable = c + 1 < j->columns ? c + 1 : 0;
    bits_of(&m, f->param_count + variable)[c / 64] |= (uint64_t)1 << c % 64;
  }
  if (ok) move_all(&m, sum);
  for (uint32_t c = 0; ok && c < j->columns; c++) {
    for (uint32_t r = 0; ok && r < j->rows; r++) {
      if (bits_of(&m, f->outputs[r])[c / 64] >> c % 64 & 1) ok = vec_push(arena, &rows, r);
    }
    j->start[c + 1] = rows.count;
  }
  j->row = rows.items;
  j->count = rows.count;
  arena_free_scratch(work_arena);
  return ok;
}

// ---- the tape

static const Tape *one_call(Arena *arena, const Tape *f, const ForwardJacobian *data) {
  Tape *t = arena_new_of(arena, Tape);
  TapeCall *call = arena_new_of(arena, TapeCall);
  TapeOp *op = arena_new_of(arena, TapeOp);
  uint32_t count = f->param_count + f->var_count, entries = results(data);
  uint32_t *args = arena_array(arena, (size_t)count + 1, sizeof *args);
  uint32_t *outputs = arena_array(arena, (size_t)entries + 1, sizeof *outputs);
  if (arena_failed(arena)) return NULL;
  *call = (TapeCall){.kernel = &kernel_forward, .data = data, .count = count, .scratch = count};
  *op = (TapeOp){.code = tape_call, .dst = count};
  for (uint32_t i = 0; i < count; i++) args[i] = i;
  for (uint32_t i = 0; i < entries; i++) outputs[i] = count + i;
  *t = (Tape){.ops = op,
              .op_count = 1,
              .args = args,
              .calls = call,
              .call_count = 1,
              .param_count = f->param_count,
              .var_count = f->var_count,
              .held_count = f->held_count,
              .slot_count = count + room(data),
              .outputs = outputs,
              .output_count = entries};
  return t;
}

bool tape_jacobian_prefers_forward(const System *s) {
  enum { many = 20000 }; // derivatives of a call
  for (uint32_t i = 0; i < s->calls.count; i++) {
    const SystemCall *call = &s->calls.items[i];
    if (!call->kernel->rates || !call->kernel->pattern) continue;
    if (call->kernel->pattern(call->data).start[call->result_count] >= many) return true;
  }
  return false;
}

static bool all_have_rates(const Tape *f) {
  for (uint32_t i = 0; i < f->call_count; i++) {
    if (!f->calls[i].kernel->rates) return false;
  }
  return true;
}

const TapeJacobian *tape_jacobian_forward(Arena *arena, System *s, const ExprId *more, uint32_t more_count,
                                          TapeSolve *large) {
  uint32_t dim = system_dim(s);
  ExprId *rows = arena_array(arena, (size_t)dim + more_count + 1, sizeof *rows);
  TapeJacobian *j = arena_new_of(arena, TapeJacobian);
  ForwardJacobian *data = arena_new_of(arena, ForwardJacobian);
  if (arena_failed(arena)) return NULL;
  for (uint32_t i = 0; i < dim; i++) rows[i] = s->y.items[i].rate ? s->y.items[i].rate : s->pool->zero;
  for (uint32_t i = 0; i < more_count; i++) rows[dim + i] = more[i];
  const Tape *f = frame_tape(arena, &(TapeFrame){.system = s, .large = large}, rows, dim + more_count);
  if (!f || !all_have_rates(f)) return NULL;
  j->columns = dim + 1;
  j->rows = dim + more_count;
  if (!find_entries(arena, j, f)) return NULL;
  *data = (ForwardJacobian){f, j->columns, j->rows, j->start, j->row};
  j->tape = one_call(arena, f, data);
  return j->tape ? j : NULL;
}
