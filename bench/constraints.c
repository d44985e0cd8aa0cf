// What constraints cost: a pendulum in Cartesian coordinates beside its angle, and closed loops beside Simbody.
//
//   bench_constraints
//
// The two forms of the pendulum run one after the other, again and again; the least time of each counts. Errors are
// those against the closed form sin(th/2) = k sn(K + w t, k), so times are compared at equal error, not at equal
// tolerance.
//
// The linkage has n + 1 arms that hang in a row, their tips joined by n rigid rods: n closed loops, one freedom. Errors
// are those of the last arm against a run of this program at 1e-13; the residue is the largest of all rods and rows.
#define _XOPEN_SOURCE 700
#include "bench/peer.h"
#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *why) {
  fprintf(stderr, "bench_constraints: %s\n", why);
  exit(1);
}

static viva_model *parse(const char *text) {
  viva_model *model;
  if (viva_model_parse("bench.viva", text, strlen(text), NULL, &model) != VIVA_OK) stop("the model is wrong");
  return model;
}

typedef struct Rows {
  double *values;
  size_t count, room;
} Rows;

static bool take_header(void *self, const char *const *names, size_t count) {
  (void)self, (void)names;
  return count > 0;
}

static bool take_row(void *self, const double *values, size_t count) {
  Rows *r = self;
  if (r->count + count > r->room) return false;
  memcpy(r->values + r->count, values, count * sizeof *values);
  r->count += count;
  return true;
}

// Seconds of one run; the rows go into `rows`, with the time first.
static double run(const viva_model *model, const char *method, double rtol, double to, double every, Rows *rows) {
  viva_run_options o = viva_run_defaults();
  viva_sink sink = {rows, take_header, take_row};
  viva_run *done;
  o.method = method, o.rtol = rtol, o.to = to, o.every = every;
  rows->count = 0;
  double begin = now();
  if (viva_run_model(model, &o, &sink, &done) != VIVA_OK) stop(viva_run_message(done));
  double seconds = now() - begin;
  viva_run_free(done);
  return seconds;
}

// ---- the pendulum

// sn(u, k) by descending Landen transformations
static double jacobi_sn(double u, double k) {
  double a[12], c[12], b = sqrt(1 - k * k);
  int n = 0;
  for (a[0] = 1, c[0] = k; fabs(c[n]) > 1e-17 && n < 11; n++) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrt(a[n] * b);
  }
  double phi = ldexp(a[n] * u, n);
  for (; n > 0; n--) phi = (phi + asin(c[n] * sin(phi) / a[n])) / 2;
  return sin(phi);
}

static double quarter_period(double k) {
  double a = 1, b = sqrt(1 - k * k);
  for (int i = 0; i < 8; i++) {
    double next = (a + b) / 2;
    b = sqrt(a * b);
    a = next;
  }
  return acos(-1) / (2 * a);
}

enum { tolerances = 9 };

typedef struct Form {
  const char *name, *text;
  viva_model *model;
  double seconds[tolerances], error[tolerances];
} Form;

// The error of x at 100 s, and the least of some times, at tolerances from 1e-5 to 1e-13.
static void measure(Form *forms, const char *method) {
  double buffer[16], start = asin(0.6), k = sin(start / 2), w = sqrt(9.81), to = 100;
  double half = k * jacobi_sn(quarter_period(k) + w * to, k), exact = sin(2 * asin(half));
  for (int round = 0; round < 15; round++) {
    for (int i = 0; i < tolerances; i++) {
      for (int f = 0; f < 2; f++) {
        Rows rows = {.values = buffer, .room = 16};
        double s = run(forms[f].model, method, pow(10, -5 - i), to, to, &rows);
        if (!round || s < forms[f].seconds[i]) forms[f].seconds[i] = s;
        forms[f].error[i] = fabs(buffer[3] - exact);
      }
    }
  }
}

// Seconds that a form needs for an error, between its measured ones; NAN: it has none so small or so large.
static double seconds_for(const Form *f, double error) {
  for (int i = 0; i + 1 < tolerances; i++) {
    double a = f->error[i], b = f->error[i + 1];
    if (error > a || error < b || b <= 0) continue;
    double part = log(a / error) / log(a / b);
    return exp(log(f->seconds[i]) * (1 - part) + log(f->seconds[i + 1]) * part);
  }
  return NAN;
}

static void compare_pendulums(const char *method) {
  Form forms[2] = {{.name = "points",
                    .text = "coord x = 0.6, y\nguess y = -0.8\nkinetic 1/2*(x'^2 + y'^2)\npotential 9.81*y\n"
                            "constraint rod: x^2 + y^2 = 1\noutput x\n"},
                   {.name = "angle",
                    .text = "coord th = asin(0.6)\nkinetic 1/2*th'^2\npotential -9.81*cos(th)\noutput x = sin(th)\n"}};
  for (int f = 0; f < 2; f++) forms[f].model = parse(forms[f].text);
  measure(forms, method);
  printf("Pendulum in Cartesian coordinates and by its angle, 100 s, %s\n", method);
  for (int i = 0; i < tolerances; i++) {
    printf("  rtol 1e-%02d  points %.2e s, error %.1e   angle %.2e s, error %.1e   %.2f times\n", i + 5,
           forms[0].seconds[i], forms[0].error[i], forms[1].seconds[i], forms[1].error[i],
           forms[0].seconds[i] / forms[1].seconds[i]);
  }
  double sum = 0;
  int count = 0;
  for (double e = 1e-3; e > 1e-11; e /= 10) {
    double a = seconds_for(&forms[0], e), b = seconds_for(&forms[1], e);
    if (!isfinite(a) || !isfinite(b)) continue;
    printf("  error %.0e  points %.2e s   angle %.2e s   %.2f times\n", e, a, b, a / b);
    sum += log(a / b), count++;
  }
  if (count) printf("  at equal error %.2f times in the mean (aim: at most 3)\n", exp(sum / count));
  for (int f = 0; f < 2; f++) viva_model_free(forms[f].model);
}

