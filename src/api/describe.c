// Describing functions, from the outside: a `let` of the model as a function of one signal,
// and the limit cycles of its loop.
#include "analyze/response.h"
#include "api/analyze.h"
#include "api/cycles.h"
#include "control/nonlinearity.h"
#include "expr/decide.h"
#include "expr/print.h"

#include <math.h>
#include <string.h>

typedef struct Describe {
  Arena *arena;
  const char *signal;
  viva_analysis *analysis;
  ExprId value, e;  // in the pool of the model, whose ids hold in copies
  const char *text; // of e
  Nonlinearity n;
  Response response;
  LimitCycleList cycles;
  CycleRun *runs; // of the first cycles
  uint32_t run_count;
  double low, high;
  Text out;
  viva_status status;
} Describe;

static bool refuse(Describe *d, viva_status status, const char *words) {
  d->out = text_in(d->arena);
  text_put(&d->out, words ? words : "");
  d->status = words ? status : VIVA_ENOMEM;
  return false;
}

static const SystemInput *input_named(const System *s, const char *name) {
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    if (strcmp(s->inputs.items[i].name, name) == 0) return &s->inputs.items[i];
  }
  return NULL;
}

// The names of the model that are numbers, but for the signal itself.
typedef struct NamedSignal {
  VEC(ExprId) values;
  VEC(const char *) names;
} NamedSignal;

static void find_named(Describe *d, const viva_model *model, NamedSignal *out) {
  const Elab *e = model->model.scope;
  for (uint32_t i = 0; i < e->names.decls.count; i++) {
    const Decl *x = e->names.decls.items[i];
    bool signal = x->kind == decl_let || x->kind == decl_output;
    if (!signal || x->value.shape != value_scalar || strcmp(x->name, d->signal) == 0) continue;
    vec_push(d->arena, &out->values, x->value.scalar);
    vec_push(d->arena, &out->names, x->name);
  }
}

// e as a text that --path takes: a name, a multiple of one, or as it is where it has names of the text alone.
static const char *text_of(Describe *d, ExprPool *pool, const NamedSignal *named) {
  for (uint32_t i = 0; i < named->values.count; i++) {
    if (named->values.items[i] == d->e) return named->names.items[i];
  }
  for (uint32_t i = 0; i < named->values.count; i++) {
    if (expr_is_zero(pool, named->values.items[i])) continue;
    ExprId ratio = expr_short(pool, d->arena, expr_div(pool, d->e, named->values.items[i]));
    if (!ratio || !expr_only_kinds(pool, ratio, kind_set(sym_param))) continue;
    bool sum = expr_op(pool, ratio) == op_add;
    return arena_printf(d->arena, "%s%s%s*%s", sum ? "(" : "", expr_text(pool, d->arena, ratio), sum ? ")" : "",
                        named->names.items[i]);
  }
  const char *text = expr_text(pool, d->arena, d->e);
  return strchr(text, '.') ? NULL : text;
}

static bool find_path(Describe *d, const viva_model *model, const char **path) {
  System copy;
  NamedSignal named = {0};
  ExprPool *pool = arena_new_of(d->arena, ExprPool);
  const SystemInput *in = input_named(&model->system, d->signal);
  if (!in)
    return refuse(d, VIVA_EINPUT,
                  arena_printf(d->arena, "error: --describe: `%s` is no `let` of the model\n", d->signal));
  if (!pool || !system_clone(&copy, &model->system, pool, d->arena)) return refuse(d, VIVA_ENOMEM, NULL);
  find_named(d, model, &named);
  d->value = in->value;
  d->e = nonlinearity_argument(&copy, in->value, named.values.items, named.values.count);
  d->text = d->e ? text_of(d, pool, &named) : NULL;
  if (!d->text)
    return refuse(d, VIVA_EINPUT,
                  arena_printf(d->arena,
                               "error: --describe: `%s` is no function of one other signal\n  hint: give the "
                               "nonlinearity and its argument `let`s of their own: `let v = limit(e, -1, 1)`\n",
                               d->signal));
  *path = arena_printf(d->arena, "%s:%s", d->signal, d->text);
  return *path ? true : refuse(d, VIVA_ENOMEM, NULL);
}

