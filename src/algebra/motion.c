// Does an equation follow from the equations of motion M a + h = 0?
//
// in    e = lhs - rhs = A a + b   (rates of states replaced by their equations)
// out   equal      A = lambda M and b = lambda h for some row lambda, that is: every minor of the rows of M and h that
//                  lambda needs, bordered by the row (A, b), is zero. Proved in the ring of the normal form.
//       different  at a point where a solves M a + h = 0, the two sides have different values
//       undecided  neither was found, with the reason
//
// how   Which of the cases below it is, is decided first. In the regular one, velocities and positions of coordinates
//       without inertia follow from their own equations: they are replaced by what these say, everywhere, before
//       anything else is done (inertialess.c). Then two points (motion_points.c) look for a difference and give lambda,
//       so that the proof (motion_proof.c) knows which equations it needs, and whether their factors are numbers; where
//       it fails, more points look for a difference. In the others only a multiple of an equation as the model has it
//       is recognised (motion_written.c).
//
//       Constraints are solved for positions, parameters and velocities, which are put in everywhere (constrained.c),
//       so that every point lies on the constraint set and every identity is one of that set; their second derivatives
//       and their multipliers are further rows and unknowns of M a + h = 0. Where they are not solved for, points are
//       found in numbers (motion_numbers.c): they give a counterexample, but no proof.
#include "algebra/motion.h"

#include "algebra/motion_parts.h"
#include "algebra/set_points.h"
#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/decide.h"

typedef enum MotionCase {
  motion_no_memory,
  motion_implicit, // the model has implicit equations: what follows from them is not decided
  motion_unsolved, // coordinates without inertia whose equations are not solved: the same
  motion_free,     // it holds the acceleration of a coordinate without inertia, of which nothing is said
  motion_bound,    // constraints that are not solved for
  motion_regular
} MotionCase;

// ---- e = A a + b

// "the equation of q1", "the equations of q1 and q2"
static const char *inertialess_words(const MotionCheck *m) {
  Text t = text_in(m->arena);
  uint32_t n = m->s->coord_count, count = 0, done = 0;
  bool *named = arena_array(m->arena, n, sizeof *named);
  for (uint32_t i = 0; named && i < m->inertialess.symbols.count; i++) {
    uint32_t coord = pool_symbol_get(m->pool, m->inertialess.symbols.items[i])->index;
    count += !named[coord];
    named[coord] = true;
  }
  text_put(&t, count == 1 ? "the equation of " : "the equations of ");
  for (uint32_t i = 0; named && i < n; i++) {
    if (!named[i]) continue;
    text_printf(&t, "%s%s", done == 0 ? "" : done + 1 == count ? " and " : ", ", m->s->coords.items[i].name);
    done++;
  }
  return text_str(&t);
}

static bool replace_rates(MotionCheck *m) {
  System *s = m->s;
  SymbolMap map = symbol_map_new(m->pool);
  for (uint32_t i = 0; i < s->state_count; i++) symbol_map_set(&map, s->states.items[i].rate, s->f[i]);
  ExprId in[2] = {m->lhs, m->rhs}, out[2];
  if (!expr_replace(m->pool, &map, in, 2, out)) return false;
  m->lhs = out[0];
  m->rhs = out[1];
  m->e = expr_sub(m->pool, out[0], out[1]);
  return m->e != 0 && expr_replace(m->pool, &map, m->parts, m->part_count, m->parts);
}

// d(e)/d(x), and whether e is linear in it.
static ExprId slope_of(MotionCheck *m, ExprId e, SymbolId x, KindSet unknowns) {
  ExprId d = expr_diff(m->pool, e, x);
  if (d && expr_has_kinds(m->pool, d, unknowns)) d = expr_expand(m->pool, d, derive_most_terms);
  if (d && expr_has_kinds(m->pool, d, unknowns)) m->linear = false;
  return d;
}

// By unknown, coordinates first: which stand in one block with an unknown of e.
static void mark_blocks(const MotionCheck *m, const ExprId *A, bool *wanted) {
  const System *s = m->s;
  uint32_t n = s->coord_count;
  for (uint32_t b = 0; b < s->blocks.count; b++) {
    const Block *block = &s->blocks.items[b];
    if (block->velocities || !block->coords) continue;
    bool touched = false;
    for (int pass = 0; pass < 2; pass++) {
      for (uint32_t i = 0; i < block->count; i++) {
        uint32_t at =
            i < block_coords(block) ? block->coords[i] : n + pool_symbol_get(m->pool, block->unknowns[i])->index;
        if (pass == 0) touched = touched || !expr_is_zero(m->pool, A[at]);
        else wanted[at] = wanted[at] || touched;
      }
    }
  }
}

