// Constrained minimization of the potential energy: Newton's method with line search on the constraint manifold.
//
// in    equations at rest whose Jacobian is symmetric (static_form.h); a start
// out   a configuration with balance = 0 and value = 0 at which K is not negative along any direction that is
//       compatible with the constraints
// how   du from the linear system of saddle.h, whose shift makes it a direction of descent. The trial u + part du is
//       brought back onto the constraints by the smallest change that does, and taken if the potential has fallen
//       enough (Armijo); else half of it. Where the forces balance and K is negative along something, the descent goes
//       on along the most negative direction (inverse iteration with the shifted matrix), to the side that is lower.
//       The last steps are Newton's without a line search, as long as they make the forces smaller.
// why   a trial that constraints throw far off, or at which a constraint faces another way, is rejected: so the
//       assembly mode stays what it was. So is one behind a pole: over the ranges of the coordinates along the step the
//       potential must have bounds.
//
// Without a formula the difference of the potential is the work along the straight line (Gauss, 8 nodes): the Jacobian
// is symmetric, so the work is the same along every path.
#include "rest/descent.h"

#include "solve/module.h"
#include "tape/interval.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  usual_iterations = 2000,
  most_halvings = 50,
  most_assembly = 100, // steps onto the constraints
  most_return = 12,    // the same from a trial
  inverse_steps = 40,
  most_escapes = 50
};
static const double small_change = 1e-13; // of a size: rounding
static const double zero_force = 1e-11;   // of the terms of a force: it balances
static const double zero_gap = 1e-13;     // of the terms of a constraint: it holds
static const double soft_part = 1e-9;     // of D: curvature that is rounding
static const double far = 1e9;            // times the start: beyond it the potential has no bound
enum { circling_steps = 100 };            // between configurations that are noted, and before the first
static const double circling_share = 0.1; // of what was lost on the way round: more than quadrature can miss
enum { rolling_steps = 500 };
static const double rolling_way = 100;   // times the start, after `rolling_steps`: the same
static const double fading_slope = 1e-2; // of that on the whole way: a logarithm's is a seventh after 1,000 steps
static const double near_rest = 1e-2;    // of the terms of forces: worth looking for a way down beside the gradient
static const double least_cosine = 0.7;  // between a row of G and itself after a step: a right angle lies between modes
static const double most_bent = 0.5;     // of a step: what constraints may add to it

static double size_of(double u) { return fmax(fabs(u), 1e-3); }

bool descent_open(Downhill *d, StaticForm *f) {
  Arena *arena = f->o->arena;
  uint32_t nk = 0, ng = 0, r = 0;
  *d = (Downhill){.form = f, .potential = NAN};
  for (uint32_t i = 0; i < f->n; i++) nk += f->K[i].count;
  for (uint32_t i = 0; i < f->m; i++) ng += f->G[i].count;
  d->u = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  d->lambda = arena_array(arena, (size_t)f->m + 1, sizeof(double));
  d->first = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  d->balance = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  d->value = arena_array(arena, (size_t)f->m + 1, sizeof(double));
  d->K = arena_array(arena, (size_t)nk + 1, sizeof(double));
  d->G = arena_array(arena, (size_t)ng + 1, sizeof(double));
  d->trial = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  d->best = arena_array(arena, (size_t)f->n + f->m + 1, sizeof(double));
  d->trial_lambda = arena_array(arena, (size_t)f->m + 1, sizeof(double));
  d->rhs = arena_array(arena, (size_t)f->n + f->m + 1, sizeof(double));
  d->move = arena_array(arena, (size_t)f->n + f->m + 1, sizeof(double));
  d->aside = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  d->faced = arena_array(arena, (size_t)ng + 1, sizeof(double));
  d->passed = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  d->low = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  d->high = arena_array(arena, (size_t)f->n + 1, sizeof(double));
  ExprId *list = arena_array(arena, (size_t)1 + f->n + f->m + nk + ng, sizeof *list);
  if (arena_failed(arena)) return false;
  list[r++] = f->potential ? f->potential : f->o->s.pool->zero;
  for (uint32_t i = 0; i < f->n; i++) list[r++] = f->balance[i];
  for (uint32_t i = 0; i < f->m; i++) list[r++] = f->value[i];
  if (!static_tape(f, list, r, &d->cheap)) return false;
  d->range[0] = arena_array(arena, tape_rounding_room(d->cheap.tape) + 1, sizeof(double));
  d->range[1] = arena_array(arena, (size_t)d->cheap.tape->slot_count + 1, sizeof(double));
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    for (uint32_t e = 0; e < f->K[i].count; e++) list[r++] = f->K[i].items[e].value;
  }
  for (uint32_t i = 0; i < f->m; i++) {
    for (uint32_t e = 0; e < f->G[i].count; e++) list[r++] = f->G[i].items[e].value;
  }
  if (!static_tape(f, list, r, &d->all)) return false;
  SaddleStatus status = saddle_init(&d->saddle, f);
  d->status = status == saddle_no_module ? descent_no_module : descent_stuck;
  return status != saddle_no_memory;
}

