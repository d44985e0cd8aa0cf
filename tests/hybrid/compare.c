// Compares the library with the oracle on generated models, on texts, and on fixed cases.
//
//   hybrid_compare [--count N] [--seed S] [--method NAME] [--code NAME] [--family] [--shrink] [--show N] [FILE.viva
//   ...]
//
// A difference is named by its kind: how a run ends, which column of which row, which event. The first models of each
// kind are printed (--show, 1), with --shrink made smaller while the kind stays. --seed 0 takes a fresh one, which is
// printed. --between leaves out the rows at instants.
#define _XOPEN_SOURCE 700
#include "generate.h"
#include "oracle.h"

#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double most_different = 1.0 / 20000; // of all models

enum { most_kinds = 60, most_members = 6, kind_size = 120 };

typedef struct Settings {
  const char *method, *code;
  int count, show;
  uint64_t seed;
  bool family, shrink, between;
} Settings;

// What the library says of one run.
typedef struct Seen {
  Ending ending;
  char message[400];
  double t; // of the ending
  int row_count;
  double row_t[oracle_rows];
  double rows[oracle_rows][most_outputs];
  int event_count;
  OracleEvent events[oracle_events];
  int overwrite_count;
  OracleOverwrite overwrites[oracle_overwrites];
  struct timespec start;
  bool too_wide, late;
} Seen;

typedef struct Kind {
  char name[kind_size];
  int count;
} Kind;

typedef struct Tally {
  Settings settings;
  Kind kinds[most_kinds];
  int kind_count, models, different;
  long instants, rows;
  int endings[ending_count], happened[happened_count], with_op[op_backlash + 1], with_integral, with_never_in_text;
  struct {
    const char *why;
    int count;
  } skips[30];
} Tally;

// ---- the library

static bool take_row(void *self, const double *values, size_t count) {
  Seen *s = self;
  if (s->row_count == oracle_rows || count < 1) return false;
  if (s->row_count && values[0] - s->row_t[s->row_count - 1] <= 1e-12 * (1 + values[0])) s->row_count--; // of a `stop`
  s->row_t[s->row_count] = values[0];
  for (size_t i = 1; i < count && i <= most_outputs; i++) s->rows[s->row_count][i - 1] = values[i];
  s->row_count++;
  return true;
}

static bool is_late(void *self) {
  Seen *s = self;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  s->late = s->late || now.tv_sec - s->start.tv_sec > 5;
  return s->late;
}

static bool has(const char *text, const char *word) { return strstr(text, word) != NULL; }

// open: the words of messages.
static Ending ending_of_message(const char *text) {
  if (has(text, "both 1") || has(text, "trigger")) return ends_block;
  if (has(text, "driven back") || has(text, "no value between")) return ends_no_solution;
  if (has(text, "chatter") || has(text, "settle") || has(text, "pile up")) return ends_chattering;
  if (has(text, "more than one") || has(text, "several")) return ends_several;
  if (has(text, "no solution") || has(text, "no motion") || has(text, "none")) return ends_no_solution;
  return ending_count;
}

static int when_at(const Text *text, const Model *m, unsigned line) {
  int w = 0;
  while (w < m->when_count && text->line[w] != line) w++;
  return w < m->when_count ? w : -1;
}

static int state_named(const Model *m, const char *name) {
  int i = 0;
  while (i < m->state_count && strcmp(m->states[i].name, name) != 0) i++;
  return i < m->state_count ? i : -1;
}

// "set_twice" of the summary.
static void note_overwrites(const viva_run *run, const Text *text, const Model *m, Seen *out) {
  const char *at = strstr(viva_run_summary(run, VIVA_FORMAT_JSON), "\"set_twice\"");
  while (at && (at = strstr(at, "{\"name\": \"")) && out->overwrite_count < oracle_overwrites) {
    char name[most_name];
    OracleOverwrite *o = &out->overwrites[out->overwrite_count];
    unsigned line[2];
    if (sscanf(at, "{\"name\": \"%23[^\"]\", \"t\": %lf", name, &o->t) != 2) return;
    for (int i = 0; i < 2; i++) {
      at = strstr(at, "\"line\": ") + 8;
      line[i] = (unsigned)strtoul(at, NULL, 10);
    }
    o->state = state_named(m, name);
    o->earlier = when_at(text, m, line[0]);
    o->later = when_at(text, m, line[1]);
    at = strstr(at, "\"count\": ") + 9;
    o->count = atoi(at);
    out->overwrite_count++;
    if (strncmp(strchr(at, '}'), "}]", 2) == 0) return;
  }
}

