// A linear model as text, LaTeX or JSON; its poles and modes as pictures.
// parts: mode_shapes.c poles.c
#ifndef VIVA_SHOW_LINEAR_H
#define VIVA_SHOW_LINEAR_H

#include "linear/linearize.h"
#include "show/derivation.h"
#include "show/json.h"
#include "show/plot.h"

// exact, numbers: which of the two are shown, where they are known.
void show_linear(const Linearization *l, ShowFormat format, bool exact, bool numbers, Text *out);

// The members of the JSON object alone, inside an object that is open.
void show_linear_members(const Linearization *l, bool exact, Json *json);

// Whether small deviations grow, in one sentence, with how many eigenvalues lie where; then what else decides (second:
// one more line, without a dot; NULL: nothing).
const char *linear_verdict(Arena *arena, const Linearization *l, const char **second);

// The colour of an eigenvalue by the side of the imaginary axis on which it lies.
static inline int32_t linear_colour(const Theme *theme, EigenSide side) {
  return side == side_left ? drawing_theme_curve(theme, 0) : side == side_right ? theme->alarm : theme->ink;
}

// The poles in the plane, with lines of constant damping and frequency. The map is borrowed until the drawing is made.
typedef struct PoleMap {
  const Linearization *l;
  double width; // what suits the picture; filled by linear_pole_map, as the rest
  bool wide;    // the sizes of the poles lie so far apart that the distance from zero is drawn by its logarithm
  double inner; // then: what is smaller than this is drawn in proportion, one decade wide
} PoleMap;
void linear_pole_map(Arena *arena, PoleMap *map, Plot *plot);

// The modes one below the other: a bar and a dial for each displacement, and what the model draws, deflected.
// False: out of memory.
bool linear_mode_shapes(const Linearization *l, bool dark, double width, Drawing *d);

#endif
