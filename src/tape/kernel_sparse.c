// Sparse linear systems M x = -h: frontal elimination with row pivoting over a structure that is found once.
//
// how   Columns are ordered by minimum degree of M'M. Whatever rows become pivots, the row that eliminates step k then
//       holds nothing but the columns of step k in that order (George and Ng, SIAM J. Sci. Stat. Comput. 8, 1987): each
//       step has a small dense front, with room for the rows that may come to it. A front takes the rows of M that
//       begin with its column and those that its children pass up, chooses the largest as pivot, subtracts it from the
//       others and passes these up. Right-hand sides travel with their rows. In the end the pivot rows are solved
//       backwards. All offsets are known beforehand: nothing is searched for and nothing is allocated.
//       Of a symmetric M the last unknowns may be multipliers of constraints. Where these depend on each other M is
//       singular, and the solution with the multipliers of least norm is taken as kernel_kkt.c does: the diagonal of
//       the multipliers is part of the structure, -e goes onto it, and x += (M - e)^-1 (-h - M x) is repeated. What was
//       subtracted from a row stays in the place of its eliminated entry, so that further rounds only substitute.
//       Before all that L D L' of kernel_ldl.h is tried, where masses are positive definite.
// args  the entries of M that are not identically zero, then one or several h
// room  the solutions, the operands, the fronts; with multipliers two numbers a row and the solutions once more
#include "tape/elimination.h"
#include "tape/kernel_ldl.h"

#include <string.h>

/* section sparse */
/* Where everything stands among the fronts, by step of the elimination. The front of step k has rows[k] rows of
 * start[k + 1] - start[k] numbers and one more for each right-hand side; its columns are the unknowns unknown[start[k]]
 * and on, that of step k first. */
typedef struct viva_sparse {
  unsigned n, columns, entries, size; /* size: of all fronts */
  unsigned bound;                     /* how many last unknowns are multipliers of a symmetric M */
  const unsigned *entry;              /* of each entry of M, then of the diagonal of the multipliers */
  const unsigned *side;               /* of the first right-hand side of each equation */
  const unsigned *front, *rows;       /* of each step */
  const unsigned *start, *unknown;
  const unsigned *up;           /* of each step: where the first row that it passes up goes; size: nowhere */
  const unsigned *wide;         /* of each step: the length of a row there */
  const unsigned *into;         /* of each column: its index in such a row */
  const unsigned *row, *column; /* of each entry of M, where there are multipliers */
  const viva_ldl *ldl;          /* how to solve it without a choice of pivots; 0: not known */
  unsigned dependent;           /* multipliers are known to depend on each other */
} viva_sparse;

/* The fronts f are filled; swap (n numbers; none without multipliers): the row that became the pivot of each step. The
 * smallest pivot beside the largest; -1: singular. */
static viva_real viva_sparse_eliminate(const viva_sparse *s, viva_real whole, viva_real *f, viva_real *swap) {
  const unsigned columns = s->columns;
  viva_real least = 0, largest = 0;
  for (unsigned k = 0; k < s->n; k++) {
    const unsigned own = s->start[k + 1] - s->start[k], width = own + columns, rows = s->rows[k];
    const unsigned *into = s->into + s->start[k];
    viva_real *m = f + s->front[k], most = -1;
    unsigned best = 0;
    for (unsigned i = 0; i < rows; i++) {
      const viva_real size = m[i * width] < 0 ? -m[i * width] : m[i * width];
      if (size > most) most = size, best = i;
    }
    if (!(most > VIVA_SINGULAR * whole)) return -1;
    if (k == 0 || most < least) least = most;
    if (most > largest) largest = most;
    if (s->bound) swap[k] = (viva_real)best;
    for (unsigned j = 0; best && j < width; j++) {
      const viva_real other = m[j];
      m[j] = m[best * width + j];
      m[best * width + j] = other;
    }
    for (unsigned i = 1; i < rows; i++) {
      viva_real *row = m + i * width, *to = f + s->up[k] + (i - 1) * s->wide[k];
      const viva_real part = row[0] / m[0];
      for (unsigned j = 1; j < own; j++) to[into[j]] += row[j] - part * m[j];
      to += s->wide[k] - columns;
      for (unsigned c = 0; c < columns; c++) to[c] += row[own + c] - part * m[own + c];
      row[0] = part;
    }
  }
  return least / largest;
}

