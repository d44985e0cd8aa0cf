// Conditions of time and state of many shapes are counted and timed: `when` works at every moment at which its
// condition becomes true, and `if(condition, 1, 0)` is integrated to the length of time for which it holds. The truth
// comes from closed forms of the motion and of the condition, evaluated here on a fine grid and bisected; narrow pulses
// have closed forms of their own. What is not right must be told (grazing, not certain), and only little may be. The
// broken twin: the same runs with steps that do not look for events.
#define _XOPEN_SOURCE 700
#include "tests/laws/chance.h"

enum { rounds = 150, samples = 100000, most_nodes = 80, most_times = 4000 };
static const double span = 20;

// ---- shapes: trees of functions of two variables

typedef enum Op {
  o_number,
  o_line,
  o_sin,
  o_bell,
  o_dome,
  o_mod,
  o_floor,
  o_abs,
  o_min,
  o_max,
  o_add,
  o_mul,
  o_power,
  o_step,
  o_sign,
  o_if,
  o_root,
  o_tanh,
  o_ratio,
  o_poly,
  o_count
} Op;

typedef struct Node {
  Op op;
  double p, q; // numbers of the function
  int n;       // exponent
  int a, b, c; // arguments
  bool other;  // of the second variable
} Node;

typedef struct Shape {
  Node node[most_nodes];
  int count;
} Shape;

static double round_to(double x, double unit) { return round(x / unit) * unit; }

static int put(Shape *s, Node n) {
  assert_true(s->count < most_nodes);
  s->node[s->count] = n;
  return s->count++;
}

static int grow(Shape *s, int depth) {
  Op op = depth == 0 || s->count > most_nodes - 24 ? (Op)(o_line + choose(4)) : (Op)(o_sin + choose(o_count - o_sin));
  Node n = {.op = op, .other = choose(4) == 0};
  switch (op) {
  case o_line: n.p = round_to(0.2 + uniform(), 0.01), n.q = round_to(4 * uniform() - 2, 0.01); break;
  case o_sin: n.p = round_to(0.4 + 2 * uniform(), 0.01), n.q = round_to(3 * uniform(), 0.01); break;
  case o_bell:
    n.p = round_to(span * uniform(), 0.01), n.q = round_to(0.05 + uniform(), 0.01);
    break; // exp(-((u - p)/q)^2)
  case o_dome:
    n.p = round_to(span * uniform(), 0.01), n.q = round_to(2 + 8 * uniform(), 0.01);
    break; // 1 - ((u - p)/q)^2
  case o_poly:
    n.p = round_to(span * uniform(), 0.01), n.q = round_to(span * uniform(), 0.01);
    break; // (u - p)*(u - q)/50
  case o_mod: n.p = round_to(0.7 + 3 * uniform(), 0.01), n.a = grow(s, depth - 1); break;
  case o_floor: n.p = round_to(1 + 3 * uniform(), 0.01), n.a = grow(s, depth - 1); break;
  case o_power: {
    static const int powers[] = {2, 3, 5, 20, 101, 400};
    n.n = powers[choose(6)];
    n.a = put(s, (Node){.op = choose(2) ? o_sin : o_dome,
                        .p = round_to(0.4 + 2 * uniform(), 0.01),
                        .q = round_to(2 + 4 * uniform(), 0.01)});
    break;
  }
  case o_min:
  case o_max:
  case o_add:
  case o_mul:
  case o_ratio: n.a = grow(s, depth - 1), n.b = grow(s, depth - 1); break;
  case o_if:
    n.p = round_to(2 * uniform() - 1, 0.01), n.a = grow(s, depth - 1), n.b = grow(s, depth - 1),
    n.c = grow(s, depth - 1);
    break;
  case o_step:
  case o_sign: n.p = round_to(2 * uniform() - 1, 0.01), n.a = grow(s, depth - 1); break;
  default: n.p = round_to(1 + 2 * uniform(), 0.01), n.a = grow(s, depth - 1); break;
  }
  return put(s, n);
}

