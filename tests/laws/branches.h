// Functions with branches that algebraic loops are made of.
#ifndef VIVA_TESTS_BRANCHES_H
#define VIVA_TESTS_BRANCHES_H

#include "tests/laws/chance.h"

enum { most = 4, choices_most = 81 }; // unknowns of a loop, choices of their branches

typedef enum Kind { k_abs, k_ramp, k_limit, k_sign, k_count } Kind;

// A branch of f: slope*y + offset for y in lo .. hi.
typedef struct Piece {
  double slope, offset, lo, hi;
} Piece;

static const Piece pieces[k_count][3] = {{{-1, 0, -INFINITY, 0}, {1, 0, 0, INFINITY}},
                                         {{0, 0, -INFINITY, 0}, {1, 0, 0, INFINITY}},
                                         {{0, -1, -INFINITY, -1}, {1, 0, -1, 1}, {0, 1, 1, INFINITY}},
                                         {{0, -1, -INFINITY, 0}, {0, 1, 0, INFINITY}, {0, 0, 0, 0}}};
static const int piece_count[k_count] = {2, 2, 3, 3};

static const char *const form_of[] = {"abs(y%d)", "max(y%d, 0)", "limit(y%d, -1, 1)", "sign(y%d)"};

static inline long double determinant(int n, long double a[most][most]) {
  if (n == 0) return 1;
  long double sum = 0;
  for (int k = 0; k < n; k++) {
    long double minor[most][most];
    for (int i = 1; i < n; i++) {
      for (int j = 0, to = 0; j < n; j++) {
        if (j != k) minor[i - 1][to++] = a[i][j];
      }
    }
    sum += (k % 2 ? -1 : 1) * a[0][k] * determinant(n - 1, minor);
  }
  return sum;
}

#endif
