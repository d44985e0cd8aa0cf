// What `viva derive` prints is the whole system.
//
// Defined: every symbol in the printed equations, blocks and events is a parameter, a variable, an input or a block of
// the same print, and none has a name that the program made for itself alone. A numeral is never a symbol.
//
// The system: the JSON is read back as another model that has no integrals, controllers, transfer functions or memories
// any more: everything continuous is a `state` with its printed right-hand side, every memory a state that `when`s set
// by the printed cases, play is sampled. Both are run, and must move alike. A print that is changed is noticed.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viva/viva.h"

// ---- reading JSON

typedef struct Node {
  char type; // s: string, n: other scalar, { [
  char *key, *text;
  struct Node *first, *next;
} Node;

static const char *after_blanks(const char *s) {
  while (*s == ' ' || *s == '\n') s++;
  return s;
}

// Characters that the texts hold are ASCII or written as themselves; \u is not needed.
static char *read_string(const char **s) {
  char *out = calloc(1, strlen(*s) + 1), *o = out;
  for ((*s)++; **s != '"'; (*s)++) {
    assert_true(**s != '\0');
    if (**s == '\\') {
      (*s)++;
      assert_true(strchr("\"\\/n", **s));
      *o++ = **s == 'n' ? '\n' : **s;
    } else {
      *o++ = **s;
    }
  }
  (*s)++;
  return out;
}

static Node *read_node(const char **s) {
  Node *n = calloc(1, sizeof *n);
  *s = after_blanks(*s);
  n->type = **s;
  if (**s == '"') {
    n->type = 's';
    n->text = read_string(s);
    return n;
  }
  if (**s != '{' && **s != '[') {
    size_t length = strcspn(*s, ",]}");
    n->type = 'n';
    n->text = strndup(*s, length);
    *s += length;
    return n;
  }
  char close = **s == '{' ? '}' : ']';
  Node **link = &n->first;
  for (*s = after_blanks(*s + 1); **s != close; *s = after_blanks(*s)) {
    if (**s == ',') *s = after_blanks(*s + 1);
    char *key = NULL;
    if (close == '}') {
      key = read_string(s);
      *s = after_blanks(*s);
      assert_int_equal(**s, ':');
      (*s)++;
    }
    *link = read_node(s);
    (*link)->key = key;
    link = &(*link)->next;
  }
  (*s)++;
  return n;
}

static void free_node(Node *n) {
  while (n) {
    Node *next = n->next;
    free_node(n->first);
    free(n->key);
    free(n->text);
    free(n);
    n = next;
  }
}

static const Node *get(const Node *n, const char *key) {
  for (const Node *c = n ? n->first : NULL; c; c = c->next) {
    if (c->key && strcmp(c->key, key) == 0) return c;
  }
  return NULL;
}

// The text of a member; NULL: none, or null.
static const char *text_of(const Node *n, const char *key) {
  const Node *c = get(n, key);
  return c && (c->type == 's') ? c->text : NULL;
}

static const Node *list(const Node *n, const char *key) {
  const Node *c = get(n, key);
  return c ? c->first : NULL;
}

static char *derived(const viva_model *m, viva_derive_options o) {
  char *printed = NULL;
  assert_int_equal(viva_derive(m, &o, &printed), VIVA_OK);
  assert_non_null(printed);
  return printed;
}

static Node *derived_json(const viva_model *m, viva_form form) {
  char *text = derived(m, (viva_derive_options){.form = form, .format = VIVA_FORMAT_JSON});
  const char *s = text;
  Node *n = read_node(&s);
  viva_text_free(text);
  return n;
}

// ---- words of an expression

static bool starts_name(char c) { return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }
static bool in_name(char c) { return starts_name(c) || isdigit((unsigned char)c); }

// A name with its parts, indices and primes: link[2].th', y.latch.2
static size_t name_length(const char *s) {
  size_t n = 0;
  if (!starts_name(*s)) return 0;
  for (;;) {
    while (in_name(s[n])) n++;
    if (s[n] == '[') {
      size_t end = n + strcspn(s + n, "]");
      assert_true(s[end] == ']');
      n = end + 1;
    }
    if (s[n] != '.' || !in_name(s[n + 1])) break;
    n++;
  }
  while (s[n] == '\'') n++;
  return n;
}

// Calls for every name that is no number's e and no text in quotes.
typedef void NameVisit(void *self, const char *name, size_t length, bool call);

