// Settings of a run: what the caller requested, else what the model says, else the defaults.
//
// Every number that cannot be kept is reported, all of them at once.
#include "sim/run_settings.h"

#include <string.h>

RunSettings run_defaults(void) { return (RunSettings){.to = NAN, .step = NAN, .every = NAN, .rtol = NAN, .atol = NAN}; }

typedef struct Settling {
  const System *s;
  const RunSettings *request;
  Diags *diags;
  Settled *out;
} Settling;

// ---- the method

// Methods by the names of MATLAB and SciPy; NULL: none of them.
static const char *foreign_method(const char *name) {
  static const struct {
    const char *said, *hint;
  } words[] = {
      {"ode45", "`dopri5` is the method of MATLAB's ode45; `auto` chooses one by itself"},
      {"ode23", "`bs3` is the formula of MATLAB's ode23, with a fixed step; `auto` chooses a method by itself"},
      {"ode113", "`dop853` is for tight tolerances, as MATLAB's ode113; `auto` chooses one by itself"},
      {"ode15s", "`bdf` is for stiff motion, as MATLAB's ode15s; `rodas` is another one, `auto` chooses"},
      {"ode23s", "`rodas` is a Rosenbrock method for stiff motion, as MATLAB's ode23s; `auto` chooses"},
      {"ode78", "`dop853` is a method of order 8, as MATLAB's ode78; `auto` chooses one by itself"},
      {"RK45", "`dopri5` is the method of SciPy's RK45; `auto` chooses one by itself"},
      {"DOP853", "write `dop853`"},
      {"BDF", "write `bdf`"},
      {"Radau", "`rodas` and `bdf` are for stiff motion, as SciPy's Radau; `auto` chooses"},
      {"LSODA", "`auto` changes to a stiff method where it must, as SciPy's LSODA"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i].said, name) == 0) return words[i].hint;
  }
  return NULL;
}

static void hint_method(Settling *x, const char *name) {
  const char *foreign = foreign_method(name);
  diag_hint(x->diags, "%s",
            foreign ? foreign
                    : "there are `euler heun bs3 rk4` with a fixed step, `dopri5 dop853` with their own, `rodas bdf` "
                      "for stiff motion, `verlet gauss4 gauss6 gauss8 gauss12 conserve` with a fixed step and what the "
                      "motion keeps, and `auto`");
}

static bool choose_method(Settling *x) {
  const char *said = x->s->simulate.method, *name = x->request->method ? x->request->method : said ? said : "auto";
  Settled *r = x->out;
  OdeMethod *method = &r->ode.method;
  if (strcmp(name, "auto") == 0) {
    r->ode.automatic = true;
    *method = r->rtol <= 1e-5 ? ode_dop853 : ode_dopri5;
    r->reason = r->rtol <= 1e-5 ? "auto: order 8 for a tight tolerance" : "auto: order 5 for a loose tolerance";
  } else if (!ode_method_find(name, method)) {
    Span span = x->request->method ? (Span){0} : x->s->simulate.span;
    diag_error(x->diags, diag_unknown_method, span, "unknown method `%s`", name);
    hint_method(x, name);
    return false;
  }
  r->method = ode_method_name(*method);
  r->fixed = ode_is_fixed(*method);
  return true;
}

// ---- what cannot be kept

static bool positive(Settling *x, double value, const char *what) {
  if (isfinite(value) && value > 0) return true;
  diag_error(x->diags, diag_bad_setting, (Span){0}, "%s must be a positive number", what);
  return false;
}

// Tolerances that cannot be kept, or are for other methods.
static bool check_tolerances(Settling *x) {
  const RunSettings *s = x->request;
  const Settled *r = x->out;
  const double least = 1e-15; // a few roundings
  if (r->fixed && (!isnan(s->rtol) || !isnan(s->atol))) {
    diag_error(x->diags, diag_bad_setting, (Span){0},
               "%s is for methods that choose their steps, and `%s` takes a fixed one",
               isnan(s->rtol) ? "--atol" : "--rtol", r->method);
    diag_hint(x->diags, "set the precision by `--step`, or take `--method auto`");
    return false;
  }
  if (!(r->rtol > 0) || r->rtol >= least) return true;
  diag_error(x->diags, diag_bad_setting, (Span){0},
             "the relative tolerance must be at least 1e-15: numbers have 16 digits");
  return false;
}

// What is for fixed steps alone.
static bool check_fixed(Settling *x, bool asked, const char *what, const char *hint) {
  if (!asked || x->out->fixed) return true;
  diag_error(x->diags, diag_bad_setting, (Span){0}, "%s is for methods with a fixed step, and `%s` takes its own", what,
             x->out->method);
  diag_hint(x->diags, "%s", hint);
  return false;
}

// Memories that change at every evaluation know no iterations.
static bool check_stepwise(Settling *x) {
  if (!x->request->no_events || ode_is_explicit(x->out->ode.method)) return true;
  diag_error(x->diags, diag_bad_setting, (Span){0}, "--no-events is for explicit steps, and `%s` has other ones",
             x->out->method);
  diag_hint(x->diags, "take `--method rk4`");
  return false;
}

