// One run by the page: instants (S1), passes (S4), memories (S9), rows (S5).
#include "oracle_parts.h"

#include <stdlib.h>
#include <string.h>

// open: the page allows 1000. Chains of the generated models that end are far shorter.
enum { most_passes = 120 };

const char *const happened_words[happened_count] = {
    "when",        "sample",    "samples at once", "memory",          "behind",         "stuck",       "several guards",
    "delay image", "pulse end", "touch",           "same time again", "backlash moved", "start limit", "later wins"};
const char *const ending_words[ending_count] = {"done",          "stop",           "chattering",  "no solution",
                                                "several",       "block",          "skip: close", "skip: many",
                                                "skip: numbers", "skip: undecided"};
const char *const twin_words[twin_count] = {"none",         "no step behind", "(d) reads AT", "(b) reads AFTER",
                                            "one sampling", "memory order",   "samples last", "start levels",
                                            "no stick",     "old images"};

void give_up(Oracle *o, Ending kind, const char *why) {
  if (o->skip) return;
  o->skip = why;
  o->skip_kind = kind;
}

// ---- what is there

static void reach(Oracle *o, int id) {
  if (!id || o->reached[id]) return;
  const Node *n = &o->m->nodes[id];
  o->reached[id] = true;
  if (n->op == op_state) return;
  if (n->op == op_memory) reach(o, o->m->memories[n->a[0]].node);
  else if (n->op == op_signal) reach(o, o->m->signals[n->a[0]].node);
  else
    for (int i = 0; i < 3; i++) reach(o, n->a[i]);
}

// Does an expression read memory k at the same time?
static bool reads(const Model *m, int id, int k, int depth) {
  if (!id || depth > 40) return false;
  const Node *n = &m->nodes[id];
  if (n->op == op_memory) {
    if (n->a[0] == k) return true;
    // the output of a backlash follows what it reads
    const Node *block = &m->nodes[m->memories[n->a[0]].node];
    return block->op == op_backlash && reads(m, block->a[0], k, depth + 1);
  }
  if (n->op == op_signal) return reads(m, m->signals[n->a[0]].node, k, depth + 1);
  if (n->op == op_state || n->op == op_delay) return false;
  for (int i = 0; i < 3; i++)
    if (reads(m, n->a[i], k, depth + 1)) return true;
  return false;
}

// Each memory behind those it depends on; cycles in the order of the text.
static void order_memories(Oracle *o) {
  int n = o->m->memory_count;
  bool needs[most_memories][most_memories] = {{false}}, done[most_memories] = {false};
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int a = 0; a < 2; a++)
        if (reads(o->m, o->m->nodes[o->m->memories[i].node].a[a], k, 0)) needs[i][k] = true;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) needs[i][j] = needs[i][j] || (needs[i][k] && needs[k][j]);
  for (int at = 0; at < n; at++) {
    for (int i = 0; i < n; i++) {
      bool ready = !done[i];
      for (int k = 0; k < n; k++) ready = ready && (done[k] || !needs[i][k] || needs[k][i]);
      if (!ready) continue;
      done[i] = true;
      o->memory_order[o->twin == twin_memory_order ? n - 1 - at : at] = i;
      break;
    }
  }
}

static void list_whens(Oracle *o) {
  const Model *m = o->m;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < m->state_count && (pass == 1) == m->blocks_last; i++)
      if (m->states[i].kind == state_integral && m->states[i].reset)
        o->internals[o->internal_count++] = (Internal){m->states[i].reset, -1, i};
    for (int i = 0; i < m->when_count && pass == 0 && m->blocks_last; i++)
      o->internals[o->internal_count++] = (Internal){m->whens[i].condition, i, -1};
    for (int i = 0; i < m->when_count && pass == 1 && !m->blocks_last; i++)
      o->internals[o->internal_count++] = (Internal){m->whens[i].condition, i, -1};
  }
}

// ---- readings

static Env read_at(Oracle *o) { return (Env){.o = o, .len = o->len, .t = o->t, .y = o->y, .m = o->mem}; }

static Env read_after(Oracle *o, const Flow *f, Vec *y) {
  Env e = read_at(o);
  e.len = o->len + 1;
  e.slope = o->len;
  e.t = vec_with(o, o->t, o->len, q_int(1));
  for (int i = 0; i < o->m->state_count; i++) y[i] = vec_with(o, o->y[i], o->len, f->r[i]);
  e.y = y;
  return e;
}

