// Printing of expressions. The structure is walked once for all formats; what stands around it comes from a table of
// marks.
//
// in    an expression and a format: text that can be read back, LaTeX, MathML
// out   sums in reading order (order.c), products with what has a negative exponent below a fraction line, roots for
//       exponents 1/2; brackets where the operation outside binds more tightly than the one inside (levels)
#include "expr/print.h"

#include "expr/ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Printer {
  ExprPool *pool;
  const ExprNames *names;
  ExprFormat format;
  Text *out;
  int depth;
  size_t start; // of the expression in the text
  bool failed;  // a limit was crossed
} Printer;

enum {
  deepest = 400,            // brackets inside brackets
  longest = 4 * 1024 * 1024 // bytes of one expression: written out, what is shared can be exponentially long
};

enum { level_or, level_and, level_not, level_compare, level_sum, level_product, level_unary, level_power, level_atom };

static void print_at(Printer *p, ExprId id, int level);

// ---- marks

typedef enum PrintMark {
  open_fraction,
  between_fraction,
  close_fraction,
  open_power,
  between_power,
  close_power, // around base and exponent
  open_root,
  close_root,
  open_bracket,
  close_bracket, // these grow with what they hold
  open_flat,
  close_flat, // these do not
  mark_plus,
  mark_minus,
  mark_sign, // between terms; in front of one
  mark_times,
  mark_thin_times, // thin: beside a word
  mark_apply,
  mark_comma,
  mark_count
} PrintMark;

// text, LaTeX, MathML
static const char *const marks[mark_count][3] = {
    [open_fraction] = {"", "\\frac{", "<mfrac><mrow>"},
    [between_fraction] = {"/", "}{", "</mrow><mrow>"},
    [close_fraction] = {"", "}", "</mrow></mfrac>"},
    [open_power] = {"", "", "<msup><mrow>"},
    [between_power] = {"^", "^{", "</mrow><mrow>"},
    [close_power] = {"", "}", "</mrow></msup>"},
    [open_root] = {"sqrt(", "\\sqrt{", "<msqrt><mrow>"},
    [close_root] = {")", "}", "</mrow></msqrt>"},
    [open_bracket] = {"(", "\\left(", "<mrow><mo>(</mo>"},
    [close_bracket] = {")", "\\right)", "<mo>)</mo></mrow>"},
    [open_flat] = {"(", "(", "<mrow><mo stretchy=\"false\">(</mo>"},
    [close_flat] = {")", ")", "<mo stretchy=\"false\">)</mo></mrow>"},
    [mark_plus] = {" + ", " + ", "<mo>+</mo>"},
    [mark_minus] = {" - ", " - ", "<mo>−</mo>"},
    [mark_sign] = {"-", "-", "<mo form=\"prefix\">−</mo>"},
    [mark_times] = {"*", " ", "<mo>\xE2\x81\xA2</mo>"}, // invisible times
    [mark_thin_times] = {"*", " \\, ", "<mo lspace=\"0.17em\">\xE2\x81\xA2</mo>"},
    [mark_apply] = {"", "", "<mo>\xE2\x81\xA1</mo>"}, // function application
    [mark_comma] = {", ", ", ", "<mo separator=\"true\">,</mo>"},
};

static void put(Printer *p, PrintMark mark) { text_put(p->out, marks[mark][p->format]); }
static bool typeset(const Printer *p) { return p->format != format_text; }
static void open_if(Printer *p, bool yes) {
  if (yes) put(p, open_bracket);
}
static void close_if(Printer *p, bool yes) {
  if (yes) put(p, close_bracket);
}

// One of three texts.
static void put_one(Printer *p, const char *text, const char *latex, const char *mathml) {
  text_put(p->out, p->format == format_text ? text : p->format == format_latex ? latex : mathml);
}

// Text of a file inside MathML.
static void put_words(Printer *p, const char *s) {
  for (; *s; s++) {
    if (p->format == format_mathml && *s == '<') text_put(p->out, "&lt;");
    else if (p->format == format_mathml && *s == '&') text_put(p->out, "&amp;");
    else if (p->format == format_latex && strchr("_%#$&{}", *s)) text_printf(p->out, "\\%c", *s);
    else if (p->format == format_latex && strchr("\\^~", *s)) text_printf(p->out, "\\char%d{}", *s);
    else text_putc(p->out, *s);
  }
}

// ---- numbers

