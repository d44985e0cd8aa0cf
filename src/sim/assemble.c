// Consistent initial conditions: projection of the start onto the constraint manifold. A part of assembly.h.
//
// Given initial values are kept. Guessed and unset ones move until the constraints hold, positions first, then
// velocities. Where that is impossible, all move as little as possible. The steps are those of Levenberg and Marquardt,
//   d = -G' (G G' + mu)^-1 r,
// with the rows of G scaled to length 1, so that units do not matter; mu falls with the residuals. Small systems are
// solved densely, larger ones by the sparse factors of [1 G'; G -mu].
#include "hybrid/settle.h"
#include "sim/assembly.h"

#include <string.h>

enum { most_iterations = 200 };
// Given values may move by this part of the size of the bound coordinates; further away it is a mistake.
static const double most_moved = 0.25;
static const double residue_slack = 1e-13;
static const double least_row = 1e-4; // of its typical size: a smaller row of G is not made longer

static uint32_t entry_count(const Assembly *a) { return a->plan->start[a->plan->count]; }

double assembly_evaluate(Assembly *a) {
  Run *r = a->r;
  ConstraintRun *c = &r->constraints;
  const ConstraintPlan *plan = a->plan;
  double t = r->ode.t0, sum = 0;
  if (r->h && r->p->events->rewriting->corners) settle_branches(r->h, t, a->y);
  run_eval_at(r, plan->residues, c->residues, t, a->y);
  run_eval_at(r, plan->slopes, c->slopes, t, a->y);
  for (uint32_t k = 0; k < plan->count; k++) {
    double scale = 0;
    bool counts = a->rates || !r->p->s.constraints.items[k].velocities;
    for (uint32_t e = plan->start[k]; e < plan->start[k + 1]; e++) {
      double g = tape_result(plan->slopes, c->slopes, e);
      scale += g * g;
    }
    scale = scale > 0 && isfinite(scale) ? sqrt(scale) : a->typical[k] > 0 ? 0 : 1;
    // where a row vanishes its size at the start counts, and that around it
    c->scale[k] = fmax(c->scale[k] * 1e-3, fmax(scale, least_row * a->typical[k]));
    for (uint32_t e = plan->start[k]; e < plan->start[k + 1]; e++) {
      bool free = counts && !(a->fixed && a->fixed[plan->column[e]]);
      a->G[e] = free ? tape_result(plan->slopes, c->slopes, e) / c->scale[k] : 0;
    }
    a->res[k] = counts ? tape_result(plan->residues, c->residues, a->rates ? plan->count + k : k) / c->scale[k] : 0;
    sum += a->res[k] * a->res[k];
  }
  return sqrt(sum);
}

// ---- the step

static void transposed(const Assembly *a, const double *z, double *d) {
  memset(d, 0, a->plan->coord_count * sizeof *d);
  for (uint32_t k = 0; k < a->plan->count; k++) {
    for (uint32_t e = a->plan->start[k]; e < a->plan->start[k + 1]; e++) d[a->plan->column[e]] += a->G[e] * z[k];
  }
}

// Cholesky factors of G G' + mu, in the same memory.
static bool step_dense(Assembly *a, double mu) {
  uint32_t m = a->plan->count;
  double *A = a->normal, *row = a->d;
  for (uint32_t i = 0; i < m; i++) {
    memset(row, 0, a->plan->coord_count * sizeof *row);
    for (uint32_t e = a->plan->start[i]; e < a->plan->start[i + 1]; e++) row[a->plan->column[e]] += a->G[e];
    for (uint32_t j = 0; j <= i; j++) {
      double sum = i == j ? mu : 0;
      for (uint32_t e = a->plan->start[j]; e < a->plan->start[j + 1]; e++) sum += a->G[e] * row[a->plan->column[e]];
      A[i * m + j] = sum;
    }
  }
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      double sum = A[i * m + j];
      for (uint32_t k = 0; k < j; k++) sum -= A[i * m + k] * A[j * m + k];
      if (i == j && !(sum > 0)) return false;
      A[i * m + j] = i == j ? sqrt(sum) : sum / A[j * m + j];
    }
  }
  for (uint32_t i = 0; i < m; i++) {
    a->z[i] = -a->res[i];
    for (uint32_t k = 0; k < i; k++) a->z[i] -= A[i * m + k] * a->z[k];
    a->z[i] /= A[i * m + i];
  }
  for (uint32_t i = m; i-- > 0;) {
    for (uint32_t k = i + 1; k < m; k++) a->z[i] -= A[k * m + i] * a->z[k];
    a->z[i] /= A[i * m + i];
  }
  transposed(a, a->z, a->d);
  return true;
}

