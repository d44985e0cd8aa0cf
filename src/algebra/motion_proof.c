// The proof that an equation follows from M a + h = 0, and what it is in words.
//
// in    e = A a + b, and lambda at two points where both sides agree
// out   true: e = lambda (M a + h) identically, for a row lambda that may depend on positions and velocities.
//       m->out.means says which combination, m->out.condition where its factors may vanish
// how   lambda made of numbers (the same at both points): e - sum lambda_i r_i is zero in the normal form.
//       Else, with the rows that lambda needs: they have a minor that is not zero (columns chosen by elimination at a
//       point), and each minor bordered by the row (A, b) and one further column is zero in the ring, so the row
//       depends on them linearly (Kronecker's bordered minors).
#include "algebra/motion_parts.h"

#include "expr/calculus.h"
#include "expr/decide.h"
#include "expr/normal.h"
#include "expr/print.h"

enum { most_rows = 5 }; // of bordered minors: a determinant of 6 rows may have 720 products of long sums

// e - sum lambda_i r_i with numbers lambda
static ExprId combination(MotionCheck *m, const Num *lambda) {
  uint32_t k = m->k;
  ExprId sum = m->e;
  for (uint32_t i = 0; i < k; i++) {
    if (rat_is_zero(lambda[i].r)) continue;
    ExprId r = m->h[i];
    for (uint32_t j = 0; j < k; j++)
      r = expr_add(m->pool, r, expr_mul(m->pool, m->M[i * k + j], expr_sym(m->pool, motion_unknown(m, j))));
    sum = expr_sub(m->pool, sum, expr_scale(m->pool, lambda[i].r, r));
  }
  return sum;
}

