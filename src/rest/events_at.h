// Event iteration at a point: values of memory blocks, modes of guards, stick and slip, as a run that starts there has.
//
// in    an operating system (rest/operating.h) before its order; y
// out   the system with its equations on branches z (hybrid/rewrite.h); z at y, by the event iteration of a run
//
// A linear model is about one branch: memories keep their values, a jump is on its side, and an element that sticks
// has the value that keeps its guard at zero, also beside y. The search for a rest lets go what would slide: it goes
// where all balances without it, and it is asked again whether it sticks there.
//
// Notation: g the guard of a mode, z[i] the values of memories, then of the modes that the equations read.
#ifndef VIVA_REST_EVENTS_AT_H
#define VIVA_REST_EVENTS_AT_H

#include "hybrid/hybrid.h"

typedef struct Operating Operating;

// A tape over t and y, with its workspace.
typedef struct OperatingTape {
  const Tape *tape;
  double *w;
} OperatingTape;

// A mode that may stick.
typedef struct PointElement {
  uint32_t mode;
  ExprId unit, most;  // what it carries is unit*|z - middle|, at rest up to most
  const char *label;  // of its statement: "the force on x"; NULL: not known
  double load, limit; // what it carries, or would have to; at most
  bool idle;          // in a search: it would slide, and has no part
} PointElement;

typedef enum PointElementState { element_off, element_sticks, element_slides, element_drives } PointElementState;

typedef struct EventsAt {
  Rewriting rewriting;
  Hybrid *h;                // NULL: nothing switches or is remembered
  double *z;                // of h
  uint32_t memories, modes; // entries of z that are columns of the Jacobian
  uint32_t *at;             // by component of y of the plan: the index in y
  VEC(PointElement) elements;
  OperatingTape loads;         // unit and most of each element
  double *settled, *settled_z; // y where they were settled last, and z there
  double *y;                   // of the plan
  double *full, *rates, *off;  // room
  bool started;                // memories have their starts
  bool unsolved;               // where they were followed to last, an algebraic loop has no solution, or several
  const char *failure;         // why they cannot be determined at y; NULL
  Span failure_place;
} EventsAt;

// What y is: a point of the trajectory, a rest (where a pulse is over), or one that a search for a rest goes on from.
typedef enum EventsFor { events_of_motion, events_of_rest, events_of_search } EventsFor;

// Rewrites and orders the system. What a linear model does not take (samples, delays) goes to the diagnostics. False:
// out of memory.
bool events_open(Operating *o, Diags *diags);
bool events_rewrite(Operating *o, ExprId *list, uint32_t count); // further expressions; false: out of memory
uint32_t events_places(const Operating *o);                      // the further components of y: memories, modes
SymbolId events_symbol(const Operating *o, uint32_t i);

// z at y, and what sticks. *changed: a memory or an element is another than before. Where that cannot be determined,
// failure says why. False: out of memory.
bool events_settle(Operating *o, const double *y, EventsFor what, bool *changed);
// z at another y: the same elements stick or slide, other branches are those there.
void events_follow(Operating *o, const double *y);
void events_keep(const Operating *o, double *rates);   // what sticks does not move, not even by rounding
void events_take(Operating *o, const Operating *from); // memories of the same model, as they are there
// Sets free what a search let go. True: something was.
bool events_ask_again(Operating *o);

PointElementState events_state(const Operating *o, const PointElement *e);
bool events_holds(const Operating *o, const PointElement *e); // it sticks by its own value: not at a bound of its box
bool events_any_sticks(const Operating *o);
const char *events_word(const Operating *o, const PointElement *e); // `friction` (line 4)
uint32_t events_column(const Operating *o, const PointElement *e);  // its value in y

// A check of a block that fails at the settled point; NULL: none.
const SystemCheck *events_check(Operating *o);
// A `when` that sets something and may happen at the settled point; NULL: none. *why: in words.
const SystemWhen *events_when(Operating *o, const char **why);

#endif
