// Statements: one a line. An error ends its statement only; the next line is read again.
#include "lang/parse.h"

#include <string.h>

// ---- items: name[index]' = value [unit] "note"

static bool parse_item_name(Parser *p, Item *item) {
  const Token *t = peek(p);
  if (t->kind == tok_and || t->kind == tok_or || t->kind == tok_not || t->kind == tok_for) {
    diag_error(p->diags, diag_reserved_name, t->span, "`%s` is a reserved word", t->text);
    return false;
  }
  if (t->kind != tok_name) {
    unexpected(p, "a name");
    bool after_comma = p->at > 1 && p->tokens[p->at - 1].kind == tok_comma && p->tokens[p->at - 2].kind == tok_number;
    if (t->kind == tok_number && after_comma) {
      const Token *before = &p->tokens[p->at - 2];
      diag_hint(p->diags, "a decimal comma? write `%.*s.%.*s`", (int)(before->span.end - before->span.start),
                p->source->text + before->span.start, (int)(t->span.end - t->span.start),
                p->source->text + t->span.start);
    }
    return false;
  }
  item->unit = unit_none();
  item->name_span = t->span;
  for (;;) {
    item->name = advance(p)->text;
    item->index = NULL;
    if (at_kind(p, tok_lbracket) && !peek(p)->blank_before) {
      advance(p);
      item->index = parse_expression(p);
      if (!item->index || !expect(p, tok_rbracket, "`]`")) return false;
    }
    item->name_span = span_join(item->name_span, p->tokens[p->at - 1].span);
    // link[2].th: what stands before a dot is a part
    if (!at_kind(p, tok_dot) || peek(p)->blank_before || peek_next(p)->kind != tok_name) break;
    advance(p);
    if (!vec_push(p->arena, &item->path, (PathStep){item->name, item->index})) return false;
  }
  while (at_kind(p, tok_prime)) {
    item->name_span = span_join(item->name_span, advance(p)->span);
    item->primes++;
  }
  item->span = item->name_span;
  return true;
}

static bool parse_item(Parser *p, Item *item) {
  if (!parse_item_name(p, item)) return false;
  if (accept(p, tok_equal)) {
    item->value = parse_value(p, &item->unit);
    if (!item->value) return false;
    item->span = span_join(item->span, item->value->span);
  } else if (at_kind(p, tok_lbracket)) {
    if (!parse_unit(p, &item->unit)) return false;
  }
  if (at_kind(p, tok_string)) item->note = advance(p)->text;
  return true;
}

// What stands between items when it is no comma: the usual slips get their own words.
static bool end_of_items(Parser *p, const Stmt *s) {
  const Token *t = peek(p);
  if (t->kind == tok_newline || t->kind == tok_end || t->kind == tok_for) return true;
  if (t->kind == tok_semicolon && (peek_next(p)->kind == tok_newline || peek_next(p)->kind == tok_end)) {
    diag_error(p->diags, diag_trailing_semicolon, t->span, "a statement ends with its line, without `;`");
    advance(p);
    return true;
  }
  if (t->kind == tok_equal && p->tokens[p->at - 1].kind == tok_rbracket && s->items.count &&
      !s->items.items[s->items.count - 1].value) {
    diag_error(p->diags, diag_unexpected, t->span, "the unit follows the value");
    diag_hint(p->diags, "write `%s = ... [unit]`", s->items.items[s->items.count - 1].name);
    return false;
  }
  if (t->kind == tok_equal) {
    diag_error(p->diags, diag_unexpected, t->span, "a second `=` in one definition");
    diag_hint(p->diags, "`==` compares");
    return false;
  }
  unexpected(p, "`,` or the end of the line");
  return false;
}

static bool parse_items(Parser *p, Stmt *s) {
  do {
    Item item = {0};
    if (!parse_item(p, &item) || !vec_push(p->arena, &s->items, item)) return false;
  } while (accept(p, tok_comma));
  return end_of_items(p, s);
}

// ---- statements with a shape of their own

