// Common factors and factors of polynomials, by the helper program: a gcd may take for ever, and a process of its own
// can be ended.
//
// in    fractions num/den of polynomials
// out   num/den without a common factor; canonical: sines and square roots gone from below, and leading coefficient 1
//       there; a polynomial as a product of its factors
//
// A request is the number of generators, then lines: a word (cancel, factor, quotient, member) and polynomials as text.
// An answer is a line, the word first, its fields parted by tabs. What was asked for in advance (normal_quotients)
// waits in n->answers.
#include "expr/generators.h"

#include "base/text.h"

#include <string.h>

// The fields of an answer, parted by tabs.
static char *next_field(char **at) {
  char *field = *at, *tab = strpbrk(field, "\t\n");
  if (tab) *tab++ = '\0';
  *at = tab ? tab : field + strlen(field);
  return field;
}

static void put_poly(Normal *n, const Poly *p, Text *out) {
  char *text = normal_ask(n, p) ? n->api->print(n->ring, p) : NULL;
  if (!text) return;
  text_put(out, text);
  text_putc(out, '\n');
  n->api->text_free(text);
}

static char *ask(Normal *n, const char *what, const Poly *a, const Poly *b) {
  Text request = text_in(n->arena);
  text_printf(&request, "%u\n", n->gens.count ? n->gens.count : 1);
  size_t start = request.length;
  text_printf(&request, "%s\n", what);
  put_poly(n, a, &request);
  if (b) put_poly(n, b, &request);
  if (arena_failed(n->lasting)) return NULL;
  const char *why = NULL, *answer = NULL;
  for (uint32_t i = 0; i < n->answers.count && !answer; i++) {
    if (strcmp(n->answers.items[i].question, text_str(&request) + start) == 0) answer = n->answers.items[i].answer;
  }
  if (!answer) answer = exact_helper(n->arena, text_str(&request), &why);
  if (!answer) n->why = why;
  char *copy = answer ? arena_strndup(n->arena, answer, strlen(answer)) : NULL;
  if (!copy || strcmp(next_field(&copy), what) != 0) return NULL;
  return copy;
}

void normal_quotients(Normal *n, Poly *const *num, uint32_t count, const Poly *den) {
  Text request = text_in(n->arena), below = text_in(n->arena);
  text_printf(&request, "%u\n", n->gens.count ? n->gens.count : 1);
  put_poly(n, den, &below);
  for (uint32_t i = 0; i < count; i++) {
    if (n->api->length(n->ring, num[i]) == 0) continue;
    text_put(&request, "quotient\n");
    put_poly(n, num[i], &request);
    text_put(&request, text_str(&below));
  }
  if (arena_failed(n->lasting)) return;
  const char *why = NULL, *answer = exact_helper(n->arena, text_str(&request), &why);
  for (uint32_t i = 0; i < count && answer; i++) {
    if (n->api->length(n->ring, num[i]) == 0) continue;
    // two lines: what was cancelled, and the denominator in factors
    const char *first = answer, *end = strchr(first, '\n'), *second = end ? end + 1 : NULL,
               *last = second ? strchr(second, '\n') : NULL;
    const char *left = end; // where the denominator starts
    while (left && left > first && left[-1] != '\t') left--;
    if (!last || strncmp(first, "cancel\t", 7) != 0 || left == first) return;
    Text question = text_in(n->arena);
    text_put(&question, "cancel\n");
    put_poly(n, num[i], &question);
    text_put(&question, text_str(&below));
    vec_push(n->arena, &n->answers,
             (Answer){text_str(&question), arena_strndup(n->arena, first, (size_t)(end - first) + 1)});
    const char *factor = arena_printf(n->arena, "factor\n%.*s\n", (int)(end - left), left);
    if (!factor) return;
    vec_push(n->arena, &n->answers, (Answer){factor, arena_strndup(n->arena, second, (size_t)(last - second) + 1)});
    answer = last + 1;
  }
}

// out *= the generators to these powers, each less `less` (NULL: nothing).
static bool mul_monomial(Normal *n, Poly *out, const uint64_t *powers, const uint64_t *less) {
  Poly *factor = n->api->poly_new(n->ring);
  for (uint32_t k = 0; factor && k < n->gens.count; k++) {
    uint64_t power = powers[k] - (less ? less[k] : 0);
    if (!power) continue;
    n->api->set_generator(n->ring, factor, k, (uint32_t)power);
    n->api->mul(n->ring, out, out, factor);
  }
  return factor != NULL;
}

