// Delayed signals: what their inputs were, as polynomials over the steps of the past.
//
// The input of a delay is smooth inside a step. Its values at Chebyshev points of the step give a polynomial of the
// order of the method's own continuous extension. Where something may jump (the start, an event) there is a mark; its
// image a dead time later is a stop of the run, and between two images a delay reads between the two marks, so no
// rounding puts a jump on the wrong side. After each passage through a delay and an integrator a jump is one order
// smoother; marks that only pass on others end after the order of the method.
#include "sim/history.h"

#include "tape/interval.h"

#include <math.h>
#include <string.h>

// most_traced: 4000 delays are 2 MB of bits for each thousand symbols
// most_kept: 2^27 coefficients are 1 GB
enum { degree = history_degree, points = degree + 1, last_generation = 9, most_traced = 4000, most_kept = 1 << 27 };

// ---- which delays hang on which

// What is computed from what: one symbol from the symbols of some expressions.
typedef struct Link {
  SymbolId to;
  const SymbolId *from;
  uint32_t count;
} Link;

typedef VEC(Link) Links;

static bool put_link(Hybrid *h, Links *links, const SymbolId *to, uint32_t to_count, const ExprId *roots,
                     uint32_t root_count) {
  ExprPool *pool = h->s->pool;
  uint32_t length, count = 0;
  const ExprId *list = pool_reach(pool, roots, root_count, NULL, NULL, &length);
  SymbolId *from = list ? arena_array(h->arena, length, sizeof *from) : NULL;
  if (!from) return false;
  for (uint32_t i = 0; i < length; i++) {
    SymbolId s = expr_symbol(pool, list[i]);
    if (s) from[count++] = s;
  }
  for (uint32_t i = 0; i < to_count; i++) {
    if (!vec_push(h->arena, links, (Link){to[i], from, count})) return false;
  }
  return true;
}

static bool put_links(Hybrid *h, Links *links) {
  const System *s = h->s;
  bool ok = true;
  for (uint32_t i = 0; ok && i < s->definitions.count; i++)
    ok = put_link(h, links, &s->definitions.items[i].symbol, 1, &s->definitions.items[i].value, 1);
  for (uint32_t i = 0; ok && i < s->blocks.count; i++) {
    const Block *b = &s->blocks.items[i];
    ok = put_link(h, links, b->unknowns, b->count, b->rhs, b->count) &&
         put_link(h, links, b->unknowns, b->count, b->matrix, b->count * b->count);
  }
  // a state follows its rate, a place its velocity
  for (uint32_t i = 0; ok && i < s->state_count; i++)
    ok = put_link(h, links, &h->m->states.items[i].x, 1, (ExprId[]){expr_sym(s->pool, h->m->states.items[i].rate)}, 1);
  for (uint32_t i = 0; ok && i < s->coord_count; i++) {
    const ModelCoord *c = &h->m->coords.items[i];
    ok = put_link(h, links, &c->q, 1, (ExprId[]){expr_sym(s->pool, c->v)}, 1);
    if (ok && s->speeds[i].rate)
      ok = put_link(h, links, &s->speeds[i].symbol, 1, (ExprId[]){expr_sym(s->pool, s->speeds[i].rate)}, 1);
  }
  return ok;
}

