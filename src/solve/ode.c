// Integration of an initial value problem: the choice of the driver for each method.
#include "solve/ode.h"

OdeResult ode_solve(Arena *arena, const OdeProblem *problem, const OdeSettings *settings, double *y,
                    const OdeObserver *observer) {
  if (ode_is_fixed(settings->method)) return ode_solve_fixed(arena, problem, settings, y, observer);
  OdeSettings any = *settings;
  if (settings->method == ode_bdf && problem->checked) return ode_solve_bdf(arena, problem, settings, y, observer);
  if (settings->method == ode_bdf) any.method = ode_dopri5; // nothing moves: CVODE takes no empty state
  return ode_solve_adaptive(arena, problem, &any, y, observer);
}
