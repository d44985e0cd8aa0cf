// What `check` says of a model holds in its runs: random models with corners, jumps, events and derived parameters.
//
// A constant of motion is an output that stays where it is. Parameters that count only by combinations may be changed
// together, so that the combinations stay: then no motion changes, with other signs too unless they must be kept. A
// parameter or coordinate without effect may have any value.
//
// Broken twins: a constant with t/100 added does not stay; parameters that are changed so that a combination changes
// make another motion.
#include "tests/laws/chance.h"

#include "viva/viva.h"

#include <stdarg.h>

enum { models = 60, most_text = 16384, most_names = 12, most_columns = 24, rows = 16 };

typedef struct Sample {
  char text[most_text];
  size_t used;
  unsigned params, coords, states;
  char moving[8][16]; // names of what moves
  unsigned moving_count;
  bool tame; // few parameters inside functions, so that many hang together
} Sample;

static void put(Sample *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(m->text + m->used, sizeof m->text - m->used, format, args);
  va_end(args);
  assert_true(n > 0 && m->used + (size_t)n < sizeof m->text);
  m->used += (size_t)n;
}

// ---- random models

static const char *param(const Sample *m) {
  static char names[8][8];
  static unsigned at;
  char *name = names[at++ % 8];
  snprintf(name, 8, "p%u", choose(m->params));
  return name;
}

// Inside functions of tame models often a number.
static const char *inner(const Sample *m) { return m->tame && uniform() < 0.8 ? "0.7" : param(m); }

static const char *moving(const Sample *m) { return m->moving[choose(m->moving_count)]; }

// A number that moves, of parameters and what moves.
static const char *argument(const Sample *m) {
  static char texts[4][128];
  static unsigned at;
  char *text = texts[at++ % 4];
  if (m->tame && uniform() < 0.8) {
    snprintf(text, 128, "%s - %.2g", uniform() < 0.3 ? "t" : moving(m), uniform());
    return text;
  }
  switch (choose(7)) {
  case 0: snprintf(text, 128, "%s - %s", moving(m), param(m)); break;
  case 1: snprintf(text, 128, "%s*%s", param(m), moving(m)); break;
  case 2: snprintf(text, 128, "%s*t - %s", param(m), param(m)); break;
  case 3: snprintf(text, 128, "%s*%s + %s", param(m), moving(m), param(m)); break;
  case 4: snprintf(text, 128, "%s - %s*%s", moving(m), param(m), param(m)); break;
  case 5: snprintf(text, 128, "%s", moving(m)); break;
  default: snprintf(text, 128, "%s - %s/%s", moving(m), param(m), param(m)); break;
  }
  return text;
}

// Bounded, with corners and jumps of all kinds.
static const char *bent(const Sample *m) {
  static char texts[4][512];
  static unsigned at;
  char *text = texts[at++ % 4];
  const char *a = argument(m), *b = argument(m);
  switch (choose(18)) {
  case 0: snprintf(text, 512, "step(%s)", a); break;
  case 1: snprintf(text, 512, "sign(%s)", a); break;
  case 2: snprintf(text, 512, "if(%s > %s, %s, %s)", a, b, inner(m), inner(m)); break;
  case 3: snprintf(text, 512, "(%s < %s)", a, b); break;
  case 4: snprintf(text, 512, "min(%s, %s)", a, inner(m)); break;
  case 5: snprintf(text, 512, "max(%s, -%s)", a, inner(m)); break;
  case 6: snprintf(text, 512, "abs(%s)", a); break;
  case 7: snprintf(text, 512, "ramp(%s)", a); break;
  case 8: snprintf(text, 512, "floor(%s)/4", a); break;
  case 9: snprintf(text, 512, "mod(%s, %s)", a, inner(m)); break;
  case 10: snprintf(text, 512, "limit(%s, -%s, %s)", a, inner(m), inner(m)); break;
  case 11: snprintf(text, 512, "deadzone(%s, %s)", a, inner(m)); break;
  case 12: snprintf(text, 512, "sqrt((%s)^2)/%s", a, inner(m)); break;
  case 13: snprintf(text, 512, "atan(%s/%s)", a, inner(m)); break;
  case 14: snprintf(text, 512, "(%s > 0 and %s < %s)", a, b, inner(m)); break;
  case 15: snprintf(text, 512, "if(%s > 0, %s, %s)*(%s)^2/8", a, inner(m), inner(m), a); break;
  case 16: snprintf(text, 512, "sin(%s)", a); break;
  default: snprintf(text, 512, "%s*step(%s)*ramp(%s)", inner(m), a, a); break;
  }
  return text;
}

