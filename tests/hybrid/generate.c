// Models that like coincidences: equal limits, starts at a limit, touches, samples at one time, guards that are equal,
// negated or scaled, complementary conditions, conditions that never hold, chains of `when`s, memories behind memories.
//
// Numbers are multiples of 1/8. Two limits are chosen for a model, and most comparisons use them.
#include "generate.h"

#include <stdio.h>
#include <string.h>

typedef struct Chance {
  Model *m;
  uint64_t state;
  Q limit[2];
  int guards[40]; // comparisons so far
  int guard_count;
  int memories; // how many there will be
  bool in_rate;
} Chance;

static unsigned choose(Chance *c, unsigned n) {
  c->state += 0x9e3779b97f4a7c15u;
  uint64_t z = c->state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (unsigned)((z ^ (z >> 31)) % n);
}
static bool percent(Chance *c, unsigned p) { return choose(c, 100) < p; }

static int num(Chance *c, Q x) { return model_number(c->m, x); }
static int one(Chance *c, Op op, int a) { return model_node(c->m, op, a, 0, 0); }
static int two(Chance *c, Op op, int a, int b) { return model_node(c->m, op, a, b, 0); }
static int with(Chance *c, Op op, int a, Q k0, Q k1) {
  int id = one(c, op, a);
  c->m->nodes[id].k[0] = k0;
  c->m->nodes[id].k[1] = k1;
  return id;
}

static Q any_limit(Chance *c) {
  static const int eighths[] = {0, 4, 8, -8, 12, 16, -4, 24, 2, 6};
  return percent(c, 85) ? c->limit[choose(c, 2)] : q_of(eighths[choose(c, 10)], 8);
}

static Q any_speed(Chance *c) {
  static const int eighths[] = {8, -8, 16, -16, 4, -4, 8, -8, 24, 0};
  return q_of(eighths[choose(c, 10)], 8);
}

static int state_of(Chance *c, bool moving) {
  int list[most_states], n = 0;
  for (int i = 0; i < c->m->state_count; i++)
    if ((c->m->states[i].kind != state_discrete) == moving) list[n++] = i;
  return n ? list[choose(c, (unsigned)n)] : -1;
}

static int read_state(Chance *c, bool moving) {
  int i = state_of(c, moving);
  return i < 0 ? num(c, q_int(1)) : one(c, op_state, i);
}

// ---- numbers

static int linear(Chance *c) {
  switch (choose(c, 14)) {
  case 0: return two(c, op_sub, read_state(c, true), read_state(c, true));
  case 1: return with(c, op_scale, read_state(c, true), q_int(2), q_int(0));
  case 2: return two(c, op_add, read_state(c, true), read_state(c, false));
  case 3: return one(c, op_neg, read_state(c, true));
  case 4: return two(c, op_sub, num(c, any_limit(c)), read_state(c, true));
  case 5: return two(c, op_sub, read_state(c, true), num(c, any_limit(c)));
  case 6:
    if (c->m->signal_count && !c->in_rate) return one(c, op_signal, (int)choose(c, (unsigned)c->m->signal_count));
    return one(c, op_time, 0);
  default: return read_state(c, true);
  }
}

