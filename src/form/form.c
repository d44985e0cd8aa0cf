// From a described system to its equations: every formulation in turn, then the structure.
#include "form/form.h"

#include "expr/calculus.h"

#include <string.h>

static const Formulation *const formulations[] = {
#define FORMULATION(name) &name##_formulation,
#include VIVA_FORMULATIONS
#undef FORMULATION
};
enum { formulation_count = sizeof formulations / sizeof *formulations };

// energy.stored and the like need energies.
static bool check_signal(void *self, ExprId value, Span span) {
  System *s = self;
  if (!expr_has_kind(s->pool, value, sym_signal)) return false;
  diag_error(s->diags, diag_signal_use, span, "the model has no energies, so `energy` is not there");
  return true;
}

// p.x stands for dL/dv in what is shown.
static bool show_momenta(System *s) {
  if (!s->momenta.count) return true;
  SymbolMap map = symbol_map_new(s->pool);
  for (uint32_t k = 0; k < s->momenta.count; k++) {
    const SystemMomentum *m = &s->momenta.items[k];
    ExprId p = 0;
    for (uint32_t i = 0; i < s->coord_count; i++) {
      bool energies = s->lagrange.used && s->source[i] == source_energies;
      if (strcmp(s->coords.items[i].name, m->coord) == 0 && energies) p = s->lagrange.p[i];
    }
    if (!p) {
      diag_error(s->diags, diag_signal_use, m->span, "there is no coordinate `%s` with energies, so it has no momentum",
                 m->coord);
      p = s->pool->zero;
    }
    symbol_map_set(&map, m->symbol, p);
  }
  return system_replace_shown(s, &map);
}

static bool is_empty(const System *s) {
  return s->coords.count + s->states.count + s->unknowns.count + s->outputs.count + s->memories.count +
             s->delays.count + s->signals.count ==
         0;
}

bool form_build(System *s) {
  if (!system_divisions(s)) return false;
  if (s->diags->errors) return true;
  for (size_t i = 0; i < formulation_count; i++) {
    if (formulations[i]->add && !formulations[i]->add(s)) return false;
  }
  if (!system_init(s)) return false;
  for (size_t i = 0; i < formulation_count; i++) {
    if (!formulations[i]->fill(s)) return false;
  }
  if (!show_momenta(s)) return false;
  if (!s->energy.kept) system_each_shown(s, check_signal, s);
  if (is_empty(s) && s->diags->errors == 0)
    diag_error(s->diags, diag_no_motion, (Span){1, 0, 0}, "the model has no coordinate, no state and no output");
  return s->diags->errors ? true : system_finish(s);
}
