// Does an equation follow from the equations of motion M a + h = 0?
//
// in    e = lhs - rhs = A a + b   (rates of states replaced by their equations)
// out   equal      A = lambda M and b = lambda h for some row lambda, that is: every minor of the rows of M and h that
//                  lambda needs, bordered by the row (A, b), is zero. Proved in the ring of the normal form.
//       different  at a point where a solves M a + h = 0, the two sides have different values
//
// Velocities and places of coordinates without inertia follow from their own equations: they are replaced by what these
// say, everywhere, before anything else is done (slow.c).
//
// lambda is first computed at two points, so that the proof knows which equations it needs, and whether their factors
// are numbers.
#include "algebra/check.h"

#include "algebra/slow.h"
#include "algebra/solved.h"
#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/modular.h"
#include "expr/normal.h"
#include "expr/print.h"

#include <string.h>

enum { enough_points = 2, most_points = 20, most_terms = 20000, most_rows = 5 };

typedef struct Motion {
  System *s;
  ExprPool *pool;
  Arena *arena;
  ExprId lhs, rhs, e, b; // with rates of states replaced
  ExprId *parts;         // must have values, too, where the sides are compared
  uint32_t part_count;
  uint32_t k; // coordinates involved
  uint32_t *coords;
  ExprId *M, *h, *A;         // of these: k by k, k, k
  bool linear, exact, rates; // rates: rates of states stood in it
  Num *lambda[enough_points];
  uint32_t points;      // where the sides agree
  const char *no_value; // why a point was of no use
  bool undefined;       // because there is no value there
  // of coordinates without inertia
  Slow slow;
  CheckResult out;
} Motion;

static const char *coord_name(const Motion *m, uint32_t i) { return m->s->coords.items[m->coords[i]].name; }

static const char *shown(const Motion *m, ExprId id) {
  Text t = text_in(m->arena);
  expr_print(m->pool, id, format_text, NULL, &t);
  return text_str(&t);
}

// ---- coordinates without inertia

// "the equation of q1", "the equations of q1 and q2"
static const char *slow_words(const Motion *m) {
  Text t = text_in(m->arena);
  uint32_t n = m->s->coord_count, count = 0, done = 0;
  bool *named = arena_array(m->arena, n, sizeof *named);
  for (uint32_t i = 0; named && i < m->slow.symbols.count; i++) {
    uint32_t coord = pool_symbol_get(m->pool, m->slow.symbols.items[i])->index;
    count += !named[coord];
    named[coord] = true;
  }
  text_put(&t, count == 1 ? "the equation of " : "the equations of ");
  for (uint32_t i = 0; named && i < n; i++) {
    if (!named[i]) continue;
    text_printf(&t, "%s%s", done == 0 ? "" : done + 1 == count ? " and " : ", ", m->s->coords.items[i].name);
    done++;
  }
  return text_str(&t);
}

static bool replace_rates(Motion *m) {
  System *s = m->s;
  SymbolMap map = symbol_map_new(m->pool);
  for (uint32_t i = 0; i < s->state_count; i++) symbol_map_set(&map, s->states.items[i].rate, s->f[i]);
  ExprId in[2] = {m->lhs, m->rhs}, out[2];
  if (!expr_replace(m->pool, &map, in, 2, out)) return false;
  m->lhs = out[0];
  m->rhs = out[1];
  m->e = expr_sub(m->pool, out[0], out[1]);
  return m->e != 0 && expr_replace(m->pool, &map, m->parts, m->part_count, m->parts);
}

// A and b, and the blocks of coordinates whose accelerations occur.
static bool split(Motion *m) {
  System *s = m->s;
  uint32_t n = s->coord_count;
  ExprId *A = arena_array(m->arena, n, sizeof *A);
  bool *wanted = arena_array(m->arena, n, sizeof *wanted);
  m->coords = arena_array(m->arena, n, sizeof *m->coords);
  if (!A || !wanted || !m->coords) return false;
  SymbolMap rest = symbol_map_new(m->pool);
  m->linear = true;
  for (uint32_t i = 0; i < n; i++) {
    SymbolId a = s->coords.items[i].a;
    symbol_map_set(&rest, a, m->pool->zero);
    A[i] = expr_diff(m->pool, m->e, a);
    if (A[i] && expr_has_kind(m->pool, A[i], sym_acceleration)) A[i] = expr_expand(m->pool, A[i], most_terms);
    if (!A[i]) return false;
    if (expr_has_kind(m->pool, A[i], sym_acceleration)) m->linear = false;
  }
  if (!expr_replace(m->pool, &rest, &m->e, 1, &m->b)) return false;
  if (expr_op(m->pool, m->b) == op_undefined) m->linear = false;                     // an acceleration stands below
  if (expr_has_corner(m->pool, m->e, kind_set(sym_acceleration))) m->linear = false; // the derivative sees no jump
  for (uint32_t b = 0; b < s->blocks.count; b++) {
    const Block *block = &s->blocks.items[b];
    if (block->velocities || !block->coords) continue;
    bool touched = false;
    for (uint32_t i = 0; i < block->count; i++) touched = touched || !expr_is_zero(m->pool, A[block->coords[i]]);
    for (uint32_t i = 0; i < block->count && touched; i++) wanted[block->coords[i]] = true;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (wanted[i]) m->coords[m->k++] = i;
  }
  uint32_t k = m->k;
  m->M = arena_array(m->arena, (size_t)k * k, sizeof *m->M);
  m->h = arena_array(m->arena, k, sizeof *m->h);
  m->A = arena_array(m->arena, k, sizeof *m->A);
  if (!m->M || !m->h || !m->A) return false;
  for (uint32_t i = 0; i < k; i++) {
    m->A[i] = A[m->coords[i]];
    m->h[i] = s->h[m->coords[i]];
    for (uint32_t j = 0; j < k; j++) m->M[i * k + j] = system_mass(s, m->coords[i], m->coords[j]);
  }
  return true;
}

