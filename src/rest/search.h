// All equilibria in a box, by interval branch and prune.
//
// Up to `search_most` unknowns every part of the box is decided by intervals (rest/krawczyk.h): it holds none, or
// exactly one, or it is cut in two. Very small boxes that stay undecided are counted, and then the result is
// not called complete.
#ifndef VIVA_REST_SEARCH_H
#define VIVA_REST_SEARCH_H

#include "rest/krawczyk.h"

enum { search_most = 6 };

typedef struct SearchRoot {
  double *u, *lambda;
  double *lo, *hi;         // by unknown: bounds of this zero
  double *own_lo, *own_hi; // by unknown that is searched for: a box with no other zero
} SearchRoot;

typedef struct SearchLeft { // a part of the box that is not decided
  double *lo, *hi;          // by unknown; NAN: not searched for
} SearchLeft;

typedef struct BoxSearch {
  StaticForm *form;
  // what is asked for: by unknown
  double *lo, *hi; // NAN: not said
  // what is made of it
  bool *active, *turns; // searched for; a whole turn of an angle
  bool *rests;          // its force depends on nothing, and is 0
  uint32_t count;       // of active ones
  uint32_t missing;     // an unknown that needs bounds; UINT32_MAX: none
  bool contradiction;   // a force that depends on nothing does not vanish
  bool square;          // as many equations as unknowns
  double *at;           // where the others are
  // what came out
  VEC(SearchRoot) roots;
  VEC(SearchLeft) left;
  uint64_t boxes;
  bool interrupted;
} BoxSearch;

// lo, hi: room for the unknowns, to be filled by the caller. False: out of memory.
bool search_open(BoxSearch *s, StaticForm *form);
// Which unknowns are searched for, over what.
bool search_plan(BoxSearch *s);
// False: out of memory.
bool search_run(BoxSearch *s);

#endif
