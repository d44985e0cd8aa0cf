// A fit. See fit.h.
#include "show/fit.h"

#include "show/json.h"

#include <string.h>

static const char *status_of(RunStatus status) {
  return status == run_done ? "done" : status == run_interrupted ? "interrupted" : "failed";
}

static int widest_name(const FitProblem *f) {
  int width = 12;
  for (uint32_t i = 0; i < f->k; i++) {
    int own = (int)utf8_columns(f->unknowns[i].shown, strlen(f->unknowns[i].shown));
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
  int width = widest_name(f);
  text_pad(out, ' ', (size_t)width + 2);
  text_put(out, "      value   std. error         95 % interval\n");
  for (uint32_t i = 0; i < f->k; i++) {
    const FitEstimate *e = &r->estimates[i];
    put_name(out, f->unknowns[i].shown, width);
    text_printf(out, " %12.6g", e->value);
    if (e->found && isfinite(e->stderr_)) text_printf(out, " %10.3g", e->stderr_);
    else text_put(out, "  not found");
    if (isfinite(e->stderr_))
      text_printf(out, "   %s%.6g .. %.6g%s", e->open_low ? "(" : "", e->low, e->high, e->open_high ? ")" : "");
    text_putc(out, '\n');
  }
}

static void put_correlation(const FitResult *r, Text *out) {
  const FitProblem *f = r->f;
  int width = widest_name(f);
  if (f->k < 2 || r->rank < f->k) return;
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
      text_printf(out, " %u points, R^2 = %.6f, rms %.4g", column->points, r->column_r2[at], r->column_rms[at]);
      put_p(out, "white", r->tests[at].p_white);
      put_p(out, "normal", r->tests[at].p_normal);
      text_putc(out, '\n');
    }
  }
}

// Values alone, of a fit that was interrupted or did not come to rest.
static void put_partial(const FitResult *r, Text *out) {
  int width = widest_name(r->f);
  text_put(out, "best so far\n");
  for (uint32_t i = 0; i < r->f->k; i++) {
    put_name(out, r->f->unknowns[i].shown, width);
    text_printf(out, " %12.6g\n", r->u[i]);
  }
}

void show_fit_text(const FitResult *r, const char *title, Text *out) {
  const FitProblem *f = r->f;
  if (title) text_printf(out, "%s\n", title);
  text_printf(out, "  fit          %zu points, %u unknown%s, by %s", f->points, f->k, f->k == 1 ? "" : "s", r->method);
  if (r->seeded) text_printf(out, ", seed %llu", (unsigned long long)r->seed);
  text_printf(out, ", %llu simulations\n", (unsigned long long)f->motions);
  if (r->by_differences) text_printf(out, "  slopes       by differences of motions, because %s\n", r->by_differences);
  if (r->points_before && r->rank_before < f->k)
    text_printf(out, "  beforehand   at %u points of the range the data tells %u of %u unknowns apart\n",
                r->points_before, r->rank_before, f->k);
  text_printf(out, "  R^2          %.6f\n", r->r2);
  if (r->partial) {
    put_partial(r, out);
    return;
  }
  if (f->noise_known) text_printf(out, "  chi^2        %.6g of %zu degrees of freedom\n", r->cost, r->freedom);
  if (r->loss.kind == loss_huber)
    text_printf(out, "  loss         Huber's, beyond %.4g times the spread: %zu of %zu points count less\n",
                1.345 * r->loss.scale, r->loss_spread.outside, f->points);
  put_estimates(r, out);
  put_correlation(r, out);
  put_columns(r, out);
  if (r->loss.kind == loss_square) text_printf(out, "  AIC %.6g, BIC %.6g\n", r->aic, r->bic);
  for (uint32_t i = 0; i < r->remark_count; i++) text_printf(out, "  note         %s\n", r->remarks[i]);
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
      json_number(j, "r2", r->column_r2[at]);
      json_number(j, "rms", r->column_rms[at]);
      json_number(j, "lag1", r->tests[at].lag1);
      json_number(j, "p_white", r->tests[at].p_white);
      json_number(j, "p_normal", r->tests[at].p_normal);
      json_close(j, '}');
    }
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
  json_number(j, "r2", r->r2);
  json_count(j, "simulations", f->motions);
  json_count(j, "points", f->points);
  json_count(j, "rank", r->rank);
  json_count(j, "rank_before", r->rank_before);
  json_count(j, "points_before", r->points_before);
  json_number(j, "sigma", r->sigma);
  json_number(j, "cost", r->cost);
  json_number(j, "aic", r->aic);
  json_number(j, "bic", r->bic);
  json_bool(j, "exact", !r->by_differences);
  json_estimates(j, r);
  if (!r->partial) json_columns(j, r);
  json_strings(j, "remarks", r->remarks, r->remark_count);
  if (r->history.count) {
    json_open(j, "evolution", '[');
    for (uint32_t i = 0; i < r->history.count; i++) {
      const FitGeneration *g = &r->history.items[i];
      json_open(j, NULL, '{');
      json_number(j, "best", g->best);
      json_number(j, "mean", g->mean);
      json_number(j, "spread", g->spread);
      json_count(j, "simulations", g->motions);
      json_close(j, '}');
    }
    json_close(j, ']');
  }
  json_close(j, '}');
  text_putc(out, '\n');
}