static void note_run(const viva_run *run, viva_status status, const Text *text, const Model *m, Seen *out) {
  out->ending = ends_done;
  const char *message = run ? viva_run_message(run) : NULL;
  snprintf(out->message, sizeof out->message, "%s", message ? message : "");
  if (status != VIVA_OK) {
    out->ending = ending_of_message(out->message);
    const char *at = strstr(out->message, "stopped at t = ");
    out->t = at ? strtod(at + 15, NULL) : NAN;
    if (out->late) snprintf(out->message, sizeof out->message, "it does not end within 5 s");
  }
  if (run) note_overwrites(run, text, m, out);
  for (size_t i = 0; run && i < viva_run_event_count(run); i++) {
    viva_event e = viva_run_event(run, i);
    if (strncmp(e.what, "when", 4) != 0 || out->event_count == oracle_events) continue;
    for (int w = 0; w < m->when_count; w++) {
      if (text->line[w] != e.line) continue;
      out->events[out->event_count++] = (OracleEvent){e.t, w};
      if (m->whens[w].stop && out->ending == ends_done) out->ending = ends_stop, out->t = e.t;
    }
  }
}

static bool has_fixed_steps(const char *method) {
  static const char *const own_steps[] = {"auto", "dopri5", "dop853", "rodas", "bdf"};
  bool fixed = method != NULL;
  for (size_t i = 0; i < sizeof own_steps / sizeof *own_steps; i++) fixed = fixed && strcmp(method, own_steps[i]);
  return fixed;
}

// Fixed steps pass over jumps of time in models without other instants (last section of the page): these get one.
static void add_instant(Text *text) {
  static const char sample[] = "state unread = 0\nevery 4096 do unread := 0\n";
  if (text->length + sizeof sample > sizeof text->text) return;
  memcpy(text->text + text->length, sample, sizeof sample);
  text->length += sizeof sample - 1;
}

static viva_run_options options_of(const Settings *s, const Model *m) {
  viva_run_options o = viva_run_defaults();
  o.method = s->method;
  o.backend = s->code;
  if (has_fixed_steps(s->method)) o.step = 0.125, o.every = q_double(m->row);
  o.most_steps = 100000;
  o.interrupted = is_late;
  return o;
}

static bool parse(const Text *text, const viva_load_options *load, viva_model **model, Seen *out) {
  viva_status status = viva_model_parse("m.viva", text->text, text->length, load, model);
  if (status == VIVA_OK) return true;
  out->ending = ending_count;
  const char *why = viva_status_text(status);
  for (size_t i = 0; i < viva_model_diagnostic_count(*model); i++)
    if (!viva_model_diagnostic(*model, i).warning) why = viva_model_diagnostic(*model, i).text;
  snprintf(out->message, sizeof out->message, "refused: %s", why);
  return false;
}

static void run_library(const Settings *s, const Model *m, Seen *out) {
  static Text text;
  memset(out, 0, sizeof *out);
  model_print(m, &text);
  if (has_fixed_steps(s->method)) add_instant(&text);
  viva_model *model = NULL;
  viva_run *run = NULL;
  if (parse(&text, NULL, &model, out)) {
    viva_run_options o = options_of(s, m);
    o.self = out;
    clock_gettime(CLOCK_MONOTONIC, &out->start);
    viva_status status = viva_run_model(model, &o, &(viva_sink){.self = out, .row = take_row}, &run);
    note_run(run, status, &text, m, out);
  }
  viva_run_free(run);
  viva_model_free(model);
}

