// Forward-mode automatic differentiation: every operation of a tape carries the rates of its operands on to its result.
//
// in    a tape, its workspace with variables
// out   derivatives of the results by variables
// how   tape_directions variables at a time: beside the value of each slot stand its rates in these directions. One
//       pass over the tape computes both, operation by operation, because slots are used again. The rate of a result is
//       the sum of partial derivative times rate over the operands; partial derivatives of functions are the columns
//       d1 .. d3 of ops.def, read as numbers. Slots that do not move are known by a mark and cost nothing; an operand
//       whose derivative is zero does not move the result, whatever its rate is: the branch that is not taken may have
//       no derivative, and at rest most terms of velocities are products of two zeros. Kernels have rates of their own
//       (TapeKernel.rates). What they compute is the same in every pass: it is kept from the first.
#include "tape/forward.h"

#include "tape/native.h"
#include "tape/operands.h"

#include <math.h>
#include <string.h>

// ---- the derivatives of ops.def in numbers: p are the interpreter's functions

static double value_of(const NativeKit *p, ExprOp op, double a, double b, double c) {
  switch ((int)op) {
#define M(f) p->f
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  case op_##name:                                                                                                      \
    return value;
#include "expr/ops.def"
#undef OP
#undef M
  default: return NAN;
  }
}

static double fn1(const NativeKit *p, ExprOp op, double a) { return value_of(p, op, a, 0, 0); }
static double fn2(const NativeKit *p, ExprOp op, double a, double b) { return value_of(p, op, a, b, 0); }
static double fn3(const NativeKit *p, ExprOp op, double a, double b, double c) { return value_of(p, op, a, b, c); }
#define IGNORE(p) ((void)(p))
static double add(const NativeKit *p, double a, double b) { return IGNORE(p), a + b; }
static double sub(const NativeKit *p, double a, double b) { return IGNORE(p), a - b; }
static double mul(const NativeKit *p, double a, double b) { return IGNORE(p), a * b; }
static double quotient(const NativeKit *p, double a, double b) { return IGNORE(p), a / b; }
static double neg(const NativeKit *p, double a) { return IGNORE(p), -a; }
static double power(const NativeKit *p, double a, double b) { return p->pow(a, b); }
static double powi(const NativeKit *p, double a, int n) { return n == 2 ? a * a : n == -1 ? 1 / a : p->pow(a, n); }
static double one(const NativeKit *p) { return IGNORE(p), 1; }
static double zero(const NativeKit *p) { return IGNORE(p), 0; }
static double integer(const NativeKit *p, int n) { return IGNORE(p), n; }
static double ratio(const NativeKit *p, int n, int d) { return IGNORE(p), (double)n / d; }

// Compiled twice, also for wider registers; no rounding differs.
#define INLINE static inline __attribute__((always_inline))

// d(result)/d(operand), of operands v with the result r.
INLINE void find_partials(const NativeKit *p, uint16_t code, const double v[3], double r, double d[3]) {
  double a = v[0], b = v[1], c = v[2];
  d[0] = d[1] = d[2] = 1;
  switch ((TapeCode)code) {
  case tape_add: break;
  case tape_sub: d[1] = -1; break;
  case tape_neg: d[0] = -1; break;
  case tape_mul:
  case tape_madd: d[0] = b, d[1] = a; break;
  case tape_msub: d[0] = b, d[1] = a, d[2] = -1; break;
  case tape_nmadd: d[0] = -b, d[1] = -a; break;
  case tape_div: d[0] = 1 / b, d[1] = -r / b; break;
  case tape_sqrt: d[0] = 0.5 / r; break;
  case tape_pow: d[0] = b * p->pow(a, b - 1), d[1] = r * p->log(a); break;
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)                     \
  case tape_##name:                                                                                                    \
    d[0] = d1, d[1] = d2, d[2] = d3;                                                                                   \
    break;
#include "expr/ops.def"
#undef OP
  default: d[0] = d[1] = d[2] = NAN; break;
  }
  (void)c;
}

// ---- operations

typedef struct Forward {
  const Tape *tape;
  uint8_t *arity; // of each operation
  NativeKit kit;
  double *w;
  double *kept, *room; // of all calls, in their order: results, and what rates need
  double *next;        // what is kept of the next call
  bool again;          // the first pass is over
  TapeRates rates;     // its room is that of the next call
} Forward;

