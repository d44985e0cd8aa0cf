// What stands behind the handles of the public API.
#ifndef VIVA_API_HANDLES_H
#define VIVA_API_HANDLES_H

#include "api/pipeline.h"
#include "show/figure.h"
#include "show/overlay.h"
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
  Scene scene;     // made when the first picture is drawn
  Overlay overlay; // members of a family; none: the figure's own rows are drawn
  const char *message;
};

struct viva_run {
  Arena *arena;
  RunResult result;
  const char *summary[2]; // text, JSON
  const char *message;
};

// Is there something to draw in every panel, now that there are rows? The figure keeps the message.
bool figure_can_draw(viva_figure *figure);
// SVG text as the picture that was asked for, in memory of the caller. *problem: why it cannot be made.
viva_status picture_bytes(viva_picture picture, const Text *svg, const char **problem, char **data, size_t *length);

#endif
