// Linear conserved quantities by elimination over the terms of all rates. See conserved.h.
//
// A term that stands in one rate alone takes its component out (c_e = 0), which may leave other terms alone: in most
// models nothing is left after that, in time that goes with the terms. What is left is eliminated by sparse rows, a row
// a term, while that is little work.
#include "sim/conserved.h"

#include "expr/calculus.h"

#include <math.h>
#include <string.h>

enum {
  most_components = 2000, // of a model that is looked at
  most_terms = 200,       // of a rate that is multiplied out
  most_all = 10000,       // terms of all rates as they stand
  most_left = 300,        // components that are eliminated
  most_work = 50000,      // entries of rows that this takes
  most_sums = 20,         // that are kept
  most_shown = 6          // terms of a sum in a message
};
static const double most_factor = 1e9;

typedef struct Entry {
  uint32_t at; // the component
  Rat factor;
} Entry;
typedef VEC(Entry) Row;
typedef VEC(uint32_t) PlaceList;

typedef struct SumFinder {
  System *s;
  Arena *arena; // of the search
  uint32_t n, term_count;
  bool *out;        // by component: c_e = 0
  Row *rows;        // by term
  PlaceList *terms; // by component
  uint32_t *left;   // by term: components that are not out
  Row *pivots;      // by component: the row that begins with it, with factor 1; empty: it is free
  uint32_t work;
} SumFinder;

// ---- terms

// The rates, with what defines their symbols.
static ExprId *rates_of(SumFinder *w) {
  const System *s = w->s;
  ExprId *of = arena_array(w->arena, s->pool->symbols.count, sizeof *of); // by symbol
  ExprId *f = arena_array(w->arena, (size_t)w->n + 1, sizeof *f);
  for (uint32_t i = 0; of && i < s->definitions.count; i++)
    of[s->definitions.items[i].symbol] = s->definitions.items[i].value;
  for (uint32_t e = 0; of && f && e < w->n; e++) {
    f[e] = s->y.items[e].rate;
    SymbolId symbol = f[e] ? expr_symbol(s->pool, f[e]) : 0;
    if (symbol && of[symbol]) f[e] = of[symbol];
  }
  return of ? f : NULL;
}

// The terms of all rates, and where those of each end. What keeps its value by itself is out.
static bool collect_terms(SumFinder *w, TermList *list, uint32_t *end) {
  ExprPool *pool = w->s->pool;
  const ExprId *rates = rates_of(w);
  uint32_t all = 0;
  for (uint32_t e = 0; rates && e < w->n; e++) all += rates[e] ? expr_term_count(pool, rates[e]) : 0;
  for (uint32_t e = 0; rates && e < w->n; e++) {
    ExprId f = all > most_all || !rates[e] ? pool->zero : expr_expand(pool, rates[e], most_terms);
    w->out[e] = w->out[e] || !f || expr_is_zero(pool, f);
    for (uint32_t i = 0; !w->out[e] && i < expr_term_count(pool, f); i++) {
      Term t = expr_term(pool, f, i);
      Rat number = expr_coef(pool, t.term);
      if (expr_op(pool, f) != op_add && !rat_is_int_value(number, 1))
        t = (Term){number, expr_scale(pool, rat_div(pool->arena, RAT_ONE, number), t.term)};
      if (!t.term || !vec_push(w->arena, list, t)) return false;
    }
    end[e] = list->count;
  }
  return rates != NULL;
}

static bool list_terms(SumFinder *w) {
  TermList list = {0};
  uint32_t *end = arena_array(w->arena, (size_t)w->n + 1, sizeof *end);
  if (!end || !collect_terms(w, &list, end)) return false;
  uint32_t *index = arena_array(w->arena, w->s->pool->nodes.count, sizeof *index); // by expression, plus one
  w->rows = arena_array(w->arena, (size_t)list.count + 1, sizeof *w->rows);
  w->left = arena_array(w->arena, (size_t)list.count + 1, sizeof *w->left);
  if (!index || !w->rows || !w->left) return false;
  for (uint32_t e = 0, i = 0; e < w->n; e++) {
    for (; i < end[e]; i++) {
      uint32_t *at = &index[list.items[i].term];
      if (!*at) *at = ++w->term_count;
      vec_push(w->arena, &w->rows[*at - 1], (Entry){e, list.items[i].coef});
      vec_push(w->arena, &w->terms[e], *at - 1);
      w->left[*at - 1]++;
    }
  }
  return !arena_failed(w->arena);
}

