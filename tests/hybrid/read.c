// Reads texts of the class: names first, then the statements line by line.
#include "model.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
  Model *m;
  const char *at, *text;
  int line;
  char *error;
  jmp_buf fail;
} Reader;

static void fail(Reader *r, const char *what) {
  snprintf(r->error, 200, "line %d: %s at `%.30s`", r->line, what, r->at);
  longjmp(r->fail, 1);
}

static void skip(Reader *r) {
  while (*r->at == ' ' || *r->at == '\t') r->at++;
  if (*r->at == '#')
    while (*r->at && *r->at != '\n') r->at++;
}

static bool take(Reader *r, const char *token) {
  skip(r);
  size_t n = strlen(token);
  if (strncmp(r->at, token, n) != 0) return false;
  if (isalpha((unsigned char)*token) && (isalnum((unsigned char)r->at[n]) || r->at[n] == '_')) return false;
  r->at += n;
  return true;
}

static void need(Reader *r, const char *token) {
  if (!take(r, token)) fail(r, token);
}

static bool name(Reader *r, char out[most_name]) {
  skip(r);
  size_t n = 0;
  if (!isalpha((unsigned char)*r->at)) return false;
  while ((isalnum((unsigned char)r->at[n]) || r->at[n] == '_') && n < most_name - 1) out[n] = r->at[n], n++;
  out[n] = 0;
  r->at += n;
  return true;
}

static bool number(Reader *r, Q *out) {
  skip(r);
  if (!isdigit((unsigned char)*r->at) && *r->at != '.') return false;
  int64_t n = 0, d = 1;
  for (; isdigit((unsigned char)*r->at); r->at++) n = 10 * n + (*r->at - '0');
  if (*r->at == '.')
    for (r->at++; isdigit((unsigned char)*r->at); r->at++) n = 10 * n + (*r->at - '0'), d *= 10;
  *out = q_of(n, d);
  return true;
}

static int expression(Reader *r);

static Q constant(Reader *r) {
  bool minus = take(r, "-");
  bool bracket = !minus && take(r, "(");
  if (bracket) minus = take(r, "-");
  Q x = {0, 1}, d;
  if (!number(r, &x)) fail(r, "a number");
  if (take(r, "/")) {
    if (!number(r, &d)) fail(r, "a number");
    x = q_div(x, d);
  }
  if (bracket) need(r, ")");
  return minus ? q_neg(x) : x;
}

static int find_name(Reader *r, const char *word) {
  Model *m = r->m;
  for (int i = 0; i < m->state_count; i++)
    if (strcmp(m->states[i].name, word) == 0) return model_node(m, op_state, i, 0, 0);
  for (int i = 0; i < m->memory_count; i++)
    if (strcmp(m->memories[i].name, word) == 0) return model_node(m, op_memory, i, 0, 0);
  for (int i = 0; i < m->signal_count; i++)
    if (strcmp(m->signals[i].name, word) == 0) return model_node(m, op_signal, i, 0, 0);
  fail(r, "unknown name");
  return 0;
}

// A call: operands, then constants.
static const struct {
  const char *word;
  Op op;
  int operands, least, most; // constants
} calls[] = {{"min", op_min, 2, 0, 0},
             {"max", op_max, 2, 0, 0},
             {"abs", op_abs, 1, 0, 0},
             {"sign", op_sign, 1, 0, 0},
             {"step", op_step, 1, 0, 0},
             {"ramp", op_ramp, 1, 0, 0},
             {"floor", op_floor, 1, 0, 0},
             {"mod", op_mod, 1, 1, 1},
             {"limit", op_limit, 1, 2, 2},
             {"delay", op_delay, 1, 1, 2},
             {"if", op_if, 3, 0, 0},
             {"latch", op_latch, 2, 0, 1},
             {"hysteresis", op_hysteresis, 1, 4, 4},
             {"pulse", op_pulse, 1, 1, 1},
             {"backlash", op_backlash, 1, 1, 1}};

static int call(Reader *r, const char *word) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (strcmp(calls[i].word, word) != 0) continue;
    int a[3] = {0};
    for (int k = 0; k < calls[i].operands; k++) {
      if (k) need(r, ",");
      a[k] = expression(r);
    }
    int id = model_node(r->m, calls[i].op, a[0], a[1], a[2]);
    for (int k = 0; k < calls[i].most; k++) {
      if (k >= calls[i].least && *r->at == ')') break;
      need(r, ",");
      r->m->nodes[id].k[k] = constant(r);
    }
    need(r, ")");
    return id;
  }
  if (strcmp(word, "rectify") == 0) {
    int a = expression(r);
    need(r, ")");
    return model_node(r->m, op_max, a, model_number(r->m, q_int(0)), 0);
  }
  fail(r, "unknown function");
  return 0;
}