// h may hold rates of states, too.
static bool states_in_h(Motion *m) {
  System *s = m->s;
  SymbolMap map = symbol_map_new(m->pool);
  for (uint32_t i = 0; i < s->state_count; i++) symbol_map_set(&map, s->states.items[i].rate, s->f[i]);
  return m->k == 0 ||
         (expr_replace(m->pool, &map, m->h, m->k, m->h) && expr_replace(m->pool, &map, m->M, m->k * m->k, m->M));
}

// ---- points

static ExprId *all_roots(Motion *m, uint32_t *count) {
  uint32_t k = m->k;
  ExprId *roots =
      arena_array(m->arena, (size_t)k * k + (size_t)2 * k + 3 + m->slow.symbols.count + m->part_count, sizeof *roots);
  if (!roots) return NULL;
  uint32_t n = 0;
  for (uint32_t i = 0; i < k * k; i++) roots[n++] = m->M[i];
  for (uint32_t i = 0; i < k; i++) roots[n++] = m->h[i];
  for (uint32_t i = 0; i < k && m->linear; i++) roots[n++] = m->A[i];
  for (uint32_t i = 0; i < m->slow.symbols.count; i++) roots[n++] = m->slow.values.items[i];
  roots[n++] = m->lhs;
  roots[n++] = m->rhs;
  for (uint32_t i = 0; i < m->part_count; i++) roots[n++] = m->parts[i];
  *count = n;
  return roots;
}

// Accelerations by the model at the point. False: not here.
static bool accelerate(Motion *m, Point *p, const Num *value) {
  uint32_t k = m->k;
  Num *M = arena_array(m->arena, (size_t)k * k, sizeof *M), *f = arena_array(m->arena, k, sizeof *f),
      *a = arena_array(m->arena, k, sizeof *a);
  if (!M || !f || !a) return false;
  for (uint32_t i = 0; i < k * k; i++) M[i] = value[i];
  for (uint32_t i = 0; i < k; i++) f[i] = num_sub(p, num_of(p, RAT_ZERO), value[k * k + i]);
  if (!point_solve(p, M, f, k, a)) return false;
  for (uint32_t i = 0; i < k; i++) point_set(p, m->s->coords.items[m->coords[i]].a, a[i]);
  return true;
}

// lambda M = A
static Num *solve_lambda(Motion *m, Point *p, const Num *value) {
  uint32_t k = m->k;
  Num *Mt = arena_array(m->arena, (size_t)k * k, sizeof *Mt), *A = arena_array(m->arena, k, sizeof *A),
      *lambda = arena_array(m->arena, k, sizeof *lambda);
  if (!Mt || !A || !lambda) return NULL;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < k; j++) Mt[j * k + i] = value[i * k + j];
    A[i] = value[k * k + k + i];
  }
  return point_solve(p, Mt, A, k, lambda) ? lambda : NULL;
}

// 1: the sides differ, 0: they agree as far as can be told, -1: no value here.
static int look_at(Motion *m, uint32_t attempt) {
  uint32_t count;
  ExprId *roots = all_roots(m, &count);
  Num *value = arena_array(m->arena, count, sizeof *value);
  Point p;
  int out = -1;
  if (!roots || !value) return -1;
  if (point_open(&p, m->pool, m->arena, roots, count, attempt, m->exact)) {
    if (attempt > 7) p.bits = 1024;
    // everything but the sides and their parts first: they need the accelerations
    uint32_t first = count - 2 - m->part_count;
    Num *both = value + first;
    bool here = point_eval(&p, roots, first, value) && accelerate(m, &p, value);
    for (uint32_t i = 0; here && i < m->slow.symbols.count; i++)
      point_set(&p, m->slow.symbols.items[i], value[first - m->slow.symbols.count + i]);
    if (here && point_eval(&p, roots + first, 2 + m->part_count, both)) {
      int sign = num_sign(&p, num_sub(&p, both[0], both[1]));
      out = sign == 1 || sign == -1;
      if (out) witness_take(&m->out.witness, &p, both[0], both[1]);
      if (!out && m->points < enough_points && m->linear && m->exact) m->lambda[m->points] = solve_lambda(m, &p, value);
      if (!out && m->points < enough_points && m->linear && !m->exact) {
        // which factors are certainly not zero
        Num *lambda = solve_lambda(m, &p, value);
        for (uint32_t i = 0; lambda && i < m->k; i++)
          lambda[i] = (Num){.r = num_sign(&p, lambda[i]) == 2 || num_sign(&p, lambda[i]) == 0 ? RAT_ZERO
                                                                                              : rat_int(1 + m->points)};
        m->lambda[m->points] = lambda;
      }
    }
  }
  if (out < 0 && p.why) m->no_value = p.why;
  m->undefined = m->undefined || p.undefined;
  point_close(&p);
  return out;
}

