// Values of expressions at a point with infinitely small parts.
#include "oracle_parts.h"

#include <string.h>

// ---- vectors

static VecBody *vec_new(Oracle *o, int n) {
  size_t size = sizeof(VecBody) + (size_t)n * sizeof(Q);
  if (o->used + size > arena_size) {
    give_up(o, skip_numbers, "too many numbers");
    o->used = 0;
  }
  VecBody *v = (VecBody *)(void *)(o->arena + o->used);
  o->used += size;
  v->n = n;
  return v;
}

static Vec trim(VecBody *v) {
  while (v->n && v->c[v->n - 1].n == 0) v->n--;
  return v;
}

Vec vec_num(Oracle *o, Q x) {
  VecBody *v = vec_new(o, 1);
  v->c[0] = x;
  return trim(v);
}

Vec vec_add(Oracle *o, Vec a, Vec b) {
  if (a->n == 0) return b;
  if (b->n == 0) return a;
  VecBody *v = vec_new(o, a->n > b->n ? a->n : b->n);
  for (int i = 0; i < v->n; i++) v->c[i] = q_add(vec_part(a, i), vec_part(b, i));
  return trim(v);
}

Vec vec_scale(Oracle *o, Q k, Vec a) {
  VecBody *v = vec_new(o, k.n ? a->n : 0);
  for (int i = 0; i < v->n; i++) v->c[i] = q_mul(k, a->c[i]);
  return trim(v);
}

Vec vec_sub(Oracle *o, Vec a, Vec b) { return vec_add(o, a, vec_scale(o, q_int(-1), b)); }

Vec vec_with(Oracle *o, Vec a, int i, Q x) {
  if (x.n == 0) return a;
  VecBody *v = vec_new(o, a->n > i + 1 ? a->n : i + 1);
  for (int k = 0; k < v->n; k++) v->c[k] = vec_part(a, k);
  v->c[i] = q_add(v->c[i], x);
  return trim(v);
}

Vec vec_cut(Oracle *o, Vec a, int n) {
  if (a->n <= n) return a;
  VecBody *v = vec_new(o, n);
  memcpy(v->c, a->c, (size_t)n * sizeof(Q));
  return trim(v);
}

int vec_sign(Vec a) {
  for (int i = 0; i < a->n; i++)
    if (a->c[i].n) return q_sign(a->c[i]);
  return 0;
}

bool vec_equal(Vec a, Vec b) {
  if (a->n != b->n) return false;
  for (int i = 0; i < a->n; i++)
    if (!q_eq(a->c[i], b->c[i])) return false;
  return true;
}

// ---- guards

static Vec number(Env *e, int64_t x) { return vec_num(e->o, q_int(x)); }

// A zero of a guard lies dt ahead.
static void note_zero(Env *e, Vec dt, int node, int side) {
  Next *next = e->next;
  int order = next->any ? vec_sign(vec_sub(e->o, dt, next->dt)) : -1;
  if (order > 0) return;
  if (order < 0) next->tie_count = 0;
  next->any = true;
  next->dt = dt;
  if (next->tie_count < most_tied) {
    next->tied[next->tie_count] = node;
    next->side[next->tie_count++] = side;
  }
}

static void look_nearly_zero(Env *e, Q x) {
  if (x.n && x.d > 100000 && x.n < x.d / 100000 && x.n > -(x.d / 100000))
    give_up(e->o, skip_close, "a guard is nearly zero");
}

// The sign of a guard.
static int side(Env *e, Vec g, int node) {
  int s = vec_sign(g);
  e->o->touched = e->o->touched || !vec_part(g, 0).n;
  look_nearly_zero(e, vec_part(g, 0));
  if (e->next) {
    // did it come here in this instant, and go back?
    for (int i = 0; i < e->o->last.tie_count; i++)
      if (e->o->last.tied[i] == node && e->o->last.side[i] == s && s) e->o->out->happened[h_touch]++;
    Vec base = vec_cut(e->o, g, e->slope);
    Q rate = vec_part(g, e->slope);
    int b = vec_sign(base);
    if (b && b * q_sign(rate) < 0) note_zero(e, vec_scale(e->o, q_div(q_int(-1), rate), base), node, b);
  }
  return s;
}

