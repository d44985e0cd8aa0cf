// Stick-slip transitions of elements that are at zero together: which of them stick, and which slide.
//
// At an instant the modes whose guards are zero and which act on their own rate form groups: those that act on each
// other. Each group is one problem of hybrid/stick.h. Its rates are affine in the values but where an element changes
// the force that it is made of, as in mu*abs(lambda)*sign(v): the problem is linearized again at its solution then,
// which lies inside of the boxes, until the equations themselves say what it says (Josephy, Newton). Guards of other
// functions may depend on the values of the elements, as that of abs(lambda) does: each choice of their branches is a
// problem of its own, and only one may agree with itself.
#include "hybrid/holding.h"

#include "hybrid/stick.h"
#include "numerics/least_norm.h"

#include <math.h>
#include <string.h>

static double rate(const Hybrid *h, uint32_t i) { return hybrid_result(h, event_rates, i); }

// ---- a group

typedef struct HoldGroup {
  Hybrid *h;
  double t;
  double *y;
  const uint32_t *at;      // the modes
  const ModeState *before; // of all modes, before the search
  const double *values, *errors;
  double *push; // room for y
  Stick stick;
} HoldGroup;

// Puts the solution into the modes.
static void put(HoldGroup *g) {
  Hybrid *h = g->h;
  const Stick *x = &g->stick;
  h->state->tie_count = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    ModeState *m = &h->modes[g->at[i]];
    if (m->holds) holding_release(h, g->at[i]);
    holding_put(h, g->at[i], x->z[i], x->slides[i]);
    if (!stick_holds(x, i)) continue;
    int8_t pinned = x->state[i] == stick_inside ? 0 : x->state[i] == stick_up ? 1 : -1;
    uint32_t j = g->at[i];
    do {
      h->modes[j].holds = true;
      h->modes[j].pinned = (int8_t)(pinned * h->plan->modes[g->at[i]].side * h->plan->modes[j].side);
      h->held[h->state->held_count++] = j;
    } while ((j = holding_next(h, j)) != g->at[i]);
  }
}

// Do the equations themselves say at these values what the affine rates say?
static bool is_affine(HoldGroup *g) {
  holding_rates(g->h, g->t, g->y);
  for (uint32_t i = 0; i < g->stick.n; i++) g->stick.r[i] = rate(g->h, g->at[i]);
  return stick_agrees(&g->stick);
}

// What each element is before the search: one that slides goes on sliding, one that came to zero may stick.
static void begin(HoldGroup *g) {
  Hybrid *h = g->h;
  Stick *x = &g->stick;
  uint32_t reached = UINT32_MAX;
  for (uint32_t i = 0; i < x->n; i++) {
    const SwitchMode *p = &h->plan->modes[g->at[i]];
    const ModeState *m = &g->before[g->at[i]];
    double z = g->values[g->at[i]], limit = p->kind == mode_sign ? holding_limit(h, g->at[i]) : 1;
    x->high[i] = limit;
    x->low[i] = p->kind == mode_sign ? -limit : 0;
    x->up[i] = 1;
    x->down[i] = p->kind == mode_sign ? -1 : 0;
    x->error[i] = g->errors[g->at[i]];
    bool released = h->modes[g->at[i]].released, outer = z >= x->up[i] || z <= x->down[i];
    x->slides[i] = m->acts && !m->holds && !released && outer;
    x->state[i] = !x->slides[i] && !released ? stick_inside : z >= x->up[i] ? stick_up : stick_down;
    if (released) reached = i;
  }
  if (reached != UINT32_MAX) stick_reach(x, reached);
}

// Puts the values into the modes. Returns how far that is from what they were, as a part of their box.
static double put_values(HoldGroup *g) {
  double most = 0;
  for (uint32_t i = 0; i < g->stick.n; i++) {
    double *z = hybrid_mode(g->h, g->at[i]), value = g->stick.z[i];
    most = fmax(most, fabs(value - *z) / fmax(1, fabs(value)));
    holding_put(g->h, g->at[i], value, g->stick.slides[i]);
  }
  return most;
}

