// What follows the word of a statement: one function for each form that words.def names. The cursor stands behind the
// word. False: reported; the rest of the line is skipped.
#include "lang/parser_inside.h"

#include <string.h>

// ---- items: name[index]' = value [unit] "note"

bool parse_item_name(Parser *p, Item *item) {
  const Token *t = peek(p);
  if (t->kind == tok_and || t->kind == tok_or || t->kind == tok_not || t->kind == tok_for) {
    diag_error(p->diags, diag_reserved_name, t->span, "`%s` is a reserved word", t->text);
    return false;
  }
  if (t->kind != tok_name) {
    parse_unexpected(p, "a name");
    bool after_comma = p->at > 1 && p->tokens[p->at - 1].kind == tok_comma && p->tokens[p->at - 2].kind == tok_number;
    if (t->kind == tok_number && after_comma) {
      const Token *before = &p->tokens[p->at - 2];
      diag_hint(p->diags, "a decimal comma? write `%.*s.%.*s`", (int)(before->span.end - before->span.start),
                p->source->text + before->span.start, (int)(t->span.end - t->span.start),
                p->source->text + t->span.start);
    }
    return false;
  }
  item->unit = &unit_unsaid;
  item->name_span = t->span;
  for (;;) {
    item->name = parse_advance(p)->text;
    item->index = NULL;
    if (at_kind(p, tok_lbracket) && !peek(p)->blank_before) {
      parse_advance(p);
      item->index = parse_formula(p);
      if (!item->index || !parse_expect(p, tok_rbracket, "`]`")) return false;
    }
    item->name_span = span_join(item->name_span, p->tokens[p->at - 1].span);
    // link[2].th: what stands before a dot is a part
    if (!at_kind(p, tok_dot) || peek(p)->blank_before || peek_next(p)->kind != tok_name) break;
    parse_advance(p);
    if (!vec_push(p->arena, &item->path, (PathStep){item->name, item->index})) return false;
  }
  while (at_kind(p, tok_prime)) {
    item->name_span = span_join(item->name_span, parse_advance(p)->span);
    item->primes++;
  }
  item->span = item->name_span;
  return true;
}

bool parse_item(Parser *p, Item *item) {
  if (!parse_item_name(p, item)) return false;
  if (parse_accept(p, tok_equal)) {
    item->value = parse_value(p, &item->unit);
    if (!item->value) return false;
    item->span = span_join(item->span, item->value->span);
  } else if (at_kind(p, tok_lbracket)) {
    Unit *unit = arena_new_of(p->arena, Unit);
    if (!unit || !parse_unit(p, unit)) return false;
    item->unit = unit;
  }
  if (at_kind(p, tok_string)) item->note = parse_advance(p)->text;
  return true;
}

static void hint_initial(Parser *p, const char *name, uint32_t primes) {
  if (primes) diag_hint(p->diags, "the initial value of a derivative is written `init %s' = ...`", name);
  else
    diag_hint(p->diags, "the initial value stands behind the name, `%s = ...`, or in a line `init %s = ...`", name,
              name);
}

