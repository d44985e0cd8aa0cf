// A ring of n masses m between springs k, whose forces are one kernel: no expressions for them.
//
// in    parameters ring.n ring.wave (numbers), ring.k ring.m; ring.turn, where there is one: when the first mass falls
//       below -turn, all velocities turn round
// out   coordinates x0 x1 ..., m a_i = z_i, where all z come from one call:
//         z_i = k (x_(i-1) - 2 x_i + x_(i+1)),   dz_i/dx_(i+-1) = k,   dz_i/dx_i = -2 k,   dz_i/dk = z_i/k
//       at the start a travelling wave: x_i = sin(2 pi i wave/n - w t), w = 2 sqrt(k/m) sin(pi wave/n)
#include "form/form.h"
#include "tape/emit_parts.h"
#include "tape/kernel.h"
#include "tape/lanes.h"

#include <stdlib.h>
#include <string.h>

typedef struct Ring {
  uint32_t n;
  uint32_t *start, *argument; // of the pattern: neighbours and itself, then k
} Ring;

// ---- the kernel; arguments x0 x1 ... k

static uint32_t forces_count(const void *data) { return ((const Ring *)data)->n; }
static uint32_t forces_room(const void *data) {
  return 2 * ((const Ring *)data)->n + 1;
} // C text has the arguments there
static uint32_t slopes_count(const void *data) { return 4 * ((const Ring *)data)->n; }
static uint32_t slopes_room(const void *data) { return 5 * ((const Ring *)data)->n + 1; }

static void forces_eval(const TapeCall *call, const uint32_t *args, double *w, double *z) {
  const Ring *r = call->data;
  const double k = w[args[r->n]];
  for (uint32_t i = 0; i < r->n; i++)
    z[i] = k * (w[args[i ? i - 1 : r->n - 1]] - 2 * w[args[i]] + w[args[i + 1 < r->n ? i + 1 : 0]]);
}

static inline unsigned forces_over(const TapeCall *call, const uint32_t *args, double *w) {
  enum { L = lane_count };
  const Ring *r = call->data;
  const double *k = w + (size_t)args[r->n] * L;
  for (uint32_t i = 0; i < r->n; i++) {
    const double *x = w + (size_t)args[i] * L, *left = w + (size_t)args[i ? i - 1 : r->n - 1] * L,
                 *right = w + (size_t)args[i + 1 < r->n ? i + 1 : 0] * L;
    double *z = w + ((size_t)call->scratch + i) * L;
    for (int l = 0; l < L; l++) z[l] = k[l] * (left[l] - 2 * x[l] + right[l]);
  }
  return 0;
}

TAPE_LANES(forces_lanes, forces_over)

static void slopes_eval(const TapeCall *call, const uint32_t *args, double *w, double *d) {
  const Ring *r = call->data;
  const double k = w[args[r->n]];
  for (uint32_t i = 0; i < r->n; i++) {
    for (uint32_t e = r->start[i]; e + 1 < r->start[i + 1]; e++) d[e] = r->argument[e] == i ? -2 * k : k;
    d[r->start[i + 1] - 1] = w[args[i ? i - 1 : r->n - 1]] - 2 * w[args[i]] + w[args[i + 1 < r->n ? i + 1 : 0]];
  }
}

static TapePattern pattern(const void *data) {
  const Ring *r = data;
  return (TapePattern){r->start, r->argument};
}

// The arguments are written behind the results, and a loop does the rest.
static void emit_call(Emit *e, const TapeOp *op, const char *name, uint32_t results) {
  const TapeCall *call = &e->tape->calls[op->a];
  for (uint32_t i = 0; i < call->count; i++) {
    text_printf(e->out, "  w[%u] = ", op->dst + results + i);
    emit_operand(e, e->tape->args[call->args + i]);
    text_put(e->out, ";\n");
  }
  text_printf(e->out, "  %s(%u, w + %u, w + %u);\n", name, call->count - 1, op->dst + results, op->dst);
  emit_left_in_slots(e, op);
}

static void forces_emit(Emit *e, const TapeOp *op, uint32_t index) {
  (void)index;
  emit_call(e, op, "ring_forces", forces_count(e->tape->calls[op->a].data));
}

static void slopes_emit(Emit *e, const TapeOp *op, uint32_t index) {
  (void)index;
  emit_call(e, op, "ring_slopes", slopes_count(e->tape->calls[op->a].data));
}

static const char *const forces_text[] = {
    "static void ring_forces(unsigned n, const viva_real *x, viva_real *z) {",
    "  for (unsigned i = 0; i < n; i++)",
    "    z[i] = x[n] * (x[i ? i - 1 : n - 1] - 2 * x[i] + x[i + 1 < n ? i + 1 : 0]);",
    "}",
    "",
    NULL,
};

// in rising order of the arguments: the first and the last mass have their neighbours round the corner
static const char *const slopes_text[] = {
    "static void ring_slopes(unsigned n, const viva_real *x, viva_real *d) {",
    "  for (unsigned i = 0; i < n; i++, d += 4) {",
    "    d[0] = d[1] = d[2] = x[n];",
    "    d[i == 0 ? 0 : i + 1 == n ? 2 : 1] = -2 * x[n];",
    "    d[3] = x[i ? i - 1 : n - 1] - 2 * x[i] + x[i + 1 < n ? i + 1 : 0];",
    "  }",
    "}",
    "",
    NULL,
};

