// Assembly modes by polynomial homotopy or elimination. See assembly.h.
#include "positions/assembly.h"

#include "positions/nearest.h"

#include <math.h>
#include <string.h>

static const double most_paths = 20000;
enum { most_transitions = 200 };                           // lost paths that are looked at
static const double real_part = 1e-8, complex_part = 1e-5; // of the size: imaginary parts below, above

// ---- angles of bars

static bool is_driven(const Places *p, uint32_t u) {
  for (uint32_t i = 0; i < p->k; i++) {
    if (p->drive_row[i] != UINT32_MAX && expr_symbol(&p->pool, p->driven[i]) == p->unknown[0][u]) return true;
  }
  return false;
}

bool assembly_set_angles(Places *p, double *u, const double *P) {
  bool right = true;
  for (uint32_t i = 0; i < p->angle_count; i++) {
    uint32_t at = p->angles[i], row = places_angle_row(p, at);
    bool driven = is_driven(p, at);
    if (!driven) u[at] = 0;
    places_eval(p, u, P);
    double slope = places_angle_slope(p, row, at);
    if (driven) right = right && slope > 0;
    else u[at] = atan2(-places_value(p, row), slope);
  }
  return right;
}

// ---- one solution

bool assembly_prove(Curve *c, Tube *tube, double *z) {
  Places *p = c->p;
  double *along = tube->kept;
  z[p->n] = 0;
  if (curve_choose(c, z, NULL) != rank_regular) return false;
  memset(along, 0, c->N * sizeof *along);
  along[c->n] = 1;
  if (!curve_correct(c, z, along, z, 0, NULL, NULL)) return false;
  double r = 1e-5 * p->size;
  bool alone = false;
  for (int k = 0; !alone && k < 7; k++, r *= 0.1) alone = tube_point(tube, z, r, NULL);
  return alone;
}

static void take_real(AssemblyModes *x, Curve *c, Tube *tube, const double *P, double *z) {
  Places *p = c->p;
  if (!assembly_set_angles(p, z, P)) x->turned++;
  else if (!assembly_prove(c, tube, z)) x->unproved++;
  else memcpy(x->u + (size_t)x->count++ * p->n, z, p->n * sizeof *z);
}

void assembly_sort(AssemblyModes *x, const Places *p) {
  for (uint32_t i = 1; i < x->count; i++) {
    for (uint32_t k = i; k > 0; k--) {
      double *a = x->u + (size_t)(k - 1) * p->n, *b = x->u + (size_t)k * p->n, before = 0, after = 0;
      for (uint32_t j = 0; j < p->coords; j++) {
        before += (a[j] - p->start[j]) * (a[j] - p->start[j]);
        after += (b[j] - p->start[j]) * (b[j] - p->start[j]);
      }
      if (before <= after) break;
      for (uint32_t j = 0; j < p->n; j++) {
        double swap = a[j];
        a[j] = b[j];
        b[j] = swap;
      }
    }
  }
}

// ---- transitions

