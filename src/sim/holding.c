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

// ---- evaluations

void holding_rates(Hybrid *h, double t, const double *y) {
  hybrid_put(h, h->rates, h->rates_w, t, y);
  tape_eval(h->rates, h->rates_w);
}

static double rate(const Hybrid *h, uint32_t i) { return tape_result(h->rates, h->rates_w, i); }

double holding_limit(const Hybrid *h, uint32_t i) {
  double limit = tape_result(h->guards, h->guards_w, h->modes.count + i);
  return limit > 1 ? limit : 1; // stick = slip up to rounding; 0/0 where both vanish
}

bool holding_room(Hybrid *h, uint32_t held) {
  size_t n = held, need = 2 * n * n + 5 * n + 8;
  if (need <= h->solve_room) return true;
  h->solve_room = 2 * need;
  h->solve = arena_array(h->arena, h->solve_room, sizeof *h->solve);
  return h->solve != NULL;
}

void holding_release(Hybrid *h, uint32_t i) {
  SwitchMode *m = &h->modes.items[i];
  uint32_t kept = 0;
  h->ties.count = 0; // until they are found anew
  m->holds = false;
  m->pinned = 0;
  for (uint32_t k = 0; k < h->held_count; k++) {
    if (h->held[k] != i) h->held[kept++] = h->held[k];
  }
  h->held_count = kept;
}

// The rates of these n modes as b + A z: with all of them at 0, then each at 1.
static void affine(Hybrid *h, const uint32_t *at, uint32_t n, double t, const double *y, double *a, double *b) {
  double *z = h->z + h->mode_at;
  for (uint32_t i = 0; i < n; i++) z[at[i]] = 0;
  holding_rates(h, t, y);
  for (uint32_t i = 0; i < n; i++) b[i] = rate(h, at[i]);
  for (uint32_t j = 0; j < n; j++) {
    z[at[j]] = 1;
    holding_rates(h, t, y);
    for (uint32_t i = 0; i < n; i++) a[(size_t)i * n + j] = rate(h, at[i]) - b[i];
    z[at[j]] = 0;
  }
}

// ---- while it lasts

// The value of a mode that is pinned to a limit.
static double pinned_value(const Hybrid *h, uint32_t i) {
  const SwitchMode *m = &h->modes.items[i];
  return m->kind == mode_sign ? m->pinned * holding_limit(h, i) : m->pinned > 0;
}

void holding_values(Hybrid *h, double t, const double *y) {
  uint32_t n = 0, *at = h->free_at;
  bool pinned = false;
  for (uint32_t k = 0; k < h->held_count; k++) {
    uint32_t i = h->held[k];
    if (h->modes.items[i].pinned) pinned = true;
    else at[n++] = i;
    h->z[h->mode_at + i] = 0;
  }
  if (pinned) {
    hybrid_put(h, h->guards, h->guards_w, t, y);
    tape_eval(h->guards, h->guards_w);
    for (uint32_t k = 0; k < h->held_count; k++) {
      uint32_t i = h->held[k];
      if (h->modes.items[i].pinned) h->z[h->mode_at + i] = pinned_value(h, i);
    }
  }
  double *a = h->solve, *b = a + (size_t)n * n, *x = b + n;
  affine(h, at, n, t, y, a, b);
  for (uint32_t i = 0; i < n; i++) b[i] = -b[i];
  least_norm(n, a, b, x, h->columns, x + n);
  for (uint32_t i = 0; i < n; i++) h->z[h->mode_at + at[i]] = x[i];
}

// ---- a group

typedef struct Group {
  Hybrid *h;
  double t;
  double *y;
  const uint32_t *at; // the modes
  double *push;       // room for y
  HoldStatus *best;
  Box box;
} Group;

// ---- putting it into the modes

