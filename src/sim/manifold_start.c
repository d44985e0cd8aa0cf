// Consistent initial conditions of a DAE after index reduction, by Newton's method. A part of manifold.h.
//
// Given values are kept, guessed and unset ones move by Newton's method with steps of least norm, shortened while they
// increase the residual; then from states around them, further and further away. Where that does not converge
// everything moves, and as little as possible: each step goes to the state nearest to the given one.
#include "sim/manifold.h"

#include "sim/motion.h"

#include <string.h>

enum { most_iterations = 60, most_halvings = 12, tries = 24 };
// Given values may move by this part of the size of the components; further away it is a mistake.
static const double most_moved = 0.25;
static const double residue_slack = 1e-13;

typedef struct ManifoldSearch {
  Run *r;
  const ManifoldCorrection *step;
  double *w; // workspace of the step
  double t, *y;
} ManifoldSearch;

static double size_of(const ManifoldSearch *x) {
  double size = 1e-300;
  for (uint32_t i = 0; i < x->step->count; i++) size = fmax(size, fabs(x->y[x->step->place[i]]));
  return size;
}

// Is the residual at round-off level?
static bool is_small(const ManifoldSearch *x, double residue) {
  return residue <= residue_slack * fmax(size_of(x), 1e-3);
}

// Newton's method from y. False: it leads nowhere.
static bool search(ManifoldSearch *x) {
  Run *r = x->r;
  double *kept = r->manifold.kept, left = manifold_look(r, x->t, x->y, NULL);
  size_t bytes = r->p->y.count * sizeof *kept;
  for (int round = 0; round < most_iterations && isfinite(left); round++) {
    memcpy(kept, x->y, bytes);
    if (manifold_correct(r, x->step, x->w, x->t, x->y, NULL, x->y) < 0) return left == 0;
    double next = manifold_look(r, x->t, x->y, NULL);
    for (int half = 0; !(next < left) && left > 0 && half < most_halvings; half++) {
      for (uint32_t i = 0; i < r->p->y.count; i++) x->y[i] = kept[i] + (x->y[i] - kept[i]) / 2;
      next = manifold_look(r, x->t, x->y, NULL);
    }
    if (!(next < left)) {
      memcpy(x->y, kept, bytes);
      return is_small(x, left);
    }
    left = next;
  }
  return is_small(x, left);
}

// From the guesses, then from states around them. The random numbers are the same in every run.
static bool search_around(ManifoldSearch *x, const double *start) {
  size_t bytes = x->r->p->y.count * sizeof *x->y;
  uint64_t chance = 1;
  if (search(x)) return true;
  memcpy(x->y, start, bytes);
  double size = fmax(size_of(x), 1);
  for (int k = 1; k <= tries; k++) {
    memcpy(x->y, start, bytes);
    for (uint32_t i = 0; i < x->step->count; i++) {
      chance = chance * 6364136223846793005u + 1442695040888963407u;
      double part = (double)(chance >> 11) * 0x1p-52 - 1, *own = &x->y[x->step->place[i]];
      *own += part * k / tries * (*own != 0 ? fabs(*own) : size);
    }
    if (search(x)) return true;
  }
  memcpy(x->y, start, bytes);
  return false;
}

// To the nearest state of all: steps towards the given values, along the equations.
static void pull_back(ManifoldSearch *x, const double *start) {
  size_t bytes = x->r->p->y.count * sizeof *x->y;
  double *last = arena_array(x->r->scratch, x->r->p->y.count, sizeof *last), distance = INFINITY;
  for (int round = 0; last && round < most_iterations; round++) {
    double now = 0;
    for (uint32_t i = 0; i < x->step->count; i++) {
      double d = x->y[x->step->place[i]] - start[x->step->place[i]];
      now += d * d;
    }
    if (!(sqrt(now) < distance * (1 - 1e-9))) break;
    distance = sqrt(now);
    memcpy(last, x->y, bytes);
    if (manifold_correct(x->r, x->step, x->w, x->t, start, NULL, x->y) >= 0 && search(x)) continue;
    break;
  }
  double now = 0;
  for (uint32_t i = 0; last && i < x->step->count; i++) {
    double d = x->y[x->step->place[i]] - start[x->step->place[i]];
    now += d * d;
  }
  if (last && !(sqrt(now) <= distance)) memcpy(x->y, last, bytes);
}

// ---- messages

static bool refuse(Run *r, const char *message, const char *hint, Span place) {
  r->failure = (RunFailure){message ? run_input : run_no_memory, message, place, hint};
  return false;
}

static const char *which_level(uint32_t level) {
  return level == 0   ? "this equation"
         : level == 1 ? "the derivative of this equation"
                      : "a derivative of this equation";
}

static bool found_none(ManifoldSearch *x) {
  uint32_t worst = 0;
  double left = manifold_look(x->r, x->t, x->y, &worst);
  const ManifoldRow *row = &x->r->p->manifold->rows[worst];
  return refuse(x->r,
                arena_printf(x->r->arena, "no start was found that obeys the equations: %s is off by %.3g",
                             which_level(row->level), left * x->r->manifold.scale[worst]),
                "they contradict each other there, or the start is too far away: `guess` says where to begin",
                row->span);
}

// Given values may not move far.
static bool near_enough(ManifoldSearch *x, const double *start) {
  const System *s = &x->r->p->s;
  double size = 0, most = 0;
  uint32_t worst = 0;
  for (uint32_t i = 0; i < x->step->count; i++) {
    uint32_t at = x->step->place[i];
    size = fmax(size, fmax(fabs(start[at]), fabs(x->y[at])));
    if (!manifold_is_said(s, at) || !(fabs(x->y[at] - start[at]) > most)) continue;
    most = fabs(x->y[at] - start[at]);
    worst = at;
  }
  *x->r->manifold.moved = most;
  if (most <= most_moved * size) return true;
  const Component *y = &s->y.items[worst];
  return refuse(
      x->r,
      arena_printf(x->r->arena,
                   "the start does not obey the equations: `%s` would have to move by %.3g from what was said", y->name,
                   most),
      arena_printf(x->r->arena, "what may be moved is said by `guess %s = ...`", y->name), y->span);
}

bool manifold_assemble(Run *r) {
  const ManifoldPlan *plan = r->p->manifold;
  size_t bytes = r->p->y.count * sizeof *r->y;
  double *start = arena_array(r->scratch, r->p->y.count, sizeof *start);
  ManifoldSearch search_all = {r, &plan->all, r->manifold.all, r->ode.t0, r->y}, *x = &search_all;
  ManifoldSearch search_unsaid = {r, &plan->unsaid, r->manifold.unsaid, r->ode.t0, r->y};
  if (!start) return refuse(r, NULL, NULL, (Span){0});
  memcpy(start, r->start, bytes);
  memcpy(r->y, r->start, bytes);
  bool ok =
      is_small(x, manifold_look(r, x->t, x->y, NULL)) || (plan->unsaid.count && search_around(&search_unsaid, start));
  if (!ok) {
    memcpy(r->y, start, bytes);
    ok = search_around(x, start);
    if (!ok) return found_none(x);
    pull_back(x, start);
    if (!near_enough(x, start)) return false;
  }
  memcpy(r->start, r->y, bytes);
  return true;
}
