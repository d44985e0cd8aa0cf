// Routh's table.
//
//   row k + 1, entry j:   (r_k[0] r_(k-1)[j + 1] - r_(k-1)[0] r_k[j + 1]) / r_k[0]
//
// A zero that stands first in a row that has others is taken for a small positive number e: here 10^-60, exactly, so
// signs are those for every small e; what is shown of an entry is its leading power of e. A row of zeros means zeros of
// the polynomial that lie symmetric to zero: the row above is a polynomial that has them, and its derivative goes on.
#include "analyze/routh.h"

#include "linear/hurwitz.h"

#include <math.h>
#include <string.h>

enum { small_digits = 60 };

static Rat small(Arena *arena) { return rat_pow(arena, rat_make(arena, 1, 10), small_digits); }

static bool is_zero_row(const RouthRow *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    if (!rat_is_zero(r->entries[i])) return false;
  }
  return true;
}

// The row below two others; shorter ones go on with zeros.
static void next_row(Arena *arena, const RouthRow *above, const RouthRow *row, RouthRow *out) {
  for (uint32_t j = 0; j < out->count; j++) {
    Rat a = j + 1 < above->count ? above->entries[j + 1] : RAT_ZERO,
        b = j + 1 < row->count ? row->entries[j + 1] : RAT_ZERO;
    Rat x = rat_mul(arena, row->entries[0], a), y = rat_neg(arena, rat_mul(arena, above->entries[0], b));
    out->entries[j] = rat_div(arena, rat_add(arena, x, y), row->entries[0]);
  }
}

// What is done where the table would stop.
static void mend(Arena *arena, const RouthRow *above, RouthRow *row, Routh *out) {
  if (row->count == 0) return;
  if (is_zero_row(row)) {
    row->special = routh_auxiliary;
    if (!out->auxiliary) out->auxiliary = above->power;
    for (uint32_t j = 0; j < row->count; j++)
      row->entries[j] = rat_mul(arena, above->entries[j], rat_int((int64_t)above->power - 2 * (int64_t)j));
    return;
  }
  if (!rat_is_zero(row->entries[0])) return;
  row->special = routh_epsilon;
  out->uses_epsilon = true;
  row->entries[0] = small(arena);
}

bool routh_table(Arena *arena, const Rat *c, uint32_t degree, Routh *out) {
  *out = (Routh){.degree = degree};
  out->rows = arena_array(arena, (size_t)degree + 2, sizeof *out->rows);
  if (!out->rows) return false;
  for (uint32_t k = 0; k <= degree; k++) {
    RouthRow *r = &out->rows[k];
    r->power = degree - k;
    r->count = (degree - k) / 2 + 1;
    r->entries = arena_array(arena, (size_t)r->count + 1, sizeof *r->entries);
    if (!r->entries) return false;
    for (uint32_t j = 0; j < r->count; j++) {
      uint32_t power = degree - k - 2 * j;
      r->entries[j] = k < 2 ? c[power] : RAT_ZERO;
    }
    if (k >= 2) next_row(arena, r - 2, r - 1, r);
    if (k >= 1) mend(arena, r - 1, r, out);
    for (uint32_t j = 0; j < r->count; j++) {
      if (!rat_valid(r->entries[j])) {
        out->why = "the numbers grow too large";
        return !arena_failed(arena);
      }
    }
    if (k && (rat_sign(r->entries[0]) > 0) != (rat_sign(r[-1].entries[0]) > 0)) out->changes++;
  }
  return !arena_failed(arena);
}

const char *routh_entry(Arena *arena, Rat x) {
  if (rat_is_zero(x)) return "0";
  double size = rat_to_double(x);
  // the power of e, from the size: numbers of a model lie between 10^-20 and 10^20
  int power = 0;
  Rat e = small(arena);
  while (fabs(size) > 1e30 && power > -8) x = rat_mul(arena, x, e), size = rat_to_double(x), power--;
  while (fabs(size) < 1e-30 && power < 8) x = rat_div(arena, x, e), size = rat_to_double(x), power++;
  if (power == 0) return arena_printf(arena, "%.6g", size);
  const char *sign = size < 0 ? "-" : "";
  size = fabs(size);
  bool one = fabs(size - 1) < 1e-15;
  if (power == 1) return one ? arena_printf(arena, "%se", sign) : arena_printf(arena, "%s%.6g e", sign, size);
  if (power == -1) return arena_printf(arena, "%s%.6g/e", sign, size);
  return arena_printf(arena, "%s%.6g e^%d", sign, size, power);
}

const Rat *routh_polynomial(Arena *arena, const Rat *a, uint32_t n) {
  HalfPlanes planes;
  if (n == 0 || n > hurwitz_most || !hurwitz_count(arena, a, n, &planes)) return NULL;
  return planes.characteristic;
}