// The rows of the unknowns involved.
static bool fill_rows(MotionCheck *m, const ExprId *A) {
  const System *s = m->s;
  uint32_t k = m->k, n = s->coord_count;
  m->M = arena_array(m->arena, (size_t)k * k, sizeof *m->M);
  m->h = arena_array(m->arena, k, sizeof *m->h);
  m->A = arena_array(m->arena, k, sizeof *m->A);
  if (!m->M || !m->h || !m->A) return false;
  for (uint32_t i = 0; i < m->coords; i++) {
    m->A[i] = A[m->of[i]];
    m->h[i] = s->h[m->of[i]];
    for (uint32_t j = 0; j < m->coords; j++) m->M[i * k + j] = system_mass(s, m->of[i], m->of[j]);
  }
  for (uint32_t i = m->coords; i < k; i++) {
    const SystemConstraint *c = &s->constraints.items[m->of[i]];
    m->A[i] = A[n + m->of[i]];
    m->h[i] = expr_neg(m->pool, c->curvature);
    for (uint32_t j = 0; j < k; j++) {
      ExprId entry = m->pool->zero;
      if (j < m->coords) entry = expr_neg(m->pool, constrained_slope(s, m->of[i], m->of[j]));
      m->M[i * k + j] = entry;
      if (j < m->coords) m->M[j * k + i] = entry;
    }
  }
  return true;
}

// A and b, and the blocks whose unknowns occur. Redundant constraints have no row of their own.
static bool split_unknowns(MotionCheck *m) {
  System *s = m->s;
  uint32_t n = s->coord_count, all = n + s->constraints.count;
  ExprId *A = arena_array(m->arena, all, sizeof *A);
  bool *wanted = arena_array(m->arena, all, sizeof *wanted);
  m->of = arena_array(m->arena, all, sizeof *m->of);
  if (!A || !wanted || !m->of) return false;
  SymbolMap rest = symbol_map_new(m->pool);
  KindSet unknowns = kind_set(sym_acceleration) | kind_set(sym_multiplier);
  m->linear = true;
  for (uint32_t i = 0; i < all; i++) {
    SymbolId x = i < n ? s->coords.items[i].a : s->constraints.items[i - n].symbol;
    symbol_map_set(&rest, x, m->pool->zero);
    A[i] = slope_of(m, m->e, x, unknowns);
    if (!A[i]) return false;
  }
  if (!expr_replace(m->pool, &rest, &m->e, 1, &m->b)) return false;
  if (expr_op(m->pool, m->b) == op_undefined) m->linear = false;   // an unknown stands below
  if (expr_has_corner(m->pool, m->e, unknowns)) m->linear = false; // the derivative sees no jump
  mark_blocks(m, A, wanted);
  for (uint32_t i = 0; i < all; i++) {
    if (!wanted[i] || (i >= n && m->constrained.redundant[i - n])) continue;
    m->coords += i < n;
    m->of[m->k++] = i < n ? i : i - n;
  }
  return fill_rows(m, A);
}

// h may hold rates of states, too.
static bool states_in_h(MotionCheck *m) {
  System *s = m->s;
  SymbolMap map = symbol_map_new(m->pool);
  for (uint32_t i = 0; i < s->state_count; i++) symbol_map_set(&map, s->states.items[i].rate, s->f[i]);
  return m->k == 0 ||
         (expr_replace(m->pool, &map, m->h, m->k, m->h) && expr_replace(m->pool, &map, m->M, m->k * m->k, m->M));
}

