// Decimation of curves: millions of points become a few for each column of pixels, and no extreme is lost.
#ifndef VIVA_SHOW_CURVE_H
#define VIVA_SHOW_CURVE_H

#include "show/drawing.h"
#include "show/scale.h"

typedef struct CurvePath {
  DrawPoint *points; // NAN in x: an interruption
  uint32_t count;
} CurvePath;

// The path of n values. Where x never falls: for each column of one pixel its first, least, largest and last point, in
// their order. Elsewhere (a phase plane): points nearer than a fraction of a pixel to the one before are left out,
// except the extremes, and a long path is drawn once over each pixel. A point without a position interrupts.
CurvePath curve_reduce(Arena *arena, const Scale *sx, const Scale *sy, const double *x, const double *y, size_t n);
// Single points, one for each pixel that holds any.
CurvePath curve_scatter(Arena *arena, const Scale *sx, const Scale *sy, const double *x, const double *y, size_t n);

#endif
