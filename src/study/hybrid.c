// Events: what happens when a condition ends or a time comes.
//
// The order in which an event is settled: `every` in the order of the text; then, until nothing changes any more: modes by
// their guards, checks, memories by their rules (each sees the new values of those it depends on), the first `when` of the
// text whose condition became true, modes whose guard is zero by the direction in which the motion leaves it.
#include "study/hybrid.h"

#include "tape/interval.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_logged = 100000, patience = 2000 };

// ---- evaluations

void hybrid_put(const Hybrid *h, const Tape *t, double *w, double time, const double *y) {
  double *var = tape_vars(t, w);
  uint32_t held = h->s->held.count;
  var[0] = time;
  memcpy(var + 1, y, h->body * sizeof *var);
  if (held) memcpy(var + 1 + h->body, h->held_values, held * sizeof *var);
  memcpy(var + 1 + h->body + held, h->z, h->z_count * sizeof *var);
}

static void eval_rates(Hybrid *h, double t, const double *y) {
  hybrid_put(h, h->rates, h->rates_w, t, y);
  tape_eval(h->rates, h->rates_w);
}

// Solves A x = b by elimination; false: singular.
static bool solve_small(uint32_t n, double *a, double *b) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t p = k;
    for (uint32_t i = k + 1; i < n; i++) {
      if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
    }
    if (!(fabs(a[p * n + k]) > 0)) return false;
    for (uint32_t j = 0; j < n && p != k; j++) {
      double swap = a[k * n + j];
      a[k * n + j] = a[p * n + j];
      a[p * n + j] = swap;
    }
    if (p != k) {
      double swap = b[k];
      b[k] = b[p];
      b[p] = swap;
    }
    for (uint32_t i = k + 1; i < n; i++) {
      double l = a[i * n + k] / a[k * n + k];
      for (uint32_t j = k; l != 0 && j < n; j++) a[i * n + j] -= l * a[k * n + j];
      b[i] -= l * b[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return true;
}

// The values of the held modes with which their guards do not move: dg/dt is taken as linear in them. Leaves the slopes
// d(dg/dt)/d(value) of each by its own in h->solve, behind the matrix.
static bool find_held(Hybrid *h, double t, const double *y) {
  uint32_t n = h->held_count;
  double *a = h->solve, *b = a + (size_t)n * n, *own = b + n;
  for (uint32_t i = 0; i < n; i++) h->z[h->mode_at + h->held[i]] = 0;
  eval_rates(h, t, y);
  for (uint32_t i = 0; i < n; i++) b[i] = -tape_result(h->rates, h->rates_w, h->held[i]);
  for (uint32_t j = 0; j < n; j++) {
    h->z[h->mode_at + h->held[j]] = 1;
    eval_rates(h, t, y);
    for (uint32_t i = 0; i < n; i++) a[i * n + j] = tape_result(h->rates, h->rates_w, h->held[i]) + b[i];
    own[j] = a[j * n + j];
    h->z[h->mode_at + h->held[j]] = 0;
  }
  if (!solve_small(n, a, b)) return false;
  for (uint32_t i = 0; i < n; i++) h->z[h->mode_at + h->held[i]] = b[i];
  return true;
}

void hybrid_given(Hybrid *h, double t, const double *y) {
  for (uint32_t i = 0; h->history && i < h->delay_count; i++) h->z[h->delay_at + i] = history_value(h, i, t);
  if (h->held_count) find_held(h, t, y);
}

static void eval_guards(Hybrid *h, double t, const double *y) {
  hybrid_given(h, t, y);
  hybrid_put(h, h->guards, h->guards_w, t, y);
  tape_eval(h->guards, h->guards_w);
}

static double guard(const Hybrid *h, uint32_t i) { return tape_result(h->guards, h->guards_w, i); }

// Positive while a mode stays.
static void conditions(void *self, double t, const double *y, double *c) {
  Hybrid *h = self;
  eval_guards(h, t, y);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    double g = guard(h, i), v = h->z[h->mode_at + i];
    if (fabs(g) > m->scale) m->scale = fabs(g);
    switch (m->kind) {
    case mode_above: c[i] = m->holds ? v * (1 - v) : (v != 0 ? g : -g) + m->soft; break;
    case mode_sign: {
      double limit = tape_result(h->guards, h->guards_w, h->modes.count + i);
      c[i] = m->holds ? limit * limit - v * v : (v > 0 ? g : v < 0 ? -g : g == 0 ? 1 : -fabs(g)) + m->soft;
      break;
    }
    case mode_floor: c[i] = (g - v) * (v + 1 - g); break;
    }
  }
}

