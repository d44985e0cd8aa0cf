// Model selection: rival models fitted to the same data, side by side.
#ifndef VIVA_CLI_FIT_RIVALS_H
#define VIVA_CLI_FIT_RIVALS_H

#include "viva/viva.h"

enum { most_rivals = 64 };

typedef struct FitRival {
  const char *file;
  size_t unknowns, points;
  uint64_t data;
  double r2, aic, bic;
} FitRival;

typedef struct FitRivals {
  FitRival items[most_rivals];
  size_t count;
} FitRivals;

void rivals_take(FitRivals *r, const char *file, const viva_fit *fit);
// Which is best by either criterion. -1: go on, else the exit status after a message: they are not of the same data.
int rivals_check(const FitRivals *r);
void rivals_print(const FitRivals *r);
void rivals_print_json(const FitRivals *r); // two members of an object: "aic", "bic", with the file that is best

#endif
