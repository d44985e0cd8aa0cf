// Event location: where in a step does a condition end, that is, where does its guard cross zero?
//
// in    the continuous extension of the step, y(s) with s in 0 .. 1; conditions g_i(t, y), positive while their branch
//       holds; how far rounding may put each below zero (noise); for guards that are not affine in time and state,
//       bounds over boxes of t and y
// out   the first time at which a condition was evaluated and found below zero by more than rounding, and which one;
//       or none
// how   by_polynomial: values at nine Chebyshev points, c_k = 2/n sum_j w_j g(s_j) cos(pi j k/n); if the last
//       coefficients are not small, the piece is halved. Ends and minima are looked for on a grid of the polynomial, so
//       that a dip below zero and back is seen; what is found there is evaluated before it counts.
//       by_bounds: ranges of each y_e and y_e' on the piece, from its polynomial: |y_e - c_0| <= sum |c_k|. A piece is
//       done with where the least value cannot come to zero, or where the condition only rises or only falls; else its
//       halves are looked at, until there is no time between them, and values decide (by_values).
//       event_polish then moves the end to where steps of the method itself see it, by Newton's method with dg/dt.
// why   degree 8: the extension of dop853 has order 7, and one more shows what does not fit. A fit tells where to look,
//       an evaluation decides. Bounds are for conditions that may dip between any points.
//
// Notation: a piece is a .. b of the step; a part is a point on it, as a fraction of the whole step; little: up to
// there a condition counts as zero; armed: it was positive before; graze: it came to zero and went back.
#include "solve/events.h"
#include "solve/chebyshev.h"

#include <float.h>
#include <string.h>

enum {
  degree = poly_degree,
  points = poly_points,
  middle = degree / 2,
  grid = poly_grid_parts, // points on a piece, four for each of the at most 7 minima and maxima of the polynomial
  deepest = 8,            // halvings where polynomials do not fit: to a 256th of the step
  deepest_bound = 200,    // halvings of what is bounded: more than a double has bits and the exponents of short steps
  most_bisections = 200,  // as deepest_bound
};
// Pieces of one step that may be bounded, half as many after each step that spent them and decided nothing; of all
// steps together beyond the first few of each, some seconds; of each after these are spent; and of each after a long
// row of steps in vain, which are dominated by rounding.
enum { most_pieces = 20000, most_in_all = 2000000, few_pieces = 200, long_row = 200, fewest_pieces = 16 };

// Here the polynomial is as good as rounding lets it be, some hundred roundings: nothing is to be mended.
static const double exact_rest = 1e-13;
static const double small_part = EVENT_SMALL_PART, fitting_rest = EVENT_FITTING_REST, near_part = EVENT_NEAR_PART,
                    overshoot = EVENT_OVERSHOOT;
// Of the step: before an end that the polynomial tells, by so much, the condition is evaluated to bracket it; and so
// much the continuous extension may be off in time at most, so that steps may move it.
static const double time_part = 1e-3;

// ---- polynomials on a piece: s from 0 to 1 (chebyshev.h)

// The polynomial through the values of condition i at the points.
static Poly fit(const EventSearch *x, uint32_t i) { return poly_fit(x->values + i, x->e->count, x->cosine); }

