// Elements at rest, solved together.
//
// At an event the modes that stand at zero and act on their own rate form groups: those that act on each other, g' = b
// + A z. Each element
//   holds     g' = 0,  z in its closed range: -L .. L for a sign (L = stick/slip >= 1), 0 .. 1 for a comparison
//   leaves    up with z = 1 and g' >= 0, down with z = -1 (a comparison: 0) and g' <= 0
// Friction is solved by box.c. Other groups, and those whose rates are not affine in z, are searched: every choice is
// tried. Whatever is found is put into the modes and asked of the equations themselves.
//
// An element that rests stays at rest while it can; so does one that just came to rest.
#include "sim/holding.h"

#include "sim/box.h"
#include "sim/least_norm.h"

#include <math.h>
#include <string.h>

enum { most_searched = 8 }; // 3^8 choices: a fraction of a second, once an event

static const double value_slack = 1e-12; // how exactly values at limits are known at least

static double rate(const Hybrid *h, uint32_t i) { return hybrid_result(h, event_rates, i); }

// ---- a group

typedef struct HoldGroup {
  Hybrid *h;
  double t;
  double *y;
  const uint32_t *at; // the modes
  double *push;       // room for y
  HoldStatus *best;
  Box box;
} HoldGroup;

// ---- putting it into the modes

static void put(HoldGroup *g) {
  Hybrid *h = g->h;
  h->state->tie_count = 0;
  for (uint32_t i = 0; i < g->box.n; i++) {
    ModeState *m = &h->modes[g->at[i]];
    bool pinned = g->box.status[i] != status_free && !g->box.loose[i];
    if (m->holds) holding_release(h, g->at[i]);
    if (g->box.status[i] == status_free || pinned) {
      m->holds = true;
      m->pinned = !pinned ? 0 : g->box.status[i] == status_up ? 1 : -1;
      h->held[h->state->held_count++] = g->at[i];
    } else {
      *hybrid_mode(h, g->at[i]) = g->box.status[i] == status_up ? g->box.up[i] : g->box.down[i];
    }
  }
}

// Do the equations themselves say what the affine rates say?
static bool verified(HoldGroup *g) {
  Hybrid *h = g->h;
  put(g);
  if (h->state->held_count) holding_values(h, g->t, g->y);
  holding_rates(h, g->t, g->y);
  for (uint32_t i = 0; i < g->box.n; i++) {
    g->box.r[i] = rate(h, g->at[i]);
    g->box.z[i] = *hybrid_mode(h, g->at[i]);
    bool rests = h->modes[g->at[i]].holds;
    if (rests && !(fabs(g->box.r[i]) <= 1e-9 * box_size(&g->box, i))) return false;
    if (box_wish(&g->box, i) != g->box.status[i]) return false;
  }
  return true;
}

// Every choice of holding and leaving. Where elements hold more at rest than in motion, as many as can stay at rest.
static HoldVerdict search(HoldGroup *g) {
  uint32_t n = g->box.n, choices = 1, found = 0, most = 0;
  bool grips = false;
  double *rates = g->box.x;
  for (uint32_t i = 0; i < n; i++) {
    choices *= 3;
    grips = grips || g->box.high[i] != g->box.up[i];
  }
  for (uint32_t choice = 0; choice < choices; choice++) {
    uint32_t rest = choice, holding = 0;
    for (uint32_t i = 0; i < n; i++, rest /= 3) {
      g->box.status[i] = (HoldStatus)(rest % 3);
      g->box.loose[i] = g->box.status[i] != status_free;
      holding += g->box.status[i] == status_free;
    }
    if (!verified(g)) continue;
    bool other = found == 0;
    for (uint32_t i = 0; i < n && !other; i++) other = fabs(g->box.r[i] - rates[i]) > 1e-9 * box_size(&g->box, i);
    if (!other || (grips && found && holding < most)) continue;
    if (grips && holding > most) found = 0;
    found++;
    most = holding;
    memcpy(g->best, g->box.status, n * sizeof *g->best);
    memcpy(rates, g->box.r, n * sizeof *rates);
  }
  if (found != 1) return found ? hold_several : hold_none;
  memcpy(g->box.status, g->best, n * sizeof *g->best);
  for (uint32_t i = 0; i < n; i++) g->box.loose[i] = g->box.status[i] != status_free;
  return verified(g) ? hold_changed : hold_none;
}