// Components out until each term stands in two rates at least. Returns how many are left.
static uint32_t drop_lonely(SumFinder *w) {
  PlaceList lonely = {0};
  uint32_t count = 0;
  for (uint32_t k = 0; k < w->term_count; k++) {
    if (w->left[k] == 1) vec_push(w->arena, &lonely, k);
  }
  for (uint32_t i = 0; i < lonely.count; i++) {
    const Row *row = &w->rows[lonely.items[i]];
    uint32_t e = 0;
    for (uint32_t j = 0; j < row->count; j++) {
      if (!w->out[row->items[j].at]) e = row->items[j].at + 1;
    }
    if (!e) continue;
    w->out[e - 1] = true;
    for (uint32_t j = 0; j < w->terms[e - 1].count; j++) {
      uint32_t k = w->terms[e - 1].items[j];
      if (--w->left[k] == 1) vec_push(w->arena, &lonely, k);
    }
  }
  for (uint32_t e = 0; e < w->n; e++) count += !w->out[e];
  return count;
}

// ---- elimination

// a + f b, entries in order.
static Row add_rows(SumFinder *w, const Row *a, Rat f, const Row *b) {
  Row sum = {0};
  uint32_t i = 0, j = 0;
  w->work += a->count + b->count;
  while (i < a->count || j < b->count) {
    uint32_t at_a = i < a->count ? a->items[i].at : UINT32_MAX, at_b = j < b->count ? b->items[j].at : UINT32_MAX;
    Entry x = {at_a < at_b ? at_a : at_b, RAT_ZERO};
    if (at_a == x.at) x.factor = a->items[i++].factor;
    if (at_b == x.at) x.factor = rat_add(w->arena, x.factor, rat_mul(w->arena, f, b->items[j++].factor));
    if (!rat_is_zero(x.factor)) vec_push(w->arena, &sum, x);
  }
  return sum;
}

// The rows of terms into pivots. False: it would take too long.
static bool eliminate(SumFinder *w) {
  for (uint32_t k = 0; k < w->term_count; k++) {
    Row row = {0};
    for (uint32_t i = 0; i < w->rows[k].count; i++) {
      if (!w->out[w->rows[k].items[i].at]) vec_push(w->arena, &row, w->rows[k].items[i]);
    }
    while (row.count && w->pivots[row.items[0].at].count) {
      if (w->work > most_work) return false;
      row = add_rows(w, &row, rat_neg(w->arena, row.items[0].factor), &w->pivots[row.items[0].at]);
    }
    Rat first = row.count ? row.items[0].factor : RAT_ONE;
    for (uint32_t i = 0; i < row.count; i++) row.items[i].factor = rat_div(w->arena, row.items[i].factor, first);
    if (row.count) w->pivots[row.items[0].at] = row;
  }
  return true;
}

static uint64_t common(uint64_t a, uint64_t b) { return b ? common(b, a % b) : a; }

// c of the free component, in whole numbers without a common divisor, the first one positive. False: they are large.
static bool solve(SumFinder *w, uint32_t free, Rat *c, double *whole) {
  uint64_t scale = 1, divisor = 0;
  for (uint32_t e = 0; e < w->n; e++) c[e] = e == free ? RAT_ONE : RAT_ZERO;
  for (uint32_t e = free; e-- > 0;) {
    const Row *row = &w->pivots[e];
    for (uint32_t i = 1; i < row->count; i++)
      c[e] = rat_add(w->arena, c[e], rat_neg(w->arena, rat_mul(w->arena, row->items[i].factor, c[row->items[i].at])));
    if (!rat_valid(c[e]) || c[e].big || c[e].den > most_factor) return false;
    scale *= (uint64_t)c[e].den / common(scale, (uint64_t)c[e].den);
    if ((double)scale > most_factor) return false;
  }
  for (uint32_t e = 0; e <= free; e++) {
    uint64_t times = scale / (uint64_t)c[e].den;
    whole[e] = (double)c[e].num * (double)times;
    if (!(fabs(whole[e]) <= most_factor)) return false;
    divisor = common(divisor, (uint64_t)fabs(whole[e]));
  }
  double sign = 0;
  for (uint32_t e = 0; e <= free; e++) {
    if (sign == 0 && whole[e] != 0) sign = whole[e] > 0 ? 1 : -1;
    whole[e] *= sign / (double)divisor;
  }
  return true;
}