static void each_name(const char *s, NameVisit *visit, void *self) {
  while (*s) {
    if (*s == '"') {
      s += strcspn(s + 1, "\"") + 2;
    } else if (isdigit((unsigned char)*s)) {
      while (isdigit((unsigned char)*s) || *s == '.') s++;
      if (*s == 'e' &&
          (isdigit((unsigned char)s[1]) || ((s[1] == '-' || s[1] == '+') && isdigit((unsigned char)s[2])))) {
        s += 2;
        while (isdigit((unsigned char)*s)) s++;
      }
    } else {
      size_t n = name_length(s);
      if (n) visit(self, s, n, s[n] == '(');
      s += n ? n : 1;
    }
  }
}

// ---- every symbol is defined

typedef struct Known {
  char *names[4000];
  size_t count;
  const char *model;     // for messages
  const char *undefined; // the first one, or NULL
  char index[40];        // of an equation that stands for several, "i"; "": it stands for itself
  char found[200];
} Known;

static void know(Known *k, const char *name, int most_primes) {
  for (int p = 0; p <= most_primes && k->count < sizeof k->names / sizeof *k->names; p++) {
    char *own = calloc(1, strlen(name) + 8);
    strcpy(own, name);
    for (int i = 0; i < p; i++) strcat(own, "'");
    k->names[k->count++] = own;
  }
}

static bool knows(const Known *k, const char *name, size_t n) {
  for (size_t i = 0; i < k->count; i++) {
    if (strlen(k->names[i]) == n && memcmp(k->names[i], name, n) == 0) return true;
  }
  return false;
}

// `th[i-1]'` where one of the known names is `th[1]'`.
static bool knows_one_of(const Known *k, const char *name, size_t n) {
  const char *open = memchr(name, '[', n), *close = open ? memchr(open, ']', n - (size_t)(open - name)) : NULL;
  if (!close || !*k->index || strncmp(open + 1, k->index, strlen(k->index)) != 0) return false;
  size_t front = (size_t)(open - name), back = n - (size_t)(close - name);
  for (size_t i = 0; i < k->count; i++) {
    size_t length = strlen(k->names[i]);
    if (length > front + back && strncmp(k->names[i], name, front + 1) == 0 &&
        strncmp(k->names[i] + length - back, close, back) == 0)
      return true;
  }
  return false;
}

static void look_at(void *self, const char *name, size_t n, bool call) {
  static const char *const functions[] = {
      "sin",   "cos",   "tan",         "asin",        "acos",    "atan",  "atan2", "sinh",  "cosh",  "tanh",  "exp",
      "ln",    "sqrt",  "abs",         "sign",        "min",     "max",   "floor", "mod",   "step",  "ramp",  "if",
      "noise", "table", "table_slope", "integral_of", "inverse", "asinh", "acosh", "atanh", "log10", "hypot", "erf"};
  static const char *const words[] = {"t", "pi", "inf", "and", "or", "not", "d", "dt"};
  Known *k = self;
  bool ok = knows(k, name, n) || knows_one_of(k, name, n) || (n == strlen(k->index) && strncmp(name, k->index, n) == 0);
  for (size_t i = 0; call && i < sizeof functions / sizeof *functions; i++)
    ok = ok || (strlen(functions[i]) == n && memcmp(functions[i], name, n) == 0);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    ok = ok || (strlen(words[i]) == n && memcmp(words[i], name, n) == 0);
  if (memchr(name, '@', n)) ok = false;
  if (ok || k->undefined) return;
  snprintf(k->found, sizeof k->found, "%.*s", (int)n, name);
  k->undefined = k->found;
}

static void look_through(Known *k, const Node *n) {
  // what is for people is not read; a bound variable of an integral is written by its sign
  static const char *const skipped[] = {"latex",   "title",  "form",    "sum",  "notes",       "block",  "is",
                                        "at",      "kind",   "written", "note", "coordinates", "states", "inputs",
                                        "verdict", "reason", "of",      "name", "left",        "steps",  "repeats"};
  const Node *repeats = n->first;
  while (repeats && !(repeats->key && strcmp(repeats->key, "repeats") == 0)) repeats = repeats->next;
  if (repeats) assert_int_equal(sscanf(repeats->text, "for %39s in", k->index), 1);
  for (const Node *c = n->first; c; c = c->next) {
    bool skip_it = false;
    for (size_t i = 0; c->key && i < sizeof skipped / sizeof *skipped; i++)
      skip_it = skip_it || strcmp(c->key, skipped[i]) == 0;
    if (skip_it) continue;
    if (c->type == 's') each_name(c->text, look_at, k);
    else look_through(k, c);
  }
  if (repeats) *k->index = 0;
}

