// Values and generic ranks of expressions modulo p = 2^61 - 1.
//
// A rational expression that is not identically zero vanishes at a random point with a probability of about its degree
// over 2^61, so a rank found this way is the true one but for odds that never come up; it can only be too small, and a
// few points are tried.
//
// sin and cos of a sum of angles n1 a1/d + n2 a2/d + ...: each a/d has a random point (c, s) on the unit circle, c =
// (1 - u^2)/(1 + u^2), s = 2u/(1 + u^2); powers and products of (c + i s) give the rest.
#include "expr/modular.h"

#include "base/random.h"
#include "expr/prime.h"

#include <string.h>

static const uint64_t p = MODULAR_PRIME;

typedef struct Modular {
  ExprPool *pool;
  uint64_t seed;
  bool bad;     // divided by zero
  bool strict;  // square roots are true ones
  bool no_root; // one does not exist at this point
} Modular;

static uint64_t random_of(const Modular *m, uint64_t key) { return random_bits(m->seed, key) % (p - 1) + 1; }

typedef struct Circle {
  uint64_t c, s;
} Circle;

static Circle circle_mul(Circle a, Circle b) {
  return (Circle){prime_sub(prime_mul(a.c, b.c), prime_mul(a.s, b.s)),
                  prime_add(prime_mul(a.s, b.c), prime_mul(a.c, b.s))};
}

enum { parts_of_angle = 12 }; // halves, thirds, quarters, sixths of an angle are multiples of its twelfth

static Circle circle_of(Modular *m, ExprId atom, int64_t multiple) {
  uint64_t u = random_of(m, ((uint64_t)atom << 8) + 7), d = prime_add(1, prime_mul(u, u));
  if (d == 0) m->bad = true;
  uint64_t q = prime_inverse(d);
  Circle one = {prime_mul(prime_sub(1, prime_mul(u, u)), q), prime_mul(prime_add(u, u), q)}, r = {1, 0};
  if (multiple < 0) {
    one.s = prime_sub(0, one.s);
    multiple = -multiple;
  }
  for (; multiple; multiple >>= 1, one = circle_mul(one, one)) {
    if (multiple & 1) r = circle_mul(r, one);
  }
  return r;
}

// cos and sin of an argument; false when it is no sum of rational multiples with small denominators
static bool circle_at(Modular *m, ExprId argument, Circle *out) {
  ExprPool *pool = m->pool;
  uint32_t n = expr_term_count(pool, argument);
  *out = (Circle){1, 0};
  for (uint32_t i = 0; i < n; i++) {
    Term t = expr_term(pool, argument, i);
    Rat c = rat_mul(pool->arena, t.coef, expr_coef(pool, t.term));
    c = rat_mul(pool->arena, c, rat_int(parts_of_angle));
    int64_t k;
    if (!rat_to_int(c, &k) || k > 1000000 || k < -1000000) return false;
    // the product without its number names the angle
    ExprId atom = expr_op(pool, t.term) == op_mul
                      ? expr_scale(pool, rat_div(pool->arena, RAT_ONE, expr_coef(pool, t.term)), t.term)
                      : t.term;
    *out = circle_mul(*out, circle_of(m, atom, k));
  }
  return true;
}

// b^(half/2). The root that is a square itself: so roots of products are products of roots, and sqrt(x^2) = |x| is one
// of x and -x. Half of all numbers have none; then another point is tried.
static uint64_t root_power(Modular *m, uint64_t b, int64_t half) {
  uint64_t r = prime_power(b, (p + 1) / 4);
  if (prime_mul(r, r) != b) m->no_root = m->bad = true;
  if (half < 0 && b == 0) m->bad = true;
  return half < 0 ? prime_power(prime_inverse(r), (uint64_t)-half) : prime_power(r, (uint64_t)half);
}

