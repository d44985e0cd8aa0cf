// Resultant of a planar linkage by dyads: the product over their signs, and its zeros. See resultant.h.
#include "positions/resultant.h"

#include "system/bars.h"

#include <math.h>
#include <string.h>

enum { most_nodes = 40, most_dyads = 6, most_loci = 120, samples = 512, most_degree = 200, most_found = 4096 };
static const double pi = 3.14159265358979323846;
static const double sharp = 1e-8; // of the largest coefficient: the first and the last are larger

typedef struct PlanePoint {
  double complex w, v;
} PlanePoint;

// Where a node can be: on a circle around another one, or on a line.
typedef struct NodeLocus {
  uint32_t node, around;     // around: linkage_none for a line
  double length;             // of a circle
  double complex from, turn; // of a line: a point of it, e^(i direction)
  const char *name;
  bool used;
} NodeLocus;

typedef enum LinkStepKind { step_dyad, step_turn, step_close } LinkStepKind;
typedef struct LinkStep {
  LinkStepKind kind;
  uint32_t node, first, second; // loci
} LinkStep;

typedef struct Linked {
  AssemblyModes *out;
  Curve *c;
  Places *p;
  const SystemDrive *drives;
  uint32_t nodes;
  bool known[most_nodes];
  PlanePoint at[most_nodes];
  NodeLocus loci[most_loci];
  uint32_t locus_count;
  LinkStep steps[2 * most_nodes];
  uint32_t step_count, close, dyads, before; // close: the step of g; dyads: of all; before: those that stand before it
  int lowest;                                // power of z in the product
  uint32_t power;                            // of denominators in it
  double *found;                             // rows of n
  uint32_t found_count;
  Tube tube;
} Linked;

static const char *refused =
    "resultants are taken of planar linkages of bars and sliders, driven by the angles of bars";

// ---- the linkage in numbers

static bool add_locus(Linked *x, NodeLocus l) {
  if (x->locus_count == most_loci) return false;
  x->loci[x->locus_count++] = l;
  return true;
}

static const LinkageNode *node_of(const Linked *x, uint32_t i) { return &x->p->s.linkage.nodes.items[i]; }

// Lengths of bars, then positions of nodes and directions of sliders.
static bool read_numbers(Linked *x, const double *P, double *out) {
  System *s = &x->p->s;
  const Linkage *l = &s->linkage;
  Bars b = {&s->described, s->arena, s->pool};
  uint32_t k = 0, total = l->bars.count + 2 * l->nodes.count + 2 * l->sliders.count;
  ExprId *list = arena_array(s->arena, (size_t)total + 1, sizeof *list);
  if (!list) return false;
  for (uint32_t i = 0; i < l->bars.count; i++) {
    LinkageBar bar = l->bars.items[i];
    list[k++] = bars_bar_length(&b, &bar);
  }
  for (uint32_t i = 0; i < l->nodes.count; i++) {
    list[k++] = l->nodes.items[i].place[0];
    list[k++] = l->nodes.items[i].place[1];
  }
  for (uint32_t i = 0; i < l->sliders.count; i++) {
    list[k++] = l->sliders.items[i].along[0];
    list[k++] = l->sliders.items[i].along[1];
  }
  return places_numbers(x->p, list, total, P, out);
}

// The angle by which a drive holds a bar; its bar; linkage_none: it is no bar's angle.
static uint32_t driven_bar(Linked *x, uint32_t drive) {
  System *s = &x->p->s;
  Bars b = {&s->described, s->arena, s->pool};
  for (uint32_t i = 0; i < s->linkage.bars.count; i++) {
    BarsVector d = bars_between(&b, s->linkage.bars.items[i].a, s->linkage.bars.items[i].b);
    if (expr_fn(s->pool, op_atan2, (ExprId[]){d.at[1], d.at[0]}, 2) == x->drives[drive].value) return i;
  }
  return linkage_none;
}

static bool is_plain(const Linked *x) {
  const System *s = &x->p->s;
  const Linkage *l = &s->linkage;
  if (l->dimensions != 2 || l->nodes.count > most_nodes || l->rigids.count || s->coord_count > 2 * l->nodes.count)
    return false;
  for (uint32_t i = 0; i < l->sliders.count; i++) {
    if (l->sliders.items[i].c != linkage_none) return false;
  }
  uint32_t bars = 0;
  for (uint32_t i = 0; i < l->bars.count; i++) {
    const LinkageBar *bar = &l->bars.items[i];
    bars += !(node_of(x, bar->a)->fixed == 3 && node_of(x, bar->b)->fixed == 3);
  }
  return s->constraints.count == bars + l->sliders.count && !s->tree.balls.count;
}

