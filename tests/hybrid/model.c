// The text of a model.
//
// Numbers are multiples of powers of 1/2, so 17 digits show them exactly. Every operand stands in brackets unless it is
// a number, a name or a call.
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool q_overflow;

int model_node(Model *m, Op op, int a, int b, int c) {
  if (m->node_count + 1 >= most_nodes) {
    m->full = true;
    return 1;
  }
  if (m->node_count == 0) m->node_count = 1;
  m->nodes[m->node_count] = (Node){.op = op, .a = {a, b, c}};
  for (int i = 0; i < 4; i++) m->nodes[m->node_count].k[i] = q_int(0);
  return m->node_count++;
}

int model_number(Model *m, Q value) {
  int id = model_node(m, op_num, 0, 0, 0);
  m->nodes[id].k[0] = value;
  return id;
}

static bool has_index(Op op) { return op == op_state || op == op_memory || op == op_signal; }

int model_copy(Model *m, int node) {
  if (!node) return 0;
  Node from = m->nodes[node];
  if (!has_index(from.op))
    for (int i = 0; i < 3; i++) from.a[i] = model_copy(m, from.a[i]);
  int id = model_node(m, from.op, 0, 0, 0);
  m->nodes[id] = from;
  return id;
}

bool op_is_condition(Op op) { return op >= op_lt && op <= op_not; }
bool op_is_block(Op op) { return op >= op_latch; }

// ---- print

static void put(Text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Text *out, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(out->text + out->length, sizeof out->text - out->length, format, args);
  va_end(args);
  out->length += (size_t)n;
  if (out->length >= sizeof out->text) out->length = sizeof out->text - 1;
}

static void put_number(Text *out, Q x) {
  if (x.d & (x.d - 1)) put(out, "(%lld/%lld)", (long long)x.n, (long long)x.d);
  else put(out, "%.17g", q_double(x));
}

static const char *infix(Op op) {
  switch ((int)op) {
  case op_add: return " + ";
  case op_sub: return " - ";
  case op_mul: return "*";
  case op_lt: return " < ";
  case op_le: return " <= ";
  case op_gt: return " > ";
  case op_ge: return " >= ";
  case op_eq: return " == ";
  case op_ne: return " != ";
  case op_and: return " and ";
  case op_or: return " or ";
  default: return NULL;
  }
}

static const char *call(Op op) {
  switch ((int)op) {
  case op_min: return "min";
  case op_max: return "max";
  case op_abs: return "abs";
  case op_sign: return "sign";
  case op_step: return "step";
  case op_ramp: return "ramp";
  case op_floor: return "floor";
  case op_mod: return "mod";
  case op_limit: return "limit";
  case op_delay: return "delay";
  case op_if: return "if";
  case op_latch: return "latch";
  case op_hysteresis: return "hysteresis";
  case op_pulse: return "pulse";
  case op_backlash: return "backlash";
  default: return NULL;
  }
}

// How many of its constants an operator shows behind its operands.
static int constants(const Node *n) {
  switch ((int)n->op) {
  case op_mod:
  case op_pulse:
  case op_backlash: return 1;
  case op_limit: return 2;
  case op_delay: return n->k[1].n ? 2 : 1;
  case op_latch: return n->k[0].n ? 1 : 0;
  case op_hysteresis: return 4;
  default: return 0;
  }
}

static void print(Text *out, const Model *m, int id, bool inside) {
  const Node *n = &m->nodes[id];
  switch ((int)n->op) {
  case op_num:
    if (n->k[0].n < 0) put(out, "(");
    put_number(out, n->k[0]);
    if (n->k[0].n < 0) put(out, ")");
    return;
  case op_time: put(out, "t"); return;
  case op_state: put(out, "%s", m->states[n->a[0]].name); return;
  case op_memory: put(out, "%s", m->memories[n->a[0]].name); return;
  case op_signal: put(out, "%s", m->signals[n->a[0]].name); return;
  default: break;
  }
  const char *word = call(n->op);
  if (word) {
    put(out, "%s(", word);
    for (int i = 0; i < 3 && n->a[i]; i++) {
      if (i) put(out, ", ");
      print(out, m, n->a[i], false);
    }
    for (int i = 0; i < constants(n); i++) {
      put(out, ", ");
      put_number(out, n->k[i]);
    }
    put(out, ")");
    return;
  }
  if (inside) put(out, "(");
  if (n->op == op_not || n->op == op_neg) {
    put(out, n->op == op_not ? "not " : "-");
    print(out, m, n->a[0], true);
  } else if (n->op == op_scale) {
    if (n->k[0].n < 0) put(out, "(");
    put_number(out, n->k[0]);
    put(out, n->k[0].n < 0 ? ")*" : "*");
    print(out, m, n->a[0], true);
  } else {
    print(out, m, n->a[0], true);
    put(out, "%s", infix(n->op));
    print(out, m, n->a[1], true);
  }
  if (inside) put(out, ")");
}

