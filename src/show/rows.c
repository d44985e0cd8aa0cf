// Equations in lines of a page.
//
// in    left = right, as expressions or as finished text; LaTeX or MathML
// out   rows that are no wider than a line: long sums break before a plus or minus, what cannot break and is too wide
//       gets a name Delta_k and is explained below, under "where"
// how   A side becomes pieces that do not break, one a term; of a product around a long sum its brackets open in the
//       first piece and close in the last. Pieces are put into lines first come, first served. Widths are estimated
//       from the LaTeX text in small letters: a capital is 1.55, a plus 2.5 with its blanks, raised and lowered ones
//       three quarters of that; it is enough for breaking, nothing is aligned by it.
//
// Named parts get symbols of the pool, so a copy of the pool is needed (system_clone).
#include "show/rows.h"

#include "expr/ops.h"

#include <string.h>

// ---- how wide LaTeX is

typedef struct LatexReader {
  const char *s;
  int depth;
} LatexReader;

static double group(LatexReader *r, double scale);

static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static double command(LatexReader *r, double scale) {
  const char *start = ++r->s;
  while (letter(*r->s)) r->s++;
  size_t n = (size_t)(r->s - start);
  if (n == 0) { // \, and the like
    if (*r->s) r->s++;
    return 0.2 * scale;
  }
  static const struct {
    const char *name;
    double width;
    int groups; // 2: over one another
  } known[] = {{"frac", 0.5, 2},  {"sqrt", 1.4, 1},  {"mathrm", 0, 1}, {"mathbf", 0.2, 1}, {"operatorname", 0.4, 1},
               {"text", 0, 1},    {"dot", 0, 1},     {"ddot", 0, 1},   {"dddot", 0, 1},    {"hat", 0, 1},
               {"bar", 0, 1},     {"tilde", 0, 1},   {"left", 0.4, 0}, {"right", 0.4, 0},  {"bigl", 0, 0},
               {"bigr", 0, 0},    {"quad", 2, 0},    {"begin", 0, 1},  {"end", 0, 1},      {"int", 1.6, 0},
               {"land", 2, 0},    {"lor", 2, 0},     {"le", 2, 0},     {"ne", 2, 0},       {"mapsto", 2.4, 0},
               {"partial", 1, 0}, {"nabla", 1.4, 0}, {"pi", 1, 0}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strlen(known[i].name) != n || memcmp(known[i].name, start, n) != 0) continue;
    double a = known[i].groups > 0 ? group(r, scale) : 0, b = known[i].groups > 1 ? group(r, scale) : 0;
    return known[i].width * scale + (a > b ? a : b);
  }
  static const char *const functions[] = {"sin", "cos", "tan", "sinh",   "cosh",   "tanh",  "exp",
                                          "ln",  "min", "max", "arcsin", "arccos", "arctan"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strlen(functions[i]) == n && memcmp(functions[i], start, n) == 0) return (0.85 * (double)n + 0.5) * scale;
  }
  return 1.1 * scale; // a Greek letter
}

static double one(LatexReader *r, double scale) {
  char c = *r->s;
  if (c == '\\') return command(r, scale);
  if (c == '{') return group(r, scale);
  r->s++;
  if (c == '_' || c == '^') {
    double a = one(r, 0.75 * scale) + 0.1 * scale;
    if ((*r->s != '_' && *r->s != '^') || *r->s == c) return a;
    r->s++;
    double b = one(r, 0.75 * scale) + 0.1 * scale;
    return a > b ? a : b;
  }
  if (((unsigned char)c & 0xC0) == 0x80 || c == ' ' || c == '&') return 0;
  if (c == '+' || c == '-' || c == '=' || c == '<') return 2.5 * scale;
  if (strchr("(),[]|.", c)) return 0.7 * scale;
  if (c == 'm' || c == 'M' || c == 'w' || c == 'W') return 1.6 * scale;
  return (c >= 'A' && c <= 'Z' ? 1.55 : 1) * scale;
}

