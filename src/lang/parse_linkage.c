// Statements of nodes, bars and springs: a name, the nodes that are joined, then clauses in any order.
//
//   node A = [0, 0] mass 2 fixed y      bar AB: A B length 1.2 mass 3       spring s: A B stiffness 100 length 1
//   damping 5 torsion A B C stiffness 5 angle 0   cable c: A B stiffness 100          rigid R: A B C D slider B along
//   [1, 0]               slider B on C D                     load B = [0, -10] with AB
//
// The cursor stands behind the word. Which clauses a statement has stands in a table; everything else is one parser.
#include "lang/parser_inside.h"

#include <string.h>

typedef struct LinkForm {
  unsigned clauses; // 1u << link_...
  const char *wanted;
} LinkForm;

static const char *const clause_words[link_clauses] = {
    [link_mass] = "mass",   [link_length] = "length", [link_stiffness] = "stiffness", [link_damping] = "damping",
    [link_force] = "force", [link_angle] = "angle",   [link_along] = "along",         [link_with] = "with",
    [link_fixed] = "fixed", [link_on] = "on"};

static const LinkForm node_form = {1u << link_mass | 1u << link_fixed, "`mass`, `fixed` or the end of the line"};
static const LinkForm load_form = {1u << link_with, "`with` and a bar, or the end of the line"};
static const LinkForm slider_form = {1u << link_along | 1u << link_on,
                                     "`along` and a direction, or `on` and two nodes"};
static const LinkForm bar_form = {1u << link_length | 1u << link_mass, "`length`, `mass` or the end of the line"};
static const LinkForm spring_form = {1u << link_stiffness | 1u << link_length | 1u << link_damping | 1u << link_force,
                                     "`stiffness`, `length`, `damping`, `force` or the end of the line"};
static const LinkForm torsion_form = {1u << link_stiffness | 1u << link_angle,
                                      "`stiffness`, `angle` or the end of the line"};
static const LinkForm stop_form = {1u << link_stiffness | 1u << link_damping,
                                   "`stiffness`, `damping` or the end of the line"};
static const LinkForm rigid_form = {0, "another node or the end of the line"};

static bool at_end(const Parser *p) { return at_kind(p, tok_newline) || at_kind(p, tok_end) || at_kind(p, tok_for); }

// ---- clauses

static bool fixed_clause(Parser *p, Link *link) {
  static const char *const axes[] = {"x", "y", "z"};
  uint8_t said = 0;
  for (int i = 0; i < 3; i++) {
    if (!parse_accept_word(p, axes[i])) continue;
    said |= (uint8_t)(1u << i);
    i = -1;
  }
  link->fixed = said ? said : link_fixed_all;
  return true;
}

static bool end_point(Parser *p, Link *link) {
  Ast *a = parse_point(p);
  return a && vec_push(p->arena, &link->ends, a);
}

static bool two_ends(Parser *p, Link *link) {
  if (!end_point(p, link)) return false;
  return end_point(p, link);
}

static bool value_clause(Parser *p, Link *link, LinkClause which) {
  const Unit *unit;
  Ast *a = which == link_with ? parse_point(p) : parse_value(p, &unit);
  if (!a) return false;
  if (which != link_with && unit->said) a->unit = unit;
  link->clause[which] = a;
  return true;
}

static void hint_clause(Parser *p, const LinkForm *form) {
  const char *words[link_clauses], *near;
  size_t count = 0;
  for (int i = 0; i < link_clauses; i++) {
    if (form->clauses >> i & 1u) words[count++] = clause_words[i];
  }
  near = parse_nearest(p, words, count);
  if (near) diag_hint(p->diags, "did you mean `%s`?", near);
}

static bool parse_link_clauses(Parser *p, Link *link, const LinkForm *form) {
  unsigned said = 0;
  while (!at_end(p)) {
    int which = 0;
    while (which < link_clauses && !((form->clauses >> which & 1u) && parse_at_word(p, clause_words[which]))) which++;
    if (which == link_clauses) {
      parse_unexpected_word(p, form->wanted);
      hint_clause(p, form);
      return false;
    }
    const Token *word = parse_advance(p);
    if (said >> which & 1u) {
      diag_error(p->diags, diag_twice, word->span, "`%s` is said twice", word->text);
      return false;
    }
    said |= 1u << which;
    bool ok = which == link_fixed ? fixed_clause(p, link)
              : which == link_on  ? two_ends(p, link)
                                  : value_clause(p, link, (LinkClause)which);
    if (!ok) return false;
  }
  return true;
}

