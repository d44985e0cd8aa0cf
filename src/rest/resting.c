// Static equilibrium near a start: the stages of the search.
//
// in    an operating point: where to start
// out   a configuration at which nothing moves; whether it is a minimum of the potential or found by Newton's method
#include "rest/resting.h"

#include "rest/consistent.h"
#include "solve/module.h"

#include <math.h>
#include <string.h>

enum { most_rounds = 12 }; // of the search for a rest whose memories and held jumps are those of the equilibrium itself

static const char no_module[] = "the search for an equilibrium needs libviva-solvers.so beside the library, and LAPACK";

const char *resting_named(const Operating *o, const char *word, Span span) {
  const uint32_t line = source_line(o->s.sources, span);
  return arena_printf(o->arena, line ? "`%s` (line %u)" : "`%s`", word, line);
}

static bool is_interrupted(const Operating *o) { return o->interrupted && o->interrupted(o->self); }

// ---- by Newton's method

RestingStatus resting_events(Operating *o, const double *y, EventsFor what, bool *changed, RestingTrouble *trouble) {
  if (!events_settle(o, y, what, changed)) return resting_no_memory;
  if (!o->events.failure) return resting_found;
  trouble->message = o->events.failure;
  trouble->place = o->events.failure_place;
  return resting_failed;
}

const char *resting_load(const Operating *o, const PointElement *e) {
  for (int digits = 6;; digits++) { // enough digits that the two differ
    const char *load = arena_printf(o->arena, "%.*g", digits, e->load);
    const char *limit = arena_printf(o->arena, "%.*g", digits, e->limit);
    if (!load || !limit) return "";
    if (digits < 17 && e->load != e->limit && strcmp(load, limit) == 0) continue;
    return arena_printf(o->arena, "would have to hold with %s, and holds with at most %s", load, limit);
  }
}

// What would slide at this configuration. True: something would.
static bool explain_loads(const Operating *o, RestingTrouble *trouble) {
  bool any = false;
  for (uint32_t k = 0; k < o->events.elements.count; k++) {
    const PointElement *e = &o->events.elements.items[k];
    if (!e->idle && events_state(o, e) != element_slides) continue;
    trouble->message = arena_printf(o->arena, "%s; %s %s", trouble->message, events_word(o, e), resting_load(o, e));
    any = true;
  }
  return any;
}

// Velocities of a rest are zero, not only nearly so.
static void stand_at(const Operating *o, double *y) {
  for (uint32_t at = 0; at < o->dim; at++) {
    if (operating_is_velocity(o, at) && operating_component(o, at)->derivative) y[at] = 0;
  }
}

// The branches of the search are not those of what it found, again and again.
static RestingStatus never_settles(const Operating *o, RestingTrouble *trouble) {
  const SystemMemory *m = o->events.memories ? &o->s.memories.items[0] : NULL;
  trouble->message = arena_printf(o->arena, "no equilibrium was found: %s switches where the motion would rest",
                                  m ? resting_named(o, m->block, m->span) : "a jump");
  trouble->place = m ? m->span : (Span){0};
  return resting_failed;
}

// One search on the branches as they are.
static RestingStatus newton_round(Operating *o, Equilibrium *e, RestingTrouble *trouble) {
  *e = equilibrium_find(o);
  if (is_interrupted(o)) return resting_interrupted;
  if (e->status == equilibrium_no_memory) return resting_no_memory;
  if (e->status == equilibrium_no_module && !module_has_room()) return resting_no_memory;
  if (e->status == equilibrium_no_module) {
    trouble->message = no_module;
    return resting_failed;
  }
  if (e->status == equilibrium_none) {
    trouble->message = e->message;
    trouble->place = e->place;
    explain_loads(o, trouble);
    return resting_failed;
  }
  if (e->status == equilibrium_rest) stand_at(o, e->y);
  return resting_found;
}

// An element that the search let slide has to stick at the equilibrium.
static RestingStatus ask_again(Operating *o, const Equilibrium *e, RestingTrouble *trouble) {
  bool changed;
  if (!events_ask_again(o)) return resting_found;
  RestingStatus status = resting_events(o, e->y, events_of_rest, &changed, trouble);
  if (status != resting_found || e->status != equilibrium_rest) return status;
  trouble->message = "no equilibrium was found: where all else rests something slides";
  if (explain_loads(o, trouble)) return resting_failed;
  trouble->message = NULL;
  return resting_found;
}

