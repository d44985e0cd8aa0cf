// Events at a point: the rewritten system, the event iteration there, what sticks beside it.
//
// The event iteration asks for the flow and its errors; both come from the tape of the rates, which has z as further
// components of y. The plan of events has a system of its own, in which z stand beside y, and in which `when` and
// `every` set nothing: what they would do is the caller's to report.
#include "rest/events_at.h"

#include "expr/ops.h"
#include "hybrid/holding.h"
#include "hybrid/loop_choices.h"
#include "hybrid/settle.h"
#include "hybrid/zero_set.h"
#include "rest/operating.h"

#include <math.h>
#include <string.h>

static void *copied(Arena *arena, const void *items, size_t count, size_t size) {
  void *p = arena_array(arena, count, size);
  if (p && count) memcpy(p, items, count * size);
  return p;
}

// ---- y of the plan, whose system has no z

static void gather(const EventsAt *b, const double *full, double *y) {
  for (uint32_t k = 0; k < b->h->plan->body; k++) y[k] = b->at[k] == no_place ? 0 : full[b->at[k]];
}

static void spread(const EventsAt *b, const double *y, double *full) {
  for (uint32_t k = 0; k < b->h->plan->body; k++) {
    if (b->at[k] != no_place) full[b->at[k]] = y[k];
  }
}

// ---- what the event iteration asks for

static bool flow(void *self, double t, const double *y, double *dydt) {
  Operating *o = self;
  EventsAt *b = &o->events;
  spread(b, y, b->full);
  bool finite = operating_flow(o, t, b->full, b->rates);
  gather(b, b->rates, dydt);
  return finite;
}

static bool flow_errors(void *self, double t, const double *y, const double *off, double *errors) {
  Operating *o = self;
  EventsAt *b = &o->events;
  memset(b->off, 0, ((size_t)o->dim + 1) * sizeof *b->off);
  b->off[0] = off[0];
  spread(b, off + 1, b->off + 1);
  spread(b, y, b->full);
  if (!operating_flow_errors(o, t, b->full, b->off, b->rates)) return false;
  gather(b, b->rates, errors);
  return true;
}

static void nothing(void *self) { (void)self; }
static void nothing_at(void *self, double t, const double *y) { (void)self, (void)t, (void)y; }
static double no_energy(void *self, double t, const double *y) { return (void)self, (void)t, (void)y, 0; }
static double no_impulse(void *self, double t, double *y) { return (void)self, (void)t, (void)y, 0; }
static double no_answer(void *self, double t, double *y, bool velocity) {
  return (void)self, (void)t, (void)y, (void)velocity, 0;
}

// ---- opening

// What a linear model does not take.
static void refuse_samples(Operating *o, Diags *diags) {
  const System *m = &o->s;
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const SystemWhen *w = &m->whens.items[i];
    if (!w->period || !w->assigns.count) continue;
    const SystemAssign *a = &w->assigns.items[0];
    const char *name = a->kind == assign_state ? m->states.items[a->index].name : m->coords.items[a->index].name;
    diag_error(diags, diag_no_linear_model, w->span,
               "there is no linear model: `every` sets `%s%s` at its times, so this is a sampled system", name,
               a->kind == assign_velocity ? "'" : "");
    diag_hint(diags, "linear models are about continuous motion: write the controller as an equation or an input, and "
                     "leave the `every` out");
  }
}

static bool with_delays(const ExprPool *pool, ExprId id, const void *context) {
  (void)context;
  return expr_has_kind(pool, id, sym_delay);
}

static bool refuse_delays(Operating *o, Diags *diags) {
  const System *m = &o->s;
  ExprList roots = {0};
  system_roots(m, o->arena, &roots);
  for (uint32_t i = 0; i < o->output_count; i++) vec_push(o->arena, &roots, o->outputs[i]);
  // those that are used, in one pass over all
  bool *used = arena_array(o->arena, m->delays.count, sizeof *used);
  uint32_t length = 0;
  const ExprId *list = pool_reach(o->s.pool, roots.items, roots.count, with_delays, NULL, &length);
  if (!used || !list || arena_failed(o->arena)) return false;
  for (uint32_t i = 0; i < length; i++) {
    SymbolId symbol = expr_symbol(o->s.pool, list[i]);
    if (symbol) used[pool_symbol_get(o->s.pool, symbol)->index] = true;
  }
  for (uint32_t k = 0; k < m->delays.count; k++) {
    if (!used[k]) continue;
    if (o->rest) { // all others are what they delay
      diag_error(diags, diag_no_linear_model, m->delays.items[k].span,
                 "what this `delay` gives goes straight back into it, with no state in between: of such neutral "
                 "equations there is no linear model here");
      diag_hint(diags, "let it pass a short lag on its way, for example `tf(y, [1], [0.001, 1])`");
      continue;
    }
    diag_error(diags, diag_no_linear_model, m->delays.items[k].span,
               "there is no linear model: `delay` needs its past, which no finite number of states holds");
    diag_hint(diags, "an approximation by a transfer function has one, for example `tf(x, [-T/2, 1], [T/2, 1])`");
  }
  return true;
}