static void put(Group *g) {
  Hybrid *h = g->h;
  h->ties.count = 0;
  for (uint32_t i = 0; i < g->box.n; i++) {
    SwitchMode *m = &h->modes.items[g->at[i]];
    bool pinned = g->box.status[i] != status_free && !g->box.loose[i];
    if (m->holds) holding_release(h, g->at[i]);
    if (g->box.status[i] == status_free || pinned) {
      m->holds = true;
      m->pinned = !pinned ? 0 : g->box.status[i] == status_up ? 1 : -1;
      h->held[h->held_count++] = g->at[i];
    } else {
      h->z[h->mode_at + g->at[i]] = g->box.status[i] == status_up ? g->box.up[i] : g->box.down[i];
    }
  }
}

// Do the equations themselves say what the affine rates say?
static bool verified(Group *g) {
  Hybrid *h = g->h;
  put(g);
  if (h->held_count) holding_values(h, g->t, g->y);
  holding_rates(h, g->t, g->y);
  for (uint32_t i = 0; i < g->box.n; i++) {
    g->box.r[i] = rate(h, g->at[i]);
    g->box.z[i] = h->z[h->mode_at + g->at[i]];
    bool rests = h->modes.items[g->at[i]].holds;
    if (rests && !(fabs(g->box.r[i]) <= 1e-9 * box_size(&g->box, i))) return false;
    if (box_wish(&g->box, i) != g->box.status[i]) return false;
  }
  return true;
}

