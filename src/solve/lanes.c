// The integrator over lanes: the choice of the instruction set, and the one without vectors.
#define LANES_SOLVE ode_lanes_plain
#include "solve/lanes_body.h"

bool ode_solve_lanes(Arena *arena, const LaneProblem *problem, const OdeSettings *settings, const LaneObserver *observer) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return ode_lanes_avx512(arena, problem, settings, observer);
  if (__builtin_cpu_supports("avx2")) return ode_lanes_avx2(arena, problem, settings, observer);
#endif
  return ode_lanes_plain(arena, problem, settings, observer);
}
