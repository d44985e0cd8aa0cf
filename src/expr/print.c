// Printing. Reading order comes from what a term holds, never from ids, so a text is stable and reads like a book's:
// numbers, parameters, functions, coordinates, velocities, accelerations.
#include "expr/print.h"

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

// ---- names

static const char *const greek[] = {"alpha", "beta",  "gamma", "delta", "epsilon", "zeta", "eta",   "theta", "iota",
                                    "kappa", "lambda", "mu",   "nu",    "xi",      "pi",   "rho",   "sigma", "tau",
                                    "upsilon", "vartheta", "phi", "chi",   "psi",   "omega",   "Gamma", "Delta", "Theta", "Lambda",
                                    "Xi",    "Pi",    "Sigma", "Phi",   "Psi",     "Omega"};

// Greek letters themselves.
static const char *greek_letter(const char *s, size_t n) {
  static const struct {
    const char *letter, *command;
  } letters[] = {{"α", "alpha"}, {"β", "beta"}, {"γ", "gamma"}, {"δ", "delta"}, {"ε", "varepsilon"}, {"ζ", "zeta"}, {"η", "eta"},
                 {"θ", "theta"}, {"ϑ", "vartheta"}, {"ι", "iota"}, {"κ", "kappa"}, {"λ", "lambda"}, {"μ", "mu"}, {"ν", "nu"},
                 {"ξ", "xi"}, {"π", "pi"}, {"ρ", "rho"}, {"σ", "sigma"}, {"τ", "tau"}, {"υ", "upsilon"}, {"φ", "varphi"},
                 {"ϕ", "phi"}, {"χ", "chi"}, {"ψ", "psi"}, {"ω", "omega"}, {"Γ", "Gamma"}, {"Δ", "Delta"}, {"Θ", "Theta"},
                 {"Λ", "Lambda"}, {"Ξ", "Xi"}, {"Π", "Pi"}, {"Σ", "Sigma"}, {"Φ", "Phi"}, {"Ψ", "Psi"}, {"Ω", "Omega"}};
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
    if (strlen(letters[i].letter) == n && memcmp(letters[i].letter, s, n) == 0) return letters[i].command;
  }
  return NULL;
}

static void latex_stem(const char *s, size_t n, Text *out) {
  const char *letter = greek_letter(s, n);
  if (letter) {
    text_printf(out, "\\%s", letter);
    return;
  }
  if (n == 2 && memcmp(s, "th", 2) == 0) {
    text_put(out, "\\theta");
    return;
  }
  for (size_t i = 0; i < sizeof greek / sizeof *greek; i++) {
    if (strlen(greek[i]) == n && memcmp(greek[i], s, n) == 0) {
      text_putc(out, '\\');
      text_putn(out, s, n);
      return;
    }
  }
  if (n == 1) {
    text_putn(out, s, n);
    return;
  }
  text_put(out, "\\mathrm{");
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '_') text_putc(out, '\\');
    text_putc(out, s[i]);
  }
  text_putc(out, '}');
}

// What stands below a name: words upright, digits, commas.
static void latex_below(const char *name, size_t from, size_t to, Text *out) {
  bool word = false;
  for (size_t i = from; i < to; i++) {
    char c = name[i];
    if (c == '_' && i == from) continue;
    if (c == '[' || c == ']') continue;
    bool letter = !(c >= '0' && c <= '9') && c != '.' && c != ',' && c != '_';
    if (letter && !word) text_put(out, "\\mathrm{");
    if (!letter && word) text_putc(out, '}');
    word = letter;
    if (c == '_') text_put(out, ",");
    else text_putc(out, c);
  }
  if (word) text_putc(out, '}');
}