static void make_params(Sample *m) {
  static const char *const formulas[] = {"%s*%s", "%s/%s", "%s + %s", "2*%s*%s", "%s^2/%s", "sqrt(%s*%s)"};
  unsigned plain = 2 + choose(3), derived = choose(3);
  put(m, "param ");
  for (unsigned i = 0; i < plain; i++) put(m, "%sp%u = %.3g", i ? ", " : "", i, 0.5 + 2 * uniform());
  m->params = plain;
  for (unsigned i = 0; i < derived; i++) {
    put(m, ", p%u = ", m->params);
    put(m, formulas[choose(sizeof formulas / sizeof *formulas)], param(m), param(m));
    m->params++;
  }
  put(m, "\n");
}

static void make_names(Sample *m) {
  m->coords = choose(3);
  m->states = m->coords == 0 ? 1 + choose(2) : choose(2);
  for (unsigned i = 0; i < m->coords; i++) {
    if (uniform() < (m->tame ? 0.05 : 0.2)) put(m, "coord q%u = %s/2\n", i, param(m));
    else put(m, "coord q%u = %.2g\n", i, 0.2 + uniform());
    put(m, "init q%u' = %.2g\n", i, uniform() - 0.5);
    snprintf(m->moving[m->moving_count++], 16, "q%u", i);
    snprintf(m->moving[m->moving_count++], 16, "q%u'", i);
  }
  for (unsigned i = 0; i < m->states; i++) {
    if (uniform() < (m->tame ? 0.05 : 0.2)) put(m, "state z%u = %s\n", i, param(m));
    else put(m, "state z%u = %.2g\n", i, 0.1 + uniform());
    snprintf(m->moving[m->moving_count++], 16, "z%u", i);
  }
}

static void make_energies(Sample *m) {
  double odd = m->tame ? 0.3 : 1;
  for (unsigned i = 0; i < m->coords; i++) {
    static const char *const masses[] = {"%s", "%s*%s^2", "%s*%s", "(%s + %s)"};
    put(m, "kinetic 1/2*");
    put(m, masses[choose(4)], param(m), param(m));
    put(m, "*q%u'^2\n", i);
  }
  // energies of places: smooth, with corners, and with jumps that no equation knows
  for (unsigned i = 0; i < m->coords; i++) {
    if (uniform() < 0.6) put(m, "potential 1/2*%s*q%u^2\n", param(m), i);
    if (uniform() < 0.2) put(m, "potential -%s*%s*cos(q%u)\n", param(m), param(m), i);
    if (uniform() < 0.25 * odd) put(m, "potential %s*abs(q%u - %s)\n", param(m), i, param(m));
    if (uniform() < 0.15 * odd) put(m, "potential %s*step(q%u - %s)\n", param(m), i, param(m));
    if (uniform() < 0.15 * odd) put(m, "potential if(q%u > 0, %s, %s)*q%u^2/2\n", i, param(m), param(m), i);
    if (uniform() < 0.1 * odd) put(m, "potential %s*floor(q%u*%s)\n", param(m), i, param(m));
    if (uniform() < 0.1 * odd) put(m, "potential %s*sqrt((q%u - %s)^2)/(q%u - %s)\n", param(m), i, "p0", i, "p0");
    if (uniform() < 0.1 * odd) put(m, "potential %s*(q%u - atan2(sin(q%u), cos(q%u)))\n", param(m), i, i, i);
    if (uniform() < 0.1 * odd) put(m, "potential %s*step(t - %s)*q%u\n", param(m), param(m), i);
    if (uniform() < 0.15 * odd) put(m, "lagrangian %s*q%u'*step(t - %s)\n", param(m), i, param(m));
    if (uniform() < 0.2) put(m, "dissipation 1/2*%s*q%u'^2\n", param(m), i);
  }
  if (m->coords == 2 && uniform() < 0.5) put(m, "potential 1/2*%s*(q0 - q1)^2\n", param(m));
}

