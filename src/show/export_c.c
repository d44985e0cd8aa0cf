// A model as C99 that stands alone: NAME.c, NAME.h, main.c, Makefile.
//
// in    an Export (sim/export.h): tapes of the start, the right-hand side, the outputs, the Jacobian or the steps
// out   the texts of the four files; main.c is written by export_main.c, what happens in steps by export_steps.c, the
//       line that says who wrote a file by export_mark.c
//
// The workspace w that the caller gives has parts: of the right-hand side, of the outputs, of memories and delays
// (export_steps.c), and the stages of a step. The first ones start with the parameters, then t and y. The Jacobian has
// a workspace of its own, so that who does not want it does not pay for it.
#include "show/export_c.h"

#include "show/export_steps.h"

#include <math.h>
#include <string.h>

enum { export_all_tapes = 3 + export_most_tapes }; // of start, f and rows; the Jacobian or the steps; constraints

static void put_title(const ExportShow *s, Text *out) {
  text_put(out, "/* ");
  export_safe(out, s->e->system->title ? s->e->system->title : "A model");
  text_put(out, ". ");
  export_mark(s, out);
  text_putc(out, '\n');
}

// ---- the header

// What y, p and the outputs are, and how the functions are called.
static void put_header_comment(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  const char *n = s->name, *u = s->upper;
  const System *m = e->system;
  put_title(s, o);
  text_printf(o, " *\n * y holds the positions, then the velocities%s, then the further states:\n",
              e->plain ? "" : " (without what is computed from the others)");
  for (uint32_t i = 0; i < e->dim; i++) {
    text_printf(o, " *   y[%u]  ", i);
    export_safe(o, e->states[i]);
    text_putc(o, '\n');
  }
  text_put(o, " * p holds the parameters:\n");
  for (uint32_t i = 0; i < m->params.count; i++) {
    text_printf(o, " *   p[%u]  ", i);
    export_safe(o, m->params.items[i].name);
    if (m->params.items[i].note) {
      text_put(o, ", ");
      export_safe(o, m->params.items[i].note);
    }
    text_putc(o, '\n');
  }
  if (e->output_count) text_put(o, " * The outputs are:\n");
  for (uint32_t i = 0; i < e->output_count; i++) {
    text_printf(o, " *   out[%u]  ", i);
    export_safe(o, e->outputs[i]);
    text_putc(o, '\n');
  }
  if (e->dropped)
    text_printf(o, " * %u output%s the energy account of a run and %s left out.\n", e->dropped,
                e->dropped == 1 ? " needs" : "s need", e->dropped == 1 ? "is" : "are");
  text_printf(o,
              " *\n * All numbers are in SI units and radians. Nothing is allocated and nothing is global: the caller "
              "gives a workspace\n"
              " * w of %s_WORK numbers, which %s_prepare fills from the parameters. One workspace serves one thread.\n"
              " *\n *   %s_real p[%s_PARAMS], w[%s_WORK], y[%s_STATES];\n *   %s_defaults(p);\n *   %s_prepare(p, "
              "w);\n *   %s_start(p, y);%s\n",
              u, n, n, u, u, u, n, n, n, e->constraints ? " (see below)" : "");
  export_put(s, o,
             e->events ? " *   ... then @n_begin and @n_step, see below\n */\n"
                       : " *   for (int i = 0; i < 1000; i++) @n_rk4(i*h, h, y, w);\n */\n");
}

static void put_sizes(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  const char *u = s->upper;
  uint32_t params = e->system->params.count;
  // C has no empty arrays
  text_printf(o,
              "enum {\n  %s_STATES = %u,\n  %s_COORDS = %u,\n  %s_PARAMS = %u, /* at least 1, so that an array can be "
              "declared */\n  %s_OUTPUTS = %u, /* the same */\n  %s_WORK = %u",
              u, e->dim, u, e->positions, u, params ? params : 1, u, e->output_count ? e->output_count : 1, u,
              export_stages_at(e) + export_stages * e->dim);
  if (e->jacobian) text_printf(o, ",\n  %s_JACOBIAN_WORK = %u", u, e->jacobian->slot_count);
  text_put(o, "\n};\n\n");
}

