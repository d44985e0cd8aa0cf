// DAE index reduction: which equations are differentiated, and how often. See index.h.
#include "system/index.h"

#include "expr/calculus.h"
#include "expr/corners.h"
#include "expr/modular.h"

#include <string.h>

enum {
  most_joined = 64,   // rows and unknowns among which combinations are looked for
  most_terms = 20000, // of a combination that is multiplied out
  most_reported = 8   // equations, in notes
};

// ---- words

static uint32_t equation_of(const IndexWork *w, uint32_t row) {
  return (uint32_t)(w->rows[row].e - w->s->implicit.items);
}

// which: equations of the model
static const char *lines_of(const System *s, const uint32_t *which, uint32_t count) {
  Text t = text_in(s->arena);
  text_put(&t, count == 1 ? "line " : "lines ");
  for (uint32_t i = 0; i < count; i++)
    text_printf(&t, "%s%u",
                !i              ? ""
                : i + 1 < count ? ", "
                                : " and ",
                source_line(s->sources, s->implicit.items[which[i]].span));
  return text_str(&t);
}

static const char *names_of(IndexWork *w, const bool *columns, bool wanted) {
  Text t = text_in(w->s->arena);
  uint32_t left = 0;
  for (uint32_t i = 0; i < w->n; i++) left += columns[i] == wanted;
  for (uint32_t i = 0, k = 0; i < w->n; i++) {
    if (columns[i] != wanted) continue;
    text_printf(&t, "%s`%s`",
                !k             ? ""
                : k + 1 < left ? ", "
                               : " and ",
                pool_symbol_get(w->s->pool, w->columns[i].base)->name);
    k++;
  }
  return text_str(&t);
}

static const char *times_word(System *s, uint32_t times) {
  return times == 1 ? "once" : times == 2 ? "twice" : arena_printf(s->arena, "%u times", times);
}

// ---- pairing

// A path from a row to a free unknown, by alternation (depth: rows on the path).
static bool augment(IndexWork *w, uint32_t row) {
  IndexRow *r = &w->rows[row];
  w->row_seen[row] = true;
  for (uint32_t k = 0; k < r->columns.count; k++) {
    uint32_t c = r->columns.items[k];
    if (w->column_seen[c]) continue;
    w->column_seen[c] = true;
    if (w->row_of[c] && !augment(w, w->row_of[c] - 1)) continue;
    w->row_of[c] = row + 1;
    return true;
  }
  return false;
}

// True: every row has an unknown. Else row_seen and column_seen mark a structurally singular part.
static bool pair_up(IndexWork *w) {
  memset(w->row_of, 0, w->n * sizeof *w->row_of);
  for (uint32_t i = 0; i < w->n; i++) {
    memset(w->row_seen, 0, w->n * sizeof *w->row_seen);
    memset(w->column_seen, 0, w->n * sizeof *w->column_seen);
    if (!augment(w, i)) return false;
  }
  return true;
}

// ---- what no differentiation helps

// Rows with all unknowns that they may hold, however often they are differentiated. False: out of memory.
static bool find_reached(IndexWork *w, IndexRow *rows) {
  for (uint32_t i = 0; i < w->n; i++) {
    bool *columns = arena_array(w->s->arena, w->n, sizeof *columns);
    if (!columns || !index_reach(w, &w->rows[i], columns)) return false;
    for (uint32_t c = 0; c < w->n; c++) {
      if (columns[c]) vec_push(w->s->arena, &rows[i].columns, c);
    }
  }
  return !arena_failed(w->s->arena);
}

static void report_too_few(IndexWork *w) {
  System *s = w->s;
  uint32_t unknowns = 0, count = 0;
  uint32_t *which = arena_array(s->arena, w->n, sizeof *which);
  for (uint32_t i = 0; which && i < w->n; i++) {
    unknowns += w->column_seen[i];
    if (w->row_seen[i]) which[count++] = equation_of(w, i);
  }
  if (!count) return;
  const char *left = names_of(w, w->column_seen, false);
  if (count == 1) {
    diag_error(s->diags, diag_higher_index, s->implicit.items[which[0]].span,
               "this equation holds no unknown, and none of its derivatives does");
    diag_hint(s->diags, "an equation is needed for %s", left);
    return;
  }
  diag_error(s->diags, diag_higher_index, s->implicit.items[which[0]].span,
             "these %u equations (%s) fix %u unknown%s at most, however often they are differentiated: %s", count,
             lines_of(s, which, count), unknowns, unknowns == 1 ? "" : "s", names_of(w, w->column_seen, true));
  for (uint32_t i = 1; i < count && i < most_reported; i++)
    diag_also(s->diags, s->implicit.items[which[i]].span, "this one");
  diag_hint(s->diags, "one of them follows from the others or contradicts them, and nothing gives %s", left);
}