void descent_close(Downhill *d) { saddle_clear(&d->saddle); }

// ---- values

bool descent_look(Downhill *d, const double *u, const double *lambda) {
  const StaticForm *f = d->form;
  const Tape *t = d->all.tape;
  static_eval(f, &d->all, u, lambda);
  d->evaluations++;
  uint32_t r = 0;
  bool finite = true;
  double *const parts[] = {&d->potential, d->balance, d->value, d->K, d->G};
  const uint32_t counts[] = {1, f->n, f->m, d->saddle.k_count, d->saddle.g_count};
  for (int p = 0; p < 5; p++) {
    for (uint32_t i = 0; i < counts[p]; i++) {
      parts[p][i] = tape_result(t, d->all.w, r++);
      finite = finite && isfinite(parts[p][i]);
    }
  }
  if (!f->potential) d->potential = NAN;
  return finite;
}

double descent_residue(Downhill *d, const double *u, const double *lambda) {
  const StaticForm *f = d->form;
  double most = 0, part = 0;
  uint32_t k = 0;
  double *terms = d->rhs; // what each force is made of
  for (uint32_t i = 0; i < f->n; i++) {
    terms[i] = 0;
    for (uint32_t e = 0; e < f->K[i].count; e++) terms[i] += fabs(d->K[k++]) * size_of(u[f->K[i].items[e].column]);
  }
  k = 0;
  for (uint32_t i = 0; i < f->m; i++) {
    for (uint32_t e = 0; e < f->G[i].count; e++) terms[f->G[i].items[e].column] += fabs(d->G[k++] * lambda[i]);
  }
  for (uint32_t i = 0; i < f->n; i++) most = fmax(most, terms[i]);
  d->residue = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    double own = fabs(d->balance[i]) / fmax(fmax(terms[i], 1e-6 * most), DBL_MIN);
    if (d->balance[i] == 0) own = 0;
    if (own >= part) d->worst = i;
    part = fmax(part, own);
    d->residue = fmax(d->residue, fabs(d->balance[i]));
  }
  return part;
}

// The largest violation of a constraint in parts of its terms.
static double gap_of(Downhill *d, const double *u, uint32_t *worst) {
  const StaticForm *f = d->form;
  double most = 0;
  uint32_t k = 0;
  d->gap = 0;
  for (uint32_t i = 0; i < f->m; i++) {
    double terms = 0;
    for (uint32_t e = 0; e < f->G[i].count; e++) terms += fabs(d->G[k++]) * size_of(u[f->G[i].items[e].column]);
    double part = d->value[i] == 0 ? 0 : fabs(d->value[i]) / fmax(terms, DBL_MIN);
    if (part >= most) *worst = i;
    most = fmax(most, part);
    d->gap = fmax(d->gap, fabs(d->value[i]));
  }
  return most;
}

static bool factor(Downhill *d, bool plain, double least) {
  SaddleStatus status = saddle_factor(&d->saddle, d->K, d->G, plain, least);
  d->factorizations++;
  if (status == saddle_no_memory) d->status = descent_no_memory;
  return status == saddle_done;
}