// The system of the plan, before it is rewritten: statements set nothing.
static System *system_of_plan(const Operating *o) {
  System *s = copied(o->arena, &o->s, 1, sizeof *s);
  if (!s) return NULL;
  s->whens.items = copied(o->arena, s->whens.items, s->whens.count, sizeof *s->whens.items);
  for (uint32_t i = 0; s->whens.items && i < s->whens.count; i++)
    s->whens.items[i] = (SystemWhen){.condition = s->whens.items[i].condition, .span = s->whens.items[i].span};
  return s->whens.items ? s : NULL;
}

// Where an operation that came out of a derivative stands: the statement that holds one of the same argument.
static bool find_place(Operating *o, SwitchMode *m, PointElement *e) {
  ExprPool *pool = o->s.pool;
  for (uint32_t i = 0; i < o->s.origins.count && !e->label; i++) {
    const Origin *g = &o->s.origins.items[i];
    uint32_t length = 0;
    const ExprId *list = g->root ? pool_reach(pool, &g->root, 1, NULL, NULL, &length) : NULL;
    if (g->root && !list) return false;
    for (uint32_t n = 0; n < length && !e->label; n++) {
      ExprOp op = expr_op(pool, list[n]);
      bool function = op == op_abs || op == op_sign, friction = false;
      for (uint32_t k = 0; op == op_sym && k < o->s.frictions.count; k++) {
        const SystemFriction *f = &o->s.frictions.items[k];
        friction = friction || (f->symbol == expr_symbol(pool, list[n]) && f->span.start == m->span.start);
      }
      if (!friction && !(function && pool_args(pool, list[n])[0] == m->g)) continue;
      e->label = g->label;
      if (!m->span.source) m->span = g->span;
    }
  }
  return true;
}

// What an element carries: of friction a force, of others a part of their jump.
static bool find_loads(Operating *o, const SwitchMode *m, PointElement *e) {
  ExprPool *pool = o->s.pool;
  e->unit = pool->one;
  e->most = m->kind == mode_sign ? pool->one : expr_num(pool, rat_make(pool->arena, 1, 2));
  for (uint32_t i = 0; strcmp(m->word, "friction") == 0 && i < o->s.frictions.count; i++) {
    const SystemFriction *f = &o->s.frictions.items[i];
    if (f->span.start != m->span.start || f->span.source != m->span.source) continue;
    e->unit = rewrite_of(&o->events.rewriting, f->slip);
    e->most = rewrite_of(&o->events.rewriting, f->stick);
  }
  return e->unit && e->most;
}

static bool find_elements(Operating *o) {
  EventsAt *b = &o->events;
  for (uint32_t i = 0; i < b->modes; i++) {
    SwitchMode *m = &b->rewriting.modes.items[i];
    PointElement e = {.mode = i};
    if (!m->rate || !m->enters || !m->jumps) continue;
    if (!find_loads(o, m, &e) || !find_place(o, m, &e) || !vec_push(o->arena, &b->elements, e)) return false;
  }
  return true;
}

// The hybrid system, of which the event iteration knows nothing but this point.
static bool open_hybrid(Operating *o, const EventPlan *plan) {
  EventsAt *b = &o->events;
  Hybrid none = {.plan = plan}, *h = b->h = arena_new_of(o->arena, Hybrid);
  Cutter counter = {0};
  hybrid_cut(&none, &counter);
  Cutter cutter = {.base = arena_alloc(o->arena, counter.at)};
  if (!h || !cutter.base) return false;
  *h = none;
  h->arena = h->scratch = o->arena;
  hybrid_cut(h, &cutter);
  h->host = (EventHost){o, flow, flow_errors, nothing, no_energy, nothing_at, no_answer, no_impulse};
  b->z = h->z;
  for (uint32_t i = 0; i < plan->s->checks.count; i++) plan->check_of[i] = hybrid_all_checks; // asked for in the end
  return hybrid_reset(h, o->params);
}