static void end_line(Text *out) {
  put(out, "\n");
  out->lines++;
}

static void print_assigns(Text *out, const Model *m, const Assign *assign, int count) {
  for (int i = 0; i < count; i++) {
    put(out, "%s%s := ", i ? ", " : "", m->states[assign[i].state].name);
    print(out, m, assign[i].node, false);
  }
}

static void print_blocks(Text *out, const Model *m) {
  for (int i = 0; i < m->memory_count; i++) {
    put(out, "let %s = ", m->memories[i].name);
    print(out, m, m->memories[i].node, false);
    end_line(out);
  }
  for (int i = 0; i < m->state_count; i++) {
    const State *s = &m->states[i];
    if (s->kind != state_integral) continue;
    put(out, "let %s = integral(", s->name);
    print(out, m, s->rate, false);
    put(out, ", ");
    put_number(out, s->start);
    if (s->reset || s->hold) {
      put(out, ", ");
      if (s->reset) print(out, m, s->reset, false);
      else put(out, "0");
      put(out, ", ");
      if (s->hold) print(out, m, s->hold, false);
      else put(out, "0");
    }
    put(out, ")");
    end_line(out);
  }
}

static bool is_name(const Model *m, const char *name) {
  for (int i = 0; i < m->state_count; i++)
    if (strcmp(m->states[i].name, name) == 0) return true;
  for (int i = 0; i < m->memory_count; i++)
    if (strcmp(m->memories[i].name, name) == 0) return true;
  return false;
}

void model_print(const Model *m, Text *out) {
  *out = (Text){0};
  for (int i = 0; i < m->state_count; i++) {
    const State *s = &m->states[i];
    if (s->kind == state_integral) continue;
    put(out, "state %s = ", s->name);
    put_number(out, s->start);
    end_line(out);
    if (s->kind == state_discrete) continue;
    put(out, "%s' = ", s->name);
    print(out, m, s->rate, false);
    end_line(out);
  }
  for (int i = 0; i < m->signal_count; i++) {
    put(out, "%s %s = ", m->signals[i].input ? "input" : "let", m->signals[i].name);
    print(out, m, m->signals[i].node, false);
    end_line(out);
  }
  if (!m->blocks_last) print_blocks(out, m);
  for (int i = 0; i < m->every_count; i++) {
    put(out, "every ");
    put_number(out, m->everys[i].period);
    put(out, " do ");
    print_assigns(out, m, m->everys[i].assign, m->everys[i].count);
    end_line(out);
  }
  for (int i = 0; i < m->when_count; i++) {
    out->line[i] = out->lines + 1;
    put(out, "when ");
    print(out, m, m->whens[i].condition, false);
    put(out, " do ");
    if (m->whens[i].stop) put(out, "stop");
    else print_assigns(out, m, m->whens[i].assign, m->whens[i].count);
    end_line(out);
  }
  if (m->blocks_last) print_blocks(out, m);
  for (int i = 0; i < m->output_count; i++) {
    Text value = {0};
    print(&value, m, m->outputs[i].node, false);
    if (strcmp(value.text, m->outputs[i].name) == 0) put(out, "output %s", value.text);
    else put(out, "output %s%s = %s", m->outputs[i].name, is_name(m, m->outputs[i].name) ? "_out" : "", value.text);
    end_line(out);
  }
  put(out, "simulate to ");
  put_number(out, m->to);
  put(out, " every ");
  put_number(out, m->row);
  end_line(out);
}