// Members of one model with other starts of its first state, side by side.
static void run_family(const Settings *s, const Model *m, const Model *members, int count, Seen *out) {
  static Text text;
  char list[200];
  int n = snprintf(list, sizeof list, "%s=[", m->states[0].name);
  for (int i = 0; i < count; i++)
    n += snprintf(list + n, sizeof list - (size_t)n, "%s%.17g", i ? ", " : "", q_double(members[i].states[0].start));
  snprintf(list + n, sizeof list - (size_t)n, "]");
  model_print(m, &text);
  const char *set = list;
  viva_load_options load = viva_load_defaults();
  load.set = &set;
  load.set_count = 1;
  viva_model *models[most_members] = {NULL};
  viva_run *runs[most_members] = {NULL};
  viva_status states[most_members];
  viva_run_options options[most_members];
  viva_sink sinks[most_members];
  bool ok = true;
  for (int i = 0; i < count; i++) {
    memset(&out[i], 0, sizeof out[i]);
    load.member = (size_t)i;
    ok = parse(&text, &load, &models[i], &out[i]) && ok;
    options[i] = options_of(s, m);
    options[i].self = &out[0];
    sinks[i] = (viva_sink){.self = &out[i], .row = take_row};
  }
  clock_gettime(CLOCK_MONOTONIC, &out[0].start);
  if (ok && viva_run_members((const viva_model *const *)models, (size_t)count, options, sinks, runs, states) == VIVA_OK)
    for (int i = 0; i < count; i++) note_run(runs[i], states[i], &text, m, &out[i]);
  for (int i = 0; i < count; i++) {
    viva_run_free(runs[i]);
    viva_model_free(models[i]);
  }
}

// ---- the difference

static const char *column_kind(const Model *m, int i) {
  const Node *n = &m->nodes[m->outputs[i].node];
  if (n->op == op_memory) {
    static const char *const words[] = {"latch", "hysteresis", "pulse", "backlash"};
    return words[m->nodes[m->memories[n->a[0]].node].op - op_latch];
  }
  if (n->op != op_state) return op_is_condition(n->op) ? "a condition in an output" : "a number in an output";
  static const char *const words[] = {"a moving state", "a discrete state", "an integral"};
  return words[m->states[n->a[0]].kind];
}

static const char *ending_word(Ending e) { return e == ending_count ? "another error" : ending_words[e]; }

static bool at_instant(const Answer *want, double t) {
  for (int i = 0; i < want->instants; i++)
    if (fabs(want->instant_t[i] - t) < 1e-6) return true;
  return false;
}

static bool same_overwrite(const OracleOverwrite *a, const OracleOverwrite *b) {
  return a->earlier == b->earlier && a->later == b->later && a->state == b->state && a->count == b->count &&
         fabs(a->t - b->t) <= 1e-9 * (1 + a->t);
}

// Of one instant they may come in any order.
static void compare_overwrites(const Model *m, const Answer *want, const Seen *got, char kind[kind_size], char *detail,
                               size_t size) {
  if (want->overwrite_count == oracle_overwrites) return;
  int found = 0;
  for (int i = 0; i < want->overwrite_count; i++) {
    const OracleOverwrite *o = &want->overwrites[i];
    int k = 0;
    while (k < got->overwrite_count && !same_overwrite(o, &got->overwrites[k])) k++;
    found += k < got->overwrite_count;
    if (k < got->overwrite_count || *kind) continue;
    snprintf(kind, kind_size, "set twice: not told");
    snprintf(detail, size, "%s by %d and %d at t = %.10g, %d times; %d pairs came", m->states[o->state].name,
             o->earlier + 1, o->later + 1, o->t, o->count, got->overwrite_count);
  }
  if (*kind || found == got->overwrite_count) return;
  snprintf(kind, kind_size, "set twice: told in vain");
  snprintf(detail, size, "%d pairs expected, %d came", want->overwrite_count, got->overwrite_count);
}

