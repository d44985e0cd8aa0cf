// The result of a parameter estimation as text and JSON. See fit.h.
#include "show/fit.h"

#include "show/json.h"

#include <string.h>

static const char *status_of(RunStatus status) {
  return status == run_done ? "done" : status == run_interrupted ? "interrupted" : "failed";
}

static int widest_name(const FitResult *r) {
  const FitProblem *f = r->f;
  int width = 12;
  for (uint32_t i = 0; i < f->k; i++) {
    int own = (int)utf8_columns(f->unknowns[i].shown, strlen(f->unknowns[i].shown));
    if (own > width) width = own;
  }
  for (uint32_t i = 0; i < r->lumped_count; i++) {
    int own = (int)utf8_columns(r->lumped[i].text, strlen(r->lumped[i].text));
    if (own > width) width = own;
  }
  return width;
}

static void put_name(Text *out, const char *name, int width) {
  text_put(out, "  ");
  text_put(out, name);
  text_pad(out, ' ', (size_t)(width - (int)utf8_columns(name, strlen(name))));
}

static void put_estimates(const FitResult *r, Text *out) {
  const FitProblem *f = r->f;
  int width = widest_name(r);
  text_pad(out, ' ', (size_t)width + 2);
  text_put(out, "      value   std. error         95 % interval\n");
  for (uint32_t i = 0; i < f->k; i++) {
    const FitEstimate *e = &r->estimates[i];
    put_name(out, f->unknowns[i].shown, width);
    text_printf(out, " %12.6g", e->value);
    if (r->rest.not_at_rest) {
      text_put(out, "          -   -\n");
      continue;
    }
    if (e->found && isfinite(e->stderr_)) text_printf(out, " %10.3g", e->stderr_);
    else text_put(out, e->found && e->reach > 0 ? "  undefined" : "  not found");
    if (isfinite(e->stderr_) || (e->found && e->reach > 0 && !isnan(e->low)))
      text_printf(out, "   %s%.6g .. %.6g%s", e->open_low ? "(" : "", e->low, e->high, e->open_high ? ")" : "");
    text_putc(out, '\n');
  }
  for (uint32_t i = 0; i < r->lumped_count; i++) {
    const FitCombination *c = &r->lumped[i];
    put_name(out, c->text, width);
    text_printf(out, " %12.6g %10.3g   %.6g .. %.6g\n", c->value, c->stderr_, c->low, c->high);
  }
}

static void put_correlation(const FitResult *r, Text *out) {
  const FitProblem *f = r->f;
  int width = widest_name(r);
  if (f->k < 2 || r->rank < f->k || r->rest.not_at_rest) return;
  text_put(out, "correlation\n");
  for (uint32_t i = 1; i < f->k; i++) {
    put_name(out, f->unknowns[i].shown, width);
    for (uint32_t j = 0; j < i; j++) text_printf(out, " %7.3f", r->correlation[(size_t)i * f->k + j]);
    text_putc(out, '\n');
  }
}

static void put_p(Text *out, const char *what, double p) {
  if (isnan(p)) return;
  text_printf(out, ", %s p = %.2g", what, p);
}

static void put_columns(const FitResult *r, Text *out) {
  const FitProblem *f = r->f;
  uint32_t at = 0;
  text_put(out, "residuals\n");
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t c = 0; c < f->experiments[e].width; c++, at++) {
      const FitColumn *column = &f->experiments[e].columns[c];
      put_name(out, column->name, 12);
      text_printf(out, " %u points, ", column->points);
      if (isfinite(r->columns[at].r2)) text_printf(out, "R^2 = %.6f, ", r->columns[at].r2);
      text_printf(out, "rms %.4g", r->columns[at].rms);
      put_p(out, "white", r->columns[at].tests.p_white);
      put_p(out, "normal", r->columns[at].tests.p_normal);
      text_putc(out, '\n');
    }
  }
}

// ---- before the fit

