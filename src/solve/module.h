// The part of the library that stands on SUNDIALS, SuiteSparse and LAPACK: a shared object of its own
// (libviva-solvers.so), loaded when a run first needs it. Loading these libraries takes as long as deriving a small
// model, so nobody else pays. solvers.c is its entry; bdf.c, bdf_sizes.c, complex_factors.c, factors.c, fronts.c,
// fronts_order.c, lapack.c and spectrum.c are the rest of it.
//
// The two sides belong together only if they were built from the same headers: each carries the version and a build id,
// the hash of the headers of solve/ (made/solve_build_id.h), and the entry gives nothing to a side with another one.
// parts: solvers.c
#ifndef VIVA_SOLVE_MODULE_H
#define VIVA_SOLVE_MODULE_H

#include "solve/ode.h"
#include "solve/sparse.h"

struct OdeScales;      // solve/scale.h
struct Factors;        // solve/factors.h
struct ComplexFactors; // solve/complex_factors.h

// What bdf needs of the library, so that it is not linked twice; see ode.h and events.h for each.
typedef struct SolveHost {
  uint64_t (*row_count)(const OdeSettings *s);
  double (*row_time)(const OdeSettings *s, uint64_t k);
  double (*row_near)(const OdeSettings *s, uint64_t row, uint64_t rows, double t, double part);
  bool (*at_break)(const OdeBreaks *breaks, uint32_t *next, double t);
  double (*pass_break)(const OdeBreaks *breaks, uint32_t *next);
  bool (*search)(EventSearch *x, double t, double h, OdeDense *dense, void *from, double *at);
  const uint32_t *(*ended)(EventSearch *x, double t, const double *y, uint32_t *count);
  void (*none)(EventSearch *x);
} SolveHost;

typedef struct SolveModule {
  bool (*ready)(void); // is there room for what LAPACK takes? See solve/lapack.h
  OdeResult (*bdf)(const SolveHost *host, const OdeProblem *p, const OdeSettings *s, double *y,
                   struct OdeScales *scales, EventSearch *search, const OdeObserver *o);
  // LAPACK: factors of a column-major matrix in place; solution in place of b. Not 0: singular.
  int (*factor)(int n, double *a, int *pivot);
  void (*solve)(int n, const double *a, const int *pivot, double *b);
  // Solves M X = X, several columns, for a large M (row by row, both triangles; overwritten): definite by Cholesky's
  // method, else by elimination with pivoting. pivot: room for n. False: M is not definite, or singular.
  bool (*dense)(uint32_t n, uint32_t columns, bool definite, double *m, double *x, int *pivot);
  // sparse systems, see solve/sparse.h
  struct Factors *(*factors_new)(uint32_t n, const uint32_t *start, const uint32_t *row, SparseKind kind);
  struct Factors *(*factors_new_bordered)(uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border,
                                          const uint32_t *group, bool backwards);
  SparseStatus (*factors_make)(struct Factors *x, const double *values);
  void (*factors_solve)(const struct Factors *x, double *b, uint32_t columns);
  double (*factors_work)(const struct Factors *x);
  uint32_t (*factors_negative)(const struct Factors *x);
  double (*factors_least)(const struct Factors *x, uint32_t from);
  void (*factors_free)(struct Factors *x);
  // eigenvalues and singular values, see solve/spectrum.h
  int (*eigen)(int n, double *a, double *re, double *im, double *v, double *bound, double *work);
  int (*singular)(int m, int n, double *a, double *s, double *u, double *vt, double *work);
  int (*least)(int m, int n, double *a, double *b, double part, int *rank, int *pivot, double *work);
  int (*hessenberg)(int n, double *a, double *q, double *work);
  // sparse complex systems, see solve/complex_factors.h
  struct ComplexFactors *(*complex_new)(uint32_t n, const uint32_t *start, const uint32_t *row);
  SparseStatus (*complex_make)(struct ComplexFactors *x, const double *values);
  void (*complex_solve)(struct ComplexFactors *x, double *b, bool transposed);
  void (*complex_free)(struct ComplexFactors *x);
  // ordered Schur forms, see solve/schur.h
  int (*schur)(int n, bool circle, double *a, double *q, double *re, double *im, int *count, double *work);
  int (*pencil)(int n, double *a, double *b, double *z, int *count, double *work);
  int (*lyapunov)(int n, bool discrete, const double *t, const double *q, double *c, double *work);
} SolveModule;

// The entry of the module; NULL: it was built from other headers.
typedef const SolveModule *SolveModuleEntry(const char *version, const char *build);
#define SOLVE_MODULE_ENTRY "viva_solvers"

const SolveModule *module_load(void); // NULL: not there, or there is no room for it. It stays loaded.
bool module_has_room(void);           // is there memory enough to load it?

#endif
