// Root locus: the poles of a system along a parameter, branch by branch.
#ifndef VIVA_ANALYZE_LOCUS_H
#define VIVA_ANALYZE_LOCUS_H

#include "analyze/dense.h"

// The matrix whose eigenvalues are followed. False: there is none at this value, *why; NULL: out of memory.
typedef struct LocusSource {
  bool (*at)(void *self, double k, double *a, const char **why);
  void *self;
  uint32_t n;
  double period; // of samples: the unit circle is the border; 0: the imaginary axis
} LocusSource;

typedef struct LocusPoint {
  double k;
  Complex *s; // by branch
} LocusPoint;

// A branch passes the border.
typedef struct LocusCrossing {
  double k;
  Complex s;
  uint32_t branch;
  bool grows; // from there on
} LocusCrossing;

// Two branches meet on the real axis and leave it, or come back to it.
typedef struct LocusBreak {
  double k;
  Complex s;
  bool leaves;
} LocusBreak;

typedef struct Locus {
  uint32_t n;
  bool affine; // the matrix is A0 + k A1
  VEC(LocusPoint) points;
  VEC(LocusCrossing) crossings;
  VEC(LocusBreak) breaks;
  uint32_t unsure; // points at which branches came too close to be distinguished
  const char *why; // not NULL: it ends before the end of the range, and the reason
} Locus;

DenseStatus locus_follow(Arena *arena, const SolveModule *module, const LocusSource *source, double from, double to,
                         Locus *out);

// Dead times as rational all-passes of this order: what rational forms need. False: out of memory.
bool locus_pade(Arena *arena, const LinearSystem *s, uint32_t order, LinearSystem *out);

#endif
