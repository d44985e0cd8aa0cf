// A linear model as text, LaTeX or JSON; its poles and modes as pictures.
#ifndef VIVA_SHOW_LINEAR_H
#define VIVA_SHOW_LINEAR_H

#include "show/derivation.h"
#include "show/plot.h"
#include "study/linearize.h"

// exact, numbers: which of the two are shown, where they are known.
void show_linear(const Linearization *l, ShowFormat format, bool exact, bool numbers, Text *out);

// The poles in the plane, with lines of constant damping and frequency.
void linear_pole_map(Arena *arena, const Linearization *l, Plot *plot);

#endif