// By delay: bits of those that its input hangs on. NULL: memory is out.
static uint64_t *find_feeds(Hybrid *h, size_t words) {
  Links links = {0};
  if (!put_links(h, &links)) return NULL;
  uint32_t inputs = links.count, n = h->delay_count;
  for (uint32_t i = 0; i < n; i++) {
    if (!put_link(h, &links, (SymbolId[]){0}, 1, &h->inputs[i], 1)) return NULL;
  }
  uint64_t *bits = arena_array(h->arena, (size_t)h->s->pool->symbols.count * words, sizeof *bits),
           *feeds = arena_array(h->arena, (size_t)n * words, sizeof *feeds);
  if (!bits || !feeds) return NULL;
  for (uint32_t i = 0; i < n; i++) bits[(size_t)h->m->delays.items[i].symbol * words + i / 64] |= (uint64_t)1 << i % 64;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < inputs; i++) {
      const Link *l = &links.items[i];
      uint64_t *to = bits + (size_t)l->to * words;
      for (uint32_t k = 0; k < l->count; k++) {
        for (size_t w = 0; w < words; w++) {
          uint64_t all = to[w] | bits[(size_t)l->from[k] * words + w];
          more = more || all != to[w];
          to[w] = all;
        }
      }
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    const Link *l = &links.items[inputs + i];
    for (uint32_t k = 0; k < l->count; k++) {
      for (size_t w = 0; w < words; w++) feeds[(size_t)i * words + w] |= bits[(size_t)l->from[k] * words + w];
    }
  }
  return feeds;
}

static bool concerns(const History *x, uint32_t delay, const Mark *m) {
  return m->source < 0 || !x->feeds ||
         (x->feeds[(size_t)delay * x->words + (size_t)m->source / 64] >> m->source % 64 & 1);
}

static void skip_others(History *x, uint32_t delay) {
  while (x->next[delay] < x->marks.count && !concerns(x, delay, &x->marks.items[x->next[delay]])) x->next[delay]++;
}

void history_restore(Hybrid *h) {
  History *x = h->history;
  for (uint32_t i = 0; i < h->delay_count; i++) {
    x->from[i] = -1;
    for (uint32_t k = 0; k < x->next[i]; k++) {
      if (concerns(x, i, &x->marks.items[k])) x->from[i] = (int64_t)x->marks.items[k].segment;
    }
    skip_others(x, i);
  }
}

// ---- the record

// Delays of one signal share its record.
static bool find_inputs(Hybrid *h, History *x) {
  uint32_t n = h->delay_count, size = 64;
  while (size < 2 * n) size *= 2;
  uint32_t *table = arena_array(h->arena, size, sizeof *table); // delay plus one, by input
  x->input = arena_array(h->arena, n, sizeof *x->input);
  x->first = arena_array(h->arena, n, sizeof *x->first);
  x->cursor = arena_array(h->arena, n, sizeof *x->cursor);
  if (!table || !x->input || !x->first || !x->cursor) return false;
  x->width = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = (h->inputs[i] * 2654435761u) & (size - 1);
    while (table[at] && h->inputs[table[at] - 1] != h->inputs[i]) at = (at + 1) & (size - 1);
    if (!table[at]) {
      table[at] = i + 1;
      x->first[x->width] = i;
      x->input[i] = x->width++;
    } else {
      x->input[i] = x->input[table[at] - 1];
    }
  }
  return true;
}

History *history_new(Hybrid *h) {
  History *x = arena_new_of(h->arena, History);
  if (!x) return NULL;
  x->from = arena_array(h->arena, h->delay_count, sizeof *x->from);
  // values that hold a motion depend on all that pushes it
  x->words = (h->delay_count + 63) / 64;
  x->feeds = h->delay_count <= most_traced && !hybrid_may_hold(h) ? find_feeds(h, x->words) : NULL;
  x->passes = arena_array(h->arena, h->delay_count, sizeof *x->passes);
  if (!find_inputs(h, x) || !x->passes) return NULL;
  for (uint32_t i = 0; i < h->delay_count; i++) {
    for (uint32_t k = 0; k < h->delay_count && !x->passes[i]; k++)
      x->passes[i] = !x->feeds || (x->feeds[(size_t)k * x->words + i / 64] >> i % 64 & 1);
  }
  for (uint32_t i = 0; x->from && i < h->delay_count; i++) x->from[i] = -1;
  x->next = arena_array(h->arena, h->delay_count, sizeof *x->next);
  x->values = arena_array(h->arena, (size_t)points * x->width, sizeof *x->values);
  x->y = arena_array(h->arena, (size_t)h->body + 2, sizeof *x->y);
  static const double pi = 3.141592653589793238;
  for (int j = 0; j < points; j++) {
    x->node[j] = 0.5 * (1 - cos(pi * j / degree));
    for (int k = 0; k < points; k++) x->cosine[j][k] = cos(pi * j * k / degree);
  }
  h->events.longest = INFINITY;
  for (uint32_t i = 0; i < h->delay_count; i++) {
    if (!(h->delay_times[i] > 0)) continue;
    h->events.longest = fmin(h->events.longest, h->delay_times[i]);
    x->longest = fmax(x->longest, h->delay_times[i]);
  }
  return arena_failed(h->arena) ? NULL : x;
}