static bool parse_title(Parser *p, Stmt *s) {
  if (!at_kind(p, tok_string)) {
    unexpected(p, "the title in quotes");
    return false;
  }
  s->name = advance(p)->text;
  return true;
}

static bool parse_fun(Parser *p, Stmt *s) {
  Item item = {0};
  if (!at_kind(p, tok_name)) {
    unexpected(p, "the function's name");
    return false;
  }
  const Token *t = advance(p);
  item.name = t->text;
  item.name_span = t->span;
  item.unit = unit_none();
  if (!expect(p, tok_lparen, "`(` and the function's arguments")) return false;
  do {
    if (!at_kind(p, tok_name)) {
      unexpected(p, "an argument's name");
      return false;
    }
    const Token *arg = advance(p);
    for (uint32_t i = 0; i < item.args.count; i++) {
      if (strcmp(item.args.items[i], arg->text) != 0) continue;
      diag_error(p->diags, diag_twice, arg->span, "two arguments of one function are called `%s`", arg->text);
      return false;
    }
    if (!vec_push(p->arena, &item.args, arg->text)) return false;
  } while (accept(p, tok_comma));
  if (!expect(p, tok_rparen, "`)`") || !expect(p, tok_equal, "`=` and what the function is")) return false;
  item.value = parse_value(p, &item.unit);
  if (!item.value) return false;
  item.span = span_join(t->span, item.value->span);
  return vec_push(p->arena, &s->items, item);
}

// The place behind a name with its parts and indices: past link[2].th
static uint32_t past_name(const Parser *p) {
  uint32_t i = p->at + 1;
  for (;;) {
    if (p->tokens[i].kind == tok_lbracket && !p->tokens[i].blank_before) {
      uint32_t open = 0; // brackets, this one included
      do {
        if (p->tokens[i].kind == tok_lbracket) open++;
        if (p->tokens[i].kind == tok_rbracket) open--;
        if (p->tokens[i].kind == tok_newline || p->tokens[i].kind == tok_end) return i;
        i++;
      } while (open);
    }
    if (p->tokens[i].kind != tok_dot || p->tokens[i].blank_before || p->tokens[i + 1].kind != tok_name) return i;
    i += 2;
  }
}

// output x, y = x + 1, th1'
static bool parse_output(Parser *p, Stmt *s) {
  do {
    Item item = {0};
    if (at_kind(p, tok_name) && p->tokens[past_name(p)].kind == tok_equal) {
      if (!parse_item(p, &item)) return false;
    } else {
      uint32_t start = peek(p)->span.start;
      item.name_span = peek(p)->span;
      item.value = parse_value(p, &item.unit);
      if (!item.value) return false;
      item.name_span = item.span = item.value->span;
      item.name_span.start = start;
      if (at_kind(p, tok_string)) item.note = advance(p)->text;
    }
    if (!vec_push(p->arena, &s->items, item)) return false;
  } while (accept(p, tok_comma));
  return end_of_items(p, s);
}

static bool parse_clauses(Parser *p, Simulate *sim) {
  for (;;) {
    Ast **slot = at_word(p, "to")      ? &sim->to
                 : at_word(p, "step")  ? &sim->step
                 : at_word(p, "every") ? &sim->every
                                       : NULL;
    Unit unit;
    if (slot) {
      const Token *word = advance(p);
      if (*slot) {
        diag_error(p->diags, diag_twice, word->span, "`%s` is said twice", word->text);
        return false;
      }
      *slot = parse_value(p, &unit);
      if (!*slot) return false;
      if (unit.said) {
        Unit *own = arena_new_of(p->arena, Unit);
        if (!own) return false;
        *own = unit;
        (*slot)->unit = own;
      }
    } else if (accept_word(p, "by")) {
      if (!at_kind(p, tok_name)) {
        unexpected(p, "the name of a method");
        return false;
      }
      if (sim->method) {
        diag_error(p->diags, diag_twice, peek(p)->span, "`by` is said twice");
        return false;
      }
      sim->method_span = peek(p)->span;
      sim->method = advance(p)->text;
    } else {
      return true;
    }
  }
}