// With the boxes as they are. Where the rates are not affine: by Newton's method, until the values stay.
static StickVerdict solve(HoldGroup *g) {
  enum { most = 32 };
  Stick *x = &g->stick;
  for (int round = 0; round < most; round++) {
    StickVerdict verdict = stick_solve(x);
    if (verdict != stick_solved) return verdict;
    if (put_values(g) <= HOLD_ROUNDING || !g->h->plan->bent) return is_affine(g) ? stick_solved : stick_none;
    holding_linear(g->h, g->at, x->n, x->slides, g->t, g->y, x->a, x->b);
  }
  return stick_none;
}

// Do operators of one element have other ratios of their values at rest than of those while sliding? Then the rates
// differ between the two states.
static bool is_uneven(const HoldGroup *g) {
  for (uint32_t i = 0; i < g->stick.n; i++) {
    for (uint32_t j = holding_next(g->h, g->at[i]); j != g->at[i]; j = holding_next(g->h, j)) {
      if (holding_limit(g->h, j) != holding_limit(g->h, g->at[i])) return true;
    }
  }
  return false;
}

static StickVerdict settle_group(HoldGroup *g) {
  Stick *x = &g->stick;
  StickVerdict verdict;
  begin(g);
  bool uneven = is_uneven(g);
  do {
    if (uneven) holding_affine(g->h, g->at, x->n, x->slides, g->t, g->y, x->a, x->b);
    verdict = solve(g);
  } while (verdict == stick_solved && stick_leave(x));
  put(g);
  return verdict;
}

// ---- all groups

// Memory for as many modes as ever stood at zero at once, and for what was before.
struct HoldWork {
  uint32_t most;
  double *a, *b;
  uint32_t *first, *order, *indices;
  double *numbers;
  StickState *states;
  bool *flags;
  HoldGroup g;
  ModeState *before;
  double *values;
  uint32_t *open; // modes whose guards depend on the values of the elements
  bool *acting;   // room: by mode
};

static bool may_stick(const SwitchMode *p) { return p->jumps && event_may_hold(p); }

static bool is_at_zero(const Hybrid *h, uint32_t i) {
  return may_stick(&h->plan->modes[i]) && instant_at_limit(&h->instant, i);
}

// What an element, or one operator of it alone, does to the rate of its guard.
static double effect(Hybrid *h, uint32_t i, bool alone, double t, const double *y, double *size) {
  double r[2];
  for (int one = 0; one < 2; one++) {
    if (alone) *hybrid_mode(h, i) = one;
    else holding_put(h, i, one, false);
    holding_rates(h, t, y);
    r[one] = rate(h, i);
  }
  uint32_t j = i;
  do *hybrid_mode(h, j) = h->hold_work->values[j];
  while ((j = holding_next(h, j)) != i);
  *size = fmax(fabs(r[0]), fabs(r[1]));
  return r[1] - r[0];
}

// Are two operators on one guard the same: as sign(x) and sign(2 x)?
static bool is_same(const Hybrid *h, uint32_t i, uint32_t j) {
  const SwitchMode *a = &h->plan->modes[i], *b = &h->plan->modes[j];
  if (a->kind != b->kind || a->closed != b->closed || a->limit != b->limit || a->of || b->of) return false;
  return a->kind == mode_sign || a->side == b->side;
}

// Operators whose guards are zero and that act on the rates of these, or are the same as one that does.
static void find_acting(Hybrid *h, double t, const double *y) {
  uint32_t modes = h->plan->mode_count;
  bool *acts = h->hold_work->acting;
  double size;
  for (uint32_t i = 0; i < modes; i++) h->modes[i].acts = is_at_zero(h, i);
  for (uint32_t i = 0; i < modes; i++) acts[i] = h->modes[i].acts && effect(h, i, true, t, y, &size) != 0;
  for (uint32_t i = 0; i < modes; i++) {
    if (!h->modes[i].acts || acts[i]) continue;
    bool any = false;
    for (uint32_t j = holding_next(h, i); j != i; j = holding_next(h, j)) any = any || (acts[j] && is_same(h, i, j));
    acts[i] = any;
  }
  for (uint32_t i = 0; i < modes; i++) h->modes[i].acts = acts[i];
}

