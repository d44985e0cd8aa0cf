// Sums over bars and springs. See the head of lines.h.
#include "statics/lines.h"

#include <math.h>

typedef struct Line {
  uint32_t a, b; // its first coordinates
  double length, u[3];
} Line;

// A line without length has the first axis.
static inline Line line_at(const Structure *s, uint32_t a, uint32_t b, const double *x) {
  Line l = {.a = a * s->dim, .b = b * s->dim};
  double sum = 0;
  for (uint32_t i = 0; i < s->dim; i++) {
    l.u[i] = x[l.b + i] - x[l.a + i];
    sum += l.u[i] * l.u[i];
  }
  l.length = sqrt(sum);
  double by = 1 / l.length;
  for (uint32_t i = 0; i < s->dim; i++) l.u[i] = l.length > 0 ? l.u[i] * by : i == 0;
  return l;
}

// 1 / l^2; lengths that vanish count as a thousandth of the structure.
static inline double weight_of(const Problem *p, const Line *l) {
  return l->length > 0 ? 1 / (l->length * l->length) : 1e6 / (p->extent * p->extent);
}

// Along and across of H = along u u' + across (1 - u u').
typedef struct LineStiffness {
  double along, across;
} LineStiffness;

static inline LineStiffness bar_stiffness(const Line *l, double lambda) {
  return (LineStiffness){0, l->length > 0 ? lambda / l->length : 0};
}

static inline LineStiffness spring_stiffness(const Structure *s, const StructureSpring *spring, const Line *l) {
  double force, slope;
  element_spring_law(s, spring, l->length - spring->length, &force, &slope);
  // at length 0 the direction is anyone's: the force of a spring with a rest length has no derivative there
  return (LineStiffness){slope, l->length > 0 ? force / l->length : spring->length == 0 ? slope : 0};
}

void lines_constraints(const Problem *p, const double *x, double *c) {
  const Structure *s = p->s;
  for (uint32_t i = 0; i < s->bars.count; i++) {
    const StructureBar *bar = &s->bars.items[i];
    double sum = 0;
    for (uint32_t k = 0; k < s->dim; k++) {
      double v = x[(size_t)bar->b * s->dim + k] - x[(size_t)bar->a * s->dim + k];
      sum += v * v;
    }
    c[i] = sqrt(sum) - bar->length;
  }
}

static inline void pull(const Structure *s, const Line *l, double force, double *out) {
  for (uint32_t k = 0; k < s->dim; k++) {
    out[l->a + k] -= force * l->u[k];
    out[l->b + k] += force * l->u[k];
  }
}

void lines_add_forces(const Problem *p, const double *x, const double *lambda, double *out) {
  const Structure *s = p->s;
  double force, slope;
  for (uint32_t i = 0; i < s->bars.count && lambda; i++) {
    Line l = line_at(s, s->bars.items[i].a, s->bars.items[i].b, x);
    pull(s, &l, lambda[i], out);
  }
  for (uint32_t i = 0; i < s->springs.count; i++) {
    const StructureSpring *spring = &s->springs.items[i];
    Line l = line_at(s, spring->a, spring->b, x);
    element_spring_law(s, spring, l.length - spring->length, &force, &slope);
    pull(s, &l, force, out);
  }
}

// A block of one end: E into its own rows, -E into those of the other, the gradient into those of the constraint.
static inline void put_end(double *values, const ProblemBlock *own, const ProblemBlock *other, uint32_t across,
                           double E[3][3]) {
  double *column = values + own->base;
  for (uint32_t i = 0; i < own->count; i++, column += own->length) {
    const double *row = E[own->axis[i]];
    for (uint32_t j = 0; j < own->count; j++) column[j] += row[own->axis[j]];
    for (uint32_t j = 0; j < other->count; j++) column[across + j] -= row[other->axis[j]];
  }
}

