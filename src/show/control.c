// Results of control design as text or JSON (Riccati gains, norms, sectors), and realizations as model files.
#include "show/control.h"

#include <math.h>
#include <string.h>

static const char *number(Text *out, double x) {
  if (isinf(x)) return x > 0 ? "infinite" : "-infinite";
  return analysis_number(out->arena, x);
}

// ---- gains

// Eigenvalues, pairs once.
static void put_eigenvalues(const double *re, const double *im, uint32_t n, Text *out) {
  bool first = true;
  for (uint32_t i = 0; i < n; i++) {
    if (im[i] < 0) continue;
    text_printf(out, "%s%s", first ? "" : ", ", re[i] == 0 && im[i] > 0 ? "" : number(out, re[i]));
    if (im[i] > 0) text_printf(out, " +- %si", number(out, im[i]));
    first = false;
  }
}

void show_gain(const Riccati *r, uint32_t n, uint32_t m, bool kalman, bool sampled, const GainNames *names, Text *out) {
  const char *observer = sampled ? "Best observer x[k+1] = A x[k] + B u[k] + L (y[k] - C x[k] - D u[k])"
                                 : "Best observer x' = A x + B u + L (y - C x - D u)";
  analysis_headline(out, kalman ? observer : "Best feedback u = -K x");
  if (kalman && sampled)
    text_put(
        out,
        "  y[k] is y just before the statements of a sample (just after, where they set y without reading its past)\n");
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t j = 0; j < n; j++)
      text_printf(out, "  %s(%s, %s) = %s\n", kalman ? "L" : "K", kalman ? names->cols[j] : names->rows[i],
                  kalman ? names->rows[i] : names->cols[j], number(out, r->K[(size_t)i * n + j]));
  }
  text_put(out, kalman ? "  eigenvalues of A - L C: " : "  eigenvalues of A - B K: ");
  put_eigenvalues(r->closed_re, r->closed_im, n, out);
  text_putc(out, '\n');
}

static void json_matrix(Json *j, const char *key, const double *a, uint32_t rows, uint32_t cols, bool turned) {
  json_open(j, key, '[');
  for (uint32_t i = 0; i < (turned ? cols : rows); i++) {
    json_open(j, NULL, '[');
    for (uint32_t k = 0; k < (turned ? rows : cols); k++)
      json_number(j, NULL, turned ? a[(size_t)k * cols + i] : a[(size_t)i * cols + k]);
    json_close(j, ']');
  }
  json_close(j, ']');
}

void json_gain(const Riccati *r, uint32_t n, uint32_t m, bool kalman, Json *j) {
  json_open(j, kalman ? "kalman" : "lqr", '{');
  json_matrix(j, kalman ? "L" : "K", r->K, m, n, kalman);
  json_matrix(j, "X", r->X, n, n, false);
  json_open(j, "eigenvalues", '[');
  for (uint32_t i = 0; i < n; i++) {
    json_open(j, NULL, '[');
    json_number(j, NULL, r->closed_re[i]);
    json_number(j, NULL, r->closed_im[i]);
    json_close(j, ']');
  }
  json_close(j, ']');
  json_number(j, "residue", r->residue);
  json_close(j, '}');
}

// ---- norms

void show_norms(const Norms *x, bool sampled, Text *out) {
  analysis_headline(out, sampled ? "Norms of the path, to y just after a sample" : "Norms of the path");
  if (!x->stable) {
    text_put(out, "  infinite: it is not stable\n");
    return;
  }
  text_printf(out, "  H2       %s%s\n", number(out, x->h2), isinf(x->h2) ? ": the input goes straight through" : "");
  text_printf(out, "  Hinf     %s", number(out, x->hinf));
  if (isinf(x->frequency)) text_put(out, " as the frequency grows");
  else text_printf(out, " at %s rad/s", number(out, x->frequency));
  text_printf(out, ", proved to be below %.12g\n", x->above);
}

void json_norms(const Norms *x, Json *j) {
  json_open(j, "norms", '{');
  json_bool(j, "stable", x->stable);
  json_number(j, "h2", x->h2);
  json_number(j, "hinf", x->hinf);
  json_number(j, "below", x->above);
  json_number(j, "frequency", x->frequency);
  json_close(j, '}');
}

// ---- sectors

static void sector_line(const Absolute *x, const char *name, const SectorBound *b, const char *words, Text *out) {
  if (!b->found) return;
  text_printf(out, "  %-8s %s < y/e < %s%s", name, number(out, x->lower), number(out, x->lower + b->k), words);
  if (isfinite(b->k) && isfinite(b->frequency)) text_printf(out, ", met at %s rad/s", number(out, b->frequency));
  text_putc(out, '\n');
}

