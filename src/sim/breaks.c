// Time events: the jumps and corners of functions of time alone, between neighbouring doubles.
//
// in    the switches of a plan (break_plan.c), values of the parameters
// out   pairs of neighbouring doubles: the last time of the old branch and the first one of the new
//
// Each such node has a mode that is constant between its breaks: whether one number is below another, or floor(g(t)).
// It is evaluated just as the right-hand side does it, for g = a - b rounds otherwise than a < b. What g is made of may
// jump or bend itself, and its derivative does not show it: d mod(t, T)/dt is 1 almost everywhere. So the inner breaks
// come first, and between two of them g is smooth. An affine g without inner ones gives its breaks by division. Any
// other is halved until interval arithmetic says that the mode cannot change, or that g only rises or only falls, so
// that its ends decide. Bisection goes down to neighbouring doubles, so no rounding puts a jump on the wrong side.
#include "sim/breaks.h"

#include "tape/interval.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A run stops at every break, so more of them would take minutes. Pieces: the limit of a search, in all and per break.
enum { grid = 20000, most_breaks = 4000000, most_pieces = 200000, pieces_each = 200 };

typedef VEC(double) Times;

// One switch with these parameters.
typedef struct Search {
  Times times; // the first moments of new branches, in order
  // of one that is not affine
  double *w, *lo, *hi, *rate_lo, *rate_hi;
  uint64_t pieces;
} Search;

typedef struct Finder {
  const BreakPlan *plan;
  Arena *arena;
  Search *searches; // one a switch
  double *w;        // of the tape of affine ones
  double t0, t1;
  uint64_t count; // of all times
  OdeBreaks *out;
} Finder;

static double mode_of(const BreakSwitch *s, double from, double by) {
  if (s->kind == break_plain) return from;
  if (s->kind == break_quotient) return floor(from / by);
  uint32_t lo = 0, hi = s->table->count; // points at or before it
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (s->table->x[mid] <= from) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static double mode_at(Finder *f, uint32_t i, double t) {
  const BreakSwitch *s = &f->plan->switches.items[i];
  const Tape *tape = s->tape ? s->tape : f->plan->tape;
  double *w = s->tape ? f->searches[i].w : f->w;
  uint32_t at = s->tape ? 0 : 4 * i;
  tape_vars(tape, w)[0] = t;
  tape_eval(tape, w);
  return mode_of(s, tape_result(tape, w, at + 2), tape_result(tape, w, at + 3));
}

static void put_time(Finder *f, uint32_t i, double t) {
  if (f->count++ < most_breaks) vec_push(f->arena, &f->searches[i].times, t);
  else f->out->many = f->plan->switches.items[i].node;
}

// The modes differ at a and b: the first doubles of new modes between them, as far as bisection shows them.
static void bisect(Finder *f, uint32_t i, double a, double mode_a, double b, double mode_b) {
  while (!f->out->many) {
    double mid = a + (b - a) / 2;
    if (mid <= a || mid >= b) break;
    double mode = mode_at(f, i, mid);
    if (mode != mode_a && mode != mode_b) { // several
      bisect(f, i, a, mode_a, mid, mode);
      a = mid;
      mode_a = mode;
    } else if (mode == mode_a) {
      a = mid;
    } else {
      b = mid;
    }
  }
  put_time(f, i, b);
}

// ---- affine arguments

// Around a predicted time.
static void find_near(Finder *f, uint32_t i, double t) {
  for (int wide = 0; wide < 2; wide++) { // most predictions are right but for their last digits
    double reach = wide ? 1e-9 * fmax(fabs(t), f->t1 - f->t0) : 4 * DBL_EPSILON * fabs(t), a = fmax(t - reach, f->t0),
           b = fmin(t + reach, f->t1);
    if (!(a < b)) continue;
    double mode_a = mode_at(f, i, a), mode_b = mode_at(f, i, b);
    if (mode_a == mode_b) continue;
    bisect(f, i, a, mode_a, b, mode_b);
    return;
  }
}

static void affine(Finder *f, uint32_t i) {
  const BreakSwitch *s = &f->plan->switches.items[i];
  tape_vars(f->plan->tape, f->w)[0] = 0;
  tape_eval(f->plan->tape, f->w);
  double rate = tape_result(f->plan->tape, f->w, 4 * i + 1), g0 = tape_result(f->plan->tape, f->w, 4 * i);
  if (!isfinite(rate) || rate == 0) return;
  if (s->table) {
    for (uint32_t k = 0; k < s->table->count; k++)
      find_near(f, i, (s->table->x[rate > 0 ? k : s->table->count - 1 - k] - g0) / rate);
  } else if (!s->whole) {
    find_near(f, i, -g0 / rate);
  } else {
    double a = g0 + rate * f->t0, b = g0 + rate * f->t1, lo = ceil(fmin(a, b)), hi = floor(fmax(a, b));
    if (hi - lo > most_breaks) f->out->many = s->node;
    for (double k = 0; k <= hi - lo && !f->out->many; k++) find_near(f, i, ((rate > 0 ? lo + k : hi - k) - g0) / rate);
  }
}

// ---- others

static void unsure(Finder *f, uint32_t i, double t) {
  if (f->out->unsure) return;
  f->out->unsure = f->plan->switches.items[i].node;
  f->out->unsure_at = t;
}

// Nothing is known of what is between the points of the grid.
static void scan(Finder *f, uint32_t i, double a, double b) {
  double from = a, mode = mode_at(f, i, a), points = fmax(16, ceil(grid * (b - a) / (f->t1 - f->t0)));
  unsure(f, i, a);
  for (double k = 1; k <= points; k++) {
    double t = k < points ? from + (b - from) * k / points : b, now = mode_at(f, i, t);
    if (now != mode) bisect(f, i, a, mode, t, now);
    a = t;
    mode = now;
  }
}

// Between a and b nothing inside of g jumps or bends.
static void isolate(Finder *f, uint32_t i, double a, double mode_a, double b, double mode_b) {
  const BreakSwitch *switched = &f->plan->switches.items[i];
  const Tape *t = switched->tape;
  Search *s = &f->searches[i];
  if (!(a < b) || f->out->many) return;
  double mid = a + (b - a) / 2;
  if (mid <= a || mid >= b) { // neighbours
    if (mode_a != mode_b) put_time(f, i, b);
    return;
  }
  uint32_t at = t->param_count, out = t->outputs[0], from = t->outputs[2], by = t->outputs[3];
  s->lo[at] = a;
  s->hi[at] = b;
  s->rate_lo[at] = s->rate_hi[at] = 1;
  tape_range_rates(t, s->w, s->lo, s->hi, s->rate_lo, s->rate_hi);
  double slow = s->rate_lo[out], fast = s->rate_hi[out], d = s->lo[by];
  bool bounded = isfinite(s->lo[from]) && isfinite(s->hi[from]) && d == s->hi[by];
  if (bounded && mode_of(switched, s->lo[from], d) == mode_of(switched, s->hi[from], d)) return;
  if (slow > 0 || fast < 0 || (slow == 0 && fast == 0)) { // one way only
    if (mode_a != mode_b) bisect(f, i, a, mode_a, b, mode_b);
    return;
  }
  if (++s->pieces > most_pieces + pieces_each * (uint64_t)s->times.count) {
    scan(f, i, a, b);
    return;
  }
  double mode = mode_at(f, i, mid);
  isolate(f, i, a, mode_a, mid, mode);
  isolate(f, i, mid, mode, b, mode_b);
}

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// In order, each once.
static void order(Times *times) {
  if (times->count) qsort(times->items, times->count, sizeof *times->items, by_time);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < times->count; i++) {
    if (kept == 0 || times->items[i] > times->items[kept - 1]) times->items[kept++] = times->items[i];
  }
  times->count = kept;
}

