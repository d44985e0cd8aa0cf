// The example program of an export: the table that `viva run` writes.
//
// Where the model leaves the step to the program, the example keeps a tolerance: smooth models by steps of its own
// (step doubling); models with memories and events by dividing the distance of rows until a finer step changes no more,
// else the change is reported. Where the model asks for a fixed step, the example takes it and prints the difference to
// a finer step.
#include "show/export_steps.h"
#include "solve/ode.h"

#include <math.h>
#include <string.h>

// The time of row `i`, with the roundings of `viva run`.
static void put_time(const ExportShow *s, Text *o, const char *i) {
  OdeSpacing x = ode_spacing(s->e->step);
  text_printf(o, "(%s_real)%s", s->name, i);
  if (x.times != 1) text_putc(o, '*');
  if (x.times != 1) export_number(s, o, x.times);
  if (x.over != 1) text_putc(o, '/');
  if (x.over != 1) export_number(s, o, x.over);
}

// Puts a text whose @ is the name of the model, ^ the name in capitals, $ the type of numbers.
static void put_template(const ExportShow *s, Text *o, const char *text) {
  while (*text) {
    size_t plain = strcspn(text, "@^$");
    text_putn(o, text, plain);
    text += plain;
    if (!*text) break;
    text_put(o, *text == '@' ? s->name : *text == '^' ? s->upper : s->single ? "float" : "double");
    text++;
  }
}

// With other parameters than the model's a start that obeys the constraints is looked for.
static void put_start(const ExportShow *s, Text *o, const char *y, const char *w, int failed) {
  if (s->e->constraints)
    text_printf(o,
                "  if (%s_start(p, %s) && %s_project(0, %s, %s)) {\n    fputs(\"no start was found that obeys the "
                "constraints with these parameters\\n\", stderr);\n    return %d;\n  }\n",
                s->name, y, s->name, y, w, failed);
  else text_printf(o, "  %s_start(p, %s);\n", s->name, y);
}

static const char row_text[] = "/* One row; 0: it holds something that is no number. */\n"
                               "static int row($ t, const $ *y, $ *w) {\n"
                               "  int good = 1;\n"
                               "  printf(\"%.17g\", (double)t);\n"
                               "  for (unsigned i = 0; i < ^_STATES; i++) {\n"
                               "    printf(\",%.17g\", (double)y[i]);\n"
                               "    good = good && isfinite(y[i]);\n"
                               "  }\n";
static const char outputs_text[] = "  static $ out[^_OUTPUTS];\n"
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

// Step doubling: one step and two halves are compared, and combined to fifth order. A component that would be zero but
// for rounding has no digits that a shorter step could get right, so rounding is measured before a step is refused.
static const char error_text[] =
    "static $ size_of($ x) { return x < 0 ? -x : x; }\n\n"
    "/* What rounding moves, a unit of time: the last bits of y are changed, and the step is made again. */\n"
    "static void feel($ t, $ h, const $ *y, const $ *whole, $ *rough, $ *w) {\n"
    "  static $ other[^_STATES];\n"
    "  for (unsigned i = 0; i < ^_STATES; i++) rough[i] = 0;\n"
    "  for (unsigned k = 0; k < 4; k++) {\n"
    "    for (unsigned i = 0; i < ^_STATES; i++) other[i] = y[i]*(1 + ((i >> k & 1) == (k & 1) ? last_bit : "
    "-last_bit));\n"
    "    @_rk4(t, h, other, w);\n"
    "    for (unsigned i = 0; i < ^_STATES; i++) {\n"
    "      $ moved = 4*size_of(other[i] - whole[i])/h;\n"
    "      if (rough[i] < moved) rough[i] = moved;\n"
    "    }\n"
    "  }\n"
    "}\n\n"
    "/* The error of a step against `tolerance`, measured by what each component has shown so far. */\n"
    "static $ error_of(const $ *y, const $ *whole, const $ *halves, const $ *seen, const $ *rough, $ h) {\n"
    "  $ error = 0;\n"
    "  for (unsigned i = 0; i < ^_STATES; i++) {\n"
    "    $ off = size_of(halves[i] - whole[i])/15, size = size_of(y[i]) + size_of(halves[i] - y[i]);\n"
    "    if (off <= rough[i]*h) continue;\n"
    "    off /= tolerance*(size + seen[i]/100);\n"
    "    if (!(off <= error)) error = off; /* also what is no number */\n"
    "    if (error != error) break;\n"
    "  }\n"
    "  return error;\n"
    "}\n\n";