static bool find_witness(Motion *m, uint32_t *attempt, uint32_t enough) {
  for (; *attempt < most_points && m->points < enough; ++*attempt) {
    int answer = look_at(m, *attempt);
    if (answer == 1) return true;
    m->points += answer == 0;
  }
  return false;
}

// ---- proofs

// e - sum lambda_i r_i with numbers lambda
static ExprId combination(Motion *m, const Num *lambda) {
  uint32_t k = m->k;
  ExprId sum = m->e;
  for (uint32_t i = 0; i < k; i++) {
    if (rat_is_zero(lambda[i].r)) continue;
    ExprId r = m->h[i];
    for (uint32_t j = 0; j < k; j++)
      r = expr_add(m->pool, r,
                   expr_mul(m->pool, m->M[i * k + j], expr_sym(m->pool, m->s->coords.items[m->coords[j]].a)));
    sum = expr_sub(m->pool, sum, expr_scale(m->pool, lambda[i].r, r));
  }
  return sum;
}

// Which columns make a minor of the rows in `rows` that is not zero at the first point: by elimination in order.
static bool choose_columns(Motion *m, const uint32_t *rows, uint32_t s, uint32_t *columns) {
  uint32_t k = m->k, count;
  if (s == k) {
    for (uint32_t i = 0; i < k; i++) columns[i] = i;
    return true;
  }
  ExprId *roots = all_roots(m, &count);
  Num *value = arena_array(m->arena, count, sizeof *value);
  Point p;
  uint32_t found = 0;
  if (!roots || !value) return false;
  for (uint32_t attempt = 0; attempt < most_points && found < s; attempt++) {
    found = 0;
    if (point_open(&p, m->pool, m->arena, roots, count, attempt, m->exact) && point_eval(&p, roots, k * k, value)) {
      Num *row = arena_array(m->arena, (size_t)s * k, sizeof *row);
      for (uint32_t i = 0; row && i < s; i++) {
        for (uint32_t j = 0; j < k; j++) row[i * k + j] = value[rows[i] * k + j];
      }
      for (uint32_t c = 0; row && c < k && found < s; c++) {
        uint32_t pivot = found;
        while (pivot < s && (num_sign(&p, row[pivot * k + c]) == 0 || num_sign(&p, row[pivot * k + c]) == 2)) pivot++;
        if (pivot == s) continue;
        for (uint32_t j = 0; j < k; j++) {
          Num swap = row[pivot * k + j];
          row[pivot * k + j] = row[found * k + j];
          row[found * k + j] = swap;
        }
        for (uint32_t i = found + 1; i < s; i++) {
          Num f = num_div(&p, row[i * k + c], row[found * k + c]);
          for (uint32_t j = 0; j < k; j++)
            row[i * k + j] = num_sub(&p, row[i * k + j], num_mul(&p, f, row[found * k + j]));
        }
        columns[found++] = c;
      }
    }
    point_close(&p);
  }
  return found == s;
}

// Every minor of the chosen rows and columns, bordered by (A, b) and one further column, is zero.
static bool prove_minors(Motion *m, const uint32_t *rows, uint32_t s) {
  uint32_t k = m->k, width = k + 1, size = s + 1;
  uint32_t columns[most_rows];
  if (s > most_rows) {
    m->out.reason = "it mixes more than 5 equations";
    return false;
  }
  if (!choose_columns(m, rows, s, columns)) {
    m->out.reason = "no regular part of the equations was found";
    return false;
  }
  ExprId *roots = arena_array(m->arena, (size_t)size * width, sizeof *roots);
  Frac *f = arena_array(m->arena, (size_t)size * width, sizeof *f);
  Poly **entry = arena_array(m->arena, (size_t)size * width, sizeof *entry),
       **a = arena_array(m->arena, (size_t)size * size, sizeof *a);
  if (!roots || !f || !entry || !a) return false;
  for (uint32_t i = 0; i < size; i++) {
    for (uint32_t j = 0; j < k; j++) roots[i * width + j] = i < s ? m->M[rows[i] * k + j] : m->A[j];
    roots[i * width + k] = i < s ? m->h[rows[i]] : m->b;
  }
  Normal normal = {0}, *n = &normal;
  bool zero = normal_open(n, m->pool, m->arena, roots, size * width) && fracs_of(n, roots, size * width, f);
  for (uint32_t i = 0; i < size && zero; i++)
    zero = normal_clear(n, f + (size_t)i * width, width, entry + (size_t)i * width);
  for (uint32_t c = 0; c < width && zero; c++) {
    bool own = false;
    for (uint32_t i = 0; i < s; i++) own = own || columns[i] == c;
    if (own) continue;
    for (uint32_t i = 0; i < size; i++) {
      for (uint32_t j = 0; j < s; j++) a[i * size + j] = entry[i * width + columns[j]];
      a[i * size + s] = entry[i * width + c];
    }
    Poly *det = normal_determinant(n, a, size);
    zero = det && n->api->length(n->ring, det) == 0;
  }
  if (!zero) m->out.reason = n->why ? n->why : "the normal form is not zero";
  normal_close(n);
  return zero;
}

