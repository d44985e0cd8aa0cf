// Bars and springs, of which a structure has thousands: sums over them without the detour over Element.
//
// What is added is what element.c says of one of them; all other parts are problem.c's.
#ifndef VIVA_STATICS_LINES_H
#define VIVA_STATICS_LINES_H

#include "statics/problem.h"

void lines_constraints(const Problem *p, const double *x, double *c);
// dV of springs and, unless lambda is NULL, G lambda of bars.
void lines_add_forces(const Problem *p, const double *x, const double *lambda, double *out);
void lines_fill(Problem *p, const double *x, const ProblemFill *f);
void lines_scale(const Problem *p, const double *x, const double *lambda, double *stiffness, double *turning);
double lines_turn(const Problem *p, const double *x, const double *dz);
void lines_add_metric(const Problem *p, const double *x, const double *dz, double *out);

#endif
