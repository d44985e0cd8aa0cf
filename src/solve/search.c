// The memory for the search of events (events.h), and the Chebyshev points s_j = (1 - cos(pi j/n))/2.
#include "solve/chebyshev.h"
#include "solve/events.h"

enum { points = poly_points };

EventSearch *event_search_new(Arena *arena, const OdeEvents *events, uint32_t n) {
  EventSearch *x = arena_new_of(arena, EventSearch);
  if (!x) return NULL;
  *x = (EventSearch){.e = events, .n = n};
  x->y = arena_array(arena, n, sizeof *x->y);
  x->values = arena_array(arena, (size_t)points * events->count, sizeof *x->values);
  if (events->wild) {
    double **states[] = {&x->lo, &x->hi, &x->rate_lo, &x->rate_hi}, **conditions[] = {&x->least, &x->slow, &x->fast};
    x->states = arena_array(arena, (size_t)points * n, sizeof *x->states);
    for (int i = 0; i < 4; i++) *states[i] = arena_array(arena, n, sizeof(double));
    for (int i = 0; i < 3; i++) *conditions[i] = arena_array(arena, events->count, sizeof(double));
  }
  x->here = arena_array(arena, events->count, sizeof *x->here);
  x->size = arena_array(arena, events->count, sizeof *x->size);
  x->last = arena_array(arena, events->count, sizeof *x->last);
  x->done = arena_array(arena, events->count, sizeof *x->done);
  x->armed = arena_array(arena, events->count, sizeof *x->armed);
  x->ended = arena_array(arena, (size_t)events->count + 1, sizeof *x->ended);
  poly_table(x->node, x->cosine);
  return arena_failed(arena) ? NULL : x;
}