// Only what is lost in the sides: the rest is evaluated with them.
static bool keep_parts(MotionCheck *m, const CheckEquation *q) {
  uint32_t length;
  ExprId sides[2] = {q->lhs, q->rhs};
  const ExprId *list = pool_reach(m->pool, sides, 2, NULL, NULL, &length);
  bool *there = arena_array(m->arena, m->pool->nodes.count, sizeof *there);
  m->parts = arena_array(m->arena, q->part_count, sizeof *m->parts);
  if (!list || !there || !m->parts) return false;
  for (uint32_t i = 0; i < length; i++) there[list[i]] = true;
  for (uint32_t i = 0; i < q->part_count; i++) {
    if (there[q->parts[i]]) continue;
    there[q->parts[i]] = true;
    if (!pool_node(m->pool, q->parts[i])->bound && expr_may_lack_value(m->pool, q->parts[i]))
      m->parts[m->part_count++] = q->parts[i];
  }
  return true;
}

// ---- which case it is

// The first coordinate without inertia whose acceleration stands in e; coord_count: none.
static uint32_t free_acceleration(const MotionCheck *m) {
  uint32_t i = 0;
  while (i < m->s->coord_count &&
         (m->s->role[i] < coord_first_order || !expr_depends(m->pool, m->e, m->s->coords.items[i].a)))
    i++;
  return i;
}

// A multiplier whose constraint follows from others is not determined.
static const char *free_multiplier(const MotionCheck *m) {
  const System *s = m->s;
  for (uint32_t k = 0; k < s->constraints.count; k++) {
    bool shares = m->constrained.count < s->constraints.count;
    if (shares && expr_depends(m->pool, m->unreplaced, s->constraints.items[k].symbol))
      return s->constraints.items[k].name;
  }
  return NULL;
}

static bool forces_by_multipliers(const MotionCheck *m) {
  const System *s = m->s;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (expr_has_kind(m->pool, s->h[i], sym_multiplier)) return true;
  }
  return false;
}

// Puts in what the constraints say.
static MotionCase bind(MotionCheck *m) {
  ConstraintSet *c = &m->constrained;
  if (!constrained_find(m->s, m->branch, c)) return motion_no_memory;
  m->out.reason = c->why                     ? c->why
                  : forces_by_multipliers(m) ? "forces of the model depend on multipliers; that is not decided"
                                             : NULL;
  if (m->out.reason) return motion_bound;
  const char *free = free_multiplier(m);
  if (free) {
    m->out.reason = arena_printf(m->arena, "constraints of the model are redundant, so %s is not unique", free);
    return motion_bound;
  }
  m->out.reason = "out of memory";
  ExprId sides[2] = {m->lhs, m->rhs};
  if (!constrained_substitute(m->s, &m->bound, &c->map) || !expr_replace(m->pool, &c->map, sides, 2, sides) ||
      !expr_replace(m->pool, &c->map, m->parts, m->part_count, m->parts))
    return motion_no_memory;
  m->s = &m->bound;
  m->lhs = sides[0];
  m->rhs = sides[1];
  return motion_regular;
}

// Replaces what coordinates without inertia, constraints and states say, and splits e. m->out.reason says what stands
// in the way.
static MotionCase prepare(MotionCheck *m) {
  m->out = (CheckResult){.verdict = verdict_undecided, .reason = "out of memory"};
  if (m->unreduced->implicit.count) {
    m->out.reason = "the model has implicit equations; what follows from them is not decided";
    return motion_implicit;
  }
  ExprId sides[2] = {m->lhs, m->rhs};
  if (!inertialess_replace(m->s, sides, &m->inertialess)) return motion_no_memory;
  if (m->inertialess.why) {
    m->out.reason = m->inertialess.why;
    return motion_unsolved;
  }
  m->s = &m->inertialess.reduced;
  m->lhs = sides[0];
  m->rhs = sides[1];
  if (m->s->constraints.count) {
    MotionCase bound = bind(m);
    if (bound != motion_regular) return bound;
  }
  if (!replace_rates(m) || !split_unknowns(m) || !states_in_h(m)) return motion_no_memory;
  uint32_t i = free_acceleration(m);
  if (i == m->s->coord_count) return motion_regular;
  m->out.reason =
      arena_printf(m->arena, "%s has no inertia, so nothing says what %s'' is; differentiate its equation instead",
                   m->s->coords.items[i].name, m->s->coords.items[i].name);
  return motion_free;
}

// ---- the regular case

// "the constraint rod", where there is one only
static const char *constraint_words(const MotionCheck *m) {
  const SystemConstraintList *list = &m->unreduced->constraints;
  return list->count == 1 ? arena_printf(m->arena, "the constraint %s", list->items[0].label) : "the constraints";
}

