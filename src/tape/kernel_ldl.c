// The structure of L D L' for masses with constraints, and its text. See kernel_ldl.h.
//
// Coordinates are put in order by minimum degree of M; each then holds the multipliers of its constraints, its own and
// those that were passed to it, as neighbours of each other. These sets are put in order in the same way.
#include "tape/kernel_ldl.h"

#include "tape/elimination.h"

#include <stdlib.h>
#include <string.h>

// More numbers than these times the entries of M: elimination fills in what another kernel does better.
enum { most_fill = 32, most_products = 1 << 20 };

typedef VEC(uint32_t) LdlList;

typedef struct LdlPlan {
  Arena *arena, *scratch;
  uint32_t n, free, count;
  const KernelCell *cells;
  const uint32_t *operand;
  uint32_t *order, *step; // unknown of each step, step of each unknown
  LdlList *rows;          // of each step: the steps of its row of L, rising
} LdlPlan;

// ---- the order

static bool push_once(Arena *arena, LdlList *list, uint32_t what) {
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->items[i] == what) return true;
  }
  return vec_push(arena, list, what);
}

// Sets one behind the other.
static const Elimination *order_sets(Arena *arena, const LdlList *sets, uint32_t count, uint32_t unknowns) {
  uint32_t all = 0, *start = arena_array(arena, (size_t)count + 1, sizeof *start);
  for (uint32_t i = 0; i < count; i++) all += sets[i].count;
  uint32_t *member = arena_array(arena, (size_t)all + 1, sizeof *member);
  if (!start || !member) return NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (sets[i].count) memcpy(member + start[i], sets[i].items, sets[i].count * sizeof *member);
    start[i + 1] = start[i] + sets[i].count;
  }
  return elimination_order(arena, unknowns, &(EliminationSets){count, start, member});
}

// The rows of M and the columns of G as sets. False: nothing is known of the pivots.
static bool list_sets(LdlPlan *p, LdlList *masses, LdlList *bound) {
  for (uint32_t i = 0; i < p->count; i++) {
    KernelCell c = p->cells[i];
    if (c.row < p->free && c.column < p->free) {
      if (!vec_push(p->scratch, &masses[c.row], c.column)) return false;
      if (c.row != c.column && !vec_push(p->scratch, &masses[c.column], c.row)) return false;
    } else if (c.row >= p->free && c.column >= p->free) {
      return false;
    } else {
      uint32_t coord = c.row < p->free ? c.row : c.column, multiplier = c.row < p->free ? c.column : c.row;
      if (!push_once(p->scratch, &bound[coord], multiplier - p->free)) return false;
    }
  }
  return true;
}

// What a coordinate passes to the next one that stands beside it then.
static bool pass_up(LdlPlan *p, const Elimination *e, LdlList *bound) {
  uint64_t all = 0;
  for (uint32_t k = 0; k < p->free; k++) {
    const LdlList *own = &bound[e->order[k]];
    all += own->count;
    if (all > (uint64_t)most_fill * p->count) return false;
    if (e->start[k + 1] == e->start[k]) continue;
    LdlList *up = &bound[e->order[e->left[e->start[k]]]];
    for (uint32_t i = 0; i < own->count; i++) {
      if (!push_once(p->scratch, up, own->items[i])) return false;
    }
  }
  return true;
}

static bool find_order(LdlPlan *p) {
  uint32_t multipliers = p->n - p->free;
  LdlList *masses = arena_array(p->scratch, (size_t)p->free + 1, sizeof *masses);
  LdlList *bound = arena_array(p->scratch, (size_t)p->free + 1, sizeof *bound);
  if (!masses || !bound || !list_sets(p, masses, bound)) return false;
  const Elimination *first = order_sets(p->scratch, masses, p->free, p->free);
  if (!first || !pass_up(p, first, bound)) return false;
  const Elimination *second = order_sets(p->scratch, bound, p->free, multipliers);
  if (!second) return false;
  for (uint32_t k = 0; k < p->free; k++) p->order[k] = first->order[k];
  for (uint32_t k = 0; k < multipliers; k++) p->order[p->free + k] = p->free + second->order[k];
  for (uint32_t k = 0; k < p->n; k++) p->step[p->order[k]] = k;
  return true;
}

