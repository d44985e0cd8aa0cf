// Minimum degree ordering on the quotient graph: the unknown with the fewest neighbours is eliminated first.
//
// Eliminating an unknown makes one set of all its neighbours, which takes the place of the sets that it was in
// (quotient graph: George and Liu, SIAM Review 31, 1989). Degrees are counted, not estimated: a bound by the sizes of
// the sets fills in half as much again on a grid. Of equal degrees the one that was counted last goes first, so the
// order is the same everywhere.
#include "tape/elimination.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(uint32_t) List;

typedef struct Graph {
  Arena *arena;
  uint32_t unknowns;
  VEC(List) sets;
  List *of;                        // by unknown: its sets
  uint32_t *degree;                // by unknown
  uint32_t *first, *next, *before; // by degree, by unknown: lists of equal degree; plus one, 0: none
  uint32_t *step;                  // by unknown: when it was eliminated, plus one
  uint32_t *mark, marks;           // by unknown
} Graph;

static void take_out(Graph *g, uint32_t i) {
  if (g->before[i]) g->next[g->before[i] - 1] = g->next[i];
  else g->first[g->degree[i]] = g->next[i];
  if (g->next[i]) g->before[g->next[i] - 1] = g->before[i];
}

static void put_in(Graph *g, uint32_t i, uint32_t degree) {
  g->degree[i] = degree;
  g->before[i] = 0;
  g->next[i] = g->first[degree];
  if (g->next[i]) g->before[g->next[i] - 1] = i + 1;
  g->first[degree] = i + 1;
}

// How many neighbours it has.
static uint32_t degree_of(Graph *g, uint32_t i) {
  uint32_t count = 0;
  g->mark[i] = ++g->marks;
  for (uint32_t k = 0; k < g->of[i].count; k++) {
    const List *set = &g->sets.items[g->of[i].items[k]];
    for (uint32_t m = 0; m < set->count; m++) {
      count += g->mark[set->items[m]] != g->marks;
      g->mark[set->items[m]] = g->marks;
    }
  }
  return count;
}

static bool graph_init(Graph *g, const EliminationSets *sets) {
  uint32_t n = g->unknowns;
  g->of = arena_array(g->arena, (size_t)n + 1, sizeof *g->of);
  g->degree = arena_array(g->arena, (size_t)n + 1, sizeof *g->degree);
  g->first = arena_array(g->arena, (size_t)n + 1, sizeof *g->first);
  g->next = arena_array(g->arena, (size_t)n + 1, sizeof *g->next);
  g->before = arena_array(g->arena, (size_t)n + 1, sizeof *g->before);
  g->step = arena_array(g->arena, (size_t)n + 1, sizeof *g->step);
  g->mark = arena_array(g->arena, (size_t)n + 1, sizeof *g->mark);
  if (!g->of || !g->degree || !g->first || !g->next || !g->before || !g->step || !g->mark) return false;
  for (uint32_t s = 0; s < sets->count; s++) {
    List list = {0};
    for (uint32_t k = sets->start[s]; k < sets->start[s + 1]; k++) {
      if (!vec_push(g->arena, &list, sets->member[k]) || !vec_push(g->arena, &g->of[sets->member[k]], s)) return false;
    }
    if (!vec_push(g->arena, &g->sets, list)) return false;
  }
  for (uint32_t i = n; i-- > 0;) put_in(g, i, degree_of(g, i));
  return true;
}

// The neighbours of an unknown, as one new set; the sets that it was in are empty afterwards.
static bool merge(Graph *g, uint32_t p, List *out) {
  g->marks++;
  g->mark[p] = g->marks;
  for (uint32_t k = 0; k < g->of[p].count; k++) {
    List *set = &g->sets.items[g->of[p].items[k]];
    for (uint32_t i = 0; i < set->count; i++) {
      uint32_t member = set->items[i];
      if (g->mark[member] == g->marks) continue;
      g->mark[member] = g->marks;
      if (!vec_push(g->arena, out, member)) return false;
    }
    set->count = 0;
  }
  return true;
}

static bool eliminate(Graph *g, uint32_t p) {
  List set = {0};
  take_out(g, p);
  if (!merge(g, p, &set) || !vec_push(g->arena, &g->sets, set)) return false;
  for (uint32_t k = 0; k < set.count; k++) {
    uint32_t i = set.items[k], kept = 0;
    List *of = &g->of[i];
    for (uint32_t s = 0; s < of->count; s++) {
      if (g->sets.items[of->items[s]].count) of->items[kept++] = of->items[s];
    }
    of->count = kept;
    if (!vec_push(g->arena, of, g->sets.count - 1)) return false;
    take_out(g, i);
    put_in(g, i, degree_of(g, i));
  }
  return true;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

const Elimination *elimination_order(Arena *arena, uint32_t n, const EliminationSets *sets) {
  Graph graph = {.arena = arena, .unknowns = n}, *g = &graph;
  Elimination *e = arena_new_of(arena, Elimination);
  List left = {0};
  if (!e || !graph_init(g, sets)) return NULL;
  e->order = arena_array(arena, (size_t)n + 1, sizeof *e->order);
  e->start = arena_array(arena, (size_t)n + 1, sizeof *e->start);
  if (!e->order || !e->start) return NULL;
  for (uint32_t k = 0, least = 0; k < n; k++) {
    while (!g->first[least]) least++;
    uint32_t p = g->first[least] - 1;
    if (!eliminate(g, p)) return NULL;
    e->order[k] = p;
    g->step[p] = k + 1;
    const List *set = &g->sets.items[g->sets.count - 1];
    for (uint32_t i = 0; i < set->count; i++) {
      if (!vec_push(arena, &left, set->items[i])) return NULL;
      if (g->degree[set->items[i]] < least) least = g->degree[set->items[i]];
    }
    e->start[k + 1] = left.count;
  }
  // unknowns become steps
  for (uint32_t i = 0; i < left.count; i++) left.items[i] = g->step[left.items[i]] - 1;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t count = e->start[k + 1] - e->start[k];
    if (count) qsort(left.items + e->start[k], count, sizeof *left.items, by_number);
  }
  e->left = left.items;
  return e;
}
