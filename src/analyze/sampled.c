// Multirate sampled systems, lifted to their common period.
//
// in    x' = A x + B u + Bs s between the samples; rules at the multiples of their periods, statement after statement
// out   one discrete system over the shortest time that is a whole number of all periods
//
// With X = (x, s, c, u), u held, everything is a product of matrices: flows  e^(M t),  M = [A, Bs, E, B; 0], and jumps
// that replace rows by rules. A dead time of what only samples and inputs change is a chain c of held values, one for
// each piece of time. From one instant at which all come together to the next the product is [A, B] of the discrete
// system; the output is read behind the first jumps.
#include "analyze/sampled.h"

#include <math.h>
#include <string.h>

enum { most_parts = 10000, most_chain = 600 }; // of a common period; of dead times

// a/b as a fraction of whole numbers below most_parts, by continued fractions; false: it is none.
static bool fraction(double ratio, uint32_t *num, uint32_t *den) {
  double x = ratio, h0 = 0, h1 = 1, k0 = 1, k1 = 0;
  for (int i = 0; i < 40; i++) {
    double whole = floor(x), h = whole * h1 + h0, k = whole * k1 + k0;
    if (h > most_parts || k > most_parts) return false;
    h0 = h1, h1 = h, k0 = k1, k1 = k;
    if (fabs(ratio - h / k) <= 1e-12 * ratio) {
      *num = (uint32_t)h;
      *den = (uint32_t)k;
      return true;
    }
    x = 1 / (x - whole);
  }
  return false;
}

static uint32_t divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

// How a time of samples and delays is cut into equal pieces.
typedef struct SampleGrid {
  uint32_t *every; // by rule: its period in pieces
  uint32_t *late;  // by delay: its time in pieces
  uint32_t pieces; // of the common period
  double piece;
  double bad[2]; // two times that have no common multiple
} SampleGrid;

// The least common denominator of all times as fractions of the first. False: grid->bad.
static bool common_parts(const SampledPart *part, const LinearSystem *s, SampleGrid *grid, uint32_t *parts) {
  double base = part->rules[0].period;
  uint32_t num, den;
  *parts = 1;
  for (uint32_t i = 0; i < part->count + s->delays; i++) {
    double time = i < part->count ? part->rules[i].period : s->time[i - part->count];
    grid->bad[0] = base, grid->bad[1] = time;
    if (!fraction(time / base, &num, &den)) return false;
    *parts = *parts / divisor(*parts, den) * den;
    if (*parts > most_parts) return false;
  }
  return true;
}

// The longest piece and how many make the common period. False: incommensurate.
static bool common_period(const SampledPart *part, const LinearSystem *s, SampleGrid *grid) {
  uint32_t parts, all = 0;
  if (!common_parts(part, s, grid, &parts)) return false;
  grid->piece = part->rules[0].period / parts;
  grid->pieces = 1;
  for (uint32_t i = 0; i < part->count; i++) {
    grid->every[i] = (uint32_t)nearbyint(part->rules[i].period / grid->piece);
    grid->pieces = grid->pieces / divisor(grid->pieces, grid->every[i]) * grid->every[i];
    grid->bad[1] = part->rules[i].period;
    if (grid->pieces > most_parts) return false;
    all = divisor(all, grid->every[i]);
  }
  for (uint32_t k = 0; k < s->delays; k++) {
    grid->late[k] = (uint32_t)nearbyint(s->time[k] / grid->piece);
    all = divisor(all, grid->late[k]);
  }
  for (uint32_t i = 0; i < part->count; i++) grid->every[i] /= all;
  for (uint32_t k = 0; k < s->delays; k++) grid->late[k] /= all;
  grid->piece *= all;
  grid->pieces /= all;
  return true;
}

// X = (x, s, c, u): c holds for each delay what went in during the last pieces, the youngest first.
typedef struct SampleLifting {
  const LinearSystem *s;
  const SampledPart *part;
  SampleGrid grid;
  size_t n, q, m, chain, wide; // chain: entries of c
  size_t *last;                // by delay: its oldest entry in X, which comes out now
  double *flow, *t, *after, *room, *matrix;
  double *back;    // of a cut: what comes back over X at the start of the period; NULL: not yet known
  bool back_twice; // statements of one instant read different values of it
} SampleLifting;