// ---- memories (S9)

static Q now(const Oracle *o) { return vec_part(o->t, 0); }

static Vec pulse_rule(Env *e, int i, const Node *n, Vec old) {
  Oracle *o = e->o;
  bool x = holds(e, n->a[0]);
  if (old->n && q_eq(o->pulse_end[i], now(o))) {
    // open: the reading of the pass in which it goes off counts
    if (x) o->failed = ends_block;
    o->out->happened[h_pulse_end]++;
    return vec_num(o, q_int(0));
  }
  if (old->n || !x) return old;
  o->pulse_end[i] = q_add(now(o), n->k[0]);
  return vec_num(o, q_int(1));
}

static Vec memory_rule(Env *e, int i) {
  Oracle *o = e->o;
  const Node *n = &o->m->nodes[o->m->memories[i].node];
  Vec old = e->m[i];
  if (n->op == op_latch) {
    bool s = holds(e, n->a[0]), r = holds(e, n->a[1]);
    if (s && r) o->failed = ends_block;
    return s ? vec_num(o, q_int(1)) : r ? vec_num(o, q_int(0)) : old;
  }
  if (n->op == op_hysteresis) {
    e->condition++;
    Vec x = eval(e, n->a[0]);
    e->condition--;
    // open: two guards in one place of the text; numbers beyond the nodes tell them apart
    Vec above = vec_with(o, x, 0, q_neg(n->k[1])), below = vec_with(o, x, 0, q_neg(n->k[0]));
    int a = vec_sign(above), b = vec_sign(below);
    return a > 0 ? vec_num(o, n->k[2]) : b < 0 ? vec_num(o, n->k[3]) : old;
  }
  if (n->op == op_pulse) return pulse_rule(e, i, n, old);
  // open: rest becomes the output without the step to come, else it would move with every step in (d), for ever
  return vec_cut(o, memory_value(e, i), o->len);
}

static bool update_memories(Env *e) {
  Oracle *o = e->o;
  bool changed = false;
  for (int k = 0; k < o->m->memory_count; k++) {
    int i = o->memory_order[k];
    Vec new = memory_rule(e, i);
    if (vec_equal(new, o->mem[i])) continue;
    changed = true;
    o->out->happened[o->m->nodes[o->m->memories[i].node].op == op_backlash ? h_backlash_moved : h_memory_changed]++;
    o->mem[i] = new;
  }
  return changed;
}

// ---- assignments

static void note_overwrite(Oracle *o, int earlier, int later, int state) {
  Answer *out = o->out;
  int i = 0;
  o->out->happened[h_later_wins]++;
  while (i < out->overwrite_count && (out->overwrites[i].earlier != earlier || out->overwrites[i].later != later ||
                                      out->overwrites[i].state != state))
    i++;
  if (i == oracle_overwrites) return;
  if (i == out->overwrite_count)
    out->overwrites[out->overwrite_count++] = (OracleOverwrite){q_double(now(o)), earlier, later, state, 0};
  out->overwrites[i].count++;
}

enum { largest = 1 << 20 }; // of the class are numbers up to 64: of x := 2*x without end doubles lose all digits

// Right sides see the old values. In (d) numbers are without the step to come: only branches see it.
// open: so x := y sets x to where y is, and y moves on.
// set: by state the `when` that has set it in this pass, plus one; NULL: samples follow each other.
static void assign(Env *e, Vec *y, const Assign *list, int count, int cut, int when, int *set) {
  Vec value[most_assigns];
  e->right = true;
  for (int i = 0; i < count; i++) value[i] = vec_cut(e->o, eval(e, list[i].node), cut);
  e->right = false;
  for (int i = 0; i < count; i++) {
    if (set && set[list[i].state]) note_overwrite(e->o, set[list[i].state] - 1, when, list[i].state);
    if (set) set[list[i].state] = when + 1;
    y[list[i].state] = value[i];
    Q size = vec_part(value[i], 0);
    if (llabs(size.n) / size.d >= largest) give_up(e->o, skip_numbers, "numbers that grow");
  }
}

static void mark(Env *e, bool *marked) {
  Oracle *o = e->o;
  for (int i = 0; i < o->internal_count; i++) {
    bool now_true = holds(e, o->internals[i].condition);
    marked[i] = now_true && !o->level[i];
    o->level[i] = now_true;
  }
}