// The same where both ends are free in all directions, whose number the compiler knows.
static inline void put_free(double *values, const ProblemBlock *own, uint32_t across, double E[3][3],
                            const uint32_t dim) {
  double *column = values + own->base;
  for (uint32_t i = 0; i < dim; i++, column += own->length) {
    for (uint32_t j = 0; j < dim; j++) {
      column[j] += E[i][j];
      column[across + j] -= E[i][j];
    }
  }
}

static inline void put_line(Problem *p, const ProblemLine *at, const ProblemBlock *a, const ProblemBlock *b,
                            const Line *l, LineStiffness k, double metric) {
  double E[3][3], steep = k.along - k.across, even = k.across + metric;
  for (uint32_t i = 0; i < p->s->dim; i++) {
    for (uint32_t j = 0; j < p->s->dim; j++) E[i][j] = steep * l->u[i] * l->u[j] + (i == j ? even : 0);
  }
  uint32_t d = p->s->dim;
  if (a->count < d || b->count < d) {
    put_end(p->values, a, b, at->ab, E);
    put_end(p->values, b, a, at->ba, E);
  } else if (d == 2) {
    put_free(p->values, a, at->ab, E, 2);
    put_free(p->values, b, at->ba, E, 2);
  } else {
    put_free(p->values, a, at->ab, E, 3);
    put_free(p->values, b, at->ba, E, 3);
  }
}

static inline void put_slope(Problem *p, uint32_t bar, const ProblemLine *at, const ProblemBlock *a,
                             const ProblemBlock *b, const Line *l) {
  double *own = p->values + p->start[p->n + bar];
  for (uint32_t i = 0; i < a->count; i++) {
    *own++ = p->values[a->base + i * a->length + at->ca] = -l->u[a->axis[i]];
  }
  for (uint32_t i = 0; i < b->count; i++) {
    *own++ = p->values[b->base + i * b->length + at->cb] = l->u[b->axis[i]];
  }
}

void lines_fill(Problem *p, const double *x, const ProblemFill *f) {
  const Structure *s = p->s;
  for (uint32_t i = 0; i < s->bars.count; i++) {
    const StructureBar *bar = &s->bars.items[i];
    Line l = line_at(s, bar->a, bar->b, x);
    double lambda = (f->lambda ? f->lambda[i] : 0) + (f->shifted ? f->weight * (l.length - bar->length) : 0);
    LineStiffness k = bar_stiffness(&l, f->convex ? fmax(lambda, 0) : lambda);
    k.along += f->weight;
    double metric = f->metric != 0 ? f->metric * weight_of(p, &l) : 0;
    const ProblemBlock *a = &p->blocks[bar->a], *b = &p->blocks[bar->b];
    put_line(p, &p->lines[i], a, b, &l, k, metric);
    if (!f->alone) put_slope(p, i, &p->lines[i], a, b, &l);
  }
  for (uint32_t i = 0; i < s->springs.count; i++) {
    const StructureSpring *spring = &s->springs.items[i];
    Line l = line_at(s, spring->a, spring->b, x);
    LineStiffness k = f->energy ? spring_stiffness(s, spring, &l) : (LineStiffness){0, 0};
    if (f->convex) k = (LineStiffness){fmax(k.along, 0), fmax(k.across, 0)};
    double metric = f->metric != 0 ? f->metric * weight_of(p, &l) : 0;
    put_line(p, &p->lines[s->bars.count + i], &p->blocks[spring->a], &p->blocks[spring->b], &l, k, metric);
  }
}

static inline void take_scale(const Problem *p, const Line *l, LineStiffness k, double *stiffness, double *turning) {
  double most = 0;
  for (uint32_t i = 0; i < p->s->dim; i++) {
    double entry = fabs((k.along - k.across) * l->u[i] * l->u[i] + k.across);
    if (entry > most) most = entry;
  }
  double turn = most / weight_of(p, l);
  if (most > *stiffness) *stiffness = most;
  if (turn > *turning) *turning = turn;
}