void show_sector(const Absolute *x, Text *out) {
  analysis_headline(out, "Absolute stability: every y = f(e) in the sector, e what the path gives back with a minus");
  sector_line(x, "circle", &x->circle, ", also f(e, t)", out);
  const char *line = x->popov.found ? arena_printf(out->arena, ", q = %s", number(out, x->popov.q)) : "";
  sector_line(x, "Popov", &x->popov, line ? line : "", out);
  sector_line(x, "linear", &x->linear, ": no criterion gives more", out);
  if (!x->popov.found) text_put(out, "  Popov's criterion asks for a path that does not go straight through\n");
}

static void json_bound(Json *j, const char *key, const Absolute *x, const SectorBound *b) {
  if (!b->found) {
    json_null(j, key);
    return;
  }
  json_open(j, key, '{');
  json_number(j, "lower", x->lower);
  json_number(j, "upper", x->lower + b->k);
  json_bool(j, "unbounded", isinf(b->k));
  json_number(j, "frequency", b->frequency);
  json_number(j, "q", b->q);
  json_close(j, '}');
}

void json_sector(const Absolute *x, Json *j) {
  json_open(j, "sector", '{');
  json_bound(j, "circle", x, &x->circle);
  json_bound(j, "popov", x, &x->popov);
  json_bound(j, "linear", x, &x->linear);
  json_close(j, '}');
}

// ---- models

// One term of a sum; *first is false then.
static void put_term(double c, const char *name, bool *first, Text *out) {
  if (c == 0) return;
  text_put(out, *first ? (c < 0 ? "-" : "") : c < 0 ? " - " : " + ");
  *first = false;
  if (fabs(c) != 1) text_printf(out, "%.17g*", fabs(c));
  text_put(out, name);
}

static void put_sum(const StateSpace *s, const double *a, double b, const char *u, Text *out) {
  bool first = true;
  for (uint32_t j = 0; j < s->n; j++) {
    const char *name = arena_printf(out->arena, "x%u", j + 1);
    put_term(a[j], name ? name : "", &first, out);
  }
  put_term(b, u, &first, out);
  if (first) text_putc(out, '0');
}

// A name of the model as a name of its own: letters, digits and `_`.
static const char *plain_name(Text *out, const char *name, const char *otherwise) {
  bool ok = name && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  for (const char *c = name; ok && *c; c++)
    ok = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_';
  bool taken = ok && (strcmp(name, "t") == 0 || strcmp(name, "pi") == 0 || strcmp(name, "inf") == 0 ||
                      (name[0] == 'x' && strspn(name + 1, "0123456789") == strlen(name + 1) && name[1]));
  (void)out;
  return ok && !taken ? name : otherwise;
}

void write_realized(const RealizedModel *m, Text *out) {
  const StateSpace *s = m->s;
  const char *u = plain_name(out, m->input, "u"), *y = plain_name(out, m->output, "y");
  if (strcmp(u, y) == 0) y = strcmp(u, "y") == 0 ? "out" : "y";
  text_printf(out, "# %s of the path from %s to %s", m->form, m->input, m->output);
  bool known = isfinite(m->point_out);
  if (m->point_in != 0 || (known && m->point_out != 0))
    text_printf(out, "; deviations from %s = %.15g", m->input, m->point_in);
  if (known && (m->point_in != 0 || m->point_out != 0)) text_printf(out, ", %s = %.15g", m->output, m->point_out);
  text_putc(out, '\n');
  if (m->title) text_printf(out, "title \"%s\"\n", m->title);
  text_printf(out, "input %s = 0\n", u);
  for (uint32_t i = 0; i < s->n; i++)
    text_printf(out, "%sx%u%s", i ? ", " : "state ", i + 1, i + 1 == s->n ? "\n" : "");
  if (s->period > 0) {
    text_printf(out, "state held\nevery %.17g do held := ", s->period);
    put_sum(s, s->C, s->D[0], u, out);
    for (uint32_t i = 0; i < s->n; i++) {
      text_printf(out, ",\n  x%u := ", i + 1);
      put_sum(s, s->A + (size_t)i * s->n, s->B[i], u, out);
    }
    text_printf(out, "\noutput %s = held\n", y);
    return;
  }
  for (uint32_t i = 0; i < s->n; i++) {
    text_printf(out, "x%u' = ", i + 1);
    put_sum(s, s->A + (size_t)i * s->n, s->B[i], u, out);
    text_putc(out, '\n');
  }
  text_printf(out, "output %s = ", y);
  put_sum(s, s->C, s->D[0], u, out);
  text_putc(out, '\n');
}
