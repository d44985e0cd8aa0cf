// The static equilibrium of a structure of bars and springs as text, JSON and as a drawing.
// parts: structure_drawing.c
#ifndef VIVA_SHOW_STRUCTURE_H
#define VIVA_SHOW_STRUCTURE_H

#include "show/derivation.h"
#include "show/drawing.h"
#include "statics/balance.h"

// One of several methods beside the others.
typedef struct BarsTrial {
  BalanceMethod method;
  BalanceResult result;
  double seconds;
} BarsTrial;

// Positions of all nodes after an iteration.
typedef struct BarsPose {
  const double *x;
} BarsPose;

typedef struct BarsReport {
  const System *system;
  double t;
  Structure structure;
  BalanceMethod method;
  BalanceResult result;  // of the method, or of the first of several
  VEC(BarsTrial) trials; // of a comparison; none: it was none
  VEC(BarsPose) poses;   // every iteration, the start first
} BarsReport;

// Lengths, forces and moments without what is rounding against the size of the structure and its largest force.
double structure_plain_length(const BalanceResult *b, double x);
double structure_plain_force(const BalanceResult *b, double x);
double structure_plain_moment(const BalanceResult *b, double x);
const char *structure_method_word(BalanceMethod method);
const char *structure_verdict_word(BalanceVerdict verdict);
// What a failure means, in one sentence, and which part it is about. A message of NULL: it is none.
Diag structure_failure(Arena *arena, const BarsReport *r);
void show_structure(const BarsReport *r, ShowFormat format, Text *out);
void show_structure_verdict(const BarsReport *r, Text *out); // and remarks, line by line

// Nodes, bars and springs with their forces in colour, every iteration faintly behind. width <= 0: what suits. camera:
// see camera_of. False: out of memory.
bool structure_drawing(const BarsReport *r, bool dark, double width, const double camera[3], Drawing *d);

#endif