static void put_declarations(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  const char *n = s->name, *u = s->upper;
  text_printf(o,
              "/* Names, for tables; static. */\nconst char *%s_state_name(unsigned i);\nconst char "
              "*%s_param_name(unsigned i);\nconst char *%s_output_name(unsigned i);\n\n",
              n, n, n);
  text_printf(o, "/* The parameters as the model has them. */\nvoid %s_defaults(%s_real *p);\n", n, n);
  text_printf(o,
              "/* To be called before the others, and again whenever a parameter has changed. */\nvoid "
              "%s_prepare(const %s_real *p, %s_real *w);\n",
              n, n, n);
  text_printf(o, "/* The state at t = 0%s. */\n%s %s_start(const %s_real *p, %s_real *y);\n",
              e->constraints ? ". 0: it obeys the constraints; 1: these are other parameters, see below" : "",
              e->constraints ? "int" : "void", n, n, n);
  text_printf(o,
              "/* dydt = f(t, y). Not finite where the model has no value. */\nvoid %s_f(%s_real t, const %s_real *y, "
              "%s_real *dydt, %s_real *w);\n",
              n, n, n, n, n);
  if (e->jacobian)
    text_printf(o,
                "/* J[i*%s_STATES + j] = d(dydt[i])/d(y[j]) and dfdt[i] = d(dydt[i])/dt, exactly. jw: a workspace of "
                "%s_JACOBIAN_WORK\n"
                " * numbers that %s_jacobian_prepare fills, as %s_prepare does the other one. */\n"
                "void %s_jacobian_prepare(const %s_real *p, %s_real *jw);\nvoid %s_jacobian(%s_real t, const %s_real "
                "*y, %s_real *J, %s_real *dfdt, %s_real *jw);\n",
                u, u, n, n, n, n, n, n, n, n, n, n, n);
  if (e->events) export_steps_header(s, o);
  else
    text_printf(o,
                "/* One step of the classical Runge-Kutta method: y(t) becomes y(t + h). */\nvoid %s_rk4(%s_real t, "
                "%s_real h, %s_real *y, %s_real *w);\n",
                n, n, n, n, n);
  if (e->constraints) export_bound_header(s, o);
  text_printf(o, "void %s_outputs(%s_real t, const %s_real *y, %s_real *out, %s_real *w);\n", n, n, n, n, n);
  text_printf(o,
              "/* Five numbers: kinetic, potential and stored energy, power dissipated, power supplied%s. */\nvoid "
              "%s_energies(%s_real t, const %s_real *y, %s_real *out, %s_real *w);\n\n#endif\n",
              e->energy ? "" : " (all 0: the model has no energies)", n, n, n, n, n);
}

static void put_header(const ExportShow *s, Text *o) {
  put_header_comment(s, o);
  text_printf(o, "#ifndef %s_H\n#define %s_H\n\ntypedef %s %s_real;\n\n", s->upper, s->upper,
              s->single ? "float" : "double", s->name);
  put_sizes(s, o);
  put_declarations(s, o);
}

// ---- the source

