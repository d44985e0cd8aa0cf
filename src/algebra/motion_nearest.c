// What a wrong equation is nearest to: a reader finds a forgotten term or a wrong sign in the difference.
//
// in    e = lhs - rhs, which is not zero on solutions of the model
// out   m->out.difference = e - factor * r_i, multiplied out, with the fewest terms; what it is the difference to
// how   q'' = ... is compared with the equations solved for q''. Else each likely row i is tried with the factors A_j /
//       M_ij that let one acceleration vanish, with 1 and with -1.
#include "algebra/motion_parts.h"

#include "algebra/solved.h"
#include "expr/calculus.h"
#include "expr/print.h"

enum { most_rows = 12 }; // that are tried: each is multiplied out k + 2 times

static void solved_difference(MotionCheck *m, uint32_t coord) {
  ExprId solved[most_solved] = {0};
  const char *note = NULL;
  uint32_t at = 0;
  while (at < m->coords && m->of[at] != coord) at++;
  m->out.means = arena_printf(m->arena, "the equations solved for %s''", m->s->coords.items[coord].name);
  bool bound = m->coords < m->k;
  if (m->k > most_solved || at == m->coords ||
      !(bound ? solved_linear(m->s, m->M, m->h, m->k, &(DeriveStyle){0}, solved, &note)
              : solved_block(m->s, m->of, m->k, &(DeriveStyle){0}, solved, &note)) ||
      !solved[at])
    return;
  m->out.difference = expr_short(m->pool, m->arena, expr_sub(m->pool, m->rhs, solved[at]));
  m->out.yours = true;
  m->out.difference_of = arena_printf(m->arena, "%s'' of the model", m->s->coords.items[coord].name);
}

// Of many equations those with the most factors of accelerations in common. Returns how many.
static uint32_t likely_rows(MotionCheck *m, uint32_t rows[most_rows]) {
  uint32_t score[most_rows], count = 0;
  ExprId *A = arena_array(m->arena, m->k, sizeof *A);
  for (uint32_t j = 0; A && j < m->k; j++) A[j] = expr_expand(m->pool, m->A[j], derive_most_terms);
  for (uint32_t i = 0; A && i < m->k; i++) {
    uint32_t common = 0, at;
    ExprId own = m->M[i * m->k + i];
    bool both = m->k > most_rows && !expr_is_zero(m->pool, own) && !expr_is_zero(m->pool, A[i]);
    ExprId factor = both ? expr_div(m->pool, A[i], expr_expand(m->pool, own, derive_most_terms)) : 0;
    for (uint32_t j = 0; factor && j < m->k; j++) {
      common += !expr_is_zero(m->pool, A[j]) &&
                expr_expand(m->pool, expr_mul(m->pool, factor, m->M[i * m->k + j]), derive_most_terms) == A[j];
    }
    for (at = count; at > 0 && score[at - 1] < common; at--) {
      if (at < most_rows) {
        score[at] = score[at - 1];
        rows[at] = rows[at - 1];
      }
    }
    if (at >= most_rows) continue;
    score[at] = common;
    rows[at] = i;
    count += count < most_rows;
  }
  return count;
}

// As the model has it; with multipliers where there are constraints.
static ExprId row_residual(MotionCheck *m, uint32_t i) {
  if (m->coords == m->k) return motion_residual(m, m->of[i]);
  ExprId r = m->h[i];
  for (uint32_t j = 0; j < m->k; j++)
    r = expr_add(m->pool, r, expr_mul(m->pool, m->M[i * m->k + j], expr_sym(m->pool, motion_unknown(m, j))));
  return r;
}

// The equation of the model, with a factor, that comes nearest: the one with the shortest difference.
void motion_nearest(MotionCheck *m) {
  // q'' = ...: against the solved equations
  uint32_t coord;
  if (motion_is_solved_form(m, &coord)) {
    solved_difference(m, coord);
    return;
  }
  // nothing to choose from: both sides as they are
  if (m->k == 0 || m->rates) {
    m->out.difference = expr_short(m->pool, m->arena, m->e);
    m->out.difference_of = m->rates ? "left - right, by the equations of the states" : "left - right";
    if (m->rates) m->out.means = "the equations of the states";
    return;
  }
  // each likely row with each factor; the difference with the fewest terms stays
  uint32_t least = UINT32_MAX, rows[most_rows], count = likely_rows(m, rows);
  for (uint32_t n = 0; n < count; n++) {
    uint32_t i = rows[n];
    ExprId r = row_residual(m, i);
    for (uint32_t j = 0; j < m->k + 2; j++) {
      ExprId below = j < m->k ? m->M[i * m->k + j] : m->pool->one;
      if (j < m->k && (expr_is_zero(m->pool, below) || expr_is_zero(m->pool, m->A[j]))) continue;
      ExprId factor = j == m->k  ? m->pool->one
                      : j > m->k ? m->pool->minus_one
                                 : expr_div(m->pool, expr_expand(m->pool, m->A[j], derive_most_terms),
                                            expr_expand(m->pool, below, derive_most_terms));
      ExprId d = expr_expand(m->pool, expr_sub(m->pool, m->e, expr_mul(m->pool, factor, r)), derive_most_terms);
      if (!d || expr_op(m->pool, d) == op_undefined || expr_is_zero(m->pool, d)) continue;
      uint32_t terms = expr_term_count(m->pool, d);
      if (terms >= least) continue;
      least = terms;
      m->out.difference = d;
      m->out.means = motion_row_name(m, i);
      m->out.yours = true;
      m->out.difference_of = factor == m->pool->one ? m->out.means
                                                    : arena_printf(m->arena, "(%s) times %s",
                                                                   expr_text(m->pool, m->arena, factor), m->out.means);
    }
  }
  if (m->out.difference) m->out.difference = expr_short(m->pool, m->arena, m->out.difference);
}