static bool analyse(Describe *d, const viva_model *model, const viva_analyze_options *options) {
  viva_analyze_options o = *options;
  const char *path;
  if (!find_path(d, model, &path)) return false;
  o.path = path;
  o.open = d->signal;
  // a block that remembers never rests where it switches: the point is that of no output
  const char *still = arena_printf(d->arena, "%s=0", d->signal);
  bool remembers = expr_has_kind(&model->model.pool, d->value, sym_memory);
  if (remembers && !o.at_count && o.point == VIVA_AT_EQUILIBRIUM) {
    o.at = &still;
    o.at_count = 1;
  }
  viva_status status = viva_analyze(model, &o, &d->analysis);
  if (status == VIVA_OK) return true;
  const char *message = viva_analysis_message(d->analysis);
  return refuse(d, status, message ? message : viva_status_text(status));
}

static bool loop_at(void *self, double w, Complex *out) {
  *out = response_frequency(self, w);
  return isfinite(creal(*out)) && isfinite(cimag(*out));
}

// Frequencies three decades beside the poles.
static void find_band(const Analysis *a, double *low, double *high) {
  *low = INFINITY;
  *high = 0;
  for (uint32_t i = 0; i < a->poles.count; i++) {
    double w = cabs(a->poles.values[i]);
    if (w == 0) continue;
    *low = fmin(*low, w / 1000);
    *high = fmax(*high, w * 1000);
  }
  if (!(*low < *high)) {
    *low = 1e-3;
    *high = 1e3;
  }
}

// Is every other pole of the loop with N(A) instead of f left of the imaginary axis? Eigenvalues of
// A + B N C/(1 - N D), as a real matrix of twice the size.
static bool others_decay(Describe *d, const LinearSystem *s, const LimitCycle *c) {
  uint32_t n = s->n, k = 2 * n;
  double *m = matrix_new(d->arena, k, k), *bound = matrix_new(d->arena, k, 1);
  Complex *w = arena_array(d->arena, (size_t)k + 1, sizeof *w), gain = c->n / (1 - c->n * s->D[0]);
  const SolveModule *module = module_load();
  if (!m || !bound || !w || !module) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      double both = s->B[i] * s->C[j], re = s->A[(size_t)i * n + j] + creal(gain) * both, im = cimag(gain) * both;
      m[(size_t)i * k + j] = m[(size_t)(n + i) * k + n + j] = re;
      m[(size_t)i * k + n + j] = -im;
      m[(size_t)(n + i) * k + j] = im;
    }
  }
  if (dense_eigenvalues(d->arena, module, k, m, w, bound) != dense_done) return false;
  for (uint32_t i = 0; i < k; i++) {
    if (creal(w[i]) > fmax(1e-6 * c->frequency, bound[i])) return false;
  }
  return true;
}

// A cycle is stable where a larger one decays and nothing else grows. With dead times there are infinitely many poles:
// of all cycles the one at which the path is largest has none of them to its right.
static void judge_cycles(Describe *d, const LinearSystem *s) {
  uint32_t outermost = 0;
  for (uint32_t i = 0; i < d->cycles.count; i++) {
    if (cabs(d->cycles.items[i].n) < cabs(d->cycles.items[outermost].n)) outermost = i;
  }
  for (uint32_t i = 0; i < d->cycles.count; i++) {
    LimitCycle *c = &d->cycles.items[i];
    c->stable = c->stable && (s->delays ? i == outermost : others_decay(d, s, c));
  }
}

static bool find_cycles(Describe *d) {
  const Analysis *a = analysis_get(d->analysis);
  if (a->path.period > 0) return refuse(d, VIVA_EINPUT, "error: --describe: the loop is sampled\n");
  if (!nonlinearity_find(a->freed->o, d->value, d->e, &d->n)) return refuse(d, VIVA_ENOMEM, NULL);
  if (d->n.why)
    return refuse(
        d, VIVA_EINPUT,
        arena_printf(d->arena, "error: --describe: `%s` has no describing function: %s\n", d->signal, d->n.why));
  const SolveModule *module = module_load();
  if (!module || response_open(&d->response, d->arena, module, &a->path) != dense_done)
    return refuse(d, VIVA_EFAIL, "the response of the path was not found");
  find_band(a, &d->low, &d->high);
  if (!describing_cycles(d->arena, &d->n.describing, loop_at, &d->response, d->low, d->high, &d->cycles))
    return refuse(d, VIVA_ENOMEM, NULL);
  judge_cycles(d, &a->path);
  return true;
}