// Executes what is marked. true: something was; *stop: the run ends.
static bool execute(Env *e, Vec *y, const bool *marked, int cut, bool *stop) {
  Oracle *o = e->o;
  bool any = false;
  int set[most_states] = {0};
  for (int i = 0; i < o->internal_count; i++) {
    if (!marked[i]) continue;
    const Internal *w = &o->internals[i];
    any = true;
    if (w->when < 0) {
      y[w->state] = vec_num(o, o->m->states[w->state].start);
      continue;
    }
    const When *when = &o->m->whens[w->when];
    if (o->out->event_count < oracle_events)
      o->out->events[o->out->event_count++] = (OracleEvent){q_double(now(o)), w->when};
    o->out->happened[h_event]++;
    assign(e, y, when->assign, when->count, cut, w->when, set);
    *stop = *stop || when->stop;
  }
  return any;
}

// ---- an instant (S4)

static bool due(Q t, Q period) { return q_div(t, period).d == 1; }

static void samples(Oracle *o) {
  int count = 0;
  Vec old[most_states];
  memcpy(old, o->y, sizeof old);
  for (int i = 0; i < o->m->every_count; i++) {
    const Every *s = &o->m->everys[i];
    if (!due(now(o), s->period)) continue;
    Env e = read_at(o);
    if (o->twin == twin_one_read) e.y = old;
    assign(&e, o->y, s->assign, s->count, o->len, i, NULL);
    count++;
  }
  o->out->happened[h_sample] += count;
  if (count > 1) o->out->happened[h_samples_together]++;
}

// Passes until nothing changes. ends_done: the run goes on.
static Ending settle(Oracle *o) {
  bool marked[most_whens + most_states], stop = false;
  for (;;) {
    if (o->skip || o->failed) return o->failed;
    if (++o->passes > most_passes) return ends_chattering;
    Env at = read_at(o);
    Vec unused[most_states];
    if (o->twin == twin_after_only && o->segment_count) at = read_after(o, &o->flow, unused);
    bool changed = update_memories(&at);
    if (o->failed) return o->failed;
    mark(&at, marked);
    at = read_at(o);
    if (execute(&at, o->y, marked, o->len, &stop)) changed = true;
    if (stop) return ends_stop;
    if (changed) continue;

    // (d)
    at = read_at(o);
    o->passes++;
    Ending flow = flow_find(&at, &o->flow);
    if (o->skip || flow != ends_done) return flow;
    Vec y[most_states], set_y[most_states];
    Env after = read_after(o, &o->flow, y);
    if (o->twin == twin_at_only) after = at;
    changed = update_memories(&after);
    if (o->failed) return o->failed;
    mark(&after, marked);
    memcpy(set_y, y, sizeof set_y);
    after.y = set_y;
    if (o->twin == twin_at_only) after.y = o->y;
    if (execute(&after, o->twin == twin_at_only ? o->y : set_y, marked, o->len, &stop)) changed = true;
    if (changed && o->twin != twin_at_only) {
      for (int i = 0; i < o->m->state_count; i++)
        o->y[i] = o->twin == twin_no_behind ? vec_cut(o, set_y[i], o->len) : set_y[i];
      if (o->twin != twin_no_behind) o->t = vec_with(o, o->t, o->len, q_int(1)), o->len++;
      o->out->happened[h_behind]++;
    }
    if (stop) return ends_stop;
    if (!changed) return ends_done;
  }
}

static Ending start(Oracle *o) {
  const Model *m = o->m;
  o->len = 1;
  o->t = vec_num(o, q_int(0));
  for (int i = 0; i < m->state_count; i++) o->y[i] = vec_num(o, m->states[i].start);
  for (int i = 0; i < m->memory_count; i++) o->mem[i] = vec_num(o, q_int(0));
  for (int k = 0; k < m->memory_count; k++) {
    int i = o->memory_order[k];
    const Node *n = &m->nodes[m->memories[i].node];
    Env e = read_at(o);
    if (n->op == op_latch) o->mem[i] = vec_num(o, n->k[0]);
    if (n->op == op_hysteresis) o->mem[i] = vec_num(o, q_min(n->k[2], n->k[3]));
    if (n->op == op_backlash) o->mem[i] = eval(&e, n->a[0]);
  }
  for (;;) {
    if (++o->passes > most_passes) return ends_chattering;
    Env e = read_at(o);
    bool changed = update_memories(&e);
    if (o->failed || o->skip) return o->failed;
    // open: a play starts at what it reads once that has settled
    for (int i = 0; i < m->memory_count; i++)
      if (m->nodes[m->memories[i].node].op == op_backlash) o->mem[i] = eval(&e, m->nodes[m->memories[i].node].a[0]);
    if (!changed) break;
  }
  Env e = read_at(o);
  for (int i = 0; i < o->internal_count; i++)
    o->level[i] = o->twin != twin_start_levels && holds(&e, o->internals[i].condition);
  return ends_done;
}

