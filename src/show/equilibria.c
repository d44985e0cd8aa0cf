// Equilibria and their stability as text or JSON.
//
// in    equilibria with their verdicts (linear/equilibria.h)
// out   the verdict and what it stands on, values, forces of constraints, potential, lowest-stiffness directions,
//       remarks; of a search a list of them, and whether these are all
#include "show/equilibria.h"

#include "show/json.h"

#include <math.h>
#include <string.h>

static const double shown_part = 1e-4; // of the largest entry of a direction: less is not shown in text

// ---- text

static size_t widest(const char *const *names, uint32_t count) {
  size_t most = 0;
  for (uint32_t i = 0; i < count; i++) most = strlen(names[i]) > most ? strlen(names[i]) : most;
  return most;
}

// Numbers that are rounding beside the others of a list are 0 to the eye.
static double plain(double x) { return fabs(x) < 1e-12 ? 0 : x; }

static void text_values(Text *out, const char *const *names, const char *const *units, const double *values,
                        uint32_t count, size_t width) {
  for (uint32_t i = 0; i < count; i++) {
    text_printf(out, "  %s", names[i]);
    text_pad(out, ' ', width - strlen(names[i]));
    bool unit = units && units[i] && *units[i] && strcmp(units[i], "1") != 0;
    text_printf(out, " = %.9g%s%s\n", plain(values[i]), unit ? " " : "", unit ? units[i] : "");
  }
}

static const char *meaning(const EquilibriumPoint *p) {
  if (p->by == by_eigenvalues) {
    switch (p->verdict) {
    case rest_stable:
      if (p->sticks) return "friction holds it: what is moved a little stays there, and nothing goes away";
      return "what moves beside it comes back: no eigenvalue of the linear model lies on the imaginary axis or right "
             "of it";
    case rest_unstable: return "an eigenvalue of the linear model lies right of the imaginary axis";
    case rest_singular: return "the linear model has an eigenvalue 0, and does not decide";
    case rest_mechanism: return "nothing depends on a coordinate, and the rest comes back";
    case rest_marginal: return "eigenvalues of the linear model lie on the imaginary axis, none to the right";
    default: return "nothing decides";
    }
  }
  if (p->by == by_nothing) return "see the note";
  switch (p->verdict) {
  case rest_stable: return "a minimum of the potential, by its second derivative along what may move";
  case rest_unstable: return "no minimum of the potential: it falls along a direction";
  case rest_singular: return "a direction has no stiffness, and terms of higher order decide";
  case rest_mechanism: return "it can be moved without any force, and balances there as well";
  default: return "nothing decides";
  }
}

static void text_direction(const Equilibria *e, const SoftDirection *s, Text *out) {
  bool first = true;
  for (uint32_t i = 0; i < e->resting.form.n; i++) {
    if (fabs(s->direction[i]) < shown_part) continue;
    text_printf(out, "%s%s %.4g", first ? "" : ", ", e->resting.form.names[i], s->direction[i]);
    first = false;
  }
}

static void text_soft(const Equilibria *e, const EquilibriumPoint *p, Text *out) {
  for (uint32_t i = 0; p->by == by_potential && i < p->stiffness.soft.count; i++) {
    const SoftDirection *s = &p->stiffness.soft.items[i];
    const char *head = s->stiffness > 0   ? "softest"
                       : s->stiffness < 0 ? "falls along"
                       : s->free          ? "moves along"
                                          : "no stiffness along";
    text_printf(out, "  %s: ", head);
    text_direction(e, s, out);
    if (s->stiffness != 0) text_printf(out, " (stiffness %.6g)", s->stiffness);
    else if (!s->free)
      text_put(out, s->rises > 0   ? "; the potential rises on both sides"
                    : s->rises < 0 ? "; the potential falls on both sides"
                                   : "");
    text_put(out, "\n");
  }
}