static bool open_plan(Operating *o, System *s, Diags *diags) {
  EventsAt *b = &o->events;
  for (uint32_t at = 0; at < s->y.count; at++) { // what stands still has no rate
    const Component *y = &s->y.items[at];
    if (y->from == of_state && y->of >= o->model_states) s->y.items[at].rate = s->pool->zero;
  }
  s->delays.count = 0;
  const EventPlan *plan = event_plan_new(&b->rewriting, NULL);
  if (plan) return open_hybrid(o, plan);
  if (!b->rewriting.failure) return !arena_failed(o->arena); // a delay, of whose past nothing is known
  diag_error(diags, diag_no_linear_model, b->rewriting.failure_place, "%s", b->rewriting.failure);
  return true;
}

// Equations that are solved get their origins with their order, on branches: corners are looked for as it is written.
static bool keep_corners(System *s, const SystemEquation *written) {
  for (uint32_t i = 0; i < s->implicit.count; i++) {
    const SystemEquation *e = &written[i];
    if (!system_origin(s, e->span, e->label, e->residual)) return false;
  }
  return true;
}

bool events_open(Operating *o, Diags *diags) {
  EventsAt *b = &o->events;
  SystemWhenList whens = o->s.whens;
  SystemDelayList delays = o->s.delays;
  if (!o->rest && !o->freed && !o->plain) refuse_samples(o, diags);
  const SystemEquation *written = copied(o->arena, o->s.implicit.items, o->s.implicit.count, sizeof *written);
  System *s = system_of_plan(o);
  if (!written || !s || !rewrite_at_point(&b->rewriting, s, o->rest) || !keep_corners(s, written)) return false;
  b->memories = s->memories.count;
  b->modes = b->rewriting.known;
  bool any = b->rewriting.modes.count || b->memories || s->checks.count;
  if (any && o->numbers) {
    if (!open_plan(o, s, diags)) return false;
  } else {
    s->diags = diags;
    if (!system_order(s, NULL)) return false;
  }
  if (!b->z) b->z = arena_array(o->arena, (size_t)events_places(o) + 1, sizeof *b->z);
  o->s = *s;
  o->s.whens = whens;
  o->s.delays = delays;
  o->s.diags = diags;
  o->s.extras = NULL;
  o->s.extra_count = 0;
  if (!b->z || !events_rewrite(o, o->outputs, o->output_count)) return false;
  bool free = o->plain || (o->freed && !o->rest);
  return (free || refuse_delays(o, diags)) && (!b->h || find_elements(o)) && !arena_failed(o->arena);
}

bool events_rewrite(Operating *o, ExprId *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i] && !(list[i] = rewrite_of(&o->events.rewriting, list[i]))) return false;
  }
  return true;
}

uint32_t events_places(const Operating *o) { return o->events.memories + o->events.modes; }

SymbolId events_symbol(const Operating *o, uint32_t i) {
  const EventsAt *b = &o->events;
  return i < b->memories ? o->s.memories.items[i].symbol : b->rewriting.modes.items[i - b->memories].symbol;
}

// Where the components of the plan are in y; workspace.
static bool connect(Operating *o) {
  EventsAt *b = &o->events;
  const System *s = b->h->plan->s;
  size_t n = (size_t)o->dim + 1;
  b->at = arena_array(o->arena, (size_t)b->h->plan->body + 1, sizeof *b->at);
  b->settled = arena_array(o->arena, n, sizeof *b->settled);
  b->settled_z = arena_array(o->arena, (size_t)events_places(o) + 1, sizeof *b->settled_z);
  b->full = arena_array(o->arena, n, sizeof *b->full);
  b->rates = arena_array(o->arena, n + o->output_count, sizeof *b->rates);
  b->off = arena_array(o->arena, n, sizeof *b->off);
  b->y = arena_array(o->arena, (size_t)s->y.count + 1, sizeof *b->y);
  ExprId *loads = arena_array(o->arena, 2 * (size_t)b->elements.count + 1, sizeof *loads);
  if (!loads || arena_failed(o->arena)) return false;
  for (uint32_t k = 0; k < b->h->plan->body; k++) b->at[k] = system_place(&o->s, s->y.items[k].symbol);
  for (uint32_t i = 0; i < b->elements.count; i++) {
    loads[(size_t)2 * i] = b->elements.items[i].unit;
    loads[(size_t)2 * i + 1] = b->elements.items[i].most;
  }
  return operating_tape(o, loads, 2 * b->elements.count, false, &b->loads);
}

