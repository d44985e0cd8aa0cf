// Variance components of the noise: one variance a column and experiment where no standard deviation is given.
//
// in    residuals and their Jacobian J at the unknowns u, by groups of columns that share a variance: N_g rows, sum of
//       squares S_g in parts of each column's spread
// out   the standard deviation of every column, and the degrees of freedom of what is estimated with it
//
//   s_g^2 = S_g/(N_g - k_g),   k_g = sum of the leverages of the rows of g,   leverages: the diagonal of
//   H = J (J'WJ)^-1 J'W,       W = 1/s_g^2
//
// (restricted maximum likelihood: Patterson, Thompson 1971). The sum of all k_g is the rank of J, so that one group
// alone has S/(N - k). Weights follow the residuals, and the estimate follows the weights, until both stand still
// (fit.c). The variance V of a combination of the unknowns has shares V_g of the groups; its degrees of freedom are
//
//   nu = V^2 / sum of V_g^2/(N_g - k_g)      (Satterthwaite 1946; a given standard deviation adds nothing)
#ifndef VIVA_FIT_NOISE_H
#define VIVA_FIT_NOISE_H

#include "fit/problem.h"

// Which columns share a variance. A column with no more points than unknowns does not tell its own: such columns share
// one, in parts of their spreads. False: out of memory; diags: there are too few points for that, too.
bool noise_make_groups(FitProblem *f, Diags *diags);
// Is there something to weigh? One group alone needs no weights.
static inline bool noise_is_weighed(const FitProblem *f) { return f->group_count > 1; }

// Residuals and Jacobian at u. False: as fit_pass.
bool noise_look(FitProblem *f, const double *u);
// From what noise_look saw to the scales and degrees of freedom of all groups. rank: at most, of J.
// False: out of memory.
bool noise_estimate(FitProblem *f, uint32_t rank);
// The degrees of freedom alone: scales are those that stand there.
bool noise_count_freedom(FitProblem *f, uint32_t rank);
// Columns count by the scales of their groups. Returns the largest relative change of a weight.
double noise_weigh(FitProblem *f);
// The cost at u of the last noise_look as searches count it, for R^2.
double noise_search_cost(const FitProblem *f);

// Degrees of freedom of a variance. w = C s: the covariance of the unknowns times the combination's coefficients;
// variance: s'C s; own: a further variance, of the noise of one column (0: none), which is of `group`.
double noise_freedom(const FitProblem *f, const double *w, double variance, double own, uint32_t group);

#endif
