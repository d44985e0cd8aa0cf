// Confidence intervals by profile likelihood. A part of result.h.
//
// in    the estimate, with R of its Jacobian; how much worse than the least cost chance allows: delta
// out   of each unknown the ends of its interval, where P(v) = least + delta; P(v) is the least cost with it at v
//
// how   The minimum over the others is followed along v from the estimate outwards, as a curve: each point begins where
//       the tangent of the last one leads, and is a search that ends where the tangent plane leads down by a small part
//       of delta only (a valley may be narrow and bent: short steps are no sign of convergence). Outwards
//       sqrt(P - least), nearly straight in v (a line where the model is linear), says how far to go; once there is a
//       point beyond the end, a secant on it, or a halving where it is far above.
//       Where the model is far from linear, the others may have several minima, and a curve that is followed ends on
//       the lower one no more than any search: at each end the best points of all other ends begin a search once more.
//       One that is lower is followed further.
// why   From the estimate alone, a line leads out of bent valleys, and what is found there is too high: intervals
//       became too narrow.
#include "fit/result.h"

#include <string.h>

enum { profile_side = 8 }; // values of a curve on each side

// A point of the curve: the value of the unknown, sqrt(P - least) there, all unknowns, and how they go with it.
typedef struct ProfilePoint {
  double v, height;
  double *u, *line;
  bool vanishes; // the Jacobian vanishes there: the tangent says little
} ProfilePoint;

typedef struct Profile {
  FitResult *r;
  Lm *m;
  uint32_t which;
  double spread, delta; // delta = spread t^2
  bool *fixed;
  ProfilePoint begin, inside, now; // the estimate, the last one inside the interval, the last one
  double *starts;                  // points at the ends of all profiles, and others that are as good: start_count rows
  uint32_t start_count;
  bool bent; // the Jacobian vanished somewhere, or an end is far from its linear estimate
  bool stopped;
  bool better; // a lower cost was found: the estimate is not the least, and there is nothing to measure from
  bool lost;   // a search along the curve did not converge
} Profile;

static void copy_point(const Profile *p, const ProfilePoint *from, ProfilePoint *to) {
  uint32_t k = p->r->f->k;
  to->v = from->v;
  to->height = from->height;
  to->vanishes = from->vanishes;
  memcpy(to->u, from->u, k * sizeof *to->u);
  memcpy(to->line, from->line, k * sizeof *to->line);
}

// Where the tangent says little: from where the others stand, if that is lower.
static void begin_lower(Profile *p, double v) {
  double along = lm_cost(p->m, p->now.u), kept = p->inside.u[p->which];
  p->inside.u[p->which] = v;
  if (lm_cost(p->m, p->inside.u) < along) memcpy(p->now.u, p->inside.u, p->r->f->k * sizeof *p->now.u);
  p->inside.u[p->which] = kept;
}

// From p->now.u, with the unknown at v, by `most` steps at most: the height, infinite where a simulation fails.
static double settle(Profile *p, double v, uint32_t most) {
  ProfilePoint *to = &p->now;
  LmSettings s = {.most = most, .fixed = p->fixed, .enough = 1e-4 * p->delta};
  to->u[p->which] = to->v = v;
  LmResult found = lm_run(p->m, to->u, &s);
  if (found.status == lm_interrupted || found.status == lm_no_memory) p->stopped = true;
  double above = found.cost - p->r->cost;
  p->lost = isfinite(above) && found.down > 0.01 * p->delta;
  p->better = p->better || above < -2e-3 * p->delta;
  to->height = isfinite(above) ? (above > 0 ? sqrt(above) : 0) : INFINITY;
  to->vanishes = found.bend > 0;
  p->bent = p->bent || to->vanishes;
  if (isfinite(above)) lm_tangent(p->m, to->u, p->which, to->line);
  return to->height;
}

// p->now: the point of the curve at v, from the last one inside.
static double follow(Profile *p, double v) {
  const FitProblem *f = p->r->f;
  double by = v - p->inside.v;
  for (uint32_t j = 0; j < f->k; j++)
    p->now.u[j] = fmin(fmax(p->inside.u[j] + by * p->inside.line[j], f->least[j]), f->most[j]);
  p->now.u[p->which] = v;
  if (p->inside.vanishes) begin_lower(p, v);
  return settle(p, v, 200);
}

