// A parameter estimation problem: from `fit` lines and data to residuals. See problem.h.
#include "fit/problem.h"

#include "expr/calculus.h"
#include "fit/sensitivity_table.h"
#include "sim/program_start.h"
#include "tape/numbers.h"

#include <string.h>

static const double rough_tolerance = 1e-5; // R^2 to four digits and more
static const double batch_tolerance = 1e-4; // to three

// ---- unknowns

static bool same_case(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static FitUnknown *find_unknown(FitProblem *f, const char *name, const char *in_case) {
  for (uint32_t i = 0; i < f->k; i++) {
    if (strcmp(f->unknowns[i].name, name) == 0 && same_case(f->unknowns[i].in_case, in_case)) return &f->unknowns[i];
  }
  return NULL;
}

// Is it found in each experiment for itself? A name in a line with a case belongs to that experiment.
static void add_unknown(FitProblem *f, const FitData *d, const SystemUnknownNumber *u, Diags *diags) {
  FitUnknown *old = find_unknown(f, u->name, d->fit->in_case);
  double range[2] = {NAN, NAN};
  ExprId wanted[2] = {u->from, u->to};
  if (u->from && u->to && !tape_numbers(f->arena, d->system, wanted, 2, range)) return;
  if (u->from && !(isfinite(range[0]) && isfinite(range[1])))
    diag_error(diags, diag_bad_setting, u->range, "the ends of this range are not finite numbers");
  else if (u->from && !(range[0] < range[1]))
    diag_error(diags, diag_bad_setting, u->range, "this range is %s: it must lead from a number to a larger one",
               range[0] > range[1] ? "reversed" : "empty");
  if (old && u->from) {
    diag_error(diags, diag_twice, u->span, "`%s` is unknown twice", u->name);
    return;
  }
  if (old) return;
  f->unknowns[f->k++] = (FitUnknown){
      .name = u->name, .in_case = d->fit->in_case, .from = range[0], .to = range[1], .own = NAN, .span = u->span};
}

bool fit_list_unknowns(FitProblem *f, const FitData *data, uint32_t count, Diags *diags) {
  size_t most = 1;
  for (uint32_t i = 0; i < count; i++) most += data[i].fit->unknowns.count;
  f->unknowns = arena_array(f->arena, most, sizeof *f->unknowns);
  for (uint32_t i = 0; f->unknowns && i < count; i++) {
    for (uint32_t j = 0; j < data[i].fit->unknowns.count; j++)
      add_unknown(f, &data[i], &data[i].fit->unknowns.items[j], diags);
  }
  if (f->unknowns && !f->k && !diags->errors) {
    diag_error(diags, diag_bad_setting, data[0].fit->span, "nothing is unknown: there is nothing to find");
    diag_hint(diags, "name parameters or starts with their ranges: `fit k in 0 .. 10 to ...`, or `--free k=0:10`");
  }
  return f->unknowns != NULL;
}

// ---- the model of an experiment: outputs are what was measured, unknowns without a value get one

static ExprId number(ExprPool *pool, double value) {
  char text[number_text_size];
  number_print(value, text);
  return expr_num(pool, rat_parse(pool->arena, text, strlen(text)));
}

static double middle(const FitUnknown *u) { return isnan(u->from) ? NAN : u->from + (u->to - u->from) / 2; }

// Does the text name an energy, or a flow of the account?
static bool speaks_of_energy(const System *s, Arena *arena) {
  static const char *const energies[] = {"kinetic", "potential", "stored"};
  uint32_t flows = s->energy.flows.count;
  for (uint32_t i = 0; i < flows + 3; i++) {
    const char *name =
        arena_printf(arena, "energy.%s", i < flows ? s->energy.flows.items[i].name : energies[i - flows]);
    for (SymbolId k = 1; name && k < s->pool->symbols.count; k++) {
      if (strcmp(pool_symbol_get(s->pool, k)->name, name) == 0) return true;
    }
  }
  return false;
}

// The account is not kept: its flows stay among the components, and stand still.
static void forget_energy(Arena *arena, System *s) {
  SystemEnergy none = {.kinetic = s->pool->zero, .potential = s->pool->zero, .stored = s->pool->zero};
  for (uint32_t i = 0; i < s->energy.flows.count; i++) {
    EnergyFlow flow = s->energy.flows.items[i];
    flow.power = s->pool->zero;
    vec_push(arena, &none.flows, flow);
  }
  s->energy = none;
}

bool fit_make_system(FitProblem *f, const FitData *d, System *out, Diags *diags) {
  ExprPool *pool = arena_new_of(f->arena, ExprPool);
  if (!pool || !system_clone(out, d->system, pool, f->arena)) return false;
  SystemParamList params = {0};
  for (uint32_t i = 0; i < out->params.count; i++) {
    SystemParam p = out->params.items[i];
    const FitUnknown *u = find_unknown(f, p.name, d->fit->in_case);
    if (!u) u = find_unknown(f, p.name, NULL);
    if (u && !p.value) {
      p.value = isnan(middle(u)) ? 0 : number(pool, middle(u));
      if (!p.value) {
        diag_error(diags, diag_no_value, u->span, "`%s` has neither a value nor a range to begin with", p.name);
        diag_hint(diags, "give a range: `fit %s in 0 .. 10 to ...`, or `--free %s=0:10`", p.name, p.name);
      }
    }
    vec_push(f->arena, &params, p);
  }
  out->params = params;
  if (!speaks_of_energy(out, f->arena)) forget_energy(f->arena, out);
  out->outputs = (SystemOutputList){0};
  for (uint32_t i = 0; i < d->fit->measured.count; i++) {
    const SystemMeasured *m = &d->fit->measured.items[i];
    vec_push(f->arena, &out->outputs, (SystemOutput){.name = m->name, .value = m->value, .span = m->span, .si = m->si});
  }
  return !arena_failed(f->arena);
}

// ---- columns

static void describe_column(const FitData *d, uint32_t i, double sd, FitColumn *c) {
  const SystemMeasured *m = &d->fit->measured.items[i];
  uint32_t width = d->fit->measured.count;
  *c = (FitColumn){.name = m->name, .column = m->column, .given = sd};
  for (uint32_t r = 0; r < d->count; r++) {
    double v = d->values[(size_t)r * width + i];
    if (isnan(v)) continue;
    c->points++;
    c->mean += (v - c->mean) / c->points;
  }
  for (uint32_t r = 0; r < d->count; r++) {
    double v = d->values[(size_t)r * width + i];
    if (!isnan(v)) c->total += (v - c->mean) * (v - c->mean);
  }
}

static bool describe_columns(FitProblem *f, FitExperiment *x, Diags *diags) {
  const FitData *d = x->of;
  x->width = d->fit->measured.count;
  x->columns = arena_array(f->arena, (size_t)x->width + 1, sizeof *x->columns);
  if (!x->columns) return false;
  for (uint32_t i = 0; i < x->width; i++) {
    const SystemMeasured *m = &d->fit->measured.items[i];
    FitColumn *c = &x->columns[i];
    double sd = NAN;
    if (m->sd && !tape_numbers(f->arena, d->system, &m->sd, 1, &sd)) return false;
    describe_column(d, i, sd, c);
    if (m->sd && !(sd > 0 && isfinite(sd)))
      diag_error(diags, diag_bad_setting, m->span, "the standard deviation of `%s` must be above 0", m->name);
    if (!c->points)
      diag_error(diags, diag_bad_table, m->column_span, "the column `%s` of \"%s\" has no numbers", m->column,
                 d->fit->path);
    else if (!(c->total > 0) && !m->sd) {
      diag_error(diags, diag_bad_table, m->column_span,
                 "the column `%s` of \"%s\" is constant: R^2 and its spread are not defined", m->column, d->fit->path);
      diag_hint(diags, "say how exact it is: `by %s sd 0.01`", m->name);
    }
    c->spread = c->points ? sqrt(c->total / c->points) : 0;
    f->points += c->points;
    f->noise_known = f->noise_known && m->sd;
  }
  return true;
}

// What searches divide by.
static void start_weights(FitProblem *f) {
  for (uint32_t e = 0; e < f->count; e++) {
    for (uint32_t i = 0; i < f->experiments[e].width; i++) {
      FitColumn *c = &f->experiments[e].columns[i];
      c->sd = c->start = f->noise_known || !(c->spread > 0) ? c->given : c->spread;
      f->total += c->total / (c->sd * c->sd);
    }
  }
}

// ---- experiments

// Can it be varied? What is wrong stands where the line names it.
bool fit_check_unknown(SimProgram *p, const FitUnknown *u, Diags *diags) {
  for (uint32_t i = 0; i < p->param_count; i++) {
    const SystemParam *q = &p->s.params.items[i];
    if (!q->structural || strcmp(q->name, u->name) != 0) continue;
    diag_error(diags, diag_bad_setting, u->span, "`%s` says how many things there are: it cannot be found from data",
               u->name);
    return true;
  }
  uint32_t known = diags->list.count;
  Variation one;
  bool ok = vary_names(p, &u->name, 1, diags, &one) || diags->list.count > known;
  const Source *source = source_get(diags->sources, u->span);
  for (uint32_t i = known; source && i < diags->list.count; i++) {
    diags->list.items[i].span = u->span;
    diags->list.items[i].file = source->file;
  }
  return ok;
}

void fit_name_unknown(FitProblem *f, FitUnknown *u, SimProgram *p, const VaryTarget *target) {
  u->shown = sensitivity_shown(f->arena, p, target, u->name);
  if (u->in_case) u->shown = arena_printf(f->arena, "%s in %s", u->shown, u->in_case);
  if (isnan(u->own)) u->own = sensitivity_own_value(p, target, u->name);
}

static bool find_varied(FitProblem *f, FitExperiment *x, Diags *diags) {
  const char **names = arena_array(f->arena, (size_t)f->k + 1, sizeof *names);
  x->unknown = arena_array(f->arena, (size_t)f->k + 1, sizeof *x->unknown);
  x->own = arena_array(f->arena, (size_t)f->k + 1, sizeof *x->own);
  if (!names || !x->unknown || !x->own) return false;
  for (uint32_t i = 0; i < f->k; i++) {
    const FitUnknown *u = &f->unknowns[i];
    if (u->in_case && !same_case(u->in_case, x->of->fit->in_case)) continue;
    // what an experiment has for itself hides what is shared
    if (!u->in_case && x->of->fit->in_case && find_unknown(f, u->name, x->of->fit->in_case)) continue;
    names[x->k] = u->name;
    x->unknown[x->k++] = i;
    if (!fit_check_unknown(x->at[level_exact].p, u, diags)) return false;
  }
  if (diags->errors) return true;
  uint32_t errors = diags->errors;
  for (int l = 0; l < level_count && diags->errors == errors; l++) {
    if (!vary_names(x->at[l].p, names, x->k, diags, &x->at[l].vary)) return diags->errors > errors;
  }
  for (uint32_t i = 0; diags->errors == errors && i < x->k; i++) {
    FitUnknown *u = &f->unknowns[x->unknown[i]];
    const VaryTarget *target = &x->at[level_exact].vary.targets[i];
    fit_name_unknown(f, u, x->at[level_exact].p, target);
  }
  return true;
}

// The start time of an experiment; what was measured before that cannot be compared.
static bool find_start(FitProblem *f, const FitData *d, double *from, Diags *diags) {
  ExprId said = d->system->simulate.from;
  *from = 0;
  if (system_is_curve(d->system)) return true;
  if (said && !tape_numbers(f->arena, d->system, &said, 1, from)) return false;
  if (!(d->times[0] < *from)) return true;
  diag_error(diags, diag_bad_table, d->place, "the data begins at t = %.10g, but the motion begins at t = %.10g",
             d->times[0], *from);
  diag_hint(diags, "`simulate from %.10g` in the model lets it begin there", d->times[0]);
  return true;
}

static SimProgram *make_program(FitProblem *f, const FitExperiment *x, double least_rtol, const char *method,
                                Diags *diags) {
  RunSettings *settings = arena_new_of(f->arena, RunSettings);
  ProgramReport built;
  if (!settings) return NULL;
  *settings = *f->settings;
  settings->to = x->of->times[x->of->count - 1];
  if (!(settings->to > x->from)) settings->to = x->from + 1; // rows at the start alone
  settings->every = settings->to - x->from;
  settings->rtol = fmax(settings->rtol, least_rtol);
  if (method) settings->method = method;
  if (system_is_curve(x->of->system)) { // nothing is integrated: functions switch where they are asked for
    settings->no_events = true;
    settings->method = "rk4";
    settings->step = settings->to;
    settings->rtol = settings->atol = NAN;
  }
  SimProgram *p = program_new_started(f->arena, x->system, &(ProgramRequest){.settings = settings}, diags, &built);
  if (!p && built.failure.message)
    diag_error(diags, diag_bad_setting, built.failure.place, "%s", built.failure.message);
  return p;
}

bool fit_make_batch(FitProblem *f, FitExperiment *x, bool stiff) {
  Diags diags = {.arena = f->arena, .sources = x->system->sources};
  const char **names = arena_array(f->arena, (size_t)x->k + 1, sizeof *names);
  if (!names) return false;
  for (uint32_t j = 0; j < x->k; j++) names[j] = f->unknowns[x->unknown[j]].name;
  program_free(x->batch.p);
  SimProgram *p = x->batch.p = make_program(f, x, batch_tolerance, stiff ? "rodas" : NULL, &diags);
  // what is small beside the size that a component had counts little in R^2
  if (p && p->settled.ode.by_scale) p->settled.ode.atol = fmax(p->settled.ode.atol, p->settled.ode.rtol);
  return x->batch.p && vary_names(x->batch.p, names, x->k, &diags, &x->batch.vary) && !diags.errors;
}

// A time that is repeated is asked for once. The rows of a curve stand in any order: each for itself.
static bool make_moments(FitProblem *f, FitExperiment *x) {
  const FitData *d = x->of;
  uint32_t repeated = 0;
  for (uint32_t i = 1; i < d->count && !system_is_curve(d->system); i++) repeated += d->times[i] == d->times[i - 1];
  x->moments = d->times;
  x->moment_count = d->count - repeated;
  if (!repeated) return true;
  double *moments = arena_array(f->arena, (size_t)d->count + 1, sizeof *moments);
  uint32_t *first = arena_array(f->arena, (size_t)d->count + 1, sizeof *first);
  if (!moments || !first) return false;
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->count; i++) {
    if (i && d->times[i] == d->times[i - 1]) continue;
    first[n] = i;
    moments[n++] = d->times[i];
  }
  first[n] = d->count;
  x->moments = moments;
  x->first_row = first;
  return true;
}

