// Optimal experiment design, the choice among candidate experiments, as text and JSON.
#ifndef VIVA_SHOW_EXPERIMENTS_H
#define VIVA_SHOW_EXPERIMENTS_H

#include "base/text.h"
#include "fit/optimal.h"

void show_experiments_text(const OptimalResult *r, const char *title, Text *out);
void show_experiments_json(const OptimalResult *r, const char *title, Text *out);
// "case push, x = 0.1"
const char *experiment_text(Arena *arena, const OptimalResult *r, uint32_t candidate);

#endif
