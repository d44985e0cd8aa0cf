// A system in port-Hamiltonian form: its pieces beside each other, then what connects them.
//
// in    a System: storages as they are written (or fitted), coordinates by Legendre's transformation, connections
// out   a PortForm over all of them
// how   pieces are blocks of F, E, W and S. Where inputs are outputs of other ports, u_c = K y_c with K' = -K, then
//       u_c = T (W_c dH + S_ce u_e),  T = (I - K S_cc)^-1 K, a series that ends unless resistors form an algebraic loop
//       F + E_c T W_c,  E_e + E_c T S_ce,  W_e + S_ec T W_c,  S_ee + S_ec T S_ce
//       is the same form over the ports that are left.
//       Tied ports have further inputs Z lambda, and Z' y_c = 0: columns A = E_c Z of constraints, where no resistor
//       sits at such a port.
#include "algebra/port_form.h"

#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/value.h"

#include <string.h>

enum { most_looped = 6 }; // ports with resistors in an algebraic loop

// ---- pieces

static bool of_storage(System *s, const SystemStorage *x, PortForm *f) {
  ExprPool *pool = s->pool;
  uint32_t n = x->count, m = x->ports.count;
  if (x->fitted) return port_fit(s, x, f);
  if (!port_form_open(s, f, n, m)) return false;
  f->H = f->still = x->H;
  for (uint32_t i = 0; i < n; i++) {
    f->x[i] = s->states.items[x->rows[i]].x;
    f->dH[i] = x->dH[i];
    for (uint32_t j = 0; j < n; j++) f->F[i * n + j] = expr_sub(pool, x->J[i * n + j], x->R[i * n + j]);
  }
  for (uint32_t k = 0; k < m; k++) {
    const SystemPort *p = &x->ports.items[k];
    f->u[k] = s->inputs.items[p->input].symbol;
    f->names[k] = p->name;
    for (uint32_t i = 0; i < n; i++) {
      f->E[i * m + k] = expr_sub(pool, p->by[i], p->through[i]);
      f->W[k * n + i] = expr_add(pool, p->by[i], p->through[i]);
    }
    for (uint32_t j = 0; j < m; j++) f->S[k * m + j] = p->feed[j];
  }
  KindSet others = kind_set(sym_input) | kind_set(sym_state);
  bool more = expr_has_kind(pool, x->H, sym_input);
  for (uint32_t i = 0; i < s->states.count && !more; i++) {
    bool row = false;
    for (uint32_t k = 0; k < n; k++) row = row || x->rows[k] == i;
    more = !row && expr_depends(pool, x->H, s->states.items[i].x);
  }
  if (expr_has_kind(pool, x->H, sym_time)) port_note(f, "H depends on time: dH/dt at equal states is supplied");
  if (more && expr_has_kinds(pool, x->H, others))
    port_note(f, "H depends on what is no state of this form: what that changes is supplied");
  return true;
}

// b behind a
static bool append(System *s, PortForm *a, const PortForm *b) {
  PortForm f;
  uint32_t n = a->n + b->n, m = a->m + b->m;
  if (!port_form_open(s, &f, n, m)) return false;
  const PortForm *both[] = {a, b};
  for (uint32_t p = 0, rows = 0, ports = 0; p < 2; rows += both[p]->n, ports += both[p]->m, p++) {
    const PortForm *o = both[p];
    f.H = expr_add(s->pool, f.H, o->H);
    f.still = expr_add(s->pool, f.still, o->still);
    for (uint32_t i = 0; i < o->n; i++) {
      f.x[rows + i] = o->x[i];
      f.dH[rows + i] = o->dH[i];
      f.g[rows + i] = o->g[i];
      for (uint32_t j = 0; j < o->n; j++) f.F[(rows + i) * n + rows + j] = o->F[i * o->n + j];
      for (uint32_t k = 0; k < o->m; k++) {
        f.E[(rows + i) * m + ports + k] = o->E[i * o->m + k];
        f.W[(ports + k) * n + rows + i] = o->W[k * o->n + i];
      }
    }
    for (uint32_t k = 0; k < o->m; k++) {
      f.u[ports + k] = o->u[k];
      f.names[ports + k] = o->names[k];
      for (uint32_t j = 0; j < o->m; j++) f.S[(ports + k) * m + ports + j] = o->S[k * o->m + j];
    }
    for (uint32_t i = 0; i < o->notes.count; i++) port_note(&f, o->notes.items[i]);
    if (o->bound) {
      f.bound = o->bound;
      f.A = port_zeros(s, (size_t)n * o->bound);
      for (uint32_t i = 0; f.A && i < o->n * o->bound; i++) f.A[rows * o->bound + i] = o->A[i];
    }
    if (o->implicit) {
      f.implicit = true;
      f.M = o->M;
    }
    if (o->places) f.places = o->places;
    if (o->why) f.why = o->why;
  }
  *a = f;
  return !arena_failed(s->arena);
}

