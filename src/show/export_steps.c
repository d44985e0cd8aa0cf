// The steps of an exported model with memories, delays, `when` and `every`, as C.
//
// in    the tapes of ExportEvents: rules (memories, conditions, values, ...), inputs, histories, dead times of delays
// out   NAME_memory, NAME_past, NAME_begin, NAME_step
// how   as sim/stepwise.c does it inside a run: the four evaluations of a step each see the delayed signals, and leave
//       the memories as they become; at the end of the step `every` and `when` act, the first of the text first
//
// The order of the workspace is described in export_text.c.
#include "show/export_steps.h"

uint32_t export_steps_tapes(const ExportEvents *e, const Tape **tapes, const char **names) {
  tapes[0] = e->rules;
  names[0] = "rules";
  if (!e->delays) return 1;
  tapes[1] = e->inputs;
  names[1] = "inputs";
  tapes[2] = e->history;
  names[2] = "history";
  tapes[3] = e->times;
  names[3] = "dead_times";
  return 4;
}

static uint32_t at_least_one(uint32_t n) { return n ? n : 1; } // C has no empty arrays

// ---- the header

void export_steps_header(const ExportShow *s, Text *o) {
  const ExportEvents *e = s->e->events;
  export_put(s, o,
             "/* What the model remembers beside y. Nothing in it needs to be known, but it may be copied as it is.\n");
  for (uint32_t i = 0; i < e->memories + e->delays; i++) {
    text_printf(o, " *   z[%u]  ", i);
    for (const char *c = e->names[i]; *c; c++)
      text_putc(o, *c == '*' || *c == '/' || (unsigned char)*c < 32 ? ' ' : *c);
    text_put(o, i < e->memories ? "\n" : ", delayed\n");
  }
  text_printf(o, " */\nenum { %s_MEMORIES = %u, %s_DELAYS = %u, %s_EVENTS = %u };\n", s->upper, e->memories, s->upper,
              e->delays, s->upper, e->whens.count);
  text_printf(
      o,
      "typedef struct %s_memory {\n  %s_real z[%u];\n  unsigned char was[%u];           /* conditions of `when` */\n"
      "  unsigned long long ticks[%u];    /* samples of `every` until now */\n"
      "  unsigned long long evaluations, lag[%u], room;\n  %s_real start, dead[%u], *past;\n} %s_memory;\n\n",
      s->name, s->name, at_least_one(e->memories + e->delays), at_least_one(e->whens.count),
      at_least_one(e->whens.count), at_least_one(e->delays), s->name, at_least_one(e->delays), s->name);
  export_put(
      s, o,
      "/* The motion in fixed steps that locate nothing, as `viva run --no-events --method rk4 --step h`: memories of "
      "blocks\n"
      " * change as the four evaluations of a step see them, a delay is a whole number of steps long, `when` and "
      "`every` act at the\n"
      " * end of a step.\n"
      " *\n"
      " *   @n_memory m;\n"
      " *   @n_real past[N];                     N = @n_past(p, h), which is 0 without delays\n"
      " *   int go = @n_begin(0, h, y, p, w, &m, past);\n"
      " *   for (long i = 0; go == 0; i++) go = @n_step(i*h, h, (i + 1)*h, y, w, &m);\n"
      " *\n"
      " * Both return 0: go on, 1: the model said `stop`, -1: what the model demands does not hold (a delay that is no "
      "whole number\n"
      " * of steps, the period of `every` not positive, limits that cross). @n_f, @n_outputs and @n_energies see what\n"
      " * the model remembered at the end of the step. */\n"
      "unsigned long long @n_past(const @n_real *p, @n_real h);\n"
      "int @n_begin(@n_real t, @n_real h, @n_real *y, const @n_real *p, @n_real *w, @n_memory *m, @n_real *past);\n"
      "/* From t to end, which is t + h as the caller counts its time. */\n"
      "int @n_step(@n_real t, @n_real h, @n_real end, @n_real *y, @n_real *w, @n_memory *m);\n");
}

// ---- the source