static void make_events(Sample *m) {
  if (m->tame && uniform() < 0.7) return;
  if (uniform() < 0.15 && m->coords)
    put(m, "when q0 < -%s do q0' := -%s*q0'\n", param(m), uniform() < 0.5 ? "1" : "0.5");
  if (uniform() < 0.1 && m->states) put(m, "when t > %s do z0 := z0/2\n", param(m));
  if (uniform() < 0.1 && m->states) put(m, "every 0.3 do z0 := z0 + %s/10\n", param(m));
}

static void make_model(Sample *m) {
  memset(m, 0, sizeof *m);
  m->tame = uniform() < 0.6;
  make_params(m);
  make_names(m);
  make_energies(m);
  bool input = uniform() < 0.3;
  if (input) put(m, "input u = %s\n", uniform() < 0.3 ? "0" : bent(m));
  for (unsigned i = 0; i < m->coords; i++) {
    if (uniform() < 0.35) put(m, "force q%u = -%s*%s\n", i, param(m), bent(m));
    if (input && uniform() < 0.5) put(m, "force q%u = u\n", i);
  }
  for (unsigned i = 0; i < m->states; i++)
    put(m, "z%u' = %s*%s - %s*z%u\n", i, param(m), bent(m), uniform() < 0.5 ? param(m) : "1", i);
  if (m->coords && uniform() < 0.1)
    put(m, "force q0 = -%s*hysteresis(q0, -%s, %s, -1, 1)\n", param(m), param(m), param(m));
  make_events(m);
}

// ---- runs

typedef struct Table {
  double value[rows + 4][most_columns];
  size_t columns, count;
} Table;

static bool take_row(void *self, const double *values, size_t count) {
  Table *t = self;
  if (t->count >= rows + 4 || count > most_columns) return false;
  memcpy(t->value[t->count++], values, count * sizeof *values);
  t->columns = count;
  return true;
}

static bool run(const char *text, const char *const *set, size_t set_count, Table *table) {
  viva_load_options o = viva_load_defaults();
  o.set = set;
  o.set_count = set_count;
  viva_model *model = NULL;
  table->count = 0;
  bool ok = viva_model_parse("law.viva", text, strlen(text), &o, &model) == VIVA_OK;
  viva_run_options r = viva_run_defaults();
  r.to = 1.5;
  r.every = 1.5 / rows;
  r.most_steps = 20000;
  r.rtol = 1e-10;
  viva_sink sink = {table, NULL, take_row};
  viva_run *result = NULL;
  ok = ok && viva_run_model(model, &r, &sink, &result) == VIVA_OK;
  // a run that says itself that its account does not close is no witness: poles that cancel leave their rounding
  const char *words = viva_run_message(result);
  if (words && strstr(words, "does not close")) ok = false;
  viva_run_free(result);
  viva_model_free(model);
  for (size_t i = 0; ok && i < table->count; i++) {
    for (size_t k = 0; k < table->columns; k++) ok = ok && isfinite(table->value[i][k]);
  }
  return ok && table->count > rows / 2;
}

static double difference(const Table *a, const Table *b) {
  double worst = a->count == b->count ? 0 : INFINITY;
  for (size_t i = 0; i < a->count && i < b->count; i++) {
    for (size_t k = 1; k < a->columns; k++)
      worst = fmax(worst, fabs(a->value[i][k] - b->value[i][k]) / (1 + fabs(a->value[i][k])));
  }
  return worst;
}

// The model with all that moves as outputs.
static const char *shown(const Sample *m) {
  static char text[most_text];
  size_t used = (size_t)snprintf(text, sizeof text, "%s", m->text);
  for (unsigned i = 0; i < m->moving_count; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "output shown%u = %s\n", i, m->moving[i]);
  return text;
}

// ---- what check says

typedef struct Claim {
  char names[most_names][32], by[most_names][256];
  size_t name_count, by_count;
  bool keep_signs;
} Claim;

typedef struct Said {
  char constants[most_names][4096];
  bool always[most_names];
  size_t constant_count;
  Claim lumps[most_names];
  size_t lump_count;
  char idle[most_names][32]; // parameters
  size_t idle_count;
  char alone[most_names][32]; // coordinates
  size_t alone_count;
} Said;