// ---- words

static bool is_solved_form(const Motion *m, uint32_t *coord) {
  SymbolId s = expr_symbol(m->pool, m->lhs);
  if (!s || pool_symbol_get(m->pool, s)->kind != sym_acceleration || expr_has_kind(m->pool, m->rhs, sym_acceleration))
    return false;
  *coord = pool_symbol_get(m->pool, s)->index;
  return true;
}

static void name_multiple(Motion *m, uint32_t i) {
  // lambda = A_j / M_ij for any j where M is not zero
  ExprId factor = 0;
  for (uint32_t j = 0; j < m->k && !factor; j++) {
    ExprId below = m->M[i * m->k + j];
    if (!expr_is_zero(m->pool, below)) factor = expr_short(m->pool, m->arena, expr_div(m->pool, m->A[j], below));
  }
  if (factor && expr_op(m->pool, factor) == op_undefined) factor = 0;
  if (!factor) {
    m->out.means = arena_printf(m->arena, "the equation of %s, times a factor", coord_name(m, i));
    return;
  }
  Rat number;
  if (expr_number(m->pool, factor, &number)) {
    const char *times =
        rat_is_int_value(number, 1) ? "" : arena_printf(m->arena, ", times %s", rat_print(m->arena, number, false));
    m->out.means = arena_printf(m->arena, "the equation of %s%s", coord_name(m, i), times);
    return;
  }
  const char *text = shown(m, factor);
  m->out.means = arena_printf(m->arena, "the equation of %s, times %s", coord_name(m, i), text);
  m->out.condition = arena_printf(m->arena, "where %s is finite and not 0", text);
}

static void name_numbers(Motion *m, const Num *lambda) {
  Text t = text_in(m->arena);
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->k; i++) count += !rat_is_zero(lambda[i].r);
  for (uint32_t i = 0; i < m->k; i++) {
    Rat c = lambda[i].r;
    if (rat_is_zero(c)) continue;
    const char *number = rat_print(m->arena, c, false), *name = coord_name(m, i);
    if (count == 1 && rat_is_int_value(c, 1)) text_printf(&t, "the equation of %s", name);
    else if (count == 1) text_printf(&t, "the equation of %s, times %s", name, number);
    else if (rat_is_int_value(c, 1)) text_printf(&t, "%sthe equation of %s", t.length ? " + " : "", name);
    else if (rat_is_int_value(c, -1)) text_printf(&t, "%sthe equation of %s", t.length ? " - " : "-1 times ", name);
    else text_printf(&t, "%s(%s) times the equation of %s", t.length ? " + " : "", number, name);
  }
  m->out.means = text_str(&t);
}

static void name_rows(Motion *m, const uint32_t *rows, uint32_t s) {
  Text t = text_in(m->arena);
  for (uint32_t i = 0; i < s; i++)
    text_printf(&t, "%s%s", i == 0 ? "" : i + 1 == s ? " and " : ", ", coord_name(m, rows[i]));
  uint32_t coord;
  if (is_solved_form(m, &coord)) {
    m->out.means = arena_printf(m->arena, "the equations solved for %s''", m->s->coords.items[coord].name);
    m->out.condition = "where the mass matrix has an inverse";
  } else {
    m->out.means = arena_printf(m->arena, "a combination of the equations of %s", text_str(&t));
    m->out.condition = "where the factors of the combination do not vanish";
  }
}