static void text_point(const Equilibria *e, const EquilibriumPoint *p, Text *out) {
  size_t width = widest(e->names, e->count), more = widest(e->multiplier_names, e->multiplier_count),
         third = widest(e->output_names, e->output_count);
  width = more > width ? more : width;
  width = third > width ? third : width;
  text_values(out, e->names, e->units, p->values, e->count, width);
  if (e->multiplier_count) {
    text_put(out, "\nForces of constraints\n");
    text_values(out, e->multiplier_names, NULL, p->multipliers, e->multiplier_count, width);
  }
  if (e->output_count) {
    text_put(out, "\nOutputs\n");
    text_values(out, e->output_names, NULL, p->outputs, e->output_count, width);
  }
}

static void text_one(const Equilibria *e, Text *out) {
  const EquilibriumPoint *p = &e->points.items[0];
  text_printf(out, "%s\n", p->steady ? "Steady motion" : "Equilibrium");
  text_point(e, p, out);
  text_printf(out, "\nVerdict\n  %s: %s\n", equilibrium_verdict_word(p->verdict), meaning(p));
  text_soft(e, p, out);
  if (p->by == by_eigenvalues && isfinite(p->growth) && !(p->sticks && plain(p->growth) == 0)) {
    text_printf(out, "  rightmost eigenvalue: %.6g", plain(p->growth));
    if (p->frequency != 0) text_printf(out, " +- %.6gi", p->frequency);
    text_put(out, "\n");
  }
  if (isfinite(p->potential))
    text_printf(out, "  potential: %.9g%s%s\n", plain(p->potential), e->energy_unit ? " " : "",
                e->energy_unit ? e->energy_unit : "");
  text_printf(out, "  %u iteration%s; largest %s left: %.2g\n", p->iterations, p->iterations == 1 ? "" : "s",
              p->by == by_potential ? "force" : "rate", p->residue);
}

static void text_box(const Equilibria *e, Text *out) {
  const EquilibriaSearch *s = &e->search;
  bool first = true;
  for (uint32_t i = 0; i < e->count; i++) {
    if (!s->asked[i]) continue;
    text_printf(out, "%s%s from %.6g to %.6g%s", first ? " for " : ", ", e->names[i], s->lo[i], s->hi[i],
                s->turns[i] ? " (a turn)" : "");
    first = false;
  }
}

static void text_search(const Equilibria *e, Text *out) {
  const EquilibriaSearch *s = &e->search;
  uint32_t count = e->points.count;
  const char *all = s->complete ? "all" : "found";
  if (count == 0 && s->complete) text_put(out, "No equilibrium");
  else if (count == 0) text_put(out, "No equilibrium was found");
  else text_printf(out, "%u equilibri%s, %s", count, count == 1 ? "um" : "a", all);
  text_box(e, out);
  text_put(out, "\n");
  for (uint32_t k = 0; k < count; k++) {
    const EquilibriumPoint *p = &e->points.items[k];
    text_printf(out, "  %u  %-9s ", k + 1, equilibrium_verdict_word(p->verdict));
    for (uint32_t i = 0; i < e->count; i++)
      text_printf(out, "%s%s = %.9g", i ? ", " : " ", e->names[i], plain(p->values[i]));
    for (uint32_t i = 0; i < e->multiplier_count; i++)
      text_printf(out, ", %s = %.9g", e->multiplier_names[i], plain(p->multipliers[i]));
    if (isfinite(p->potential))
      text_printf(out, "; potential %.9g%s%s", plain(p->potential), e->energy_unit ? " " : "",
                  e->energy_unit ? e->energy_unit : "");
    text_put(out, p->sticks ? "; one of a range\n" : "\n");
  }
  if (s->complete && count)
    text_printf(out,
                "\nEach lies in a box of its own that holds exactly one, and the rest of the box holds none "
                "(intervals, %u boxes).\n",
                s->boxes);
  else if (s->complete) text_printf(out, "\nThe box holds none (intervals, %u boxes).\n", s->boxes);
  else if (s->certified)
    text_printf(out,
                "\nNot all of the box is decided: %u place%s may hold further ones, or singular ones (intervals, "
                "%u boxes).\n",
                s->undecided, s->undecided == 1 ? "" : "s", s->boxes);
  else text_printf(out, "\nFound from %u starts; there may be others.\n", s->starts);
}

