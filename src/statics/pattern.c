// The sparsity pattern, by nodes and not by unknowns.
//
// All unknowns of a node have the same neighbours, so their columns have the same rows: those of the node itself, those
// of each neighbour, then the constraints that bind it. So a bar needs to know four numbers: where the rows of either
// end begin in the columns of the other, and where its constraint stands in the columns of both. Neighbours that
// several parts bring are found once, by marks; nothing is sorted.
#include "statics/pattern.h"

#include <string.h>

typedef struct Pairs { // neighbours as parts bring them, block by block; those that come again are taken out
  size_t *first;       // of each block
  uint32_t *next;      // the neighbour
  uint32_t *who;       // which end of which pair it is
  uint32_t *offset;    // by end of a pair: where the rows of the neighbour begin
  uint32_t *height;    // by block: rows of unknowns
  uint32_t *bound;     // by block: constraints
  uint32_t *filled;    // by block: constraints so far
} Pairs;

enum { part_blocks_most = 5, part_pairs_most = 10 };

static uint32_t line_count(const Problem *p) { return p->s->bars.count + p->s->springs.count; }

static void line_ends(const Problem *p, uint32_t i, uint32_t ends[2]) {
  const Structure *s = p->s;
  bool bar = i < s->bars.count;
  ends[0] = bar ? s->bars.items[i].a : s->springs.items[i - s->bars.count].a;
  ends[1] = bar ? s->bars.items[i].b : s->springs.items[i - s->bars.count].b;
}

static bool is_line(ElementKind kind) { return kind == element_bar || kind == element_spring; }

static uint32_t block_of(const Problem *p, uint32_t coordinate) {
  uint32_t places = p->s->nodes * p->s->dim;
  return coordinate < places ? coordinate / p->s->dim : p->s->nodes + coordinate - places;
}

// The blocks of a part, each once.
static uint32_t part_blocks(const Problem *p, const Element *e, uint32_t *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < e->dofs; i++) {
    uint32_t b = block_of(p, e->dof[i]), k = 0;
    while (k < count && out[k] != b) k++;
    if (k == count) out[count++] = b;
  }
  return count;
}

static uint32_t other_first(const Problem *p) {
  return p->s->bars.count < p->first_spring ? p->s->bars.count : p->first_spring + p->s->springs.count;
}
static uint32_t other_next(const Problem *p, uint32_t k) {
  return k + 1 == p->first_spring ? k + 1 + p->s->springs.count : k + 1;
}

// ---- blocks

static bool make_blocks(Arena *arena, Problem *p) {
  const Structure *s = p->s;
  p->block_count = s->nodes + s->extras;
  p->blocks = arena_array(arena, p->block_count, sizeof *p->blocks);
  p->group = arena_array(arena, p->n, sizeof *p->group);
  if (!p->blocks || !p->group) return false;
  uint32_t group = 0;
  for (uint32_t b = 0; b < p->block_count; b++) {
    ProblemBlock *x = &p->blocks[b];
    uint32_t from = b < s->nodes ? b * s->dim : s->nodes * s->dim + b - s->nodes, size = b < s->nodes ? s->dim : 1;
    x->unknown = structure_none;
    for (uint32_t i = 0; i < size; i++) {
      if (p->unknown[from + i] == structure_none) continue;
      if (x->count == 0) x->unknown = p->unknown[from + i];
      p->group[p->unknown[from + i]] = group;
      x->axis[x->count++] = (uint8_t)i;
    }
    group += x->count > 0;
  }
  return true;
}

// Are the blocks that a line joins to a support rather the first ones? By their mean index.
static bool held_first(const Problem *p) {
  double sum = 0, count = 0;
  uint32_t ends[2];
  for (uint32_t i = 0; i < line_count(p); i++) {
    line_ends(p, i, ends);
    for (int k = 0; k < 2; k++) {
      if (p->blocks[ends[k]].count || !p->blocks[ends[1 - k]].count) continue;
      sum += ends[1 - k];
      count++;
    }
  }
  return count > 0 && sum < 0.5 * count * p->block_count;
}

// ---- pairs