// Elements at zero that lead their own rate back, each by the one of its operators whose value at rest is largest
// beside its value while sliding. Returns how many; they stand first in h->group. UINT32_MAX: the first one of it has
// no value to stick with.
static uint32_t collect(Hybrid *h, double t, const double *y) {
  uint32_t n = 0, kept = 0;
  find_acting(h, t, y);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (!is_at_zero(h, i) || !isinf(holding_limit(h, i))) continue;
    h->group[0] = i;
    return UINT32_MAX;
  }
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (h->modes[i].holds && !h->modes[i].acts) holding_release(h, i);
  }
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (!h->modes[i].acts) continue;
    bool most = true;
    for (uint32_t j = holding_next(h, i); j != i; j = holding_next(h, j)) {
      double more = holding_limit(h, j) - holding_limit(h, i);
      most = most && (more < 0 || (more == 0 && i < j));
    }
    if (most) h->group[n++] = i;
  }
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = h->group[k], element = h->plan->modes[i].element;
    double size, by;
    by = effect(h, i, false, t, y, &size);
    if (by < -HOLD_ROUNDING * size) {
      h->group[kept++] = i;
      continue;
    }
    if (h->modes[i].holds) holding_release(h, i);
    for (uint32_t j = 0; j < h->plan->mode_count; j++) {
      if (h->plan->modes[j].element == element) h->modes[j].acts = h->modes[j].released = false;
    }
  }
  return kept;
}

// Sorts the n modes of h->group so that those that act on each other stand together; where each begins is in first, n
// at the end. Returns how many there are.
static uint32_t split(Hybrid *h, uint32_t n, const double *a, uint32_t *first) {
  uint32_t *label = h->room.columns, groups = 0;
  for (uint32_t i = 0; i < n; i++) label[i] = UINT32_MAX;
  for (uint32_t i = 0; i < n; i++) {
    if (label[i] != UINT32_MAX) continue;
    label[i] = groups;
    for (bool more = true; more;) {
      more = false;
      for (uint32_t j = 0; j < n; j++) {
        for (uint32_t k = 0; label[j] == groups && k < n; k++) {
          if (label[k] == groups || (a[(size_t)j * n + k] == 0 && a[(size_t)k * n + j] == 0)) continue;
          label[k] = groups;
          more = true;
        }
      }
    }
    groups++;
  }
  uint32_t at = 0;
  memcpy(h->room.free_at, h->group, n * sizeof *h->group);
  for (uint32_t g = 0; g < groups; g++) {
    first[g] = at;
    for (uint32_t i = 0; i < n; i++) {
      if (label[i] == g) h->group[at++] = h->room.free_at[i];
    }
  }
  first[groups] = n;
  return groups;
}

// The index in y of a guard that is a plain velocity or state.
static uint32_t component(const Hybrid *h, const SwitchMode *m) {
  const System *s = h->plan->s;
  SymbolId symbol = expr_symbol(s->pool, m->g);
  uint32_t at = system_place(s, symbol);
  return at != no_place && s->y.items[at].kind != component_position ? at : no_place;
}

// The rates of y by each element that may hold, from one of its branches to another, without their signs: what is left
// where they balance a load is known no better than a last digit of these.
void holding_rate_rounding(void *self, double t, const double *y, double *rates) {
  Hybrid *h = self;
  double *now = h->room.y, *other = h->room.slope;
  memset(rates, 0, h->plan->body * sizeof *rates);
  hybrid_given(h, t, y);
  h->host.changed(h->host.self);
  uint32_t held = h->state->held_count, tied = h->state->tie_count;
  h->state->held_count = h->state->tie_count = 0; // the values stay as they are set here
  bool known = h->host.f(h->host.self, t, y, now);
  for (uint32_t i = 0; known && i < h->plan->mode_count; i++) {
    const SwitchMode *p = &h->plan->modes[i];
    if (!p->between || p->equality || p->kind == mode_floor) continue;
    double *z = hybrid_mode(h, i), kept = *z;
    *z = kept != 0 ? 0 : 1;
    h->host.changed(h->host.self);
    bool ok = h->host.f(h->host.self, t, y, other);
    *z = kept;
    for (uint32_t e = 0; ok && e < h->plan->body; e++) rates[e] += 0x1p-51 * fabs(other[e] - now[e]);
  }
  h->state->held_count = held;
  h->state->tie_count = tied;
  h->host.changed(h->host.self);
}

