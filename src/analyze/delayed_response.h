// The response of a path with dead times, piece by piece.
#ifndef VIVA_ANALYZE_DELAYED_RESPONSE_H
#define VIVA_ANALYZE_DELAYED_RESPONSE_H

#include "analyze/dense.h"
#include "analyze/pieces.h"

// Until out->end; where that would take too many steps it ends earlier, and out->cut is set.
DenseStatus delayed_response(Arena *arena, const LinearSystem *path, Stimulus stimulus, TimeResponse *out);

#endif