// More rows or steps than a run may have.
static bool check_counts(Settling *x) {
  const Settled *r = x->out;
  uint64_t most = r->ode.most_steps;
  bool ok = true;
  if ((r->to - r->from) / r->every > 1e9) {
    diag_error(x->diags, diag_bad_setting, (Span){0}, "more than 1000000000 rows");
    ok = false;
  }
  if (ok && r->fixed && (r->to - r->from) / r->step > (double)most) {
    diag_error(x->diags, diag_bad_setting, (Span){0}, "%.0f steps of %.6g are more than the %llu that a run may take",
               (r->to - r->from) / r->step, r->step, (unsigned long long)most);
    diag_hint(x->diags, "take a larger `--step`, or allow more by `--most-steps`");
    ok = false;
  }
  return ok;
}

static bool check_others(Settling *x) {
  const RunSettings *s = x->request;
  bool ok = true;
  if (s->backend && !backend_find(s->backend, &x->out->backend)) {
    diag_error(x->diags, diag_bad_setting, (Span){0}, "there is no back end `%s`", s->backend);
    diag_hint(x->diags, "there are `interp`, `tcc`, `cc` and `auto`");
    ok = false;
  }
  if (s->energy && !x->s->energy.kept) {
    diag_error(x->diags, diag_bad_setting, (Span){0}, "--energy needs a model with energies");
    ok = false;
  }
  return ok;
}

// From where to where.
static bool check_span(Settling *x) {
  const Settled *r = x->out;
  if (r->from == 0) return positive(x, r->to, "the end time");
  if (isfinite(r->from) && isfinite(r->to) && r->to > r->from) return true;
  if (!isfinite(r->from))
    diag_error(x->diags, diag_bad_setting, x->s->simulate.span, "the start time is not a finite number");
  else
    diag_error(x->diags, diag_bad_setting, x->request->to == r->to ? (Span){0} : x->s->simulate.span,
               "the run begins at t = %.10g: it must end after that", r->from);
  return false;
}

// ---- the whole

static bool settle_times(Settling *x, SimulateTimes times) {
  const RunSettings *s = x->request;
  Settled *r = x->out;
  bool ok = true;
  r->from = times.from;
  r->to = run_default_end(r->from, !isnan(s->to) ? s->to : times.to);
  double length = r->to - r->from;
  double step = !isnan(s->step) ? s->step : times.step, every = !isnan(s->every) ? s->every : times.every;
  // a new --step spaces the rows as well, whatever `every` the file has
  if (!isnan(s->step) && isnan(s->every)) every = s->step;
  r->step = !isnan(step) ? step : r->fixed ? (isnan(every) ? run_default_step(length) : every) : NAN;
  r->every = !isnan(every) ? every : !isnan(step) ? step : length / (s->close_rows ? 1000 : 100);
  if (s->closest_rows && !r->fixed) r->every = fmin(r->every, length / 2000);
  ok = check_span(x) && ok;
  if (!isnan(every) && every != step) ok = positive(x, r->every, "the spacing of the rows") && ok;
  if (r->fixed || !isnan(step)) ok = positive(x, r->step, "the step") && ok;
  return ok;
}

static void put_ode(Settling *x) {
  Settled *r = x->out;
  OdeSettings *ode = &r->ode;
  ode->exact_times = x->request->no_events;
  ode->t0 = ode->start = r->from;
  ode->t1 = r->to;
  ode->step = r->step;
  ode->every = r->every;
  ode->rtol = r->rtol;
  ode->atol = r->atol;
  ode->by_scale = r->by_scale;
  ode->most_steps = x->request->most_steps ? x->request->most_steps : run_most_steps;
}

bool run_settle(const System *s, const RunSettings *settings, SimulateTimes times, bool events, Diags *diags,
                Settled *out) {
  Settling settling = {s, settings, diags, out}, *x = &settling;
  Settled *r = out;
  *r = (Settled){.backend = backend_auto};
  r->rtol = !isnan(settings->rtol) ? settings->rtol : events ? 1e-12 : 1e-11; // state errors shift its events
  r->by_scale = isnan(settings->atol);
  r->atol = !r->by_scale ? settings->atol : isnan(settings->rtol) ? 1e-13 : r->rtol / 100;
  bool ok = choose_method(x);
  ok = settle_times(x, times) && ok;
  ok = positive(x, r->rtol, "the relative tolerance") && ok;
  ok = check_tolerances(x) && ok;
  if (!(isfinite(r->atol) && r->atol >= 0)) ok = positive(x, r->atol, "the absolute tolerance") && ok;
  put_ode(x);
  ok = ok && check_fixed(x, settings->no_events, "--no-events", "take `--method rk4`");
  ok = ok && check_stepwise(x);
  ok = ok &&
       check_fixed(x, settings->check_step, "--check-step", "compare with a smaller `--rtol`, or take `--method rk4`");
  ok = ok && check_counts(x);
  return check_others(x) && ok;
}
