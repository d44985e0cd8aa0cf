// A model as C99 that stands alone: NAME.c, NAME.h, main.c, Makefile.
//
// The workspace w that the caller gives has two parts: of the right-hand side, and of the outputs. Each starts with the
// parameters, then t and y. The Jacobian has a workspace of its own, so that who does not want it does not pay for it.
#include "show/export_c.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Show {
  const Export *e;
  const char *name, *upper;
  bool single;
  const char *version;
} Show;

// Text inside a comment or a string of C.
static void put_safe(Text *out, const char *s) {
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '*' && s[1] == '/') text_put(out, "* ");
    else if (c == '/' && s[1] == '*') text_put(out, "/ ");
    else if (c == '"' || c == '\\') text_printf(out, "\\%c", c);
    else if (c == '?') text_put(out, "\\?");
    else text_putc(out, c < 32 ? ' ' : (char)c);
  }
}

// ---- who wrote a file, and whether somebody changed it

static const char mark[] = "Written by viva ", sum_mark[] = ", checksum ";
enum { sum_digits = 16 };

// The first line has it; put_sum fills the digits in.
static void put_mark(const Show *s, Text *out) { text_printf(out, "%s%s%s%0*d.", mark, s->version, sum_mark, sum_digits, 0); }

// Of all behind the first line. Ends of lines do not count: some programs rewrite them.
static void sum_of(const char *text, size_t length, char digits[sum_digits + 1]) {
  uint64_t h = 0xCBF29CE484222325u; // FNV-1a
  const char *line = memchr(text, '\n', length);
  for (const char *c = line ? line : text + length; c < text + length; c++) {
    if (*c != '\r') h = (h ^ (unsigned char)*c) * 0x100000001B3u;
  }
  snprintf(digits, sum_digits + 1, "%016llx", (unsigned long long)h);
}

// Where the digits stand in the first line; NULL: it is no line of ours.
static const char *find_sum(const char *text, size_t length) {
  const char *line = memchr(text, '\n', length), *found = NULL;
  size_t n = sizeof sum_mark - 1, first = line ? (size_t)(line - text) : 0;
  bool ours = false;
  for (size_t i = 0; i + n + sum_digits <= first; i++) {
    ours = ours || memcmp(text + i, mark, sizeof mark - 1) == 0;
    if (ours && memcmp(text + i, sum_mark, n) == 0) found = text + i + n;
  }
  return found;
}

static void put_sum(Text *out) {
  char digits[sum_digits + 1];
  const char *at = out->data ? find_sum(out->data, out->length) : NULL;
  if (!at) return;
  sum_of(out->data, out->length, digits);
  memcpy(out->data + (at - out->data), digits, sum_digits);
}

bool export_is_unchanged(const char *text, size_t length) {
  char digits[sum_digits + 1];
  const char *at = find_sum(text, length);
  if (!at) return false;
  sum_of(text, length, digits);
  return memcmp(at, digits, sum_digits) == 0;
}

static void put_title(const Show *s, Text *out) {
  text_put(out, "/* ");
  put_safe(out, s->e->system->model->title ? s->e->system->model->title : "A model");
  text_put(out, ". ");
  put_mark(s, out);
  text_putc(out, '\n');
}

static void put_number(const Show *s, Text *out, double x) {
  if (isnan(x)) {
    text_printf(out, "(%s_real)NAN", s->name);
    return;
  }
  char number[number_text_size];
  number_print(x, number);
  text_printf(out, "%s%s%s", number, strpbrk(number, ".en") ? "" : ".0", s->single ? "f" : "");
}

// ---- the header

