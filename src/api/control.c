// Control design, from the outside: gains, norms, sectors, realizations of an analysed transfer function.
#include "show/control.h"
#include "api/analyze.h"
#include "base/number.h"
#include "control/discretize.h"

#include <math.h>
#include <string.h>

viva_design_options viva_design_defaults(void) { return (viva_design_options){0}; }

typedef struct ControlDesign {
  Arena *arena;
  const viva_model *model;
  const Analysis *a;
  const viva_design_options *o;
  Text out;  // of the answers
  Json json; // over out
  bool as_json;
  TextScope scope;
  const char *failure; // what cannot be done, in words
  viva_status status;
} ControlDesign;

static bool refuse(ControlDesign *d, viva_status status, const char *words) {
  d->failure = words;
  d->status = words ? status : VIVA_ENOMEM;
  return false;
}

// ---- weights

// n * n numbers of a value: a matrix, a vector as diagonal, a number times the identity.
static bool fill_weight(ControlDesign *d, const char *name, const Value *v, uint32_t n, double *out) {
  bool whole = v->shape == value_matrix && v->rows == n && v->cols == n,
       diagonal = v->shape == value_vector && v->rows == n;
  if (!whole && !diagonal && v->shape != value_scalar)
    return refuse(
        d, VIVA_EINPUT,
        arena_printf(d->arena, "`%s` is %s, and a %u by %u matrix is needed", name, value_describe(d->arena, v), n, n));
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n; k++) {
      ExprId id = whole ? v->items[(size_t)i * n + k] : i != k ? 0 : diagonal ? v->items[i] : v->scalar;
      Rat r;
      out[(size_t)i * n + k] = id && expr_number(&d->scope.model.pool, id, &r) ? rat_to_double(r) : 0;
    }
  }
  return true;
}

static bool read_weights(ControlDesign *d, const char *option, const char *text, uint32_t n, uint32_t m, double *Q,
                         double *R) {
  static const char *const names[] = {"Q", "R"};
  Value v[2] = {{0}, {0}};
  if (!scope_open(&d->scope, d->arena, &d->model->model) || !scope_read_matrices(&d->scope, option, text, names, 2, v))
    return refuse(d, VIVA_ENOMEM, NULL);
  if (d->scope.model.diags.errors) {
    const char *words = messages_text(d->arena, &d->scope.model.sources, &d->scope.model.diags, &(Diag){0});
    d->failure = words ? words : "";
    d->status = VIVA_EINPUT;
    return false;
  }
  for (int i = 0; i < 2; i++) {
    if (v[i].shape) continue;
    return refuse(d, VIVA_EINPUT, arena_printf(d->arena, "error: `%s` needs `%s`: `Q=1, R=1`\n", option, names[i]));
  }
  if (fill_weight(d, "Q", &v[0], n, Q) && fill_weight(d, "R", &v[1], m, R)) return true;
  const char *words = arena_printf(d->arena, "error: %s: %s\n", option, d->failure);
  return refuse(d, d->status, words);
}

// ---- gains

// Why there is no gain.
static bool no_gain(ControlDesign *d, const Riccati *r, const char *option, bool kalman) {
  const char *mode = arena_printf(d->arena, r->im > 0 ? "%.6g +- %.6gi" : "%.6g", r->re, r->im);
  const char *text = NULL;
  switch (r->status) {
  case riccati_unreachable:
    text = arena_printf(d->arena, "error: %s: the mode %s is not stable, and no %s\n", option, mode,
                        kalman ? "output sees it" : "input moves it");
    break;
  case riccati_unseen:
    text = arena_printf(d->arena, "error: %s: the mode %s is on the border of stability, and Q does not %s it\n",
                        option, mode, kalman ? "disturb" : "weigh");
    break;
  case riccati_weight: text = arena_printf(d->arena, "error: %s: %s\n", option, r->message); break;
  case riccati_failed: return refuse(d, VIVA_EFAIL, "the Riccati equation was not solved to working accuracy");
  default: return refuse(d, VIVA_ENOMEM, NULL);
  }
  return refuse(d, VIVA_EINPUT, text);
}

