// Positions a second of processor time: a six-bar linkage followed and proved, and the forty solutions of a platform.
#define _POSIX_C_SOURCE 200809L
#include "viva/viva.h"

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
  return 0;
}