static void put_header(const Show *s, Text *o) {
  const Export *e = s->e;
  const char *n = s->name, *u = s->upper;
  const Model *m = e->system->model;
  put_title(s, o);
  text_printf(o, " *\n * y holds the positions, then the velocities%s, then the further states:\n", e->plain ? "" : " (without what is computed from the others)");
  for (uint32_t i = 0; i < e->dim; i++) {
    text_printf(o, " *   y[%u]  ", i);
    put_safe(o, e->states[i]);
    text_putc(o, '\n');
  }
  text_put(o, " * p holds the parameters:\n");
  for (uint32_t i = 0; i < m->params.count; i++) {
    text_printf(o, " *   p[%u]  ", i);
    put_safe(o, m->params.items[i].name);
    if (m->params.items[i].note) {
      text_put(o, ", ");
      put_safe(o, m->params.items[i].note);
    }
    text_putc(o, '\n');
  }
  if (e->output_count) text_put(o, " * The outputs are:\n");
  for (uint32_t i = 0; i < e->output_count; i++) {
    text_printf(o, " *   out[%u]  ", i);
    put_safe(o, e->outputs[i]);
    text_putc(o, '\n');
  }
  if (e->dropped) text_printf(o, " * %u outputs need the energy account of a run and are left out.\n", e->dropped);
  text_printf(o,
              " *\n * All numbers are in SI units and radians. Nothing is allocated and nothing is global: the caller gives a workspace\n"
              " * w of %s_WORK numbers, which %s_prepare fills from the parameters. One workspace serves one thread.\n"
              " *\n *   %s_real p[%s_PARAMS], w[%s_WORK], y[%s_STATES];\n *   %s_defaults(p);\n *   %s_prepare(p, w);\n *   %s_start(p, y);\n"
              " *   for (int i = 0; i < 1000; i++) %s_rk4(i*h, h, y, w);\n */\n",
              u, n, n, u, u, u, n, n, n, n);
  text_printf(o, "#ifndef %s_H\n#define %s_H\n\ntypedef %s %s_real;\n\n", u, u, s->single ? "float" : "double", n);
  // C has no empty arrays
  text_printf(o, "enum {\n  %s_STATES = %u,\n  %s_COORDS = %u,\n  %s_PARAMS = %u, /* at least 1, so that an array can be declared */\n  %s_OUTPUTS = %u, /* the same */\n  %s_WORK = %u,\n  %s_JACOBIAN_WORK = %u\n};\n\n",
              u, e->dim, u, e->positions, u, m->params.count ? m->params.count : 1, u, e->output_count ? e->output_count : 1, u, e->f->slot_count + e->rows->slot_count, u, e->jacobian->slot_count);
  text_printf(o, "/* Names, for tables; static. */\nconst char *%s_state_name(unsigned i);\nconst char *%s_param_name(unsigned i);\nconst char *%s_output_name(unsigned i);\n\n", n, n, n);
  text_printf(o, "/* The parameters as the model has them. */\nvoid %s_defaults(%s_real *p);\n", n, n);
  text_printf(o, "/* To be called before the others, and again whenever a parameter has changed. */\nvoid %s_prepare(const %s_real *p, %s_real *w);\n", n, n, n);
  text_printf(o, "/* The state at t = 0. */\nvoid %s_start(const %s_real *p, %s_real *y);\n", n, n, n);
  text_printf(o, "/* dydt = f(t, y). Not finite where the model has no value. */\nvoid %s_f(%s_real t, const %s_real *y, %s_real *dydt, %s_real *w);\n", n, n, n, n, n);
  text_printf(o, "/* J[i*%s_STATES + j] = d(dydt[i])/d(y[j]) and dfdt[i] = d(dydt[i])/dt, exactly. jw: a workspace of %s_JACOBIAN_WORK\n"
                 " * numbers that %s_jacobian_prepare fills, as %s_prepare does the other one. */\n"
                 "void %s_jacobian_prepare(const %s_real *p, %s_real *jw);\nvoid %s_jacobian(%s_real t, const %s_real *y, %s_real *J, %s_real *dfdt, %s_real *jw);\n", u, u, n, n, n, n, n, n, n, n, n, n, n);
  text_printf(o, "/* One step of the classical Runge-Kutta method: y(t) becomes y(t + h). */\nvoid %s_rk4(%s_real t, %s_real h, %s_real *y, %s_real *w);\n", n, n, n, n, n);
  text_printf(o, "void %s_outputs(%s_real t, const %s_real *y, %s_real *out, %s_real *w);\n", n, n, n, n, n);
  text_printf(o, "/* Five numbers: kinetic, potential and stored energy, power dissipated, power supplied%s. */\nvoid %s_energies(%s_real t, const %s_real *y, %s_real *out, %s_real *w);\n\n#endif\n",
              e->energy ? "" : " (all 0: the model has no energies)", n, n, n, n, n);
}

// ---- the source

