// Position equations of a mechanism (loop closure), of its static equilibria and of its deformed positions.
//
//   F(u, P) = 0      constraints, unit quaternions, and for each drive: what is driven = P
//
// in    a system with constraints, its drives; the time is the start time of a simulation, inputs have
//       their values at that time
// out   values and Jacobian of F, derivatives of any order up to the third along a path, and what tables show, as tapes
//
// Of a load path the forces balance, too: h(u) - G' lambda = 0 for each coordinate at rest, with the multipliers lambda
// of constraints, and of drives of positions, as further unknowns.
//
// Of a deformed position elements give way: bars by e = |d| - l, or, where there are none, constraints by what is left
// of them. They are equations of their own (soft), or balance like springs of stiffness 1: h = sum e de/du (deformed).
//
// Angles of bars that are driven or shown are unknowns of their own, phi with x sin(phi) = y cos(phi): so they count
// whole turns. A drive of a parameter or of the time has no equation: P is substituted for it everywhere.
//
// Notation: unknowns u (n of them), equations F (m), drives P (k); u', u'', u''' along a path.
#ifndef VIVA_POSITIONS_PLACES_H
#define VIVA_POSITIONS_PLACES_H

#include "expr/calculus.h"
#include "system/system.h"
#include "tape/tape.h"

typedef struct PlacesTape {
  const Tape *tape;
  double *w;
} PlacesTape;

// What a table shows.
typedef struct PlacesShown {
  const char *name, *si;
  ExprId value;
  bool rates; // has derivatives: it is of positions alone
} PlacesShown;

enum { places_orders = 4 }; // positions, velocities, accelerations, jerks

typedef enum PlacesKind {
  places_rigid,   // constraints hold
  places_static,  // and forces balance
  places_soft,    // elements may give way: their equations are the elongations
  places_deformed // elements give way like springs: forces balance
} PlacesKind;

// Elements that give way.
typedef struct PlacesSoft {
  bool *rows;            // by equation: it is one of them
  uint32_t first, count; // elongations among what is shown: the last ones
} PlacesSoft;

typedef struct Places {
  Arena *arena;
  PlacesKind kind;
  System s; // over a pool of its own
  ExprPool pool;
  double t, *params;
  uint32_t n, m, k;
  SymbolId *unknown[places_orders], *drive[2]; // u, u', u'', u'''; P, P'
  const char **names;                          // of unknowns
  double *start;                               // of unknowns: as drawn
  uint32_t coords;                             // unknowns that are coordinates: the first ones
  uint32_t *angles, angle_count;               // unknowns that are angles of bars
  bool statics;                                // forces balance: the first equations, one a coordinate
  PlacesSoft soft;
  ExprId *value;       // F
  const char **labels; // of equations
  Span *spans;
  uint32_t *drive_row; // the equation of a drive; UINT32_MAX: it has none
  ExprId *driven;      // what a drive drives, of positions; of a parameter its symbol
  double *from, *to;   // of drives
  double time;         // how long they take; NAN: not said
  MassRow *G;          // m rows of n + k columns
  uint32_t entries, *entry_row, *entry_column;
  PlacesTape f;             // F, then the entries of G
  PlacesTape second, third; // d2F, d3F along a path without what is linear in u'', in u'''
  PlacesTape table;         // shown: value, then three rates of each
  VEC(PlacesShown) shown;
  VEC(const char *) left_out;         // outputs that have no value here
  SymbolMap put;                      // what is substituted for inputs, states and driven parameters
  VEC(ExprId) watch;                  // more to be evaluated with the table: what pictures need
  double size;                        // of the mechanism: the largest number among its positions
  struct StabilityFactors *stability; // of many unknowns (stability.h); NULL: not asked for
} Places;

typedef enum PlacesStatus { places_done, places_refused, places_no_memory } PlacesStatus;

// s: over a copy of the model that may grow. drives: which; why: what is wrong; place: its span.
PlacesStatus places_open(Places *p, const System *s, const SystemDrive *drives, uint32_t count, PlacesKind kind,
                         const char **why, Span *place);
// Drives of positions: of a load path each has a force, the last unknowns.
uint32_t places_held(const Places *p);
bool places_watch(Places *p, const ExprId *list, uint32_t count);
// The tape of the table, behind places_watch.
bool places_table(Places *p);

// Expressions of parameters, the time and drives in numbers, coordinates as drawn. False: out of memory.
bool places_numbers(Places *p, const ExprId *list, uint32_t count, const double *P, double *out);

// F and the entries of G at (u, P). out: m + entries numbers of p->f.
void places_eval(Places *p, const double *u, const double *P);
static inline double places_value(const Places *p, uint32_t i) { return tape_result(p->f.tape, p->f.w, i); }
static inline double places_entry(const Places *p, uint32_t e) { return tape_result(p->f.tape, p->f.w, p->m + e); }
// The terms of the second and third derivative of F along a path: u with rates, P with a constant rate.
void places_second(Places *p, const double *u, const double *P, const double *u1, const double *P1, double *out);
void places_third(Places *p, const double *u, const double *P, const double *u1, const double *P1, const double *u2,
                  double *out);
// The table's row: values, then first, second, third derivatives of each, then what is watched.
void places_show(Places *p, const double *u, const double *P, const double *P1, const double *const rates[3],
                 double *out);
uint32_t places_columns(const Places *p); // how many numbers that is

// The equation x sin(phi) = y cos(phi) of the angle u, and its derivative by phi where it was evaluated last: positive
// where phi is the angle itself, negative where the bar stands the other way round.
uint32_t places_angle_row(const Places *p, uint32_t u);
double places_angle_slope(const Places *p, uint32_t row, uint32_t u);
bool places_angles_right(const Places *p); // all of them are the angles themselves

#endif
