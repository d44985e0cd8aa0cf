// Tapes of the Hamiltonian form of a run (momenta instead of velocities). A part of momenta.h.
//
// The turned system differs from the program's in what is integrated; its tapes have the momenta at the indices of y at
// which the others have velocities. Delays look at y beside the tapes, and so does dry friction while it sticks: such
// runs stay in velocities, and lose nothing by it, because they do not keep their energy.
#include "hybrid/results.h"
#include "sim/program.h"

// ---- the plan

static bool looks_at_y(const SimProgram *p) { return p->events && p->events->delay_count; }

StructureReport momenta_define(SimProgram *p) {
  MomentaPlan *plan = arena_new_of(p->arena, MomentaPlan);
  if (!plan) return (StructureReport){.verdict = structure_no_memory};
  plan->legendre.all = p->gradient != NULL;
  if (legendre_define(&p->s, &plan->legendre)) {
    p->defined = plan->legendre.count ? plan : NULL;
    return (StructureReport){.verdict = structure_fits};
  }
  return (StructureReport){.verdict = arena_failed(p->arena) ? structure_no_memory : structure_circle};
}

// Guesses stand behind the held variables that `turned` shares with the program's.
static bool list_guesses(SimProgram *p, const System *turned, MomentaPlan *plan) {
  const Held *own = turned->held.items + p->s.held.count;
  plan->guess_count = turned->held.count - p->s.held.count;
  plan->guessed = arena_array(p->arena, (size_t)plan->guess_count + 1, sizeof *plan->guessed);
  for (uint32_t i = 0; plan->guessed && i < plan->guess_count; i++) plan->guessed[i] = system_place(&p->s, own[i].of);
  return plan->guessed != NULL;
}

static const Tape *list_tape(SimProgram *p, System *s, const Legendre *l, bool velocities) {
  ResultList r = {.arena = p->arena};
  for (uint32_t i = 0; i < l->count; i++)
    result_put(&r, expr_sym(s->pool, velocities ? s->coords.items[l->coords[i].coord].v : l->coords[i].p));
  return arena_failed(p->arena) ? NULL : program_tape(p->arena, p, s, r.list.items, r.list.count, false);
}

// ---- the tapes

// Does the rate of a component of this kind depend on one of the same kind? By the pattern of a Jacobian; the number of
// the first that does, plus one.
static uint32_t depends_on_own(const SimProgram *p, const TapeJacobian *j, ComponentKind kind) {
  const Components *y = &p->y;
  for (uint32_t c = 0; c < y->count; c++) {
    if (y->items[c].kind != kind) continue;
    for (uint32_t k = j->start[c]; k < j->start[c + 1]; k++) {
      if (j->row[k] < y->count && y->items[j->row[k]].kind == kind) return j->row[k] + 1;
    }
  }
  return 0;
}

// H = T(p, t) + V(q, t): momenta change by positions alone, positions by momenta alone. False: also if out of memory.
static bool is_separable(SimProgram *p, System *turned) {
  const TapeJacobian *j = tape_jacobian_asked(p->arena, turned, NULL, 0, p->large, (TapeAsk){0});
  return j && !depends_on_own(p, j, component_velocity) && !depends_on_own(p, j, component_position);
}

StructureReport momenta_plan(SimProgram *p) {
  static const StructureReport no_memory = {.verdict = structure_no_memory};
  MomentaPlan *plan = p->defined;
  if (!plan || looks_at_y(p)) return balance_plan(p, NULL) ? (StructureReport){.verdict = structure_fits} : no_memory;
  System turned = p->s;
  const Legendre *l = &plan->legendre;
  plan->place = arena_array(p->arena, l->count, sizeof *plan->place);
  if (!plan->place) return no_memory;
  for (uint32_t i = 0; i < l->count; i++) plan->place[i] = system_place(&p->s, p->s.coords.items[l->coords[i].coord].v);
  if (!legendre_transform(&turned, l))
    return arena_failed(p->arena) ? no_memory : (StructureReport){.verdict = structure_circle};
  if (p->settled.ode.method == ode_verlet && !is_separable(p, &turned))
    return arena_failed(p->arena) ? no_memory : (StructureReport){.verdict = structure_velocities};
  if (!list_guesses(p, &turned, plan)) return no_memory;
  ResultList r = {.arena = p->arena};
  result_put_rates(&r, &turned);
  plan->rates = program_rates_tape(p, &turned, r.list.items, r.list.count);
  plan->from = list_tape(p, &p->s, l, false);
  plan->to = list_tape(p, &turned, l, true);
  if (!plan->rates || !plan->from || !plan->to) return no_memory;
  if (!balance_plan(p, &turned)) return no_memory;
  p->momenta = plan;
  return (StructureReport){.verdict = structure_fits};
}

// ---- positions and velocities

// A force that depends on constraint forces (dry friction in a joint) depends on velocities; 0: none, else as above.
static uint32_t needs_multipliers(const SimProgram *p) {
  const System *s = &p->s;
  for (uint32_t i = 0; i < s->blocks.count; i++) {
    const Block *b = &s->blocks.items[i];
    if (b->multipliers && b->plain) return system_place(s, system_freedom_velocity(s, b->coords[0])) + 1;
  }
  return 0;
}

StructureReport momenta_pairs(SimProgram *p, const TapeJacobian *j) {
  const Components *y = &p->y;
  const System *s = &p->s;
  OdePair *pairs = arena_array(p->arena, (size_t)s->coord_count + 1, sizeof *pairs);
  if (!pairs) return (StructureReport){.verdict = structure_no_memory};
  for (uint32_t i = 0; i < s->coord_count; i++) {
    const SystemCoord *c = &s->coords.items[i];
    pairs[i] = (OdePair){system_place(s, c->q), system_place(s, c->v)};
    if (pairs[i].place == no_place || pairs[i].speed == no_place)
      return (StructureReport){structure_states, c->name, c->span};
  }
  for (uint32_t i = 0; i < y->count; i++) {
    if (s->y.items[i].from == of_state) return (StructureReport){structure_states, y->items[i].name, y->items[i].span};
  }
  bool beside = looks_at_y(p) || (p->events && event_holds_velocities(p->events));
  uint32_t bad = beside ? 1 : depends_on_own(p, j, component_velocity);
  if (bad && !beside && p->defined && !p->constraints) { // perhaps momenta do not
    StructureReport turned = momenta_plan(p);
    if (turned.verdict == structure_no_memory) return turned;
    if (turned.verdict == structure_fits) bad = 0;
  }
  if (!bad) bad = needs_multipliers(p);
  if (bad) return (StructureReport){structure_velocities, y->items[bad - 1].declared, y->items[bad - 1].span};
  p->pairs = pairs;
  p->pair_count = s->coord_count;
  return (StructureReport){.verdict = structure_fits};
}
