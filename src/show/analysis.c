// A linear analysis as text or JSON, section by section.
//
// in    an Analysis
// out   the channel, its poles and zeros, the verdict, margins, figures of the closed loop, remarks
//
// Angles are shown in degrees and gains also in decibels; JSON has radians and factors.
#include "show/analysis.h"

#include "show/routh_over.h"

#include "show/linear.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

const char *analysis_number(Arena *arena, double x) {
  const char *text = x == 0 ? "0" : arena_printf(arena, "%.6g", x);
  return text ? text : "";
}

const char *analysis_complex(Arena *arena, Complex x) {
  const char *text;
  if (cimag(x) == 0) return analysis_number(arena, creal(x));
  if (creal(x) == 0) text = arena_printf(arena, "%.6gi", cimag(x));
  else text = arena_printf(arena, "%.6g %c %.6gi", creal(x), cimag(x) < 0 ? '-' : '+', fabs(cimag(x)));
  return text ? text : "";
}

void analysis_headline(Text *out, const char *title) {
  size_t n = out->length;
  if (n && !(n > 1 && out->data[n - 1] == '\n' && out->data[n - 2] == '\n')) text_putc(out, '\n');
  text_printf(out, "%s\n", title);
}

// A value with its conjugate where the next one is it: "-1 +- 2i".
static const char *pair_text(Arena *arena, Complex x, bool pair) {
  if (!pair) return analysis_complex(arena, x);
  const char *text = creal(x) == 0 ? arena_printf(arena, "+-%.6gi", fabs(cimag(x)))
                                   : arena_printf(arena, "%.6g +- %.6gi", creal(x), fabs(cimag(x)));
  return text ? text : "";
}

static bool is_pair(const Complex *v, uint32_t i, uint32_t count) {
  return cimag(v[i]) != 0 && i + 1 < count && cabs(conj(v[i]) - v[i + 1]) <= 1e-9 * (1 + cabs(v[i]));
}

// ---- the path

static void text_path(const Analysis *a, Text *out) {
  bool sampled = a->path.period > 0;
  if (a->loop)
    text_printf(out, "Loop cut at %s: L = -(what comes back)/(what goes in), closed by 1 + L = 0\n", a->from);
  else text_printf(out, "Path from %s to %s\n", a->from, a->to);
  Arena *arena = out->arena;
  if (sampled) text_printf(out, "  sampled, period %s s\n", analysis_number(arena, a->path.period));
  for (uint32_t i = 0; i < a->path.delays; i++)
    text_printf(out, "%s%s s", i ? ", " : "  dead time ", analysis_number(arena, a->path.time[i]));
  if (a->path.delays) text_putc(out, '\n');
  text_printf(out, "  order %u", a->path.n);
  if (a->minimal.n != a->path.n) text_printf(out, ", of the path itself %u", a->minimal.n);
  if (a->zeros_known) text_printf(out, ", relative degree %u", a->zeros.excess);
  text_putc(out, '\n');
  if (a->zeros_known) text_printf(out, "  gain %s (of the highest powers)", analysis_number(arena, a->zeros.gain));
  text_printf(out, "%sstatic gain %s\n", a->zeros_known ? ", " : "  ",
              isnan(a->still)   ? "not known"
              : isinf(a->still) ? "infinite"
                                : analysis_number(arena, a->still));
}

static void json_complex(Json *j, Complex x) {
  json_open(j, NULL, '[');
  json_number(j, NULL, creal(x));
  json_number(j, NULL, cimag(x));
  json_close(j, ']');
}

static void json_complexes(Json *j, const char *key, const Complex *v, uint32_t count) {
  json_open(j, key, '[');
  for (uint32_t i = 0; i < count; i++) json_complex(j, v[i]);
  json_close(j, ']');
}

static void json_path(const Analysis *a, Json *j) {
  json_open(j, "path", '{');
  json_string(j, "from", a->from);
  json_string(j, "to", a->to);
  json_bool(j, "loop", a->loop);
  json_number(j, "period", a->path.period > 0 ? a->path.period : NAN);
  json_open(j, "delays", '[');
  for (uint32_t i = 0; i < a->path.delays; i++) json_number(j, NULL, a->path.time[i]);
  json_close(j, ']');
  json_count(j, "order", a->path.n);
  json_count(j, "minimal_order", a->minimal.n);
  json_close(j, '}');
  if (a->zeros_known) json_number(j, "gain", a->zeros.gain);
  else json_null(j, "gain");
  json_number(j, "static_gain", a->still);
}