static int number(Chance *c, int depth) {
  static const Q gaps[] = {{1, 2}, {1, 1}, {3, 2}, {2, 1}, {3, 4}};
  if (depth <= 0 || percent(c, 45)) return linear(c);
  switch (choose(c, 12)) {
  case 0: return two(c, op_min, number(c, depth - 1), percent(c, 60) ? num(c, any_limit(c)) : number(c, depth - 1));
  case 1: return two(c, op_max, number(c, depth - 1), percent(c, 60) ? num(c, any_limit(c)) : number(c, depth - 1));
  case 2:
  case 3: return one(c, op_abs, two(c, op_sub, number(c, depth - 1), num(c, any_limit(c))));
  case 4: return with(c, op_mod, number(c, depth - 1), gaps[choose(c, 5)], q_int(0));
  case 5: return one(c, op_floor, number(c, depth - 1));
  case 6: return one(c, op_ramp, number(c, depth - 1));
  case 7: return with(c, op_limit, number(c, depth - 1), q_int(-1), q_int((int)choose(c, 2) + 1));
  case 8:
    return with(c, op_delay, percent(c, 70) ? number(c, depth - 1) : read_state(c, false), gaps[choose(c, 5)],
                percent(c, 20) ? q_int(1) : q_int(0));
  case 9:
    if (c->m->memory_count) return one(c, op_memory, (int)choose(c, (unsigned)c->m->memory_count));
    return linear(c);
  case 10: return read_state(c, false);
  default: return two(c, op_add, number(c, depth - 1), linear(c));
  }
}

// ---- conditions

static Op any_comparison(Chance *c) {
  static const Op ops[] = {op_gt, op_gt, op_gt, op_ge, op_ge, op_lt, op_lt, op_lt, op_le, op_le, op_eq, op_ne};
  return ops[choose(c, 12)];
}

static int compare(Chance *c, Op op, int a, int b) {
  int id = two(c, op, a, b);
  if (c->guard_count < 40) c->guards[c->guard_count++] = id;
  return id;
}

// One of the guards that are there: equal, negated or scaled, with any comparison.
static int known_guard(Chance *c) {
  const Node n = c->m->nodes[c->guards[choose(c, (unsigned)c->guard_count)]];
  int a = model_copy(c->m, n.a[0]), b = model_copy(c->m, n.a[1]);
  Op op = any_comparison(c);
  switch (choose(c, 4)) {
  case 0: return two(c, op, one(c, op_neg, a), one(c, op_neg, b));
  case 1: return two(c, op, with(c, op_scale, a, q_int(2), q_int(0)), with(c, op_scale, b, q_int(2), q_int(0)));
  case 2: return two(c, op, b, a);
  default: return two(c, op, a, b);
  }
}

static int opposite(Chance *c, int id) {
  Node n = c->m->nodes[id];
  static const Op other[] = {op_ge, op_gt, op_le, op_lt, op_ne, op_eq};
  if (n.op < op_lt || n.op > op_ne) return one(c, op_not, model_copy(c->m, id));
  return two(c, other[n.op - op_lt], model_copy(c->m, n.a[0]), model_copy(c->m, n.a[1]));
}

// What holds for no number, or for all.
static int never(Chance *c) {
  int x = linear(c), zero = num(c, q_int(0)), id;
  switch (choose(c, 5)) {
  case 0: id = two(c, op_lt, two(c, op_max, two(c, op_min, x, zero), num(c, q_int(0))), num(c, q_int(0))); break;
  case 1:
    id = two(c, op_and, two(c, op_gt, x, zero),
             two(c, op_le, two(c, op_max, model_copy(c->m, x), num(c, q_int(0))), num(c, q_int(0))));
    break;
  case 2:
    id = one(
        c, op_not,
        two(c, op_or, two(c, op_le, one(c, op_ramp, x), zero), two(c, op_gt, model_copy(c->m, x), num(c, q_int(0)))));
    break;
  case 3: {
    int m = with(c, op_mod, x, q_of(3, 2), q_int(0));
    int a = one(c, op_abs, two(c, op_sub, m, num(c, q_of(3, 4))));
    id = two(c, op_gt, two(c, op_sub, a, num(c, q_of(3, 4))), zero);
    break;
  }
  default: id = two(c, op_lt, with(c, op_mod, x, q_int(2), q_int(0)), zero); break;
  }
  return percent(c, 85) ? id : one(c, op_not, id);
}