static uint64_t product_mod(Modular *m, ExprId id, const uint64_t *value, const uint32_t *slot) {
  ExprPool *pool = m->pool;
  bool good = true;
  uint64_t r = rat_mod(expr_coef(pool, id), p, &good);
  if (!good) m->bad = true;
  uint32_t n = expr_factor_count(pool, id);
  for (uint32_t i = 0; i < n; i++) {
    Factor f = expr_factor(pool, id, i);
    Rat e;
    int64_t k;
    if (expr_number(pool, f.exponent, &e) && rat_to_int(e, &k)) {
      uint64_t b = value[slot[f.base]];
      if (k < 0 && b == 0) m->bad = true;
      r = prime_mul(r, k < 0 ? prime_power(prime_inverse(b), (uint64_t)-k) : prime_power(b, (uint64_t)k));
    } else if (m->strict && expr_number(pool, f.exponent, &e) && rat_to_int(rat_mul(pool->arena, e, rat_int(2)), &k)) {
      r = prime_mul(r, root_power(m, value[slot[f.base]], k));
    } else {
      // another root or a symbolic power: random, the same for the same base and exponent
      r = prime_mul(r, random_of(m, (uint64_t)f.base << 32 | f.exponent));
    }
  }
  return r;
}

static uint64_t value_mod(Modular *m, ExprId id, const uint64_t *value, const uint32_t *slot) {
  ExprPool *pool = m->pool;
  switch ((int)expr_op(pool, id)) {
  case op_num: {
    Rat r = RAT_ZERO;
    bool good = true;
    expr_number(pool, id, &r);
    uint64_t x = rat_mod(r, p, &good);
    if (!good) m->bad = true;
    return x;
  }
  case op_add: {
    uint64_t sum = 0;
    uint32_t n = expr_term_count(pool, id);
    for (uint32_t i = 0; i < n; i++) {
      Term t = expr_term(pool, id, i);
      bool good = true;
      sum = prime_add(sum, prime_mul(rat_mod(t.coef, p, &good), value[slot[t.term]]));
      if (!good) m->bad = true;
    }
    return sum;
  }
  case op_mul: return product_mod(m, id, value, slot);
  case op_sin:
  case op_cos: {
    Circle c;
    if (!circle_at(m, pool_args(pool, id)[0], &c)) break;
    return expr_op(pool, id) == op_sin ? c.s : c.c;
  }
  default: break;
  }
  return random_of(m, (uint64_t)id << 1 | 1);
}

static bool eval_mod(ExprPool *pool, const ExprId *roots, uint32_t count, uint64_t seed, bool strict, bool *no_root,
                     uint64_t *out) {
  uint32_t length;
  const ExprId *reached = pool_reach(pool, roots, count, NULL, NULL, &length);
  if (!reached) return false;
  ArenaMark mark = arena_mark(pool->scratch);
  ExprId *list = arena_array(pool->scratch, length, sizeof *list);
  uint64_t *value = arena_array(pool->scratch, length, sizeof *value);
  const uint32_t *slot = pool->slot;
  Modular m = {.pool = pool, .seed = seed, .bad = !list || !value, .strict = strict};
  if (list && length) memcpy(list, reached, length * sizeof *list);
  PoolMarks kept = pool_keep_marks(pool); // new nodes (atoms of angles) may make the pool's own marks move
  for (uint32_t i = 0; i < length && !m.bad; i++) value[i] = value_mod(&m, list[i], value, slot);
  for (uint32_t i = 0; i < count && !m.bad; i++) out[i] = value[slot[roots[i]]];
  pool_return_marks(pool, kept);
  arena_release(pool->scratch, mark);
  *no_root = m.no_root;
  return !m.bad;
}

bool expr_eval_mod(ExprPool *pool, const ExprId *roots, uint32_t count, uint64_t seed, uint64_t *out) {
  enum { tries = 40 };
  bool no_root = true;
  for (uint64_t i = 0; i < tries && no_root; i++) {
    if (eval_mod(pool, roots, count, seed + (i << 40), true, &no_root, out)) return true;
  }
  // too many roots for luck: they count as unrelated
  return no_root && eval_mod(pool, roots, count, seed, false, &no_root, out);
}

// Nothing but numbers, symbols, sums, sines, cosines, and products of powers with whole exponents that are not
// negative, or with halves of whole ones.
static bool made_of_powers(ExprPool *pool, ExprId id, bool whole) {
  uint32_t length;
  const ExprId *list = pool_reach(pool, &id, 1, NULL, NULL, &length);
  for (uint32_t i = 0; list && i < length; i++) {
    switch ((int)expr_op(pool, list[i])) {
    case op_num:
    case op_sym:
    case op_add:
    case op_sin:
    case op_cos: continue;
    case op_mul:
      for (uint32_t k = 0; k < expr_factor_count(pool, list[i]); k++) {
        Rat e;
        int64_t halves;
        if (!expr_number(pool, expr_factor(pool, list[i], k).exponent, &e) ||
            !rat_to_int(rat_mul(pool->arena, e, rat_int(2)), &halves))
          return false;
        if (whole && (halves < 0 || halves % 2)) return false;
      }
      continue;
    default: return false;
    }
  }
  return list != NULL;
}

