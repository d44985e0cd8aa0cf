// Numbering, pattern and sums over parts. See the head of problem.h.
#include "statics/lines.h"
#include "statics/pattern.h"

#include <math.h>
#include <string.h>

// What hangs on nothing: its weight in the metric against a rotation of the whole structure.
#define LOOSE 1e-6

// ---- numbering and pattern

static uint32_t *number_unknowns(Arena *arena, Problem *p) {
  const Structure *s = p->s;
  uint32_t *unknown = arena_array(arena, p->size, sizeof *unknown);
  if (!unknown) return NULL;
  for (uint32_t i = 0; i < p->size; i++) {
    bool fixed = i < s->nodes * s->dim && (s->fixed[i / s->dim] >> (i % s->dim) & 1);
    unknown[i] = fixed ? structure_none : p->n++;
  }
  return unknown;
}

static void list_parts(Problem *p) {
  const Structure *s = p->s;
  uint32_t counts[element_kind_count] = {
      [element_bar] = s->bars.count,         [element_tie] = s->ties.count,
      [element_slider] = s->sliders.count,   [element_spring] = s->springs.count,
      [element_torsion] = s->torsions.count, [element_follower] = s->followers.count};
  for (uint32_t kind = 0; kind < element_kind_count; kind++) {
    if (kind == element_spring) p->first_spring = p->part_count;
    for (uint32_t i = 0; i < counts[kind]; i++) {
      ElementKind which = (ElementKind)kind;
      if (which == element_slider && s->sliders.items[i].c != structure_none) which = element_moving_slider;
      Element e;
      element_places(s, which, i, &e);
      p->parts[p->part_count++] = (ProblemPart){which, i, p->m, 0};
      p->m += e.rows;
    }
  }
}

static double extent_of(const Structure *s) {
  double sum = 0;
  for (uint32_t i = 0; i < s->dim; i++) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t k = 0; k < s->nodes; k++) {
      low = fmin(low, s->place[(size_t)k * s->dim + i]);
      high = fmax(high, s->place[(size_t)k * s->dim + i]);
    }
    sum += (high - low) * (high - low);
  }
  double extent = sqrt(sum);
  for (uint32_t k = 0; k < s->bars.count; k++) extent = fmax(extent, s->bars.items[k].length);
  for (uint32_t k = 0; k < s->springs.count; k++) extent = fmax(extent, s->springs.items[k].length);
  return extent > 0 ? extent : 1;
}

static double typical_of(const Structure *s, double extent) {
  double sum = 0;
  for (uint32_t k = 0; k < s->bars.count; k++) sum += s->bars.items[k].length;
  return sum > 0 ? sum / s->bars.count : extent;
}

Problem *problem_new(Arena *arena, const Structure *s) {
  Problem *p = arena_new_of(arena, Problem);
  if (!p) return NULL;
  *p = (Problem){.s = s, .size = s->nodes * s->dim + s->extras, .extent = extent_of(s)};
  p->typical = typical_of(s, p->extent);
  uint32_t all =
      s->bars.count + s->ties.count + s->sliders.count + s->springs.count + s->torsions.count + s->followers.count;
  p->unknown = number_unknowns(arena, p);
  p->parts = arena_array(arena, all, sizeof *p->parts);
  p->angle = arena_array(arena, s->torsions.count, sizeof *p->angle);
  p->follow = arena_array(arena, 3 * (size_t)s->followers.count, sizeof *p->follow);
  if (arena_failed(arena)) return NULL;
  list_parts(p);
  for (uint32_t i = 0; i < s->torsions.count; i++) p->angle[i] = s->torsions.items[i].rest;
  return pattern_make(arena, p) ? p : NULL;
}