static bool list_sums(SumFinder *w, Conserved *out) {
  Arena *arena = w->s->arena;
  Rat *c = arena_array(w->arena, w->n, sizeof *c);
  double *whole = arena_array(w->arena, w->n, sizeof *whole);
  VEC(uint32_t) start = {0}, place = {0};
  VEC(double) factor = {0};
  vec_push(arena, &start, 0);
  for (uint32_t e = 0; c && whole && e < w->n && out->count < most_sums; e++) {
    if (w->out[e] || w->pivots[e].count || !solve(w, e, c, whole)) continue;
    for (uint32_t i = 0; i <= e; i++) {
      if (whole[i] == 0) continue;
      vec_push(arena, &place, i);
      vec_push(arena, &factor, whole[i]);
    }
    vec_push(arena, &start, place.count);
    out->count++;
  }
  out->start = start.items;
  out->place = place.items;
  out->factor = factor.items;
  return !arena_failed(arena) && !arena_failed(w->arena);
}

const Conserved *conserved_find(System *s, const bool *moved) {
  Conserved *out = arena_new_of(s->arena, Conserved);
  SumFinder finder = {.s = s, .arena = arena_new(), .n = system_dim(s)}, *w = &finder;
  bool ok = out && w->arena;
  if (ok && w->n > 1 && w->n <= most_components) {
    w->out = arena_array(w->arena, w->n, sizeof *w->out);
    w->terms = arena_array(w->arena, w->n, sizeof *w->terms);
    w->pivots = arena_array(w->arena, w->n, sizeof *w->pivots);
    ok = w->out && w->terms && w->pivots;
    if (ok) memcpy(w->out, moved, w->n * sizeof *moved);
    ok = ok && list_terms(w);
    uint32_t left = ok ? drop_lonely(w) : 0;
    if (left > 1 && left <= most_left && eliminate(w)) ok = list_sums(w, out);
    ok = ok && !arena_failed(w->arena);
  }
  arena_free(w->arena);
  return ok ? out : NULL;
}

// ---- of a run

void conserved_follow(const Conserved *c, bool late, const double *y, double *size) {
  for (uint32_t i = 0; i < c->start[c->count]; i++) {
    double now = fabs(y[c->place[i]]), *at = &size[c->place[i]];
    if (!late || now > *at) *at = now;
  }
}

// high + low += x, with what rounding takes.
static void add_exactly(double *high, double *low, double x) {
  double sum = *high + x, part = sum - *high;
  *low += (*high - (sum - part)) + (x - part);
  *high = sum;
}

ConservedDrift conserved_drift(const Conserved *c, const double *y0, const double *y, const double *size) {
  ConservedDrift worst = {0};
  for (uint32_t k = 0; k < c->count; k++) {
    double high = 0, low = 0, all = 0, most = -1;
    uint32_t largest = 0;
    for (uint32_t i = c->start[k]; i < c->start[k + 1]; i++) {
      double f = c->factor[i], now = f * y[c->place[i]], then = f * y0[c->place[i]];
      add_exactly(&high, &low, now);
      add_exactly(&high, &low, -then);
      low += fma(f, y[c->place[i]], -now) - fma(f, y0[c->place[i]], -then);
      all += fabs(f) * size[c->place[i]];
      if (fabs(now) <= most) continue;
      most = fabs(now);
      largest = c->place[i];
    }
    double drift = fabs(high + low), part = drift > 0 ? drift / all : 0;
    if (part > worst.part) worst = (ConservedDrift){k, largest, drift, part};
  }
  return worst;
}

const char *conserved_text(Arena *arena, const Components *y, const Conserved *c, uint32_t sum) {
  Text t = text_in(arena);
  for (uint32_t i = c->start[sum]; i < c->start[sum + 1]; i++) {
    double f = c->factor[i];
    if (i - c->start[sum] == most_shown) {
      text_printf(&t, " + ... (%u terms)", c->start[sum + 1] - c->start[sum]);
      break;
    }
    text_put(&t, !t.length ? (f < 0 ? "-" : "") : f < 0 ? " - " : " + ");
    if (fabs(f) != 1) text_printf(&t, "%.0f*", fabs(f));
    text_put(&t, y->items[c->place[i]].name);
  }
  return text_str(&t);
}