// Samples leave alone what rests.
static RestingStatus check_samples(Operating *o, const double *y, RestingTrouble *trouble) {
  const RestSample *bad;
  double to;
  if (!samples_check(o, y, &bad, &to)) return resting_no_memory;
  if (!bad) return resting_found;
  trouble->message = arena_printf(o->arena, "no equilibrium was found: where all else rests, %s sets %s to %.6g",
                                  resting_named(o, "every", bad->when->span), samples_name(o, bad), to);
  trouble->place = bad->when->span;
  return resting_failed;
}

RestingStatus resting_newton(Operating *o, Equilibrium *e, RestingTrouble *trouble) {
  bool changed = true;
  RestingStatus status = resting_events(o, o->y, events_of_search, &changed, trouble);
  changed = true;
  for (uint32_t round = 0; changed && status == resting_found; round++) {
    if (round == most_rounds) return never_settles(o, trouble);
    status = newton_round(o, e, trouble);
    // are the branches of the search those of what it found?
    if (status == resting_found) status = resting_events(o, e->y, events_of_search, &changed, trouble);
  }
  if (status == resting_found) status = ask_again(o, e, trouble);
  return status == resting_found ? check_samples(o, e->y, trouble) : status;
}

// ---- downhill

// The power that drives it, where there is one.
static RestingStatus circles_trouble(Resting *r, RestingTrouble *trouble) {
  const Downhill *d = &r->descent;
  const StaticForm *f = &r->form;
  Operating *o = f->o;
  double most = 0;
  Text t = text_in(o->arena);
  for (uint32_t i = 0; i < f->n; i++) most = fmax(most, d->direction[i]);
  for (uint32_t i = 0; i < f->n; i++) {
    if (d->direction[i] > 1e-3 * most) text_printf(&t, "%s%s", t.length ? ", " : "", f->names[i]);
  }
  for (uint32_t i = 0; i < o->s.energies.count && !trouble->place.source; i++) {
    if (o->s.energies.items[i].kind == energy_power) trouble->place = o->s.energies.items[i].span;
  }
  trouble->message = arena_printf(o->arena,
                                  "there is no equilibrium: the potential falls without bound, it is lower each time "
                                  "that %s go round: forces drive "
                                  "it on and on",
                                  text_str(&t));
  trouble->hint = "`viva run` shows the motion";
  return resting_failed;
}

static RestingStatus descent_trouble(Resting *r, RestingTrouble *trouble) {
  const Downhill *d = &r->descent;
  const StaticForm *f = &r->form;
  Operating *o = f->o;
  Text t = text_in(o->arena);
  switch (d->status) {
  case descent_found: return resting_found;
  case descent_interrupted: return resting_interrupted;
  case descent_no_memory: return resting_no_memory;
  case descent_no_module:
    if (!module_has_room()) return resting_no_memory;
    trouble->message = no_module;
    return resting_failed;
  case descent_infeasible:
    trouble->message =
        arena_printf(o->arena, "no place obeys the constraints: from this start the constraint `%s` stays off by %.4g",
                     o->s.constraints.items[d->worst].label, d->value[d->worst]);
    trouble->place = o->s.constraints.items[d->worst].span;
    trouble->hint = "`--at name=value,...` starts elsewhere";
    return resting_failed;
  case descent_unbounded:
    for (uint32_t i = 0; i < f->n; i++) {
      if (fabs(d->direction[i]) > 1e-6)
        text_printf(&t, "%s%s by %.4g", t.length ? ", " : "", f->names[i], d->direction[i]);
    }
    trouble->message = arena_printf(
        o->arena,
        d->fades ? "no equilibrium was found: the potential falls on and on and ever less, by %.4g in all, with steps "
                   "that move %s"
                 : "there is no equilibrium: the potential falls without bound, by %.4g for each step that moves %s",
        d->fades ? -d->fell : -d->slope, text_str(&t));
    return resting_failed;
  case descent_circles: return circles_trouble(r, trouble);
  case descent_pole:
    trouble->message =
        arena_printf(o->arena, "there is no equilibrium: the potential falls without bound while %s comes near %.4g",
                     f->names[d->worst], fabs(d->u[d->worst]) < 1e-12 ? 0 : d->u[d->worst]);
    trouble->hint = "`--at name=value,...` starts elsewhere";
    return resting_failed;
  case descent_fault:
    static_put(f, d->u, r->y);
    trouble->message = operating_fault(o, r->y, &trouble->place);
    trouble->message = arena_printf(o->arena, "no equilibrium was found: %s",
                                    trouble->message ? trouble->message : "a force or a slope is not finite here");
    return resting_failed;
  case descent_stuck: break;
  }
  trouble->message =
      arena_printf(o->arena, "no equilibrium was found from this point: after %u steps the force on %s is still %.4g",
                   d->iterations, f->names[d->worst], -d->balance[d->worst]);
  trouble->hint = "`--at name=value,...` starts elsewhere";
  return resting_failed;
}

