// Smallest singular value of a large sparse Jacobian G by inverse iteration; its rank. See gram.h.
#include "sim/gram.h"

#include <math.h>
#include <string.h>

enum { most_rounds = 40 };
static const double settled = 1e-10; // of the value: a change that is smaller is the last one
static const double shift = 1e-15;   // of the largest diagonal entry, so that there are always factors
// The same where rows depend on each other: far above rounding, and far below the squares of values that are none.
static const double dependent_shift = 1e-13;
static const double alike = 0.7; // cosine of two directions that are one

// ---- the pattern

static bool list_columns(Arena *arena, Gram *g) {
  uint32_t entries = gram_entries(g), *first = arena_array(arena, (size_t)g->n + 2, sizeof *first),
           *row = arena_array(arena, (size_t)entries + 1, sizeof *row),
           *entry = arena_array(arena, (size_t)entries + 1, sizeof *entry);
  if (!first || !row || !entry) return false;
  for (uint32_t e = 0; e < entries; e++) first[g->column[e] + 2]++;
  for (uint32_t c = 0; c < g->n; c++) first[c + 2] += first[c + 1];
  for (uint32_t k = 0; k < g->m; k++) {
    for (uint32_t e = g->start[k]; e < g->start[k + 1]; e++) {
      uint32_t at = first[g->column[e] + 1]++;
      row[at] = k;
      entry[at] = e;
    }
  }
  g->first = first;
  g->row = row;
  g->entry = entry;
  return true;
}

const Gram *gram_new(Arena *arena, uint32_t m, uint32_t n, const uint32_t *start, const uint32_t *column) {
  Gram *g = arena_new_of(arena, Gram);
  uint32_t *step = arena_array(arena, (size_t)m + 1, sizeof *step);
  if (!g || !step) return NULL;
  *g = (Gram){.m = m, .n = n, .start = start, .column = column};
  if (!list_columns(arena, g)) return NULL;
  g->plan = elimination_order(arena, m, &(EliminationSets){n, g->first, g->row});
  if (!g->plan) return NULL;
  for (uint32_t k = 0; k < m; k++) step[g->plan->order[k]] = k;
  g->step = step;
  return g;
}

// ---- factors

// Where the entry of steps a and b stands in L.
static uint32_t place_of(const Elimination *p, uint32_t a, uint32_t b) {
  uint32_t first = a < b ? a : b, last = a < b ? b : a, low = p->start[first], high = p->start[first + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->left[middle] < last) low = middle + 1;
    else high = middle;
  }
  return low;
}

// G G' - minus, in the memory of its factors; returns the largest diagonal entry.
static double put_products(const Gram *g, const GramRoom *room, const double *G, double minus) {
  double most = 0;
  memset(room->lower, 0, gram_fill(g) * sizeof *room->lower);
  for (uint32_t k = 0; k < g->m; k++) room->diagonal[k] = -minus;
  for (uint32_t c = 0; c < g->n; c++) {
    for (uint32_t i = g->first[c]; i < g->first[c + 1]; i++) {
      uint32_t a = g->step[g->row[i]];
      double x = G[g->entry[i]];
      room->diagonal[a] += x * x;
      for (uint32_t j = i + 1; j < g->first[c + 1]; j++) {
        uint32_t b = g->step[g->row[j]];
        double product = x * G[g->entry[j]];
        if (a == b) room->diagonal[a] += 2 * product; // a coordinate twice in one constraint
        else room->lower[place_of(g->plan, a, b)] += product;
      }
    }
  }
  for (uint32_t k = 0; k < g->m; k++) most = fmax(most, room->diagonal[k] + minus);
  return most;
}

// One step; the unknowns beside step k stand beside each other from there on.
static void eliminate(const Elimination *p, const GramRoom *room, uint32_t k) {
  double d = room->diagonal[k];
  for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) {
    uint32_t i = p->left[a], at = p->start[i];
    double own = room->lower[a], l = own / d;
    room->diagonal[i] -= l * own;
    for (uint32_t b = a + 1; b < p->start[k + 1]; b++) {
      while (p->left[at] < p->left[b]) at++;
      room->lower[at] -= l * room->lower[b];
    }
  }
  for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) room->lower[a] /= d;
}

// L D L' in place. Returns the negative pivots.
static uint32_t factor(const Gram *g, const GramRoom *room, double least) {
  uint32_t negative = 0;
  for (uint32_t k = 0; k < g->m; k++) {
    if (fabs(room->diagonal[k]) < least) room->diagonal[k] = least; // rounding
    negative += room->diagonal[k] < 0;
    eliminate(g->plan, room, k);
  }
  return negative;
}

