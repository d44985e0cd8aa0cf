// The integrator over lanes, compiled for this instruction set.
#define LANES_SOLVE ode_lanes_avx2
#include "solve/lanes_body.h"