static void print_digits(Printer *p, const char *s, size_t n) {
  put_one(p, "", "", "<mn>");
  text_putn(p->out, s, n);
  put_one(p, "", "", "</mn>");
}

static void print_rational(Printer *p, Rat r) {
  Arena *arena = p->pool->scratch;
  bool halves = !(p->names && p->names->decimals) && !r.big && (r.den == 2 || r.den == 4 || r.den == 8);
  char *s = rat_print(arena, r, !halves);
  if (!s) return;
  if (!typeset(p)) {
    text_put(p->out, s);
    return;
  }
  if (*s == '-') {
    put(p, mark_sign);
    s++;
  }
  char *slash = strchr(s, '/');
  char *power = strchr(s, 'e');
  if (slash) {
    put(p, open_fraction);
    print_digits(p, s, (size_t)(slash - s));
    put(p, between_fraction);
    print_digits(p, slash + 1, strlen(slash + 1));
    put(p, close_fraction);
  } else if (power) {
    const char *exponent = power + 1;
    bool below = *exponent == '-';
    exponent += *exponent == '-' || *exponent == '+';
    exponent += strspn(exponent, "0");
    if (power - s != 1 || *s != '1') {
      print_digits(p, s, (size_t)(power - s));
      put_one(p, "", "\\cdot ", "<mo>⋅</mo>");
    }
    put(p, open_power);
    print_digits(p, "10", 2);
    put(p, between_power);
    if (below) put(p, mark_sign);
    print_digits(p, exponent, strlen(exponent));
    put(p, close_power);
  } else {
    print_digits(p, s, strlen(s));
  }
}

// ---- sums and products

static void print_scaled(Printer *p, Rat coef, ExprId term);

Term *expr_sum_order(ExprPool *pool, ExprId id, uint32_t *count) {
  uint32_t n;
  Term *terms = expr_display_terms(pool, id, &n);
  // a sum that can start with a plus does
  uint32_t lead = 0;
  while (terms && lead < n && rat_sign(terms[lead].coef) < 0) lead++;
  if (!terms || lead == n || expr_has_kind(pool, id, sym_acceleration)) lead = 0;
  if (lead) {
    Term first = terms[lead];
    memmove(terms + 1, terms, lead * sizeof *terms);
    terms[0] = first;
  }
  *count = n;
  return terms;
}

static void print_sum(Printer *p, ExprId id) {
  uint32_t n;
  Term *terms = expr_sum_order(p->pool, id, &n);
  for (uint32_t k = 0; terms && k < n; k++) {
    Rat c = terms[k].coef;
    bool minus = rat_sign(c) < 0;
    if (k > 0) put(p, minus ? mark_minus : mark_plus);
    else if (minus) put(p, mark_sign);
    print_scaled(p, minus ? rat_neg(p->pool->arena, c) : c, terms[k].term);
  }
}

// Nothing inside is higher than a line: brackets need not grow.
static bool is_flat(const ExprPool *pool, ExprId id) {
  if (expr_symbol(pool, id) || expr_op(pool, id) == op_pi) return true;
  Rat r;
  if (expr_number(pool, id, &r)) return rat_is_int(r);
  if (expr_op(pool, id) == op_add) {
    for (uint32_t i = 0; i < expr_term_count(pool, id); i++) {
      Term t = expr_term(pool, id, i);
      if (!rat_is_int(t.coef) || !is_flat(pool, t.term)) return false;
    }
    return true;
  }
  if (expr_op(pool, id) != op_mul || !rat_is_int(expr_coef(pool, id))) return false;
  for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
    Factor f = expr_factor(pool, id, i);
    if (f.exponent != pool->one || !(expr_symbol(pool, f.base) || expr_op(pool, f.base) == op_pi)) return false;
  }
  return true;
}

static void print_arguments(Printer *p, const ExprId *args, uint32_t count) {
  bool flat = true;
  for (uint32_t i = 0; i < count; i++) flat = flat && is_flat(p->pool, args[i]);
  put(p, flat ? open_flat : open_bracket);
  for (uint32_t i = 0; i < count; i++) {
    if (i) put(p, mark_comma);
    print_at(p, args[i], level_or);
  }
  put(p, flat ? close_flat : close_bracket);
}

