// Natural numbers against GMP's own integers, and no allocation of GMP on the way.
#include "tests/support.h"

#include "expr/natural.h"
#include "expr/rational.h"

#include <gmp.h>

static uint64_t seed = 20261116;
static uint64_t any(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  uint64_t x = seed;
  x ^= x >> 33;
  x *= 0xFF51AFD7ED558CCDu;
  return x ^ x >> 33;
}

// Numbers of all lengths, many of them with long runs of zeros and ones, where carries and estimates go wrong.
static void some(Natural *out, size_t most) {
  size_t size = any() % 4 == 0 ? any() % 4 : any() % (most + 1);
  unsigned kind = (unsigned)(any() % 4);
  for (size_t i = 0; i < size; i++)
    out->limb[i] = kind == 0                ? UINT64_MAX
                   : kind == 1              ? 0
                   : kind == 2 && any() % 2 ? (any() % 2 ? 0 : UINT64_MAX)
                                            : any();
  if (size && kind == 1) out->limb[size - 1] = (uint64_t)1 << any() % 64;
  if (size && any() % 3 == 0) out->limb[0] += any() % 3 - 1;
  while (size && out->limb[size - 1] == 0) size--;
  out->size = size;
}

static void same(const Natural *a, mpz_srcptr b) {
  assert_int_equal(a->size, mpz_size(b));
  if (a->size) assert_memory_equal(a->limb, mpz_limbs_read(b), a->size * sizeof *a->limb);
}

static mpz_srcptr as_mpz(mpz_ptr z, const Natural *a) { return mpz_roinit_n(z, a->limb, (mp_size_t)a->size); }

static void arithmetic_is_that_of_gmp(void **state) {
  (void)state;
  static Natural a, b, q, r, g;
  mpz_t x, y, u, v;
  mpz_inits(u, v, NULL);
  for (int i = 0; i < 20000; i++) {
    some(&a, i % 50 == 0 ? 500 : 20);
    some(&b, i % 50 == 0 ? 500 : 20);
    as_mpz(x, &a);
    as_mpz(y, &b);
    Limbs A = natural_limbs(&a), B = natural_limbs(&b);
    assert_int_equal(natural_compare(A, B), (mpz_cmp(x, y) > 0) - (mpz_cmp(x, y) < 0));
    assert_true(natural_add(&q, A, B));
    mpz_add(u, x, y);
    same(&q, u);
    assert_true(natural_mul(&q, A, B));
    mpz_mul(u, x, y);
    same(&q, u);
    assert_true(natural_gcd(&g, A, B));
    mpz_gcd(u, x, y);
    same(&g, u);
    if (natural_compare(A, B) >= 0) {
      natural_sub(&q, A, B);
      mpz_sub(u, x, y);
      same(&q, u);
    }
    size_t bits = any() % 300;
    assert_true(natural_shift_up(&q, A, bits));
    mpz_mul_2exp(u, x, bits);
    same(&q, u);
    natural_shift_down(&q, A, bits);
    mpz_fdiv_q_2exp(u, x, bits);
    same(&q, u);
    if (!B.size) continue;
    assert_true(natural_divide(&q, &r, A, B));
    mpz_tdiv_qr(u, v, x, y);
    same(&q, u);
    same(&r, v);
    assert_true(natural_divide(NULL, &r, A, B));
    same(&r, v);
    assert_int_equal(natural_mod(A, B.limb[0] | 1), mpz_fdiv_ui(x, B.limb[0] | 1));
  }
  mpz_clears(u, v, NULL);
}

// Common divisors of numbers that have one: random pairs have hardly any.
static void common_divisors_are_found(void **state) {
  (void)state;
  static Natural a, b, c, x, y, g;
  mpz_t u, v, w;
  mpz_init(w);
  for (int i = 0; i < 3000; i++) {
    some(&a, 30);
    some(&b, 30);
    some(&c, 30);
    natural_mul(&x, natural_limbs(&a), natural_limbs(&c));
    natural_mul(&y, natural_limbs(&b), natural_limbs(&c));
    assert_true(natural_gcd(&g, natural_limbs(&x), natural_limbs(&y)));
    mpz_gcd(w, as_mpz(u, &x), as_mpz(v, &y));
    same(&g, w);
  }
  mpz_clear(w);
}

static void powers_and_roots_are_exact(void **state) {
  (void)state;
  static Natural a, p, r;
  mpz_t x, u;
  mpz_init(u);
  uint64_t one = 1;
  for (int i = 0; i < 600; i++) {
    unsigned k = 2 + (unsigned)(any() % 7);
    some(&a, i % 40 == 0 ? 60 : 4);
    assert_true(natural_pow(&p, natural_limbs(&a), k));
    mpz_pow_ui(u, as_mpz(x, &a), k);
    same(&p, u);
    assert_true(natural_root(&r, natural_limbs(&p), k));
    assert_int_equal(natural_compare(natural_limbs(&r), natural_limbs(&a)), 0);
    if (natural_is(natural_limbs(&a), 0)) continue;
    assert_true(natural_add(&p, natural_limbs(&p), (Limbs){&one, 1}));
    assert_false(natural_root(&r, natural_limbs(&p), k)); // one more is no power
  }
  mpz_clear(u);
}