// Every choice of holding and leaving. Where elements hold more at rest than in motion, as many as can stay at rest.
static HoldVerdict search(Group *g) {
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
static bool begin(Group *g, HoldStatus *was, signed char *pinned) {
  Hybrid *h = g->h;
  bool quiet = true;
  g->box.give = value_slack;
  for (uint32_t i = 0; i < g->box.n; i++) {
    SwitchMode *m = &h->modes.items[g->at[i]];
    double z = h->z[h->mode_at + g->at[i]], limit = m->kind == mode_sign ? holding_limit(h, g->at[i]) : 1;
    g->box.high[i] = limit;
    g->box.low[i] = m->kind == mode_sign ? -limit : 0;
    g->box.up[i] = 1;
    g->box.down[i] = m->kind == mode_sign ? -1 : 0;
    if (m->holds) z = m->pinned;
    if (m->holds) was[i] = z > 0 ? status_up : z < 0 ? status_down : status_free;
    else was[i] = z >= g->box.up[i] ? status_up : z <= g->box.down[i] ? status_down : status_free;
    pinned[i] = m->holds ? m->pinned : 2; // 2: not held
    // one that was pinned is free at the next event, and then stays as it is
    g->box.status[i] = m->came ? status_free : was[i];
    g->box.loose[i] = !m->holds && g->box.status[i] != status_free;
    quiet = quiet && !m->came && !m->released;
    m->came = false;
    if (!m->released) m->give = 0;
    g->box.give = fmax(g->box.give, 16 * m->give); // one that met its limit inexactly is felt by the others
    m->rate_scale = fmax(m->rate_scale, fabs(g->box.b[i]) + fabs(g->box.a[(size_t)i * g->box.n + i]));
  }
  return quiet;
}

static HoldVerdict settle_group(Group *g, HoldStatus *was, signed char *pinned) {
  Hybrid *h = g->h;
  bool quiet = begin(g, was, pinned), even = box_symmetric(&g->box);
  HoldVerdict verdict = hold_none;
  if (even) {
    for (uint32_t i = 0; i < g->box.n; i++) { // one that reached its limit does not break loose while others hold it
      if (h->modes.items[g->at[i]].released) box_reached(&g->box, i);
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
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    m->acts = false;
    bool candidate = m->rate && m->jumps && m->enters && !m->pass && m->kind != mode_floor;
    if (candidate && (m->holds || m->touch)) h->group[n++] = i;
  }
  uint32_t kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = h->group[k];
    double *z = &h->z[h->mode_at + i], old = *z;
    *z = 0;
    holding_rates(h, t, y);
    double r0 = rate(h, i);
    *z = 1;
    holding_rates(h, t, y);
    double r1 = rate(h, i);
    *z = old;
    h->modes.items[i].acts = r1 - r0 < -1e-13 * fmax(fabs(r0), fabs(r1));
    if (isinf(holding_limit(h, i))) {
      h->group[0] = i;
      return UINT32_MAX;
    }
    if (h->modes.items[i].acts) h->group[kept++] = i;
    else if (h->modes.items[i].holds) holding_release(h, i);
  }
  return kept;
}

// Sorts the n modes of h->group so that those that act on each other stand together; where each begins is in first, n
// at the end. Returns how many there are.
static uint32_t split(Hybrid *h, uint32_t n, const double *a, uint32_t *first) {
  uint32_t *label = h->columns, groups = 0;
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
  memcpy(h->free_at, h->group, n * sizeof *h->group);
  for (uint32_t g = 0; g < groups; g++) {
    first[g] = at;
    for (uint32_t i = 0; i < n; i++) {
      if (label[i] == g) h->group[at++] = h->free_at[i];
    }
  }
  first[groups] = n;
  return groups;
}

// The place in y of a guard that is a plain velocity or state.
static uint32_t component(const Hybrid *h, const SwitchMode *m) {
  SymbolId s = expr_symbol(h->s->pool, m->g);
  const Symbol *symbol = s ? pool_symbol_get(h->s->pool, s) : NULL;
  if (symbol && symbol->kind == sym_velocity) return h->s->coord_count + symbol->index;
  return symbol && symbol->kind == sym_state ? 2 * h->s->coord_count + symbol->index : UINT32_MAX;
}

// What is held does not move against itself, not even by rounding: of velocities (or states) that held guards tie
// together with constant factors, some follow from the others. By elimination; the largest factor that is left leads
// its row.
bool holding_tie(Hybrid *h) {
  struct Ties *x = &h->ties;
  x->count = x->columns = 0;
  uint32_t rows = 0, terms = 0;
  for (uint32_t k = 0; k < h->held_count; k++) terms += h->linear_first[h->held[k] + 1] - h->linear_first[h->held[k]];
  if (!terms) return true;
  if ((size_t)h->held_count * terms > x->room) {
    x->room = 2 * (size_t)h->held_count * terms;
    x->factor = arena_array(h->arena, x->room, sizeof *x->factor);
  }
  if (!x->factor) return false;
  memset(x->factor, 0, (size_t)h->held_count * terms * sizeof *x->factor);
  for (uint32_t k = 0; k < h->held_count; k++) {
    uint32_t first = h->linear_first[h->held[k]], end = h->linear_first[h->held[k] + 1];
    for (uint32_t i = first; i < end; i++) {
      uint32_t c = 0;
      while (c < x->columns && x->at[c] != h->linear_at[i]) c++;
      if (c == x->columns) x->at[x->columns++] = h->linear_at[i];
      x->factor[(size_t)rows * terms + c] = h->linear_factor[i];
    }
    rows += end > first;
  }
  x->stride = terms;
  for (uint32_t r = 0; r < rows; r++) {
    double *row = x->factor + (size_t)r * terms, *own = x->factor + (size_t)x->count * terms;
    for (uint32_t e = 0; e < x->count; e++) {
      const double *by = x->factor + (size_t)e * terms;
      double l = row[x->lead[e]];
      for (uint32_t c = 0; l != 0 && c < x->columns; c++) row[c] -= l * by[c];
    }
    uint32_t lead = 0;
    for (uint32_t c = 1; c < x->columns; c++) lead = fabs(row[c]) > fabs(row[lead]) ? c : lead;
    if (!(fabs(row[lead]) > 1e-9)) continue; // the others hold it
    double p = row[lead];
    for (uint32_t c = 0; c < x->columns; c++) own[c] = row[c] / p;
    for (uint32_t e = 0; e < x->count; e++) {
      double *by = x->factor + (size_t)e * terms, l = by[lead];
      for (uint32_t c = 0; l != 0 && c < x->columns; c++) by[c] -= l * own[c];
    }
    x->lead[x->count++] = lead;
  }
  return true;
}

// The rates of y by each element that may hold, from one of its branches to another, without their signs: what is left
// where they balance a load is known no better than a last digit of these.
void holding_blur(void *self, double t, const double *y, double *rates) {
  Hybrid *h = self;
  double *now = h->before, *other = h->slope;
  memset(rates, 0, h->body * sizeof *rates);
  hybrid_given(h, t, y);
  h->changed(h->self);
  uint32_t held = h->held_count, tied = h->ties.count;
  h->held_count = h->ties.count = 0; // the values stay as they are set here
  bool known = h->f(h->self, t, y, now);
  for (uint32_t i = 0; known && i < h->modes.count; i++) {
    const SwitchMode *m = &h->modes.items[i];
    if (!m->between || m->pass || m->kind == mode_floor) continue;
    double *z = &h->z[h->mode_at + i], kept = *z;
    *z = kept != 0 ? 0 : 1;
    h->changed(h->self);
    bool ok = h->f(h->self, t, y, other);
    *z = kept;
    for (uint32_t e = 0; ok && e < h->body; e++) rates[e] += 0x1p-51 * fabs(other[e] - now[e]);
  }
  h->held_count = held;
  h->ties.count = tied;
  h->changed(h->self);
}

void hybrid_rest(const Hybrid *h, double *dydt) {
  const struct Ties *x = &h->ties;
  for (uint32_t e = 0; e < x->count; e++) {
    const double *row = x->factor + (size_t)e * x->stride;
    double sum = 0;
    for (uint32_t c = 0; c < x->columns; c++) sum += c == x->lead[e] || row[c] == 0 ? 0 : row[c] * dydt[x->at[c]];
    dydt[x->at[x->lead[e]]] = 0 - sum;
  }
}

// What came to rest is put to rest, and what leaves with it starts from there: the little that is left of their motion
// is taken
// out by the elements themselves, in the directions in which they act, so that they do not disturb each other. To hold
// does no work: what is lost here to rounding and to the error of the moment is not booked as dissipated, and shows in
// the account.
static void put_to_rest(Group *g) {
  Hybrid *h = g->h;
  uint32_t n = g->box.n;
  bool moves = false, rests = false;
  hybrid_put(h, h->guards, h->guards_w, g->t, g->y);
  tape_eval(h->guards, h->guards_w);
  for (uint32_t i = 0; i < n; i++) {
    g->box.rhs[i] = -tape_result(h->guards, h->guards_w, g->at[i]);
    moves = moves || g->box.rhs[i] != 0;
    rests = rests || h->modes.items[g->at[i]].holds;
  }
  if (!moves || !rests) return;
  memcpy(g->box.sub, g->box.a, (size_t)n * n * sizeof *g->box.a);
  least_norm(n, g->box.sub, g->box.rhs, g->box.x, g->box.column, g->box.room);
  double before = h->stored(h->self, g->t, g->y), *low = h->before;
  uint32_t held = h->held_count;
  memset(g->push, 0, h->body * sizeof *g->push);
  h->held_count = 0; // the values stay as they are set here
  for (uint32_t k = 0; k < n; k++) {
    double *z = &h->z[h->mode_at + g->at[k]], kept = *z;
    bool known = true;
    for (int one = 0; one < 2 && known; one++) {
      *z = one;
      h->changed(h->self);
      known = h->f(h->self, g->t, g->y, one ? h->slope : low);
    }
    *z = kept;
    for (uint32_t e = 0; known && e < h->body; e++) g->push[e] += g->box.x[k] * (h->slope[e] - low[e]);
  }
  h->held_count = held;
  for (uint32_t e = 0; e < h->body; e++) g->y[e] += g->push[e];
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = component(h, &h->modes.items[g->at[k]]);
    if (at < h->body) g->y[at] = 0;
  }
  h->lost += h->stored(h->self, g->t, g->y) - before;
  hybrid_put(h, h->guards, h->guards_w, g->t, g->y);
  tape_eval(h->guards, h->guards_w);
  for (uint32_t k = 0; k < n; k++) { // what rounding left
    SwitchMode *m = &h->modes.items[g->at[k]];
    double left = fabs(tape_result(h->guards, h->guards_w, g->at[k]));
    m->drift = fmax(m->drift, left);
    m->near = fmax(m->near, 4 * left);
    m->ended = true;
  }
}