// Where to look next while all points lie inside: by the slope between the last two, and never much further away than
// the last one is already.
static double go_further(const Profile *p, double guess, double slope) {
  double first = guess - p->begin.v, gone = p->inside.v - p->begin.v, want = sqrt(p->delta) - p->inside.height;
  double most = 3 * fmax(fabs(gone), fabs(first)), by = 1.05 * want / fabs(slope);
  return p->inside.v + copysign(by < most ? by : most, first);
}

// The end of the interval on one side, from the last point inside, first at `away`. guess: its linear estimate.
// *open: there is none inside the range, or none at all (infinite).
static double find_end(Profile *p, double away, double guess, double limit, bool *open) {
  enum { most = 100 };
  const double far = 1e6 * fmax(fabs(p->begin.v), fabs(guess - p->begin.v)); // as good as without end
  double want = sqrt(p->delta), beyond = NAN, above = NAN, slope = want / (guess - p->begin.v);
  bool up = guess > p->begin.v;
  int returns = 0, outside = 0; // outside: points beyond the end, one after the other
  *open = false;
  for (int i = 0; i < most; i++) {
    if (up ? away > limit : away < limit) away = limit;
    double h = follow(p, away);
    if (p->stopped || p->better || p->lost) return away;
    if (fabs(h - want) < 1e-3 * want) return away;
    // beyond 0, and lower than the slope says: perhaps a pole or a ridge lies between
    bool strange = h < want && h - p->inside.height < 0.9 * slope * (away - p->inside.v);
    if (strange && p->inside.v * away < 0 && returns++ < 6) {
      away = (p->inside.v + away) / 2;
      continue;
    }
    returns = 0;
    outside = h > want ? outside + 1 : 0;
    if (h > want) {
      beyond = away, above = h;
    } else {
      *open = away == limit || fabs(away) > far;
      if (*open) return away == limit ? limit : up ? INFINITY : -INFINITY;
      slope = (h - p->inside.height) / (away - p->inside.v);
      copy_point(p, &p->now, &p->inside);
    }
    double at = p->inside.v, part = (want - p->inside.height) / (above - p->inside.height);
    if (isnan(beyond)) away = go_further(p, guess, slope);
    else away = at + (beyond - at) * (above < 3 * want && outside < 3 ? fmin(fmax(part, 0.05), 0.95) : 0.5);
    if (!isnan(beyond) && fabs(beyond - at) < 1e-5 * fabs(guess - p->begin.v)) return away; // the cost jumps there
  }
  p->lost = true;
  return away;
}

static bool open_profile(Profile *p) {
  uint32_t k = p->r->f->k;
  Arena *arena = p->r->f->arena;
  ProfilePoint *points[] = {&p->begin, &p->inside, &p->now};
  p->fixed = arena_array(arena, k, sizeof *p->fixed);
  for (int i = 0; i < 3; i++) {
    points[i]->u = arena_array(arena, k, sizeof(double));
    points[i]->line = arena_array(arena, k, sizeof(double));
  }
  return !arena_failed(arena);
}

// The unknown whose profile is followed. False: it has none.
static bool aim(Profile *p, uint32_t i) {
  const FitResult *r = p->r;
  const FitEstimate *e = &r->estimates[i];
  uint32_t k = r->f->k;
  if (!e->found || (!isfinite(e->stderr_) && !(e->reach > 0))) return false;
  memset(p->fixed, 0, k * sizeof *p->fixed);
  p->fixed[i] = true;
  p->which = i;
  p->delta = p->spread * e->bound;
  p->begin.v = e->value;
  p->begin.vanishes = r->rest.bend > 0;
  memcpy(p->begin.u, r->u, k * sizeof *r->u);
  for (uint32_t j = 0; j < k; j++) {
    double line = j == i ? 1 : r->correlation[(size_t)i * k + j] * r->estimates[j].stderr_ / e->stderr_;
    p->begin.line[j] = isfinite(line) ? line : 0;
  }
  return true;
}

// ---- intervals

static double limit_of(const Profile *p, bool up) { return up ? p->r->f->most[p->which] : p->r->f->least[p->which]; }

