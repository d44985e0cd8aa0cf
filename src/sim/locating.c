// Where conditions end: what the search of events (solve/events.h) asks of a model, and what is at its limit in one
// moment.
#include "sim/locating.h"

#include "sim/chatter.h"
#include "sim/mode_order.h"
#include "tape/interval.h"
#include "tape/operands.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- conditions and their bounds

// Positive while a mode stays.
void locating_conditions(void *self, double t, const double *y, double *c) {
  Hybrid *h = self;
  hybrid_guards(h, t, y);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    double g = hybrid_guard(h, i), v = h->z[h->mode_at + i];
    if (fabs(g) > m->scale) m->scale = fabs(g);
    if (m->holds) m->drift = fmax(m->drift, fabs(g));
    if (m->pinned) { // others hold it, up to rounding
      c[i] = 1e-9 * (m->scale + m->rate_scale * (h->t1 - h->t0)) - fabs(g);
      continue;
    }
    switch (m->kind) {
    case mode_above: c[i] = m->holds ? v * (1 - v) : (v != 0 ? g : -g) + m->soft; break;
    case mode_sign: {
      double limit = holding_limit(h, i);
      c[i] = m->holds ? (1 - v / limit) * (1 + v / limit) : (v > 0 ? g : v < 0 ? -g : g == 0 ? 1 : -fabs(g)) + m->soft;
      break;
    }
    case mode_floor: c[i] = (g - v) * (v + 1 - g); break;
    }
  }
}

// The ranges of all variables of the guards. True: of some nothing is known, because it is held, or comes out of the
// past.
static bool put_ranges(Hybrid *h, double t0, double t1, const OdeBox *box) {
  const Tape *t = h->guards;
  double *lo = h->ranges[0] + t->param_count, *hi = h->ranges[1] + t->param_count,
         *slow = h->ranges[2] + t->param_count, *fast = h->ranges[3] + t->param_count;
  uint32_t held = h->s->held.count, more = 1 + h->body + held;
  bool blind = held > 0;
  lo[0] = t0;
  hi[0] = t1;
  slow[0] = fast[0] = t1 - t0;
  memcpy(lo + 1, box->lo, h->body * sizeof *lo);
  memcpy(hi + 1, box->hi, h->body * sizeof *hi);
  memset(slow + 1, 0, (more - 1 + h->z_count) * sizeof *slow);
  memset(fast + 1, 0, (more - 1 + h->z_count) * sizeof *fast);
  if (box->rate_lo) memcpy(slow + 1, box->rate_lo, h->body * sizeof *slow);
  if (box->rate_lo) memcpy(fast + 1, box->rate_hi, h->body * sizeof *fast);
  for (uint32_t i = 0; i < held; i++) lo[1 + h->body + i] = hi[1 + h->body + i] = h->held_values[i];
  for (uint32_t i = 0; i < h->z_count; i++) lo[more + i] = hi[more + i] = h->z[i];
  for (uint32_t i = 0; i < h->held_count; i++) {
    uint32_t at = more + h->mode_at + h->held[i];
    lo[at] = slow[at] = -INFINITY;
    hi[at] = fast[at] = INFINITY;
    blind = true;
  }
  for (uint32_t i = 0; h->history && i < h->delay_count; i++) {
    uint32_t at = more + h->delay_at + i;
    double value[2], rate[2];
    history_range(h, i, t0, t1, value, rate);
    lo[at] = value[0];
    hi[at] = value[1];
    slow[at] = rate[0];
    fast[at] = rate[1];
    blind = blind || !isfinite(value[0]) || !isfinite(value[1]);
  }
  return blind;
}