// The first end on the piece, 2 when there is none, and a point beyond it at which the polynomial is below zero. Up to
// `little` it counts as zero. *armed: it was positive already. *graze: where it came to zero before, within small
// errors, and went back. *closest: the least that it came down to between.
static double first_end(const Poly *p, double little, bool *armed, double *graze, double *closest, double *beyond) {
  double at[poly_grid_room], before = 0, start, old;
  poly_grid(p, at);
  start = old = at[0];
  if (old > little) *armed = true;
  // where it holds no more from the start on, and gets no better, it ends at once
  for (int k = 1; k <= grid; k++) {
    double s = (double)k / grid, now = at[k];
    *beyond = s;
    if (!*armed && now < -little) {
      double top = poly_extremum(p, before, s, -1);
      if (poly_value(p, top) > little) {
        *armed = true;
        return poly_crossing(p, top, s);
      }
      if (now < start - small_part * p->size - little) return before;
    } else if (*armed && now < -little) {
      return poly_crossing(p, before, s);
    } else if (*armed) {
      double after = k < grid ? at[k + 1] : now;
      bool first = k == 1 && now >= old && poly_slope(p, 0) < 0; // down and up again at once
      if (first || (now < old && now <= after)) {
        double low = poly_extremum(p, before, k < grid && !first ? s + 1.0 / grid : s, 1);
        if (first) after = now;
        double least = poly_value(p, low);
        *closest = fmin(*closest, least);
        *beyond = low;
        if (least < -little) return poly_crossing(p, before, low);
        if (least <= fmax(little, small_part * p->size) && after > least && *graze > 1) *graze = low;
      }
    }
    if (now > little) *armed = true;
    before = s;
    old = now;
  }
  return 2;
}

// ---- the step

// The values of all conditions there; at the end of the step just before it: a jump in time may be there.
static void conditions_at(EventSearch *x, const double *y, double part, double *c) {
  double t = part < 1 ? x->t + part * x->h : nextafter(x->t + x->h, x->t);
  x->e->conditions(x->e->self, t, y, c);
}

static double try_at(EventSearch *x, uint32_t i, double part) {
  x->dense(x->from, part, x->y);
  conditions_at(x, x->y, part, x->here);
  return x->here[i];
}

// All points of the piece; without bounds the conditions, too.
static void sample(EventSearch *x, double a, double b) {
  for (int j = 0; j < points; j++) {
    double part = a + (b - a) * x->node[j];
    x->dense(x->from, part, x->y);
    if (x->states) memcpy(x->states + (size_t)j * x->n, x->y, x->n * sizeof *x->y);
    else conditions_at(x, x->y, part, x->values + (size_t)j * x->e->count);
  }
}

// The same of the whole step, where the values are known.
static void take_given(EventSearch *x) {
  size_t count = (size_t)points * x->e->count;
  for (size_t k = 0; k < count; k++) x->values[k] = x->given[k * x->stride];
}

// The conditions at the ends and in the middle, or at the other points.
static void evaluate(EventSearch *x, double a, double b, bool others) {
  for (int j = 0; j < points; j++) {
    if ((j % middle != 0) != others) continue;
    conditions_at(x, x->states + (size_t)j * x->n, a + (b - a) * x->node[j], x->values + (size_t)j * x->e->count);
  }
}

// Ranges of a component of y and of its rate on the piece, by its polynomial.
static void bound_state(EventSearch *x, uint32_t e) {
  double c[points + 1], rate[points + 2] = {0}, reach = 0, rate_reach = 0;
  for (int k = 0; k < points; k++) {
    double sum = 0;
    for (int j = 0; j < points; j++)
      sum += (j == 0 || j == degree ? 0.5 : 1) * x->states[(size_t)j * x->n + e] * x->cosine[j][k];
    c[k] = sum * (k == 0 || k == degree ? 1.0 : 2.0) / degree;
    if (k) reach += fabs(c[k]);
  }
  for (int k = degree; k > 0; k--) rate[k - 1] = rate[k + 1] + 2 * k * c[k]; // of the derivative by u = 1 - 2 s
  for (int k = 1; k < points; k++) rate_reach += fabs(rate[k]);
  double rounding = 8 * DBL_EPSILON * (fabs(c[0]) + reach);
  x->lo[e] = c[0] - reach - rounding;
  x->hi[e] = c[0] + reach + rounding;
  x->rate_lo[e] = -rate[0] - 2 * rate_reach - points * points * rounding;
  x->rate_hi[e] = -rate[0] + 2 * rate_reach + points * points * rounding;
}

static void bound(EventSearch *x, double a, double b, bool rates) {
  double t0 = x->t + a * x->h, t1 = b < 1 ? x->t + b * x->h : nextafter(x->t + x->h, x->t);
  OdeBox box = {x->lo, x->hi, rates ? x->rate_lo : NULL, rates ? x->rate_hi : NULL};
  x->e->ranges(x->e->self, t0, fmax(t0, t1), &box, x->least, x->slow, x->fast);
}

