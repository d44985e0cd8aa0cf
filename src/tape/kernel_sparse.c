// M x = -h for a sparse M of any signs: elimination with row pivoting over a structure that is found once.
//
// how   Columns are ordered by minimum degree of M'M. Whatever rows become pivots, the row that eliminates step k then
//       holds nothing but the columns of step k in that order (George and Ng, SIAM J. Sci. Stat. Comput. 8, 1987): each
//       step has a small dense front, with room for the rows that may come to it. A front takes the rows of M that
//       begin with its column and those that its children pass up, chooses the largest as pivot, subtracts it from the
//       others and passes these up. Right-hand sides travel with their rows. In the end the pivot rows are solved
//       backwards. All places are known beforehand: nothing is searched for and nothing is allocated.
// args  the entries of M that are not identically zero, then one or several h
// room  the solutions, the operands, the fronts
#include "tape/elimination.h"
#include "tape/emit_parts.h"
#include "tape/kernel_real.h"
#include "tape/kernels.h"

#include <string.h>

/* section sparse */
/* Where everything stands among the fronts, by step of the elimination. The front of step k has rows[k] rows of
 * start[k + 1] - start[k] numbers and one more for each right-hand side; its columns are the unknowns unknown[start[k]]
 * and on, that of step k first. */
typedef struct viva_sparse {
  unsigned n, columns, entries, size; /* size: of all fronts */
  const unsigned *entry;              /* of each entry of M */
  const unsigned *side;               /* of the first right-hand side of each equation */
  const unsigned *front, *rows;       /* of each step */
  const unsigned *start, *unknown;
  const unsigned *up;   /* of each step: where the first row that it passes up goes; size: nowhere */
  const unsigned *wide; /* of each step: the length of a row there */
  const unsigned *into; /* of each column: its place in such a row */
} viva_sparse;

/* a: entries, then the columns of H. x: the columns of X. f: room for the fronts. */
static void viva_sparse_solve(const viva_sparse *s, const viva_real *a, viva_real *x, viva_real *f) {
  const unsigned n = s->n, columns = s->columns;
  viva_real whole = 0;
  for (unsigned i = 0; i < s->size; i++) f[i] = 0;
  for (unsigned i = 0; i < s->entries; i++) {
    const viva_real size = a[i] < 0 ? -a[i] : a[i];
    f[s->entry[i]] += a[i];
    if (!(size <= whole)) whole = size;
  }
  for (unsigned c = 0; c < columns; c++) {
    for (unsigned i = 0; i < n; i++) f[s->side[i] + c] = -a[s->entries + c * n + i];
  }
  for (unsigned k = 0; k < n; k++) {
    const unsigned own = s->start[k + 1] - s->start[k], width = own + columns, rows = s->rows[k];
    const unsigned *into = s->into + s->start[k];
    viva_real *m = f + s->front[k], most = -1;
    unsigned best = 0;
    for (unsigned i = 0; i < rows; i++) {
      const viva_real size = m[i * width] < 0 ? -m[i * width] : m[i * width];
      if (size > most) most = size, best = i;
    }
    if (!(most > VIVA_SINGULAR * whole)) {
      for (unsigned i = 0; i < n * columns; i++) x[i] = (viva_real)NAN;
      return;
    }
    for (unsigned j = 0; best && j < width; j++) {
      const viva_real swap = m[j];
      m[j] = m[best * width + j];
      m[best * width + j] = swap;
    }
    for (unsigned i = 1; i < rows; i++) {
      const viva_real *row = m + i * width, part = row[0] / m[0];
      viva_real *to = f + s->up[k] + (i - 1) * s->wide[k];
      for (unsigned j = 1; j < own; j++) to[into[j]] += row[j] - part * m[j];
      to += s->wide[k] - columns;
      for (unsigned c = 0; c < columns; c++) to[c] += row[own + c] - part * m[own + c];
    }
  }
  for (unsigned k = n; k-- > 0;) {
    const unsigned own = s->start[k + 1] - s->start[k], *unknown = s->unknown + s->start[k];
    const viva_real *m = f + s->front[k];
    for (unsigned c = 0; c < columns; c++) {
      viva_real sum = m[own + c];
      for (unsigned j = 1; j < own; j++) sum -= m[j] * x[c * n + unknown[j]];
      x[c * n + unknown[0]] = sum / m[0];
    }
  }
}

/* section end */

static uint32_t results(const void *data) {
  const viva_sparse *s = data;
  return s->n * s->columns;
}

static uint32_t operands(const viva_sparse *s) { return s->entries + s->n * s->columns; }

static uint32_t room(const void *data) {
  const viva_sparse *s = data;
  return results(s) + operands(s) + s->size;
}