// ---- the rows of L

static int by_step(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// Row i holds what leads from its entries of M to i in the tree of elimination.
static bool find_rows(LdlPlan *p) {
  uint32_t *parent = arena_array(p->scratch, (size_t)p->n + 1, sizeof *parent);
  uint32_t *mark = arena_array(p->scratch, (size_t)p->n + 1, sizeof *mark);
  LdlList *below = arena_array(p->scratch, (size_t)p->n + 1, sizeof *below); // entries of M in each row
  uint64_t all = 0;
  if (!parent || !mark || !below) return false;
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t a = p->step[p->cells[i].row], b = p->step[p->cells[i].column];
    if (a != b && !vec_push(p->scratch, &below[a > b ? a : b], a > b ? b : a)) return false;
  }
  for (uint32_t i = 0; i < p->n; i++) {
    mark[i] = i + 1;
    for (uint32_t k = 0; k < below[i].count; k++) {
      for (uint32_t j = below[i].items[k]; mark[j] != i + 1; j = parent[j] - 1) {
        if (!parent[j]) parent[j] = i + 1;
        mark[j] = i + 1;
        if (!vec_push(p->scratch, &p->rows[i], j)) return false;
      }
    }
    if (p->rows[i].count) qsort(p->rows[i].items, p->rows[i].count, sizeof(uint32_t), by_step);
    all += p->rows[i].count;
    if (all > (uint64_t)most_fill * p->count) return false;
  }
  return true;
}

// ---- lists

static uint32_t *lay_rows(LdlPlan *p, viva_ldl *out) {
  uint32_t *start = arena_array(p->arena, (size_t)p->n + 1, sizeof *start), *column;
  for (uint32_t i = 0; start && i < p->n; i++) start[i + 1] = start[i] + p->rows[i].count;
  column = start ? arena_array(p->arena, (size_t)start[p->n] + 1, sizeof *column) : NULL;
  for (uint32_t i = 0; column && i < p->n; i++) {
    if (p->rows[i].count) memcpy(column + start[i], p->rows[i].items, p->rows[i].count * sizeof *column);
  }
  out->start = start;
  out->column = column;
  return column;
}

static bool lay_operands(LdlPlan *p, viva_ldl *out) {
  uint32_t *from = arena_array(p->arena, (size_t)out->start[p->n] + 1, sizeof *from);
  uint32_t *diagonal = arena_array(p->arena, (size_t)p->n + 1, sizeof *diagonal);
  if (!from || !diagonal) return false;
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t a = p->step[p->cells[i].row], b = p->step[p->cells[i].column], e;
    if (a == b) diagonal[a] = p->operand[i] + 1;
    if (p->cells[i].row <= p->cells[i].column) continue; // of symmetric entries the lower one
    for (e = out->start[a > b ? a : b]; out->column[e] != (a > b ? b : a); e++) {
    }
    from[e] = p->operand[i] + 1;
  }
  out->from = from;
  out->diagonal = diagonal;
  for (uint32_t k = 0; k < p->free; k++) {
    if (!diagonal[k]) return false;
  }
  return true;
}

// The products of entry (i, j): columns that rows i and j both have. Returns how many; lists them where there is room.
static uint32_t list_products(const viva_ldl *s, uint32_t e, uint32_t row, uint32_t *left, uint32_t *right) {
  uint32_t a = s->start[row], b = s->start[s->column[e]], end = s->start[s->column[e] + 1], count = 0;
  while (a < e && b < end) {
    if (s->column[a] < s->column[b]) {
      a++;
    } else if (s->column[a] > s->column[b]) {
      b++;
    } else {
      if (left) left[count] = a, right[count] = b;
      a++, b++, count++;
    }
  }
  return count;
}

