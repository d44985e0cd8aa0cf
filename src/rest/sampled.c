// Sampled (discrete-time) states at rest. See sampled.h.
//
// in    the assignments of `every`, on the branches of the point (events_at.h)
// out   equations instead of rates (System.f); which rules count on; which disturb a rest that was found
#include "rest/sampled.h"

#include "rest/operating.h"

#include <math.h>

// Rounding of what a rule sets, beside what is there.
static const double same_part = 1e-7, same_least = 1e-12;

// Does anything of the system depend on it, other than its own rule?
static bool is_used(const Operating *o, const RestSample *own, SymbolId x) {
  const System *s = &o->s;
  ExprList roots = {0};
  system_roots(s, o->arena, &roots);
  for (uint32_t i = 0; i < roots.count; i++) {
    if (expr_depends(s->pool, roots.items[i], x)) return true;
  }
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (expr_depends(s->pool, s->h[i], x)) return true;
  }
  for (uint32_t i = 0; i < s->state_count; i++) {
    if (s->f[i] && s->states.items[i].x != x && expr_depends(s->pool, s->f[i], x)) return true;
  }
  for (uint32_t i = 0; i < o->samples.count; i++) {
    const RestSample *other = &o->samples.items[i];
    if (other != own && expr_depends(s->pool, other->value, x)) return true;
  }
  return false;
}

// A state that moves between samples, or is set by two rules, is looked at in the end.
static bool may_be_solved(const Operating *o, const RestSample *s) {
  if (s->assign->kind != assign_state || samples_solved(o, s->assign->index)) return false;
  const SystemState *x = &o->s.states.items[s->assign->index];
  return !x->rhs && !x->implicit;
}

// What `every` sets, on the branches of the point.
static bool list_samples(Operating *o) {
  for (uint32_t i = 0; i < o->s.whens.count; i++) {
    const SystemWhen *w = &o->s.whens.items[i];
    for (uint32_t k = 0; w->period && k < w->assigns.count; k++) {
      RestSample s = {.when = w, .assign = &w->assigns.items[k], .value = w->assigns.items[k].value};
      if (!events_rewrite(o, &s.value, 1) || !vec_push(o->arena, &o->samples, s)) return false;
    }
  }
  return true;
}

bool samples_plan(Operating *o) {
  ExprPool *pool = o->s.pool;
  if (!list_samples(o)) return false;
  for (uint32_t i = 0; o->rest && i < o->samples.count; i++) {
    RestSample *s = &o->samples.items[i];
    if (!may_be_solved(o, s)) continue;
    SymbolId x = o->s.states.items[s->assign->index].x;
    ExprId left = expr_sub(pool, s->value, expr_sym(pool, x));
    uint32_t at = system_place(&o->s, x);
    if (!left) return false;
    s->counts = !expr_depends(pool, left, x) && !is_used(o, s, x);
    s->solved = !s->counts;
    if (!s->solved) continue;
    o->s.f[s->assign->index] = left;
    if (at != no_place) o->s.y.items[at].rate = left;
  }
  return true;
}

bool samples_solved(const Operating *o, uint32_t state) {
  for (uint32_t i = 0; i < o->samples.count; i++) {
    const RestSample *s = &o->samples.items[i];
    if (s->solved && s->assign->index == state) return true;
  }
  return false;
}

bool samples_any(const Operating *o) {
  for (uint32_t i = 0; i < o->samples.count; i++) {
    if (o->samples.items[i].solved) return true;
  }
  return false;
}

const char *samples_name(const Operating *o, const RestSample *s) {
  const SystemAssign *a = s->assign;
  if (a->kind == assign_state) return o->s.states.items[a->index].name;
  const char *name = o->s.coords.items[a->index].name;
  return a->kind == assign_place ? name : arena_printf(o->arena, "%s'", name);
}

static ExprId set_by(const Operating *o, const SystemAssign *a) {
  const System *s = &o->s;
  SymbolId symbol = a->kind == assign_state   ? s->states.items[a->index].x
                    : a->kind == assign_place ? s->coords.items[a->index].q
                                              : s->coords.items[a->index].v;
  return expr_sym(s->pool, symbol);
}

bool samples_check(Operating *o, const double *y, const RestSample **bad, double *to) {
  uint32_t count = o->samples.count;
  ExprId *list = arena_array(o->arena, (size_t)2 * count + 1, sizeof *list);
  OperatingTape t;
  *bad = NULL;
  if (!count) return true;
  if (!list) return false;
  for (uint32_t i = 0; i < count; i++) {
    list[(size_t)2 * i] = o->samples.items[i].value;
    list[(size_t)2 * i + 1] = set_by(o, o->samples.items[i].assign);
  }
  if (!operating_tape(o, list, 2 * count, false, &t)) return false;
  operating_eval(o, &t, y);
  for (uint32_t i = 0; i < count; i++) {
    const RestSample *s = &o->samples.items[i];
    double value = tape_result(t.tape, t.w, 2 * i), there = tape_result(t.tape, t.w, 2 * i + 1);
    double off = fabs(value - there);
    if (s->counts || s->solved || off <= fmax(same_least, same_part * fmax(fabs(value), fabs(there)))) continue;
    *bad = s;
    *to = value;
    return true;
  }
  return true;
}
