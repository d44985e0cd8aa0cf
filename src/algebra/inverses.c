// Whether the functions of `inverse` have one: a function that rises here and falls there takes a value twice, and one
// that stays below a limit never takes a value beyond it.
//
// in    the bodies of the functions, as expressions of their variable and of parameters
// out   a diagnostic for each that goes both ways, and for each argument that is beyond its limits at the start
// how   value and derivative at points on both sides of 0, near and far (below): a derivative of the other sign, or a
//       value that is out of order, shows that there is no inverse. That none is found proves nothing: the kernel
//       reports what is missed here where it meets it. The kernel checks functions that vary in time at each
//       evaluation.
#include "algebra/inverses.h"

#include "algebra/at_start.h"
#include "expr/calculus.h"
#include "tape/numbers.h"
#include "tape/tape.h"

#include <math.h>

enum {
  even = 128, // points on each side of 0, evenly up to 16: waves of ordinary length are seen
  far = 40,   // powers of 2 beyond them: up to 2e13, where doubles of ordinary functions still have digits
  near = 20,  // powers of 2 before the first of them: an extremum close to 0 is seen
  points = 2 * (even + far + near) + 1
};
static const double reach = 16;
static const double rounding =
    1e-9; // a derivative against the largest one, a value against its neighbours: less is rounding

typedef struct Sample {
  double s, f, slope;
} Sample;

static double point(uint32_t i) {
  if (i == 0) return 0;
  if (i <= near) return reach / even * ldexp(1, (int)i - near - 1);
  if (i <= near + even) return reach * (i - near) / even;
  return reach * ldexp(1, (int)(i - near - even));
}

// From left to right, those at which the function has a value.
static uint32_t take_samples(const Tape *t, double *w, Sample *out) {
  const int32_t side = (points - 1) / 2;
  uint32_t count = 0;
  for (int32_t i = -side; i <= side; i++) {
    double s = i < 0 ? -point((uint32_t)-i) : point((uint32_t)i);
    tape_vars(t, w)[0] = s;
    tape_eval(t, w);
    Sample here = {s, tape_result(t, w, 0), tape_result(t, w, 1)};
    if (isfinite(here.f) && isfinite(here.slope)) out[count++] = here;
  }
  return count;
}

// Two points between which the function is not monotonic. False: none were found.
static bool find_turn(const Sample *x, uint32_t count, Sample *up, Sample *down) {
  double steepest[2] = {0};
  uint32_t at[2] = {0};
  for (uint32_t i = 0; i < count; i++) {
    int falls = x[i].slope < 0;
    // of ordinary size: that says most to a reader
    bool nearer = steepest[falls] == 0 || fabs(fabs(x[i].s) - 1) < fabs(fabs(x[at[falls]].s) - 1);
    if (x[i].slope != 0 && nearer) at[falls] = i;
    steepest[falls] = fmax(steepest[falls], fabs(x[i].slope));
  }
  *up = x[at[0]];
  *down = x[at[1]];
  if (fmin(steepest[0], steepest[1]) > rounding * fmax(steepest[0], steepest[1])) return true;
  // jumps: the derivatives all have one sign, the values are out of order
  double way = steepest[1] > steepest[0] ? -1 : 1;
  for (uint32_t i = 1; i < count; i++) {
    if ((x[i].f - x[i - 1].f) * way >= -rounding * (fabs(x[i].f) + fabs(x[i - 1].f))) continue;
    *up = way > 0 ? x[i - 1] : x[i];
    *down = way > 0 ? x[i] : x[i - 1];
    return true;
  }
  return false;
}

// ---- limits

// Has it become constant on this side? Then its last value is a limit.
static bool is_flat(const Sample *last, const Sample *before) {
  return fabs(last->f - before->f) <= rounding * fabs(last->f) && fabs(last->s) >= 2 * reach;
}

// Is this node the inverse of the function? Its variable is one by its nesting.
static bool is_inverse_of(ExprPool *pool, ExprId id, const SystemInverse *inverse) {
  ExprId body = pool_args(pool, id)[0], variable = pool_args(pool, id)[1], own = expr_sym(pool, inverse->variable);
  if (body == inverse->body || variable == own) return body == inverse->body;
  SymbolMap map = symbol_map_new(pool);
  symbol_map_set(&map, expr_symbol(pool, variable), own);
  return expr_replace(pool, &map, &body, 1, &body) && body == inverse->body;
}