// The name of the first difference; "": none.
static void difference(const Settings *s, const Model *m, const Answer *want, const Seen *got, char kind[kind_size],
                       char *detail, size_t size) {
  *kind = *detail = 0;
  if (want->ending != got->ending) {
    snprintf(kind, kind_size, "ends: %s expected, %s came", ending_word(want->ending), ending_word(got->ending));
    snprintf(detail, size, "at t = %.10g expected, at %.10g came: %.300s", want->t, got->t, got->message);
    return;
  }
  bool failed = want->ending != ends_done && want->ending != ends_stop;
  double tolerance = 1e-9;
  for (int i = 0; i < want->row_count || i < got->row_count; i++) {
    double t = i < want->row_count ? want->row_t[i] : got->row_t[i];
    if (failed && t >= want->t - 1e-9) break; // the row of the error itself may be there or not
    if (i >= want->row_count || i >= got->row_count || fabs(got->row_t[i] - t) > tolerance * (1 + t)) {
      snprintf(kind, kind_size, "rows: other times");
      snprintf(detail, size, "row %d: t = %.10g expected, %d rows; %d rows came", i, t, want->row_count,
               got->row_count);
      return;
    }
    for (int k = 0; k < m->output_count && !(s->between && at_instant(want, t)); k++) {
      if (want->loose[i][k]) continue;
      double largest = 1;
      for (int r = 0; r < want->row_count; r++) largest = fmax(largest, fabs(want->rows[r][k]));
      if (fabs(want->rows[i][k] - got->rows[i][k]) <= tolerance * largest) continue;
      snprintf(kind, kind_size, "%s: %s", i ? "row" : "row of the start", column_kind(m, k));
      snprintf(detail, size, "t = %.10g, %s: %.12g expected, %.12g came", t, m->outputs[k].name, want->rows[i][k],
               got->rows[i][k]);
      return;
    }
  }
  if (failed && want->ending != ends_done && fabs(want->t - got->t) > tolerance * (1 + want->t)) {
    snprintf(kind, kind_size, "ends: %s at another time", ending_word(want->ending));
    snprintf(detail, size, "t = %.10g expected, %.10g came", want->t, got->t);
    return;
  }
  if (want->ending == ends_chattering) return; // its events have no end
  for (int i = 0; i < want->event_count || i < got->event_count; i++) {
    bool both = i < want->event_count && i < got->event_count;
    if (both && want->events[i].when == got->events[i].when &&
        fabs(want->events[i].t - got->events[i].t) <= tolerance * (1 + want->events[i].t))
      continue;
    double t = i < want->event_count ? want->events[i].t : got->events[i].t;
    snprintf(kind, kind_size, "events: %s%s", t > 0 ? "" : "of the start, ",
             both                    ? "others"
             : i < want->event_count ? "missing"
                                     : "too many");
    snprintf(detail, size, "event %d: %d at %.10g expected, %d at %.10g came", i,
             i < want->event_count ? want->events[i].when : -1, i < want->event_count ? want->events[i].t : NAN,
             i < got->event_count ? got->events[i].when : -1, i < got->event_count ? got->events[i].t : NAN);
    return;
  }
  compare_overwrites(m, want, got, kind, detail, size);
}

typedef struct Trial {
  const Settings *settings;
  Answer want;
  Seen got;
  char kind[kind_size], detail[600];
} Trial;

// false: the oracle has no answer.
static bool try_model(Trial *t, const Model *m) {
  *t->kind = 0;
  oracle_run(m, twin_none, &t->want);
  if (t->want.ending >= skip_close || m->full) return false;
  run_library(t->settings, m, &t->got);
  difference(t->settings, m, &t->want, &t->got, t->kind, t->detail, sizeof t->detail);
  return true;
}

typedef struct Same {
  Trial trial;
  char kind[kind_size];
} Same;

static bool still_fails(void *self, const Model *m) {
  Same *s = self;
  return try_model(&s->trial, m) && strcmp(s->trial.kind, s->kind) == 0;
}

// ---- reports

static void print_rows(const Model *m, const char *word, const double *t, const double (*rows)[most_outputs],
                       int count) {
  printf("  %s\n    t", word);
  for (int k = 0; k < m->output_count; k++) printf(" %s", m->outputs[k].name);
  printf("\n");
  for (int i = 0; i < count; i++) {
    printf("    %.10g:", t[i]);
    for (int k = 0; k < m->output_count; k++) printf(" %.10g", rows[i][k]);
    printf("\n");
  }
}