static const char adaptive_text[] =
    "/* From t to end by steps that keep `tolerance`: each is made once whole and once in two halves. Where a rate "
    "jumps "
    "no\n"
    " * step is small enough: one that is too short to matter goes across. 0: it would take too many of them. */\n"
    "static int advance($ t, $ end, $ *y, $ *step, $ *seen, $ *w) {\n"
    "  static $ whole[^_STATES], halves[^_STATES], rough[^_STATES];\n"
    "  const $ tiny = (end - t)*shortest + size_of(end)*(shortest/100);\n"
    "  unsigned jumps = 0;\n"
    "  while (t < end) {\n"
    "    $ left = end - t, h = *step < left ? *step : left;\n"
    "    int runs = 0; /* something changes by a part of its size */\n"
    "    if (h < left && 2*h > left) h = left/2;\n"
    "    for (unsigned i = 0; i < ^_STATES; i++) whole[i] = halves[i] = y[i];\n"
    "    @_rk4(t, h, whole, w);\n"
    "    @_rk4(t, h/2, halves, w);\n"
    "    @_rk4(t + h/2, h/2, halves, w);\n"
    "    $ error = error_of(y, whole, halves, seen, rough, h);\n"
    "    if (error > 1) {\n"
    "      feel(t, h, y, whole, rough, w);\n"
    "      error = error_of(y, whole, halves, seen, rough, h);\n"
    "    }\n"
    "    for (unsigned i = 0; i < ^_STATES; i++) {\n"
    "      if (seen[i] > 0 && size_of(halves[i] - y[i]) > seen[i]/100) runs = 1;\n"
    "    }\n"
    "    if (h <= tiny && error > 1 && error*0 == 0 && !runs && ++jumps < 1000) error = 1;\n";
static const char accept_plain[] = "    if (error <= 1) {\n"
                                   "      for (unsigned i = 0; i < ^_STATES; i++) {\n"
                                   "        y[i] = halves[i] + (halves[i] - whole[i])/15;\n";
// Richardson extrapolation of two states that satisfy the constraints satisfies them only nearly: it is projected.
static const char accept_bound[] =
    "    for (unsigned i = 0; i < ^_STATES; i++) whole[i] = halves[i] + (halves[i] - whole[i])/15;\n"
    "    if (error <= 1 && @_project(h == left ? end : t + h, whole, w)) error = 20;\n"
    "    if (error <= 1) {\n"
    "      for (unsigned i = 0; i < ^_STATES; i++) {\n"
    "        y[i] = whole[i];\n";
static const char adaptive_end[] =
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
static const char compare_text[] =
    "/* How far a motion is from the one with half the step, by what each component has shown. */\n"
    "static void compare($ t, const $ *y, const $ *twin, double *seen, double *worst, double *when, unsigned *which) "
    "{\n"
    "  for (unsigned i = 0; i < ^_STATES; i++) {\n"
    "    double off = fabs((double)y[i] - (double)twin[i]), size = fabs((double)twin[i]);\n"
    "    if (size > seen[i]) seen[i] = size;\n"
    "    if (off <= *worst*seen[i]) continue;\n"
    "    *worst = seen[i] > 0 ? off/seen[i] : 1;\n"
    "    *when = (double)t;\n"
    "    *which = i;\n"
    "  }\n"
    "}\n\n";

static const char told_text[] = "  fprintf(stderr, \"a finer step moves the table by at most %.2g, relative (%s at t = "
                                "%g)\\n\", worst, @_state_name(which), when);\n";

// ---- smooth models

static const char smooth_fixed[] =
    "  static $ twin[^_STATES];\n  static double seen[^_STATES];\n  double worst = 0, when = 0;\n  "
    "unsigned which = 0;\n";