// What came to zero and sticks there is put to zero exactly: the elements themselves take out the small velocity that
// is left, in the directions in which they act, so that they do not disturb each other. Sticking does no work: what is
// lost here to rounding and to the error of the instant is not booked as dissipated, and shows in the energy balance.
static void put_to_zero(HoldGroup *g) {
  Hybrid *h = g->h;
  Stick *x = &g->stick;
  uint32_t n = 0;
  bool moves = false;
  hybrid_eval(h, event_guards, g->t, g->y);
  for (uint32_t i = 0; i < x->n; i++) {
    if (!stick_holds(x, i)) continue;
    x->rhs[n] = -hybrid_result(h, event_guards, g->at[i]);
    moves = moves || x->rhs[n] != 0;
    x->index[n++] = i;
  }
  if (!moves) return;
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t l = 0; l < n; l++) x->sub[(size_t)k * n + l] = x->a[(size_t)x->index[k] * x->n + x->index[l]];
  }
  x->inside.n = n;
  least_norm_factor(&x->inside);
  least_norm_solve(&x->inside, x->rhs, x->x);
  double before = h->host.stored(h->host.self, g->t, g->y), *low = h->room.y;
  uint32_t held = h->state->held_count;
  memset(g->push, 0, h->plan->body * sizeof *g->push);
  h->state->held_count = 0; // the values stay as they are set here
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = g->at[x->index[k]];
    double kept = *hybrid_mode(h, i);
    bool known = true;
    for (int one = 0; one < 2 && known; one++) {
      holding_put(h, i, one, false);
      h->host.changed(h->host.self);
      known = h->host.f(h->host.self, g->t, g->y, one ? h->room.slope : low);
    }
    holding_put(h, i, kept, false);
    for (uint32_t e = 0; known && e < h->plan->body; e++) g->push[e] += x->x[k] * (h->room.slope[e] - low[e]);
  }
  h->state->held_count = held;
  for (uint32_t e = 0; e < h->plan->body; e++) {
    g->y[e] += g->push[e];
    h->instant.off[1 + e] +=
        2 * fabs(g->push[e]); // the guards that read it are not off zero by this, nor by its rounding
  }
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = component(h, &h->plan->modes[g->at[x->index[k]]]);
    if (at < h->plan->body) g->y[at] = 0;
  }
  h->state->lost += h->host.stored(h->host.self, g->t, g->y) - before;
  hybrid_eval(h, event_guards, g->t, g->y);
  for (uint32_t k = 0; k < n; k++) { // what rounding left
    uint32_t i = g->at[x->index[k]];
    double left = fabs(hybrid_result(h, event_guards, i));
    h->modes[i].drift = fmax(h->modes[i].drift, left);
  }
}

// Reports what changed in a group. True: something did.
static bool report(HoldGroup *g) {
  Hybrid *h = g->h;
  bool changed = false;
  for (uint32_t i = 0; i < g->stick.n; i++) {
    uint32_t k = g->at[i];
    ModeState *m = &h->modes[k];
    const ModeState *before = &g->before[k];
    double z = *hybrid_mode(h, k), was = g->values[k];
    const Stick *x = &g->stick;
    bool same = m->holds          ? m->pinned == before->pinned
                : was >= x->up[i] ? z >= x->up[i]
                                  : was <= x->down[i] && z <= was;
    if (m->holds == before->holds && same) continue;
    changed = true;
    uint32_t j = k;
    do {
      h->modes[j].drift = 0;
      if (!m->holds || !before->holds) hybrid_note(h, g->t, (EventItem){event_of_mode, j}, *hybrid_mode(h, j));
    } while ((j = holding_next(h, j)) != k);
  }
  if (changed) put_to_zero(g);
  return changed;
}

// ---- an instant

static bool make_room(Hybrid *h, uint32_t n) {
  Arena *arena = h->arena;
  struct HoldWork *w = h->hold_work;
  if (n <= w->most) return true;
  w->most = n = 2 * n;
  w->a = arena_array(arena, (size_t)n * n + n, sizeof *w->a);
  w->first = arena_array(arena, 2 * (size_t)n + 1, sizeof *w->first);
  w->numbers = arena_array(arena, stick_numbers(n), sizeof *w->numbers);
  w->indices = arena_array(arena, stick_indices(n), sizeof *w->indices);
  w->states = arena_array(arena, 3 * (size_t)n, sizeof *w->states);
  w->flags = arena_array(arena, n, sizeof *w->flags);
  if (arena_failed(arena)) return false;
  w->b = w->a + (size_t)n * n;
  w->order = w->first + n + 1;
  return true;
}