// An end at `part`, sure at `sure`. The first counts that is sure. But what stands inside of another condition comes
// before it: where its branch ends the other is no more what it was.
static void take(EventSearch *x, uint32_t i, double part, double sure, double slope, double shallow) {
  double same = 16 * DBL_EPSILON * fabs(x->t + x->h) / x->h; // moment
  if (x->best <= 1) {
    const OdeEvents *e = x->e;
    bool inside = e->inside && e->inside(e->self, i, x->which), around = e->inside && e->inside(e->self, x->which, i);
    if (around && x->best <= sure + same) return;
    if (inside   ? part > x->sure + same
        : around ? false
                 : sure > x->sure + same || (sure >= x->sure - same && i > x->which))
      return;
  }
  x->best = part;
  x->sure = sure;
  x->which = i;
  x->slope = slope;
  x->shallow = shallow;
}

static void touch(EventSearch *x, uint32_t i, double part) {
  if (part >= x->graze) return;
  x->graze = part;
  x->grazing = i;
}

// The argument of its least value between a and b, as far as rounding lets it be seen.
static double bottom(EventSearch *x, uint32_t i, double a, double b) {
  const double flat = 1e-9; // of time: a little below the root of rounding, where a minimum is flat
  for (int k = 0; k < poly_golden_rounds && (b - a) * x->h > flat * fabs(x->t + b * x->h); k++) {
    double p = a + (b - a) / 3, q = b - (b - a) / 3;
    if (try_at(x, i, p) <= try_at(x, i, q)) b = q;
    else a = p;
  }
  return 0.5 * (a + b);
}

// Did it come away from zero?
static bool is_clear(const OdeEvents *e, uint32_t i, double c) {
  return c > e->noise[i] && (!e->fresh[i] || c > e->rearm[i]);
}

// Reported once a step.
static void doubt(EventSearch *x, uint32_t i, double part, bool undefined) {
  if (!x->doubtful && x->e->unsure) x->doubtful = x->e->unsure(x->e->self, i, x->t + part * x->h, undefined);
}

static double little_of(const EventSearch *x, uint32_t i) {
  return fmax(x->e->noise[i], x->armed[i] ? 0 : x->e->rearm[i]);
}

// The noise is that of this point of the step from now on.
static void measure(EventSearch *x, double part) {
  if (!x->e->rounding) return;
  x->dense(x->from, part, x->y);
  x->e->rounding(x->e->self, x->t + part * x->h, x->y);
}

// Above `level` at a, not at b: where it gets there, to the last digit of time.
static double descent(EventSearch *x, uint32_t i, double a, double ca, double b, double cb, double level,
                      double *slope) {
  double least = DBL_EPSILON * fabs(x->t + b * x->h) / x->h;
  *slope = (cb - ca) / ((b - a) * x->h);
  ca -= level;
  cb -= level;
  int side = 0;
  for (int k = 0; k < most_bisections && b - a > least; k++) {
    double mid =
        k % 4 == 3 ? 0.5 * (a + b) : a + (b - a) * (ca / (ca - cb)); // regula falsi (Illinois), and some bisection
    if (!(mid > a && mid < b)) mid = 0.5 * (a + b);
    if (mid <= a || mid >= b) break;
    double c = try_at(x, i, mid) - level;
    if (c > 0) {
      if (b - mid > 1e-6 * (b - a)) *slope = (cb - c) / ((b - mid) * x->h);
      a = mid;
      ca = c;
      if (side > 0) cb *= 0.5;
      side = 1;
    } else {
      b = mid;
      cb = c;
      if (side < 0) ca *= 0.5;
      side = -1;
    }
  }
  return b;
}