void problem_start(const Problem *p, const double *start, double *x) {
  const Structure *s = p->s;
  uint32_t d = s->dim;
  for (uint32_t i = 0; i < s->nodes * d; i++) {
    x[i] = start && p->unknown[i] != structure_none ? start[i] : s->place[i];
  }
  for (uint32_t k = 0; k < s->sliders.count; k++) {
    const StructureSlider *slider = &s->sliders.items[k];
    if (slider->c == structure_none) continue;
    double dot = 0, square = 0;
    for (uint32_t i = 0; i < d; i++) {
      double line = x[(size_t)slider->d * d + i] - x[(size_t)slider->c * d + i];
      dot += line * (x[(size_t)slider->node * d + i] - x[(size_t)slider->c * d + i]);
      square += line * line;
    }
    x[(size_t)s->nodes * d + slider->extra] = square > 0 ? slider->scale * dot / square : 0;
  }
}

static double near_of(const Problem *p, const ProblemPart *part) {
  return part->kind == element_torsion ? p->angle[part->index] : 0;
}

void problem_accept(Problem *p, const double *x) {
  Element e;
  for (uint32_t i = 0; i < p->s->torsions.count; i++) {
    element_eval(p->s, element_torsion, i, x, p->angle[i], &e);
    p->angle[i] = e.angle;
  }
  for (uint32_t i = 0; i < p->s->followers.count; i++) element_follow(p->s, i, x, p->follow + 3 * (size_t)i);
}

// ---- sums over parts

// Parts that are neither bars nor springs (those are of lines.h): from first_other on.
static uint32_t skip_springs(const Problem *p, uint32_t k) {
  return k == p->first_spring ? k + p->s->springs.count : k;
}
static uint32_t first_other(const Problem *p) { return skip_springs(p, p->s->bars.count); }

typedef struct Sum { // with what rounding lost (Neumaier)
  double value, lost, magnitude;
} Sum;

static void sum_add(Sum *s, double x) {
  double next = s->value + x;
  s->lost += fabs(s->value) >= fabs(x) ? (s->value - next) + x : (x - next) + s->value;
  s->value = next;
  s->magnitude += fabs(x);
}

double problem_energy(Problem *p, const double *x, double *magnitude) {
  const Structure *s = p->s;
  Sum sum = {0};
  Element e;
  for (uint32_t k = p->first_spring; k < p->part_count; k++) {
    const ProblemPart *part = &p->parts[k];
    if (part->kind == element_follower) continue;
    element_eval(s, part->kind, part->index, x, near_of(p, part), &e);
    sum_add(&sum, e.energy);
  }
  for (uint32_t i = 0; i < s->nodes * s->dim; i++) {
    if (s->force[i] != 0) sum_add(&sum, -s->force[i] * x[i]);
  }
  for (uint32_t k = 0; k < s->followers.count; k++) {
    for (uint32_t i = 0; i < s->dim; i++) {
      sum_add(&sum, -p->follow[3 * k + i] * x[(size_t)s->followers.items[k].node * s->dim + i]);
    }
  }
  if (magnitude) *magnitude = sum.magnitude;
  p->evaluations++;
  return sum.value + sum.lost;
}

void problem_forces(Problem *p, const double *x, const double *lambda, double *out) {
  const Structure *s = p->s;
  Element e;
  for (uint32_t i = 0; i < p->size; i++) out[i] = i < s->nodes * s->dim ? -s->force[i] : 0;
  lines_add_forces(p, x, lambda, out);
  for (uint32_t k = first_other(p); k < p->part_count; k = skip_springs(p, k + 1)) {
    const ProblemPart *part = &p->parts[k];
    if (part->kind < element_spring && !lambda) continue;
    if (part->kind == element_follower) {
      for (uint32_t i = 0; i < s->dim; i++) {
        out[s->followers.items[part->index].node * s->dim + i] -= p->follow[3 * (size_t)part->index + i];
      }
      continue;
    }
    element_eval(s, part->kind, part->index, x, near_of(p, part), &e);
    for (uint32_t i = 0; i < e.dofs && part->kind >= element_spring; i++) out[e.dof[i]] += e.gradient[i];
    for (uint32_t r = 0; r < e.rows; r++) {
      for (uint32_t i = 0; i < e.dofs; i++) out[e.dof[i]] += lambda[part->row + r] * e.slope[r][i];
    }
  }
  p->evaluations++;
}