// ---- connections

typedef struct Joining {
  PortForm *f;
  System *s;
  uint32_t *c, *e, inner, outer; // ports that are connected, and those that stay
  ExprId *T;                     // inner * inner
} Joining;

static uint32_t port_of(const PortForm *f, SymbolId input) {
  for (uint32_t k = 0; k < f->m; k++) {
    if (f->u[k] == input) return k;
  }
  return f->m;
}

static bool sort_ports(Joining *j) {
  PortForm *f = j->f;
  j->c = arena_array(j->s->arena, (size_t)f->m + 1, sizeof *j->c);
  j->e = arena_array(j->s->arena, (size_t)f->m + 1, sizeof *j->e);
  if (arena_failed(j->s->arena)) return false;
  for (uint32_t k = 0; k < f->m; k++) {
    bool inside = false;
    for (uint32_t i = 0; i < j->s->connections.count; i++)
      inside = inside || j->s->inputs.items[j->s->connections.items[i].to].symbol == f->u[k];
    for (uint32_t i = 0; i < j->s->ties.count; i++) {
      const SystemTie *t = &j->s->ties.items[i];
      for (uint32_t l = 0; l < t->count; l++) inside = inside || j->s->inputs.items[t->inputs[l]].symbol == f->u[k];
    }
    if (inside) j->c[j->inner++] = k;
    else j->e[j->outer++] = k;
  }
  return true;
}

static uint32_t place_in(const uint32_t *list, uint32_t count, uint32_t port) {
  for (uint32_t i = 0; i < count; i++) {
    if (list[i] == port) return i;
  }
  return count;
}

// K from the connections: u_c = K y_c.
static ExprId *connected(Joining *j) {
  uint32_t n = j->inner;
  ExprId *K = port_zeros(j->s, (size_t)n * n);
  for (uint32_t i = 0; K && i < j->s->connections.count; i++) {
    const SystemConnection *w = &j->s->connections.items[i];
    uint32_t to = place_in(j->c, n, port_of(j->f, j->s->inputs.items[w->to].symbol)),
             from = place_in(j->c, n, port_of(j->f, j->s->inputs.items[w->from].symbol));
    ExprId sign = expr_int(j->s->pool, w->sign);
    if (to < n && from < n) K[to * n + from] = expr_add(j->s->pool, K[to * n + from], sign);
  }
  return K;
}

// out = a b, n by n; true: it is zero
static bool multiply(ExprPool *pool, const ExprId *a, const ExprId *b, uint32_t n, ExprId *out) {
  bool none = true;
  for (uint32_t i = 0; i < n * n; i++) out[i] = pool->zero;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n; k++) {
      if (a[i * n + k] == pool->zero) continue;
      for (uint32_t j = 0; j < n; j++) {
        if (b[k * n + j] == pool->zero) continue;
        out[i * n + j] = expr_add(pool, out[i * n + j], expr_mul(pool, a[i * n + k], b[k * n + j]));
        none = none && out[i * n + j] == pool->zero;
      }
    }
  }
  return none;
}