// ---- poles and zeros

static void pole_line(const Analysis *a, Text *out, Complex v, bool pair, EigenSide side, uint32_t times) {
  Arena *arena = out->arena;
  // a pole z of the sampled model has the modal response of s = ln(z)/T
  Complex s = a->path.period > 0 ? (v == 0 ? -INFINITY : clog(v) / a->path.period) : v;
  text_printf(out, "  %-26s", pair_text(arena, v, pair));
  bool integrates = side == side_zero || (a->path.period > 0 && v == 1);
  if (integrates) text_put(out, " integrates");
  if (cimag(v) != 0 && isfinite(cabs(s)))
    text_printf(out, " damping %s, %s rad/s", analysis_number(arena, -creal(s) / cabs(s)),
                analysis_number(arena, cabs(s)));
  else if (side != side_zero && isfinite(cabs(s)) && creal(s) != 0)
    text_printf(out, " time constant %s s", analysis_number(arena, 1 / fabs(creal(s))));
  if (side == side_right) text_put(out, ", growing");
  if (side == side_undecided) text_put(out, ", its side is not decided numerically");
  if (side == side_axis && !integrates)
    text_printf(out, "%s on the %s", cimag(v) != 0 ? "," : "", a->path.period > 0 ? "unit circle" : "axis");
  if (times > 1) text_printf(out, " %u times", times);
  while (out->length && out->data[out->length - 1] == ' ') out->length--;
  text_putc(out, '\n');
}

static void text_poles(const Analysis *a, Text *out) {
  analysis_headline(out, a->loop ? "Poles of the open loop" : "Poles");
  const DelayPoles *more = a->poles.delayed;
  if (a->poles.count == 0 && more && !more->finite)
    text_printf(out, "  none with a real part above %s; infinitely many below\n",
                analysis_number(out->arena, more->line));
  else if (a->poles.count == 0) text_put(out, "  none\n");
  for (uint32_t i = 0; i < a->poles.count; i++) {
    bool pair = is_pair(a->poles.values, i, a->poles.count);
    uint32_t times = 1;
    // poles at 0 of a sampled path: what is on its way
    while (a->path.period > 0 && a->poles.values[i] == 0 && i + 1 < a->poles.count && a->poles.values[i + 1] == 0)
      times++, i++;
    pole_line(a, out, a->poles.values[i], pair, a->poles.side[i], times);
    i += pair;
  }
  analysis_headline(out, "Zeros");
  if (!a->zeros_known) text_put(out, "  not listed: with dead times there may be infinitely many\n");
  else if (a->zeros.count == 0) text_put(out, "  none\n");
  for (uint32_t i = 0; a->zeros_known && i < a->zeros.count; i++) {
    bool pair = is_pair(a->zeros.values, i, a->zeros.count);
    text_printf(out, "  %s\n", pair_text(out->arena, a->zeros.values[i], pair));
    i += pair;
  }
  for (uint32_t i = 0; i < a->cancelled.count; i++)
    text_printf(out, "%s%s", i ? ", " : "  not in the path, because zeros take them out: ",
                analysis_complex(out->arena, a->cancelled.items[i].pole));
  if (a->cancelled.count) text_putc(out, '\n');
}

static const char *const stability_words[] = {"not decided", "asymptotically stable", "marginal", "unstable"};

// The verdict in words; where rounding is in the way, with its bound.
static const char *stability_text(Arena *arena, const PoleList *p) {
  double most = 0;
  for (uint32_t i = 0; i < p->count; i++) most = p->side[i] == side_undecided ? fmax(most, p->bound[i]) : most;
  if (p->stability != stability_unknown || most == 0) return stability_words[p->stability];
  const char *text = arena_printf(arena, "not decided numerically: poles are known only to within %.2g", most);
  return text ? text : "";
}

