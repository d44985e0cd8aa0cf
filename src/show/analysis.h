// A linear analysis as text or JSON.
#ifndef VIVA_SHOW_ANALYSIS_H
#define VIVA_SHOW_ANALYSIS_H

#include "analyze/analysis.h"
#include "analyze/locus.h"
#include "analyze/routh_over.h"
#include "show/derivation.h"
#include "show/json.h"

// A part of the text and of the JSON object. Others add theirs to the table in analysis.c.
typedef struct AnalysisSection {
  void (*text)(const Analysis *a, Text *out); // NULL: none
  void (*json)(const Analysis *a, Json *json);
} AnalysisSection;

// A root locus beside it; locus NULL: none.
typedef struct ShownLocus {
  const Locus *locus;
  const char *parameter;
  const RouthOver *routh; // with the parameter in it; NULL: none
} ShownLocus;
void show_analysis(const Analysis *a, const ShownLocus *locus, ShowFormat format, Text *out);
void show_linear_model(const Analysis *a, Text *out); // as `linearize` prints it

// Helpers for sections: numbers as they are shown, one empty line before a headline.
const char *analysis_number(Arena *arena, double x);
const char *analysis_complex(Arena *arena, Complex x);
void analysis_headline(Text *out, const char *title);

#endif
