// A motion in momenta. See momenta.h.
//
// The turned system differs from the program's in what is integrated; its tapes have the momenta in the places of y in
// which the others have velocities. Delays and dry friction that holds look at y beside the tapes: such motions stay in
// velocities, and lose nothing by it, because they do not keep their energy.
#include "sim/momenta.h"

#include "sim/motion.h"
#include "sim/results.h"

#include <string.h>

// ---- the plan

static bool looks_at_y(const SimProgram *p) { return p->events && (p->events->delay_count || p->events->may_hold); }

StructureReport momenta_define(SimProgram *p) {
  StructureReport report = {structure_fits, NULL, {0}};
  MomentaPlan *plan = arena_new_of(p->arena, MomentaPlan);
  if (!plan) return (StructureReport){.verdict = structure_no_memory};
  if (legendre_define(&p->s, &plan->legendre)) {
    p->defined = plan->legendre.count ? plan : NULL;
    return report;
  }
  bool nonlinear = plan->legendre.nonlinear != NULL;
  report.verdict = nonlinear ? structure_nonlinear : arena_failed(p->arena) ? structure_no_memory : structure_circle;
  report.name = plan->legendre.nonlinear;
  report.place = plan->legendre.place;
  return report;
}

static const Tape *list_tape(SimProgram *p, System *s, const Legendre *l, bool velocities) {
  ResultList r = {.arena = p->arena};
  for (uint32_t i = 0; i < l->count; i++)
    result_put(&r, expr_sym(s->pool, velocities ? s->coords.items[l->coords[i].coord].v : l->coords[i].p));
  return arena_failed(p->arena) ? NULL : program_tape(p->arena, p, s, r.list.items, r.list.count, false);
}

StructureReport momenta_plan(SimProgram *p) {
  static const StructureReport no_memory = {.verdict = structure_no_memory};
  MomentaPlan *plan = p->defined;
  if (!plan || looks_at_y(p)) return (StructureReport){.verdict = structure_fits};
  System turned = p->s;
  const Legendre *l = &plan->legendre;
  plan->place = arena_array(p->arena, l->count, sizeof *plan->place);
  if (!plan->place) return no_memory;
  for (uint32_t i = 0; i < l->count; i++) plan->place[i] = system_place(&p->s, p->s.coords.items[l->coords[i].coord].v);
  if (!legendre_turn(&turned, l))
    return arena_failed(p->arena) ? no_memory : (StructureReport){.verdict = structure_circle};
  ResultList r = {.arena = p->arena};
  result_put_rates(&r, &turned);
  plan->rates = program_rates_tape(p, &turned, r.list.items, r.list.count);
  plan->from = list_tape(p, &p->s, l, false);
  plan->to = list_tape(p, &turned, l, true);
  if (!plan->rates || !plan->from || !plan->to) return no_memory;
  p->momenta = plan;
  return (StructureReport){.verdict = structure_fits};
}

// ---- places and speeds

// An acceleration that depends on a velocity, by the pattern of the Jacobian; the component's number plus one.
static uint32_t needs_velocities(const SimProgram *p, const TapeJacobian *j) {
  const Components *y = &p->y;
  for (uint32_t c = 0; c < y->count; c++) {
    if (y->items[c].kind != component_velocity) continue;
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] < y->count && y->items[j->row[k]].kind == component_velocity) return j->row[k] + 1;
    }
  }
  return 0;
}

StructureReport momenta_pairs(SimProgram *p) {
  const Components *y = &p->y;
  const System *s = &p->s;
  OdePair *pairs = arena_array(p->arena, (size_t)s->coord_count + 1, sizeof *pairs);
  const TapeJacobian *j = looks_at_y(p) ? NULL : program_jacobian(p, (TapeAsk){0});
  if (!pairs || (!j && !looks_at_y(p))) return (StructureReport){.verdict = structure_no_memory};
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    pairs[i] = (OdePair){system_place(s, c->q), system_place(s, c->v)};
    if (pairs[i].place == no_place || pairs[i].speed == no_place)
      return (StructureReport){structure_states, c->name, c->span};
  }
  for (uint32_t i = 0; i < y->count; i++) {
    if (s->y.items[i].from == of_state) return (StructureReport){structure_states, y->items[i].name, y->items[i].span};
  }
  uint32_t bad = j ? needs_velocities(p, j) : 1;
  if (bad) return (StructureReport){structure_velocities, y->items[bad - 1].declared, y->items[bad - 1].span};
  p->pairs = pairs;
  p->pair_count = s->coord_count;
  return (StructureReport){.verdict = structure_fits};
}

// ---- of a motion

void momenta_cut(MomentaRun *m, const MomentaPlan *plan, Cutter *cutter) {
  BLOCK_CUT(cutter, m->rates, plan->rates->slot_count);
  BLOCK_CUT(cutter, m->from, plan->from->slot_count);
  BLOCK_CUT(cutter, m->to, plan->to->slot_count);
}

void momenta_prepare(Run *r) {
  const MomentaPlan *plan = r->p->momenta;
  run_prepare(r, plan->rates, r->momenta.rates);
  run_prepare(r, plan->from, r->momenta.from);
  run_prepare(r, plan->to, r->momenta.to);
}

void momenta_spread(const Run *r) {
  const MomentaPlan *plan = r->p->momenta;
  run_put_held(r, plan->rates, r->momenta.rates);
  if (r->h) run_put_z(r, plan->rates, r->momenta.rates);
}

static bool momenta_rates(void *self, double t, const double *z, double *dzdt) {
  Run *r = self;
  return run_counted_rates(r, r->p->momenta->rates, r->momenta.rates, &r->p->lazy->momenta, &r->s->momenta_code, t, z,
                           dzdt);
}

// The list of a tape into its places.
static bool put_list(Run *r, const Tape *tape, double *w, double t, const double *from, double *to) {
  const MomentaPlan *plan = r->p->momenta;
  double sum = 0;
  run_eval_at(r, tape, w, ode_seen(r->ode.breaks.late, r->ode.t0, t), from);
  for (uint32_t i = 0; i < plan->legendre.count; i++) {
    double value = tape_result(tape, w, i);
    to[plan->place[i]] = value;
    sum += value - value;
  }
  return sum == 0;
}

static bool from_velocities(void *self, double t, const double *y, double *z) {
  Run *r = self;
  return put_list(r, r->p->momenta->from, r->momenta.from, t, y, z);
}

static bool to_velocities(void *self, double t, const double *z, double *y) {
  Run *r = self;
  return put_list(r, r->p->momenta->to, r->momenta.to, t, z, y);
}

const OdeMomenta *momenta_of(const Run *r) {
  static const OdeMomenta momenta = {momenta_rates, from_velocities, to_velocities};
  return r->p->momenta ? &momenta : NULL;
}