static const TapeKernel slopes = {.name = "slopes of the ring",
                                  .fault = "overflow",
                                  .results = slopes_count,
                                  .room = slopes_room,
                                  .eval = slopes_eval,
                                  .emit = slopes_emit,
                                  .text = slopes_text};
static const TapeKernel forces = {.name = "ring",
                                  .fault = "overflow",
                                  .results = forces_count,
                                  .room = forces_room,
                                  .eval = forces_eval,
                                  .lanes = forces_lanes,
                                  .tangent = tangent_by_slopes,
                                  .slopes = &slopes,
                                  .pattern = pattern,
                                  .work = NULL,
                                  .emit = forces_emit,
                                  .text = forces_text};

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static const Ring *ring_new(Arena *arena, uint32_t n) {
  Ring *r = arena_new_of(arena, Ring);
  uint32_t *start = arena_array(arena, (size_t)n + 1, sizeof *start);
  uint32_t *argument = arena_array(arena, 4 * (size_t)n, sizeof *argument);
  if (!r || !start || !argument) return NULL;
  *r = (Ring){n, start, argument};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t *at = argument + 4 * (size_t)i;
    start[i + 1] = 4 * (i + 1);
    at[0] = i ? i - 1 : n - 1;
    at[1] = i;
    at[2] = i + 1 < n ? i + 1 : 0;
    at[3] = n;
    qsort(at, 3, sizeof *at, by_number);
  }
  return r;
}

// ---- the formulation

static const SystemParam *param(const System *s, const char *name) {
  for (uint32_t i = 0; i < s->params.count; i++) {
    if (strcmp(s->params.items[i].name, name) == 0) return &s->params.items[i];
  }
  return NULL;
}

static ExprId value(const System *s, const char *name) { return expr_sym(s->pool, param(s, name)->symbol); }

static int64_t number(const System *s, const char *name) {
  Rat r;
  int64_t n = 0;
  const SystemParam *p = param(s, name);
  return p && expr_number(s->pool, p->value, &r) && rat_to_int(r, &n) ? n : 0;
}

// sin or cos of pi * over/under
static ExprId wave(System *s, ExprOp op, int64_t over, int64_t under) {
  ExprId angle = expr_scale(s->pool, rat_make(s->arena, over, under), s->pool->pi);
  return expr_fn(s->pool, op, &angle, 1);
}

static bool ring_add(System *s) {
  int64_t n = number(s, "ring.n"), j = number(s, "ring.wave");
  if (n == 0) return true;
  ExprPool *p = s->pool;
  ExprId twice = expr_scale(p, rat_int(2), wave(s, op_sin, j, n));
  ExprId w = expr_mul(p, twice, expr_sqrt(p, expr_div(p, value(s, "ring.k"), value(s, "ring.m"))));
  for (int64_t i = 0; i < n; i++) {
    uint32_t index = s->coords.count;
    const char *name = arena_printf(s->arena, "x%u", (unsigned)i), *v = arena_printf(s->arena, "%s'", name);
    SystemCoord c = {.q = pool_symbol(p, name, sym_coord, index, 0),
                     .v = pool_symbol(p, v, sym_velocity, index, 1),
                     .a = pool_symbol(p, arena_printf(s->arena, "%s''", name), sym_acceleration, index, 2),
                     .name = name,
                     .q0 = wave(s, op_sin, 2 * (i * j % n), n),
                     .v0 = expr_neg(p, expr_mul(p, w, wave(s, op_cos, 2 * (i * j % n), n)))};
    if (!vec_push(s->arena, &s->coords, c)) return false;
  }
  return true;
}

static bool turn_round(System *s) {
  ExprPool *p = s->pool;
  ExprId sides[2] = {expr_sym(p, s->coords.items[0].q), expr_neg(p, value(s, "ring.turn"))};
  SystemWhen w = {.condition = expr_fn(p, op_lt, sides, 2)};
  for (uint32_t i = 0; i < s->coord_count; i++) {
    ExprId back = expr_neg(p, expr_sym(p, s->coords.items[i].v));
    if (!vec_push(s->arena, &w.assigns, ((SystemAssign){assign_velocity, i, back, {0}}))) return false;
  }
  return vec_push(s->arena, &s->whens, w);
}

static bool ring_fill(System *s) {
  uint32_t n = (uint32_t)number(s, "ring.n");
  if (n == 0) return true;
  ExprId *args = arena_array(s->arena, (size_t)n + 1, sizeof *args);
  SymbolId *z = arena_array(s->arena, n, sizeof *z);
  if (!args || !z) return false;
  args[n] = value(s, "ring.k");
  for (uint32_t i = 0; i < n; i++) {
    args[i] = expr_sym(s->pool, s->coords.items[i].q);
    z[i] = pool_symbol(s->pool, arena_printf(s->arena, "z%u", i), sym_signal, i, 0);
    s->h[i] = expr_neg(s->pool, expr_sym(s->pool, z[i]));
    if (!z[i] || !system_mass_set(s, i, i, value(s, "ring.m"))) return false;
  }
  SystemCall call = {.kernel = &forces,
                     .data = ring_new(s->arena, n),
                     .arg_count = n + 1,
                     .result_count = n,
                     .args = args,
                     .results = z,
                     .origin = system_origin(s, (Span){0}, "the ring", 0)};
  if (!call.data || !vec_push(s->arena, &s->calls, call)) return false;
  return !param(s, "ring.turn") || turn_round(s);
}

const Formulation ring_formulation = {.add = ring_add, .fill = ring_fill};
