// A moving scene: the shapes of `draw` lines over the rows of a run; as SVG that moves, and as a page with a slider.
// parts: animate.c page.c
#ifndef VIVA_SHOW_SCENE_H
#define VIVA_SHOW_SCENE_H

#include "show/plot.h"
#include "system/views.h"

typedef struct SceneShape {
  ShapeKind kind;
  uint32_t count;      // points: 1 or 2
  double *x[2], *y[2]; // places over the rows, in the model's lengths
  double longest;      // of a vector
} SceneShape;

typedef struct Scene {
  Arena *arena;
  const double *t;
  size_t rows;
  VEC(SceneShape) shapes;
  AxisRange x, y; // where things ever are
  bool space;     // points of three columns, shown obliquely
  const char *title, *unit;
} Scene;

void scene_init(Scene *s, Arena *arena, const double *t, size_t rows);
// Points of 2 or 3 columns (the third NULL for 2). In space z points up and y goes back to the right.
void scene_add(Scene *s, ShapeKind kind, uint32_t count, const double *points[2][3]);
void scene_finish(Scene *s);
static const double scene_vector_length = 60; // pixels, of the longest arrow
bool scene_has_vector(const Scene *s);

// Where the shapes stand on paper.
typedef struct SceneMap {
  double scale, x0, y0; // pixels: x0 + scale*x, y0 - scale*y
  double left, right;   // how far ground reaches
} SceneMap;

// The points of a shape at a time, on paper; a vector's second point is its tip. False: not a finite place.
bool scene_place(const Scene *s, uint32_t shape, double time, const SceneMap *map, DrawPoint out[2]);
// Lines of a shape between its places, for a path. The result is valid until the arena goes.
DrawPoint *scene_shape_path(Arena *arena, ShapeKind kind, const DrawPoint p[2], const SceneMap *map, uint32_t *count);

// All shapes at a time as items; strength 0 .. 1.
void scene_draw(const Scene *s, Drawing *d, const SceneMap *map, double time, double strength, uint32_t clip);
void scene_trails(const Scene *s, Drawing *d, const SceneMap *map, double until, uint32_t clip);

// Ghost images: `count` poses at equal times in one picture, with axes.
typedef struct Ghosts {
  const Scene *scene;
  uint32_t count;
  double width; // what suits the picture; filled by scene_ghosts
} Ghosts;
void scene_ghosts(Arena *arena, Ghosts *ghosts, Plot *plot); // ghosts is borrowed until the drawing is made

// One frame, or the whole motion, on a page of its own.
typedef struct SceneMotion {
  double width, height;
  SceneMap map;
  double seconds; // of the film
  uint32_t frames;
  bool dark;
} SceneMotion;
enum { trail_fine = 8 };                        // points of a trail between two frames
double scene_time(const Scene *s, double part); // 0: the first row's time, 1: the last row's
SceneMotion scene_motion(const Scene *s, double width, double speed, double fps, bool dark);
void scene_frame(const Scene *s, const SceneMotion *m, double time, Drawing *d);
void scene_svg(const Scene *s, const SceneMotion *m, Text *out);                // moves by itself
void scene_html(const Scene *s, const SceneMotion *m, double speed, Text *out); // with buttons and a slider

#endif
