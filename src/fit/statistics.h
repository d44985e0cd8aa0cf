// Probability distributions (chi-square, Student's t), and tests of residuals for whiteness and normality.
#ifndef VIVA_FIT_STATISTICS_H
#define VIVA_FIT_STATISTICS_H

#include <stddef.h>

// P(X > x), chi square with n degrees of freedom.
double chi_square_above(double x, double n);
// The number that |T| stays below with this probability, Student's t with n degrees of freedom.
double student_two_sided(double probability, double n);

// How the residuals of a column in the order of time look. p: the probability of such a value, or a worse one, where
// there is nothing but independent normal noise.
typedef struct ResidualTests {
  double lag1;           // correlation of neighbours
  double white, p_white; // Ljung and Box, over `lags` lags
  unsigned lags;
  double normal, p_normal; // Jarque and Bera
} ResidualTests;
ResidualTests residual_tests(const double *r, size_t count);

#endif