static void text_stability(const Analysis *a, Text *out) {
  const PoleList *p = &a->poles, *c = &a->closed_poles;
  analysis_headline(out, "Stability");
  text_printf(out, "  %s: %s%s\n", a->loop ? "open loop" : "as it stands", stability_text(out->arena, p),
              p->exact ? ", exactly" : "");
  if (!a->posed) {
    text_put(out, "  closed by u = -y: not well posed\n");
    return;
  }
  text_printf(out, "  %s: %s\n", a->loop ? "closed loop" : "closed by u = -y", stability_text(out->arena, c));
  for (uint32_t i = 0; i < c->count && i < 12; i++) {
    bool pair = is_pair(c->values, i, c->count);
    text_printf(out, "%s%s", i ? ", " : "    poles ", pair_text(out->arena, c->values[i], pair));
    i += pair;
  }
  if (c->count > 12) text_put(out, ", ...");
  if (c->count) text_putc(out, '\n');
}

static void json_verdict(Json *j, const char *key, Stability s) {
  if (s == stability_unknown) json_null(j, key);
  else json_bool(j, key, s == stability_stable);
}

static void json_certificate(Json *j, const PoleList *p) {
  if (!p->delayed) return;
  json_open(j, "certificate", '{');
  json_bool(j, "certain", p->delayed->certain);
  json_number(j, "right_of", p->delayed->line);
  json_count(j, "counted", p->delayed->counted);
  json_close(j, '}');
}

static void json_poles(const Analysis *a, Json *j) {
  json_complexes(j, "poles", a->poles.values, a->poles.count);
  if (a->zeros_known) json_complexes(j, "zeros", a->zeros.values, a->zeros.count);
  else json_null(j, "zeros");
  json_certificate(j, &a->poles);
  json_open(j, "cancelled", '[');
  for (uint32_t i = 0; i < a->cancelled.count; i++) json_complex(j, a->cancelled.items[i].pole);
  json_close(j, ']');
  // of the model as it stands: a loop that was cut for the analysis is closed
  json_verdict(j, "stable", a->loop ? a->closed_poles.stability : a->poles.stability);
  json_open(j, "closed", '{');
  json_bool(j, "posed", a->posed);
  json_complexes(j, "poles", a->closed_poles.values, a->posed ? a->closed_poles.count : 0);
  json_verdict(j, "stable", a->posed ? a->closed_poles.stability : stability_unknown);
  json_certificate(j, &a->closed_poles);
  json_close(j, '}');
}

// ---- margins

static const char *frequency_text(Arena *arena, double w) {
  const char *text = isinf(w) ? "high frequencies" : arena_printf(arena, "%.6g rad/s", w);
  return text ? text : "";
}

static void text_margins(const Analysis *a, Text *out) {
  const Margins *m = &a->margins;
  Arena *arena = out->arena;
  if (!a->posed) return;
  analysis_headline(out, a->loop ? "Margins" : "Margins, where y is fed back by u = -y");
  for (uint32_t i = 0; i < m->gain.count; i++) {
    const Margin *x = &m->gain.items[i];
    double decibels = 20 * log10(x->value);
    text_printf(out, "  gain   %s (%.4g dB) at %s%s\n", analysis_number(arena, x->value),
                fabs(decibels) < 1e-9 ? 0 : decibels, frequency_text(arena, x->frequency),
                x->touches ? ", touching" : "");
  }
  if (m->gain.count == 0) text_put(out, "  gain   no crossing of the negative real axis\n");
  for (uint32_t i = 0; i < m->phase.count; i++) {
    const Margin *x = &m->phase.items[i];
    text_printf(out, "  phase  %s deg at %s%s\n", analysis_number(arena, x->value * 180 / pi),
                frequency_text(arena, x->frequency), x->touches ? ", touching" : "");
  }
  if (m->phase.count == 0) text_put(out, "  phase  no crossing of |L| = 1\n");
  double period = a->path.period;
  bool stable = a->closed_poles.stability == stability_stable;
  if (isfinite(m->delay) && period > 0)
    text_printf(out, "  delay  %s s: %.0f whole periods more\n", analysis_number(arena, m->delay), m->delay / period);
  else if (isnan(m->delay) && period > 0 && stable) text_put(out, "  delay  more periods than are looked at\n");
  else if (isfinite(m->delay))
    text_printf(out, "  delay  %s s, at %s\n", analysis_number(arena, m->delay), frequency_text(arena, m->delay_at));
  else if (isnan(m->delay))
    text_put(out, a->closed_poles.stability == stability_unknown
                      ? "  delay  unknown: whether the closed loop is stable is not decided\n"
                      : "  delay  none: the closed loop is not stable\n");
  else text_put(out, "  delay  no dead time makes it unstable\n");
  if (m->cut)
    text_printf(out, "  above %s, where |L| < %g, there may be further crossings\n", frequency_text(arena, m->until),
                m->least);
}