static bool make_experiment(FitProblem *f, FitExperiment *x, Diags *diags) {
  System *system = arena_new_of(f->arena, System);
  bool ok =
      system && make_moments(f, x) && find_start(f, x->of, &x->from, diags) && fit_make_system(f, x->of, system, diags);
  x->system = system;
  for (int l = 0; ok && !diags->errors && l < level_count; l++) {
    x->at[l].p = make_program(f, x, l == level_rough ? rough_tolerance : 0, NULL, diags);
    ok = x->at[l].p || diags->errors;
  }
  return ok && (diags->errors || find_varied(f, x, diags));
}

void fit_settle_starts(FitProblem *f) {
  for (uint32_t i = 0; i < f->k; i++) {
    FitUnknown *u = &f->unknowns[i];
    bool inside = isnan(u->from) || (u->own >= u->from && u->own <= u->to);
    u->start = isfinite(u->own) && inside ? u->own : middle(u);
    u->size = isnan(u->from) ? sensitivity_size(u->start)
                             : fmin(u->to - u->from, fmax(sensitivity_size(u->start), 1e-3 * (u->to - u->from)));
    f->least[i] = isnan(u->from) ? -INFINITY : u->from;
    f->most[i] = isnan(u->to) ? INFINITY : u->to;
  }
}

