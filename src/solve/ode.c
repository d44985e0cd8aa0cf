// The methods and their properties, one row each; which driver has which.
#include "solve/ode.h"

#include <string.h>

static const struct {
  const char *name;
  bool fixed;
  int order;
} methods[ode_method_count] = {
    [ode_euler] = {"euler", true, 1},  [ode_heun] = {"heun", true, 2},      [ode_bs3] = {"bs3", true, 3},
    [ode_rk4] = {"rk4", true, 4},      [ode_dopri5] = {"dopri5", false, 5}, [ode_dop853] = {"dop853", false, 8},
    [ode_rodas] = {"rodas", false, 5}, [ode_bdf] = {"bdf", false, 5},
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

OdeResult ode_solve(Arena *arena, const OdeProblem *problem, const OdeSettings *settings, double *y,
                    const OdeObserver *observer) {
  if (ode_is_fixed(settings->method)) return ode_solve_fixed(arena, problem, settings, y, observer);
  if (settings->method == ode_bdf) return ode_solve_bdf(arena, problem, settings, y, observer);
  return ode_solve_adaptive(arena, problem, settings, y, observer);
}