static uint64_t work(const void *data) { return 2 * (uint64_t)((const viva_sparse *)data)->size; }

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *x) {
  const viva_sparse *s = call->data;
  double *a = x + results(s);
  for (uint32_t i = 0; i < call->count; i++) a[i] = w[args[i]];
  viva_sparse_solve(s, a, x, a + call->count);
}

// ---- the structure

typedef struct Plan {
  viva_sparse out;
  const Elimination *e;
  uint32_t *step;                                                      // by unknown
  uint32_t *lead;                                                      // by equation: the step of its first column
  uint32_t *front, *rows, *taken, *start, *unknown, *up, *wide, *into; // see viva_sparse; taken: rows that have a place
} Plan;

static bool plan_room(Arena *arena, Plan *p, uint32_t n, uint32_t columns_of_all) {
  uint32_t **const by_step[] = {&p->step, &p->lead, &p->front, &p->rows, &p->taken, &p->start, &p->up, &p->wide};
  for (size_t i = 0; i < sizeof by_step / sizeof *by_step; i++) {
    *by_step[i] = arena_array(arena, (size_t)n + 1, sizeof **by_step[i]);
    if (!*by_step[i]) return false;
  }
  p->unknown = arena_array(arena, (size_t)columns_of_all + 1, sizeof *p->unknown);
  p->into = arena_array(arena, (size_t)columns_of_all + 1, sizeof *p->into);
  return p->unknown && p->into;
}

// The equations as sets of unknowns.
static bool find_order(Arena *arena, Plan *p, uint32_t n, const KernelCell *cells, uint32_t count) {
  uint32_t *start = arena_array(arena, (size_t)n + 2, sizeof *start), *at = start + 1;
  uint32_t *member = arena_array(arena, (size_t)count + 1, sizeof *member);
  if (!start || !member) return false;
  for (uint32_t i = 0; i < count; i++) at[cells[i].row + 1]++;
  for (uint32_t i = 0; i < n; i++) at[i + 1] += at[i];
  for (uint32_t i = 0; i < count; i++) member[at[cells[i].row]++] = cells[i].column;
  p->e = elimination_order(arena, n, &(EliminationSets){n, start, member});
  return p->e != NULL;
}

// The columns of each front, and where its rows go.
static void find_columns(Plan *p, uint32_t n) {
  const Elimination *e = p->e;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = p->start[k], own = e->start[k + 1] - e->start[k];
    p->start[k + 1] = at + 1 + own;
    p->unknown[at] = e->order[k];
    for (uint32_t j = 0; j < own; j++) p->unknown[at + 1 + j] = e->order[e->left[e->start[k] + j]];
  }
  for (uint32_t k = 0; k < n; k++) {
    if (e->start[k + 1] == e->start[k]) continue;
    uint32_t up = e->left[e->start[k]], at = 0; // the parent: the first of its columns
    for (uint32_t j = 0; j < e->start[k + 1] - e->start[k]; j++) {
      while (p->unknown[p->start[up] + at] != p->unknown[p->start[k] + 1 + j]) at++;
      p->into[p->start[k] + 1 + j] = at;
    }
  }
}

// How many rows each front has at most; false: some has none, so M is singular by its structure.
static bool count_rows(Plan *p, uint32_t n, const KernelCell *cells, uint32_t count) {
  const Elimination *e = p->e;
  for (uint32_t i = 0; i < n; i++) p->lead[i] = n;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t step = p->step[cells[i].column];
    if (step < p->lead[cells[i].row]) p->lead[cells[i].row] = step;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (p->lead[i] == n) return false;
    p->rows[p->lead[i]]++;
  }
  for (uint32_t k = 0; k < n; k++) {
    if (!p->rows[k]) return false;
    if (e->start[k + 1] > e->start[k]) p->rows[e->left[e->start[k]]] += p->rows[k] - 1;
    else if (p->rows[k] > 1) return false;
  }
  return true;
}

static void find_fronts(Plan *p, uint32_t n, uint32_t columns) {
  const Elimination *e = p->e;
  for (uint32_t k = 0; k < n; k++) {
    p->front[k] = p->out.size;
    p->out.size += p->rows[k] * (p->start[k + 1] - p->start[k] + columns);
  }
  // places of rows: those of M come first (see put_entries), then what children pass up
  for (uint32_t k = 0; k < n; k++) p->taken[k] = 0;
  for (uint32_t i = 0; i < n; i++) p->taken[p->lead[i]]++;
  for (uint32_t k = 0; k < n; k++) {
    p->up[k] = p->out.size;
    if (e->start[k + 1] == e->start[k]) continue;
    uint32_t up = e->left[e->start[k]];
    p->wide[k] = p->start[up + 1] - p->start[up] + columns;
    p->up[k] = p->front[up] + p->taken[up] * p->wide[k];
    p->taken[up] += p->rows[k] - 1;
  }
}

