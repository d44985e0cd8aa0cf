// The module behind RingApi of expr/ring.h: polynomials over the rationals by FLINT.
//
// in    numbers as text, generators, polynomials
// out   sums, products, reductions by a relation gen^power = value, terms, texts
//
// FLINT aborts on a division by zero, so nothing here divides without a test; it has no gcd and no factoring, which can
// hang: they live in the helper program. It also aborts when it is out of memory: expr/normal.c asks for it first
// (exact_ask).
#include "expr/ring.h"

#include <flint/fmpq_mpoly.h>

#include <stdlib.h>
#include <string.h>

struct Poly {
  fmpq_mpoly_t p;
  Poly *next, **link;
};
struct Ring {
  fmpq_mpoly_ctx_t ctx;
  slong generators;
  Poly *polys;
};

static Ring *ring_new(uint32_t generators) {
  Ring *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->generators = (slong)(generators ? generators : 1);
  fmpq_mpoly_ctx_init(r->ctx, r->generators, ORD_LEX);
  return r;
}

static Poly *poly_new(Ring *r) {
  Poly *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  fmpq_mpoly_init(p->p, r->ctx);
  p->next = r->polys;
  p->link = &r->polys;
  if (r->polys) r->polys->link = &p->next;
  r->polys = p;
  return p;
}

static void poly_free(Ring *r, Poly *p) {
  if (!p) return;
  *p->link = p->next;
  if (p->next) p->next->link = p->link;
  fmpq_mpoly_clear(p->p, r->ctx);
  free(p);
}

static void ring_free(Ring *r) {
  if (!r) return;
  while (r->polys) poly_free(r, r->polys);
  fmpq_mpoly_ctx_clear(r->ctx);
  free(r);
  flint_cleanup();
}

static void set(Ring *r, Poly *out, const Poly *a) { fmpq_mpoly_set(out->p, a->p, r->ctx); }

static bool read_number(fmpq_t x, const char *text) {
  return fmpq_set_str(x, text, 10) == 0 && !fmpz_is_zero(fmpq_denref(x));
}

static bool set_number(Ring *r, Poly *out, const char *text) {
  fmpq_t x;
  fmpq_init(x);
  bool ok = read_number(x, text);
  if (ok) {
    fmpq_canonicalise(x);
    fmpq_mpoly_set_fmpq(out->p, x, r->ctx);
  }
  fmpq_clear(x);
  return ok;
}

static void set_generator(Ring *r, Poly *out, uint32_t generator, uint32_t exponent) {
  fmpq_mpoly_gen(out->p, (slong)generator, r->ctx);
  fmpq_mpoly_pow_ui(out->p, out->p, exponent, r->ctx);
}

static void add(Ring *r, Poly *out, const Poly *a, const Poly *b) { fmpq_mpoly_add(out->p, a->p, b->p, r->ctx); }
static void sub(Ring *r, Poly *out, const Poly *a, const Poly *b) { fmpq_mpoly_sub(out->p, a->p, b->p, r->ctx); }
static void mul(Ring *r, Poly *out, const Poly *a, const Poly *b) { fmpq_mpoly_mul(out->p, a->p, b->p, r->ctx); }

static uint32_t degree(const Ring *r, const Poly *p, uint32_t generator) {
  slong d = fmpq_mpoly_degree_si(p->p, (slong)generator, r->ctx);
  return d < 0 ? 0 : (uint32_t)d;
}

static void degrees(const Ring *r, const Poly *p, int64_t *out) {
  _Static_assert(sizeof(slong) == sizeof(int64_t), "degrees are machine words");
  fmpq_mpoly_degrees_si((slong *)out, p->p, r->ctx);
}

// p = sum of part_k * (g^power)^k, then Horner's rule with value in the place of g^power.
static void reduce(Ring *r, Poly *p, uint32_t generator, uint32_t power, const Poly *value) {
  uint32_t most = degree(r, p, generator) / power;
  if (most == 0) return;
  slong n = fmpq_mpoly_length(p->p, r->ctx);
  fmpq_mpoly_struct *part = malloc((most + 1) * sizeof *part);
  ulong *e = malloc((size_t)r->generators * sizeof *e);
  fmpq_t c;
  if (!part || !e) flint_abort();
  fmpq_init(c);
  for (uint32_t k = 0; k <= most; k++) fmpq_mpoly_init(&part[k], r->ctx);
  for (slong i = 0; i < n; i++) {
    fmpq_mpoly_get_term_exp_ui(e, p->p, i, r->ctx);
    fmpq_mpoly_get_term_coeff_fmpq(c, p->p, i, r->ctx);
    ulong k = e[generator] / power;
    e[generator] %= power;
    fmpq_mpoly_push_term_fmpq_ui(&part[k], c, e, r->ctx);
  }
  for (uint32_t k = 0; k <= most; k++) {
    fmpq_mpoly_sort_terms(&part[k], r->ctx);
    fmpq_mpoly_combine_like_terms(&part[k], r->ctx);
  }
  fmpq_mpoly_set(p->p, &part[most], r->ctx);
  for (uint32_t k = most; k-- > 0;) {
    fmpq_mpoly_mul(p->p, p->p, value->p, r->ctx);
    fmpq_mpoly_add(p->p, p->p, &part[k], r->ctx);
  }
  for (uint32_t k = 0; k <= most; k++) fmpq_mpoly_clear(&part[k], r->ctx);
  fmpq_clear(c);
  free(part);
  free(e);
}