int guard_kind(Op op, bool flip) {
  switch ((int)op) {
  case op_sign: return kind_sign;
  case op_gt: return flip ? kind_lt : kind_gt;
  case op_ge:
  case op_step: return flip ? kind_le : kind_ge;
  case op_lt: return flip ? kind_gt : kind_lt;
  case op_le: return flip ? kind_ge : kind_le;
  default: return kind_other;
  }
}

// A guard that is held at zero, as a number: between its branches.
static Vec held_value(Env *e, int kind, Q lambda, bool flip) {
  Q x = lambda;
  if (kind == kind_sign) x = q_sub(q_mul(q_int(2), lambda), q_int(1));
  if (kind == kind_sign && flip) x = q_neg(x);
  if (kind == kind_lt || kind == kind_le) x = q_sub(q_int(1), lambda);
  return vec_num(e->o, x);
}

static Vec branch(Env *e, Op op, int s) {
  switch ((int)op) {
  case op_sign: return number(e, s);
  case op_gt: return number(e, s > 0);
  case op_step:
  case op_ge: return number(e, s >= 0);
  case op_lt: return number(e, s < 0);
  case op_le: return number(e, s <= 0);
  case op_eq: return number(e, s == 0);
  default: return number(e, s != 0);
  }
}

static Operator *find_operator(Guard *g, int kind, int of) {
  for (int i = 0; i < g->op_count; i++)
    if (g->ops[i].kind == kind && g->ops[i].of == of) return &g->ops[i];
  return NULL;
}

// A comparison, sign or step whose guard has the value g.
static Vec decide(Env *e, int id, Op op, Vec g) {
  bool flip = false;
  if (e->rates && g->n == 0) {
    Guard *guard = flow_guard(e, e->rates, id, true, &flip);
    if (guard) {
      int kind = guard_kind(op, flip);
      Operator *own = find_operator(guard, kind, e->of);
      if (!own && guard->op_count < most_ops) guard->ops[guard->op_count++] = (Operator){.kind = kind, .of = e->of};
      else if (!own) give_up(e->o, skip_undecided, "many operators on a guard");
      guard->other = guard->other || (kind == kind_other && !e->of);
      if (!guard->stuck || !own || !own->acts) return branch(e, op, flip ? -guard->choice : guard->choice);
      return held_value(e, kind, guard->lambda, flip);
    }
  }
  if (e->held && g->n <= 1 && g->n == 0 && !e->condition) {
    Guard *guard = flow_guard(e, (Flow *)(uintptr_t)e->held, id, false, &flip);
    if (guard && guard->stuck) {
      int kind = guard_kind(op, flip);
      // any other stands in outputs alone, and rounding decides
      const Operator *own = find_operator(guard, kind, 0);
      if (own && own->acts) {
        Q coef[most_states + 1], first[most_states + 1];
        bool whole = guard_affine(e->o->m, id, true, coef) && guard_affine(e->o->m, guard->node, true, first);
        e->o->touched = e->o->touched || (whole && !proportional(coef, first));
        return held_value(e, kind, guard->lambda, flip);
      }
    }
  }
  if (e->right && g->n == 0) {
    Guard *guard = flow_guard(e, &e->o->flow, id, false, &flip);
    if (guard && guard->stuck && !e->condition)
      give_up(e->o, skip_undecided, "a held guard as a number in a right side");
  }
  return branch(e, op, side(e, g, id));
}

// ---- blocks

static Vec clamp(Env *e, Vec rest, Vec lo, Vec hi, int node) {
  if (side(e, vec_sub(e->o, rest, lo), node) < 0) return lo;
  if (side(e, vec_sub(e->o, rest, hi), node + most_nodes) > 0) return hi;
  return rest;
}

Vec memory_value(Env *e, int i) {
  const Node *n = &e->o->m->nodes[e->o->m->memories[i].node];
  if (n->op != op_backlash) return e->m[i];
  Q half = q_div(n->k[0], q_int(2));
  e->condition++;
  Vec x = eval(e, n->a[0]);
  e->condition--;
  return clamp(e, e->m[i], vec_with(e->o, x, 0, q_neg(half)), vec_with(e->o, x, 0, half), e->o->m->memories[i].node);
}