// The strings of the list that follows the word, up to the end.
static size_t strings(const char *s, const char *word, size_t size, void *out) {
  const char *at = strstr(s, word);
  assert_non_null(at);
  at = strchr(at, '[') + 1;
  size_t count = 0;
  while (*at == '"' || *at == ',' || *at == ' ') {
    if (*at++ != '"') continue;
    size_t n = strcspn(at, "\"");
    assert_true(n < size && count < most_names);
    memcpy((char *)out + count * size, at, n);
    ((char *)out)[count++ * size + n] = '\0';
    at += n + 1;
  }
  return count;
}

static void copy_string(const char *from, char *out, size_t size) {
  size_t n = strcspn(from, "\"");
  assert_true(n < size);
  memcpy(out, from, n);
  out[n] = '\0';
}

static bool ask(const Sample *m, Said *said) {
  memset(said, 0, sizeof *said);
  viva_load_options o = viva_load_defaults();
  viva_model *model = NULL;
  viva_check *check = NULL;
  bool ok = viva_model_parse("law.viva", m->text, strlen(m->text), &o, &model) == VIVA_OK &&
            viva_check_model(model, &check) == VIVA_OK;
  const char *json = ok ? viva_check_text(check, VIVA_FORMAT_JSON) : NULL;
  const char *constants = json ? strstr(json, "\"constants\"") : NULL,
             *lumped = json ? strstr(json, "\"lumped\"") : NULL, *remarks = json ? strstr(json, "\"remarks\"") : NULL;
  for (const char *s = constants; ok && (s = strstr(s + 1, "\"value\": \"")) && s < lumped;) {
    copy_string(s + strlen("\"value\": \""), said->constants[said->constant_count], sizeof said->constants[0]);
    const char *condition = strstr(s, "\"condition\": ") + strlen("\"condition\": ");
    // inputs that are zero are so in these runs
    said->always[said->constant_count++] = strncmp(condition, "null", 4) == 0 || strncmp(condition, "\"while", 6) == 0;
  }
  for (const char *s = lumped; ok && (s = strstr(s + 1, "{\"parameters\"")) && s < remarks;) {
    Claim *c = &said->lumps[said->lump_count++];
    c->name_count = strings(s, "\"parameters\"", sizeof c->names[0], c->names);
    c->by_count = strings(s, "\"by\"", sizeof c->by[0], c->by);
    c->keep_signs = strncmp(strstr(s, "\"keep_signs\": ") + strlen("\"keep_signs\": "), "true", 4) == 0;
  }
  for (const char *s = remarks; ok && (s = strstr(s + 1, "{\"about\": \""));) {
    char name[32];
    copy_string(s + strlen("{\"about\": \""), name, sizeof name);
    const char *says = strstr(s, "\"says\": \"") + strlen("\"says\": \"");
    bool idle = strncmp(says, "this parameter", 14) == 0, alone = strncmp(says, "the others move", 15) == 0;
    if (idle) snprintf(said->idle[said->idle_count++], 32, "%s", name);
    if (alone) snprintf(said->alone[said->alone_count++], 32, "%s", name);
  }
  viva_check_free(check);
  viva_model_free(model);
  return ok;
}

// ---- are they true?

static double number_of(const Sample *m, const char *name) {
  static char text[2 * most_text];
  static Table t;
  snprintf(text, sizeof text, "%soutput number = %s\n", m->text, name);
  assert_true(run(text, NULL, 0, &t));
  return t.value[0][1];
}

static void constants_stay(const Sample *m, const Said *said, size_t *tried, size_t *twins) {
  static char text[8 * most_text];
  static Table t;
  for (size_t c = 0; c < said->constant_count; c++) {
    if (!said->always[c]) continue;
    snprintf(text, sizeof text, "%soutput constant = %s\noutput twin = (%s) + t/100\n", m->text, said->constants[c],
             said->constants[c]);
    if (!run(text, NULL, 0, &t)) continue;
    double low = INFINITY, high = -INFINITY, twin = 0;
    for (size_t i = 0; i < t.count; i++) {
      low = fmin(low, t.value[i][1]);
      high = fmax(high, t.value[i][1]);
      twin = fmax(twin, fabs(t.value[i][2] - t.value[0][2]));
    }
    bool stays = high - low < 1e-6 * (1 + fmax(fabs(low), fabs(high)));
    if (!stays) print_error("%s\nnot constant: %s\nfrom %g to %g\n", m->text, said->constants[c], low, high);
    assert_true(stays);
    ++*tried;
    *twins += twin > 5e-3;
  }
}