static double group(LatexReader *r, double scale) {
  while (*r->s == ' ') r->s++;
  if (*r->s != '{') return *r->s ? one(r, scale) : 0;
  double width = 0;
  r->s++;
  r->depth++;
  while (*r->s && *r->s != '}') width += r->depth < 200 ? one(r, scale) : (r->s++, 1.0);
  if (*r->s) r->s++;
  r->depth--;
  return width;
}

double rows_latex_width(const char *text) {
  LatexReader r = {text, 0};
  double width = 0;
  while (*r.s) {
    if (*r.s == '}') r.s++;
    else width += one(&r, 1);
  }
  return width;
}

// ---- pieces

EquationRows rows_in(ExprPool *pool, Arena *arena, const ExprNames *names, ExprFormat format) {
  return (EquationRows){.pool = pool, .arena = arena, .names = names, .format = format};
}

static void piece(EquationRows *r, Pieces *row, const char *text, double width) {
  vec_push(r->arena, row, (Piece){text, width, false});
}

static void relation_piece(EquationRows *r, Pieces *row, bool assign) {
  const char *latex = assign ? " := " : " = ", *mathml = assign ? "<mo>:=</mo>" : "<mo>=</mo>";
  vec_push(r->arena, row, (Piece){r->format == format_latex ? latex : mathml, assign ? 3 : 2.5, true});
}

static const char *printed(EquationRows *r, ExprId id, ExprFormat format) {
  Text t = text_in(r->arena);
  expr_print(r->pool, id, format, r->names, &t);
  return text_str(&t);
}

static double width_of(EquationRows *r, ExprId id) { return rows_latex_width(printed(r, id, format_latex)); }

// A symbol for something too long to stand in a line.
static ExprId named(EquationRows *r, ExprId value) {
  for (uint32_t i = 0; i < r->named.count; i++) {
    if (r->named.items[i].value == value) return r->named.items[i].symbol;
  }
  // a name that the model does not use
  const char *free_name = NULL;
  for (uint32_t k = r->named.count + 1; !free_name && k < r->named.count + 1000; k++) {
    free_name = arena_printf(r->pool->arena, "Delta_%u", k);
    for (SymbolId i = 1; free_name && i < r->pool->symbols.count; i++) {
      if (strcmp(pool_symbol_get(r->pool, i)->name, free_name) == 0) free_name = NULL;
    }
  }
  SymbolId symbol = free_name ? pool_symbol(r->pool, free_name, sym_param, 1000 + r->named.count, 0) : 0;
  ExprId id = symbol ? expr_sym(r->pool, symbol) : 0;
  if (!id) return value;
  vec_push(r->arena, &r->named, (NamedPart){id, value});
  return id;
}

static ExprId inside_named(EquationRows *r, ExprId id, double limit);

ExprId rows_short(EquationRows *r, ExprId id, double limit) {
  if (!id || expr_symbol(r->pool, id) || width_of(r, id) <= limit) return id;
  ExprId inside = inside_named(r, id, limit);
  ExprOp op = expr_op(r->pool, inside);
  bool truth = expr_op_is_truth(op); // a condition stays one
  return truth || width_of(r, inside) <= limit ? inside : named(r, id);
}

// A function or condition that is too wide: its wide arguments get names, min(max(Delta_1, -a), a).
static ExprId inside_named(EquationRows *r, ExprId id, double limit) {
  enum { most_args = 3 };
  ExprPool *pool = r->pool;
  ExprOp op = expr_op(pool, id);
  uint32_t n = pool_node(pool, id)->count;
  if (op <= op_inverse || n == 0 || n > most_args || width_of(r, id) <= limit) return id;
  ExprId args[most_args];
  double width[most_args], all = 0;
  memcpy(args, pool_args(pool, id), n * sizeof *args);
  for (uint32_t i = 0; i < n; i++) all += width[i] = width_of(r, args[i]);
  for (uint32_t i = 0; i < n; i++) {
    // what the others leave, but never less than its share
    double room = limit - 8 - (all - width[i]), share = (limit - 8) / n;
    if (room < share) room = share;
    args[i] = rows_short(r, args[i], room);
  }
  return expr_raw(pool, op, args, n);
}

