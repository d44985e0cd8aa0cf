// Static equilibria and their stability. See equilibria.h.
//
// in    an operating point, what rest/resting.c finds from there
// out   values by name, multipliers, outputs, verdict; remarks on what is held, what could as well be elsewhere
#include "linear/equilibria.h"

#include "system/dimension.h"

#include <math.h>
#include <string.h>

void equilibria_note(Equilibria *e, const char *text) {
  for (uint32_t i = 0; text && i < e->notes.count; i++) {
    if (strcmp(e->notes.items[i], text) == 0) return;
  }
  if (text) vec_push(e->o->arena, &e->notes, text);
}

const char *equilibrium_verdict_word(RestVerdict verdict) {
  static const char *const words[] = {"not judged", "stable", "unstable", "singular", "mechanism", "marginal"};
  return words[verdict];
}

// ---- values

static uint32_t visible_states(const Operating *o) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < o->model_states; i++) count += !o->s.states.items[i].hidden;
  return count;
}

bool equilibria_begin(Operating *o, Equilibria *e) {
  const System *s = &o->s;
  *e = (Equilibria){.o = o, .output_count = s->outputs.count, .multiplier_count = s->constraints.count};
  uint32_t all = o->n + visible_states(o);
  e->names = arena_array(o->arena, (size_t)all + 1, sizeof *e->names);
  e->units = arena_array(o->arena, (size_t)all + 1, sizeof *e->units);
  e->output_names = arena_array(o->arena, (size_t)e->output_count + 1, sizeof *e->output_names);
  e->multiplier_names = arena_array(o->arena, (size_t)e->multiplier_count + 1, sizeof *e->multiplier_names);
  if (arena_failed(o->arena)) return false;
  for (uint32_t i = 0; i < o->n; i++) {
    const SystemCoord *c = &s->coords.items[i];
    e->units[e->count] = unit_si_text(o->arena, &c->unit, &c->dim, 0);
    e->names[e->count++] = c->name;
  }
  for (uint32_t i = 0; i < o->model_states; i++) {
    const SystemState *x = &s->states.items[i];
    if (x->hidden) continue;
    e->units[e->count] = unit_si_text(o->arena, &x->unit, &x->dim, 0);
    e->names[e->count++] = x->name;
  }
  for (uint32_t i = 0; i < e->output_count; i++) e->output_names[i] = o->output_names[i];
  for (uint32_t i = 0; i < e->multiplier_count; i++) e->multiplier_names[i] = s->constraints.items[i].name;
  e->energy_unit = s->energy_dim.known ? dimension_text(o->arena, &s->energy_dim) : NULL;
  return !arena_failed(o->arena);
}

bool equilibria_point(Equilibria *e, EquilibriumPoint *p) {
  Arena *arena = e->o->arena;
  *p = (EquilibriumPoint){.potential = NAN, .residue = NAN, .growth = NAN, .frequency = NAN};
  p->values = arena_array(arena, (size_t)e->count + 1, sizeof(double));
  p->outputs = arena_array(arena, (size_t)e->output_count + 1, sizeof(double));
  p->multipliers = arena_array(arena, (size_t)e->multiplier_count + 1, sizeof(double));
  p->y = arena_array(arena, (size_t)e->o->dim + 1, sizeof(double));
  return !arena_failed(arena);
}

