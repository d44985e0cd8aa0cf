// Port-Hamiltonian form for `conserve`: x' = F dH + E u, y = W dH + S u as tapes. A part of balance.h.
//
// in    a system whose states are rows of storages, also with coordinates, which run in momenta then; before it was
//       rewritten for events (define) and after (plan)
// out   a tape of dH with the power of the time, one of the entries of F, E, W, R, P, S and of the inputs
// how   entries are those of algebra/port_form.h, with connections solved. Each that switches is a definition of its
//       own, which events rewrite. Tied ports, constraints, an H that depends on time beside coordinates or other
//       states: no plan.
#include "algebra/port_form.h"
#include "expr/decide.h"
#include "form/form.h"
#include "sim/program.h"

// ---- before events

static ExprId define(System *s, ExprId value, DefinitionList *list) {
  if (expr_only_kinds(s->pool, value, kind_set(sym_param)) || expr_symbol(s->pool, value)) return value;
  SymbolId symbol = pool_symbol(s->pool, "an entry of the structure", sym_signal, 0, list->count);
  if (!symbol || !vec_push(s->arena, list, (Definition){symbol, value, 0})) return 0;
  return expr_sym(s->pool, symbol);
}

static void define_matrix(System *s, GradientPlan *g, GradientMatrix kind, const ExprId *items, uint32_t rows,
                          uint32_t cols, DefinitionList *list) {
  for (uint32_t i = 0; i < rows * cols; i++) {
    if (items[i] == s->pool->zero) continue;
    vec_push(s->arena, &g->entries, (GradientEntry){kind, i / cols, i % cols});
    vec_push(s->arena, &g->structure, define(s, items[i], list));
  }
}

// Is every state that H holds a row?
static bool is_closed(const System *s, const PortForm *f) {
  for (uint32_t i = 0; i < s->state_count; i++) {
    bool row = false;
    for (uint32_t k = 0; k < f->n; k++) row = row || f->x[k] == s->states.items[i].x;
    if (!row && expr_depends(s->pool, f->H, s->states.items[i].x)) return false;
  }
  return true;
}

static bool define_all(SimProgram *p, const PortForm *f, GradientPlan *g, DefinitionList *list) {
  System *s = &p->s;
  uint32_t n = f->n, m = f->m;
  ExprId entered = s->pool->zero;
  for (uint32_t i = 0; i < n; i++) vec_push(s->arena, &g->gradient, define(s, f->dH[i], list));
  for (uint32_t i = 0; i < s->storages.count; i++)
    entered = expr_add(s->pool, entered, storage_by_others(s, &s->storages.items[i]));
  vec_push(s->arena, &g->gradient, define(s, entered, list));
  define_matrix(s, g, gradient_F, f->F, n, n, list);
  define_matrix(s, g, gradient_E, f->E, n, m, list);
  define_matrix(s, g, gradient_W, f->W, m, n, list);
  define_matrix(s, g, gradient_R, f->R, n, n, list);
  define_matrix(s, g, gradient_P, f->P, n, m, list);
  define_matrix(s, g, gradient_S, f->S, m, m, list);
  for (uint32_t k = 0; k < m; k++) vec_push(s->arena, &g->structure, expr_sym(s->pool, f->u[k]));
  return !arena_failed(s->arena);
}

// Coordinates beside states: by energies without time in them, whose form stores what the account says.
static bool serves_coordinates(System *s, const PortForm *f) {
  if (!s->coord_count) return true;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (s->source[i] != source_energies || (s->role[i] != coord_inertia && s->role[i] != coord_first_order))
      return false;
  }
  if (s->tree.balls.count || s->bodies.count || expr_has_kind(s->pool, s->lagrange.L, sym_time)) return false;
  return expr_vanishes(s->pool, s->arena, expr_sub(s->pool, f->H, s->energy.stored));
}

bool gradient_define(SimProgram *p) {
  System *s = &p->s;
  PortForm form, *f = &form;
  DefinitionList list = {0};
  uint32_t held = s->held.count;
  if (s->frictions.count || s->constraints.count) return true;
  if (!port_form_in_velocities(s, f)) return false;
  if (f->why || f->rest || f->bound || !f->n || !is_closed(s, f) || !serves_coordinates(s, f)) return true;
  GradientPlan *g = arena_new_of(p->arena, GradientPlan);
  if (!g) return false;
  g->rows = f->n;
  g->ports = f->m;
  g->x = f->x;
  if (!define_all(p, f, g, &list)) return false;
  p->gradient = g;
  return !list.count || (system_unorder(s) && system_order_with(s, list.items, list.count, held));
}

// ---- afterwards

// A row in y; of a momentum where the run has it. no_place: nowhere.
static uint32_t row_place(const SimProgram *p, const System *turned, SymbolId x) {
  const System *s = &p->s;
  const Symbol *symbol = pool_symbol_get(s->pool, x);
  if (symbol->kind != sym_state || symbol->index < s->states.count) return system_place(s, x);
  uint32_t coord = symbol->index - s->states.count;
  for (uint32_t i = 0; turned && i < p->defined->legendre.count; i++) {
    if (p->defined->legendre.coords[i].coord == coord) return system_place(s, s->coords.items[coord].v);
  }
  return no_place;
}

bool gradient_plan(SimProgram *p, System *turned) {
  GradientPlan *g = p->gradient;
  System *s = turned ? turned : &p->s;
  if (!g) return true;
  g->place = arena_array(p->arena, (size_t)g->rows + 1, sizeof *g->place);
  if (!g->place) return false;
  for (uint32_t i = 0; i < g->rows; i++) {
    g->place[i] = row_place(p, turned, g->x[i]);
    if (g->place[i] != no_place) continue;
    p->gradient = NULL; // it is computed from others
    return true;
  }
  g->of_H = program_tape(p->arena, p, s, g->gradient.items, g->gradient.count, false);
  g->of_structure = program_tape(p->arena, p, s, g->structure.items, g->structure.count, false);
  return g->of_H && g->of_structure;
}
