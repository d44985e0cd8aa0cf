// Curves of an analysis as columns of numbers, for tables and pictures.
#ifndef VIVA_ANALYZE_CURVES_H
#define VIVA_ANALYZE_CURVES_H

#include "analyze/analysis.h"
#include "analyze/locus.h"

typedef enum AnalysisCurve {
  curve_bode,    // w, magnitude, decibel, phase (rad, unwrapped)
  curve_nyquist, // w, re, im
  curve_nichols, // w, phase, decibel
  curve_step,    // t, y
  curve_impulse,
  curve_ramp,
  curve_poles, // re, im, kind: 0 a pole, 1 a zero
  curve_locus, // k, then re and im of each branch
  // of design: control/design_curves.h makes their tables
  curve_circle,
  curve_popov,
  curve_describing,
  curve_kinds
} AnalysisCurve;

enum { curve_columns_most = 2 * 64 + 1 };

typedef struct CurveTable {
  uint32_t columns, count;
  const char *names[curve_columns_most];
  double *column[curve_columns_most];
} CurveTable;

// locus: of curve_locus; else NULL is fine. dense_failed: there is nothing to show.
DenseStatus curve_table(Arena *arena, const SolveModule *module, const Analysis *a, AnalysisCurve kind,
                        const Locus *locus, CurveTable *out);

#endif