static void text_document(const Equilibria *e, Text *out) {
  if (e->o->s.title) text_printf(out, "%s\n\n", e->o->s.title);
  if (e->search.done) text_search(e, out);
  else text_one(e, out);
  for (uint32_t i = 0; i < e->notes.count; i++) text_printf(out, "%sNote: %s\n", i ? "" : "\n", e->notes.items[i]);
}

// ---- JSON

static void json_values(Json *j, const char *key, const char *const *names, const double *values, uint32_t count) {
  json_open(j, key, '{');
  for (uint32_t i = 0; i < count; i++) json_number(j, names[i], values[i]);
  json_close(j, '}');
}

static void json_soft(const Equilibria *e, const EquilibriumPoint *p, Json *j) {
  json_open(j, "soft", '[');
  for (uint32_t i = 0; p->by == by_potential && i < p->stiffness.soft.count; i++) {
    const SoftDirection *s = &p->stiffness.soft.items[i];
    json_open(j, NULL, '{');
    json_number(j, "stiffness", s->stiffness);
    json_bool(j, "free", s->free);
    json_values(j, "direction", e->resting.form.names, s->direction, e->resting.form.n);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_point(const Equilibria *e, const EquilibriumPoint *p, Json *j) {
  static const char *const by[] = {NULL, "potential", "eigenvalues"};
  json_string(j, "verdict", equilibrium_verdict_word(p->verdict));
  json_string(j, "by", by[p->by]);
  json_bool(j, "steady", p->steady);
  json_count(j, "iterations", p->iterations);
  json_number(j, "potential", p->potential);
  json_number(j, "residue", p->residue);
  json_number(j, "constraint_residue", p->gap);
  json_values(j, "values", e->names, p->values, e->count);
  json_values(j, "multipliers", e->multiplier_names, p->multipliers, e->multiplier_count);
  json_values(j, "outputs", e->output_names, p->outputs, e->output_count);
  json_soft(e, p, j);
  if (p->by == by_eigenvalues) {
    json_open(j, "eigenvalue", '[');
    json_number(j, NULL, p->growth);
    json_number(j, NULL, p->frequency);
    json_close(j, ']');
  }
  if (!p->lo) return;
  json_open(j, "box", '{');
  for (uint32_t i = 0; i < e->count; i++) {
    json_open(j, e->names[i], '[');
    json_number(j, NULL, p->lo[i]);
    json_number(j, NULL, p->hi[i]);
    json_close(j, ']');
  }
  json_close(j, '}');
}

static void json_search(const Equilibria *e, Json *j) {
  const EquilibriaSearch *s = &e->search;
  json_bool(j, "complete", s->complete);
  json_bool(j, "certified", s->certified);
  json_count(j, "undecided", s->undecided);
  json_count(j, s->certified ? "boxes" : "starts", s->certified ? s->boxes : s->starts);
  json_open(j, "search", '{');
  for (uint32_t i = 0; i < e->count; i++) {
    if (!s->asked[i]) continue;
    json_open(j, e->names[i], '[');
    json_number(j, NULL, s->lo[i]);
    json_number(j, NULL, s->hi[i]);
    json_close(j, ']');
  }
  json_close(j, '}');
  json_open(j, "equilibria", '[');
  for (uint32_t k = 0; k < e->points.count; k++) {
    json_open(j, NULL, '{');
    json_point(e, &e->points.items[k], j);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_document(const Equilibria *e, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  if (e->search.done) json_search(e, j);
  else json_point(e, &e->points.items[0], j);
  json_number(j, "t", e->o->t);
  json_strings(j, "notes", e->notes.items, e->notes.count);
  json_close(j, '}');
  text_putc(out, '\n');
}

void show_equilibria(const Equilibria *e, ShowFormat format, Text *out) {
  if (format == show_json) json_document(e, out);
  else text_document(e, out);
}
