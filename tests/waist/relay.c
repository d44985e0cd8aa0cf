// A mass that a relay pushes back: x'' = z, where z = -c (sign(x) + (2 [x > 0] - 1))/2 comes out of a kernel.
//
// in    parameters relay.c, relay.x (at the start, at rest)
// out   the coordinate x; what switches, the sign and the comparison, stands in the arguments of the call alone
#include "form/form.h"
#include "tape/kernel.h"

#include <string.h>

// ---- the kernel; arguments sign(x), x > 0, c

enum { side, above, strength, arg_count };

static void push_eval(const TapeCall *call, const uint32_t *args, double *w, double *z) {
  (void)call;
  *z = -w[args[strength]] * (w[args[side]] + (2 * w[args[above]] - 1)) / 2;
}

static uint32_t slopes_count(const void *data) {
  (void)data;
  return arg_count;
}

static void slopes_eval(const TapeCall *call, const uint32_t *args, double *w, double *d) {
  (void)call;
  d[side] = -w[args[strength]] / 2;
  d[above] = -w[args[strength]];
  d[strength] = -(w[args[side]] + (2 * w[args[above]] - 1)) / 2;
}

static const TapeKernel slopes = {.name = "slopes of the relay",
                                  .fault = "overflow",
                                  .results = slopes_count,
                                  .room = slopes_count,
                                  .eval = slopes_eval};
static const TapeKernel push = {
    .name = "relay", .fault = "overflow", .eval = push_eval, .tangent = tangent_by_slopes, .slopes = &slopes};

// ---- the formulation

static ExprId param(const System *s, const char *name) {
  for (uint32_t i = 0; i < s->params.count; i++) {
    if (strcmp(s->params.items[i].name, name) == 0) return expr_sym(s->pool, s->params.items[i].symbol);
  }
  return 0;
}

static bool relay_add(System *s) {
  ExprPool *p = s->pool;
  uint32_t index = s->coords.count;
  if (!param(s, "relay.c")) return true;
  SystemCoord x = {.q = pool_symbol(p, "x", sym_coord, index, 0),
                   .v = pool_symbol(p, "x'", sym_velocity, index, 1),
                   .a = pool_symbol(p, "x''", sym_acceleration, index, 2),
                   .name = "x",
                   .q0 = param(s, "relay.x"),
                   .v0 = p->zero};
  return vec_push(s->arena, &s->coords, x);
}

static bool relay_fill(System *s) {
  ExprPool *p = s->pool;
  if (!param(s, "relay.c")) return true;
  ExprId *args = arena_array(s->arena, arg_count, sizeof *args), x = expr_sym(p, s->coords.items[0].q);
  SymbolId *z = arena_array(s->arena, 1, sizeof *z);
  if (!args || !z) return false;
  *z = pool_symbol(p, "z", sym_signal, 0, 0);
  args[side] = expr_fn(p, op_sign, &x, 1);
  args[above] = expr_fn(p, op_lt, (ExprId[]){p->zero, x}, 2);
  args[strength] = param(s, "relay.c");
  s->h[0] = expr_neg(p, expr_sym(p, *z));
  SystemCall call = {.kernel = &push,
                     .arg_count = arg_count,
                     .result_count = 1,
                     .args = args,
                     .results = z,
                     .origin = system_origin(s, (Span){0}, "the relay", 0)};
  return system_mass_set(s, 0, 0, p->one) && vec_push(s->arena, &s->calls, call);
}

const Formulation relay_formulation = {.add = relay_add, .fill = relay_fill};