// Tells what changed in a group. True: something did.
static bool tell(Group *g, const HoldStatus *was, const signed char *pinned) {
  Hybrid *h = g->h;
  bool changed = false;
  for (uint32_t i = 0; i < g->box.n; i++) {
    uint32_t k = g->at[i];
    SwitchMode *m = &h->modes.items[k];
    double z = h->z[h->mode_at + k];
    if (m->holds == (pinned[i] != 2) && (m->holds ? m->pinned == pinned[i] : g->box.status[i] == was[i])) continue;
    changed = true;
    m->drift = 0;
    if ((m->holds && pinned[i] == 2) || !m->holds) hybrid_note(h, event_of_mode, g->t, m->word, m->span, z);
  }
  if (changed) put_to_rest(g);
  return changed;
}

// Room for the work on as many modes as ever stood at zero at once.
struct HoldWork {
  uint32_t most;
  double *a, *b;
  uint32_t *first, *order;
  HoldStatus *was;
  signed char *pinned;
  Group g;
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
  w->g.push = arena_array(arena, (size_t)h->body + 1, sizeof *w->g.push);
  w->g.box.loose = arena_array(arena, n, sizeof *w->g.box.loose);
  if (arena_failed(arena)) return false;
  w->a = d, w->g.box.a = w->a + square, w->g.box.sub = w->g.box.a + square, w->g.box.room = w->g.box.sub + square;
  Box *box = &w->g.box;
  double **lists[] = {&w->b,     &box->b,  &box->z,    &box->r,   &box->high,
                      &box->low, &box->up, &box->down, &box->rhs, &box->x};
  d = w->g.box.room + square + 2 * (size_t)n;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) *lists[i] = d + i * n;
  w->first = u, w->g.box.free = u + n + 1, w->g.box.column = w->g.box.free + n, w->order = w->g.box.column + n;
  w->was = s, w->g.box.status = s + n, w->g.best = s + 2 * (size_t)n;
  return true;
}

