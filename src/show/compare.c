// A comparison of integration methods: table, JSON, errors over time. See compare.h.
#include "show/compare.h"

#include "show/json.h"

#include <math.h>
#include <string.h>

static void put_error(Text *out, double value) {
  if (isnan(value)) text_printf(out, "  %9s", "-");
  else text_printf(out, "  %9.1e", value);
}

static void put_line(Text *out, const ComparedRun *r) {
  char setting[32];
  if (r->run.settled.fixed) number_format(setting, sizeof setting, "step %.6g", r->run.settled.step);
  else number_format(setting, sizeof setting, "rtol %.6g", r->run.settled.rtol);
  text_printf(out, "  %-9s  %-14s", r->run.settled.method, setting);
  put_error(out, r->energy);
  put_error(out, r->position);
  text_printf(out, "  %10llu  %12llu  %9.3g", (unsigned long long)r->run.ode.steps,
              (unsigned long long)r->run.ode.evaluations, r->run.wall);
  if (r->run.status != run_done) text_printf(out, "  stopped at t = %.6g", r->run.t);
  text_put(out, "\n");
}

void show_comparison_text(const Comparison *c, const char *title, Text *out) {
  if (title) text_printf(out, "%s\n", title);
  text_printf(out, "  %-9s  %-14s  %9s  %9s  %10s  %12s  %9s\n", "method", "", "energy", "position", "steps",
              "evaluations", "seconds");
  for (uint32_t i = 0; i < c->count; i++) put_line(out, &c->runs[i]);
  text_printf(
      out,
      "  largest errors until t = %.6g: of the energy moved, and of places against %s at rtol %.3g, in parts of "
      "their size\n",
      c->reference.run.settled.to, c->reference.run.settled.method, c->reference.run.settled.rtol);
}

static void put_run(Json *j, const char *key, const ComparedRun *r) {
  json_open(j, key, '{');
  json_string(j, "method", r->run.settled.method);
  if (r->run.settled.fixed) json_number(j, "step", r->run.settled.step);
  else json_number(j, "rtol", r->run.settled.rtol);
  json_string(j, "message", r->run.message);
  json_number(j, "t", r->run.t);
  json_number(j, "energy", r->energy);
  json_number(j, "position", r->position);
  json_count(j, "steps", r->run.ode.steps);
  json_count(j, "evaluations", r->run.ode.evaluations);
  json_number(j, "seconds", r->run.wall);
  json_close(j, '}');
}

void show_comparison_json(const Comparison *c, const char *title, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "title", title);
  json_number(j, "to", c->reference.run.settled.to);
  put_run(j, "reference", &c->reference);
  json_open(j, "methods", '[');
  for (uint32_t i = 0; i < c->count; i++) put_run(j, NULL, &c->runs[i]);
  json_close(j, ']');
  json_close(j, '}');
  text_put(out, "\n");
}

// An error of zero has no position on a logarithmic axis: it is drawn at the round-off level.
static const double *above_rounding(Arena *arena, const double *values, size_t count) {
  double *out = arena_array(arena, count + 1, sizeof *out);
  for (size_t i = 0; out && i < count; i++) out[i] = values[i] < 1e-17 ? 1e-17 : values[i];
  return out;
}

static void put_curves(Arena *arena, PlotPanel *panel, const Comparison *c, bool energy) {
  panel->y_log = true;
  for (uint32_t i = 0; i < c->count; i++) {
    const ComparedRun *r = &c->runs[i];
    const double *y = above_rounding(arena, energy ? r->energy_at : r->position_at, r->count);
    if (!y || r->count < 2) continue;
    // the first row is the start itself
    vec_push(arena, &panel->curves,
             (PlotCurve){.name = r->run.settled.method,
                         .unit = "",
                         .x = r->t + 1,
                         .y = y + 1,
                         .count = r->count - 1,
                         .style = i + 1});
  }
}

void show_comparison_plot(Arena *arena, const Comparison *c, const char *title, Plot *plot) {
  *plot = (Plot){.title = title};
  if (c->reference.run.account.kept) {
    PlotPanel *panel = plot_panel(arena, plot, "t", "s");
    if (panel) panel->y_name = "error of the energy";
    if (panel) put_curves(arena, panel, c, true);
  }
  PlotPanel *panel = plot_panel(arena, plot, "t", "s");
  if (!panel) return;
  panel->y_name = "error of places";
  put_curves(arena, panel, c, false);
}