// It is below zero at b, and was not at a. False: it is only rounding.
static bool end_between(EventSearch *x, uint32_t i, double a, double ca, double b, double cb) {
  double slope = 0, other, at = ca > 0 ? descent(x, i, a, ca, b, cb, 0, &slope) : a, c = ca > 0 ? try_at(x, i, at) : ca;
  measure(x, at);
  double little = little_of(x, i);
  if (!(cb < -little)) return false;
  double sure = c < -little ? at : descent(x, i, at, c, b, cb, -little, &other);
  if (x->armed[i]) take(x, i, at, sure, slope, 0);
  else
    take(x, i, 0, sure, 0,
         fmax(little, 4 * DBL_EPSILON * x->size[i])); // at zero from the start on: there it ended, however flat
  return true;
}

typedef enum SearchVerdict { nothing_more, halves } SearchVerdict;

// A condition that can be bounded, on a piece.
static SearchVerdict by_bounds(EventSearch *x, uint32_t i, double a, double b, bool *rates) {
  const OdeEvents *e = x->e;
  double first = x->values[i], mid = x->values[(size_t)middle * e->count + i],
         last = x->values[(size_t)degree * e->count + i];
  double close = small_part * x->size[i];
  // outside of its domain there is no condition
  if (first != first && mid != mid && last != last) {
    doubt(x, i, a, true);
    return nothing_more;
  }
  // it cannot come to zero
  bool known = first == first && mid == mid && last == last;
  if (known && x->least[i] > close && x->least[i] > little_of(x, i)) {
    x->armed[i] = x->armed[i] || is_clear(e, i, x->least[i]);
    return nothing_more;
  }
  // with the bounds of its rate, which are found once a piece
  if (!*rates) {
    bound(x, a, b, true);
    measure(x, 0.5 * (a + b));
  }
  *rates = true;
  double little = little_of(x, i), lowest = fmin(first, fmin(mid, last));
  if (x->armed[i] && lowest < 0 && lowest >= -little) {
    measure(x, lowest == last ? b : lowest == mid ? 0.5 * (a + b) : a); // rounding elsewhere may hide an end here
    little = little_of(x, i);
  }
  close = fmax(little, close);
  double slow = x->slow[i], fast = x->fast[i], reach = 0.5 * fmax(fabs(slow), fabs(fast));
  double least = isfinite(reach) && mid == mid ? fmax(x->least[i], mid - reach - 8 * DBL_EPSILON * (fabs(mid) + reach))
                                               : x->least[i];
  if (known && least > close) {
    x->armed[i] = x->armed[i] || is_clear(e, i, least);
    return nothing_more;
  }
  // it goes one way only: the ends tell
  if (known && (slow > 0 || fast < 0)) {
    if (first > little) x->armed[i] = true;
    double low = slow > 0 ? first : last;
    if (x->armed[i] && low < -little) end_between(x, i, a, first, slow > 0 ? a : b, low);
    else if (slow < 0 && low < -little) end_between(x, i, a, first, b, low);
    if (last > little) x->armed[i] = true;
    return nothing_more;
  }
  // it comes to zero, but not beyond, but for rounding
  if (least >= -little && fmin(first, fmin(mid, last)) <= close) {
    if (x->armed[i] && a < x->graze) touch(x, i, bottom(x, i, a, b));
    if (fmax(first, fmax(mid, last)) > little) x->armed[i] = true;
    return nothing_more;
  }
  return halves;
}

// A piece that is not to be halved any more: what was evaluated counts.
static void by_values(EventSearch *x, uint32_t i, double a, double b) {
  static const int at[] = {0, middle, degree};
  double before = x->values[i], from = a;
  for (int k = 0; k < 3; k++) {
    double c = x->values[(size_t)at[k] * x->e->count + i], part = a + (b - a) * x->node[at[k]],
           little = little_of(x, i);
    if (c > little) x->armed[i] = true;
    if (c < -little && (x->armed[i] || c < before) && end_between(x, i, from, before, part, c)) return;
    before = c;
    from = part;
  }
}

// The least and the largest of its values at the points; returns how many of them are numbers.
static int value_range(const EventSearch *x, uint32_t i, double *least, double *most) {
  int known = 0;
  *least = INFINITY;
  *most = -INFINITY;
  for (int j = 0; j < points; j++) {
    double v = x->values[(size_t)j * x->e->count + i];
    if (v != v) continue;
    known++;
    *least = v < *least ? v : *least;
    *most = v > *most ? v : *most;
  }
  return known;
}

