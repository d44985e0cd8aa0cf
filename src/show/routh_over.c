// Routh's table with a parameter in it, as text and JSON.
#include "show/routh_over.h"

#include <math.h>

static void text_range(const RouthRange *r, const char *name, Text *out) {
  if (isfinite(r->low)) text_printf(out, "%.12g < ", r->low);
  text_put(out, name);
  if (isfinite(r->high)) text_printf(out, " < %.12g", r->high);
  if (isinf(r->low) && isinf(r->high)) text_put(out, " is any");
}

void text_routh_over(const RouthOver *r, const char *name, Text *out) {
  if (!r) return;
  text_putc(out, '\n');
  text_printf(out, "Routh's table of the model as it stands, over %s\n", name);
  for (uint32_t k = 0; k <= r->degree; k++) {
    text_printf(out, "  s^%-3u", r->degree - k);
    for (uint32_t i = 0; i < r->rows[k].count; i++) text_printf(out, "%s %s", i ? "  |" : "", r->rows[k].entries[i]);
    text_putc(out, '\n');
  }
  if (!r->stable.count) text_printf(out, "  for no %s the first column is positive: it is never stable\n", name);
  for (uint32_t i = 0; i < r->stable.count; i++) {
    text_put(out, i ? ", or " : "  the first column is positive, so it is stable, where ");
    text_range(&r->stable.items[i], name, out);
  }
  if (r->stable.count) text_putc(out, '\n');
}

void json_routh_over(const RouthOver *r, const char *name, Json *j) {
  if (!r) return;
  json_open(j, "routh_over", '{');
  json_string(j, "parameter", name);
  json_open(j, "rows", '[');
  for (uint32_t k = 0; k <= r->degree; k++) {
    json_open(j, NULL, '[');
    for (uint32_t i = 0; i < r->rows[k].count; i++) json_string(j, NULL, r->rows[k].entries[i]);
    json_close(j, ']');
  }
  json_close(j, ']');
  json_open(j, "stable", '[');
  for (uint32_t i = 0; i < r->stable.count; i++) {
    json_open(j, NULL, '[');
    json_number(j, NULL, r->stable.items[i].low);
    json_number(j, NULL, r->stable.items[i].high);
    json_close(j, ']');
  }
  json_close(j, ']');
  json_close(j, '}');
}