static bool coarse; // so many whole numbers are passed that the grid does not see them

// What jumps, as it is seen by value(): a number for the sides that all arguments are on. With at_jump those that are
// nearly at zero are there, where the operator has its own value (S2 of docs/semantics.md): sign(0) is 0.
static uint64_t sides;
static bool at_jump;

static double seen_from(double distance) {
  if (at_jump && fabs(distance) < 1e-9) distance = 0;
  sides = sides * 1000003 + (distance > 0 ? 2 : distance < 0 ? 1 : 0);
  return distance;
}

static double whole_below(double v) {
  double near = round(v), whole = at_jump && fabs(v - near) < 1e-9 ? near : floor(v);
  coarse = coarse || fabs(v) > 300;
  sides = sides * 1000003 + (uint64_t)(int64_t)fmin(fmax(whole, -1e9), 1e9);
  return whole;
}

// x: both variables
static double value(const Shape *s, int at, const double *x) {
  const Node *n = &s->node[at];
  double p = n->p, q = n->q, v, u = x[n->other];
  switch (n->op) {
  case o_line: return p * u + q;
  case o_sin: return sin(p * u + q);
  case o_bell: return exp(-(u - p) / q * ((u - p) / q));
  case o_dome: return 1 - (u - p) / q * ((u - p) / q);
  case o_poly: return (u - p) * (u - q) / 50;
  case o_mod:
    v = value(s, n->a, x);
    u = whole_below(v / p);
    return at_jump && fabs(v / p - u) < 1e-9 ? 0 : v - p * u;
  case o_floor: return whole_below(p * value(s, n->a, x)) / p;
  case o_abs: return fabs(value(s, n->a, x));
  case o_min: return fmin(value(s, n->a, x), value(s, n->b, x));
  case o_max: return fmax(value(s, n->a, x), value(s, n->b, x));
  case o_add: return value(s, n->a, x) + value(s, n->b, x);
  case o_mul: return value(s, n->a, x) * value(s, n->b, x);
  case o_power: return pow(value(s, n->a, x), n->n);
  case o_step: return seen_from(value(s, n->a, x) - p) >= 0;
  case o_sign: v = seen_from(value(s, n->a, x) - p); return v > 0 ? 1 : v < 0 ? -1 : 0;
  case o_if: return seen_from(value(s, n->a, x) - p) > 0 ? value(s, n->b, x) : value(s, n->c, x);
  case o_root: return sqrt(1 + value(s, n->a, x) * value(s, n->a, x));
  case o_ratio: v = value(s, n->b, x); return value(s, n->a, x) / (1 + v * v);
  case o_tanh: return tanh(p * value(s, n->a, x));
  default: return p;
  }
}

static void spell(const Shape *s, int at, const char *const *x, char *out, size_t size) {
  const Node *n = &s->node[at];
  const char *u = x[n->other];
  char a[3000] = "", b[3000] = "", c[3000] = "";
  if (n->op >= o_mod && n->op != o_poly) spell(s, n->a, x, a, sizeof a);
  if ((n->op >= o_min && n->op <= o_mul) || n->op == o_if || n->op == o_ratio) spell(s, n->b, x, b, sizeof b);
  if (n->op == o_if) spell(s, n->c, x, c, sizeof c);
  switch (n->op) {
  case o_line: snprintf(out, size, "(%.10g*%s + %.10g)", n->p, u, n->q); break;
  case o_sin: snprintf(out, size, "sin(%.10g*%s + %.10g)", n->p, u, n->q); break;
  case o_bell: snprintf(out, size, "exp(-((%s - %.10g)/%.10g)^2)", u, n->p, n->q); break;
  case o_dome: snprintf(out, size, "(1 - ((%s - %.10g)/%.10g)^2)", u, n->p, n->q); break;
  case o_poly: snprintf(out, size, "((%s - %.10g)*(%s - %.10g)/50)", u, n->p, u, n->q); break;
  case o_mod: snprintf(out, size, "mod(%s, %.10g)", a, n->p); break;
  case o_floor: snprintf(out, size, "(floor(%.10g*%s)/%.10g)", n->p, a, n->p); break;
  case o_abs: snprintf(out, size, "abs(%s)", a); break;
  case o_min: snprintf(out, size, "min(%s, %s)", a, b); break;
  case o_max: snprintf(out, size, "max(%s, %s)", a, b); break;
  case o_add: snprintf(out, size, "(%s + %s)", a, b); break;
  case o_mul: snprintf(out, size, "(%s*%s)", a, b); break;
  case o_power: snprintf(out, size, "%s^%d", a, n->n); break;
  case o_step: snprintf(out, size, "step(%s - %.10g)", a, n->p); break;
  case o_sign: snprintf(out, size, "sign(%s - %.10g)", a, n->p); break;
  case o_if: snprintf(out, size, "if(%s > %.10g, %s, %s)", a, n->p, b, c); break;
  case o_root: snprintf(out, size, "sqrt(1 + (%s)^2)", a); break;
  case o_ratio: snprintf(out, size, "(%s/(1 + (%s)^2))", a, b); break;
  case o_tanh: snprintf(out, size, "tanh(%.10g*%s)", n->p, a); break;
  default: snprintf(out, size, "%.10g", n->p); break;
  }
}