static Known known_in(const Node *json) {
  Known k = {.count = 0};
  for (const Node *p = list(json, "parameters"); p; p = p->next) know(&k, text_of(p, "name"), 0);
  for (const Node *v = list(json, "variables"); v; v = v->next)
    know(&k, text_of(v, "name"), strcmp(text_of(v, "kind"), "coordinate") == 0 ? 2 : 1);
  for (const Node *i = list(json, "signals"); i; i = i->next) know(&k, text_of(i, "name"), 6);
  for (const Node *b = list(json, "blocks"); b; b = b->next) know(&k, text_of(b, "name"), 0);
  for (const Node *s = list(json, "shared"); s; s = s->next) know(&k, text_of(s, "name"), 0);
  return k;
}

static void forget(Known *k) {
  for (size_t i = 0; i < k->count; i++) free(k->names[i]);
}

// A numeral with an index, or two numerals side by side; NULL: none.
static const char *numeral_as_symbol(const char *latex) {
  for (const char *s = latex; *s; s++) {
    if (!isdigit((unsigned char)*s)) continue;
    const char *start = s;
    while (isdigit((unsigned char)*s) || *s == '.') s++;
    if (*s == '_' || (*s == ' ' && isdigit((unsigned char)s[1]))) return start;
    s--;
  }
  return NULL;
}

// No two variables or blocks have one name.
static void names_are_single(const char *path, const Node *json) {
  static const char *const kinds[] = {"variables", "signals", "blocks", "shared"};
  for (size_t i = 0; i < 4; i++) {
    for (const Node *a = list(json, kinds[i]); a; a = a->next) {
      size_t count = 0;
      for (size_t k = 0; k < 4; k++) {
        for (const Node *b = list(json, kinds[k]); b; b = b->next)
          count += strcmp(text_of(a, "name"), text_of(b, "name")) == 0;
      }
      if (count != 1) fail_msg("%s: %zu things are called %s", path, count, text_of(a, "name"));
    }
  }
}

static void prints_are_closed(const char *path, const viva_model *m) {
  static const viva_form forms[] = {VIVA_FORM_LAGRANGE, VIVA_FORM_SOLVED, VIVA_FORM_STATE, VIVA_FORM_MATRICES};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    Node *json = derived_json(m, forms[f]);
    Known k = known_in(json);
    look_through(&k, json);
    names_are_single(path, json);
    if (k.undefined) fail_msg("%s, form %zu: `%s` is defined nowhere", path, f, k.undefined);
    forget(&k);
    free_node(json);
    for (int steps = 0; steps < 2; steps++) {
      char *latex = derived(m, (viva_derive_options){.form = forms[f], .format = VIVA_FORMAT_LATEX, .steps = steps});
      char *mathml = derived(m, (viva_derive_options){.form = forms[f], .format = VIVA_FORMAT_MATHML, .steps = steps});
      char *text = derived(m, (viva_derive_options){.form = forms[f], .format = VIVA_FORMAT_TEXT, .steps = steps});
      const char *bad = numeral_as_symbol(latex);
      if (bad) fail_msg("%s, form %zu: a numeral as a symbol: %.40s", path, f, bad);
      if (strstr(mathml, "<msub><mn>") || strstr(mathml, "</mn><mo>\xE2\x81\xA2</mo><mn>"))
        fail_msg("%s, form %zu: a numeral as a symbol", path, f);
      static const char *const internal[] = {"@", ".before", ".side", ".rest", "\\mathrm{before}", "<mi>before</mi>"};
      for (size_t i = 0; i < sizeof internal / sizeof *internal; i++) {
        if (strstr(latex, internal[i]) || strstr(mathml, internal[i]) || strstr(text, internal[i]))
          fail_msg("%s, form %zu: an internal name, %s", path, f, internal[i]);
      }
      viva_text_free(latex);
      viva_text_free(mathml);
      viva_text_free(text);
    }
  }
}

// ---- the models

typedef struct Example {
  const char *name, *text;
  double tolerance; // between both motions
} Example;