// The least that wild conditions can be. While others hold the motion nothing is known, and nothing is said.
static void ranges(void *self, double t0, double t1, const double *lo, const double *hi, double *least) {
  Hybrid *h = self;
  const Tape *t = h->guards;
  double *a = h->range_lo + t->param_count, *b = h->range_hi + t->param_count;
  uint32_t held = h->s->held.count, more = h->body + held;
  a[0] = t0;
  b[0] = t1;
  memcpy(a + 1, lo, h->body * sizeof *a);
  memcpy(b + 1, hi, h->body * sizeof *b);
  for (uint32_t i = 0; i < held; i++) a[1 + h->body + i] = b[1 + h->body + i] = h->held_values[i];
  for (uint32_t i = 0; i < h->z_count; i++) a[1 + more + i] = b[1 + more + i] = h->z[i];
  for (uint32_t i = 0; i < h->delay_count; i++) {
    a[1 + more + h->delay_at + i] = -INFINITY;
    b[1 + more + h->delay_at + i] = INFINITY;
  }
  tape_ranges(t, h->guards_w, h->range_lo, h->range_hi);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    if (!h->wild[i]) continue;
    double low = h->range_lo[t->outputs[i]], high = h->range_hi[t->outputs[i]], v = h->z[h->mode_at + i];
    least[i] = h->held_count ? NAN : v > 0 ? low : -high;
    least[i] -= 1e-12 * fmax(fabs(low), fabs(high));
  }
}

bool hybrid_may_hold(const Hybrid *h) {
  for (uint32_t i = 0; i < h->modes.count; i++) {
    if (h->modes.items[i].kind == mode_sign && !h->modes.items[i].pass) return true;
  }
  return false;
}

// ---- what happened

static void note(Hybrid *h, double t, const char *word, Span span, double value) {
  h->last_word = word;
  h->last_span = span;
  if (h->log.count >= most_logged) {
    h->log_full = true;
    return;
  }
  // what changes to and fro in one moment is told once
  for (uint32_t i = h->log.count; i-- > 0 && h->log.items[i].t == t;) {
    RunEvent *e = &h->log.items[i];
    if (e->word != word || e->span.start != span.start || e->span.source != span.source) continue;
    e->value = value;
    return;
  }
  vec_push(h->arena, &h->log, (RunEvent){t, word, span, value, 0});
}

OdeAction hybrid_fail(Hybrid *h, const char *message, Span place) {
  h->failure = message ? message : "memory is out";
  h->failure_place = place;
  return action_fail;
}

// ---- settling

static double mode_value(const SwitchMode *m, double g) {
  switch (m->kind) {
  case mode_above: return m->closed ? g >= 0 : g > 0;
  case mode_sign: return g > 0 ? 1 : g < 0 ? -1 : 0;
  case mode_floor: return floor(g);
  }
  return 0;
}

static void set_mode(Hybrid *h, uint32_t i, double value, double t) {
  const SwitchMode *m = &h->modes.items[i];
  if (h->z[h->mode_at + i] != value && !m->silent) note(h, t, m->word, m->span, value);
  h->z[h->mode_at + i] = value;
}

static void eval_rules(Hybrid *h, double t, const double *y) {
  hybrid_given(h, t, y);
  hybrid_put(h, h->rules_tape, h->rules_w, t, y);
  tape_eval(h->rules_tape, h->rules_w);
}

// How far from zero a guard may be that this event found at zero. Further off, it jumped over it and is where it is.
static double nearness(const SwitchMode *m, double g) {
  double near = 4 * fabs(g);
  return near <= 1e-6 * m->scale ? near : 0;
}