// Equal at all points so far: find the proof.
static bool prove(Motion *m, bool *empty, bool *divides_by_zero) {
  uint32_t k = m->k;
  if (k == 0 || !m->lambda[0] || !m->linear) {
    Decision d = decide_zero(m->pool, m->arena, m->e);
    *divides_by_zero = d.divides_by_zero;
    m->out.reason = m->linear || k == 0 ? d.reason : "accelerations enter nonlinearly";
    return d.verdict == verdict_equal;
  }
  bool numbers = m->exact && m->lambda[1];
  for (uint32_t i = 0; i < k && numbers; i++) numbers = rat_equal(m->lambda[0][i].r, m->lambda[1][i].r);
  if (numbers) {
    bool any = false;
    for (uint32_t i = 0; i < k; i++) any = any || !rat_is_zero(m->lambda[0][i].r);
    Decision d = decide_zero(m->pool, m->arena, combination(m, m->lambda[0]));
    *divides_by_zero = d.divides_by_zero;
    m->out.reason = d.reason;
    if (d.verdict == verdict_equal) {
      *empty = !any;
      uint32_t coord;
      if (is_solved_form(m, &coord))
        m->out.means = arena_printf(m->arena, "the equations solved for %s''", m->s->coords.items[coord].name);
      else name_numbers(m, m->lambda[0]);
      return true;
    }
  }
  uint32_t *rows = arena_array(m->arena, k, sizeof *rows), s = 0;
  if (!rows) return false;
  for (uint32_t i = 0; i < k; i++) {
    bool used = !rat_is_zero(m->lambda[0][i].r) || (m->lambda[1] && !rat_is_zero(m->lambda[1][i].r));
    if (used) rows[s++] = i;
  }
  if (!prove_minors(m, rows, s)) return false;
  uint32_t coord;
  if (s == 0) *empty = true;
  else if (s == 1 && !is_solved_form(m, &coord)) name_multiple(m, rows[0]);
  else name_rows(m, rows, s);
  return true;
}

// ---- what is different

static ExprId residual(Motion *m, uint32_t i) {
  ExprId r = m->s->h[i];
  for (uint32_t j = 0; j < m->s->coord_count; j++)
    r = expr_add(m->pool, r, expr_mul(m->pool, system_mass(m->s, i, j), expr_sym(m->pool, m->s->coords.items[j].a)));
  return r;
}

static void solved_difference(Motion *m, uint32_t coord) {
  ExprId solved[most_solved] = {0};
  const char *note = NULL;
  uint32_t at = 0;
  while (at < m->k && m->coords[at] != coord) at++;
  m->out.means = arena_printf(m->arena, "the equations solved for %s''", m->s->coords.items[coord].name);
  if (m->k > most_solved || at == m->k || !solve_block(m->s, m->coords, m->k, &(DeriveStyle){0}, solved, &note) ||
      !solved[at])
    return;
  m->out.difference = expr_short(m->pool, m->arena, expr_sub(m->pool, m->rhs, solved[at]));
  m->out.yours = true;
  m->out.difference_of = arena_printf(m->arena, "%s'' of the model", m->s->coords.items[coord].name);
}

enum { most_near = 12 };

// Of many equations those with the most factors of accelerations in common. Returns how many.
static uint32_t likely_rows(Motion *m, uint32_t rows[most_near]) {
  uint32_t score[most_near], count = 0;
  ExprId *A = arena_array(m->arena, m->k, sizeof *A);
  for (uint32_t j = 0; A && j < m->k; j++) A[j] = expr_expand(m->pool, m->A[j], most_terms);
  for (uint32_t i = 0; A && i < m->k; i++) {
    uint32_t common = 0, at;
    ExprId own = m->M[i * m->k + i];
    bool both = m->k > most_near && !expr_is_zero(m->pool, own) && !expr_is_zero(m->pool, A[i]);
    ExprId factor = both ? expr_div(m->pool, A[i], expr_expand(m->pool, own, most_terms)) : 0;
    for (uint32_t j = 0; factor && j < m->k; j++) {
      common += !expr_is_zero(m->pool, A[j]) &&
                expr_expand(m->pool, expr_mul(m->pool, factor, m->M[i * m->k + j]), most_terms) == A[j];
    }
    for (at = count; at > 0 && score[at - 1] < common; at--) {
      if (at < most_near) {
        score[at] = score[at - 1];
        rows[at] = rows[at - 1];
      }
    }
    if (at >= most_near) continue;
    score[at] = common;
    rows[at] = i;
    count += count < most_near;
  }
  return count;
}