const char *show_fit_group(Arena *arena, const FitResult *r, const SeparableGroup *g) {
  const FitProblem *f = r->f;
  Text out = text_in(arena);
  for (uint32_t i = 0; i < g->unknowns.count; i++)
    text_printf(&out, "%s`%s`", i ? ", " : "", f->unknowns[g->unknowns.items[i]].shown);
  if (g->unsaid) {
    text_put(&out, " are not identifiable from what was measured, by the equations");
    for (uint32_t i = 0; i < g->by.count; i++) text_printf(&out, "%s%s", i ? ", " : "; found is ", g->by.items[i].text);
    return text_str(&out);
  }
  if (!g->by.count) {
    text_printf(&out, " %s no influence on what was measured, by the equations",
                g->unknowns.count == 1 ? "has" : "have");
    return text_str(&out);
  }
  text_put(&out, " act only through ");
  for (uint32_t i = 0; i < g->by.count; i++)
    text_printf(&out, "%s%s", !i ? "" : i + 1 == g->by.count ? " and " : ", ", g->by.items[i].text);
  text_put(&out, ", by the equations: the data cannot separate them");
  return text_str(&out);
}

static void put_expected(const FitResult *r, Text *out) {
  const Identified *b = &r->before;
  bool any = false;
  if (!b->expected || (!r->f->noise_known && !r->only_before)) return;
  text_put(out, "  beforehand   std. errors to expect of ");
  if (r->f->noise_known) text_put(out, "the noise that is given:");
  else
    text_printf(out, "noise that is %.3g %% of the spread%s:", 100 * b->noise,
                r->f->groups[0].given ? ", where none is given" : "");
  for (uint32_t i = 0; i < r->f->k; i++) {
    text_printf(out, "%s %s", any ? "," : "", r->f->unknowns[i].shown);
    if (isfinite(b->expected[i])) text_printf(out, " %.3g", b->expected[i]);
    else text_put(out, " not to be found");
    any = true;
  }
  text_putc(out, '\n');
}

static void put_before(const FitResult *r, Text *out) {
  const Identified *b = &r->before;
  uint32_t k = r->f->k;
  for (uint32_t i = 0; i < b->structure.groups.count; i++)
    text_printf(out, "  beforehand   %s\n", show_fit_group(out->arena, r, &b->structure.groups.items[i]));
  if (r->only_before && b->structure.exact && !b->structure.lost)
    text_printf(out, "  beforehand   what was measured tells %s, by the equations, at almost all values%s\n",
                k == 1 ? "the unknown" : "all unknowns apart", b->structure.signals ? " and signals" : "");
  if (r->only_before && b->structure.undecided)
    text_printf(out, "  beforehand   by the equations it is not decided what the data can tell: %s\n",
                b->structure.undecided);
  if (b->points && (r->only_before || b->rank + b->structure.lost < k))
    text_printf(out, "  beforehand   at %u point%s of the range the data tells %u of %u unknown%s apart\n", b->points,
                b->points == 1 ? "" : "s", b->rank, k, k == 1 ? "" : "s");
  if (!b->points) text_put(out, "  beforehand   the motion fails at every point of the range that was tried\n");
  put_expected(r, out);
}

// Values alone, of a fit that was interrupted or did not converge.
static void put_partial(const FitResult *r, Text *out) {
  int width = widest_name(r);
  text_put(out, "best so far\n");
  for (uint32_t i = 0; i < r->f->k; i++) {
    put_name(out, r->f->unknowns[i].shown, width);
    text_printf(out, " %12.6g\n", r->u[i]);
  }
}

static void put_loss(const FitResult *r, Text *out) {
  text_put(out, "  loss         Huber's, beyond 1.345 times the ");
  if (r->f->noise_known) text_put(out, "noise that is given");
  else if (noise_is_weighed(r->f)) text_put(out, "spread of the residuals of each column");
  else text_printf(out, "spread of the residuals (which is %.3g of that of the data)", r->loss.scale);
  text_printf(out, ": %zu of %zu points count less\n", r->loss_spread.outside, r->f->points);
}

static const char *case_of(const FitResult *r, uint32_t experiment) {
  return r->f->experiments[experiment].of->fit->in_case;
}