// A denominator of one term has nothing in common with the numerator but generators: nobody needs to be asked.
static bool cancel_monomial(Normal *n, Poly **num, Poly **den) {
  uint32_t count = n->gens.count ? n->gens.count : 1;
  uint64_t *above = arena_array(n->arena, count, sizeof *above), *below = arena_array(n->arena, count, sizeof *below),
           *common = arena_array(n->arena, count, sizeof *common);
  Poly *a = n->api->poly_new(n->ring), *b = n->api->poly_new(n->ring), *number = n->api->poly_new(n->ring);
  if (!above || !below || !common || !a || !b || !number) return false;
  char *first = n->api->split(n->ring, a, *num, above), *second = n->api->split(n->ring, b, *den, below);
  bool ok = first && second && n->api->set_number(n->ring, number, first) && n->api->set_number(n->ring, b, second);
  n->api->text_free(first);
  n->api->text_free(second);
  if (!ok) return false;
  for (uint32_t k = 0; k < n->gens.count; k++) common[k] = above[k] < below[k] ? above[k] : below[k];
  n->api->mul(n->ring, a, a, number);
  *num = a;
  *den = b;
  return mul_monomial(n, a, above, common) && mul_monomial(n, b, below, common);
}

static bool cancel(Normal *n, Poly **num, Poly **den) {
  if (n->api->length(n->ring, *num) == 0) return n->api->set_number(n->ring, *den, "1");
  if (n->api->length(n->ring, *den) == 1) return cancel_monomial(n, num, den);
  char *answer = ask(n, "cancel", *num, *den);
  Poly *a = n->api->poly_new(n->ring), *b = n->api->poly_new(n->ring);
  if (!answer || !a || !b) return false;
  const char *first = next_field(&answer), *second = next_field(&answer);
  if (!exact_ask(n->lasting, &n->pool->algebra_asked, 8 * (strlen(first) + strlen(second)))) return false;
  if (!n->api->parse(n->ring, a, first) || !n->api->parse(n->ring, b, second) || n->api->length(n->ring, b) == 0)
    return false;
  *num = a;
  *den = b;
  return true;
}

bool frac_cancel(Normal *n, Frac f, Poly **num, Poly **den) {
  *num = f.num;
  *den = normal_den(n, f);
  return *num && *den && cancel(n, num, den);
}

// p with -g in the place of the generator g
static Poly *conjugate(Normal *n, const Poly *p, uint32_t g) {
  Poly *out = n->api->poly_new(n->ring), *term = n->api->poly_new(n->ring), *factor = n->api->poly_new(n->ring);
  if (!out || !term || !factor) return NULL;
  for (size_t i = 0; i < n->api->length(n->ring, p); i++) {
    char *text = n->api->term(n->ring, p, i, n->exps);
    n->api->set_number(n->ring, term, text);
    n->api->text_free(text);
    for (uint32_t k = 0; k < n->gens.count; k++) {
      if (!n->exps[k]) continue;
      n->api->set_generator(n->ring, factor, k, (uint32_t)n->exps[k]);
      n->api->mul(n->ring, term, term, factor);
    }
    if (n->exps[g] % 2) n->api->sub(n->ring, out, out, term);
    else n->api->add(n->ring, out, out, term);
  }
  return out;
}

bool frac_canonical(Normal *n, Frac f, Poly **num, Poly **den) {
  *num = f.num;
  *den = normal_den(n, f);
  // sines and square roots leave the denominator: (A + B s)(A - B s) = A^2 - B^2 s^2
  for (uint32_t g = n->gens.count; g-- > 0 && *num && *den;) {
    if (n->gens.items[g].power != 2 || !n->gens.items[g].value || n->api->degree(n->ring, *den, g) == 0) continue;
    Poly *other = conjugate(n, *den, g), *below = normal_mul(n, *den, other);
    if (!below || n->api->length(n->ring, below) == 0) return false;
    *num = normal_mul(n, *num, other);
    *den = below;
    g = n->gens.count; // an older generator may have come in
  }
  if (!*num || !*den || !cancel(n, num, den)) return false;
  // leading coefficient 1 below
  Poly *scale = n->api->poly_new(n->ring);
  if (!scale) return false;
  char *lead = n->api->term(n->ring, *den, 0, n->exps);
  Rat inverse = rat_div(n->arena, RAT_ONE, ring_number(n->arena, lead));
  n->api->text_free(lead);
  const char *text = rat_print(n->arena, inverse, false);
  if (!text || !n->api->set_number(n->ring, scale, text)) return false;
  *num = normal_mul(n, *num, scale);
  *den = normal_mul(n, *den, scale);
  return *num && *den;
}