static size_t length(const Ring *r, const Poly *p) { return (size_t)fmpq_mpoly_length(p->p, r->ctx); }
static size_t bits(const Ring *r, const Poly *p) {
  (void)r;
  slong whole = fmpz_mpoly_max_bits(p->p->zpoly);
  size_t above = fmpz_bits(fmpq_numref(p->p->content)), below = fmpz_bits(fmpq_denref(p->p->content));
  return (size_t)(whole < 0 ? -whole : whole) + (above > below ? above : below);
}
static bool equal(const Ring *r, const Poly *a, const Poly *b) { return fmpq_mpoly_equal(a->p, b->p, r->ctx) != 0; }

static char *number_text(const fmpq_t x) { return fmpq_get_str(NULL, 10, x); }

static char *term(const Ring *r, const Poly *p, size_t i, uint64_t *exponents) {
  fmpq_t c;
  fmpq_init(c);
  _Static_assert(sizeof(ulong) == sizeof(uint64_t), "exponents are machine words");
  fmpq_mpoly_get_term_exp_ui((ulong *)exponents, p->p, (slong)i, r->ctx);
  fmpq_mpoly_get_term_coeff_fmpq(c, p->p, (slong)i, r->ctx);
  char *text = number_text(c);
  fmpq_clear(c);
  return text;
}

static char *split(Ring *r, Poly *out, const Poly *p, uint64_t *exponents) {
  slong n = fmpq_mpoly_length(p->p, r->ctx);
  if (n == 0) return NULL;
  size_t size = (size_t)r->generators * sizeof(ulong);
  ulong *e = malloc(size);
  fmpq_mpoly_t q;
  fmpq_t lead, c;
  if (!e) flint_abort();
  fmpq_mpoly_init(q, r->ctx);
  fmpq_init(lead);
  fmpq_init(c);
  fmpq_mpoly_get_term_coeff_fmpq(lead, p->p, 0, r->ctx);
  for (slong i = 0; i < n; i++) {
    fmpq_mpoly_get_term_exp_ui(e, p->p, i, r->ctx);
    for (slong k = 0; k < r->generators; k++) exponents[k] = i == 0 || e[k] < exponents[k] ? e[k] : exponents[k];
  }
  for (slong i = 0; i < n; i++) {
    fmpq_mpoly_get_term_exp_ui(e, p->p, i, r->ctx);
    fmpq_mpoly_get_term_coeff_fmpq(c, p->p, i, r->ctx);
    for (slong k = 0; k < r->generators; k++) e[k] -= exponents[k];
    if (!fmpq_is_zero(lead)) fmpq_div(c, c, lead);
    fmpq_mpoly_push_term_fmpq_ui(q, c, e, r->ctx);
  }
  fmpq_mpoly_sort_terms(q, r->ctx);
  fmpq_mpoly_combine_like_terms(q, r->ctx);
  fmpq_mpoly_swap(out->p, q, r->ctx);
  char *text = number_text(lead);
  fmpq_mpoly_clear(q, r->ctx);
  fmpq_clear(lead);
  fmpq_clear(c);
  free(e);
  return text;
}

static bool root(Ring *r, Poly *out, const Poly *p) { return fmpq_mpoly_sqrt(out->p, p->p, r->ctx) != 0; }

static char *print(const Ring *r, const Poly *p) { return fmpq_mpoly_get_str_pretty(p->p, NULL, r->ctx); }
static bool parse(Ring *r, Poly *out, const char *text) {
  return fmpq_mpoly_set_str_pretty(out->p, text, NULL, r->ctx) == 0;
}
static void text_free(char *text) { flint_free(text); }

static const RingApi api = {
    ring_version, ring_new, ring_free, poly_new, poly_free, set,   set_number, set_generator,
    add,          sub,      mul,       reduce,   length,    bits,  equal,      degree,
    degrees,      term,     split,     root,     print,     parse, text_free,
};

__attribute__((visibility("default"))) const RingApi *viva_exact_ring(void);
const RingApi *viva_exact_ring(void) { return &api; }