static void print_events(const char *word, const OracleEvent *events, int count) {
  printf("  %s:", word);
  for (int i = 0; i < count && i < 20; i++) printf(" %d@%.10g", events[i].when + 1, events[i].t);
  printf("\n");
}

static void show(const Trial *t, const Model *m) {
  static Text text;
  model_print(m, &text);
  printf("%s", text.text);
  printf("  %s: %s\n", t->kind, t->detail);
  printf("  ends: %s at %.10g expected, %s came: %s\n", ending_word(t->want.ending), t->want.t,
         ending_word(t->got.ending), t->got.message);
  print_rows(m, "expected", t->want.row_t, t->want.rows, t->want.row_count);
  print_rows(m, "came", t->got.row_t, t->got.rows, t->got.row_count);
  print_events("whens expected", t->want.events, t->want.event_count);
  print_events("whens that came", t->got.events, t->got.event_count);
}

static int kind_index(Tally *a, const char *kind) {
  int i = 0;
  while (i < a->kind_count && strcmp(a->kinds[i].name, kind) != 0) i++;
  if (i == a->kind_count && i < most_kinds - 1) snprintf(a->kinds[a->kind_count++].name, kind_size, "%s", kind);
  return i < a->kind_count ? i : a->kind_count - 1;
}

static void count_model(Tally *a, const Model *m, const Answer *want) {
  bool seen[op_backlash + 1] = {false};
  for (int i = 1; i < m->node_count; i++) seen[m->nodes[i].op] = true;
  for (int i = 0; i <= op_backlash; i++) a->with_op[i] += seen[i];
  for (int i = 0; i < m->state_count; i++) a->with_integral += m->states[i].kind == state_integral;
  for (int i = 0; i < happened_count; i++) a->happened[i] += want->happened[i] > 0;
  a->instants += want->instants;
  a->rows += want->row_count;
}

static void count_skip(Tally *a, const char *why) {
  for (size_t i = 0; why && i < sizeof a->skips / sizeof *a->skips; i++) {
    if (a->skips[i].why && strcmp(a->skips[i].why, why) != 0) continue;
    a->skips[i].why = why;
    a->skips[i].count++;
    return;
  }
}

// Compares one run that was made, and shows it where it differs.
static void judge(Tally *a, Trial *t, const Model *m, uint64_t number) {
  count_model(a, m, &t->want);
  if (!*t->kind) return;
  a->different++;
  int kind = kind_index(a, t->kind);
  if (a->kinds[kind].count++ >= a->settings.show) return;
  printf("---- model %llu, %s\n", (unsigned long long)number, t->kind);
  static Model small;
  small = *m;
  static Same same;
  if (a->settings.shrink && !a->settings.family) {
    same.trial.settings = t->settings;
    snprintf(same.kind, sizeof same.kind, "%s", t->kind);
    shrink(&small, still_fails, &same);
    if (still_fails(&same, &small)) show(&same.trial, &small);
    else show(t, m);
  } else {
    show(t, m);
  }
  fflush(stdout);
}

static void compare_family(Tally *a, const Model *m, uint64_t number) {
  static const int more[] = {0, 8, -8, 4, 16};
  static Model members[most_members];
  static Trial trials[most_members];
  static Seen seen[most_members];
  bool open = false;
  int count = 1 + (int)(sizeof more / sizeof *more);
  for (int i = 0; i < count; i++) {
    members[i] = *m;
    if (i) members[i].states[0].start = q_add(m->states[0].start, q_of(more[i - 1], 8));
    oracle_run(&members[i], twin_none, &trials[i].want);
    if (trials[i].want.ending >= skip_close) members[i] = *m, trials[i].want = trials[0].want;
    open = open || trials[i].want.ending >= skip_close;
  }
  if (open) {
    a->endings[trials[0].want.ending]++;
    count_skip(a, trials[0].want.why);
    return;
  }
  run_family(&a->settings, m, members, count, seen);
  for (int i = 0; i < count; i++) {
    a->endings[trials[i].want.ending]++;
    trials[i].settings = &a->settings;
    trials[i].got = seen[i];
    difference(&a->settings, &members[i], &trials[i].want, &seen[i], trials[i].kind, trials[i].detail,
               sizeof trials[i].detail);
    judge(a, &trials[i], &members[i], number);
  }
}