static void put_smooth_loop(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  double rows = ceil(e->to / e->step - 1e-9);
  text_printf(o, "  for (long i = 0; i < %.0f; i++) {\n", rows);
  put_template(s, o, "    const $ t = ");
  put_time(s, o, "i");
  text_printf(o, ", end = i + 1 < %.0f ? ", rows);
  put_time(s, o, "(i + 1)");
  text_put(o, " : ");
  export_number(s, o, e->to);
  text_put(o, ";\n");
  if (e->fixed) {
    put_template(s, o, "    const $ d = fabs((double)(end - t - h)) > ");
    text_printf(o, "%s*(double)h ? end - t : h; /* the last one may be shorter */\n", s->single ? "1e-3" : "1e-9");
    put_template(s, o, e->constraints ? "    @_rk4_to(t, d, end, y, w);\n" : "    @_rk4(t, d, y, w);\n");
    put_template(s, o, "    @_rk4(t, d/2, twin, w);\n    @_rk4(t + d/2, d/2, twin, w);\n");
    text_put(o, "    compare(end, y, twin, seen, &worst, &when, &which);\n");
  } else {
    text_put(o, "    if (!advance(t, end, y, &step, seen, w)) return 1;\n");
  }
  text_put(o, "    if (!row(end, y, w)) return 1;\n  }\n");
}

static void put_smooth(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  if (!e->fixed) put_template(s, o, error_text);
  put_template(s, o, e->fixed ? compare_text : adaptive_text);
  if (!e->fixed) put_template(s, o, e->constraints ? accept_bound : accept_plain);
  if (!e->fixed) put_template(s, o, adaptive_end);
  put_template(s, o,
               "int main(void) {\n  static $ p[^_PARAMS], y[^_STATES], w[^_WORK]; /* large ones have no room on a "
               "stack */\n  const $ h = ");
  export_number(s, o, e->step);
  put_template(s, o,
               e->fixed ? "; /* the step that the model asks for */\n"
                        : "; /* from row to row */\n  static $ seen[^_STATES];\n  $ step = h;\n");
  put_template(s, o, "  @_defaults(p);\n  @_prepare(p, w);\n");
  put_start(s, o, "y", "w", 1);
  if (e->fixed) put_template(s, o, smooth_fixed);
  if (e->fixed) put_start(s, o, "twin", "w", 1);
  text_put(o, "  head();\n  if (!row(0, y, w)) return 1;\n");
  put_smooth_loop(s, o);
  if (e->fixed) put_template(s, o, told_text);
  text_put(o, "  return 0;\n}\n");
}

// ---- models with memories and events

// Two simulations side by side. `parts`: steps of the first from row to row; the second has 2*parts + 1, so that their
// grids have nothing in common inside a row: on nested grids both would often see an event at the same wrong moment.
static const char begin_text[] = "typedef struct Motion {\n"
                                 "  $ y[^_STATES], w[^_WORK], h, *past;\n"
                                 "  @_memory m;\n"
                                 "  int go; /* 0: it goes on */\n"
                                 "} Motion;\n\n"
                                 "static int begin(Motion *x, const $ *p, $ h) {\n"
                                 "  x->h = h;\n"
                                 "  x->past = calloc((size_t)@_past(p, h) + 1, sizeof *x->past);\n"
                                 "  if (!x->past) return 0;\n"
                                 "  @_prepare(p, x->w);\n";
static const char begin_end[] =
    "  x->go = @_begin(0, h, x->y, p, x->w, &x->m, x->past);\n"
    "  return 1;\n"
    "}\n\n"
    "static void advance(Motion *x, $ t, $ end, long steps) {\n"
    "  for (long i = 0; i < steps && x->go == 0; i++) {\n"
    "    $ from = t + (end - t)*($)i/($)steps, to = i + 1 < steps ? t + (end - t)*($)(i + 1)/($)steps : end;\n"
    "    x->go = @_step(from, x->h, to, x->y, x->w, &x->m);\n"
    "  }\n"
    "}\n\n"
    "/* Follows the motion and its twin; shown: with the table. The distance of the two; negative: it cannot be "
    "followed. */\n"
    "static double follow(const $ *p, long parts, int shown) {\n"
    "  static Motion a, b;\n"
    "  const $ h = ";
static const char follow_text[] =
    ";\n"
    "  static double seen[^_STATES];\n"
    "  double worst = 0, when = 0;\n"
    "  unsigned which = 0;\n"
    "  for (unsigned i = 0; i < ^_STATES; i++) seen[i] = 0;\n"
    "  int good = begin(&a, p, h/($)parts) && begin(&b, p, h/($)(2*parts + 1)) && a.go >= 0 && b.go >= 0;\n"
    "  Motion *x = keeps_step ? &a : &b; /* the finer one is the better one */\n"
    "  if (good && shown) {\n"
    "    head();\n"
    "    good = row(0, x->y, x->w);\n"
    "  }\n";