static bool make_sensitivities(FitProblem *f, FitExperiment *x) {
  double *sizes = arena_array(f->arena, (size_t)x->k + 1, sizeof *sizes),
         *least = arena_array(f->arena, (size_t)x->k + 1, sizeof *least),
         *most = arena_array(f->arena, (size_t)x->k + 1, sizeof *most);
  if (arena_failed(f->arena)) return false;
  for (uint32_t i = 0; i < x->k; i++) {
    sizes[i] = f->unknowns[x->unknown[i]].size;
    least[i] = f->least[x->unknown[i]];
    most[i] = f->most[x->unknown[i]];
  }
  for (int l = 0; l < level_count; l++) {
    Sensitivity *s = x->at[l].s = sensitivity_new(f->arena, x->at[l].p, &x->at[l].vary, sizes);
    if (!s) return false;
    s->least = least;
    s->most = most;
    s->self = f->settings->self;
    s->interrupted = f->settings->interrupted;
  }
  return true;
}

static void check_points(const FitProblem *f, Diags *diags) {
  const FitData *d = f->experiments[0].of;
  if (f->points >= f->k) return;
  diag_error(diags, diag_bad_table, d->fit->path_span, "there are fewer points than unknowns: %zu and %u", f->points,
             f->k);
}

FitProblem *fit_problem_new(Arena *arena, const FitData *data, uint32_t count, const RunSettings *settings,
                            Diags *diags) {
  FitProblem *f = arena_new_of(arena, FitProblem);
  if (!f) return NULL;
  *f = (FitProblem){.arena = arena, .settings = settings, .noise_known = true, .curve = true, .horizon = INFINITY};
  f->experiments = arena_array(arena, (size_t)count + 1, sizeof *f->experiments);
  if (!f->experiments || !fit_list_unknowns(f, data, count, diags)) return NULL;
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; i++) {
    if (!data[i].count) continue; // a line that only names unknowns
    FitExperiment *x = &f->experiments[f->count++];
    x->of = &data[i];
    f->curve = f->curve && system_is_curve(data[i].system);
    x->first = f->points;
    ok = describe_columns(f, x, diags);
  }
  check_points(f, diags);
  if (ok) start_weights(f);
  for (uint32_t i = 0; ok && !diags->errors && i < f->count; i++) ok = make_experiment(f, &f->experiments[i], diags);
  f->best = (FitBest){arena_array(arena, (size_t)f->k + 1, sizeof(double)), INFINITY};
  f->least = arena_array(arena, (size_t)f->k + 1, sizeof *f->least);
  f->most = arena_array(arena, (size_t)f->k + 1, sizeof *f->most);
  f->wide = arena_array(arena, (size_t)f->k + 1, sizeof *f->wide);
  ok = ok && !arena_failed(arena);
  if (ok && !diags->errors) fit_settle_starts(f);
  for (uint32_t i = 0; ok && !diags->errors && i < f->count; i++) ok = make_sensitivities(f, &f->experiments[i]);
  if (ok && !diags->errors) return f;
  fit_problem_free(f);
  return NULL;
}