bool expr_is_rational(ExprPool *pool, ExprId id) { return made_of_powers(pool, id, false); }
bool expr_is_polynomial(ExprPool *pool, ExprId id) { return made_of_powers(pool, id, true); }

// Elimination with symmetric pivots where possible, so that the pivots name a principal minor.
static int rank_of(uint64_t *a, uint32_t rows, uint32_t cols, uint32_t *pivots) {
  int rank = 0;
  uint32_t n = rows < cols ? rows : cols;
  // first the diagonal
  for (uint32_t k = 0; k < n; k++) {
    uint64_t d = a[k * cols + k];
    if (d == 0) continue;
    uint64_t q = prime_inverse(d);
    if (pivots) pivots[rank] = k;
    rank++;
    for (uint32_t i = 0; i < rows; i++) {
      if (i == k || a[i * cols + k] == 0) continue;
      uint64_t f = prime_mul(a[i * cols + k], q);
      for (uint32_t j = 0; j < cols; j++) a[i * cols + j] = prime_sub(a[i * cols + j], prime_mul(f, a[k * cols + j]));
    }
    for (uint32_t j = 0; j < cols; j++) a[k * cols + j] = 0;
    for (uint32_t i = 0; i < rows; i++) a[i * cols + k] = 0;
  }
  // what is left has a zero diagonal: pairs of rows and columns
  for (uint32_t i = 0; i < rows; i++) {
    for (uint32_t j = 0; j < cols; j++) {
      uint64_t d = a[i * cols + j];
      if (d == 0) continue;
      uint64_t q = prime_inverse(d);
      if (pivots) pivots[rank] = i;
      rank++;
      for (uint32_t r = 0; r < rows; r++) {
        if (r == i || a[r * cols + j] == 0) continue;
        uint64_t f = prime_mul(a[r * cols + j], q);
        for (uint32_t c = 0; c < cols; c++) a[r * cols + c] = prime_sub(a[r * cols + c], prime_mul(f, a[i * cols + c]));
      }
      for (uint32_t c = 0; c < cols; c++) a[i * cols + c] = 0;
      for (uint32_t r = 0; r < rows; r++) a[r * cols + j] = 0;
      break;
    }
  }
  return rank;
}

int expr_rank(ExprPool *pool, const ExprId *m, uint32_t rows, uint32_t cols, uint32_t *pivots) {
  enum { points = 3, tries = 12 };
  ArenaMark mark = arena_mark(pool->scratch);
  uint64_t *a = arena_array(pool->scratch, (size_t)rows * cols, sizeof *a);
  uint32_t *trial = arena_array(pool->scratch, (size_t)rows + cols + 1, sizeof *trial);
  int best = -1, done = 0;
  for (uint64_t seed = 1; a && trial && seed <= tries && done < points; seed++) {
    if (!expr_eval_mod(pool, m, rows * cols, seed * 1000003, a)) continue;
    done++;
    int rank = rank_of(a, rows, cols, trial);
    if (rank <= best) continue;
    best = rank;
    for (int i = 0; pivots && i < rank; i++) pivots[i] = trial[i];
  }
  arena_release(pool->scratch, mark);
  return best;
}

// A row of a staircase: its first entry is 1.
typedef struct Stair {
  uint32_t count, *column;
  uint64_t *value;
} Stair;

