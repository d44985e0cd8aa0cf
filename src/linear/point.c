// Operating point of a linearization: a named point, the start, or an equilibrium.
//
// in    where the caller wants it: a named point, the start, or an equilibrium near one of them
// out   o->y in numbers and o->point exactly, where that can be proved; memories and what sticks as they are there
// how   rest/resting.h finds the rest. Numbers that are 0 or multiples of pi/2 are tried exactly.
#include "linear/linearize_parts.h"
#include "rest/consistent.h"
#include "rest/resting.h"

#include <math.h>
#include <string.h>

static const double quarter_turn = 1.57079632679489661923;

// 0 and whole multiples of pi/2 within rounding; 0: it is none. *y becomes its number.
static ExprId nice_value(ExprPool *pool, double start, double *y) {
  double k = nearbyint(*y / quarter_turn);
  bool zero = fabs(*y) <= fmax(1e-10 * fabs(start), 1e-18);
  if (!zero && (k == 0 || fabs(k) > 64 || fabs(*y - k * quarter_turn) > 1e-9)) return 0;
  *y = zero ? 0 : k * quarter_turn;
  return zero ? pool->zero : expr_scale(pool, rat_make(pool->arena, (int64_t)k, 2), pool->pi);
}

static bool rates_vanish(const LinearWork *w, bool *moves) {
  const Operating *o = w->o;
  *moves = false;
  for (uint32_t i = 0; i < o->states; i++) {
    uint32_t at = o->component[i];
    ExprId r = w->exact.rates[at];
    if (expr_is_zero(o->s.pool, r)) continue;
    bool cyclic = operating_is_position(o, at);
    for (uint32_t k = 0; k < o->dim && cyclic; k++)
      cyclic = expr_is_zero(o->s.pool, w->exact.jacobian[(size_t)k * o->dim + at]);
    if (!cyclic) return false;
    *moves = true;
  }
  return true;
}

// A velocity itself, no combination of several.
static bool is_plain_velocity(const Operating *o, uint32_t at) {
  return operating_is_velocity(o, at) && operating_component(o, at)->derivative;
}

// What Newton's method found, exactly where that can be proved; else its numbers, and symbols in the exact form.
static bool take_found(LinearWork *w) {
  Operating *o = w->o;
  ExprPool *pool = o->s.pool;
  double *y = w->found.y;
  bool all = true, moves = false, rest = w->found.status == equilibrium_rest;
  for (uint32_t i = 0; i < o->states; i++) {
    uint32_t at = o->component[i];
    ExprId nice = o->point[at];
    if (rest && is_plain_velocity(o, at)) {
      nice = pool->zero;
      y[at] = 0;
    } else if (fabs(y[at] - o->y[at]) <= 1e-13 * fabs(y[at])) {
      y[at] = o->y[at];
    } else {
      nice = nice_value(pool, o->y[at], &y[at]);
    }
    all = all && nice && nice != expr_sym(pool, o->symbols[at]);
    o->point[at] = nice ? nice : expr_sym(pool, o->symbols[at]);
  }
  memcpy(o->y, y, o->dim * sizeof *y);
  w->nice = all;
  if (!all || !w->settings->exact) return true;
  if (!exact_linear(o, exact_symbols, false, &w->exact)) return false;
  w->exact_done = !w->exact.why && rates_vanish(w, &moves);
  return true;
}

// Names of the states that `which` marks, by component, and how many they are.
static const char *names_where(const Operating *o, const bool *which, uint32_t *count) {
  Text t = text_in(o->arena);
  *count = 0;
  for (uint32_t i = 0; i < o->states; i++) {
    uint32_t at = o->component[i];
    if (!which[at]) continue;
    ++*count;
    text_printf(&t, "%s%s", t.length ? ", " : "", o->names[at]);
  }
  return t.length ? text_str(&t) : NULL;
}

static LinearizeStatus status_of(RestingStatus status) {
  switch (status) {
  case resting_found: return linearize_done;
  case resting_failed: return linearize_failed;
  case resting_interrupted: return linearize_interrupted;
  case resting_no_memory: break;
  }
  return linearize_no_memory;
}

// The exact point of memories and modes: small whole numbers as such, others by their names.
static void put_exact_events(LinearWork *w) {
  Operating *o = w->o;
  for (uint32_t i = 0; i < events_places(o); i++) {
    double twice = 2 * o->events.z[i];
    bool simple = fabs(twice) <= 1e6 && twice == nearbyint(twice);
    o->point[o->branch_at[i]] = simple ? expr_num(o->s.pool, rat_make(o->s.pool->arena, (int64_t)twice, 2))
                                       : expr_sym(o->s.pool, o->symbols[o->branch_at[i]]);
  }
}

// Memories and what sticks as they are at y.
static LinearizeStatus take_events(LinearWork *w, const double *y, const char **message, Span *place) {
  RestingTrouble trouble = {0};
  bool changed, rest = w->settings->at == at_equilibrium || w->settings->at == at_found;
  EventsFor what = rest ? events_of_rest : events_of_motion;
  LinearizeStatus status = status_of(resting_events(w->o, y, what, &changed, &trouble));
  if (status == linearize_failed) {
    *message = trouble.message;
    *place = trouble.place;
  }
  if (status == linearize_done) put_exact_events(w);
  return status;
}