// Exponents of products, factors of sums: what a combination says of each parameter, found by trying.
static double combination_at(const char *by, const Claim *c, const double *value) {
  static char text[2048];
  static Table t;
  size_t used = (size_t)snprintf(text, sizeof text, "param ");
  for (size_t i = 0; i < c->name_count; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %.17g", i ? ", " : "", c->names[i], value[i]);
  snprintf(text + used, sizeof text - used, "\nstate z = 0\nz' = 0\noutput y = %s\n", by);
  assert_true(run(text, NULL, 0, &t));
  return t.value[0][1];
}

typedef struct Fiber {
  double slope[most_names][most_names]; // of combination i by parameter k
  bool sums;
} Fiber;

static void find_fiber(const Claim *c, const double *value, Fiber *f) {
  double moved[most_names];
  f->sums = false;
  for (size_t i = 0; i < c->by_count; i++) f->sums = f->sums || strstr(c->by[i], " + ") || strstr(c->by[i], " - ");
  for (size_t i = 0; i < c->by_count; i++) {
    double here = combination_at(c->by[i], c, value);
    for (size_t k = 0; k < c->name_count; k++) {
      memcpy(moved, value, sizeof moved);
      moved[k] = f->sums ? value[k] + 1 : 2 * value[k];
      double there = combination_at(c->by[i], c, moved);
      f->slope[i][k] = round(f->sums ? there - here : log2(fabs(there / here)));
    }
  }
}

// A step that changes no combination: what is left of a random one after the slopes are taken away.
static void along(const Claim *c, const Fiber *f, double *step) {
  double basis[most_names][most_names];
  for (size_t k = 0; k < c->name_count; k++) step[k] = uniform() - 0.5;
  for (size_t i = 0; i < c->by_count; i++) {
    memcpy(basis[i], f->slope[i], sizeof basis[i]);
    for (size_t j = 0; j < i; j++) {
      double dot = 0, size = 0;
      for (size_t k = 0; k < c->name_count; k++) dot += basis[i][k] * basis[j][k], size += basis[j][k] * basis[j][k];
      for (size_t k = 0; size > 1e-9 && k < c->name_count; k++) basis[i][k] -= dot / size * basis[j][k];
    }
    double dot = 0, size = 0;
    for (size_t k = 0; k < c->name_count; k++) dot += basis[i][k] * step[k], size += basis[i][k] * basis[i][k];
    for (size_t k = 0; size > 1e-9 && k < c->name_count; k++) step[k] -= dot / size * basis[i][k];
  }
}

// Signs that no combination notices, some of them negative if there are such.
static unsigned quiet_signs(const Claim *c, const Fiber *f) {
  unsigned found = 0, count = 0;
  for (unsigned signs = 1; signs < 1u << c->name_count; signs++) {
    bool quiet = true;
    for (size_t i = 0; i < c->by_count; i++) {
      int odd = 0;
      for (size_t k = 0; k < c->name_count; k++) odd ^= (signs >> k & 1) && (int)fabs(f->slope[i][k]) % 2;
      quiet = quiet && !odd;
    }
    if (quiet && choose(++count) == 0) found = signs;
  }
  return found;
}

static bool run_with(const Sample *m, const Claim *c, const double *value, Table *t) {
  char set[most_names][64];
  const char *list[most_names];
  for (size_t k = 0; k < c->name_count; k++) {
    snprintf(set[k], sizeof set[k], "%s=%.17g", c->names[k], value[k]);
    list[k] = set[k];
  }
  return run(shown(m), list, c->name_count, t);
}

static void combinations_count_alone(const Sample *m, const Said *said, size_t *tried, size_t *twins,
                                     size_t *twins_tried) {
  static Table before, after;
  if (!said->lump_count || !run(shown(m), NULL, 0, &before)) return;
  for (size_t n = 0; n < said->lump_count; n++) {
    const Claim *c = &said->lumps[n];
    double value[most_names], changed[most_names], step[most_names];
    Fiber f;
    for (size_t k = 0; k < c->name_count; k++) value[k] = number_of(m, c->names[k]);
    find_fiber(c, value, &f);
    for (int trial = 0; trial < 3; trial++) {
      along(c, &f, step);
      unsigned signs = trial == 2 && !c->keep_signs && !f.sums ? quiet_signs(c, &f) : 0;
      for (size_t k = 0; k < c->name_count; k++)
        changed[k] = (f.sums ? value[k] + step[k] : value[k] * exp(step[k])) * (signs >> k & 1 ? -1 : 1);
      if (!run_with(m, c, changed, &after)) continue;
      double d = difference(&before, &after);
      if (d > 1e-6) {
        print_error("%s\nfalse: only by", m->text);
        for (size_t i = 0; i < c->by_count; i++) print_error(" %s", c->by[i]);
        for (size_t k = 0; k < c->name_count; k++) print_error("\n%s: %g -> %g", c->names[k], value[k], changed[k]);
        print_error("\nthe motion changes by %g\n", d);
      }
      assert_true(d <= 1e-6);
      ++*tried;
    }
    // the twin: off the fiber
    if (!c->by_count) continue;
    for (size_t k = 0; k < c->name_count; k++) changed[k] = value[k] * (1.3 + uniform());
    if (!run_with(m, c, changed, &after)) continue;
    ++*twins_tried;
    *twins += difference(&before, &after) > 1e-4;
  }
}

static void idle_things_may_change(const Sample *m, const Said *said, size_t *tried) {
  static Table before, after;
  if ((!said->idle_count && !said->alone_count) || !run(shown(m), NULL, 0, &before)) return;
  for (size_t i = 0; i < said->idle_count; i++) {
    char set[64];
    snprintf(set, sizeof set, "%s=%.3g", said->idle[i], 0.5 + 2 * uniform());
    if (!run(shown(m), (const char *[]){set}, 1, &after)) continue;
    // an input that nobody reads still ends steps where it jumps
    if (difference(&before, &after) > 1e-8) print_error("%s\nnot without effect: %s\n", m->text, said->idle[i]);
    assert_true(difference(&before, &after) <= 1e-8);
    ++*tried;
  }
  for (size_t i = 0; i < said->alone_count; i++) {
    char set[64];
    snprintf(set, sizeof set, "%s=%.3g", said->alone[i], 0.1 + 0.1 * uniform());
    if (!run(shown(m), (const char *[]){set}, 1, &after)) continue;
    for (unsigned k = 0; k < m->moving_count; k++) {
      size_t n = strlen(said->alone[i]);
      if (strncmp(m->moving[k], said->alone[i], n) == 0) continue; // its own motion
      for (size_t r = 0; r < before.count && r < after.count; r++) {
        double d = fabs(before.value[r][k + 1] - after.value[r][k + 1]) / (1 + fabs(before.value[r][k + 1]));
        if (d > 1e-6) print_error("%s\n%s has an influence on %s: %g\n", m->text, said->alone[i], m->moving[k], d);
        assert_true(d <= 1e-6);
      }
    }
    ++*tried;
  }
}

static void what_check_says_holds_in_runs(void **state) {
  (void)state;
  static Sample m;
  static Said said;
  size_t read = 0, constants = 0, constant_twins = 0, lumps = 0, lump_twins = 0, twins_tried = 0, idle = 0;
  for (int i = 0; i < models; i++) {
    make_model(&m);
    if (!ask(&m, &said)) continue; // refused: a coordinate that nothing holds, a velocity without inertia
    read++;
    constants_stay(&m, &said, &constants, &constant_twins);
    combinations_count_alone(&m, &said, &lumps, &lump_twins, &twins_tried);
    idle_things_may_change(&m, &said, &idle);
  }
  print_message(
      "%zu models: %zu constants, %zu changes of lumped parameters (%zu of %zu twins differ), %zu idle names\n", read,
      constants, lumps, lump_twins, twins_tried, idle);
  assert_true(read > models / 2);
  assert_true(constants && lumps && constants + lumps + idle > models / 3);
  // broken twins
  assert_int_equal(constant_twins, constants);
  assert_true(3 * lump_twins >= twins_tried);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(what_check_says_holds_in_runs, start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
