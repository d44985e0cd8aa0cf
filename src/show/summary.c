// What a run did, in a few lines (or JSON): method, work, events, energy balance, what is uncertain.
//
// in    a RunResult (sim/run.h)
// out   one line for each subject, "  word         value", none where there is nothing to say
//
// Events are counted by the line that they belong to: the first six lines by name, the rest together. The condition of
// a `when` is inside it and is not counted twice.
#include "show/summary.h"

#include "show/json.h"

#include <math.h>
#include <string.h>

static void put_short(Text *out, double x) { text_printf(out, "%.6g", x); }

// The condition of a `when` is not reported beside the `when` itself.
static bool inside_when(const RunResult *r, const RunEvent *e) {
  for (uint32_t i = 0; i < r->events.count; i++) {
    const RunEvent *w = &r->events.items[i];
    if (w != e && w->kind == event_of_when && w->span.source == e->span.source && e->span.start > w->span.start &&
        e->span.end <= w->span.end)
      return true;
  }
  return false;
}

// What is not known to have been seen.
static void put_unsure(const RunResult *r, Text *out) {
  char at[number_text_size];
  if (!r->events.unsure_count) return;
  number_print(r->events.unsure.t, at);
  text_printf(out, "  not certain  `%s`", r->events.unsure.word);
  if (r->events.unsure.line) text_printf(out, " (line %u)", r->events.unsure.line);
  text_printf(out, r->events.undefined ? " has no value after t = %s" : " may have switched unseen after t = %s", at);
  if (r->events.unsure_count > 1)
    text_printf(out, ", and in %u step%s more", r->events.unsure_count - 1, r->events.unsure_count == 2 ? "" : "s");
  text_put(out, r->events.undefined ? ": whether it holds is not known\n"
                                    : ": what it is made of cannot be bounded closely enough\n");
}

// Names that two statements of one pass set.
static void put_overwrites(const RunResult *r, Text *out) {
  enum { most = 4 };
  char at[number_text_size];
  uint32_t count = r->events.overwrite_count;
  for (uint32_t i = 0; i < count && i < most; i++) {
    const RunOverwrite *o = &r->events.overwrites[i];
    number_print(o->later.t, at);
    text_printf(out, "  set twice    `%s` at t = %s, by `%s` (line %u) and `%s` (line %u)", o->name, at,
                o->earlier.word, o->earlier.line, o->later.word, o->later.line);
    if (o->count > 1) text_printf(out, ", and %u time%s more", o->count - 1, o->count == 2 ? "" : "s");
    text_put(out, ": the later one counts\n");
  }
  if (count > most) text_printf(out, "  set twice    by %u pairs of statements more\n", count - most);
}

// How often each block or line switched.
static void put_events(const RunResult *r, Text *out) {
  enum { most = 6 }; // lines of the model that are reported by name
  const RunEvent *kind[most];
  uint32_t count[most] = {0}, kinds = 0, others = 0;
  Span hidden = {0}; // the last one that is not reported
  for (uint32_t i = 0; i < r->events.count; i++) {
    const RunEvent *e = &r->events.items[i];
    uint32_t k = 0;
    while (k < kinds && (kind[k]->span.start != e->span.start || kind[k]->span.source != e->span.source)) k++;
    if (k == kinds && ((hidden.source == e->span.source && hidden.start == e->span.start) || inside_when(r, e))) {
      hidden = e->span;
      continue;
    }
    if (k == kinds && kinds < most) kind[kinds++] = e;
    if (k < kinds) count[k]++;
    else others++;
  }
  uint64_t total = others; // what is listed behind it: moments at which several switch count for each
  for (uint32_t k = 0; k < kinds; k++) total += count[k];
  text_printf(out, "  events       %s%llu", r->events.cut ? "more than " : "", (unsigned long long)total);
  unsigned long long stops = r->ode.events;
  if (!total && stops) text_printf(out, "; %llu stop%s at samples or jumps in time", stops, stops == 1 ? "" : "s");
  for (uint32_t k = 0; k < kinds; k++) {
    text_printf(out, "%s%s", k ? ", " : ": ", kind[k]->word);
    if (kind[k]->line) text_printf(out, " (line %u)", kind[k]->line);
    text_printf(out, " %u", count[k]);
  }
  if (others) text_printf(out, ", others %u", others);
  text_putc(out, '\n');
  put_overwrites(r, out);
  if (!r->events.graze_count) return;
  char at[number_text_size];
  number_print(r->events.graze.t, at);
  text_printf(out, "  grazing      `%s`", r->events.graze.word);
  if (r->events.graze.line) text_printf(out, " (line %u)", r->events.graze.line);
  text_printf(out, " hardly touched its limit at t = %s", at);
  if (r->events.graze_count > 1)
    text_printf(out, ", and %u time%s more", r->events.graze_count - 1, r->events.graze_count == 2 ? "" : "s");
  text_put(out, ": whether it is reached is not known from here\n");
}

