// Checks of J, R, P and S when a model is read.
//
// in    storages with the entries as they are written
// out   diagnostics that name the entry
// how   J_ij + J_ji and R_ij - R_ji are decided zero by the normal form. [R P; P' S] is decided by elimination
//       (definite.c); where that has no answer, its pivots are taken at points with the values of the parameters, in
//       exact numbers or balls: a negative one is a proof.
#include "algebra/port_check.h"

#include "algebra/port_form.h"
#include "algebra/style.h"
#include "expr/decide.h"
#include "expr/evaluate.h"
#include "expr/print.h"

enum { most_points = 12, most_sampled = 24 }; // rows of a matrix that is looked at in points

ExprId *port_losses(System *s, uint32_t n, uint32_t m, const ExprId *R, const ExprId *P, const ExprId *S) {
  uint32_t all = n + m;
  ExprPool *pool = s->pool;
  ExprId *a = arena_array(s->arena, (size_t)all * all + 1, sizeof *a);
  Rat half = {1, 2, NULL};
  for (uint32_t i = 0; a && i < all; i++) {
    for (uint32_t j = 0; j < all; j++) {
      ExprId *entry = &a[i * all + j];
      if (i < n && j < n) *entry = R[i * n + j];
      else if (i < n) *entry = P[i * m + (j - n)];
      else if (j < n) *entry = P[j * m + (i - n)];
      else *entry = expr_scale(pool, half, expr_add(pool, S[(i - n) * m + (j - n)], S[(j - n) * m + (i - n)]));
    }
  }
  return a;
}

// ---- points

static const char *point_words(Point *p, Arena *arena) {
  Text t = text_in(arena);
  for (uint32_t i = 0; i < p->symbols.count; i++)
    text_printf(&t, "%s%s = %s", i ? ", " : "", pool_symbol_get(p->pool, p->symbols.items[i].symbol)->name,
                p->symbols.items[i].text);
  return text_str(&t);
}

// A pivot below zero, or one that is zero in a row that is not: where. n: none, or it is not decided.
static uint32_t bad_pivot(Point *p, Num *a, uint32_t n, bool *done) {
  for (uint32_t round = 0; round < n; round++) {
    uint32_t pivot = n;
    for (uint32_t i = 0; i < n; i++) {
      if (done[i]) continue;
      int sign = num_sign(p, a[i * n + i]);
      if (sign == -1) return i;
      if (sign == 0) {
        for (uint32_t j = 0; j < n; j++) {
          int beside = done[j] || j == i ? 0 : num_sign(p, a[i * n + j]);
          if (beside == 1 || beside == -1) return i;
        }
      }
      if (sign == 1 && pivot == n) pivot = i;
    }
    if (pivot == n) return n;
    done[pivot] = true;
    for (uint32_t j = 0; j < n; j++) {
      for (uint32_t k = 0; !done[j] && k < n; k++) {
        if (done[k]) continue;
        Num less = num_div(p, num_mul(p, a[j * n + pivot], a[pivot * n + k]), a[pivot * n + pivot]);
        a[j * n + k] = num_sub(p, a[j * n + k], less);
        if (p->why) return n;
      }
    }
  }
  return n;
}

static bool at_points(Signs *g, const ExprId *matrix, uint32_t n, MatrixVerdict *out) {
  System *s = g->s;
  ExprId *values = arena_array(s->arena, (size_t)n * n + 1, sizeof *values);
  Num *a = arena_array(s->arena, (size_t)n * n + 1, sizeof *a);
  bool *done = arena_array(s->arena, (size_t)n + 1, sizeof *done);
  if (!values || !a || !done) return false;
  for (uint32_t i = 0; i < n * n; i++) values[i] = matrix[i];
  if (n > most_sampled || !style_with_values(s, values, n * n)) return !arena_failed(s->arena);
  bool exact = point_can_be_exact(s->pool, s->arena, values, n * n);
  for (uint32_t k = 0; k < most_points && out->found.verdict == definite_undecided; k++) {
    Point p;
    if (!point_open(&p, s->pool, s->arena, values, n * n, k, exact)) break;
    for (uint32_t i = 0; i < n; i++) done[i] = false;
    bool there = point_eval(&p, values, n * n, a);
    uint32_t bad = there ? bad_pivot(&p, a, n, done) : n;
    if (bad < n) {
      out->found.verdict = definite_no;
      out->found.row = out->found.column = bad;
      out->found.entry = matrix[bad * n + bad];
      out->where = point_words(&p, s->arena);
    }
    point_close(&p);
  }
  return !arena_failed(s->arena);
}

