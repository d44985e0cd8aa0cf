// Robust loss of a residual: its square, or less where it is an outlier (Huber 1964).
//
//   rho(r) = r^2 where |r| <= c s, else 2 c s |r| - (c s)^2,   c = 1.345
//
// Residuals are replaced by sign(r) sqrt(rho(r)), whose squares add up to the cost, so that every method is one of
// least squares. s is the spread of the residuals, those of outliers left out: 1 where the noise is known, else 1.4826
// times the median of their sizes. At c = 1.345 the estimate loses 5 % where there is nothing but normal noise.
//
// Standard errors are those of an M-estimator (Huber 1981, 7.6), by psi(x) = min(max(x, -c), c) of x = r/s:
//
//   cov = K^2 s^2 (sum psi^2/(N - k)) / m^2 (J'J)^-1,   m = mean psi',   K = 1 + k/N (1 - m)/m
//
// and a profile exceeds the least cost by s^2 t^2 mean psi^2 / m.
#ifndef VIVA_FIT_LOSS_H
#define VIVA_FIT_LOSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum FitLossKind { loss_square, loss_huber } FitLossKind;

typedef struct FitLoss {
  FitLossKind kind;
  double scale; // s
} FitLoss;

// What replaces r; *slope: the factor of its derivatives.
double loss_residual(const FitLoss *l, double r, double *slope);
// s of residuals; room: as many numbers. 0: more than half of them vanish.
double loss_scale(const double *r, size_t count, double *room);

typedef struct LossSpread {
  double sigma;   // instead of the standard deviation of the noise
  double profile; // what t^2 is multiplied by in a profile
  size_t outside; // residuals that count less
} LossSpread;
LossSpread loss_spread(const FitLoss *l, const double *r, size_t count, uint32_t k);

#endif
