// Singular Legendre transform: where velocities are no smooth functions of momenta. A part of momenta.h.
//
// p of x'^4 is 4 v^3: v is the cube root of p, which has no derivative at p = 0. There the inertia M = dp/dv vanishes,
// the equations in velocities have no value, and a step in momenta that leads across loses its order without an error.
// So the determinant of each block of M is followed along the line from the start of a step to its end: it vanishes at
// one of them, or falls to nearly zero between them and rises again. Such steps are counted and reported.
#include "sim/motion.h"

#include <string.h>

static const double vanishing = 1e-6; // of the larger of the values at the ends
static const double edge = 1e-3;      // of the step: its first and last piece say whether the value falls and rises

static bool is_curved(const Legendre *l) {
  for (uint32_t i = 0; i < l->part_count; i++) {
    if (l->parts[i].law != legendre_linear) return true;
  }
  return false;
}

bool momenta_watched(const SimProgram *p) { return p->momenta && p->inertia && is_curved(&p->momenta->legendre); }

void momenta_watch_cut(MomentaWatch *m, const SimProgram *p, Cutter *cutter) {
  if (!momenta_watched(p)) return;
  BLOCK_CUT(cutter, m->told, 1);
  BLOCK_CUT(cutter, m->before, p->y.total);
  BLOCK_CUT(cutter, m->at, p->y.total);
  BLOCK_CUT(cutter, m->matrix, p->inertia->output_count);
  for (int i = 0; i < momenta_looks; i++) BLOCK_CUT(cutter, m->value[i], p->s.blocks.count);
}

// Of a matrix that is used up, by elimination with the largest pivot of each column.
static double determinant(double *m, uint32_t n) {
  double value = 1;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k + 1; i < n; i++) {
      if (fabs(m[(size_t)i * n + k]) > fabs(m[(size_t)best * n + k])) best = i;
    }
    double pivot = m[(size_t)best * n + k];
    if (pivot == 0) return 0;
    value *= fabs(pivot);
    for (uint32_t j = 0; best != k && j < n; j++) {
      double swap = m[(size_t)best * n + j];
      m[(size_t)best * n + j] = m[(size_t)k * n + j];
      m[(size_t)k * n + j] = swap;
    }
    for (uint32_t i = k + 1; i < n; i++) {
      double f = m[(size_t)i * n + k] / pivot;
      for (uint32_t j = k; j < n; j++) m[(size_t)i * n + j] -= f * m[(size_t)k * n + j];
    }
  }
  return value;
}

// The sizes of all determinants at the part s of the line from the state that is remembered to y.
static void look(Run *r, double t, const double *y, double s, double *values) {
  const MomentaWatch *m = &r->momenta.watch;
  const Tape *tape = r->p->inertia;
  for (uint32_t e = 0; e < r->p->y.count; e++) m->at[e] = (1 - s) * m->before[e] + s * y[e];
  run_eval_at(r, tape, r->iw, m->told->t + s * (t - m->told->t), m->at);
  for (uint32_t i = 0; i < tape->output_count; i++) m->matrix[i] = tape_result(tape, r->iw, i);
  double *matrix = m->matrix;
  for (uint32_t i = 0; i < r->p->s.blocks.count; i++) {
    const Block *b = &r->p->s.blocks.items[i];
    if (!program_is_inertia(b)) continue;
    values[i] = determinant(matrix, b->count);
    matrix += (size_t)b->count * b->count;
  }
}

// The least value of a block between the ends of a step, by the golden section; *place: in which part of the step.
static double least_between(Run *r, double t, const double *y, uint32_t block, double *place) {
  const double golden = 0.6180339887498949;
  double left = 0, right = 1, a = 1 - golden, b = golden, *room = r->momenta.watch.value[momenta_looks - 1], at_a, at_b;
  look(r, t, y, a, room);
  at_a = room[block];
  look(r, t, y, b, room);
  at_b = room[block];
  for (int i = 0; i < 40; i++) {
    bool low = at_a < at_b;
    if (low) right = b, b = a, at_b = at_a, a = right - golden * (right - left);
    else left = a, a = b, at_a = at_b, b = left + golden * (right - left);
    look(r, t, y, low ? a : b, room);
    *(low ? &at_a : &at_b) = room[block];
  }
  *place = 0.5 * (left + right);
  return fmin(at_a, at_b);
}

// Does the inertia of a block vanish in the step? *place: in which part of it. The values: at the start, a little
// behind it, a little before the end, at the end.
static bool vanishes(Run *r, double t, const double *y, uint32_t block, double *place) {
  double *const *v = r->momenta.watch.value;
  double first = v[0][block], last = v[3][block], most = fmax(first, last);
  if (!(most > 0)) return false;
  *place = first <= vanishing * most ? 0 : 1;
  if (fmin(first, last) <= vanishing * most) return true;
  if (!(v[1][block] < first && v[2][block] < last)) return false;
  return least_between(r, t, y, block, place) <= vanishing * most;
}

void momenta_remember(Run *r, double t, const double *y) {
  const MomentaWatch *m = &r->momenta.watch;
  if (!momenta_watched(r->p)) return;
  m->told->t = t;
  memcpy(m->before, y, r->p->y.total * sizeof *y);
}

// The end of one step and the start of the next are one state.
static void tell(MomentaReported *told, double t, double h, uint32_t coord) {
  if (told->count && fabs(t - told->last) <= 1.5 * h) {
    told->last = t;
    return;
  }
  if (!told->count) {
    told->first = t;
    told->coord = coord;
  }
  told->last = t;
  told->count++;
}

void momenta_look(Run *r, double t, const double *y) {
  static const double parts[momenta_looks - 1] = {0, edge, 1 - edge, 1};
  const MomentaWatch *m = &r->momenta.watch;
  if (!momenta_watched(r->p)) return;
  double h = t - m->told->t, place;
  if (h > 0) {
    for (int i = 0; i < momenta_looks - 1; i++) look(r, t, y, parts[i], m->value[i]);
    for (uint32_t i = 0; i < r->p->s.blocks.count; i++) {
      const Block *b = &r->p->s.blocks.items[i];
      if (!program_is_inertia(b) || !vanishes(r, t, y, i, &place)) continue;
      tell(m->told, m->told->t + place * h, h, b->coords[0]);
      break;
    }
  }
  momenta_remember(r, t, y);
}