bool matrix_verdict(Signs *g, const ExprId *matrix, uint32_t n, MatrixVerdict *out) {
  *out = (MatrixVerdict){0};
  if (!semidefinite_find(g, matrix, n, &out->found)) return false;
  return out->found.verdict != definite_undecided || at_points(g, matrix, n, out);
}

// ---- a storage

static void report_pair(System *s, Diags *diags, Span span, const char *word, const char *must, uint32_t i, uint32_t j,
                        const ExprId *m, uint32_t n) {
  if (i == j) {
    diag_error(diags, diag_structure, span, "`%s` must be %s: in row %u, column %u stands %s, not 0", word, must, i + 1,
               j + 1, expr_text(s->pool, s->arena, m[i * n + j]));
    return;
  }
  diag_error(diags, diag_structure, span, "`%s` must be %s: in row %u, column %u stands %s, in row %u, column %u %s",
             word, must, i + 1, j + 1, expr_text(s->pool, s->arena, m[i * n + j]), j + 1, i + 1,
             expr_text(s->pool, s->arena, m[j * n + i]));
}

// Entries that should be equal, or opposite. False: reported.
static bool check_pairs(System *s, Diags *diags, const SystemStorage *x, bool J) {
  uint32_t n = x->count;
  const ExprId *m = J ? x->J : x->R;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = J ? i : i + 1; j < n; j++) {
      ExprId a = m[i * n + j], b = m[j * n + i], zero = J ? expr_add(s->pool, a, b) : expr_sub(s->pool, a, b);
      if (zero == s->pool->zero || expr_vanishes(s->pool, s->arena, zero)) continue;
      report_pair(s, diags, J ? x->J_span : x->R_span, J ? "interconnection" : "damping",
                  J ? "antisymmetric" : "symmetric", i, j, m, n);
      if (!J && expr_vanishes(s->pool, s->arena, expr_add(s->pool, a, b)))
        diag_hint(diags, "an antisymmetric part takes no energy: it belongs into `interconnection`");
      return false;
    }
  }
  return true;
}

static const char *row_name(System *s, const SystemStorage *x, uint32_t i) {
  if (i < x->count) return arena_printf(s->arena, "in row %u (%s)", i + 1, s->states.items[x->rows[i]].name);
  return arena_printf(s->arena, "for the port %s", x->ports.items[i - x->count].name);
}

static void report_negative(System *s, Diags *diags, const SystemStorage *x, const MatrixVerdict *v, bool ports) {
  const Semidefinite *f = &v->found;
  Span span = x->R_span.source ? x->R_span : x->ports.count ? x->ports.items[0].span : x->span;
  const char *what = ports ? "`damping`, `through` and `feed` together must be" : "`damping` must be";
  const char *entry = expr_text(s->pool, s->arena, f->entry);
  if (v->where) {
    diag_error(diags, diag_structure, span, "%s positive semidefinite, but %s that fails%s%s", what,
               row_name(s, x, f->row), *v->where ? " at " : "", v->where);
  } else if (f->row != f->column) {
    diag_error(diags, diag_structure, span,
               "%s positive semidefinite, but %s the diagonal is 0 and %s stands beside it", what,
               row_name(s, x, f->row), entry);
  } else if (expr_kinds(s->pool, f->entry) == kind_set(sym_param)) {
    diag_error(diags, diag_structure, span,
               "%s positive semidefinite, but %s stands %s, which is negative for the values of the parameters", what,
               row_name(s, x, f->row), entry);
    diag_hint(diags, "it would have to be at least 0");
    return;
  } else {
    diag_error(diags, diag_structure, span, "%s positive semidefinite, but %s stands %s", what, row_name(s, x, f->row),
               entry);
  }
  diag_hint(diags, "what supplies energy is a port, not a damping");
}