// ---- the constraint set

// Newton's method onto the constraints by the smallest change in D. reach: no further than that; steps: at most.
static bool come_back(Downhill *d, double *u, int steps, double reach) {
  const StaticForm *f = d->form;
  double before = INFINITY;
  if (f->m == 0) return true;
  for (int n = 0; n < steps; n++) {
    uint32_t worst = 0;
    if (!descent_look(d, u, d->lambda)) return false;
    double gap = gap_of(d, u, &worst);
    if (gap <= zero_gap || (gap <= 1e-10 && gap >= before)) return true;
    before = gap;
    if (!factor(d, true, 0)) return false;
    memset(d->rhs, 0, f->n * sizeof *d->rhs);
    for (uint32_t i = 0; i < f->m; i++) d->rhs[f->n + i] = -d->value[i];
    saddle_solve(&d->saddle, d->rhs);
    double part = 1;
    for (uint32_t i = 0; i < f->n; i++) part = fmin(part, reach * fmax(1, fabs(u[i])) / fmax(fabs(d->rhs[i]), DBL_MIN));
    if (part < 1 && steps == most_return) return false;
    for (uint32_t i = 0; i < f->n; i++) u[i] += part * d->rhs[i];
  }
  return false;
}

bool descent_assemble(Downhill *d, double *u) {
  if (!descent_look(d, u, d->lambda)) return false;
  saddle_scale(&d->saddle, d->form, d->K, d->balance, u);
  if (come_back(d, u, most_assembly, 1)) return true;
  gap_of(d, u, &d->worst);
  return false;
}

bool descent_multipliers(Downhill *d, const double *u, double *lambda) {
  const StaticForm *f = d->form;
  memset(lambda, 0, f->m * sizeof *lambda);
  if (!descent_look(d, u, lambda) || f->m == 0) return f->m == 0;
  saddle_scale(&d->saddle, f, d->K, d->balance, u);
  if (!factor(d, true, 0)) return false;
  for (uint32_t i = 0; i < f->n; i++) d->rhs[i] = -d->balance[i];
  memset(d->rhs + f->n, 0, f->m * sizeof *d->rhs);
  saddle_solve(&d->saddle, d->rhs);
  for (uint32_t k = 0; k < f->m; k++) lambda[k] = -d->rhs[f->n + k];
  return true;
}

// ---- the potential