// Of the first `steps` rows that are eliminated, without spare ones; the others are 0.
static void solve_kept(const Gram *g, const GramRoom *room, uint32_t steps, double *u) {
  const Elimination *p = g->plan;
  double *z = room->work;
  for (uint32_t k = 0; k < g->m; k++) z[k] = k < steps ? u[p->order[k]] : 0;
  for (uint32_t k = 0; k < steps; k++) {
    for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) z[p->left[a]] -= room->lower[a] * z[k];
  }
  for (uint32_t k = steps; k < g->m; k++) z[k] = 0;
  for (uint32_t k = steps; k-- > 0;) {
    z[k] = room->spare[p->order[k]] ? 0 : z[k] / room->diagonal[k];
    for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) z[k] -= room->lower[a] * z[p->left[a]];
  }
  for (uint32_t k = 0; k < g->m; k++) u[p->order[k]] = z[k];
}

static void solve(const Gram *g, const GramRoom *room, double *u) {
  const Elimination *p = g->plan;
  double *z = room->work;
  for (uint32_t k = 0; k < g->m; k++) z[k] = u[p->order[k]];
  for (uint32_t k = 0; k < g->m; k++) {
    for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) z[p->left[a]] -= room->lower[a] * z[k];
  }
  for (uint32_t k = g->m; k-- > 0;) {
    z[k] /= room->diagonal[k];
    for (uint32_t a = p->start[k]; a < p->start[k + 1]; a++) z[k] -= room->lower[a] * z[p->left[a]];
  }
  for (uint32_t k = 0; k < g->m; k++) u[p->order[k]] = z[k];
}

// ---- the weakest direction