// The polynomial p of the piece a .. b ends at s, and is below zero at `beyond`. Is it so? Then it is taken. rest: what
// does not fit; armed and little: as first_end has them.
static bool confirm_end(EventSearch *x, uint32_t i, const Poly *p, double a, double b, double s, double beyond,
                        double rest, bool armed, double little) {
  const OdeEvents *e = x->e;
  double at = a + (b - a) * s, there = a + (b - a) * beyond;
  measure(x, at);
  double c = try_at(x, i, there);
  if (!(c < -e->noise[i])) return false;
  // where the polynomial is not all, the condition itself tells when
  double side = poly_slope(p, s) / ((b - a) * x->h), before = fmax(a, at - time_part * (b - a)), other;
  double value_before = rest > exact_rest * p->size ? try_at(x, i, before) : 0;
  if (value_before > 0) at = descent(x, i, before, value_before, there, c, 0, &other);
  // it is sure where it is below zero by twice the rounding
  double later = e->noise[i] > 0 && side < 0 ? -2 * e->noise[i] / side / x->h : 0;
  x->armed[i] = armed;
  take(x, i, at, fmax(at, fmin(there, at + later)), side, armed ? 0 : little);
  return true;
}

// A condition by the polynomial through its values.
static SearchVerdict by_polynomial(EventSearch *x, uint32_t i, double a, double b, int depth) {
  const OdeEvents *e = x->e;
  double least, most;
  int known = value_range(x, i, &least, &most);
  // outside of its domain there is no condition
  if (known < points && known && depth < deepest) return halves;
  if (known < points) {
    doubt(x, i, a, true);
    return nothing_more;
  }
  // far from zero: the polynomial cannot get there
  if (least > 0 && 0.5 * (most + least) > overshoot * (most - least)) {
    x->armed[i] = x->armed[i] || is_clear(e, i, least);
    return nothing_more;
  }
  if (!isfinite(least) || !isfinite(most)) return nothing_more;
  // does it fit?
  Poly p = fit(x, i);
  double rest = fabs(p.c[degree]) + fabs(p.c[degree - 1]);
  if (rest > fitting_rest * p.size && depth < deepest) return halves;
  // its first end; the rounding of time counts, too
  bool armed = x->armed[i];
  double noise = e->noise[i] + 4 * DBL_EPSILON * fabs(x->t) * p.size / ((b - a) * x->h);
  double little = fmax(fmax(4 * DBL_EPSILON * p.size, noise), armed ? 0 : e->rearm[i]);
  double graze = 2, closest = INFINITY, beyond = 1, s = first_end(&p, little, &armed, &graze, &closest, &beyond);
  // so near that the fit must be better
  if (s > 1 && rest > exact_rest * p.size && closest < near_part * p.size && depth < deepest) return halves;
  if (s <= 1) {
    if (confirm_end(x, i, &p, a, b, s, beyond, rest, armed, little)) return nothing_more;
    if (depth < deepest) return halves;
    graze = fmin(graze, beyond);
  }
  // none
  x->armed[i] = armed;
  if (graze <= 1) touch(x, i, a + (b - a) * graze);
  if (rest > fitting_rest * p.size && rest > 4 * noise && least < 2 * (most - least)) doubt(x, i, a, false);
  return nothing_more;
}

// May this piece be halved for what is bounded? *spent: not because there were too many already.
static bool may_halve(EventSearch *x, double a, double b, int depth, bool *spent) {
  if ((b - a) * x->h <= 8 * DBL_EPSILON * fabs(x->t + b * x->h) || depth >= deepest_bound) return false;
  uint32_t allowed = x->all_pieces < most_in_all && x->vain < 31 ? (uint32_t)most_pieces >> x->vain : 0;
  uint32_t least = x->vain < long_row ? few_pieces : fewest_pieces;
  *spent = x->pieces >= (allowed > least ? allowed : least);
  x->spent = x->spent || *spent;
  return !*spent;
}

