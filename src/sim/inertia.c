// Masses: are they finite and positive at the start, do they vanish on the way?
#include "sim/runner.h"

#include <math.h>

enum { most_checked = 200 }; // coordinates of a block whose matrix is looked at as a whole

// Is a symmetric matrix positive definite? Cholesky's factors, in place; *bad is the first row that fails.
static bool is_definite(double *m, uint32_t n, uint32_t *bad) {
  for (uint32_t j = 0; j < n; j++) {
    double d = m[j * n + j], size = fabs(d);
    for (uint32_t k = 0; k < j; k++) d -= m[j * n + k] * m[j * n + k];
    *bad = j;
    if (d < -1e-12 * size) return false;
    if (!(d > 0)) return true; // singular within rounding: others speak of that
    d = sqrt(d);
    m[j * n + j] = d;
    for (uint32_t i = j + 1; i < n; i++) {
      for (uint32_t k = 0; k < j; k++) m[i * n + j] -= m[i * n + k] * m[j * n + k];
      m[i * n + j] /= d;
    }
  }
  return true;
}

static const char *coord_name(const Runner *x, const Block *b, uint32_t i) {
  return x->m->coords.items[b->coords[i]].name;
}

static bool is_inertia(const Block *b) {
  return b->coords && b->symmetric && !b->velocities && !b->implicit && b->count <= most_checked;
}

// False: stopped.
static bool check_block(Runner *x, const Block *b, double *m, double t, const double *y, Diags *diags) {
  for (uint32_t i = 0; i < b->count; i++) {
    double own = m[i * b->count + i];
    const ModelCoord *c = &x->m->coords.items[b->coords[i]];
    if (!isfinite(own)) {
      const char *what = NULL;
      char at[number_text_size];
      number_print(t, at);
      x->r->status = run_failed;
      x->r->place = run_place_of_energy(x, t, y, &what);
      if (!x->r->place.source) x->r->place = c->span;
      x->r->message = arena_printf(x->arena, "stopped at t = %s: the inertia of `%s` is not finite%s%s", at, c->name,
                                   what ? ": " : "", what ? what : "");
      return false;
    }
    if (own >= 0) continue;
    diag_warning(diags, diag_negative_inertia, c->span,
                 "the inertia of `%s` is negative at the start (%.6g): it moves against the forces on it", c->name,
                 own);
    diag_hint(diags, "look for a sign in `kinetic`, or a parameter below zero");
    return true;
  }
  uint32_t bad = 0;
  if (is_definite(m, b->count, &bad)) return true;
  diag_warning(diags, diag_negative_inertia, x->m->coords.items[b->coords[bad]].span,
               "the mass matrix is indefinite at the start: some motion of `%s` and `%s` has negative kinetic energy",
               coord_name(x, b, bad ? bad - 1 : 0), coord_name(x, b, bad));
  diag_hint(diags, "look for a sign in `kinetic`, or a parameter below zero");
  return true;
}

// The matrices of all blocks of accelerations at t, y, one behind the other; NULL: there are none, or memory is out.
static double *matrices(Runner *x, double t, const double *y) {
  size_t count = 0;
  for (uint32_t i = 0; i < x->s.blocks.count; i++) {
    const Block *b = &x->s.blocks.items[i];
    if (is_inertia(b)) count += (size_t)b->count * b->count;
  }
  if (!count || count > UINT32_MAX) return NULL;
  ExprId *wanted = arena_array(x->arena, count, sizeof *wanted);
  double *values = arena_array(x->arena, count, sizeof *values);
  if (!wanted || !values) return NULL;
  count = 0;
  for (uint32_t i = 0; i < x->s.blocks.count; i++) {
    const Block *b = &x->s.blocks.items[i];
    for (uint32_t k = 0; is_inertia(b) && k < b->count * b->count; k++) wanted[count++] = b->matrix[k];
  }
  const Tape *tape = NULL;
  double *w = run_evaluate(x, wanted, (uint32_t)count, t, y, &tape);
  for (uint32_t i = 0; w && i < count; i++) values[i] = tape_result(tape, w, i);
  return w ? values : NULL;
}

bool run_check_inertia(Runner *x, double t, const double *y, Diags *diags) {
  double *m = matrices(x, t, y);
  for (uint32_t i = 0; m && i < x->s.blocks.count; i++) {
    const Block *b = &x->s.blocks.items[i];
    if (!is_inertia(b)) continue;
    if (!check_block(x, b, m, t, y, diags)) return false;
    m += (size_t)b->count * b->count;
  }
  return true;
}

// The row of a block whose pivot almost vanishes against its diagonal; a block of one against what it was at the start.
static bool is_singular(double *m, const double *first, uint32_t n, uint32_t *row) {
  const double small = 1e-8;
  *row = 0;
  if (n == 1) return !(fabs(m[0]) > small * small * fabs(first[0]));
  for (uint32_t j = 0; j < n; j++) {
    double own = fabs(m[j * n + j]);
    for (uint32_t k = 0; k < j; k++) {
      double f = m[j * n + k] / m[k * n + k]; // rows above are eliminated
      for (uint32_t c = k; c < n; c++) m[j * n + c] -= f * m[k * n + c];
    }
    *row = j;
    if (!(fabs(m[j * n + j]) > small * own)) return true;
  }
  return false;
}

const Block *run_singular_inertia(Runner *x, double t, const double *y, uint32_t *row) {
  double *m = matrices(x, t, y), *first = m ? matrices(x, x->t_start, x->start) : NULL;
  for (uint32_t i = 0; first && i < x->s.blocks.count; i++) {
    const Block *b = &x->s.blocks.items[i];
    if (!is_inertia(b)) continue;
    if (is_singular(m, first, b->count, row)) return b;
    m += (size_t)b->count * b->count;
    first += (size_t)b->count * b->count;
  }
  return NULL;
}