// The name of a function, as it stands before its arguments.
static void print_op(Printer *p, ExprOp op) {
  if (p->format == format_text) {
    text_put(p->out, expr_op_info(op)->name);
    return;
  }
  static const ExprOp own[] = {op_sin, op_cos, op_tan, op_sinh, op_cosh, op_tanh, op_exp, op_ln, op_min, op_max};
  const char *name = op == op_asin      ? "arcsin"
                     : op == op_acos    ? "arccos"
                     : op == op_atan    ? "arctan"
                     : op == op_impulse ? p->format == format_mathml ? "δ" : "delta"
                                        : expr_op_info(op)->name;
  bool command = op == op_asin || op == op_acos || op == op_atan || op == op_impulse;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) command = command || own[i] == op;
  if (p->format == format_mathml) text_printf(p->out, "<mi>%s</mi>", name);
  else text_printf(p->out, command ? "\\%s" : "\\operatorname{%s}", name);
}

static void print_power(Printer *p, ExprId base, Rat e, bool number, ExprId exponent) {
  if (number && rat_is_int_value(e, 1)) {
    print_at(p, base, level_power);
    return;
  }
  if (number && !e.big && e.num == 1 && e.den == 2) {
    put(p, open_root);
    print_at(p, base, level_or);
    put(p, close_root);
    return;
  }
  // sin^2(x)
  ExprOp op = expr_op(p->pool, base);
  bool upper = op == op_sin || op == op_cos || op == op_tan || op == op_sinh || op == op_cosh || op == op_tanh;
  if (typeset(p) && number && rat_is_int(e) && upper) {
    put(p, open_power);
    print_op(p, op);
    put(p, between_power);
    print_rational(p, e);
    put(p, close_power);
    put(p, mark_apply);
    print_arguments(p, pool_args(p->pool, base), 1);
    return;
  }
  bool atom = expr_symbol(p->pool, base) != 0;
  put(p, open_power);
  bool flat = is_flat(p->pool, base);
  if (typeset(p) && !atom) put(p, flat ? open_flat : open_bracket);
  print_at(p, base, typeset(p) && !atom ? level_or : level_atom);
  if (typeset(p) && !atom) put(p, flat ? close_flat : close_bracket);
  put(p, between_power);
  if (number) {
    bool bracket = !typeset(p) && (!rat_is_int(e) || rat_sign(e) < 0);
    if (bracket) text_putc(p->out, '(');
    const ExprNames *names = p->names;
    p->names = NULL; // 3/2, also among decimals
    print_rational(p, e);
    p->names = names;
    if (bracket) text_putc(p->out, ')');
  } else {
    print_at(p, exponent, typeset(p) ? level_or : level_atom);
  }
  put(p, close_power);
}

typedef struct Part {
  Factor factor;
  Rat exponent;
  bool number;
} Part;

// Needs a thin space beside it. LaTeX knows its functions itself.
static bool is_word(const Printer *p, ExprId base) {
  SymbolId s = expr_symbol(p->pool, base);
  if (s) return symbol_is_word(p->pool, s);
  ExprOp op = expr_op(p->pool, base);
  return p->format == format_mathml && op >= op_sin && op != op_if && op != op_abs;
}

// alone: a fraction line stands for the brackets of a single factor
static void print_parts(Printer *p, const Part *parts, const uint32_t *order, uint32_t count, bool below, bool alone,
                        bool *first) {
  Arena *arena = p->pool->arena;
  bool word = false;
  for (uint32_t k = 0; k < count; k++) {
    const Part *x = &parts[order[k]];
    bool is_below = x->number && rat_sign(x->exponent) < 0;
    if (is_below != below) continue;
    bool now = typeset(p) && is_word(p, x->factor.base);
    if (!*first) put(p, word || now ? mark_thin_times : mark_times);
    *first = false;
    word = now;
    Rat power = below ? rat_neg(arena, x->exponent) : x->exponent;
    if (alone && x->number && rat_is_int_value(power, 1)) print_at(p, x->factor.base, level_or);
    else print_power(p, x->factor.base, power, x->number, x->factor.exponent);
  }
}

