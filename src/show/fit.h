// The result of a parameter estimation (least squares fit) as text and JSON.
#ifndef VIVA_SHOW_FIT_H
#define VIVA_SHOW_FIT_H

#include "base/text.h"
#include "fit/fit.h"
#include "show/json.h"

void show_fit_text(const FitResult *r, const char *title, Text *out);
void show_fit_json(const FitResult *r, const char *title, Text *out);
void json_evolution(Json *j, const FitResult *r, double most); // costs from `most` on are no numbers
// What the data cannot separate, by a proof: a sentence without its dot.
const char *show_fit_group(Arena *arena, const FitResult *r, const SeparableGroup *g);

#endif