// ---- between instants

// All that is read: conditions, memories, rates, outputs. Their values go to `values`, which may be NULL.
static int read_all(Env *e, Vec *values) {
  Oracle *o = e->o;
  const Model *m = o->m;
  Vec value[400];
  int n = 0;
  e->condition = 1;
  for (int i = 0; i < o->internal_count; i++) value[n++] = eval(e, o->internals[i].condition);
  for (int i = 0; i < m->memory_count; i++) {
    const Node *block = &m->nodes[m->memories[i].node];
    value[n++] = memory_value(e, i);
    Vec x = value[n++] = eval(e, block->a[0]);
    if (block->op == op_latch) value[n++] = eval(e, block->a[1]);
    if (block->op != op_hysteresis) continue;
    for (int k = 0; k < 2; k++) { // its two limits are guards
      Vec g = vec_with(o, x, 0, q_neg(block->k[k])), base = vec_cut(o, g, e->slope);
      Q rate = vec_part(g, e->slope);
      value[n++] = vec_num(o, q_int(vec_sign(g)));
      if (!e->next || vec_sign(base) * q_sign(rate) >= 0) continue;
      Vec dt = vec_scale(o, q_div(q_int(-1), rate), base);
      if (e->next->any && vec_sign(vec_sub(o, dt, e->next->dt)) >= 0) continue;
      *e->next = (Next){.any = true, .dt = dt, .tie_count = 1, .tied = {m->memories[i].node}, .side = {vec_sign(base)}};
    }
  }
  for (int i = 0; i < m->state_count; i++) {
    if (m->states[i].kind == state_discrete) continue;
    value[n] = eval(e, m->states[i].rate);
    if (e->slope && vec_part(value[n], e->slope).n) give_up(o, skip_undecided, "a rate that changes between instants");
    n++;
    if (m->states[i].hold) value[n++] = eval(e, m->states[i].hold);
  }
  e->condition = 0;
  for (int i = 0; i < m->output_count; i++) value[n++] = eval(e, m->outputs[i].node);
  if (values) memcpy(values, value, (size_t)n * sizeof *value);
  return n;
}

static void sooner(Oracle *o, Next *next, Vec dt) {
  if (vec_sign(dt) <= 0) return;
  if (next->any && vec_sign(vec_sub(o, dt, next->dt)) >= 0) return;
  *next = (Next){.any = true, .dt = dt};
}

// How long until the next instant?
static Next look_ahead(Oracle *o) {
  Next next = {0};
  Vec y[most_states];
  Env e = read_after(o, &o->flow, y);
  e.next = &next;
  read_all(&e, NULL);
  Vec minus_t = vec_scale(o, q_int(-1), o->t);
  for (int i = 0; i < o->m->every_count; i++) {
    Q period = o->m->everys[i].period;
    Q k = q_int(q_floor(q_div(now(o), period)) + 1);
    sooner(o, &next, vec_with(o, minus_t, 0, q_mul(k, period)));
  }
  for (int i = 0; i < o->m->memory_count; i++)
    if (o->m->nodes[o->m->memories[i].node].op == op_pulse && o->mem[i]->n)
      sooner(o, &next, vec_with(o, minus_t, 0, o->pulse_end[i]));
  for (int i = 0; i < o->image_count; i++)
    if (q_cmp(o->images[i], now(o)) > 0) sooner(o, &next, vec_with(o, minus_t, 0, o->images[i]));
  return next;
}