void problem_constraints(Problem *p, const double *x, double *c) {
  Element e;
  lines_constraints(p, x, c);
  for (uint32_t k = p->s->bars.count; k < p->first_spring; k++) {
    element_eval(p->s, p->parts[k].kind, p->parts[k].index, x, 0, &e);
    for (uint32_t r = 0; r < e.rows; r++) c[p->parts[k].row + r] = e.c[r];
  }
}

void problem_gather(const Problem *p, const double *all, double *z) {
  for (uint32_t i = 0; i < p->size; i++) {
    if (p->unknown[i] != structure_none) z[p->unknown[i]] = all[i];
  }
}

void problem_move(const Problem *p, const double *x, const double *dz, double by, double *out) {
  for (uint32_t i = 0; i < p->size; i++)
    out[i] = p->unknown[i] == structure_none ? x[i] : x[i] + by * dz[p->unknown[i]];
}

void problem_gradient(Problem *p, const double *x, const double *lambda, double *all, double *z) {
  problem_forces(p, x, lambda, all);
  problem_gather(p, all, z);
}

// ---- the metric

// Pairs of local nodes whose distance counts, and how many.
static uint32_t pairs_of(ElementKind kind, uint32_t nodes, uint32_t pairs[3][2]) {
  static const uint32_t line[1][2] = {{0, 1}}, tie[3][2] = {{0, 1}, {0, 2}, {0, 3}}, slider[2][2] = {{0, 1}, {0, 2}},
                        torsion[2][2] = {{0, 1}, {2, 1}};
  switch (kind) {
  case element_bar:
  case element_spring: memcpy(pairs, line, sizeof line); return 1;
  case element_tie: memcpy(pairs, tie, sizeof tie); return nodes - 1;
  case element_moving_slider: memcpy(pairs, slider, sizeof slider); return 2;
  case element_torsion: memcpy(pairs, torsion, sizeof torsion); return 2;
  default: return 0;
  }
}

// 1 / l^2 of a pair; lengths that vanish count as a thousandth of the structure.
static double pair_weight(const Problem *p, const Element *e, const uint32_t pair[2], const double *x) {
  uint32_t d = p->s->dim;
  double sum = 0;
  for (uint32_t i = 0; i < d; i++) {
    double v = x[e->dof[pair[1] * d + i]] - x[e->dof[pair[0] * d + i]];
    sum += v * v;
  }
  return sum > 0 ? 1 / sum : 1e6 / (p->extent * p->extent);
}

static void add_metric(const Problem *p, const ProblemPart *part, const Element *e, const double *x, double by,
                       double *H) {
  uint32_t pairs[3][2], d = p->s->dim, n = e->dofs, count = pairs_of(part->kind, n / d, pairs);
  for (uint32_t k = 0; k < count; k++) {
    double w = by * pair_weight(p, e, pairs[k], x);
    for (uint32_t i = 0; i < d; i++) {
      uint32_t a = pairs[k][0] * d + i, b = pairs[k][1] * d + i;
      H[a * n + a] += w;
      H[b * n + b] += w;
      H[a * n + b] -= w;
      H[b * n + a] -= w;
    }
  }
  if (part->kind == element_moving_slider) {
    double scale = p->s->sliders.items[part->index].scale;
    H[n * n - 1] += by / (scale * scale);
  }
}

// ---- the matrix

