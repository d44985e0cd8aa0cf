// Expressions as rational functions over Q in generators, and what can be proved with them.
//
// Generators: symbols; pi; a pair cos(b), sin(b) with s^2 = 1 - c^2 for each independent angle b; exp(b); square roots
// with r^2 = radicand; |a| with |a|^2 = a^2; any other function as it stands. Angles that are sums of others are
// expanded by the addition theorems. A generator that hides a relation makes equal things look different, never the
// other way round: a zero is a proof, anything else is none.
// parts: normal_show.c normal_cancel.c multiangle.c
#ifndef VIVA_EXPR_NORMAL_H
#define VIVA_EXPR_NORMAL_H

#include "expr/exact.h"
#include "expr/pool.h"

typedef enum GenKind { gen_plain, gen_cos, gen_sin, gen_algebraic } GenKind;

typedef struct Gen {
  GenKind kind;
  ExprId expr;      // what it stands for
  uint32_t partner; // of a sine: its cosine, and the other way round
  uint32_t power;   // gen^power = value; 0: none
  Poly *value;
} Gen;

// base^(term/den) stands behind a generator; base 0: e
typedef struct Atom {
  ExprId base, term;
  int64_t den;
  uint32_t gen; // of an angle: its cosine; the sine follows
} Atom;

typedef VEC(Atom) Atoms;

typedef struct DenFactor {
  uint32_t factor; // into Normal.factors
  uint32_t power;
} DenFactor;

// num / product of factors; num is reduced
typedef struct Frac {
  Poly *num; // NULL: failed
  DenFactor *den;
  uint32_t den_count;
} Frac;

// Nodes that were rewritten already, and what became of them; shared by a ring and its inner rings.
typedef struct Rewritten {
  ExprId *of; // by node; 0: not yet
  uint32_t size;
} Rewritten;

// Of one question: products of terms, each counted with the words of its numbers; terms of a product; bits of a number,
// which is as many as the numbers of expressions may have.
enum { normal_most_work = 120000000, normal_most_terms = 2000000, normal_most_bits = 32768 };

// What the helper program was asked, and what it said.
typedef struct Answer {
  const char *question, *answer;
} Answer;

typedef struct Normal {
  Arena *arena;
  Arena *lasting; // outlives inner rings
  ExprPool *pool;
  const RingApi *api;
  Ring *ring;
  VEC(Gen) gens;
  Atoms angles, exponents;
  VEC(ExprId) roots;   // radicands of square roots so far
  VEC(Poly *) factors; // of denominators, each not zero
  uint32_t *gen_of;    // by node: generator plus one
  uint32_t gen_of_size;
  VEC(Answer) answers; // of the helper program, given beforehand
  uint64_t work;       // products of terms so far
  uint64_t bytes;      // of polynomials, which live as long as the ring
  uint64_t *exps;      // room for the exponents of one term
  int64_t *degrees;    // room for the degrees of one polynomial
  Rewritten own, *rewritten;
  uint32_t depth;
  const char *why;      // not NULL: it failed, and this is the reason
  bool divides_by_zero; // that is the reason
} Normal;

// ---- generators.c

// A ring in which all roots can be written. roots[i] are replaced by the forms that frac_of takes. False: n->why.
bool normal_open(Normal *n, ExprPool *pool, Arena *arena, ExprId *roots, uint32_t count);
void normal_close(Normal *n);

// ---- normal.c

Frac frac_of(Normal *n, ExprId root);                                     // of one of the roots
bool fracs_of(Normal *n, const ExprId *roots, uint32_t count, Frac *out); // shares what they have in common
Frac frac_add(Normal *n, Frac a, Frac b);
Frac frac_mul(Normal *n, Frac a, Frac b);
static inline bool frac_is_zero(const Normal *n, Frac f) { return f.num && n->api->length(n->ring, f.num) == 0; }

Poly *normal_mul(Normal *n, const Poly *a, const Poly *b); // reduced; NULL: failed
Poly *normal_sub(Normal *n, const Poly *a, const Poly *b);
Poly *normal_den(Normal *n, Frac f); // the denominator multiplied out
// All over one denominator, which is left out: polynomials that are zero together with the fractions.
bool normal_clear(Normal *n, const Frac *f, uint32_t count, Poly **out);
// Determinant without divisions, by minors of the first rows. NULL: failed.
Poly *normal_determinant(Normal *n, Poly *const *entries, uint32_t size);

// ---- normal_show.c

ExprId poly_expr(Normal *n, const Poly *p);
ExprId frac_expr(Normal *n, Frac f);
// For each angle the shorter one of: without higher powers of the sine, without those of the cosine.
Poly *poly_shorter(Normal *n, const Poly *p);
// ---- normal_cancel.c

// The canonical form: denominators free of sines and roots, then one gcd by the helper program. false: n->why
bool frac_cancel(Normal *n, Frac f, Poly **num, Poly **den);
// Asks for the common factors of several numerators and one denominator at once: one start of the helper program
// instead of two for each. What it says waits for frac_cancel and poly_factored; without an answer they ask one by one.
void normal_quotients(Normal *n, Poly *const *num, uint32_t count, const Poly *den);
bool frac_canonical(Normal *n, Frac f, Poly **num, Poly **den);
// p as a product of its factors, by the helper program. 0: it failed.
ExprId poly_factored(Normal *n, const Poly *p);
// Is p = sum q_k g_k with some polynomials q_k? The helper program looks for them, the ring multiplies out: true is a
// proof. At most normal_most_members of them.
enum { normal_most_members = 40 };
bool normal_member(Normal *n, Poly *const *g, uint32_t count, const Poly *p);
// ---- multiangle.c

// p with powers and products of sines and cosines rewritten as sines and cosines of sums of angles. 0: too large.
ExprId poly_multiangle(Normal *n, const Poly *p);
// The shorter one for reading of products and sums of angles, like terms collected. 0: out of memory.
ExprId poly_reading(Normal *n, const Poly *p);

#endif