// Everything that is computed from y.
bool equilibria_values(Equilibria *e, EquilibriumPoint *p) {
  Operating *o = e->o;
  System *s = &o->s;
  uint32_t k = 0, total = e->count + e->output_count + e->multiplier_count + 1;
  ExprId *list = arena_array(o->arena, total, sizeof *list);
  OperatingTape t;
  if (!list) return false;
  for (uint32_t i = 0; i < o->n; i++) list[k++] = expr_sym(s->pool, s->coords.items[i].q);
  for (uint32_t i = 0; i < o->model_states; i++) {
    if (!s->states.items[i].hidden) list[k++] = expr_sym(s->pool, s->states.items[i].x);
  }
  for (uint32_t i = 0; i < e->output_count; i++) list[k++] = o->outputs[i];
  for (uint32_t i = 0; i < e->multiplier_count; i++) list[k++] = expr_sym(s->pool, s->constraints.items[i].symbol);
  bool energy = s->energy.kept && s->energy.potential;
  if (energy) list[k++] = s->energy.potential;
  if (!operating_tape(o, list, k, false, &t)) return false;
  double *rates = arena_array(o->arena, (size_t)o->dim + 1, sizeof *rates);
  if (!rates || !operating_rates(o, p->y, rates, NULL)) return false; // settles implicit equations and branches
  operating_eval(o, &t, p->y);
  k = 0;
  for (uint32_t i = 0; i < e->count; i++) p->values[i] = tape_result(t.tape, t.w, k++);
  for (uint32_t i = 0; i < e->output_count; i++) p->outputs[i] = tape_result(t.tape, t.w, k++);
  for (uint32_t i = 0; i < e->multiplier_count; i++) p->multipliers[i] = tape_result(t.tape, t.w, k++);
  p->potential = energy ? tape_result(t.tape, t.w, k) : NAN;
  p->residue = 0;
  for (uint32_t i = 0; i < o->states; i++) {
    uint32_t at = o->component[i];
    if (!(p->steady && operating_is_position(o, at))) p->residue = fmax(p->residue, fabs(rates[at]));
  }
  return true;
}

// What the descent knows better than the equations of motion: massless coordinates, forces of constraints.
static void take_descent(Equilibria *e, EquilibriumPoint *p) {
  const Downhill *d = &e->resting.descent;
  memcpy(p->values, d->u, d->form->n * sizeof *d->u);
  memcpy(p->multipliers, d->lambda, d->form->m * sizeof *d->lambda);
  if (isfinite(d->potential)) p->potential = d->potential;
  p->residue = d->residue;
  p->gap = d->gap;
  p->stiffness = e->resting.stiffness;
  p->verdict = p->stiffness.verdict;
  p->by = by_potential;
}

// ---- by eigenvalues

// Zero eigenvalues of what friction holds, and of cyclic coordinates, do not count as growth.
static RestVerdict marginal_verdict(const Linearization *l, bool steady) {
  uint32_t held = 0, cyclic = 0;
  for (uint32_t i = 0; i < l->n; i++) {
    held += l->held[i];
    cyclic += l->cyclic[i] && !l->held[i];
  }
  if (l->modes.planes.axis) return rest_marginal;
  if (l->modes.planes.zero > held + cyclic) return rest_singular;
  return cyclic && !steady ? rest_mechanism : rest_stable;
}

static RestVerdict verdict_of(const Linearization *l, bool steady) {
  switch (l->modes.stability) {
  case stability_stable: return rest_stable;
  case stability_unstable: return rest_unstable;
  case stability_marginal: return marginal_verdict(l, steady);
  case stability_unknown: break;
  }
  return rest_no_verdict;
}

// Why no linear model of rates describes the system. NULL: one does.
static const char *not_judged(const Operating *o) {
  if (samples_any(o))
    return "a sampled system is judged from one sample to the next, which no linear model of rates does: its stability "
           "is not decided, `viva run` shows it";
  if (o->s.delays.count)
    return "where signals are delayed it depends on the delay whether what moves beside it comes back: its stability "
           "is not decided, `viva run` shows it";
  return NULL;
}