static bool lay_products(LdlPlan *p, viva_ldl *out) {
  uint32_t entries = out->start[p->n], *product = arena_array(p->arena, (size_t)entries + 1, sizeof *product);
  if (!product) return false;
  for (uint32_t i = 0; i < p->n; i++) {
    for (uint32_t e = out->start[i]; e < out->start[i + 1]; e++) {
      product[e + 1] = product[e] + list_products(out, e, i, NULL, NULL);
      if (product[e + 1] > most_products) return false;
    }
  }
  uint32_t *left = arena_array(p->arena, (size_t)product[entries] + 1, sizeof *left);
  uint32_t *right = arena_array(p->arena, (size_t)product[entries] + 1, sizeof *right);
  if (!left || !right) return false;
  for (uint32_t i = 0; i < p->n; i++) {
    for (uint32_t e = out->start[i]; e < out->start[i + 1]; e++)
      list_products(out, e, i, left + product[e], right + product[e]);
  }
  out->product = product;
  out->left = left;
  out->right = right;
  return true;
}

const viva_ldl *kernel_ldl_plan(Arena *arena, Arena *scratch, uint32_t n, uint32_t bound, const KernelCell *cells,
                                const uint32_t *operand, uint32_t count) {
  LdlPlan plan = {arena, scratch, n, n - bound, count, cells, operand, NULL, NULL, NULL}, *p = &plan;
  viva_ldl *out = arena_new_of(arena, viva_ldl);
  p->order = arena_array(arena, (size_t)n + 1, sizeof *p->order);
  p->step = arena_array(scratch, (size_t)n + 1, sizeof *p->step);
  p->rows = arena_array(scratch, (size_t)n + 1, sizeof *p->rows);
  if (!out || !p->order || !p->step || !p->rows || !find_order(p) || !find_rows(p)) return NULL;
  *out = (viva_ldl){.n = n, .free = p->free, .order = p->order};
  return lay_rows(p, out) && lay_operands(p, out) && lay_products(p, out) ? out : NULL;
}

// ---- C text

enum { most_inline = 240 }; // products and entries: beyond, a call costs less than reading the text

bool kernel_ldl_is_short(const viva_ldl *s, uint32_t columns) {
  uint32_t entries = s->start[s->n];
  return s->product[entries] + entries * (2 + 2 * columns) + s->n * columns <= most_inline;
}

// Names: uE and lE an entry, dI a pivot, sI what it is a share of, vI the pivot upside down; N makes them different
// from others.
static void put_entry(Emit *e, const viva_ldl *s, const uint32_t *args, uint32_t N, uint32_t k) {
  const EmitTarget *d = e->job->target;
  text_printf(e->out, "  const %s u%u_%u = ", d->real, N, k);
  if (s->from[k]) emit_operand(e, args[s->from[k] - 1]);
  else text_printf(e->out, "%s0%s", d->all, d->end);
  for (uint32_t p = s->product[k]; p < s->product[k + 1]; p++)
    text_printf(e->out, " - u%u_%u*l%u_%u", N, s->left[p], N, s->right[p]);
  text_printf(e->out, ";\n  const %s l%u_%u = u%u_%u*v%u_%u;\n", d->real, N, k, N, k, N, s->column[k]);
}

static void put_pivot(Emit *e, const viva_ldl *s, const uint32_t *args, uint32_t N, uint32_t i) {
  const EmitTarget *d = e->job->target;
  uint32_t k = s->start[i], end = s->start[i + 1];
  text_printf(e->out, "  const %s s%u_%u = ", d->real, N, i);
  if (s->diagonal[i]) emit_operand(e, args[s->diagonal[i] - 1]);
  else text_printf(e->out, "%s0%s", d->all, d->end);
  for (; i >= s->free && k < end && s->column[k] < s->free; k++) text_printf(e->out, " - u%u_%u*l%u_%u", N, k, N, k);
  text_printf(e->out, ";\n  const %s d%u_%u = s%u_%u", d->real, N, i, N, i);
  for (; k < end; k++) text_printf(e->out, " - u%u_%u*l%u_%u", N, k, N, k);
  text_printf(e->out, ";\n  const %s v%u_%u = %s1%s/d%u_%u;\n", d->real, N, i, d->all, d->end, N, i);
}

