// The camera of a scene in space, by orthographic projection. See camera.h.
#include "show/camera.h"

#include "tape/numbers.h"

#include <math.h>
#include <string.h>

static const double usual_from[3] = {1, -2, 1}, usual_up[3] = {0, 0, 1};

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// By the largest entry first, so that neither overflows.
static bool make_unit(const double v[3], double out[3]) {
  double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
  if (!(most > 0) || !isfinite(v[0] + v[1] + v[2]) || !isfinite(most)) return false;
  double scaled[3] = {v[0] / most, v[1] / most, v[2] / most}, length = sqrt(dot(scaled, scaled));
  for (int i = 0; i < 3; i++) out[i] = scaled[i] / length;
  return true;
}

bool camera_look(const double from[3], const double up[3], Camera *camera) {
  const double least = 1e-6; // sine of the angle between both
  Camera c;
  double across[3];
  if (!make_unit(from, c.toward) || !make_unit(up, c.plumb)) return false;
  cross(c.plumb, c.toward, across);
  if (!(sqrt(dot(across, across)) > least) || !make_unit(across, c.right)) return false;
  cross(c.toward, c.right, c.up);
  *camera = c;
  return true;
}

void camera_see(const Camera *c, const double p[3], double seen[3]) {
  seen[0] = dot(c->right, p);
  seen[1] = dot(c->up, p);
  seen[2] = dot(c->toward, p);
}

static bool is_said(const double from[3]) { return from && (from[0] != 0 || from[1] != 0 || from[2] != 0); }

// What the model says, in numbers: from where, and what points up. False: nothing.
static bool model_camera(Arena *arena, const System *s, double from[3], double up[3]) {
  double said[6];
  ExprId wanted[6];
  memcpy(up, usual_up, sizeof usual_up);
  if (!s->camera.from[0]) return false;
  memcpy(wanted, s->camera.from, sizeof s->camera.from);
  memcpy(wanted + 3, s->camera.up, sizeof s->camera.up);
  if (!tape_numbers(arena, s, wanted, 6, said)) return false;
  memcpy(from, said, 3 * sizeof *from);
  memcpy(up, said + 3, 3 * sizeof *up);
  return true;
}

bool camera_possible(Arena *arena, const System *s, const double from[3]) {
  Camera c;
  double said[3], up[3];
  model_camera(arena, s, said, up);
  return camera_look(from, up, &c);
}

Camera camera_of(Arena *arena, const System *s, const double from[3]) {
  Camera c = {.up = {0}};
  double said[3], up[3];
  camera_look(usual_from, usual_up, &c);
  bool model = model_camera(arena, s, said, up);
  if (is_said(from)) camera_look(from, up, &c);
  else if (model) camera_look(said, up, &c);
  return c;
}