// The singular configurations that the run passed: as many as fit into a line.
static void put_singular(const RunConstraints *c, Text *out) {
  enum { shown = 4 };
  if (!c->singular) return;
  text_printf(out, "  singular     passed %u position%s, at t = ", c->singular, c->singular == 1 ? "" : "s");
  for (uint32_t i = 0; i < c->singular && i < shown; i++)
    text_printf(out, "%s%.10g (rank %u of %u)", i ? ", " : "", c->places[i].t, c->places[i].rank, c->count);
  text_put(out, c->singular > shown ? ", ...\n" : "\n");
}

static void put_rank(const RunConstraints *c, Text *out) {
  text_printf(out, "  constraints  rank %u of %u: ", c->rank, c->count);
  if (c->idle)
    text_printf(out, "%s bind%s nothing at the start, where %s derivatives vanish; ", c->idle_reported,
                c->one_idle ? "s" : "", c->one_idle ? "its" : "their");
  if (c->dependent)
    text_printf(out, "%s depend on each other, their multipliers are not unique and of least norm; ",
                c->dependent_reported);
}

static void put_constraints(const RunConstraints *c, Text *out) {
  if (!c->count) return;
  if (c->rank < c->count) put_rank(c, out);
  else text_printf(out, "  constraints  %u, ", c->count);
  text_printf(out, "residues %.2g of places, %.2g of velocities\n", c->position, c->velocity);
  put_singular(c, out);
  if (c->impulses)
    text_printf(out, "  impulses     %u, the largest %.4g of `%s` at t = %.6g\n", c->impulses, c->impulse,
                c->impulse_name, c->impulse_t);
  if (c->moved > 0) text_printf(out, "  start        moved by %.2g so that the constraints hold\n", c->moved);
  if (c->moved_velocity > 0)
    text_printf(out, "  start        velocities moved by %.2g so that the constraints hold\n", c->moved_velocity);
}

static void put_vanished(const RunResult *r, Text *out) {
  text_printf(out, "  momenta      the inertia of `%s` vanishes at t = ", r->inertialess);
  put_short(out, r->vanished.first);
  if (r->vanished.count > 1) text_printf(out, " and %u times more", r->vanished.count - 1);
  text_put(out, ": its velocity is no smooth function of its momentum there, and a step across loses its order; "
                "half the step shows the error\n");
}

static void put_half_step(const RunHalfStep *h, Text *out) {
  text_printf(out, "  half step    largest difference %.2g", h->difference);
  if (h->name) {
    text_printf(out, " (%s at t = ", h->name);
    put_short(out, h->time);
    text_printf(out, "), %.2g of its largest value", h->relative);
  }
  text_putc(out, '\n');
}