// Of several columns, each with its own.
static void put_noise(const FitResult *r, Text *out) {
  const FitProblem *f = r->f;
  bool any = false;
  text_put(out, "  noise       ");
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t c = 0; c < f->experiments[e].width; c++) {
      const FitColumn *column = &f->experiments[e].columns[c];
      text_printf(out, "%s %s", any ? "," : "", column->name);
      if (case_of(r, e)) text_printf(out, " in %s", case_of(r, e));
      text_printf(out, " %.4g%s", r->sigma * column->sd, isnan(column->given) ? "" : " (given)");
      any = true;
    }
  }
  text_putc(out, '\n');
}

void show_fit_text(const FitResult *r, const char *title, Text *out) {
  const FitProblem *f = r->f;
  if (title) text_printf(out, "%s\n", title);
  text_printf(out, "  fit          %zu points, %u unknown%s, by %s", f->points, f->k, f->k == 1 ? "" : "s", r->method);
  if (r->seeded) text_printf(out, ", seed %llu", (unsigned long long)r->seed);
  if (r->only_before) text_put(out, ": only what can be found");
  text_printf(out, ", %llu simulations\n", (unsigned long long)f->motions);
  if (r->by_differences) text_printf(out, "  derivatives  by differences of runs, because %s\n", r->by_differences);
  put_before(r, out);
  if (r->only_before) return;
  if (f->total > 0) text_printf(out, "  R^2          %.6f\n", r->r2);
  else text_put(out, "  R^2          not defined: the data is constant\n");
  if (r->partial) {
    put_partial(r, out);
    return;
  }
  if (!isnan(r->chi.square))
    text_printf(out, "  chi^2        %.6g of %.6g degrees of freedom\n", r->chi.square, r->chi.freedom);
  if (noise_is_weighed(f)) put_noise(r, out);
  if (r->loss.kind == loss_huber) put_loss(r, out);
  put_estimates(r, out);
  put_correlation(r, out);
  put_columns(r, out);
  if (r->loss.kind == loss_square) text_printf(out, "  AIC %.6g, BIC %.6g\n", r->aic, r->bic);
  for (uint32_t i = 0; i < r->remark_count; i++) text_printf(out, "  note         %s\n", r->remarks[i]);
}