static const Example models[] = {
    {"servo",
     "let e = 1 - x\nlet m = limit(e, -0.3, 0.4)\nlet v = integral(m - 0.4*v, 0)\nlet x = integral(deadzone(v, 0.4), "
     "0)\nsimulate to 16 every 4\n",
     1e-6},
    {"pid on an arm",
     "param J = 0.02, kp = 3, ki = 0.5, kd = 0.4, umax = 1\ncoord th = 0.2\ninput r = 0.5*step(t - 1)\nlet u = "
     "limit(pid(r - th, kp, ki, kd, 100), -umax, umax)\n"
     "kinetic 1/2*J*th'^2\nforce th = u\nsimulate to 3 every 0.5\n",
     1e-6},
    {"pid with limits",
     "param K = 2\nstate y = 0\nlet u = pid(1 - y, 2, 1, 0.1, 20, -0.6, 0.6)\ny' = K*u - y\nsimulate to 6 every 1\n",
     1e-6},
    {"transfer functions",
     "param tau = 0.3\nlet a = tf(step(t - 0.5), [1, 2], [tau, 1, 4])\nlet b = 2*tf(a, [1], [tau, 1]) + tf(t, [1, 1], "
     "[2, 1])\nlet c = integral(b - integral(a, 1), 2)\nsimulate to 4 every 1\n",
     1e-6},
    {"blocks in blocks",
     "param tau = 0.5\nlet y = tf(integral(1, 0.5) + delay(t, 1), [1, 1], [2, 1])\nlet z = 3*tf(y + delay(y, 1), [1, "
     "1], [tau, 1]) + tf(t, [1], [1, 1]) + integral(integral(y) - integral(z))\n"
     "state w = 0\nw' = integral(z) - integral(w)\nsimulate to 3 every 1\n",
     1e-6},
    {"tank with a pump",
     "param lo = 0.2, hi = 0.8\nstate h = 0.5\nlet pump = hysteresis(h, lo, hi, 0, 1)\nh' = 0.6*pump - 0.25\nsimulate "
     "to 20 every 1\n",
     1e-6},
    {"latches",
     "state x = 0, n = 0\nlet q = latch(x > 0.9, x < -0.9)\nlet c = sin(3*t)\nx' = 3*c\nn' = q + compare(x, 0.5, 0, "
     "2)\nsimulate to 7 every 1\n",
     1e-6},
    {"pulses", "state y = 0\nlet s = sin(2*t)\nlet p = pulse(s > 0.8, 0.7)\ny' = p - 0.1*y\nsimulate to 12 every 1\n",
     1e-6},
    {"play", "state y = 0\nlet g = backlash(sin(t), 0.6)\ny' = g\nsimulate to 9 every 1\n", 2e-3},
    {"delays",
     "param T = 0.7\nstate x = 1\nlet d = delay(x, T, cos(t))\nx' = -1.2*d + 0.1*delay(x*d, 2*T)\nsimulate to 6 every "
     "1\n",
     1e-6},
    {"stick and slip",
     "param m = 1, k = 2, v = 0.3\ncoord x\nkinetic 1/2*m*x'^2\npotential 1/2*k*(x - v*t)^2\nforce x = friction(x', "
     "0.5, 0.8)\nsimulate to 12 every 1\n",
     1e-5},
    {"ball",
     "param g = 9.81, e = 0.8\ncoord h = 1\nstate n = 0\nkinetic 1/2*h'^2\npotential g*h\nwhen h < 0 do h' := -e*h', n "
     ":= n + 1\nsimulate to 2.5 every 0.25\n",
     1e-6},
    {"sampled",
     "param Ts = 0.1, Kp = 0.8, Ki = 2\nstate y = 0, I = 0, u = 0\ny' = u - y\nevery Ts do I := I + Ki*Ts*(1 - y), u "
     ":= Kp*(1 - y) + I\nwhen y > 0.9 do stop\nsimulate to 5 every 0.5\n",
     1e-6},
    {"ball on a beam",
     "param m = 0.11, R = 0.015, Jb = 2/5*m*R^2, J = 0.02, g = 9.81, Ts = 0.02\ncoord r = 0.1, al\nstate u = 0\ninput "
     "rref = 0.2*step(t - 1)\n"
     "kinetic 1/2*(Jb/R^2 + m)*r'^2 + 1/2*(J + Jb + m*r^2)*al'^2\npotential m*g*r*sin(al)\nevery Ts do u := 1.5*(r - "
     "rref) + 2.5*r' - 12*al - 1.5*al'\nforce al = u\nsimulate to 2 every 0.25\n",
     1e-6},
    {"everything",
     "param a = 0.5, b = 0.3, T = 0.4\ncoord x = 1, y = 0\nstate n = 0\ninput w = sin(t)\nlet q = latch(x > a, x < "
     "-a)\nlet z = 2*tf(w, [1], [0.2, 1]) - integral(x, 1)\n"
     "kinetic 1/2*x'^2 + 1/2*y'^2 + 1/4*cos(x - y)*x'*y'\npotential 2*x^2 + 3*(x - y)^2\ndissipation 1/10*x'^2\nforce "
     "x = z + b*q, y = 0.1*delay(x', T) + hysteresis(y, -0.1, 0.1, 0.2, -0.2)\n"
     "when x < 0 do n := n + 1\nsimulate to 4 every 0.5\n",
     1e-6},
};