static void put_math(const Show *s, Text *o) {
  static const char *const names[] = {
#define X(name, arity) #name,
      TAPE_MATH(X)
#undef X
  };
  size_t count = sizeof names / sizeof *names;
  text_printf(o, "typedef %s_real viva_real;\n\n", s->name);
  if (!s->single) {
    text_put(o, "/* With VIVA_SLEEF the numbers are those of viva, to the last bit (VIVA_NO_FMA: on machines without fused\n"
                " * multiply-add). Compile without contraction of products and sums. */\n#ifdef VIVA_SLEEF\n#ifndef FP_FAST_FMA\n#define FP_FAST_FMA 1\n#endif\n#include <sleef.h>\n");
    for (int family = 0; family < 2; family++) {
      text_put(o, family ? "#else\n" : "#ifdef VIVA_NO_FMA\n");
      for (size_t i = 0; i < count; i++) {
        bool exact = strcmp(names[i], "sqrt") == 0 || strcmp(names[i], "floor") == 0;
        if (!exact) text_printf(o, "#define viva_%s Sleef_%s_%sd1_u10purec%s\n", names[i], family ? "finz" : "cinz", names[i], family ? "fma" : "");
      }
      text_printf(o, "#define viva_sincos Sleef_%s_sincosd1_u10purec%s\n", family ? "finz" : "cinz", family ? "fma" : "");
    }
    text_put(o, "#endif\n#define viva_sqrt sqrt\n#define viva_floor floor\ntypedef Sleef_double_2 viva_pair;\n#else\n");
  }
  for (size_t i = 0; i < count; i++) text_printf(o, "#define viva_%s %s%s\n", names[i], names[i], s->single ? "f" : "");
  if (!s->single) text_put(o, "#endif\n");
  const char *const limits[] = {"PIVOT", s->single ? "1e-5f" : "1e-12", "SINGULAR", s->single ? "1e-7f" : "1e-15", "FINE", s->single ? "1e-6f" : "1e-14",
                                "FINER", s->single ? "1e-7f" : "1e-15", "FINEST", s->single ? "1e-7f" : "1e-16", "TINY", s->single ? "1e-37f" : "1e-300",
                                "LARGEST", s->single ? "FLT_MAX" : "DBL_MAX"};
  text_putc(o, '\n');
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i += 2) text_printf(o, "#define VIVA_%s %s\n", limits[i], limits[i + 1]);
  text_put(o, "#if defined(__GNUC__)\n#define VIVA_NOINLINE __attribute__((noinline))\n#else\n#define VIVA_NOINLINE\n#endif\n\n");
}

static void put_name_list(const Show *s, Text *o, const char *what, const char *const *names, uint32_t count) {
  text_printf(o, "const char *%s_%s_name(unsigned i) {\n", s->name, what);
  if (count == 0) {
    text_put(o, "  (void)i;\n  return \"\";\n}\n\n");
    return;
  }
  text_printf(o, "  static const char *const names[%u] = {", count);
  for (uint32_t i = 0; i < count; i++) {
    text_put(o, i == 0 ? "\"" : i % 8 ? ", \"" : ",\n    \"");
    put_safe(o, names[i]);
    text_putc(o, '"');
  }
  text_printf(o, "};\n  return i < %u ? names[i] : \"\";\n}\n\n", count);
}

// t and y go into the workspace, the function runs.
static void put_call(const Show *s, Text *o, const char *function, uint32_t at, uint32_t params, const Tape *tape) {
  text_printf(o, "  %sw[%u] = t;\n  for (unsigned i = 0; i < %s_STATES; i++) w[%u + i] = y[i];\n  %s_%s(w);\n", at ? "w += MOVE;\n  " : "", params, s->upper, params + 1, s->name, function);
  (void)tape;
}

static void put_results(Text *o, EmitJob *job, const char *into, uint32_t shift, uint32_t from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    text_printf(o, "  %s[%u] = ", into, shift + i);
    emit_result(job, from + i);
    text_put(o, ";\n");
  }
}