// Pi(to) - Pi(from); *round: so much of it may be rounding.
static double difference(Downhill *d, const double *from, const double *to, double *round) {
  static const double x[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  static const double w[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  const StaticForm *f = d->form;
  const Tape *t = d->cheap.tape;
  double sum = 0, size = 0;
  if (f->potential) {
    static_eval(f, &d->cheap, to, NULL);
    double there = tape_result(t, d->cheap.w, 0);
    static_eval(f, &d->cheap, from, NULL);
    double here = tape_result(t, d->cheap.w, 0);
    d->evaluations += 2;
    *round = 16 * DBL_EPSILON * (fabs(there) + fabs(here));
    return there - here;
  }
  double *u = d->best;
  for (int k = 0; k < 8; k++) {
    double s = 0.5 + (k % 2 ? -0.5 : 0.5) * x[k / 2];
    for (uint32_t i = 0; i < f->n; i++) u[i] = from[i] + s * (to[i] - from[i]);
    static_eval(f, &d->cheap, u, NULL);
    d->evaluations++;
    for (uint32_t i = 0; i < f->n; i++) {
      double work = 0.5 * w[k / 2] * tape_result(t, d->cheap.w, 1 + i) * (to[i] - from[i]);
      sum += work;
      size += fabs(work);
    }
  }
  *round = 16 * DBL_EPSILON * size;
  return sum;
}

// ---- steps

// The longest part of a step: an angle changes by a radian at most, nothing grows more than tenfold.
static double longest(const Downhill *d, const double *step) {
  double part = 1;
  for (uint32_t i = 0; i < d->form->n; i++)
    part = fmin(part, fmax(1, 10 * fabs(d->u[i])) / fmax(fabs(step[i]), DBL_MIN));
  return part;
}

// Does every constraint face as it did in `faced`, a derivative for each entry of G? Lengths are those of D.
static bool faces_alike(const Downhill *d, const double *faced) {
  const StaticForm *f = d->form;
  uint32_t k = 0;
  for (uint32_t i = 0; i < f->m; i++) {
    double both = 0, before = 0, now = 0;
    for (uint32_t e = 0; e < f->G[i].count; e++, k++) {
      double weight = 1 / d->saddle.D[f->G[i].items[e].column];
      both += faced[k] * d->G[k] * weight;
      before += faced[k] * faced[k] * weight;
      now += d->G[k] * d->G[k] * weight;
    }
    if (before > 0 && now > 0 && !(both >= least_cosine * sqrt(before) * sqrt(now))) return false;
  }
  return true;
}

// u + part * step, back on the constraints, into d->trial; d->faced has the derivatives at u. False: it is thrown off,
// it is on another branch of the set, or a number is not finite.
static bool make_trial(Downhill *d, const double *step, double part) {
  const StaticForm *f = d->form;
  double reach = 0, way = 0, bent = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    d->trial[i] = d->u[i] + part * step[i];
    reach = fmax(reach, fabs(part * step[i]) / fmax(1, fabs(d->u[i])));
  }
  if (!come_back(d, d->trial, most_return, 2 * reach + 1e-12)) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    double more = d->trial[i] - (d->u[i] + part * step[i]);
    way += d->saddle.D[i] * part * step[i] * part * step[i];
    bent += d->saddle.D[i] * more * more;
  }
  return f->m == 0 || (sqrt(bent) <= most_bent * sqrt(way) + 1e-12 && faces_alike(d, d->faced));
}

// Has the potential bounds while coordinates are between those of u and of `to`? Without a formula: have the forces?
static bool is_bounded(Downhill *d, const double *to) {
  const StaticForm *f = d->form;
  const Tape *t = d->cheap.tape;
  uint32_t v = t->param_count, results = f->potential ? 1 : 1 + f->n;
  for (uint32_t i = 0; i < t->var_count; i++) d->range[0][v + i] = d->range[1][v + i] = 0;
  d->range[0][v] = d->range[1][v] = f->o->t;
  for (uint32_t i = 0; i < f->n; i++) {
    d->range[0][v + 1 + i] = fmin(d->u[i], to[i]);
    d->range[1][v + 1 + i] = fmax(d->u[i], to[i]);
  }
  tape_ranges(t, d->cheap.w, d->range[0], d->range[1]);
  for (uint32_t k = 0; k < results; k++) {
    if (!isfinite(d->range[0][t->outputs[k]]) || !isfinite(d->range[1][t->outputs[k]])) return false;
  }
  return true;
}

// Line search to a configuration of lower potential. slope: directional derivative of the potential; *part: of
// the step, at most, and what was taken.
static bool go_down(Downhill *d, const double *step, double slope, double *part) {
  const StaticForm *f = d->form;
  bool known = is_bounded(d, d->u); // else nothing is known of ranges
  memcpy(d->faced, d->G, d->saddle.g_count * sizeof *d->faced);
  for (int h = 0; h < most_halvings; h++, *part /= 2) {
    double round;
    if (!make_trial(d, step, *part)) {
      if (d->status == descent_no_memory) return false;
      continue;
    }
    double change = difference(d, d->u, d->trial, &round);
    if (change < 1e-4 * *part * slope && (!known || is_bounded(d, d->trial))) {
      memcpy(d->u, d->trial, f->n * sizeof *d->u);
      d->fell += change;
      return true;
    }
  }
  return false;
}