// The instant is over: only standard parts stay. Do all readings, too?
static void drop_steps(Oracle *o) {
  Vec y[most_states], before[400], behind[400];
  Env e = read_after(o, &o->flow, y);
  int n = read_all(&e, behind);
  for (int i = 0; i < o->m->state_count; i++) o->y[i] = vec_cut(o, o->y[i], 1);
  for (int i = 0; i < o->m->memory_count; i++) o->mem[i] = vec_cut(o, o->mem[i], 1);
  o->t = vec_cut(o, o->t, 1);
  if (o->len == 1) return;
  o->len = 1;
  Flow again;
  Env at = read_at(o);
  if (flow_find(&at, &again) != ends_done) give_up(o, skip_undecided, "no flow without the steps behind");
  for (int i = 0; i < o->m->state_count; i++)
    if (!q_eq(again.r[i], o->flow.r[i])) give_up(o, skip_undecided, "another flow without the steps behind");
  e = read_after(o, &o->flow, y);
  read_all(&e, before);
  for (int i = 0; i < n; i++)
    if (!q_eq(vec_part(before[i], 0), vec_part(behind[i], 0)))
      give_up(o, skip_undecided, "a guard that came behind its limit rests at it");
}

static void keep_segment(Oracle *o) {
  Segment *s = &o->segments[o->segment_count];
  s->t = now(o);
  for (int i = 0; i < o->m->state_count; i++) s->y[i] = vec_part(o->y[i], 0), s->r[i] = o->flow.r[i];
  memcpy(s->m, o->mem, sizeof s->m);
  Vec y[most_states];
  Env e = read_after(o, &o->flow, y);
  Q dt = o->segment_count ? q_sub(s->t, s[-1].t) : q_int(0);
  for (int id = 1; id < o->m->node_count; id++) {
    const Node *n = &o->m->nodes[id];
    if (!o->reached[id] || n->op != op_delay) continue;
    Vec v = eval(&e, n->a[0]);
    Q value = vec_part(v, 0), slope = vec_part(v, 1);
    Q old = o->segment_count ? q_add(o->delay_value[id], q_mul(dt, o->delay_slope[id])) : n->k[1];
    bool same = q_eq(old, value) && q_eq(o->segment_count ? o->delay_slope[id] : q_int(0), slope);
    o->delay_value[id] = value;
    o->delay_slope[id] = slope;
    if (same && o->segment_count) continue; // the end of the history is one always
    if (o->image_count == most_images) give_up(o, skip_many, "many images");
    else o->images[o->image_count++] = q_add(s->t, n->k[0]);
  }
  o->segment_count++;
  for (int i = 0; i < o->image_count; i++)
    if (q_eq(o->images[i], s->t)) o->out->happened[h_delay_image]++;
}

static void put_row(Oracle *o, Env *e, Q t) {
  Answer *out = o->out;
  if (out->row_count == oracle_rows) {
    give_up(o, skip_many, "many rows");
    return;
  }
  e->held = &o->flow;
  out->row_t[out->row_count] = q_double(t);
  for (int i = 0; i < o->m->output_count; i++) {
    o->touched = false;
    out->rows[out->row_count][i] = q_double(vec_part(eval(e, o->m->outputs[i].node), 0));
    // what is shown alone has no guards: at its limit rounding decides
    out->loose[out->row_count][i] = o->touched;
  }
  out->row_count++;
}

// The row at t, a time of the present segment.
static void row_at(Oracle *o, Q t) {
  Vec y[most_states];
  Q dt = q_sub(t, now(o));
  for (int i = 0; i < o->m->state_count; i++)
    y[i] = vec_with(o, vec_with(o, o->y[i], 0, q_mul(dt, o->flow.r[i])), 1, o->flow.r[i]);
  Env e = {.o = o, .len = 2, .slope = 1, .t = vec_with(o, vec_num(o, t), 1, q_int(1)), .y = y, .m = o->mem};
  put_row(o, &e, t);
}

// Goes on along the flow. The rest of a play is its output on the way, whatever the instant then sets.
static void advance(Oracle *o, Vec dt) {
  Vec y[most_states], rest[most_memories];
  Env e = read_after(o, &o->flow, y);
  for (int i = 0; i < o->m->memory_count; i++) {
    Vec v = memory_value(&e, i);
    rest[i] = vec_add(o, vec_cut(o, v, o->len), vec_scale(o, vec_part(v, o->len), dt));
  }
  for (int i = 0; i < o->m->memory_count; i++)
    if (o->m->nodes[o->m->memories[i].node].op == op_backlash) o->mem[i] = rest[i];
  for (int i = 0; i < o->m->state_count; i++) o->y[i] = vec_add(o, o->y[i], vec_scale(o, o->flow.r[i], dt));
  o->t = vec_add(o, o->t, dt);
}

static bool close_to(Q a, Q b, int64_t parts) {
  Q d = q_sub(a, b);
  if (d.n < 0) d = q_neg(d);
  return d.n && q_cmp(d, q_of(1, parts)) < 0;
}