static int condition(Chance *c, int depth) {
  if (depth > 0 && percent(c, 25)) {
    switch (choose(c, 3)) {
    case 0: return two(c, op_and, condition(c, depth - 1), condition(c, depth - 1));
    case 1: return two(c, op_or, condition(c, depth - 1), condition(c, depth - 1));
    default: return one(c, op_not, condition(c, depth - 1));
    }
  }
  unsigned kind = choose(c, 100);
  if (kind < 20 && c->guard_count) return known_guard(c);
  if (kind < 26) return never(c);
  bool cycles = percent(c, 15); // also one that stands further down
  int memories = cycles ? c->memories : c->m->memory_count;
  if (kind < 38 && memories)
    return two(c, op_gt, one(c, op_memory, (int)choose(c, (unsigned)memories)), num(c, q_of(1, 2)));
  if (kind < 50)
    return compare(c, any_comparison(c), read_state(c, false), num(c, percent(c, 50) ? q_of(1, 2) : any_limit(c)));
  if (kind < 58) {
    static const Op ops[] = {op_lt, op_le, op_gt, op_ge};
    return two(c, ops[choose(c, 4)], one(c, op_time, 0), num(c, q_of((int)choose(c, 9), 4)));
  }
  if (kind < 80) return compare(c, any_comparison(c), linear(c), num(c, any_limit(c)));
  return compare(c, any_comparison(c), number(c, 2), num(c, any_limit(c)));
}

// ---- rates

static int rate_guard(Chance *c, int self) {
  int x = one(c, op_state, self);
  switch (choose(c, 8)) {
  case 0: return two(c, op_sub, x, read_state(c, true));
  case 1: return read_state(c, true);
  case 2: return two(c, op_add, x, read_state(c, false));
  case 3: return with(c, op_scale, x, q_int(2), q_int(0));
  default: return x;
  }
}

static int rate_element(Chance *c, int self) {
  int g = rate_guard(c, self), limit = num(c, any_limit(c));
  Q k = q_int((int)choose(c, 2) + 1);
  if (percent(c, 80)) k = q_neg(k);
  switch (choose(c, 4)) {
  case 0: {
    Q low = any_speed(c), high = any_speed(c);
    static const Op ops[] = {op_gt, op_ge, op_lt, op_le};
    Op op = ops[choose(c, 4)];
    bool rises = q_cmp(high, low) > 0;
    if (percent(c, 75) && rises == (op == op_gt || op == op_ge)) {
      Q swap = low;
      low = high;
      high = swap;
    }
    return model_node(c->m, op_if, two(c, op, g, limit), num(c, high), num(c, low));
  }
  case 1: {
    static const Op ops[] = {op_gt, op_ge};
    return with(c, op_scale, two(c, ops[choose(c, 2)], g, limit), k, q_int(0));
  }
  case 2: return with(c, op_scale, one(c, op_step, two(c, op_sub, g, limit)), k, q_int(0));
  default: return with(c, op_scale, one(c, op_sign, percent(c, 50) ? g : two(c, op_sub, g, limit)), k, q_int(0));
  }
}

static int rate(Chance *c, int self) {
  c->in_rate = true;
  int id = num(c, any_speed(c));
  if (percent(c, 35)) id = two(c, op_add, id, read_state(c, false));
  if (percent(c, 35)) id = two(c, op_add, id, rate_element(c, self));
  if (percent(c, 8)) id = two(c, op_add, id, rate_element(c, self));
  if (percent(c, 20) && c->m->memory_count) {
    int k = (int)choose(c, (unsigned)c->m->memory_count);
    if (c->m->nodes[c->m->memories[k].node].op != op_backlash) {
      int test = two(c, op_gt, one(c, op_memory, k), num(c, q_of(1, 2)));
      id = two(c, op_add, id, model_node(c->m, op_if, test, num(c, any_speed(c)), num(c, any_speed(c))));
    }
  }
  if (percent(c, 12)) {
    static const Op ops[] = {op_lt, op_le};
    int test = two(c, ops[choose(c, 2)], one(c, op_time, 0), num(c, q_of((int)choose(c, 9), 4)));
    id = two(c, op_add, id, model_node(c->m, op_if, test, num(c, any_speed(c)), num(c, any_speed(c))));
  }
  c->in_rate = false;
  return id;
}

