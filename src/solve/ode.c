#include "solve/ode.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  bool fixed;
  int order;
} methods[ode_method_count] = {
    [ode_euler] = {"euler", true, 1}, [ode_heun] = {"heun", true, 2},       [ode_bs3] = {"bs3", true, 3},
    [ode_rk4] = {"rk4", true, 4},     [ode_dopri5] = {"dopri5", false, 5}, [ode_dop853] = {"dop853", false, 8},
};

const char *ode_method_name(OdeMethod method) { return methods[method].name; }
bool ode_is_fixed(OdeMethod method) { return methods[method].fixed; }
int ode_order(OdeMethod method) { return methods[method].order; }

bool ode_method_find(const char *name, OdeMethod *method) {
  for (int i = 0; i < ode_method_count; i++) {
    if (strcmp(methods[i].name, name) != 0) continue;
    *method = (OdeMethod)i;
    return true;
  }
  return false;
}

// Whole spacings that fit, with room for rounding; the end is a row of its own when it is no whole multiple.
static double whole_rows(const OdeSettings *s) { return floor((s->t1 - s->t0) / s->every * (1 + 1e-12) + 1e-9); }

uint64_t ode_row_count(const OdeSettings *s) {
  double n = whole_rows(s);
  double left = (s->t1 - s->t0) - n * s->every;
  return (uint64_t)n + 1 + (left > 1e-9 * s->every ? 1 : 0);
}

double ode_row_time(const OdeSettings *s, uint64_t k) {
  if (k + 1 >= ode_row_count(s)) return s->t1;
  // rows every 0.1 fall on 0.6, not on 0.6000000000000001
  double rate = 1 / s->every, whole = round(rate);
  if (whole >= 1 && fabs(rate - whole) < 1e-12 * whole) return s->t0 + (double)k / whole;
  return s->t0 + (double)k * s->every;
}

OdeResult ode_solve(Arena *arena, const OdeProblem *problem, const OdeSettings *settings, double *y, const OdeObserver *observer) {
  return ode_is_fixed(settings->method) ? ode_solve_fixed(arena, problem, settings, y, observer)
                                        : ode_solve_adaptive(arena, problem, settings, y, observer);
}