// The equation of the model, with a factor, that comes nearest: the one with the shortest difference.
static void nearest_difference(Motion *m) {
  System *s = m->s;
  uint32_t coord;
  if (is_solved_form(m, &coord)) {
    solved_difference(m, coord);
    return;
  }
  if (m->k == 0 || m->rates) {
    m->out.difference = expr_short(m->pool, m->arena, m->e);
    m->out.difference_of = m->rates ? "left - right, by the equations of the states" : "left - right";
    if (m->rates) m->out.means = "the equations of the states";
    return;
  }
  uint32_t least = UINT32_MAX, rows[most_near], count = likely_rows(m, rows);
  for (uint32_t n = 0; n < count; n++) {
    uint32_t i = rows[n], row = m->coords[i];
    ExprId r = residual(m, row);
    for (uint32_t j = 0; j < m->k + 2; j++) {
      ExprId below = j < m->k ? m->M[i * m->k + j] : m->pool->one;
      if (j < m->k && (expr_is_zero(m->pool, below) || expr_is_zero(m->pool, m->A[j]))) continue;
      ExprId factor = j == m->k  ? m->pool->one
                      : j > m->k ? m->pool->minus_one
                                 : expr_div(m->pool, expr_expand(m->pool, m->A[j], most_terms),
                                            expr_expand(m->pool, below, most_terms));
      ExprId d = expr_expand(m->pool, expr_sub(m->pool, m->e, expr_mul(m->pool, factor, r)), most_terms);
      if (!d || expr_op(m->pool, d) == op_undefined || expr_is_zero(m->pool, d)) continue;
      uint32_t terms = expr_term_count(m->pool, d);
      if (terms >= least) continue;
      least = terms;
      m->out.difference = d;
      m->out.means = arena_printf(m->arena, "the equation of %s", s->coords.items[row].name);
      m->out.yours = true;
      m->out.difference_of = factor == m->pool->one
                                 ? m->out.means
                                 : arena_printf(m->arena, "(%s) times %s", shown(m, factor), m->out.means);
    }
  }
  if (m->out.difference) m->out.difference = expr_short(m->pool, m->arena, m->out.difference);
}

// What the equations of first order give: velocities, places, rates of states.
typedef struct Given {
  SymbolId symbol;
  ExprId value;
  ExprId slope; // of the model's own equation by it
  bool derived; // the velocity of a place
} Given;

typedef VEC(Given) GivenList;

static bool list_given(Motion *m, const System *whole, ExprId raw, GivenList *list) {
  ExprPool *pool = m->pool;
  for (uint32_t i = 0; i < m->slow.symbols.count; i++) {
    SymbolId x = m->slow.symbols.items[i];
    const Symbol *symbol = pool_symbol_get(pool, x);
    bool derived = symbol->kind == sym_velocity && whole->order_zero[symbol->index];
    if (!vec_push(m->arena, list,
                  (Given){x, m->slow.values.items[i], expr_diff(pool, whole->h[symbol->index], x), derived}))
      return false;
  }
  for (uint32_t i = 0; i < whole->state_count; i++) {
    SymbolId x = whole->states.items[i].rate;
    if (expr_depends(pool, raw, x) && !vec_push(m->arena, list, (Given){x, m->s->f[i], pool->one, false})) return false;
  }
  return true;
}

// The equation e holds for the motions of the model. Do only they obey it? It is as good as one of the equations of
// first order if, with the others in force, it is linear in what that one gives; the factor must not vanish.
static bool determines(Motion *m, const System *whole, ExprId raw) {
  ExprPool *pool = m->pool;
  GivenList list = {0};
  if (!list_given(m, whole, raw, &list)) return false;
  ExprId found = 0;
  for (uint32_t j = 0; j < list.count; j++) {
    const Given *g = &list.items[j];
    SymbolMap others = symbol_map_new(pool);
    for (uint32_t i = 0; i < list.count; i++) {
      if (i != j) symbol_map_set(&others, list.items[i].symbol, list.items[i].value);
    }
    ExprId in[2] = {raw, g->slope}, out[2];
    if (g->derived || !g->slope || !expr_replace(pool, &others, in, 2, out)) continue;
    ExprId slope = expr_expand(pool, expr_diff(pool, out[0], g->symbol), most_terms);
    // a slope that jumps has no bend either
    ExprId bend = slope && (!expr_depends(pool, slope, g->symbol) || expr_is_rational(pool, slope))
                      ? expr_diff(pool, slope, g->symbol)
                      : 0;
    if (!bend || decide_zero(pool, m->arena, bend).verdict != verdict_equal ||
        decide_zero(pool, m->arena, slope).verdict == verdict_equal)
      continue;
    Rat number;
    ExprId factor = expr_is_zero(pool, out[1]) ? pool->one : expr_short(pool, m->arena, expr_div(pool, slope, out[1]));
    if (!found || (factor && expr_number(pool, factor, &number))) found = factor;
    if (found && expr_number(pool, found, &number)) break;
  }
  if (found && !expr_only_kinds(pool, found, kind_set(sym_param)))
    m->out.condition = arena_printf(m->arena, "where %s is finite and not 0", shown(m, found));
  return found != 0;
}

// e = f r with the f that the slopes by z have. 0: that is not so. Slopes see no jump, so their quotient alone is no
// proof.
static ExprId factor_of(Motion *m, ExprId e, ExprId r, SymbolId z) {
  ExprPool *pool = m->pool;
  ExprId below = expr_diff(pool, r, z);
  if (!below || expr_is_zero(pool, below) || decide_zero(pool, m->arena, below).verdict == verdict_equal) return 0;
  ExprId factor = expr_short(pool, m->arena, expr_div(pool, expr_diff(pool, e, z), below));
  if (!factor || expr_is_zero(pool, factor) || expr_op(pool, factor) == op_undefined) return 0;
  return decide_zero(pool, m->arena, expr_sub(pool, e, expr_mul(pool, factor, r))).verdict == verdict_equal ? factor
                                                                                                            : 0;
}

