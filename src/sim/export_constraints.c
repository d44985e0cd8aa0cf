// Constraints for an export: asks a program that would run the model in fixed steps for its start and its tapes.
#include "sim/export_constraints.h"

#include "sim/motion.h"

// The first mistake of those that were reported; NULL: none.
static const char *first_error(const Diags *diags) {
  for (uint32_t i = 0; i < diags->list.count; i++) {
    if (!diags->list.items[i].warning) return diags->list.items[i].message;
  }
  return NULL;
}

// NULL: memory is out, or *failure.
static SimProgram *open_program(Arena *arena, const System *s, const char **failure) {
  Diags diags = {.arena = arena, .sources = s->diags->sources};
  ProgramReport built;
  RunSettings settings = run_defaults();
  settings.method = "rk4";
  settings.no_events = true;
  SimProgram *p = program_new(arena, s, &(ProgramWish){.settings = &settings}, &diags, &built);
  if (!p) *failure = built.failure.message ? built.failure.message : first_error(&diags);
  return p;
}

// The places of the bound coordinates in y.
static bool find_bound(Arena *arena, const ConstraintPlan *plan, const uint32_t *place, ExportConstraints *e) {
  uint32_t *q = arena_array(arena, (size_t)plan->moved_count + 1, sizeof *q),
           *v = arena_array(arena, (size_t)plan->moved_count + 1, sizeof *v);
  if (!q || !v) return false;
  for (uint32_t i = 0; i < plan->moved_count; i++) {
    q[i] = place[plan->coords[i].q];
    v[i] = place[plan->coords[i].v];
  }
  e->coords = plan->moved_count;
  e->q = q;
  e->v = v;
  return true;
}

// y at the start, and what the variables of the tapes are called: theirs have places for what is computed, too.
static bool find_places(Arena *arena, const Run *r, const char *const *names, uint32_t dim, ExportConstraints *e) {
  const Components *y = &r->p->y;
  uint32_t params = r->p->param_count, more = e->residues->var_count - 1 - y->count, k = 0;
  double *start = arena_array(arena, (size_t)dim + 1, sizeof *start);
  uint32_t *places = arena_array(arena, (size_t)dim + 1, sizeof *places);
  const char **own = arena_array(arena, (size_t)params + 1 + y->count + more, sizeof *own);
  if (!start || !places || !own) return false;
  for (uint32_t i = 0; i <= params; i++) own[i] = names[i];
  for (uint32_t i = 0; i < y->count; i++) {
    bool computed = !y->items[i].variable;
    own[params + 1 + i] = computed ? "none" : names[params + 1 + k];
    if (computed) continue;
    start[k] = r->start[i];
    places[k++] = i;
  }
  for (uint32_t i = 0; i < more; i++) own[params + 1 + y->count + i] = names[params + 1 + dim + i];
  e->start = start;
  e->places = places;
  e->width = y->count;
  e->param_names = own;
  return true;
}

static bool take(Arena *arena, const SimProgram *p, const char *const *names, const uint32_t *place, uint32_t dim,
                 ExportConstraints *out, const char **failure) {
  Run *r = run_new(arena, p);
  const ConstraintPlan *plan = p->constraints;
  if (!r || !run_reset(r, NULL, NULL)) {
    *failure = r ? r->failure.message : NULL;
    return false;
  }
  *out =
      (ExportConstraints){.count = plan->count, .residues = plan->residues, .place = plan->place, .speed = plan->speed};
  out->names = arena_array(arena, (size_t)plan->count + 1, sizeof *out->names);
  for (uint32_t k = 0; out->names && k < plan->count; k++) out->names[k] = constraint_name(&p->s, k);
  return out->names && find_bound(arena, plan, place, out) && find_places(arena, r, names, dim, out);
}

bool export_constraints(Arena *arena, const System *s, const char *const *names, const uint32_t *place, uint32_t dim,
                        ExportConstraints *out, const char **failure) {
  SimProgram *p = open_program(arena, s, failure);
  bool ok = p && take(arena, p, names, place, dim, out, failure);
  program_free(p);
  return ok;
}