typedef enum IndexVerdict { index_fits, index_unfit, index_no_memory } IndexVerdict;

// Could the rows be paired after differentiations? tell: report why not.
static IndexVerdict check_reach(IndexWork *w, bool tell) {
  IndexRow *reached = arena_array(w->s->arena, w->n, sizeof *reached), *rows = w->rows;
  if (!reached) return index_no_memory;
  memcpy(reached, rows, w->n * sizeof *reached);
  for (uint32_t i = 0; i < w->n; i++) {
    reached[i].columns.items = NULL;
    reached[i].columns.count = reached[i].columns.cap = 0;
  }
  if (!find_reached(w, reached)) return index_no_memory;
  w->rows = reached;
  bool ok = pair_up(w);
  w->rows = rows;
  if (!ok && tell) report_too_few(w);
  return ok ? index_fits : index_unfit;
}

// ---- the next level

static void report_blocked(IndexWork *w, const IndexRow *row) {
  System *s = w->s;
  const Symbol *x = pool_symbol_get(s->pool, w->blocked);
  diag_error(s->diags, diag_higher_index, row->e->span,
             "this equation has to be differentiated %s, and `%s` has no derivative here",
             times_word(s, row->levels.count + 1), x->name);
  diag_hint(
      s->diags,
      w->block[w->blocked]
          ? "it is solved for together with more than 39 others, or with curved forces: write an equation for the "
            "unknown itself"
          : "it changes at events, or is a signal of the past: an integrator between would help");
}

static void report_jump(IndexWork *w, const IndexRow *row) {
  System *s = w->s;
  diag_error(s->diags, diag_higher_index, row->e->span,
             "this equation has to be differentiated %s, and something in it jumps",
             times_word(s, row->levels.count + 1));
  diag_hint(s->diags, "let it rise over a short time, as in `ramp(t - 1) - ramp(t - 1.01)`");
}

// Does the value jump, also through signals of time?
static bool jumps(IndexWork *w, ExprId value) {
  System *s = w->s;
  if (expr_has_jump(s->pool, value, kinds_moving())) return true;
  for (uint32_t i = 0; i < s->inputs.count; i++) {
    const SystemInput *u = &s->inputs.items[i];
    if (expr_depends(s->pool, value, u->symbol) && expr_has_jump(s->pool, u->value, kinds_moving())) return true;
  }
  return false;
}

static bool differentiate_seen(IndexWork *w) {
  for (uint32_t c = 0; c < w->n; c++) {
    if (w->column_seen[c] && !index_promote(w, c)) return false;
  }
  for (uint32_t i = 0; i < w->n; i++) {
    IndexRow *row = &w->rows[i];
    if (!(row->value = index_put_in(w, row->value))) return false; // unknowns that are states now
    if (!w->row_seen[i]) continue;
    if (jumps(w, row->value)) {
      report_jump(w, row);
      return true;
    }
    if (!index_differentiate(w, row)) {
      if (w->blocked) report_blocked(w, row);
      return w->blocked != 0;
    }
  }
  return true;
}

// ---- combinations

typedef struct IndexTable {
  IndexBlocks blocks;
  uint32_t rows;  // of the equations, then of the blocks
  ExprId *slopes; // unknown by unknown
} IndexTable;

static ExprId table_row(const IndexWork *w, const IndexTable *x, uint32_t i) {
  return i < w->n ? w->rows[i].value : x->blocks.rows.items[i - w->n];
}