// Positions, circles and lines. False: out of memory, or x->out->why.
static bool read_linkage(Linked *x, const double *P) {
  const Linkage *l = &x->p->s.linkage;
  x->nodes = l->nodes.count;
  if (!is_plain(x)) return x->out->why = refused, false;
  double *v = arena_array(x->p->arena, l->bars.count + 2 * (size_t)(l->nodes.count + l->sliders.count) + 1, sizeof *v);
  if (!v || !read_numbers(x, P, v)) return false;
  const double *places = v + l->bars.count, *along = places + 2 * (size_t)l->nodes.count;
  bool room = true;
  for (uint32_t i = 0; i < x->nodes; i++) {
    double complex w = places[2 * (size_t)i] + I * places[2 * (size_t)i + 1];
    uint8_t fixed = node_of(x, i)->fixed;
    x->known[i] = fixed == 3;
    if (fixed == 3) x->at[i] = (PlanePoint){w, conj(w)};
    if (fixed == 1 || fixed == 2)
      room = room && add_locus(x, (NodeLocus){i, linkage_none, 0, w, fixed == 1 ? I : 1, node_of(x, i)->name, false});
  }
  for (uint32_t i = 0; i < l->sliders.count; i++) {
    uint32_t n = l->sliders.items[i].node;
    double complex u = along[2 * (size_t)i] + I * along[2 * (size_t)i + 1];
    double complex from = places[2 * (size_t)n] + I * places[2 * (size_t)n + 1];
    room = room && add_locus(x, (NodeLocus){n, linkage_none, 0, from, u / cabs(u), node_of(x, n)->name, false});
  }
  for (uint32_t i = 0; i < l->bars.count; i++) {
    const LinkageBar *bar = &l->bars.items[i];
    if (x->known[bar->a] && x->known[bar->b]) continue;
    room = room && add_locus(x, (NodeLocus){bar->b, bar->a, v[i], 0, 0, bar->name, false});
  }
  if (!room) x->out->why = "there are too many bars";
  return room;
}

// Driven bars have their direction: where one end is known, so is the other one. False: refused.
static bool take_drives(Linked *x, const double *P) {
  const Linkage *l = &x->p->s.linkage;
  for (uint32_t round = 0; round <= x->p->k; round++) {
    for (uint32_t i = 0; i < x->p->k; i++) {
      if (x->p->drive_row[i] == UINT32_MAX) continue;
      uint32_t b = driven_bar(x, i);
      if (b == linkage_none) return x->out->why = refused, false;
      const LinkageBar *bar = &l->bars.items[b];
      for (uint32_t k = 0; k < x->locus_count; k++) {
        NodeLocus *locus = &x->loci[k];
        if (locus->used || locus->name != bar->name) continue;
        uint32_t to = x->known[bar->a] ? bar->b : bar->a;
        if (x->known[to] || (!x->known[bar->a] && !x->known[bar->b])) continue;
        double complex d = locus->length * cexp(I * P[i]) * (to == bar->b ? 1 : -1);
        PlanePoint from = x->at[to == bar->b ? bar->a : bar->b];
        x->at[to] = (PlanePoint){from.w + d, from.v + conj(d)};
        x->known[to] = locus->used = true;
      }
    }
  }
  for (uint32_t i = 0; i < x->p->k; i++) {
    if (x->p->drive_row[i] == UINT32_MAX) continue;
    const LinkageBar *bar = &l->bars.items[driven_bar(x, i)];
    if (!x->known[bar->a] || !x->known[bar->b])
      return x->out->why = "resultants need driven bars that hang at places which are known", false;
  }
  return true;
}

// ---- the order in which nodes are found

// The other end of a locus of this node, if that is known; a line is known by itself.
static bool holds(const bool *known, const NodeLocus *l, uint32_t node) {
  if (l->used) return false;
  if (l->around == linkage_none) return l->node == node;
  return (l->node == node && known[l->around]) || (l->around == node && known[l->node]);
}

