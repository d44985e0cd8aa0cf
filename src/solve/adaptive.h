// The adaptive methods for one motion: each drives it from where it is until the end, a failure, a stop, or until it
// asks for the other method (u.change).
#ifndef VIVA_SOLVE_ADAPTIVE_H
#define VIVA_SOLVE_ADAPTIVE_H

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

#endif