// ---- statements

static void add_state(Chance *c, StateKind kind, const char *name) {
  State *s = &c->m->states[c->m->state_count++];
  *s = (State){.kind = kind};
  snprintf(s->name, sizeof s->name, "%s", name);
  static const int eighths[] = {0, 0, 8, -8, 16, 4, 12, 24};
  s->start = percent(c, 35) ? any_limit(c) : q_of(eighths[choose(c, 8)], 8);
}

static bool holds_delay(const Model *m, int id, int depth) {
  const Node *n = &m->nodes[id];
  if (!id || depth > 40) return false;
  if (n->op == op_delay) return true;
  if (n->op == op_state || n->op == op_num || n->op == op_time) return false;
  if (n->op == op_memory) return m->nodes[m->memories[n->a[0]].node].op == op_backlash;
  if (n->op == op_signal) return holds_delay(m, m->signals[n->a[0]].node, depth + 1);
  for (int i = 0; i < 3; i++)
    if (holds_delay(m, n->a[i], depth + 1)) return true;
  return false;
}

static void add_memory(Chance *c) {
  Model *m = c->m;
  if (m->memory_count >= most_memories) return;
  static const Q gaps[] = {{1, 2}, {1, 1}, {3, 2}, {2, 1}, {3, 4}};
  int id, s, before = m->memory_count - 1;
  switch (choose(c, 9)) {
  case 8: // a latch that only an old value of the one before would set
    if (before >= 0 && m->nodes[m->memories[before].node].op == op_latch) {
      s = model_copy(m, m->nodes[m->memories[before].node].a[0]);
      s = two(c, op_and, s, two(c, op_lt, one(c, op_memory, before), num(c, q_of(1, 2))));
      id = two(c, op_latch, s, two(c, op_lt, one(c, op_time, 0), num(c, q_int(0))));
      break;
    }
    // fall through
  case 0:
  case 1: // complementary
    s = condition(c, 0);
    id = two(c, op_latch, s, opposite(c, s));
    break;
  case 2: { // two limits of one guard
    int x = number(c, 1);
    id =
        two(c, op_latch, compare(c, percent(c, 50) ? op_gt : op_ge, x, num(c, q_int(1))),
            compare(c, percent(c, 50) ? op_lt : op_le, model_copy(m, x), num(c, percent(c, 50) ? q_int(0) : q_int(1))));
    break;
  }
  case 3: // never reset, or by chance
    s = condition(c, 1);
    id = two(c, op_latch, s, percent(c, 85) ? two(c, op_lt, one(c, op_time, 0), num(c, q_int(0))) : condition(c, 0));
    break;
  case 4:
    id = one(c, op_hysteresis, number(c, 1));
    m->nodes[id].k[0] = q_min(c->limit[0], c->limit[1]);
    m->nodes[id].k[1] = q_eq(m->nodes[id].k[0], c->limit[0]) ? c->limit[1] : c->limit[0];
    m->nodes[id].k[2] = q_int((int)choose(c, 2));
    m->nodes[id].k[3] = q_sub(q_int(1), m->nodes[id].k[2]);
    break;
  case 5:
    id = with(c, op_pulse, percent(c, 50) ? compare(c, op_eq, linear(c), num(c, any_limit(c))) : condition(c, 0),
              gaps[choose(c, 5)], q_int(0));
    break;
  default:
    id = number(c, 1);
    // its input must have a rate in the text
    if (holds_delay(m, id, 0)) id = read_state(c, false);
    id = with(c, op_backlash, id, gaps[choose(c, 5)], q_int(0));
    break;
  }
  Memory *memory = &m->memories[m->memory_count++];
  memory->node = id;
  snprintf(memory->name, sizeof memory->name, "m%d", m->memory_count);
}