static bool parse_simulate(Parser *p, Stmt *s) {
  if (!at_word(p, "to") && !at_word(p, "step") && !at_word(p, "every") && !at_word(p, "by")) {
    unexpected(p, "`to`, `step`, `every` or `by`");
    return false;
  }
  return parse_clauses(p, &s->simulate);
}

static bool parse_case(Parser *p, Stmt *s) {
  if (!at_kind(p, tok_name)) {
    unexpected(p, "the name of the case");
    return false;
  }
  s->name = advance(p)->text;
  if (!expect(p, tok_colon, "`:` after the case's name")) return false;
  do {
    if (at_word(p, "simulate") && peek_next(p)->kind == tok_name) {
      advance(p);
      if (!parse_clauses(p, &s->simulate)) return false;
      continue;
    }
    Item item = {0};
    if (!parse_item(p, &item)) return false;
    if (!item.value) {
      diag_error(p->diags, diag_unexpected, item.name_span, "a case gives values: `%s = ...`", item.name);
      return false;
    }
    if (!vec_push(p->arena, &s->items, item)) return false;
  } while (accept(p, tok_comma));
  return end_of_items(p, s);
}

// use "motor.viva" as hip with R = 0.5, u = v1
static bool parse_use(Parser *p, Stmt *s) {
  if (!at_kind(p, tok_string)) {
    unexpected(p, "the part's file in quotes");
    return false;
  }
  s->name_span = peek(p)->span;
  s->name = advance(p)->text;
  if (!accept_word(p, "as")) {
    unexpected(p, "`as` and a name for the part");
    return false;
  }
  Item part = {0};
  if (!parse_item_name(p, &part) || !vec_push(p->arena, &s->items, part)) return false;
  if (!accept_word(p, "with")) {
    if (at_kind(p, tok_newline) || at_kind(p, tok_end) || at_kind(p, tok_for)) return true;
    unexpected(p, "`with`, `for` or the end of the line");
    return false;
  }
  do {
    Item item = {0};
    if (!parse_item(p, &item)) return false;
    if (!item.value) {
      diag_error(p->diags, diag_unexpected, item.name_span, "`with` gives values: `%s = ...`", item.name);
      return false;
    }
    if (!vec_push(p->arena, &s->items, item)) return false;
  } while (accept(p, tok_comma));
  return end_of_items(p, s);
}

static bool parse_plot(Parser *p, Stmt *s) {
  do {
    Item item = {.unit = unit_none()};
    item.value = parse_expression(p);
    if (!item.value) return false;
    item.name_span = item.span = item.value->span;
    if (at_kind(p, tok_string)) item.note = advance(p)->text;
    if (!vec_push(p->arena, &s->items, item)) return false;
  } while (accept(p, tok_comma));
  if (accept_word(p, "against") && !(s->against = parse_expression(p))) return false;
  if (!accept_word(p, "log")) {
    if (!at_kind(p, tok_name)) return true;
    unexpected_word(p, "`,`, `against`, `log` or the end of the line");
    if (at_word(p, "from") || at_word(p, "to"))
      diag_hint(p->diags, "a plot shows the whole run; how long that is `simulate to` or `--to` says");
    else if (at_word(p, "vs") || at_word(p, "versus") || at_word(p, "over")) diag_hint(p->diags, "write `against`");
    else diag_hint(p->diags, "another curve follows a comma, its label stands in quotes");
    return false;
  }
  // log, log x, log y, log xy
  s->y_log = !at_kind(p, tok_name) || at_word(p, "y") || at_word(p, "xy");
  s->x_log = at_word(p, "x") || at_word(p, "xy");
  if (!at_kind(p, tok_name)) return true;
  if (!s->x_log && !s->y_log) {
    unexpected_word(p, "`x`, `y` or `xy` (the axes)");
    return false;
  }
  advance(p);
  return true;
}

