// Measures of a run (system/measure.h) as texts in the names of a loaded model.
#ifndef VIVA_LANG_MEASURES_H
#define VIVA_LANG_MEASURES_H

#include "lang/scope.h"
#include "system/measure.h"

// Reads one measure, of an option of the command line, into the set; its gauges are new ones, or those that are there
// already. Problems are in scope->model.diags. A run that is to have them runs on the system over scope->model, whose
// expressions they are. False: out of memory.
bool measure_read(TextScope *scope, const char *option, const char *text, MeasureSet *set);

#endif