static void put_math(const ExportShow *s, Text *o) {
  static const char *const names[] = {
#define X(name, arity) #name,
      TAPE_MATH(X)
#undef X
  };
  size_t count = sizeof names / sizeof *names;
  text_printf(o, "typedef %s_real viva_real;\n\n", s->name);
  if (!s->single) {
    text_put(
        o, "/* With VIVA_SLEEF the numbers are those of viva, to the last bit (VIVA_NO_FMA: on machines without fused\n"
           " * multiply-add). Compile without contraction of products and sums. */\n#ifdef VIVA_SLEEF\n#ifndef "
           "FP_FAST_FMA\n#define FP_FAST_FMA 1\n#endif\n#include <sleef.h>\n");
    for (int family = 0; family < 2; family++) {
      text_put(o, family ? "#else\n" : "#ifdef VIVA_NO_FMA\n");
      for (size_t i = 0; i < count; i++) {
        bool exact = strcmp(names[i], "sqrt") == 0 || strcmp(names[i], "floor") == 0;
        if (!exact)
          text_printf(o, "#define viva_%s Sleef_%s_%sd1_u10purec%s\n", names[i], family ? "finz" : "cinz", names[i],
                      family ? "fma" : "");
      }
      text_printf(o, "#define viva_sincos Sleef_%s_sincosd1_u10purec%s\n", family ? "finz" : "cinz",
                  family ? "fma" : "");
    }
    text_put(o, "#endif\n#define viva_sqrt sqrt\n#define viva_floor floor\ntypedef Sleef_double_2 viva_pair;\n#else\n");
  }
  for (size_t i = 0; i < count; i++) text_printf(o, "#define viva_%s %s%s\n", names[i], names[i], s->single ? "f" : "");
  if (!s->single) text_put(o, "#endif\n");
  const char *const limits[] = {"PIVOT",
                                s->single ? "1e-5f" : "1e-12",
                                "SINGULAR",
                                s->single ? "1e-7f" : "1e-15",
                                "FINE",
                                s->single ? "1e-6f" : "1e-14",
                                "ROUGH",
                                s->single ? "1e-4f" : "1e-10",
                                "FINEST",
                                s->single ? "1e-7f" : "1e-16",
                                "TINY",
                                s->single ? "1e-37f" : "1e-300",
                                "LARGEST",
                                s->single ? "FLT_MAX" : "DBL_MAX",
                                "LOWEST_EXPONENT",
                                s->single ? "-104" : "-746"};
  text_putc(o, '\n');
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i += 2)
    text_printf(o, "#define VIVA_%s %s\n", limits[i], limits[i + 1]);
  text_put(o, "#if defined(__GNUC__)\n#define VIVA_NOINLINE __attribute__((noinline))\n#else\n#define "
              "VIVA_NOINLINE\n#endif\n\n");
}

static void put_name_list(const ExportShow *s, Text *o, const char *what, const char *const *names, uint32_t count) {
  text_printf(o, "const char *%s_%s_name(unsigned i) {\n", s->name, what);
  if (count == 0) {
    text_put(o, "  (void)i;\n  return \"\";\n}\n\n");
    return;
  }
  text_printf(o, "  static const char *const names[%u] = {", count);
  for (uint32_t i = 0; i < count; i++) {
    text_put(o, i == 0 ? "\"" : i % 8 ? ", \"" : ",\n    \"");
    export_safe(o, names[i]);
    text_putc(o, '"');
  }
  text_printf(o, "};\n  return i < %u ? names[i] : \"\";\n}\n\n", count);
}

// t and y go into the workspace, the function runs.
static void put_call(const ExportShow *s, Text *o, const char *function, bool moved) {
  if (moved) text_put(o, "  w += MOVE;\n");
  export_put_variables(s, o);
  text_printf(o, "  %s_%s(w);\n", s->name, function);
}

static void put_results(Text *o, EmitJob *job, const char *into, uint32_t shift, uint32_t from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    text_printf(o, "  %s[%u] = ", into, shift + i);
    emit_result(job, from + i);
    text_put(o, ";\n");
  }
}

// The same for every state, from the results of all slots of the system's y.
static void put_state_results(const ExportShow *s, Text *o, EmitJob *job, const char *into, uint32_t first) {
  for (uint32_t i = first; i < s->e->dim; i++) {
    text_printf(o, "  %s[%u] = ", into, i);
    emit_result(job, s->e->places[i]);
    text_put(o, ";\n");
  }
}

// Entries from i on that stand below each other in a column, and in the workspace at equal distances: many bodies have
// thousands of them. constant: of each slot, whether it is a number.
static uint32_t count_run(const Export *e, const Tape *tape, const bool *constant, uint32_t i) {
  const uint32_t *slot = tape->outputs;
  uint32_t n = 0;
  if (e->column[i] == e->dim || constant[slot[i]]) return 1;
  while (i + ++n < tape->output_count) {
    uint32_t k = i + n;
    bool below = e->column[k] == e->column[i] && e->row[k] == e->row[i] + n && !constant[slot[k]];
    if (!below || slot[k] - slot[k - 1] != slot[i + 1] - slot[i] || slot[k] <= slot[k - 1]) break;
  }
  return n;
}