// One that began at zero, as at the end of a slide, and is rounding still: a few pieces are enough to see that.
static bool is_still_zero(const EventSearch *x, uint32_t i, int depth) {
  double most = -INFINITY;
  for (int j = 0; j < points; j += middle) most = fmax(most, x->values[(size_t)j * x->e->count + i]);
  return depth >= deepest && x->pieces > few_pieces && !x->armed[i] && most <= x->e->noise[i];
}

// Is it to be bounded on this piece?
static bool is_bounded(const EventSearch *x, uint32_t i) {
  return x->e->wild && x->e->wild[i] && x->least[i] == x->least[i];
}

static void find_sizes(EventSearch *x) {
  for (uint32_t i = 0; i < x->e->count; i++) {
    x->size[i] = 0;
    for (int j = 0; j < points; j += middle)
      x->size[i] = fmax(x->size[i], fabs(x->values[(size_t)j * x->e->count + i]));
  }
}

// One that is not to be bounded, but happens to be: is it far from zero?
static bool is_far(const EventSearch *x, uint32_t i) {
  uint32_t n = x->e->count;
  double sum = x->values[i] + x->values[(size_t)middle * n + i] + x->values[(size_t)degree * n + i];
  return sum == sum && x->least[i] > small_part * x->size[i] && x->least[i] > little_of(x, i);
}

// Values and bounds on the piece, as far as what is not done with needs them.
static void prepare(EventSearch *x, double a, double b, int depth) {
  const OdeEvents *e = x->e;
  if (depth == 0 && x->given && !x->states) take_given(x);
  else sample(x, a, b);
  if (++x->pieces > few_pieces) x->all_pieces++;
  if (e->wild) {
    for (uint32_t k = 0; k < e->used_count; k++) bound_state(x, e->used[k]);
    bound(x, a, b, false);
    evaluate(x, a, b, false);
  }
  if (depth == 0) find_sizes(x);
  if (b == 1) memcpy(x->last, x->values + (size_t)degree * e->count, e->count * sizeof *x->last);
  if (!e->wild) return;
  bool all = false;
  for (uint32_t i = 0; i < e->count; i++) {
    if (x->done[i] || is_bounded(x, i)) continue;
    bool far = is_far(x, i);
    if (far) x->armed[i] = x->armed[i] || is_clear(e, i, x->least[i]);
    if (far) x->done[i] = (uint8_t)(depth + 1);
    else all = true;
  }
  if (all) evaluate(x, a, b, true);
}

// Looks for ends on a piece, and on its halves where it must.
static void search_piece(EventSearch *x, double a, double b, int depth) {
  const OdeEvents *e = x->e;
  bool rates = false, split = false;
  prepare(x, a, b, depth);
  for (uint32_t i = 0; i < e->count; i++) {
    if (x->done[i]) continue;
    SearchVerdict verdict;
    if (is_bounded(x, i)) {
      verdict = by_bounds(x, i, a, b, &rates);
      bool spent = false;
      if (verdict == halves && (!may_halve(x, a, b, depth, &spent) || (spent = is_still_zero(x, i, depth)))) {
        by_values(x, i, a, b);
        if (spent && x->sure > a) doubt(x, i, a, false);
        verdict = nothing_more;
      }
    } else {
      verdict = by_polynomial(x, i, a, b, depth);
    }
    if (verdict == halves) split = true;
    else x->done[i] = (uint8_t)(depth + 1);
  }
  // what was not done with is looked at on the halves; armed says what happened before them
  double mid = 0.5 * (a + b);
  double margin = 64 * DBL_EPSILON * fabs(x->t + x->h) / x->h;
  if (split && x->sure > a - margin) search_piece(x, a, mid, depth + 1);
  if (split && x->sure > mid - margin) search_piece(x, mid, b, depth + 1);
  for (uint32_t i = 0; i < e->count; i++) {
    if (x->done[i] == depth + 1) x->done[i] = 0;
  }
}

