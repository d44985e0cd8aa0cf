// The adaptive methods for one run: each integrates from the present time until the end, a failure, a stop, or until it
// asks for the other method (u.change).
#ifndef VIVA_SOLVE_ADAPTIVE_H
#define VIVA_SOLVE_ADAPTIVE_H

#include "solve/alone.h"
#include "solve/step_body.h"

typedef struct Adaptive {
  OdeRun u;
  Step w;
  // of the explicit methods: the continuous extension was too far off for events; halvings of the step because of it
  bool far_off;
  uint32_t halvings;
} Adaptive;

void adaptive_explicit(Adaptive *a); // explicit.c
void adaptive_rodas(Adaptive *a);    // rodas.c

// ---- a lane that is served alone (alone.h)

bool adaptive_explicit_room(Adaptive *a); // false: out of memory
bool adaptive_rodas_room(Adaptive *a);
void adaptive_explicit_dense(void *self, double part, double *y);
void adaptive_rodas_dense(void *self, double part, double *y);
// A step that was tried and accepted from w->y with rates w->k[0] (rodas: w->f0, w->dfdt, w->entries), in which a
// condition ends at `at`: what the drivers do from there on.
LaneTurn adaptive_explicit_cut(Adaptive *a, double at, bool ends);
// The same where the step to `at` was made already; reached: it is finite.
LaneTurn adaptive_explicit_cut_reached(Adaptive *a, double at, bool reached, bool ends);
LaneTurn adaptive_rodas_cut(Adaptive *a, double at, bool ends);

#endif