// Calls for every pair of every part, in the same order each time; fill: the second time, when the arrays are there.
static void visit_pairs(const Problem *p, Pairs *x, bool fill) {
  uint32_t ends[2], pair = 0, blocks[part_blocks_most];
  Element e;
  for (uint32_t i = 0; i < line_count(p); i++, pair++) {
    line_ends(p, i, ends);
    if (!p->blocks[ends[0]].count || !p->blocks[ends[1]].count) continue;
    for (int k = 0; k < 2; k++) {
      if (fill) {
        size_t at = x->first[ends[k] + 1]++;
        x->next[at] = ends[1 - k];
        x->who[at] = 2 * pair + (uint32_t)k;
      } else x->first[ends[k] + 2]++;
    }
  }
  for (uint32_t k = other_first(p); k < p->part_count; k = other_next(p, k)) {
    element_places(p->s, p->parts[k].kind, p->parts[k].index, &e);
    uint32_t count = part_blocks(p, &e, blocks);
    for (uint32_t i = 0; i < count; i++) {
      for (uint32_t j = i + 1; j < count; j++, pair++) {
        for (int side = 0; side < 2 && p->blocks[blocks[i]].count && p->blocks[blocks[j]].count; side++) {
          uint32_t from = side ? blocks[j] : blocks[i], to = side ? blocks[i] : blocks[j];
          if (fill) {
            size_t at = x->first[from + 1]++;
            x->next[at] = to;
            x->who[at] = 2 * pair + (uint32_t)side;
          } else x->first[from + 2]++;
        }
      }
    }
  }
}

static size_t pair_count(const Problem *p) {
  size_t count = line_count(p);
  for (uint32_t k = other_first(p); k < p->part_count; k = other_next(p, k)) count += part_pairs_most;
  return count;
}

static bool gather_pairs(Arena *arena, const Problem *p, Pairs *x) {
  uint32_t count = p->block_count;
  x->first = arena_array(arena, (size_t)count + 2, sizeof *x->first);
  if (!x->first) return false;
  visit_pairs(p, x, false);
  for (uint32_t b = 0; b < count; b++) x->first[b + 2] += x->first[b + 1];
  x->next = arena_array(arena, x->first[count + 1], sizeof *x->next);
  x->who = arena_array(arena, x->first[count + 1], sizeof *x->who);
  x->offset = arena_array(arena, 2 * pair_count(p), sizeof *x->offset);
  x->height = arena_array(arena, count, sizeof *x->height);
  x->bound = arena_array(arena, count, sizeof *x->bound);
  x->filled = arena_array(arena, count, sizeof *x->filled);
  if (arena_failed(arena)) return false;
  visit_pairs(p, x, true);
  return true;
}

// Each neighbour once. next[first[b]..] keeps those, closed by the block itself where some were taken out.
static bool find_heights(Arena *arena, const Problem *p, Pairs *x) {
  uint32_t *seen = arena_array(arena, p->block_count, sizeof *seen);
  uint32_t *at = arena_array(arena, p->block_count, sizeof *at);
  if (!seen || !at) return false;
  for (uint32_t b = 0; b < p->block_count; b++) {
    uint32_t height = p->blocks[b].count;
    size_t kept = x->first[b];
    for (size_t k = x->first[b]; k < x->first[b + 1]; k++) {
      uint32_t to = x->next[k];
      if (seen[to] != b + 1) {
        seen[to] = b + 1;
        at[to] = height;
        height += p->blocks[to].count;
        x->next[kept++] = to;
      }
      x->offset[x->who[k]] = at[to];
    }
    if (kept < x->first[b + 1]) x->next[kept] = b;
    x->height[b] = height;
  }
  return true;
}

// ---- columns

static void count_bound(const Problem *p, Pairs *x) {
  uint32_t blocks[part_blocks_most];
  Element e;
  for (uint32_t i = 0; i < p->s->bars.count; i++) {
    x->bound[p->s->bars.items[i].a]++;
    x->bound[p->s->bars.items[i].b]++;
  }
  for (uint32_t k = p->s->bars.count; k < p->first_spring; k++) {
    element_places(p->s, p->parts[k].kind, p->parts[k].index, &e);
    uint32_t count = part_blocks(p, &e, blocks);
    for (uint32_t i = 0; i < count; i++) x->bound[blocks[i]] += e.rows;
  }
}

