// Random expressions with all operations, and a model with all kernels: what the laws of the back ends and of the lanes
// are tried on.
#ifndef VIVA_TESTS_GRAPHS_H
#define VIVA_TESTS_GRAPHS_H

#include "tests/laws/chance.h"

enum { variables = 5, graphs = 1000, together = 50, points = 40 };
// For laws about bits: sanitizers look at the same code at fewer points, and take ten times as long.
#ifdef __SANITIZE_ADDRESS__
enum { graphs_for_bits = graphs / 5, kernel_points = 10 };
#else
enum { graphs_for_bits = graphs, kernel_points = 100 };
#endif

static const char *const model_text =
    "param a = 1.5, b = -0.25\ncoord q1, q2\nstate s1, s2\nkinetic 1/2*q1'^2 + 1/2*q2'^2\ns1' = 0\ns2' = 0\n";

typedef struct World {
  Loaded *l;
  ExprPool *pool;
  SymbolId symbols[variables];
} World;

static World world_new(void) {
  World w = {.l = load_text(model_text)};
  w.pool = &w.l->model.pool;
  w.symbols[0] = w.l->model.time;
  w.symbols[1] = w.l->model.coords.items[0].q;
  w.symbols[2] = w.l->model.coords.items[1].q;
  w.symbols[3] = w.l->model.states.items[0].x;
  w.symbols[4] = w.l->model.states.items[1].x;
  return w;
}

// Any operation of ops.def over anything.
static ExprId grow(World *w, int depth) {
  static const uint8_t arity[op_count] = {
#define OP(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning) [op_##name] = arity,
#include "expr/ops.def"
#undef OP
  };
  ExprPool *p = w->pool;
  if (depth == 0 || uniform() < 0.08) {
    double kind = uniform();
    if (kind < 0.2) return expr_num(p, rat_make(p->arena, (int64_t)choose(19) - 9, 1 + choose(7)));
    if (kind < 0.3) return expr_sym(p, w->l->model.params.items[choose(2)].symbol);
    return expr_sym(p, w->symbols[choose(variables)]);
  }
  ExprId x[3] = {grow(w, depth - 1), 0, 0};
  switch (choose(8)) {
  case 0: return expr_add(p, x[0], grow(w, depth - 1));
  case 1: return expr_sub(p, x[0], grow(w, depth - 1));
  case 2: return expr_mul(p, x[0], grow(w, depth - 1));
  case 3: return expr_div(p, x[0], grow(w, depth - 1));
  case 4: return expr_powi(p, x[0], (int64_t)choose(9) - 4);
  case 5: return uniform() < 0.5 ? expr_sqrt(p, x[0]) : expr_pow(p, x[0], grow(w, depth - 2 > 0 ? depth - 2 : 0));
  default: {
    ExprOp op = (ExprOp)((unsigned)op_sin + choose((unsigned)op_count - (unsigned)op_sin));
    for (uint32_t i = 1; i < arity[op]; i++) x[i] = grow(w, depth - 1);
    return expr_fn(p, op, x, arity[op]);
  }
  }
}

// ---- a model with solves of all kinds and sizes, a table, noise, integrals and inverses in the right-hand side

static const char *const kernels_text =
    "param c = 0.3, d = 2\ncoord a, b, e, f = 1\ncoord g[i] = 0.1*i for i in 1 .. 8\nstate z = 0.5\ninput u = noise(3, "
    "0.1) + table(\"%s/push.csv\", \"u\", t)\n"
    "fun s(x) = x^3 + x + c*sin(x)\nfun m(x) = x*(2 + z^2) + x^3\n"
    "kinetic 1/2*(2 + cos(a - b))*a'^2 + 1/2*b'^2 + c*cos(b)*a'*b' + 1/2*d*e'^2 - 1/2*f'^2 + c*sin(z)*e'*f'\n"
    "kinetic 1/2*sum((2 + sin(g[i]))*g[i]'^2, i, 1, 8) + 1/4*sum(cos(g[i] - g[1])*g[i]'*g[1]', i, 2, 8)\n"
    "potential 1/2*(a^2 + b^2 + e^2 + f^2) + integral_of(tanh(x*d), x, 0, a)\n"
    "force b = u*exp(-t) + inverse(s)(e)\n"
    "z' = -z + max(a, b) + inverse(s)(z*d) + inverse(m)(b) + integral_of(abs(x - a)*exp(-x) + "
    "floor(3*x)*sin(9*x)*exp(-x^2), x, 0, inf)\n";

// The right-hand side of that model; the folder is for its table.
static const Tape *kernels_tape(const char *folder, Loaded **loaded) {
  char path[64], text[2048];
  snprintf(path, sizeof path, "%s/push.csv", folder);
  FILE *table = fopen(path, "w");
  assert_non_null(table);
  fputs("t,u\n0,1\n1,3\n2,-1\n", table);
  fclose(table);
  snprintf(text, sizeof text, kernels_text, folder);
  Loaded *l = load_text(text);
  unlink(path);
  Model *m = &l->model;
  uint32_t n = m->coords.count, count = 0;
  SymbolId vars[64];
  ExprId results[64];
  vars[count++] = m->time;
  for (uint32_t i = 0; i < n; i++) vars[count++] = m->coords.items[i].q;
  for (uint32_t i = 0; i < n; i++) vars[count++] = m->coords.items[i].v;
  vars[count++] = m->states.items[0].x;
  for (uint32_t i = 0; i < n; i++) results[i] = expr_sym(&m->pool, m->coords.items[i].a);
  results[n] = expr_sym(&m->pool, m->states.items[0].rate);
  const Tape *t = tape_build(
      l->arena, &(TapeRequest){
                    .system = &l->system, .vars = vars, .var_count = count, .results = results, .result_count = n + 1});
  assert_non_null(t);
  assert_true(t->call_count >= 6);
  *loaded = l;
  return t;
}

#endif