// The least that conditions can be, and their rates.
static void ranges(void *self, double t0, double t1, const OdeBox *box, double *least, double *slow, double *fast) {
  Hybrid *h = self;
  const Tape *t = h->guards;
  bool blind = put_ranges(h, t0, t1, box), rates = box->rate_lo != NULL;
  if (rates) tape_range_rates(t, h->guards_w, h->ranges[0], h->ranges[1], h->ranges[2], h->ranges[3]);
  else tape_ranges(t, h->guards_w, h->ranges[0], h->ranges[1]);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    const SwitchMode *m = &h->modes.items[i];
    uint32_t at = t->outputs[i];
    double low = h->ranges[0][at], high = h->ranges[1][at], v = h->z[h->mode_at + i];
    if (m->holds || (m->kind == mode_sign && v == 0) || (blind && !(isfinite(low) && isfinite(high)))) {
      least[i] = NAN;
      continue;
    }
    double up = rates ? h->ranges[3][at] : 0, down = rates ? h->ranges[2][at] : 0;
    if (m->kind == mode_floor) { // (g - v)*(v + 1 - g)
      least[i] =
          isfinite(low) && isfinite(high) ? fmin((low - v) * (v + 1 - low), (high - v) * (v + 1 - high)) : -INFINITY;
      double side[2] = {1 - 2 * (low - v), 1 - 2 * (high - v)}; // its slope by g
      bool one = side[0] * side[1] > 0 && isfinite(low) && isfinite(high) && (down > 0 || up < 0);
      slow[i] = one ? ((side[0] > 0) == (down > 0) ? DBL_MIN : -INFINITY) : -INFINITY;
      fast[i] = one ? ((side[0] > 0) == (down > 0) ? INFINITY : -DBL_MIN) : INFINITY;
      continue;
    }
    least[i] = (v > 0 ? low : -high) + m->soft;
    slow[i] = v > 0 ? down : -up;
    fast[i] = v > 0 ? up : -down;
  }
}

// The rounding of guards at this place.
void locating_rounding(void *self, double t, const double *y) {
  Hybrid *h = self;
  hybrid_given(h, t, y);
  hybrid_put(h, h->guards, h->guards_w, t, y);
  tape_rounding(h->guards, h->guards_w, 8, h->errors);
  for (uint32_t i = 0; i < h->modes.count; i++) h->noise[i] = h->errors[h->guards->outputs[i]];
}

// ---- what is inside of what

// How far a guard is from a limit.
double locating_distance(const SwitchMode *m, double g, double v) {
  return m->kind == mode_floor ? fmin(fabs(g - v), fabs(g - (v + 1))) : fabs(g);
}

// Which guards have one inside that changed at this event. No list is kept: in a chain of limits all are inside of the
// last.
void locating_follow(Hybrid *h) {
  const Tape *t = h->guards;
  memset(h->marked, 0, t->slot_count * sizeof *h->marked);
  bool *z = h->marked + t->param_count + t->var_count - h->z_count;
  for (uint32_t i = 0; i < h->modes.count; i++) z[h->mode_at + i] = h->modes.items[i].changed;
  tape_follow(t, h->marked);
}

bool locating_inner_changed(const Hybrid *h, uint32_t i) { return h->marked[h->guards->outputs[i]]; }

static bool inside(void *self, uint32_t inner, uint32_t outer) {
  Hybrid *h = self;
  const Tape *t = h->guards;
  memset(h->marked, 0, t->slot_count * sizeof *h->marked);
  h->marked[t->param_count + t->var_count - h->z_count + h->mode_at + inner] = true;
  tape_follow(t, h->marked);
  return h->marked[t->outputs[outer]];
}

static double known_rate(const Hybrid *h, uint32_t i) {
  return h->modes.items[i].rate ? tape_result(h->rates, h->rates_w, i) : 0;
}

// What changed did so a hair too early or too late.
static double time_off(const Hybrid *h) {
  double time = 0;
  for (uint32_t i = 0; h->rates && i < h->modes.count; i++) {
    const SwitchMode *m = &h->modes.items[i];
    double rate = m->changed ? fabs(known_rate(h, i)) : 0;
    if (rate > 0) time = fmax(time, m->off / rate);
  }
  return time;
}

