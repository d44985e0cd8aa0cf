// The integrators over lanes, compiled for this instruction set (solve/lanes.h).
#define LANES_SOLVE ode_lanes_avx512
#include "solve/lanes_body.h"