// The first cycles, checked by simulation.
static bool check_cycles(Describe *d, const viva_model *model, const viva_analyze_options *o) {
  const Analysis *a = analysis_get(d->analysis);
  d->run_count = d->cycles.count < describing_shown ? d->cycles.count : describing_shown;
  d->runs = arena_array(d->arena, (size_t)d->run_count + 1, sizeof *d->runs);
  if (!d->runs) return refuse(d, VIVA_ENOMEM, NULL);
  for (uint32_t i = 0; i < d->run_count; i++) {
    if (!cycle_check(d->arena, model, a, &d->cycles.items[i], d->e, o, &d->runs[i]))
      return refuse(d, VIVA_ENOMEM, NULL);
    if (d->runs[i].interrupted) return refuse(d, VIVA_EINTERRUPTED, viva_status_text(VIVA_EINTERRUPTED));
  }
  return true;
}

viva_status viva_describe(const viva_model *model, const char *signal, const viva_analyze_options *options,
                          viva_format format, char **text) {
  viva_analyze_options o = options ? *options : viva_analyze_defaults();
  if (text) *text = NULL;
  if (!text || !signal || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return VIVA_EUSAGE;
  viva_status usable = model_status(model);
  if (usable != VIVA_OK) return usable;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Describe describe = {.arena = arena, .signal = signal, .out = text_in(arena)}, *d = &describe;
  if (analyse(d, model, &o) && find_cycles(d) && check_cycles(d, model, &o)) {
    ShownDescribing shown = {.title = analysis_get(d->analysis)->freed->o->s.title,
                             .signal = d->signal,
                             .e = d->text,
                             .words = d->n.words,
                             .describing = &d->n.describing,
                             .cycles = &d->cycles,
                             .runs = d->runs,
                             .run_count = d->run_count,
                             .low = d->low,
                             .high = d->high};
    show_describing(&shown, format == VIVA_FORMAT_JSON ? show_json : show_text, &d->out);
  }
  viva_status status =
      arena_failed(arena) || d->status == VIVA_ENOMEM ? VIVA_ENOMEM : hand_over_text(&d->out, text, NULL);
  if (status == VIVA_OK) status = d->status;
  viva_analysis_free(d->analysis);
  arena_free(arena);
  return status;
}

// ---- pictures

static bool draw(Describe *d, bool table, const viva_figure_options *o, viva_picture picture, char **data,
                 size_t *length) {
  AnalysisPlot *p = arena_new_of(d->arena, AnalysisPlot);
  Text out = text_in(d->arena);
  const char *problem;
  if (!p) return refuse(d, VIVA_ENOMEM, NULL);
  *p = (AnalysisPlot){.a = analysis_get(d->analysis), .kind = curve_describing, .cycles = &d->cycles};
  d->status = curve_status(describing_table(d->arena, module_load(), p->a, &d->n.describing, &d->cycles, &p->table));
  if (d->status != VIVA_OK) return false;
  if (table) {
    analysis_csv(&p->table, &out);
    d->status = hand_over_text(&out, data, length);
    return d->status == VIVA_OK;
  }
  bool terminal = picture == VIVA_PICTURE_TERMINAL;
  d->status = analysis_picture(p, o, terminal, NULL, &out);
  if (d->status == VIVA_OK) d->status = picture_bytes(picture, &out, &problem, data, length);
  return d->status == VIVA_OK;
}

viva_status viva_describe_draw(const viva_model *model, const char *signal, const viva_analyze_options *options,
                               bool table, const viva_figure_options *figure, viva_picture picture, char **data,
                               size_t *length) {
  viva_analyze_options o = options ? *options : viva_analyze_defaults();
  viva_figure_options f = figure ? *figure : viva_figure_defaults();
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!data || !length || !signal) return VIVA_EUSAGE;
  if (!table && picture != VIVA_PICTURE_TERMINAL && !picture_is_still(picture)) return VIVA_EUSAGE;
  viva_status usable = model_status(model);
  if (usable != VIVA_OK) return usable;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Describe describe = {.arena = arena, .signal = signal, .out = text_in(arena)}, *d = &describe;
  bool done = analyse(d, model, &o) && find_cycles(d) && draw(d, table, &f, picture, data, length);
  viva_status status = arena_failed(arena) ? VIVA_ENOMEM : d->status;
  if (!done && status != VIVA_ENOMEM && d->out.length) {
    viva_status handed = hand_over_text(&d->out, data, length);
    if (handed != VIVA_OK) status = handed;
  }
  viva_analysis_free(d->analysis);
  arena_free(arena);
  return status;
}
