// Output times: when the next row is due, and which discontinuity (break) of f comes next (solve/ode.h).
#include "solve/ode.h"

#include <float.h>
#include <math.h>

// Whole spacings that fit, with room for rounding; the end is a row of its own when it is no whole multiple.
static double whole_rows(const OdeSettings *s) { return floor((s->t1 - s->t0) / s->every * (1 + 1e-12) + 1e-9); }

uint64_t ode_grid_count(const OdeSettings *s) {
  double n = whole_rows(s);
  double left = (s->t1 - s->t0) - n * s->every;
  return (uint64_t)n + 1 + (left > 1e-9 * s->every ? 1 : 0);
}

OdeSpacing ode_spacing(double every) {
  for (double scale = 1; scale <= 1e9; scale *= 10) {
    double whole = round(every * scale);
    if (whole >= 1 && fabs(every * scale - whole) < 1e-12 * whole) return (OdeSpacing){whole, scale};
  }
  return (OdeSpacing){every, 1};
}

double ode_grid_time(const OdeSettings *s, uint64_t k) {
  if (isfinite(s->t1) && k + 1 >= ode_grid_count(s)) return s->t1;
  OdeSpacing x = ode_spacing(s->every);
  return s->t0 + (double)k * x.times / x.over;
}

// ---- a list of times

// How many of the list come before t.
static uint32_t times_before(const OdeSettings *s, double t) {
  uint32_t low = 0, high = s->time_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->times[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The start is row 0, whether or not it is in the list.
static uint32_t first_inside(const OdeSettings *s) { return s->time_count && s->times[0] <= s->t0; }

uint64_t ode_row_count(const OdeSettings *s) {
  if (!s->times) return ode_grid_count(s);
  if (!(s->t1 > s->t0)) return 1;
  return (uint64_t)(times_before(s, s->t1) - first_inside(s)) + 2;
}

double ode_row_time(const OdeSettings *s, uint64_t k) {
  if (!s->times) return ode_grid_time(s, k);
  if (k == 0) return s->t0;
  uint64_t at = first_inside(s) + k - 1;
  return at < s->time_count && s->times[at] < s->t1 ? s->times[at] : s->t1;
}

uint64_t ode_row_from(const OdeSettings *s, uint64_t row, uint64_t rows, double t) {
  // the spacing tells it up to rounding
  double guess = s->times ? 0 : (t - s->t0) / s->every - 2;
  uint64_t low = guess > (double)row ? (uint64_t)fmin(guess, (double)rows) : row;
  if (s->times && t > s->t0) {
    uint64_t before = (uint64_t)times_before(s, t) + 1 - first_inside(s);
    low = before > row ? before : row;
    if (low > rows) low = rows;
  }
  while (low > row && !(ode_row_time(s, low - 1) < t)) low--;
  while (low < rows && ode_row_time(s, low) < t) low++;
  return low;
}

double ode_row_near(const OdeSettings *s, uint64_t row, uint64_t rows, double t, double part) {
  double near = part * fabs(t);
  uint64_t k = ode_row_from(s, row, rows, t - near);
  return k < rows && ode_row_time(s, k) <= t + near ? ode_row_time(s, k) : t;
}

bool ode_is_asked(const OdeSettings *s, double t) {
  if (!s->times) return true;
  uint32_t at = times_before(s, t);
  return at < s->time_count && s->times[at] == t;
}

// ---- breaks

bool ode_at_break(const OdeBreaks *breaks, uint32_t *next, double t) {
  while (*next < breaks->count && breaks->times[*next] <= t) (*next)++;
  return *next < breaks->count && breaks->times[*next] - t <= EVENT_SAME_INSTANT * fabs(t);
}

double ode_pass_break(const OdeBreaks *breaks, uint32_t *next) {
  double t = breaks->times[(*next)++];
  while (*next < breaks->count && breaks->times[*next] - t <= EVENT_SAME_INSTANT * fabs(t))
    t = breaks->times[(*next)++];
  return t;
}