// A block inside of an expression is a memory without a name of its own.
static int lift(Reader *r, int id) {
  Model *m = r->m;
  if (!op_is_block(m->nodes[id].op)) return id;
  if (m->memory_count >= most_memories) fail(r, "too many blocks");
  Memory *memory = &m->memories[m->memory_count];
  *memory = (Memory){.node = id};
  snprintf(memory->name, sizeof memory->name, "block%d", m->memory_count);
  return model_node(m, op_memory, m->memory_count++, 0, 0);
}

static int primary(Reader *r) {
  Q x;
  char word[most_name];
  if (take(r, "(")) {
    int id = expression(r);
    need(r, ")");
    return id;
  }
  if (number(r, &x)) return model_number(r->m, x);
  if (!name(r, word)) fail(r, "an expression");
  if (strcmp(word, "t") == 0) return model_node(r->m, op_time, 0, 0, 0);
  if (take(r, "(")) return lift(r, call(r, word));
  return find_name(r, word);
}

static int unary(Reader *r) {
  if (!take(r, "-")) return primary(r);
  int a = unary(r);
  if (r->m->nodes[a].op == op_num) {
    r->m->nodes[a].k[0] = q_neg(r->m->nodes[a].k[0]);
    return a;
  }
  return model_node(r->m, op_neg, a, 0, 0);
}

static int product(Reader *r) {
  int a = unary(r);
  for (;;) {
    Node *n = r->m->nodes;
    if (take(r, "*")) {
      int b = unary(r);
      if (n[a].op == op_num || n[b].op == op_num) {
        int number_id = n[a].op == op_num ? a : b;
        int id = model_node(r->m, op_scale, number_id == a ? b : a, 0, 0);
        n[id].k[0] = n[number_id].k[0];
        a = id;
      } else {
        a = model_node(r->m, op_mul, a, b, 0);
      }
    } else if (take(r, "/")) {
      int b = unary(r);
      if (n[b].op != op_num) fail(r, "a number to divide by");
      int id = model_node(r->m, op_scale, a, 0, 0);
      n[id].k[0] = q_div(q_int(1), n[b].k[0]);
      if (n[a].op == op_num) n[id] = (Node){.op = op_num, .k = {q_mul(n[id].k[0], n[a].k[0])}};
      a = id;
    } else {
      return a;
    }
  }
}

static int sum(Reader *r) {
  int a = product(r);
  for (;;) {
    if (take(r, "+")) a = model_node(r->m, op_add, a, product(r), 0);
    else if (take(r, "-")) a = model_node(r->m, op_sub, a, product(r), 0);
    else return a;
  }
}

static int comparison(Reader *r) {
  static const struct {
    const char *sign;
    Op op;
  } signs[] = {{"<=", op_le}, {">=", op_ge}, {"==", op_eq}, {"!=", op_ne}, {"<", op_lt}, {">", op_gt}};
  int a = sum(r);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (take(r, signs[i].sign)) return model_node(r->m, signs[i].op, a, sum(r), 0);
  return a;
}

static int negation(Reader *r) {
  if (take(r, "not")) return model_node(r->m, op_not, negation(r), 0, 0);
  return comparison(r);
}

static int conjunction(Reader *r) {
  int a = negation(r);
  while (take(r, "and")) a = model_node(r->m, op_and, a, negation(r), 0);
  return a;
}

static int expression(Reader *r) {
  int a = conjunction(r);
  while (take(r, "or")) a = model_node(r->m, op_or, a, conjunction(r), 0);
  return a;
}

static int state_index(Reader *r) {
  char word[most_name];
  if (!name(r, word)) fail(r, "a state");
  for (int i = 0; i < r->m->state_count; i++)
    if (strcmp(r->m->states[i].name, word) == 0) return i;
  fail(r, "no such state");
  return 0;
}

static int assigns(Reader *r, Assign *list, bool *stop) {
  int n = 0;
  do {
    if (stop && take(r, "stop")) {
      *stop = true;
      continue;
    }
    if (n == most_assigns) fail(r, "too many assignments");
    list[n].state = state_index(r);
    need(r, ":=");
    list[n++].node = expression(r);
  } while (take(r, ","));
  return n;
}