// One right-hand side into the variables first .. first + n - 1.
static void put_side(Emit *e, const viva_ldl *s, const uint32_t *side, uint32_t N, uint32_t first) {
  Text *o = e->out;
  for (uint32_t i = 0; i < s->n; i++) {
    text_printf(o, "  %s r%u = -", e->job->target->real, first + s->order[i]);
    emit_operand(e, side[s->order[i]]);
    for (uint32_t k = s->start[i]; k < s->start[i + 1]; k++)
      text_printf(o, " - l%u_%u*r%u", N, k, first + s->order[s->column[k]]);
    text_put(o, ";\n");
  }
  for (uint32_t i = 0; i < s->n; i++) text_printf(o, "  r%u *= v%u_%u;\n", first + s->order[i], N, i);
  for (uint32_t i = s->n; i-- > 0;) {
    for (uint32_t k = s->start[i]; k < s->start[i + 1]; k++)
      text_printf(o, "  r%u -= l%u_%u*r%u;\n", first + s->order[s->column[k]], N, k, first + s->order[i]);
  }
}

// A pivot is not clear: the kernel decides.
static void put_otherwise(Emit *e, const TapeOp *op, uint32_t index, const viva_ldl *s, uint32_t N) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t *args = e->tape->args + call->args, results = tape_leaves(e->tape, op);
  const EmitTarget *d = e->job->target;
  Text *o = e->out;
  text_printf(o, "  if (!%s(", d->every);
  for (uint32_t i = 0; i < s->n; i++)
    text_printf(o, "%s(d%u_%u %c %s%g%s*s%u_%u)", i ? d->both : "", N, i, i < s->free ? '>' : '<', d->all, viva_clear,
                d->end, N, i);
  text_put(o, ")) {\n");
  for (uint32_t i = 0; i < call->count; i++) {
    if (e->stamp[args[i]] == e->piece) text_printf(o, "    w[%u] = r%u;\n", args[i], e->local[args[i]]);
  }
  text_printf(o, "    k->step(k->tape, %u, %s);\n", index, d->workspace);
  for (uint32_t i = 0; i < results; i++) text_printf(o, "    r%u = w[%u];\n", N + i, op->dst + i);
  text_put(o, "  }\n");
}

void kernel_ldl_put(Emit *e, const TapeOp *op, uint32_t index, const viva_ldl *s, uint32_t columns, uint32_t sides) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t *args = e->tape->args + call->args;
  uint32_t N = e->values + 1, results = tape_leaves(e->tape, op);
  for (uint32_t i = 0; i < s->n; i++) {
    for (uint32_t k = s->start[i]; k < s->start[i + 1]; k++) put_entry(e, s, args, N, k);
    put_pivot(e, s, args, N, i);
  }
  for (uint32_t c = 0; c < columns; c++) put_side(e, s, args + sides + (size_t)c * s->n, N, N + c * s->n);
  put_otherwise(e, op, index, s, N);
  for (uint32_t i = 0; i < results; i++) emit_name_value(e, op->dst + i, ++e->values);
}

void kernel_put_numbers(const EmitJob *job, uint32_t call, const char *name, const unsigned *list, uint32_t count) {
  text_printf(job->out, "static const unsigned %s_%s%u[%u] = {", job->name, name, call, count ? count : 1);
  if (!count) text_putc(job->out, '0');
  for (uint32_t i = 0; i < count; i++) text_printf(job->out, "%s%u", i ? i % 16 ? ", " : ",\n  " : "", list[i]);
  text_put(job->out, "};\n");
}

void kernel_ldl_put_data(const EmitJob *job, uint32_t call, const viva_ldl *s) {
  const char *const names[] = {"order", "diagonal", "begin", "column", "from", "product", "left", "right"};
  const unsigned *const lists[] = {s->order, s->diagonal, s->start, s->column, s->from, s->product, s->left, s->right};
  const uint32_t n = s->n, entries = s->start[n], products = s->product[entries];
  const uint32_t counts[] = {n, n, n + 1, entries, entries, entries + 1, products, products};
  enum { all = sizeof names / sizeof *names };
  for (size_t i = 0; i < all; i++) {
    const char *name = arena_printf(job->arena, "ldl_%s", names[i]);
    if (name) kernel_put_numbers(job, call, name, lists[i], counts[i]);
  }
  text_printf(job->out, "static const viva_ldl %s_ldl%u = {%u, %u", job->name, call, n, s->free);
  for (size_t i = 0; i < all; i++) text_printf(job->out, ", %s_ldl_%s%u", job->name, names[i], call);
  text_put(job->out, "};\n");
}