// ---- the run

static Ending run(Oracle *o) {
  const Model *m = o->m;
  Ending ending = start(o);
  if (ending || o->skip) return ending;
  Q row = q_int(0); // the next one
  bool again = false, first = true;
  for (;;) {
    if (o->twin == twin_samples_last) {
      Env e = read_at(o);
      update_memories(&e);
    }
    if (!again) {
      samples(o);
      if (o->segment_count == 0)
        for (int i = 0; i < m->state_count; i++)
          if (!o->y[i]->n && m->states[i].kind == state_moving) o->out->happened[h_start_at_limit]++;
    }
    ending = settle(o);
    if (o->skip) return ending;
    if (ending && ending != ends_stop) return ending;
    if (ending == ends_stop) {
      Env at = read_at(o);
      if (first) {
        put_row(o, &at, now(o));
        return ending;
      }
      if (flow_find(&at, &o->flow) != ends_done) give_up(o, skip_undecided, "a stop without a flow");
      drop_steps(o);
      row_at(o, now(o));
      return ending;
    }
    Next next = look_ahead(o);
    if (o->skip) return ending;
    again = next.any && vec_part(next.dt, 0).n == 0;
    o->last = next;
    if (again) {
      // open: the flow leads a guard that is infinitely little behind its limit back to it: an instant at the same time
      o->out->happened[h_same_time]++;
      advance(o, next.dt);
      continue;
    }
    if (next.tie_count > 1) o->out->happened[h_several_guards]++;
    if (first) { // read AT: outputs whose guards are zero are not compared
      Env at = read_at(o);
      put_row(o, &at, row);
      row = q_min(m->row, m->to); // the end of the run has a row of its own
    }
    first = false;
    drop_steps(o);
    keep_segment(o);
    next = look_ahead(o); // delays show this instant later
    if (o->skip) return ending;
    o->last = next;
    o->out->instant_t[o->out->instants++] = q_double(now(o));
    Q end = m->to;
    Q then = next.any ? q_add(now(o), vec_part(next.dt, 0)) : q_add(end, q_int(1));
    if (close_to(then, now(o), 1000) || close_to(then, end, 1000)) give_up(o, skip_close, "two instants are close");
    while (q_cmp(row, end) <= 0 && q_cmp(row, then) < 0 && !o->skip) {
      if (close_to(row, then, 100000) || close_to(row, now(o), 100000)) give_up(o, skip_close, "a row is close");
      row_at(o, row);
      bool last = q_eq(row, end);
      row = q_add(row, m->row);
      if (!last && q_cmp(row, end) > 0) row = end; // the end of the run has a row of its own
    }
    if (o->skip || q_cmp(then, end) > 0) return ends_done;
    if (o->out->instants == oracle_instants) {
      give_up(o, skip_many, "many instants");
      return ends_done;
    }
    advance(o, vec_num(o, vec_part(next.dt, 0)));
    o->passes = 0;
  }
}

void oracle_run(const Model *m, Twin twin, Answer *out) {
  static Oracle o;
  char *arena = o.arena ? o.arena : malloc(arena_size);
  memset(&o, 0, sizeof o);
  memset(out, 0, sizeof *out);
  if (!arena) abort();
  o.m = m;
  o.twin = twin;
  o.out = out;
  o.arena = arena;
  q_overflow = false;
  for (int i = 0; i < m->state_count; i++) {
    reach(&o, m->states[i].rate);
    reach(&o, m->states[i].reset);
    reach(&o, m->states[i].hold);
  }
  for (int i = 0; i < m->memory_count; i++) reach(&o, m->memories[i].node);
  for (int i = 0; i < m->when_count; i++) {
    reach(&o, m->whens[i].condition);
    for (int k = 0; k < m->whens[i].count; k++) reach(&o, m->whens[i].assign[k].node);
  }
  for (int i = 0; i < m->every_count; i++)
    for (int k = 0; k < m->everys[i].count; k++) reach(&o, m->everys[i].assign[k].node);
  for (int i = 0; i < m->output_count; i++) reach(&o, m->outputs[i].node);
  order_memories(&o);
  list_whens(&o);
  out->ending = run(&o);
  out->t = q_double(now(&o));
  if (q_overflow) give_up(&o, skip_numbers, "numbers that do not fit");
  if (o.skip) out->ending = o.skip_kind;
  out->why = o.skip;
}