// The generators of one term.
static ExprId factored_term(Normal *n, const Poly *p) {
  VEC(Factor) factors = {0};
  Poly *base = n->api->poly_new(n->ring);
  uint64_t *powers = arena_array(n->arena, (size_t)n->gens.count + 1, sizeof *powers);
  if (!base || !powers) return 0;
  char *text = n->api->term(n->ring, p, 0, powers);
  Rat constant = ring_number(n->pool->arena, text);
  n->api->text_free(text);
  for (uint32_t k = 0; k < n->gens.count; k++) {
    if (!powers[k]) continue;
    n->api->set_generator(n->ring, base, k, 1);
    vec_push(n->arena, &factors, (Factor){poly_reading(n, base), expr_int(n->pool, (int64_t)powers[k])});
  }
  return expr_product(n->pool, constant, factors.items, factors.count);
}

ExprId poly_factored(Normal *n, const Poly *p) {
  ExprPool *pool = n->pool;
  if (!p) return 0; // out of memory before
  if (n->api->length(n->ring, p) == 0) return pool->zero;
  if (n->api->length(n->ring, p) == 1) return factored_term(n, p);
  const char *why = n->why;
  char *answer = ask(n, "factor", p, NULL);
  n->why = why;
  if (!answer) return 0;
  Rat constant = ring_number(pool->arena, next_field(&answer));
  VEC(Factor) factors = {0};
  Poly *base = n->api->poly_new(n->ring);
  if (!base) return 0;
  while (*answer) {
    const char *text = next_field(&answer), *exponent = next_field(&answer);
    if (!exact_ask(n->lasting, &pool->algebra_asked, 8 * strlen(text)) || !n->api->parse(n->ring, base, text)) return 0;
    int64_t k = 0;
    for (const char *s = exponent; *s >= '0' && *s <= '9'; s++) k = 10 * k + (*s - '0');
    vec_push(n->arena, &factors, (Factor){poly_reading(n, base), expr_int(pool, k)});
  }
  return expr_product(pool, constant, factors.items, factors.count);
}

// ---- ideals

// gen^power - value for each generator that has such a relation; how many.
static uint32_t put_relations(Normal *n, Text *out) {
  uint32_t count = 0;
  Poly *p = n->api->poly_new(n->ring);
  for (uint32_t i = 0; p && i < n->gens.count; i++) {
    const Gen *g = &n->gens.items[i];
    if (!g->power || !g->value) continue;
    n->api->set_generator(n->ring, p, i, g->power);
    n->api->sub(n->ring, p, p, g->value);
    put_poly(n, p, out);
    count++;
  }
  return count;
}

// sum q_k g_k = p, with q_k from the answer?
static bool is_combination(Normal *n, Poly *const *g, uint32_t count, const Poly *p, char *answer) {
  Poly *left = n->api->poly_new(n->ring), *q = n->api->poly_new(n->ring);
  if (!left || !q) return false;
  n->api->set(n->ring, left, p);
  for (uint32_t k = 0; k < count; k++) {
    const char *field = next_field(&answer);
    if (!*field || !exact_ask(n->lasting, &n->pool->algebra_asked, 8 * strlen(field))) return false;
    Poly *product = n->api->parse(n->ring, q, field) ? normal_mul(n, q, g[k]) : NULL;
    left = product ? normal_sub(n, left, product) : NULL;
    if (!left) return false;
  }
  return n->api->length(n->ring, left) == 0;
}

bool normal_member(Normal *n, Poly *const *g, uint32_t count, const Poly *p) {
  if (n->api->length(n->ring, p) == 0) return true;
  Text relations = text_in(n->arena), request = text_in(n->arena);
  uint32_t all = count + put_relations(n, &relations);
  if (!count || all > normal_most_members) return false;
  text_printf(&request, "%u\nmember\n%u\n%u\n", n->gens.count ? n->gens.count : 1, all, count);
  for (uint32_t k = 0; k < count; k++) put_poly(n, g[k], &request);
  text_put(&request, text_str(&relations));
  put_poly(n, p, &request);
  if (arena_failed(n->lasting)) return false;
  const char *answer = exact_helper(n->arena, text_str(&request), &n->why);
  char *copy = answer ? arena_strndup(n->arena, answer, strlen(answer)) : NULL;
  return copy && strcmp(next_field(&copy), "member") == 0 && is_combination(n, g, count, p, copy);
}