// What a proof took for granted, as demands on parameters: values of a batch or of a run that goes on must keep to it.
static bool demand(System *s, const SystemStorage *x, const Signs *signs) {
  Span span = x->R_span.source ? x->R_span : x->span;
  for (uint32_t i = 0; i < signs->assumed.count; i++) {
    const Assumed *a = &signs->assumed.items[i];
    if ((a->sign & sign_minus) && (a->sign & sign_plus)) continue; // not zero: that makes it strict, no more
    ExprId below[2] = {a->value, s->pool->zero}, above[2] = {s->pool->zero, a->value};
    ExprId wrong = expr_fn(s->pool, op_lt, a->sign & sign_minus ? above : below, 2);
    const char *text =
        arena_printf(s->arena, "`damping` was proved to be positive semidefinite for %s", signs_assumed(signs, i));
    if (!wrong || !text) return false;
    if (!vec_push(s->arena, &s->demands, (SystemCheck){wrong, diag_structure, text, span})) return false;
  }
  return true;
}

static bool check_storage(System *s, Diags *diags, const SystemStorage *x, Signs *signs) {
  uint32_t n = x->count, m = x->ports.count;
  MatrixVerdict v;
  if (x->fitted || !check_pairs(s, diags, x, true) || !check_pairs(s, diags, x, false)) return !arena_failed(s->arena);
  ExprId *P = arena_array(s->arena, (size_t)n * m + 1, sizeof *P),
         *S = arena_array(s->arena, (size_t)m * m + 1, sizeof *S);
  bool ports = false;
  if (!P || !S) return false;
  for (uint32_t k = 0; k < m; k++) {
    for (uint32_t i = 0; i < n; i++) P[i * m + k] = x->ports.items[k].through[i];
    for (uint32_t j = 0; j < m; j++) S[k * m + j] = x->ports.items[k].feed[j];
    for (uint32_t i = 0; i < n; i++) ports = ports || P[i * m + k] != s->pool->zero;
    for (uint32_t j = 0; j < m; j++) ports = ports || S[k * m + j] != s->pool->zero;
  }
  const ExprId *a = port_losses(s, n, ports ? m : 0, x->R, P, S);
  uint32_t size = ports ? n + m : n;
  if (!a || !matrix_verdict(signs, a, size, &v)) return false;
  if (v.found.verdict == definite_no) report_negative(s, diags, x, &v, ports);
  if (v.found.verdict != definite_yes) signs->assumed.count = 0; // points promise nothing
  return true;
}

// Was nothing assumed but signs of parameters?
static bool are_parameters(const Signs *signs) {
  for (uint32_t i = 0; i < signs->assumed.count; i++) {
    if (!expr_symbol(signs->s->pool, signs->assumed.items[i].value)) return false;
  }
  return true;
}

bool ports_check(Arena *arena, System *system, Diags *diags) {
  System copy;
  ExprPool pool;
  Signs signs;
  if (diags->errors || !system->storages.count) return true;
  if (!system_clone(&copy, system, &pool, arena)) return false;
  for (uint32_t i = 0; i < system->storages.count; i++) {
    const SystemStorage *x = &system->storages.items[i];
    if (!signs_open(&signs, &copy) || !check_storage(&copy, diags, x, &signs)) return false;
    // an expression that the proof made is made once more, to stay
    bool again = !diags->errors && !are_parameters(&signs);
    if (again && (!signs_open(&signs, system) || !check_storage(system, diags, x, &signs))) return false;
    for (uint32_t k = 0; k < signs.assumed.count; k++) {
      ExprId *value = &signs.assumed.items[k].value;
      if (!again) *value = expr_sym(system->pool, expr_symbol(&pool, *value));
    }
    signs.s = system;
    if (!diags->errors && !demand(system, x, &signs)) return false;
  }
  return true;
}