static bool fill_table(IndexWork *w, IndexTable *x) {
  System *s = w->s;
  if (!index_blocks(w, &x->blocks)) return false;
  x->rows = w->n + x->blocks.rows.count;
  if (x->rows > most_joined) return true;
  ExprId *roots = arena_array(s->arena, x->rows, sizeof *roots);
  x->slopes = arena_array(s->arena, (size_t)x->rows * x->rows, sizeof *x->slopes);
  if (!roots || !x->slopes) return false;
  for (uint32_t i = 0; i < x->rows; i++) roots[i] = table_row(w, x, i);
  for (uint32_t c = 0; c < x->rows; c++) {
    SymbolId symbol = c < w->n ? w->columns[c].top : x->blocks.unknowns.items[c - w->n];
    if (!expr_diff_all(s->pool, roots, x->rows, symbol, x->slopes + (size_t)c * x->rows)) return false;
  }
  return true;
}

// sum of factor * row, multiplied out
static ExprId combine(IndexWork *w, const IndexTable *x, const Rat *factor) {
  Term *terms = arena_array(w->s->arena, x->rows, sizeof *terms);
  uint32_t count = 0;
  for (uint32_t i = 0; terms && i < x->rows; i++) {
    if (!rat_is_zero(factor[i])) terms[count++] = (Term){factor[i], table_row(w, x, i)};
  }
  ExprId sum = terms ? expr_sum(w->s->pool, terms, count) : 0;
  return sum ? expr_expand(w->s->pool, sum, most_terms) : 0;
}

// Does it hold none of the unknowns?
static bool is_free(const IndexWork *w, const IndexTable *x, ExprId sum) {
  for (uint32_t c = 0; c < x->rows; c++) {
    SymbolId symbol = c < w->n ? w->columns[c].top : x->blocks.unknowns.items[c - w->n];
    if (expr_depends(w->s->pool, sum, symbol)) return false;
  }
  return true;
}

// The row that gives way: the one that was differentiated most often; cyclic definitions stay.
static uint32_t row_to_leave(const IndexWork *w, const Rat *factor) {
  uint32_t best = w->n;
  for (uint32_t i = 0; i < w->n; i++) {
    if (rat_is_zero(factor[i]) || w->rows[i].e->unknown) continue;
    if (best == w->n || w->rows[i].levels.count > w->rows[best].levels.count) best = i;
  }
  return best;
}

// Puts a combination that holds no unknown instead of a row. *done: there was one that helps.
static bool join_rows(IndexWork *w, bool *done) {
  System *s = w->s;
  IndexTable table = {0}, *x = &table;
  *done = false;
  if (!fill_table(w, x)) return false;
  if (!x->slopes || x->rows > most_joined) return true;
  int rank = expr_rank(s->pool, x->slopes, x->rows, x->rows, NULL);
  if (rank < 0 || (uint32_t)rank == x->rows) return !arena_failed(s->arena);
  ModularRelations relations;
  Rat *factors = NULL;
  if (!relations_open(&relations, s->arena, x->rows)) return false;
  if (!relations_sample(&relations, s->pool, s->arena, x->slopes, x->rows)) return !arena_failed(s->arena);
  uint32_t count = relations_solve(&relations, s->arena, relation_wide, &factors);
  for (uint32_t k = 0; k < count && !*done; k++) {
    const Rat *factor = factors + (size_t)k * x->rows;
    uint32_t i = row_to_leave(w, factor);
    ExprId sum = i < w->n ? combine(w, x, factor) : 0;
    if (!sum || !is_free(w, x, sum)) continue;
    IndexRow *row = &w->rows[i], before = *row;
    row->value = sum;
    for (uint32_t j = 0; j < w->n; j++) {
      bool known = j == i || rat_is_zero(factor[j]);
      for (uint32_t q = 0; q < row->joined.count; q++) known = known || row->joined.items[q] == equation_of(w, j);
      if (!known && !vec_push(s->arena, &row->joined, equation_of(w, j))) return false;
    }
    *done = check_reach(w, false) == index_fits;
    if (!*done) *row = before;
  }
  return !arena_failed(s->arena);
}

// ---- the result

static bool finish_row(IndexWork *w, IndexRow *row) {
  System *s = w->s;
  SystemEquation *e = row->e;
  uint32_t times = row->levels.count;
  if (!times) return true;
  e->levels = arena_array(s->arena, (size_t)times + 1, sizeof *e->levels);
  if (!e->levels) return false;
  memcpy(e->levels, row->levels.items, times * sizeof *e->levels);
  e->levels[times] = row->value;
  e->times = times;
  e->unknown = 0;
  if (row->joined.count) e->joined = lines_of(s, row->joined.items, row->joined.count);
  const char *name = arena_printf(s->arena, "line %u", source_line(s->sources, e->span));
  for (uint32_t k = 0; k < times; k++) {
    if (!vec_push(s->arena, &s->invariants, (Invariant){name, e->levels[k], e->span, invariant_level})) return false;
  }
  return true;
}