void lines_scale(const Problem *p, const double *x, const double *lambda, double *stiffness, double *turning) {
  const Structure *s = p->s;
  for (uint32_t i = 0; i < s->bars.count && lambda; i++) {
    Line l = line_at(s, s->bars.items[i].a, s->bars.items[i].b, x);
    take_scale(p, &l, bar_stiffness(&l, lambda[i]), stiffness, turning);
  }
  for (uint32_t i = 0; i < s->springs.count; i++) {
    Line l = line_at(s, s->springs.items[i].a, s->springs.items[i].b, x);
    take_scale(p, &l, spring_stiffness(s, &s->springs.items[i], &l), stiffness, turning);
  }
}

// How the difference of its ends changes when x moves by dz.
static inline void change(const Problem *p, uint32_t a, uint32_t b, const double *dz, double dv[3]) {
  uint32_t d = p->s->dim;
  const uint32_t *from = p->unknown + (size_t)a * d, *to = p->unknown + (size_t)b * d;
  for (uint32_t i = 0; i < d; i++) {
    dv[i] = (to[i] == structure_none ? 0 : dz[to[i]]) - (from[i] == structure_none ? 0 : dz[from[i]]);
  }
}

// The square of the angle that a spring rotates by; it may also change its length, up to a half.
static double spring_turn(const Problem *p, const StructureSpring *spring, const double *x, const double *dz) {
  Line l = line_at(p->s, spring->a, spring->b, x);
  const double stretch_share = 0.5; // of a rotation: a length changes less dangerously than a direction
  double dv[3], along = 0, square = 0, length = fmax(l.length, 0.1 * spring->length); // shorter than that: folded
  change(p, spring->a, spring->b, dz, dv);
  for (uint32_t i = 0; i < p->s->dim; i++) {
    along += l.u[i] * l.length * dv[i];
    square += dv[i] * dv[i];
  }
  along /= length;
  double across = fmax(square - along * along, 0);
  return fmax(across, stretch_share * stretch_share * along * along) / (length * length);
}

double lines_turn(const Problem *p, const double *x, const double *dz) {
  const Structure *s = p->s;
  double most = 0;
  for (uint32_t i = 0; i < s->bars.count; i++) {
    const StructureBar *bar = &s->bars.items[i];
    double dv[3], square = 0, length = 0;
    change(p, bar->a, bar->b, dz, dv);
    for (uint32_t k = 0; k < s->dim; k++) {
      double v = x[(size_t)bar->b * s->dim + k] - x[(size_t)bar->a * s->dim + k];
      length += v * v;
      square += dv[k] * dv[k];
    }
    if (length > 0 && square > most * length) most = square / length;
  }
  for (uint32_t i = 0; i < s->springs.count; i++) {
    // one without a rest length has no direction to keep
    if (s->springs.items[i].length != 0) most = fmax(most, spring_turn(p, &s->springs.items[i], x, dz));
  }
  return sqrt(most);
}

static inline void add_difference(const Problem *p, uint32_t a, uint32_t b, const double *x, const double *dz,
                                  double *out) {
  uint32_t d = p->s->dim;
  const uint32_t *from = p->unknown + (size_t)a * d, *to = p->unknown + (size_t)b * d;
  double dv[3], sum = 0;
  for (uint32_t i = 0; i < d; i++) {
    double v = x[(size_t)b * d + i] - x[(size_t)a * d + i];
    sum += v * v;
  }
  double by = sum > 0 ? 1 / sum : 1e6 / (p->extent * p->extent);
  change(p, a, b, dz, dv);
  for (uint32_t i = 0; i < d; i++) {
    if (from[i] != structure_none) out[from[i]] -= by * dv[i];
    if (to[i] != structure_none) out[to[i]] += by * dv[i];
  }
}

void lines_add_metric(const Problem *p, const double *x, const double *dz, double *out) {
  const Structure *s = p->s;
  for (uint32_t i = 0; i < s->bars.count; i++) add_difference(p, s->bars.items[i].a, s->bars.items[i].b, x, dz, out);
  for (uint32_t i = 0; i < s->springs.count; i++)
    add_difference(p, s->springs.items[i].a, s->springs.items[i].b, x, dz, out);
}