static double before_start(Hybrid *h, uint32_t delay, double t) {
  double *var = tape_vars(h->history_tape, h->history_w);
  var[0] = t;
  tape_eval(h->history_tape, h->history_w);
  return tape_result(h->history_tape, h->history_w, delay);
}

double history_value(Hybrid *h, uint32_t delay, double t) {
  History *x = h->history;
  if (!(h->delay_times[delay] > 0)) return 0; // replaced by its input
  double at = t - h->delay_times[delay];
  uint32_t next = x->next[delay];
  if (x->from[delay] < 0) return before_start(h, delay, fmin(at, h->t0)); // the mark of the start lies ahead
  // between the marks
  uint64_t lo = (uint64_t)x->from[delay],
           hi = next < x->marks.count ? x->marks.items[next].segment : x->dropped + x->start.count;
  lo = lo > x->dropped ? lo - x->dropped : 0;
  hi -= x->dropped;
  if (hi <= lo) return h->z[h->delay_at + delay]; // nothing was recorded yet
  // mostly where it was read last, or beside it
  uint64_t near = x->cursor[delay];
  if (near >= lo && near < hi && x->start.items[near] <= at) {
    lo = near;
    if (near + 1 >= hi || x->start.items[near + 1] > at) hi = near + 1;
    else if (near + 2 >= hi || x->start.items[near + 2] > at) lo = near + 1, hi = near + 2;
  }
  while (hi - lo > 1) {
    uint64_t mid = lo + (hi - lo) / 2;
    if (x->start.items[mid] <= at) lo = mid;
    else hi = mid;
  }
  x->cursor[delay] = (uint32_t)lo;
  double a = x->start.items[lo], b = x->end.items[lo], s = (at - a) / (b - a);
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  const double *c = x->c.items + (lo * x->width + x->input[delay]) * points;
  double u = 1 - 2 * s, p = 0, q = 0; // Clenshaw
  for (int k = degree; k > 0; k--) {
    double r = 2 * u * p - q + c[k];
    q = p;
    p = r;
  }
  return u * p - q + c[0];
}

// A polynomial on a piece of its segment: from the middle of the piece, with the largest slopes that it can have.
static void segment_range(const double *c, double s0, double s1, double value[2], double rate[2]) {
  double slope = 0, bend = 0, mid = 0.5 * (s0 + s1), half = 0.5 * (s1 - s0), u = 1 - 2 * mid, p = 0, q = 0, size = 0;
  double before = 0, now = 1, first = 0; // U_(k-2), U_(k-1)
  for (int k = degree; k > 0; k--) {
    double r = 2 * u * p - q + c[k];
    q = p;
    p = r;
  }
  for (int k = 0; k <= degree; k++) {
    double w = k;
    size += fabs(c[k]);
    slope += 2 * w * w * fabs(c[k]);
    bend += 4 * w * w * (w * w - 1) / 3 * fabs(c[k]);
    if (!k) continue;
    first -= 2 * w * c[k] * now; // T_k' = k U_(k-1), and u = 1 - 2 s
    double next = 2 * u * now - before;
    before = now;
    now = next;
  }
  double at = u * p - q + c[0], steep = fmin(slope, fabs(first) + bend * half), hair = 1e-15 * size;
  value[0] = at - steep * half - hair;
  value[1] = at + steep * half + hair;
  rate[0] = fmax(-slope, first - bend * half) - 100 * hair;
  rate[1] = fmin(slope, first + bend * half) + 100 * hair;
}