bool assembly_factor(Assembly *a, double corner) {
  uint32_t n = a->plan->coord_count, m = a->plan->count, entries = entry_count(a);
  uint32_t diagonal = 2 * entries;
  for (uint32_t e = 0; e < entries; e++) a->values[a->place[e]] = a->values[a->place[entries + e]] = a->G[e];
  for (uint32_t i = 0; i < n + m; i++) a->values[a->place[diagonal + i]] = i < n ? 1 : corner;
  return sparse_factor(a->sparse, a->values) == sparse_done;
}

// [1 G'; G -mu] [d; z] = [0; -r]: then d = -G' z and z = (G G' + mu)^-1 r.
static bool step_sparse(Assembly *a, double mu) {
  uint32_t n = a->plan->coord_count, m = a->plan->count;
  if (!assembly_factor(a, -mu)) return false;
  for (uint32_t i = 0; i < n; i++) a->z[i] = 0;
  for (uint32_t k = 0; k < m; k++) a->z[n + k] = -a->res[k];
  sparse_solve(a->sparse, a->z, 1);
  memcpy(a->d, a->z, n * sizeof *a->d);
  return true;
}

bool assembly_step(Assembly *a, double mu) { return a->sparse ? step_sparse(a, mu) : step_dense(a, mu); }

// The pattern of [1 G'; G -mu], column by column.
static bool start_sparse(Assembly *a) {
  uint32_t n = a->plan->coord_count, m = a->plan->count, entries = entry_count(a), all = n + m;
  uint32_t *start = arena_array(a->arena, (size_t)all + 2, sizeof *start);
  uint32_t *row = arena_array(a->arena, 2 * (size_t)entries + all, sizeof *row);
  a->place = arena_array(a->arena, 2 * (size_t)entries + all, sizeof *a->place);
  a->values = arena_array(a->arena, 2 * (size_t)entries + all, sizeof *a->values);
  if (!start || !row || !a->place || !a->values) return false;
  for (uint32_t k = 0; k < m; k++) {
    for (uint32_t e = a->plan->start[k]; e < a->plan->start[k + 1]; e++)
      start[a->plan->column[e] + 2]++, start[n + k + 2]++;
  }
  for (uint32_t i = 0; i < all; i++) start[i + 2] += 1 + start[i + 1];
  for (uint32_t i = 0; i < all; i++) {
    a->place[2 * entries + i] = start[i + 1];
    row[start[i + 1]++] = i;
  }
  for (uint32_t k = 0; k < m; k++) {
    for (uint32_t e = a->plan->start[k]; e < a->plan->start[k + 1]; e++) {
      uint32_t c = a->plan->column[e];
      a->place[e] = start[c + 1];
      row[start[c + 1]++] = n + k;
      a->place[entries + e] = start[n + k + 1];
      row[start[n + k + 1]++] = c;
    }
  }
  a->sparse = sparse_new(all, start, row, sparse_symmetric);
  return a->sparse != NULL;
}

static bool assembly_init(Assembly *a) {
  uint32_t n = a->plan->coord_count, m = a->plan->count;
  a->res = arena_array(a->arena, m, sizeof *a->res);
  a->G = arena_array(a->arena, (size_t)entry_count(a) + 1, sizeof *a->G);
  a->d = arena_array(a->arena, n, sizeof *a->d);
  a->z = arena_array(a->arena, (size_t)n + m, sizeof *a->z);
  bool dense = m <= constraint_most_dense;
  if (dense) a->normal = arena_array(a->arena, (size_t)m * m, sizeof *a->normal);
  a->typical = arena_array(a->arena, m, sizeof *a->typical);
  a->kept = arena_array(a->arena, a->r->p->y.count, sizeof *a->kept);
  return a->kept && a->res && a->G && a->d && a->z && a->typical && (dense ? a->normal != NULL : start_sparse(a));
}

// ---- the search

static double size_of(const Assembly *a) {
  double size = 0;
  for (uint32_t i = 0; i < a->plan->coord_count; i++) size = fmax(size, assembly_size(a, i, a->y));
  return size;
}