// What was a time ago. At an image of an instant the values after its last pass count.
static Vec past(Env *e, int id) {
  Oracle *o = e->o;
  const Node *n = &o->m->nodes[id];
  if (e->next) eval(e, n->a[0]); // its corners are instants, too
  Vec t = vec_with(o, e->t, 0, q_neg(n->k[0]));
  Q t0 = vec_part(t, 0);
  if (t0.n < 0) return vec_num(o, n->k[1]);
  if (o->twin == twin_delay_old && t->n == 0) return vec_num(o, n->k[1]);
  int k = o->segment_count - 1;
  while (k > 0 && q_cmp(o->segments[k].t, t0) > (o->twin == twin_delay_old ? -1 : 0)) k--;
  if (k < 0) { // a dead time that is longer than the run so far
    give_up(o, skip_undecided, "a delay without a past");
    return number(e, 0);
  }
  const Segment *s = &o->segments[k];
  Vec off = vec_with(o, t, 0, q_neg(s->t)), y[most_states];
  Env then = {.o = o, .len = e->len + 1, .slope = e->len, .t = vec_with(o, t, e->len, q_int(1)), .y = y, .m = s->m};
  for (int i = 0; i < o->m->state_count; i++)
    y[i] = vec_with(o, vec_add(o, vec_num(o, s->y[i]), vec_scale(o, s->r[i], off)), e->len, s->r[i]);
  return vec_cut(o, eval(&then, n->a[0]), e->len);
}

// The largest whole number that is not above x.
static Vec whole(Env *e, Vec x, int id) {
  Q x0 = vec_part(x, 0);
  int64_t n = q_floor(x0);
  Q fraction = q_sub(x0, q_int(n));
  e->o->touched = e->o->touched || !fraction.n;
  look_nearly_zero(e, fraction);
  if (fraction.n) look_nearly_zero(e, q_sub(q_int(1), fraction));
  if (q_eq(x0, q_int(n)) && vec_sign(vec_with(e->o, x, 0, q_neg(x0))) < 0) n--;
  if (e->rates && vec_equal(x, vec_num(e->o, q_int(n)))) {
    bool flip;
    Guard *guard = flow_guard(e, e->rates, id, true, &flip);
    if (guard) guard->other = true; // never held
    if (guard && (flip ? -guard->choice : guard->choice) < 0) n--;
  }
  if (e->next) {
    Q rate = vec_part(x, e->slope);
    Vec base = vec_cut(e->o, x, e->slope);
    if (rate.n > 0)
      note_zero(e, vec_scale(e->o, q_div(q_int(-1), rate), vec_with(e->o, base, 0, q_int(-n - 1))), id, -1);
    if (rate.n < 0) note_zero(e, vec_scale(e->o, q_div(q_int(-1), rate), vec_with(e->o, base, 0, q_int(-n))), id, 1);
  }
  return number(e, n);
}

// ---- expressions

static bool known(Vec a, int64_t x) { return x ? a->n == 1 && q_eq(a->c[0], q_int(x)) : a->n == 0; }

static Vec either(Env *e, Vec a, Vec b) {
  if (known(a, 1) || known(b, 1)) return number(e, 1);
  if (known(a, 0)) return b;
  if (known(b, 0)) return a;
  give_up(e->o, skip_undecided, "two held guards in one condition");
  return a;
}

static Vec opposite(Env *e, Vec a) { return vec_sub(e->o, number(e, 1), a); }

static Vec product(Env *e, Vec a, Vec b) {
  if (a->n <= 1) return vec_scale(e->o, vec_part(a, 0), b);
  if (b->n <= 1) return vec_scale(e->o, vec_part(b, 0), a);
  give_up(e->o, skip_undecided, "a product of two moving numbers");
  return a;
}

