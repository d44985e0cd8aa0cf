// Names become variables of one tape: parameters that differ go in, all parameters and y(0) come out; starting values
// that differ are put over y(0).
#include "sim/vary.h"

#include "expr/calculus.h"

#include <math.h>
#include <string.h>

// Does y start there as the model says? Not where a velocity follows from an equation of first order, nor where what is
// integrated instead of it depends on a position.
static bool start_is_free(SimProgram *p, uint32_t k) {
  const SimComponent *c = &p->y.items[k];
  if (c->kind == component_velocity) return c->variable == c->shown;
  if (c->kind == component_position && !c->variable) return false;
  for (uint32_t i = 0; c->kind == component_position && i < p->s.coord_count; i++) {
    const Speed *speed = &p->s.speeds[i];
    bool combined = speed->symbol && speed->symbol != p->s.coords.items[i].v;
    if (combined && expr_depends(&p->pool, speed->meaning, c->shown)) return false;
  }
  return true;
}

static bool find_param(const SimProgram *p, const char *name, Diags *diags, SymbolId *symbol) {
  for (uint32_t k = 0; k < p->param_count; k++) {
    const SystemParam *q = &p->s.params.items[k];
    if (strcmp(q->name, name) != 0) continue;
    if (q->structural)
      diag_error(diags, diag_bad_setting, (Span){0},
                 "`%s` says how many things there are: it cannot differ within a batch", name);
    *symbol = q->symbol;
    return true;
  }
  return false;
}

static bool find_start(SimProgram *p, const char *name, Diags *diags, uint32_t *place) {
  for (uint32_t k = 0; k < p->y.count; k++) {
    if (strcmp(p->y.items[k].name, name) != 0) continue;
    if (!start_is_free(p, k))
      diag_error(diags, diag_bad_setting, (Span){0},
                 "the starting value of `%s` is not free: it follows from an equation of first order", name);
    *place = k;
    return true;
  }
  return false;
}

static const VaryTarget *target_at(const Variation *v, uint32_t place) {
  for (uint32_t i = 0; i < v->count; i++) {
    if (!v->targets[i].param && v->targets[i].index == place) return &v->targets[i];
  }
  return NULL;
}

// How many of the four numbers of a quaternion differ; place: their indices in y.
static uint32_t turn_targets(const Variation *v, uint32_t ball, uint32_t place[4]) {
  const System *s = &v->p->s;
  uint32_t count = 0;
  for (uint32_t k = 0; k < 4; k++) {
    place[k] = system_place(s, s->states.items[s->tree.balls.items[ball].first + k].x);
    count += place[k] != no_place && target_at(v, place[k]);
  }
  return count;
}

// Some numbers of a quaternion cannot differ without the others.
static void check_turns(const Variation *v, Diags *diags) {
  for (uint32_t i = 0; i < v->p->s.tree.balls.count; i++) {
    uint32_t place[4], count = turn_targets(v, i, place);
    const char *name = v->p->s.tree.balls.items[i].name;
    if (count == 0 || count == 4) continue;
    diag_error(diags, diag_bad_setting, (Span){0},
               "some of the four numbers of the turn `%s` cannot differ alone: its length is 1", name);
    diag_hint(diags, "let all of `%s.w`, `%s.x`, `%s.y`, `%s.z` differ, or parameters of which they are made", name,
              name, name, name);
  }
}

// False: the numbers that differ are no quaternion of a rotation. Last digits are brought to length 1.
static bool turn_starts(const Variation *v, double *y0) {
  for (uint32_t i = 0; i < v->p->s.tree.balls.count; i++) {
    uint32_t place[4];
    double square = 0;
    if (turn_targets(v, i, place) != 4) continue;
    for (uint32_t k = 0; k < 4; k++) square += y0[place[k]] * y0[place[k]];
    if (!(fabs(sqrt(square) - 1) <= tree_turn_slack)) return false;
    for (uint32_t k = 0; k < 4; k++) y0[place[k]] /= sqrt(square);
  }
  return true;
}

bool vary_names(SimProgram *p, const char *const *names, uint32_t count, Diags *diags, Variation *out) {
  SymbolId *vars = arena_array(p->arena, (size_t)count + 1, sizeof *vars);
  uint32_t var_count = 0;
  *out = (Variation){.p = p, .count = count};
  out->targets = arena_array(p->arena, (size_t)count + 1, sizeof *out->targets);
  if (!vars || !out->targets) return false;
  for (uint32_t i = 0; i < count; i++) {
    VaryTarget *t = &out->targets[i];
    bool found = true;
    if (find_param(p, names[i], diags, &vars[var_count])) *t = (VaryTarget){true, var_count++};
    else found = find_start(p, names[i], diags, &t->index);
    if (!found)
      diag_error(diags, diag_unknown_name, (Span){0}, "there is no parameter or starting value `%s`", names[i]);
    for (uint32_t k = 0; k < i && found; k++) {
      if (strcmp(names[k], names[i]) == 0)
        diag_error(diags, diag_bad_setting, (Span){0}, "`%s` stands twice", names[i]);
    }
  }
  check_turns(out, diags);
  if (diags->errors) return true;
  out->tape = values_tape(&p->s, &p->y, vars, var_count, &out->at);
  return out->tape != NULL;
}

bool vary_eval(const Variation *v, double *w, const double *row, double *params, double *y0) {
  const SimProgram *p = v->p;
  bool finite = true;
  for (uint32_t i = 0; i < v->count; i++) {
    if (v->targets[i].param) tape_vars(v->tape, w)[v->targets[i].index] = row[i];
  }
  tape_prepare(v->tape, w);
  tape_eval(v->tape, w);
  for (uint32_t i = 0; i < p->param_count; i++) {
    params[i] = tape_result(v->tape, w, v->at.params + i);
    finite = finite && isfinite(params[i]);
  }
  for (uint32_t i = 0; i < p->y.count; i++) y0[i] = tape_result(v->tape, w, v->at.starts + i);
  for (uint32_t i = 0; i < v->count; i++) {
    if (!v->targets[i].param) y0[v->targets[i].index] = row[i];
  }
  for (uint32_t i = 0; i < p->y.count; i++) finite = finite && isfinite(y0[i]);
  finite = finite && turn_starts(v, y0);
  for (uint32_t i = 0; i < p->s.demands.count; i++) finite = finite && tape_result(v->tape, w, v->at.demands + i) == 0;
  return finite;
}