static void add_integral(Chance *c) {
  Model *m = c->m;
  if (m->state_count >= most_states) return;
  int gate = 0, other = 0;
  if (m->memory_count) {
    int k = (int)choose(c, (unsigned)m->memory_count);
    if (m->nodes[m->memories[k].node].op != op_backlash) gate = two(c, op_gt, one(c, op_memory, k), num(c, q_of(1, 2)));
  }
  if (!gate) gate = compare(c, any_comparison(c), read_state(c, false), num(c, q_of(1, 2)));
  other = two(c, percent(c, 50) ? op_gt : op_ge, read_state(c, true), num(c, any_limit(c)));
  int speed = num(c, any_speed(c));
  add_state(c, state_integral, "w");
  State *s = &m->states[m->state_count - 1];
  s->rate = speed;
  if (percent(c, 60)) s->reset = percent(c, 50) ? gate : other;
  if (percent(c, 50)) s->hold = s->reset == gate ? other : gate;
}

// What a statement sets a state to.
static int new_value(Chance *c, int state) {
  int x = one(c, op_state, state);
  if (c->m->states[state].kind != state_discrete) {
    switch (choose(c, 6)) {
    case 0: return two(c, op_sub, x, num(c, q_int(1)));
    case 1: return number(c, 1);
    case 2: return one(c, op_neg, x);
    default: return num(c, any_limit(c));
    }
  }
  switch (choose(c, 9)) {
  case 0: return num(c, q_int(0));
  case 1: return num(c, q_int(1));
  case 2: return two(c, op_sub, num(c, q_int(1)), x);
  case 3: return one(c, op_neg, x);
  case 4:
  case 5: return two(c, op_add, x, num(c, q_int(1)));
  case 6: return one(c, op_abs, two(c, op_sub, read_state(c, false), num(c, q_int(1))));
  case 7: return with(c, op_limit, number(c, 1), q_int(-1), q_int(1));
  default: return number(c, 1);
  }
}

static int assigns(Chance *c, Assign *list, bool samples) {
  int n = 1 + (percent(c, 30) ? 1 : 0), count = 0;
  for (int i = 0; i < n; i++) {
    int state = state_of(c, !percent(c, samples ? 85 : 65));
    if (state < 0) state = 0;
    if (c->m->states[state].kind == state_integral) continue;
    if (count && list[0].state == state) continue;
    list[count].state = state;
    list[count++].node = new_value(c, state);
  }
  if (!count) {
    list[0].state = 0; // the first state is moving
    list[0].node = new_value(c, 0);
    count = 1;
  }
  return count;
}

static void add_when(Chance *c) {
  Model *m = c->m;
  if (m->when_count >= most_whens) return;
  When *w = &m->whens[m->when_count++];
  w->condition = condition(c, 1);
  if (percent(c, 4)) w->stop = true;
  else w->count = assigns(c, w->assign, false);
}

static void add_counter(Chance *c, int condition_id) {
  Model *m = c->m;
  int n = state_of(c, false);
  if (m->when_count >= most_whens || n < 0) return;
  When *w = &m->whens[m->when_count++];
  *w = (When){.condition = condition_id, .count = 1};
  w->assign[0].state = n;
  w->assign[0].node = two(c, op_add, one(c, op_state, n), num(c, q_int(1)));
}

static void add_every(Chance *c) {
  static const Q periods[] = {{1, 2}, {1, 1}, {1, 1}, {1, 2}, {3, 2}, {2, 1}, {3, 4}};
  Model *m = c->m;
  if (m->every_count >= most_everys) return;
  Every *e = &m->everys[m->every_count++];
  e->period = periods[choose(c, 7)];
  e->count = assigns(c, e->assign, true);
}