// The step of Newton's method into rhs: du, then -d(lambda). False: there is none.
static bool newton_step(Downhill *d, double least) {
  const StaticForm *f = d->form;
  saddle_scale(&d->saddle, f, d->K, d->balance, d->u);
  if (!factor(d, false, least)) return false;
  for (uint32_t i = 0; i < f->n; i++) d->rhs[i] = -d->balance[i];
  for (uint32_t k = 0; k < f->m; k++) d->rhs[f->n + k] = -d->value[k];
  saddle_solve(&d->saddle, d->rhs);
  for (uint32_t i = 0; i < f->n + f->m; i++) {
    if (!isfinite(d->rhs[i])) return false;
  }
  return true;
}

// Inverse iteration.
double descent_softest(Downhill *d) {
  const StaticForm *f = d->form;
  double *z = d->best, curvature = 0;
  for (uint32_t i = 0; i < f->n; i++) z[i] = 1 + 0.3 * sin(2.3 * (i + 1));
  for (int n = 0; n < inverse_steps; n++) {
    for (uint32_t i = 0; i < f->n; i++) d->rhs[i] = d->saddle.D[i] * z[i];
    memset(d->rhs + f->n, 0, f->m * sizeof *d->rhs);
    saddle_solve(&d->saddle, d->rhs);
    double most = 0, top = 0, below = 0;
    for (uint32_t i = 0; i < f->n; i++) {
      top += d->rhs[i] * d->saddle.D[i] * z[i];
      below += d->rhs[i] * d->saddle.D[i] * d->rhs[i];
      most = fabs(d->rhs[i]) > fabs(most) ? d->rhs[i] : most;
    }
    if (!(below > 0) || most == 0) return 0;
    curvature = top / below - d->saddle.delta;
    for (uint32_t i = 0; i < f->n; i++) z[i] = d->rhs[i] / most;
  }
  return curvature;
}

// Away from an equilibrium that is no minimum. False: there is no lower configuration beside it.
static bool escape(Downhill *d) {
  const StaticForm *f = d->form;
  double size = 0, round, *z = d->move, *other = d->aside;
  if (!(descent_softest(d) < -soft_part)) return false;
  memcpy(z, d->best, f->n * sizeof *z);
  memcpy(d->faced, d->G, d->saddle.g_count * sizeof *d->faced);
  for (uint32_t i = 0; i < f->n; i++) size = fmax(size, z[i] != 0 ? fabs(d->u[i]) : 0);
  double part = 0.1 * fmax(size, 1e-3);
  for (int h = 0; h < most_halvings; h++, part /= 4) {
    bool up = make_trial(d, z, part);
    memcpy(other, d->trial, f->n * sizeof *other);
    double first = up ? difference(d, d->u, other, &round) : 0;
    bool down = make_trial(d, z, -part);
    double second = down ? difference(d, d->u, d->trial, &round) : 0;
    if (!(first < 0) && !(second < 0)) continue;
    memcpy(d->u, first <= second ? other : d->trial, f->n * sizeof *d->u);
    d->fell += fmin(first, second);
    return d->escaped = true;
  }
  return false;
}

static bool is_small(const Downhill *d, const double *step) {
  for (uint32_t i = 0; i < d->form->n; i++) {
    if (fabs(step[i]) > small_change * size_of(d->u[i])) return false;
  }
  return true;
}

// The last steps: forces as small as rounding lets them be.
static void polish(Downhill *d) {
  const StaticForm *f = d->form;
  uint32_t worst;
  if (!descent_look(d, d->u, d->lambda)) return;
  double now = fmax(descent_residue(d, d->u, d->lambda), gap_of(d, d->u, &worst));
  memcpy(d->faced, d->G, d->saddle.g_count * sizeof *d->faced);
  for (int n = 0; n < 8; n++) {
    if (!newton_step(d, 0) || d->saddle.delta > 1e-3) break;
    for (uint32_t i = 0; i < f->n; i++) d->trial[i] = d->u[i] + d->rhs[i];
    for (uint32_t k = 0; k < f->m; k++) d->trial_lambda[k] = d->lambda[k] - d->rhs[f->n + k];
    if (!descent_look(d, d->trial, d->trial_lambda)) break;
    double next = fmax(descent_residue(d, d->trial, d->trial_lambda), gap_of(d, d->trial, &worst));
    if (!(next < now) || !faces_alike(d, d->faced)) break;
    now = next;
    memcpy(d->u, d->trial, f->n * sizeof *d->u);
    memcpy(d->lambda, d->trial_lambda, f->m * sizeof *d->lambda);
    if (!descent_look(d, d->u, d->lambda)) break;
  }
  descent_look(d, d->u, d->lambda);
  descent_residue(d, d->u, d->lambda);
  gap_of(d, d->u, &worst);
}