// ---- at a point

static bool is_pulse(const SystemMemory *m) { return strcmp(m->block, "pulse") == 0; }

static double middle(const SwitchMode *m) { return m->kind == mode_sign ? 0 : 0.5; }

// What a search moved is known to some last digits of the sizes that it had.
static void put_errors(Operating *o, const double *y) {
  EventsAt *b = &o->events;
  for (uint32_t at = 0; at < o->dim; at++)
    b->off[at] = y[at] == o->first[at] ? 0 : EVENT_SAME_INSTANT * fmax(fabs(y[at]), fabs(o->first[at]));
  memset(b->h->instant.off, 0, b->h->instant.plan->variables * sizeof *b->h->instant.off);
  gather(b, b->off, b->h->instant.off + 1);
}

// The event iteration from the memories as they are; nothing else is known from before.
static OdeAction settle_again(Operating *o, const double *y, EventsFor what) {
  EventsAt *b = &o->events;
  Hybrid *h = b->h;
  uint32_t modes = h->plan->mode_count;
  memset(h->modes, 0, modes * sizeof *h->modes);
  memset(h->fresh, 0, modes * sizeof *h->fresh);
  memset(h->noise, 0, modes * sizeof *h->noise);
  h->state->held_count = h->state->tie_count = 0;
  h->log.count = 0;
  for (uint32_t i = 0; what != events_of_motion && i < b->memories; i++) {
    const SystemMemory *m = &o->s.memories.items[i];
    if (is_pulse(m)) h->z[i] = m->logic ? 0 : -INFINITY;
  }
  gather(b, y, b->y);
  put_errors(o, y);
  OdeAction action = settle_start(h, o->t, b->y);
  return action == action_go ? settle_all(h, o->t, b->y) : action;
}

static OdeAction settle(Operating *o, const double *y, EventsFor what) {
  EventsAt *b = &o->events;
  Hybrid *h = b->h;
  OdeAction action = action_go;
  bool first = !b->started;
  h->held_values = o->held;
  h->state->t0 = h->state->now = o->t;
  h->state->t1 = o->t + 1; // so far the flow is followed where rates do not tell
  b->started = true;
  if (first) {
    gather(b, y, b->y);
    action = hybrid_start(h, o->t, b->y);
  }
  bool start = first && what == events_of_motion && memcmp(y, o->first, o->dim * sizeof *y) == 0;
  return action == action_go && !start ? settle_again(o, y, what) : action;
}

// What an element carries, or would have to where it slides: the value with which its guard would stay.
static void find_load(Operating *o, uint32_t k) {
  EventsAt *b = &o->events;
  Hybrid *h = b->h;
  PointElement *e = &b->elements.items[k];
  const SwitchMode *m = &h->plan->modes[e->mode];
  double *z = hybrid_mode(h, e->mode), value = *z, carried = value, rate, base;
  if (events_state(o, e) == element_slides) {
    holding_affine(h, &e->mode, 1, NULL, o->t, b->y, &rate, &base);
    carried = -base / rate;
    holding_put(h, e->mode, value, true);
  }
  e->load = fabs(tape_result(b->loads.tape, b->loads.w, 2 * k) * (carried - middle(m)));
  e->limit = tape_result(b->loads.tape, b->loads.w, 2 * k + 1);
}

// In a search: what would slide lets go, and stays so until it is asked again.
static void let_go(Operating *o, PointElement *e) {
  EventsAt *b = &o->events;
  Hybrid *h = b->h;
  PointElementState state = events_state(o, e);
  e->idle = e->idle ? state == element_sticks || state == element_slides : state == element_slides;
  if (!e->idle) return;
  if (h->modes[e->mode].holds) holding_release(h, e->mode);
  *hybrid_mode(h, e->mode) = middle(&h->plan->modes[e->mode]);
}

static bool fail(Operating *o, const Hybrid *h) {
  EventsAt *b = &o->events;
  b->failure = arena_printf(o->arena, "what happens at this point is not known: a run from here %s", h->failure);
  b->failure_place = h->failure_place;
  return !arena_failed(o->arena);
}