static bool add_dyad(Linked *x, bool *known) {
  for (uint32_t n = 0; n < x->nodes; n++) {
    uint32_t found[2], count = 0;
    for (uint32_t k = 0; !known[n] && k < x->locus_count && count < 2; k++) {
      if (holds(known, &x->loci[k], n)) found[count++] = k;
    }
    if (count < 2) continue;
    if (x->loci[found[0]].around == linkage_none && x->loci[found[1]].around == linkage_none) continue; // two lines
    x->steps[x->step_count++] = (LinkStep){step_dyad, n, found[0], found[1]};
    x->loci[found[0]].used = x->loci[found[1]].used = known[n] = true;
    x->dyads++;
    return true;
  }
  return false;
}

// A bar, or a line, between what is known: it closes.
static bool add_close(Linked *x, const bool *known) {
  for (uint32_t k = 0; k < x->locus_count; k++) {
    NodeLocus *l = &x->loci[k];
    if (l->used || !known[l->node] || (l->around != linkage_none && !known[l->around])) continue;
    x->close = x->step_count;
    x->before = x->dyads;
    x->steps[x->step_count++] = (LinkStep){step_close, l->node, k, k};
    l->used = true;
    return true;
  }
  return false;
}

// Everything that follows without a further unknown; closed: how often something closed.
static void go_on(Linked *x, bool *known, uint32_t *closed) {
  for (bool more = true; more && x->step_count < 2 * most_nodes - 2;) {
    more = false;
    if (add_close(x, known)) ++*closed, more = true;
    else more = add_dyad(x, known);
  }
}

// Rotates a bar about a known end, and goes on. True: everything is known, and one thing closed.
static bool try_turn(Linked *x, uint32_t locus) {
  bool known[most_nodes];
  uint32_t closed = 0;
  NodeLocus *l = &x->loci[locus];
  memcpy(known, x->known, sizeof known);
  for (uint32_t i = 0; i < x->step_count; i++) known[x->steps[i].node] = true;
  if (l->used || l->around == linkage_none || known[l->node] == known[l->around]) return false;
  uint32_t to = known[l->node] ? l->around : l->node;
  x->steps[x->step_count++] = (LinkStep){step_turn, to, locus, locus};
  l->used = known[to] = true;
  go_on(x, known, &closed);
  bool all = closed == 1;
  for (uint32_t i = 0; i < x->nodes; i++) all = all && known[i];
  for (uint32_t i = 0; i < x->locus_count; i++) all = all && x->loci[i].used;
  return all && x->before <= most_dyads && x->dyads <= 2 * most_dyads;
}

static bool plan(Linked *x) {
  bool known[most_nodes], all = true;
  uint32_t fewest = UINT32_MAX;
  memcpy(known, x->known, sizeof known);
  x->close = UINT32_MAX;
  while (x->step_count < 2 * most_nodes - 2 && add_dyad(x, known)) continue;
  for (uint32_t i = 0; i < x->nodes; i++) all = all && known[i];
  if (all && add_close(x, known)) return x->out->why = "constraints follow from each other", false;
  if (all) return x->dyads <= 2 * most_dyads ? true : (x->out->why = "there are too many dyads", false);
  // the rotated bar with the fewest signs
  Linked before = *x, best = *x;
  for (uint32_t k = 0; k < before.locus_count; k++) {
    *x = before;
    if (!try_turn(x, k) || x->before >= fewest) continue;
    fewest = x->before;
    best = *x;
  }
  *x = fewest == UINT32_MAX ? before : best;
  if (fewest == UINT32_MAX)
    x->out->why = "more than one angle would have to be eliminated, or something can still move";
  return fewest != UINT32_MAX;
}

// ---- evaluation

static PlanePoint end_of(const NodeLocus *l, uint32_t node, const PlanePoint *at) {
  return at[l->node == node ? l->around : l->node];
}

// The node of a dyad, by the sign of its root; *scale: its denominator.
static PlanePoint dyad(const Linked *x, const LinkStep *s, const PlanePoint *at, int sign, double complex *scale) {
  const NodeLocus *a = &x->loci[s->first], *b = &x->loci[s->second];
  if (a->around == linkage_none || b->around == linkage_none) {
    const NodeLocus *line = a->around == linkage_none ? a : b, *circle = line == a ? b : a;
    PlanePoint c = end_of(circle, s->node, at);
    double complex e = line->turn, f = conj(e), dw = line->from - c.w, dv = conj(line->from) - c.v;
    double complex half = (e * dv + f * dw) / 2;
    double complex tau = -half + sign * csqrt(half * half - dw * dv + circle->length * circle->length);
    *scale = 1;
    return (PlanePoint){line->from + tau * e, conj(line->from) + tau * f};
  }
  PlanePoint p = end_of(a, s->node, at), q = end_of(b, s->node, at);
  double complex D = q.w - p.w, E = q.v - p.v, r2 = a->length * a->length;
  double complex along = (r2 - b->length * b->length + D * E) / 2, root = csqrt(along * along - r2 * D * E);
  *scale = D * E;
  return (PlanePoint){p.w + (along + sign * root) / E, p.v + (along - sign * root) / D};
}