// The linear estimate of the end.
static double expected_end(const Profile *p, bool up) {
  const FitEstimate *e = &p->r->estimates[p->which];
  double by = e->reach > 0 ? sqrt(p->delta) * e->reach : sqrt(e->bound) * e->stderr_;
  return up ? e->value + by : e->value - by;
}

static void keep_start(Profile *p, const double *u) {
  memcpy(p->starts + (size_t)p->start_count++ * p->r->f->k, u, p->r->f->k * sizeof *u);
}

typedef struct ProfileEnd {
  double at;
  bool open;
} ProfileEnd;

static ProfileEnd first_end(Profile *p, bool up) {
  const FitEstimate *e = &p->r->estimates[p->which];
  ProfileEnd end = {.at = e->value, .open = true};
  double guess = expected_end(p, up);
  if (e->value == limit_of(p, up)) return end;
  copy_point(p, &p->begin, &p->inside);
  end.at = find_end(p, guess, guess, limit_of(p, up), &end.open);
  if (p->stopped || p->better || p->lost) return end;
  double part = (end.at - e->value) / (guess - e->value);
  p->bent = p->bent || (!end.open && !(part > 0.7 && part < 1.4));
  keep_start(p, p->now.u);
  return end;
}

// Is there a lower minimum of the others at an end? p->now is there then. The starts that are best are searched from.
static bool is_lower_elsewhere(Profile *p, double v) {
  enum { most = 3 };
  uint32_t k = p->r->f->k, best[most], count = 0;
  double costs[most];
  for (uint32_t i = 0; i < p->start_count && !p->stopped; i++) {
    memcpy(p->now.u, p->starts + (size_t)i * k, k * sizeof *p->now.u);
    p->now.u[p->which] = v;
    double cost = lm_cost(p->m, p->now.u);
    p->stopped = fit_interrupted(p->r->f);
    if (!isfinite(cost) || (count == most && !(cost < costs[most - 1]))) continue;
    uint32_t at = count < most ? count++ : most - 1;
    for (; at > 0 && cost < costs[at - 1]; at--) costs[at] = costs[at - 1], best[at] = best[at - 1];
    costs[at] = cost, best[at] = i;
  }
  for (uint32_t i = 0; i < count && !p->stopped; i++) {
    memcpy(p->now.u, p->starts + (size_t)best[i] * k, k * sizeof *p->now.u);
    double h = settle(p, v, 40); // a lower one is seen before it rests
    p->lost = false;
    if (p->better || h < 0.99 * sqrt(p->delta)) return true;
  }
  return false;
}

static void keep_branch(Profile *p, bool up) {
  double **to = &p->r->estimates[p->which].branch[up];
  size_t size = p->r->f->k * sizeof **to;
  if (!*to) *to = arena_array(p->r->f->arena, p->r->f->k, sizeof **to);
  if (*to) memcpy(*to, p->now.u, size);
}

// From a lower minimum at an end the curve goes on.
static ProfileEnd further_end(Profile *p, ProfileEnd end, bool up) {
  enum { most = 8 };
  double guess = expected_end(p, up);
  for (int i = 0; i < most && !end.open && !p->stopped; i++) {
    if (!is_lower_elsewhere(p, end.at) || p->better || p->stopped) return end;
    copy_point(p, &p->now, &p->inside);
    double away = end.at + 0.1 * (end.at - p->begin.v);
    end.at = find_end(p, away, guess, limit_of(p, up), &end.open);
    if (p->stopped || p->better) return end;
    if (p->lost) { // as far as it was followed
      end.at = p->inside.v;
      p->r->estimates[p->which].narrow = true;
      return end;
    }
    keep_branch(p, up);
  }
  return end;
}

static void keep_ends(FitEstimate *e, const ProfileEnd ends[2]) {
  if (e->lost && e->reach > 0) e->low = e->high = NAN;
  if (e->lost) return;
  e->low = ends[0].at, e->high = ends[1].at;
  e->open_low = ends[0].open, e->open_high = ends[1].open;
}