// The rates of a slot, in as many registers as it takes.
typedef double Directions
    __attribute__((vector_size(tape_directions * sizeof(double)), aligned(sizeof(double)), may_alias));

INLINE void scale(TapeRates *r, uint32_t to, double factor, const double *rate) {
  for (int l = 0; l < tape_directions; l++) r->of[to][l] = factor * rate[l];
  r->moves[to] = true;
}

INLINE void forward_sincos(Forward *f, const TapeOp *op) {
  double rate[tape_directions];
  memcpy(rate, f->rates.of[op->a], sizeof rate);
  bool moves = f->rates.moves[op->a];
  tape_eval_op(f->tape, op, f->w);
  f->rates.moves[op->dst] = f->rates.moves[op->b] = false;
  if (!moves) return;
  scale(&f->rates, op->dst, f->w[op->b], rate);
  scale(&f->rates, op->b, -f->w[op->dst], rate);
}

static size_t in_doubles(size_t bytes) { return bytes / sizeof(double) + 1; }

static size_t along_room(const Tape *tape);

// Of a kernel that is solved by its body: room of the body, the rates of its variables and results, its workspace, a
// matrix with two columns more.
static size_t body_room(const TapeCall *call) {
  const Tape *body = call->kernel->body(call->data);
  size_t n = tape_results(call), ends = (size_t)body->var_count + body->output_count;
  return along_room(body) + in_doubles(body->slot_count) + ends * tape_directions + body->slot_count + n * (n + 2);
}

static size_t rates_room(const TapeCall *call) {
  if (call->kernel->rates) return call->kernel->rates_room(call->data);
  return call->kernel->solve ? body_room(call) : 0;
}

static void forward_call(Forward *f, const TapeOp *op) {
  const TapeCall *call = &f->tape->calls[op->a];
  const uint32_t *args = f->tape->args + call->args;
  uint32_t count = tape_results(call);
  bool any = false;
  for (uint32_t i = 0; i < call->count && !any; i++) any = f->rates.moves[args[i]];
  if (f->again) memcpy(f->w + op->dst, f->next, count * sizeof *f->next);
  else tape_eval_op(f->tape, op, f->w);
  if (any) call->kernel->rates(call, args, f->w, op->dst, &f->rates);
  memcpy(f->next, f->w + op->dst, count * sizeof *f->next);
  f->next += count;
  f->rates.room += rates_room(call);
  for (uint32_t i = 0; i < count; i++) f->rates.moves[op->dst + i] = any;
}

// code: that of the operation, a constant for those of every day, which are then a few instructions.
INLINE void forward_op(Forward *f, const TapeOp *op, uint16_t code, uint32_t arity) {
  TapeRates *r = &f->rates;
  const uint32_t slot[3] = {op->a, op->b, op->c};
  double v[3] = {f->w[op->a], arity > 1 ? f->w[op->b] : 0, arity > 2 ? f->w[op->c] : 0}, d[3];
  bool any = false;
  for (uint32_t k = 0; k < arity; k++) any = any || r->moves[slot[k]];
  if (!tape_everyday(code, v, &f->w[op->dst])) tape_eval_op(f->tape, op, f->w);
  if (!any) {
    r->moves[op->dst] = false;
    return;
  }
  find_partials(&f->kit, code, v, f->w[op->dst], d);
  const Directions *rate[3];
  double factor[3];
  uint32_t count = 0;
  for (uint32_t k = 0; k < arity; k++) {
    if (!r->moves[slot[k]] || d[k] == 0) continue;
    rate[count] = (const Directions *)r->of[slot[k]];
    factor[count++] = d[k];
  }
  r->moves[op->dst] = count > 0;
  if (count == 0) return;
  // the sum begins with 0 + ...: a zero has no sign
  Directions sum = 0.0 + factor[0] * *rate[0];
  if (count > 1) sum += factor[1] * *rate[1];
  if (count > 2) sum += factor[2] * *rate[2];
  *(Directions *)r->of[op->dst] = sum;
}

