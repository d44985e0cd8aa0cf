// What a scene in space has beyond its shapes: a ground with a grid, directions of the axes, an order by depth, frames
// and boxes. scene.c draws planes by itself.
// parts: space_draw.c
#ifndef VIVA_SHOW_SPACE_H
#define VIVA_SHOW_SPACE_H

#include "show/scene.h"

// A grid of squares at right angles to what points up: points origin + i*step*u + k*step*v.
typedef struct SpaceGrid {
  double origin[3], u[3], v[3], step;
  uint32_t across, along; // squares
} SpaceGrid;
SpaceGrid space_grid(const Scene *s);
void space_take_ground(Scene *s); // sizes of the scene; the ground is part of the picture

// The box of even density with this mass and these moments (SystemShape.inertia): its axes as columns, half of its
// sides. False: there is none (no mass, or moments that no body has).
bool space_box(const double inertia[7], double axes[9], double half[3]);
void space_take_box(Scene *s, const SceneShape *shape); // its corners are part of the picture

// The ends of a frame's axes (behind its origin), or the corners of a box, at a time; returns how many, 0: not finite.
// The corner of a box with the number b has the sign of its bit k along its axis k.
enum { space_points_most = 8 };
uint32_t space_points(const Scene *s, uint32_t shape, double time, double out[space_points_most][3]);
extern const uint32_t space_edges[12][2];                               // of a box, by the numbers of its corners
int32_t space_edge_colour(const SceneShape *shape, const Theme *theme); // of a box
// A point on paper, and how far it is toward the viewer.
DrawPoint space_place(const Scene *s, const SceneMap *map, const double point[3], double *depth);

void space_ground(const Scene *s, Drawing *d, const SceneMap *map, uint32_t clip);
static const double space_corner = 46; // pixels from the edges of a picture to where its axes start
void space_directions(const Camera *c, Drawing *d, DrawPoint corner);
void space_axes(const Scene *s, Drawing *d, DrawPoint corner); // with the size of a square of the ground
// All shapes but trails, what is far first.
void space_draw(const Scene *s, Drawing *d, const SceneMap *map, double time, double strength, uint32_t clip);
// The shapes but trails in the order of their mean depth over the run, for pictures whose order cannot change.
uint32_t *space_mean_order(const Scene *s, Arena *arena, uint32_t *count);

#endif
