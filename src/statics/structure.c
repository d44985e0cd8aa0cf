// A structure built by function calls: its nodes, rigid bodies and sliders.
#include "statics/structure.h"

#include <math.h>

bool structure_init(Arena *arena, Structure *s, uint32_t dim, uint32_t nodes) {
  *s = (Structure){.dim = dim, .nodes = nodes};
  s->place = arena_array(arena, (size_t)dim * nodes, sizeof *s->place);
  s->force = arena_array(arena, (size_t)dim * nodes, sizeof *s->force);
  s->fixed = arena_array(arena, nodes, sizeof *s->fixed);
  return s->place && s->force && s->fixed;
}

// ---- vectors of up to three numbers; in a plane the third is 0

typedef struct Vector {
  double at[3];
} Vector;

static Vector between(const Structure *s, uint32_t from, uint32_t to) {
  Vector v = {{0}};
  for (uint32_t i = 0; i < s->dim; i++) {
    v.at[i] = s->place[(size_t)to * s->dim + i] - s->place[(size_t)from * s->dim + i];
  }
  return v;
}

static Vector cross(Vector a, Vector b) {
  return (Vector){{a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
                   a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

static double dot(Vector a, Vector b) { return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2]; }
static double norm(Vector a) { return sqrt(dot(a, a)); }

// ---- rigid bodies

// Three members that span a large triangle: the two that are farthest from the first and from each other's line. In a
// plane two where all lie on one line: base[2] is none. False: they do in space, or all are at one point.
static bool pick_base(const Structure *s, const uint32_t *members, uint32_t count, uint32_t base[3]) {
  double farthest = 0, widest = 0;
  base[0] = members[0];
  for (uint32_t i = 1; i < count; i++) {
    double l = norm(between(s, base[0], members[i]));
    if (l > farthest) {
      farthest = l;
      base[1] = members[i];
    }
  }
  if (farthest == 0) return false;
  for (uint32_t i = 1; i < count; i++) {
    double area = norm(cross(between(s, base[0], base[1]), between(s, base[0], members[i])));
    if (area > widest) {
      widest = area;
      base[2] = members[i];
    }
  }
  if (widest > 1e-9 * farthest * farthest) return true;
  base[2] = structure_none; // they lie on one line within rounding of what was drawn
  return s->dim == 2;
}

// w = p u + q v + r u x v, by the dual vectors of u, v, u x v.
static StructureTie tie_of(const Structure *s, uint32_t node, const uint32_t base[3], uint32_t rigid) {
  Vector u = between(s, base[0], base[1]), w = between(s, base[0], node);
  if (base[2] == structure_none) {
    double p = dot(u, w) / dot(u, u);
    return (StructureTie){.node = node, .a = base[0], .b = base[1], .c = structure_none, .p = p, .rigid = rigid};
  }
  Vector v = between(s, base[0], base[2]);
  Vector n = cross(u, v);
  double area2 = dot(n, n);
  return (StructureTie){.node = node,
                        .a = base[0],
                        .b = base[1],
                        .c = base[2],
                        .p = dot(cross(w, v), n) / area2,
                        .q = dot(cross(u, w), n) / area2,
                        .r = s->dim == 3 ? dot(w, n) / area2 : 0,
                        .rigid = rigid};
}

bool structure_add_rigid(Arena *arena, Structure *s, const uint32_t *members, uint32_t count, uint32_t rigid) {
  uint32_t base[3];
  if (count < 3 || !pick_base(s, members, count, base)) return false;
  for (int i = 0; i < (base[2] == structure_none ? 1 : 3); i++) {
    uint32_t a = base[i], b = base[(i + 1) % 3];
    StructureBar bar = {a, b, norm(between(s, a, b)), structure_none, rigid};
    if (!vec_push(arena, &s->bars, bar)) return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (members[i] == base[0] || members[i] == base[1] || members[i] == base[2]) continue;
    if (!vec_push(arena, &s->ties, tie_of(s, members[i], base, rigid))) return false;
  }
  return true;
}

// ---- sliders

bool structure_add_slider(Arena *arena, Structure *s, uint32_t node, const double *along) {
  StructureSlider slider = {.node = node, .c = structure_none, .d = structure_none, .extra = structure_none};
  Vector u = {{along[0], along[1], s->dim == 3 ? along[2] : 0}};
  double l = norm(u);
  if (!(l > 0)) return false;
  for (int i = 0; i < 3; i++) u.at[i] /= l;
  for (uint32_t i = 0; i < s->dim; i++) slider.point[i] = s->place[(size_t)node * s->dim + i];
  // across the line: in a plane by a right angle, in space with the axis that it is farthest from
  Vector axis = {{0}};
  int least = 0;
  for (int i = 1; i < 3; i++) least = fabs(u.at[i]) < fabs(u.at[least]) ? i : least;
  axis.at[s->dim == 3 ? least : 2] = 1;
  Vector first = cross(axis, u);
  double length = norm(first);
  for (int i = 0; i < 3; i++) first.at[i] /= length;
  Vector second = cross(u, first);
  for (int i = 0; i < 3; i++) {
    slider.normal[0][i] = first.at[i];
    slider.normal[1][i] = second.at[i];
  }
  return vec_push(arena, &s->sliders, slider);
}

bool structure_add_moving_slider(Arena *arena, Structure *s, uint32_t node, uint32_t c, uint32_t d) {
  double scale = norm(between(s, c, d));
  StructureSlider slider = {.node = node, .c = c, .d = d, .scale = scale, .extra = s->extras};
  if (!(scale > 0) || !vec_push(arena, &s->sliders, slider)) return false;
  s->extras++;
  return true;
}
