// Groebner bases and ideal membership by Buchberger's algorithm with cofactors.
//
// in    generators g_1 ... g_m, a polynomial f, an order of monomials (that of ctx; by degree is best)
// out   q_k with f = sum q_k g_k, if there are such; whoever asked multiplies out and sees that it is so
// how   A basis p_i with p_i = sum c_ik g_k is completed by the remainders of S-polynomials, those of the smallest
//       common multiple first; pairs whose leading monomials have nothing in common give none. After each new p_i what
//       is left of f is divided further: it ends as soon as nothing is left, long before the basis is complete.
//
// Bases may grow beyond all bounds: there are limits of time and of length.
#include "ideal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_seconds = 6, most_basis = 120, most_terms = 20000 };

typedef struct BasisPair {
  slong i, j;
  ulong degree; // of the least common multiple of the leading monomials
} BasisPair;

typedef struct Basis {
  const fmpq_mpoly_ctx_struct *ctx;
  slong vars, wanted;
  slong count;
  fmpq_mpoly_struct *p[most_basis]; // monic
  fmpq_mpoly_struct *c[most_basis]; // its cofactors, `wanted` of them
  ulong *lead[most_basis];          // exponents of its leading monomial
  BasisPair *pairs;
  slong pair_count;
  clock_t end;
} Basis;

static fmpq_mpoly_struct *new_list(slong count, const fmpq_mpoly_ctx_t ctx) {
  fmpq_mpoly_struct *list = flint_malloc((size_t)(count + 1) * sizeof *list);
  for (slong i = 0; i < count; i++) fmpq_mpoly_init(list + i, ctx);
  return list;
}

static void free_list(fmpq_mpoly_struct *list, slong count, const fmpq_mpoly_ctx_t ctx) {
  for (slong i = 0; i < count; i++) fmpq_mpoly_clear(list + i, ctx);
  flint_free(list);
}

static bool coprime(const Basis *b, slong i, slong j) {
  for (slong k = 0; k < b->vars; k++) {
    if (b->lead[i][k] && b->lead[j][k]) return false;
  }
  return true;
}

// Takes p and c over; p is not zero. False: the basis is full.
static bool put(Basis *b, fmpq_mpoly_struct *p, fmpq_mpoly_struct *c) {
  if (b->count == most_basis || fmpq_mpoly_length(p, b->ctx) > most_terms) return false;
  slong n = b->count++;
  fmpq_t lead;
  fmpq_init(lead);
  fmpq_mpoly_get_term_coeff_fmpq(lead, p, 0, b->ctx);
  fmpq_inv(lead, lead);
  fmpq_mpoly_scalar_mul_fmpq(p, p, lead, b->ctx);
  for (slong k = 0; k < b->wanted; k++) fmpq_mpoly_scalar_mul_fmpq(c + k, c + k, lead, b->ctx);
  fmpq_clear(lead);
  b->p[n] = p;
  b->c[n] = c;
  b->lead[n] = flint_malloc((size_t)b->vars * sizeof(ulong));
  fmpq_mpoly_get_term_exp_ui(b->lead[n], p, 0, b->ctx);
  for (slong i = 0; i < n; i++) {
    if (coprime(b, i, n)) continue;
    BasisPair pair = {i, n, 0};
    for (slong k = 0; k < b->vars; k++) pair.degree += FLINT_MAX(b->lead[i][k], b->lead[n][k]);
    b->pairs[b->pair_count++] = pair;
  }
  return true;
}

// a -= b * c
static void subtract(fmpq_mpoly_struct *a, const fmpq_mpoly_t b, const fmpq_mpoly_t c, const fmpq_mpoly_ctx_t ctx) {
  fmpq_mpoly_t product;
  fmpq_mpoly_init(product, ctx);
  fmpq_mpoly_mul(product, b, c, ctx);
  fmpq_mpoly_sub(a, a, product, ctx);
  fmpq_mpoly_clear(product, ctx);
}

// What is left of p after division by the basis; its cofactors follow: p = sum c_k g_k stays true.
static void divide(const Basis *b, fmpq_mpoly_struct *p, fmpq_mpoly_struct *c) {
  fmpq_mpoly_struct *q = new_list(b->count, b->ctx), *quotient[most_basis], *divisor[most_basis];
  fmpq_mpoly_t rest;
  fmpq_mpoly_init(rest, b->ctx);
  for (slong i = 0; i < b->count; i++) {
    quotient[i] = q + i;
    divisor[i] = b->p[i];
  }
  fmpq_mpoly_divrem_ideal(quotient, rest, p, divisor, b->count, b->ctx);
  fmpq_mpoly_swap(p, rest, b->ctx);
  for (slong i = 0; i < b->count; i++) {
    for (slong k = 0; k < b->wanted && !fmpq_mpoly_is_zero(q + i, b->ctx); k++)
      subtract(c + k, q + i, b->c[i] + k, b->ctx);
  }
  fmpq_mpoly_clear(rest, b->ctx);
  free_list(q, b->count, b->ctx);
}