static LinearizeStatus search(LinearWork *w, const char **message, Span *place) {
  RestingTrouble trouble = {0};
  LinearizeStatus status = status_of(resting_nearest(w->o, &w->found, &trouble));
  if (status == linearize_done) return status;
  *message = trouble.message;
  *place = trouble.place;
  w->out->hint = trouble.hint;
  return status;
}

static LinearizeStatus go_to_equilibrium(LinearWork *w, const char **message, Span *place) {
  Operating *o = w->o;
  Linearization *out = w->out;
  if (!o->numbers) {
    *message = arena_printf(o->arena, "an equilibrium is searched for in numbers, and the parameter `%s` has no value",
                            o->missing);
    out->hint = arena_printf(o->arena, "give it one, `--set %s=...`, or name the point, `--at %s=...`", o->missing,
                             o->states ? o->names[o->component[0]] : "t");
    return linearize_failed;
  }
  LinearizeStatus status = search(w, message, place);
  if (status != linearize_done) return status;
  const Equilibrium *e = &w->found;
  out->iterations = e->iterations;
  out->kind = e->status == equilibrium_steady ? point_steady : point_found;
  for (uint32_t i = 0; i < o->events.memories; i++) {
    const SystemMemory *m = &o->s.memories.items[i];
    if (strcmp(m->block, "pulse") != 0 || !m->logic || o->events.z[i] == 0) continue;
    *message =
        arena_printf(o->arena, "no equilibrium was found: where the motion would rest, the trigger of %s stays 1",
                     resting_named(o, m->block, m->span));
    *place = m->span;
    return linearize_failed;
  }
  if ((status = take_events(w, e->y, message, place)) != linearize_done) return status;
  if (!take_found(w)) return linearize_no_memory;
  // directions that are nobody's own, beside those of cyclic coordinates
  uint32_t cyclic_count;
  const char *cyclic = names_where(o, e->free_state, &cyclic_count);
  if (cyclic) linear_note(w, arena_printf(o->arena, "nothing depends on %s: where the search began is kept", cyclic));
  if (e->free > cyclic_count)
    linear_note(
        w, "the equilibrium may not be alone: the linear equations leave a direction free, and the place nearest to "
           "the start of the search is taken");
  return linearize_done;
}

// A point beside the constraints is projected onto them, and what moved is reported.
static LinearizeStatus go_to_constraints(LinearWork *w, const char **message, Span *place) {
  Operating *o = w->o;
  uint32_t worst = 0;
  switch (consistent_point(o, &worst)) {
  case consistent_as_it_is: return linearize_done;
  case consistent_no_memory: return linearize_no_memory;
  case consistent_no_module:
    *message = "a point on the constraints is found with libviva-solvers.so beside the library, and LAPACK";
    return linearize_failed;
  case consistent_none:
    *message =
        arena_printf(o->arena, "the point does not obey the constraint of %s, and nothing that may move leads there",
                     o->s.invariants.items[worst].name);
    w->out->hint = "name fewer values with `--at`: what is not named moves until the constraints hold";
    *place = o->s.invariants.items[worst].span;
    return linearize_failed;
  case consistent_moved: break;
  }
  Text t = text_in(o->arena);
  for (uint32_t at = 0; at < o->dim; at++) {
    if (o->y[at] != o->first[at])
      text_printf(&t, "%s%s from %.6g to %.6g", t.length ? ", " : "", o->names[at], o->first[at], o->y[at]);
  }
  linear_note(w, arena_printf(o->arena, "moved onto the constraints: %s", text_str(&t)));
  return linearize_done;
}

// A rest that was found before.
static LinearizeStatus take_known(LinearWork *w, const char **message, Span *place) {
  const Operating *o = w->o;
  w->found = *w->settings->found;
  w->out->iterations = w->found.iterations;
  w->out->kind = w->found.status == equilibrium_steady ? point_steady : point_found;
  w->nice = true;
  for (uint32_t i = 0; i < o->states; i++) {
    uint32_t at = o->component[i];
    w->nice = w->nice && o->point[at] != expr_sym(o->s.pool, o->symbols[at]);
  }
  return take_events(w, o->y, message, place);
}

LinearizeStatus linear_take_point(LinearWork *w, const char **message, Span *place) {
  Operating *o = w->o;
  if (!o->numbers && events_places(o)) {
    *message = arena_printf(
        o->arena, "which branch a block or a jump is on is decided in numbers, and the parameter `%s` has no value",
        o->missing);
    w->out->hint = arena_printf(o->arena, "give it one, `--set %s=...`", o->missing);
    return linearize_failed;
  }
  if (w->settings->at == at_equilibrium) return go_to_equilibrium(w, message, place);
  if (w->settings->at == at_found) return take_known(w, message, place);
  if (o->numbers && consistent_needed(o)) {
    LinearizeStatus status = go_to_constraints(w, message, place);
    if (status != linearize_done) return status;
  }
  return o->numbers ? take_events(w, o->y, message, place) : linearize_done;
}