static const char *constraints_hold(const MotionCheck *m) {
  const char *words = constraint_words(m);
  return arena_printf(m->arena, "%s %s", words, m->unreduced->constraints.count == 1 ? "holds" : "hold");
}

// What holds where the constraints hold: true where nothing else is to be said.
static bool conclude_bound(MotionCheck *m) {
  const char *more = m->constrained.condition, *factors = m->out.condition;
  bool only = m->k == 0 || m->out.fault == check_empty || !m->out.means;
  if (only && !m->rates && !m->inertialess.symbols.count) {
    if (decide_zero(m->pool, m->arena, m->unreplaced).verdict == verdict_equal) return false;
    m->out.fault = check_sound;
    m->out.means = arena_printf(m->arena, "a consequence of %s", constraint_words(m));
    m->out.condition = more ? arena_printf(m->arena, "where %s", more) : NULL;
    return true;
  }
  m->out.condition = arena_printf(m->arena, "where %s%s%s%s%s", constraints_hold(m), more ? ", " : "", more ? more : "",
                                  factors ? "; " : "", factors ? factors : "");
  return m->k != 0;
}

// Without accelerations it is about rates of states and coordinates without inertia, or about nothing.
static void conclude_equal(MotionCheck *m) {
  m->out.verdict = verdict_equal;
  m->out.reason = NULL;
  if (m->unreduced->constraints.count && conclude_bound(m)) return;
  if (m->k) return;
  bool replaced = m->inertialess.symbols.count != 0;
  bool bound = m->unreduced->constraints.count != 0;
  bool empty =
      (!m->rates && !replaced && !bound) || decide_zero(m->pool, m->arena, m->unreplaced).verdict == verdict_equal;
  if (empty && !m->out.fault) m->out.fault = check_empty;
  if (replaced) m->out.means = inertialess_words(m);
  if (m->rates) {
    SymbolId left = expr_symbol(m->pool, m->sides[0]);
    m->out.means = left && expr_has_kind(m->pool, m->sides[0], sym_state_rate)
                       ? arena_printf(m->arena, "the equation of %s", pool_symbol_get(m->pool, left)->name)
                       : "the equations of the states";
  }
  if (!empty && !motion_determines(m))
    m->out =
        (CheckResult){.verdict = verdict_undecided,
                      .fault = m->out.fault,
                      .reason = "it follows from the equations of the model, but other motions may obey it as well"};
}

static void conclude_different(MotionCheck *m) {
  m->out.verdict = verdict_different;
  m->out.reason = NULL;
  motion_nearest(m);
}

static void conclude_undecided(MotionCheck *m, const char *reason) {
  const char *why = m->no_value ? m->no_value : reason,
             *nothing = m->undefined ? "no point was found where both sides have values"
                                     : "no point was found where both sides can be computed";
  const char *where = m->unreduced->constraints.count ? " on the constraint set" : "";
  m->out.reason = m->points
                      ? arena_printf(m->arena, "no difference was found at %u point%s%s, and no proof: %s", m->points,
                                     m->points == 1 ? "" : "s", where, reason ? reason : "the normal form is not zero")
                      : arena_printf(m->arena, "%s: %s", nothing, why);
}

static void decide_regular(MotionCheck *m) {
  uint32_t count, attempt = 0;
  ExprId *roots = motion_roots(m, &count);
  if (!roots) return;
  m->exact = point_can_be_exact(m->pool, m->arena, roots, count);
  m->out.reason = NULL;
  bool different = motion_find_witness(m, &attempt, enough_points), equal = !different && motion_prove(m);
  const char *reason = m->out.reason;
  if (!different && !equal && m->out.fault != check_zero_division)
    different = motion_find_witness(m, &attempt, most_points);
  if (equal) conclude_equal(m);
  else if (different) conclude_different(m);
  else conclude_undecided(m, reason);
}