void export_steps_prepare(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  uint32_t params = e->system->params.count, at = e->f->slot_count + e->rows->slot_count;
  const Tape *tapes[export_most_tapes];
  const char *names[export_most_tapes];
  uint32_t count = export_steps_tapes(e->events, tapes, names);
  for (uint32_t i = 0; i < count && i < 3; i++) { // dead times have no workspace of their own
    if (params) text_printf(o, "  for (unsigned i = 0; i < %u; i++) w[%u + i] = p[i];\n", params, at);
    text_printf(o, "  %s_%s_prepare(w + %u);\n", s->name, names[i], at);
    at += tapes[i]->slot_count;
  }
}

// static void NAME_see_WHAT(t, y, m, w, out): the results of a tape, with the present values of memory blocks.
static void put_evaluation(const ExportShow *s, const EmitJob *job, const char *what, uint32_t at, Text *o) {
  const Export *e = s->e;
  const ExportEvents *v = e->events;
  text_printf(o,
              "static void see_%s(viva_real t, const viva_real *y, const %s_memory *m, viva_real *w, viva_real *out) "
              "{\n  w += %u;\n",
              what, s->name, at);
  export_put_variables(s, o);
  if (v->memories + v->delays)
    text_printf(o, "  for (unsigned i = 0; i < %u; i++) w[%u + i] = m->z[i];\n", v->memories + v->delays,
                export_memory_at(e));
  else text_put(o, "  (void)m;\n");
  text_printf(o, "  %s_%s(w);\n", s->name, what);
  if (!job->tape->output_count) text_put(o, "  (void)out;\n");
  for (uint32_t i = 0; i < job->tape->output_count; i++) {
    text_printf(o, "  out[%u] = ", i);
    emit_result(job, i);
    text_put(o, ";\n");
  }
  text_put(o, "}\n\n");
}

static void put_delays(const ExportShow *s, const EmitJob *times, Text *o) {
  const ExportEvents *v = s->e->events;
  uint32_t params = s->e->system->params.count;
  if (!v->delays) {
    export_put(
        s, o,
        "unsigned long long @n_past(const viva_real *p, viva_real h) {\n  (void)p;\n  (void)h;\n  return 0;\n}\n\n");
    return;
  }
  text_printf(o, "static void see_dead_times(const viva_real *p, viva_real *out) {\n  viva_real w[%u];\n",
              at_least_one(times->tape->slot_count));
  text_printf(o, params ? "  for (unsigned i = 0; i < %u; i++) w[i] = p[i];\n" : "  (void)p;\n", params);
  export_put(s, o, "  @n_dead_times_prepare(w);\n  @n_dead_times(w);\n");
  for (uint32_t i = 0; i < v->delays; i++) {
    text_printf(o, "  out[%u] = ", i);
    emit_result(times, i);
    text_put(o, ";\n");
  }
  export_put(
      s, o,
      "}\n\n/* Sets of inputs that are kept: the longest delay in evaluations, four a step, and one more. */\n"
      "unsigned long long @n_past(const viva_real *p, viva_real h) {\n"
      "  viva_real dead[@N_DELAYS];\n  unsigned long long most = 0;\n  see_dead_times(p, dead);\n"
      "  for (unsigned i = 0; i < @N_DELAYS; i++) {\n"
      "    unsigned long long lag = dead[i] > 0 ? 4*(unsigned long long)llround((double)(dead[i]/h)) : 0;\n"
      "    if (lag > most) most = lag;\n  }\n  return (most + 1)*@N_DELAYS;\n}\n\n"
      "static void see_delayed(viva_real t, const viva_real *y, viva_real *w, @n_memory *m) {\n"
      "  viva_real before[@N_DELAYS];\n"
      "  for (unsigned i = 0; i < @N_DELAYS; i++) {\n"
      "    viva_real *z = &m->z[@N_MEMORIES + i];\n"
      "    if (m->dead[i] == 0) {\n      *z = 0;\n"
      "    } else if (m->evaluations >= m->lag[i]) {\n"
      "      *z = m->past[(m->evaluations - m->lag[i])%m->room*@N_DELAYS + i];\n"
      "    } else {\n      see_history(t - m->dead[i], y, m, w, before);\n      *z = before[i];\n    }\n  }\n}\n\n");
}