bool profile_intervals(FitResult *r, Lm *m, double spread) {
  const FitProblem *f = r->f;
  Profile p = {.r = r, .m = m, .spread = spread};
  ProfileEnd(*ends)[2] = arena_array(f->arena, f->k, sizeof *ends);
  p.starts = arena_array(f->arena, (2 * (size_t)f->k + 2) * f->k, sizeof *p.starts);
  if (!open_profile(&p)) return false;
  keep_start(&p, r->u);
  if (r->rest.twin) keep_start(&p, r->rest.twin);
  p.bent = r->rest.twin != NULL;
  // once along the curves; where these bend, once more from the ends of all others
  for (uint32_t i = 0; i < f->k && !p.stopped && !p.better; i++) {
    FitEstimate *e = &r->estimates[i];
    if (!aim(&p, i)) continue;
    for (int side = 0; side < 2 && !p.stopped && !p.better; side++) {
      ends[i][side] = first_end(&p, side);
      e->lost = e->lost || p.lost;
    }
    if (!p.stopped && !p.better) keep_ends(e, ends[i]);
  }
  for (uint32_t i = 0; i < f->k && p.bent && !p.stopped && !p.better; i++) {
    FitEstimate *e = &r->estimates[i];
    if (e->lost || !aim(&p, i)) continue;
    for (int side = 0; side < 2 && !p.stopped && !p.better; side++)
      ends[i][side] = further_end(&p, ends[i][side], side);
    if (!p.stopped && !p.better) keep_ends(e, ends[i]);
  }
  r->rest.not_least = p.better;
  if (p.better) memcpy(r->rest.lower, p.now.u, f->k * sizeof *r->rest.lower);
  return !p.stopped;
}

// The height at v on the other branch, where there is one.
static double height_elsewhere(Profile *p, const double *branch, double v) {
  if (!branch || p->stopped) return INFINITY;
  memcpy(p->now.u, branch, p->r->f->k * sizeof *branch);
  double h = settle(p, v, 200);
  return p->lost ? INFINITY : h;
}

// One side of a profile as a curve, from the estimate outwards to a little beyond the end of the interval, which is a
// point of it.
static void draw_side(Profile *p, const FitEstimate *e, bool up, FitProfile *out) {
  const FitProblem *f = p->r->f;
  double to = up ? e->high : e->low, limit = up ? f->most[p->which] : f->least[p->which];
  if (!isfinite(to)) to = e->value + (up ? 8 : -8) * (e->reach > 0 ? sqrt(p->delta) * e->reach : e->stderr_);
  copy_point(p, &p->begin, &p->inside);
  for (int s = 1; s <= profile_side && !p->stopped; s++) {
    double part = s < profile_side - 1 ? s / (profile_side - 2.0) : s < profile_side ? 1.1 : 1.25;
    double v = e->value + part * (to - e->value);
    v = up ? fmin(v, limit) : fmax(v, limit);
    if (v == p->inside.v || !isfinite(follow(p, v)) || p->lost) continue;
    copy_point(p, &p->now, &p->inside);
    double height = fmin(p->inside.height, height_elsewhere(p, e->branch[up], v));
    out->at[out->count] = v;
    out->above[out->count++] = height * height / p->spread;
  }
}

static void turn_around(double *v, uint32_t count) {
  for (uint32_t i = 0; i < count / 2; i++) {
    double kept = v[i];
    v[i] = v[count - 1 - i];
    v[count - 1 - i] = kept;
  }
}

bool profile_curves(FitResult *r, Lm *m, double spread) {
  const FitProblem *f = r->f;
  Profile p = {.r = r, .m = m, .spread = spread};
  r->profiles = arena_array(f->arena, (size_t)f->k + 1, sizeof *r->profiles);
  if (!r->profiles || !open_profile(&p)) return false;
  for (uint32_t i = 0; i < f->k && !p.stopped; i++) {
    const FitEstimate *e = &r->estimates[i];
    FitProfile *out = &r->profiles[i];
    if (!aim(&p, i)) continue;
    out->at = arena_array(f->arena, 2 * profile_side + 1, sizeof *out->at);
    out->above = arena_array(f->arena, 2 * profile_side + 1, sizeof *out->above);
    if (arena_failed(f->arena)) return false;
    draw_side(&p, e, false, out);
    turn_around(out->at, out->count);
    turn_around(out->above, out->count);
    out->at[out->count] = e->value;
    out->above[out->count++] = 0;
    draw_side(&p, e, true, out);
  }
  return !p.stopped;
}