// Nodes at z by signs (a bit for each dyad) up to a step; the product of the denominators, of those with sign + alone
// (half) or of all.
static double complex place(const Linked *x, double complex z, uint32_t signs, uint32_t until, bool half,
                            PlanePoint *at) {
  double complex all = 1, one;
  uint32_t bit = 0;
  memcpy(at, x->at, sizeof x->at);
  for (uint32_t i = 0; i < until; i++) {
    const LinkStep *s = &x->steps[i];
    const NodeLocus *l = &x->loci[s->first];
    if (s->kind == step_turn) {
      PlanePoint from = end_of(l, s->node, at);
      at[s->node] = (PlanePoint){from.w + l->length * z, from.v + l->length / z};
    } else if (s->kind == step_dyad) {
      bool minus = signs >> bit++ & 1;
      at[s->node] = dyad(x, s, at, minus ? -1 : 1, &one);
      if (!half || !minus) all *= one;
    }
  }
  return all;
}

// What is left over at step `close`.
static double complex left_over(const Linked *x, const PlanePoint *at) {
  const NodeLocus *l = &x->loci[x->steps[x->close].first];
  PlanePoint p = at[l->node];
  if (l->around == linkage_none) return conj(l->turn) * (p.w - l->from) - l->turn * (p.v - conj(l->from));
  PlanePoint q = at[l->around];
  return (p.w - q.w) * (p.v - q.v) - l->length * l->length;
}

// The product over all signs, times the denominators. One of both signs of a dyad has a pole where its denominator
// vanishes, so each counts once (power 0); behind other dyads more often.
static double complex product(const Linked *x, double complex z, uint32_t power) {
  double complex all = 1;
  PlanePoint at[most_nodes];
  for (uint32_t signs = 0; signs < 1u << x->before; signs++) {
    double complex scale = place(x, z, signs, x->close, power == 0, at);
    all *= left_over(x, at);
    for (uint32_t k = 0; k < (power ? power : 1); k++) all *= scale;
  }
  return all;
}

// ---- coefficients and zeros

// Coefficients of z^-K .. z^K by the values on the unit circle; the lowest power that is there, and the degree above
// it. False: it is no polynomial of that width.
static bool interpolate(Linked *x, uint32_t power, double complex *coef, uint32_t *degree) {
  double complex *value = arena_array(x->p->arena, samples, sizeof *value);
  double complex *all = arena_array(x->p->arena, samples, sizeof *all);
  double most = 0, noise;
  if (!value || !all) return false;
  for (int j = 0; j < samples; j++) value[j] = product(x, cexp(2 * pi * I * (j + 0.5) / samples), power);
  for (int k = 0; k < samples; k++) {
    int at = k - samples / 2;
    for (int j = 0; j < samples; j++) all[k] += value[j] * cexp(-2 * pi * I * fmod((j + 0.5) * at, samples) / samples);
    all[k] /= samples;
    most = fmax(most, cabs(all[k]));
  }
  noise = 1e-12 * most;
  int first = 0, last = samples - 1;
  if (!(most > 0) || !isfinite(most)) return false;
  while (cabs(all[first]) <= noise) first++;
  while (cabs(all[last]) <= noise) last--;
  if (first < samples / 8 || last > samples - samples / 8 || last - first > most_degree) return false;
  // a series that only falls, because a pole is left, has no last coefficient
  if (cabs(all[first]) < sharp * most || cabs(all[last]) < sharp * most) return false;
  *degree = (uint32_t)(last - first);
  x->lowest = first - samples / 2;
  x->power = power;
  for (int k = first; k <= last; k++) coef[k - first] = all[k] / most;
  return true;
}

// f'/f of the polynomial, by its coefficients; NAN: f is zero.
static double complex slope_by_coefficients(const double complex *coef, uint32_t degree, double complex z) {
  double complex f = coef[degree], g = 0;
  for (uint32_t k = degree; k-- > 0;) {
    g = g * z + f;
    f = f * z + coef[k];
  }
  return f == 0 ? NAN : g / f;
}

