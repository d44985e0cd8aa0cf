// Sensitivity analysis of the outputs of a model as text and JSON. See sensitivity.h.
#include "show/sensitivity.h"

#include "show/json.h"

#include <string.h>

static const char *status_of(RunStatus status) {
  return status == run_done ? "done" : status == run_interrupted ? "interrupted" : "failed";
}

static const PeakSensitivity *slope_of(const SensitivityResult *r, uint32_t output, uint32_t unknown) {
  return &r->slopes[(size_t)output * r->unknown_count + unknown];
}

static int widest(const char *const *names, uint32_t count, int least) {
  for (uint32_t i = 0; i < count; i++) {
    int width = (int)utf8_columns(names[i], strlen(names[i]));
    if (width > least) least = width;
  }
  return least;
}

static void put_padded(Text *out, const char *name, int width) {
  text_put(out, name);
  text_pad(out, ' ', (size_t)(width - (int)utf8_columns(name, strlen(name))));
}

void show_sensitivity_text(const SensitivityResult *r, const char *title, Text *out) {
  int first = widest(r->outputs, r->output_count, 12), second = widest(r->unknowns, r->unknown_count, 3);
  if (title) text_printf(out, "%s\n", title);
  text_printf(out, "  motion       from t = %.6g to %.6g, %u rows\n", r->from, r->to, r->rows);
  if (r->why) text_printf(out, "  derivatives  by differences of runs, because %s\n", r->why);
  else text_put(out, "  derivatives  exact, integrated with the motion\n");
  for (uint32_t i = 0; i < r->output_count && r->rows; i++) {
    for (uint32_t j = 0; j < r->unknown_count; j++) {
      const PeakSensitivity *s = slope_of(r, i, j);
      text_put(out, "  ");
      put_padded(out, j ? "" : r->outputs[i], first);
      text_put(out, " by ");
      put_padded(out, r->unknowns[j], second);
      if (s->largest == 0) text_put(out, "  none\n");
      else text_printf(out, "  %12.6g at t = %-8.6g %12.6g at the end\n", s->largest, s->at, s->last);
    }
  }
}

void show_sensitivity_json(const SensitivityResult *r, const char *title, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "title", title);
  json_string(j, "status", status_of(r->status));
  json_string(j, "message", r->message);
  if (r->from != 0) json_number(j, "from", r->from);
  json_number(j, "to", r->to);
  json_count(j, "rows", r->rows);
  json_bool(j, "exact", !r->why);
  json_string(j, "reason", r->why);
  json_open(j, "unknowns", '{');
  for (uint32_t k = 0; k < r->unknown_count; k++) json_number(j, r->unknowns[k], r->values[k]);
  json_close(j, '}');
  json_open(j, "outputs", '{');
  for (uint32_t i = 0; i < r->output_count; i++) {
    json_open(j, r->outputs[i], '{');
    for (uint32_t k = 0; k < r->unknown_count; k++) {
      const PeakSensitivity *s = slope_of(r, i, k);
      json_open(j, r->unknowns[k], '{');
      json_number(j, "largest", s->largest);
      json_number(j, "at", s->at);
      json_number(j, "final", s->last);
      json_close(j, '}');
    }
    json_close(j, '}');
  }
  json_close(j, '}');
  json_close(j, '}');
  text_putc(out, '\n');
}