// All but calls.
INLINE void forward_plain(Forward *f, const TapeOp *op, uint32_t arity) {
  switch ((TapeCode)op->code) {
  case tape_sincos: forward_sincos(f, op); break;
  case tape_add: forward_op(f, op, tape_add, 2); break;
  case tape_sub: forward_op(f, op, tape_sub, 2); break;
  case tape_mul: forward_op(f, op, tape_mul, 2); break;
  case tape_madd: forward_op(f, op, tape_madd, 3); break;
  case tape_msub: forward_op(f, op, tape_msub, 3); break;
  case tape_nmadd: forward_op(f, op, tape_nmadd, 3); break;
  default: forward_op(f, op, op->code, arity); break;
  }
}

// Up to tape_directions variables from `first` on.
INLINE void forward_body(Forward *f, uint32_t first, uint32_t count) {
  const Tape *t = f->tape;
  f->next = f->kept;
  f->rates.room = f->room;
  memset(f->rates.moves, 0, t->slot_count * sizeof *f->rates.moves);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t slot = t->param_count + first + k;
    memset(f->rates.of[slot], 0, sizeof f->rates.of[slot]);
    f->rates.of[slot][k] = 1;
    f->rates.moves[slot] = true;
  }
  for (uint32_t i = 0; i < t->op_count; i++) {
    const TapeOp *op = &t->ops[i];
    if (op->code == tape_call) forward_call(f, op);
    else forward_plain(f, op, f->arity[i]);
  }
}

#if defined(__x86_64__)
__attribute__((target("avx512f,prefer-vector-width=512"))) static void forward_avx512(Forward *f, uint32_t first,
                                                                                      uint32_t count) {
  forward_body(f, first, count);
}
__attribute__((target("avx2"))) static void forward_avx2(Forward *f, uint32_t first, uint32_t count) {
  forward_body(f, first, count);
}
static void forward_strip(Forward *f, uint32_t first, uint32_t count) {
  if (__builtin_cpu_supports("avx512f")) forward_avx512(f, first, count);
  else if (__builtin_cpu_supports("avx2")) forward_avx2(f, first, count);
  else forward_body(f, first, count);
}
#else
static void forward_strip(Forward *f, uint32_t first, uint32_t count) { forward_body(f, first, count); }
#endif

// ---- the whole

// Numbers of all calls: what rates need, results.
static void count_calls(const Tape *tape, size_t *room, size_t *results) {
  *room = *results = 1;
  for (uint32_t i = 0; i < tape->call_count; i++) {
    *room += rates_room(&tape->calls[i]);
    *results += tape_results(&tape->calls[i]);
  }
}

size_t tape_forward_room(const Tape *tape) {
  size_t room, results, slots = tape->slot_count;
  count_calls(tape, &room, &results);
  return slots * tape_directions + room + results + in_doubles(slots * sizeof(bool)) + in_doubles(tape->op_count);
}

void tape_forward_in(const Tape *tape, double *w, uint32_t first, uint32_t count, double *slopes, double *room) {
  Forward f = {.tape = tape, .kit = tape_kit(tape), .w = w};
  size_t rates, results, slots = tape->slot_count;
  count_calls(tape, &rates, &results);
  f.rates.of = (double(*)[tape_directions])(void *)room;
  f.room = room + slots * tape_directions;
  f.kept = f.room + rates;
  f.rates.moves = (bool *)(void *)(f.kept + results);
  f.arity = (uint8_t *)(void *)(f.kept + results + in_doubles(slots * sizeof(bool)));
  memset(f.room, 0, rates * sizeof *f.room);
  for (uint32_t i = 0; i < tape->op_count; i++) f.arity[i] = (uint8_t)tape_arity(tape->ops[i].code);
  for (uint32_t k = 0; k < count; k += tape_directions) {
    uint32_t some = count - k < tape_directions ? count - k : tape_directions;
    forward_strip(&f, first + k, some);
    f.again = true;
    for (uint32_t i = 0; i < tape->output_count; i++) {
      uint32_t slot = tape->outputs[i];
      for (uint32_t l = 0; l < some; l++)
        slopes[(size_t)i * count + k + l] = f.rates.moves[slot] ? f.rates.of[slot][l] : 0;
    }
  }
}