/* Other right-hand sides b through what was eliminated. */
static void viva_sparse_forward(const viva_sparse *s, const viva_real *b, viva_real *f, const viva_real *swap) {
  const unsigned n = s->n, columns = s->columns;
  for (unsigned c = 0; c < columns; c++) {
    for (unsigned i = 0; i < n; i++) f[s->side[i] + c] = b[c * n + i];
  }
  for (unsigned k = 0; k < n; k++) {
    const unsigned own = s->start[k + 1] - s->start[k], width = own + columns, best = (unsigned)swap[k];
    viva_real *m = f + s->front[k];
    for (unsigned j = own; best && j < width; j++) {
      const viva_real other = m[j];
      m[j] = m[best * width + j];
      m[best * width + j] = other;
    }
    for (unsigned i = 1; i < s->rows[k]; i++) {
      const viva_real *row = m + i * width;
      viva_real *to = f + s->up[k] + i * s->wide[k] - columns;
      for (unsigned c = 0; c < columns; c++) to[c] = row[own + c] - row[0] * m[own + c];
    }
  }
}

/* The pivot rows, last to first. */
static void viva_sparse_backward(const viva_sparse *s, const viva_real *f, viva_real *x) {
  const unsigned n = s->n, columns = s->columns;
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

/* Rows and columns are multiplied by these so that no entry of M is much larger than one: about the root of the largest
 * entry of the row upside down, a power of two, which rounds nothing. */
static void viva_sparse_scales(const viva_sparse *s, const viva_real *a, viva_real *scale) {
  for (unsigned i = 0; i < s->n; i++) scale[i] = 0;
  for (unsigned i = 0; i < s->entries; i++) {
    const viva_real size = a[i] < 0 ? -a[i] : a[i];
    if (size > scale[s->row[i]]) scale[s->row[i]] = size;
  }
  viva_real power = 1; /* rows beside each other are often alike */
  for (unsigned i = 0; i < s->n; i++) {
    const viva_real most = scale[i] <= VIVA_LARGEST ? scale[i] : 1;
    while (power * power * most > 2) power *= (viva_real)0.5;
    while (most > 0 && power * power * most < (viva_real)0.5) power *= 2;
    scale[i] = power;
  }
}

/* The scaled matrix, with -e on the diagonal of the multipliers, and the right-hand sides into the fronts; eliminated.
 */
static viva_real viva_sparse_scaled(const viva_sparse *s, const viva_real *a, const viva_real *scale, viva_real e,
                                    viva_real *f, viva_real *swap) {
  const unsigned n = s->n, from = n - s->bound;
  for (unsigned i = 0; i < s->size; i++) f[i] = 0;
  for (unsigned i = 0; i < s->entries; i++) f[s->entry[i]] += scale[s->row[i]] * a[i] * scale[s->column[i]];
  for (unsigned i = from; i < n; i++) f[s->entry[s->entries + i - from]] -= e * scale[i] * scale[i];
  for (unsigned c = 0; c < s->columns; c++) {
    for (unsigned i = 0; i < n; i++) f[s->side[i] + c] = -scale[i] * a[s->entries + c * n + i];
  }
  return viva_sparse_eliminate(s, 2, f, swap);
}

/* z = -(h + M x), scaled */
static void viva_sparse_missing(const viva_sparse *s, const viva_real *a, const viva_real *scale, const viva_real *x,
                                viva_real *z) {
  const unsigned n = s->n;
  for (unsigned c = 0; c < s->columns; c++, x += n, z += n) {
    for (unsigned i = 0; i < n; i++) z[i] = -a[s->entries + c * n + i];
    for (unsigned i = 0; i < s->entries; i++) z[s->row[i]] -= a[i] * x[s->column[i]];
    for (unsigned i = 0; i < n; i++) z[i] *= scale[i];
  }
}

/* x += scale z; the largest part of a column that was added to it. */
static viva_real viva_sparse_add(const viva_sparse *s, const viva_real *scale, const viva_real *z, viva_real *x) {
  viva_real worst = 0;
  for (unsigned c = 0; c < s->columns; c++, x += s->n, z += s->n) {
    viva_real added = 0, most = 0;
    for (unsigned i = 0; i < s->n; i++) {
      x[i] += scale[i] * z[i];
      const viva_real d = z[i] < 0 ? -z[i] : z[i], size = (x[i] < 0 ? -x[i] : x[i]) / scale[i];
      if (d > added) added = d;
      if (size > most) most = size;
    }
    if (most > 0 && added / most > worst) worst = added / most;
  }
  return worst;
}

/* The multipliers of least norm where they are not unique. room: two numbers a row and the solutions once more. */
static void viva_sparse_bound(const viva_sparse *s, const viva_real *a, viva_real *x, viva_real *f, viva_real *room) {
  const unsigned n = s->n, all = n * s->columns;
  viva_real *scale = room, *swap = room + n, *z = room + 2 * n, most = 0, before = 0;
  if (s->ldl && viva_ldl_solve(s->ldl, a, a + s->entries, s->columns, x, f)) return;
  viva_sparse_scales(s, a, scale);
  for (unsigned i = n - s->bound; i < n; i++) most = scale[i] > most ? scale[i] : most;
  /* a pivot of 1e-12 is what rounding leaves of a dependent row */
  if (!s->dependent && viva_sparse_scaled(s, a, scale, 0, f, swap) > (viva_real)1e-12) {
    viva_sparse_backward(s, f, x);
    for (unsigned i = 0; i < all; i++) x[i] *= scale[i % n];
    return;
  }
  /* as kernel_kkt.c has it, and below what belongs to the longest wave of a chain: 2.5 beside its square of links */
  const viva_real wave = (viva_real)0.1 / ((viva_real)s->bound * (viva_real)s->bound);
  const viva_real e = wave < (viva_real)1e-5 ? wave : (viva_real)1e-5;
  const int fine = viva_sparse_scaled(s, a, scale, e / (most * most), f, swap) > 0;
  for (unsigned i = 0; i < all; i++) x[i] = fine ? 0 : (viva_real)NAN;
  for (unsigned r = 0; fine && r < 40; r++) {
    if (r) {
      viva_sparse_missing(s, a, scale, x, z);
      viva_sparse_forward(s, z, f, swap);
    }
    viva_sparse_backward(s, f, z);
    const viva_real added = viva_sparse_add(s, scale, z, x);
    if (r && !(added < before && added > (viva_real)1e-15)) break; /* rounding is left */
    before = added;
  }
}

/* a: entries, then the columns of H. x: the columns of X. f: room for the fronts, and behind them for what multipliers
 * need. */
static void viva_sparse_solve(const viva_sparse *s, const viva_real *a, viva_real *x, viva_real *f) {
  const unsigned n = s->n, columns = s->columns;
  viva_real whole = 0;
  if (s->bound) {
    viva_sparse_bound(s, a, x, f, f + s->size);
    return;
  }
  for (unsigned i = 0; i < s->size; i++) f[i] = 0;
  for (unsigned i = 0; i < s->entries; i++) {
    const viva_real size = a[i] < 0 ? -a[i] : a[i];
    f[s->entry[i]] += a[i];
    if (!(size <= whole)) whole = size;
  }
  for (unsigned c = 0; c < columns; c++) {
    for (unsigned i = 0; i < n; i++) f[s->side[i] + c] = -a[s->entries + c * n + i];
  }
  if (viva_sparse_eliminate(s, whole, f, 0) >= 0) {
    viva_sparse_backward(s, f, x);
  } else {
    for (unsigned i = 0; i < n * columns; i++) x[i] = (viva_real)NAN;
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
  const uint32_t own = s->size + (s->bound ? 2 * s->n + results(s) : 0), ldl = kernel_ldl_room(s->ldl);
  return results(s) + operands(s) + (own > ldl ? own : ldl);
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
  Arena *arena, *scratch;
  const KernelCell *cells; // those of M, then the diagonal of the multipliers
  uint32_t count;
  viva_sparse out;
  const Elimination *e;
  uint32_t *step;                                                      // by unknown
  uint32_t *lead;                                                      // by equation: the step of its first column
  uint32_t *front, *rows, *taken, *start, *unknown, *up, *wide, *into; // see viva_sparse; taken: rows that have a slot
} Plan;

static bool give_room(Arena *arena, uint32_t **const *lists, size_t count, size_t length) {
  for (size_t i = 0; i < count; i++) {
    *lists[i] = arena_array(arena, length + 1, sizeof **lists[i]);
    if (!*lists[i]) return false;
  }
  return true;
}

static bool plan_room(Plan *p, uint32_t n, uint32_t columns_of_all) {
  uint32_t **const kept[] = {&p->front, &p->rows, &p->start, &p->up, &p->wide};
  uint32_t **const used[] = {&p->step, &p->lead, &p->taken}, **const wide[] = {&p->unknown, &p->into};
  return give_room(p->arena, kept, sizeof kept / sizeof *kept, n) &&
         give_room(p->scratch, used, sizeof used / sizeof *used, n) && give_room(p->arena, wide, 2, columns_of_all);
}

// The diagonal of the multipliers behind the cells of M.
static bool list_cells(Plan *p, const KernelSparse *of) {
  p->cells = of->cells;
  p->count = of->count;
  if (!of->multipliers) return true;
  KernelCell *cells = arena_array(p->scratch, (size_t)of->count + of->multipliers, sizeof *cells);
  uint32_t *row = arena_array(p->arena, of->count, sizeof *row);
  uint32_t *column = arena_array(p->arena, of->count, sizeof *column);
  if (!cells || !row || !column) return false;
  for (uint32_t i = 0; i < of->count; i++) {
    cells[i] = of->cells[i];
    row[i] = cells[i].row;
    column[i] = cells[i].column;
  }
  for (uint32_t i = of->size - of->multipliers; i < of->size; i++) cells[p->count++] = (KernelCell){i, i};
  p->cells = cells;
  p->out.row = row;
  p->out.column = column;
  return true;
}

// The equations as sets of unknowns.
static bool find_order(Plan *p, uint32_t n) {
  const KernelCell *cells = p->cells;
  uint32_t count = p->count;
  uint32_t *start = arena_array(p->scratch, (size_t)n + 2, sizeof *start), *at = start + 1;
  uint32_t *member = arena_array(p->scratch, (size_t)count + 1, sizeof *member);
  if (!start || !member) return false;
  for (uint32_t i = 0; i < count; i++) at[cells[i].row + 1]++;
  for (uint32_t i = 0; i < n; i++) at[i + 1] += at[i];
  for (uint32_t i = 0; i < count; i++) member[at[cells[i].row]++] = cells[i].column;
  p->e = elimination_order(p->scratch, n, &(EliminationSets){n, start, member});
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
static bool count_rows(Plan *p, uint32_t n) {
  const Elimination *e = p->e;
  const KernelCell *cells = p->cells;
  for (uint32_t i = 0; i < n; i++) p->lead[i] = n;
  for (uint32_t i = 0; i < p->count; i++) {
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
  // slots of rows: those of M come first (see put_entries), then what children pass up
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

static bool put_entries(Plan *p, uint32_t n, uint32_t columns) {
  const KernelCell *cells = p->cells;
  uint32_t *row = arena_array(p->scratch, (size_t)n + 1, sizeof *row); // of each equation: where it begins
  uint32_t *entry = arena_array(p->arena, (size_t)p->count + 1, sizeof *entry);
  uint32_t *side = arena_array(p->arena, (size_t)n + 1, sizeof *side);
  if (!row || !entry || !side) return false;
  memset(p->taken, 0, n * sizeof *p->taken);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = p->lead[i], own = p->start[k + 1] - p->start[k];
    row[i] = p->front[k] + p->taken[k]++ * (own + columns);
    side[i] = row[i] + own;
  }
  for (uint32_t i = 0; i < p->count; i++) {
    uint32_t k = p->lead[cells[i].row], j = 0;
    while (p->unknown[p->start[k] + j] != cells[i].column) j++;
    entry[i] = row[cells[i].row] + j;
  }
  p->out.entry = entry;
  p->out.side = side;
  return true;
}

static const viva_ldl *plan_definite(Plan *p, const KernelSparse *of) {
  uint32_t *operand = arena_array(p->scratch, (size_t)of->count + 1, sizeof *operand);
  for (uint32_t i = 0; operand && i < of->count; i++) operand[i] = i;
  if (!operand) return NULL;
  return kernel_ldl_plan(p->arena, p->scratch, of->size, of->multipliers, of->cells, operand, of->count);
}

const void *kernel_sparse_plan(Arena *arena, Arena *scratch, const KernelSparse *of, uint64_t *work_of_it) {
  Plan plan = {.arena = arena,
               .scratch = scratch,
               .out = {.n = of->size, .columns = of->columns, .entries = of->count, .bound = of->multipliers}};
  Plan *p = &plan;
  uint32_t n = of->size;
  viva_sparse *out = arena_new_of(arena, viva_sparse);
  if (!out || !list_cells(p, of) || !find_order(p, n)) return NULL;
  if (!plan_room(p, n, n + p->e->start[n])) return NULL;
  for (uint32_t k = 0; k < n; k++) p->step[p->e->order[k]] = k;
  find_columns(p, n);
  if (!count_rows(p, n)) return NULL;
  find_fronts(p, n, of->columns);
  if (!put_entries(p, n, of->columns)) return NULL;
  *out = p->out;
  out->front = p->front;
  out->rows = p->rows;
  out->start = p->start;
  out->unknown = p->unknown;
  out->up = p->up;
  out->wide = p->wide;
  out->into = p->into;
  if (of->multipliers && !of->dependent) out->ldl = plan_definite(p, of);
  out->dependent = of->dependent;
  *work_of_it = work(out);
  return out;
}

// ---- C text

static bool emit_data(const EmitJob *job, uint32_t call) {
  const viva_sparse *s = job->tape->calls[call].data;
  const char *const names[] = {"entry", "side", "front", "rows", "start", "unknown",
                               "up",    "wide", "into",  "row",  "column"};
  const unsigned *const lists[] = {s->entry, s->side, s->front, s->rows, s->start, s->unknown,
                                   s->up,    s->wide, s->into,  s->row,  s->column};
  const uint32_t n = s->n, columns = s->start[n];
  const uint32_t counts[] = {s->entries + s->bound, n, n, n, n + 1, columns, n, n, columns, s->entries, s->entries};
  enum { all = sizeof names / sizeof *names, without = all - 2 }; // the last two are for multipliers
  const size_t used = s->bound ? all : without;
  if (s->ldl) kernel_ldl_put_data(job, call, s->ldl);
  for (size_t i = 0; i < used; i++) kernel_put_numbers(job, call, names[i], lists[i], counts[i]);
  text_printf(job->out, "static const viva_sparse %s_sparse%u = {%u, %u, %u, %u, %u", job->name, call, n, s->columns,
              s->entries, s->size, s->bound);
  for (size_t i = 0; i < used; i++) text_printf(job->out, ", %s_%s%u", job->name, names[i], call);
  if (used < all) text_put(job->out, ", 0, 0");
  if (s->ldl) text_printf(job->out, ", &%s_ldl%u", job->name, call);
  else text_put(job->out, ", 0");
  text_printf(job->out, ", %u};\n", s->dependent);
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
    .sections = (const char *const[]){"ldl", "sparse", NULL},
};