// coef >= 0 times a product
static void print_scaled(Printer *p, Rat coef, ExprId term) {
  ExprPool *pool = p->pool;
  coef = rat_mul(pool->arena, coef, expr_coef(pool, term));
  uint32_t n = expr_factor_count(pool, term);
  Part *parts = arena_array(pool->scratch, n, sizeof *parts);
  uint32_t *order = expr_factor_order(pool, term);
  if (!parts || !order) return;
  uint32_t above = 0, below = 0;
  for (uint32_t i = 0; i < n; i++) {
    parts[i].factor = expr_factor(pool, term, i);
    parts[i].number = expr_number(pool, parts[i].factor.exponent, &parts[i].exponent);
    if (parts[i].number && rat_sign(parts[i].exponent) < 0) below++;
    else above++;
  }
  bool first = true, whole = rat_is_int_value(coef, 1);
  // 1/2 m/d as one fraction: m/(2 d)
  Rat under = RAT_ONE;
  if (typeset(p) && below && !coef.big && coef.den > 1 && coef.den <= 1000 && !(p->names && p->names->decimals)) {
    under = rat_int(coef.den);
    coef = rat_int(coef.num);
    whole = coef.num == 1;
  }
  bool split = !rat_is_int_value(under, 1);
  if (below) put(p, open_fraction);
  if (!whole || above == 0) {
    print_rational(p, coef);
    first = false;
  }
  if (n == 1 && above == 1 && whole) { // a lone factor needs no brackets of its own
    print_power(p, parts[0].factor.base, parts[0].exponent, parts[0].number, parts[0].factor.exponent);
    return;
  }
  print_parts(p, parts, order, n, false, typeset(p) && below && above == 1 && whole, &first);
  if (!below) return;
  put(p, between_fraction);
  if (!typeset(p) && below > 1) text_putc(p->out, '(');
  if (split) {
    print_rational(p, under);
    put(p, mark_times);
  }
  first = true;
  print_parts(p, parts, order, n, true, typeset(p) && below == 1 && !split, &first);
  if (!typeset(p) && below > 1) text_putc(p->out, ')');
  put(p, close_fraction);
}

// ---- everything else

// A truth value inside a sum or product is 1 or 0: in print it stands in square brackets, after Iverson.
static void truth_bracket(Printer *p, int level, int outer, bool open) {
  if (outer <= level) return;
  if (outer < level_sum || !typeset(p)) put(p, open ? open_bracket : close_bracket);
  else if (open) put_one(p, "", "\\left[", "<mrow><mo>[</mo>");
  else put_one(p, "", "\\right]", "<mo>]</mo></mrow>");
}

static void print_infix(Printer *p, const ExprId *args, const char *text, const char *latex, const char *mathml,
                        int level, int outer) {
  truth_bracket(p, level, outer, true);
  print_at(p, args[0], level + 1);
  if (p->format == format_mathml) text_printf(p->out, "<mo>%s</mo>", mathml);
  else text_printf(p->out, " %s ", p->format == format_latex ? latex : text);
  print_at(p, args[1], level + 1);
  truth_bracket(p, level, outer, false);
}

static void print_named(Printer *p, const char *name, const ExprId *args, uint32_t count) {
  if (p->format == format_mathml) text_printf(p->out, "<mi>%s</mi>", name);
  else text_printf(p->out, p->format == format_latex ? "\\operatorname{%s}" : "%s", name);
  put(p, mark_apply);
  print_arguments(p, args, count);
}

static void print_function(Printer *p, ExprOp op, const ExprId *args, uint32_t count) {
  if (typeset(p) && op == op_abs) {
    put_one(p, "", "\\left|", "<mrow><mo stretchy=\"true\" form=\"prefix\">|</mo>");
    print_at(p, args[0], level_or);
    put_one(p, "", "\\right|", "<mo stretchy=\"true\" form=\"postfix\">|</mo></mrow>");
    return;
  }
  if (typeset(p) && op == op_if) {
    put_one(p, "", "\\begin{cases}", "<mrow><mo>{</mo><mtable columnalign=\"left\"><mtr><mtd>");
    print_at(p, args[1], level_or);
    put_one(p, "", " & \\text{if } ", "</mtd><mtd><mtext>if\xC2\xA0</mtext>");
    print_at(p, args[0], level_or);
    put_one(p, "", " \\\\ ", "</mtd></mtr><mtr><mtd>");
    print_at(p, args[2], level_or);
    put_one(p, "", " & \\text{otherwise}\\end{cases}",
            "</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>");
    return;
  }
  print_op(p, op);
  put(p, mark_apply);
  print_arguments(p, args, count);
}