static double dot(const double *a, const double *b, uint32_t n) {
  double sum = 0;
  for (uint32_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

static double normalize(double *a, uint32_t n) {
  double length = sqrt(dot(a, a, n));
  for (uint32_t k = 0; length > 0 && k < n; k++) a[k] /= length;
  return length;
}

// v = G' u / s
static double transposed(const Gram *g, const double *G, const double *u, double *v) {
  memset(v, 0, g->n * sizeof *v);
  for (uint32_t k = 0; k < g->m; k++) {
    for (uint32_t e = g->start[k]; e < g->start[k + 1]; e++) v[g->column[e]] += G[e] * u[k];
  }
  return normalize(v, g->n);
}

// u = G G' u
static void multiply(const Gram *g, const double *G, double *u, double *rest) {
  memset(rest, 0, g->n * sizeof *rest);
  for (uint32_t k = 0; k < g->m; k++) {
    for (uint32_t e = g->start[k]; e < g->start[k + 1]; e++) rest[g->column[e]] += G[e] * u[k];
  }
  for (uint32_t k = 0; k < g->m; k++) {
    double sum = 0;
    for (uint32_t e = g->start[k]; e < g->start[k + 1]; e++) sum += G[e] * rest[g->column[e]];
    u[k] = sum;
  }
}

// Is one more than usual zero? Then nothing of it is left by the iteration, which finds the next one.
static const double nothing = 1e-7; // its square is rounding
static bool is_lost(const Gram *g, const GramRoom *room, uint32_t rank, const double *look) {
  return rank < g->m && gram_below(g, room, look, nothing) > g->m - rank;
}

double gram_weakest(const Gram *g, const GramRoom *room, uint32_t rank, double *look) {
  const double *G = look, e = rank < g->m ? dependent_shift : shift;
  double *u = look + gram_entries(g), *v = u + g->m, value = INFINITY;
  bool lost = is_lost(g, room, rank, look);
  double most = put_products(g, room, G, 0);
  if (!isfinite(most)) return NAN;
  for (uint32_t k = 0; k < g->m; k++) room->diagonal[k] += e * most;
  factor(g, room, shift * most);
  for (uint32_t k = 0; k < g->m; k++) u[k] = 0.5 + (double)((k + 1) * 2654435761u >> 8) * 0x1p-24;
  normalize(u, g->m);
  for (int i = 0; i < most_rounds; i++) {
    double before = value;
    solve(g, room, u);
    if (rank < g->m) { // (G G' + e)^-1 G G' (G G' + e)^-1: without what G G' takes to 0
      normalize(u, g->m);
      multiply(g, G, u, room->rest);
      normalize(u, g->m);
      solve(g, room, u);
    }
    normalize(u, g->m);
    value = transposed(g, G, u, v);
    if (!(fabs(value - before) > settled * value)) break;
  }
  return lost && value > nothing ? 0.1 * nothing : value;
}

// ---- rank

// rest = of row k (m: of nothing) what the combination w of rows leaves of it.
static void put_rest(const Gram *g, const GramRoom *room, const double *G, uint32_t k, const double *w) {
  memset(room->rest, 0, g->n * sizeof *room->rest);
  for (uint32_t j = 0; j < g->m; j++) {
    double part = j == k ? 1 : -w[j];
    for (uint32_t e = g->start[j]; part != 0 && e < g->start[j + 1]; e++) room->rest[g->column[e]] += part * G[e];
  }
}

// How rows that are no spare ones, the first `steps` of them, lie along the rest: into room->part.
static void put_parts(const Gram *g, const GramRoom *room, const double *G, uint32_t steps) {
  for (uint32_t j = 0; j < g->m; j++) {
    double sum = 0;
    bool counts = g->step[j] < steps && !room->spare[j];
    for (uint32_t e = g->start[j]; counts && e < g->start[j + 1]; e++) sum += G[e] * room->rest[g->column[e]];
    room->part[j] = sum;
  }
}

// How far row k is from the span of those before it, beside the size of its combination. The normal equations square
// what is small, so the combination is found twice, the second time for what is left.
static double distance_of(const Gram *g, const GramRoom *room, const double *G, uint32_t k, double *w) {
  enum { rounds = 3 };
  double size = 1;
  memset(w, 0, g->m * sizeof *w);
  for (int i = 0; i < rounds; i++) {
    put_rest(g, room, G, k, w);
    put_parts(g, room, G, g->step[k]);
    solve_kept(g, room, g->step[k], room->part);
    for (uint32_t j = 0; j < g->m; j++) w[j] += room->part[j];
  }
  put_rest(g, room, G, k, w);
  for (uint32_t j = 0; j < g->m; j++) size = fmax(size, fabs(w[j]));
  return sqrt(dot(room->rest, room->rest, g->n)) / size;
}

uint32_t gram_rank(const Gram *g, const GramRoom *room, const double *look, double smallest) {
  const double clear = 1e-8, rounding = 1e-15; // of a pivot, beside rows of length 1
  const Elimination *p = g->plan;
  uint32_t rank = 0;
  double *w = room->found;
  memset(room->spare, 0, g->m * sizeof *room->spare);
  put_products(g, room, look, 0);
  for (uint32_t s = 0; s < g->m; s++) {
    uint32_t k = p->order[s];
    double pivot = room->diagonal[s];
    room->spare[k] = !(pivot > rounding) || (pivot < clear && !(distance_of(g, room, look, k, w) > smallest));
    rank += !room->spare[k];
    if (room->spare[k]) {
      room->diagonal[s] = 1;
      for (uint32_t a = p->start[s]; a < p->start[s + 1]; a++) room->lower[a] = 0;
    }
    eliminate(p, room, s);
  }
  return rank;
}

void gram_vanishing(const Gram *g, const GramRoom *room, const double *look, const double *said, double *w) {
  enum { rounds = 3 };
  for (uint32_t k = 0; k < g->m; k++) w[k] = room->spare[k] ? said[k] : 0;
  for (int i = 0; i < rounds; i++) {
    put_rest(g, room, look, g->m, w);
    put_parts(g, room, look, g->m);
    solve_kept(g, room, g->m, room->part);
    for (uint32_t k = 0; k < g->m; k++) w[k] += room->spare[k] ? 0 : room->part[k];
  }
}

uint32_t gram_below(const Gram *g, const GramRoom *room, const double *look, double bound) {
  put_products(g, room, look, bound * bound);
  return factor(g, room, 1e-300);
}

// ---- from one look to another

// u' D v of the change D of G.
static double along(const Gram *g, const double *from, const double *to, const double *u, const double *v) {
  double sum = 0;
  for (uint32_t k = 0; k < g->m; k++) {
    for (uint32_t e = g->start[k]; e < g->start[k + 1]; e++) sum += u[k] * (to[e] - from[e]) * v[g->column[e]];
  }
  return sum;
}

GramStep gram_between(const Gram *g, const double *from, const double *to) {
  uint32_t entries = gram_entries(g);
  const double *u = from + entries, *v = u + g->m, *u_to = to + entries, *v_to = u_to + g->m;
  double a = dot(u, u_to, g->m), b = dot(v, v_to, g->n), change = 0;
  for (uint32_t e = 0; e < entries; e++) change = fmax(change, fabs(to[e] - from[e]));
  return (GramStep){.known = fabs(a) > alike && fabs(b) > alike,
                    .turned = (a < 0) != (b < 0),
                    .way = fmax(fabs(along(g, from, to, u, v)), fabs(along(g, from, to, u_to, v_to))),
                    .change = change};
}