static bool answer_gain(ControlDesign *d, const char *text, bool kalman) {
  const LinearSystem *s = &d->a->system;
  const char *option = kalman ? "--kalman" : "--lqr";
  uint32_t n = s->n, m = kalman ? d->a->freed->o->shown : s->m;
  if (kalman && m > s->p) m = s->p;
  if (s->delays)
    return refuse(
        d, VIVA_EINPUT,
        arena_printf(d->arena, "error: %s: the model has dead times, and its state is no list of numbers\n", option));
  if (!n || !m)
    return refuse(d, VIVA_EINPUT,
                  arena_printf(d->arena, "error: %s: the model has no %s\n", option,
                               !n       ? "states"
                               : kalman ? "outputs"
                                        : "inputs"));
  double *A = matrix_new(d->arena, n, n), *B = matrix_new(d->arena, n, m), *Q = matrix_new(d->arena, n, n),
         *R = matrix_new(d->arena, m, m);
  if (!A || !B || !Q || !R) return refuse(d, VIVA_ENOMEM, NULL);
  if (!read_weights(d, option, text, n, m, Q, R)) return false;
  if (kalman) {
    matrix_transpose(n, n, s->A, A);
    // noise of the states reaches y at the next sample, as in y[k] = C x[k] + D u[k]
    matrix_transpose(m, n, s->C_before ? s->C_before : s->C, B);
  } else {
    memcpy(A, s->A, (size_t)n * n * sizeof *A);
    memcpy(B, s->B, (size_t)n * m * sizeof *B);
  }
  StateSpace space = {.n = n, .m = m, .A = A, .B = B, .period = s->period};
  Riccati r;
  riccati_solve(d->arena, &space, Q, R, &r);
  if (r.status != riccati_done) return no_gain(d, &r, option, kalman);
  GainNames names = {kalman ? s->outputs : s->inputs, s->states};
  if (d->as_json) json_gain(&r, n, m, kalman, &d->json);
  else show_gain(&r, n, m, kalman, s->period > 0, &names, &d->out);
  return true;
}

// ---- norms and sectors

static bool path_space(ControlDesign *d, const char *option, StateSpace *s) {
  *s = space_of(&d->a->minimal);
  if (!d->a->path.delays) return true;
  return refuse(d, VIVA_EINPUT, arena_printf(d->arena, "error: %s: the path has dead times\n", option));
}

static bool answer_norms(ControlDesign *d) {
  StateSpace s;
  Norms x;
  if (!path_space(d, "--norms", &s)) return false;
  if (!norms_find(d->arena, &s, &x)) return refuse(d, VIVA_EFAIL, "the norms were not found to working accuracy");
  if (d->as_json) json_norms(&x, &d->json);
  else show_norms(&x, s.period > 0, &d->out);
  return true;
}

static bool answer_sector(ControlDesign *d) {
  StateSpace s;
  Absolute x;
  if (!path_space(d, "--sector", &s)) return false;
  if (s.period > 0)
    return refuse(d, VIVA_EINPUT, "error: --sector: the path is sampled, and the criteria are for continuous ones\n");
  // a loop is already what comes back with a minus; a path u:y closes as y = f(e), e = -y of the path
  absolute_find(d->arena, &s, d->o->lower, &x);
  if (x.status == absolute_unstable) {
    const char *mode = arena_printf(d->arena, x.im > 0 ? "%.6g +- %.6gi" : "%.6g", x.re, x.im);
    return refuse(d, VIVA_EINPUT,
                  arena_printf(d->arena,
                               "error: --sector: with the slope %.6g the pole %s is not stable\n  hint: give a lower "
                               "slope that makes it so: `--sector 0.1`\n",
                               x.lower, mode));
  }
  if (x.status != absolute_done) return refuse(d, VIVA_EFAIL, "the sector was not proved to working accuracy");
  if (d->as_json) json_sector(&x, &d->json);
  else show_sector(&x, &d->out);
  return true;
}

// The path as a model file, a member of the JSON object.
static bool answer_model(ControlDesign *d, const viva_analysis *analysis) {
  char *text = NULL;
  viva_status status = viva_analysis_realize(analysis, d->o->realize, d->o->sampling, &text);
  if (status == VIVA_OK) json_string(&d->json, "model", text);
  const char *words = status == VIVA_OK || !text ? NULL : arena_printf(d->arena, "%s", text);
  viva_text_free(text);
  return status == VIVA_OK || refuse(d, status, words);
}