static void digits_come_back(void **state) {
  (void)state;
  static Natural a, b;
  mpz_t x;
  for (int i = 0; i < 500; i++) {
    some(&a, i % 50 == 0 ? 500 : 8);
    char *text = malloc(natural_text_room(natural_limbs(&a))), *other = mpz_get_str(NULL, 10, as_mpz(x, &a));
    natural_digits(natural_limbs(&a), text);
    assert_string_equal(text, other);
    assert_true(natural_read(&b, text, strlen(text)));
    assert_int_equal(natural_compare(natural_limbs(&a), natural_limbs(&b)), 0);
    free(text);
    free(other);
  }
}

static void what_has_no_room_is_refused(void **state) {
  (void)state;
  static Natural a, b;
  natural_set_word(&a, 1);
  assert_true(natural_shift_up(&a, natural_limbs(&a), 64 * (natural_room - 2)));
  assert_false(natural_mul(&b, natural_limbs(&a), natural_limbs(&a)));
  assert_false(natural_shift_up(&b, natural_limbs(&a), 200));
  assert_false(natural_pow(&b, natural_limbs(&a), 3));
}

// ---- rational numbers up to their limit, while GMP may not allocate

static void *refused(size_t size) {
  (void)size;
  fail_msg("GMP allocated memory of its own");
  return NULL;
}
static void *refused_again(void *old, size_t was, size_t size) {
  (void)old, (void)was;
  return refused(size);
}
static void freed(void *p, size_t size) { (void)p, (void)size; }

static Rat quotient(Arena *arena, size_t limbs) { // numerator and denominator together fill the limit
  Rat n = rat_add(arena, rat_pow(arena, rat_int(3), (int64_t)(limbs * 20)), rat_int((int64_t)(any() % 1000)));
  Rat d = rat_add(arena, rat_pow(arena, rat_int(7), (int64_t)(limbs * 11)), rat_int((int64_t)(any() % 1000)));
  return rat_div(arena, n, d);
}

static void rational_numbers_take_no_memory_of_gmp(void **state) {
  (void)state;
  Arena *arena = arena_new();
  mp_set_memory_functions(refused, refused_again, freed);
  for (size_t limbs = 1; limbs <= 125; limbs += 31) {
    Rat a = quotient(arena, limbs), b = quotient(arena, limbs + 1);
    assert_true(rat_valid(a) && rat_valid(b));
    Rat sum = rat_add(arena, a, b);
    assert_true(rat_equal(rat_add(arena, sum, rat_neg(arena, b)), a));
    Rat product = rat_mul(arena, a, b);
    assert_true(rat_equal(rat_div(arena, product, b), a));
    assert_true(rat_compare(sum, a) > 0 && rat_compare(rat_floor(arena, a), a) <= 0);
    assert_true(rat_equal(rat_root(arena, rat_mul(arena, a, a), 2), a));
    Rat rounded = rat_round(arena, a, 12);
    assert_true(fabs(rat_to_double(rounded) / rat_to_double(a) - 1) < 1e-11 || !isfinite(rat_to_double(a)));
    char *text = rat_print(arena, a, false);
    assert_non_null(text);
    bool good = true;
    rat_mod(a, 2305843009213693951u, &good);
  }
  // beyond the limit there is no number, and no end of the process
  Rat most = rat_pow(arena, rat_int(2), 5000);
  assert_true(rat_valid(most));
  for (int i = 0; i < 4 && rat_valid(most); i++) most = rat_mul(arena, most, most);
  assert_false(rat_valid(most));
  mp_set_memory_functions(NULL, NULL, NULL);
  arena_free(arena);
}

// The guard above can fail: GMP's own rationals run into it.
static size_t asked;
static void *counted(size_t size) {
  asked++;
  return malloc(size);
}
static void *counted_again(void *old, size_t was, size_t size) {
  (void)was;
  asked++;
  return realloc(old, size);
}
static void counted_free(void *p, size_t size) {
  (void)size;
  free(p);
}

static void the_guard_sees_allocations(void **state) {
  (void)state;
  mp_set_memory_functions(counted, counted_again, counted_free);
  mpq_t q;
  mpq_init(q);
  mpq_set_ui(q, 3, 7);
  mpq_mul(q, q, q);
  mpq_clear(q);
  mp_set_memory_functions(NULL, NULL, NULL);
  assert_true(asked > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic_is_that_of_gmp),   cmocka_unit_test(common_divisors_are_found),
      cmocka_unit_test(powers_and_roots_are_exact),  cmocka_unit_test(digits_come_back),
      cmocka_unit_test(what_has_no_room_is_refused), cmocka_unit_test(rational_numbers_take_no_memory_of_gmp),
      cmocka_unit_test(the_guard_sees_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
