// Stability of a static equilibrium: lowest-stiffness directions, mechanisms, states of self-stress.
//
// The reduced Hessian is positive where Newton's matrix has m negative eigenvalues. Its softest directions come from
// inverse iteration with the same factors, in the metric of rotations, one after the other. A direction has no
// stiffness where what its parts contribute cancels, or where they contribute nothing. It is a motion if a step of some
// degrees along it comes back to the constraint set and is in balance there, too.
#include "base/random.h"
#include "statics/seek.h"

#include <math.h>
#include <string.h>

enum { most_motions = 6 + seek_whole_most };
#define REGULAR 1e-11
// The least pivot of a constraint, against that of one alone. Where constraints depend on each other it is the corner,
// a billionth; so above this no state of self-stress needs to be looked for.
#define INDEPENDENT 1e-4

typedef struct Judge {
  Seek *q;
  double turning, share;       // of the metric in the factors: as little as leaves them regular
  double *found[most_motions]; // n each, metric norm 1
  double stiffness[most_motions];
  uint32_t count;
  // those of the structure as a whole, which come first: as they are shown, and not made orthogonal
  SeekWhole whole[seek_whole_most];
  double *moves[seek_whole_most];
  uint32_t whole_count;
} Judge;

static double dot(const double *a, const double *b, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// v loses what it has of those that were found, and gets the metric norm 1; image becomes M v. False: nothing is left.
static bool orthogonalize(const Judge *j, double *v, double *image) {
  uint32_t n = j->q->p->n;
  problem_metric(j->q->p, j->q->x, v, image);
  double before = sqrt(dot(v, image, n));
  for (uint32_t k = 0; k < j->count; k++) {
    double part = dot(j->found[k], image, n);
    for (uint32_t i = 0; i < n; i++) v[i] -= part * j->found[k][i];
  }
  if (j->count) problem_metric(j->q->p, j->q->x, v, image);
  double norm = sqrt(dot(v, image, n));
  if (!(norm > 1e-7 * before)) return false;
  for (uint32_t i = 0; i < n; i++) {
    v[i] /= norm;
    image[i] /= norm;
  }
  return true;
}

// Has a direction no stiffness?
static bool has_none(const Judge *j, const double *v, double *stiffness) {
  ProblemCurvature c = problem_curvature(j->q->p, j->q->x, j->q->lambda, v);
  // cancelled to a millionth: a load within a millionth of the critical one; or nothing to cancel but rounding
  bool none = fabs(c.value) <= fmax(1e-6 * c.magnitude, c.noise) || c.magnitude <= 1e-12 * j->turning * c.metric;
  *stiffness = none ? 0 : c.value;
  return none;
}

// The softest direction that was not found yet. Returns whether it has no stiffness; *left: whether there is one.
static bool find_softest(Judge *j, double *v, bool *left) {
  *left = false;
  Seek *q = j->q;
  Problem *p = q->p;
  for (uint32_t i = 0; i < p->n; i++) v[i] = random_normal(q->options->seed + j->count, i);
  for (int k = 0; k < 4; k++) {
    if (!orthogonalize(j, v, q->gradient)) return false;
    memcpy(q->b, q->gradient, p->n * sizeof *v);
    memset(q->b + p->n, 0, p->m * sizeof *q->b);
    kkt_solve(&q->kkt, q->b, 0, q->room);
    memcpy(v, q->b, p->n * sizeof *v);
  }
  if (!orthogonalize(j, v, q->gradient)) return false;
  *left = seek_is_left(q, v, 1);
  return *left && has_none(j, v, &j->stiffness[j->count]);
}

static bool is_balanced(Seek *q, double scale) { return seek_force_residue(q, NULL) <= 1e-6 * scale; }

// From q->x, off balance by what a step along v has strained: stiff parts find their equilibrium again. True: that is
// not where the step began, `from`.
static bool settle(Judge *j, const double *from, const double *v, double by, double scale) {
  Seek *q = j->q;
  const Problem *p = q->p;
  double along = 0, square = 0;
  for (int k = 0; k < 8 && !is_balanced(q, scale); k++) {
    if (!seek_newton(q, j->share)) return false;
  }
  for (uint32_t i = 0; i < p->size; i++) {
    if (p->unknown[i] == structure_none) continue;
    along += (q->x[i] - from[i]) * v[p->unknown[i]];
    square += v[p->unknown[i]] * v[p->unknown[i]];
  }
  return is_balanced(q, scale) && seek_length_residue(q) <= 1e-9 * p->extent && along * by >= 0.5 * by * by * square;
}

// A step along v, back onto the constraints, to q->x and its multipliers; then as settle.
static bool moves(Judge *j, const double *from, const double *v, double by, double scale) {
  Seek *q = j->q;
  double unused;
  problem_move(q->p, from, v, by, q->y);
  if (seek_factor(q, j->share, &unused) != kkt_done) return false;
  if (!seek_retract(q, q->y, 1e-12 * q->p->extent)) return false;
  memcpy(q->x, q->y, q->p->size * sizeof *q->x);
  problem_gradient(q->p, q->x, NULL, q->all, q->gradient);
  if (kkt_multipliers(&q->kkt, q->x, q->gradient, kkt_turns, q->lambda, q->room) != kkt_done) return false;
  return settle(j, from, v, by, scale);
}

// Is there balance some degrees along v, both ways?
static bool is_motion(Judge *j, const double *v) {
  Seek *q = j->q;
  Problem *p = q->p;
  double turn = problem_turn(p, q->x, v), most = 0, scale = seek_force_scale(q);
  double *from = arena_array(q->arena, p->size, sizeof *from), *pulls = arena_array(q->arena, p->m, sizeof *pulls);
  for (uint32_t i = 0; i < p->n; i++) most = fmax(most, fabs(v[i]));
  turn = fmax(turn, most / p->extent);
  if (!from || !pulls || !(turn > 0)) return false;
  memcpy(from, q->x, p->size * sizeof *from);
  memcpy(pulls, q->lambda, p->m * sizeof *pulls);
  bool both = true;
  for (int side = -1; side <= 1 && both; side += 2) {
    both = moves(j, from, v, side * 0.05 / turn, scale);
    memcpy(q->x, from, p->size * sizeof *from);
    memcpy(q->lambda, pulls, p->m * sizeof *pulls);
  }
  return both;
}

// Does a motion as a whole strain nothing? Supports that are near to each other against the size of the structure hold
// it all the same, by the parts at them.
static bool strains_nothing(const Judge *j, const double *v) {
  Seek *q = j->q;
  Problem *p = q->p;
  double most = 0, strain = 0;
  memcpy(q->b, v, p->n * sizeof *v);
  memset(q->b + p->n, 0, p->m * sizeof *q->b);
  problem_multiply(p, q->b, q->room);
  for (uint32_t i = 0; i < p->n; i++) most = fmax(most, fabs(v[i]));
  for (uint32_t i = p->n; i < p->n + p->m; i++) strain = fmax(strain, fabs(q->room[i]));
  return strain <= 1e-9 * most;
}

// Those of the structure as a whole that nothing resists.
static bool find_whole(Judge *j) {
  uint32_t n = j->q->p->n;
  for (uint32_t i = 0; i < seek_whole_most; i++) {
    if (!(j->moves[i] = arena_array(j->q->arena, n, sizeof(double)))) return false;
  }
  uint32_t all = seek_whole_motions(j->q, j->whole, j->moves);
  for (uint32_t i = 0; i < all; i++) {
    double stiffness;
    if (!has_none(j, j->moves[i], &stiffness) || !strains_nothing(j, j->moves[i])) continue;
    double *v = j->found[j->count] = arena_array(j->q->arena, n, sizeof *v);
    if (!v) return false;
    memcpy(v, j->moves[i], n * sizeof *v);
    if (!orthogonalize(j, v, j->q->gradient)) continue;
    j->whole[j->whole_count] = j->whole[i];
    j->moves[j->whole_count++] = j->moves[i];
    j->stiffness[j->count++] = 0;
  }
  return true;
}

// What gives most for a force: of all directions that are left the one with the least stiffness against its plain
// length, the first eigenvector of the reduced Hessian. The metric of rotations finds what has no stiffness in long
// chains and short ones alike, but there an oscillation of the whole is as stiff as that of a link.
static void soften(Judge *j, double *v) {
  Seek *q = j->q;
  Problem *p = q->p;
  const double still = 1e-4;
  double last = INFINITY, *w = q->step;
  memcpy(w, v, p->n * sizeof *v);
  for (int k = 0; k < 40; k++) {
    double norm = sqrt(dot(w, w, p->n));
    for (uint32_t i = 0; i < p->n; i++) q->b[i] = w[i] /= norm;
    memset(q->b + p->n, 0, p->m * sizeof *q->b);
    kkt_solve(&q->kkt, q->b, 0, q->room);
    double gives = dot(w, q->b, p->n); // by a force of 1 along w: rises to 1 / (least stiffness)
    memcpy(w, q->b, p->n * sizeof *w);
    if (!(fabs(gives - last) > still * fabs(gives))) break;
    last = gives;
  }
  problem_metric(p, q->x, w, q->gradient);
  double norm = sqrt(dot(w, q->gradient, p->n)), stiffness;
  for (uint32_t i = 0; i < p->n; i++) w[i] /= norm;
  if (!(norm > 0) || !seek_is_left(q, w, 1) || has_none(j, w, &stiffness)) return;
  memcpy(v, w, p->n * sizeof *v);
  j->stiffness[0] = stiffness;
}

// Directions without stiffness, at most `most_motions`; where there is none, the softest one.
static bool find_soft(Judge *j) {
  if (!find_whole(j)) return false;
  for (; j->count < most_motions && j->count < j->q->p->n; j->count++) {
    double *v = arena_array(j->q->arena, j->q->p->n, sizeof *v);
    if (!v) return false;
    bool left, none = find_softest(j, v, &left);
    j->found[j->count] = left ? v : NULL;
    if (left && !none && j->count == 0) soften(j, v);
    if (!none) break;
  }
  return true;
}

// As displacements of all nodes, the largest of which is 1.
static const double *as_motion(const Judge *j, const double *v, double *scale) {
  const Problem *p = j->q->p;
  uint32_t all = p->s->nodes * p->s->dim;
  double *out = arena_array(j->q->arena, all, sizeof *out), most = 0;
  if (!out) return NULL;
  for (uint32_t i = 0; i < all; i++) {
    out[i] = p->unknown[i] == structure_none ? 0 : v[p->unknown[i]];
    most = fmax(most, fabs(out[i]));
  }
  for (uint32_t i = 0; i < all && most > 0; i++) out[i] /= most;
  *scale = most;
  return out;
}

static void keep_whole(const SeekWhole *whole, BalanceMotion *out) {
  out->whole = true;
  out->turns = whole->turns;
  memcpy(out->along, whole->along, sizeof out->along);
  memcpy(out->turn, whole->turn, sizeof out->turn);
  memcpy(out->about, whole->about, sizeof out->about);
}

static bool keep_motions(const Judge *j, uint32_t count, BalanceResult *out) {
  BalanceMotion *motions = arena_array(j->q->arena, count, sizeof *motions);
  if (!motions) return false;
  for (uint32_t i = 0; i < count; i++) {
    double scale;
    bool whole = i < j->whole_count;
    motions[i].motion = as_motion(j, whole ? j->moves[i] : j->found[i], &scale);
    if (!motions[i].motion) return false;
    motions[i].stiffness = scale > 0 ? j->stiffness[i] / (scale * scale) : 0;
    if (whole) keep_whole(&j->whole[i], &motions[i]);
  }
  out->motions = motions;
  out->motion_count = count;
  return true;
}

// Unstable: the direction in which the potential falls.
static BalanceStatus judge_unstable(Judge *j, BalanceResult *out) {
  Seek *q = j->q;
  j->found[0] = arena_array(q->arena, q->p->n, sizeof(double));
  if (!j->found[0]) return balance_no_memory;
  memcpy(j->found[0], q->step, q->p->n * sizeof(double));
  j->stiffness[0] = problem_curvature(q->p, q->x, q->lambda, j->found[0]).value;
  out->verdict = balance_unstable;
  return keep_motions(j, 1, out) ? balance_found : balance_no_memory;
}

// status: of the factors that are there
static BalanceStatus judge_stiffness(Judge *j, KktStatus status, BalanceResult *out) {
  Seek *q = j->q;
  if (status == kkt_no_memory || status == kkt_no_module) return seek_of(status);
  if (status != kkt_done) {
    out->negative = status == kkt_indefinite ? kkt_negative(&q->kkt) : 1;
    if (seek_curve_down(q)) return judge_unstable(j, out);
    out->negative = 0;
    for (; status != kkt_done && j->share < 1; j->share *= 10) status = seek_factor(q, j->share * 10, &j->turning);
    if (status != kkt_done) return seek_of(status);
  }
  if (!find_soft(j)) return balance_no_memory;
  out->verdict = balance_stable;
  uint32_t without = j->count;
  for (uint32_t i = 0; i < without; i++) {
    if (out->verdict != balance_mechanism)
      out->verdict = i < j->whole_count || is_motion(j, j->found[i]) ? balance_mechanism : balance_singular;
  }
  return keep_motions(j, without ? without : j->found[0] ? 1 : 0, out) ? balance_found : balance_no_memory;
}

// ---- states of self-stress: multipliers that pull on nothing

static bool add_note(Seek *q, BalanceNoteKind kind, uint32_t index, double value, BalanceResult *out) {
  // notes are few but of redundant bars in large lattices: they double
  uint32_t count = out->note_count;
  BalanceNote *notes = (BalanceNote *)(uintptr_t)out->notes;
  if ((count & (count - 1)) == 0) {
    notes = arena_grow(q->arena, notes, count * sizeof *notes, (count ? 2 * (size_t)count : 1) * sizeof *notes);
    if (!notes) return false;
  }
  notes[out->note_count++] = (BalanceNote){kind, index, value};
  out->notes = notes;
  return true;
}

static bool find_self_stress(Seek *q, double *z) {
  Problem *p = q->p;
  uint32_t order = p->n + p->m;
  const double nothing = 1e-9;
  for (uint32_t i = 0; i < p->m; i++) z[i] = random_normal(q->options->seed, i);
  for (int k = 0; k < 4; k++) {
    for (uint32_t i = 0; i < order; i++) q->b[i] = i < p->n ? 0 : z[i - p->n];
    kkt_solve(&q->kkt, q->b, 0, q->room);
    double most = 0;
    for (uint32_t i = 0; i < p->m; i++) most = fmax(most, fabs(q->b[p->n + i]));
    for (uint32_t i = 0; i < p->m && most > 0; i++) z[i] = q->b[p->n + i] / most;
  }
  for (uint32_t i = 0; i < order; i++) q->b[i] = i < p->n ? 0 : z[i - p->n];
  problem_multiply(p, q->b, q->step);
  for (uint32_t i = 0; i < p->n; i++) {
    if (!(fabs(q->step[i]) <= nothing)) return false;
  }
  return true;
}

static BalanceStatus judge_redundant(Seek *q, BalanceResult *out) {
  Problem *p = q->p;
  const Structure *s = p->s;
  double *z = arena_array(q->arena, p->m, sizeof *z), *lambda = arena_array(q->arena, p->m, sizeof *lambda);
  if (!z || !lambda) return balance_no_memory;
  problem_gradient(p, q->x, NULL, q->all, q->gradient);
  // the factors of this stay, and serve the search for states that pull on nothing
  KktStatus status = kkt_multipliers(&q->kkt, q->x, q->gradient, kkt_plain, lambda, q->room);
  if (status == kkt_no_memory || status == kkt_no_module) return seek_of(status);
  if (status != kkt_done || !find_self_stress(q, z)) return balance_found;
  status = kkt_multipliers(&q->kkt, q->x, q->gradient, kkt_minimal, lambda, q->room);
  if (status == kkt_done) memcpy(q->lambda, lambda, p->m * sizeof *lambda);
  const double takes_part = 1e-5;
  uint32_t last_body = structure_none;
  for (uint32_t i = 0; i < s->bars.count; i++) {
    const StructureBar *bar = &s->bars.items[i];
    if (!(fabs(z[i]) > takes_part) || (bar->bar == structure_none && bar->rigid == last_body)) continue;
    bool body = bar->bar == structure_none;
    if (body) last_body = bar->rigid;
    BalanceNoteKind kind = body ? balance_note_redundant_body : balance_note_redundant;
    if (!add_note(q, kind, body ? bar->rigid : bar->bar, z[i], out)) return balance_no_memory;
  }
  return balance_found;
}

static bool note_contradictions(Seek *q, BalanceResult *out) {
  const Structure *s = q->p->s;
  double most = 0;
  problem_constraints(q->p, q->x, q->c);
  for (uint32_t i = 0; i < q->p->m; i++) most = fmax(most, fabs(q->c[i]));
  for (uint32_t k = 0; k < q->p->part_count && q->p->parts[k].kind < element_spring; k++) {
    const ProblemPart *part = &q->p->parts[k];
    double value = q->c[part->row];
    if (!(fabs(value) > 1e-3 * most)) continue;
    const StructureBar *bar = part->kind == element_bar ? &s->bars.items[part->index] : NULL;
    BalanceNoteKind kind = bar && bar->bar != structure_none  ? balance_note_contradicts
                           : bar || part->kind == element_tie ? balance_note_contradicts_body
                                                              : balance_note_contradicts_slider;
    uint32_t index = !bar ? part->kind == element_tie ? s->ties.items[part->index].rigid : part->index
                     : bar->bar != structure_none ? bar->bar
                                                  : bar->rigid;
    if (!add_note(q, kind, index, value, out)) return false;
  }
  return true;
}

static bool note_parts(Seek *q, BalanceResult *out) {
  const Structure *s = q->p->s;
  Element e;
  for (uint32_t i = 0; i < s->springs.count; i++) {
    if (!s->springs.items[i].cable) continue;
    element_eval(s, element_spring, i, q->x, 0, &e);
    double missing = s->springs.items[i].length - e.length;
    if (missing >= 0 && !add_note(q, balance_note_slack, i, missing, out)) return false;
  }
  for (uint32_t i = 0; i < s->idle.count; i++) {
    if (!add_note(q, balance_note_load_on_fixed, s->idle.items[i], 0, out)) return false;
  }
  return s->followers.count == 0 || add_note(q, balance_note_follows, 0, 0, out);
}

BalanceStatus seek_judge(Seek *q, BalanceResult *out) {
  Judge j = {.q = q, .share = REGULAR};
  if (!note_parts(q, out)) return balance_no_memory;
  if (out->status == balance_infeasible && !note_contradictions(q, out)) return balance_no_memory;
  if (out->status != balance_found || q->options->no_verdict) return balance_found;
  KktStatus made = q->p->n ? seek_factor(q, REGULAR, &j.turning) : kkt_done;
  bool independent = q->p->n && (made == kkt_done || made == kkt_indefinite) && kkt_least(&q->kkt) > INDEPENDENT;
  if (q->p->m && !independent) {
    BalanceStatus status = judge_redundant(q, out);
    if (status != balance_found) return status;
    // multipliers may have changed, and the factors have
    if (q->p->n) made = seek_factor(q, REGULAR, &j.turning);
  }
  if (q->p->n) return judge_stiffness(&j, made, out);
  out->verdict = balance_stable;
  return balance_found;
}
