// A comparison of integration methods as a table, as JSON, and as two panels: energy and position errors over time.
#ifndef VIVA_SHOW_COMPARE_H
#define VIVA_SHOW_COMPARE_H

#include "show/plot.h"
#include "sim/compare.h"

void show_comparison_text(const Comparison *c, const char *title, Text *out);
void show_comparison_json(const Comparison *c, const char *title, Text *out);
void show_comparison_plot(Arena *arena, const Comparison *c, const char *title, Plot *plot);

#endif