static viva_model *parse(const char *name, const char *text) {
  viva_model *m;
  viva_status status = viva_model_parse(name, text, strlen(text), NULL, &m);
  if (status != VIVA_OK)
    fail_msg("%s: %s\n%s", name, viva_model_diagnostic_count(m) ? viva_model_diagnostic(m, 0).text : "", text);
  return m;
}

static void every_symbol_of_the_print_is_defined_in_it(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    viva_model *m = parse(models[i].name, models[i].text);
    prints_are_closed(models[i].name, m);
    viva_model_free(m);
  }
}

static void so_is_every_symbol_of_the_examples(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob(VIVA_ROOT "/examples/*.viva", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    viva_model *m;
    if (viva_model_load(found.gl_pathv[i], NULL, &m) == VIVA_OK) prints_are_closed(found.gl_pathv[i], m);
    viva_model_free(m);
  }
  assert_true(found.gl_pathc > 10);
  globfree(&found);
}

// The broken twin: a print that uses something undefined is noticed, and so is a numeral that is a symbol.
static void what_is_undefined_is_noticed(void **state) {
  (void)state;
  const char *s = "{\"parameters\": [{\"name\": \"a\"}], \"equations\": [{\"rhs\": \"a*pump + sin(t)\"}]}";
  Node *json = read_node(&s);
  Known k = known_in(json);
  look_through(&k, json);
  assert_non_null(k.undefined);
  assert_string_equal(k.undefined, "pump");
  forget(&k);
  free_node(json);
  assert_non_null(numeral_as_symbol("k - 100 2_{\\mathrm{u}}"));
  assert_null(numeral_as_symbol("100 \\cdot 10^{2} x_{2} + 3.5"));
}

// ---- read back

typedef struct Out {
  char *text;
  size_t length, room;
} Out;

static void put(Out *o, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (o->room < o->length + 20000) {
    o->room = 2 * o->room + 40000;
    o->text = realloc(o->text, o->room);
    assert_non_null(o->text);
  }
  int n = vsnprintf(o->text + o->length, o->room - o->length, format, args);
  va_end(args);
  assert_true(n >= 0 && (size_t)n < o->room - o->length);
  o->length += (size_t)n;
}

// A name of the print as a plain one: z_x_v of x', y_latch_2 of y.latch.2
static void put_plain(Out *o, const char *name, size_t n) {
  put(o, "z_");
  for (size_t i = 0; i < n; i++) {
    if (name[i] == '\'') put(o, "_v");
    else put(o, "%c", in_name(name[i]) ? name[i] : '_');
  }
}

typedef struct Rewrite {
  Out *out;
  const Known *known;
  const Node *json;
  const char *from; // what was copied so far
  bool start;       // the values at the start instead of the names
  int depth;
} Rewrite;

static void put_expression(Out *o, const Known *k, const Node *json, const char *text, bool start, int depth);