// Arguments of this function, wherever it stands, that are beyond its limits at the start.
static bool check_limits(Arena *arena, System *s, const SystemInverse *inverse, const Sample *x, uint32_t count,
                         Diags *diags) {
  ExprPool *pool = s->pool;
  bool low = is_flat(&x[0], &x[1]), high = is_flat(&x[count - 1], &x[count - 2]);
  double least = fmin(x[0].f, x[count - 1].f), most = fmax(x[0].f, x[count - 1].f);
  if (x[0].f > x[count - 1].f) { // it falls
    bool other = low;
    low = high;
    high = other;
  }
  if ((!low && !high) || s->constraints.count || s->implicit.count) return true; // starts may move
  VEC(ExprId) roots = {0};
  for (uint32_t i = 0; i < s->state_count; i++) vec_push(arena, &roots, s->f[i]);
  for (uint32_t i = 0; i < s->coord_count; i++) vec_push(arena, &roots, s->h[i]);
  for (uint32_t i = 0; i < s->outputs.count; i++) vec_push(arena, &roots, s->outputs.items[i].value);
  uint32_t length;
  const ExprId *list = roots.count ? pool_reach(pool, roots.items, roots.count, NULL, NULL, &length) : NULL;
  VEC(ExprId) found = {0};
  for (uint32_t i = 0; list && i < length; i++) {
    if (expr_op(pool, list[i]) == op_inverse) vec_push(arena, &found, list[i]);
  }
  for (uint32_t i = 0; i < found.count; i++) {
    if (!is_inverse_of(pool, found.items[i], inverse)) continue;
    double value = at_start(arena, s, pool_args(pool, found.items[i])[2]);
    bool beyond = (high && value > most) || (low && value < least);
    if (!beyond) continue;
    diag_error(diags, diag_no_inverse, inverse->span,
               "`%s` never takes the value %.6g, of which the inverse is taken at the start: its limit is %.6g",
               inverse->name, value, value > most ? most : least);
    return true;
  }
  return !arena_failed(arena);
}

static bool check_one(Arena *arena, System *s, const SystemInverse *inverse, Diags *diags) {
  ExprPool *pool = s->pool;
  // the variable becomes t, which does not occur
  SymbolMap map = symbol_map_new(pool);
  symbol_map_set(&map, inverse->variable, expr_sym(pool, s->time));
  ExprId both[2] = {inverse->body, inverse->slope}, wanted[2];
  if (!expr_replace(pool, &map, both, 2, wanted)) return false;
  const Tape *t = tape_build(arena, &(TapeRequest){
                                        .system = s,
                                        .vars = &s->time,
                                        .var_count = 1,
                                        .results = wanted,
                                        .result_count = 2,
                                        .params_by_value = true,
                                    });
  double *w = t ? arena_array(arena, t->slot_count, sizeof *w) : NULL;
  Sample *samples = arena_array(arena, points, sizeof *samples), up, down;
  if (!w || !samples) return false;
  tape_prepare(t, w);
  uint32_t count = take_samples(t, w, samples);
  if (count < 2) return true;
  if (!find_turn(samples, count, &up, &down)) return check_limits(arena, s, inverse, samples, count, diags);
  diag_error(diags, diag_no_inverse, inverse->span,
             "`%s` has no inverse: it goes up at %.3g and down at %.3g, so it takes values twice", inverse->name, up.s,
             down.s);
  diag_hint(diags, "`inverse` needs a function that rises throughout or falls throughout; `unknown` and an equation "
                   "find one of several solutions");
  return true;
}

bool inverses_check(Arena *arena, System *system, Diags *diags) {
  if (diags->errors) return true; // then the system is not whole
  System copy;
  ExprPool pool;
  if (system->inverses.count == 0) return true;
  if (!system_clone(&copy, system, &pool, arena)) return false;
  for (uint32_t i = 0; i < system->inverses.count; i++) {
    const SystemInverse *inverse = &system->inverses.items[i];
    KindSet known = kind_set(sym_param) | kind_set(sym_bound);
    bool reported = false;
    for (uint32_t k = 0; k < i; k++) reported = reported || system->inverses.items[k].body == inverse->body;
    if (reported || !expr_only_kinds(&pool, inverse->body, known) || !expr_only_kinds(&pool, inverse->slope, known))
      continue;
    if (!check_one(arena, &copy, inverse, diags)) return false;
  }
  return true;
}
