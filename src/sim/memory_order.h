// In which order memories of blocks are computed.
#ifndef VIVA_SIM_MEMORY_ORDER_H
#define VIVA_SIM_MEMORY_ORDER_H

#include "sim/rewrite.h"

// Memories in their order, as definitions of `rules`: each rule sees the new values of the others. False: memory is
// out, or they stand in a circle; then memory_unordered lets all of them see the old values.
bool memory_order(Rewriting *w, System *rules);
bool memory_unordered(Rewriting *w);

#endif