// (I - L)^-1 K for few ports; false: out of memory
static bool solve_loop(Joining *j, const ExprId *L, const ExprId *K) {
  uint32_t n = j->inner;
  ExprPool *pool = j->s->pool;
  if (n > most_looped) {
    j->f->why = "too many ports with resistors are connected in circles";
    return true;
  }
  Value m = value_new(pool, value_matrix, n, n), k = value_new(pool, value_matrix, n, n);
  if (!m.shape || !k.shape) return false;
  for (uint32_t i = 0; i < n * n; i++) {
    m.items[i] = expr_sub(pool, i / n == i % n ? pool->one : pool->zero, L[i]);
    k.items[i] = K[i];
  }
  Value inverse = value_inverse(pool, &m);
  Value product = inverse.shape ? value_multiply(pool, &inverse, &k) : value_none();
  if (!product.shape) j->f->why = "the connected ports do not determine what flows through them";
  for (uint32_t i = 0; product.shape && i < n * n; i++) j->T[i] = port_tidy(pool, product.items[i]);
  return true;
}

// T = (I - K S)^-1 K. Where resistors form no algebraic loop, the series K + K S K + ... ends.
static bool find_transfer(Joining *j) {
  PortForm *f = j->f;
  ExprPool *pool = j->s->pool;
  uint32_t n = j->inner;
  ExprId *K = connected(j), *S = port_zeros(j->s, (size_t)n * n), *L = port_zeros(j->s, (size_t)n * n),
         *term = port_zeros(j->s, (size_t)n * n), *next = port_zeros(j->s, (size_t)n * n);
  j->T = port_zeros(j->s, (size_t)n * n);
  if (arena_failed(j->s->arena)) return false;
  for (uint32_t i = 0; i < n * n; i++) {
    S[i] = f->S[j->c[i / n] * f->m + j->c[i % n]];
    j->T[i] = term[i] = K[i];
  }
  if (multiply(pool, K, S, n, L)) return true;
  for (uint32_t round = 0; round < most_looped; round++) {
    if (multiply(pool, L, term, n, next)) return true;
    for (uint32_t i = 0; i < n * n; i++) {
      term[i] = next[i];
      j->T[i] = expr_add(pool, j->T[i], next[i]);
    }
  }
  return solve_loop(j, L, K);
}

static void add_product(ExprPool *pool, ExprId *to, ExprId a, ExprId b, ExprId c) {
  if (a == pool->zero || b == pool->zero || c == pool->zero) return;
  *to = expr_add(pool, *to, expr_mul(pool, a, expr_mul(pool, b, c)));
}

// Is there a resistor at this port?
static bool is_fed(const PortForm *f, uint32_t port) {
  ExprId zero = f->s->pool->zero;
  for (uint32_t k = 0; k < f->m; k++) {
    if (f->S[port * f->m + k] != zero || f->S[k * f->m + port] != zero) return true;
  }
  for (uint32_t i = 0; i < f->n; i++) {
    if (f->E[i * f->m + port] != f->W[port * f->n + i]) return true;
  }
  return false;
}

// Columns of the constraints of tied ports, behind those that are there. False: out of memory.
static bool add_ties(System *s, PortForm *f) {
  uint32_t count = s->ties.count, before = f->bound, all = before + count;
  if (!count) return true;
  ExprId *A = port_zeros(s, (size_t)f->n * all);
  if (!A) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    for (uint32_t k = 0; k < before; k++) A[i * all + k] = f->A[i * before + k];
  }
  for (uint32_t k = 0; k < count; k++) {
    const SystemTie *t = &s->ties.items[k];
    for (uint32_t l = 0; l < t->count; l++) {
      uint32_t port = port_of(f, s->inputs.items[t->inputs[l]].symbol);
      if (port == f->m) continue;
      if (is_fed(f, port)) f->why = "ports that are tied by a constraint have resistors right at them";
      for (uint32_t i = 0; i < f->n; i++) {
        ExprId *entry = &A[i * all + before + k], e = f->E[i * f->m + port];
        *entry = expr_add(s->pool, *entry, expr_scale(s->pool, rat_int(t->signs[l]), e));
      }
    }
  }
  f->A = A;
  f->bound = all;
  return true;
}