static void put_entries(const ExportShow *s, Text *o, EmitJob *job) {
  enum { least = 8 }; // entries that a loop is shorter than
  const Export *e = s->e;
  const Tape *t = job->tape;
  bool *constant = arena_array(o->arena, (size_t)t->slot_count + 1, sizeof *constant);
  if (!constant) return; // out of memory, which the arena tells
  for (uint32_t k = 0; k < t->constant_count; k++) constant[t->constants[k].slot] = true;
  for (uint32_t i = 0; i < t->output_count; i++) {
    uint32_t n = count_run(e, t, constant, i);
    if (n >= least) {
      text_printf(o, "  for (unsigned i = 0; i < %u; i++) J[(%u + i)*%s_STATES + %u] = w[%u + %u*i];\n", n, e->row[i],
                  s->upper, e->column[i], t->outputs[i], t->outputs[i + 1] - t->outputs[i]);
      i += n - 1;
      continue;
    }
    if (e->column[i] == e->dim) text_printf(o, "  dfdt[%u] = ", e->row[i]);
    else text_printf(o, "  J[%u*%s_STATES + %u] = ", e->row[i], s->upper, e->column[i]);
    emit_result(job, i);
    text_put(o, ";\n");
  }
}

static void put_jacobian(const ExportShow *s, Text *o, EmitJob *job, uint32_t params) {
  const char *n = s->name, *u = s->upper;
  text_printf(o, "}\n\nvoid %s_jacobian_prepare(const viva_real *p, viva_real *jw) {\n", n);
  text_printf(o, params ? "  for (unsigned i = 0; i < %u; i++) jw[i] = p[i];\n" : "  (void)p;\n", params);
  text_printf(o,
              "  %s_entries_prepare(jw);\n}\n\nvoid %s_jacobian(viva_real t, const viva_real *y, viva_real *J, "
              "viva_real *dfdt, viva_real *jw) {\n  viva_real *w = jw;\n",
              n, n);
  export_put_variables(s, o);
  text_printf(o,
              "  %s_entries(w);\n  for (unsigned i = 0; i < %s_STATES*%s_STATES; i++) J[i] = 0;\n  for (unsigned i = "
              "0; i < %s_STATES; i++) dfdt[i] = 0;\n",
              n, u, u, u);
  put_entries(s, o, job);
}

// The order of the sums is the one of `viva run --method rk4`.
static void put_rk4(const ExportShow *s, Text *o) {
  const char *n = s->name, *u = s->upper;
  const char *half = s->single ? "0.5f" : "0.5", *f = s->single ? "f" : "";
  bool bound = s->e->constraints != NULL;
  text_printf(o, "void %s_rk4%s(viva_real t, viva_real h, %sviva_real *y, viva_real *w) {\n", n, bound ? "_to" : "",
              bound ? "viva_real end, " : "");
  export_put_stages(s, o, "z");
  text_printf(o, "  %s_f(t, y, k1, w);\n", export_bound_rates(s));
  const char *const from[3] = {"k1", "k2", "k3"}, *const to[3] = {"k2", "k3", "k4"};
  for (int i = 0; i < 3; i++) {
    text_printf(o, "  for (unsigned i = 0; i < %s_STATES; i++) z[i] = y[i] + h*%s%s%s[i];\n", u, i < 2 ? half : "",
                i < 2 ? "*" : "", from[i]);
    // a jump at the end of the step belongs to the next one
    const char *at = i < 2 ? s->single ? "0.5f*h" : "0.5*h" : s->single ? "h*(1 - 1e-7f)" : "h*(1 - 1e-12)";
    text_printf(o, "  %s_f(t + %s, z, %s, w);\n", export_bound_rates(s), at, to[i]);
  }
  text_printf(
      o,
      "  for (unsigned i = 0; i < %s_STATES; i++) {\n    viva_real sum = 0;\n    sum += 1.0%s/6*k1[i];\n    sum += "
      "1.0%s/3*k2[i];\n    sum += 1.0%s/3*k3[i];\n    sum += 1.0%s/6*k4[i];\n    y[i] += h*sum;\n  }\n",
      u, f, f, f, f);
  if (!bound) export_put_balls(s, "  ", o);
  if (bound)
    export_put(s, o,
               "  if (@n_project(end, y, w)) {\n    for (unsigned i = 0; i < @N_STATES; i++) y[i] = (viva_real)NAN;\n "
               " }\n}\n\nvoid @n_rk4(viva_real t, viva_real h, viva_real *y, viva_real *w) {\n  @n_rk4_to(t, h, t + "
               "h, y, w);\n");
  text_put(o, "}\n");
}