static void put_jacobian(const Show *s, Text *o, EmitJob *job, uint32_t params) {
  const Export *e = s->e;
  const char *n = s->name, *u = s->upper;
  text_printf(o, "}\n\nvoid %s_jacobian_prepare(const viva_real *p, viva_real *jw) {\n", n);
  text_printf(o, params ? "  for (unsigned i = 0; i < %u; i++) jw[i] = p[i];\n" : "  (void)p;\n", params);
  text_printf(o, "  %s_entries_prepare(jw);\n}\n\nvoid %s_jacobian(viva_real t, const viva_real *y, viva_real *J, viva_real *dfdt, viva_real *jw) {\n  viva_real *w = jw;\n  w[%u] = t;\n", n, n, params);
  if (e->plain) text_printf(o, "  for (unsigned i = 0; i < %s_STATES; i++) w[%u + i] = y[i];\n", u, params + 1);
  for (uint32_t i = 0; !e->plain && i < e->dim; i++) text_printf(o, "  w[%u] = y[%u];\n", params + 1 + e->places[i], i);
  text_printf(o, "  %s_entries(w);\n  for (unsigned i = 0; i < %s_STATES*%s_STATES; i++) J[i] = 0;\n  for (unsigned i = 0; i < %s_STATES; i++) dfdt[i] = 0;\n", n, u, u, u);
  for (uint32_t i = 0; i < job->tape->output_count; i++) {
    if (e->column[i] == e->dim) text_printf(o, "  dfdt[%u] = ", e->row[i]);
    else text_printf(o, "  J[%u*%s_STATES + %u] = ", e->row[i], u, e->column[i]);
    emit_result(job, i);
    text_put(o, ";\n");
  }
}

static bool put_source(const Show *s, Text *o) {
  const Export *e = s->e;
  const Model *m = e->system->model;
  const char *n = s->name, *u = s->upper;
  uint32_t params = m->params.count;
  put_title(s, o);
  text_printf(o, " * The interface is described in %s.h. rK is the K-th value that a function computes. */\n#include \"%s.h\"\n\n#include <float.h>\n#include <math.h>\n#include <stdint.h>\n\n", n, n);
  put_math(s, o);
  EmitNeeds needs = {0};
  const Tape *const tapes[4] = {e->start, e->f, e->rows, e->jacobian};
  static const char *const suffixes[4] = {"start_values", "rates", "rows", "entries"};
  for (int i = 0; i < 4; i++) emit_needs(tapes[i], &needs);
  emit_helpers(o, &needs);
  EmitJob jobs[4];
  for (int i = 0; i < 4; i++) {
    jobs[i] = (EmitJob){.arena = e->arena, .out = o, .tape = tapes[i], .style = emit_export, .single = s->single, .names = i == 3 ? e->jacobian_names : e->param_names};
    jobs[i].name = arena_printf(e->arena, "%s_%s", n, suffixes[i]);
    if (!jobs[i].name || !emit_c(&jobs[i])) return false;
  }
  put_name_list(s, o, "state", e->states, e->dim);
  const char **names = arena_array(e->arena, (size_t)params + 1, sizeof *names);
  if (!names) return false;
  for (uint32_t i = 0; i < params; i++) names[i] = m->params.items[i].name;
  put_name_list(s, o, "param", names, params);
  put_name_list(s, o, "output", e->outputs, e->output_count);

  text_printf(o, "void %s_defaults(viva_real *p) {\n", n);
  if (!params) text_put(o, "  p[0] = 0;\n");
  for (uint32_t i = 0; i < params; i++) {
    text_printf(o, "  p[%u] = ", i);
    put_number(s, o, e->params[i]);
    text_put(o, ";\n");
  }
  text_printf(o, "}\n\nvoid %s_prepare(const viva_real *p, viva_real *w) {\n", n);
  text_printf(o, params ? "  for (unsigned i = 0; i < %u; i++) w[i] = w[%u + i] = p[i];\n" : "  (void)p;\n", params, e->f->slot_count);
  text_printf(o, "  %s_rates_prepare(w);\n  %s_rows_prepare(w + %u);\n}\n\n", n, n, e->f->slot_count);
  text_printf(o, "void %s_start(const viva_real *p, viva_real *y) {\n  viva_real w[%u];\n", n, e->start->slot_count ? e->start->slot_count : 1);
  text_printf(o, params ? "  for (unsigned i = 0; i < %u; i++) w[i] = p[i];\n" : "  (void)p;\n", params);
  text_printf(o, "  %s_start_values_prepare(w);\n  %s_start_values(w);\n", n, n);
  put_results(o, &jobs[0], "y", 0, 0, e->dim);

  text_printf(o, "}\n\nvoid %s_f(viva_real t, const viva_real *y, viva_real *dydt, viva_real *w) {\n", n);
  put_call(s, o, "rates", 0, params, e->f);
  uint32_t copied = e->plain ? e->coords : 0;
  if (copied) text_printf(o, "  for (unsigned i = 0; i < %s_COORDS; i++) dydt[i] = y[%s_COORDS + i];\n", u, u);
  put_results(o, &jobs[1], "dydt", copied, copied, e->dim - copied);
  put_jacobian(s, o, &jobs[3], params);

  text_printf(o, "}\n\n#define MOVE %u /* where the second part of the workspace starts */\n\nvoid %s_outputs(viva_real t, const viva_real *y, viva_real *out, viva_real *w) {\n", e->f->slot_count, n);
  put_call(s, o, "rows", 1, params, e->rows);
  put_results(o, &jobs[2], "out", 0, 0, e->output_count);
  if (!e->output_count) text_put(o, "  out[0] = 0;\n");
  text_printf(o, "}\n\nvoid %s_energies(viva_real t, const viva_real *y, viva_real *out, viva_real *w) {\n", n);
  put_call(s, o, "rows", 1, params, e->rows);
  put_results(o, &jobs[2], "out", 0, e->output_count, 5);

  // the order of the sums is the one of `viva run --method rk4`
  const char *half = s->single ? "0.5f" : "0.5", *f = s->single ? "f" : "";
  text_printf(o, "}\n\nvoid %s_rk4(viva_real t, viva_real h, viva_real *y, viva_real *w) {\n  viva_real k1[%s_STATES], k2[%s_STATES], k3[%s_STATES], k4[%s_STATES], z[%s_STATES];\n", n, u, u, u, u, u);
  text_printf(o, "  %s_f(t, y, k1, w);\n", n);
  const char *const from[3] = {"k1", "k2", "k3"}, *const to[3] = {"k2", "k3", "k4"};
  for (int i = 0; i < 3; i++) {
    text_printf(o, "  for (unsigned i = 0; i < %s_STATES; i++) z[i] = y[i] + h*%s%s%s[i];\n", u, i < 2 ? half : "", i < 2 ? "*" : "", from[i]);
    // a jump at the end of the step belongs to the next one
    const char *at = i < 2 ? s->single ? "0.5f*h" : "0.5*h" : s->single ? "h*(1 - 1e-7f)" : "h*(1 - 1e-12)";
    text_printf(o, "  %s_f(t + %s, z, %s, w);\n", n, at, to[i]);
  }
  text_printf(o, "  for (unsigned i = 0; i < %s_STATES; i++) {\n    viva_real sum = 0;\n    sum += 1.0%s/6*k1[i];\n    sum += 1.0%s/3*k2[i];\n    sum += 1.0%s/3*k3[i];\n    sum += 1.0%s/6*k4[i];\n    y[i] += h*sum;\n  }\n}\n", u, f, f, f, f);
  return !arena_failed(e->arena);
}