// abs(x) does not get below zero, though the branch on which it was does; nor does mod(x, 3), though its new branch is
// there a hair too early. So where something inside of a guard has changed, and the guard is at its limit but for that
// and for rounding, or was and is nearly so, its sign does not tell: the way on does. h->c: the guards before.
void locating_outer(Hybrid *h, double t, const double *y) {
  locating_rounding(h, t, y); // on the new branches
  locating_follow(h);
  if (h->rates) holding_rates(h, t, y);
  double time = time_off(h);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    if (m->changed || m->holds || !locating_inner_changed(h, i)) continue;
    double v = h->z[h->mode_at + i], off = locating_distance(m, hybrid_guard(h, i), v);
    if (!(off <= h->noise[i] + 4 * time * (h->rates ? fabs(known_rate(h, i)) : 0) ||
          fmax(off, locating_distance(m, h->c[i], v)) <= 1e-11 * m->scale))
      continue;
    m->ended = m->met = true;
    m->near = fmax(m->near, 4 * off + h->noise[i] + DBL_MIN);
  }
}

// ---- what is told

// The `when` in whose line this stands, plus one; 0: none.
static uint32_t when_around(const Hybrid *h, Span at) {
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    const ModelWhen *w = &h->m->whens.items[i];
    if (!w->period && w->span.source == at.source && at.start >= w->span.start && at.end <= w->span.end) return i + 1;
  }
  return 0;
}

// Only where it matters: what a `when` does, it does or does not.
void locating_grazes(void *self, uint32_t condition, double t) {
  Hybrid *h = self;
  uint32_t when = when_around(h, h->modes.items[condition].span);
  if (when && h->graze_count++ == 0)
    h->graze = (RunEvent){
        .kind = event_of_when, .t = t, .word = chatter_when(h, when - 1), .span = h->m->whens.items[when - 1].span};
}

static bool unsure(void *self, uint32_t condition, double t, bool undefined) {
  Hybrid *h = self;
  const SwitchMode *m = &h->modes.items[condition];
  uint32_t when = when_around(h, m->span);
  // a corner without a value has none in the right-hand side either, and its branch may not count now
  static const char *const corners[] = {"abs", "min", "max", "ramp"};
  for (int i = 0; undefined && !when && i < 4; i++) {
    if (strcmp(m->word, corners[i]) == 0) return false;
  }
  if (h->unsure_count++) return true;
  h->unsure = when ? (RunEvent){.kind = event_of_when,
                                .t = t,
                                .word = chatter_when(h, when - 1),
                                .span = h->m->whens.items[when - 1].span}
                   : (RunEvent){.kind = event_of_mode, .t = t, .word = m->word, .span = m->span};
  h->undefined = undefined;
  return true;
}

void locating_events(Hybrid *h, OdeEvents *e) {
  e->count = h->modes.count;
  e->conditions = locating_conditions;
  e->fresh = h->fresh;
  e->noise = h->noise;
  e->rearm = h->rearm;
  e->graze = locating_grazes;
  e->wild = h->any_wild ? h->wild : NULL;
  e->ranges = ranges;
  e->used = h->used;
  e->used_count = h->used_count;
  e->inside = inside;
  e->rounding = locating_rounding;
  e->unsure = unsure;
}

// ---- guards that are not affine