static Vec choose_branch(Env *e, const Node *n) {
  int of = e->of;
  const Node *nodes = e->o->m->nodes; // between two constants it is a number like the comparison itself
  if (nodes[n->a[1]].op != op_num || nodes[n->a[2]].op != op_num) e->of = (int)(n - nodes);
  e->condition++;
  Vec c = eval(e, n->a[0]);
  e->condition--;
  e->of = of;
  if (!e->rates) {
    if (e->held && e->held->count) { // is it decided by a guard that is held?
      for (int i = 0; i < e->held->count; i++) {
        const Node *g = &e->o->m->nodes[n->a[0]];
        bool flip;
        if (!e->held->guards[i].stuck || !(g->op >= op_lt && g->op <= op_ne)) continue;
        if (flow_guard(e, (Flow *)(uintptr_t)e->held, n->a[0], false, &flip) == &e->held->guards[i])
          give_up(e->o, skip_undecided, "an `if` of a held guard in an output");
      }
    }
    return eval(e, n->a[known(c, 0) ? 2 : 1]);
  }
  Vec yes = eval(e, n->a[1]), no = eval(e, n->a[2]);
  if (known(c, 1)) return yes;
  if (known(c, 0)) return no;
  return vec_add(e->o, product(e, c, yes), product(e, opposite(e, c), no));
}

Vec eval(Env *e, int id) {
  Oracle *o = e->o;
  const Node *n = &o->m->nodes[id];
  Vec a, b;
  switch (n->op) {
  case op_num: return vec_num(o, n->k[0]);
  case op_time: return e->t;
  case op_state: return e->y[n->a[0]];
  case op_memory: return memory_value(e, n->a[0]);
  case op_signal: return eval(e, o->m->signals[n->a[0]].node);
  case op_neg: return vec_scale(o, q_int(-1), eval(e, n->a[0]));
  case op_scale: return vec_scale(o, n->k[0], eval(e, n->a[0]));
  case op_add: return vec_add(o, eval(e, n->a[0]), eval(e, n->a[1]));
  case op_sub: return vec_sub(o, eval(e, n->a[0]), eval(e, n->a[1]));
  case op_mul: a = eval(e, n->a[0]); return product(e, a, eval(e, n->a[1]));
  case op_min:
  case op_max:
    a = eval(e, n->a[0]);
    b = eval(e, n->a[1]);
    return (side(e, vec_sub(o, a, b), id) < 0) == (n->op == op_min) ? a : b;
  case op_abs: a = eval(e, n->a[0]); return side(e, a, id) < 0 ? vec_scale(o, q_int(-1), a) : a;
  case op_ramp: a = eval(e, n->a[0]); return side(e, a, id) < 0 ? number(e, 0) : a;
  case op_floor: return whole(e, eval(e, n->a[0]), id);
  case op_mod:
    a = eval(e, n->a[0]);
    return vec_sub(o, a, vec_scale(o, n->k[0], whole(e, vec_scale(o, q_div(q_int(1), n->k[0]), a), id)));
  case op_limit: a = eval(e, n->a[0]); return clamp(e, a, vec_num(o, n->k[0]), vec_num(o, n->k[1]), id);
  case op_delay: return past(e, id);
  case op_sign:
  case op_step: return decide(e, id, n->op, eval(e, n->a[0]));
  case op_lt:
  case op_le:
  case op_gt:
  case op_ge:
  case op_eq:
  case op_ne:
    e->condition++;
    a = eval(e, n->a[0]);
    b = eval(e, n->a[1]);
    e->condition--;
    return decide(e, id, n->op, vec_sub(o, a, b));
  case op_and:
  case op_or:
    e->condition++;
    a = eval(e, n->a[0]);
    b = eval(e, n->a[1]);
    e->condition--;
    if (n->op == op_or) return either(e, a, b);
    return opposite(e, either(e, opposite(e, a), opposite(e, b)));
  case op_not:
    e->condition++;
    a = eval(e, n->a[0]);
    e->condition--;
    return opposite(e, a);
  case op_if: return choose_branch(e, n);
  default: give_up(o, skip_undecided, "a block that is no memory"); return number(e, 0);
  }
}

bool holds(Env *e, int id) {
  e->condition++;
  Vec v = eval(e, id);
  e->condition--;
  if (!known(v, 0) && !known(v, 1)) give_up(e->o, skip_undecided, "a condition that is neither 0 nor 1");
  return !known(v, 0);
}
