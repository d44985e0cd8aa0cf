// A linear model as text, LaTeX or JSON; its poles and modes as pictures.
#ifndef VIVA_SHOW_LINEAR_H
#define VIVA_SHOW_LINEAR_H

#include "show/derivation.h"
#include "show/plot.h"
#include "study/linearize.h"

// exact, numbers: which of the two are shown, where they are known.
void show_linear(const Linearization *l, ShowFormat format, bool exact, bool numbers, Text *out);

// The colour of an eigenvalue by the side of the imaginary axis on which it lies.
static inline int32_t linear_colour(const Theme *theme, bool dark, double re) {
  return theme_curve(theme, re < 0 ? 0 : (re > 0) != dark ? 3 : 2);
}

// The poles in the plane, with lines of constant damping and frequency. The map is borrowed until the drawing is made.
typedef struct PoleMap {
  const Linearization *l;
  double width; // what suits the picture; filled by linear_pole_map
} PoleMap;
void linear_pole_map(Arena *arena, PoleMap *map, Plot *plot);

// The modes one below the other: a bar and a dial for each displacement, and what the model draws, deflected. False: memory
// is out.
bool linear_mode_shapes(const Linearization *l, bool dark, double width, Drawing *d);

#endif