// What stands between items when it is no comma: the usual slips get their own words.
static bool end_of_items(Parser *p, const Stmt *s) {
  const Token *t = peek(p);
  if (t->kind == tok_newline || t->kind == tok_end || t->kind == tok_for) return true;
  if (t->kind == tok_semicolon && (peek_next(p)->kind == tok_newline || peek_next(p)->kind == tok_end)) {
    diag_error(p->diags, diag_trailing_semicolon, t->span, "a statement ends with its line, without `;`");
    parse_advance(p);
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
  const Item *last = s->items.count ? &s->items.items[s->items.count - 1] : NULL;
  if (t->kind == tok_lparen && last && !last->value && !(last->unit && last->unit->said)) { // `coord x(0) = 1`
    parse_unexpected_word(p, "`,` or the end of the line");
    hint_initial(p, last->name, last->primes);
    return false;
  }
  parse_unexpected(p, "`,` or the end of the line");
  return false;
}

bool parse_items(Parser *p, Stmt *s) {
  do {
    Item item = {0};
    if (!parse_item(p, &item) || !vec_push(p->scratch, &s->items, item)) return false;
  } while (parse_accept(p, tok_comma));
  return end_of_items(p, s);
}

// ---- forms of their own

// The index of the token behind a name with its parts and indices: past link[2].th
uint32_t parse_past_name(const Parser *p) {
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

bool parse_title(Parser *p, Stmt *s) {
  if (!at_kind(p, tok_string)) {
    parse_unexpected_word(p, "the title in quotes");
    diag_hint(p->diags, "for example `title \"A mass on a spring\"`");
    return false;
  }
  s->name = parse_advance(p)->text;
  return true;
}

bool parse_fun(Parser *p, Stmt *s) {
  Item item = {0};
  if (!at_kind(p, tok_name)) {
    parse_unexpected(p, "the function's name");
    return false;
  }
  const Token *t = parse_advance(p);
  item.name = t->text;
  item.name_span = t->span;
  item.unit = &unit_unsaid;
  ArgList *args = arena_new_of(p->arena, ArgList);
  item.args = args;
  if (!args || !parse_expect(p, tok_lparen, "`(` and the function's arguments")) return false;
  do {
    if (!at_kind(p, tok_name)) {
      parse_unexpected(p, "an argument's name");
      return false;
    }
    const Token *arg = parse_advance(p);
    for (uint32_t i = 0; i < args->count; i++) {
      if (strcmp(args->items[i], arg->text) != 0) continue;
      diag_error(p->diags, diag_twice, arg->span, "two arguments of one function are called `%s`", arg->text);
      return false;
    }
    if (!vec_push(p->arena, args, arg->text)) return false;
  } while (parse_accept(p, tok_comma));
  if (!parse_expect(p, tok_rparen, "`)`") || !parse_expect(p, tok_equal, "`=` and what the function is")) return false;
  item.value = parse_value(p, &item.unit);
  if (!item.value) return false;
  item.span = span_join(t->span, item.value->span);
  return vec_push(p->scratch, &s->items, item);
}

// output x, y = x + 1, th1'
bool parse_output(Parser *p, Stmt *s) {
  do {
    Item item = {0};
    if (at_kind(p, tok_name) && p->tokens[parse_past_name(p)].kind == tok_equal) {
      if (!parse_item(p, &item)) return false;
    } else {
      uint32_t start = peek(p)->span.start;
      item.name_span = peek(p)->span;
      item.value = parse_value(p, &item.unit);
      if (!item.value) return false;
      item.name_span = item.span = item.value->span;
      item.name_span.start = start;
      if (at_kind(p, tok_string)) item.note = parse_advance(p)->text;
    }
    if (!vec_push(p->scratch, &s->items, item)) return false;
  } while (parse_accept(p, tok_comma));
  return end_of_items(p, s);
}

static bool parse_clauses(Parser *p, Simulate *sim) {
  for (;;) {
    Ast **slot = parse_at_word(p, "from")    ? &sim->from
                 : parse_at_word(p, "to")    ? &sim->to
                 : parse_at_word(p, "step")  ? &sim->step
                 : parse_at_word(p, "every") ? &sim->every
                                             : NULL;
    const Unit *unit;
    if (slot) {
      const Token *word = parse_advance(p);
      if (*slot) {
        diag_error(p->diags, diag_twice, word->span, "`%s` is said twice", word->text);
        return false;
      }
      *slot = parse_value(p, &unit);
      if (!*slot) return false;
      if (unit->said) (*slot)->unit = unit;
    } else if (parse_accept_word(p, "by")) {
      if (!at_kind(p, tok_name)) {
        parse_unexpected(p, "the name of a method");
        return false;
      }
      if (sim->method) {
        diag_error(p->diags, diag_twice, peek(p)->span, "`by` is said twice");
        return false;
      }
      sim->method_span = peek(p)->span;
      sim->method = parse_advance(p)->text;
    } else {
      break;
    }
  }
  if (!sim->from || sim->from->unit || !sim->to) return true;
  sim->from->unit = range_lent_unit(sim->from, &unit_unsaid, sim->to, sim->to->unit ? sim->to->unit : &unit_unsaid);
  return true;
}

bool parse_simulate(Parser *p, Stmt *s) {
  static const char *const words[] = {"from", "to", "step", "every", "by"};
  enum { count = sizeof words / sizeof *words };
  uint32_t at = 0;
  while (at < count && !parse_at_word(p, words[at])) at++;
  if (at == count) {
    const char *near = parse_nearest(p, words, count);
    parse_unexpected_word(p, "`from`, `to`, `step`, `every` or `by`");
    if (near) diag_hint(p->diags, "did you mean `%s`?", near);
    else diag_hint(p->diags, "the end time stands behind `to`: `simulate to 10`");
    return false;
  }
  s->study = arena_new_of(p->arena, Study);
  return s->study && parse_clauses(p, &s->study->simulate);
}

bool parse_case(Parser *p, Stmt *s) {
  if (!at_kind(p, tok_name)) {
    parse_unexpected(p, "the name of the case");
    return false;
  }
  s->name = parse_advance(p)->text;
  s->study = arena_new_of(p->arena, Study);
  if (!s->study || !parse_expect(p, tok_colon, "`:` after the case's name")) return false;
  do {
    if (parse_at_word(p, "simulate") && peek_next(p)->kind == tok_name) {
      parse_advance(p);
      if (!parse_clauses(p, &s->study->simulate)) return false;
      continue;
    }
    Item item = {0};
    if (!parse_item(p, &item)) return false;
    if (!item.value) {
      diag_error(p->diags, diag_unexpected, item.name_span, "a case gives values: `%s = ...`", item.name);
      return false;
    }
    if (!vec_push(p->scratch, &s->items, item)) return false;
  } while (parse_accept(p, tok_comma));
  return end_of_items(p, s);
}

// use "motor.viva" as hip with R = 0.5, u = v1
// robot "arm.urdf" as arm with limits
bool parse_use(Parser *p, Stmt *s) {
  s->robot = p->tokens[p->at - 1].text && strcmp(p->tokens[p->at - 1].text, "robot") == 0;
  if (!at_kind(p, tok_string)) {
    parse_unexpected(p, s->robot ? "the robot's file in quotes" : "the part's file in quotes");
    return false;
  }
  s->name_span = peek(p)->span;
  s->name = parse_advance(p)->text;
  static const char *const words[] = {"as", "with", "for", "limits"};
  if (!parse_accept_word(p, "as")) {
    const char *near = parse_nearest(p, words, 1);
    parse_unexpected(p, "`as` and a name for the part");
    if (near) diag_hint(p->diags, "did you mean `%s`?", near);
    return false;
  }
  Item part = {0};
  if (!parse_item_name(p, &part) || !vec_push(p->scratch, &s->items, part)) return false;
  if (!parse_accept_word(p, "with")) {
    if (at_kind(p, tok_newline) || at_kind(p, tok_end) || at_kind(p, tok_for)) return true;
    const char *near = parse_nearest(p, words + 1, 2);
    if (near) parse_unexpected_word(p, "`with`, `for` or the end of the line");
    else parse_unexpected(p, "`with`, `for` or the end of the line");
    if (near) diag_hint(p->diags, "did you mean `%s`?", near);
    return false;
  }
  do {
    Item item = {0};
    const char *near = s->robot ? parse_nearest(p, words + 3, 1) : NULL;
    if (s->robot && parse_at_word(p, "limits") && peek_next(p)->kind != tok_equal) {
      parse_advance(p);
      s->limits = true;
      continue;
    }
    if (!parse_item(p, &item)) return false;
    if (!item.value) {
      diag_error(p->diags, diag_unexpected, item.name_span, "`with` gives values: `%s = ...`", item.name);
      if (near) diag_hint(p->diags, "did you mean `%s`?", near);
      return false;
    }
    if (!vec_push(p->scratch, &s->items, item)) return false;
  } while (parse_accept(p, tok_comma));
  return end_of_items(p, s);
}

// from -5 to 5: numbers in the unit of showing, or with units of their own.
static bool parse_limits(Parser *p, Item *item) {
  Span start = peek(p)->span;
  if (!parse_accept_word(p, "from")) return true;
  AxisLimits *l = arena_new_of(p->arena, AxisLimits);
  if (!l || !(l->from = parse_value(p, &l->from_unit))) return false;
  if (!parse_accept_word(p, "to")) {
    parse_unexpected_word(p, "`to` and where the axis ends");
    return false;
  }
  if (!(l->to = parse_value(p, &l->to_unit))) return false;
  const Unit *lent = range_lent_unit(l->from, l->from_unit, l->to, l->to_unit);
  if (lent) l->from_unit = lent;
  l->span = span_join(start, p->tokens[p->at - 1].span);
  item->limits = l;
  return true;
}

// log, log x, log y, log xy
static bool parse_log(Parser *p, Stmt *s) {
  bool named = at_kind(p, tok_name) && !parse_at_word(p, "equal");
  s->y_log = !named || parse_at_word(p, "y") || parse_at_word(p, "xy");
  s->x_log = parse_at_word(p, "x") || parse_at_word(p, "xy");
  if (!named) return true;
  if (!s->x_log && !s->y_log) {
    parse_unexpected_word(p, "`x`, `y` or `xy` (the axes)");
    return false;
  }
  parse_advance(p);
  return true;
}

// over i / over i in 2 .. 5 / over i at 0, 1, 5 [ms]
static bool parse_over(Parser *p, Stmt *s) {
  Over *o = arena_new_of(p->arena, Over);
  if (!o) return false;
  o->span = peek(p)->span;
  o->name = peek(p)->text;
  if (!parse_expect(p, tok_name, "the name of an index")) return false;
  if (parse_accept_word(p, "in")) {
    if (!(o->from = parse_formula(p)) || !parse_expect(p, tok_range, "`..`") || !(o->to = parse_formula(p)))
      return false;
  }
  s->over = o;
  if (!parse_accept_word(p, "at")) return true;
  o->at_span = peek(p)->span;
  do {
    const Unit *unit;
    Ast *time = parse_value(p, &unit);
    if (!time) return false;
    if (unit->said && !time->unit) time->unit = unit;
    if (!vec_push(p->arena, &o->at, time)) return false;
  } while (parse_accept(p, tok_comma));
  o->at_span = span_join(o->at_span, p->tokens[p->at - 1].span);
  return true;
}

static bool parse_plot_end(Parser *p) {
  if (!at_kind(p, tok_name)) return true;
  parse_unexpected_word(p, "`,`, `from`, `against`, `over`, `log`, `equal` or the end of the line");
  if (parse_at_word(p, "to")) diag_hint(p->diags, "an axis has two ends: `from 0 to 1`");
  else if (parse_at_word(p, "vs") || parse_at_word(p, "versus")) diag_hint(p->diags, "write `against`");
  else diag_hint(p->diags, "another curve follows a comma, its label stands in quotes");
  return false;
}

// heat T[i] [K] from 280 to 350 over i
static bool parse_heat(Parser *p, Stmt *s) {
  Item item = {0};
  if (!(item.value = parse_value(p, &item.unit))) return false;
  item.name_span = item.span = item.value->span;
  if (at_kind(p, tok_string)) item.note = parse_advance(p)->text;
  if (!parse_limits(p, &item) || !vec_push(p->scratch, &s->items, item)) return false;
  if (!parse_accept_word(p, "over")) {
    parse_unexpected_word(p, "`over` and an index");
    diag_hint(p->diags, "`heat T[i] over i` shows all T[i] over the time, as colours");
    return false;
  }
  if (!parse_over(p, s)) return false;
  s->heat = true;
  if (s->over->at.count) {
    diag_error(p->diags, diag_profile, s->over->at_span, "`heat` shows all times, so it has no `at`");
    diag_hint(p->diags, "`plot T[i] over i at 0, 1` shows profiles");
    return false;
  }
  return true;
}

// Two axes can be equal where both show numbers of the model, evenly.
static void check_equal(Parser *p, const Stmt *s) {
  Span span = p->tokens[p->at - 1].span;
  if (s->x_log || s->y_log) {
    diag_error(p->diags, diag_limits, span, "a logarithmic axis has no unit that could be as long as another");
  } else if (!s->against) {
    diag_error(p->diags, diag_limits, span, "`equal` is for one quantity against another, not over %s",
               s->over ? "an index" : "the time");
    diag_hint(p->diags, "for example `plot y against x equal`");
  }
}

// th [deg] "the angle" from -90 to 90, x [mm] against t [ms] from 0 to 20 log y equal
bool parse_plot(Parser *p, Stmt *s) {
  const char *word = p->tokens[p->at - 1].text;
  if (word && strcmp(word, "heat") == 0) return parse_heat(p, s);
  do {
    Item item = {0};
    if (!(item.value = parse_value(p, &item.unit))) return false;
    item.name_span = item.span = item.value->span;
    if (at_kind(p, tok_string)) item.note = parse_advance(p)->text;
    if (!parse_limits(p, &item) || !vec_push(p->scratch, &s->items, item)) return false;
  } while (parse_accept(p, tok_comma));
  if (parse_accept_word(p, "against")) {
    Item *axis = arena_new_of(p->arena, Item);
    if (!axis || !(s->against = parse_value(p, &axis->unit)) || !parse_limits(p, axis)) return false;
    s->axis = axis;
  } else if (parse_accept_word(p, "over") && !parse_over(p, s)) {
    return false;
  }
  if (parse_accept_word(p, "log") && !parse_log(p, s)) return false;
  s->equal = parse_accept_word(p, "equal");
  if (s->equal) check_equal(p, s);
  return parse_plot_end(p);
}

// `in 0 .. 10`, or none. The command line has `=0:10`, the range of all commands.
static bool parse_fit_range(Parser *p, Item *item) {
  RangeText t;
  if (parse_accept_word(p, "in")) return parse_ends(p, item);
  if (!p->source->option || !parse_accept(p, tok_equal)) return true;
  if (!parse_range(p, &t)) return false;
  if (t.kind != range_interval) {
    diag_error(p->diags, diag_bad_range, t.span, "an unknown is searched between two numbers");
    diag_hint(p->diags, "write `%s=0:10`", item->name);
    return false;
  }
  range_put_ends(&t, item);
  return true;
}

bool parse_fit_unknowns(Parser *p, Arena *arena, Stmt *s) {
  while (!parse_at_word(p, "to")) {
    Item item = {0};
    if (!parse_item_name(p, &item) || !parse_fit_range(p, &item)) return false;
    if (!vec_push(arena, &s->items, item)) return false;
    if (!parse_accept(p, tok_comma)) break;
  }
  return true;
}

bool parse_fit_measured(Parser *p, Stmt *s) {
  do {
    Measured m = {.value = parse_formula(p)};
    if (!m.value) return false;
    m.span = m.value->span;
    if (parse_accept(p, tok_equal)) {
      m.span = peek(p)->span;
      m.column = peek(p)->text;
      if (!parse_expect(p, tok_string, "the column's name in quotes")) return false;
    }
    if (parse_accept_word(p, "sd") && !(m.sd = parse_formula(p))) return false;
    if (!vec_push(p->arena, &s->study->measured, m)) return false;
  } while (parse_accept(p, tok_comma));
  return true;
}

// fit d1 in 0 .. 10, th2 in -1 .. 1 to "data.csv" by x sd 0.01, th1' = "gyro" case push
bool parse_fit(Parser *p, Stmt *s) {
  if (!parse_fit_unknowns(p, p->scratch, s)) return false;
  // without data the line names what an index of performance or an experiment to come is about
  bool data = parse_accept_word(p, "to"), bare = !data && s->items.count;
  if (!data && (!bare || at_kind(p, tok_string))) {
    parse_unexpected(p, "`to` and the data file");
    return false;
  }
  if (data && !at_kind(p, tok_string)) {
    parse_unexpected(p, "the data file in quotes");
    return false;
  }
  s->name_span = data ? peek(p)->span : s->items.items[0].name_span;
  if (data) s->name = parse_advance(p)->text;
  s->study = arena_new_of(p->arena, Study);
  if (!s->study) return false;
  if (bare && !parse_at_word(p, "by")) return true;
  if (!parse_accept_word(p, "by")) {
    parse_unexpected(p, "`by` and the measured columns");
    return false;
  }
  if (!parse_fit_measured(p, s)) return false;
  if (!parse_accept_word(p, "case")) return true;
  s->study->in_case_span = peek(p)->span;
  s->study->in_case = peek(p)->text;
  return parse_expect(p, tok_name, "the name of a case");
}

bool parse_expression(Parser *p, Stmt *s) {
  const Unit *unit;
  s->expr = parse_value(p, &unit);
  if (!s->expr) return false;
  if (unit->said && !s->expr->unit) s->expr->unit = unit;
  return true;
}

// when h < 0 do h' := -0.8*h', n := n + 1 / every 0.01 do ... / do stop
bool parse_when(Parser *p, Stmt *s) {
  s->period = p->tokens[p->at - 1].text && strcmp(p->tokens[p->at - 1].text, "every") == 0;
  if (!parse_expression(p, s)) return false;
  if (!parse_accept_word(p, "do")) {
    parse_unexpected_word(p, "`do` and what changes then");
    return false;
  }
  do {
    if (parse_at_word(p, "stop") && peek_next(p)->kind != tok_assign && peek_next(p)->kind != tok_prime &&
        peek_next(p)->kind != tok_lbracket) {
      parse_advance(p);
      s->stop = true;
      continue;
    }
    Item item = {0};
    if (!parse_item_name(p, &item)) return false;
    if (at_kind(p, tok_equal)) {
      parse_unexpected(p, "`:=`");
      const char *primes = item.primes == 0 ? "" : item.primes == 1 ? "'" : "''";
      if (item.path.count) diag_hint(p->diags, "a new value is given by `:=`");
      else diag_hint(p->diags, "a new value is given by `%s%s := ...`", item.name, primes);
      return false;
    }
    if (!parse_expect(p, tok_assign, "`:=` and the new value")) return false;
    item.value = parse_value(p, &item.unit);
    if (!item.value) return false;
    item.span = span_join(item.span, item.value->span);
    if (!vec_push(p->scratch, &s->items, item)) return false;
  } while (parse_accept(p, tok_comma));
  return end_of_items(p, s);
}

// constraint y >= 0: a unilateral constraint is no equation.
static void refuse_comparison(Parser *p, const Stmt *s) {
  TokenKind sign = (TokenKind)s->expr->op;
  bool bound = s->kind == stmt_constraint;
  diag_error(p->diags, diag_unexpected, s->expr->span,
             bound ? "a constraint is an equation `a = b`, kept in both directions, and %s makes none"
                   : "an equation is `a = b`, and %s makes none",
             token_name(sign));
  if (sign == tok_eq) diag_hint(p->diags, "`==` compares two numbers: write `=`");
  else if (bound && sign != tok_ne)
    diag_hint(p->diags, "a limit on one side is a stiff spring, `force y = k*rectify(-y)`, or a blow, "
                        "`when y < 0 do y' := -0.5*y'`");
}

// constraint rod[i]: a = b. Its item declares the multiplier, and has a - b as its text.
bool parse_constraint(Parser *p, Stmt *s) {
  Item item = {.unit = &unit_unsaid, .name_span = s->word};
  if (at_kind(p, tok_name) && p->tokens[parse_past_name(p)].kind == tok_colon) {
    if (!parse_item_name(p, &item)) return false;
    parse_advance(p);
  }
  if (!parse_implicit(p, s)) return false;
  item.value = parse_difference(p, s->expr, s->against);
  if (!item.value) return false;
  item.span = item.value->span;
  return vec_push(p->scratch, &s->items, item);
}

// equation a = b
bool parse_implicit(Parser *p, Stmt *s) {
  s->expr = parse_formula(p);
  if (!s->expr) return false;
  if (!at_kind(p, tok_equal)) {
    bool compares = s->expr->kind == ast_compare && (at_kind(p, tok_newline) || at_kind(p, tok_end));
    if (compares) refuse_comparison(p, s);
    else parse_unexpected(p, "`=`");
    return false;
  }
  parse_advance(p);
  s->against = parse_formula(p);
  return s->against != NULL;
}