// What the ended conditions say themselves, before anything else.
static void begin_ended(Hybrid *h, double t, const double *y, const uint32_t *ended, uint32_t count) {
  if (!h->modes.count) return;
  eval_guards(h, t, y);
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    // one that ended before and did not get away from zero yet is still there
    m->ended = (h->fresh[i] && m->ended) || m->soft > 0;
    m->near = m->ended ? fmax(m->near, fmax(nearness(m, guard(h, i)), 2 * m->soft)) : 0;
    m->touch = m->released = m->at_once = false;
  }
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = ended[k];
    SwitchMode *m = &h->modes.items[i];
    double *v = &h->z[h->mode_at + i], g = guard(h, i);
    m->at_once = h->fresh[i] && h->rearm[i] > 0 && t == h->last_t;
    m->ended = true;
    // on the other branch it may be rounded otherwise, and in a loop be solved otherwise
    double rounding = h->m->unknowns.count ? fmax(h->noise[i], 1e-11 * m->scale) : h->noise[i];
    m->near = fmax(fmax(nearness(m, g), 2 * m->soft), rounding) + DBL_MIN;
    if (m->holds) {
      m->holds = false;
      m->released = true;
      uint32_t kept = 0;
      for (uint32_t j = 0; j < h->held_count; j++) {
        if (h->held[j] != i) h->held[kept++] = h->held[j];
      }
      h->held_count = kept;
      double side = m->kind == mode_sign ? (*v > 0 ? 1 : -1) : (*v > 0.5 ? 1 : 0);
      *v = NAN; // so that the change is told
      set_mode(h, i, side, t);
      m->near = INFINITY;
      continue;
    }
    switch (m->kind) {
    case mode_above: set_mode(h, i, *v != 0 ? 0 : 1, t); break;
    case mode_sign: set_mode(h, i, m->pass ? 0 : *v > 0 ? -1 : *v < 0 ? 1 : mode_value(m, g), t); break;
    case mode_floor: {
      double whole = g - *v < *v + 1 - g ? *v - 1 : *v + 1;
      m->near = 4 * fmin(fabs(g - *v), fabs(g - (*v + 1))) + DBL_MIN;
      set_mode(h, i, whole, t);
      break;
    }
    }
  }
}

// Is g zero, as far as this event knows it?
static bool touches(const Hybrid *h, uint32_t i, double g) {
  const SwitchMode *m = &h->modes.items[i];
  double v = h->z[h->mode_at + i];
  if (m->kind == mode_floor) return m->ended && (fabs(g - v) <= m->near || fabs(g - (v + 1)) <= m->near);
  return g == 0 || (m->ended && fabs(g) <= m->near);
}

// Modes by their guards; those at zero keep what they are. True: something changed.
static bool set_modes(Hybrid *h, double t) {
  bool changed = false;
  for (uint32_t i = 0; i < h->modes.count; i++) {
    SwitchMode *m = &h->modes.items[i];
    double g = hybrid_rule(h, i), old = h->z[h->mode_at + i];
    if (m->holds) {
      if (fabs(g) <= m->slack) continue; // held at zero
      m->holds = false; // something moved it away
      uint32_t kept = 0;
      for (uint32_t j = 0; j < h->held_count; j++) {
        if (h->held[j] != i) h->held[kept++] = h->held[j];
      }
      h->held_count = kept;
    }
    bool was = m->touch;
    m->touch = touches(h, i, g);
    // a guard that a jump put on zero starts from there; one that came there keeps its side for now
    if (m->touch && (was || m->ended)) continue;
    set_mode(h, i, mode_value(m, g), t);
    changed = changed || h->z[h->mode_at + i] != old;
  }
  return changed;
}

static bool set_memories(Hybrid *h, double t) {
  bool changed = false;
  for (uint32_t i = 0; i < h->memory_count; i++) {
    const ModelMemory *m = &h->m->memories.items[i];
    double v = hybrid_rule(h, h->modes.count + i);
    if (v == h->z[i] || m->follow || (isnan(v) && isnan(h->z[i]))) continue;
    h->z[i] = v;
    changed = true;
    note(h, t, m->block, m->span, v);
  }
  return changed;
}

static double *target(const Hybrid *h, double *y, const ModelAssign *a) {
  uint32_t n = h->s->coord_count;
  return a->kind == assign_place ? &y[a->index] : a->kind == assign_velocity ? &y[n + a->index] : &y[2 * n + a->index];
}

void hybrid_assign(Hybrid *h, uint32_t which, double *y) {
  uint32_t at = h->values_at;
  for (uint32_t i = 0; i < which; i++) at += h->m->whens.items[i].assigns.count;
  const ModelWhen *w = &h->m->whens.items[which];
  for (uint32_t k = 0; k < w->assigns.count; k++) *target(h, y, &w->assigns.items[k]) = hybrid_rule(h, at + k);
}

