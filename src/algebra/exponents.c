// Vectors of small rational numbers. See exponents.h.
#include "algebra/exponents.h"

#include "expr/modular.h"

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a < 0 ? -a : a;
}

void exponents_primitive(Arena *arena, Rat *v, uint32_t count, uint32_t columns) {
  int64_t den = 1, gcd = 0;
  for (uint32_t k = 0; k < count; k++) den = den / common_divisor(den, v[k].den) * v[k].den; // small: see modular.c
  for (uint32_t k = 0; k < count; k++) gcd = common_divisor(gcd, v[k].num * (den / v[k].den));
  Rat factor = gcd ? rat_make(arena, den, gcd) : RAT_ONE;
  for (uint32_t k = 0; k < columns; k++) v[k] = rat_mul(arena, v[k], factor);
}

uint32_t exponents_complement(Arena *arena, Rat *const *v, uint32_t vectors, uint32_t count, Rat **out) {
  ModularRelations r;
  uint64_t *row = arena_array(arena, count, sizeof *row);
  if (!row || !relations_open(&r, arena, count)) return 0;
  for (uint32_t i = 0; i < vectors; i++) {
    for (uint32_t k = 0; k < count; k++) {
      bool good;
      row[k] = rat_mod(v[i][k], MODULAR_PRIME, &good);
    }
    relations_add(&r, row);
  }
  return relations_solve(&r, arena, relation_small, out);
}

void exponents_whole(Arena *arena, Rat *e, uint32_t count) {
  Rat factor = RAT_ONE;
  int64_t sum = 0;
  for (uint32_t k = 0; k < count; k++) {
    Rat x = rat_mul(arena, e[k], factor);
    if (!rat_is_int(x) && !x.big) factor = rat_mul(arena, factor, rat_int(x.den));
    sum += rat_sign(e[k]);
  }
  if (sum < 0) factor = rat_neg(arena, factor);
  for (uint32_t k = 0; k < count; k++) e[k] = rat_mul(arena, e[k], factor);
}

static int64_t length(const Rat *e, uint32_t count) {
  int64_t sum = 0;
  for (uint32_t k = 0; k < count; k++) sum += e[k].num < 0 ? -e[k].num : e[k].num;
  return sum;
}

// Half the sum or difference of two vectors of whole numbers, where that is whole and no longer than the second: then
// it takes its place.
static bool halve(const Rat *a, Rat *b, uint32_t count, int sign) {
  int64_t sum = 0;
  for (uint32_t k = 0; k < count; k++) {
    int64_t x = a[k].num + sign * b[k].num;
    if (x % 2) return false;
    sum += x < 0 ? -x / 2 : x / 2;
  }
  if (sum > length(b, count)) return false;
  for (uint32_t k = 0; k < count; k++) b[k] = rat_int((a[k].num + sign * b[k].num) / 2);
  return true;
}

void exponents_shorten(Arena *arena, Rat *e, uint32_t vectors, uint32_t count) {
  for (uint32_t i = 0; i < vectors; i++) exponents_whole(arena, e + (size_t)i * count, count);
  for (int round = 0; round < 20; round++) {
    bool changed = false;
    for (uint32_t i = 0; i < vectors; i++) {
      for (uint32_t k = 0; k < vectors; k++) {
        Rat *a = e + (size_t)i * count, *b = e + (size_t)k * count;
        if (i != k) changed = halve(a, b, count, 1) || halve(a, b, count, -1) || changed;
      }
    }
    if (!changed) return;
  }
}

// b + sign a in the place of b, where that is shorter.
static bool add_shorter(const Rat *a, Rat *b, uint32_t count, int sign) {
  int64_t sum = 0;
  for (uint32_t k = 0; k < count; k++) {
    int64_t x = b[k].num + sign * a[k].num;
    sum += x < 0 ? -x : x;
  }
  if (sum >= length(b, count)) return false;
  for (uint32_t k = 0; k < count; k++) b[k] = rat_int(b[k].num + sign * a[k].num);
  return true;
}

void exponents_reduce(Arena *arena, Rat *e, uint32_t vectors, uint32_t count) {
  exponents_shorten(arena, e, vectors, count);
  for (bool changed = true; changed;) { // lengths fall, so it ends
    changed = false;
    for (uint32_t i = 0; i < vectors; i++) {
      for (uint32_t k = 0; k < vectors; k++) {
        Rat *a = e + (size_t)i * count, *b = e + (size_t)k * count;
        if (i != k) changed = add_shorter(a, b, count, 1) || add_shorter(a, b, count, -1) || changed;
      }
    }
  }
  for (uint32_t i = 0; i < vectors; i++) exponents_whole(arena, e + (size_t)i * count, count);
}
