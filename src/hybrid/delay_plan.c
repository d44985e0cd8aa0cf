// Delays before a run: which share a record, and which depend on which.
//
// A jump that comes out of a delay goes on into the inputs of others, one order smoother for each integrator on its
// way. Which delays an input depends on is found by spreading bits, one for each delay, along what is computed from
// what, until none is new.
#include "hybrid/event_plan.h"

#include <math.h>

enum { most_traced = 4000 }; // 4000 delays are 2 MB of bits for each thousand symbols

// What is computed from what: one symbol from the symbols of some expressions.
typedef struct DelayLink {
  SymbolId to;
  const SymbolId *from;
  uint32_t count;
} DelayLink;

typedef VEC(DelayLink) DelayLinks;

static bool put_link(EventPlan *e, DelayLinks *links, const SymbolId *to, uint32_t to_count, const ExprId *roots,
                     uint32_t root_count) {
  ExprPool *pool = e->s->pool;
  uint32_t length, count = 0;
  const ExprId *list = pool_reach(pool, roots, root_count, NULL, NULL, &length);
  SymbolId *from = list ? arena_array(e->s->arena, length, sizeof *from) : NULL;
  if (!from) return false;
  for (uint32_t i = 0; i < length; i++) {
    SymbolId s = expr_symbol(pool, list[i]);
    if (s) from[count++] = s;
  }
  for (uint32_t i = 0; i < to_count; i++) {
    if (!vec_push(e->s->arena, links, (DelayLink){to[i], from, count})) return false;
  }
  return true;
}

static bool put_links(EventPlan *e, DelayLinks *links) {
  const System *s = e->s;
  bool ok = true;
  for (uint32_t i = 0; ok && i < s->definitions.count; i++)
    ok = put_link(e, links, &s->definitions.items[i].symbol, 1, &s->definitions.items[i].value, 1);
  for (uint32_t i = 0; ok && i < s->blocks.count; i++) {
    const Block *b = &s->blocks.items[i];
    ok = put_link(e, links, b->unknowns, b->count, b->rhs, b->count) &&
         put_link(e, links, b->unknowns, b->count, b->matrix.value, block_entries(b));
  }
  for (uint32_t i = 0; ok && i < s->calls.count; i++) {
    const SystemCall *c = &s->calls.items[i];
    ok = put_link(e, links, c->results, c->result_count, c->args, c->arg_count);
  }
  // a component follows its rate
  for (uint32_t i = 0; ok && i < s->y.count; i++) {
    const Component *y = &s->y.items[i];
    if (y->symbol) ok = put_link(e, links, &y->symbol, 1, &y->rate, 1);
  }
  return ok;
}

// By delay: bits of those that its input depends on. NULL: out of memory.
static uint64_t *find_feeds(EventPlan *e, size_t words) {
  DelayLinks links = {0};
  if (!put_links(e, &links)) return NULL;
  uint32_t inputs = links.count, n = e->delay_count;
  for (uint32_t i = 0; i < n; i++) {
    if (!put_link(e, &links, (SymbolId[]){0}, 1, &e->rewriting->inputs[i], 1)) return NULL;
  }
  uint64_t *bits = arena_array(e->s->arena, (size_t)e->s->pool->symbols.count * words, sizeof *bits),
           *feeds = arena_array(e->s->arena, (size_t)n * words, sizeof *feeds);
  if (!bits || !feeds) return NULL;
  for (uint32_t i = 0; i < n; i++) bits[(size_t)e->s->delays.items[i].symbol * words + i / 64] |= (uint64_t)1 << i % 64;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < inputs; i++) {
      const DelayLink *l = &links.items[i];
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
    const DelayLink *l = &links.items[inputs + i];
    for (uint32_t k = 0; k < l->count; k++) {
      for (size_t w = 0; w < words; w++) feeds[(size_t)i * words + w] |= bits[(size_t)l->from[k] * words + w];
    }
  }
  return feeds;
}

// Delays of one signal share its record.
static bool find_inputs(EventPlan *e) {
  DelayPlan *x = &e->delays;
  const ExprId *inputs = e->rewriting->inputs;
  uint32_t n = e->delay_count, size = 64;
  while (size < 2 * n) size *= 2;
  uint32_t *table = arena_array(e->s->arena, size, sizeof *table); // delay plus one, by input
  x->input = arena_array(e->s->arena, n, sizeof *x->input);
  x->first = arena_array(e->s->arena, n, sizeof *x->first);
  if (!table || !x->input || !x->first) return false;
  x->width = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = (inputs[i] * 2654435761u) & (size - 1);
    while (table[at] && inputs[table[at] - 1] != inputs[i]) at = (at + 1) & (size - 1);
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

bool event_find_delays(EventPlan *e) {
  Arena *arena = e->s->arena;
  DelayPlan *x = &e->delays;
  uint32_t n = e->delay_count;
  // values of elements that stick depend on all forces that act on them
  x->words = (n + 63) / 64;
  x->feeds = n <= most_traced && !e->may_hold ? find_feeds(e, x->words) : NULL;
  x->passes = arena_array(arena, n, sizeof *x->passes);
  if (!find_inputs(e) || !x->passes) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n && !x->passes[i]; k++)
      x->passes[i] = !x->feeds || (x->feeds[(size_t)k * x->words + i / 64] >> i % 64 & 1);
  }
  static const double pi = 3.141592653589793238;
  for (int j = 0; j < history_points; j++) {
    x->node[j] = 0.5 * (1 - cos(pi * j / history_degree));
    for (int k = 0; k < history_points; k++) x->cosine[j][k] = cos(pi * j * k / history_degree);
  }
  return !arena_failed(arena);
}