// ---- the way

// The directional derivative at the end of the path: of this configuration, or, over hills, since the one noted last.
static double late_slope(const Downhill *d, bool smooth) {
  double here = 0, since = 0;
  for (uint32_t k = 0; k < d->form->n; k++) {
    here += d->balance[k] * d->direction[k];
    since = fmax(since, fabs(d->u[k] - d->passed[k]));
  }
  return smooth ? here : (d->fell - d->passed_fell) / since;
}

// Has it gone so far that there is no end? Either far beyond every size, or, after many steps, far beyond that of the
// start and still falling: a load that turns a wheel over hills.
static bool went_far(Downhill *d) {
  const StaticForm *f = d->form;
  double most = 0, way = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    double moved = fabs(d->u[i] - d->first[i]);
    way = fmax(way, moved / fmax(1, fabs(d->first[i])));
    most = fmax(most, moved);
  }
  if (way < far && (d->iterations < rolling_steps || way < rolling_way)) return false;
  d->direction = arena_array(f->o->arena, (size_t)f->n + 1, sizeof(double));
  for (uint32_t k = 0; d->direction && k < f->n; k++) d->direction[k] = (d->u[k] - d->first[k]) / most;
  d->slope = d->fell / most;
  d->fades = d->direction && fabs(late_slope(d, way >= far)) < fading_slope * fabs(d->slope);
  return true;
}

// Notes where it is, every now and then.
static void pass(Downhill *d) {
  size_t size = d->form->n * sizeof *d->u;
  memcpy(d->passed, d->u, size);
  memcpy(d->low, d->u, size);
  memcpy(d->high, d->u, size);
  d->passed_fell = d->fell;
}

// Is it back, within its last step, at a configuration that it passed? Where the straight way there does not bring back
// what was lost on the way round, the potential differs each time, and falls for ever: a motor that turns a crank.
static bool came_round(Downhill *d) {
  const StaticForm *f = d->form;
  double apart = 0, step = 0, range = 0, round;
  for (uint32_t i = 0; i < f->n; i++) {
    d->low[i] = fmin(d->low[i], d->u[i]);
    d->high[i] = fmax(d->high[i], d->u[i]);
    apart = fmax(apart, fabs(d->u[i] - d->passed[i]));
    step = fmax(step, fabs(d->move[i]));
    range = fmax(range, d->high[i] - d->low[i]);
  }
  if (d->iterations % circling_steps == 0) pass(d);
  if (d->iterations <= circling_steps || apart > step || apart > range / 4) return false;
  double lost = d->fell - d->passed_fell, closed = lost + difference(d, d->u, d->passed, &round);
  if (!(closed < -circling_share * fabs(lost) - round)) return false;
  d->direction = arena_array(f->o->arena, (size_t)f->n + 1, sizeof(double));
  for (uint32_t k = 0; d->direction && k < f->n; k++) d->direction[k] = d->high[k] - d->low[k];
  d->slope = closed;
  return true;
}

static void tell(Downhill *d, double residue) {
  DescentStep s = {d->iterations, d->u, d->potential, residue};
  if (d->step) d->step(d->self, &s);
}

static double largest_slope(const Downhill *d) {
  double most = 0;
  for (uint32_t k = 0; k < d->saddle.k_count; k++) most = fmax(most, fabs(d->K[k]));
  return most;
}

