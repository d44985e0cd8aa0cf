// Eight runs in SIMD lanes: the choice of the instruction set. lanes_plain.c, lanes_avx2.c and lanes_avx512.c are
// lanes_body.h compiled for each.
#include "solve/lanes.h"

#include "solve/linear.h"

// bdf is not ours; large systems of rodas go to LAPACK, one at a time.
bool ode_in_lanes(OdeMethod method, uint32_t checked) {
  return method != ode_bdf && !ode_is_structured(method) && (ode_is_fixed(method) || checked < linear_lapack_size);
}

bool ode_solve_lanes(Arena *arena, const LaneProblem *problem, const OdeSettings *settings,
                     const LaneObserver *observer) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return ode_lanes_avx512(arena, problem, settings, observer);
  if (__builtin_cpu_supports("avx2")) return ode_lanes_avx2(arena, problem, settings, observer);
#endif
  return ode_lanes_plain(arena, problem, settings, observer);
}
