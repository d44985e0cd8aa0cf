// Fixed points of sampled states: what `every` sets, at rest.
//
//   every h do u := g(x, u)      at rest:  g(x, u) - u = 0, instead of a rate
//
// A state on which nothing depends, and whose rule adds to it, counts or sums up: it is held, and its rule is no
// equation. The rule of a state that moves between samples as well must not change it at rest:
// samples_check checks that.
#ifndef VIVA_REST_SAMPLED_H
#define VIVA_REST_SAMPLED_H

#include "system/system.h"

typedef struct Operating Operating;

// What an `every` sets something to.
typedef struct RestSample {
  const SystemWhen *when;
  const SystemAssign *assign;
  ExprId value; // on the branches of the point
  bool solved;  // its rule is an equation
  bool counts;  // it goes on and on, and nothing depends on it
} RestSample;
typedef VEC(RestSample) RestSampleList;

// Decides which rules are equations, and puts them where the rates were. False: out of memory.
bool samples_plan(Operating *o);
bool samples_solved(const Operating *o, uint32_t state); // is the state where its rule leaves it?
bool samples_any(const Operating *o);                    // is one solved for?
// A rule that would change what rests at y; *to: what it sets. NULL in *bad: none. False: out of memory.
bool samples_check(Operating *o, const double *y, const RestSample **bad, double *to);
const char *samples_name(const Operating *o, const RestSample *s); // of what it sets

#endif