bool tape_forward(Arena *arena, const Tape *tape, double *w, uint32_t first, uint32_t count, double *slopes) {
  ArenaMark mark = arena_mark(arena);
  double *room = arena_array(arena, tape_forward_room(tape), sizeof *room);
  if (room) tape_forward_in(tape, w, first, count, slopes, room);
  arena_release(arena, mark);
  return room != NULL;
}

// ---- along directions of the caller

static size_t along_room(const Tape *tape) {
  size_t room, results;
  count_calls(tape, &room, &results);
  return (size_t)tape->slot_count * tape_directions + room + results + in_doubles(tape->slot_count * sizeof(bool));
}

bool tape_along_init(TapeAlong *a, Arena *arena, const Tape *tape, uint32_t count) {
  *a = (TapeAlong){.tape = tape, .count = count};
  a->room = arena_array(arena, along_room(tape), sizeof *a->room);
  a->moves = arena_array(arena, (size_t)tape->slot_count + 1, sizeof *a->moves);
  return a->room && a->moves;
}

static Forward along_open(const TapeAlong *a, double *w) {
  Forward f = {.tape = a->tape, .kit = tape_kit(a->tape), .w = w};
  size_t rates, results, slots = a->tape->slot_count;
  count_calls(a->tape, &rates, &results);
  f.rates.of = (double(*)[tape_directions])(void *)a->room;
  f.rates.room = f.room = a->room + slots * tape_directions;
  f.next = f.kept = f.room + rates;
  f.rates.moves = (bool *)(void *)(f.kept + results);
  return f;
}

static bool is_moved(const Forward *f, const TapeOp *op) {
  const TapeCall *call = &f->tape->calls[op->a];
  const uint32_t *args = f->tape->args + call->args;
  for (uint32_t i = 0; i < call->count; i++) {
    for (int l = 0; f->rates.moves[args[i]] && l < tape_directions; l++) {
      if (f->rates.of[args[i]][l] != 0) return true;
    }
  }
  return false;
}

// What a kernel solves for by its body: A z' = -g', where g' is of z at rest.
static void along_body(Forward *f, const TapeOp *op) {
  const TapeCall *call = &f->tape->calls[op->a];
  const uint32_t *args = f->tape->args + call->args;
  const Tape *body = call->kernel->body(call->data);
  uint32_t n = tape_results(call);
  double *room = f->rates.room;
  TapeAlong a = {.tape = body, .count = tape_directions, .room = room};
  a.moves = (bool *)(void *)(room += along_room(body));
  memset(a.moves, 0, body->slot_count * sizeof *a.moves);
  double(*in)[tape_directions] = (double(*)[tape_directions])(void *)(room += in_doubles(body->slot_count));
  double(*out)[tape_directions] = in + body->var_count;
  double *w = (double *)(void *)(out + body->output_count), *matrix = w + body->slot_count;
  for (uint32_t i = 0; i < body->var_count; i++) {
    bool moves = i >= n && f->rates.moves[args[i]];
    tape_vars(body, w)[i] = i < n ? f->w[op->dst + i] : f->w[args[i]];
    for (uint32_t l = 0; l < tape_directions; l++) in[i][l] = moves ? f->rates.of[args[i]][l] : 0;
  }
  tape_prepare(body, w);
  tape_along(&a, w, in[0], body->var_count, out[0]);
  for (uint32_t i = 0; i < n * n; i++) matrix[i] = tape_result(body, w, n + i);
  call->kernel->solve(call->data, matrix, out);
  memcpy(f->rates.of[op->dst], out[0], n * sizeof *out);
}

// A kernel that has no rates: its value is right, and where an operand moves its rates are no numbers.
static void along_call(Forward *f, const TapeOp *op) {
  const TapeCall *call = &f->tape->calls[op->a];
  if (call->kernel->rates) {
    forward_call(f, op);
    return;
  }
  bool moved = is_moved(f, op);
  tape_eval_op(f->tape, op, f->w);
  if (moved && call->kernel->solve) along_body(f, op);
  f->rates.room += rates_room(call);
  for (uint32_t i = 0; i < tape_results(call); i++) {
    f->rates.moves[op->dst + i] = moved;
    for (int l = 0; moved && !call->kernel->solve && l < tape_directions; l++) f->rates.of[op->dst + i][l] = NAN;
  }
}