static void json_before(Json *j, const FitResult *r) {
  const Identified *b = &r->before;
  json_open(j, "before", '{');
  json_count(j, "points", b->points);
  json_count(j, "rank", b->rank);
  json_string(j, "not_looked_at", b->structure.why);
  json_bool(j, "exact", b->structure.exact);
  json_string(j, "undecided", b->structure.undecided);
  json_open(j, "told_apart", '[');
  for (uint32_t i = 0; b->structure.told && i < r->f->k; i++) {
    if (b->structure.told[i]) json_string(j, NULL, r->f->unknowns[i].shown);
  }
  json_close(j, ']');
  json_open(j, "groups", '[');
  for (uint32_t i = 0; i < b->structure.groups.count; i++) {
    const SeparableGroup *g = &b->structure.groups.items[i];
    json_open(j, NULL, '{');
    json_open(j, "unknowns", '[');
    for (uint32_t k = 0; k < g->unknowns.count; k++) json_string(j, NULL, r->f->unknowns[g->unknowns.items[k]].shown);
    json_close(j, ']');
    json_open(j, "by", '[');
    for (uint32_t k = 0; k < g->by.count; k++) json_string(j, NULL, g->by.items[k].text);
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
  if (b->expected) {
    json_number(j, "noise", b->noise);
    json_open(j, "expected", '{');
    for (uint32_t i = 0; i < r->f->k; i++) json_number(j, r->f->unknowns[i].shown, b->expected[i]);
    json_close(j, '}');
  }
  json_close(j, '}');
}

static void json_estimates(Json *j, const FitResult *r) {
  const FitProblem *f = r->f;
  json_open(j, "parameters", '{');
  for (uint32_t i = 0; i < f->k; i++) {
    const FitEstimate *e = &r->estimates[i];
    json_open(j, f->unknowns[i].shown, '{');
    json_number(j, "value", e->value);
    json_number(j, "stderr", e->stderr_);
    json_open(j, "interval", '[');
    json_number(j, NULL, e->low);
    json_number(j, NULL, e->high);
    json_close(j, ']');
    json_bool(j, "at_bound", e->at_bound);
    json_bool(j, "found", e->found);
    json_close(j, '}');
  }
  json_close(j, '}');
  json_open(j, "combinations", '{');
  for (uint32_t i = 0; i < r->lumped_count; i++) {
    json_open(j, r->lumped[i].text, '{');
    json_number(j, "value", r->lumped[i].value);
    json_number(j, "stderr", r->lumped[i].stderr_);
    json_open(j, "interval", '[');
    json_number(j, NULL, r->lumped[i].low);
    json_number(j, NULL, r->lumped[i].high);
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, '}');
  json_open(j, "correlation", '[');
  for (uint32_t i = 0; i < f->k && r->correlation; i++) {
    json_open(j, NULL, '[');
    for (uint32_t c = 0; c < f->k; c++) json_number(j, NULL, r->correlation[(size_t)i * f->k + c]);
    json_close(j, ']');
  }
  json_close(j, ']');
}

static void json_columns(Json *j, const FitResult *r) {
  const FitProblem *f = r->f;
  uint32_t at = 0;
  json_open(j, "columns", '[');
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t c = 0; c < f->experiments[e].width; c++, at++) {
      const FitColumn *column = &f->experiments[e].columns[c];
      json_open(j, NULL, '{');
      json_string(j, "output", column->name);
      json_string(j, "column", column->column);
      json_string(j, "case", f->experiments[e].of->fit->in_case);
      json_count(j, "points", column->points);
      json_number(j, "sd", r->sigma * column->sd);
      json_bool(j, "sd_given", !isnan(column->given));
      json_number(j, "freedom", f->groups[column->group].freedom);
      json_number(j, "r2", r->columns[at].r2);
      json_number(j, "rms", r->columns[at].rms);
      json_number(j, "lag1", r->columns[at].tests.lag1);
      json_number(j, "p_white", r->columns[at].tests.p_white);
      json_number(j, "p_normal", r->columns[at].tests.p_normal);
      json_close(j, '}');
    }
  }
  json_close(j, ']');
}

void json_evolution(Json *j, const FitResult *r, double most) {
  json_open(j, "evolution", '[');
  for (uint32_t i = 0; i < r->history.count; i++) {
    const FitGeneration *g = &r->history.items[i];
    json_open(j, NULL, '{');
    json_number(j, "best", g->best < most ? g->best : NAN);
    json_number(j, "mean", g->mean);
    json_number(j, "spread", g->spread);
    json_count(j, "simulations", g->motions);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void show_fit_json(const FitResult *r, const char *title, Text *out) {
  Json json = {.out = out}, *j = &json;
  const FitProblem *f = r->f;
  json_open(j, NULL, '{');
  json_string(j, "title", title);
  json_string(j, "status", status_of(r->status));
  json_string(j, "message", r->message);
  json_string(j, "method", r->method);
  if (r->seeded) json_count(j, "seed", r->seed);
  json_count(j, "simulations", f->motions);
  json_count(j, "points", f->points);
  json_before(j, r);
  if (r->only_before) {
    json_close(j, '}');
    text_putc(out, '\n');
    return;
  }
  json_number(j, "r2", r->r2);
  json_count(j, "rank", r->rank);
  if (!isnan(r->chi.square)) {
    json_number(j, "chi2", r->chi.square);
    json_number(j, "chi2_freedom", r->chi.freedom);
    json_number(j, "chi2_p", r->chi.p);
  }
  json_number(j, "sigma", noise_is_weighed(f) ? NAN : r->sigma);
  json_number(j, "cost", r->search_cost);
  json_number(j, "aic", r->aic);
  json_number(j, "bic", r->bic);
  json_bool(j, "exact", !r->by_differences);
  json_estimates(j, r);
  if (!r->partial) json_columns(j, r);
  json_strings(j, "remarks", r->remarks, r->remark_count);
  if (r->history.count) json_evolution(j, r, INFINITY);
  json_close(j, '}');
  text_putc(out, '\n');
}