bool events_settle(Operating *o, const double *y, EventsFor what, bool *changed) {
  EventsAt *b = &o->events;
  Hybrid *h = b->h;
  *changed = false;
  b->failure = NULL;
  if (!h) return !(o->numbers && events_places(o)); // there is no plan where a delay would be asked
  if ((!b->at && !connect(o)) || !operating_flow(o, o->t, y, NULL)) return false;
  double *before = copied(o->arena, b->z, b->memories, sizeof *before);
  if (b->memories && !before) return false;
  OdeAction action = settle(o, y, what);
  if (arena_failed(o->arena) || action == action_no_memory) return false;
  memcpy(b->settled, y, o->dim * sizeof *y);
  for (uint32_t i = 0; i < b->memories; i++) {
    const SystemMemory *m = &o->s.memories.items[i];
    *changed = *changed || (before[i] != b->z[i] && (m->logic || !is_pulse(m)));
  }
  operating_eval(o, &b->loads, y);
  bool let = false;
  for (uint32_t k = 0; k < b->elements.count; k++) {
    PointElement *e = &b->elements.items[k];
    bool idle = e->idle;
    if (what != events_of_search) e->idle = false;
    if (!idle || what != events_of_search) find_load(o, k);
    if (what == events_of_search) let_go(o, e);
    *changed = *changed || e->idle != idle;
    let = let || e->idle;
  }
  if (let && h->state->held_count) holding_values(h, o->t, b->y); // those that stick carry what was let go
  memcpy(b->settled_z, b->z, events_places(o) * sizeof *b->z);
  return holding_tie(h) && (action == action_fail ? fail(o, h) : true);
}

static int sign_of(double g) { return (g > 0) - (g < 0); }

// One branch follows from the other until none changes. False: they go on changing.
static bool follow_branches(Operating *o) {
  EventsAt *b = &o->events;
  Hybrid *h = b->h;
  bool changed = true;
  for (uint32_t round = 0; changed && round <= b->modes; round++) {
    changed = false;
    hybrid_eval(h, event_guards, o->t, b->y);
    for (uint32_t i = 0; i < b->modes; i++) {
      BranchKind kind = (BranchKind)h->plan->instant.kind[i];
      double g = hybrid_guard(h, i), d = zero_set_distance(kind, g), *z = hybrid_mode(h, i);
      double value = instant_branch(kind, g, sign_of(d));
      if (h->modes[i].holds || h->modes[i].acts || isnan(g) || value == *z) continue;
      *z = value;
      changed = true;
    }
  }
  return !changed;
}

// Signs alone: what is zero at the settled point stays known.
static void look(Instant *x, double *y, bool after) {
  (void)after;
  x->host->evaluate(x->host->self, x->t, y);
  for (uint32_t i = 0; i < x->plan->guards; i++)
    x->sign[i] = (int8_t)sign_of(zero_set_distance((BranchKind)x->plan->kind[i], x->g[i]));
}

// Takes the one solution of each algebraic loop, if it has one. True: a branch is another than before.
static bool solve_loops(Operating *o, bool found) {
  EventsAt *b = &o->events;
  Hybrid *h = b->h;
  Instant *x = &h->instant;
  double *settled = h->room.g_before;
  bool changed;
  memcpy(settled, x->branch, h->plan->mode_count * sizeof *settled);
  memcpy(x->branch, hybrid_mode(h, 0), b->modes * sizeof *x->branch);
  x->t = o->t;
  b->unsolved = loops_choose(x, b->y, false, found, look, &changed) != loop_solved;
  changed = changed && !b->unsolved;
  for (uint32_t i = 0; changed && i < b->modes; i++) {
    if (!h->modes[i].holds && !h->modes[i].acts) *hybrid_mode(h, i) = x->branch[i];
  }
  memcpy(x->branch, settled, h->plan->mode_count * sizeof *settled);
  return changed;
}

void events_follow(Operating *o, const double *y) {
  EventsAt *b = &o->events;
  Hybrid *h = b->h;
  if (!h || !b->at || !b->modes) return;
  memcpy(b->z, b->settled_z, events_places(o) * sizeof *b->z);
  h->held_values = o->held;
  b->unsolved = false;
  if (memcmp(y, b->settled, o->dim * sizeof *y) == 0) return;
  gather(b, y, b->y);
  bool found = follow_branches(o);
  for (uint32_t round = 0; round < h->plan->loops.count && solve_loops(o, found); round++) found = follow_branches(o);
  if (h->state->held_count) holding_values(h, o->t, b->y);
}

