// Export of constraints: the start and the tapes of a program that runs the model in fixed steps.
#include "sim/export_constraints.h"

#include "sim/constrain.h"
#include "sim/motion.h"

// The indices of the bound coordinates in y.
static bool find_bound(Arena *arena, const ConstraintPlan *plan, const uint32_t *of, ExportConstraints *e) {
  uint32_t *q = arena_array(arena, (size_t)plan->moved_count + 1, sizeof *q),
           *v = arena_array(arena, (size_t)plan->moved_count + 1, sizeof *v),
           *turn = arena_array(arena, (size_t)plan->moved_count + 1, sizeof *turn),
           *r = arena_array(arena, (size_t)4 * plan->moved_count + 1, sizeof *r);
  if (!q || !v || !turn || !r) return false;
  for (uint32_t i = 0; i < plan->moved_count; i++) {
    const BoundCoord *c = &plan->coords[i];
    bool coord = c->q != no_place;
    q[i] = of[coord ? c->q : c->r[0]];
    v[i] = of[c->v];
    turn[i] = coord ? 0 : c->part + 1;
    for (uint32_t k = 0; k < 4 && !coord; k++) r[4 * i + k] = of[c->r[k]];
    e->turns = e->turns || !coord;
  }
  e->coords = plan->moved_count;
  e->q = q;
  e->v = v;
  e->turn = turn;
  e->r = r;
  return true;
}

// y as a run starts.
static bool find_start(Arena *arena, const SimProgram *p, const uint32_t *of, ExportConstraints *e,
                       const char **failure) {
  Run *r = run_new(arena, p);
  double *start = arena_array(arena, (size_t)p->y.count + 1, sizeof *start);
  if (!r || !start || !run_reset(r, NULL, NULL)) {
    *failure = r ? r->failure.message : NULL;
    return false;
  }
  for (uint32_t i = 0; i < p->y.count; i++) {
    if (p->y.items[i].variable) start[of[i]] = r->start[i];
  }
  e->start = start;
  return true;
}

bool export_constraints(Arena *arena, const SimProgram *p, const uint32_t *of, ExportConstraints *out,
                        const char **failure) {
  const ConstraintPlan *plan = p->constraints;
  *out = (ExportConstraints){.count = plan->count,
                             .residues = plan->residues,
                             .place = plan->place,
                             .speed = plan->speed,
                             .dependent = p->s.dependent};
  out->names = arena_array(arena, (size_t)plan->count + 1, sizeof *out->names);
  for (uint32_t k = 0; out->names && k < plan->count; k++) out->names[k] = constraint_name(&p->s, k);
  return out->names && find_bound(arena, plan, of, out) && find_start(arena, p, of, out, failure);
}