// The value at the start, in brackets: of a variable its start, of an input its signal, of a memory its rule.
static void put_start(Rewrite *w, const char *name, size_t n) {
  static const char *const kinds[] = {"variables", "signals", "blocks"}, *const members[] = {"start", "value", NULL};
  assert_true(w->depth < 20);
  for (size_t i = 0; i < 3; i++) {
    for (const Node *v = list(w->json, kinds[i]); v; v = v->next) {
      if (strlen(text_of(v, "name")) != n || memcmp(text_of(v, "name"), name, n) != 0) continue;
      put(w->out, "(");
      if (i < 2) {
        put_expression(w->out, w->known, w->json, text_of(v, members[i]), true, w->depth + 1);
      } else if (strcmp(text_of(v, "block"), "pulse") == 0) {
        put_expression(w->out, w->known, w->json, text_of(v, "trigger"), true, w->depth + 1);
      } else if (strcmp(text_of(v, "block"), "delay") == 0) {
        put_expression(w->out, w->known, w->json, text_of(list(v, "cases")->next, "value"), true, w->depth + 1);
      } else {
        for (const Node *c = list(v, "cases"); c; c = c->next) {
          bool last = strcmp(text_of(c, "at"), "where") != 0;
          const char *value = text_of(c, "value") ? text_of(c, "value") : text_of(v, "before");
          if (!last) {
            put(w->out, "if(");
            put_expression(w->out, w->known, w->json, text_of(c, "where"), true, w->depth + 1);
            put(w->out, ", ");
          }
          if (c->next || last) put_expression(w->out, w->known, w->json, value, true, w->depth + 1);
          if (!last) put(w->out, ", ");
        }
        for (const Node *c = list(v, "cases"); c; c = c->next) {
          if (strcmp(text_of(c, "at"), "where") == 0) put(w->out, ")");
        }
      }
      put(w->out, ")");
      return;
    }
  }
  put_plain(w->out, name, n); // a parameter
}

static void rewrite_name(void *self, const char *name, size_t n, bool call) {
  Rewrite *w = self;
  (void)call;
  bool time = w->start && n == 1 && *name == 't';
  if (!time && !knows(w->known, name, n)) return;
  put(w->out, "%.*s", (int)(name - w->from), w->from);
  if (time) put(w->out, "0");
  else if (w->start) put_start(w, name, n);
  else put_plain(w->out, name, n);
  w->from = name + n;
}

static void put_expression(Out *o, const Known *k, const Node *json, const char *text, bool start, int depth) {
  Rewrite w = {o, k, json, text, start, depth};
  each_name(text, rewrite_name, &w);
  put(o, "%s", w.from);
}

static void put_now(Out *o, const Known *k, const Node *json, const char *text) {
  put_expression(o, k, json, text, false, 0);
}

static void put_names(Out *o, const char *name) { put_plain(o, name, strlen(name)); }

// A memory becomes a state that `when`s set; `sampling`: how often play is looked at.
static void put_block(Out *o, const Known *k, const Node *json, const Node *b) {
  const char *name = text_of(b, "name"), *word = text_of(b, "block");
  if (strcmp(word, "delay") == 0 || strcmp(word, "friction") == 0) {
    static const char *const parts[2][3] = {{"input", "time", "history"}, {"velocity", "slip", "stick"}};
    bool friction = *word == 'f';
    put(o, "let ");
    put_names(o, name);
    put(o, " = %s(", word);
    for (int i = 0; i < 3; i++) {
      if (i) put(o, ", ");
      put_now(o, k, json, text_of(b, parts[friction][i]));
    }
    put(o, ")\n");
    return;
  }
  put(o, "state ");
  put_names(o, name);
  put(o, " = ");
  Rewrite start = {o, k, json, "", true, 0};
  if (strcmp(word, "backlash") == 0) put_expression(o, k, json, text_of(b, "before"), true, 0);
  else put_start(&start, name, strlen(name));
  put(o, "\n");
  if (strcmp(word, "pulse") == 0) {
    // the moment at which it ends
    put(o, "state ");
    put_names(o, name);
    put(o, "_end = ");
    put_now(o, k, json, text_of(b, "time"));
    put(o, "\nwhen ");
    put_names(o, name);
    put(o, " < 0.5 and (");
    put_now(o, k, json, text_of(b, "trigger"));
    put(o, ") do ");
    put_names(o, name);
    put(o, " := 1, ");
    put_names(o, name);
    put(o, "_end := t + ");
    put_now(o, k, json, text_of(b, "time"));
    put(o, "\nwhen ");
    put_names(o, name);
    put(o, " > 0.5 and t >= ");
    put_names(o, name);
    put(o, "_end do ");
    put_names(o, name);
    put(o, " := 0\n");
    return;
  }
  if (strcmp(word, "backlash") == 0) {
    const Node *low = list(b, "cases"), *high = low->next;
    assert_string_equal(text_of(low, "at"), "was below");
    assert_string_equal(text_of(high, "at"), "was above");
    put(o, "every 0.001 do ");
    put_names(o, name);
    put(o, " := max(min(");
    put_names(o, name);
    put(o, ", ");
    put_now(o, k, json, text_of(high, "value"));
    put(o, "), ");
    put_now(o, k, json, text_of(low, "value"));
    put(o, ")\n");
    return;
  }
  for (const Node *c = list(b, "cases"); c; c = c->next) {
    if (strcmp(text_of(c, "at"), "where") != 0) {
      assert_string_equal(text_of(c, "is"), "as it was");
      continue;
    }
    put(o, "when ");
    put_now(o, k, json, text_of(c, "where"));
    put(o, " do ");
    put_names(o, name);
    put(o, " := ");
    put_now(o, k, json, text_of(c, "value"));
    put(o, "\n");
  }
}