static bool parse_draw(Parser *p, Stmt *s) {
  static const struct {
    const char *word;
    int points;
  } shapes[] = {{"rod", 2}, {"spring", 2}, {"vector", 2}, {"mass", 1}, {"trail", 1}, {"cart", 1}, {"ground", 1}};
  do {
    const Token *t = peek(p);
    int points = 0;
    for (size_t i = 0; t->kind == tok_name && i < sizeof shapes / sizeof *shapes; i++) {
      if (strcmp(shapes[i].word, t->text) == 0) points = shapes[i].points;
    }
    if (points == 0) {
      unexpected_word(p, "a shape (`rod`, `spring`, `mass`, `trail`, `cart`, `ground` or `vector`)");
      return false;
    }
    advance(p);
    for (int i = 0; i < points; i++) {
      Item item = {.name = t->text, .name_span = t->span, .unit = unit_none()};
      item.value = parse_point(p);
      if (!item.value || !vec_push(p->arena, &s->items, item)) return false;
      if (at_kind(p, tok_plus) || at_kind(p, tok_minus) || at_kind(p, tok_star) || at_kind(p, tok_slash)) {
        unexpected_word(p, i + 1 < points ? "another point" : "`,` or the end of the line");
        diag_hint(p->diags, "a point that is computed stands in brackets: `%s (P + [1, 0])`", t->text);
        return false;
      }
    }
  } while (accept(p, tok_comma));
  return true;
}

// fit d1 in 0 .. 10, th2 in -1 .. 1 to "data.csv" by x, th1' = "gyro" case push
static bool parse_fit(Parser *p, Stmt *s) {
  while (!at_word(p, "to")) {
    Item item = {0};
    if (!parse_item_name(p, &item)) return false;
    if (accept_word(p, "in")) {
      if (!(item.value = parse_expression(p)) || !expect(p, tok_range, "`..`") || !(item.until = parse_expression(p)))
        return false;
    }
    if (!vec_push(p->arena, &s->items, item)) return false;
    if (!accept(p, tok_comma)) break;
  }
  if (!accept_word(p, "to")) {
    unexpected(p, "`to` and the data file");
    return false;
  }
  if (!at_kind(p, tok_string)) {
    unexpected(p, "the data file in quotes");
    return false;
  }
  s->name_span = peek(p)->span;
  s->name = advance(p)->text;
  if (!accept_word(p, "by")) {
    unexpected(p, "`by` and the measured columns");
    return false;
  }
  do {
    Measured m = {.value = parse_expression(p)};
    if (!m.value) return false;
    m.span = m.value->span;
    if (accept(p, tok_equal)) {
      m.span = peek(p)->span;
      m.column = peek(p)->text;
      if (!expect(p, tok_string, "the column's name in quotes")) return false;
    }
    if (!vec_push(p->arena, &s->measured, m)) return false;
  } while (accept(p, tok_comma));
  if (!accept_word(p, "case")) return true;
  s->in_case_span = peek(p)->span;
  s->in_case = peek(p)->text;
  return expect(p, tok_name, "the name of a case");
}

static bool parse_expr_statement(Parser *p, Stmt *s) {
  Unit unit;
  s->expr = parse_value(p, &unit);
  if (!s->expr) return false;
  if (!unit.said || s->expr->unit) return true;
  Unit *own = arena_new_of(p->arena, Unit);
  if (own) *own = unit;
  s->expr->unit = own;
  return own != NULL;
}