// Of what is a number, a parameter or a memory 0, of what is affine in time and state 1, else 2. below: by place in the
// list.
static uint8_t degree_of(const Hybrid *h, ExprId id, const uint8_t *below) {
  ExprPool *p = h->s->pool;
  const ExprNode *n = pool_node(p, id);
  KindSet still = kind_set(sym_param) | kind_set(sym_memory) | kind_set(sym_mode);
  KindSet plain = kind_set(sym_time) | kind_set(sym_coord) | kind_set(sym_velocity) | kind_set(sym_state);
  if (!(n->kinds & ~still)) return 0;
  if (n->op == op_sym) {
    const Symbol *x = pool_symbol_get(p, n->first);
    bool computed = (x->kind == sym_velocity && h->s->speeds[x->index].symbol != n->first) ||
                    (x->kind == sym_coord && h->s->order_zero[x->index]);
    return n->kinds & ~plain || computed ? 2 : 1;
  }
  const ExprId *a = pool_args(p, id);
  uint8_t most = 0;
  if (n->op == op_add) {
    for (uint32_t i = 0; i < expr_term_count(p, id); i++) {
      uint8_t d = below[p->slot[expr_term(p, id, i).term]];
      most = d > most ? d : most;
    }
    return most;
  }
  if (n->op == op_mul) {
    for (uint32_t i = 0; i < expr_factor_count(p, id); i++) {
      Factor f = expr_factor(p, id, i);
      uint8_t d = below[p->slot[f.base]];
      if (d && f.exponent != p->one) return 2;
      most = (uint8_t)(most + d > 1 ? 2 : most + d);
    }
    return most;
  }
  if (n->op == op_if && below[p->slot[a[0]]] == 0)
    return below[p->slot[a[1]]] > below[p->slot[a[2]]] ? below[p->slot[a[1]]] : below[p->slot[a[2]]];
  return 2;
}

// The components of y whose slots the guards' tape reads.
static bool find_used(Hybrid *h) {
  const Tape *t = h->guards;
  bool *read = arena_array(h->arena, t->slot_count, sizeof *read);
  h->used = arena_array(h->arena, (size_t)h->body + 1, sizeof *h->used);
  if (!read || !h->used) return false;
  for (uint32_t k = 0; k < t->op_count; k++) {
    uint32_t own[3], count;
    const uint32_t *slots = tape_operands(t, &t->ops[k], own, &count);
    for (uint32_t i = 0; i < count; i++) read[slots[i]] = true;
  }
  for (uint32_t i = 0; i < t->output_count; i++) read[t->outputs[i]] = true;
  h->used_count = 0;
  for (uint32_t e = 0; e < h->body; e++) {
    if (read[t->param_count + 1 + e]) h->used[h->used_count++] = e;
  }
  return true;
}

bool locating_room(Hybrid *h, Arena *arena) {
  h->errors = arena_array(arena, h->guards->slot_count, sizeof *h->errors);
  h->marked = arena_array(arena, h->guards->slot_count, sizeof *h->marked);
  for (int i = 0; h->any_wild && i < 4; i++) {
    h->ranges[i] = arena_array(arena, h->guards->slot_count, sizeof(double));
    if (h->history_tape) h->past_ranges[i] = arena_array(arena, h->history_tape->slot_count, sizeof(double));
  }
  return !arena_failed(arena);
}

bool locating_build(Hybrid *h) {
  ExprPool *p = h->s->pool;
  ExprId *g = arena_array(h->arena, (size_t)h->modes.count + 1, sizeof *g);
  bool *seen = arena_array(h->arena, h->guards->slot_count, sizeof *seen),
       *blind = arena_array(h->arena, h->guards->output_count, sizeof *blind);
  if (!g || !seen || !blind) return false;
  for (uint32_t i = 0; i < h->modes.count; i++) g[i] = h->modes.items[i].g;
  if (!modes_without_inputs(h, g, h->modes.count)) return false;
  uint32_t length;
  const ExprId *list = pool_reach(p, g, h->modes.count, NULL, NULL, &length);
  uint8_t *degrees = list ? arena_array(h->arena, (size_t)length + 1, sizeof *degrees) : NULL;
  if (!degrees) return false;
  for (uint32_t i = 0; i < length; i++) degrees[i] = degree_of(h, list[i], degrees);
  tape_unbounded(h->guards, seen, blind);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    h->wild[i] = !blind[i] && (degrees[p->slot[g[i]]] > 1 || h->modes.items[i].kind == mode_floor);
    h->any_wild = h->any_wild || h->wild[i];
  }
  return (!h->any_wild || find_used(h)) && locating_room(h, h->arena);
}