// One evaluation of the right-hand side, and what it leaves behind.
static void put_stage(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  const ExportEvents *v = e->events;
  uint32_t z = export_memory_at(e), total = v->memories + v->delays;
  text_printf(o,
              "/* The right-hand side and the outputs see what is remembered. */\nstatic void show_memory(const "
              "%s_memory *m, viva_real *w) {\n",
              s->name);
  if (total)
    text_printf(o, "  for (unsigned i = 0; i < %u; i++) w[%u + i] = w[%u + i] = m->z[i];\n", total, z,
                e->f->slot_count + z);
  else text_put(o, "  (void)m;\n  (void)w;\n");
  if (e->constraints) export_bound_memory(s, total, o);
  export_put(
      s, o, "}\n\nstatic void stage(viva_real t, const viva_real *y, viva_real *dydt, viva_real *w, @n_memory *m) {\n");
  if (v->delays) text_put(o, "  see_delayed(t, y, w, m);\n");
  text_printf(o, "  show_memory(m, w);\n  %s_f(t, y, dydt, w);\n", export_bound_rates(s));
  if (v->delays) export_put(s, o, "  see_inputs(t, y, m, w, m->past + m->evaluations%m->room*@N_DELAYS);\n");
  bool any = false;
  for (uint32_t i = 0; i < v->memories; i++) any = any || !v->fixed[i];
  if (any) {
    text_printf(o, "  viva_real rule[%u];\n  see_rules(t, y, m, w, rule);\n", v->rules->output_count);
    for (uint32_t i = 0; i < v->memories; i++) {
      if (!v->fixed[i])
        text_printf(o, "  %sm->z[%u] = rule[%u];\n", v->each_step[i] ? "if (m->evaluations%4 == 0) " : "", i, i);
    }
  }
  text_put(o, "  m->evaluations++;\n}\n\n");
}

static void put_sample_time(const ExportShow *s, Text *o) {
  const char *f = s->single ? "f" : "";
  text_printf(o,
              "/* The k-th time of an `every`: multiples of 0.1 fall on 0.6, not on 0.6000000000000001. */\n"
              "static viva_real sample_time(viva_real start, viva_real period, unsigned long long k) {\n"
              "  for (viva_real scale = 1; scale <= 1e9%s; scale *= 10) {\n"
              "    viva_real whole = (viva_real)round(period*scale), off = period*scale - whole;\n"
              "    if (whole >= 1 && (off < 0 ? -off : off) < %s*whole) return start + (viva_real)k*whole/scale;\n"
              "  }\n  return start + (viva_real)k*period;\n}\n\n",
              f, s->single ? "1e-6f" : "1e-12");
}

static void put_assign(const ExportShow *s, Text *o) {
  const ExportEvents *v = s->e->events;
  text_put(o, "/* What a `when` or `every` sets. */\nstatic void assign(unsigned which, const viva_real *rule, ");
  text_printf(o, "viva_real *y%s) {\n  switch (which) {\n", s->e->constraints ? ", viva_real t, viva_real *w" : "");
  for (uint32_t i = 0; i < v->whens.count; i++) {
    const ExportWhen *when = &v->whens.items[i];
    text_printf(o, "  case %u:\n", i);
    for (uint32_t k = 0; k < when->count; k++) {
      const ExportAssign *a = &v->assigns.items[when->first + k];
      text_printf(o, "    y[%u] = rule[%u];\n", a->target, a->result);
    }
    if (when->count) export_put_balls(s, "    ", o);
    if (s->e->constraints && when->moves) text_put(o, "    impulse(t, y, w);\n");
    text_put(o, "    break;\n");
  }
  text_printf(o, "  default: (void)rule; (void)y; %sbreak;\n  }\n}\n\n", s->e->constraints ? "(void)t; (void)w; " : "");
}

// What constraints need beside it.
static const char *at_constraints(const ExportShow *s) { return s->e->constraints ? ", t, w" : ""; }

