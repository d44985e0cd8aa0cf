// Optimal experiment design as text and JSON. See experiments.h.
#include "show/experiments.h"

#include "show/json.h"

#include <math.h>
#include <string.h>

enum { most_shown = 12 }; // candidates of the text; JSON has all

const char *experiment_text(Arena *arena, const OptimalResult *r, uint32_t candidate) {
  const OptimalCandidate *c = &r->candidates[candidate];
  const char *in_case = r->request->cases[c->in_case].name;
  Text t = text_in(arena);
  if (in_case) text_printf(&t, "case %s", in_case);
  for (uint32_t i = 0; i < r->request->grid->grid_count; i++)
    text_printf(&t, "%s%s = %.6g", t.length ? ", " : "", r->request->names[i], c->values[i]);
  if (!t.length) text_put(&t, "as it is");
  return text_str(&t);
}

static void put_head(const OptimalResult *r, const char *title, Text *out) {
  const FitProblem *f = r->f;
  if (title) text_printf(out, "%s\n", title);
  text_printf(out, "  design       %u candidate%s, %u unknown%s, %llu simulations\n", r->count,
              r->count == 1 ? "" : "s", f->k, f->k == 1 ? "" : "s", (unsigned long long)f->motions);
  text_put(out, "  at          ");
  for (uint32_t j = 0; j < f->k; j++)
    text_printf(out, "%s %s = %.6g", j ? "," : "", f->unknowns[j].shown, f->unknowns[j].start);
  text_putc(out, '\n');
  if (r->by_differences) text_printf(out, "  derivatives  by differences of runs, because %s\n", r->by_differences);
}

static void put_candidate(const OptimalResult *r, uint32_t i, const char *name, int width, Text *out) {
  const OptimalCandidate *c = &r->candidates[i];
  text_printf(out, "  %s", name);
  text_pad(out, ' ', (size_t)(width - (int)utf8_columns(name, strlen(name))));
  if (c->failure) {
    text_printf(out, "   fails: %s\n", c->failure);
    return;
  }
  if (isfinite(c->log_det)) text_printf(out, " %10.4f  ", optimal_efficiency(r, i));
  else text_printf(out, "   tells %u of %u", c->rank, r->f->k);
  for (uint32_t j = 0; j < r->f->k && isfinite(c->log_det); j++) text_printf(out, " %10.3g", c->errors[j]);
  text_putc(out, '\n');
}

static void put_times(const OptimalCandidate *c, Text *out) {
  text_put(out, "  measure at   ");
  for (uint32_t i = 0; i < c->time_count; i++) text_printf(out, "%s%.6g", i ? ", " : "", c->times[i]);
  text_putc(out, '\n');
}

void show_experiments_text(const OptimalResult *r, const char *title, Text *out) {
  uint32_t shown = r->count < most_shown ? r->count : most_shown;
  const char *names[most_shown];
  int width = 12;
  put_head(r, title, out);
  for (uint32_t i = 0; i < shown; i++) {
    names[i] = experiment_text(out->arena, r, i);
    if (!names[i]) return;
    int own = (int)utf8_columns(names[i], strlen(names[i]));
    width = own > width ? own : width;
  }
  text_pad(out, ' ', (size_t)width + 2);
  text_printf(out, " efficiency   std. errors%s\n", r->noise_said ? "" : ", of noise of 1");
  text_pad(out, ' ', (size_t)width + 2 + 13);
  for (uint32_t j = 0; j < r->f->k; j++) text_printf(out, " %10s", r->f->unknowns[j].shown);
  text_putc(out, '\n');
  for (uint32_t i = 0; i < shown; i++) put_candidate(r, i, names[i], width, out);
  if (shown < r->count) text_printf(out, "  and %u more\n", r->count - shown);
  if (r->count && r->candidates[0].time_count) put_times(&r->candidates[0], out);
}

static void json_candidate(Json *j, const OptimalResult *r, uint32_t i) {
  const OptimalCandidate *c = &r->candidates[i];
  json_open(j, NULL, '{');
  json_string(j, "case", r->request->cases[c->in_case].name);
  json_open(j, "values", '{');
  for (uint32_t k = 0; k < r->request->grid->grid_count; k++) json_number(j, r->request->names[k], c->values[k]);
  json_close(j, '}');
  json_number(j, "efficiency", optimal_efficiency(r, i));
  json_count(j, "rank", c->rank);
  json_open(j, "errors", '{');
  for (uint32_t k = 0; k < r->f->k; k++) json_number(j, r->f->unknowns[k].shown, c->errors[k]);
  json_close(j, '}');
  if (c->time_count) {
    json_open(j, "times", '[');
    for (uint32_t k = 0; k < c->time_count; k++) json_number(j, NULL, c->times[k]);
    json_close(j, ']');
  }
  json_string(j, "failure", c->failure);
  json_close(j, '}');
}

void show_experiments_json(const OptimalResult *r, const char *title, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "title", title);
  json_string(j, "status", r->status == run_done ? "done" : "failed");
  json_string(j, "message", r->message);
  json_count(j, "simulations", r->f->motions);
  json_bool(j, "exact", !r->by_differences);
  json_bool(j, "noise_said", r->noise_said);
  json_open(j, "at", '{');
  for (uint32_t k = 0; k < r->f->k; k++) json_number(j, r->f->unknowns[k].shown, r->f->unknowns[k].start);
  json_close(j, '}');
  json_open(j, "candidates", '[');
  for (uint32_t i = 0; i < r->count; i++) json_candidate(j, r, i);
  json_close(j, ']');
  json_close(j, '}');
  text_putc(out, '\n');
}