static void scatter(Problem *p, const ProblemPart *part, const Element *e, const double *H, bool with_slopes) {
  const uint32_t *slot = p->slots + part->slot;
  for (uint32_t i = 0; i < e->dofs * e->dofs; i++) {
    if (slot[i] != structure_none) p->values[slot[i]] += H[i];
  }
  slot += (size_t)e->dofs * e->dofs;
  for (uint32_t k = 0; k < e->rows && with_slopes; k++) {
    for (uint32_t j = 0; j < e->dofs; j++, slot += 2) {
      if (slot[0] == structure_none) continue;
      p->values[slot[0]] += e->slope[k][j];
      p->values[slot[1]] += e->slope[k][j];
    }
  }
}

void problem_fill(Problem *p, const double *x, const ProblemFill *f) {
  double H[element_dofs * element_dofs], loose = f->metric * LOOSE / (p->extent * p->extent);
  Element e;
  memset(p->values, 0, p->start[p->n + p->m] * sizeof *p->values);
  for (uint32_t i = 0; i < p->n; i++) p->values[p->diagonal[i]] = loose;
  for (uint32_t i = p->n; i < p->n + p->m; i++) p->values[p->diagonal[i]] = f->corner;
  lines_fill(p, x, f);
  for (uint32_t k = first_other(p); k < p->part_count; k = skip_springs(p, k + 1)) {
    const ProblemPart *part = &p->parts[k];
    if (part->kind == element_follower && !f->follow) continue;
    ElementRequest request = {.lambda = f->lambda ? f->lambda + part->row : NULL,
                              .weight = f->weight,
                              .shifted = f->shifted,
                              .convex = f->convex,
                              .energy = f->energy};
    element_eval(p->s, part->kind, part->index, x, near_of(p, part), &e);
    element_hessian(p->s, part->kind, part->index, x, &e, &request, H);
    if (f->metric != 0) add_metric(p, part, &e, x, f->metric, H);
    scatter(p, part, &e, H, !f->alone);
  }
}

void problem_scale(const Problem *p, const double *x, const double *lambda, double *stiffness, double *turning) {
  double H[element_dofs * element_dofs];
  Element e;
  *stiffness = *turning = 0;
  lines_scale(p, x, lambda, stiffness, turning);
  for (uint32_t k = first_other(p); k < p->part_count; k = skip_springs(p, k + 1)) {
    const ProblemPart *part = &p->parts[k];
    if (part->kind == element_follower) continue;
    ElementRequest request = {.lambda = lambda ? lambda + part->row : NULL, .energy = true};
    uint32_t pairs[3][2];
    element_eval(p->s, part->kind, part->index, x, near_of(p, part), &e);
    uint32_t count = pairs_of(part->kind, e.dofs / p->s->dim, pairs);
    element_hessian(p->s, part->kind, part->index, x, &e, &request, H);
    double most = 0, weight = count ? pair_weight(p, &e, pairs[0], x) : 1 / (p->extent * p->extent);
    for (uint32_t i = 0; i < e.dofs; i++) most = fmax(most, fabs(H[i * e.dofs + i]));
    *stiffness = fmax(*stiffness, most);
    *turning = fmax(*turning, most / weight);
  }
}

// By how much a pair of nodes rotates, against its length; on a moving line it may also slide, up to a half.
static double pair_turn(const Problem *p, const Element *e, const uint32_t pair[2], const double *x, const double *dz,
                        bool stretches) {
  uint32_t d = p->s->dim;
  double length = 0, along = 0, square = 0;
  for (uint32_t i = 0; i < d; i++) {
    uint32_t a = e->dof[pair[0] * d + i], b = e->dof[pair[1] * d + i];
    double v = x[b] - x[a];
    double dv = (p->unknown[b] == structure_none ? 0 : dz[p->unknown[b]]) -
                (p->unknown[a] == structure_none ? 0 : dz[p->unknown[a]]);
    length += v * v;
    along += v * dv;
    square += dv * dv;
  }
  length = sqrt(length);
  if (!(length > 0)) return 0;
  along = stretches ? along / length : 0;
  const double stretch_share = 0.5; // of a rotation, as of springs
  return fmax(sqrt(fmax(square - along * along, 0)), stretch_share * fabs(along)) / length;
}