// The part of the problem that is group k.
static Group part(Hybrid *h, const struct HoldWork *w, uint32_t k, uint32_t n) {
  Group g = w->g;
  g.h = h;
  g.box.n = w->first[k + 1] - w->first[k];
  g.at = h->group + w->first[k];
  uint32_t *place = h->columns; // among all n
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
  if (!h->rates) return hold_same;
  hybrid_put(h, h->guards, h->guards_w, t, y); // the limits
  tape_eval(h->guards, h->guards_w);
  uint32_t n = collect(h, t, y);
  h->group_count = n == UINT32_MAX ? 1 : n;
  if (n == UINT32_MAX) return hold_slippery;
  if (n == 0) return hold_same;
  if (!make_room(h, n) || !holding_room(h, n)) return hold_no_memory;
  struct HoldWork *w = h->hold_work;
  // all rates with everything that may hold at 0
  double *kept = w->g.box.z;
  for (uint32_t i = 0; i < n; i++) kept[i] = h->z[h->mode_at + h->group[i]];
  affine(h, h->group, n, t, y, w->a, w->b);
  for (uint32_t i = 0; i < n; i++) h->z[h->mode_at + h->group[i]] = kept[i];
  memcpy(w->order, h->group, n * sizeof *w->order);
  uint32_t groups = split(h, n, w->a, w->first);
  bool changed = false;
  for (uint32_t k = 0; k < groups; k++) {
    Group g = part(h, w, k, n);
    g.t = t;
    g.y = y;
    HoldVerdict verdict = settle_group(&g, w->was, w->pinned);
    if (verdict == hold_changed) {
      changed = tell(&g, w->was, w->pinned) || changed;
      continue;
    }
    h->group_count = g.box.n;
    memmove(h->group, g.at, g.box.n * sizeof *h->group);
    return verdict;
  }
  return changed ? hold_changed : hold_same;
}