// rows of E_c T, sparse, spread over what W_c and S_ce hold
static bool join(System *s, PortForm *f) {
  Joining joining = {.f = f, .s = s}, *j = &joining;
  ExprPool *pool = s->pool;
  PortForm out;
  if (!s->connections.count && !s->ties.count) return true;
  if (!add_ties(s, f)) return false;
  if (!sort_ports(j) || !find_transfer(j)) return false;
  if (f->why) return true;
  if (!port_form_open(s, &out, f->n, j->outer)) return false;
  uint32_t n = f->n, m = j->outer;
  memcpy(out.F, f->F, (size_t)n * n * sizeof *out.F);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < m; k++) {
      out.E[i * m + k] = f->E[i * f->m + j->e[k]];
      out.W[k * n + i] = f->W[j->e[k] * n + i];
    }
  }
  for (uint32_t k = 0; k < m * m; k++) out.S[k] = f->S[j->e[k / m] * f->m + j->e[k % m]];
  for (uint32_t a = 0; a < j->inner; a++) {
    for (uint32_t b = 0; b < j->inner; b++) {
      ExprId t = j->T[a * j->inner + b];
      if (t == pool->zero) continue;
      const ExprId *w = &f->W[(size_t)j->c[b] * n], *feed = &f->S[(size_t)j->c[b] * f->m];
      for (uint32_t i = 0; i < n; i++) {
        ExprId e = f->E[i * f->m + j->c[a]];
        if (e == pool->zero) continue;
        for (uint32_t k = 0; k < n; k++) add_product(pool, &out.F[i * n + k], e, t, w[k]);
        for (uint32_t k = 0; k < m; k++) add_product(pool, &out.E[i * m + k], e, t, feed[j->e[k]]);
      }
      for (uint32_t r = 0; r < m; r++) {
        ExprId e = f->S[j->e[r] * f->m + j->c[a]];
        for (uint32_t k = 0; e != pool->zero && k < n; k++) add_product(pool, &out.W[r * n + k], e, t, w[k]);
        for (uint32_t k = 0; e != pool->zero && k < m; k++) add_product(pool, &out.S[r * m + k], e, t, feed[j->e[k]]);
      }
    }
  }
  for (uint32_t k = 0; k < m; k++) {
    out.u[k] = f->u[j->e[k]];
    out.names[k] = f->names[j->e[k]];
  }
  f->m = m;
  f->u = out.u;
  f->names = out.names;
  f->F = out.F;
  f->E = out.E;
  f->W = out.W;
  f->S = out.S;
  return !arena_failed(s->arena);
}

// ---- J, R, G, P

static bool split(PortForm *f) {
  System *s = f->s;
  ExprPool *pool = s->pool;
  Rat half = {1, 2, NULL}, minus_half = {-1, 2, NULL};
  uint32_t n = f->n, m = f->m;
  f->J = port_zeros(s, (size_t)n * n);
  f->R = port_zeros(s, (size_t)n * n);
  f->G = port_zeros(s, (size_t)n * m);
  f->P = port_zeros(s, (size_t)n * m);
  if (arena_failed(s->arena)) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      ExprId a = f->F[i * n + j], b = f->F[j * n + i];
      if (a == pool->zero && b == pool->zero) continue;
      f->J[i * n + j] = port_tidy(pool, expr_sum(pool, (Term[]){{half, a}, {minus_half, b}}, 2));
      f->R[i * n + j] = port_tidy(pool, expr_sum(pool, (Term[]){{minus_half, a}, {minus_half, b}}, 2));
    }
    for (uint32_t k = 0; k < m; k++) {
      ExprId a = f->E[i * m + k], b = f->W[k * n + i];
      f->G[i * m + k] = port_tidy(pool, expr_sum(pool, (Term[]){{half, a}, {half, b}}, 2));
      f->P[i * m + k] = port_tidy(pool, expr_sum(pool, (Term[]){{half, b}, {minus_half, a}}, 2));
      f->feeds = f->feeds || f->P[i * m + k] != pool->zero;
    }
    f->rest = f->rest || f->g[i] != pool->zero;
  }
  for (uint32_t k = 0; k < m * m; k++) {
    f->S[k] = port_tidy(pool, f->S[k]);
    f->feeds = f->feeds || f->S[k] != pool->zero;
  }
  return !pool->limit;
}