// The same by the product itself, whose digits do not suffer from zeros that lie close together.
static double complex slope_by_product(const Linked *x, double complex z) {
  double complex f = product(x, z, x->power), h = 1e-6 * z;
  if (f == 0) return NAN;
  return (product(x, z + h, x->power) - product(x, z - h, x->power)) / (2 * h * f) - x->lowest / z;
}

// Aberth's iteration, first by the coefficients, then by the product.
static void find_zeros(const Linked *x, const double complex *coef, uint32_t degree, double complex *zero) {
  enum { rounds = 500, polished = 20 };
  double radius = pow(cabs(coef[0] / coef[degree]), 1.0 / degree);
  for (uint32_t i = 0; i < degree; i++) zero[i] = radius * cexp(I * (2 * pi * i / degree + 0.4));
  for (int round = 0; round < rounds + polished; round++) {
    double moved = 0;
    bool last = round >= rounds;
    for (uint32_t i = 0; i < degree; i++) {
      double complex slope = last ? slope_by_product(x, zero[i]) : slope_by_coefficients(coef, degree, zero[i]),
                     sum = 0;
      for (uint32_t k = 0; k < degree; k++) {
        if (k != i) sum += 1 / (zero[i] - zero[k]);
      }
      double complex step = 1 / (slope - sum);
      if (!isfinite(creal(step)) || !isfinite(cimag(step)) || (last && cabs(step) > 0.1 * cabs(zero[i]))) continue;
      zero[i] -= step;
      moved = fmax(moved, cabs(step) / fmax(1e-30, cabs(zero[i])));
    }
    if (moved < 1e-14 && !last) round = rounds - 1;
  }
}

// ---- positions

static bool is_real(const Linked *x, const PlanePoint *at, double part) {
  for (uint32_t i = 0; i < x->nodes; i++) {
    if (!(cabs(at[i].w - conj(at[i].v)) <= part * fmax(1, cabs(at[i].w)))) return false;
  }
  return true;
}

// The nodes as unknowns; corrected, proved, and new? Counted in x->out.
static void take(Linked *x, const PlanePoint *at, const double *P) {
  Places *p = x->p;
  System *s = &p->s;
  Bars b = {&s->described, s->arena, s->pool};
  double *z = x->found + (size_t)x->found_count * p->n;
  if (x->found_count == most_found) return;
  memset(z, 0, ((size_t)p->n + 1) * sizeof *z);
  for (uint32_t i = 0; i < x->nodes; i++) {
    const double xy[2] = {(creal(at[i].w) + creal(at[i].v)) / 2, (cimag(at[i].w) - cimag(at[i].v)) / 2};
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t coord = bars_coord(&b, i, k);
      if (coord != linkage_none) z[coord] = xy[k];
    }
  }
  for (uint32_t i = 0; i < p->k; i++) {
    for (uint32_t k = 0; k < p->n; k++) {
      if (p->unknown[0][k] == expr_symbol(&p->pool, p->driven[i])) z[k] = P[i];
    }
  }
  assembly_set_angles(p, z, P);
  if (!assembly_prove(x->c, &x->tube, z)) {
    x->out->unproved++;
    return;
  }
  for (uint32_t k = 0; k < x->found_count; k++) {
    double off = 0;
    for (uint32_t i = 0; i < p->coords; i++) off = fmax(off, fabs(z[i] - x->found[(size_t)k * p->n + i]));
    if (off <= 1e-8 * p->size) return;
  }
  x->found_count++;
}

// All signs behind what closed, at a zero; without one, all signs at all.
static void take_all(Linked *x, double complex z, uint32_t fixed, uint32_t signs, const double *P) {
  uint32_t rest = x->dyads - fixed;
  PlanePoint at[most_nodes];
  for (uint32_t more = 0; more < 1u << rest; more++) {
    place(x, z, signs | more << fixed, x->step_count, false, at);
    if (is_real(x, at, 1e-3)) take(x, at, P);
  }
}