void fit_problem_free(FitProblem *f) {
  for (uint32_t i = 0; f && i < f->count; i++) {
    for (int l = 0; l < level_count; l++) program_free(f->experiments[i].at[l].p);
    program_free(f->experiments[i].batch.p);
  }
}

// ---- residuals

bool fit_interrupted(const FitProblem *f) {
  return f->settings->interrupted && f->settings->interrupted(f->settings->self);
}

double fit_cost(const double *r, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += r[i] * r[i];
  return isfinite(sum) ? sum : INFINITY;
}

void fit_note(FitProblem *f, const double *u, double cost) {
  if (cost < f->best.cost && !f->weighed) {
    f->best.cost = cost;
    memcpy(f->best.u, u, f->k * sizeof *u);
  }
  double best = isfinite(f->best.cost) ? fit_r2(f, f->best.cost) : NAN;
  if (f->listener.told) f->listener.told(f->listener.self, f->motions, best);
}

uint32_t fit_moments_within(const FitProblem *f, const FitExperiment *x) {
  uint32_t n = x->moment_count;
  while (n > 1 && x->moments[n - 1] > f->horizon) n--;
  return n;
}

size_t fit_points_within(const FitProblem *f) {
  size_t n = 0;
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    size_t cells = (size_t)fit_first_row(x, fit_moments_within(f, x)) * x->width;
    for (size_t i = 0; i < cells; i++) n += isnan(x->of->values[i]) ? 0 : 1;
  }
  return n;
}

