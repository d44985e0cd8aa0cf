// Amplitude and frequency of a sampled oscillation, by its crossings of the middle.
//
// The middle is that of the extrema over the last `looked` periods. A rise counts once the signal was a fifth of the
// amplitude below the middle, so that a small wiggle there is no period. Times of rises are zeros of the polynomial of
// degree three through the rows beside them; extrema are those of a parabola, or corners.
#include "control/oscillation.h"

#include <math.h>

enum { looked = 8, alike = 5 };       // periods over which the middle is taken; that must be alike
static const double tolerance = 1e-3; // of their sizes and times

typedef struct OscillationRows {
  const double *t, *e;
  size_t count;
} OscillationRows;

// The polynomial through the rows k .. k + many - 1 at a time.
static double value_at(const OscillationRows *r, size_t k, size_t many, double t) {
  double sum = 0;
  for (size_t i = k; i < k + many; i++) {
    double f = r->e[i];
    for (size_t j = k; j < k + many; j++) {
      if (j != i) f *= (t - r->t[j]) / (r->t[i] - r->t[j]);
    }
    sum += f;
  }
  return sum;
}

// When the signal passes the middle between the rows k and k + 1.
static double rise_at(const OscillationRows *r, size_t k, double middle) {
  double lo = r->t[k], hi = r->t[k + 1];
  size_t first = k > 0 ? k - 1 : 0, many = 4;
  if (first + many > r->count) first = r->count - many;
  for (size_t i = first; i + 1 < first + many; i++) {
    if (!(r->t[i + 1] > r->t[i])) return lo; // rows of a jump
  }
  for (int i = 0; i < 60; i++) {
    double t = (lo + hi) / 2;
    if (value_at(r, first, many, t) < middle) lo = t;
    else hi = t;
  }
  return (lo + hi) / 2;
}

// Where the lines through the two rows before k and the two rows behind it meet; NAN: not between those rows.
static double corner(const OscillationRows *r, size_t k) {
  double before = (r->e[k - 1] - r->e[k - 2]) / (r->t[k - 1] - r->t[k - 2]),
         behind = (r->e[k + 2] - r->e[k + 1]) / (r->t[k + 2] - r->t[k + 1]);
  double t = (r->e[k + 1] - r->e[k - 1] + before * r->t[k - 1] - behind * r->t[k + 1]) / (before - behind);
  return t >= r->t[k - 1] && t <= r->t[k + 1] ? r->e[k - 1] + before * (t - r->t[k - 1]) : NAN;
}

static double bend_at(const OscillationRows *r, size_t k) {
  double a = r->t[k] - r->t[k - 1], b = r->t[k + 1] - r->t[k];
  return ((r->e[k] - r->e[k - 1]) / a + (r->e[k] - r->e[k + 1]) / b) / (a + b);
}

// The extremum near row k: of the parabola through it and its neighbours, or a corner.
static double turning_point(const OscillationRows *r, size_t k) {
  if (k < 2 || k + 2 >= r->count) return r->e[k];
  double beside = fmax(fabs(bend_at(r, k - 1)), fabs(bend_at(r, k + 1)));
  if (fabs(bend_at(r, k)) > 4 * fmin(fabs(bend_at(r, k - 1)), fabs(bend_at(r, k + 1))) ||
      beside > 4 * fabs(bend_at(r, k))) {
    double e = corner(r, k);
    return isfinite(e) ? e : r->e[k];
  }
  double a = r->t[k] - r->t[k - 1], b = r->t[k + 1] - r->t[k], up = r->e[k] - r->e[k - 1], down = r->e[k] - r->e[k + 1];
  if (!(a > 0) || !(b > 0)) return r->e[k];
  double bend = (up / a + down / b) / (a + b); // of -e
  double slope = (up / a * b - down / b * a) / (a + b);
  if (bend == 0 || fabs(slope / bend) > 2 * fmax(a, b)) return r->e[k];
  return r->e[k] + slope * slope / (4 * bend);
}

// The rows from `from` on: where they are least and largest.
static void extrema(const OscillationRows *r, size_t from, size_t to, size_t *least, size_t *most) {
  *least = *most = from;
  for (size_t i = from; i < to; i++) {
    if (r->e[i] < r->e[*least]) *least = i;
    if (r->e[i] > r->e[*most]) *most = i;
  }
}

static size_t rows_since(const OscillationRows *r, double t) {
  size_t k = r->count - 1;
  while (k > 0 && r->t[k - 1] >= t) k--;
  return k;
}

static bool all_alike(const double *x, int count, double *mean) {
  double least = x[0], most = x[0], sum = 0;
  for (int i = 0; i < count; i++) {
    least = fmin(least, x[i]);
    most = fmax(most, x[i]);
    sum += x[i];
  }
  *mean = sum / count;
  return most - least <= tolerance * fabs(*mean);
}

Oscillation oscillation_of(const double *t, const double *e, size_t count, double period) {
  OscillationRows rows = {t, e, count}, *r = &rows;
  Oscillation out = {.kind = oscillation_gone};
  size_t least, most;
  if (count < 8) return out;
  extrema(r, rows_since(r, t[count - 1] - period), count, &least, &most);
  out.largest = fmax(fabs(e[least]), fabs(e[most]));
  extrema(r, rows_since(r, t[count - 1] - looked * period), count, &least, &most);
  double middle = (e[least] + e[most]) / 2, half = (e[most] - e[least]) / 2;
  // the last rises, from the end
  double at[alike + 1], size[alike], turn[alike], centre = 0;
  size_t row[alike + 1];
  int found = 0;
  for (size_t k = count - 1; k-- > 0 && found <= alike;) {
    if (!(e[k] < middle && e[k + 1] >= middle)) continue;
    size_t back = k;
    while (back > 0 && e[back] < middle && e[back] > middle - half / 5) back--;
    if (e[back] > middle - half / 5) continue;
    row[found] = k;
    at[found++] = rise_at(r, k, middle);
  }
  if (found <= alike || !(half > 0)) return out;
  for (int i = 0; i < alike; i++) {
    extrema(r, row[i + 1], row[i] + 1, &least, &most);
    double low = turning_point(r, least), high = turning_point(r, most);
    size[i] = (high - low) / 2;
    turn[i] = at[i] - at[i + 1];
    centre += (high + low) / 2 / alike;
  }
  double time;
  bool steady = all_alike(size, alike, &out.amplitude) & all_alike(turn, alike, &time);
  out.kind = steady ? oscillation_steady : oscillation_changing;
  out.frequency = 6.28318530717958647692 / time;
  out.middle = centre;
  return out;
}