RestingStatus equilibria_judge(Equilibria *e, EquilibriumPoint *p, RestingTrouble *trouble) {
  Operating *o = e->o;
  Linearization l;
  const char *undecided = not_judged(o);
  if (undecided) {
    equilibria_note(e, undecided);
    return resting_found;
  }
  LinearizeSettings settings = {.at = at_point, .numbers = true, .interrupted = o->interrupted, .self = o->self};
  uint32_t *component = arena_array(o->arena, (size_t)o->dim + 1, sizeof *component), states = o->states;
  if (!component) return resting_no_memory;
  memcpy(component, o->component, o->dim * sizeof *component);
  memcpy(o->y, p->y, o->dim * sizeof *p->y);
  for (uint32_t i = 0; i < states; i++) o->point[component[i]] = expr_sym(o->s.pool, o->symbols[component[i]]);
  LinearizeStatus status = linearize(o, &settings, &l, &trouble->message, &trouble->place);
  memcpy(o->component, component, o->dim * sizeof *component);
  o->states = states;
  if (status == linearize_no_memory) return resting_no_memory;
  if (status == linearize_interrupted) return resting_interrupted;
  if (status != linearize_done) {
    equilibria_note(e, arena_printf(o->arena, "its stability is not decided: %s", trouble->message));
    *trouble = (RestingTrouble){0};
    return resting_found;
  }
  for (uint32_t i = 0; i < l.kinks.count; i++) {
    const Kink *k = &l.kinks.items[i];
    if (!k->rates) continue;
    equilibria_note(e,
                    arena_printf(o->arena,
                                 "its stability is not decided: `%s`, in %s, has a corner or jumps at this place, and "
                                 "a linear model is about one side of it",
                                 k->text, k->label));
    return resting_found;
  }
  p->verdict = verdict_of(&l, p->steady);
  for (uint32_t i = 0; i < l.n; i++) p->sticks = p->sticks || l.held[i];
  p->by = by_eigenvalues;
  if (l.modes.re && l.n) p->growth = l.modes.re[0];
  if (l.modes.im && l.n) p->frequency = l.modes.im[0];
  return resting_found;
}

// ---- remarks

static void say_friction(Equilibria *e) {
  const Operating *o = e->o;
  for (uint32_t k = 0; k < o->events.elements.count; k++) {
    const PointElement *x = &o->events.elements.items[k];
    bool friction = strcmp(o->events.h->plan->modes[x->mode].word, "friction") == 0;
    if (friction && events_state(o, x) == element_sticks)
      equilibria_note(
          e, arena_printf(o->arena,
                          "%s sticks, so this is one of a range of equilibria: it rests wherever less than %.6g has "
                          "to be held",
                          events_word(o, x), x->limit));
  }
}

static void say_memories(Equilibria *e) {
  const Operating *o = e->o;
  Text t = text_in(o->arena);
  for (uint32_t i = 0; i < o->events.memories; i++) {
    const SystemMemory *m = &o->s.memories.items[i];
    bool again = i && m[-1].span.start == m->span.start && m[-1].span.source == m->span.source;
    if (!again) text_printf(&t, "%s%s", t.length ? ", " : "", resting_named(o, m->block, m->span));
  }
  if (t.length) equilibria_note(e, arena_printf(o->arena, "what blocks remember is held: %s", text_str(&t)));
  if (o->s.delays.count)
    equilibria_note(e, "delayed signals are what they were: where all rests a delay changes nothing");
  for (uint32_t at = 0; at < o->dim; at++) {
    if (operating_kept(o, at))
      equilibria_note(e,
                      arena_printf(o->arena, "%s changes at events only: it is held at %.6g", o->names[at], o->y[at]));
  }
}

static void say_samples(Equilibria *e) {
  const Operating *o = e->o;
  for (uint32_t i = 0; i < o->samples.count; i++) {
    const RestSample *s = &o->samples.items[i];
    const char *every = resting_named(o, "every", s->when->span), *name = samples_name(o, s);
    if (s->solved) equilibria_note(e, arena_printf(o->arena, "%s is where %s leaves it", name, every));
    if (s->counts)
      equilibria_note(e, arena_printf(o->arena, "%s goes on at each %s, and nothing depends on it", name, every));
  }
}

