// A Model gives its lists to a System; from there on nobody needs the language.
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

static void describe(System *s, Model *m) {
  *s = (System){.arena = m->arena, .pool = &m->pool, .sources = &m->sources, .diags = &m->diags};
  s->title = m->title;
  s->time = m->time;
  s->params = m->params;
  s->coords = m->coords;
  s->states = m->states;
  s->unknowns = m->unknowns;
  s->implicit = m->implicit;
  s->constraints = m->constraints;
  s->inputs = m->inputs;
  s->input_rates = m->input_rates;
  s->energies = m->energies;
  s->forces = m->forces;
  s->accelerations = m->accelerations;
  s->outputs = m->outputs;
  s->signals = m->signals;
  s->tables = m->tables;
  s->inverses = m->inverses;
  s->divisions = m->divisions;
  s->places = m->places;
  s->energy_dim = m->energy_dim;
  s->units_cut = m->units_cut;
  s->memories = m->memories;
  s->delays = m->delays;
  s->frictions = m->frictions;
  s->whens = m->whens;
  s->demands = m->demands;
  s->checks = m->checks;
  s->plots = m->plots;
  s->shapes = m->shapes;
  s->simulate = m->simulate;
  s->start_set = m->start_set;
  s->block_outputs = m->blocks;
  describe_names(s, m);
}

bool system_build(System *s, Model *model) {
  describe(s, model);
  return form_build(s);
}

System system_over(const System *s, Model *grown) {
  System own = *s;
  own.arena = grown->arena;
  own.pool = &grown->pool;
  own.sources = &grown->sources;
  own.diags = &grown->diags;
  own.input_rates = grown->input_rates;
  own.tables = grown->tables;
  return own;
}
