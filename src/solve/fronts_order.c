// Elimination order for the multifrontal method: which unknowns are eliminated together, and when.
//
// in    the pattern, groups of unknowns
// out   fronts in an order in which each comes right behind the fronts that it takes from (postorder), with their rows
// how   groups in their own order or by AMD; each further unknown joins the last of its groups; the rows of a front are
//       what its columns and its children reach; fronts that one would eliminate in one go are made one
#include "solve/fronts_order.h"

#include <amd.h>
#include <stdlib.h>
#include <string.h>

// How many entries the envelope of a matrix may have against its own, so that its order is taken as it is.
enum { narrow = 2 };

typedef struct GroupGraph { // of groups
  uint32_t count;
  int32_t *start, *next;
} GroupGraph;

// ---- the order of groups

static bool make_graph(Slab *slab, GroupGraph *g, const uint32_t *start, const uint32_t *row, uint32_t border,
                       const uint32_t *group) {
  g->count = border ? group[border - 1] + 1 : 0;
  g->start = slab_take(slab, (size_t)g->count + 1, sizeof *g->start);
  size_t most = 0;
  for (uint32_t c = 0; c < border; c++) {
    if (c == 0 || group[c] != group[c - 1]) most += start[c + 1] - start[c];
  }
  g->next = slab_take(slab, most, sizeof *g->next);
  if (!g->start || !g->next) return false;
  int32_t count = 0;
  for (uint32_t c = 0; c < border; c++) { // the members of a group have the same neighbours: the first speaks for all
    if (c > 0 && group[c] == group[c - 1]) continue;
    int32_t from = count;
    for (uint32_t p = start[c]; p < start[c + 1]; p++) {
      if (row[p] >= border || group[row[p]] == group[c]) continue;
      if (count > from && g->next[count - 1] == (int32_t)group[row[p]]) continue;
      g->next[count++] = (int32_t)group[row[p]];
    }
    g->start[group[c] + 1] = count;
  }
  return true;
}

// Does the order as it is fill little?
static bool is_narrow(const GroupGraph *g) {
  size_t envelope = 0;
  for (int32_t k = 0; k < (int32_t)g->count; k++) {
    int32_t least = k;
    for (int32_t p = g->start[k]; p < g->start[k + 1]; p++) least = g->next[p] < least ? g->next[p] : least;
    envelope += (size_t)(k - least);
  }
  return envelope <= (size_t)narrow * ((size_t)g->start[g->count] / 2);
}

// place[g]: the index of group g in the order of elimination.
static bool order_groups(Slab *slab, const GroupGraph *g, bool backwards, uint32_t *place) {
  if (is_narrow(g)) {
    for (uint32_t k = 0; k < g->count; k++) place[k] = backwards ? g->count - 1 - k : k;
    return true;
  }
  int32_t *order = slab_take(slab, g->count, sizeof *order);
  bool ok = order && amd_order((int32_t)g->count, g->start, g->next, order, NULL, NULL) >= AMD_OK;
  for (uint32_t k = 0; ok && k < g->count; k++) place[order[k]] = k;
  return ok;
}

// ---- fronts

// The front of each unknown: that of its group, or of the last group it is joined with; the rest stand alone.
static uint32_t assign(uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border, const uint32_t *group,
                       const uint32_t *place, uint32_t groups, uint32_t *front) {
  uint32_t count = groups;
  for (uint32_t c = 0; c < border; c++) front[c] = place[group[c]];
  for (uint32_t c = border; c < n; c++) {
    uint32_t last = fronts_none;
    for (uint32_t p = start[c]; p < start[c + 1]; p++) {
      if (row[p] < border && (last == fronts_none || front[row[p]] > last)) last = front[row[p]];
    }
    front[c] = last == fronts_none ? count++ : last;
  }
  return count;
}

// Columns front by front, in their own order in each.
static void list_columns(FrontsTree *t, const uint32_t *front) {
  memset(t->begin, 0, ((size_t)t->count + 1) * sizeof *t->begin);
  for (uint32_t c = 0; c < t->n; c++) t->begin[front[c] + 1]++;
  for (uint32_t s = 0; s < t->count; s++) t->begin[s + 1] += t->begin[s];
  for (uint32_t c = 0; c < t->n; c++) {
    uint32_t k = t->begin[front[c]]++;
    t->order[k] = c;
    t->back[c] = k;
  }
  for (uint32_t s = t->count; s > 0; s--) t->begin[s] = t->begin[s - 1];
  t->begin[0] = 0;
}