static const char *nothing(System *s) {
  if (s->coord_count || s->state_count)
    return "the model has no energies: write `kinetic` and `potential`, or `hamiltonian`";
  return "the model has no states";
}

static bool form_of(System *s, bool velocities, PortForm *out) {
  bool first = true;
  if (!port_form_open(s, out, 0, 0)) return false;
  if (s->lagrange.used && s->energy.kept) {
    if (!port_legendre(s, velocities, out)) return false;
    first = false;
  }
  for (uint32_t i = 0; i < s->storages.count && !out->why; i++) {
    PortForm piece;
    if (!of_storage(s, &s->storages.items[i], &piece)) return false;
    if (first) *out = piece;
    else if (!append(s, out, &piece)) return false;
    first = false;
  }
  if (first) out->why = nothing(s);
  if (out->why) return true;
  if (!join(s, out)) return false;
  if (out->why) return true;
  return split(out) && !arena_failed(s->arena);
}

bool port_form(System *s, PortForm *out) { return form_of(s, false, out); }

bool port_form_in_velocities(System *s, PortForm *out) { return form_of(s, true, out); }

// ---- without cyclic coordinates

static bool is_needed(PortForm *f, uint32_t x) {
  ExprPool *pool = f->s->pool;
  SymbolId symbol = f->x[x];
  const Symbol *is = pool_symbol_get(pool, symbol);
  // velocities in H stand for their momenta
  if (f->implicit && is->kind == sym_state && is->index >= f->s->states.count) return true;
  PortList lists[port_list_count];
  port_form_lists(f, lists);
  for (size_t k = 0; k < port_list_count; k++) {
    for (size_t i = 0; i < lists[k].count; i++) {
      if (expr_depends(pool, lists[k].items[i], symbol)) return true;
    }
  }
  return false;
}

bool port_form_reduce(PortForm *f) {
  uint32_t *kept = arena_array(f->s->arena, (size_t)f->n + 1, sizeof *kept), count = 0, m = f->m;
  Text left = text_in(f->s->arena);
  if (!kept) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    if (is_needed(f, i)) kept[count++] = i;
    else text_printf(&left, "%s%s", left.length ? ", " : "", pool_symbol_get(f->s->pool, f->x[i])->name);
  }
  if (count == f->n) return true;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t from = kept[i];
    f->x[i] = f->x[from];
    f->dH[i] = f->dH[from];
    f->g[i] = f->g[from];
    for (uint32_t j = 0; j < count; j++) {
      f->J[i * count + j] = f->J[from * f->n + kept[j]];
      f->R[i * count + j] = f->R[from * f->n + kept[j]];
    }
    for (uint32_t k = 0; k < m; k++) {
      f->G[i * m + k] = f->G[from * m + k];
      f->P[i * m + k] = f->P[from * m + k];
    }
    for (uint32_t k = 0; k < f->bound; k++) f->A[i * f->bound + k] = f->A[from * f->bound + k];
  }
  f->n = count;
  port_note(f, arena_printf(f->s->arena, "left out, because nothing depends on them: %s", text_str(&left)));
  return !arena_failed(f->s->arena);
}