// ---- closed loops

enum { most_rods = 64, most_rows = 101 };

static viva_model *linkage_model(const Linkage *l) {
  static char text[60000];
  size_t at = (size_t)snprintf(text, sizeof text, "coord th[0] = %.17g\n", l->start[0]);
  for (unsigned i = 0; i <= l->rods; i++) {
    if (i)
      at += (size_t)snprintf(text + at, sizeof text - at, "coord th[%u]\nguess th[%u] = %.17g\n", i, i, l->start[0]);
    at += (size_t)snprintf(text + at, sizeof text - at,
                           "let P[%u] = [%.17g + %.17g*sin(th[%u]), -%.17g*cos(th[%u])]\nkinetic 1/2*|P[%u]'|^2\n"
                           "potential %.17g*P[%u].y\n",
                           i, l->apart * i, l->arm[i], i, l->arm[i], i, i, l->gravity, i);
    if (i)
      at += (size_t)snprintf(text + at, sizeof text - at, "constraint rod[%u]: |P[%u] - P[%u]|^2 = %.17g\n", i, i,
                             i - 1, l->rod[i - 1] * l->rod[i - 1]);
  }
  for (unsigned i = 0; i <= l->rods; i++) at += (size_t)snprintf(text + at, sizeof text - at, "output th[%u]\n", i);
  return parse(text);
}

// The largest stretch of a rod in all rows, and how far the last arm is from that of another motion. `skip`: columns
// before the angles.
static void judge(const Linkage *l, const double *rows, int skip, const double *best, double *residue, double *error) {
  unsigned n = l->rods + 1, count = (unsigned)(l->to / l->every + 0.5) + 1;
  *residue = *error = 0;
  for (unsigned k = 0; k < count; k++) {
    const double *th = rows + (size_t)k * (n + (unsigned)skip) + skip, *other = best + (size_t)k * (n + 1) + 1;
    for (unsigned i = 0; i < l->rods; i++) {
      double x = l->apart + l->arm[i + 1] * sin(th[i + 1]) - l->arm[i] * sin(th[i]);
      double y = l->arm[i + 1] * cos(th[i + 1]) - l->arm[i] * cos(th[i]);
      *residue = fmax(*residue, fabs(hypot(x, y) - l->rod[i]));
    }
    *error = fmax(*error, fabs(th[l->rods] - other[l->rods]));
  }
}

static void compare_linkages(unsigned rods, int rounds, double least_tolerance) {
  static double best[most_rows * (most_rods + 2)], rows[most_rows * (most_rods + 2)];
  double arm[most_rods + 1], rod[most_rods + 1], start[most_rods + 1] = {1};
  for (unsigned i = 0; i <= rods; i++) arm[i] = 0.3 + 0.01 * (i % 3), rod[i] = 0.5 + (i % 2 ? 0.01 : -0.01);
  Linkage l = {rods, 10, 0.1, arm, rod, 0.5, 9.81, start};
  viva_model *model = linkage_model(&l);
  Rows reference = {.values = best, .room = sizeof best / sizeof *best};
  run(model, "dop853", 1e-13, l.to, l.every, &reference);
  for (unsigned i = 0; i <= rods; i++) start[i] = best[1 + i]; // the peer starts where this one begins
  printf("  %u rods\n", rods);
  static const char *const methods[] = {"dopri5", "dop853"};
  for (double tolerance = 1e-4; tolerance > 0.9 * least_tolerance; tolerance /= 1e3) {
    for (int m = 0; m < 3; m++) {
      double least = INFINITY, residue, error;
      for (int round = 0; round < rounds; round++) {
        Rows own = {.values = rows, .room = sizeof rows / sizeof *rows};
        double s = -1;
        if (m < 2) s = run(model, methods[m], tolerance, l.to, l.every, &own);
#ifdef VIVA_SIMBODY
        else s = peer_linkage(&l, tolerance, rows);
#endif
        if (s >= 0) least = fmin(least, s);
      }
      const char *name = m < 2 ? methods[m] : "Simbody";
      if (!isfinite(least)) continue;
      judge(&l, rows, m < 2, best, &residue, &error);
      printf("    tolerance %.0e  %-8s %.2e s a simulated second, error %.1e, residue %.1e m\n", tolerance, name,
             least / l.to, error, residue);
    }
  }
  viva_model_free(model);
}

int main(void) {
  compare_pendulums("dopri5");
  compare_pendulums("dop853");
  puts("Closed loops: arms in a row, their tips joined by rods, 10 s");
#ifndef VIVA_SIMBODY
  puts("  (without Simbody: package libsimbody-dev)");
#endif
  compare_linkages(1, 5, 1e-10);
  compare_linkages(4, 3, 1e-10);
  compare_linkages(16, 1, 1e-10);
  compare_linkages(64, 1, 1e-7); // the peer takes minutes below
  return 0;
}