// The factor with its long inside named: 1/(...), sqrt(...), f(...).
static Factor shortened(EquationRows *r, Factor f, double limit) {
  if (expr_symbol(r->pool, f.base) || width_of(r, f.base) <= limit) return f;
  f.base = named(r, f.base);
  return f;
}

static void term_pieces(EquationRows *r, Pieces *row, Term t, bool first, double limit);

// first: it begins the side.
static void sum_pieces(EquationRows *r, Pieces *row, ExprId id, bool first, double limit) {
  uint32_t n = 0;
  Term *terms = expr_sum_order(r->pool, id, &n);
  // the scratch of the order is used again while terms print
  Term *copy = terms ? arena_array(r->arena, n, sizeof *copy) : NULL;
  if (!copy) return;
  memcpy(copy, terms, n * sizeof *copy);
  for (uint32_t i = 0; i < n; i++) term_pieces(r, row, copy[i], first && i == 0, limit);
}

static const char *term_text(EquationRows *r, Term t, bool first, ExprFormat format) {
  Text out = text_in(r->arena);
  expr_print_term(r->pool, t, first, format, r->names, &out);
  return text_str(&out);
}

// A product around one long sum: what stands before it, the sum in brackets, what stands after it.
static void product_pieces(EquationRows *r, Pieces *row, Term t, uint32_t sum, bool first, double limit) {
  ExprPool *pool = r->pool;
  uint32_t n = expr_factor_count(pool, t.term), *order = expr_factor_order(pool, t.term), nb = 0, na = 0;
  Factor *before = arena_array(r->arena, n, sizeof *before), *after = arena_array(r->arena, n, sizeof *after);
  if (!order || !before || !after) return;
  bool passed = false;
  Factor inner = expr_factor(pool, t.term, sum);
  for (uint32_t k = 0; k < n; k++) {
    Factor f = expr_factor(pool, t.term, order[k]);
    Rat e;
    bool below = expr_number(pool, f.exponent, &e) && rat_sign(e) < 0;
    if (order[k] == sum) passed = true;
    else if (below || !passed) before[nb++] = shortened(r, f, limit / 2);
    else after[na++] = shortened(r, f, limit / 2);
  }
  Rat coef = rat_mul(pool->arena, t.coef, expr_coef(pool, t.term));
  Term front = {coef, expr_product(pool, RAT_ONE, before, nb)};
  bool plain = nb == 0 && (rat_is_int_value(coef, 1) || rat_is_int_value(coef, -1));
  bool minus = rat_sign(coef) < 0;
  Text open = text_in(r->arena), open_latex = text_in(r->arena);
  for (int k = 0; k < 2; k++) {
    ExprFormat format = k ? r->format : format_latex;
    Text *out = k ? &open : &open_latex;
    const char *sign = format == format_latex ? (first   ? (minus ? "-" : "")
                                                 : minus ? " - "
                                                         : " + ")
                                              : (first   ? (minus ? "<mo form=\"prefix\">−</mo>" : "")
                                                 : minus ? "<mo>−</mo>"
                                                         : "<mo>+</mo>");
    if (plain) text_put(out, sign);
    else expr_print_term(pool, front, first, format, r->names, out);
    text_put(out, format == format_latex ? " \\bigl(" : "<mo form=\"prefix\" stretchy=\"false\">(</mo>");
  }
  piece(r, row, text_str(&open), rows_latex_width(text_str(&open_latex)));
  // the opening joins its first term
  uint32_t at = row->count;
  sum_pieces(r, row, inner.base, true, limit);
  if (row->count > at) {
    Piece *a = &row->items[at - 1], *b = &row->items[at];
    *b = (Piece){arena_printf(r->arena, "%s%s", a->text, b->text), a->width + b->width, false};
    memmove(a, b, (row->count - at) * sizeof *a);
    row->count--;
  }
  Text close = text_in(r->arena);
  Piece *last = &row->items[row->count - 1];
  text_put(&close, last->text);
  text_put(&close, r->format == format_latex ? "\\bigr)" : "<mo form=\"postfix\" stretchy=\"false\">)</mo>");
  double width = last->width + 1;
  if (na) {
    ExprId tail = expr_product(pool, RAT_ONE, after, na);
    text_put(&close, r->format == format_latex ? " " : "<mo lspace=\"0.17em\">\xE2\x81\xA2</mo>");
    text_put(&close, printed(r, tail, r->format));
    width += width_of(r, tail);
  }
  *last = (Piece){text_str(&close), width, false};
}

