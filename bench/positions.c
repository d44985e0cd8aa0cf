// Positions a second of processor time: a six-bar linkage followed and proved, the forty solutions of a platform, and
// how large chains grow.
#define _POSIX_C_SOURCE 200809L
#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char six_bar[] =
    "node A = [0, 0] fixed\nnode D = [4, 0] fixed\nnode G = [8, 0.5] fixed\nnode B = [1, 0]\nnode C = [3.2, 2.9]\n"
    "node E = [4.6, 2.2]\nnode F = [7, 3]\nbar AB: A B length 1\nbar BC: B C length 3.5\nbar CD: C D length 3\n"
    "bar CE: C E length 1.6\nbar DE: D E length 2.4\nbar EF: E F length 2.6\nbar FG: F G length 2.8\n"
    "drive AB.angle from 0 to 2*pi steps %d\noutput F\n";

static const char platform[] =
    "node A[i] = [cos(pi*(i - 1)/3 + (-1)^i*0.3 + 0.05*i^2), sin(pi*(i - 1)/3 + (-1)^i*0.3 + 0.05*i), 0.03*i*i] fixed "
    "for "
    "i in 1 .. 6\nnode P[i] = [0.6*cos(pi*(i - 1)/3 - (-1)^i*0.3 + 0.07*i) + 0.1, 0.6*sin(pi*(i - 1)/3 - (-1)^i*0.3), "
    "1.2] for i in 1 .. 6\nrigid plate: P[1] P[2] P[3] P[4] P[5] P[6]\nbar leg[i]: A[i] P[i] for i in 1 .. 6\n";

static double find(const char *text, const char *problem, size_t *rows) {
  viva_model *model = NULL;
  viva_positions *p = NULL;
  viva_positions_options o = viva_positions_defaults();
  o.problem = problem;
  if (viva_model_parse("bench.viva", text, strlen(text), NULL, &model) != VIVA_OK) exit(1);
  double start = seconds();
  viva_status status = viva_positions_find(model, &o, NULL, &p);
  double took = seconds() - start;
  if (status != VIVA_OK) fprintf(stderr, "%s\n", viva_positions_message(p));
  *rows = viva_positions_count(p);
  viva_positions_free(p);
  viva_model_free(model);
  return took;
}

// Chains that hang between two supports: the initial position from lists of bars, and a load path by sparse matrices.
static const char chain[] =
    "param n = %d, h = 0\nnode P[0] = [0, 0] fixed\n"
    "node P[i] = [i/n + 0.2*sin(i)/n, 0.1*i/n - 1.25*i/n*(1 - i/n)] for i in 1 .. n - 1\nnode P[n] = [1, 0.1] fixed\n"
    "bar b[i]: P[i-1] P[i] length 1.25/n for i in 1 .. n\n%s";
static const char pulled[] = "load P[i] = [h/(n - 1), -1/(n - 1)] for i in 1 .. n - 1\n"
                             "drive h from 0.3 to 0 steps 6\noutput x = P[n/2].x\n";

static double assemble(int bars) {
  char text[600];
  viva_model *model = NULL;
  viva_positions *p = NULL;
  viva_load_options load = viva_load_defaults();
  viva_positions_options o = viva_positions_defaults();
  load.at_rest = true;
  o.problem = "initial";
  snprintf(text, sizeof text, chain, bars, "");
  double start = seconds();
  if (viva_model_parse("bench.viva", text, strlen(text), &load, &model) != VIVA_OK) exit(1);
  viva_status status = viva_positions_find(model, &o, NULL, &p);
  double took = seconds() - start;
  if (status != VIVA_OK) fprintf(stderr, "%s\n", viva_positions_message(p));
  viva_positions_free(p);
  viva_model_free(model);
  return took;
}

static void grow(int most) {
  double before = 0;
  for (int bars = 1000; bars <= most; bars *= 10) {
    double took = assemble(bars);
    printf("initial position of %d bars, from text: %.3f s", bars, took);
    if (before > 0) printf(", exponent %.2f", log10(took / before));
    putchar('\n');
    before = took;
  }
  before = 0;
  for (int bars = 100; bars <= 10000; bars *= 10) {
    char text[900];
    size_t rows;
    snprintf(text, sizeof text, chain, bars, pulled);
    double took = find(text, "path", &rows);
    printf("load path of %d bars, %zu equilibria: %.3f s", bars, rows, took);
    if (before > 0) printf(", exponent %.2f", log10(took / before));
    putchar('\n');
    before = took;
  }
}

int main(void) {
  char text[2000];
  size_t rows;
  for (int steps = 100; steps <= 50000; steps *= 10) {
    snprintf(text, sizeof text, six_bar, steps);
    double took = find(text, "successive", &rows);
    printf("six-bar, %d steps: %.3f s, %.0f proved positions a second\n", steps, took, (double)rows / took);
  }
  double took = find(platform, "modes", &rows);
  printf("Stewart platform, 512 paths: %.3f s\n", took);
  grow(1000000);
  return 0;
}
