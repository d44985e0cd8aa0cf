// Initial conditions, inputs and parameters: what is given, not computed by the simulation.
//
// A start is a number or an expression of parameters; that of a part may be said again by its user, who is visited
// later. Inputs may depend on anything but accelerations. A cycle of inputs is an algebraic loop; a cycle through the
// rate of one would ask for rates of ever higher order, and is found by a depth-first search.
#include "lang/given.h"

#include "lang/entries.h"
#include "lang/eval.h"
#include "lang/settings.h"
#include "lang/statements.h"

void given_start(Elab *e, const Item *item, const char *name, const Binding *env, bool again, bool said) {
  Decl *d = path_start(e, item, name);
  if (!d) {
    if (again) return; // not a start, or reported before
    const Decl *declared = names_find(e, name);
    if (declared && (declared->kind == decl_coord || declared->kind == decl_state)) {
      diag_error(e->diags, diag_unknown_setting, item->name_span, "`%s` starts with %s", name,
                 declared->kind == decl_coord ? "a place and a velocity, not with an acceleration"
                                              : "a value, not with a rate");
      return;
    }
    diag_error(e->diags, diag_unknown_setting, item->name_span,
               "`%s` has no starting value: it is no coordinate or state", name);
    const char *near = names_nearest(e, name);
    if (near && !names_find(e, name)) diag_hint(e->diags, "did you mean `%s`?", near);
    return;
  }
  if (!item->value) {
    diag_error(e->diags, diag_no_value, item->name_span, "`%s` needs a value: `%s = ...`", name, name);
    return;
  }
  ExprId id = eval_constant(e, item, env, "a starting value");
  if (!id) return;
  if (d->kind == decl_state) {
    e->model->states.items[d->index].x0 = id;
    e->model->states.items[d->index].said = said;
    return;
  }
  // the user of a part may say another start than the part
  bool velocity = item->primes == 1;
  if (d->start_by[velocity] == e->names.scope && !again) {
    diag_error(e->diags, diag_twice, item->name_span, "the start of `%s%s` is said twice", name, velocity ? "'" : "");
    return;
  }
  SystemCoord *c = &e->model->coords.items[d->index];
  d->start_by[velocity] = e->names.scope;
  *(velocity ? &c->said_v : &c->said_q) = said;
  *(velocity ? &c->v0 : &c->q0) = id;
}

void visit_init(Elab *e, const Stmt *s, const Binding *env) {
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    const char *name = path_full(e, item, env);
    Entries x = name && !names_find(e, name) ? entries_find(e, e->names.scope, item, name) : (Entries){0};
    DeclKind kind = x.family ? x.list[0]->kind : decl_none;
    bool starts = item->value && (kind == decl_coord || (kind == decl_state && !item->primes));
    if (starts && !entries_fit(e, &x, item)) continue;
    for (uint32_t k = 0; starts && k < x.count; k++) {
      const Item *one = entries_element(e, &x, item, k);
      const char *element = entries_name(e, &x, k);
      if (one && element) given_start(e, one, element, env, false, s->kind != stmt_guess);
    }
    if (name && !starts) given_start(e, item, name, env, false, s->kind != stmt_guess);
  }
}

void given_starts(Elab *e) {
  Model *m = e->model;
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    if (d->kind != decl_coord && d->kind != decl_state) continue;
    Scope *before = names_enter(e, d->scope);
    ExprId id = d->item->value ? eval_constant(e, d->item, d->env, "a starting value") : e->pool->zero;
    names_enter(e, before);
    if (d->kind == decl_state) {
      m->states.items[d->index].x0 = id ? id : e->pool->zero;
      m->states.items[d->index].said = d->item->value != NULL;
      continue;
    }
    SystemCoord *c = &m->coords.items[d->index];
    if (c->q0) continue; // of a node: its position
    c->q0 = id ? id : e->pool->zero;
    c->v0 = e->pool->zero;
    c->said_q = d->item->value != NULL;
    if (c->said_q) d->start_by[0] = d->scope;
  }
}