// ---- the example and its Makefile

// The place of row `i` in time, with the roundings of `viva run`.
static void put_time(const Show *s, Text *o, const char *i) {
  double rate = 1 / s->e->step, whole = round(rate);
  text_printf(o, "(%s_real)%s", s->name, i);
  if (whole >= 1 && fabs(rate - whole) < 1e-12 * whole) {
    text_putc(o, '/');
    put_number(s, o, whole);
  } else {
    text_put(o, "*h");
  }
}

// Puts a text whose @ is the name of the model, ^ the name in capitals, $ the type of numbers.
static void put_template(const Show *s, Text *o, const char *text) {
  while (*text) {
    size_t plain = strcspn(text, "@^$");
    text_putn(o, text, plain);
    text += plain;
    if (!*text) break;
    text_put(o, *text == '@' ? s->name : *text == '^' ? s->upper : s->single ? "float" : "double");
    text++;
  }
}

static const char row_text[] =
    "/* One row; 0: it holds something that is no number. */\n"
    "static int row($ t, const $ *y, $ *w) {\n"
    "  int good = 1;\n"
    "  printf(\"%.17g\", (double)t);\n"
    "  for (unsigned i = 0; i < ^_STATES; i++) {\n"
    "    printf(\",%.17g\", (double)y[i]);\n"
    "    good = good && isfinite(y[i]);\n"
    "  }\n";
static const char outputs_text[] =
    "  $ out[^_OUTPUTS];\n"
    "  @_outputs(t, y, out, w);\n"
    "  for (unsigned i = 0; i < ^_OUTPUTS; i++) {\n"
    "    printf(\",%.17g\", (double)out[i]);\n"
    "    good = good && isfinite(out[i]);\n"
    "  }\n";