// The first state comes to a limit just when a sample turns it back.
static void add_touch(Chance *c) {
  Model *m = c->m;
  int d = state_of(c, false);
  if (d < 0 || m->every_count >= most_everys) return;
  Q speed = q_int(percent(c, 50) ? 1 : -1), period = q_int(1);
  m->states[d].start = q_neg(speed);
  m->states[0].rate = one(c, op_state, d);
  m->states[0].start = q_sub(any_limit(c), speed); // the sample at the start turns it, too
  Every *e = &m->everys[m->every_count++];
  *e = (Every){.period = period, .count = 1};
  e->assign[0].state = d;
  e->assign[0].node = one(c, op_neg, one(c, op_state, d));
}

void generate(Model *m, uint64_t seed) {
  static const char *const moving[] = {"x", "y", "z", "v"}, *const discrete[] = {"p", "q", "r", "n"};
  static const int eighths[] = {0, 0, 0, 8, 4, 16, 8, 12, -8, 24};
  memset(m, 0, sizeof *m);
  Chance c = {.m = m, .state = seed * 0xd1342543de82ef95u + 12345};
  c.limit[0] = q_of(eighths[choose(&c, 10)], 8);
  c.limit[1] = q_of(eighths[choose(&c, 10)], 8);
  int moves = 1 + (int)choose(&c, 3), rests = (int)choose(&c, 4);
  for (int i = 0; i < moves; i++) add_state(&c, state_moving, moving[i]);
  for (int i = 0; i < rests; i++) add_state(&c, state_discrete, discrete[i]);
  if (percent(&c, 25)) {
    static const Op ops[] = {op_lt, op_le};
    Signal *s = &m->signals[m->signal_count++];
    s->input = true;
    snprintf(s->name, sizeof s->name, "u");
    int limit = num(&c, q_of((int)choose(&c, 9), 4)), time = one(&c, op_time, 0);
    if (percent(&c, 40)) s->node = one(&c, op_step, two(&c, op_sub, time, limit));
    else
      s->node = model_node(m, op_if, two(&c, ops[choose(&c, 2)], time, limit), num(&c, any_limit(&c)),
                           num(&c, any_limit(&c)));
  }
  c.memories = percent(&c, 30) ? 0 : 1 + (int)choose(&c, 3);
  for (int i = 0; i < c.memories; i++) add_memory(&c);
  if (percent(&c, 15)) add_integral(&c);
  for (int i = 0; i < moves; i++) m->states[i].rate = rate(&c, i);
  int samples = percent(&c, 50) ? 0 : 1 + (int)choose(&c, 3), whens = percent(&c, 15) ? 0 : 1 + (int)choose(&c, 3);
  for (int i = 0; i < samples; i++) add_every(&c);
  for (int i = 0; i < whens; i++) add_when(&c);
  if (percent(&c, 10)) add_touch(&c);
  if (percent(&c, 30)) add_counter(&c, condition(&c, 1));
  if (percent(&c, 10)) add_counter(&c, never(&c));
  m->blocks_last = percent(&c, 20);

  // all states and memories, some conditions and numbers
  for (int i = 0; i < m->state_count; i++) {
    Output *out = &m->outputs[m->output_count++];
    strcpy(out->name, m->states[i].name);
    out->node = one(&c, op_state, i);
  }
  for (int i = 0; i < m->memory_count; i++) {
    Output *out = &m->outputs[m->output_count++];
    strcpy(out->name, m->memories[i].name);
    out->node = one(&c, op_memory, i);
  }
  for (int i = 0; i < 2; i++) {
    if (percent(&c, 50)) continue;
    Output *out = &m->outputs[m->output_count++];
    snprintf(out->name, sizeof out->name, "out%d", i + 1);
    out->node = percent(&c, 50) ? number(&c, 2) : condition(&c, 1);
  }
  m->to = q_of(16 + 4 * (int)choose(&c, 9) + (percent(&c, 50) ? 1 : 0), 8); // often no instant
  m->row = percent(&c, 50) ? q_of(1, 4) : q_of(1, 2);
}
