// Describing functions and the limit cycles they predict, as text and JSON. See describing.h.
#include "show/describing.h"

#include <math.h>

static const double two_pi = 6.28318530717958647692;

static const char *off(Arena *arena, double is, double predicted) {
  double percent = 100 * fabs(is / predicted - 1);
  const char *text = percent < 1e-3 ? "less than 0.001" : arena_printf(arena, "%.2g", percent);
  return text ? text : "";
}

// The outcome of a simulation that started on the predicted limit cycle.
static void put_stable(const char *e, const LimitCycle *c, const CycleEnd *end, Text *out) {
  const Oscillation *w = &end->oscillation;
  switch (end->kind) {
  case cycle_settles:
    text_printf(out, "%s oscillates by %s at %s rad/s: %s %% and %s %% beside the prediction\n", e,
                analysis_number(out->arena, w->amplitude), analysis_number(out->arena, w->frequency),
                off(out->arena, w->amplitude, c->amplitude), off(out->arena, w->frequency, c->frequency));
    return;
  case cycle_decays: text_put(out, "the motion decays: there is no such oscillation\n"); return;
  case cycle_grows: text_put(out, "the motion grows without such an oscillation\n"); return;
  case cycle_stays: text_put(out, "the motion stays on one side: there is no such oscillation\n"); return;
  case cycle_wanders:
    text_printf(out, "no period is like the last within %u; the last ones oscillate by %s at %s rad/s\n", end->turns,
                analysis_number(out->arena, w->amplitude), analysis_number(out->arena, w->frequency));
  }
}

// The outcome of one that started beside it.
static void put_beside(const CycleEnd *end, Text *out) {
  text_printf(out, "from %s of it ", analysis_number(out->arena, end->part));
  switch (end->kind) {
  case cycle_decays: text_put(out, "the motion decays"); return;
  case cycle_grows: text_put(out, "it grows"); return;
  case cycle_stays: text_put(out, "it ends on one side"); return;
  case cycle_settles:
    text_printf(out, "it goes to an oscillation by %s", analysis_number(out->arena, end->oscillation.amplitude));
    return;
  case cycle_wanders:
    text_printf(out, "it wanders, at last by %s", analysis_number(out->arena, end->oscillation.amplitude));
  }
}

static void put_run(const char *e, const LimitCycle *c, const CycleRun *r, Text *out) {
  text_put(out, "    simulation: ");
  if (r->interrupted || r->why) {
    text_printf(out, "not made: %s\n", r->interrupted ? "it was interrupted" : r->why);
    return;
  }
  if (c->stable) put_stable(e, c, &r->ends[0], out);
  for (uint32_t i = 0; !c->stable && i < r->count; i++) {
    text_put(out, i ? ", " : "");
    put_beside(&r->ends[i], out);
    if (i + 1 == r->count) text_putc(out, '\n');
  }
  if (r->own_start) text_put(out, "      from the start of the model, which other equations hold\n");
}

static void put_text(const ShownDescribing *x, Text *o) {
  Arena *arena = o->arena;
  if (x->title) text_printf(o, "%s\n\n", x->title);
  text_printf(o, "Describing function of %s over %s\n  %s\n", x->signal, x->e, x->words);
  double from = describing_threshold(x->describing), unit = from > 0 ? from : 1;
  for (int i = 0; i < 5; i++) {
    double amplitude = unit * (double[]){1.25, 1.5, 2, 4, 8}[i];
    text_printf(o, "  N(%s) = %s\n", analysis_number(arena, amplitude),
                analysis_complex(arena, describing_at(x->describing, amplitude)));
  }
  analysis_headline(o, "Limit cycles that the first harmonic predicts");
  if (!x->cycles->count)
    text_printf(o, "  none between %s and %s rad/s\n", analysis_number(arena, x->low), analysis_number(arena, x->high));
  for (uint32_t i = 0; i < x->cycles->count && i < describing_shown; i++) {
    const LimitCycle *c = &x->cycles->items[i];
    text_printf(o, "  %s oscillates by %.9g at %.9g rad/s, period %.9g: %s\n", x->e, c->amplitude, c->frequency,
                two_pi / c->frequency, c->stable ? "stable" : "not stable");
    text_printf(o, "    the third harmonic comes back by %s of the first%s\n", analysis_number(arena, c->filter),
                c->filter > 0.2 ? ": the prediction is rough" : "");
    if (i < x->run_count) put_run(x->e, c, &x->runs[i], o);
  }
  if (x->cycles->count > describing_shown) text_printf(o, "  and %u more\n", x->cycles->count - describing_shown);
}

static void json_run(const CycleRun *r, Json *j) {
  static const char *const words[] = {"settles", "decays", "grows", "stays", "wanders"};
  if (r->interrupted || r->why) {
    json_null(j, "simulation");
    return;
  }
  json_open(j, "simulation", '[');
  for (uint32_t i = 0; i < r->count; i++) {
    const CycleEnd *end = &r->ends[i];
    bool oscillates = end->kind == cycle_settles || end->kind == cycle_wanders;
    json_open(j, NULL, '{');
    json_number(j, "from", end->part);
    json_string(j, "end", words[end->kind]);
    json_number(j, "amplitude", oscillates ? end->oscillation.amplitude : NAN);
    json_number(j, "frequency", oscillates ? end->oscillation.frequency : NAN);
    json_bool(j, "own_start", r->own_start);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_json(const ShownDescribing *x, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "signal", x->signal);
  json_string(j, "argument", x->e);
  json_string(j, "kind", x->words);
  json_open(j, "cycles", '[');
  for (uint32_t i = 0; i < x->cycles->count; i++) {
    const LimitCycle *c = &x->cycles->items[i];
    json_open(j, NULL, '{');
    json_number(j, "amplitude", c->amplitude);
    json_number(j, "frequency", c->frequency);
    json_bool(j, "stable", c->stable);
    json_number(j, "third_harmonic", c->filter);
    json_open(j, "N", '[');
    json_number(j, NULL, creal(c->n));
    json_number(j, NULL, cimag(c->n));
    json_close(j, ']');
    if (i < x->run_count) json_run(&x->runs[i], j);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
  text_putc(out, '\n');
}

void show_describing(const ShownDescribing *x, ShowFormat format, Text *out) {
  if (format == show_json) put_json(x, out);
  else put_text(x, out);
}