// "when h < 0"
static const char *when_text(Hybrid *h, uint32_t i) {
  const ModelWhen *w = &h->m->whens.items[i];
  if (h->when_words[i]) return h->when_words[i];
  const Source *s = source_get(&h->m->sources, w->span);
  uint32_t end = w->span.start;
  while (s && end < w->span.end && s->text[end] != '\n' && !(s->text[end] == ' ' && strncmp(s->text + end, " do", 3) == 0)) end++;
  h->when_words[i] = s ? arena_strndup(h->arena, s->text + w->span.start, end - w->span.start) : "when";
  return h->when_words[i];
}

// The first `when` that became true does its work. True: one did.
bool hybrid_fire(Hybrid *h, double t, double *y, bool *stop) {
  for (uint32_t i = 0; i < h->m->whens.count; i++) h->was[i] = h->was[i] && hybrid_rule(h, h->conditions_at + i) != 0;
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    const ModelWhen *w = &h->m->whens.items[i];
    if (!w->condition) continue;
    bool now = hybrid_rule(h, h->conditions_at + i) != 0, was = h->was[i];
    h->was[i] = now;
    if (!now || was) continue;
    hybrid_assign(h, i, y);
    note(h, t, when_text(h, i), w->span, 1);
    h->when_t = t;
    h->when_last = i;
    *stop = *stop || w->stop;
    return true;
  }
  return false;
}

// ---- modes at zero

// dg/dt with the present modes.
static double raw_rate(Hybrid *h, uint32_t i, double t, const double *y) {
  hybrid_given(h, t, y);
  if (h->modes.items[i].rate) {
    eval_rates(h, t, y);
    return tape_result(h->rates, h->rates_w, i);
  }
  // not known as an expression: a little further along the motion
  double dt = 1e-8 * fmin(h->t1 - h->t0, fmax(1e-3 * (h->t1 - h->t0), t - h->last_t)), *z = h->before;
  eval_guards(h, t, y);
  double g = guard(h, i);
  h->changed(h->self);
  if (!h->f(h->self, t, y, h->slope)) return 0;
  for (uint32_t k = 0; k < h->body; k++) z[k] = y[k] + dt * h->slope[k];
  eval_guards(h, t + dt, z);
  return (guard(h, i) - g) / dt;
}

// The same without rounding: what is small beside the rates and sizes that were seen counts as zero.
static double rate_of(Hybrid *h, uint32_t i, double t, const double *y) {
  double r = raw_rate(h, i, t, y), size = fabs(r);
  SwitchMode *m = &h->modes.items[i];
  if (size > m->rate_scale) m->rate_scale = size;
  return size <= 1e-10 * fmax(m->rate_scale, m->scale / (h->t1 - h->t0)) ? 0 : r;
}

// The place in y of a guard that is a plain velocity or state.
static uint32_t component(const Hybrid *h, const SwitchMode *m) {
  SymbolId s = expr_symbol(h->s->pool, m->g);
  const Symbol *symbol = s ? pool_symbol_get(h->s->pool, s) : NULL;
  if (symbol && symbol->kind == sym_velocity) return h->s->coord_count + symbol->index;
  return symbol && symbol->kind == sym_state ? 2 * h->s->coord_count + symbol->index : UINT32_MAX;
}

