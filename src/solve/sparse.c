// Sparse linear systems as seen from the library: the module does them.
#include "solve/sparse.h"

#include "solve/module.h"

#include <stdlib.h>

struct Sparse {
  const SolveModule *module;
  struct Factors *factors;
};

static Sparse *wrap(const SolveModule *module, struct Factors *factors) {
  Sparse *x = factors ? malloc(sizeof *x) : NULL;
  if (x) *x = (Sparse){module, factors};
  else if (factors) module->factors_free(factors);
  return x;
}

Sparse *sparse_new(uint32_t n, const uint32_t *start, const uint32_t *row, SparseKind kind) {
  const SolveModule *module = module_load();
  return module ? wrap(module, module->factors_new(n, start, row, kind)) : NULL;
}

Sparse *sparse_new_bordered(uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border,
                            const uint32_t *group, bool backwards) {
  const SolveModule *module = module_load();
  return module ? wrap(module, module->factors_new_bordered(n, start, row, border, group, backwards)) : NULL;
}

SparseStatus sparse_factor(Sparse *x, const double *values) { return x->module->factors_make(x->factors, values); }

void sparse_solve(const Sparse *x, double *b, uint32_t columns) { x->module->factors_solve(x->factors, b, columns); }

double sparse_work(const Sparse *x) { return x->module->factors_work(x->factors); }

uint32_t sparse_negative(const Sparse *x) { return x->module->factors_negative(x->factors); }

double sparse_least(const Sparse *x, uint32_t from) { return x->module->factors_least(x->factors, from); }

void sparse_free(Sparse *x) {
  if (!x) return;
  x->module->factors_free(x->factors);
  free(x);
}