// Constraints that are not solved for leave more points than they allow: what is proved there holds on their set, if
// they keep their rank there, which numbers show; a difference there is none. What they say of positions proves more.
static void decide_unsolved(MotionCheck *m) {
  decide_regular(m);
  CheckResult found = m->out;
  if (found.fault) return;
  System own = *m->unreduced;
  uint32_t rank = 0;
  bool regular = set_points_rank(&own, &rank) && rank == m->constrained.count,
       proved = regular && found.verdict == verdict_equal;
  m->out = (CheckResult){.verdict = verdict_undecided,
                         .reason = regular ? "no combination of the constraints was found that gives it"
                                           : m->constrained.unsolved};
  if (!proved) motion_prove_written(m);
  if (m->out.verdict == verdict_equal || !motion_look_at_numbers(m)) return;
  CheckResult undecided = m->out;
  if (regular && !proved) {
    m->out = (CheckResult){0};
    proved = motion_prove_on_set(m);
    if (proved) conclude_equal(m);
    else if (m->out.reason) undecided.reason = arena_printf(m->arena, "%s; %s", undecided.reason, m->out.reason);
    found = m->out;
  }
  m->out = proved ? found : undecided;
}

// Where a factor that moves vanishes the set may have another part, and the start may lie on it: points around the
// start must agree, too.
static void confirm_by_numbers(MotionCheck *m) {
  CheckResult found = m->out;
  if (found.verdict != verdict_equal || found.fault || !m->constrained.moving) return;
  m->out = (CheckResult){.verdict = verdict_undecided,
                         .reason = arena_printf(m->arena, "it is proved where %s alone", m->constrained.condition)};
  if (motion_look_at_numbers(m)) m->out = found;
}

// ---- the question

// A proof without any point must not be about nothing: do the sides and their parts have values anywhere?
static void demand_values(MotionCheck *m) {
  ExprId *roots = arena_array(m->arena, (size_t)m->part_count + 2, sizeof *roots);
  if (!roots) return;
  roots[0] = m->lhs;
  roots[1] = m->rhs;
  for (uint32_t i = 0; i < m->part_count; i++) roots[i + 2] = m->parts[i];
  Decision d;
  if (!decide_has_value(m->pool, m->arena, roots, m->part_count + 2, &d))
    m->out = (CheckResult){.verdict = d.verdict, .fault = m->out.fault, .reason = d.reason};
}

static CheckResult check_branch(System *s, const CheckEquation *q, uint32_t branch, uint32_t *branches) {
  const ExprId sides[2] = {q->lhs, q->rhs};
  MotionCheck check = {.unreduced = s, .sides = sides, .s = s, .pool = s->pool, .arena = s->arena, .branch = branch},
              *m = &check;
  m->lhs = q->lhs;
  m->rhs = q->rhs;
  if (!keep_parts(m, q)) return (CheckResult){.verdict = verdict_undecided, .reason = "out of memory"};
  *branches = 1;
  if (s->tree.balls.count)
    return (CheckResult){.verdict = verdict_undecided,
                         .reason = "a body turns by a ball, and what follows from its equations is not decided"};
  m->unreplaced = expr_sub(s->pool, q->lhs, q->rhs);
  m->rates = expr_has_kind(s->pool, m->unreplaced, sym_state_rate);
  switch (prepare(m)) {
  case motion_implicit: motion_prove_written(m); break;
  case motion_unsolved:
    motion_prove_first_order(m);
    if (m->out.verdict != verdict_equal) motion_prove_written(m);
    break;
  case motion_regular:
    if (m->constrained.unsolved) decide_unsolved(m);
    else decide_regular(m);
    confirm_by_numbers(m);
    break;
  case motion_bound: motion_prove_written(m); break;
  case motion_no_memory:
  case motion_free: break;
  }
  if (m->out.verdict == verdict_equal && m->out.fault != check_empty && !m->points) demand_values(m);
  *branches = 1u << m->constrained.signs;
  return m->out;
}

// Equal on all branches of the constraint set, different on one of them.
CheckResult motion_check(System *s, const CheckEquation *q) {
  uint32_t branches;
  // accelerations that a run computes otherwise are bound by M a + h = 0 as all are
  System matrix = *s;
  if (s->solved) {
    if (!system_matrix_blocks(&matrix)) return (CheckResult){.verdict = verdict_undecided, .reason = "out of memory"};
    s = &matrix;
  }
  CheckResult first = check_branch(s, q, 0, &branches), r = first;
  for (uint32_t b = 1; b < branches && r.verdict != verdict_different && !r.fault; b++) {
    CheckResult other = check_branch(s, q, b, &branches);
    if (other.verdict != verdict_equal || other.fault) r = other;
  }
  return r;
}