// A row of coefficients over (x, s, u), with its delayed signals, over X.
static void spread(const SampleLifting *l, const double *x, const double *s, const double *u, const double *late,
                   double *row) {
  memset(row, 0, l->wide * sizeof *row);
  if (x) memcpy(row, x, l->n * sizeof *row);
  memcpy(row + l->n, s, l->q * sizeof *row);
  memcpy(row + l->wide - l->m, u, l->m * sizeof *row);
  for (uint32_t k = 0; k < l->s->delays; k++) row[l->last[k]] += late[k];
}

// A statement that reads the cut, before it acts: what comes back is the value that it would read.
static bool read_cut(Arena *arena, SampleLifting *l, uint32_t first, uint32_t end, double *row) {
  const SampledPart *part = l->part;
  const LinearSystem *s = l->s;
  size_t narrow = l->n + l->q + l->m, k = part->cut_output;
  bool reads = false;
  for (uint32_t r = first; part->cut && r < end; r++)
    reads = reads || part->rows[r * narrow + l->n + l->q + part->cut_input] != 0;
  if (!reads) return true;
  double *value = arena_array(arena, l->wide + 1, sizeof *value);
  if (!value) return false;
  spread(l, s->C + k * l->n, part->Cs + k * l->q, s->D + k * l->m, s->F + k * s->delays, row);
  dense_multiply(1, (uint32_t)l->wide, (uint32_t)l->wide, row, l->t, value);
  for (size_t i = 0; l->back && i < l->wide; i++) l->back_twice = l->back_twice || l->back[i] != value[i];
  if (!l->back) l->back = value;
  return true;
}

// The rules due after `k` pieces, statement after statement, on the matrix t: new rows from the old ones.
static bool jump(Arena *arena, SampleLifting *l, uint32_t k, double *row) {
  const SampledPart *part = l->part;
  double *t = l->t, *old = l->room;
  size_t wide = l->wide, narrow = l->n + l->q + l->m;
  for (uint32_t i = 0; i < part->count;) {
    uint32_t end = i;
    while (end < part->count && part->rules[end].statement == part->rules[i].statement) end++;
    if (k == 0 && !read_cut(arena, l, i, end, row)) return false;
    if (k % l->grid.every[i] == 0) {
      memcpy(old, t, wide * wide * sizeof *old);
      for (uint32_t r = i; r < end; r++) {
        const SampleRule *rule = &part->rules[r];
        const double *from = part->rows + r * narrow;
        spread(l, from, from + l->n, from + l->n + l->q, part->late + (size_t)r * l->s->delays, row);
        dense_multiply(1, (uint32_t)wide, (uint32_t)wide, row, old,
                       t + ((rule->sampled ? l->n : 0) + rule->target) * wide);
      }
    }
    i = end;
  }
  return true;
}

// A piece is over: everything in a delay gets one piece older, and what went in during the piece is the youngest.
static void shift(const SampleLifting *l, double *t, double *old, double *row) {
  size_t wide = l->wide;
  if (!l->s->delays) return;
  memcpy(old, t, wide * wide * sizeof *old);
  for (uint32_t k = 0; k < l->s->delays; k++) {
    size_t first = l->last[k] + 1 - l->grid.late[k];
    spread(l, NULL, l->part->Gs + k * l->q, l->s->H + k * l->m, l->s->J + (size_t)k * l->s->delays, row);
    for (size_t i = l->last[k]; i > first; i--) memcpy(t + i * wide, old + (i - 1) * wide, wide * sizeof *t);
    dense_multiply(1, (uint32_t)wide, (uint32_t)wide, row, old, t + first * wide);
  }
}