static const char row_end[] =
    "  printf(\"\\n\");\n"
    "  if (!good) fprintf(stderr, \"at t = %g the motion has no finite value: the table ends here\\n\", (double)t);\n"
    "  return good;\n"
    "}\n\n";

// Step doubling: one step and two halves are compared, and combined to fifth order.
static const char adaptive_text[] =
    "/* From t to end by steps that keep `tolerance`: each is made once whole and once in two halves. Their difference is the\n"
    " * error, measured by what each component has shown so far. 0: no step is small enough. */\n"
    "static $ size_of($ x) { return x < 0 ? -x : x; }\n\n"
    "static int advance($ t, $ end, $ *y, $ *step, $ *seen, $ *w) {\n"
    "  $ whole[^_STATES], halves[^_STATES];\n"
    "  while (t < end) {\n"
    "    $ left = end - t, h = *step < left ? *step : left, error = 0;\n"
    "    if (h < left && 2*h > left) h = left/2;\n"
    "    for (unsigned i = 0; i < ^_STATES; i++) whole[i] = halves[i] = y[i];\n"
    "    @_rk4(t, h, whole, w);\n"
    "    @_rk4(t, h/2, halves, w);\n"
    "    @_rk4(t + h/2, h/2, halves, w);\n"
    "    for (unsigned i = 0; i < ^_STATES; i++) {\n"
    "      $ off = size_of(halves[i] - whole[i])/15, size = size_of(y[i]) + size_of(halves[i] - y[i]);\n"
    "      if (off == 0) continue;\n"
    "      off /= tolerance*(size + seen[i]/100);\n"
    "      if (!(off <= error)) error = off; /* also what is no number */\n"
    "      if (error != error) break;\n"
    "    }\n"
    "    if (error <= 1) {\n"
    "      for (unsigned i = 0; i < ^_STATES; i++) {\n"
    "        y[i] = halves[i] + (halves[i] - whole[i])/15;\n"
    "        if (seen[i] < size_of(y[i])) seen[i] = size_of(y[i]);\n"
    "      }\n"
    "      t = h == left ? end : t + h;\n"
    "    } else if (!(t + h/8 > t)) {\n"
    "      fprintf(stderr, \"at t = %g no step is small enough: the table ends here\\n\", (double)t);\n"
    "      return 0;\n"
    "    }\n"
    "    /* half the step has 1/32 of the error */\n"
    "    if (64*error <= 1) *step = 2*h > *step ? 2*h : *step;\n"
    "    else if (error <= 1) *step = h < left ? h : *step;\n"
    "    else *step = error < 20 ? h/2 : h/4;\n"
    "  }\n"
    "  return 1;\n"
    "}\n\n";

// A model that asks for a fixed step gets it; how much that costs is printed.
static const char twin_text[] =
    "/* Where the motion with half the step is: its distance is about 16/15 of the error. */\n"
    "static void compare($ t, const $ *y, const $ *twin, double *worst, double *when, unsigned *which) {\n"
    "  for (unsigned i = 0; i < ^_STATES; i++) {\n"
    "    double off = fabs((double)y[i] - (double)twin[i]);\n"
    "    if (off <= *worst) continue;\n"
    "    *worst = off;\n"
    "    *when = (double)t;\n"
    "    *which = i;\n"
    "  }\n"
    "}\n\n";

static void put_loop(const Show *s, Text *o) {
  const Export *e = s->e;
  double rows = ceil(e->to / e->step - 1e-9);
  text_printf(o, "  for (long i = 0; i < %.0f; i++) {\n", rows);
  if (e->fixed) {
    put_template(s, o, "    @_rk4(");
    put_time(s, o, "i");
    put_template(s, o, ", h, y, w);\n    @_rk4(");
    put_time(s, o, "i");
    put_template(s, o, ", h/2, twin, w);\n    @_rk4(");
    put_time(s, o, "i");
    put_template(s, o, " + h/2, h/2, twin, w);\n    compare(");
    put_time(s, o, "(i + 1)");
    text_put(o, ", y, twin, &worst, &when, &which);\n    if (!row(");
  } else {
    text_put(o, "    if (!advance(");
    put_time(s, o, "i");
    text_put(o, ", ");
    put_time(s, o, "(i + 1)");
    text_put(o, ", y, &step, seen, w)) return 1;\n    if (!row(");
  }
  put_time(s, o, "(i + 1)");
  text_put(o, ", y, w)) return 1;\n  }\n");
}