// Tries to hold g at zero. False: it cannot be held, and nothing changed.
static bool hold(Hybrid *h, uint32_t i, double t, double *y) {
  SwitchMode *m = &h->modes.items[i];
  if (!m->rate || m->released || m->pass) return false;
  double old = h->z[h->mode_at + i];
  size_t n = h->held_count + 1;
  if (n * n + 2 * n > h->solve_room) {
    h->solve_room = 2 * (n * n + 2 * n) + 64;
    h->solve = arena_array(h->arena, h->solve_room, sizeof *h->solve);
    if (!h->solve) return false;
  }
  h->held[h->held_count++] = i;
  bool ok = find_held(h, t, y) && h->solve[n * n + 2 * n - 1] < 0;
  if (ok) { // not if the guard does not follow linearly
    eval_rates(h, t, y);
    double left = fabs(tape_result(h->rates, h->rates_w, i)), size = fabs(h->solve[n * n + 2 * n - 1]);
    ok = left <= 1e-9 * size * (1 + fabs(h->z[h->mode_at + i]));
  }
  if (ok) {
    hybrid_put(h, h->guards, h->guards_w, t, y);
    tape_eval(h->guards, h->guards_w);
    double v = h->z[h->mode_at + i], limit = tape_result(h->guards, h->guards_w, h->modes.count + i);
    ok = m->kind == mode_sign ? fabs(v) <= limit : v >= 0 && v <= 1;
  }
  if (!ok) {
    h->held_count--;
    h->z[h->mode_at + i] = old;
    if (h->held_count) find_held(h, t, y);
    return false;
  }
  m->holds = true;
  m->slack = 4 * fabs(guard(h, i)) + 1e-9 * fmax(m->scale, 1e-3);
  note(h, t, m->word, m->span, h->z[h->mode_at + i]);
  uint32_t at = component(h, m);
  if (at < h->body) y[at] = 0; // from now on
  return true;
}

void hybrid_rest(const Hybrid *h, double *dydt) {
  for (uint32_t k = 0; k < h->held_count; k++) {
    uint32_t at = component(h, &h->modes.items[h->held[k]]);
    if (at < h->body) dydt[at] = 0;
  }
}

// A mode whose guard is zero takes the side to which the motion goes. 1: changed, 0: as it was, -1: both sides lead back.
static int leave(Hybrid *h, uint32_t i, double t, double *y) {
  SwitchMode *m = &h->modes.items[i];
  double *v = &h->z[h->mode_at + i], old = *v;
  if (m->holds) return 0;
  if (m->kind == mode_floor) {
    double rate = rate_of(h, i, t, y), g = hybrid_rule(h, i);
    bool below = fabs(g - *v) <= fabs(g - (*v + 1)); // at the lower end
    if (below && rate < 0) set_mode(h, i, old - 1, t);
    else if (!below && rate > 0) set_mode(h, i, old + 1, t);
    return *v != old;
  }
  if (m->kind == mode_sign) {
    if (m->pass) { // passed: the other side follows
      double rate = rate_of(h, i, t, y);
      if (*v != 0 || rate == 0) return 0;
      set_mode(h, i, rate > 0 ? 1 : -1, t);
      return 1;
    }
    if (hold(h, i, t, y)) return 1;
    if (m->released) return 0;
    *v = 1;
    double up = rate_of(h, i, t, y);
    *v = -1;
    double down = rate_of(h, i, t, y);
    *v = old;
    double side = up > 0 && (down >= 0 || old > 0) ? 1 : down < 0 && (up <= 0 || old < 0) ? -1 : old;
    set_mode(h, i, side, t);
    return *v != old;
  }
  double rate = rate_of(h, i, t, y);
  if (m->released || (*v != 0 ? rate >= 0 : rate <= 0)) return 0;
  *v = old != 0 ? 0 : 1;
  double other = rate_of(h, i, t, y);
  *v = old;
  // a function that does not act on its own guard just changes sides
  if (old != 0 ? other <= 0 : other >= 0) {
    if (m->at_once) return 0; // grazed at the depth of rounding: the slope tells less than the search
    set_mode(h, i, old != 0 ? 0 : 1, t);
    return 1;
  }
  return hold(h, i, t, y) ? 1 : -1;
}

static OdeAction chatters(Hybrid *h, const SwitchMode *m, double t) {
  char at[number_text_size];
  number_print(t, at);
  return hybrid_fail(h, arena_printf(h->arena, "stopped at t = %s: `%s` chatters: each of its two branches leads back to the other, and no value between them holds it there", at, m->word), m->span);
}