// ---- motions with closed forms

typedef enum Motion { by_time, by_clock, by_swing, by_decay, by_delay, motion_count } Motion;

static const char *const motion_text[] = {
    "", "state x = 0\nx' = 1\n", "coord x = 8\nkinetic 1/2*x'^2\npotential 1/2*x^2\n", "state x = 20\nx' = -x/5\n",
    "state w = 0\nw' = 1\nlet x = delay(w, 1.7, t)\n"};

static const char *const variables[][2] = {{"t", "t"}, {"x", "x"}, {"x", "x'"}, {"x", "t"}, {"x", "w"}};

static void motion_at(Motion m, double t, double x[2]) {
  x[0] = x[1] = t;
  if (m == by_swing) x[0] = 8 * cos(t), x[1] = -8 * sin(t);
  if (m == by_decay) x[0] = 20 * exp(-t / 5);
  if (m == by_delay) x[0] = t - 1.7;
}

// ---- the truth

typedef struct Truth {
  double up[most_times];
  int count;
  double holds;  // for so long
  bool doubtful; // the grid is too coarse for it, or rounding decides
} Truth;

typedef struct Comparison {
  int root, how; // > >= < <=
  double limit;
} Comparison;

typedef struct Case {
  Shape shape;
  Motion motion;
  Comparison part[2];
  int parts;
  bool both; // `and`, else `or`
} Case;

static const char *const signs[] = {">", ">=", "<", "<="};

static double part_excess(const Case *m, int i, double t) {
  double x[2];
  motion_at(m->motion, t, x);
  double over = value(&m->shape, m->part[i].root, x) - m->part[i].limit;
  return m->part[i].how < 2 ? over : -over;
}

// Positive where the condition holds.
static double excess(const Case *m, double t) {
  double a = part_excess(m, 0, t);
  if (m->parts == 1) return a;
  double b = part_excess(m, 1, t);
  return m->both ? fmin(a, b) : fmax(a, b);
}

static double cross(const Case *m, double a, double b) {
  bool at_a = excess(m, a) > 0;
  for (int i = 0; i < 100; i++) {
    double mid = 0.5 * (a + b);
    if (mid <= a || mid >= b) break;
    if ((excess(m, mid) > 0) == at_a) a = mid;
    else b = mid;
  }
  return b;
}

static uint64_t sides_at(const Case *m, double t) {
  sides = 0;
  excess(m, t);
  return sides;
}

static bool holds_at(const Case *m, double t) {
  at_jump = true;
  bool holds = excess(m, t) > 0;
  at_jump = false;
  return holds;
}