static void put_manifold(const RunManifold *m, Text *out) {
  if (!m->count) return;
  text_printf(out, "  manifold     %u equation%s bind%s the states, residue %.2g\n", m->count, m->count == 1 ? "" : "s",
              m->count == 1 ? "s" : "", m->residue);
  if (m->moved > 0) text_printf(out, "  start        moved by %.2g so that the equations hold\n", m->moved);
}

static void put_measures(const RunMeasures *m, Text *out) {
  for (uint32_t i = 0; m->set && i < m->set->items.count; i++) {
    const Measure *item = &m->set->items.items[i];
    text_printf(out, "  %s%s = ", i ? "             " : "measures     ", item->text);
    if (isnan(m->values[i])) text_put(out, "no value");
    else if (item->condition) text_put(out, m->values[i] != 0 ? "true" : "false");
    else text_number(out, m->values[i]);
    text_putc(out, '\n');
  }
  if (!m->undefined) return;
  text_printf(out, "               `%s` has no value at t = ", m->undefined);
  put_short(out, m->undefined_t);
  text_putc(out, '\n');
}

static void put_time(const RunResult *r, Text *out) {
  text_put(out, "\n  time         ");
  text_number(out, r->settled.from);
  text_put(out, " .. ");
  text_number(out, r->ode.t);
  text_put(out, ", rows every ");
  text_number(out, r->settled.every);
  text_printf(out, " (%llu)\n", (unsigned long long)r->rows);
}

void show_run_text(const RunResult *r, const char *title, Text *out) {
  if (title) text_printf(out, "%s\n", title);
  text_printf(out, "  method       %s", r->settled.method);
  if (r->settled.fixed) {
    text_put(out, ", step ");
    text_number(out, r->settled.step);
  } else {
    text_put(out, ", rtol ");
    put_short(out, r->settled.rtol);
    text_put(out, ", atol ");
    put_short(out, r->settled.atol);
  }
  if (r->settled.reason) text_printf(out, " (%s)", r->settled.reason);
  put_time(r, out);
  text_printf(out, "  work         %llu steps", (unsigned long long)r->ode.steps);
  if (!r->settled.fixed) text_printf(out, " (%llu rejected)", (unsigned long long)r->ode.rejected);
  text_printf(out, ", %llu evaluations, %.3g s\n", (unsigned long long)r->ode.evaluations, r->wall);
  if (r->events.looked_for) put_events(r, out);
  put_unsure(r, out);
  if (r->backend != backend_interp || r->backend_note) {
    text_printf(out, "  code         %s",
                r->backend == backend_interp ? "interpreted"
                : r->backend == backend_tcc  ? "native, by tcc"
                                             : "native, by cc");
    text_printf(out, r->backend_note ? " (%s)\n" : "\n", r->backend_note);
  }
  put_constraints(&r->constraints, out);
  put_manifold(&r->manifold, out);
  if (r->ode.balanced > 0)
    text_printf(out, "  balance      kept by moving the ends of steps, velocities by at most %.2g of themselves\n",
                r->ode.balanced);
  if (r->account.kept && !isfinite(r->account.residue)) {
    text_put(out, "  energy       not a number at the start\n");
  } else if (r->account.kept) {
    text_put(out, "  energy       stored ");
    put_short(out, r->account.initial);
    text_put(out, " -> ");
    put_short(out, r->account.stored);
    text_put(out, ", dissipated ");
    put_short(out, r->account.dissipated);
    text_put(out, ", supplied ");
    put_short(out, r->account.supplied);
    text_printf(out, "\n  residue      %.2g (%.2g of the energy moved%s)\n", r->account.residue, r->account.relative,
                r->account.large ? ", which is a lot" : "");
  } else {
    text_put(out, "  energy       none: the model has no energies\n");
  }
  put_measures(&r->measures, out);
  if (r->roundoff_name)
    text_printf(out,
                "  rounding     `%s` is less exact than the tolerance: rounding moves it %.2g times as far in a step\n",
                r->roundoff_name, r->ode.roundoff_over_tol);
  if (r->conserved.sum)
    text_printf(out, "  rounding     %s should be constant and has drifted by %.2g, beside `%s` = %.2g at the end\n",
                r->conserved.sum, r->conserved.drift, r->conserved.name, r->conserved.value);
  if (r->inertialess) put_vanished(r, out);
  if (r->half.done) put_half_step(&r->half, out);
}