// Inside `happen`: each `every` whose time has come.
static void put_samples(const ExportShow *s, Text *o) {
  const ExportEvents *v = s->e->events;
  for (uint32_t i = 0; i < v->whens.count; i++) {
    if (!v->whens.items[i].every) continue;
    if (v->whens.items[i].once)
      text_printf(o,
                  "  if (!m->ticks[%u] && rule[%u] <= t + %s*h) {\n    assign(%u, rule, y%s);\n    m->ticks[%u]++;\n",
                  i, v->periods_at + i, s->single ? "1e-4f" : "1e-9", i, at_constraints(s), i);
    else
      text_printf(o,
                  "  if (sample_time(m->start, rule[%u], m->ticks[%u]) <= t + %s*h) {\n    assign(%u, rule, y%s);\n    "
                  "m->ticks[%u]++;\n",
                  v->periods_at + i, i, s->single ? "1e-4f" : "1e-9", i, at_constraints(s), i);
    if (v->whens.items[i].stop) text_put(o, "    stop = 1;\n");
    text_put(o, "  }\n  see_rules(t, y, m, w, rule);\n");
  }
}

// Inside `happen`: the `when`s.
static void put_conditions(const ExportShow *s, Text *o) {
  const ExportEvents *v = s->e->events;
  text_put(o, "  /* the first `when` of the text that became true, again and again until none does */\n  for "
              "(unsigned round = 0, any = 1; any && round < 1000; round++) {\n    any = 0;\n");
  for (uint32_t i = 0; i < v->whens.count; i++) {
    if (!v->whens.items[i].every) text_printf(o, "    if (rule[%u] == 0) m->was[%u] = 0;\n", v->conditions_at + i, i);
  }
  for (uint32_t i = 0; i < v->whens.count; i++) {
    if (v->whens.items[i].every) continue;
    text_printf(o,
                "    if (!any && rule[%u] != 0 && !m->was[%u]) {\n      m->was[%u] = 1;\n      assign(%u, rule, "
                "y%s);\n      any = 1;\n%s    }\n",
                v->conditions_at + i, i, i, i, at_constraints(s), v->whens.items[i].stop ? "      stop = 1;\n" : "");
  }
  text_put(o, "    if (any) see_rules(t, y, m, w, rule);\n  }\n");
}

// At the start and at the end of a step.
static void put_happen(const ExportShow *s, Text *o) {
  const ExportEvents *v = s->e->events;
  bool samples = false, ticks = false, conditions = false;
  for (uint32_t i = 0; i < v->whens.count; i++) {
    samples = samples || v->whens.items[i].every;
    ticks = ticks || (v->whens.items[i].every && !v->whens.items[i].once);
    conditions = conditions || !v->whens.items[i].every;
  }
  if (ticks) put_sample_time(s, o);
  if (v->whens.count) put_assign(s, o);
  export_put(s, o, "static int happen(viva_real t, viva_real h, viva_real *y, viva_real *w, @n_memory *m) {\n");
  text_printf(o, "  viva_real rule[%u];\n  int stop = 0;\n", at_least_one(v->rules->output_count));
  if (!samples) text_put(o, "  (void)h;\n");
  if (v->delays) text_put(o, "  see_delayed(t, y, w, m);\n");
  if (s->e->constraints) text_put(o, "  show_memory(m, w);\n");
  text_put(o, "  see_rules(t, y, m, w, rule);\n");
  for (uint32_t i = 0; i < v->checks; i++) text_printf(o, "  if (rule[%u] != 0) return -1;\n", v->checks_at + i);
  put_samples(s, o);
  if (conditions) put_conditions(s, o);
  text_put(o, "  show_memory(m, w);\n  return stop;\n}\n\n");
}