double assembly_chance(uint64_t *chance) {
  *chance = *chance * 6364136223846793005u + 1442695040888963407u;
  return (double)(*chance >> 11) * 0x1p-52 - 1;
}

// Sizes of the rows of G around the start: at a singular configuration rows are shorter than they usually are, or
// rounding error alone. One configuration nearby may lie near another zero of a row, so the largest of several counts.
static void find_typical(Assembly *a) {
  enum { places = 4 };
  const double around = 0.1; // of the unit
  const ConstraintPlan *plan = a->plan;
  const double *slopes = a->r->constraints.slopes;
  uint64_t chance = 1;
  size_t bytes = a->r->p->y.count * sizeof *a->y;
  a->unit = size_of(a) > 0 ? size_of(a) : 1;
  memcpy(a->kept, a->y, bytes);
  for (int place = 0; place < places; place++) {
    memcpy(a->y, a->kept, bytes);
    for (uint32_t i = 0; i < plan->coord_count; i++) assembly_move(a, i, around * a->unit * assembly_chance(&chance));
    run_eval_at(a->r, plan->slopes, a->r->constraints.slopes, a->r->ode.t0, a->y);
    for (uint32_t k = 0; k < plan->count; k++) {
      double sum = 0;
      for (uint32_t e = plan->start[k]; e < plan->start[k + 1]; e++)
        sum += tape_result(plan->slopes, slopes, e) * tape_result(plan->slopes, slopes, e);
      if (isfinite(sum)) a->typical[k] = fmax(a->typical[k], sqrt(sum));
    }
  }
  memcpy(a->y, a->kept, bytes);
}

// Are the residuals no more than the rounding error of their sums? Where a row of G vanishes no step reduces them.
static bool are_rounding(const Assembly *a, double size) {
  const double *scale = a->r->constraints.scale;
  for (uint32_t k = 0; k < a->plan->count; k++) {
    double row = fmax(scale[k], a->typical[k]);
    if (!(fabs(a->res[k]) * scale[k] <= residue_slack * row * (a->rates ? size : fmax(size, a->unit)))) return false;
  }
  return true;
}

bool assembly_search(Assembly *a) {
  uint32_t n = a->plan->coord_count;
  size_t bytes = a->r->p->y.count * sizeof *a->y;
  double mu = 1e-12;
  double norm = assembly_evaluate(a);
  for (int round = 0; round < most_iterations && isfinite(norm); round++) {
    double size = fmax(size_of(a), 1e-300);
    if (norm <= residue_slack * 1e-3 * size) return true;
    bool better = false;
    if (!assembly_step(a, mu)) return false;
    memcpy(a->kept, a->y, bytes);
    for (uint32_t i = 0; i < n; i++) assembly_move(a, i, a->d[i]);
    double next = assembly_evaluate(a);
    better = isfinite(next) && next < norm;
    if (better) {
      // steps that bring nothing more: rounding
      if (next > 0.5 * norm && next <= residue_slack * size) return true;
      mu = fmax(mu * (next < 0.1 * norm ? 1e-3 : 0.2), 1e-14);
      norm = next;
      continue;
    }
    memcpy(a->y, a->kept, bytes);
    norm = assembly_evaluate(a);
    if (norm <= residue_slack * size || are_rounding(a, size)) return true;
    mu = mu < 1e-6 ? 1e-4 : mu * 10;
    if (mu > 1e10) return false;
  }
  return false;
}

static bool is_said(const Assembly *a, const BoundCoord *b) {
  const System *s = &a->r->p->s;
  if (b->coord < s->coord_count) return a->rates ? s->coords.items[b->coord].said_v : s->coords.items[b->coord].said_q;
  const RotationalDof *turn = &s->turns.items[b->coord - s->coord_count];
  const SystemState *r = &s->states.items[turn->first];
  return a->rates ? s->states.items[turn->state].said : r[0].said || r[1].said || r[2].said || r[3].said;
}

// Which bound coordinates have a given initial value; NULL: out of memory.
static bool *said_ones(const Assembly *a, bool *any) {
  bool *said = arena_array(a->arena, a->plan->coord_count, sizeof *said);
  *any = false;
  for (uint32_t i = 0; said && i < a->plan->coord_count; i++) {
    said[i] = is_said(a, &a->plan->coords[i]);
    *any = *any || said[i];
  }
  return said;
}

