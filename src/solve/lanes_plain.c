// The integrators over lanes, without an instruction set of their own (solve/lanes.h).
#define LANES_SOLVE ode_lanes_plain
#include "solve/lanes_body.h"