// A multiple of an equation of first order that is not linear in the velocity: e/h does not depend on the velocity.
static void prove_slow(Motion *m) {
  System *s = m->s;
  ExprPool *pool = m->pool;
  ExprId e = expr_sub(pool, m->lhs, m->rhs);
  for (uint32_t i = 0; e && i < s->coord_count; i++) {
    SymbolId v = s->coords.items[i].v;
    ExprId h = s->h[i];
    if (!s->first_order[i] || s->order_zero[i] || s->along[i] || expr_has_kind(pool, e, sym_acceleration) ||
        !expr_depends(pool, e, v))
      continue;
    ExprId cross = expr_sub(pool, expr_mul(pool, e, expr_diff(pool, h, v)), expr_mul(pool, h, expr_diff(pool, e, v)));
    if (decide_zero(pool, m->arena, cross).verdict != verdict_equal ||
        decide_zero(pool, m->arena, e).verdict == verdict_equal)
      continue;
    ExprId factor = factor_of(m, e, h, v);
    if (!factor) continue;
    const char *times = factor == pool->one ? "" : arena_printf(m->arena, ", times %s", shown(m, factor));
    m->out = (CheckResult){.verdict = verdict_equal,
                           .means = arena_printf(m->arena, "the equation of %s%s", s->coords.items[i].name, times)};
    Rat number;
    if (!expr_number(pool, factor, &number))
      m->out.condition = arena_printf(m->arena, "where %s is finite and not 0", shown(m, factor));
    return;
  }
}

// Is e a multiple of r? Then e/r does not depend on z, on which r depends.
static bool is_multiple(Motion *m, ExprId e, ExprId r, SymbolId z, const char *name) {
  ExprPool *pool = m->pool;
  if (!expr_depends(pool, r, z) || !expr_depends(pool, e, z)) return false;
  ExprId cross = expr_sub(pool, expr_mul(pool, e, expr_diff(pool, r, z)), expr_mul(pool, r, expr_diff(pool, e, z)));
  if (!cross || decide_zero(pool, m->arena, cross).verdict != verdict_equal ||
      decide_zero(pool, m->arena, e).verdict == verdict_equal)
    return false;
  ExprId factor = factor_of(m, e, r, z);
  if (!factor) return false;
  Rat number;
  const char *times =
      factor == pool->one || factor == pool->minus_one ? "" : arena_printf(m->arena, ", times %s", shown(m, factor));
  m->out =
      (CheckResult){.verdict = verdict_equal, .means = arena_printf(m->arena, "the equation of %s%s", name, times)};
  if (!expr_number(pool, factor, &number))
    m->out.condition = arena_printf(m->arena, "where %s is finite and not 0", shown(m, factor));
  return true;
}

// The first acceleration in r, else the first velocity; 0: none.
static SymbolId highest_rate(const Motion *m, ExprId r) {
  const System *s = m->s;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (expr_depends(m->pool, r, s->coords.items[i].a)) return s->coords.items[i].a;
  }
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (expr_depends(m->pool, r, s->coords.items[i].v)) return s->coords.items[i].v;
  }
  return 0;
}

// Where what follows from the equations is not decided: a multiple of one of them as it stands.
static void prove_written(Motion *m) {
  System *s = m->s;
  ExprId e = expr_sub(m->pool, m->lhs, m->rhs);
  for (uint32_t i = 0; e && i < s->coord_count; i++) {
    ExprId r = residual(m, i);
    SymbolId z = r ? highest_rate(m, r) : 0;
    if (z && is_multiple(m, e, r, z, s->coords.items[i].name)) return;
  }
  for (uint32_t i = 0; e && i < s->state_count; i++) {
    const ModelState *x = &s->states.items[i];
    if (s->f[i] && is_multiple(m, e, expr_sub(m->pool, expr_sym(m->pool, x->rate), s->f[i]), x->rate, x->name)) return;
  }
  for (uint32_t i = 0; e && i < s->implicit.count; i++) {
    for (uint32_t k = 0; k < s->unknowns.count; k++) {
      if (is_multiple(m, e, s->implicit.items[i].residual, s->unknowns.items[k].symbol, s->unknowns.items[k].name))
        return;
    }
  }
}

// Only what is lost in the sides: the rest is evaluated with them.
static bool keep_parts(Motion *m, const CheckEquation *q) {
  uint32_t length;
  ExprId sides[2] = {q->lhs, q->rhs};
  const ExprId *list = pool_reach(m->pool, sides, 2, NULL, NULL, &length);
  bool *there = arena_array(m->arena, m->pool->nodes.count, sizeof *there);
  m->parts = arena_array(m->arena, q->part_count, sizeof *m->parts);
  if (!list || !there || !m->parts) return false;
  for (uint32_t i = 0; i < length; i++) there[list[i]] = true;
  for (uint32_t i = 0; i < q->part_count; i++) {
    if (there[q->parts[i]]) continue;
    there[q->parts[i]] = true;
    if (!pool_node(m->pool, q->parts[i])->bound && expr_may_lack_value(m->pool, q->parts[i]))
      m->parts[m->part_count++] = q->parts[i];
  }
  return true;
}