// What each element is before it is solved. True: nothing came to rest or broke loose, so that as it is may be right.
static bool begin(HoldGroup *g, HoldStatus *before, signed char *pinned) {
  Hybrid *h = g->h;
  bool quiet = true;
  g->box.give = value_slack;
  for (uint32_t i = 0; i < g->box.n; i++) {
    const SwitchMode *p = &h->plan->modes[g->at[i]];
    ModeState *m = &h->modes[g->at[i]];
    double z = *hybrid_mode(h, g->at[i]), limit = p->kind == mode_sign ? holding_limit(h, g->at[i]) : 1;
    g->box.high[i] = limit;
    g->box.low[i] = p->kind == mode_sign ? -limit : 0;
    g->box.up[i] = 1;
    g->box.down[i] = p->kind == mode_sign ? -1 : 0;
    if (m->holds) z = m->pinned;
    if (m->holds) before[i] = z > 0 ? status_up : z < 0 ? status_down : status_free;
    else before[i] = z >= g->box.up[i] ? status_up : z <= g->box.down[i] ? status_down : status_free;
    pinned[i] = m->holds ? m->pinned : 2; // 2: not held
    // one that was pinned is free at the next event, and then stays as it is
    g->box.status[i] = m->arrived ? status_free : before[i];
    g->box.loose[i] = !m->holds && g->box.status[i] != status_free;
    quiet = quiet && !m->arrived && !m->released;
    m->arrived = false;
    if (!m->released) m->give = 0;
    g->box.give = fmax(g->box.give, 16 * m->give); // one that met its limit inexactly is felt by the others
    m->rate_scale = fmax(m->rate_scale, fabs(g->box.b[i]) + fabs(g->box.a[(size_t)i * g->box.n + i]));
  }
  return quiet;
}

static HoldVerdict settle_group(HoldGroup *g, HoldStatus *before, signed char *pinned) {
  Hybrid *h = g->h;
  bool quiet = begin(g, before, pinned), even = box_symmetric(&g->box);
  HoldVerdict verdict = hold_none;
  if (even) {
    for (uint32_t i = 0; i < g->box.n; i++) { // one that reached its limit does not break loose while others hold it
      if (h->modes[g->at[i]].released) box_reached(&g->box, i);
    }
    if (box_settle(&g->box) && verified(g)) verdict = hold_changed;
  } else if (quiet && verified(g)) {
    verdict = hold_changed;
  }
  if (verdict == hold_none) verdict = g->box.n <= most_searched ? search(g) : hold_undecided;
  return verdict;
}

// ---- all groups

// Modes at zero that act on their own rate. Returns how many; they stand first in h->group. UINT32_MAX: the first one
// of it has nothing to hold with.
static uint32_t collect(Hybrid *h, double t, const double *y) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < h->plan->mode_count; i++) {
    const SwitchMode *p = &h->plan->modes[i];
    ModeState *m = &h->modes[i];
    m->acts = false;
    bool candidate = p->rate && p->jumps && p->enters && !p->equality && p->kind != mode_floor;
    if (candidate && (m->holds || m->at_zero)) h->group[n++] = i;
  }
  uint32_t kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = h->group[k];
    double *z = hybrid_mode(h, i), value = *z;
    *z = 0;
    holding_rates(h, t, y);
    double r0 = rate(h, i);
    *z = 1;
    holding_rates(h, t, y);
    double r1 = rate(h, i);
    *z = value;
    h->modes[i].acts = r1 - r0 < -1e-13 * fmax(fabs(r0), fabs(r1));
    if (isinf(holding_limit(h, i))) {
      h->group[0] = i;
      return UINT32_MAX;
    }
    if (h->modes[i].acts) h->group[kept++] = i;
    else if (h->modes[i].holds) holding_release(h, i);
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