void name_latex(const char *name, uint32_t primes, Text *out) {
  size_t n = strlen(name);
  while (n > 0 && name[n - 1] == '\'') n--;
  // the parts before the last dot go below
  size_t own = n;
  while (own > 0 && name[own - 1] != '.') own--;
  // stem, then what goes below: digits at the end, the part after the first underscore, an index
  size_t stem = own;
  while (stem < n && name[stem] != '_' && name[stem] != '[' && !(stem > own && name[stem] >= '0' && name[stem] <= '9')) stem++;
  static const char *const dots[] = {"", "\\dot{", "\\ddot{", "\\dddot{"};
  if (primes) text_put(out, dots[primes > 3 ? 3 : primes]);
  latex_stem(name + own, stem - own, out);
  if (primes) text_putc(out, '}');
  if (stem == n && own == 0) return;
  text_put(out, "_{");
  if (own) latex_below(name, 0, own - 1, out);
  if (own && stem < n) text_putc(out, ',');
  latex_below(name, stem, n, out);
  text_putc(out, '}');
}

void symbol_print(const ExprPool *pool, SymbolId id, ExprFormat format, Text *out) {
  const Symbol *s = pool_symbol_get(pool, id);
  if (format == format_text) {
    text_put(out, s->name);
    return;
  }
  // `th` is a theta, but not beside a theta
  bool short_theta = strncmp(s->name, "th", 2) == 0 && !(s->name[2] >= 'a' && s->name[2] <= 'z') && !(s->name[2] >= 'A' && s->name[2] <= 'Z');
  bool taken = false;
  for (SymbolId i = 1; short_theta && i < pool->symbols.count; i++) taken = taken || strncmp(pool->symbols.items[i].name, "theta", 5) == 0;
  char name[256];
  snprintf(name, sizeof name, "%s%s", taken ? "vartheta" : "", taken ? s->name + 2 : "");
  name_latex(taken ? name : s->name, s->order, out);
}

// ---- reading order

// How a factor ranks inside a product, and what it adds to the rank of its term.
static uint64_t factor_rank(const ExprPool *pool, ExprId base) {
  SymbolId s = expr_symbol(pool, base);
  if (s) {
    const Symbol *symbol = pool_symbol_get(pool, s);
    uint64_t index = (uint64_t)symbol->index << 8 | symbol->order;
    switch (symbol->kind) {
    case sym_param: return 1ull << 40 | index;
    case sym_input: case sym_input_rate: case sym_signal: return 5ull << 40 | index;
    case sym_coord: case sym_state: case sym_bound: case sym_time: return 6ull << 40 | index;
    case sym_velocity: case sym_state_rate: return 7ull << 40 | index;
    default: return 8ull << 40 | index;
    }
  }
  ExprOp op = expr_op(pool, base);
  if (op == op_num) return 0;
  if (op == op_pi) return 1;
  if (op == op_add) return 2ull << 40;
  return 3ull << 40 | (uint64_t)op;
}

typedef struct Ranked {
  const ExprPool *pool;
  uint64_t group, rank;
  ExprId id;
  uint32_t place;
} Ranked;

// An order by structure: symbols as declared, then functions by their arguments.
static int by_structure(const ExprPool *pool, ExprId a, ExprId b, int depth) {
  if (a == b || depth > 40) return 0;
  uint64_t ra = factor_rank(pool, a), rb = factor_rank(pool, b);
  if (ra != rb) return ra < rb ? -1 : 1;
  Rat x, y;
  if (expr_number(pool, a, &x) && expr_number(pool, b, &y)) return rat_compare(x, y);
  const ExprNode *na = pool_node(pool, a), *nb = pool_node(pool, b);
  if (na->op != nb->op) return na->op < nb->op ? -1 : 1;
  if (na->op == op_num || na->op == op_sym) return (a > b) - (a < b);
  if (na->count != nb->count) return na->count < nb->count ? -1 : 1;
  for (uint32_t i = 0; i < na->count; i++) {
    int order = by_structure(pool, pool_args(pool, a)[i], pool_args(pool, b)[i], depth + 1);
    if (order) return order;
  }
  return 0;
}

static int by_rank(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  int order = by_structure(x->pool, x->id, y->id, 0);
  return order ? order : (x->place > y->place) - (x->place < y->place);
}