// Rows one after the other, each reduced by those before it until nothing stands above its first entry. -1: memory is
// out.
static int rank_of_rows(Arena *arena, const uint64_t *a, const uint32_t *start, const uint32_t *column, uint32_t n) {
  Stair *stairs = arena_array(arena, n, sizeof *stairs); // by first column
  uint64_t *row = arena_array(arena, n, sizeof *row);
  int rank = 0;
  if (!stairs || !row) return -1;
  for (uint32_t i = 0; i < n; i++) {
    if (start[i] == start[i + 1]) continue;
    uint32_t at = column[start[i]], last = column[start[i + 1] - 1];
    for (uint32_t k = start[i]; k < start[i + 1]; k++) row[column[k]] = a[k];
    for (; at <= last && (row[at] == 0 || stairs[at].count); at++) {
      const Stair *s = &stairs[at];
      uint64_t f = row[at];
      if (f == 0) continue;
      for (uint32_t k = 0; k < s->count; k++)
        row[s->column[k]] = prime_sub(row[s->column[k]], prime_mul(f, s->value[k]));
      if (s->column[s->count - 1] > last) last = s->column[s->count - 1];
    }
    if (at > last) continue;
    Stair *s = &stairs[at];
    s->column = arena_array(arena, last - at + 1, sizeof *s->column);
    s->value = arena_array(arena, last - at + 1, sizeof *s->value);
    if (!s->column || !s->value) return -1;
    uint64_t q = prime_inverse(row[at]);
    for (uint32_t j = at; j <= last; row[j++] = 0) {
      if (row[j] == 0) continue;
      s->column[s->count] = j;
      s->value[s->count++] = prime_mul(row[j], q);
    }
    rank++;
  }
  return rank;
}

int expr_rank_sparse(ExprPool *pool, const ExprId *values, const uint32_t *start, const uint32_t *column, uint32_t n) {
  enum { points = 3, tries = 12 };
  ArenaMark mark = arena_mark(pool->scratch);
  uint64_t *a = arena_array(pool->scratch, (size_t)start[n] + 1, sizeof *a);
  int best = -1, done = 0;
  for (uint64_t seed = 1; a && seed <= tries && done < points && best < (int)n; seed++) {
    if (!expr_eval_mod(pool, values, start[n], seed * 1000003, a)) continue;
    done++;
    ArenaMark own = arena_mark(pool->scratch);
    int rank = rank_of_rows(pool->scratch, a, start, column, n);
    arena_release(pool->scratch, own);
    best = rank > best ? rank : best;
  }
  arena_release(pool->scratch, mark);
  return best;
}

// Vectors one after the other, each reduced by those before it; the image of an independent one is queued.
int modular_krylov_rank(Arena *arena, uint32_t n, uint32_t m, const uint64_t *a, const uint64_t *b) {
  uint64_t *basis = arena_array(arena, (size_t)n * n, sizeof *basis),
           *queue = arena_array(arena, (size_t)(n + m) * n, sizeof *queue);
  uint32_t *lead = arena_array(arena, n, sizeof *lead), rank = 0, last = m;
  if (!basis || !queue || !lead) return -1;
  for (uint32_t c = 0; c < m; c++) {
    for (uint32_t i = 0; i < n; i++) queue[(size_t)c * n + i] = b[(size_t)i * m + c];
  }
  for (uint32_t at = 0; at < last && rank < n; at++) {
    const uint64_t *image = queue + (size_t)at * n;
    uint64_t *v = basis + (size_t)rank * n;
    for (uint32_t i = 0; i < n; i++) v[i] = image[i];
    for (uint32_t r = 0; r < rank; r++) {
      uint64_t f = v[lead[r]];
      for (uint32_t i = 0; i < n && f; i++) v[i] = prime_sub(v[i], prime_mul(f, basis[(size_t)r * n + i]));
    }
    uint32_t first = 0;
    while (first < n && v[first] == 0) first++;
    if (first == n) continue;
    uint64_t q = prime_inverse(v[first]);
    for (uint32_t i = 0; i < n; i++) v[i] = prime_mul(v[i], q);
    lead[rank++] = first;
    uint64_t *next = queue + (size_t)last++ * n;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) next[i] = prime_add(next[i], prime_mul(a[(size_t)i * n + j], image[j]));
    }
  }
  return (int)rank;
}

// ---- linear relations