static viva_status hand_over(ControlDesign *d, char **text) {
  if (d->failure || d->status != VIVA_OK) {
    Text words = text_in(d->arena);
    text_put(&words, d->failure ? d->failure : "");
    viva_status handed = d->status == VIVA_ENOMEM ? VIVA_ENOMEM : hand_over_text(&words, text, NULL);
    return handed == VIVA_OK ? d->status : handed;
  }
  return hand_over_text(&d->out, text, NULL);
}

viva_status viva_analysis_design(const viva_model *model, const viva_analysis *analysis,
                                 const viva_design_options *options, viva_format format, char **text) {
  viva_design_options o = options ? *options : viva_design_defaults();
  const Analysis *a = analysis_get(analysis);
  if (text) *text = NULL;
  if (!a || !text || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return VIVA_EUSAGE;
  viva_status usable = model_status(model);
  if (usable != VIVA_OK) return usable;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  ControlDesign design = {.arena = arena, .model = model, .a = a, .o = &o, .out = text_in(arena)}, *d = &design;
  d->as_json = format == VIVA_FORMAT_JSON;
  d->json = (Json){.out = &d->out, .comma = true};
  if (d->as_json) { // members of the object of the analysis: without its last bracket
    const char *whole = viva_analysis_text(analysis, VIVA_FORMAT_JSON), *end = whole ? strrchr(whole, '}') : NULL;
    if (end) text_putn(&d->out, whole, (size_t)(end - whole));
  }
  bool ok = (!o.lqr || answer_gain(d, o.lqr, false)) && (!o.kalman || answer_gain(d, o.kalman, true));
  if (ok && o.norms) ok = answer_norms(d);
  if (ok && o.sector) ok = answer_sector(d);
  if (ok && d->as_json && o.realize) ok = answer_model(d, analysis);
  if (ok && d->as_json) text_put(&d->out, "}\n");
  viva_status status = arena_failed(arena) ? VIVA_ENOMEM : hand_over(d, text);
  arena_free(arena);
  return status;
}

// ---- realizations

static bool fraction_of(ControlDesign *d, Fraction *g) {
  const LinearSystem *s = &d->a->minimal;
  const SolveModule *module = module_load();
  Zeros z;
  Complex *poles = arena_array(d->arena, (size_t)s->n + 1, sizeof *poles);
  double *num = arena_array(d->arena, (size_t)s->n + 2, sizeof *num),
         *den = arena_array(d->arena, (size_t)s->n + 2, sizeof *den);
  if (!poles || !num || !den) return refuse(d, VIVA_ENOMEM, NULL);
  if (!module || zeros_find(d->arena, module, s, &z) != dense_done ||
      dense_eigenvalues(d->arena, module, s->n, s->A, poles, NULL) != dense_done)
    return refuse(d, VIVA_EFAIL, "the poles and zeros of the path were not found");
  // a pole that is known to be zero is no rounding of it
  uint32_t still = 0;
  for (uint32_t i = 0; i < d->a->poles.count; i++) still += d->a->poles.side[i] == side_zero && s->period == 0;
  for (; still > 0; still--) {
    uint32_t least = s->n;
    for (uint32_t i = 0; i < s->n; i++) {
      if (poles[i] != 0 && (least == s->n || cabs(poles[i]) < cabs(poles[least]))) least = i;
    }
    if (least < s->n && cabs(poles[least]) < 1e-9) poles[least] = 0;
  }
  polynomial_of(s->n, poles, 1, den);
  const Linearization *l = d->a->freed;
  const Rat *exact = l->n == s->n && s->period == 0 && l->modes.n == l->n ? l->modes.planes.characteristic : NULL;
  for (uint32_t i = 0; exact && i <= s->n; i++) den[i] = rat_to_double(exact[i]);
  polynomial_of(z.count, z.values, z.gain, num);
  if (z.gain == 0) num[0] = 0;
  *g = (Fraction){z.gain == 0 ? 0 : z.count, s->n, num, den};
  return true;
}

static bool read_sampling(ControlDesign *d, const char *text, DiscreteMethod *method, double *period) {
  static const char *const words[] = {"zoh", "tustin", "matched"};
  const char *colon = strchr(text, ':');
  for (int i = 0; colon && i < 3; i++) {
    if (strncmp(text, words[i], (size_t)(colon - text)) != 0 || strlen(words[i]) != (size_t)(colon - text)) continue;
    *method = (DiscreteMethod)i;
    char *end;
    *period = number_parse(colon + 1, &end);
    if (end != colon + 1 && !*end && *period > 0 && isfinite(*period)) return true;
  }
  return refuse(d, VIVA_EINPUT,
                arena_printf(d->arena,
                             "error: `--discretize` takes zoh:T, tustin:T or matched:T with a period T, not `%s`\n",
                             text));
}

static bool make_realization(ControlDesign *d, const char *form, const char *sampling, StateSpace *s,
                             const char **words) {
  static const char *const forms[] = {"controllable", "observable", "cascade", "parallel"};
  static const char *const names[] = {"controllable canonical form", "observable canonical form", "cascade of sections",
                                      "parallel form"};
  static const char *const kinds[] = {", sampled with a hold", ", sampled by Tustin's rule",
                                      ", sampled with matched poles and zeros"};
  int which = 0;
  DiscreteMethod method = discrete_hold;
  double period = 0;
  Fraction g;
  const char *why = NULL;
  while (which < 4 && strcmp(forms[which], form) != 0) which++;
  if (which == 4)
    return refuse(d, VIVA_EINPUT,
                  arena_printf(d->arena,
                               "error: there is no form `%s`\n  hint: controllable, observable, cascade or parallel\n",
                               form));
  if (sampling && !read_sampling(d, sampling, &method, &period)) return false;
  if (d->a->path.delays)
    return refuse(d, VIVA_EINPUT,
                  "error: the path has dead times: no such equations have it\n  hint: `--pade 4` approximates them by "
                  "rational functions of that order\n");
  if (sampling && d->a->path.period > 0) return refuse(d, VIVA_EINPUT, "error: the path is sampled already\n");
  if (!fraction_of(d, &g)) return false;
  StateSpace c;
  bool ok;
  if (sampling && method == discrete_matched)
    ok = discretize_matched(d->arena, &g, period, (RealizationForm)which, s, &why);
  else {
    ok = realize(d->arena, &g, (RealizationForm)which, &c, &why);
    c.period = d->a->path.period;
    if (ok && sampling) ok = discretize(d->arena, &c, period, method, s, &why);
    else *s = c;
  }
  if (!ok) return refuse(d, why ? VIVA_EFAIL : VIVA_ENOMEM, why);
  *words = sampling ? arena_printf(d->arena, "%s%s", names[which], kinds[method]) : names[which];
  return true;
}

// The path with rational dead times, where that was asked for. False: out of memory.
static bool with_pade(ControlDesign *d, uint32_t order, Analysis *rational) {
  if (!d->a->path.delays || !order) return true;
  *rational = *d->a;
  if (!locus_pade(d->arena, &d->a->path, order, &rational->path)) return false;
  if (!zeros_minimal(d->arena, &rational->path, &rational->minimal)) return false;
  rational->poles.count = 0; // those with dead times
  d->a = rational;
  return true;
}

viva_status viva_analysis_realize(const viva_analysis *analysis, const char *form, const char *sampling, char **text) {
  const Analysis *a = analysis_get(analysis);
  if (text) *text = NULL;
  if (!a || !text || !form) return VIVA_EUSAGE;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  ControlDesign design = {.arena = arena, .a = a, .out = text_in(arena)}, *d = &design;
  StateSpace s;
  Analysis rational;
  const char *words;
  if (!with_pade(d, analysis_pade(analysis), &rational)) refuse(d, VIVA_ENOMEM, NULL);
  else if (make_realization(d, form, sampling, &s, &words)) {
    const Linearization *l = a->freed;
    RealizedModel m = {
        .s = &s, .title = l->o->s.title, .form = words, .input = a->from, .output = a->loop ? "L" : a->to};
    m.point_out = !a->loop && l->y && l->p ? l->y[l->p - 1] : NAN; // what is watched stands last
    for (uint32_t i = 0; i < l->m; i++) {
      if (strcmp(l->inputs[i], a->from) == 0 && isfinite(l->u[i])) m.point_in = l->u[i];
    }
    write_realized(&m, &d->out);
  }
  viva_status status = arena_failed(arena) ? VIVA_ENOMEM : hand_over(d, text);
  arena_free(arena);
  return status;
}