static bool put_entries(Arena *arena, Plan *p, uint32_t n, const KernelCell *cells, uint32_t count, uint32_t columns) {
  uint32_t *row = arena_array(arena, (size_t)n + 1, sizeof *row); // of each equation: where it begins
  uint32_t *entry = arena_array(arena, (size_t)count + 1, sizeof *entry);
  uint32_t *side = arena_array(arena, (size_t)n + 1, sizeof *side);
  if (!row || !entry || !side) return false;
  memset(p->taken, 0, n * sizeof *p->taken);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = p->lead[i], own = p->start[k + 1] - p->start[k];
    row[i] = p->front[k] + p->taken[k]++ * (own + columns);
    side[i] = row[i] + own;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = p->lead[cells[i].row], j = 0;
    while (p->unknown[p->start[k] + j] != cells[i].column) j++;
    entry[i] = row[cells[i].row] + j;
  }
  p->out.entry = entry;
  p->out.side = side;
  return true;
}

const void *kernel_sparse_plan(Arena *arena, uint32_t n, const KernelCell *cells, uint32_t count, uint32_t columns,
                               uint64_t *work_of_it) {
  Plan plan = {.out = {.n = n, .columns = columns, .entries = count}}, *p = &plan;
  viva_sparse *out = arena_new_of(arena, viva_sparse);
  if (!out || !find_order(arena, p, n, cells, count)) return NULL;
  if (!plan_room(arena, p, n, n + p->e->start[n])) return NULL;
  for (uint32_t k = 0; k < n; k++) p->step[p->e->order[k]] = k;
  find_columns(p, n);
  if (!count_rows(p, n, cells, count)) return NULL;
  find_fronts(p, n, columns);
  if (!put_entries(arena, p, n, cells, count, columns)) return NULL;
  *out = p->out;
  out->front = p->front;
  out->rows = p->rows;
  out->start = p->start;
  out->unknown = p->unknown;
  out->up = p->up;
  out->wide = p->wide;
  out->into = p->into;
  *work_of_it = work(out);
  return out;
}

// ---- C text

static void put_numbers(const EmitJob *job, uint32_t call, const char *name, const unsigned *list, uint32_t count) {
  text_printf(job->out, "static const unsigned %s_%s%u[%u] = {", job->name, name, call, count);
  for (uint32_t i = 0; i < count; i++) text_printf(job->out, "%s%u", i ? i % 16 ? ", " : ",\n  " : "", list[i]);
  text_put(job->out, "};\n");
}

static bool emit_data(const EmitJob *job, uint32_t call) {
  const viva_sparse *s = job->tape->calls[call].data;
  const char *const names[] = {"entry", "side", "front", "rows", "start", "unknown", "up", "wide", "into"};
  const unsigned *const lists[] = {s->entry, s->side, s->front, s->rows, s->start, s->unknown, s->up, s->wide, s->into};
  const uint32_t columns = s->start[s->n],
                 counts[] = {s->entries, s->n, s->n, s->n, s->n + 1, columns, s->n, s->n, columns};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) put_numbers(job, call, names[i], lists[i], counts[i]);
  text_printf(job->out, "static const viva_sparse %s_sparse%u = {%u, %u, %u, %u", job->name, call, s->n, s->columns,
              s->entries, s->size);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    text_printf(job->out, ", %s_%s%u", job->name, names[i], call);
  text_put(job->out, "};\n");
  return !arena_failed(job->arena);
}

static void emit(Emit *e, const TapeOp *op, uint32_t index) {
  const TapeCall *call = &e->tape->calls[op->a];
  const viva_sparse *s = call->data;
  const uint32_t a = op->dst + results(s);
  (void)index;
  for (uint32_t i = 0; i < call->count; i++) {
    text_printf(e->out, "  w[%u] = ", a + i);
    emit_operand(e, e->tape->args[call->args + i]);
    text_put(e->out, ";\n");
  }
  text_printf(e->out, "  viva_sparse_solve(&%s_sparse%u, w + %u, w + %u, w + %u);\n", e->job->name, op->a, a, op->dst,
              a + call->count);
  emit_left_in_slots(e, op);
}

const TapeKernel kernel_sparse = {
    .name = "sparse",
    .fault = "the mass matrix is singular",
    .blames_none = true,
    .results = results,
    .room = room,
    .eval = eval,
    .tangent = tangent_by_solving,
    .work = work,
    .emit = emit,
    .emit_data = emit_data,
    .sections = (const char *const[]){"sparse", NULL},
};