bool event_search(EventSearch *x, double t, double h, OdeDense *dense, void *from, double *at) {
  const OdeEvents *e = x->e;
  x->t = t;
  x->h = h;
  x->dense = dense;
  x->from = from;
  x->best = x->sure = x->graze = 2;
  x->pieces = 0;
  x->spent = false;
  x->doubtful = false;
  if (e->count == 0) return false;
  memset(x->done, 0, e->count * sizeof *x->done);
  for (uint32_t i = 0; i < e->count; i++) x->armed[i] = !e->fresh[i];
  search_piece(x, 0, 1, 0);
  x->vain = x->spent ? x->vain + 1 : 0;
  if (e->graze && x->graze < x->best) e->graze(e->self, x->grazing, t + x->graze * h);
  if (x->best > 1) return false;
  *at = t + x->best * h;
  return true;
}

// A condition that jumps below zero does so between two doubles: y and *at go to the other side.
bool event_polish_end(EventSearch *x, OdeReach *reach, void *from, double *y, double *at) {
  double t = *at, hop = DBL_EPSILON * fabs(t);
  for (int k = 0; k < 10; k++, hop *= 2) {
    x->e->conditions(x->e->self, *at, y, x->last);
    double c = x->last[x->which];
    if (!(c > small_part * x->size[x->which] && c > 16 * x->e->noise[x->which]) || t + hop > x->t + x->h) return true;
    *at = t += hop;
    if (!reach(from, t, y)) return false;
  }
  return true;
}

EventPolish event_polish_begin(const EventSearch *x, double at) {
  return (EventPolish){.t = at, .moved = INFINITY, .slope = x->slope};
}

bool event_polish_next(EventSearch *x, EventPolish *p, const double *y) {
  enum { most = 12 };
  double t = p->t;
  if (p->rounds == most || p->moved <= 2 * DBL_EPSILON * fabs(t)) return false;
  x->e->conditions(x->e->self, t, y, x->last);
  double c = x->last[x->which], seen = p->rounds ? (c - p->old_c) / (t - p->old_t) : p->slope;
  if (seen < 0) p->slope = seen; // near a graze the derivative of the polynomial is not accurate
  double by = -c / p->slope, next = t + by;
  // no more than the continuous extension may be wrong, and ever less
  if (!(p->slope < 0) || !isfinite(by) || fabs(by) > time_part * x->h || !(fabs(by) < p->moved) ||
      fabs(by) <= DBL_EPSILON * fabs(t))
    return false;
  if (next <= x->t || next > x->t + x->h) return false;
  *p = (EventPolish){next, fabs(by), p->slope, t, c, p->rounds + 1};
  return true;
}

bool event_polish(EventSearch *x, OdeReach *reach, void *from, double *y, double *at) {
  EventPolish p = event_polish_begin(x, *at);
  do {
    if (!reach(from, p.t, y)) return false; // so y is always that of t
    *at = p.t;
  } while (event_polish_next(x, &p, y));
  return event_polish_end(x, reach, from, y, at);
}

const uint32_t *event_ended(EventSearch *x, double t, const double *y, uint32_t *count) {
  const OdeEvents *e = x->e;
  e->conditions(e->self, t, y, x->last);
  *count = 0;
  e->rearm[x->which] = 2 * x->shallow; // ever more, should it not get away
  for (uint32_t i = 0; i < e->count; i++) {
    if (x->armed[i]) e->fresh[i] = false; // it was off its limit before
    if (i == x->which) x->ended[(*count)++] = i;
    else if (is_clear(e, i, x->last[i])) e->fresh[i] = false;
    else if (x->last[i] < -e->noise[i] && !e->fresh[i]) x->ended[(*count)++] = i; // crossed in the same moment
  }
  return x->ended;
}

void event_pass(const OdeEvents *e, uint32_t i, double c) {
  if (is_clear(e, i, c)) e->fresh[i] = false;
}

void event_none(EventSearch *x) {
  for (uint32_t i = 0; i < x->e->count; i++) {
    if (x->armed[i]) x->e->fresh[i] = false; // it was off its limit, to which it may be back at the end of the step
    else event_pass(x->e, i, x->last[i]);
  }
}
