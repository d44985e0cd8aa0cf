// Makes a failing model smaller: statements go, expressions become one of their operands or a number.
//
// Every edit is tried on a copy. Rounds go on until no edit keeps the failure.
#include "generate.h"

#include <string.h>

typedef struct Shrink {
  Model best, trial;
  bool (*fails)(void *self, const Model *m);
  void *self;
  int steps, tries;
} Shrink;

enum { most_tries = 4000 };

static bool used(const Model *m, Op op, int index);

static bool keep(Shrink *s) {
  if (s->tries++ > most_tries) return false;
  if (!s->fails(s->self, &s->trial)) return false;
  s->best = s->trial;
  s->steps++;
  return true;
}

// Is a node part of a statement?
static void mark(const Model *m, int id, bool *seen) {
  if (!id) return;
  seen[id] = true;
  Op op = m->nodes[id].op;
  if (op == op_state || op == op_memory || op == op_signal) return;
  for (int i = 0; i < 3; i++) mark(m, m->nodes[id].a[i], seen);
}

static void mark_all(const Model *m, bool *seen) {
  memset(seen, 0, most_nodes * sizeof *seen);
  for (int i = 0; i < m->state_count; i++) {
    mark(m, m->states[i].rate, seen);
    mark(m, m->states[i].reset, seen);
    mark(m, m->states[i].hold, seen);
  }
  for (int i = 0; i < m->memory_count; i++) mark(m, m->memories[i].node, seen);
  for (int i = 0; i < m->signal_count; i++) mark(m, m->signals[i].node, seen);
  for (int i = 0; i < m->when_count; i++) {
    mark(m, m->whens[i].condition, seen);
    for (int k = 0; k < m->whens[i].count; k++) mark(m, m->whens[i].assign[k].node, seen);
  }
  for (int i = 0; i < m->every_count; i++)
    for (int k = 0; k < m->everys[i].count; k++) mark(m, m->everys[i].assign[k].node, seen);
  for (int i = 0; i < m->output_count; i++) mark(m, m->outputs[i].node, seen);
}

static bool used(const Model *m, Op op, int index) {
  bool seen[most_nodes];
  mark_all(m, seen);
  for (int i = 1; i < m->node_count; i++)
    if (seen[i] && m->nodes[i].op == op && m->nodes[i].a[0] == index) return true;
  for (int w = 0; w < m->when_count && op == op_state; w++)
    for (int k = 0; k < m->whens[w].count; k++)
      if (m->whens[w].assign[k].state == index) return true;
  for (int e = 0; e < m->every_count && op == op_state; e++)
    for (int k = 0; k < m->everys[e].count; k++)
      if (m->everys[e].assign[k].state == index) return true;
  return false;
}

static void renumber(Model *m, Op op, int gone) {
  for (int i = 1; i < m->node_count; i++)
    if (m->nodes[i].op == op && m->nodes[i].a[0] > gone) m->nodes[i].a[0]--;
  if (op != op_state) return;
  for (int w = 0; w < m->when_count; w++)
    for (int k = 0; k < m->whens[w].count; k++)
      if (m->whens[w].assign[k].state > gone) m->whens[w].assign[k].state--;
  for (int e = 0; e < m->every_count; e++)
    for (int k = 0; k < m->everys[e].count; k++)
      if (m->everys[e].assign[k].state > gone) m->everys[e].assign[k].state--;
}

#define DROP(list, count, i)                                                                                           \
  (memmove(&(list)[i], &(list)[(i) + 1], (size_t)((count) - (i)-1) * sizeof *(list)), (count)--)

static bool drop_assign(Assign *list, int *count, int k) {
  if (*count < 2) return false;
  DROP(list, *count, k);
  return true;
}