static void put_begin(const ExportShow *s, Text *o) {
  const ExportEvents *v = s->e->events;
  export_put(s, o,
             "int @n_begin(viva_real t, viva_real h, viva_real *y, const viva_real *p, viva_real *w, @n_memory *m, "
             "viva_real *past) {\n"
             "  m->start = t;\n  m->evaluations = 0;\n  m->room = 1;\n  m->past = past;\n");
  text_printf(o, "  for (unsigned i = 0; i < %u; i++) m->was[i] = 0, m->ticks[i] = 0;\n", at_least_one(v->whens.count));
  text_printf(o, "  for (unsigned i = 0; i < %u; i++) m->z[i] = 0;\n", at_least_one(v->memories + v->delays));
  if (!v->delays) {
    text_put(o, "  (void)p;\n  m->lag[0] = 0;\n  m->dead[0] = 0;\n");
  } else {
    text_printf(
        o,
        "  see_dead_times(p, m->dead);\n"
        "  for (unsigned i = 0; i < %s_DELAYS; i++) {\n"
        "    viva_real steps = m->dead[i]/h, whole = (viva_real)round(steps), off = whole - steps;\n"
        "    if (!(m->dead[i] >= 0) || (off < 0 ? -off : off)*h > %s*(m->dead[i] > 1 ? m->dead[i] : 1)) return -1;\n"
        "    m->lag[i] = 4*(unsigned long long)whole;\n  }\n"
        "  m->room = %s_past(p, h)/%s_DELAYS;\n  see_delayed(t, y, w, m);\n",
        s->upper, s->single ? "1e-4f" : "1e-9", s->name, s->upper);
  }
  text_printf(o, "  viva_real rule[%u];\n  see_rules(t, y, m, w, rule);\n", at_least_one(v->rules->output_count));
  for (uint32_t i = 0; i < v->memories; i++) text_printf(o, "  m->z[%u] = rule[%u];\n", i, v->starts_at + i);
  text_put(o, "  see_rules(t, y, m, w, rule);\n");
  for (uint32_t i = 0; i < v->whens.count; i++) {
    if (v->whens.items[i].once) text_printf(o, "  m->ticks[%u] = rule[%u] < t;\n", i, v->periods_at + i);
    else if (v->whens.items[i].every) text_printf(o, "  if (!(rule[%u] > 0)) return -1;\n", v->periods_at + i);
    else text_printf(o, "  m->was[%u] = rule[%u] != 0;\n", i, v->conditions_at + i);
  }
  text_put(o, "  return happen(t, h, y, w, m);\n}\n\n");
}

// The classical Runge-Kutta method; the order of the sums is the one of a run.
static void put_step(const ExportShow *s, Text *o) {
  const char *half = s->single ? "0.5f" : "0.5", *f = s->single ? "f" : "";
  export_put(s, o,
             "int @n_step(viva_real t, viva_real h, viva_real end, viva_real *y, viva_real *w, @n_memory *m) {\n");
  export_put_stages(s, o, "next");
  text_put(o, "  stage(t, y, k1, w, m);\n");
  for (int i = 0; i < 3; i++) {
    text_printf(o, "  for (unsigned i = 0; i < %s_STATES; i++) next[i] = y[i] + h*%s%sk%d[i];\n", s->upper,
                i < 2 ? half : "", i < 2 ? "*" : "", i + 1);
    text_printf(o, "  stage(%s%s%s, next, k%d, w, m);\n", i < 2 ? "t + " : "end", i < 2 ? half : "", i < 2 ? "*h" : "",
                i + 2);
  }
  text_printf(o,
              "  for (unsigned i = 0; i < %s_STATES; i++) {\n    viva_real sum = 0;\n    sum += 1.0%s/6*k1[i];\n    "
              "sum += 1.0%s/3*k2[i];\n    sum += 1.0%s/3*k3[i];\n    sum += 1.0%s/6*k4[i];\n    y[i] += h*sum;\n  }\n",
              s->upper, f, f, f, f);
  if (!s->e->constraints) export_put_balls(s, "  ", o);
  if (s->e->constraints) {
    if (s->e->events->delays) text_put(o, "  see_delayed(end, y, w, m);\n");
    export_put(s, o, "  show_memory(m, w);\n  if (@n_project(end, y, w)) return -1;\n");
  }
  text_put(o, "  return happen(end, h, y, w, m);\n}\n");
}

void export_steps_source(const ExportShow *s, const EmitJob *jobs, Text *o) {
  const Export *e = s->e;
  const ExportEvents *v = e->events;
  uint32_t at = e->f->slot_count + e->rows->slot_count;
  put_evaluation(s, &jobs[0], "rules", at, o);
  if (v->delays) {
    at += v->rules->slot_count;
    put_evaluation(s, &jobs[1], "inputs", at, o);
    at += v->inputs->slot_count;
    put_evaluation(s, &jobs[2], "history", at, o);
  }
  put_delays(s, v->delays ? &jobs[3] : NULL, o);
  put_stage(s, o);
  put_happen(s, o);
  put_begin(s, o);
  put_step(s, o);
}
