// Inverse dynamics as text and JSON. See inverse.h.
#include "show/inverse.h"

#include "show/json.h"
#include "sim/inverse_error.h"

#include <string.h>

enum { most_named = 8 }; // columns by splines that the text names

static const char *status_of(RunStatus status) {
  return status == run_done ? "done" : status == run_interrupted ? "interrupted" : "failed";
}

// What splines leave, of the force on which that counts most.
static void put_error(const InversePlan *p, const InverseResult *r, Text *out) {
  uint32_t worst = UINT32_MAX;
  if (!p->made_count || r->status != run_done) return;
  for (uint32_t i = 0; i < p->count; i++) {
    const InverseForce *f = &r->forces[i], *w = worst == UINT32_MAX ? NULL : &r->forces[worst];
    if (f->error > 0 && (!w || f->error * w->size > w->error * f->size)) worst = i;
  }
  if (worst != UINT32_MAX)
    text_printf(out, "  their error  about %.1g in %s near t = %.6g\n", r->forces[worst].error, p->coords[worst].force,
                r->forces[worst].error_at);
  else if (r->rows < inverse_least_reported)
    text_printf(out, "  their error  not known: that takes at least %d rows\n", inverse_least_reported);
}

void show_inverse_text(const InversePlan *p, const InverseResult *r, const char *title, const char *motion, Text *out) {
  if (title) text_printf(out, "%s\n", title);
  text_put(out, "  motion       ");
  text_put_plain(out, motion, strlen(motion));
  text_printf(out, ", %u rows from t = %.6g to %.6g\n", r->rows, r->from, r->to);
  if (p->made_count) text_put(out, "  by splines   ");
  for (uint32_t i = 0; i < p->made_count && i < most_named; i++) text_printf(out, "%s%s", i ? ", " : "", p->made[i]);
  if (p->made_count > most_named) text_printf(out, " and %u more", p->made_count - most_named);
  if (p->made_count) text_put(out, ": the table does not have them\n");
  put_error(p, r, out);
  for (uint32_t i = 0; i < p->count && r->rows; i++)
    text_printf(out, "  %-12s %.6g at t = %.6g is the largest\n", p->coords[i].force, r->forces[i].largest,
                r->forces[i].at);
}

void show_inverse_json(const InversePlan *p, const InverseResult *r, const char *title, const char *motion, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "title", title);
  json_string(j, "status", status_of(r->status));
  json_string(j, "message", r->message);
  json_string(j, "motion", motion);
  json_count(j, "rows", r->rows);
  json_number(j, "from", r->from);
  json_number(j, "to", r->to);
  json_strings(j, "splines", p->made, p->made_count);
  json_open(j, "forces", '{');
  for (uint32_t i = 0; i < p->count; i++) {
    json_open(j, p->coords[i].name, '{');
    json_number(j, "largest", r->forces[i].largest);
    json_number(j, "at", r->forces[i].at);
    if (p->made_count) json_number(j, "error", r->forces[i].error);
    json_close(j, '}');
  }
  json_close(j, '}');
  json_close(j, '}');
  text_putc(out, '\n');
}