// Rows and columns of X into the discrete system.
static bool fill(Arena *arena, const SampleLifting *l, LinearSystem *out) {
  const LinearSystem *s = l->s;
  size_t m = l->m, wide = l->wide, states = wide - m;
  double *row = arena_array(arena, 2 * wide + 1, sizeof *row), *y = row + wide;
  if (!row || !system_room(out, arena, (uint32_t)states, s->m, s->p, 0)) return false;
  for (size_t i = 0; i < states; i++) {
    memcpy(out->A + i * states, l->t + i * wide, states * sizeof *out->A);
    memcpy(out->B + i * m, l->t + i * wide + states, m * sizeof *out->B);
  }
  out->C_before = arena_array(arena, s->p * states + 1, sizeof *out->C_before);
  if (!out->C_before) return false;
  // y = C x + Cs s + D u + F w behind the jumps
  for (size_t k = 0; k < s->p; k++) {
    spread(l, s->C + k * l->n, l->part->Cs + k * l->q, s->D + k * m, s->F + k * s->delays, row);
    memcpy(out->C_before + k * states, row, states * sizeof *row);
    dense_multiply(1, (uint32_t)wide, (uint32_t)wide, row, l->after, y);
    if (l->back && k == l->part->cut_output) memcpy(y, l->back, wide * sizeof *y);
    memcpy(out->C + k * states, y, states * sizeof *y);
    memcpy(out->D + k * m, y + states, m * sizeof *y);
  }
  const char **names = arena_array(arena, states + 1, sizeof *names);
  if (!names) return false;
  for (size_t i = 0; i < states; i++)
    names[i] = i < l->n ? s->states ? s->states[i] : "" : i < l->n + l->q ? l->part->names[i - l->n] : "(on its way)";
  out->states = names;
  out->inputs = s->inputs;
  out->outputs = s->outputs;
  return true;
}

// State k out of the system; what read it reads `into` then, if that is another one. Outputs before a sample that show
// what is no state are those behind it.
static void drop_state(LinearSystem *out, size_t k, size_t into) {
  size_t n = out->n, m = out->m, to = 0;
  for (size_t i = 0; i < out->p; i++) {
    double *y = out->C_before + i * n;
    if (into != k) y[into] += y[k];
    else if (y[k] != 0) memcpy(y, out->C + i * n, n * sizeof *y);
  }
  for (size_t i = 0; i < out->p * n; i++) {
    if (i % n != k) out->C_before[to++] = out->C_before[i];
  }
  to = 0;
  for (size_t i = 0; i < n && into != k; i++) out->A[i * n + into] += out->A[i * n + k];
  for (size_t i = 0; i < out->p && into != k; i++) out->C[i * n + into] += out->C[i * n + k];
  for (size_t i = 0; i < n * n; i++) {
    if (i / n != k && i % n != k) out->A[to++] = out->A[i];
  }
  for (size_t i = to = 0; i < n * m; i++) {
    if (i / m != k) out->B[to++] = out->B[i];
  }
  for (size_t i = to = 0; i < out->p * n; i++) {
    if (i % n != k) out->C[to++] = out->C[i];
  }
  for (size_t i = k; i + 1 < n; i++) out->states[i] = out->states[i + 1];
  out->n--;
}

// Does anything read the old value of state k?
static bool is_read(const LinearSystem *out, size_t k) {
  size_t n = out->n;
  bool read = false;
  for (size_t i = 0; i < n; i++) read = read || out->A[i * n + k] != 0;
  for (size_t i = 0; i < out->p; i++) read = read || out->C[i * n + k] != 0;
  return read;
}

// An earlier state that always has the same new value; k: none.
static size_t same_as(const LinearSystem *out, size_t first, size_t k) {
  size_t n = out->n, m = out->m;
  for (size_t j = first; j < k; j++) {
    bool same = true;
    for (size_t c = 0; c < n && same; c++) same = out->A[j * n + c] == out->A[k * n + c];
    for (size_t c = 0; c < m && same; c++) same = out->B[j * m + c] == out->B[k * m + c];
    if (same) return j;
  }
  return k;
}

// A sampled state whose old value nobody reads is none; of several that are held alike, pieces of one dead time, one is
// enough. Each that goes may leave another without a reader.
static void drop_needless(LinearSystem *out, size_t first) {
  for (bool again = true; again;) {
    again = false;
    for (size_t k = out->n; k-- > first;) {
      size_t other = is_read(out, k) ? same_as(out, first, k) : k;
      if (other == k && is_read(out, k)) continue;
      drop_state(out, k, other);
      again = true;
    }
  }
}