static void print_table(Printer *p, const ExprId *a) {
  ExprPool *pool = p->pool;
  Rat index = RAT_ZERO;
  int64_t i = 0;
  expr_number(pool, a[0], &index);
  rat_to_int(index, &i);
  const char *name = p->names && i < p->names->table_count ? p->names->tables[i] : "\"\"";
  put_one(p, "", "\\operatorname{", "<mi>");
  bool slope = a[1] == pool->one;
  text_put(p->out, !slope ? "table" : p->format == format_latex ? "table\\_slope" : "table_slope");
  put_one(p, "", "}", "</mi>");
  put_one(p, "(", "(\\text{", "<mo>\xE2\x81\xA1</mo><mrow><mo>(</mo><mtext>");
  put_words(p, name);
  put_one(p, "", "}", "</mtext>");
  put(p, mark_comma);
  print_at(p, a[2], level_or);
  if (a[1] != pool->zero && !slope) {
    put(p, mark_comma);
    put_one(p, "hold", "\\text{hold}", "<mtext>hold</mtext>");
  }
  put_one(p, ")", ")", "<mo>)</mo></mrow>");
}

static void print_uniform_noise(Printer *p, const ExprId *a) {
  put_one(p, "noise(", "\\operatorname{noise}(", "<mi>noise</mi><mo>&#x2061;</mo><mrow><mo>(</mo>");
  for (int i = 0; i < 2; i++) {
    print_at(p, a[i], level_or);
    put(p, mark_comma);
  }
  put_one(p, "uniform)", "\\text{uniform})", "<mtext>uniform</mtext><mo>)</mo></mrow>");
}

static void print_special(Printer *p, ExprId id) {
  const ExprId *a = pool_args(p->pool, id);
  switch ((int)expr_op(p->pool, id)) {
  case op_noise:
    if (pool_node(p->pool, id)->count > 3) print_uniform_noise(p, a);
    else print_named(p, "noise", a, 2);
    break;
  case op_table: print_table(p, a); break;
  case op_integral:
    if (!typeset(p)) {
      print_named(p, "integral_of", a, 4);
      break;
    }
    put_one(p, "", "\\int_{", "<mrow><msubsup><mo>∫</mo><mrow>");
    print_at(p, a[2], level_or);
    put_one(p, "", "}^{", "</mrow><mrow>");
    print_at(p, a[3], level_or);
    put_one(p, "", "} ", "</mrow></msubsup>");
    print_at(p, a[0], level_product);
    put_one(p, "", "\\,d", "<mspace width=\"0.17em\"/><mi>d</mi>");
    print_at(p, a[1], level_atom);
    put_one(p, "", "", "</mrow>");
    break;
  default: // the inverse, with its function written out: as the language reads it, or as a mapping
    if (!typeset(p)) {
      print_named(p, "inverse", a, 2);
      put_one(p, "(", "", "");
      print_at(p, a[2], level_or);
      put_one(p, ")", "", "");
      break;
    }
    put_one(p, "", "\\left(", "<msup><mrow><mo>(</mo>");
    print_at(p, a[1], level_atom);
    put_one(p, "", "\\mapsto ", "<mo>↦</mo>");
    print_at(p, a[0], level_or);
    put_one(p, "", "\\right)^{-1}\\left(", "<mo>)</mo></mrow><mrow><mo>−</mo><mn>1</mn></mrow></msup><mrow><mo>(</mo>");
    print_at(p, a[2], level_or);
    put_one(p, "", "\\right)", "<mo>)</mo></mrow>");
  }
}

static void print_number(Printer *p, ExprId id, int level) {
  Rat r = RAT_ZERO;
  expr_number(p->pool, id, &r);
  bool bracket = (rat_sign(r) < 0 && level > level_sum) || (!rat_is_int(r) && level >= level_power);
  open_if(p, bracket);
  print_rational(p, r);
  close_if(p, bracket);
}

static void print_add(Printer *p, ExprId id, int level) {
  ExprPool *pool = p->pool;
  const ExprId *a = pool_args(pool, id);
  if (pool_node(pool, id)->count == 2 && a[0] == pool->one) { // a sum that is kept in one piece
    print_at(p, a[1], level);
    return;
  }
  if (level > level_sum) put(p, is_flat(pool, id) ? open_flat : open_bracket);
  print_sum(p, id);
  if (level > level_sum) put(p, is_flat(pool, id) ? close_flat : close_bracket);
}