// The print as a model; simulate: its own line. Owned by the caller.
static char *read_back(const Node *json, const char *simulate) {
  Out out = {0}, *o = &out;
  Known known = known_in(json), *k = &known;
  for (const Node *p = list(json, "parameters"); p; p = p->next) {
    put(o, "param ");
    put_names(o, text_of(p, "name"));
    put(o, " = ");
    put_now(o, k, json, text_of(p, "value"));
    put(o, "\n");
  }
  for (const Node *v = list(json, "variables"); v; v = v->next) {
    put(o, "state ");
    put_names(o, text_of(v, "name"));
    put(o, " = ");
    put_now(o, k, json, text_of(v, "start"));
    put(o, "\n");
  }
  for (const Node *i = list(json, "signals"); i; i = i->next) {
    put(o, "input ");
    put_names(o, text_of(i, "name"));
    put(o, " = ");
    put_now(o, k, json, text_of(i, "value"));
    put(o, "\n");
  }
  for (const Node *e = list(json, "equations"); e; e = e->next) {
    // d(x')/dt = ...
    const char *left = text_of(e, "lhs");
    assert_int_equal(strncmp(left, "d(", 2), 0);
    if (get(e, "held")) continue;
    put_plain(o, left + 2, strcspn(left, ")") - 2);
    put(o, "' = ");
    put_now(o, k, json, text_of(e, "rhs"));
    put(o, "\n");
  }
  for (const Node *b = list(json, "blocks"); b; b = b->next) put_block(o, k, json, b);
  for (const Node *e = list(json, "events"); e; e = e->next) {
    put(o, text_of(e, "when") ? "when " : "every ");
    put_now(o, k, json, text_of(e, "when") ? text_of(e, "when") : text_of(e, "every"));
    put(o, " do ");
    bool first = true;
    for (const Node *a = list(e, "set"); a; a = a->next) {
      put(o, first ? "" : ", ");
      put_names(o, text_of(a, "name"));
      put(o, " := ");
      put_now(o, k, json, text_of(a, "value"));
      first = false;
    }
    if (strcmp(get(e, "stop")->text, "true") == 0) put(o, "%sstop", first ? "" : ", ");
    put(o, "\n");
  }
  put(o, "%s", simulate);
  forget(k);
  return out.text;
}

// ---- both motions

enum { most_columns = 60, most_rows = 200 };

typedef struct Table {
  char *names[most_columns];
  size_t columns, rows;
  double values[most_rows][most_columns];
} Table;

static bool take_header(void *self, const char *const *names, size_t count) {
  Table *t = self;
  assert_true(count <= most_columns);
  for (size_t i = 0; i < count; i++) t->names[i] = strdup(names[i]);
  t->columns = count;
  return true;
}

static bool take_row(void *self, const double *values, size_t count) {
  Table *t = self;
  assert_true(t->rows < most_rows && count <= most_columns);
  memcpy(t->values[t->rows++], values, count * sizeof *values);
  return true;
}

static Table *run(const char *name, const char *text, const viva_model *m) {
  Table *t = calloc(1, sizeof *t);
  viva_sink sink = {t, take_header, take_row};
  viva_run_options o = viva_run_defaults();
  o.all = true;
  viva_run *r;
  viva_status status = viva_run_model(m, &o, &sink, &r);
  if (status != VIVA_OK) fail_msg("%s: %s\n%s", name, viva_run_message(r) ? viva_run_message(r) : "", text);
  viva_run_free(r);
  return t;
}

static void free_table(Table *t) {
  for (size_t i = 0; i < t->columns; i++) free(t->names[i]);
  free(t);
}