// when h < 0 do h' := -0.8*h', n := n + 1 / every 0.01 do ... / do stop
static bool parse_when(Parser *p, Stmt *s) {
  s->period = p->tokens[p->at - 1].text && strcmp(p->tokens[p->at - 1].text, "every") == 0;
  if (!parse_expr_statement(p, s)) return false;
  if (!accept_word(p, "do")) {
    unexpected_word(p, "`do` and what changes then");
    return false;
  }
  do {
    if (at_word(p, "stop") && peek_next(p)->kind != tok_assign && peek_next(p)->kind != tok_prime &&
        peek_next(p)->kind != tok_lbracket) {
      advance(p);
      s->stop = true;
      continue;
    }
    Item item = {0};
    if (!parse_item_name(p, &item)) return false;
    if (at_kind(p, tok_equal)) {
      unexpected(p, "`:=`");
      diag_hint(p->diags, "a new value is given by `%s%s := ...`", item.name,
                item.primes == 0   ? ""
                : item.primes == 1 ? "'"
                                   : "''");
      return false;
    }
    if (!expect(p, tok_assign, "`:=` and the new value")) return false;
    item.value = parse_value(p, &item.unit);
    if (!item.value) return false;
    item.span = span_join(item.span, item.value->span);
    if (!vec_push(p->arena, &s->items, item)) return false;
  } while (accept(p, tok_comma));
  return end_of_items(p, s);
}

// equation a = b
static bool parse_implicit(Parser *p, Stmt *s) {
  s->expr = parse_expression(p);
  if (!s->expr) return false;
  if (!accept(p, tok_equal)) {
    unexpected(p, "`=`");
    return false;
  }
  s->against = parse_expression(p);
  return s->against != NULL;
}

// ---- the table of statements

typedef struct Form {
  const char *word;
  StmtKind kind;
  bool (*parse)(Parser *p, Stmt *s);
} Form;

static const Form forms[] = {
    {"title", stmt_title, parse_title},
    {"param", stmt_param, parse_items},
    {"coord", stmt_coord, parse_items},
    {"init", stmt_init, parse_items},
    {"guess", stmt_guess, parse_items},
    {"state", stmt_state, parse_items},
    {"unknown", stmt_unknown, parse_items},
    {"equation", stmt_implicit, parse_implicit},
    {"input", stmt_input, parse_items},
    {"let", stmt_let, parse_items},
    {"fun", stmt_fun, parse_fun},
    {"output", stmt_output, parse_output},
    {"kinetic", stmt_kinetic, parse_expr_statement},
    {"potential", stmt_potential, parse_expr_statement},
    {"lagrangian", stmt_lagrangian, parse_expr_statement},
    {"dissipation", stmt_dissipation, parse_expr_statement},
    {"force", stmt_force, parse_items},
    {"power", stmt_power, parse_expr_statement},
    {"use", stmt_use, parse_use},
    {"simulate", stmt_simulate, parse_simulate},
    {"case", stmt_case, parse_case},
    {"plot", stmt_plot, parse_plot},
    {"draw", stmt_draw, parse_draw},
    {"fit", stmt_fit, parse_fit},
    {"when", stmt_when, parse_when},
    {"every", stmt_when, parse_when},
};

static bool parse_fors(Parser *p, Stmt *s) {
  if (at_kind(p, tok_for) && (s->kind == stmt_title || s->kind == stmt_simulate || s->kind == stmt_case)) {
    diag_error(p->diags, diag_unexpected, peek(p)->span, "this statement is not repeated with `for`");
    return false;
  }
  while (at_kind(p, tok_for)) {
    if (!enter(p)) return false;
    ForClause f = {.span = advance(p)->span};
    if (!at_kind(p, tok_name)) {
      unexpected(p, "the variable of `for`");
      return false;
    }
    f.name = advance(p)->text;
    if (!accept_word(p, "in")) {
      unexpected(p, "`in`");
      return false;
    }
    f.from = parse_expression(p);
    if (!f.from || !expect(p, tok_range, "`..` (as in `1 .. n`)")) return false;
    f.to = parse_expression(p);
    if (!f.to || !vec_push(p->arena, &s->fors, f)) return false;
    f.span = span_join(f.span, f.to->span);
  }
  return true;
}

// x' = ..., th[1]'' = ...: is the line an equation?
static bool at_equation(const Parser *p) {
  uint32_t i = past_name(p);
  if (p->tokens[i].kind != tok_prime) return false;
  while (p->tokens[i].kind == tok_prime) i++;
  return p->tokens[i].kind == tok_equal;
}