// Constraints move first what nobody said.
static RestingStatus assemble(Operating *o) {
  uint32_t worst;
  if (!consistent_needed(o)) return resting_found;
  return consistent_point(o, &worst) == consistent_no_memory ? resting_no_memory : resting_found;
}

static RestingStatus go_downhill(const RestingRequest *request, Resting *r, RestingTrouble *trouble) {
  Downhill *d = &r->descent;
  r->by_potential = true;
  if (!descent_open(d, &r->form)) return resting_no_memory;
  d->most = request ? request->most : 0;
  d->step = request ? request->step : NULL;
  d->self = request ? request->self : NULL;
  if (d->status != descent_no_module) {
    if (!static_start(&r->form, d->u)) return resting_no_memory;
    descent_run(d);
  }
  r->iterations = d->iterations;
  RestingStatus status = descent_trouble(r, trouble);
  if (status != resting_found) return status;
  static_put(&r->form, d->u, r->y);
  return resting_found;
}

// What is said when neither finds anything: Newton's method knows a steady motion.
static RestingStatus steady_instead(Operating *o, Resting *r, RestingTrouble *trouble) {
  RestingTrouble other = {0};
  bool any = false;
  Equilibrium e;
  RestingStatus status = resting_newton(o, &e, &other);
  if (status != resting_found) return status == resting_failed ? resting_failed : status;
  if (e.status == equilibrium_steady)
    for (uint32_t at = 0; at < o->dim; at++) any = any || e.moving[at];
  if (!any) return resting_failed;
  *trouble = (RestingTrouble){0};
  r->by_potential = false;
  r->newton = e;
  r->iterations = e.iterations;
  memcpy(r->y, e.y, o->dim * sizeof *r->y);
  return resting_found;
}

static RestingStatus judge(Resting *r) {
  StiffnessStatus status = stiffness_judge(&r->descent, &r->stiffness);
  return status == stiffness_no_memory ? resting_no_memory : resting_found;
}

static bool begin(Operating *o, Resting *r) {
  *r = (Resting){0};
  r->y = arena_array(o->arena, (size_t)o->dim + 1, sizeof *r->y);
  if (!r->y || !static_form(o, &r->form)) return false;
  memcpy(r->y, o->y, o->dim * sizeof *r->y);
  return true;
}

RestingStatus resting_find(Operating *o, const RestingRequest *request, Resting *r, RestingTrouble *trouble) {
  RestingStatus status;
  if (!begin(o, r)) return resting_no_memory;
  o->most = request ? request->most : 0;
  if ((status = assemble(o)) != resting_found) return status;
  if (!r->form.why && r->form.symmetric) {
    status = go_downhill(request, r, trouble);
    bool fell = r->descent.status == descent_unbounded || r->descent.status == descent_stuck ||
                r->descent.status == descent_circles || r->descent.status == descent_pole;
    if (status == resting_failed && fell) status = steady_instead(o, r, trouble);
    return status == resting_found && r->by_potential ? judge(r) : status;
  }
  o->with_motion = true;
  status = resting_newton(o, &r->newton, trouble);
  o->with_motion = false;
  if (status != resting_found) {
    if (!trouble->hint) trouble->hint = "`--at name=value,...` starts the search elsewhere";
    return status;
  }
  r->iterations = r->newton.iterations;
  memcpy(r->y, r->newton.y, o->dim * sizeof *r->y);
  return resting_found;
}

void resting_close(Resting *r) { descent_close(&r->descent); }

// A minimum instead of what Newton's method did not find.
static RestingStatus fall_back(Operating *o, Equilibrium *found, RestingTrouble *trouble) {
  Resting r;
  RestingTrouble other = {0};
  if (!begin(o, &r)) return resting_no_memory;
  if (r.form.why || !r.form.symmetric) return resting_failed;
  RestingStatus status = go_downhill(NULL, &r, &other);
  resting_close(&r);
  if (status != resting_found) return status;
  memcpy(found->y, r.y, o->dim * sizeof *r.y);
  found->iterations += r.iterations;
  found->status = equilibrium_rest;
  *trouble = (RestingTrouble){0};
  return resting_found;
}

RestingStatus resting_nearest(Operating *o, Equilibrium *found, RestingTrouble *trouble) {
  // from the constraint set the search goes less far; beside it, it goes there by itself
  RestingStatus status = assemble(o);
  if (status != resting_found) return status;
  status = resting_newton(o, found, trouble);
  if (status != resting_failed || found->status != equilibrium_none) return status;
  trouble->hint =
      "`--at equilibrium,name=value,...` starts the search elsewhere, `--at start` takes the start as it is";
  return fall_back(o, found, trouble);
}