// The tapes of the model as functions of C; jobs: what results are called in them.
static bool put_tapes(const ExportShow *s, Text *o, EmitJob jobs[export_all_tapes]) {
  const Export *e = s->e;
  EmitNeeds needs = {0};
  const Tape *tapes[export_all_tapes] = {e->start, e->f, e->rows, e->jacobian};
  const char *suffixes[export_all_tapes] = {"start_values", "rates", "rows", "entries"};
  uint32_t count = 3 + (e->events ? export_steps_tapes(e->events, tapes + 3, suffixes + 3) : 1);
  if (e->constraints) count += export_bound_tapes(e->constraints, tapes + count, suffixes + count);
  for (uint32_t i = 0; i < count; i++) {
    if (!emit_needs(e->arena, tapes[i], &needs)) return false;
  }
  emit_helpers(o, &needs);
  for (uint32_t i = 0; i < count; i++) {
    jobs[i] = (EmitJob){.arena = e->arena,
                        .out = o,
                        .tape = tapes[i],
                        .target = &emit_export,
                        .single = s->single,
                        .names = e->param_names};
    jobs[i].name = arena_printf(e->arena, "%s_%s", s->name, suffixes[i]);
    if (!jobs[i].name || !emit_c(&jobs[i])) return false;
  }
  return true;
}

static bool put_name_lists(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  uint32_t params = e->system->params.count;
  const char **names = arena_array(e->arena, (size_t)params + 1, sizeof *names);
  if (!names) return false;
  put_name_list(s, o, "state", e->states, e->dim);
  for (uint32_t i = 0; i < params; i++) names[i] = e->system->params.items[i].name;
  put_name_list(s, o, "param", names, params);
  put_name_list(s, o, "output", e->outputs, e->output_count);
  return true;
}

// NAME_defaults, NAME_prepare, NAME_start
static void put_start(const ExportShow *s, Text *o, EmitJob *job) {
  const Export *e = s->e;
  const char *n = s->name;
  uint32_t params = e->system->params.count;
  text_printf(o, "void %s_defaults(viva_real *p) {\n", n);
  if (!params) text_put(o, "  p[0] = 0;\n");
  for (uint32_t i = 0; i < params; i++) {
    text_printf(o, "  p[%u] = ", i);
    export_number(s, o, e->params[i]);
    text_put(o, ";\n");
  }
  text_printf(o, "}\n\nvoid %s_prepare(const viva_real *p, viva_real *w) {\n", n);
  text_printf(o, params ? "  for (unsigned i = 0; i < %u; i++) w[i] = w[%u + i] = p[i];\n" : "  (void)p;\n", params,
              e->f->slot_count);
  text_printf(o, "  %s_rates_prepare(w);\n  %s_rows_prepare(w + %u);\n", n, n, e->f->slot_count);
  if (e->events) export_steps_prepare(s, o);
  if (e->constraints) export_bound_prepare(s, o);
  text_put(o, "}\n\n");
  text_printf(o, "%s %s_start(const viva_real *p, viva_real *y) {\n  viva_real w[%u];\n",
              e->constraints ? "int" : "void", n, e->start->slot_count ? e->start->slot_count : 1);
  text_printf(o, params ? "  for (unsigned i = 0; i < %u; i++) w[i] = p[i];\n" : "  (void)p;\n", params);
  text_printf(o, "  %s_start_values_prepare(w);\n  %s_start_values(w);\n", n, n);
  put_state_results(s, o, job, "y", 0);
  if (e->constraints) export_bound_start(s, o);
}

// NAME_f, which goes on where the function before it ends, and the Jacobian
static void put_rates(const ExportShow *s, Text *o, EmitJob *jobs) {
  const Export *e = s->e;
  const char *n = s->name, *u = s->upper;
  text_printf(o, "}\n\nvoid %s_f(viva_real t, const viva_real *y, viva_real *dydt, viva_real *w) {\n", n);
  put_call(s, o, "rates", false);
  uint32_t copied = e->plain ? e->coords : 0;
  if (copied) text_printf(o, "  for (unsigned i = 0; i < %s_COORDS; i++) dydt[i] = y[%s_COORDS + i];\n", u, u);
  put_state_results(s, o, &jobs[1], "dydt", copied);
  if (e->jacobian) put_jacobian(s, o, &jobs[3], e->system->params.count);
}

