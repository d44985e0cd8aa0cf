// Networks of masses that rub on each other, and their accelerations by Gauss's principle of least constraint:
// m a = F - J' f, |f| <= limit makes 1/2 a'M a - F'a + sum of limit |J a| least. Every choice of J a = 0 or a sign of
// it is tried.
#ifndef VIVA_TESTS_NETWORK_H
#define VIVA_TESTS_NETWORK_H

#include "tests/laws/chance.h"

enum { most_masses = 6, most_elements = 8, most_network = most_masses + most_elements };

// Masses in line; each element is between two of them, or one and the ground. All numbers are small whole ones, so that
// loads at the very limit are common.
typedef struct Network {
  uint32_t masses, elements;
  double mass[most_masses], force[most_masses];
  int j[most_elements][most_masses];
  double slip[most_elements], stick[most_elements];
} Network;

// Any pairs; a chain on the ground; a star; the same pair over and over.
static inline void network_pair(Network *w, uint32_t shape, uint32_t e) {
  uint32_t n = w->masses, a = choose(n), b = choose(n + 1);
  if (shape == 1) a = e % n, b = e < n ? n : (e + 1) % n;
  if (shape == 2) a = 0, b = e < n ? e : choose(n + 1);
  if (shape == 3 && e % 3) {
    memcpy(w->j[e], w->j[e - 1], sizeof w->j[e]);
    return;
  }
  w->j[e][a] = 1;
  if (b < n && b != a) w->j[e][b] = -1;
}

static inline Network network_new(void) {
  Network w = {.masses = 2 + choose(most_masses - 1)};
  uint32_t shape = choose(4);
  w.elements = w.masses + choose(3);
  if (w.elements > most_elements) w.elements = most_elements;
  for (uint32_t i = 0; i < w.masses; i++) {
    w.mass[i] = 1 + choose(4);
    w.force[i] = (double)choose(17) - 8;
  }
  for (uint32_t e = 0; e < w.elements; e++) {
    network_pair(&w, shape, e);
    w.slip[e] = 1 + choose(4);
    w.stick[e] = w.slip[e] + (choose(2) ? choose(3) : 0);
  }
  return w;
}

// What the accelerations make least. It is strictly convex.
static inline double network_constraint(const Network *w, const double *limit, const double *a) {
  double sum = 0;
  for (uint32_t i = 0; i < w->masses; i++) sum += a[i] * (w->mass[i] * a[i] / 2 - w->force[i]);
  for (uint32_t e = 0; e < w->elements; e++) {
    double r = 0;
    for (uint32_t i = 0; i < w->masses; i++) r += w->j[e][i] * a[i];
    sum += limit[e] * fabs(r);
  }
  return sum;
}

// Solves a system that may be singular but has a solution: unknowns without a pivot are zero.
static inline void network_solve(uint32_t n, double m[][most_network], double *b) {
  double x[most_network] = {0};
  uint32_t column_of[most_network];
  for (uint32_t i = 0; i < n; i++) column_of[i] = n;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t row = n, column = n;
    double largest = 1e-9;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t c = 0; c < n && column_of[i] == n; c++) {
        if (fabs(m[i][c]) > largest) largest = fabs(m[i][c]), row = i, column = c;
      }
    }
    if (row == n) break;
    column_of[row] = column;
    for (uint32_t i = 0; i < n; i++) {
      double l = m[i][column] / m[row][column];
      for (uint32_t c = 0; i != row && c < n; c++) m[i][c] -= l * m[row][c];
      if (i != row) b[i] -= l * b[row];
      if (i != row) m[i][column] = 0;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    if (column_of[i] < n) x[column_of[i]] = b[i] / m[i][column_of[i]];
  }
  memcpy(b, x, n * sizeof *b);
}

// The least over all choices of J a = 0 or a sign of J a, for each element.
static inline void network_least(const Network *w, const double *limit, double *best) {
  uint32_t choices = 1;
  double least = INFINITY;
  for (uint32_t e = 0; e < w->elements; e++) choices *= 3;
  for (uint32_t choice = 0; choice < choices; choice++) {
    double m[most_network][most_network] = {{0}}, b[most_network] = {0};
    uint32_t n = w->masses, rest = choice;
    for (uint32_t i = 0; i < w->masses; i++) {
      m[i][i] = w->mass[i];
      b[i] = w->force[i];
    }
    for (uint32_t e = 0; e < w->elements; e++, rest /= 3) {
      for (uint32_t i = 0; i < w->masses; i++) {
        if (rest % 3 == 0) m[n][i] = m[i][n] = w->j[e][i];
        else b[i] -= w->j[e][i] * (rest % 3 == 1 ? limit[e] : -limit[e]);
      }
      n += rest % 3 == 0;
    }
    network_solve(n, m, b);
    double value = network_constraint(w, limit, b);
    if (!(value < least - 1e-12)) continue;
    least = value;
    memcpy(best, b, w->masses * sizeof *best);
  }
}

// Accelerations and rates J a by the rule of the page: with the limits of sticking; what moves then has the limits of
// slip; and again.
static inline void network_expected(const Network *w, double *a, double *r) {
  double limit[most_elements];
  memcpy(limit, w->stick, sizeof limit);
  for (bool more = true; more;) {
    network_least(w, limit, a);
    more = false;
    for (uint32_t e = 0; e < w->elements; e++) {
      r[e] = 0;
      for (uint32_t i = 0; i < w->masses; i++) r[e] += w->j[e][i] * a[i];
      if (fabs(r[e]) <= 1e-9 || limit[e] == w->slip[e]) continue;
      limit[e] = w->slip[e];
      more = true;
    }
  }
}

#endif
