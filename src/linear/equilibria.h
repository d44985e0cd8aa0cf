// Equilibria of a model and their stability: values, forces of constraints, lowest-stiffness directions, remarks.
//
// The verdict of a model with a potential is that of its second derivative (rest/stiffness.h); of all others that of
// the eigenvalues of the linear model there.
// parts: equilibria_search.c
#ifndef VIVA_LINEAR_EQUILIBRIA_H
#define VIVA_LINEAR_EQUILIBRIA_H

#include "linear/linearize.h"
#include "rest/resting.h"

// How the verdict was found.
typedef enum VerdictBy { by_nothing, by_potential, by_eigenvalues } VerdictBy;

typedef struct EquilibriumPoint {
  RestVerdict verdict;
  VerdictBy by;
  bool steady;         // cyclic coordinates move on
  bool sticks;         // friction sticks at a position: it is one of a range
  double *values;      // as `names` has them
  double *outputs;     // of the model, as `output_names` has them
  double *multipliers; // one a constraint
  double potential;    // NAN: there is none
  double residue, gap; // the largest force that is left; the largest violation of a constraint
  uint32_t iterations;
  Stiffness stiffness;      // by potential
  double *y;                // of the operating point
  double growth, frequency; // by eigenvalues: the rightmost one
  double *lo, *hi;          // of a search: by value, a box that holds exactly one equilibrium; NULL: none
} EquilibriumPoint;

// What a search over a box came to.
typedef struct EquilibriaSearch {
  bool done;                         // there was one
  bool certified;                    // by intervals: every box was looked at
  bool complete;                     // and none is left undecided: these are all in the box
  uint32_t undecided, boxes, starts; // boxes where nothing is decided; boxes or starts that were looked at
  double *lo, *hi;                   // the box, by name
  bool *asked;                       // by name: it was searched over; else it is held
  bool *turns;                       // by name: an angle of period 2 pi
  bool *counts;                      // by name: something depends on it
} EquilibriaSearch;

typedef struct Equilibria {
  Operating *o;
  Resting resting;
  uint32_t count; // of names: coordinates, then states
  const char **names, **units;
  const char **output_names;
  uint32_t output_count;
  const char **multiplier_names;
  uint32_t multiplier_count;
  const char *energy_unit; // NULL: not known
  VEC(EquilibriumPoint) points;
  EquilibriaSearch search;
  VEC(const char *) notes;
} Equilibria;

// From the point of o downhill. Close it in the end, whatever came out.
RestingStatus equilibria_find(Operating *o, const RestingRequest *request, Equilibria *out, RestingTrouble *trouble);
void equilibria_close(Equilibria *e);

// A range of a quantity in a search.
typedef struct SearchRange {
  SymbolId symbol;
  double lo, hi;
  Span span;
} SearchRange;

// All equilibria in a box. request: NULL ranges are those of angles. *input: what went wrong is wrong input.
typedef struct SearchRequest {
  const SearchRange *ranges;
  uint32_t count;
  uint64_t seed;
} SearchRequest;
RestingStatus equilibria_search(Operating *o, const SearchRequest *request, Equilibria *out, RestingTrouble *trouble,
                                bool *input);

// The parts, for a search: names and units; a point; its verdict by eigenvalues; what is computed from p->y; a remark.
bool equilibria_begin(Operating *o, Equilibria *e);
bool equilibria_point(Equilibria *e, EquilibriumPoint *p);
RestingStatus equilibria_judge(Equilibria *e, EquilibriumPoint *p, RestingTrouble *trouble);
bool equilibria_values(Equilibria *e, EquilibriumPoint *p);
void equilibria_note(Equilibria *e, const char *text); // once; NULL: none
void equilibria_say_held(Equilibria *e);               // what blocks remember, what friction holds
const char *equilibrium_verdict_word(RestVerdict verdict);

#endif