double problem_turn(const Problem *p, const double *x, const double *dz) {
  double most = lines_turn(p, x, dz);
  Element e;
  for (uint32_t k = first_other(p); k < p->part_count; k = skip_springs(p, k + 1)) {
    const ProblemPart *part = &p->parts[k];
    uint32_t pairs[3][2];
    element_places(p->s, part->kind, part->index, &e);
    uint32_t count = pairs_of(part->kind, e.dofs / p->s->dim, pairs);
    for (uint32_t i = 0; i < count; i++) {
      most = fmax(most, pair_turn(p, &e, pairs[i], x, dz, part->kind == element_moving_slider));
    }
  }
  return most;
}

void problem_metric(const Problem *p, const double *x, const double *dz, double *out) {
  double H[element_dofs * element_dofs];
  Element e;
  for (uint32_t i = 0; i < p->n; i++) out[i] = dz[i] * LOOSE / (p->extent * p->extent);
  lines_add_metric(p, x, dz, out);
  for (uint32_t k = first_other(p); k < p->part_count; k = skip_springs(p, k + 1)) {
    const ProblemPart *part = &p->parts[k];
    element_places(p->s, part->kind, part->index, &e);
    memset(H, 0, sizeof H);
    add_metric(p, part, &e, x, 1, H);
    for (uint32_t i = 0; i < e.dofs; i++) {
      uint32_t row = p->unknown[e.dof[i]];
      for (uint32_t j = 0; j < e.dofs && row != structure_none; j++) {
        uint32_t column = p->unknown[e.dof[j]];
        if (column != structure_none) out[row] += H[i * e.dofs + j] * dz[column];
      }
    }
  }
}

void problem_multiply(const Problem *p, const double *v, double *out) {
  uint32_t order = p->n + p->m;
  memset(out, 0, order * sizeof *out);
  for (uint32_t c = 0; c < order; c++) {
    for (uint32_t k = p->start[c]; k < p->start[c + 1]; k++) out[p->row[k]] += p->values[k] * v[c];
  }
  for (uint32_t c = p->n; c < order; c++) out[c] -= p->values[p->diagonal[c]] * v[c];
}

static double quadratic(const double *H, const double *v, uint32_t n, double *size) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double term = v[i] * H[i * n + j] * v[j];
      sum += term;
      *size += fabs(term);
    }
  }
  return sum;
}

ProblemCurvature problem_curvature(const Problem *p, const double *x, const double *lambda, const double *dz) {
  const double rounding = 16 * 0x1p-52; // of the terms of one part
  double H[element_dofs * element_dofs], local[element_dofs], size = 0, unused = 0;
  ProblemCurvature out = {0};
  Element e;
  for (uint32_t i = 0; i < p->n; i++) out.metric += dz[i] * dz[i] * LOOSE / (p->extent * p->extent);
  for (uint32_t k = 0; k < p->part_count; k++) {
    const ProblemPart *part = &p->parts[k];
    if (part->kind == element_follower) continue;
    ElementRequest request = {.lambda = lambda ? lambda + part->row : NULL, .energy = true};
    element_eval(p->s, part->kind, part->index, x, near_of(p, part), &e);
    for (uint32_t i = 0; i < e.dofs; i++) {
      local[i] = p->unknown[e.dof[i]] == structure_none ? 0 : dz[p->unknown[e.dof[i]]];
    }
    element_hessian(p->s, part->kind, part->index, x, &e, &request, H);
    double term = quadratic(H, local, e.dofs, &size);
    out.value += term;
    out.magnitude += fabs(term);
    memset(H, 0, sizeof H);
    add_metric(p, part, &e, x, 1, H);
    out.metric += quadratic(H, local, e.dofs, &unused);
  }
  out.noise = rounding * size;
  return out;
}