static void along_ops(Forward *f, const TapeOp *ops, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (ops[i].code == tape_call) along_call(f, &ops[i]);
    else forward_plain(f, &ops[i], tape_arity(ops[i].code));
  }
}

// One slot moves so, or stands still: then its rates are not read.
static void along_seed(Forward *f, uint32_t slot, const double *rates, uint32_t count) {
  bool moves = false;
  for (uint32_t k = 0; k < count; k++) moves = moves || rates[k] != 0;
  f->rates.moves[slot] = moves;
  if (!moves) return;
  memset(f->rates.of[slot], 0, sizeof f->rates.of[slot]);
  memcpy(f->rates.of[slot], rates, count * sizeof *rates);
}

void tape_along_params(TapeAlong *a, double *w, const double *rates, const double *more) {
  Forward f = along_open(a, w);
  const Tape *t = a->tape;
  memset(f.rates.moves, 0, t->slot_count * sizeof *f.rates.moves);
  memset(f.room, 0, (size_t)(f.kept - f.room) * sizeof *f.room);
  tape_prepare(t, w); // constants
  for (uint32_t i = 0; i < t->param_count; i++) along_seed(&f, i, rates + (size_t)i * a->count, a->count);
  for (uint32_t i = 0; more && i < t->var_count; i++)
    along_seed(&f, t->param_count + i, more + (size_t)i * a->count, a->count);
  along_ops(&f, t->prologue, t->prologue_count);
  memcpy(a->moves, f.rates.moves, t->slot_count * sizeof *a->moves);
}

void tape_along(TapeAlong *a, double *w, const double *rates, uint32_t variables, double *slopes) {
  Forward f = along_open(a, w);
  const Tape *t = a->tape;
  memcpy(f.rates.moves, a->moves, t->slot_count * sizeof *a->moves);
  memset(f.room, 0, (size_t)(f.kept - f.room) * sizeof *f.room);
  for (uint32_t i = 0; i < variables; i++) along_seed(&f, t->param_count + i, rates + (size_t)i * a->count, a->count);
  along_ops(&f, t->ops, t->op_count);
  for (uint32_t i = 0; i < t->output_count; i++) {
    uint32_t slot = t->outputs[i];
    for (uint32_t k = 0; k < a->count; k++)
      slopes[(size_t)i * a->count + k] = f.rates.moves[slot] ? f.rates.of[slot][k] : 0;
  }
}

bool tape_forward_knows(const Tape *tape) {
  for (uint32_t i = 0; i < tape->op_count; i++) {
    const TapeOp *op = &tape->ops[i];
    if (op->code == tape_call && !tape->calls[op->a].kernel->rates) return false;
  }
  return true;
}

bool tape_forward_pays(const Tape *tape) {
  const uint64_t large = (uint64_t)tape_large_size * tape_large_size * tape_large_size / 3;
  bool pays = false;
  for (uint32_t i = 0; i < tape->op_count; i++) {
    if (tape->ops[i].code != tape_call) continue;
    const TapeCall *call = &tape->calls[tape->ops[i].a];
    pays = pays || (call->kernel->work && call->kernel->work(call->data) >= large);
  }
  return pays && tape_forward_knows(tape);
}

bool tape_reads(Arena *arena, const Tape *tape, uint32_t from, uint32_t to, bool *reads) {
  ArenaMark mark = arena_mark(arena);
  bool *needed = arena_array(arena, tape->slot_count, sizeof *needed);
  for (uint32_t i = from; needed && i < to; i++) needed[tape->outputs[i]] = true;
  // last to first: what an operation leaves is needed by those behind it alone
  for (uint32_t i = tape->op_count; needed && i-- > 0;) {
    const TapeOp *op = &tape->ops[i];
    uint32_t own[3], count;
    const uint32_t *slots = tape_operands(tape, op, own, &count);
    bool any = false;
    for (uint32_t k = 0; k < tape_leaves(tape, op); k++) {
      any = any || needed[tape_left_in(op, k)];
      needed[tape_left_in(op, k)] = false;
    }
    for (uint32_t k = 0; any && k < count; k++) needed[slots[k]] = true;
  }
  for (uint32_t k = 0; needed && k < tape->var_count; k++) reads[k] = needed[tape->param_count + k];
  arena_release(arena, mark);
  return needed != NULL;
}