// Accelerations first (by coordinate), then products of velocities, then other terms by their functions.
static Ranked term_rank(const ExprPool *pool, ExprId term, uint32_t place) {
  Ranked r = {.pool = pool, .group = 4, .place = place, .id = term};
  uint32_t count = expr_factor_count(pool, term);
  for (uint32_t i = 0; i < count; i++) {
    SymbolId s = expr_symbol(pool, expr_factor(pool, term, i).base);
    if (!s) continue;
    const Symbol *symbol = pool_symbol_get(pool, s);
    uint64_t group = symbol->kind == sym_acceleration                                         ? 0
                     : symbol->kind == sym_velocity || symbol->kind == sym_state_rate         ? 1
                     : symbol->kind == sym_coord || symbol->kind == sym_state                 ? 2
                     : symbol->kind == sym_input || symbol->kind == sym_input_rate            ? 5
                                                                                              : 4;
    if (group < r.group) {
      r.group = group;
      r.rank = symbol->index;
    } else if (group == 5 && r.group == 4) {
      r.group = 5;
      r.rank = symbol->index;
    }
  }
  if (count == 0) r.group = 6;
  return r;
}

Term *expr_display_terms(ExprPool *pool, ExprId id, uint32_t *count) {
  uint32_t n = expr_term_count(pool, id);
  Ranked *ranked = arena_array(pool->scratch, n, sizeof *ranked);
  Term *terms = arena_array(pool->scratch, n, sizeof *terms);
  if (!ranked || !terms) return NULL;
  for (uint32_t i = 0; i < n; i++) ranked[i] = term_rank(pool, expr_term(pool, id, i).term, i);
  qsort(ranked, n, sizeof *ranked, by_rank);
  for (uint32_t i = 0; i < n; i++) terms[i] = expr_term(pool, id, ranked[i].place);
  *count = n;
  return terms;
}

// ---- numbers

static void print_rational(Printer *p, Rat r) {
  Arena *arena = p->pool->scratch;
  bool halves = !r.big && (r.den == 2 || r.den == 4 || r.den == 8);
  char *s = rat_print(arena, r, !halves);
  if (!s) return;
  char *slash = strchr(s, '/');
  char *power = strchr(s, 'e');
  if (p->format == format_latex && slash) {
    bool negative = s[0] == '-';
    text_printf(p->out, "%s\\frac{%.*s}{%s}", negative ? "-" : "", (int)(slash - s - negative), s + negative,
                slash + 1);
  } else if (p->format == format_latex && power) {
    text_printf(p->out, "%.*s\\cdot 10^{%s}", (int)(power - s), s, power[1] == '+' ? power + 2 : power + 1);
  } else {
    text_put(p->out, s);
  }
}

// ---- sums and products

static void open_if(Printer *p, bool yes) {
  if (yes) text_put(p->out, p->format == format_latex ? "\\left(" : "(");
}
static void close_if(Printer *p, bool yes) {
  if (yes) text_put(p->out, p->format == format_latex ? "\\right)" : ")");
}

static void print_scaled(Printer *p, Rat coef, ExprId term);

static void print_sum(Printer *p, ExprId id) {
  uint32_t n;
  Term *terms = expr_display_terms(p->pool, id, &n);
  // a sum that can start with a plus does
  uint32_t lead = 0;
  while (terms && lead < n && rat_sign(terms[lead].coef) < 0) lead++;
  if (!terms || lead == n || expr_has_kind(p->pool, id, sym_acceleration)) lead = 0;
  for (uint32_t k = 0; terms && k < n; k++) {
    uint32_t i = k == 0 ? lead : k <= lead ? k - 1 : k;
    Rat c = terms[i].coef;
    bool minus = rat_sign(c) < 0;
    if (k > 0) text_put(p->out, minus ? " - " : " + ");
    else if (minus) text_putc(p->out, '-');
    print_scaled(p, minus ? rat_neg(p->pool->arena, c) : c, terms[i].term);
  }
}