static void read_let(Reader *r, bool names) {
  char word[most_name], function[most_name];
  Model *m = r->m;
  if (!name(r, word)) fail(r, "a name");
  need(r, "=");
  const char *from = r->at;
  bool is_call = name(r, function) && take(r, "(");
  if (is_call && strcmp(function, "integral") == 0) {
    if (names) {
      if (m->state_count >= most_states) fail(r, "too many states");
      m->states[m->state_count].kind = state_integral;
      strcpy(m->states[m->state_count++].name, word);
      return;
    }
    State *s = NULL;
    for (int i = 0; i < m->state_count; i++)
      if (strcmp(m->states[i].name, word) == 0) s = &m->states[i];
    s->rate = expression(r);
    s->start = q_int(0);
    if (take(r, ",")) s->start = constant(r);
    if (take(r, ",")) s->reset = expression(r);
    if (take(r, ",")) s->hold = expression(r);
    if (s->reset && m->nodes[s->reset].op == op_num) s->reset = 0;
    if (s->hold && m->nodes[s->hold].op == op_num) s->hold = 0;
    need(r, ")");
    return;
  }
  bool block = false;
  for (size_t i = 0; is_call && i < sizeof calls / sizeof *calls; i++)
    block = block || (strcmp(calls[i].word, function) == 0 && op_is_block(calls[i].op));
  if (names) {
    if (block && m->memory_count >= most_memories) fail(r, "too many blocks");
    if (!block && m->signal_count >= most_signals) fail(r, "too many signals");
    if (block) strcpy(m->memories[m->memory_count++].name, word);
    else strcpy(m->signals[m->signal_count++].name, word);
    return;
  }
  if (block) {
    for (int i = 0; i < m->memory_count; i++)
      if (strcmp(m->memories[i].name, word) == 0) m->memories[i].node = call(r, function);
    return;
  }
  r->at = from;
  for (int i = 0; i < m->signal_count; i++)
    if (strcmp(m->signals[i].name, word) == 0) m->signals[i].node = expression(r);
}

static void read_states(Reader *r, bool names) {
  do {
    char word[most_name];
    if (!name(r, word)) fail(r, "a name");
    Q start = q_int(0);
    if (take(r, "=")) start = constant(r);
    if (!names) continue;
    if (r->m->state_count >= most_states) fail(r, "too many states");
    State *s = &r->m->states[r->m->state_count++];
    *s = (State){.kind = state_discrete, .start = start};
    strcpy(s->name, word);
  } while (take(r, ","));
}

static void read_outputs(Reader *r) {
  Model *m = r->m;
  do {
    if (m->output_count >= most_outputs) fail(r, "too many outputs");
    Output *out = &m->outputs[m->output_count++];
    skip(r);
    const char *from = r->at;
    if (!name(r, out->name)) fail(r, "a name");
    if (take(r, "=")) {
      out->node = expression(r);
    } else {
      r->at = from;
      out->node = expression(r);
    }
  } while (take(r, ","));
}

static void read_line(Reader *r, bool names) {
  Model *m = r->m;
  skip(r);
  if (*r->at == '\n' || !*r->at) return;
  const char *from = r->at;
  char word[most_name];
  if (take(r, "state")) {
    read_states(r, names);
  } else if (take(r, "let") || (take(r, "input") && from[0] == 'i')) {
    read_let(r, names);
  } else if (names) {
    return;
  } else if (take(r, "when")) {
    if (m->when_count >= most_whens) fail(r, "too many whens");
    When *w = &m->whens[m->when_count++];
    w->condition = expression(r);
    need(r, "do");
    w->count = assigns(r, w->assign, &w->stop);
  } else if (take(r, "every")) {
    if (m->every_count >= most_everys) fail(r, "too many everys");
    Every *e = &m->everys[m->every_count++];
    e->period = constant(r);
    need(r, "do");
    e->count = assigns(r, e->assign, NULL);
  } else if (take(r, "output")) {
    read_outputs(r);
  } else if (take(r, "simulate")) {
    if (take(r, "to")) m->to = constant(r);
    if (take(r, "every")) m->row = constant(r);
  } else if (name(r, word) && *r->at == '\'') {
    r->at = from;
    State *s = &m->states[state_index(r)];
    need(r, "'");
    need(r, "=");
    s->kind = state_moving;
    s->rate = expression(r);
  } else {
    fail(r, "unknown statement");
  }
  skip(r);
  if (!names && *r->at != '\n' && *r->at) fail(r, "end of line");
}

bool model_read(const char *text, Model *m, char error[200]) {
  *m = (Model){.to = {1, 1}, .row = {1, 1}};
  Reader r = {.m = m, .error = error};
  if (setjmp(r.fail)) return false;
  for (int names = 1; names >= 0; names--) {
    const char *line = text;
    r.line = 1;
    while (*line) {
      r.at = line;
      read_line(&r, names);
      const char *end = strchr(line, '\n');
      if (!end) break;
      line = end + 1;
      r.line++;
    }
  }
  if (m->full) fail(&r, "too many expressions");
  return true;
}