static int rising(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void sort(uint32_t *list, size_t count) {
  if (count > 48) {
    qsort(list, count, sizeof *list, rising);
    return;
  }
  for (size_t i = 1; i < count; i++) {
    uint32_t x = list[i];
    size_t k = i;
    for (; k > 0 && list[k - 1] > x; k--) list[k] = list[k - 1];
    list[k] = x;
  }
}

typedef struct FrontRows {
  size_t room;
  uint32_t *mark, *of; // by column: the last front that has seen it; the front it belongs to
} FrontRows;

static bool grow_rows(FrontsTree *t, FrontRows *x, size_t needed) {
  if (needed <= x->room) return true;
  size_t more = x->room * 2 > needed ? x->room * 2 : needed;
  if (more < 2 * (size_t)t->n) more = 2 * (size_t)t->n; // what a chain needs
  uint32_t *rows = slab_take(t->slab, more, sizeof *rows);
  if (!rows) return false;
  if (x->room) memcpy(rows, t->rows, x->room * sizeof *rows);
  t->rows = rows;
  x->room = more;
  return true;
}

static bool find_rows(FrontsTree *t, const uint32_t *start, const uint32_t *row, FrontRows *x, uint32_t s) {
  size_t at = t->first[s], most = at;
  uint32_t end = t->begin[s + 1];
  for (uint32_t c = t->begin[s]; c < end; c++) most += start[t->order[c] + 1] - start[t->order[c]];
  for (uint32_t c = t->child[s]; c != fronts_none; c = t->sibling[c]) most += t->first[c + 1] - t->first[c];
  if (!grow_rows(t, x, most)) return false;
  for (uint32_t c = t->begin[s]; c < end; c++) {
    for (uint32_t p = start[t->order[c]]; p < start[t->order[c] + 1]; p++) {
      uint32_t r = t->back[row[p]];
      if (r < end || x->mark[r] == s + 1) continue;
      x->mark[r] = s + 1;
      t->rows[at++] = r;
    }
  }
  for (uint32_t c = t->child[s]; c != fronts_none; c = t->sibling[c]) {
    for (size_t p = t->first[c]; p < t->first[c + 1]; p++) {
      uint32_t r = t->rows[p];
      if (r < end || x->mark[r] == s + 1) continue;
      x->mark[r] = s + 1;
      t->rows[at++] = r;
    }
  }
  sort(t->rows + t->first[s], at - t->first[s]);
  t->first[s + 1] = at;
  return true;
}

// The rows of all fronts, and who takes from whom.
static bool find_tree(FrontsTree *t, const uint32_t *start, const uint32_t *row, FrontRows *x) {
  for (uint32_t s = 0; s < t->count; s++) {
    t->child[s] = t->sibling[s] = t->parent[s] = fronts_none;
    for (uint32_t c = t->begin[s]; c < t->begin[s + 1]; c++) x->of[c] = s;
  }
  memset(x->mark, 0, t->n * sizeof *x->mark);
  t->first[0] = 0;
  for (uint32_t s = 0; s < t->count; s++) {
    if (!find_rows(t, start, row, x, s)) return false;
    if (t->first[s + 1] == t->first[s]) continue;
    uint32_t p = t->parent[s] = x->of[t->rows[t->first[s]]];
    t->sibling[s] = t->child[p];
    t->child[p] = s;
  }
  return true;
}

// Do all fronts that a front takes from, and those that these take from, stand right before it? Else `front` becomes an
// order in which they do. sub: room, one a front.
static bool is_postorder(const FrontsTree *t, uint32_t *sub, uint32_t *least) {
  for (uint32_t s = 0; s < t->count; s++) {
    sub[s] = 1;
    least[s] = s;
    for (uint32_t c = t->child[s]; c != fronts_none; c = t->sibling[c]) {
      sub[s] += sub[c];
      least[s] = least[c] < least[s] ? least[c] : least[s];
    }
    if (least[s] != s + 1 - sub[s]) return false;
  }
  return true;
}

// number[s]: the index of front s in postorder.
static void postorder(const FrontsTree *t, uint32_t *number, uint32_t *way) {
  uint32_t next = t->count;
  // from the last root downwards: a front gets its number before its children, which get those right below
  uint32_t depth = 0;
  for (uint32_t s = 0; s < t->count; s++) {
    if (t->parent[s] == fronts_none) way[depth++] = s;
  }
  while (depth > 0) {
    uint32_t s = way[--depth];
    number[s] = --next;
    uint32_t from = depth;
    for (uint32_t c = t->child[s]; c != fronts_none; c = t->sibling[c]) way[depth++] = c;
    for (uint32_t a = from, b = depth; a + 1 < b; a++, b--) { // the last child on top
      uint32_t kept = way[a];
      way[a] = way[b - 1];
      way[b - 1] = kept;
    }
  }
}

// Fronts that have the rows of their parent, as its last child: both are one.
static void merge(FrontsTree *t) {
  uint32_t *into = t->sibling, kept = 0; // front s becomes into[s]; siblings are found again
  for (uint32_t s = 0; s < t->count; s++) {
    size_t u = t->first[s + 1] - t->first[s];
    bool joined = t->parent[s] == s + 1 && u == t->begin[s + 2] - t->begin[s + 1] + (t->first[s + 2] - t->first[s + 1]);
    into[s] = kept;
    if (!joined) kept++;
  }
  size_t at = 0;
  for (uint32_t s = 0; s < t->count; s++) {
    uint32_t to = into[s];
    bool last = s + 1 == t->count || into[s + 1] != to;
    if (s == 0 || into[s - 1] != to) t->begin[to] = t->begin[s];
    if (!last) continue;
    size_t from = t->first[s], u = t->first[s + 1] - from;
    memmove(t->rows + at, t->rows + from, u * sizeof *t->rows);
    t->first[to] = at;
    t->parent[to] = t->parent[s] == fronts_none ? fronts_none : into[t->parent[s]];
    at += u;
  }
  t->begin[kept] = t->n;
  t->first[kept] = at;
  t->count = kept;
}

static void find_children(FrontsTree *t) {
  for (uint32_t s = 0; s < t->count; s++) {
    t->child[s] = fronts_none;
    t->taken[s] = 0;
  }
  for (uint32_t s = 0; s < t->count; s++) {
    uint32_t p = t->parent[s];
    size_t u = t->first[s + 1] - t->first[s];
    t->sibling[s] = fronts_none;
    if (p == fronts_none) continue;
    t->sibling[s] = t->child[p];
    t->child[p] = s;
    t->taken[p] += u * u + u;
  }
}

static bool take_room(FrontsTree *t) {
  size_t n = t->n, count = t->count;
  t->order = slab_take(t->slab, n, sizeof *t->order);
  t->back = slab_take(t->slab, n, sizeof *t->back);
  t->begin = slab_take(t->slab, count + 1, sizeof *t->begin);
  t->first = slab_take(t->slab, count + 1, sizeof *t->first);
  t->parent = slab_take(t->slab, count, sizeof *t->parent);
  t->child = slab_take(t->slab, count, sizeof *t->child);
  t->sibling = slab_take(t->slab, count, sizeof *t->sibling);
  t->taken = slab_take(t->slab, count, sizeof *t->taken);
  return t->order && t->back && t->begin && t->first && t->parent && t->child && t->sibling && t->taken;
}

static bool build_tree(Slab *passing, FrontsTree *t, const uint32_t *start, const uint32_t *row, uint32_t *front,
                       uint32_t *number) {
  FrontRows x = {.mark = slab_take(passing, t->n, sizeof *x.mark), .of = slab_take(passing, t->n, sizeof *x.of)};
  bool ok = x.mark && x.of;
  list_columns(t, front);
  ok = ok && find_tree(t, start, row, &x);
  if (ok && !is_postorder(t, x.mark, number)) {
    postorder(t, number, x.mark);
    for (uint32_t c = 0; c < t->n; c++) front[c] = number[front[c]];
    list_columns(t, front);
    ok = find_tree(t, start, row, &x);
  }
  if (!ok) return false;
  merge(t);
  find_children(t);
  return true;
}

bool fronts_order(Slab *slab, FrontsTree *t, uint32_t n, const uint32_t *start, const uint32_t *row, uint32_t border,
                  const uint32_t *group, bool backwards) {
  *t = (FrontsTree){.slab = slab, .n = n};
  Slab passing = {.next = 32 * (size_t)n};
  GroupGraph g = {0};
  uint32_t *front = slab_take(&passing, n, sizeof *front), *place = NULL, *number = NULL;
  bool ok = front && make_graph(&passing, &g, start, row, border, group);
  if (ok) place = slab_take(&passing, g.count, sizeof *place);
  ok = ok && place && order_groups(&passing, &g, backwards, place);
  if (ok) t->count = assign(n, start, row, border, group, place, g.count, front);
  if (ok) number = slab_take(&passing, t->count, sizeof *number);
  ok = ok && number && take_room(t) && build_tree(&passing, t, start, row, front, number);
  slab_give(&passing);
  return ok;
}
