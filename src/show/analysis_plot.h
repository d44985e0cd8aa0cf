// Curves of an analysis as pictures and tables.
#ifndef VIVA_SHOW_ANALYSIS_PLOT_H
#define VIVA_SHOW_ANALYSIS_PLOT_H

#include "control/design_curves.h"
#include "show/plot.h"

// What a picture is made of; borrowed until the drawing is made.
typedef struct AnalysisPlot {
  const Analysis *a;
  AnalysisCurve kind;
  CurveTable table;
  const Locus *locus;
  const Absolute *sector;       // of circle and Popov
  const LimitCycleList *cycles; // of a describing function
  double width;                 // that suits it
} AnalysisPlot;

void analysis_plot(Arena *arena, AnalysisPlot *p, Plot *plot);
void analysis_csv(const CurveTable *table, Text *out);
extern const char *const analysis_curve_names[curve_kinds]; // "bode", ...

#endif
