// Stick and slip (S6): the rates behind an instant, by trying every choice of branches of the zero guards.
//
// A guard that is zero goes to its negative branch, to its positive one, or stays. One whose branch enters its own
// first derivative and leads it back stays by a value lambda in 0 .. 1 between its branches, one for all operators on
// it, any other by its value for zero. A choice is a solution if each guard goes where its branch says. Solutions with
// the same rates are one.
#include "oracle_parts.h"

#include <string.h>

// ---- guards

// The operand whose sign decides: a, or a - b. Its coefficients in states (by k) and time. false: not affine.
static bool affine(const Model *m, int id, bool discrete, Q k, Q *coef) {
  const Node *n = &m->nodes[id];
  switch ((int)n->op) {
  case op_num: return true;
  case op_time: coef[most_states] = q_add(coef[most_states], k); return true;
  case op_state:
    if (discrete || m->states[n->a[0]].kind != state_discrete) coef[n->a[0]] = q_add(coef[n->a[0]], k);
    return true;
  case op_memory: return m->nodes[m->memories[n->a[0]].node].op != op_backlash;
  case op_signal: return affine(m, m->signals[n->a[0]].node, discrete, k, coef);
  case op_neg: return affine(m, n->a[0], discrete, q_neg(k), coef);
  case op_scale: return affine(m, n->a[0], discrete, q_mul(k, n->k[0]), coef);
  case op_add: return affine(m, n->a[0], discrete, k, coef) && affine(m, n->a[1], discrete, k, coef);
  case op_sub: return affine(m, n->a[0], discrete, k, coef) && affine(m, n->a[1], discrete, q_neg(k), coef);
  default: return false;
  }
}

static bool has_two_sides(Op op) { return op >= op_lt && op <= op_ne; }

bool guard_affine(const Model *m, int id, bool discrete, Q *coef) {
  const Node *n = &m->nodes[id];
  for (int i = 0; i <= most_states; i++) coef[i] = q_int(0);
  return affine(m, n->a[0], discrete, q_int(1), coef) &&
         (!has_two_sides(n->op) || affine(m, n->a[1], discrete, q_int(-1), coef));
}

// Equal, negated and scaled guards are one: their coefficients are proportional. 0: no, 1: yes, -1: negated.
int proportional(const Q *a, const Q *b) {
  int at = 0;
  while (at <= most_states && !a[at].n && !b[at].n) at++;
  if (at > most_states || !a[at].n || !b[at].n) return 0;
  Q ratio = q_div(a[at], b[at]);
  for (int i = at; i <= most_states; i++)
    if (!q_eq(a[i], q_mul(ratio, b[i]))) return 0;
  return q_sign(ratio);
}

Guard *flow_guard(Env *e, Flow *f, int node, bool add, bool *flip) {
  Q coef[most_states + 1];
  bool is_affine = guard_affine(e->o->m, node, false, coef);
  *flip = false;
  if (is_affine) {
    bool moves = false;
    for (int i = 0; i <= most_states; i++) moves = moves || coef[i].n;
    if (!moves) return NULL;
  }
  for (int i = 0; i < f->count; i++) {
    Guard *g = &f->guards[i];
    if (g->affine != is_affine) continue;
    int same = is_affine ? proportional(coef, g->coef) : g->node == node;
    *flip = same < 0;
    if (same) return g;
  }
  if (!add) return NULL;
  if (f->count == most_guards) {
    f->full = true;
    return NULL;
  }
  Guard *g = &f->guards[f->count++];
  *g = (Guard){.node = node, .affine = is_affine, .lambda = {0, 1}};
  memcpy(g->coef, coef, sizeof coef);
  return g;
}

// The guard of an operator at a point.
static Vec guard_value(Env *e, const Guard *g) {
  const Node *n = &e->o->m->nodes[g->node];
  Vec a = eval(e, n->a[0]);
  if (has_two_sides(n->op)) return vec_sub(e->o, a, eval(e, n->a[1]));
  if (n->op == op_floor || n->op == op_mod) return vec_with(e->o, a, 0, q_neg(vec_part(a, 0)));
  return a;
}