static bool put_notes(IndexWork *w) {
  System *s = w->s;
  uint32_t told = 0;
  for (uint32_t i = 0; i < w->n; i++) {
    const SystemEquation *e = w->rows[i].e;
    if (!e->times || ++told > most_reported) continue;
    const char *what = e->times == 1 ? "the equation binds the states, its derivative gives unknowns"
                                     : "the equation and its derivatives bind the states, the last one gives unknowns";
    const char *joined = e->joined ? arena_printf(s->arena, " (with %s)", e->joined) : "";
    vec_push(s->arena, &s->notes,
             arena_printf(s->arena, "line %u%s is differentiated %s: %s", source_line(s->sources, e->span),
                          joined ? joined : "", times_word(s, e->times), what));
  }
  for (uint32_t i = 0; i < w->n; i++) {
    const IndexColumn *c = &w->columns[i];
    if (!c->times) continue;
    const char *name = pool_symbol_get(s->pool, c->base)->name, *top = pool_symbol_get(s->pool, c->top)->name;
    vec_push(s->arena, &s->notes, arena_printf(s->arena, "%s is integrated, because %s is solved for", name, top));
  }
  if (told > most_reported)
    vec_push(s->arena, &s->notes,
             arena_printf(s->arena, "and %u more equations are differentiated", told - most_reported));
  return !arena_failed(s->arena);
}

// More differentiations than this give nothing: each one binds a number that is integrated, or an unknown's derivative.
static uint32_t most_levels(const IndexWork *w) { return (w->s->coord_count + w->n) * 2 + w->s->state_count + 4; }

// Reports where it cannot; what pairing has seen stays.
static IndexVerdict can_fit(IndexWork *w) {
  bool *rows = w->row_seen, *columns = w->column_seen;
  w->row_seen = arena_array(w->s->arena, w->n, sizeof *rows);
  w->column_seen = arena_array(w->s->arena, w->n, sizeof *columns);
  if (!w->row_seen || !w->column_seen) return index_no_memory;
  IndexVerdict verdict = check_reach(w, true);
  w->row_seen = rows;
  w->column_seen = columns;
  return verdict;
}

static bool reduce(IndexWork *w) {
  System *s = w->s;
  uint32_t levels = 0, most = most_levels(w);
  for (bool solved = false;;) {
    bool joined;
    for (uint32_t i = 0; i < w->n; i++) {
      if (!index_holds(w, &w->rows[i])) return false;
    }
    if (pair_up(w)) {
      if (!join_rows(w, &joined)) return false;
      if (!joined) return true;
      continue;
    }
    if (levels == 0) {
      IndexVerdict verdict = can_fit(w);
      if (verdict != index_fits) return verdict == index_unfit;
    }
    if (!solved) {
      solved = true;
      if (!index_eliminate(w)) return false;
      continue;
    }
    if (!differentiate_seen(w)) return false;
    if (s->diags->errors) return true;
    if (++levels > most) return true; // the order of computation tells which equations do not determine what
  }
}

static bool has_written(const System *s) {
  for (uint32_t i = 0; i < s->implicit.count; i++) {
    if (!s->implicit.items[i].unknown) return true;
  }
  return false; // cyclic definitions alone
}

bool system_index(System *s) {
  IndexWork work = {.s = s}, *w = &work;
  if (!has_written(s)) return true;
  if (!index_open(w)) return false;
  if (w->n != s->implicit.count) return true;
  for (uint32_t i = 0; i < w->n; i++) {
    if (!w->rows[i].value) return !arena_failed(s->arena); // rates in a cycle, which is solved as a whole
  }
  w->row_of = arena_array(s->arena, w->n, sizeof *w->row_of);
  w->row_seen = arena_array(s->arena, w->n, sizeof *w->row_seen);
  w->column_seen = arena_array(s->arena, w->n, sizeof *w->column_seen);
  if (arena_failed(s->arena) || !reduce(w)) return false;
  for (uint32_t i = 0; i < w->n && !s->diags->errors; i++) {
    if (!finish_row(w, &w->rows[i])) return false;
  }
  return s->diags->errors || put_notes(w);
}