static void term_pieces(EquationRows *r, Pieces *row, Term t, bool first, double limit) {
  ExprPool *pool = r->pool;
  const char *latex = term_text(r, t, first, format_latex);
  double width = rows_latex_width(latex);
  if (width <= limit) {
    piece(r, row, r->format == format_latex ? latex : term_text(r, t, first, r->format), width);
    return;
  }
  // the widest sum above the line breaks; everything else that is long gets a name
  uint32_t n = expr_factor_count(pool, t.term), sum = n;
  double widest = 0;
  for (uint32_t i = 0; i < n; i++) {
    Factor f = expr_factor(pool, t.term, i);
    if (expr_op(pool, f.base) != op_add || f.exponent != pool->one) continue;
    double w = width_of(r, f.base);
    if (w > widest) {
      widest = w;
      sum = i;
    }
  }
  if (sum < n && widest > limit / 3) {
    product_pieces(r, row, t, sum, first, limit);
    return;
  }
  Factor *f = arena_array(r->arena, n, sizeof *f);
  if (!f) return;
  for (uint32_t i = 0; i < n; i++) f[i] = shortened(r, expr_factor(pool, t.term, i), limit / 4);
  t = (Term){rat_mul(pool->arena, t.coef, expr_coef(pool, t.term)), expr_product(pool, RAT_ONE, f, n)};
  piece(r, row, term_text(r, t, first, r->format), rows_latex_width(term_text(r, t, first, format_latex)));
}

// ---- rows

static Pieces *new_row(EquationRows *r) {
  Pieces none = {0};
  return vec_push(r->arena, &r->rows, none) ? &r->rows.items[r->rows.count - 1] : NULL;
}

static void side(EquationRows *r, Pieces *row, ExprId id) {
  if (!id) return;
  id = inside_named(r, id, rows_width - 8);
  bool sum = expr_op(r->pool, id) == op_add || expr_op(r->pool, id) == op_mul;
  if (sum) sum_pieces(r, row, id, true, rows_width - 8);
  else piece(r, row, printed(r, id, r->format), width_of(r, id));
}

static void keep_row(EquationRows *r, Pieces row) {
  Pieces *place = new_row(r);
  if (place) *place = row;
}

static void put_sides(EquationRows *r, ExprId left, ExprId right, bool assign) {
  Pieces row = {0};
  side(r, &row, left);
  relation_piece(r, &row, assign);
  side(r, &row, right);
  keep_row(r, row);
}

void rows_equation(EquationRows *r, ExprId left, ExprId right) { put_sides(r, left, right, false); }
void rows_assign(EquationRows *r, ExprId left, ExprId right) { put_sides(r, left, right, true); }

void rows_finished(EquationRows *r, Piece left, Piece right) {
  Pieces row = {0};
  piece(r, &row, left.text, left.width);
  relation_piece(r, &row, false);
  piece(r, &row, right.text, right.width);
  keep_row(r, row);
}

void rows_terms(EquationRows *r, ExprId sum, bool first, Pieces *out) {
  sum_pieces(r, out, sum, first, rows_width - 8);
}

void rows_pieces(EquationRows *r, Piece left, const Pieces *right) {
  Pieces row = {0};
  piece(r, &row, left.text, left.width);
  relation_piece(r, &row, false);
  for (uint32_t i = 0; i < right->count; i++) piece(r, &row, right->items[i].text, right->items[i].width);
  keep_row(r, row);
}

void rows_behind(EquationRows *r, Piece tail) {
  if (r->rows.count == 0) return;
  const char *text =
      arena_printf(r->arena, r->format == format_latex ? " \\quad %s" : "<mspace width=\"1.5em\"/>%s", tail.text);
  piece(r, &r->rows.items[r->rows.count - 1], text, tail.width + 2);
}

