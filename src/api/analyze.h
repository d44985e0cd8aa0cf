// What stands behind a viva_analysis, for those who ask further questions of it.
//
// parts: control.c describe.c
#ifndef VIVA_API_ANALYZE_H
#define VIVA_API_ANALYZE_H

#include "api/handles.h"
#include "show/analysis_plot.h"

const Analysis *analysis_get(const viva_analysis *analysis); // NULL: it failed
uint32_t analysis_pade(const viva_analysis *analysis);       // the order of rational dead times; 0: none was asked for

// A curve as SVG text, in the arena of the text; id: of its parts, where several pictures share a page.
viva_status analysis_svg(const viva_analysis *a, viva_curve curve, const viva_figure_options *o, bool terminal,
                         const char *id, Text *out);
// The same of one whose table is made already.
viva_status analysis_picture(AnalysisPlot *p, const viva_figure_options *o, bool terminal, const char *id, Text *out);
viva_status curve_status(DenseStatus status);

#endif
