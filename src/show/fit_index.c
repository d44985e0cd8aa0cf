// A minimized performance index as text and JSON. See fit_index.h.
#include "show/fit_index.h"

#include "show/fit.h"
#include "show/json.h"

#include <string.h>

static bool was_measured(const FitResult *r) { return r->status == run_done || r->status == run_failed; }

static void put_conditions(const FitResult *r, Text *out) {
  const FitIndex *x = r->f->index;
  for (uint32_t i = 0; i < x->request.conditions; i++) {
    const Measure *m = &x->request.set->items.items[1 + i];
    text_printf(out, "  where        %s: %s", m->text, x->last[1 + i] != 0 ? "holds" : "does not hold");
    if (x->request.excess[i]) {
      double excess = x->last[x->request.excess[i]];
      if (fabs(excess) < 1e-6) text_put(out, ", and binds"); // digits of it are chance
      else text_printf(out, ", %s %.4g", excess > 0 ? "beyond it by" : "with a margin of", fabs(excess));
    }
    text_putc(out, '\n');
  }
}

void show_index_text(const FitResult *r, const char *title, Text *out) {
  const FitProblem *f = r->f;
  const FitIndex *x = f->index;
  if (title) text_printf(out, "%s\n", title);
  text_printf(out, "  minimize     %s", x->request.set->items.items[0].text);
  if (was_measured(r)) text_printf(out, " = %.8g", x->last[0]);
  text_printf(out, "\n  search       %u unknown%s, by %s, seed %llu, %llu simulations\n", f->k, f->k == 1 ? "" : "s",
              r->method, (unsigned long long)r->seed, (unsigned long long)f->motions);
  if (was_measured(r)) put_conditions(r, out);
  text_put(out, r->partial ? "best so far\n" : "found\n");
  for (uint32_t i = 0; i < f->k; i++) {
    const char *name = f->unknowns[i].shown;
    size_t wide = utf8_columns(name, strlen(name));
    text_printf(out, "  %s", name);
    text_pad(out, ' ', wide < 12 ? 12 - wide : 0);
    text_printf(out, " %12.8g", r->u[i]);
    if (!r->estimates[i].found) text_put(out, "  without influence");
    else if (r->estimates[i].at_bound) text_put(out, "  on the end of its range");
    text_putc(out, '\n');
  }
}

void show_index_json(const FitResult *r, const char *title, Text *out) {
  Json json = {.out = out}, *j = &json;
  const FitProblem *f = r->f;
  const FitIndex *x = f->index;
  json_open(j, NULL, '{');
  json_string(j, "title", title);
  json_string(j, "status", r->status == run_done ? "done" : r->status == run_interrupted ? "interrupted" : "failed");
  json_string(j, "message", r->message);
  json_string(j, "method", r->method);
  json_count(j, "seed", r->seed);
  json_string(j, "minimize", x->request.set->items.items[0].text);
  json_number(j, "index", was_measured(r) ? x->last[0] : NAN);
  json_count(j, "simulations", f->motions);
  json_open(j, "parameters", '{');
  for (uint32_t i = 0; i < f->k; i++) {
    json_open(j, f->unknowns[i].shown, '{');
    json_number(j, "value", r->u[i]);
    json_bool(j, "at_bound", r->estimates[i].at_bound);
    json_bool(j, "found", r->estimates[i].found);
    json_close(j, '}');
  }
  json_close(j, '}');
  json_open(j, "where", '[');
  for (uint32_t i = 0; was_measured(r) && i < x->request.conditions; i++) {
    json_open(j, NULL, '{');
    json_string(j, "condition", x->request.set->items.items[1 + i].text);
    json_bool(j, "holds", x->last[1 + i] != 0);
    json_number(j, "excess", x->request.excess[i] ? x->last[x->request.excess[i]] : NAN);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_evolution(j, r, index_violated);
  json_close(j, '}');
  text_putc(out, '\n');
}