static void json_margin_list(Json *j, const char *key, const Margin *list, uint32_t count) {
  json_open(j, key, '[');
  for (uint32_t i = 0; i < count; i++) {
    json_open(j, NULL, '{');
    json_number(j, "value", list[i].value);
    json_number(j, "frequency", list[i].frequency);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_margins(const Analysis *a, Json *j) {
  json_open(j, "margins", '{');
  json_margin_list(j, "gain", a->margins.gain.items, a->margins.gain.count);
  json_margin_list(j, "phase", a->margins.phase.items, a->margins.phase.count);
  json_number(j, "delay", a->posed ? a->margins.delay : NAN);
  json_close(j, '}');
}

// ---- figures of the closed loop

static void text_figures(const Analysis *a, Text *out) {
  Arena *arena = out->arena;
  if (isnan(a->bandwidth) && isnan(a->sensitivity.value)) return;
  analysis_headline(out, "Figures");
  if (!isnan(a->bandwidth))
    text_printf(out, "  bandwidth of the %s (-3 dB)  %s\n", a->loop ? "closed loop" : "path",
                frequency_text(arena, a->bandwidth));
  if (isfinite(a->sensitivity.value))
    text_printf(out, "  sensitivity peak |1/(1 + L)|  %s at %s\n", analysis_number(arena, a->sensitivity.value),
                frequency_text(arena, a->sensitivity.frequency));
  if (isfinite(a->complementary.value))
    text_printf(out, "  resonance peak |L/(1 + L)|  %s at %s\n", analysis_number(arena, a->complementary.value),
                frequency_text(arena, a->complementary.frequency));
}

// ---- the step response and what stays

// How often the loop integrates, and its constant, of a loop with zeros at rest 0.
static int loop_type(const Analysis *a) { return a->rest.order > 0 ? a->rest.order : 0; }
static double loop_constant(const Analysis *a) {
  return !a->rest.known ? NAN : a->rest.order < 0 ? 0 : a->rest.constant;
}

static void text_step(const Analysis *a, Text *out) {
  const StepFigures *f = &a->figures;
  Arena *arena = out->arena;
  static const char *const of[] = {"step", "ramp", "parabola"};
  if (isfinite(f->final)) {
    analysis_headline(out, a->loop ? "Step response of the closed loop" : "Step response");
    text_printf(out, "  final value %s", analysis_number(arena, f->final));
    if (!isnan(f->rise)) text_printf(out, ", rise 10-90 %% in %s s", analysis_number(arena, f->rise));
    if (!isnan(f->settling)) text_printf(out, ", within 2 %% after %s s", analysis_number(arena, f->settling));
    if (a->step.cut) text_put(out, "; it takes too many steps to follow it until it rests");
    text_putc(out, '\n');
    if (f->overshoot > 0)
      text_printf(out, "  overshoot %s %%, peak %s at %s s\n", analysis_number(arena, 100 * f->overshoot),
                  analysis_number(arena, f->peak), analysis_number(arena, f->peak_time));
    if (f->undershoot > 0)
      text_printf(out, "  undershoot %s %%: it starts the other way\n", analysis_number(arena, 100 * f->undershoot));
  }
  if (isnan(a->error[0])) return;
  analysis_headline(out, a->loop ? "Errors at rest of the closed loop" : "Errors at rest, closed by u = -y");
  text_printf(out, "  type %d (poles at rest), constant %s\n", loop_type(a), analysis_number(arena, loop_constant(a)));
  for (int i = 0; i < 3; i++)
    text_printf(out, "%s%s %s", i ? ", " : "  ", of[i],
                isinf(a->error[i]) ? "grows" : analysis_number(arena, a->error[i]));
  text_putc(out, '\n');
}

static void json_step(const Analysis *a, Json *j) {
  const StepFigures *f = &a->figures;
  json_open(j, "step", '{');
  json_number(j, "final", f->final);
  json_number(j, "rise", f->rise);
  json_number(j, "settling", f->settling);
  json_number(j, "overshoot", f->overshoot);
  json_number(j, "undershoot", f->undershoot);
  json_number(j, "peak", f->peak);
  json_number(j, "peak_time", f->peak_time);
  json_close(j, '}');
  json_open(j, "errors", '{');
  json_count(j, "type", (uint64_t)loop_type(a));
  json_number(j, "constant", loop_constant(a));
  json_number(j, "step", a->error[0]);
  json_number(j, "ramp", a->error[1]);
  json_number(j, "parabola", a->error[2]);
  json_close(j, '}');
}

// ---- criteria

static void text_nyquist(const Analysis *a, Text *out) {
  const Nyquist *n = &a->nyquist;
  Arena *arena = out->arena;
  if (!a->posed) return;
  analysis_headline(out, "Nyquist");
  for (uint32_t i = 0; i < n->indented.count; i++)
    text_printf(out, "%s%s", i ? ", " : "  the contour passes on the right of poles at ",
                frequency_text(arena, n->indented.items[i]));
  if (n->indented.count) text_putc(out, '\n');
  if (n->through) {
    text_printf(out, "  the curve goes through -1 at %s: the closed loop has poles there\n",
                frequency_text(arena, n->through_at));
    return;
  }
  if (!n->known) {
    text_printf(out, "  not counted: %s\n", n->why ? n->why : "");
    return;
  }
  bool hidden = false; // a mode that does not decay, and that the curve does not see
  for (uint32_t i = 0; i < a->cancelled.count; i++) hidden = hidden || a->cancelled.items[i].side != side_left;
  text_printf(out, "  %d around -1 (clockwise), %u unstable poles of the open loop: %d of the closed loop, %s%s\n",
              n->around, n->open, n->closed, n->closed == 0 ? "stable" : "unstable",
              hidden ? ", but for the mode that a zero hides from the curve" : "");
}

static void json_nyquist(const Analysis *a, Json *j) {
  const Nyquist *n = &a->nyquist;
  json_open(j, "nyquist", '{');
  json_bool(j, "known", n->known);
  if (n->known) {
    json_number(j, "encirclements", n->around);
    json_number(j, "open", n->open);
    json_number(j, "closed", n->closed);
  }
  json_bool(j, "through", n->through);
  json_open(j, "indented", '[');
  for (uint32_t i = 0; i < n->indented.count; i++) json_number(j, NULL, n->indented.items[i]);
  json_close(j, ']');
  json_close(j, '}');
}

static const char *special_text(RouthCase special) {
  return special == routh_epsilon     ? "  first entry 0: e > 0 stands for it"
         : special == routh_auxiliary ? "  all 0: derivative of the row above"
                                      : "";
}

static void text_routh(const Analysis *a, Text *out) {
  const Routh *r = &a->routh;
  Arena *arena = out->arena;
  if (!a->routh_known) return;
  analysis_headline(out, "Routh's table of the model as it stands");
  for (uint32_t k = 0; k <= r->degree; k++) {
    const RouthRow *row = &r->rows[k];
    text_printf(out, "  s^%-3u", row->power);
    for (uint32_t i = 0; i < row->count; i++) {
      const char *entry = routh_entry(arena, row->entries[i]);
      text_printf(out, " %-11s", entry ? entry : "");
    }
    text_put(out, special_text(row->special));
    while (out->length && out->data[out->length - 1] == ' ') out->length--;
    text_putc(out, '\n');
  }
  text_printf(out, "  %u change%s of sign: %u pole%s right of the axis", r->changes, r->changes == 1 ? "" : "s",
              r->changes, r->changes == 1 ? "" : "s");
  if (r->auxiliary) text_printf(out, "; %u lie symmetric to zero", r->auxiliary);
  text_putc(out, '\n');
}

static void json_routh(const Analysis *a, Json *j) {
  const Routh *r = &a->routh;
  if (!a->routh_known) {
    json_null(j, "routh");
    return;
  }
  json_open(j, "routh", '{');
  json_open(j, "rows", '[');
  for (uint32_t k = 0; k <= r->degree; k++) {
    json_open(j, NULL, '[');
    for (uint32_t i = 0; i < r->rows[k].count; i++)
      json_string(j, NULL, routh_entry(j->out->arena, r->rows[k].entries[i]));
    json_close(j, ']');
  }
  json_close(j, ']');
  json_count(j, "changes", r->changes);
  json_close(j, '}');
}

static void json_peak(Json *j, const char *key, const Peak *p) {
  json_open(j, key, '{');
  json_number(j, "value", p->value);
  json_number(j, "frequency", p->frequency);
  json_close(j, '}');
}

static void json_figures(const Analysis *a, Json *j) {
  json_number(j, "bandwidth", a->bandwidth);
  json_peak(j, "sensitivity", &a->sensitivity);
  json_peak(j, "complementary", &a->complementary);
}

static const AnalysisSection sections[] = {
    {text_path, json_path},       {text_poles, json_poles}, {text_stability, NULL},       {text_margins, json_margins},
    {text_figures, json_figures}, {text_step, json_step},   {text_nyquist, json_nyquist}, {text_routh, json_routh},
};
enum { section_count = sizeof sections / sizeof *sections };

// ---- the locus

static void text_locus(const ShownLocus *x, Text *out) {
  const Locus *l = x->locus;
  Arena *arena = out->arena;
  if (!l || !l->points.count) return;
  const LocusPoint *p = l->points.items;
  analysis_headline(out, "Root locus of the model as it stands");
  text_printf(out, "  %u branches over %s = %s .. %s\n", l->n, x->parameter, analysis_number(arena, p[0].k),
              analysis_number(arena, p[l->points.count - 1].k));
  for (uint32_t i = 0; i < l->crossings.count; i++) {
    const LocusCrossing *c = &l->crossings.items[i];
    if (cimag(c->s) < 0) continue; // with its conjugate
    text_printf(out, "  crosses the border at %s = %.12g, %s: %s from there on\n", x->parameter, c->k,
                cimag(c->s) != 0 && creal(c->s) == 0 ? arena_printf(arena, "+-%.12gi", cimag(c->s))
                                                     : pair_text(arena, c->s, cimag(c->s) != 0),
                c->grows ? "grows" : "decays");
  }
  for (uint32_t i = 0; i < l->breaks.count; i++) {
    const LocusBreak *b = &l->breaks.items[i];
    text_printf(out, "  %s the real axis at %s = %.10g, s = %.8g\n", b->leaves ? "leaves" : "comes back to",
                x->parameter, b->k, creal(b->s));
  }
  if (l->unsure) text_printf(out, "  at %u points branches came too close to be separated\n", l->unsure);
  if (l->why) text_printf(out, "  it ends early: %s\n", l->why);
}

static void json_locus(const ShownLocus *x, Json *j) {
  const Locus *l = x->locus;
  if (!l) return;
  json_open(j, "locus", '{');
  json_string(j, "parameter", x->parameter);
  json_count(j, "branches", l->n);
  json_bool(j, "affine", l->affine);
  json_count(j, "points", l->points.count);
  json_count(j, "unsure", l->unsure);
  json_open(j, "crossings", '[');
  for (uint32_t i = 0; i < l->crossings.count; i++) {
    json_open(j, NULL, '{');
    json_number(j, "value", l->crossings.items[i].k);
    json_number(j, "re", creal(l->crossings.items[i].s));
    json_number(j, "im", cimag(l->crossings.items[i].s));
    json_count(j, "branch", l->crossings.items[i].branch + 1);
    json_bool(j, "grows", l->crossings.items[i].grows);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_open(j, "breaks", '[');
  for (uint32_t i = 0; i < l->breaks.count; i++) {
    json_open(j, NULL, '{');
    json_number(j, "value", l->breaks.items[i].k);
    json_number(j, "re", creal(l->breaks.items[i].s));
    json_bool(j, "leaves", l->breaks.items[i].leaves);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_string(j, "ends_early", l->why);
  json_close(j, '}');
}

static void text_notes(const Analysis *a, Text *out) {
  const Linearization *l = a->freed;
  if (!l->notes.count && !a->notes.count) return;
  text_putc(out, '\n');
  for (uint32_t i = 0; i < l->notes.count; i++) text_printf(out, "Note: %s\n", l->notes.items[i]);
  for (uint32_t i = 0; i < a->notes.count; i++) text_printf(out, "Note: %s\n", a->notes.items[i]);
}

// ---- large models

static void text_sparse(const Analysis *a, Text *out) {
  const SparseFigures *f = a->sparse;
  Arena *arena = out->arena;
  if (f->title) text_printf(out, "%s\n\n", f->title);
  text_printf(out, "Path from %s to %s\n  order %u, sparse: %u entries\n  static gain %s\n", a->from, a->to, f->path.n,
              f->path.start[f->path.n], isfinite(f->still) ? analysis_number(arena, f->still) : "infinite");
  analysis_headline(out, "Dominant poles, by |residue|/|real part|");
  for (uint32_t i = 0; i < f->count; i++) {
    const DominantPole *p = &f->poles[i];
    text_printf(out, "  %-30s weight %s\n", pair_text(arena, p->pole, cimag(p->pole) != 0),
                analysis_number(arena, p->weight));
  }
  if (!f->count) text_put(out, "  none was found\n");
  text_put(out,
           "\nNote: of so large a model all poles, margins and responses are not computed; `--plot bode=FILE` gives "
           "the curve\n");
}

static void json_sparse(const Analysis *a, Text *out) {
  const SparseFigures *f = a->sparse;
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "title", f->title);
  json_open(j, "path", '{');
  json_string(j, "from", a->from);
  json_string(j, "to", a->to);
  json_count(j, "order", f->path.n);
  json_close(j, '}');
  json_number(j, "static_gain", f->still);
  json_null(j, "poles");
  json_null(j, "stable");
  json_open(j, "dominant", '[');
  for (uint32_t i = 0; i < f->count; i++) {
    json_open(j, NULL, '{');
    json_number(j, "re", creal(f->poles[i].pole));
    json_number(j, "im", cimag(f->poles[i].pole));
    json_number(j, "weight", f->poles[i].weight);
    json_number(j, "error", f->poles[i].error);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
  text_putc(out, '\n');
}

// The linear model without what is asked for the path.
static Linearization own_model(const Analysis *a) {
  Linearization shown = *a->freed;
  if (shown.o->freed) shown.p = shown.C.rows = shown.D.rows = freed_cut(shown.o);
  return shown;
}

void show_linear_model(const Analysis *a, Text *out) {
  Linearization shown = own_model(a);
  show_linear(&shown, show_text, false, true, out);
}

void show_analysis(const Analysis *a, const ShownLocus *locus, ShowFormat format, Text *out) {
  if (a->sparse) {
    if (format == show_json) json_sparse(a, out);
    else text_sparse(a, out);
    return;
  }
  if (format == show_json) {
    Json json = {.out = out}, *j = &json;
    json_open(j, NULL, '{');
    Linearization shown = own_model(a);
    show_linear_members(&shown, false, j);
    for (int i = 0; i < section_count; i++) {
      if (sections[i].json) sections[i].json(a, j);
    }
    json_locus(locus, j);
    json_routh_over(locus->routh, locus->parameter, j);
    json_open(j, "remarks", '[');
    for (uint32_t i = 0; i < a->notes.count; i++) json_string(j, NULL, a->notes.items[i]);
    json_close(j, ']');
    json_close(j, '}');
    text_putc(out, '\n');
    return;
  }
  if (a->freed->o->s.title) text_printf(out, "%s\n\n", a->freed->o->s.title);
  for (int i = 0; i < section_count; i++) {
    if (sections[i].text) sections[i].text(a, out);
  }
  text_locus(locus, out);
  text_routh_over(locus->routh, locus->parameter, out);
  text_notes(a, out);
}