static bool make_work(Hybrid *h) {
  if (h->hold_work) return true;
  Arena *arena = h->arena;
  size_t n = (size_t)h->plan->mode_count + 1;
  struct HoldWork *w = arena_new_of(arena, struct HoldWork);
  if (!w) return false;
  w->before = arena_array(arena, n, sizeof *w->before);
  w->values = arena_array(arena, n, sizeof *w->values);
  w->open = arena_array(arena, n, sizeof *w->open);
  w->acting = arena_array(arena, n, sizeof *w->acting);
  w->g.push = arena_array(arena, (size_t)h->plan->body + 1, sizeof *w->g.push);
  if (arena_failed(arena)) return false;
  h->hold_work = w;
  return true;
}

// The part of the problem that is group k.
static HoldGroup part(Hybrid *h, const struct HoldWork *w, uint32_t k, uint32_t n) {
  HoldGroup g = w->g;
  uint32_t count = w->first[k + 1] - w->first[k];
  g.h = h;
  g.before = w->before;
  g.values = w->values;
  stick_place(&g.stick, count, w->numbers, w->indices, w->states, w->flags);
  g.at = h->group + w->first[k];
  uint32_t *place = h->room.columns; // among all n
  for (uint32_t i = 0; i < count; i++) {
    place[i] = 0;
    while (w->order[place[i]] != g.at[i]) place[i]++;
  }
  for (uint32_t i = 0; i < count; i++) {
    ModeState *m = &h->modes[g.at[i]];
    g.stick.b[i] = w->b[place[i]];
    for (uint32_t j = 0; j < count; j++) g.stick.a[(size_t)i * count + j] = w->a[(size_t)place[i] * n + place[j]];
    m->rate_scale = fmax(m->rate_scale, fabs(g.stick.b[i]) + fabs(g.stick.a[(size_t)i * count + i]));
  }
  return g;
}

static HoldVerdict verdict_of(StickVerdict verdict) {
  switch (verdict) {
  case stick_solved: return hold_same;
  case stick_none: return hold_none;
  case stick_several: return hold_several;
  case stick_too_many: return hold_undecided;
  }
  return hold_none;
}

// All groups, with the branches of all other functions as they are. *changed: an element is another than before.
static HoldVerdict settle_groups(Hybrid *h, double t, double *y, const double *errors, bool last, bool *changed) {
  struct HoldWork *w = h->hold_work;
  hybrid_eval(h, event_guards, t, y); // the limits
  uint32_t n = collect(h, t, y);
  h->state->group_count = n == UINT32_MAX ? 1 : n;
  if (n == UINT32_MAX) return hold_slippery;
  if (n == 0) return hold_same;
  if (!make_room(h, n) || !holding_room(h, n)) return hold_no_memory;
  if (h->plan->bent) holding_linear(h, h->group, n, NULL, t, y, w->a, w->b);
  else holding_affine(h, h->group, n, NULL, t, y, w->a, w->b);
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (h->modes[i].acts) *hybrid_mode(h, i) = w->values[i];
  }
  memcpy(w->order, h->group, n * sizeof *w->order);
  uint32_t groups = split(h, n, w->a, w->first);
  for (uint32_t k = 0; k < groups; k++) {
    HoldGroup g = part(h, w, k, n);
    g.t = t;
    g.y = y;
    g.errors = errors;
    StickVerdict verdict = settle_group(&g);
    if (verdict == stick_solved) {
      if (last) *changed = report(&g) || *changed;
      continue;
    }
    h->state->group_count = g.stick.n;
    memmove(h->group, g.at, g.stick.n * sizeof *h->group);
    return verdict_of(verdict);
  }
  return hold_same;
}

// ---- guards that depend on the values of the elements

bool holding_any(const Hybrid *h) {
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    if (is_at_zero(h, i)) return true;
  }
  return false;
}

// Modes whose guards are computed together with the rates, as lambda of abs(lambda).
static uint32_t list_open(const Hybrid *h, uint32_t *open) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    const SwitchMode *p = &h->plan->modes[i];
    if (p->computed && p->enters && p->kind == mode_above && !p->timed) open[n++] = i;
  }
  return n;
}

// Does the branch of one of them agree with its guard? The guards were evaluated.
static bool agrees(Hybrid *h, uint32_t i) {
  double g = hybrid_guard(h, i), slack = h->noise[i] + HOLD_ROUNDING * fmax(h->modes[i].scale, fabs(g));
  return (*hybrid_mode(h, i) != 0 ? g : -g) >= -slack;
}