// Where columns begin. Returns how many entries there are.
static size_t place_columns(Problem *p, const Pairs *x) {
  uint32_t blocks[part_blocks_most];
  size_t at = 0;
  Element e;
  for (uint32_t b = 0; b < p->block_count; b++) {
    ProblemBlock *block = &p->blocks[b];
    block->base = (uint32_t)at;
    block->length = x->height[b] + x->bound[b];
    for (uint32_t i = 0; i < block->count; i++, at += block->length) {
      p->start[block->unknown + i] = (uint32_t)at;
      p->diagonal[block->unknown + i] = (uint32_t)at + i;
    }
  }
  for (uint32_t k = 0; k < p->first_spring; k++) {
    const ProblemPart *part = &p->parts[k];
    uint32_t size = 1;
    element_places(p->s, part->kind, part->index, &e);
    uint32_t count = part_blocks(p, &e, blocks);
    for (uint32_t i = 0; i < count; i++) size += p->blocks[blocks[i]].count;
    for (uint32_t r = 0; r < e.rows; r++, at += size) {
      p->start[p->n + part->row + r] = (uint32_t)at;
      p->diagonal[p->n + part->row + r] = (uint32_t)(at + size - 1);
    }
  }
  p->start[p->n + p->m] = (uint32_t)at;
  return at;
}

// A constraint into the columns of a block, and the block into the column of the constraint, `from` rows down.
// Returns where it stands in the columns of the block.
static uint32_t bind(Problem *p, Pairs *x, uint32_t b, uint32_t constraint, uint32_t from) {
  const ProblemBlock *block = &p->blocks[b];
  uint32_t at = x->height[b] + x->filled[b]++;
  if (block->count) p->row[block->base + at] = p->n + constraint;
  for (uint32_t i = 0; i < block->count; i++) p->row[p->start[p->n + constraint] + from + i] = block->unknown + i;
  return at;
}

static void write_unknown_rows(Problem *p, const Pairs *x) {
  for (uint32_t b = 0; b < p->block_count; b++) {
    const ProblemBlock *block = &p->blocks[b];
    if (!block->count) continue;
    uint32_t at = block->base;
    for (uint32_t i = 0; i < block->count; i++) p->row[at++] = block->unknown + i;
    for (size_t k = x->first[b]; k < x->first[b + 1] && x->next[k] != b; k++) {
      const ProblemBlock *to = &p->blocks[x->next[k]];
      for (uint32_t i = 0; i < to->count; i++) p->row[at++] = to->unknown + i;
    }
  }
}

// The columns of a block are alike: the first is copied.
static void copy_columns(Problem *p) {
  for (uint32_t b = 0; b < p->block_count; b++) {
    const ProblemBlock *block = &p->blocks[b];
    for (uint32_t i = 1; i < block->count; i++) {
      memcpy(p->row + block->base + (size_t)i * block->length, p->row + block->base, block->length * sizeof *p->row);
    }
  }
  for (uint32_t k = 0; k < p->m; k++) p->row[p->diagonal[p->n + k]] = p->n + k;
}

static void place_lines(Problem *p, Pairs *x) {
  const Structure *s = p->s;
  for (uint32_t i = 0; i < line_count(p); i++) {
    ProblemLine *line = &p->lines[i];
    *line = (ProblemLine){.ab = x->offset[2 * (size_t)i], .ba = x->offset[2 * (size_t)i + 1]};
    if (i >= s->bars.count) continue;
    line->ca = bind(p, x, s->bars.items[i].a, i, 0);
    line->cb = bind(p, x, s->bars.items[i].b, i, p->blocks[s->bars.items[i].a].count);
  }
}

// ---- slots of all other parts

typedef struct Local { // one part
  uint32_t blocks[part_blocks_most], count;
  uint32_t offset[part_blocks_most][part_blocks_most]; // of the rows of the second in the columns of the first
  uint32_t row[element_rows][part_blocks_most];        // of a constraint in the columns of a block
  uint32_t from[part_blocks_most];                     // of a block in the column of a constraint
} Local;

