// The order of computation of a rewritten system (rewrite.h), with the rules of memories.
#ifndef VIVA_HYBRID_EVENT_ORDER_H
#define VIVA_HYBRID_EVENT_ORDER_H

#include "hybrid/rewrite.h"

// Orders w->s. rules: becomes the same system where memories are computed by their rules, each from the new values of
// those before it (*ordered); where rules form a cycle all of them see the old values, and `rules` computes none.
// False: out of memory, or w->failure.
bool event_order(Rewriting *w, System *rules, bool *ordered);

#endif
