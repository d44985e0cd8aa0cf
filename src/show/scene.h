// A moving scene: the shapes of `draw` lines over the rows of a run; as SVG that moves, and as a page with a slider.
// parts: scene_draw.c scene_family.c animate.c page.c
#ifndef VIVA_SHOW_SCENE_H
#define VIVA_SHOW_SCENE_H

#include "show/camera.h"
#include "show/json.h"
#include "show/plot.h"

typedef struct SceneShape {
  ShapeKind kind;
  uint32_t count;            // points: 1 or 2
  double *x[2], *y[2];       // positions over the rows, in the model's lengths, as they are seen
  double *depth[2];          // toward the viewer; NULL in a plane
  const double *space[2][3]; // positions in space; NULL in a plane
  const double *turn[9];     // of a frame, solid or box in space: its rotation over the rows, NULL without
  double axes[9], half[3];   // of the latter two: its axes in those of the body, as columns, and half of its sides
  double longest;            // of a vector
  double size[3], width;     // as in SystemShape; 0: not said
  uint32_t coils, colour;
  uint32_t member; // of a family, counted from 1; 0: it belongs to all
  const char *text;
} SceneShape;

// A member of a family: what varies, the first of these values, and the colour of its shapes.
typedef struct SceneKey {
  const char *label;
  double level;
  int32_t colour;
} SceneKey;
enum { scene_key_most = 7 }; // members with a key of colours; more have a bar

typedef struct Scene {
  Arena *arena;
  const double *t;
  size_t rows;
  VEC(SceneShape) shapes;
  AxisRange x, y;        // where things ever are, as they are seen
  bool space;            // points of three columns
  Camera camera;         // of a scene in space
  AxisRange box[3];      // where things ever are in space
  double size;           // of that, the longest side
  const double *nothing; // a column of zeros: the third of a point of two
  const char *title, *unit;
  VEC(SceneKey) key;      // of the members of a family; none: one run
  const char *level_name; // of their levels
} Scene;

void scene_init(Scene *s, Arena *arena, const double *t, size_t rows);
// Before shapes are added: is it a scene in space, and from where is it seen? from: see camera_of.
void scene_seen(Scene *s, const System *system, const double from[3]);
// Its numbers over the rows in the order of shape_values. In a scene in space a point of 2 columns has the third 0.
void scene_add(Scene *s, const SystemShape *shape, const double *const *values);
void scene_finish(Scene *s);
// Takes the scene of a member into one of all, whose arena alone need be set. False: it has no rows, or out of memory.
bool scene_join(Scene *all, const Scene *member, const char *label, double level);
// When all are there: gives each its colour; level_name: what the levels are, "d [N*s/m]".
void scene_colours(Scene *all, const char *level_name, bool dark);
bool scene_key_log(const Scene *s); // do levels go over decades?
// The colour of a shape's member in pages, "var(--curve0)" or "#rrggbb"; NULL: it is none of a family.
const char *scene_member_colour(const Scene *s, const SceneShape *shape);
// Names of the members as a list of JSON, with a key.
void scene_members_write(const Scene *s, Json *j, const char *key);
// The key in rows from `top` on; returns how many. d NULL: counts them.
uint32_t scene_key(const Scene *s, double width, double top, Drawing *d);
static const double scene_vector_length = 60; // pixels, of the longest arrow
bool scene_has_vector(const Scene *s);

// Where the shapes stand on paper.
typedef struct SceneMap {
  double scale, x0, y0; // pixels: x0 + scale*x, y0 - scale*y
  double left, right;   // how far ground reaches
} SceneMap;

// How a shape looks on paper.
typedef struct SceneLook {
  int32_t stroke, fill;
  double line;   // width of the stroke
  double radius; // of a disc
  double side;   // of a spring: how far its coils reach to one side
  double w, h;   // of a cart
  double letters;
  bool disc, closed;
} SceneLook;
SceneLook scene_look(const SceneShape *shape, const Theme *theme, const SceneMap *map);
void scene_put_look(Text *out, const SceneLook *look); // as attributes of SVG
static const double scene_wheel = 5;                   // radius of a cart's wheels
enum { scene_spring_coils = 7 };                       // where they are not said
enum { scene_layers = 10 };
uint32_t scene_layer(ShapeKind kind); // what lies over what: trails lowest, then 1, 2, ...; scene_layers: not drawn so

// The row at or before a time, and how far it is to the next, 0 .. 1.
size_t scene_row(const Scene *s, double time, double *part);
// The points of a shape at a time, on paper; a vector's second point is its tip. False: the position is not finite.
bool scene_place(const Scene *s, uint32_t shape, double time, const SceneMap *map, DrawPoint out[2]);
// Lines of a shape between its points, for a path. The result is valid until the arena goes.
DrawPoint *scene_shape_path(Arena *arena, const SceneShape *shape, const DrawPoint p[2], const SceneMap *map,
                            uint32_t *count);

// All shapes at a time as items; strength 0 .. 1.
void scene_draw(const Scene *s, Drawing *d, const SceneMap *map, double time, double strength, uint32_t clip);
// One of them, between its points.
void scene_draw_shape(Drawing *d, const SceneMap *map, const SceneShape *shape, const DrawPoint p[2], double strength,
                      uint32_t clip);
void scene_trails(const Scene *s, Drawing *d, const SceneMap *map, double until, uint32_t clip);

// Overlaid poses: `count` poses at equal time steps in one picture, with axes.
typedef struct Ghosts {
  const Scene *scene;
  uint32_t count;
  bool untimed;  // its rows are no times: positions, equilibria
  uint32_t only; // the pose of this row alone, from 1 on; 0: count poses
  double width;  // what suits the picture; filled by scene_ghosts
} Ghosts;
void scene_ghosts(Arena *arena, Ghosts *ghosts, Plot *plot); // the argument is borrowed until the drawing is made

// One frame, or the whole animation, on a page of its own.
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
void scene_key_bar(const Scene *s, bool dark, Text *out);                       // of many members, for pages
void scene_html(const Scene *s, const SceneMotion *m, double speed, Text *out); // with buttons and a slider

#endif