static void compare_model(Tally *a, const Model *m, uint64_t number) {
  static Trial t;
  t.settings = &a->settings;
  a->models++;
  if (a->settings.family) {
    compare_family(a, m, number);
    return;
  }
  bool answered = try_model(&t, m);
  a->endings[t.want.ending]++;
  if (answered) judge(a, &t, m, number);
  else count_skip(a, t.want.why);
}

static int compare_file(Tally *a, const char *path) {
  static char text[16000];
  static Model m;
  char error[200] = "";
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  text[n] = 0;
  if (f) fclose(f);
  if (!f || !model_read(text, &m, error)) {
    printf("%s: %s\n", path, f ? error : "no such file");
    return 1;
  }
  int before = a->different;
  a->settings.show = 1000;
  compare_model(a, &m, 0);
  printf("%s: %s\n", path, a->different > before ? "different" : "equal");
  return 0;
}

static void report(const Tally *a) {
  int skipped = 0;
  printf("%d models, %ld instants, %ld rows; %d different\n", a->models, a->instants, a->rows, a->different);
  for (int i = 0; i < a->kind_count; i++) printf("  %6d %s\n", a->kinds[i].count, a->kinds[i].name);
  printf("endings expected\n");
  for (int i = 0; i < ending_count; i++) {
    printf("  %6d %s\n", a->endings[i], ending_words[i]);
    if (i >= skip_close) skipped += a->endings[i];
  }
  for (size_t i = 0; i < sizeof a->skips / sizeof *a->skips && a->skips[i].why; i++)
    printf("    %6d %s\n", a->skips[i].count, a->skips[i].why);
  printf("models in which it happened\n");
  for (int i = 0; i < happened_count; i++) printf("  %6d %s\n", a->happened[i], happened_words[i]);
  static const struct {
    Op op;
    const char *word;
  } ops[] = {{op_min, "min"},
             {op_max, "max"},
             {op_abs, "abs"},
             {op_sign, "sign"},
             {op_step, "step"},
             {op_floor, "floor"},
             {op_mod, "mod"},
             {op_delay, "delay"},
             {op_latch, "latch"},
             {op_pulse, "pulse"},
             {op_hysteresis, "hysteresis"},
             {op_backlash, "backlash"}};
  printf("models with");
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) printf(" %s %d", ops[i].word, a->with_op[ops[i].op]);
  printf(" integral %d\n", a->with_integral);
  printf("%d skipped (%.1f %%)\n", skipped, 100.0 * skipped / (a->models ? a->models : 1));
}

int main(int argc, char **argv) {
  static Tally a;
  a.settings = (Settings){.count = 2000, .seed = 1, .show = 1};
  int files = 0, errors = 0;
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(word, "--shrink") == 0) a.settings.shrink = true;
    else if (strcmp(word, "--between") == 0) a.settings.between = true;
    else if (strcmp(word, "--family") == 0) a.settings.family = true;
    else if (strcmp(word, "--count") == 0) a.settings.count = atoi(value), i++;
    else if (strcmp(word, "--show") == 0) a.settings.show = atoi(value), i++;
    else if (strcmp(word, "--seed") == 0) a.settings.seed = strtoull(value, NULL, 10), i++;
    else if (strcmp(word, "--method") == 0) a.settings.method = value, i++;
    else if (strcmp(word, "--code") == 0) a.settings.code = value, i++;
    else if (*word == '-') {
      fprintf(stderr, "unknown option %s\n", word);
      return 2;
    } else {
      files++;
      errors += compare_file(&a, word);
    }
  }
  if (files) return errors || a.different;
  if (!a.settings.seed) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    a.settings.seed = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  }
  printf("seed %llu, method %s\n", (unsigned long long)a.settings.seed, a.settings.method ? a.settings.method : "auto");
  for (int i = 0; i < a.settings.count; i++) {
    static Model m;
    generate(&m, a.settings.seed * 1000003u + (uint64_t)i);
    compare_model(&a, &m, (uint64_t)i);
  }
  report(&a);
  // the last section of the page has what is known of these
  return (double)a.different > most_different * a.models;
}