static void place_part(Problem *p, Pairs *x, const ProblemPart *part, const Element *e, uint32_t *pair, Local *l) {
  l->count = part_blocks(p, e, l->blocks);
  for (uint32_t i = 0, at = 0; i < l->count; i++) {
    l->offset[i][i] = 0;
    for (uint32_t j = i + 1; j < l->count; j++, (*pair)++) {
      l->offset[i][j] = x->offset[2 * (size_t)*pair];
      l->offset[j][i] = x->offset[2 * (size_t)*pair + 1];
    }
    l->from[i] = at;
    at += p->blocks[l->blocks[i]].count;
  }
  for (uint32_t r = 0; r < e->rows; r++) {
    for (uint32_t i = 0; i < l->count; i++) l->row[r][i] = bind(p, x, l->blocks[i], part->row + r, l->from[i]);
  }
}

static void write_slots(Problem *p, const ProblemPart *part, const Element *e, const Local *l) {
  uint32_t where[element_dofs], *slot = p->slots + part->slot;
  for (uint32_t i = 0; i < e->dofs; i++) {
    uint32_t b = block_of(p, e->dof[i]);
    for (where[i] = 0; l->blocks[where[i]] != b;) where[i]++;
  }
  for (uint32_t i = 0; i < e->dofs; i++) {
    for (uint32_t j = 0; j < e->dofs; j++, slot++) {
      uint32_t row = p->unknown[e->dof[i]], column = p->unknown[e->dof[j]];
      *slot = structure_none;
      if (row == structure_none || column == structure_none) continue;
      const ProblemBlock *to = &p->blocks[l->blocks[where[i]]];
      *slot = p->start[column] + l->offset[where[j]][where[i]] + row - to->unknown;
    }
  }
  for (uint32_t r = 0; r < e->rows; r++) {
    for (uint32_t j = 0; j < e->dofs; j++, slot += 2) {
      uint32_t z = p->unknown[e->dof[j]];
      slot[0] = slot[1] = structure_none;
      if (z == structure_none) continue;
      slot[0] = p->start[p->n + part->row + r] + l->from[where[j]] + z - p->blocks[l->blocks[where[j]]].unknown;
      slot[1] = p->start[z] + l->row[r][where[j]];
    }
  }
}

static void place_others(Problem *p, Pairs *x) {
  uint32_t pair = line_count(p);
  Element e;
  Local l;
  for (uint32_t k = other_first(p); k < p->part_count; k = other_next(p, k)) {
    element_places(p->s, p->parts[k].kind, p->parts[k].index, &e);
    place_part(p, x, &p->parts[k], &e, &pair, &l);
    write_slots(p, &p->parts[k], &e, &l);
  }
}

// ---- all

static size_t give_slots(Problem *p) {
  size_t slot = 0;
  Element e;
  for (uint32_t k = 0; k < p->part_count; k++) {
    if (is_line(p->parts[k].kind)) continue;
    element_places(p->s, p->parts[k].kind, p->parts[k].index, &e);
    p->parts[k].slot = slot;
    slot += (size_t)e.dofs * e.dofs + 2 * (size_t)e.rows * e.dofs;
  }
  return slot;
}

static bool make(Arena *arena, Arena *passing, Problem *p) {
  size_t order = (size_t)p->n + p->m;
  Pairs x;
  p->start = arena_array(arena, order + 1, sizeof *p->start);
  p->diagonal = arena_array(arena, order, sizeof *p->diagonal);
  p->lines = arena_array(arena, line_count(p), sizeof *p->lines);
  p->slots = arena_array(arena, give_slots(p), sizeof *p->slots);
  if (arena_failed(arena) || !make_blocks(arena, p)) return false;
  p->backwards = held_first(p);
  if (!gather_pairs(passing, p, &x) || !find_heights(passing, p, &x)) return false;
  count_bound(p, &x);
  size_t count = place_columns(p, &x);
  if (count >= INT32_MAX) return false; // more than factors can number
  p->row = arena_array(arena, count, sizeof *p->row);
  p->values = arena_array(arena, count, sizeof *p->values);
  if (!p->row || !p->values) return false;
  write_unknown_rows(p, &x);
  place_lines(p, &x);
  place_others(p, &x);
  copy_columns(p);
  return true;
}

bool pattern_make(Arena *arena, Problem *p) {
  Arena *passing = arena_new_scratch(arena);
  bool ok = passing && make(arena, passing, p);
  arena_free_scratch(passing);
  return ok;
}