// The place in y of a guard that is a plain velocity or state.
static uint32_t component(const Hybrid *h, const SwitchMode *m) {
  const System *s = h->plan->s;
  SymbolId symbol = expr_symbol(s->pool, m->g);
  uint32_t at = system_place(s, symbol);
  return at != no_place && s->y.items[at].kind != component_position ? at : no_place;
}

// The rates of y by each element that may hold, from one of its branches to another, without their signs: what is left
// where they balance a load is known no better than a last digit of these.
void holding_blur(void *self, double t, const double *y, double *rates) {
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

// What came to rest is put to rest, and what leaves with it starts from there: the little that is left of their motion
// is taken
// out by the elements themselves, in the directions in which they act, so that they do not disturb each other. To hold
// does no work: what is lost here to rounding and to the error of the moment is not booked as dissipated, and shows in
// the account.
static void put_to_rest(HoldGroup *g) {
  Hybrid *h = g->h;
  uint32_t n = g->box.n;
  bool moves = false, rests = false;
  hybrid_eval(h, event_guards, g->t, g->y);
  for (uint32_t i = 0; i < n; i++) {
    g->box.rhs[i] = -hybrid_result(h, event_guards, g->at[i]);
    moves = moves || g->box.rhs[i] != 0;
    rests = rests || h->modes[g->at[i]].holds;
  }
  if (!moves || !rests) return;
  memcpy(g->box.sub, g->box.a, (size_t)n * n * sizeof *g->box.a);
  least_norm(n, g->box.sub, g->box.rhs, g->box.x, g->box.column, g->box.room);
  double before = h->host.stored(h->host.self, g->t, g->y), *low = h->room.y;
  uint32_t held = h->state->held_count;
  memset(g->push, 0, h->plan->body * sizeof *g->push);
  h->state->held_count = 0; // the values stay as they are set here
  for (uint32_t k = 0; k < n; k++) {
    double *z = hybrid_mode(h, g->at[k]), kept = *z;
    bool known = true;
    for (int one = 0; one < 2 && known; one++) {
      *z = one;
      h->host.changed(h->host.self);
      known = h->host.f(h->host.self, g->t, g->y, one ? h->room.slope : low);
    }
    *z = kept;
    for (uint32_t e = 0; known && e < h->plan->body; e++) g->push[e] += g->box.x[k] * (h->room.slope[e] - low[e]);
  }
  h->state->held_count = held;
  for (uint32_t e = 0; e < h->plan->body; e++) g->y[e] += g->push[e];
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = component(h, &h->plan->modes[g->at[k]]);
    if (at < h->plan->body) g->y[at] = 0;
  }
  h->state->lost += h->host.stored(h->host.self, g->t, g->y) - before;
  hybrid_eval(h, event_guards, g->t, g->y);
  for (uint32_t k = 0; k < n; k++) { // what rounding left
    ModeState *m = &h->modes[g->at[k]];
    double left = fabs(hybrid_result(h, event_guards, g->at[k]));
    m->drift = fmax(m->drift, left);
  }
}

// Reports what changed in a group. True: something did.
static bool report(HoldGroup *g, const HoldStatus *before, const signed char *pinned) {
  Hybrid *h = g->h;
  bool changed = false;
  for (uint32_t i = 0; i < g->box.n; i++) {
    uint32_t k = g->at[i];
    ModeState *m = &h->modes[k];
    double z = *hybrid_mode(h, k);
    if (m->holds == (pinned[i] != 2) && (m->holds ? m->pinned == pinned[i] : g->box.status[i] == before[i])) continue;
    changed = true;
    m->drift = 0;
    if ((m->holds && pinned[i] == 2) || !m->holds) hybrid_note(h, g->t, (EventItem){event_of_mode, k}, z);
  }
  if (changed) put_to_rest(g);
  return changed;
}

// Room for the work on as many modes as ever stood at zero at once.
struct HoldWork {
  uint32_t most;
  double *a, *b;
  uint32_t *first, *order;
  HoldStatus *before;
  signed char *pinned;
  HoldGroup g;
};