// ---- rates

static void read_rates(Env *e, Flow *f) {
  const Model *m = e->o->m;
  e->rates = f;
  for (int i = 0; i < m->state_count; i++) {
    const State *s = &m->states[i];
    f->r[i] = q_int(0);
    if (s->kind == state_discrete) continue;
    Vec r = eval(e, s->rate);
    if ((s->reset || s->hold) && (m->nodes[s->rate].op != op_num || m->nodes[s->rate].k[0].n)) {
      e->of = most_nodes + i;
      if ((s->reset && holds(e, s->reset)) || (s->hold && holds(e, s->hold))) r = vec_num(e->o, q_int(0));
      e->of = 0;
    }
    if (r->n > 1) give_up(e->o, skip_undecided, "an infinitely small rate");
    f->r[i] = vec_part(r, 0);
  }
  e->rates = NULL;
}

// The same point one step ahead along the rates.
static Env ahead(const Env *at, const Flow *f, Vec *y) {
  Env e = *at;
  Oracle *o = at->o;
  e.len = at->len + 1;
  e.slope = at->len;
  e.t = vec_with(o, at->t, at->len, q_int(1));
  for (int i = 0; i < o->m->state_count; i++) y[i] = vec_with(o, at->y[i], at->len, f->r[i]);
  e.y = y;
  return e;
}

static Q guard_rate(const Env *at, const Flow *f, int i, int *side) {
  Vec y[most_states];
  Env e = ahead(at, f, y);
  Vec g = guard_value(&e, &f->guards[i]);
  if (side) *side = vec_sign(g);
  return vec_part(g, at->len);
}

// ---- choices

// Solves B z = -a. 1: one solution, 0: none, -1: many.
static int solve(int n, Q b[most_guards][most_guards], Q a[most_guards], Q z[most_guards]) {
  int rank = 0, column_of[most_guards];
  for (int c = 0; c < n; c++) {
    int p = rank;
    while (p < n && !b[p][c].n) p++;
    if (p == n) continue;
    for (int k = 0; k < n; k++) {
      Q swap = b[p][k];
      b[p][k] = b[rank][k];
      b[rank][k] = swap;
    }
    Q swap = a[p];
    a[p] = a[rank];
    a[rank] = swap;
    for (int i = 0; i < n; i++) {
      if (i == rank || !b[i][c].n) continue;
      Q factor = q_div(b[i][c], b[rank][c]);
      for (int k = 0; k < n; k++) b[i][k] = q_sub(b[i][k], q_mul(factor, b[rank][k]));
      a[i] = q_sub(a[i], q_mul(factor, a[rank]));
    }
    column_of[rank++] = c;
  }
  for (int i = rank; i < n; i++)
    if (a[i].n) return 0;
  for (int i = 0; i < n; i++) z[i] = q_int(0);
  for (int i = 0; i < rank; i++) z[column_of[i]] = q_neg(q_div(a[i], b[i][column_of[i]]));
  return rank == n ? 1 : -1;
}

// What the operators of a guard that act do to its rate from the one side to the other: the sign.
static int own_effect(Env *at, Flow *f, int i) {
  Guard *g = &f->guards[i];
  Q rate[2];
  g->stuck = true;
  for (int up = 0; up < 2; up++) {
    g->lambda = q_int(up);
    read_rates(at, f);
    rate[up] = guard_rate(at, f, i, NULL);
  }
  g->stuck = false;
  return q_cmp(rate[1], rate[0]);
}