void history_range(Hybrid *h, uint32_t delay, double t0, double t1, double value[2], double rate[2]) {
  History *x = h->history;
  value[0] = value[1] = h->z[h->delay_at + delay];
  rate[0] = rate[1] = 0;
  if (!(h->delay_times[delay] > 0)) return; // replaced by its input
  double from = t0 - h->delay_times[delay], to = t1 - h->delay_times[delay];
  if (x->from[delay] < 0) { // before the start
    const Tape *t = h->history_tape;
    double **r = h->past_ranges;
    r[0][t->param_count] = fmin(from, h->t0);
    r[1][t->param_count] = fmin(to, h->t0);
    r[2][t->param_count] = r[3][t->param_count] = t1 - t0;
    for (uint32_t i = 1; i < t->var_count; i++) {
      r[0][t->param_count + i] = r[1][t->param_count + i] = h->history_w[t->param_count + i];
      r[2][t->param_count + i] = r[3][t->param_count + i] = 0;
    }
    tape_range_rates(t, h->history_w, r[0], r[1], r[2], r[3]);
    uint32_t out = t->outputs[delay];
    value[0] = r[0][out];
    value[1] = r[1][out];
    rate[0] = r[2][out];
    rate[1] = r[3][out];
    return;
  }
  uint32_t next = x->next[delay];
  uint64_t lo = (uint64_t)x->from[delay],
           hi = next < x->marks.count ? x->marks.items[next].segment : x->dropped + x->start.count;
  lo = lo > x->dropped ? lo - x->dropped : 0;
  hi -= x->dropped;
  if (hi <= lo) return; // nothing was recorded yet
  uint64_t end = hi;
  while (hi - lo > 1) {
    uint64_t mid = lo + (hi - lo) / 2;
    if (x->start.items[mid] <= from) lo = mid;
    else hi = mid;
  }
  for (uint64_t k = lo; k < end && (k == lo || x->start.items[k] <= to); k++) {
    double a = x->start.items[k], b = x->end.items[k], s0 = fmin(1, fmax(0, (from - a) / (b - a))),
           s1 = fmin(1, fmax(0, (to - a) / (b - a))), v[2], r[2];
    segment_range(x->c.items + (k * x->width + x->input[delay]) * points, s0, fmax(s0, s1), v, r);
    r[0] *= (t1 - t0) / (b - a);
    r[1] *= (t1 - t0) / (b - a);
    value[0] = k == lo ? v[0] : fmin(value[0], v[0]);
    value[1] = k == lo ? v[1] : fmax(value[1], v[1]);
    rate[0] = k == lo ? r[0] : fmin(rate[0], r[0]);
    rate[1] = k == lo ? r[1] : fmax(rate[1], r[1]);
  }
}

// Half of the record is dropped when nobody needs it any more.
static void drop(Hybrid *h, double t) {
  History *x = h->history;
  uint32_t n = x->start.count, half = n / 2;
  if (n < 256 || x->end.items[half] >= t - 1.01 * x->longest) return;
  uint32_t left = n - half;
  memmove(x->start.items, x->start.items + half, left * sizeof(double));
  memmove(x->end.items, x->end.items + half, left * sizeof(double));
  size_t width = (size_t)x->width * points;
  memmove(x->c.items, x->c.items + half * width, left * width * sizeof(double));
  x->start.count = x->end.count = left;
  x->c.count = (uint32_t)(left * width);
  x->dropped += half;
}