// ---- a pass over all points

typedef struct Passing {
  FitProblem *f;
  FitExperiment *x;
  uint32_t which, moments; // experiment; moments that came
  const FitPass *to;
  size_t at;   // the next point
  bool slopes; // are asked for; those of an experiment without unknowns are zero
  bool finite;
} Passing;

static void pass_row(Passing *p, uint32_t i, const double *values, const double *slopes) {
  const FitProblem *f = p->f;
  const FitExperiment *x = p->x;
  const double *data = x->of->values + (size_t)i * x->width;
  for (uint32_t c = 0; c < x->width; c++) {
    if (isnan(data[c])) continue;
    double sd = x->columns[c].sd, part = 1;
    FitPoint point = {.experiment = p->which, .column = c, .at = p->at++, .value = values[c]};
    point.r = loss_residual(&f->loss, (values[c] - data[c]) / sd, &part);
    p->finite = p->finite && isfinite(point.r);
    if (p->slopes) {
      memset(f->wide, 0, f->k * sizeof *f->wide);
      for (uint32_t j = 0; j < x->k; j++) {
        double s = part * slopes[c * x->k + j] / sd;
        f->wide[x->unknown[j]] = s;
        p->finite = p->finite && isfinite(s);
      }
      point.slopes = f->wide;
    }
    p->to->point(p->to->self, &point);
  }
}