static OdeAction unsettled(Hybrid *h, double t, double *y) {
  char at[number_text_size];
  number_print(t, at);
  Text out = text_in(h->arena);
  text_printf(&out, "stopped at t = %s: the events of this moment do not settle:", at);
  const char *last = NULL;
  uint32_t told = 0;
  for (uint32_t i = h->log.count; i-- > 0 && h->log.items[i].t == t && told < 8;) {
    const RunEvent *e = &h->log.items[i];
    const Source *s = source_get(&h->m->sources, e->span);
    if (last == e->word) continue;
    last = e->word;
    text_printf(&out, "%s `%s`", told++ ? "," : "", e->word);
    if (s) text_printf(&out, " (line %u)", source_place(s, e->span.start).line);
  }
  // conditions inside blocks are not in the log: those that change in one more round
  Span place = told ? h->last_span : (Span){0};
  for (uint32_t i = 0; i < h->modes.count; i++) h->c[i] = h->z[h->mode_at + i];
  eval_rules(h, t, y);
  bool more = told == 0 && set_modes(h, t);
  for (uint32_t i = 0; more && i < h->modes.count && told < 8; i++) {
    const SwitchMode *m = &h->modes.items[i];
    if (h->c[i] == h->z[h->mode_at + i] || (told && m->span.start == place.start)) continue;
    const Source *s = source_get(&h->m->sources, m->span);
    if (!told) place = m->span;
    text_printf(&out, "%s `%s`", told++ ? "," : "", m->word);
    if (s) text_printf(&out, " (line %u)", source_place(s, m->span.start).line);
  }
  return hybrid_fail(h, text_str(&out), place);
}

OdeAction hybrid_check(Hybrid *h, double t) {
  for (uint32_t i = 0; i < h->m->checks.count; i++) {
    if (hybrid_rule(h, h->checks_at + i) == 0) continue;
    char at[number_text_size];
    number_print(t, at);
    return hybrid_fail(h, arena_printf(h->arena, "stopped at t = %s: %s", at, h->m->checks.items[i].message), h->m->checks.items[i].span);
  }
  return action_go;
}

static OdeAction settle(Hybrid *h, double t, double *y, bool start) {
  bool stop = false;
  uint32_t rounds = 1000 + 4 * (h->modes.count + h->memory_count);
  for (uint32_t round = 0;; round++) {
    if (round > rounds) return unsettled(h, t, y);
    eval_rules(h, t, y);
    if (set_modes(h, t)) continue;
    OdeAction action = hybrid_check(h, t);
    if (action != action_go) return action;
    if (set_memories(h, t)) continue;
    if (start && round == 0) {
      for (uint32_t i = 0; i < h->m->whens.count; i++) h->was[i] = hybrid_rule(h, h->conditions_at + i) != 0;
    }
    if (hybrid_fire(h, t, y, &stop)) continue;
    bool changed = false;
    for (uint32_t i = 0; i < h->modes.count && !changed; i++) {
      if (!h->modes.items[i].touch) continue;
      int left = leave(h, i, t, y);
      if (left < 0) return chatters(h, &h->modes.items[i], t);
      changed = left > 0;
      if (changed) h->modes.items[i].near = fmax(h->modes.items[i].near, 0);
    }
    if (!changed) break;
  }
  return stop ? action_stop : action_go;
}

// The k-th time of an `every`: rows fall on the same doubles.
double hybrid_tick_time(const Hybrid *h, uint32_t i, uint64_t k) {
  OdeSettings s = {.t0 = h->t0, .t1 = INFINITY, .every = h->periods[i]};
  return ode_row_time(&s, k);
}

// `every` whose time has come. The rules must be evaluated.
static bool tick(Hybrid *h, double t, double *y, bool *stop) {
  bool any = false;
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    const ModelWhen *w = &h->m->whens.items[i];
    if (!w->period || !(h->next_at[i] <= t)) continue;
    eval_rules(h, t, y);
    hybrid_assign(h, i, y);
    h->next_at[i] = hybrid_tick_time(h, i, ++h->ticks[i]);
    *stop = *stop || w->stop;
    any = true;
  }
  return any;
}

// ---- piling up

// Events that come ever faster, in a ratio that keeps them from ever getting past a moment.
static OdeAction watch_progress(Hybrid *h, double t) {
  double gap = t - h->last_t, ratio = h->last_gap > 0 ? gap / h->last_gap : 1;
  h->shrinking = gap > 0 && ratio < 0.9999 ? h->shrinking + 1 : gap > 0 ? 0 : h->shrinking;
  if (gap > 0) h->last_gap = gap;
  h->last_t = t;
  char at[number_text_size], end[number_text_size];
  if (h->when_t == t) { // rather than a function in its condition
    h->last_word = when_text(h, h->when_last);
    h->last_span = h->m->whens.items[h->when_last].span;
  }
  if (h->shrinking >= 20 && gap > 0 && gap < 1e-9 * fmax(t - h->t0, DBL_MIN) && ratio < 0.9999) {
    number_print(t, at);
    double limit = t + gap * ratio / (1 - ratio);
    number_format(end, sizeof end, "%.10g", limit);
    return hybrid_fail(h, arena_printf(h->arena, "stopped at t = %s: the events of `%s` come ever faster and pile up at t = %s", at, h->last_word, end), h->last_span);
  }
  if (h->crowd == 0 || t - h->crowd_from > 1e-9 * (h->t1 - h->t0)) {
    h->crowd_from = t;
    h->crowd = 0;
  }
  if (++h->crowd < patience) return action_go;
  number_print(t, at);
  return hybrid_fail(h, arena_printf(h->arena, "stopped at t = %s: the events of `%s` do not get on: the motion chatters there", at, h->last_word), h->last_span);
}