static void print_power(Printer *p, ExprId base, Rat e, bool number, ExprId exponent) {
  bool latex = p->format == format_latex;
  if (number && rat_is_int_value(e, 1)) {
    print_at(p, base, level_power);
    return;
  }
  if (number && !e.big && e.num == 1 && e.den == 2) {
    text_put(p->out, latex ? "\\sqrt{" : "sqrt(");
    print_at(p, base, level_or);
    text_put(p->out, latex ? "}" : ")");
    return;
  }
  // sin^2(x), and dotted names keep their dot inside
  ExprOp op = expr_op(p->pool, base);
  if (latex && number && rat_is_int(e) && (op == op_sin || op == op_cos || op == op_tan)) {
    static const char *const names[] = {"\\sin", "\\cos", "\\tan"};
    text_put(p->out, names[op == op_sin ? 0 : op == op_cos ? 1 : 2]);
    text_put(p->out, "^{");
    print_rational(p, e);
    text_put(p->out, "}\\left(");
    print_at(p, pool_args(p->pool, base)[0], level_or);
    text_put(p->out, "\\right)");
    return;
  }
  bool atom = expr_symbol(p->pool, base) != 0;
  if (latex && !atom) open_if(p, true);
  print_at(p, base, latex ? (atom ? level_atom : level_or) : level_atom);
  if (latex && !atom) close_if(p, true);
  text_put(p->out, latex ? "^{" : "^");
  if (number) {
    bool bracket = !latex && (!rat_is_int(e) || rat_sign(e) < 0);
    if (bracket) text_putc(p->out, '(');
    print_rational(p, e);
    if (bracket) text_putc(p->out, ')');
  } else {
    print_at(p, exponent, latex ? level_or : level_atom);
  }
  if (latex) text_putc(p->out, '}');
}

typedef struct Part {
  Factor factor;
  Rat exponent;
  bool number;
} Part;

// alone: a fraction line stands for the brackets of a single factor
static void print_parts(Printer *p, const Part *parts, const Ranked *order, uint32_t count, bool below, bool alone, bool *first) {
  Arena *arena = p->pool->arena;
  for (uint32_t k = 0; k < count; k++) {
    const Part *x = &parts[order[k].place];
    bool is_below = x->number && rat_sign(x->exponent) < 0;
    if (is_below != below) continue;
    if (!*first) text_put(p->out, p->format == format_latex ? " " : "*");
    *first = false;
    Rat power = below ? rat_neg(arena, x->exponent) : x->exponent;
    if (alone && x->number && rat_is_int_value(power, 1)) {
      print_at(p, x->factor.base, level_or);
      continue;
    }
    print_power(p, x->factor.base, below ? rat_neg(arena, x->exponent) : x->exponent, x->number, x->factor.exponent);
  }
}

// coef >= 0 times a product
static void print_scaled(Printer *p, Rat coef, ExprId term) {
  ExprPool *pool = p->pool;
  bool latex = p->format == format_latex;
  coef = rat_mul(pool->arena, coef, expr_coef(pool, term));
  uint32_t n = expr_factor_count(pool, term);
  Part *parts = arena_array(pool->scratch, n, sizeof *parts);
  Ranked *order = arena_array(pool->scratch, n, sizeof *order);
  if (!parts || !order) return;
  uint32_t above = 0, below = 0;
  for (uint32_t i = 0; i < n; i++) {
    parts[i].factor = expr_factor(pool, term, i);
    parts[i].number = expr_number(pool, parts[i].factor.exponent, &parts[i].exponent);
    ExprId base = parts[i].factor.base;
    order[i] = (Ranked){.pool = pool, .rank = factor_rank(pool, base), .id = base, .place = i};
    if (parts[i].number && rat_sign(parts[i].exponent) < 0) below++;
    else above++;
  }
  qsort(order, n, sizeof *order, by_rank);
  bool first = true, whole = rat_is_int_value(coef, 1);
  if (latex && below) text_put(p->out, "\\frac{");
  if (!whole || above == 0) {
    print_rational(p, coef);
    first = false;
  }
  if (n == 1 && above == 1 && whole) { // a lone factor needs no brackets of its own
    print_power(p, parts[0].factor.base, parts[0].exponent, parts[0].number, parts[0].factor.exponent);
    return;
  }
  print_parts(p, parts, order, n, false, latex && below && above == 1 && whole, &first);
  if (!below) return;
  text_put(p->out, latex ? "}{" : below > 1 ? "/(" : "/");
  first = true;
  print_parts(p, parts, order, n, true, latex && below == 1, &first);
  text_put(p->out, latex ? "}" : below > 1 ? ")" : "");
}