static void pass_moment(void *self, uint32_t i, const double *values, const double *slopes) {
  Passing *p = self;
  p->moments++;
  for (uint32_t r = fit_first_row(p->x, i); r < fit_first_row(p->x, (size_t)i + 1); r++) pass_row(p, r, values, slopes);
}

// *again: sensitivities go by differences from here on, and the pass begins again.
static bool pass_experiment(FitProblem *f, uint32_t e, const double *u, bool slopes, const FitPass *to, bool *again) {
  FitExperiment *x = &f->experiments[e];
  Sensitivity *s = x->at[f->level].s;
  Passing passing = {.f = f, .x = x, .which = e, .to = to, .at = x->first, .slopes = slopes, .finite = true};
  SensitivitySink sink = {&passing, pass_moment};
  uint32_t moments = fit_moments_within(f, x);
  uint64_t before = s->motions;
  RunFailure failure;
  for (uint32_t j = 0; j < x->k; j++) x->own[j] = u[x->unknown[j]];
  *again = !sensitivity_stream(s, x->own, x->moments, moments, slopes, &sink, &failure);
  f->motions += s->motions - before;
  if (*again || (failure.status == run_done && passing.finite && passing.moments == moments)) return true;
  f->failure = failure.message ? failure.message : "the motion does not reach the end of the data";
  f->failure_place = failure.place;
  return false;
}

bool fit_pass(FitProblem *f, const double *u, bool slopes, const FitPass *pass) {
  f->failure = NULL;
  pass->begin(pass->self);
  for (uint32_t e = 0; e < f->count; e++) {
    bool again;
    if (!pass_experiment(f, e, u, slopes, pass, &again)) return false;
    if (!again) continue;
    pass->begin(pass->self);
    e = UINT32_MAX; // from the first
  }
  return true;
}

typedef struct ResidualTable {
  const FitProblem *f;
  double *r, *slopes;
} ResidualTable;

// What is beyond the horizon counts nothing.
static void clear_table(void *self) {
  const ResidualTable *t = self;
  memset(t->r, 0, t->f->points * sizeof *t->r);
  if (t->slopes) memset(t->slopes, 0, t->f->points * t->f->k * sizeof *t->slopes);
}

static void put_point(void *self, const FitPoint *p) {
  const ResidualTable *t = self;
  t->r[p->at] = p->r;
  if (t->slopes) memcpy(t->slopes + p->at * t->f->k, p->slopes, t->f->k * sizeof *t->slopes);
}

bool fit_residuals(FitProblem *f, const double *u, double *r, double *slopes) {
  ResidualTable table = {f, r, slopes};
  if (!fit_pass(f, u, slopes != NULL, &(FitPass){&table, clear_table, put_point})) return false;
  if (isinf(f->horizon)) fit_note(f, u, fit_cost(r, f->points));
  return true;
}

// An experiment with one column has its residuals in a row.
size_t fit_column_room(const FitProblem *f) {
  size_t most = 1;
  for (uint32_t e = 0; e < f->count; e++) {
    const FitExperiment *x = &f->experiments[e];
    if (x->width > 1 && x->of->count > most) most = x->of->count;
  }
  return most;
}

const double *fit_column(const FitProblem *f, const double *r, uint32_t experiment, uint32_t column, double *room,
                         size_t *count) {
  const FitExperiment *x = &f->experiments[experiment];
  size_t at = x->first, n = 0, cells = (size_t)x->of->count * x->width;
  *count = x->columns[column].points;
  if (x->width == 1) return r + at;
  for (size_t i = 0; i < cells; i++) {
    if (isnan(x->of->values[i])) continue;
    if (i % x->width == column) room[n++] = r[at];
    at++;
  }
  return room;
}

static void clear_sums(void *self) { least_sums_clear(self); }
static void sum_point(void *self, const FitPoint *p) {
  LeastSums *s = self;
  if (p->slopes) least_sums_add(s, p->r, p->slopes);
  else s->cost += p->r * p->r;
}

bool fit_sums(FitProblem *f, const double *u, bool slopes, LeastSums *sums) {
  if (!fit_pass(f, u, slopes, &(FitPass){sums, clear_sums, sum_point})) return false;
  if (slopes) least_sums_finish(sums);
  if (isinf(f->horizon)) fit_note(f, u, isfinite(sums->cost) ? sums->cost : INFINITY);
  return true;
}