static const char follow_end[] =
    "    if (a.go == 0 && b.go == 0) compare(t, a.y, b.y, seen, &worst, &when, &which);\n"
    "    if (shown) good = row(t, x->y, x->w);\n"
    "  }\n"
    "  good = good && a.go >= 0 && b.go >= 0;\n"
    "  free(a.past);\n"
    "  free(b.past);\n"
    "  a.past = b.past = NULL;\n"
    "  if (shown && good && (keeps_step || worst > tolerance)) {\n"
    "    fprintf(stderr, \"a finer step moves the table by at most %.2g, relative (%s at t = %g)\\n\", worst, "
    "@_state_name(which), when);\n"
    "  }\n"
    "  return good ? worst : -1;\n"
    "}\n\n"
    "int main(void) {\n"
    "  static $ p[^_PARAMS];\n"
    "  long parts = 1;\n"
    "  @_defaults(p);\n"
    "  if (!keeps_step) {\n"
    "    int calm = 0; /* how often in turn the two agreed */\n"
    "    for (parts = 16; parts < most_parts && calm < 2; parts *= 2) {\n"
    "      double off = follow(p, parts, 0);\n"
    "      if (off < 0) break;\n"
    "      calm = off <= tolerance ? calm + 1 : 0;\n"
    "    }\n"
    "  }\n"
    "  if (follow(p, parts, 1) >= 0) return 0;\n"
    "  fputs(\"the motion ends here: what the model demands does not hold (a delay must be a whole number of steps "
    "long, a period positive), or out of memory\\n\", stderr);\n"
    "  return 1;\n"
    "}\n";

static void put_remembering(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  put_template(s, o, compare_text);
  text_printf(o,
              "enum { keeps_step = %d, most_parts = 1024 }; /* whether the model asks for its step; how fine the "
              "others may become */\n\n",
              e->fixed);
  put_template(s, o, begin_text);
  put_start(s, o, "x->y", "x->w", 0);
  put_template(s, o, begin_end);
  export_number(s, o, e->step);
  put_template(s, o, follow_text);
  put_template(s, o, "  for (long i = 0; ");
  text_printf(o, "i < %.0f && good && x->go == 0; i++) {\n", ceil(e->to / e->step - 1e-9));
  put_template(s, o, "    const $ t = ");
  put_time(s, o, "(i + 1)");
  text_put(o, ";\n    advance(&a, ");
  put_time(s, o, "i");
  text_put(o, ", t, parts);\n    advance(&b, ");
  put_time(s, o, "i");
  text_put(o, ", t, 2*parts + 1);\n");
  put_template(s, o, follow_end);
}

// ---- both

void export_example(const ExportShow *s, Text *o) {
  const Export *e = s->e;
  put_template(s, o, "/* The motion of @ as a table: t, y, outputs. ");
  export_mark(s, o);
  put_template(s, o, " */\n#include \"@.h\"\n\n#include <math.h>\n#include <stdio.h>\n");
  text_put(o, e->events ? "#include <stdlib.h>\n\n" : "\n");
  bool events = e->events != NULL;
  const char *tolerance = events ? s->single ? "1e-3" : "1e-6" : s->single ? "1e-4f" : "1e-10";
  if (events || !e->fixed) {
    put_template(s, o, events ? "static const double tolerance = " : "static const $ tolerance = ");
    text_printf(o, "%s; /* %s */\n%s", tolerance,
                events ? "of what a finer step changes, relative" : "of a step, relative", events ? "\n" : "");
  }
  if (!events && !e->fixed) {
    put_template(s, o, "static const $ shortest = ");
    text_printf(o, "%s; /* step, of the time between rows */\n", s->single ? "1e-5f" : "1e-12");
    put_template(s, o, "static const $ last_bit = ");
    text_printf(o, "%s; /* of a number, relative */\n\n", s->single ? "1.2e-7f" : "2.3e-16");
  }
  put_template(s, o, row_text);
  if (e->output_count) put_template(s, o, outputs_text);
  else text_put(o, "  (void)w;\n");
  put_template(s, o, row_end);
  put_template(s, o,
               "static void head(void) {\n  printf(\"t\");\n  for (unsigned i = 0; i < ^_STATES; i++) printf(\",%s\", "
               "@_state_name(i));\n");
  if (e->output_count)
    put_template(s, o, "  for (unsigned i = 0; i < ^_OUTPUTS; i++) printf(\",%s\", @_output_name(i));\n");
  text_put(o, "  printf(\"\\n\");\n}\n\n");
  if (e->events) put_remembering(s, o);
  else put_smooth(s, o);
}