static bool make_room(Hybrid *h, uint32_t n) {
  Arena *arena = h->arena;
  if (!h->hold_work && !(h->hold_work = arena_new_of(arena, struct HoldWork))) return false;
  struct HoldWork *w = h->hold_work;
  if (n <= w->most) return true;
  w->most = n = 2 * n;
  size_t square = (size_t)n * n;
  double *d = arena_array(arena, 4 * square + 14 * (size_t)n, sizeof *d);
  uint32_t *u = arena_array(arena, 5 * (size_t)n + 1, sizeof *u);
  HoldStatus *s = arena_array(arena, 3 * (size_t)n, sizeof *s);
  w->pinned = arena_array(arena, n, sizeof *w->pinned);
  w->g.push = arena_array(arena, (size_t)h->plan->body + 1, sizeof *w->g.push);
  w->g.box.loose = arena_array(arena, n, sizeof *w->g.box.loose);
  if (arena_failed(arena)) return false;
  w->a = d, w->g.box.a = w->a + square, w->g.box.sub = w->g.box.a + square, w->g.box.room = w->g.box.sub + square;
  Box *box = &w->g.box;
  double **lists[] = {&w->b,     &box->b,  &box->z,    &box->r,   &box->high,
                      &box->low, &box->up, &box->down, &box->rhs, &box->x};
  d = w->g.box.room + square + 2 * (size_t)n;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) *lists[i] = d + i * n;
  w->first = u, w->g.box.free = u + n + 1, w->g.box.column = w->g.box.free + n, w->order = w->g.box.column + n;
  w->before = s, w->g.box.status = s + n, w->g.best = s + 2 * (size_t)n;
  return true;
}

// The part of the problem that is group k.
static HoldGroup part(Hybrid *h, const struct HoldWork *w, uint32_t k, uint32_t n) {
  HoldGroup g = w->g;
  g.h = h;
  g.box.n = w->first[k + 1] - w->first[k];
  g.at = h->group + w->first[k];
  uint32_t *place = h->room.columns; // among all n
  for (uint32_t i = 0; i < g.box.n; i++) {
    place[i] = 0;
    while (w->order[place[i]] != g.at[i]) place[i]++;
  }
  for (uint32_t i = 0; i < g.box.n; i++) {
    g.box.b[i] = w->b[place[i]];
    for (uint32_t j = 0; j < g.box.n; j++) g.box.a[(size_t)i * g.box.n + j] = w->a[(size_t)place[i] * n + place[j]];
  }
  return g;
}

HoldVerdict holding_settle(Hybrid *h, double t, double *y) {
  if (!h->plan->tape[event_rates]) return hold_same;
  hybrid_eval(h, event_guards, t, y); // the limits
  uint32_t n = collect(h, t, y);
  h->state->group_count = n == UINT32_MAX ? 1 : n;
  if (n == UINT32_MAX) return hold_slippery;
  if (n == 0) return hold_same;
  if (!make_room(h, n) || !holding_room(h, n)) return hold_no_memory;
  struct HoldWork *w = h->hold_work;
  // all rates with everything that may hold at 0
  double *kept = w->g.box.z;
  for (uint32_t i = 0; i < n; i++) kept[i] = *hybrid_mode(h, h->group[i]);
  holding_affine(h, h->group, n, t, y, w->a, w->b);
  for (uint32_t i = 0; i < n; i++) *hybrid_mode(h, h->group[i]) = kept[i];
  memcpy(w->order, h->group, n * sizeof *w->order);
  uint32_t groups = split(h, n, w->a, w->first);
  bool changed = false;
  for (uint32_t k = 0; k < groups; k++) {
    HoldGroup g = part(h, w, k, n);
    g.t = t;
    g.y = y;
    HoldVerdict verdict = settle_group(&g, w->before, w->pinned);
    if (verdict == hold_changed) {
      changed = report(&g, w->before, w->pinned) || changed;
      continue;
    }
    h->state->group_count = g.box.n;
    memmove(h->group, g.at, g.box.n * sizeof *h->group);
    return verdict;
  }
  return changed ? hold_changed : hold_same;
}