// ---- statements

static bool link_new(Parser *p, Stmt *s) {
  s->link = arena_new_of(p->arena, Link);
  return s->link != NULL;
}

// node A = [0, 0], load B = [0, -10]: a name and a vector
static bool parse_valued(Parser *p, Stmt *s, const char *example) {
  Item item = {0};
  if (!link_new(p, s) || !parse_item_name(p, &item)) return false;
  if (!parse_accept(p, tok_equal)) {
    parse_unexpected(p, "`=` and a vector");
    diag_hint(p->diags, "as in `%s`", example);
    return false;
  }
  item.value = parse_value(p, &item.unit);
  if (!item.value) return false;
  item.span = span_join(item.span, item.value->span);
  return vec_push(p->scratch, &s->items, item);
}

bool parse_node(Parser *p, Stmt *s) {
  return parse_valued(p, s, "node A = [0, 0] fixed") && parse_link_clauses(p, s->link, &node_form);
}

bool parse_load(Parser *p, Stmt *s) {
  return parse_valued(p, s, "load B = [0, -10]") && parse_link_clauses(p, s->link, &load_form);
}

bool parse_slider(Parser *p, Stmt *s) {
  if (!link_new(p, s) || !end_point(p, s->link)) return false;
  if (at_end(p)) {
    parse_unexpected(p, slider_form.wanted);
    return false;
  }
  return parse_link_clauses(p, s->link, &slider_form);
}

// AB: A B
static bool parse_joined(Parser *p, Stmt *s, uint32_t ends, const LinkForm *form, const char *example) {
  Item item = {0};
  if (!link_new(p, s) || !parse_item_name(p, &item)) return false;
  if (!parse_accept(p, tok_colon)) {
    parse_unexpected(p, "`:` and the nodes that it joins");
    diag_hint(p->diags, "it has a name: `%s`", example);
    return false;
  }
  while (s->link->ends.count < ends && (!at_end(p) || ends != link_ends_many)) {
    if (!end_point(p, s->link)) return false;
  }
  item.span = span_join(item.span, p->tokens[p->at - 1].span);
  return vec_push(p->scratch, &s->items, item) && parse_link_clauses(p, s->link, form);
}

bool parse_bar(Parser *p, Stmt *s) { return parse_joined(p, s, 2, &bar_form, "bar AB: A B"); }
bool parse_spring(Parser *p, Stmt *s) { return parse_joined(p, s, 2, &spring_form, "spring s: A B stiffness 100"); }
bool parse_rigid(Parser *p, Stmt *s) { return parse_joined(p, s, link_ends_many, &rigid_form, "rigid R: A B C"); }

bool parse_torsion(Parser *p, Stmt *s) {
  return link_new(p, s) && end_point(p, s->link) && end_point(p, s->link) && end_point(p, s->link) &&
         parse_link_clauses(p, s->link, &torsion_form);
}

// stop q in -1 .. 2 stiffness 1e4 damping 10: the limits are `value` and `until`
bool parse_stop(Parser *p, Stmt *s) {
  Item item = {0};
  if (!link_new(p, s) || !parse_item_name(p, &item)) return false;
  if (!parse_accept_word(p, "in")) {
    parse_unexpected(p, "`in` and two limits");
    diag_hint(p->diags, "as in `stop %s in -1 .. 2 stiffness 1e4`", item.name);
    return false;
  }
  if (!parse_ends(p, &item)) return false;
  item.span = span_join(item.span, item.until->span);
  if (!vec_push(p->scratch, &s->items, item) || !parse_link_clauses(p, s->link, &stop_form)) return false;
  if (s->link->clause[link_stiffness]) return true;
  parse_unexpected(p, "`stiffness` and how stiff the stop is");
  return false;
}