// ---- everything else

static const char *op_name(ExprOp op) {
  static const char *const names[] = {
#define OP(name, arity, value, d1, d2, d3, domain, meaning) [op_##name] = #name,
#include "expr/ops.def"
#undef OP
  };
  return (size_t)op < sizeof names / sizeof *names && names[op] ? names[op] : "?";
}

static void print_infix(Printer *p, const ExprId *args, const char *text, const char *latex, int level, int outer) {
  open_if(p, outer > level);
  print_at(p, args[0], level + 1);
  text_printf(p->out, " %s ", p->format == format_latex ? latex : text);
  print_at(p, args[1], level + 1);
  close_if(p, outer > level);
}

static void print_call(Printer *p, const char *name, const ExprId *args, uint32_t count) {
  text_put(p->out, name);
  text_put(p->out, p->format == format_latex ? "\\left(" : "(");
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(p->out, ", ");
    print_at(p, args[i], level_or);
  }
  text_put(p->out, p->format == format_latex ? "\\right)" : ")");
}

static void print_function(Printer *p, ExprOp op, const ExprId *args, uint32_t count) {
  if (p->format == format_text) {
    print_call(p, op_name(op), args, count);
    return;
  }
  if (op == op_abs) {
    text_put(p->out, "\\left|");
    print_at(p, args[0], level_or);
    text_put(p->out, "\\right|");
    return;
  }
  if (op == op_if) {
    text_put(p->out, "\\begin{cases}");
    print_at(p, args[1], level_or);
    text_put(p->out, " & ");
    print_at(p, args[0], level_or);
    text_put(p->out, " \\\\ ");
    print_at(p, args[2], level_or);
    text_put(p->out, " & \\text{otherwise}\\end{cases}");
    return;
  }
  static const ExprOp own[] = {op_sin, op_cos, op_tan, op_sinh, op_cosh, op_tanh, op_exp, op_ln, op_min, op_max};
  const char *command = NULL;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    if (own[i] == op) command = op_name(op);
  }
  char name[48] = "\\";
  if (command) strcat(name, command);
  else if (op == op_asin) strcpy(name, "\\arcsin");
  else if (op == op_acos) strcpy(name, "\\arccos");
  else if (op == op_atan) strcpy(name, "\\arctan");
  else {
    strcpy(name, "\\operatorname{");
    strcat(name, op_name(op));
    strcat(name, "}");
  }
  print_call(p, name, args, count);
}

static void print_special(Printer *p, ExprId id) {
  ExprPool *pool = p->pool;
  const ExprId *a = pool_args(pool, id);
  bool latex = p->format == format_latex;
  switch ((int)expr_op(pool, id)) {
  case op_noise: print_call(p, latex ? "\\operatorname{noise}" : "noise", a, 2); break;
  case op_table: {
    Rat index = RAT_ZERO;
    int64_t i = 0;
    expr_number(pool, a[0], &index);
    rat_to_int(index, &i);
    const char *name = p->names && i < p->names->table_count ? p->names->tables[i] : "\"\"";
    const char *kind = a[1] == pool->zero ? "table" : "table_slope";
    text_printf(p->out, latex ? "\\operatorname{%s}(\\text{%s}, " : "%s(%s, ", kind, name);
    print_at(p, a[2], level_or);
    text_putc(p->out, ')');
    break;
  }
  case op_integral:
    if (latex) {
      text_put(p->out, "\\int_{");
      print_at(p, a[2], level_or);
      text_put(p->out, "}^{");
      print_at(p, a[3], level_or);
      text_put(p->out, "} ");
      print_at(p, a[0], level_product);
      text_put(p->out, "\\,d");
      print_at(p, a[1], level_atom);
    } else {
      print_call(p, "integral_of", a, 4);
    }
    break;
  default: // the inverse, with its function written out
    text_put(p->out, latex ? "\\left(" : "inverse(");
    print_at(p, a[1], level_atom);
    text_put(p->out, latex ? "\\mapsto " : " -> ");
    print_at(p, a[0], level_or);
    text_put(p->out, latex ? "\\right)^{-1}\\left(" : ")(");
    print_at(p, a[2], level_or);
    text_put(p->out, latex ? "\\right)" : ")");
  }
}