// Given values move back towards what was given, along the constraints: the correction becomes as small as possible.
static void pull_back(Assembly *a, const double *start) {
  uint32_t n = a->plan->coord_count;
  size_t bytes = a->r->p->y.count * sizeof *a->y;
  double *way = arena_array(a->arena, n, sizeof *way), *from = arena_array(a->arena, a->r->p->y.count, sizeof *from);
  if (!from || !way) return;
  double distance = INFINITY;
  for (int round = 0; round < 50; round++) {
    double before = distance, now = 0;
    memcpy(from, a->y, bytes);
    for (uint32_t i = 0; i < n; i++) {
      way[i] = assembly_way(a, i, from, start);
      now += way[i] * way[i];
    }
    distance = sqrt(now);
    if (!(distance < before * (1 - 1e-9))) break;
    // the part of the displacement back that is tangent to the constraints
    assembly_evaluate(a);
    for (uint32_t k = 0; k < a->plan->count; k++) {
      a->res[k] = 0;
      for (uint32_t e = a->plan->start[k]; e < a->plan->start[k + 1]; e++)
        a->res[k] += a->G[e] * way[a->plan->column[e]];
    }
    if (!assembly_step(a, 1e-14)) break;
    for (uint32_t i = 0; i < n; i++) assembly_move(a, i, way[i] + a->d[i]);
    if (assembly_search(a)) continue;
    memcpy(a->y, from, bytes);
    break;
  }
}

// ---- messages

static bool refuse(Run *r, const char *message, const char *hint, Span place) {
  r->failure = (RunFailure){message ? run_input : run_no_memory, message, place, hint};
  return false;
}

static bool found_none(Assembly *a) {
  const System *s = &a->r->p->s;
  uint32_t worst = 0;
  assembly_evaluate(a);
  for (uint32_t k = 1; k < a->plan->count; k++) {
    if (fabs(a->res[k]) > fabs(a->res[worst])) worst = k;
  }
  const SystemConstraint *c = &s->constraints.items[worst];
  return refuse(a->r,
                arena_printf(a->r->arena,
                             a->rates ? "no velocities obey the constraints at the start: `%s` is off by %.3g"
                                      : "no place was found in which the constraints hold: `%s` is off by %.3g",
                             constraint_name(s, worst), fabs(a->res[worst]) * a->r->constraints.scale[worst]),
                a->rates ? "say fewer velocities, so that the others can follow"
                         : "they contradict each other, or the start is too far away: `guess` says where to begin",
                c->span);
}

// Of velocities: over the whole run it moves positions by less than they are resolved to.
static bool is_negligible(const Assembly *a, double velocity) {
  const double resolved = 1e-12; // of the largest position
  double size = 0;
  for (uint32_t i = 0; i < a->plan->coord_count; i++) size = fmax(size, bound_size(&a->plan->coords[i], a->y));
  return a->rates && velocity * (a->r->ode.t1 - a->r->ode.t0) <= resolved * size;
}

// Given values may not move far.
static bool near_enough(Assembly *a, const double *start, const bool *said) {
  double size = size_of(a), most = 0;
  uint32_t worst = 0;
  for (uint32_t i = 0; i < a->plan->coord_count; i++) {
    double far = fabs(assembly_way(a, i, start, a->y));
    size = fmax(size, assembly_size(a, i, start));
    if (!said[i] || !(far > most)) continue;
    most = far;
    worst = i;
  }
  a->r->constraints.moved[a->rates] = most;
  if (most <= most_moved * size || is_negligible(a, most)) return true;
  const System *s = &a->r->p->s;
  uint32_t which = a->plan->coords[worst].coord;
  bool coord = which < s->coord_count;
  const char *prime = a->rates && coord ? "'" : "";
  // the coordinates of an orientation are r.w and the others
  const char *name = coord || a->rates ? system_freedom_name(s, which)
                                       : s->states.items[s->turns.items[which - s->coord_count].first].name;
  return refuse(a->r,
                arena_printf(a->r->arena,
                             "the start does not obey the constraints: `%s%s` would have to move by %.3g from what was "
                             "said",
                             name, prime, most),
                arena_printf(a->r->arena, "what may be moved is said by `guess %s%s = ...`", name, prime),
                system_freedom_span(s, which));
}