// Where derivatives have grown without bound, forces are small beside them also at a pole. There a force is zero only
// if it is what rounding leaves; right beside a pole that is no sign any more.
static bool is_at_pole(Downhill *d) {
  const double grown = 1e12, beyond = 1e24, digits = 64;
  const StaticForm *f = d->form;
  const Tape *t = d->cheap.tape;
  double now = largest_slope(d) / fmax(d->first_slope, DBL_MIN);
  if (now > beyond) return true;
  if (!(now > grown)) return false;
  static_eval(f, &d->cheap, d->u, d->lambda);
  tape_rounding_through(t, d->cheap.w, digits, NULL, 0, d->range[0]);
  for (uint32_t i = 0; i < f->n; i++) {
    if (!(fabs(d->balance[i]) > tape_rounding_of(t, d->range[0], 1 + i))) continue;
    d->worst = i;
    return true;
  }
  return false;
}

// The last look: does it balance?
static DescentStatus end(Downhill *d) {
  polish(d);
  uint32_t worst = 0;
  if (gap_of(d, d->u, &worst) > 1e3 * zero_gap) {
    d->worst = worst;
    return descent_infeasible;
  }
  bool balances = descent_residue(d, d->u, d->lambda) <= 10 * zero_force;
  return !balances ? descent_stuck : is_at_pole(d) ? descent_pole : descent_found;
}

// One iteration; descent_stuck: go on.
static DescentStatus iterate(Downhill *d, uint32_t *escapes, bool *ended) {
  const StaticForm *f = d->form;
  *ended = true;
  if (!descent_look(d, d->u, d->lambda)) return descent_fault;
  double residue = descent_residue(d, d->u, d->lambda);
  tell(d, residue);
  if (went_far(d)) return d->direction ? descent_unbounded : descent_no_memory;
  if (came_round(d)) return d->direction ? descent_circles : descent_no_memory;
  if (!newton_step(d, 0)) return d->status == descent_no_memory ? descent_no_memory : end(d);
  bool still = residue <= zero_force || is_small(d, d->rhs);
  if ((still || residue <= near_rest) && d->saddle.delta > 0 && *escapes < most_escapes) {
    ++*escapes;
    if (escape(d)) {
      d->iterations++;
      *ended = f->m && !descent_multipliers(d, d->u, d->lambda);
      return descent_stuck;
    }
    if (!descent_look(d, d->u, d->lambda)) return descent_fault; // trials have looked elsewhere
    if (!still && !newton_step(d, 0)) return end(d);
  }
  if (still) return end(d);
  double *step = d->move, slope = 0;
  memcpy(step, d->rhs, (f->n + f->m) * sizeof *step);
  for (uint32_t i = 0; i < f->n; i++) slope += d->balance[i] * step[i];
  d->iterations++;
  double part = longest(d, step);
  if (!(slope < 0) || !go_down(d, step, slope, &part)) return d->status == descent_no_memory ? d->status : end(d);
  for (uint32_t k = 0; k < f->m; k++) d->lambda[k] -= part * step[f->n + k];
  *ended = false;
  return descent_stuck;
}

void descent_run(Downhill *d) {
  const StaticForm *f = d->form;
  Operating *o = f->o;
  uint32_t escapes = 0, most = d->most ? d->most : usual_iterations;
  d->status = descent_stuck;
  if (!descent_look(d, d->u, d->lambda)) {
    d->status = descent_fault;
    return;
  }
  if (!descent_assemble(d, d->u) || (f->m && !descent_multipliers(d, d->u, d->lambda))) {
    if (d->status == descent_stuck) d->status = descent_infeasible;
    return;
  }
  memcpy(d->first, d->u, f->n * sizeof *d->first);
  bool known = descent_look(d, d->u, d->lambda);
  for (uint32_t i = 0; known && i < f->n; i++)
    d->first_slope = fmax(d->first_slope, fabs(d->balance[i]) / size_of(d->u[i]));
  if (known) d->first_slope = fmax(d->first_slope, largest_slope(d));
  bool ended = false;
  while (!ended && d->iterations < most) {
    if (o->interrupted && o->interrupted(o->self)) {
      d->status = descent_interrupted;
      return;
    }
    d->status = iterate(d, &escapes, &ended);
  }
}