void rows_remark(EquationRows *r, const char *words) {
  const char *text = arena_printf(r->arena, r->format == format_latex ? "\\text{%s}" : "<mtext>%s</mtext>", words);
  rows_behind(r, (Piece){text, (double)strlen(words), false});
}

void rows_line(EquationRows *r, const char *left, const char *latex, ExprId right) {
  Pieces row = {0};
  piece(r, &row, left, rows_latex_width(latex));
  relation_piece(r, &row, false);
  side(r, &row, right);
  keep_row(r, row);
}

static double row_width(const Pieces *row) {
  double width = 0;
  for (uint32_t i = 0; i < row->count; i++) width += row->items[i].width;
  return width;
}

// One row; its equals sign is the point of alignment where all rows fit a line.
static void put_row(EquationRows *r, const Pieces *row, bool fit, bool last, Text *out) {
  bool latex = r->format == format_latex;
  if (!latex)
    text_put(out, fit ? "<math display=\"block\"><mrow>"
                      : "<math display=\"block\"><mtable displaystyle=\"true\"><mtr><mtd style=\"text-align:left\">");
  else if (!fit) text_put(out, "& ");
  double width = 0;
  for (uint32_t i = 0; i < row->count; i++) {
    const Piece *p = &row->items[i];
    // an equals sign stays with what follows
    double need = p->width + (p->relation && i + 1 < row->count ? row->items[i + 1].width : 0);
    bool after = i > 0 && row->items[i - 1].relation;
    if (!fit && i > 0 && !after && width + need > rows_width) {
      if (latex) text_put(out, r->numbered ? " \\nonumber \\\\\n& \\quad {}" : " \\\\\n& \\quad {}");
      else text_put(out, "</mtd></mtr><mtr><mtd style=\"text-align:left\"><mspace width=\"2em\"/>");
      width = 2;
    }
    if (latex && fit && p->relation) text_printf(out, " &%s", p->text + 1);
    else text_put(out, p->text);
    width += p->width;
  }
  if (latex) text_put(out, last ? "\n" : " \\\\\n");
  else text_put(out, fit ? "</mrow></math>\n" : "</mtd></mtr></mtable></math>\n");
}

// Do all rows fit a line where their equals signs stand below each other? The widest left side and the widest right one
// count, which may be of different rows.
static bool aligned_fit(const EquationRows *r, uint32_t from) {
  double left = 0, right = 0;
  for (uint32_t i = from; i < r->rows.count; i++) {
    const Pieces *row = &r->rows.items[i];
    double before = 0;
    for (uint32_t k = 0; k < row->count && !row->items[k].relation; k++) before += row->items[k].width;
    left = before > left ? before : left;
    right = row_width(row) - before > right ? row_width(row) - before : right;
  }
  return left + right <= rows_width;
}

static void put_block(EquationRows *r, uint32_t from, Text *out) {
  bool latex = r->format == format_latex, all = aligned_fit(r, from);
  if (latex) text_put(out, r->numbered ? "\\begin{align}\n" : "\\begin{align*}\n");
  for (uint32_t i = from; i < r->rows.count; i++) {
    bool fit = latex ? all : row_width(&r->rows.items[i]) <= rows_width;
    put_row(r, &r->rows.items[i], fit, i + 1 == r->rows.count, out);
  }
  if (latex) text_put(out, r->numbered ? "\\end{align}\n" : "\\end{align*}\n");
}

void rows_put(EquationRows *r, Text *out) {
  if (r->rows.count == 0) return;
  put_block(r, 0, out);
  r->rows.count = 0;
  bool numbered = r->numbered;
  r->numbered = false;
  if (r->explained < r->named.count)
    text_put(out, r->format == format_latex ? "where\n" : "<math display=\"block\"><mtext>where</mtext></math>\n");
  // an explanation may name more
  while (r->explained < r->named.count && !arena_failed(r->arena)) {
    NamedPart p = r->named.items[r->explained++];
    rows_equation(r, p.symbol, p.value);
    if (r->explained == r->named.count) put_block(r, 0, out);
  }
  r->rows.count = 0;
  r->numbered = numbered;
}