bool sampled_open_state(Arena *arena, const LinearSystem *cut, uint32_t state, SampledPart *part) {
  size_t wide = (size_t)cut->n + part->q + cut->m, before = wide - 1;
  double *rows = arena_array(arena, part->count * wide + 1, sizeof *rows),
         *Cs = arena_array(arena, (size_t)cut->p * part->q + 1, sizeof *Cs);
  if (!rows || !Cs) return false;
  for (size_t i = 0; i < part->count; i++) {
    memcpy(rows + i * wide, part->rows + i * before, before * sizeof *rows);
    rows[i * wide + before] = rows[i * wide + state];
    rows[i * wide + state] = 0;
  }
  memcpy(Cs, part->Cs, (size_t)(cut->p - 1) * part->q * sizeof *Cs);
  part->rows = rows;
  part->Cs = Cs;
  return true;
}

// Storage, and where the entries of delays stand. False: out of memory.
static bool open_lifting(Arena *arena, SampleLifting *l) {
  l->last = arena_array(arena, (size_t)l->s->delays + 1, sizeof *l->last);
  if (!l->last) return false;
  for (uint32_t k = 0; k < l->s->delays; k++) {
    l->chain += l->grid.late[k];
    l->last[k] = l->n + l->q + l->chain - 1;
  }
  l->wide = l->n + l->q + l->chain + l->m;
  if (l->chain > most_chain) return true;
  size_t cells = l->wide * l->wide;
  l->flow = arena_array(arena, 5 * cells + 1, sizeof *l->flow);
  if (!l->flow) return false;
  l->t = l->flow + cells;
  l->after = l->t + cells;
  l->room = l->after + cells;
  l->matrix = l->room + cells;
  return true;
}

// x' = A x + Bs s + B u + E w between the samples.
static void fill_flow(SampleLifting *l) {
  for (size_t i = 0; i < l->n; i++)
    spread(l, l->s->A + i * l->n, l->part->Bs + i * l->q, l->s->B + i * l->m, l->s->E + i * l->s->delays,
           l->matrix + i * l->wide);
}

// Jumps and flows over the common period, one after the other. False: out of memory.
static bool go_round(Arena *arena, SampleLifting *l) {
  size_t wide = l->wide, cells = wide * wide;
  double *row = arena_array(arena, wide + 1, sizeof *row);
  if (!row) return false;
  fill_flow(l);
  if (!dense_exponential(arena, (uint32_t)wide, l->matrix, l->grid.piece, l->flow)) return false;
  for (size_t i = 0; i < wide; i++) l->t[i * wide + i] = 1;
  for (uint32_t k = 0; k < l->grid.pieces; k++) {
    if (!jump(arena, l, k, row)) return false;
    if (k == 0) memcpy(l->after, l->t, cells * sizeof *l->after);
    dense_multiply((uint32_t)wide, (uint32_t)wide, (uint32_t)wide, l->flow, l->t, l->room);
    memcpy(l->t, l->room, cells * sizeof *l->t);
    shift(l, l->t, l->room, row);
  }
  return true;
}

bool sampled_lift(Arena *arena, const LinearSystem *s, const SampledPart *part, LinearSystem *out, const char **why) {
  SampleLifting lifting = {.s = s, .part = part, .n = s->n, .q = part->q, .m = s->m}, *l = &lifting;
  l->grid.every = arena_array(arena, (size_t)part->count + 1, sizeof *l->grid.every);
  l->grid.late = arena_array(arena, (size_t)s->delays + 1, sizeof *l->grid.late);
  if (!l->grid.every || !l->grid.late) return false;
  *why = NULL;
  for (size_t i = 0; i < (size_t)s->delays * s->n; i++) {
    if (s->G[i] == 0) continue;
    *why = "samples together with a dead time of what moves between them have no linear model of finitely many "
           "numbers: a sample would need the past between samples";
    return true;
  }
  if (!common_period(part, s, &l->grid)) {
    *why = arena_printf(arena, "the %s %.6g and %.6g have no common multiple within %u samples",
                        s->delays ? "times" : "periods", l->grid.bad[0], l->grid.bad[1], most_parts);
    return true;
  }
  if (!open_lifting(arena, l)) return false;
  if (l->chain > most_chain) {
    *why = arena_printf(arena, "the dead times are %zu pieces of %.6g s, and not more than %u are taken", l->chain,
                        l->grid.piece, most_chain);
    return true;
  }
  if (!go_round(arena, l) || !fill(arena, l, out)) return false;
  if (l->back_twice)
    *why =
        "statements of one instant read what is cut, and one changes it for the next: there is no one place of the cut";
  drop_needless(out, l->n);
  out->period = l->grid.piece * l->grid.pieces;
  return true;
}