static void print_product(Printer *p, ExprId id, int level) {
  ExprPool *pool = p->pool;
  uint32_t count = pool_node(pool, id)->count;
  Rat c = expr_coef(pool, id);
  bool minus = rat_sign(c) < 0;
  // a lone square root is a call, not a product
  Factor f = expr_factor(pool, id, 0);
  Rat e = RAT_ONE;
  bool root = count == 3 && rat_is_int_value(c, 1) && expr_number(pool, f.exponent, &e) && e.num == 1 && e.den == 2;
  bool power = count == 3 && rat_is_int_value(c, 1) && !root && rat_sign(e) > 0;
  bool bracket = !root && level > (minus ? level_sum : power ? level_power : level_product);
  open_if(p, bracket);
  if (minus) put(p, mark_sign);
  print_scaled(p, minus ? rat_int(-1) : RAT_ONE, id);
  close_if(p, bracket);
}

static void print_node(Printer *p, ExprId id, int level) {
  ExprPool *pool = p->pool;
  const ExprNode *n = pool_node(pool, id);
  ExprId a[3] = {0};
  for (uint32_t i = 0; i < n->count && i < 3 && n->op != op_num && n->op != op_sym; i++) a[i] = pool_args(pool, id)[i];
  switch ((int)n->op) {
  case op_num: print_number(p, id, level); break;
  case op_sym: symbol_print(pool, n->first, p->format, p->out); break;
  case op_pi: put_one(p, "pi", "\\pi", "<mi>π</mi>"); break;
  case op_inf: put_one(p, "inf", "\\infty", "<mi>∞</mi>"); break;
  case op_undefined: put_one(p, "(0/0)", "\\text{undefined}", "<mtext>undefined</mtext>"); break;
  case op_add: print_add(p, id, level); break;
  case op_mul: print_product(p, id, level); break;
  case op_lt: print_infix(p, a, "<", "<", "&lt;", level_compare, level); break;
  case op_le: print_infix(p, a, "<=", "\\le", "≤", level_compare, level); break;
  case op_eq: print_infix(p, a, "==", "=", "=", level_compare, level); break;
  case op_ne: print_infix(p, a, "!=", "\\ne", "≠", level_compare, level); break;
  case op_and: print_infix(p, a, "and", "\\land", "∧", level_and, level); break;
  case op_or: print_infix(p, a, "or", "\\lor", "∨", level_or, level); break;
  case op_not:
    truth_bracket(p, level_not, level, true);
    put_one(p, "not ", "\\lnot ", "<mo>¬</mo>");
    print_at(p, a[0], level_not);
    truth_bracket(p, level_not, level, false);
    break;
  case op_noise:
  case op_table:
  case op_integral:
  case op_inverse: print_special(p, id); break;
  default: print_function(p, (ExprOp)n->op, a, n->count); break;
  }
}

static void print_at(Printer *p, ExprId id, int level) {
  if (!id || p->failed) return;
  if (p->depth > deepest || p->out->length - p->start > longest) {
    pool_refuse(p->pool, limit_size);
    p->failed = true;
    return;
  }
  p->depth++;
  ArenaMark mark = arena_mark(p->pool->scratch);
  print_node(p, id, level);
  arena_release(p->pool->scratch, mark);
  p->depth--;
}

// A term of a sum with its sign; first: without a plus.
void expr_print_term(ExprPool *pool, Term term, bool first, ExprFormat format, const ExprNames *names, Text *out) {
  Printer p = {.pool = pool, .names = names, .format = format, .out = out, .start = out->length};
  bool minus = rat_sign(term.coef) * rat_sign(expr_coef(pool, term.term)) < 0;
  if (!first) put(&p, minus ? mark_minus : mark_plus);
  else if (minus) put(&p, mark_sign);
  ArenaMark mark = arena_mark(pool->scratch);
  print_scaled(&p, minus ? rat_neg(pool->arena, term.coef) : term.coef, term.term);
  arena_release(pool->scratch, mark);
}

void expr_print(ExprPool *pool, ExprId id, ExprFormat format, const ExprNames *names, Text *out) {
  Printer p = {.pool = pool, .names = names, .format = format, .out = out, .start = out->length};
  print_at(&p, id, level_or);
}

const char *expr_text(ExprPool *pool, Arena *arena, ExprId id) {
  Text t = text_in(arena);
  expr_print(pool, id, format_text, NULL, &t);
  return text_str(&t);
}
