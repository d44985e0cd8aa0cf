// Equations and matrices as LaTeX or MathML.
#ifndef VIVA_SHOW_TYPESET_H
#define VIVA_SHOW_TYPESET_H

#include "algebra/derivation.h"
#include "system/table_names.h"

// Behind the equation of a state that only events change.
#define words_between "between events"

// "for i in 2 .. n-1" behind what it stands for, in print.
void typeset_range(const ShownRange *range, ExprFormat format, Text *out);
// The sum of all terms that repeat, without its sign: a sum sign with the index and both ends.
void typeset_sum(ExprPool *pool, const ExprNames *names, const ShownTerm *t, ExprFormat format, Text *out);
double typeset_range_width(const ShownRange *range); // in letters, about

// What stands above the equations.
const char *typeset_heading(const System *s, const Derivation *d);

// Whole derivations: LaTeX for the body of a document (amsmath), MathML an element a line. Long equations break over
// lines. numbered: LaTeX equations have numbers.
void typeset_derivation(const System *s, const Derivation *d, ExprFormat format, bool numbered, Text *out);
// The inputs as equations; all: also those that are zero, which an equation leaves free.
void typeset_inputs(const System *s, const Derivation *d, bool all, ExprFormat format, Text *out);
// The left side of an equation in any format: d(x)/dt where it has none of its own.
void typeset_equation_left(ExprPool *pool, const ExprNames *names, const ShownEquation *e, ExprFormat format,
                           Text *out);

#endif