// ---- the interface of the integrator

static void end_settle(Hybrid *h, double t, const double *y) {
  if (h->modes.count) {
    eval_guards(h, t, y);
    hybrid_put(h, h->sizes, h->sizes_w, t, y);
    tape_eval(h->sizes, h->sizes_w);
    for (uint32_t i = 0; i < h->modes.count; i++) {
      SwitchMode *m = &h->modes.items[i];
      double rounding = 8 * DBL_EPSILON * tape_result(h->sizes, h->sizes_w, i);
      if (rounding > h->noise[i]) h->noise[i] = rounding;
      double near = 1e-11 * m->scale;
      m->soft = h->held_count && !m->holds && m->kind != mode_floor && fabs(guard(h, i)) <= near ? near : 0;
    }
    conditions(h, t, y, h->c);
    for (uint32_t i = 0; i < h->modes.count; i++) h->fresh[i] = !(h->c[i] > fmax(h->noise[i], h->rearm[i])) || h->modes.items[i].touch;
  }
  h->changed(h->self);
}

void hybrid_book(Hybrid *h, double before, double t, double *y) {
  double after = h->stored(h->self, t, y);
  if (!(after != before)) return;
  if (after < before) y[h->body] += before - after; // dissipated
  else y[h->body + 1] += after - before;            // supplied
}

// The delays read behind the images of jumps from now on; those that jump are told.
static void pass_images(Hybrid *h, double t, const double *y) {
  hybrid_given(h, t, y);
  double *left = h->left;
  memcpy(left, h->z + h->delay_at, h->delay_count * sizeof *left);
  history_mark(h, t, false);
  hybrid_given(h, t, y);
  for (uint32_t i = 0; i < h->delay_count; i++) {
    double now = h->z[h->delay_at + i];
    if (fabs(now - left[i]) > 1e-9 * (1 + fabs(now))) note(h, t, "delay", h->m->delays.items[i].span, now);
  }
}

// Does a signal of time jump here?
static bool at_break(const Hybrid *h, double t) {
  uint32_t lo = 0, hi = h->breaks.count; // breaks before t
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (h->breaks.times[mid] < t) lo = mid + 1;
    else hi = mid;
  }
  return lo < h->breaks.count && h->breaks.times[lo] == t;
}

static OdeAction happen(void *self, double t, double *y, const uint32_t *ended, uint32_t count) {
  Hybrid *h = self;
  if (arena_failed(h->arena)) return action_no_memory;
  double before = h->stored(h->self, t, y);
  uint32_t logged = h->log.count;
  bool stop = false;
  if (h->watch) h->watch(h->self, t, y);
  begin_ended(h, t, y, ended, count);
  if (h->history) pass_images(h, t, y);
  bool ticked = tick(h, t, y, &stop);
  OdeAction action = settle(h, t, y, false);
  if (h->history && (h->log.count > logged || ticked || count || at_break(h, t))) history_mark(h, t, true);
  end_settle(h, t, y);
  hybrid_book(h, before, t, y);
  if (h->watch) h->watch(h->self, t, y);
  if (action == action_go && count) action = watch_progress(h, t);
  if (action == action_go && stop) action = action_stop;
  return arena_failed(h->arena) ? action_no_memory : action;
}

static double next_time(void *self, double t) {
  const Hybrid *h = self;
  double first = h->history ? history_next(h, t) : INFINITY;
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    if (h->m->whens.items[i].period) first = fmin(first, h->next_at[i]);
  }
  return first;
}