static CheckResult decide_motion(Motion *m, bool *empty, bool *divides_by_zero) {
  System *s = m->s;
  ExprId lhs = m->lhs, rhs = m->rhs;
  m->out = (CheckResult){.verdict = verdict_undecided, .reason = "memory is out"};
  ExprId raw = expr_sub(s->pool, lhs, rhs);
  bool rates = m->rates = expr_has_kind(s->pool, raw, sym_state_rate);
  const char *rate = expr_symbol(s->pool, lhs) ? pool_symbol_get(s->pool, expr_symbol(s->pool, lhs))->name : NULL;
  if (s->implicit.count) {
    m->out.reason = "the model has implicit equations; what follows from them is not decided";
    prove_written(m);
    return m->out;
  }
  ExprId sides[2] = {lhs, rhs};
  if (!slow_replace(s, sides, &m->slow)) return m->out;
  if (m->slow.why) {
    m->out.reason = m->slow.why;
    prove_slow(m);
    if (m->out.verdict != verdict_equal) prove_written(m);
    return m->out;
  }
  const System *whole = s;
  m->s = &m->slow.own;
  m->lhs = sides[0];
  m->rhs = sides[1];
  if (!replace_rates(m) || !split(m) || !states_in_h(m)) return m->out;
  s = m->s;
  for (uint32_t i = 0; i < s->coord_count; i++) {
    if (!s->first_order[i] || !expr_depends(m->pool, m->e, s->coords.items[i].a)) continue;
    m->out.reason =
        arena_printf(m->arena, "%s has no inertia, so nothing says what %s'' is; differentiate its equation instead",
                     s->coords.items[i].name, s->coords.items[i].name);
    return m->out;
  }
  uint32_t count, attempt = 0;
  ExprId *roots = all_roots(m, &count);
  if (!roots) return m->out;
  m->exact = point_can_be_exact(m->pool, m->arena, roots, count);
  m->out.reason = NULL;
  bool different = find_witness(m, &attempt, enough_points), equal = !different && prove(m, empty, divides_by_zero);
  const char *reason = m->out.reason;
  if (!different && !equal && !*divides_by_zero) different = find_witness(m, &attempt, most_points);
  if (equal) {
    m->out.verdict = verdict_equal;
    m->out.reason = NULL;
    if (m->k == 0 && !rates)
      *empty = m->slow.symbols.count == 0 || decide_zero(s->pool, s->arena, raw).verdict == verdict_equal;
    if (m->k == 0 && m->slow.symbols.count) m->out.means = slow_words(m);
    if (m->k == 0 && rates) {
      *empty = decide_zero(s->pool, s->arena, raw).verdict == verdict_equal;
      m->out.means = rate && expr_has_kind(s->pool, lhs, sym_state_rate)
                         ? arena_printf(s->arena, "the equation of %s", rate)
                         : "the equations of the states";
    }
    if (m->k == 0 && !*empty && (rates || m->slow.symbols.count) && !determines(m, whole, raw)) {
      m->out =
          (CheckResult){.verdict = verdict_undecided,
                        .reason = "it follows from the equations of the model, but other motions may obey it as well"};
    }
  } else if (different) {
    m->out.verdict = verdict_different;
    m->out.reason = NULL;
    nearest_difference(m);
  } else {
    const char *why = m->no_value ? m->no_value : reason,
               *nothing = m->undefined ? "no point was found where both sides have values"
                                       : "no point was found where both sides can be computed";
    m->out.reason = m->points ? arena_printf(m->arena, "no difference was found at %u points, and no proof: %s",
                                             m->points, reason ? reason : "the normal form is not zero")
                              : arena_printf(m->arena, "%s: %s", nothing, why);
  }
  return m->out;
}

CheckResult check_motion(System *s, const CheckEquation *q, bool *empty, bool *divides_by_zero) {
  Motion motion = {.s = s, .pool = s->pool, .arena = s->arena, .lhs = q->lhs, .rhs = q->rhs}, *m = &motion;
  if (!keep_parts(m, q)) return (CheckResult){.verdict = verdict_undecided, .reason = "memory is out"};
  CheckResult r = decide_motion(m, empty, divides_by_zero);
  if (r.verdict != verdict_equal || *empty || m->points) return r;
  // a proof without any point: it must not be about nothing
  ExprId *roots = arena_array(s->arena, (size_t)m->part_count + 2, sizeof *roots);
  if (!roots) return r;
  roots[0] = m->lhs;
  roots[1] = m->rhs;
  for (uint32_t i = 0; i < m->part_count; i++) roots[i + 2] = m->parts[i];
  Decision d;
  return decide_has_value(s->pool, s->arena, roots, m->part_count + 2, &d)
             ? r
             : (CheckResult){.verdict = d.verdict, .reason = d.reason};
}