// ---- JSON

static void json_measures(const RunMeasures *m, Json *j) {
  if (!m->set) return;
  json_open(j, "measures", '{');
  for (uint32_t i = 0; i < m->set->items.count; i++) {
    const Measure *item = &m->set->items.items[i];
    if (item->condition && !isnan(m->values[i])) json_bool(j, item->text, m->values[i] != 0);
    else json_number(j, item->text, m->values[i]);
  }
  json_close(j, '}');
}

// How it was integrated, and what that took.
static void json_method(const RunResult *r, Json *j) {
  json_string(j, "method", r->settled.method);
  json_string(j, "reason", r->settled.reason);
  json_number(j, "t", r->ode.t);
  if (r->settled.from != 0) json_number(j, "from", r->settled.from);
  json_number(j, "to", r->settled.to);
  if (r->settled.fixed) json_number(j, "step", r->settled.step);
  json_number(j, "every", r->settled.every);
  if (!r->settled.fixed) {
    json_number(j, "rtol", r->settled.rtol);
    json_number(j, "atol", r->settled.atol);
    json_bool(j, "atol_by_scale", r->settled.by_scale);
  }
  json_count(j, "rows", r->rows);
  json_count(j, "steps", r->ode.steps);
  json_count(j, "rejected", r->ode.rejected);
  json_count(j, "evaluations", r->ode.evaluations);
  json_number(j, "seconds", r->wall);
  json_string(j, "backend", backend_name(r->backend));
  json_string(j, "backend_note", r->backend_note);
}

static void json_unsure(const RunResult *r, Json *j) {
  if (!r->events.unsure_count) return;
  json_open(j, "not_certain", '{');
  json_number(j, "t", r->events.unsure.t);
  json_string(j, "what", r->events.unsure.word);
  json_count(j, "line", r->events.unsure.line);
  json_count(j, "count", r->events.unsure_count);
  json_bool(j, "undefined", r->events.undefined);
  json_close(j, '}');
}

static void json_statement(const RunEvent *e, Json *j) {
  json_open(j, NULL, '{');
  json_string(j, "what", e->word);
  json_count(j, "line", e->line);
  json_close(j, '}');
}

