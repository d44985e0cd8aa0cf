// Mass matrices of the blocks of accelerations, by the program's tape of inertia: one behind the other.
#include "sim/inertia.h"

#include "sim/probe.h"

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

static const char *coord_name(const Run *r, const Block *b, uint32_t i) {
  return system_freedom_name(&r->p->s, b->coords[i]);
}

// False: stopped.
static bool check_block(Run *r, const Block *b, double *m, double t, const double *y, Diags *diags) {
  for (uint32_t i = 0; i < b->count; i++) {
    double own = m[i * b->count + i];
    const char *name = coord_name(r, b, i);
    Span span = system_freedom_span(&r->p->s, b->coords[i]);
    if (!isfinite(own)) {
      const char *what = NULL;
      char at[number_text_size];
      number_print(t, at);
      Span place = probe_energy(r, t, y, &what);
      r->failure = (RunFailure){run_failed,
                                arena_printf(r->scratch, "stopped at t = %s: the inertia of `%s` is not finite%s%s", at,
                                             name, what ? ": " : "", what ? what : ""),
                                place.source ? place : span, NULL};
      return false;
    }
    if (own >= 0) continue;
    diag_warning(diags, diag_negative_inertia, span,
                 "the inertia of `%s` is negative at the start (%.6g): it moves against the forces on it", name, own);
    diag_hint(diags, "look for a sign in `kinetic`, or a parameter below zero");
    return true;
  }
  uint32_t bad = 0;
  if (is_definite(m, b->count, &bad)) return true;
  diag_warning(diags, diag_negative_inertia, system_freedom_span(&r->p->s, b->coords[bad]),
               "the mass matrix is indefinite at the start: some motion of `%s` and `%s` has negative kinetic energy",
               coord_name(r, b, bad ? bad - 1 : 0), coord_name(r, b, bad));
  diag_hint(diags, "look for a sign in `kinetic`, or a parameter below zero");
  return true;
}

// The matrices of all blocks of accelerations at t, y, one behind the other; NULL: there are none, or out of memory.
static double *matrices(Run *r, double t, const double *y) {
  const Tape *tape = r->p->inertia;
  double *values = tape ? arena_array(r->scratch, tape->output_count, sizeof *values) : NULL;
  if (!values) return NULL;
  run_eval_at(r, tape, r->iw, t, y);
  for (uint32_t i = 0; i < tape->output_count; i++) values[i] = tape_result(tape, r->iw, i);
  return values;
}

bool inertia_check(Run *r, double t, const double *y, Diags *diags) {
  double *m = matrices(r, t, y);
  for (uint32_t i = 0; m && i < r->p->s.blocks.count; i++) {
    const Block *b = &r->p->s.blocks.items[i];
    if (!program_is_inertia(b)) continue;
    if (!check_block(r, b, m, t, y, diags)) return false;
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

const Block *inertia_singular(Run *r, double t, const double *y, uint32_t *row) {
  double *m = matrices(r, t, y), *first = m ? matrices(r, r->ode.t0, r->start) : NULL;
  for (uint32_t i = 0; first && i < r->p->s.blocks.count; i++) {
    const Block *b = &r->p->s.blocks.items[i];
    if (!program_is_inertia(b)) continue;
    if (is_singular(m, first, b->count, row)) return b;
    m += (size_t)b->count * b->count;
    first += (size_t)b->count * b->count;
  }
  return NULL;
}
