// What stands behind the handles of the public API.
#ifndef VIVA_API_HANDLES_H
#define VIVA_API_HANDLES_H

#include "api/pipeline.h"
#include "show/figure.h"
#include "viva/viva.h"

struct viva_model {
  Arena *arena;
  Model model;
  System system;
  const char **texts; // of the diagnostics
};

struct viva_figure {
  Arena *arena;
  const viva_model *model;
  viva_figure_options options;
  Figure figure;
  Sink sink;
  Scene scene; // made when the first picture is drawn
  const char *message;
};

// SVG text as the picture that was asked for, in memory of the caller. *problem: why it cannot be made.
viva_status picture_bytes(viva_picture picture, const Text *svg, const char **problem, char **data, size_t *length);

#endif