static void json_overwrites(const RunResult *r, Json *j) {
  if (!r->events.overwrite_count) return;
  json_open(j, "set_twice", '[');
  for (uint32_t i = 0; i < r->events.overwrite_count; i++) {
    const RunOverwrite *o = &r->events.overwrites[i];
    json_open(j, NULL, '{');
    json_string(j, "name", o->name);
    json_number(j, "t", o->later.t);
    json_open(j, "by", '[');
    json_statement(&o->earlier, j);
    json_statement(&o->later, j);
    json_close(j, ']');
    json_count(j, "count", o->count);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_events(const RunResult *r, Json *j) {
  if (!r->events.looked_for) return;
  json_overwrites(r, j);
  if (r->events.graze_count) {
    json_open(j, "grazing", '{');
    json_number(j, "t", r->events.graze.t);
    json_string(j, "what", r->events.graze.word);
    json_count(j, "line", r->events.graze.line);
    json_count(j, "count", r->events.graze_count);
    json_close(j, '}');
  }
  json_open(j, "events", '[');
  for (uint32_t i = 0; i < r->events.count; i++) {
    json_open(j, NULL, '{');
    json_number(j, "t", r->events.items[i].t);
    json_string(j, "what", r->events.items[i].word);
    json_count(j, "line", r->events.items[i].line);
    json_number(j, "value", r->events.items[i].value);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_energy(const RunResult *r, Json *j) {
  if (!r->account.kept) {
    json_null(j, "energy");
    return;
  }
  json_open(j, "energy", '{');
  json_number(j, "residue", r->account.residue);
  json_number(j, "relative", r->account.relative);
  json_bool(j, "large", r->account.large);
  json_number(j, "final_residue", r->account.final_residue);
  json_number(j, "initial", r->account.initial);
  json_number(j, "stored", r->account.stored);
  json_number(j, "dissipated", r->account.dissipated);
  json_number(j, "supplied", r->account.supplied);
  if (r->ode.balanced > 0) json_number(j, "balanced", r->ode.balanced);
  json_close(j, '}');
}

// Positions of lower rank that were passed.
static void json_singular(const RunConstraints *c, Json *j) {
  if (!c->singular) return;
  json_open(j, "singular", '[');
  for (uint32_t i = 0; i < c->singular && i < singular_places; i++) {
    json_open(j, NULL, '{');
    json_number(j, "t", c->places[i].t);
    json_count(j, "rank", c->places[i].rank);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_constraints(const RunConstraints *c, Json *j) {
  if (!c->count) return;
  json_open(j, "constraints", '{');
  json_number(j, "position", c->position);
  json_number(j, "velocity", c->velocity);
  json_count(j, "rank", c->rank);
  json_count(j, "count", c->count);
  json_string(j, "not_unique", c->dependent);
  if (c->idle) json_string(j, "binds_nothing", c->idle);
  json_number(j, "moved", c->moved);
  json_count(j, "impulses", c->impulses);
  if (c->impulses) json_number(j, "impulse", c->impulse);
  json_number(j, "moved_velocity", c->moved_velocity);
  json_singular(c, j);
  json_close(j, '}');
}

static void json_manifold(const RunManifold *m, Json *j) {
  if (!m->count) return;
  json_open(j, "manifold", '{');
  json_count(j, "count", m->count);
  json_number(j, "residue", m->residue);
  json_number(j, "moved", m->moved);
  json_close(j, '}');
}

static void json_half_step(const RunResult *r, Json *j) {
  if (!r->half.done) return;
  json_open(j, "half_step", '{');
  json_number(j, "difference", r->half.difference);
  json_number(j, "relative", r->half.relative);
  json_string(j, "name", r->half.name);
  json_number(j, "t", r->half.time);
  json_close(j, '}');
}

void show_run_json(const RunResult *r, const char *title, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "title", title);
  json_string(j, "status", r->status == run_done ? "done" : r->status == run_interrupted ? "interrupted" : "failed");
  json_string(j, "message", r->message);
  if (r->warning_count) json_strings(j, "warnings", r->warnings, r->warning_count);
  json_method(r, j);
  json_unsure(r, j);
  json_events(r, j);
  json_energy(r, j);
  if (r->inertialess) {
    json_open(j, "inertia_vanishes", '{');
    json_string(j, "name", r->inertialess);
    json_number(j, "t", r->vanished.first);
    json_count(j, "count", r->vanished.count);
    json_close(j, '}');
  }
  if (r->conserved.sum) {
    json_open(j, "drift", '{');
    json_string(j, "sum", r->conserved.sum);
    json_number(j, "drift", r->conserved.drift);
    json_string(j, "name", r->conserved.name);
    json_number(j, "value", r->conserved.value);
    json_close(j, '}');
  }
  json_constraints(&r->constraints, j);
  json_manifold(&r->manifold, j);
  json_half_step(r, j);
  json_measures(&r->measures, j);
  json_open(j, "final", '{');
  for (uint32_t i = 0; i < r->final.count; i++) json_number(j, r->final.names[i], r->final.values[i]);
  json_close(j, '}');
  json_close(j, '}');
  text_putc(out, '\n');
}