// The breaks of everything inside of g.
static bool inner_times(Finder *f, uint32_t i, Times *inner) {
  const BreakSwitch *s = &f->plan->switches.items[i];
  for (uint32_t k = 0; k < s->inner.count; k++) {
    const Times *times = &f->searches[s->inner.items[k]].times;
    for (uint32_t j = 0; j < times->count; j++) vec_push(f->arena, inner, times->items[j]);
  }
  order(inner);
  return !arena_failed(f->arena);
}

static bool search(Finder *f, uint32_t i, const double *params) {
  const BreakSwitch *x = &f->plan->switches.items[i];
  Search *s = &f->searches[i];
  const Tape *t = x->tape;
  double **room[] = {&s->w, &s->lo, &s->hi, &s->rate_lo, &s->rate_hi};
  for (int k = 0; k < 5; k++) *room[k] = arena_array(f->arena, t->slot_count, sizeof(double));
  Times inner = {0};
  if (arena_failed(f->arena) || !inner_times(f, i, &inner)) return false;
  memcpy(s->w, params, t->param_count * sizeof *params);
  tape_prepare(t, s->w);
  double from = f->t0;
  for (uint32_t k = 0; k <= inner.count && !f->out->many; k++) {
    double to = k < inner.count ? nextafter(inner.items[k], f->t0) : f->t1;
    if (from < to && x->blind) scan(f, i, from, to);
    else if (from < to) isolate(f, i, from, mode_at(f, i, from), to, mode_at(f, i, to));
    if (k < inner.count) from = inner.items[k];
  }
  return true;
}

bool breaks_find(const BreakPlan *plan, Arena *arena, const double *params, double t0, double t1, OdeBreaks *out) {
  Finder finder = {.plan = plan, .arena = arena, .t0 = t0, .t1 = t1, .out = out}, *f = &finder;
  uint32_t n = plan->switches.count;
  *out = (OdeBreaks){0};
  if (n == 0) return true;
  f->searches = arena_array(arena, n, sizeof *f->searches);
  f->w = plan->tape ? arena_array(arena, plan->tape->slot_count, sizeof *f->w) : NULL;
  if (!f->searches || (plan->tape && !f->w)) return false;
  if (plan->tape) {
    memcpy(f->w, params, plan->tape->param_count * sizeof *f->w);
    tape_prepare(plan->tape, f->w);
  }
  Times all = {0};
  // no step fits between a break and an end that is a few doubles away
  double least = 8 * DBL_EPSILON * fmax(fabs(t0), fabs(t1));
  for (uint32_t i = 0; i < n && !out->many; i++) {
    if (plan->switches.items[i].rate) affine(f, i);
    else if (!search(f, i, params)) return false;
    const Times *times = &f->searches[i].times;
    for (uint32_t k = 0; k < times->count; k++) {
      double t = times->items[k];
      if (t == nextafter(t0, t1)) out->after_start = true;
      if (t - t0 > least && (t == t1 || t1 - t > least)) vec_push(arena, &all, t);
    }
  }
  order(&all);
  out->times = all.items;
  out->count = all.count;
  return !arena_failed(arena);
}
