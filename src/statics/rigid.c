// Rigid-body motions of a structure that its supports leave free: translations and rotations.
//
// A node at r from the middle moves by t + w x r. Supports and lines that stand still ask for some of these numbers to
// be zero together; what they leave is the kernel of a 3 x 3 (plane) or 6 x 6 matrix, the sum of r r' over conditions.
// Translations are eliminated first, so that of what is left each is a rotation about its own axis, or a translation.
#include "statics/seek.h"

#include <math.h>
#include <string.h>

enum { rigid_most = 6 };

typedef struct Whole {
  const Problem *p;
  const double *x;
  double middle[3];
  uint32_t dim, count; // of numbers: t, then w
} Whole;

static Whole whole_of(const Problem *p, const double *x) {
  const Structure *s = p->s;
  Whole w = {.p = p, .x = x, .dim = s->dim, .count = s->dim == 2 ? 3 : 6};
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) w.middle[i % s->dim] += x[i] / s->nodes;
  return w;
}

// How the displacement of a node in a direction depends on the numbers; rotations in units of the structure's size.
static void displacement(const Whole *w, uint32_t node, uint32_t axis, double *row) {
  double r[3] = {0};
  for (uint32_t k = 0; k < w->dim; k++) r[k] = (w->x[(size_t)node * w->dim + k] - w->middle[k]) / w->p->extent;
  memset(row, 0, rigid_most * sizeof *row);
  row[axis] = 1;
  if (w->dim == 2) {
    row[2] = axis == 0 ? -r[1] : r[0];
    return;
  }
  uint32_t next = (axis + 1) % 3, last = (axis + 2) % 3; // (w x r)_axis = w_next r_last - w_last r_next
  row[3 + next] = r[last];
  row[3 + last] = -r[next];
}

static void add_condition(const Whole *w, const double *row, double A[rigid_most][rigid_most]) {
  for (uint32_t i = 0; i < w->count; i++) {
    for (uint32_t k = 0; k < w->count; k++) A[i][k] += row[i] * row[k];
  }
}

static void gather_conditions(const Whole *w, double A[rigid_most][rigid_most]) {
  const Structure *s = w->p->s;
  double row[rigid_most], part[rigid_most];
  memset(A, 0, sizeof(double[rigid_most][rigid_most]));
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) {
    if (w->p->unknown[i] != structure_none) continue;
    displacement(w, i / s->dim, i % s->dim, row);
    add_condition(w, row, A);
  }
  for (uint32_t i = 0; i < s->sliders.count; i++) {
    const StructureSlider *slider = &s->sliders.items[i];
    for (uint32_t k = 0; k + 1 < s->dim && slider->c == structure_none; k++) {
      memset(row, 0, sizeof row);
      for (uint32_t a = 0; a < s->dim; a++) {
        displacement(w, slider->node, a, part);
        for (uint32_t n = 0; n < w->count; n++) row[n] += slider->normal[k][a] * part[n];
      }
      add_condition(w, row, A);
    }
  }
}

// Elimination with the pivots of translations first. pivot[k]: the row of column k; none: it is free.
static void eliminate(const Whole *w, double A[rigid_most][rigid_most], uint32_t *pivot) {
  double whole = 0;
  bool used[rigid_most] = {false};
  for (uint32_t k = 0; k < w->count; k++) {
    whole = fmax(whole, A[k][k]);
    pivot[k] = structure_none;
  }
  const double lost = 1e-11; // squares of lengths: a support whose arm is a millionth of the structure does not hold it
  for (uint32_t k = 0; k < w->count; k++) {
    uint32_t best = 0;
    double most = 0;
    for (uint32_t i = 0; i < w->count; i++) {
      if (used[i] || !(fabs(A[i][k]) > most)) continue;
      most = fabs(A[i][k]);
      best = i;
    }
    if (!(most > lost * whole)) continue;
    used[best] = true;
    pivot[k] = best;
    for (uint32_t i = 0; i < w->count; i++) {
      double by = i == best ? 0 : A[i][k] / A[best][k];
      for (uint32_t n = 0; n < w->count && by != 0; n++) A[i][n] -= by * A[best][n];
    }
  }
}

// The axis of a rotation, and its displacement along it; of a translation its direction.
static void describe(const Whole *w, const double *numbers, SeekWhole *out) {
  double t[3] = {numbers[0], numbers[1], w->dim == 3 ? numbers[2] : 0}, turn[3] = {0}, square = 0, pitch = 0;
  for (uint32_t i = 0; i < 3; i++) {
    turn[i] = (w->dim == 3 ? numbers[3 + i] : i == 2 ? numbers[2] : 0) / w->p->extent;
    square += turn[i] * turn[i];
    pitch += turn[i] * t[i];
  }
  *out = (SeekWhole){.turns = square > 0};
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t next = (i + 1) % 3, last = (i + 2) % 3;
    double offset = square > 0 ? (turn[next] * t[last] - turn[last] * t[next]) / square : 0;
    out->about[i] = w->middle[i] + offset;
    out->turn[i] = square > 0 ? turn[i] / sqrt(square) : 0;
    out->along[i] = square > 0 ? turn[i] * pitch / square : t[i];
  }
}

uint32_t seek_whole_motions(const Seek *q, SeekWhole out[seek_whole_most], double *v[seek_whole_most]) {
  const Problem *p = q->p;
  Whole w = whole_of(p, q->x);
  double A[rigid_most][rigid_most], row[rigid_most];
  uint32_t pivot[rigid_most], count = 0;
  gather_conditions(&w, A);
  eliminate(&w, A, pivot);
  for (uint32_t free = 0; free < w.count; free++) {
    if (pivot[free] != structure_none) continue;
    double numbers[rigid_most] = {0};
    numbers[free] = 1;
    for (uint32_t k = 0; k < w.count; k++) {
      if (pivot[k] != structure_none) numbers[k] = -A[pivot[k]][free] / A[pivot[k]][k];
    }
    describe(&w, numbers, &out[count]);
    memset(v[count], 0, p->n * sizeof(double));
    for (uint32_t i = 0; i < p->s->nodes * p->s->dim; i++) {
      if (p->unknown[i] == structure_none) continue;
      displacement(&w, i / w.dim, i % w.dim, row);
      for (uint32_t k = 0; k < w.count; k++) v[count][p->unknown[i]] += row[k] * numbers[k];
    }
    count++;
  }
  return count;
}