// The point between a and b at which a function jumps, if there the condition is not what it is on both sides of it: a
// `when` happens then. NAN: none.
static double find_point(const Case *m, double a, double b, bool *doubtful) {
  uint64_t from = sides_at(m, a), to = sides_at(m, b);
  bool holds = excess(m, a) > 0;
  if (from == to || (excess(m, b) > 0) != holds) return NAN;
  for (int i = 0; i < 100; i++) {
    double mid = 0.5 * (a + b);
    if (mid <= a || mid >= b) break;
    if (sides_at(m, mid) == from) a = mid;
    else b = mid;
  }
  if (holds_at(m, b) == holds) return NAN;
  *doubtful = *doubtful || sides_at(m, b + 1e-9) != to;
  return b;
}

static void find_truth(const Case *m, Truth *r) {
  double h = span / samples, g0 = excess(m, 0), g1 = excess(m, h), size = 0, since = g0 > 0 ? 0 : NAN, last = 0;
  *r = (Truth){.doubtful = !isfinite(g0) || fabs(g0) < 1e-6};
  coarse = false;
  for (int i = 0; i <= samples; i += 10) size = fmax(size, fabs(excess(m, i * h)));
  for (int i = 1; i <= samples; i++) {
    double g2 = i < samples ? excess(m, (i + 1) * h) : g1;
    if (!isfinite(g2)) r->doubtful = true;
    double point = find_point(m, (i - 1) * h, i * h, &r->doubtful);
    if (isfinite(point) && r->count < most_times) r->up[r->count++] = point;
    if ((g0 > 0) != (g1 > 0)) {
      double t = cross(m, (i - 1) * h, i * h);
      if (t - last < 6 * h && last > 0) r->doubtful = true;
      last = t;
      if (t > span - 6 * h || t < 6 * h) r->doubtful = true;
      if (g1 > 0 && r->count < most_times) r->up[r->count++] = since = t;
      else if (!(g1 > 0)) r->holds += t - since;
    } else if ((g1 - g0) * (g2 - g1) <= 0 && fabs(g1) < 4 * (fabs(g1 - g0) + fabs(g2 - g1)) + 1e-7 * size) {
      r->doubtful = true; // it turns so near to the limit that it may have passed it between
    }
    g0 = g1;
    g1 = g2;
  }
  if (excess(m, span) > 0) r->holds += span - since;
  r->doubtful = r->doubtful || coarse;
}

// A limit that the shape passes, or sometimes one that it does not reach.
static void choose_limit(Case *m, int i) {
  double lo = INFINITY, hi = -INFINITY;
  Comparison *c = &m->part[i];
  c->limit = c->how = 0;
  for (int k = 0; k <= 2000; k++) {
    double g = part_excess(m, i, k * span / 2000);
    lo = fmin(lo, g);
    hi = fmax(hi, g);
  }
  double part = choose(12) == 0 ? 1.1 : 0.03 + 0.94 * uniform();
  c->limit = (lo + part * (hi - lo)) * (1 + 1e-9);
  c->how = (int)choose(4);
}

// ---- runs

typedef struct Seen {
  double count, holds;
  double up[most_times];
  int ups;
  bool told, failed, cut;
} Seen;

static void run(const char *text, const char *method, bool no_events, Seen *seen) {
  Loaded *l = load_text(text);
  Arena *arena = arena_new();
  Diags diags = {.arena = arena, .sources = &l->model.sources};
  RunSettings s = run_defaults();
  s.to = span;
  s.every = span;
  s.method = method;
  s.no_events = no_events;
  if (method && strcmp(method, "rk4") == 0) s.step = 0.05, s.every = span;
  RunResult r = run_model(arena, &l->system, &s, NULL, &diags);
  *seen = (Seen){.failed = r.status != run_done, .told = r.events.graze_count || r.events.unsure_count};
  if (seen->failed && r.message) print_message("%s\n%s\n", text, r.message);
  for (uint32_t i = 0; !seen->failed && i < r.final.count; i++) {
    if (strcmp(r.final.names[i], "n") == 0) seen->count = r.final.values[i];
    if (strcmp(r.final.names[i], "long") == 0) seen->holds = r.final.values[i];
  }
  seen->cut = r.events.cut;
  for (uint32_t i = 0; i < r.events.count; i++) {
    if (strncmp(r.events.items[i].word, "when", 4) == 0 && seen->ups < most_times)
      seen->up[seen->ups++] = r.events.items[i].t;
  }
  arena_free(arena);
  unload(l);
}