static void print_node(Printer *p, ExprId id, int level) {
  ExprPool *pool = p->pool;
  const ExprNode *n = pool_node(pool, id);
  ExprId a[3] = {0};
  for (uint32_t i = 0; i < n->count && i < 3 && n->op != op_num && n->op != op_sym; i++) a[i] = pool_args(pool, id)[i];
  uint32_t count = n->count;
  switch ((int)n->op) {
  case op_num: {
    Rat r = RAT_ZERO;
    expr_number(pool, id, &r);
    bool bracket = (rat_sign(r) < 0 && level > level_sum) || (!rat_is_int(r) && level >= level_power);
    open_if(p, bracket);
    print_rational(p, r);
    close_if(p, bracket);
    break;
  }
  case op_sym: symbol_print(pool, n->first, p->format, p->out); break;
  case op_pi: text_put(p->out, p->format == format_latex ? "\\pi" : "pi"); break;
  case op_inf: text_put(p->out, p->format == format_latex ? "\\infty" : "inf"); break;
  case op_undefined: text_put(p->out, p->format == format_latex ? "\\text{undefined}" : "(0/0)"); break;
  case op_add:
    open_if(p, level > level_sum);
    print_sum(p, id);
    close_if(p, level > level_sum);
    break;
  case op_mul: {
    Rat c = expr_coef(pool, id);
    bool minus = rat_sign(c) < 0;
    // a lone square root is a call, not a product
    Factor f = expr_factor(pool, id, 0);
    Rat e = RAT_ONE;
    bool root = count == 3 && rat_is_int_value(c, 1) && expr_number(pool, f.exponent, &e) && e.num == 1 && e.den == 2;
    bool power = count == 3 && rat_is_int_value(c, 1) && !root && rat_sign(e) > 0;
    bool bracket = !root && level > (minus ? level_sum : power ? level_power : level_product);
    open_if(p, bracket);
    if (minus) text_putc(p->out, '-');
    print_scaled(p, minus ? rat_int(-1) : RAT_ONE, id);
    close_if(p, bracket);
    break;
  }
  case op_lt: print_infix(p, a, "<", "<", level_compare, level); break;
  case op_le: print_infix(p, a, "<=", "\\le", level_compare, level); break;
  case op_eq: print_infix(p, a, "==", "=", level_compare, level); break;
  case op_ne: print_infix(p, a, "!=", "\\ne", level_compare, level); break;
  case op_and: print_infix(p, a, "and", "\\land", level_and, level); break;
  case op_or: print_infix(p, a, "or", "\\lor", level_or, level); break;
  case op_not:
    open_if(p, level > level_not);
    text_put(p->out, p->format == format_latex ? "\\lnot " : "not ");
    print_at(p, a[0], level_not);
    close_if(p, level > level_not);
    break;
  case op_noise: case op_table: case op_integral: case op_inverse: print_special(p, id); break;
  default: print_function(p, (ExprOp)n->op, a, count); break;
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

void expr_print(ExprPool *pool, ExprId id, ExprFormat format, const ExprNames *names, Text *out) {
  Printer p = {.pool = pool, .names = names, .format = format, .out = out, .start = out->length};
  print_at(&p, id, level_or);
}