// NAME_outputs, NAME_energies
static void put_outputs(const ExportShow *s, Text *o, EmitJob *jobs) {
  EmitJob *job = &jobs[2];
  const Export *e = s->e;
  const char *n = s->name;
  text_printf(o,
              "}\n\n#define MOVE %u /* where the second part of the workspace starts */\n\nvoid %s_outputs(viva_real "
              "t, const viva_real *y, viva_real *out, viva_real *w) {\n",
              e->f->slot_count, n);
  put_call(s, o, "rows", true);
  put_results(o, job, "out", 0, 0, e->output_count);
  if (!e->output_count) text_put(o, "  out[0] = 0;\n");
  text_printf(o, "}\n\nvoid %s_energies(viva_real t, const viva_real *y, viva_real *out, viva_real *w) {\n", n);
  if (e->constraints) { // the powers are those of the right-hand side
    if (e->energy) put_call(s, o, "rates", false);
    if (e->energy) put_results(o, &jobs[1], "out", 3, e->width, 2);
    else text_put(o, "  out[3] = out[4] = 0;\n");
  }
  put_call(s, o, "rows", true);
  put_results(o, job, "out", 0, e->output_count, e->constraints ? 3 : 5);
}

// Those of the constraints are the last ones; their number depends on what stands before.
static const EmitJob *job_of(const EmitJob *jobs, const Tape *tape) {
  while (jobs->tape != tape) jobs++;
  return jobs;
}

static bool put_source(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  EmitJob jobs[export_all_tapes];
  put_title(s, o);
  text_printf(o,
              " * The interface is described in %s.h. rK is the K-th value that a function computes. */\n#include "
              "\"%s.h\"\n\n#include <float.h>\n#include <math.h>\n#include <stdint.h>\n\n",
              s->name, s->name);
  put_math(s, o);
  if (!put_tapes(s, o, jobs) || !put_name_lists(s, o)) return false;
  put_start(s, o, &jobs[0]);
  put_rates(s, o, jobs);
  put_outputs(s, o, jobs);
  text_put(o, "}\n\n");
  if (e->constraints) export_bound_source(s, job_of(jobs, e->constraints->residues), o);
  if (e->events) export_steps_source(s, &jobs[3], o);
  else put_rk4(s, o);
  return !arena_failed(e->arena);
}

// ---- the example and its Makefile

static void put_makefile(const ExportShow *s, Text *o) {
  text_put(o, "# ");
  export_mark(s, o);
  text_printf(o, "\n# make            the example, with the C library's functions\n");
  if (!s->single) text_printf(o, "# make SLEEF=1    with SLEEF: the numbers of viva to the last bit\n");
  text_printf(o, "CFLAGS ?= -O2\nFLAGS = -std=c99 -Wall -Wextra -Wpedantic -ffp-contract=off\n");
  if (!s->single) text_put(o, "ifdef SLEEF\nFLAGS += -DVIVA_SLEEF\nLDLIBS += -lsleef\nendif\n");
  text_printf(o,
              "LDLIBS += -lm\n\n%s: main.c %s.c %s.h\n\t$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) -o $@ main.c %s.c "
              "$(LDLIBS)\n\nclean:\n\trm -f %s\n\n.PHONY: clean\n",
              s->name, s->name, s->name, s->name, s->name);
}

bool show_export_c(const Export *e, const char *name, bool single, const char *version, ExportText *out) {
  char *upper = arena_printf(e->arena, "%s", name);
  if (!upper) return false;
  for (char *s = upper; *s; s++) {
    if (*s >= 'a' && *s <= 'z') *s = (char)(*s - 'a' + 'A'); // not by the locale
  }
  ExportShow show = {e, name, upper, single, version};
  *out = (ExportText){text_in(e->arena), text_in(e->arena), text_in(e->arena), text_in(e->arena)};
  put_header(&show, &out->header);
  export_example(&show, &out->example);
  put_makefile(&show, &out->makefile);
  if (!put_source(&show, &out->source)) return false;
  Text *const all[] = {&out->source, &out->header, &out->example, &out->makefile};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) export_put_sum(all[i]);
  return !arena_failed(e->arena);
}