void equilibria_say_held(Equilibria *e) {
  say_memories(e);
  say_samples(e);
  say_friction(e);
}

static void say_cyclic(Equilibria *e, const EquilibriumPoint *p) {
  Operating *o = e->o;
  Text still = text_in(o->arena), moving = text_in(o->arena);
  const Equilibrium *n = &e->resting.newton;
  double *rates = arena_array(o->arena, (size_t)o->dim + 1, sizeof *rates);
  if (!rates || !n->free_state || !operating_rates(o, p->y, rates, NULL)) return;
  for (uint32_t at = 0; at < o->dim; at++) {
    if (n->moving[at]) text_printf(&moving, "%s%s' = %.6g", moving.length ? ", " : "", o->names[at], rates[at]);
    else if (n->free_state[at]) text_printf(&still, "%s%s", still.length ? ", " : "", o->names[at]);
  }
  if (moving.length)
    equilibria_note(e, arena_printf(o->arena,
                                    "there is no rest; this is a steady motion, %s, on whose place nothing depends",
                                    text_str(&moving)));
  if (still.length)
    equilibria_note(e,
                    arena_printf(o->arena, "nothing depends on %s: where the search began is kept", text_str(&still)));
}

static bool holds_time(const Equilibria *e) {
  const Operating *o = e->o;
  ExprPool *pool = o->s.pool;
  for (uint32_t i = 0; i < o->n; i++) {
    if (expr_has_kind(pool, o->s.h[i], sym_time)) return true;
  }
  for (uint32_t i = 0; i < o->model_states; i++) {
    if (o->s.f[i] && expr_has_kind(pool, o->s.f[i], sym_time)) return true;
  }
  for (uint32_t i = 0; i < o->s.constraints.count; i++) {
    if (expr_has_kind(pool, o->s.constraints.items[i].value, sym_time)) return true;
  }
  for (uint32_t i = 0; i < o->s.inputs.count; i++) {
    if (expr_has_kind(pool, o->s.inputs.items[i].value, sym_time)) return true;
  }
  return false;
}

static void say_all(Equilibria *e, const EquilibriumPoint *p) {
  Operating *o = e->o;
  const Resting *r = &e->resting;
  if (r->by_potential && r->descent.escaped)
    equilibria_note(e, "on the way was an equilibrium that is no minimum: from there it went on downhill");
  if (r->by_potential && r->stiffness.rank < r->form.m)
    equilibria_note(e, arena_printf(o->arena,
                                    "%u of the constraints depend on the others here: their forces are not unique, and "
                                    "those of least norm are shown",
                                    r->form.m - r->stiffness.rank));
  equilibria_say_held(e);
  if (!r->by_potential) say_cyclic(e, p);
  if (holds_time(e))
    equilibria_note(
        e, arena_printf(o->arena, "the model depends on the time: this is as it is at t = %.6g, held there", o->t));
}

RestingStatus equilibria_find(Operating *o, const RestingRequest *request, Equilibria *e, RestingTrouble *trouble) {
  EquilibriumPoint p;
  if (!equilibria_begin(o, e) || !equilibria_point(e, &p)) return resting_no_memory;
  Resting *r = &e->resting;
  RestingStatus status = resting_find(o, request, r, trouble);
  if (status != resting_found) return status;
  p.iterations = r->iterations;
  p.steady = !r->by_potential && r->newton.status == equilibrium_steady;
  memcpy(p.y, r->y, o->dim * sizeof *p.y);
  if (!equilibria_values(e, &p)) return resting_no_memory;
  if (r->by_potential) take_descent(e, &p);
  say_all(e, &p);
  if (!r->by_potential) status = equilibria_judge(e, &p, trouble);
  if (status != resting_found) return status;
  return vec_push(o->arena, &e->points, p) && !arena_failed(o->arena) ? resting_found : resting_no_memory;
}

void equilibria_close(Equilibria *e) { resting_close(&e->resting); }
