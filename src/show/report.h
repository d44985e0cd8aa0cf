// One page that shows a model: HTML that opens anywhere, without network.
//
// Every section is a function in the table of report.c: it writes the inside of its <section>, or nothing, and then
// there is none. What moves or can be zoomed stands in the page as a still picture and as data; the script of the page
// (web/) replaces the picture on a screen. In print, and without script, the pictures stay.
#ifndef VIVA_SHOW_REPORT_H
#define VIVA_SHOW_REPORT_H

#include "show/figure.h"
#include "show/overlay.h"
#include "sim/run.h"

// A further section whose inside was made elsewhere.
typedef struct ReportPart {
  const char *id, *title, *html;
} ReportPart;

// A family: its members in one figure, and what each of them came to.
typedef struct ReportFamily {
  const Overlay *overlay;
  VEC(const char *) varied;    // names with their units: "d [1/s]"
  VEC(const double *) members; // the values that vary, then the last ones of what is shown
} ReportFamily;

typedef struct Report {
  Arena *arena;
  System *system; // a copy, and its pool, for printing
  ExprPool *pool;
  const Figure *figure; // what the run showed; NULL: statics, there was none
  const Scene *scene;   // NULL: nothing moves
  const RunResult *run;
  const ReportFamily *family; // NULL: one run. Else figure and run are those of its first member
  const char *file;           // path of the model file; its last part is shown
  const char *version;
  const char *trouble;   // what went wrong while running; NULL: nothing
  const char *equations; // HTML, with MathML; NULL: none
  const char *steps;     // the same of the derivation; NULL: none
  const char *structure; // HTML: H, J, R, G and what they mean; NULL: none
  VEC(ReportPart) parts; // behind the energy balance
  double speed;          // of the animation
  const double *values;  // of the parameters, then of q, v and x at the start; NAN: none
  const char *rows;      // options of `viva run` that give the table of the page: " --every 0.01"
} Report;

void show_report(const Report *report, Text *out);

#endif