static void spell_model(const Case *m, char *text, size_t size) {
  char part[2][3200], shape[3000], whole[6500];
  for (int i = 0; i < m->parts; i++) {
    spell(&m->shape, m->part[i].root, variables[m->motion], shape, sizeof shape);
    snprintf(part[i], sizeof part[i], "%s %s %.17g", shape, signs[m->part[i].how], m->part[i].limit);
  }
  snprintf(whole, sizeof whole, m->parts == 1 ? "%s" : m->both ? "%s and %s" : "%s or %s", part[0], part[1]);
  snprintf(text, size, "%sstate n = 0, long = 0\nlong' = if(%s, 1, 0)\nwhen %s do n := n + 1\n", motion_text[m->motion],
           whole, whole);
}

// Is it as it should be? Times that the grid did not show are looked at here.
static bool is_right(const Case *m, const Truth *truth, const Seen *seen, double tolerance) {
  if (seen->cut)
    return seen->count == truth->count && fabs(seen->holds - truth->holds) <= tolerance * (truth->count + 1);
  if (seen->failed || seen->ups != (int)seen->count ||
      fabs(seen->holds - truth->holds) > tolerance * (truth->count + 1))
    return false;
  int at = 0;
  for (int i = 0; i < seen->ups; i++) {
    double t = seen->up[i];
    if (at < truth->count && fabs(truth->up[at] - t) <= tolerance) {
      at++;
      continue;
    }
    if (!(excess(m, t - 1e-9) <= 0 && excess(m, t + 1e-9) > 0)) return false;
  }
  return at == truth->count;
}

static void conditions_are_seen(void **state) {
  (void)state;
  (void)same;
  (void)number;
  static const char *const methods[] = {NULL, NULL, NULL, NULL, "dopri5", "dop853", "rodas", "bdf", "rk4"};
  static Truth truth;
  static Seen seen;
  int tried = 0, told = 0, wrong = 0, twins = 0, events = 0;
  while (tried < rounds) {
    Case m = {.motion = (Motion)choose(motion_count), .parts = 1 + (choose(4) == 0), .both = choose(2)};
    bool large = false;
    for (int i = 0; i < m.parts; i++) {
      m.part[i].root = grow(&m.shape, 1 + (int)choose(3));
      choose_limit(&m, i);
      large = large || !(fabs(m.part[i].limit) < 1e15);
    }
    if (large) continue;
    find_truth(&m, &truth);
    if (truth.doubtful) continue;
    tried++;
    events += truth.count;
    char text[16000];
    spell_model(&m, text, sizeof text);
    const char *method = methods[choose(9)];
    // rk4 with this step knows the swing to six digits, the others to their tolerance
    double tolerance = method && strcmp(method, "rk4") == 0 ? 1e-3 : method && strcmp(method, "bdf") == 0 ? 1e-5 : 1e-7;
    run(text, method, false, &seen);
    if (!is_right(&m, &truth, &seen, tolerance)) {
      if (seen.told) told++;
      else wrong++;
      print_message("%s, %s: %g seen, %d true; %.10g long, %.10g true%s\n", method ? method : "auto",
                    seen.told ? "told" : "WRONG", seen.count, truth.count, seen.holds, truth.holds, text);
    }
    run(text, "rk4", true, &seen);
    twins += !is_right(&m, &truth, &seen, 1e-3);
  }
  print_message("%d conditions, %d events, %d told, %d wrong; without events %d wrong\n", tried, events, told, wrong,
                twins);
  assert_int_equal(wrong, 0);
  assert_true(told <= rounds / 50);
  assert_true(twins > rounds / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(conditions_are_seen, start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