static void skip_line(Parser *p) {
  while (!at_kind(p, tok_newline) && !at_kind(p, tok_end)) advance(p);
}

static const char *nearest_word(const char *word) {
  const char *best = NULL;
  unsigned least = strlen(word) > 4 ? 3 : 2;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    unsigned d = word_distance(word, forms[i].word);
    if (d < least) {
      least = d;
      best = forms[i].word;
    }
  }
  return best;
}

static bool parse_statement(Parser *p, Stmt *s) {
  const Token *t = peek(p);
  s->word = s->span = t->span;
  if (t->kind != tok_name) {
    unexpected(p, "a statement");
    if (t->kind == tok_plus || t->kind == tok_minus || t->kind == tok_star || t->kind == tok_slash ||
        t->kind == tok_comma) {
      diag_hint(p->diags, "a line goes on after a trailing operator or comma: put it at the end of the line before");
    } else if (t->kind == tok_bar || t->kind == tok_lparen || t->kind == tok_number) {
      diag_hint(p->diags, "a line starts with a statement's word, such as `kinetic`, or is an equation `x' = ...`");
    }
    return false;
  }
  if (at_equation(p)) {
    s->kind = stmt_equation;
    return parse_items(p, s) && parse_fors(p, s);
  }
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (strcmp(forms[i].word, t->text) != 0) continue;
    advance(p);
    s->kind = forms[i].kind;
    return forms[i].parse(p, s) && parse_fors(p, s);
  }
  if (is_statement_word(t->text)) {
    diag_error(p->diags, diag_not_yet, t->span, "`%s` is not there yet", t->text);
    p->later = true;
    skip_line(p);
    return false;
  }
  diag_error(p->diags, diag_unknown_statement, t->span, "`%s` starts no statement", t->text);
  const char *near = nearest_word(t->text);
  TokenKind next = peek_next(p)->kind;
  if (next == tok_equal) diag_hint(p->diags, "define it with `let %s = ...`, or `param` for a number", t->text);
  else if (near) diag_hint(p->diags, "did you mean `%s`?", near);
  return false;
}

void parse_program(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Program *program, bool *later) {
  const Source *src = source_get(sources, (Span){source, 0, 0});
  Tokens tokens = lex(arena, src, source, diags);
  if (!tokens.items) return;
  Parser parser = {.arena = arena, .diags = diags, .source = src, .tokens = tokens.items};
  Parser *p = &parser;
  while (!at_kind(p, tok_end) && !arena_failed(arena)) {
    if (accept(p, tok_newline)) continue;
    Stmt s = {0};
    uint32_t start = p->at;
    p->depth = 0;
    p->no_unit = false;
    s.broken = !parse_statement(p, &s);
    if (!s.broken && !at_kind(p, tok_newline) && !at_kind(p, tok_end)) {
      unexpected(p, "the end of the line");
      s.broken = true;
    }
    skip_line(p);
    for (uint32_t i = start; s.broken && i < p->at; i++) {
      if (p->tokens[i].kind == tok_name) vec_push(arena, &program->lost, p->tokens[i].text);
    }
    if (p->at > 0) s.span = span_join(s.word, p->tokens[p->at - 1].span);
    vec_push(arena, &program->statements, s);
  }
  *later = p->later;
}

bool parse_setting(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Item *item) {
  const Source *src = source_get(sources, (Span){source, 0, 0});
  uint32_t errors = diags->errors;
  Tokens tokens = lex(arena, src, source, diags);
  if (!tokens.items) return false;
  Parser p = {.arena = arena, .diags = diags, .source = src, .tokens = tokens.items};
  *item = (Item){0};
  if (!parse_item(&p, item)) return false;
  if (!item->value) {
    diag_error(diags, diag_unexpected, item->name_span, "a value is missing: `%s = ...`", item->name);
    return false;
  }
  if (!at_kind(&p, tok_newline)) {
    unexpected(&p, "the end");
    return false;
  }
  return diags->errors == errors;
}