void given_inputs(Elab *e) {
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    if (d->kind != decl_input) continue;
    const Item *item = d->changed ? d->changed->item : d->item;
    if (!item->value) {
      e->model->inputs.items[d->index].value = e->pool->zero; // an input without a default is zero
      continue;
    }
    if (!vec_push(e->arena, &e->eval.active, d)) return;
    d->state = decl_active;
    Scope *before = names_enter(e, d->changed ? d->changed->scope : d->scope);
    ExprId id = eval_scalar(e, item->value, d->changed ? d->changed->env : d->env, "an input");
    names_enter(e, before);
    e->eval.active.count--;
    d->state = decl_done;
    if (!id) continue;
    id = eval_unit(e, value_of(id), item->unit).scalar;
    if (expr_has_kind(e->pool, id, sym_acceleration) || expr_has_kind(e->pool, id, sym_state_rate) ||
        expr_has_kind(e->pool, id, sym_signal)) {
      diag_error(e->diags, diag_not_constant, item->value->span,
                 "an input may depend on time, parameters, coordinates, velocities and states");
      continue;
    }
    e->model->inputs.items[d->index].value = id;
  }
}

// Inputs may use inputs and their rates, but not their rates in a cycle: that would ask for rates of ever higher order.
typedef struct InputVisit {
  uint32_t input, next; // next: index in the list of inputs that it uses
  uint32_t *uses, count;
  bool *rates; // is it the rate that is used?
} InputVisit;

static bool enter_input(Elab *e, uint32_t input, InputVisit *visit) {
  *visit = (InputVisit){.input = input};
  ExprId value = e->model->inputs.items[input].value;
  uint32_t length;
  const ExprId *list = pool_reach(e->pool, &value, 1, NULL, NULL, &length);
  visit->uses = arena_array(e->arena, length, sizeof *visit->uses);
  visit->rates = arena_array(e->arena, length, sizeof *visit->rates);
  for (uint32_t i = 0; list && visit->uses && visit->rates && i < length; i++) {
    SymbolId id = expr_symbol(e->pool, list[i]);
    const Symbol *s = pool_symbol_get(e->pool, id);
    if (!id || (s->kind != sym_input && s->kind != sym_input_rate)) continue;
    visit->rates[visit->count] = s->kind == sym_input_rate;
    visit->uses[visit->count++] = s->index;
  }
  return list && visit->uses && visit->rates;
}

// Depth first with a stack of its own; an input that is met while it is on the stack closes a cycle.
void given_circles(Elab *e) {
  Model *m = e->model;
  uint32_t n = m->inputs.count;
  enum { fresh, active, done };
  char *state = arena_array(e->arena, n, sizeof *state);
  InputVisit *stack = arena_array(e->arena, n, sizeof *stack);
  if (!state || !stack) return;
  for (uint32_t first = 0; first < n; first++) {
    uint32_t depth = 0;
    if (state[first] != fresh || !enter_input(e, first, &stack[depth++])) continue;
    state[first] = active;
    while (depth) {
      InputVisit *top = &stack[depth - 1];
      if (top->next == top->count) {
        state[top->input] = done;
        depth--;
        continue;
      }
      uint32_t used = top->uses[top->next++];
      // a cycle of inputs alone is solved as an algebraic loop
      bool rate = false;
      for (uint32_t k = depth; state[used] == active && k-- > 0;) {
        rate = rate || stack[k].rates[stack[k].next - 1];
        if (stack[k].input == used) break;
      }
      if (state[used] == active && !rate) continue;
      if (state[used] == active) {
        diag_error(e->diags, diag_circle, m->inputs.items[used].span, "the input `%s` depends on itself",
                   m->inputs.items[used].name);
        return;
      }
      if (state[used] != fresh) continue;
      state[used] = active;
      if (!enter_input(e, used, &stack[depth++])) return;
    }
  }
}

void given_params(Elab *e) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < e->names.decls.count; i++) count += e->names.decls.items[i]->kind == decl_param;
  if (!vec_reserve(e->arena, &e->model->params, count) ||
      !pool_reserve(e->pool, 2 * count + count / 4, count + count / 4))
    return;
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    Decl *d = e->names.decls.items[i];
    if (d->kind == decl_param) eval_decl(e, d, d->span);
  }
}