// Which columns make a minor of the rows in `rows` that is not zero at the first point: by elimination in order.
static bool choose_columns(MotionCheck *m, const uint32_t *rows, uint32_t s, uint32_t *columns) {
  uint32_t k = m->k, count;
  if (s == k) {
    for (uint32_t i = 0; i < k; i++) columns[i] = i;
    return true;
  }
  ExprId *roots = motion_roots(m, &count);
  Num *value = arena_array(m->arena, count, sizeof *value);
  Point p;
  uint32_t found = 0;
  if (!roots || !value) return false;
  for (uint32_t attempt = 0; attempt < most_points && found < s; attempt++) {
    found = 0;
    if (point_open(&p, m->pool, m->arena, roots, count, attempt, m->exact) && point_eval(&p, roots, k * k, value)) {
      // elimination with the first pivot that is certainly not zero in each column
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
static bool prove_minors(MotionCheck *m, const uint32_t *rows, uint32_t s) {
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
  // the rows of M and h, then (A, b), each over one denominator
  for (uint32_t i = 0; i < size; i++) {
    for (uint32_t j = 0; j < k; j++) roots[i * width + j] = i < s ? m->M[rows[i] * k + j] : m->A[j];
    roots[i * width + k] = i < s ? m->h[rows[i]] : m->b;
  }
  Normal normal = {0}, *n = &normal;
  bool zero = normal_open(n, m->pool, m->arena, roots, size * width) && fracs_of(n, roots, size * width, f);
  for (uint32_t i = 0; i < size && zero; i++)
    zero = normal_clear(n, f + (size_t)i * width, width, entry + (size_t)i * width);
  // one bordered minor for each further column
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

bool motion_is_solved_form(const MotionCheck *m, uint32_t *coord) {
  SymbolId s = expr_symbol(m->pool, m->lhs);
  if (!s || pool_symbol_get(m->pool, s)->kind != sym_acceleration || expr_has_kind(m->pool, m->rhs, sym_acceleration))
    return false;
  *coord = pool_symbol_get(m->pool, s)->index;
  return true;
}

static void name_multiple(MotionCheck *m, uint32_t i) {
  // lambda = A_j / M_ij for any j where M is not zero
  ExprId factor = 0;
  for (uint32_t j = 0; j < m->k && !factor; j++) {
    ExprId below = m->M[i * m->k + j];
    if (!expr_is_zero(m->pool, below)) factor = expr_short(m->pool, m->arena, expr_div(m->pool, m->A[j], below));
  }
  if (factor && expr_op(m->pool, factor) == op_undefined) factor = 0;
  if (!factor) {
    m->out.means = arena_printf(m->arena, "%s, times a factor", motion_row_name(m, i));
    return;
  }
  Rat number;
  if (expr_number(m->pool, factor, &number)) {
    const char *times =
        rat_is_int_value(number, 1) ? "" : arena_printf(m->arena, ", times %s", rat_print(m->arena, number, false));
    m->out.means = arena_printf(m->arena, "%s%s", motion_row_name(m, i), times);
    return;
  }
  const char *text = expr_text(m->pool, m->arena, factor);
  m->out.means = arena_printf(m->arena, "%s, times %s", motion_row_name(m, i), text);
  m->out.condition = arena_printf(m->arena, "where %s is finite and not 0", text);
}

static void name_numbers(MotionCheck *m, const Num *lambda) {
  Text t = text_in(m->arena);
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->k; i++) count += !rat_is_zero(lambda[i].r);
  for (uint32_t i = 0; i < m->k; i++) {
    Rat c = lambda[i].r;
    if (rat_is_zero(c)) continue;
    const char *number = rat_print(m->arena, c, false), *name = motion_row_name(m, i);
    if (count == 1 && rat_is_int_value(c, 1)) text_put(&t, name);
    else if (count == 1) text_printf(&t, "%s, times %s", name, number);
    else if (rat_is_int_value(c, 1)) text_printf(&t, "%s%s", t.length ? " + " : "", name);
    else if (rat_is_int_value(c, -1)) text_printf(&t, "%s%s", t.length ? " - " : "-1 times ", name);
    else text_printf(&t, "%s(%s) times %s", t.length ? " + " : "", number, name);
  }
  m->out.means = text_str(&t);
}

static void name_rows(MotionCheck *m, const uint32_t *rows, uint32_t s) {
  Text t = text_in(m->arena);
  bool bound = rows[s - 1] >= m->coords; // a row of a constraint is among them
  for (uint32_t i = 0; i < s; i++)
    text_printf(&t, "%s%s",
                i == 0       ? ""
                : i + 1 == s ? " and "
                             : ", ",
                bound ? motion_row_name(m, rows[i]) : m->s->coords.items[m->of[rows[i]]].name);
  uint32_t coord;
  if (motion_is_solved_form(m, &coord)) {
    m->out.means = arena_printf(m->arena, "the equations solved for %s''", m->s->coords.items[coord].name);
    m->out.condition = "where the mass matrix has an inverse";
  } else {
    m->out.means =
        arena_printf(m->arena, bound ? "a combination of %s" : "a combination of the equations of %s", text_str(&t));
    m->out.condition = "where the factors of the combination do not vanish";
  }
}

// e has no acceleration, or nothing is known of lambda: it must be zero itself.
static bool prove_zero(MotionCheck *m) {
  Decision d = decide_zero(m->pool, m->arena, m->e);
  if (d.divides_by_zero) m->out.fault = check_zero_division;
  m->out.reason = m->linear || m->k == 0 ? d.reason : "accelerations enter nonlinearly";
  return d.verdict == verdict_equal;
}

static bool lambda_is_numbers(const MotionCheck *m) {
  bool numbers = m->exact && m->lambda[1];
  for (uint32_t i = 0; i < m->k && numbers; i++) numbers = rat_equal(m->lambda[0][i].r, m->lambda[1][i].r);
  return numbers;
}

static bool prove_numbers(MotionCheck *m) {
  bool any = false;
  for (uint32_t i = 0; i < m->k; i++) any = any || !rat_is_zero(m->lambda[0][i].r);
  Decision d = decide_zero(m->pool, m->arena, combination(m, m->lambda[0]));
  if (d.divides_by_zero) m->out.fault = check_zero_division;
  m->out.reason = d.reason;
  if (d.verdict != verdict_equal) return false;
  if (!any && !m->out.fault) m->out.fault = check_empty;
  uint32_t coord;
  if (motion_is_solved_form(m, &coord))
    m->out.means = arena_printf(m->arena, "the equations solved for %s''", m->s->coords.items[coord].name);
  else name_numbers(m, m->lambda[0]);
  return true;
}

bool motion_prove(MotionCheck *m) {
  if (m->k == 0 || !m->lambda[0] || !m->linear) return prove_zero(m);
  if (lambda_is_numbers(m) && prove_numbers(m)) return true;
  // the rows that lambda needs
  uint32_t *rows = arena_array(m->arena, m->k, sizeof *rows), s = 0, coord;
  if (!rows) return false;
  for (uint32_t i = 0; i < m->k; i++) {
    bool used = !rat_is_zero(m->lambda[0][i].r) || (m->lambda[1] && !rat_is_zero(m->lambda[1][i].r));
    if (used) rows[s++] = i;
  }
  if (!prove_minors(m, rows, s)) return false;
  if (s == 0 && !m->out.fault) m->out.fault = check_empty;
  else if (s == 1 && !motion_is_solved_form(m, &coord)) name_multiple(m, rows[0]);
  else if (s > 0) name_rows(m, rows, s);
  return true;
}