void events_keep(const Operating *o, double *rates) {
  const EventsAt *b = &o->events;
  if (!b->h || !b->h->state->tie_count) return;
  gather(b, rates, b->y);
  hybrid_rest(b->h, b->y);
  spread(b, b->y, rates);
}

void events_take(Operating *o, const Operating *from) {
  if (!o->events.h) return;
  memcpy(o->events.z, from->events.z, o->events.memories * sizeof *o->events.z);
  o->events.started = from->events.started;
}

bool events_ask_again(Operating *o) {
  bool any = false;
  for (uint32_t k = 0; k < o->events.elements.count; k++) {
    any = any || o->events.elements.items[k].idle;
    o->events.elements.items[k].idle = false;
  }
  return any;
}

// ---- what was found

PointElementState events_state(const Operating *o, const PointElement *e) {
  const ModeState *m = &o->events.h->modes[e->mode];
  const Instant *x = &o->events.h->instant;
  if (m->holds) return element_sticks;
  if (m->acts) return e->idle ? element_off : element_slides;
  return x->zero[x->plan->leader[e->mode]] ? element_drives : element_off;
}

bool events_holds(const Operating *o, const PointElement *e) {
  const ModeState *m = &o->events.h->modes[e->mode];
  return m->holds && !m->pinned;
}

bool events_any_sticks(const Operating *o) { return o->events.h && o->events.h->state->held_count; }

const char *events_word(const Operating *o, const PointElement *e) {
  const SwitchMode *m = &o->events.rewriting.modes.items[e->mode];
  const uint32_t line = source_line(o->s.sources, m->span);
  return arena_printf(o->arena, line ? "`%s` (line %u)" : "`%s`", m->word, line);
}

uint32_t events_column(const Operating *o, const PointElement *e) { return o->branch_at[o->events.memories + e->mode]; }

const SystemCheck *events_check(Operating *o) {
  const EventsAt *b = &o->events;
  if (!b->h || !o->s.checks.count) return NULL;
  gather(b, b->settled, b->y);
  settle_rules(b->h, o->t, b->y);
  for (uint32_t i = 0; i < o->s.checks.count; i++) {
    if (hybrid_rule(b->h, b->h->plan->checks_at + i) != 0) return &o->s.checks.items[i];
  }
  return NULL;
}

// Does an expression read a branch whose guard is zero, and may leave it? seen: by mode. Guards read branches, too.
static bool reads_limit(const Operating *o, ExprId root, bool *seen) {
  const Hybrid *h = o->events.h;
  uint32_t length = 0;
  const ExprId *list = pool_reach(o->s.pool, &root, 1, NULL, NULL, &length);
  ExprId *nodes = list ? copied(o->arena, list, length, sizeof *nodes) : NULL;
  for (uint32_t k = 0; nodes && k < length; k++) {
    SymbolId symbol = expr_symbol(o->s.pool, nodes[k]);
    const Symbol *s = symbol ? pool_symbol_get(o->s.pool, symbol) : NULL;
    if (!s || s->kind != sym_mode || s->index >= h->plan->mode_count || seen[s->index]) continue;
    uint32_t leader = h->plan->instant.leader[s->index];
    seen[s->index] = true;
    if (h->instant.zero[leader] && !h->instant.held[leader]) return true;
    if (reads_limit(o, h->plan->modes[s->index].g, seen)) return true;
  }
  return false;
}

const SystemWhen *events_when(Operating *o, const char **why) {
  const EventsAt *b = &o->events;
  for (uint32_t i = 0; i < o->s.whens.count; i++) {
    const SystemWhen *w = &o->s.whens.items[i];
    if (!w->condition || !w->assigns.count) continue;
    *why = "its condition depends on the time, so it happens whatever the deviation is";
    if (expr_has_kind(o->s.pool, w->condition, sym_time)) return w;
    *why = "its condition is at its limit at this point, so the smallest deviation makes it happen";
    if (!b->h) continue;
    for (uint32_t k = 0; k < b->h->log.count; k++) {
      EventItem of = b->h->log.items[k].of;
      if (of.kind == event_of_when && of.index == i) return w;
    }
    bool *seen = arena_array(o->arena, b->h->plan->mode_count, sizeof *seen);
    if (seen && reads_limit(o, b->rewriting.conditions[i], seen)) return w;
  }
  return NULL;
}