static void put_example(const Show *s, Text *o) {
  const Export *e = s->e;
  put_template(s, o, "/* The motion of @ as a table: t, y, outputs. ");
  put_mark(s, o);
  put_template(s, o, " */\n#include \"@.h\"\n\n#include <math.h>\n#include <stdio.h>\n\n");
  if (!e->fixed) put_template(s, o, s->single ? "static const $ tolerance = 1e-4f; /* of a step, relative */\n\n" : "static const $ tolerance = 1e-10; /* of a step, relative */\n\n");
  put_template(s, o, row_text);
  if (e->output_count) put_template(s, o, outputs_text);
  else text_put(o, "  (void)w;\n");
  put_template(s, o, row_end);
  put_template(s, o, e->fixed ? twin_text : adaptive_text);
  put_template(s, o, "int main(void) {\n  $ p[^_PARAMS], y[^_STATES], w[^_WORK];\n");
  if (e->fixed) put_template(s, o, "  $ twin[^_STATES];\n  double worst = 0, when = 0;\n  unsigned which = 0;\n");
  else put_template(s, o, "  $ seen[^_STATES] = {0};\n");
  put_template(s, o, "  const $ h = ");
  put_number(s, o, e->step);
  put_template(s, o, e->fixed ? "; /* the step that the model asks for */\n" : "; /* from row to row */\n  $ step = h;\n");
  put_template(s, o, "  @_defaults(p);\n  @_prepare(p, w);\n  @_start(p, y);\n");
  if (e->fixed) put_template(s, o, "  @_start(p, twin);\n");
  put_template(s, o, "  printf(\"t\");\n  for (unsigned i = 0; i < ^_STATES; i++) printf(\",%s\", @_state_name(i));\n");
  if (e->output_count) put_template(s, o, "  for (unsigned i = 0; i < ^_OUTPUTS; i++) printf(\",%s\", @_output_name(i));\n");
  text_put(o, "  printf(\"\\n\");\n  if (!row(0, y, w)) return 1;\n");
  put_loop(s, o);
  if (e->fixed) {
    put_template(s, o, "  fprintf(stderr, \"half the step moves the table by at most %.2g (%s at t = %g)\\n\", worst, @_state_name(which), when);\n");
  }
  text_put(o, "  return 0;\n}\n");
}

static void put_makefile(const Show *s, Text *o) {
  text_put(o, "# ");
  put_mark(s, o);
  text_printf(o, "\n# make            the example, with the C library's functions\n");
  if (!s->single) text_printf(o, "# make SLEEF=1    with SLEEF: the numbers of viva to the last bit\n");
  text_printf(o, "CFLAGS ?= -O2\nFLAGS = -std=c99 -Wall -Wextra -Wpedantic -ffp-contract=off\n");
  if (!s->single) text_put(o, "ifdef SLEEF\nFLAGS += -DVIVA_SLEEF\nLDLIBS += -lsleef\nendif\n");
  text_printf(o, "LDLIBS += -lm\n\n%s: main.c %s.c %s.h\n\t$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) -o $@ main.c %s.c $(LDLIBS)\n\nclean:\n\trm -f %s\n\n.PHONY: clean\n", s->name, s->name, s->name, s->name, s->name);
}

bool show_export_c(const Export *e, const char *name, bool single, const char *version, ExportText *out) {
  char *upper = arena_printf(e->arena, "%s", name);
  if (!upper) return false;
  for (char *s = upper; *s; s++) {
    if (*s >= 'a' && *s <= 'z') *s = (char)(*s - 'a' + 'A'); // not by the locale
  }
  Show show = {e, name, upper, single, version};
  *out = (ExportText){text_in(e->arena), text_in(e->arena), text_in(e->arena), text_in(e->arena)};
  put_header(&show, &out->header);
  put_example(&show, &out->example);
  put_makefile(&show, &out->makefile);
  if (!put_source(&show, &out->source)) return false;
  Text *const all[] = {&out->source, &out->header, &out->example, &out->makefile};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) put_sum(all[i]);
  return !arena_failed(e->arena);
}
