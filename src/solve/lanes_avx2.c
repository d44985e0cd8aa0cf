// The integrators over lanes, compiled for this instruction set (solve/lanes.h).
#define LANES_SOLVE ode_lanes_avx2
#include "solve/lanes_body.h"
