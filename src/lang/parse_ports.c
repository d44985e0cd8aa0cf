// Statements of ports.
//
//   port U by [0, 1]      port E by [0, 0] through [-1/R, 0] feed 1/R      connect A.shaft to B.shaft
//
// The name stands in the item, `by` in the statement's expression, `through` in `against`, `feed` in the item's value.
#include "lang/parser_inside.h"

static bool clause(Parser *p, const char *word, Ast **slot) {
  const Unit *unit;
  const Token *t = parse_advance(p);
  if (*slot) {
    diag_error(p->diags, diag_twice, t->span, "`%s` is said twice", word);
    return false;
  }
  *slot = parse_value(p, &unit);
  if (*slot && unit->said) (*slot)->unit = unit;
  return *slot != NULL;
}

bool parse_port(Parser *p, Stmt *s) {
  Item item = {0};
  if (!parse_item_name(p, &item)) return false;
  bool ok = true;
  while (ok && at_kind(p, tok_name)) {
    if (parse_at_word(p, "by")) ok = clause(p, "by", &s->expr);
    else if (parse_at_word(p, "through")) ok = clause(p, "through", &s->against);
    else if (parse_at_word(p, "feed")) ok = clause(p, "feed", &item.value);
    else break;
  }
  if (ok && !s->expr) {
    parse_unexpected_word(p, "`by` and the column of the port");
    diag_hint(p->diags, "`port %s by [0, 1]`: how the input enters the equation of each state", item.name);
    ok = false;
  }
  return ok && vec_push(p->scratch, &s->items, item);
}

// connect A.shaft to B.shaft / connect A.shaft, B.shaft, C.shaft
bool parse_connect(Parser *p, Stmt *s) {
  do {
    Item item = {0};
    if (!parse_item_name(p, &item) || !vec_push(p->scratch, &s->items, item)) return false;
  } while (parse_accept(p, tok_comma) || (s->items.count == 1 && parse_accept_word(p, "to")));
  if (s->items.count > 1) return true;
  parse_unexpected_word(p, "`to` and another port");
  return false;
}
