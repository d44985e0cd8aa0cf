// From a Model to the described System: it takes over the lists, and no later stage needs the language.
#include "form/describe.h"

#include "form/form.h"
#include "lang/elab.h"

static bool name_kind(const Decl *d, NameKind *kind) {
  switch ((int)d->kind) {
  case decl_param: *kind = name_param; return d->value.shape;
  case decl_input: *kind = name_input; return true;
  case decl_let: *kind = name_let; return true;
  case decl_fun: *kind = name_fun; return true;
  default: return false;
  }
}

static void describe_names(System *s, const Model *m) {
  const Elab *e = m->scope;
  if (!vec_reserve(s->arena, &s->names, e->names.decls.count)) return;
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    const Decl *d = e->names.decls.items[i];
    NameKind kind;
    if (!name_kind(d, &kind)) continue;
    uint32_t count = kind == name_param ? value_count(&d->value) : kind == name_input;
    vec_push(s->arena, &s->names, (SystemName){kind, d->name, d->index, count, d->used, d->structural, d->span});
  }
}

// Are nodes, bars and springs all that the model has? Its coordinates are then theirs, where they were asked for.
static bool is_linkage_alone(const Model *m) {
  const Linkage *l = &m->linkage;
  uint32_t own = 0;
  if (!l->nodes.count || l->stiffness) return false;
  for (uint32_t i = 0; i < l->nodes.count; i++) {
    for (uint32_t k = 0; k < l->dimensions && l->nodes.items[i].coord; k++) own += !(l->nodes.items[i].fixed >> k & 1u);
  }
  for (uint32_t i = 0; i < l->torsions.count; i++) own += l->torsions.items[i].coord != 0;
  // a force or a position may depend on the state: then only the equations give its value
  KindSet still = kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_input) | kind_set(sym_bound);
  for (uint32_t k = 0; k < 3; k++) {
    for (uint32_t i = 0; i < l->loads.count; i++) {
      ExprId force = l->loads.items[i].force[k];
      if (force && !expr_only_kinds(&m->pool, force, still)) return false;
    }
    for (uint32_t i = 0; i < l->nodes.count; i++) {
      ExprId place = l->nodes.items[i].place[k];
      if (place && !expr_only_kinds(&m->pool, place, still)) return false;
    }
  }
  return m->coords.count == own && !m->energies.count && !m->forces.count && !m->states.count && !m->implicit.count &&
         !m->unknowns.count && !m->constraints.count && !m->accelerations.count;
}

bool system_build(System *s, Model *model) {
  *s = (System){.arena = model->arena, .pool = &model->pool, .sources = &model->sources, .diags = &model->diags};
  s->described = model->described;
  describe_names(s, model);
  s->linkage.alone = model->linkage.alone = is_linkage_alone(model);
  if (s->linkage.lists && s->linkage.alone) return !arena_failed(s->arena);
  bool ok = form_build(s);
  // what equations needed can be named in texts, too: rates of inputs, coordinates of nodes, forces of bars
  model->input_rates = s->input_rates;
  model->coords = s->coords;
  model->constraints = s->constraints;
  model->linkage = s->linkage;
  model->shapes = s->shapes;
  return ok;
}

System system_over(const System *s, Model *grown) {
  System copy = *s;
  copy.arena = grown->arena;
  copy.pool = &grown->pool;
  copy.sources = &grown->sources;
  copy.diags = &grown->diags;
  copy.input_rates = grown->input_rates;
  copy.tables = grown->tables;
  return copy;
}
