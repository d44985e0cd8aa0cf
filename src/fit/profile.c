// Intervals by profiles. A part of result.h.
//
// P(v) is the least cost with one unknown at v. The end of its interval is where P(v) = least + delta. sqrt(P - least)
// is nearly straight in v (a line where the model is linear), so that a secant on it, kept inside a bracket, needs two
// or three values; each is a search over the others that begins where the last one, carried on along the line, leads.
#include "fit/result.h"

#include <stdlib.h>
#include <string.h>

typedef struct Profile {
  FitResult *r;
  Lm *m;
  uint32_t which;
  double delta;
  bool *fixed;
  double *u;    // of the last value
  double *line; // how the others go with it, near the estimate
  bool stopped;
  bool better; // a lower cost was found: the estimate is not the least, and there is nothing to measure from
} Profile;

// sqrt(P(v) - least), with sign; infinite where a motion fails.
static double height(Profile *p, double v) {
  const FitProblem *f = p->r->f;
  LmSettings s = {.most = 40, .gain = 1e-7, .step = 1e-5, .fixed = p->fixed};
  double by = v - p->r->u[p->which];
  for (uint32_t j = 0; j < f->k; j++) p->u[j] = fmin(fmax(p->r->u[j] + by * p->line[j], f->least[j]), f->most[j]);
  p->u[p->which] = v;
  LmResult found = lm_run(p->m, p->u, &s);
  if (found.status == lm_interrupted || found.status == lm_no_memory) p->stopped = true;
  double above = found.cost - p->r->cost;
  if (above < -2e-3 * p->delta) p->better = true;
  return isfinite(above) ? (above > 0 ? sqrt(above) : 0) : INFINITY;
}

// The end of the interval on one side. *open: there is none inside the range.
static double find_end(Profile *p, double guess, double limit, bool *open) {
  double want = sqrt(p->delta), at = p->r->u[p->which], h_at = 0, away = guess, beyond = NAN, h_beyond = 0;
  bool up = guess > at;
  *open = false;
  for (int i = 0; i < 30 && !p->stopped && !p->better; i++) {
    if (up ? away > limit : away < limit) away = limit;
    double h = height(p, away);
    if (fabs(h - want) < 1e-3 * want) return away;
    if (h > want) beyond = away, h_beyond = h;
    else at = away, h_at = h;
    if (away == limit && h < want) {
      *open = true;
      return limit;
    }
    double slope = isnan(beyond) ? (h_at > 0 ? h_at / (at - p->r->u[p->which]) : 0) : 0;
    if (isnan(beyond)) away = slope != 0 ? at + 1.05 * (want - h_at) / slope : at + 2 * (at - p->r->u[p->which]);
    else if (isfinite(h_beyond)) away = at + (beyond - at) * (want - h_at) / (h_beyond - h_at);
    else away = at + (beyond - at) / 2;
    if (!isnan(beyond) && fabs(beyond - at) < 1e-6 * fabs(guess - p->r->u[p->which])) return away;
  }
  return away;
}

static bool open_profile(Profile *p) {
  uint32_t k = p->r->f->k;
  Arena *arena = p->r->f->arena;
  p->fixed = arena_array(arena, k, sizeof *p->fixed);
  p->u = arena_array(arena, k, sizeof *p->u);
  p->line = arena_array(arena, k, sizeof *p->line);
  return !arena_failed(arena);
}

// The unknown whose profile is followed. False: it has none.
static bool aim(Profile *p, uint32_t i) {
  const FitResult *r = p->r;
  const FitEstimate *e = &r->estimates[i];
  uint32_t k = r->f->k;
  if (!e->found || !isfinite(e->stderr_)) return false;
  memset(p->fixed, 0, k * sizeof *p->fixed);
  p->fixed[i] = true;
  p->which = i;
  for (uint32_t j = 0; j < k; j++) {
    double line = r->correlation[(size_t)i * k + j] * r->estimates[j].stderr_ / e->stderr_;
    p->line[j] = isfinite(line) ? line : 0;
  }
  return true;
}

bool profile_intervals(FitResult *r, Lm *m, double delta, double t) {
  const FitProblem *f = r->f;
  Profile p = {.r = r, .m = m, .delta = delta};
  if (!open_profile(&p)) return false;
  for (uint32_t i = 0; i < f->k && !p.stopped; i++) {
    FitEstimate *e = &r->estimates[i];
    if (!aim(&p, i)) continue;
    double low = e->value, high = e->value;
    bool open_low = true, open_high = true;
    if (e->value > f->least[i]) low = find_end(&p, e->value - t * e->stderr_, f->least[i], &open_low);
    if (e->value < f->most[i]) high = find_end(&p, e->value + t * e->stderr_, f->most[i], &open_high);
    if (p.stopped || p.better) break;
    e->low = low, e->high = high;
    e->open_low = open_low, e->open_high = open_high;
  }
  r->not_least = p.better;
  return !p.stopped;
}

// A little beyond the interval on both sides, as far as the range goes.
bool profile_curves(FitResult *r, Lm *m, double delta) {
  enum { sides = 8 }; // values on each side
  const FitProblem *f = r->f;
  Profile p = {.r = r, .m = m, .delta = delta};
  r->profiles = arena_array(f->arena, (size_t)f->k + 1, sizeof *r->profiles);
  if (!open_profile(&p)) return false;
  for (uint32_t i = 0; i < f->k && !p.stopped; i++) {
    const FitEstimate *e = &r->estimates[i];
    FitProfile *out = &r->profiles[i];
    if (!aim(&p, i)) continue;
    out->at = arena_array(f->arena, 2 * sides + 1, sizeof *out->at);
    out->above = arena_array(f->arena, 2 * sides + 1, sizeof *out->above);
    if (arena_failed(f->arena)) return false;
    for (int s = -sides; s <= sides && !p.stopped; s++) {
      double to = s < 0 ? e->low : e->high;
      double v = e->value + 1.25 * (to - e->value) * abs(s) / sides;
      v = fmin(fmax(v, f->least[i]), f->most[i]);
      if (out->count && !(v > out->at[out->count - 1])) continue;
      double h = s ? height(&p, v) : 0;
      if (!isfinite(h)) continue;
      out->at[out->count] = v;
      out->above[out->count++] = h * h * r->bound / delta;
    }
  }
  return !p.stopped;
}