// Completes a choice: which guards are held, by what. false: no solution.
static bool complete(Env *at, Flow *f) {
  int held[most_guards], n = 0;
  for (int i = 0; i < f->count; i++) f->guards[i].stuck = false;
  for (int i = 0; i < f->count && at->o->twin != twin_no_stick; i++) {
    Guard *g = &f->guards[i];
    for (int k = 0; k < g->op_count; k++) g->ops[k].acts = false;
    if (g->choice || g->other) continue;
    bool acts[most_ops];
    for (int k = 0; k < g->op_count; k++) {
      g->ops[k].acts = true;
      acts[k] = own_effect(at, f, i) != 0;
      g->ops[k].acts = false;
    }
    for (int k = 0; k < g->op_count; k++) g->ops[k].acts = acts[k];
    // one that drives itself away is not held
    if (own_effect(at, f, i) < 0) held[n++] = i;
  }
  Q a[most_guards], b[most_guards][most_guards], z[most_guards];
  for (int k = 0; k < n; k++) {
    f->guards[held[k]].stuck = true;
    f->guards[held[k]].lambda = q_int(0);
  }
  read_rates(at, f);
  for (int k = 0; k < n; k++) a[k] = guard_rate(at, f, held[k], NULL);
  for (int j = 0; j < n; j++) {
    f->guards[held[j]].lambda = q_int(1);
    read_rates(at, f);
    for (int k = 0; k < n; k++) b[k][j] = q_sub(guard_rate(at, f, held[k], NULL), a[k]);
    f->guards[held[j]].lambda = q_int(0);
  }
  int solutions = solve(n, b, a, z);
  if (solutions == 0) return false;
  if (solutions < 0) give_up(at->o, skip_undecided, "more held guards than motions");
  for (int k = 0; k < n; k++) {
    if (q_sign(z[k]) < 0 || q_cmp(z[k], q_int(1)) > 0) return false;
    f->guards[held[k]].lambda = z[k];
  }
  read_rates(at, f);
  for (int i = 0; i < f->count; i++) {
    int side;
    Q rate = guard_rate(at, f, i, &side);
    if (side != f->guards[i].choice) {
      if (f->guards[i].stuck && rate.n) give_up(at->o, skip_undecided, "held guards that multiply");
      return false;
    }
  }
  return true;
}

Ending flow_find(Env *at, Flow *f) {
  *f = (Flow){0};
  read_rates(at, f); // finds the zero guards
  if (f->full) give_up(at->o, skip_undecided, "many zero guards in rates");
  if (at->o->skip || f->count == 0) return ends_done;
  int choices = 1, solutions = 0;
  for (int i = 0; i < f->count; i++) choices *= 3;
  // the branches that the rates lead to from the operators at zero: of several solutions the one that has them counts
  Flow plain = *f;
  for (int i = 0; i < plain.count; i++) plain.guards[i].choice = 0, plain.guards[i].stuck = false;
  for (int round = 0; round < 10; round++) {
    read_rates(at, &plain);
    int sides[most_guards];
    for (int i = 0; i < plain.count; i++) guard_rate(at, &plain, i, &sides[i]);
    for (int i = 0; i < plain.count; i++) plain.guards[i].choice = sides[i];
  }
  read_rates(at, &plain);
  bool several = false, by_plain = false;
  Flow found = *f, trial = *f;
  for (int c = 0; c < choices; c++) {
    int rest = c;
    for (int i = 0; i < trial.count; i++, rest /= 3) trial.guards[i].choice = rest % 3 - 1;
    if (!complete(at, &trial)) continue;
    if (trial.count != f->count) give_up(at->o, skip_undecided, "guards that show themselves late");
    if (at->o->skip) return ends_done;
    bool same = true, as_plain = true;
    for (int i = 0; i < at->o->m->state_count; i++) {
      same = same && q_eq(found.r[i], trial.r[i]);
      as_plain = as_plain && q_eq(plain.r[i], trial.r[i]);
    }
    several = several || (solutions && !same);
    if (!solutions++ || (as_plain && !by_plain)) found = trial;
    by_plain = by_plain || as_plain;
  }
  if (!solutions) return ends_no_solution;
  if (several && !by_plain && f->count > 1) give_up(at->o, skip_undecided, "several solutions of several guards");
  if (several && !by_plain) return ends_several;
  *f = found;
  for (int i = 0; i < f->count; i++) at->o->out->happened[h_stuck] += f->guards[i].stuck;
  return ends_done;
}