// out = the monomial by which p_i reaches the common multiple
static void multiplier(const Basis *b, fmpq_mpoly_t out, slong i, slong j) {
  ulong *e = flint_malloc((size_t)b->vars * sizeof *e);
  fmpq_t one;
  fmpq_init(one);
  fmpq_one(one);
  for (slong k = 0; k < b->vars; k++) e[k] = FLINT_MAX(b->lead[i][k], b->lead[j][k]) - b->lead[i][k];
  fmpq_mpoly_zero(out, b->ctx);
  fmpq_mpoly_push_term_fmpq_ui(out, one, e, b->ctx);
  fmpq_clear(one);
  flint_free(e);
}

// The remainder of one S-polynomial into the basis. False: a limit is reached.
static bool complete(Basis *b, BasisPair pair) {
  const fmpq_mpoly_ctx_struct *ctx = b->ctx;
  fmpq_mpoly_struct *p = new_list(1, ctx), *c = new_list(b->wanted, ctx);
  fmpq_mpoly_t left, right;
  fmpq_mpoly_init(left, ctx);
  fmpq_mpoly_init(right, ctx);
  multiplier(b, left, pair.i, pair.j);
  multiplier(b, right, pair.j, pair.i);
  fmpq_mpoly_mul(p, left, b->p[pair.i], ctx);
  subtract(p, right, b->p[pair.j], ctx);
  for (slong k = 0; k < b->wanted; k++) {
    fmpq_mpoly_mul(c + k, left, b->c[pair.i] + k, ctx);
    subtract(c + k, right, b->c[pair.j] + k, ctx);
  }
  fmpq_mpoly_clear(left, ctx);
  fmpq_mpoly_clear(right, ctx);
  divide(b, p, c);
  if (!fmpq_mpoly_is_zero(p, ctx) && put(b, p, c)) return true;
  bool zero = fmpq_mpoly_is_zero(p, ctx) != 0;
  free_list(p, 1, ctx);
  free_list(c, b->wanted, ctx);
  return zero;
}

static BasisPair next_pair(Basis *b) {
  slong best = 0;
  for (slong i = 1; i < b->pair_count; i++) {
    if (b->pairs[i].degree < b->pairs[best].degree) best = i;
  }
  BasisPair pair = b->pairs[best];
  b->pairs[best] = b->pairs[--b->pair_count];
  return pair;
}

static bool put_generators(Basis *b, const fmpq_mpoly_struct *generators, slong count) {
  for (slong k = 0; k < count; k++) {
    if (fmpq_mpoly_is_zero(generators + k, b->ctx)) continue;
    fmpq_mpoly_struct *p = new_list(1, b->ctx), *c = new_list(b->wanted, b->ctx);
    fmpq_mpoly_set(p, generators + k, b->ctx);
    if (k < b->wanted) fmpq_mpoly_one(c + k, b->ctx);
    if (put(b, p, c)) continue;
    free_list(p, 1, b->ctx);
    free_list(c, b->wanted, b->ctx);
    return false;
  }
  return true;
}

bool ideal_cofactors(fmpq_mpoly_struct *cofactors, const fmpq_mpoly_struct *generators, slong count, slong wanted,
                     const fmpq_mpoly_t f, const fmpq_mpoly_ctx_t ctx) {
  Basis *b = flint_calloc(1, sizeof *b);
  b->ctx = ctx;
  b->vars = fmpq_mpoly_ctx_nvars(ctx);
  b->wanted = wanted;
  b->end = clock() + (clock_t)most_seconds * CLOCKS_PER_SEC;
  b->pairs = flint_malloc((size_t)most_basis * most_basis * sizeof *b->pairs);
  fmpq_mpoly_t rest; // f = rest - sum cofactor_k g_k
  fmpq_mpoly_init(rest, ctx);
  fmpq_mpoly_set(rest, f, ctx);
  bool going = put_generators(b, generators, count);
  slong seen = 0;
  while (going && !fmpq_mpoly_is_zero(rest, ctx)) {
    if (seen < b->count) divide(b, rest, cofactors);
    seen = b->count;
    going = !fmpq_mpoly_is_zero(rest, ctx) && b->pair_count && clock() < b->end && complete(b, next_pair(b));
  }
  bool found = fmpq_mpoly_is_zero(rest, ctx) != 0;
  for (slong k = 0; k < wanted; k++) fmpq_mpoly_neg(cofactors + k, cofactors + k, ctx);
  for (slong i = 0; i < b->count; i++) {
    free_list(b->p[i], 1, ctx);
    free_list(b->c[i], wanted, ctx);
    flint_free(b->lead[i]);
  }
  fmpq_mpoly_clear(rest, ctx);
  flint_free(b->pairs);
  flint_free(b);
  return found;
}