// How far the motions are apart, of the size of each column; every variable of the print is looked at.
static double apart(const Node *json, const Table *a, const Table *b, const char **worst) {
  double most = 0;
  *worst = "";
  if (a->rows != b->rows) {
    *worst = "the number of rows";
    return INFINITY;
  }
  size_t compared = 0;
  for (const Node *v = list(json, "variables"); v; v = v->next) {
    const char *name = text_of(v, "name");
    Out plain = {0};
    put_names(&plain, name);
    size_t i = 0, k = 0;
    while (i < a->columns && strcmp(a->names[i], name) != 0) i++;
    while (k < b->columns && strcmp(b->names[k], plain.text) != 0) k++;
    free(plain.text);
    if (i == a->columns || k == b->columns) fail_msg("%s is in no table", name);
    compared++;
    double size = 1e-3, off = 0;
    for (size_t r = 0; r < a->rows; r++) {
      double d = fabs(a->values[r][i] - b->values[r][k]);
      size = fmax(size, fabs(a->values[r][i]));
      off = d > off || isnan(d) ? d : off;
    }
    if (!(off / size <= most)) {
      most = off / size;
      *worst = name;
    }
  }
  assert_true(compared > 0);
  return most;
}

static void the_print_read_back_moves_alike(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    const Example *e = &models[i];
    viva_model *m = parse(e->name, e->text);
    Node *json = derived_json(m, VIVA_FORM_STATE);
    char *text = read_back(json, strstr(e->text, "simulate"));
    viva_model *again = parse("read back", text);
    Table *a = run(e->name, e->text, m), *b = run(e->name, text, again);
    const char *worst;
    double d = apart(json, a, b, &worst);
    if (!(d <= e->tolerance)) fail_msg("%s: %s differs by %g\n%s", e->name, worst, d, text);
    free_table(a);
    free_table(b);
    free(text);
    free_node(json);
    viva_model_free(again);
    viva_model_free(m);
  }
}

static char *replaced(const char *text, const char *was, const char *is) {
  size_t at = 0, n = strlen(was);
  while (text[at] && strncmp(text + at, was, n) != 0) at++;
  if (!text[at]) fail_msg("%s is not in %s", was, text);
  Out changed = {0};
  put(&changed, "%.*s", (int)at, text);
  put(&changed, "%s%s", is, text + at + n);
  return changed.text;
}

// The broken twin: any single member of the print, changed, is another motion.
static void a_print_that_is_wrong_moves_otherwise(void **state) {
  (void)state;
  static const struct {
    const char *model, *was, *is;
  } wrong[] = {
      {"tank with a pump", "\"value\": \"1\", \"at\": \"where\"", "\"value\": \"2\", \"at\": \"where\""},
      {"tank with a pump", "\"where\": \"h < lo\"", "\"where\": \"h < 0\""},
      {"pid with limits", "20 - 20*y - 20*u.f", "20 - 20*y - 19*u.f"},
      {"sampled", "\"every\": \"Ts\"", "\"every\": \"2*Ts\""},
      {"ball", "\"value\": \"-e*h'\"", "\"value\": \"-h'\""},
      {"pulses", "\"time\": \"0.7\"", "\"time\": \"0.6\""},
      {"delays", "\"time\": \"T\"", "\"time\": \"2*T\""},
      {"stick and slip", "\"stick\": \"0.8\"", "\"stick\": \"0.6\""},
      {"play", "\"value\": \"sin(t) - 0.3\"", "\"value\": \"sin(t) - 0.2\""},
  };
  for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
    const Example *e = models;
    while (strcmp(e->name, wrong[w].model) != 0) e++;
    viva_model *m = parse(e->name, e->text);
    char *text = derived(m, (viva_derive_options){.form = VIVA_FORM_STATE, .format = VIVA_FORMAT_JSON}),
         *changed = replaced(text, wrong[w].was, wrong[w].is);
    const char *s = changed;
    Node *json = read_node(&s);
    char *back = read_back(json, strstr(e->text, "simulate"));
    viva_model *again = parse("read back", back);
    Table *a = run(e->name, e->text, m), *b = run(e->name, back, again);
    const char *worst;
    if (apart(json, a, b, &worst) <= e->tolerance)
      fail_msg("%s: a wrong print is not noticed: %s", e->name, wrong[w].is);
    free_table(a);
    free_table(b);
    free(back);
    free(changed);
    free_node(json);
    viva_text_free(text);
    viva_model_free(again);
    viva_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_symbol_of_the_print_is_defined_in_it),
      cmocka_unit_test(so_is_every_symbol_of_the_examples),
      cmocka_unit_test(what_is_undefined_is_noticed),
      cmocka_unit_test(the_print_read_back_moves_alike),
      cmocka_unit_test(a_print_that_is_wrong_moves_otherwise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