// Rows are kept reduced: the pivot of each is 1 and alone in its column.
bool relations_add(ModularRelations *r, uint64_t *row) {
  uint32_t n = r->columns, at = 0;
  for (uint32_t k = 0; k < r->rank; k++) {
    uint64_t f = row[r->pivot[k]];
    for (uint32_t j = 0; f && j < n; j++) row[j] = prime_sub(row[j], prime_mul(f, r->rows[(size_t)k * n + j]));
  }
  while (at < n && row[at] == 0) at++;
  if (at == n || r->rank == n) return false;
  uint64_t q = prime_inverse(row[at]);
  for (uint32_t j = 0; j < n; j++) row[j] = prime_mul(row[j], q);
  for (uint32_t k = 0; k < r->rank; k++) {
    uint64_t *other = r->rows + (size_t)k * n, f = other[at];
    for (uint32_t j = 0; f && j < n; j++) other[j] = prime_sub(other[j], prime_mul(f, row[j]));
  }
  for (uint32_t j = 0; j < n; j++) r->rows[(size_t)r->rank * n + j] = row[j];
  r->pivot[r->rank++] = at;
  return true;
}

bool relations_open(ModularRelations *r, Arena *arena, uint32_t columns) {
  *r = (ModularRelations){.columns = columns};
  r->rows = arena_array(arena, (size_t)columns * columns, sizeof *r->rows);
  r->pivot = arena_array(arena, columns, sizeof *r->pivot);
  return r->rows && r->pivot;
}

bool relations_sample(ModularRelations *r, ExprPool *pool, Arena *arena, const ExprId *table, uint32_t rows) {
  enum { tries = 400, quiet_points = 4 };
  uint32_t n = r->columns, quiet = 0, points = 0;
  uint64_t *value = arena_array(arena, (size_t)rows * n, sizeof *value);
  for (uint64_t seed = 1; value && seed <= tries && quiet < quiet_points && r->rank < n; seed++) {
    if (!expr_eval_mod(pool, table, rows * n, seed * 7368787, value)) continue;
    bool grown = false;
    points++;
    for (uint32_t i = 0; i < rows; i++) grown = relations_add(r, value + (size_t)i * n) || grown;
    quiet = grown ? 0 : quiet + 1;
  }
  return points && (quiet == quiet_points || r->rank == n);
}

// A small fraction that is this number modulo p.
static Rat small_fraction(uint64_t x) {
  enum { most = 1000, dens = 60 };
  for (uint64_t d = 1, y = x; d <= dens; d++, y = prime_add(y, x)) {
    if (y <= most) return (Rat){(int64_t)y, (int64_t)d, NULL};
    if (p - y <= most) return (Rat){-(int64_t)(p - y), (int64_t)d, NULL};
  }
  return RAT_NONE;
}

// A fraction of larger numbers, by Euclid's algorithm: remainders r = s p + d x, the first that is small enough.
static Rat wide_fraction(uint64_t x) {
  enum { most = 1 << 26 }; // both numbers: of all residues one in 2^9 has such a fraction, the proof finds the rest
  int64_t r0 = (int64_t)p, r1 = (int64_t)x, d0 = 0, d1 = 1;
  while (r1 > most) {
    int64_t q = r0 / r1, r = r0 - q * r1, d = d0 - q * d1;
    r0 = r1, r1 = r, d0 = d1, d1 = d;
  }
  if (d1 < 0) r1 = -r1, d1 = -d1;
  return d1 > 0 && d1 <= most ? (Rat){r1, d1, NULL} : RAT_NONE;
}

uint32_t relations_solve(const ModularRelations *r, Arena *arena, RelationNumbers numbers, Rat **out) {
  uint32_t n = r->columns, count = 0;
  *out = arena_array(arena, (size_t)(n - r->rank) * n, sizeof **out);
  bool *bound = arena_array(arena, n, sizeof *bound);
  if (!*out || !bound) return 0;
  for (uint32_t k = 0; k < r->rank; k++) bound[r->pivot[k]] = true;
  for (uint32_t c = 0; c < n; c++) {
    if (bound[c]) continue;
    Rat *v = *out + (size_t)count * n;
    bool good = true;
    for (uint32_t j = 0; j < n; j++) v[j] = RAT_ZERO;
    v[c] = RAT_ONE;
    for (uint32_t k = 0; k < r->rank && good; k++) {
      uint64_t x = prime_sub(0, r->rows[(size_t)k * n + c]);
      v[r->pivot[k]] = numbers == relation_small ? small_fraction(x) : wide_fraction(x);
      good = rat_valid(v[r->pivot[k]]);
    }
    count += good;
  }
  return count;
}