// The `when` in whose line this stands, plus one; 0: none.
static uint32_t when_around(const Hybrid *h, Span at) {
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    const ModelWhen *w = &h->m->whens.items[i];
    if (!w->period && w->span.source == at.source && at.start >= w->span.start && at.end <= w->span.end) return i + 1;
  }
  return 0;
}

// Only where it matters: what a `when` does, it does or does not.
static void grazes(void *self, uint32_t condition, double t) {
  Hybrid *h = self;
  uint32_t when = when_around(h, h->modes.items[condition].span);
  if (when && h->graze_count++ == 0) h->graze = (RunEvent){.t = t, .word = when_text(h, when - 1), .span = h->m->whens.items[when - 1].span};
}

static void set_events(Hybrid *h) {
  h->events = (OdeEvents){.self = h, .count = h->modes.count, .conditions = conditions, .fresh = h->fresh, .noise = h->noise, .rearm = h->rearm, .happen = happen, .next = next_time, .graze = grazes,
                          .longest = h->history ? h->events.longest : INFINITY, .record = h->history ? history_record : NULL,
                          .wild = h->any_wild ? h->wild : NULL, .ranges = ranges};
}

OdeAction hybrid_start(Hybrid *h, double t, double *y) {
  uint32_t starts = h->checks_at + h->m->checks.count;
  h->last_t = t;
  h->last_gap = 0;
  h->held_count = h->shrinking = h->crowd = 0;
  for (uint32_t i = 0; i < h->modes.count; i++) h->modes.items[i].holds = false;
  memset(h->ticks, 0, h->m->whens.count * sizeof *h->ticks);
  if (h->delay_count && !(h->history = history_new(h))) return action_no_memory;
  if (h->history) history_mark(h, t, true);
  eval_rules(h, t, y);
  for (uint32_t i = 0; i < h->modes.count; i++) h->z[h->mode_at + i] = mode_value(&h->modes.items[i], hybrid_rule(h, i));
  for (int round = 0; round < 2; round++) { // starts may depend on modes
    eval_rules(h, t, y);
    for (uint32_t i = 0; i < h->memory_count; i++) h->z[i] = hybrid_rule(h, starts + i);
    for (uint32_t i = 0; i < h->modes.count; i++) h->z[h->mode_at + i] = mode_value(&h->modes.items[i], hybrid_rule(h, i));
  }
  for (uint32_t i = 0; i < h->m->whens.count; i++) {
    h->periods[i] = hybrid_rule(h, starts + h->memory_count + i);
    h->next_at[i] = t;
    if (!h->m->whens.items[i].period || h->periods[i] > 0) continue;
    return hybrid_fail(h, "the period of `every` must be positive", h->m->whens.items[i].span);
  }
  memset(h->fresh, 0, h->modes.count * sizeof *h->fresh);
  begin_ended(h, t, y, NULL, 0);
  uint32_t logged = h->log.count;
  OdeAction action = settle(h, t, y, true);
  bool stop = false;
  if (action == action_go && tick(h, t, y, &stop)) action = settle(h, t, y, false);
  h->log.count = logged; // the start is no event
  set_events(h);
  end_settle(h, t, y);
  return stop && action == action_go ? action_stop : action;
}

// ---- a run that goes on

OdeAction hybrid_resume(Hybrid *h, double t, double *y, double step, uint32_t stages) {
  h->last_t = t;
  if (h->old) {
    h->old_step = step;
    h->stages = stages;
    h->events = (OdeEvents){.self = h, .happen = hybrid_happen_old, .longest = INFINITY, .by_steps = true};
    return action_go;
  }
  set_events(h);
  size_t n = h->held_count;
  h->solve_room = n * n + 2 * n + 64;
  h->solve = arena_array(h->arena, h->solve_room, sizeof *h->solve);
  if (!h->solve) return action_no_memory;
  uint32_t starts = h->checks_at + h->m->checks.count;
  eval_rules(h, t, y);
  for (uint32_t i = 0; i < h->m->whens.count; i++) h->periods[i] = hybrid_rule(h, starts + h->memory_count + i);
  if (h->history && at_break(h, t)) history_mark(h, t, true); // at the end of the run before nothing was known of it
  // other parameters may put guards on other sides
  begin_ended(h, t, y, NULL, 0);
  uint32_t logged = h->log.count;
  OdeAction action = settle(h, t, y, false);
  h->log.count = logged;
  end_settle(h, t, y);
  return action;
}