static double apart(const Places *p, const double *a, const double *b) {
  double most = 0;
  for (uint32_t i = 0; i < p->coords; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

// Onto the equations, where they are singular, too: residues vanish with the square of the distance.
static bool settle(Places *p, const double *P, double *u) {
  NearestPoint g;
  NearestStatus status = gather(p, &(NearestRequest){.P = P}, u, &g);
  double off = 0;
  if (status == nearest_no_memory || status == nearest_no_module) return false;
  for (uint32_t i = 0; i < p->m; i++) off = fmax(off, fabs(g.left[i]));
  return off <= 1e-10 * p->size;
}

// Pushed off along where its path came from, does it stay there? Then it is one of many.
static bool is_loose(Places *p, const double *P, const double *u, const double *from, double *room) {
  double step = 1e-2 * p->size, length = apart(p, u, from);
  if (!(length > 0)) return false;
  for (uint32_t i = 0; i < p->n; i++) room[i] = u[i] + (from[i] - u[i]) * (step / length);
  return settle(p, P, room) && apart(p, u, room) > 0.3 * step;
}

// The end of a path that was lost: a double solution?
static bool take_transition(AssemblyModes *x, Curve *c, const PolynomialSystem *s, const double *P,
                            const double complex *v, double *y, double *room) {
  Places *p = c->p;
  double size = 1, off = 0, *u = x->transition_u + (size_t)x->transitions * p->n;
  double *from = arena_array(p->arena, (size_t)p->n + 2, sizeof *from);
  if (!from) return false;
  for (uint32_t k = 0; k < s->left; k++) {
    y[k] = creal(v[k]);
    size = fmax(size, cabs(v[k]));
    off = fmax(off, fabs(cimag(v[k])));
  }
  if (!(off <= 1e-3 * size)) return true;
  polynomial_unknowns(s, p, y, from);
  if (!assembly_set_angles(p, from, P)) {
    x->met++; // a driven bar the other way round
    return true;
  }
  memcpy(u, from, p->n * sizeof *u);
  if (!settle(p, P, u) || apart(p, u, from) > 1e-2 * p->size) return true;
  x->met++;
  for (uint32_t i = 0; i < x->count; i++) {
    if (apart(p, u, x->u + (size_t)i * p->n) <= 1e-4 * p->size) return true;
  }
  for (uint32_t i = 0; i < x->transitions; i++) {
    if (apart(p, u, x->transition_u + (size_t)i * p->n) <= 1e-4 * p->size) return true;
  }
  if (is_loose(p, P, u, from, room)) x->loose = true;
  else x->transitions++;
  return true;
}

static bool find_transitions(AssemblyModes *x, Curve *c, const PolynomialSystem *s, const double *P, double *y) {
  Places *p = c->p;
  x->transition_u = arena_array(p->arena, ((size_t)x->paths.lost + 1) * p->n + 2, sizeof *x->transition_u);
  double *room = arena_array(p->arena, (size_t)p->n + 2, sizeof *room);
  if (!x->transition_u || !room) return false;
  for (uint64_t i = 0; i < x->paths.lost && i < most_transitions; i++) {
    if (!take_transition(x, c, s, P, x->paths.lost_ends + i * s->left, y, room)) return false;
  }
  return true;
}

static const char *misfit(Arena *arena, const PolynomialSystem *s) {
  if (s->count < s->left)
    return arena_printf(arena, "the mechanism can still move: %u %s not held by a drive", s->left - s->count,
                        s->left - s->count == 1 ? "freedom is" : "freedoms are");
  if (s->count > s->left) return "constraints follow from each other: there are more equations than unknowns";
  if (polynomial_bound(s) > most_paths)
    return arena_printf(arena, "there may be %.0f solutions, and at most %.0f paths are followed", polynomial_bound(s),
                        most_paths);
  return NULL;
}

bool assembly_modes_find(AssemblyModes *x, Curve *c, const double *P, uint64_t seed, bool (*interrupted)(void *self),
                         void *self) {
  Places *p = c->p;
  PolynomialSystem s;
  Tube tube;
  *x = (AssemblyModes){0};
  if (!c->dense) return x->why = "there are too many unknowns", true;
  if (!polynomial_open(&s, p, P)) return false;
  x->why = s.why;
  x->place = s.place;
  if (s.impossible) x->all = true; // there are none
  if (x->why || s.impossible) return true;
  x->why = misfit(p->arena, &s);
  if (x->why) return true;
  x->bound = polynomial_bound(&s);
  if (!tube_open(&tube, c) || !homotopy_solve(&x->paths, &s, seed, interrupted, self)) return false;
  x->interrupted = x->paths.interrupted;
  double *y = arena_array(p->arena, (size_t)s.left + 1, sizeof *y), *z = arena_array(p->arena, c->N + 1, sizeof *z);
  x->u = arena_array(p->arena, (size_t)x->paths.count * p->n + 1, sizeof *x->u);
  if (!y || !z || !x->u) return false;
  for (uint32_t i = 0; i < x->paths.count; i++) {
    const double complex *v = x->paths.solutions + (size_t)i * s.left;
    double size = 1, off = 0;
    for (uint32_t k = 0; k < s.left; k++) {
      y[k] = creal(v[k]);
      size = fmax(size, cabs(v[k]));
      off = fmax(off, fabs(cimag(v[k])));
    }
    if (off > complex_part * size) continue;
    if (off > real_part * size) {
      x->doubtful++;
      continue;
    }
    polynomial_unknowns(&s, p, y, z);
    take_real(x, c, &tube, P, z);
  }
  if (x->paths.lost && !find_transitions(x, c, &s, P, y)) return false;
  assembly_sort(x, p);
  x->all = !x->interrupted && !x->paths.lost && !x->unproved && !x->doubtful && x->paths.finite == x->paths.count;
  return !arena_failed(p->arena);
}