// From the guesses; then from configurations around them, further and further away. The norm of the residuals may have
// a local minimum that is not zero, at which a search ends: with a rod folded back over another. The random numbers are
// the same in every run.
static bool search_around(Assembly *a, const double *start) {
  enum { tries = 24 };
  size_t bytes = a->r->p->y.count * sizeof *a->y;
  uint64_t chance = 1;
  if (assembly_search(a)) return true;
  for (int k = 1; k <= tries && !a->rates; k++) {
    memcpy(a->y, start, bytes);
    for (uint32_t i = 0; i < a->plan->coord_count; i++) {
      double part = assembly_chance(&chance), own = assembly_size(a, i, a->y);
      if (!(a->fixed && a->fixed[i])) assembly_move(a, i, part * k / tries * (own > 0 ? own : a->unit));
    }
    if (assembly_search(a)) return true;
  }
  memcpy(a->y, start, bytes);
  return false;
}

static bool assemble(Assembly *a, const double *start) {
  bool any, *said = said_ones(a, &any);
  if (!said) return false;
  a->fixed = said;
  if (search_around(a, start)) return true;
  a->fixed = NULL;
  if (!any || !assembly_search(a)) return found_none(a);
  pull_back(a, start);
  return near_enough(a, start, said);
}

// ---- inertia

// The blocks must have solutions at the start: what constraints leave free needs inertia.
static bool has_inertia(Run *r) {
  const ConstraintPlan *plan = r->p->constraints;
  const System *s = &r->p->s;
  run_eval_at(r, plan->speed, r->constraints.speed, r->ode.t0, r->y);
  bool finite = true;
  for (uint32_t i = 0; i < plan->coord_count; i++)
    finite = finite && isfinite(tape_result(plan->speed, r->constraints.speed, i));
  if (finite) return true;
  Text names = text_in(r->arena);
  Span place = s->constraints.items[0].span;
  for (uint32_t i = 0; i < plan->coord_count; i++) {
    uint32_t of = plan->coords[i].coord;
    if (of < s->coord_count ? s->M[of].count : s->turns.items[of - s->coord_count].row.count) continue;
    if (!names.length) place = system_freedom_span(s, of);
    text_printf(&names, "%s`%s`", names.length ? ", " : "", system_freedom_name(s, of));
  }
  return refuse(
      r,
      names.length
          ? arena_printf(r->arena, "%s: without inertia, and the constraints leave free how it moves", text_str(&names))
          : "what the constraints leave free has no inertia at the start",
      s->linkage.bars.count
          ? "give it a mass, a small one will do; or, where no damper ends at it, `viva run --stiffness K`: with "
            "bars that are springs its place follows from the forces"
          : "give it a mass, or bind it by another constraint",
      place);
}

static bool is_squared(Run *r) {
  const SingularState *s = r->constraints.singular;
  if (s->start != start_squared) return false;
  refuse(
      r,
      arena_printf(r->arena,
                   "all derivatives of `%s` vanish at the start, and wherever it holds around it: it says nothing of "
                   "velocities",
                   constraint_name(&r->p->s, s->squared)),
      "write it without its square; a place that stands alone is said by one constraint for each coordinate",
      r->p->s.constraints.items[s->squared].span);
  return true;
}

bool constraint_assemble(Run *r) {
  Assembly assembly = {.r = r, .plan = r->p->constraints, .arena = r->scratch}, *a = &assembly;
  size_t bytes = r->p->y.count * sizeof *r->start;
  double *start = arena_array(r->scratch, r->p->y.count, sizeof *start);
  a->y = r->y;
  memcpy(r->y, r->start, bytes);
  if (!start || !assembly_init(a)) return refuse(r, NULL, NULL, (Span){0});
  memcpy(start, r->start, bytes);
  find_typical(a);
  bool ok = assemble(a, start);
  if (ok) {
    memcpy(start, r->y, bytes); // velocities may move, positions no more
    memcpy(r->start, r->y, bytes);
    a->rates = true;
    ok = assemble(a, start);
  }
  memcpy(r->start, r->y, bytes);
  ok = ok && assembly_rank(a);
  sparse_free(a->sparse);
  ok = ok && !is_squared(r) && has_inertia(r);
  if (ok) singular_reset(r);
  // angles that are all 0 have a size nevertheless
  if (ok && r->constraints.singular->start == start_singular)
    r->constraints.singular->place = fmax(r->constraints.singular->place, a->unit);
  return ok;
}