bool history_record(void *self, double t0, double t1, OdeDense *dense, void *from) {
  Hybrid *h = self;
  History *x = h->history;
  uint32_t n = x->width;
  if ((uint64_t)x->c.count + (uint64_t)n * points > most_kept) {
    h->failure = "the past of the delays takes more than 1 GB: a long delay, and very many steps; take fewer delays, a "
                 "shorter one, or a larger `--rtol`";
    h->failure_place = h->m->delays.items[0].span;
    return false;
  }
  for (int j = 0; j < points; j++) {
    // no rounding leads beyond the end, where a jump may be
    double t = ode_seen(h->breaks.late, h->t0, j == degree ? t1 : fmin(t0 + (t1 - t0) * x->node[j], t1));
    dense(from, x->node[j], x->y);
    hybrid_given(h, t, x->y);
    hybrid_put(h, h->inputs_tape, h->inputs_w, t, x->y);
    tape_eval(h->inputs_tape, h->inputs_w);
    for (uint32_t i = 0; i < n; i++)
      x->values[(size_t)j * n + i] = tape_result(h->inputs_tape, h->inputs_w, x->first[i]);
  }
  drop(h, t0);
  vec_push(h->arena, &x->start, t0);
  vec_push(h->arena, &x->end, t1);
  for (uint32_t i = 0; i < n; i++) {
    bool still = true; // a level stays what it is
    for (int j = 1; j < points; j++) still = still && x->values[(size_t)j * n + i] == x->values[i];
    if (still) {
      for (int k = 0; k < points; k++) vec_push(h->arena, &x->c, k ? 0 : x->values[i]);
      continue;
    }
    for (int k = 0; k < points; k++) {
      double sum = 0;
      for (int j = 0; j < points; j++)
        sum += (j == 0 || j == degree ? 0.5 : 1) * x->values[(size_t)j * n + i] * x->cosine[j][k];
      vec_push(h->arena, &x->c, sum * (k == 0 || k == degree ? 1.0 : 2.0) / degree);
    }
  }
  return !arena_failed(h->arena);
}

static void put_mark(Hybrid *h, double t, int generation, int source) {
  History *x = h->history;
  if (generation > last_generation) return;
  // of one moment each source once, and none beside one that concerns all
  for (uint32_t i = x->marks.count; i-- > 0 && x->marks.items[i].t == t;) {
    Mark *m = &x->marks.items[i];
    if (m->source >= 0 && m->source != source) continue;
    if (generation < m->generation) m->generation = generation;
    return;
  }
  vec_push(h->arena, &x->marks, (Mark){t, x->dropped + x->start.count, generation, source});
}

void history_mark(Hybrid *h, double t, bool jump) {
  History *x = h->history;
  for (uint32_t i = 0; i < h->delay_count; i++) {
    if (!(h->delay_times[i] > 0)) continue;
    int passed = -1; // the least generation of the images that are reached
    for (skip_others(x, i); x->next[i] < x->marks.count && x->marks.items[x->next[i]].t + h->delay_times[i] <= t;
         skip_others(x, i)) {
      const Mark *m = &x->marks.items[x->next[i]++];
      x->from[i] = (int64_t)m->segment;
      passed = passed < 0 || m->generation < passed ? m->generation : passed;
    }
    if (passed >= 0 && !jump && x->passes[i]) put_mark(h, t, passed + 1, x->feeds ? (int)i : -1);
  }
  if (jump) put_mark(h, t, 0, -1);
  for (uint32_t i = 0; i < h->delay_count; i++) skip_others(x, i);
}

double history_next(const Hybrid *h, double t) {
  const History *x = h->history;
  double first = INFINITY;
  for (uint32_t i = 0; i < h->delay_count; i++) {
    if (!(h->delay_times[i] > 0) || x->next[i] >= x->marks.count) continue;
    first = fmin(first, x->marks.items[x->next[i]].t + h->delay_times[i]);
  }
  return first > t ? first : nextafter(t, INFINITY);
}