static bool all_agree(Hybrid *h, double t, const double *y, const uint32_t *open, uint32_t count) {
  bool all = true;
  hybrid_guards(h, t, y);
  for (uint32_t k = 0; k < count; k++) all = all && agrees(h, open[k]);
  return all;
}

// As it was before the search.
static void restore(Hybrid *h) {
  const struct HoldWork *w = h->hold_work;
  uint32_t modes = h->plan->mode_count;
  h->state->held_count = 0;
  memcpy(h->modes, w->before, modes * sizeof *h->modes);
  memcpy(hybrid_mode(h, 0), w->values, modes * sizeof *w->values);
  for (uint32_t i = 0; i < modes; i++) {
    if (h->modes[i].holds) h->held[h->state->held_count++] = i;
  }
}

static void choose(Hybrid *h, uint32_t choice, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) *hybrid_mode(h, h->hold_work->open[k]) = choice >> k & 1;
}

// Tries every choice of branches of those functions. *choice: the only one that agrees with itself.
static HoldVerdict choose_branches(Hybrid *h, double t, double *y, const double *errors, uint32_t count,
                                   uint32_t *choice) {
  struct HoldWork *w = h->hold_work;
  HoldVerdict verdict = hold_none;
  bool found = false, changed = false;
  double *rates = h->room.slope, *best = h->room.other_slope;
  for (uint32_t c = 0; c < 1u << count; c++) {
    restore(h);
    choose(h, c, count);
    HoldVerdict v = settle_groups(h, t, y, errors, false, &changed);
    if (v == hold_no_memory || v == hold_slippery) return v;
    if (v != hold_same && verdict == hold_none) verdict = v;
    if (v != hold_same || !all_agree(h, t, y, w->open, count)) continue;
    h->host.changed(h->host.self);
    if (!h->host.f(h->host.self, t, y, rates)) continue;
    for (uint32_t e = 0; found && e < h->plan->body; e++) {
      if (fabs(rates[e] - best[e]) > STICK_ALIKE * (fabs(rates[e]) + fabs(best[e]))) return hold_several;
    }
    if (found) continue;
    found = true;
    *choice = c;
    memcpy(best, rates, h->plan->body * sizeof *best);
  }
  return found ? hold_same : verdict;
}

// More than can be tried: those that do not agree are changed, until all do.
static HoldVerdict exchange_branches(Hybrid *h, double t, double *y, const double *errors, uint32_t count,
                                     bool *changed) {
  struct HoldWork *w = h->hold_work;
  for (uint32_t round = 0; round <= count; round++) {
    bool unused = false;
    restore(h);
    HoldVerdict verdict = settle_groups(h, t, y, errors, false, &unused);
    if (verdict != hold_same) return verdict;
    if (all_agree(h, t, y, w->open, count)) return hold_same;
    *changed = true;
    for (uint32_t k = 0; k < count; k++) {
      if (!agrees(h, w->open[k])) w->values[w->open[k]] = *hybrid_mode(h, w->open[k]) == 0;
    }
  }
  return hold_none;
}

HoldVerdict holding_settle(Hybrid *h, double t, double *y, const double *errors) {
  enum { most_open = 6 }; // 2^6 choices
  if (!h->plan->tape[event_rates]) return hold_same;
  if (!make_work(h)) return hold_no_memory;
  struct HoldWork *w = h->hold_work;
  uint32_t modes = h->plan->mode_count, choice = 0, count = list_open(h, w->open);
  memcpy(w->before, h->modes, modes * sizeof *w->before);
  memcpy(w->values, hybrid_mode(h, 0), modes * sizeof *w->values);
  bool changed = false;
  if (count > most_open) {
    HoldVerdict verdict = exchange_branches(h, t, y, errors, count, &changed);
    if (verdict != hold_same) return verdict;
    restore(h);
  } else if (count) {
    HoldVerdict verdict = choose_branches(h, t, y, errors, count, &choice);
    if (verdict != hold_same) return verdict;
    restore(h);
    choose(h, choice, count);
    for (uint32_t k = 0; k < count; k++) changed = changed || *hybrid_mode(h, w->open[k]) != w->values[w->open[k]];
  }
  HoldVerdict verdict = settle_groups(h, t, y, errors, true, &changed);
  return verdict != hold_same ? verdict : changed ? hold_changed : hold_same;
}