// Removes whole statements. true: one went.
static bool drop_statements(Shrink *s) {
  bool any = false;
  for (int i = s->best.when_count - 1; i >= 0; i--) {
    s->trial = s->best;
    DROP(s->trial.whens, s->trial.when_count, i);
    if (keep(s)) any = true;
    else
      for (int k = s->best.whens[i].count - 1; k >= 0; k--) {
        s->trial = s->best;
        if (drop_assign(s->trial.whens[i].assign, &s->trial.whens[i].count, k) && keep(s)) any = true;
      }
  }
  for (int i = s->best.every_count - 1; i >= 0; i--) {
    s->trial = s->best;
    DROP(s->trial.everys, s->trial.every_count, i);
    if (keep(s)) any = true;
    else
      for (int k = s->best.everys[i].count - 1; k >= 0; k--) {
        s->trial = s->best;
        if (drop_assign(s->trial.everys[i].assign, &s->trial.everys[i].count, k) && keep(s)) any = true;
      }
  }
  for (int i = s->best.output_count - 1; i >= 0 && s->best.output_count > 1; i--) {
    s->trial = s->best;
    DROP(s->trial.outputs, s->trial.output_count, i);
    any = keep(s) || any;
  }
  for (int i = s->best.memory_count - 1; i >= 0; i--) {
    s->trial = s->best;
    Model *m = &s->trial;
    if (used(m, op_memory, i)) continue;
    DROP(m->memories, m->memory_count, i);
    renumber(m, op_memory, i);
    any = keep(s) || any;
  }
  for (int i = s->best.signal_count - 1; i >= 0; i--) {
    s->trial = s->best;
    if (used(&s->trial, op_signal, i)) continue;
    DROP(s->trial.signals, s->trial.signal_count, i);
    renumber(&s->trial, op_signal, i);
    any = keep(s) || any;
  }
  for (int i = s->best.state_count - 1; i >= 0 && s->best.state_count > 1; i--) {
    s->trial = s->best;
    Model *m = &s->trial;
    m->states[i].rate = 0; // its own rate does not count
    if (used(m, op_state, i)) continue;
    DROP(m->states, m->state_count, i);
    renumber(m, op_state, i);
    any = keep(s) || any;
  }
  return any;
}

static bool is_condition(const Model *m, int id) { return op_is_condition(m->nodes[id].op); }

// Replaces expressions by one of their operands, or by a number.
static bool simplify(Shrink *s) {
  bool any = false, seen[most_nodes];
  mark_all(&s->best, seen);
  for (int id = 1; id < s->best.node_count; id++) {
    if (!seen[id] || s->best.nodes[id].op == op_num) continue;
    Node n = s->best.nodes[id];
    bool leaf = n.op == op_state || n.op == op_memory || n.op == op_signal || n.op == op_time;
    bool done = false;
    for (int k = 0; k < 3 && !done && !leaf && !op_is_block(n.op); k++) {
      if (!n.a[k] || is_condition(&s->best, n.a[k]) != is_condition(&s->best, id)) continue;
      s->trial = s->best;
      s->trial.nodes[id] = s->best.nodes[n.a[k]];
      done = keep(s);
    }
    for (int k = 0; k < 2 && !done && !op_is_condition(n.op) && !op_is_block(n.op); k++) {
      s->trial = s->best;
      s->trial.nodes[id] = (Node){.op = op_num};
      for (int j = 0; j < 4; j++) s->trial.nodes[id].k[j] = q_int(j == 0 ? k : 0);
      done = keep(s);
    }
    any = any || done;
    if (done) mark_all(&s->best, seen);
  }
  return any;
}

// Numbers become 0 or 1, states that move rest, the run becomes shorter.
static bool round_numbers(Shrink *s) {
  bool any = false, seen[most_nodes];
  mark_all(&s->best, seen);
  for (int id = 1; id < s->best.node_count; id++) {
    for (int k = 0; k < 2; k++) {
      Q x = s->best.nodes[id].k[0];
      if (!seen[id] || s->best.nodes[id].op != op_num || q_eq(x, q_int(0)) || q_eq(x, q_int(1)) || q_eq(x, q_of(1, 2)))
        break;
      s->trial = s->best;
      s->trial.nodes[id].k[0] = q_int(k);
      any = keep(s) || any;
    }
  }
  for (int i = 0; i < s->best.state_count; i++) {
    State *state = &s->best.states[i];
    if (state->start.n) {
      s->trial = s->best;
      s->trial.states[i].start = q_int(0);
      any = keep(s) || any;
    }
    if (state->reset) {
      s->trial = s->best;
      s->trial.states[i].reset = 0;
      any = keep(s) || any;
    }
    if (state->hold) {
      s->trial = s->best;
      s->trial.states[i].hold = 0;
      any = keep(s) || any;
    }
    if (state->kind == state_moving) {
      s->trial = s->best;
      s->trial.states[i].kind = state_discrete;
      s->trial.states[i].rate = 0;
      any = keep(s) || any;
    }
  }
  if (s->best.blocks_last) {
    s->trial = s->best;
    s->trial.blocks_last = false;
    any = keep(s) || any;
  }
  if (q_cmp(s->best.to, s->best.row) > 0) {
    s->trial = s->best;
    s->trial.to = q_sub(s->best.to, s->best.row);
    any = keep(s) || any;
  }
  return any;
}

int shrink(Model *m, bool (*fails)(void *self, const Model *m), void *self) {
  static Shrink s;
  s = (Shrink){.best = *m, .fails = fails, .self = self};
  bool more = true;
  while (more && s.tries < most_tries) {
    more = drop_statements(&s);
    more = simplify(&s) || more;
    more = round_numbers(&s) || more;
  }
  *m = s.best;
  return s.steps;
}