// Zeros that lie close together have few digits: all that are near the unit circle are tried, and what Newton's method
// and the proof make of them counts.
static void look_at_zero(Linked *x, double complex z, const double *P) {
  PlanePoint at[most_nodes];
  double off = fabs(cabs(z) - 1), size = x->p->size * x->p->size;
  bool any = false, near = off < 0.05, circle = off < 1e-4;
  uint32_t unproved = x->out->unproved;
  if (near) z /= cabs(z); // at real positions signs of roots may change with the last bit: all is asked at one z
  for (uint32_t signs = 0; signs < 1u << x->before; signs++) {
    double scale = cabs(place(x, z, signs, x->close, false, at)), g = cabs(left_over(x, at));
    if (!isfinite(g) || !(scale > 1e-9 * pow(x->p->size, 2.0 * x->before))) continue;
    any = any || g <= 1e-4 * size;
    if (near && g <= (circle ? 1e-2 : 0.2) * size) take_all(x, z, x->before, signs, P);
  }
  if (!any || !circle) x->out->unproved = unproved; // only tried
  if (!any && !near) x->out->extraneous++;
  else if (!circle) x->out->complex_zeros++;
}

static bool eliminate(Linked *x, const double *P) {
  double complex *coef = arena_array(x->p->arena, samples, sizeof *coef);
  double complex *zero = arena_array(x->p->arena, samples, sizeof *zero);
  uint32_t degree = 0;
  bool ok = false;
  if (!coef || !zero) return false;
  for (uint32_t power = 0; power <= 2 && !ok; power++) ok = interpolate(x, power, coef, &degree) && degree > 0;
  if (arena_failed(x->p->arena)) return false;
  if (!ok) return x->out->why = "the resultant could not be made: its degree is too high for these numbers", true;
  find_zeros(x, coef, degree, zero);
  x->out->degree = degree;
  for (uint32_t i = 0; i < degree; i++) look_at_zero(x, zero[i], P);
  return true;
}

// Different directions of the rotated bar among what was found: as many as there are real zeros, if none is missing.
static uint32_t count_directions(Linked *x) {
  uint32_t count = 0;
  const NodeLocus *l = NULL;
  System *s = &x->p->s;
  Bars b = {&s->described, s->arena, s->pool};
  for (uint32_t i = 0; i < x->step_count; i++) {
    if (x->steps[i].kind == step_turn) l = &x->loci[x->steps[i].first];
  }
  double *seen = arena_array(x->p->arena, 2 * (size_t)x->found_count + 2, sizeof *seen);
  for (uint32_t k = 0; seen && l && k < x->found_count; k++) {
    double d[2];
    bool known = false;
    for (uint32_t a = 0; a < 2; a++) {
      uint32_t from = bars_coord(&b, l->around, a), to = bars_coord(&b, l->node, a);
      const double *u = x->found + (size_t)k * x->p->n;
      double at[2] = {creal(a ? x->at[l->around].w / I : x->at[l->around].w),
                      creal(a ? x->at[l->node].w / I : x->at[l->node].w)};
      d[a] = (to != linkage_none ? u[to] : at[1]) - (from != linkage_none ? u[from] : at[0]);
    }
    for (uint32_t i = 0; i < count; i++)
      known = known || hypot(d[0] - seen[2 * (size_t)i], d[1] - seen[2 * (size_t)i + 1]) < 1e-9 * x->p->size;
    if (known) continue;
    memcpy(seen + 2 * (size_t)count++, d, sizeof d);
  }
  return count;
}

bool resultant_modes_find(AssemblyModes *out, Curve *c, const SystemDrive *drives, const double *P) {
  Linked *x = arena_new_of(c->p->arena, Linked);
  if (!x) return false;
  *out = (AssemblyModes){.resultant = true};
  *x = (Linked){.out = out, .c = c, .p = c->p, .drives = drives};
  if (!c->dense) return out->why = "there are too many unknowns", true;
  x->found = arena_array(c->p->arena, ((size_t)most_found + 1) * c->p->n + 2, sizeof *x->found);
  if (!x->found || !tube_open(&x->tube, c)) return false;
  if (!read_linkage(x, P) || !take_drives(x, P) || !plan(x)) return out->why != NULL;
  if (x->close == UINT32_MAX) take_all(x, 1, 0, 0, P);
  else if (!eliminate(x, P)) return false;
  if (x->close != UINT32_MAX) {
    for (uint32_t i = 0; i < x->step_count; i++) {
      if (x->steps[i].kind == step_turn) out->turned_bar = x->loci[x->steps[i].first].name;
    }
  }
  out->u = x->found;
  out->count = x->found_count;
  assembly_sort(out, c->p);
  out->all = !out->why && !out->unproved;
  if (x->close != UINT32_MAX)
    out->all = out->all && count_directions(x) + out->complex_zeros + out->extraneous >= out->degree;
  return !arena_failed(c->p->arena);
}
