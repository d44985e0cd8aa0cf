// draw rod P Q width 0.02 color red, box P size [0.2, 0.1] turned th, text P "m1": shapes that move.
//
// in    shapes with points of 2 or 3 numbers, and clauses: which a shape takes stands in words.def
// out   Model.shapes. A `line` through many points is a shape for each of its pieces; a box in a plane has the
//       middle of its side as its second point, so moving the points rotates it
// how   sizes are lengths in the units of the points and depend on parameters alone; colours are names, or #hex, which
//       the lexer knows behind `color`
#include "base/words.h"
#include "lang/eval.h"
#include "lang/infer_inside.h"
#include "lang/parser_inside.h"
#include "lang/statements.h"

#include <string.h>

static const char *const clause_words[shape_clauses] = {"size", "radius", "width", "turned", "coils"};

// ---- colours

// Strong enough for white and for dark paper, apart from the two that say otherwise.
static const struct {
  const char *word;
  uint32_t rgb;
} colours[] = {{"red", 0xd62728},    {"orange", 0xf28e2b},  {"yellow", 0xe6b800}, {"green", 0x2ca02c},
               {"teal", 0x17a2a2},   {"cyan", 0x17a8d6},    {"blue", 0x1f77d4},   {"purple", 0x8e5bd0},
               {"violet", 0x8e5bd0}, {"magenta", 0xc837ab}, {"pink", 0xe377c2},   {"brown", 0x9c6644},
               {"gray", 0x808080},   {"grey", 0x808080},    {"silver", 0xb8b8b8}, {"gold", 0xd4a017},
               {"black", 0x000000},  {"white", 0xffffff}};
enum { colour_count = sizeof colours / sizeof *colours };

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// #f80 or #ff8800. False: it is neither.
static bool read_hex(const char *s, uint32_t *out) {
  size_t n = strlen(s);
  uint32_t rgb = 0;
  if (s[0] != '#' || (n != 4 && n != 7)) return false;
  for (size_t i = 1; i < n; i++) {
    int digit = hex_digit(s[i]);
    if (digit < 0) return false;
    for (size_t twice = 0; twice < (n == 4 ? 2 : 1); twice++) rgb = 16 * rgb + (uint32_t)digit;
  }
  *out = rgb;
  return true;
}

static bool read_colour(Parser *p, ShapeLook *look) {
  const Token *t = peek(p);
  if (t->kind != tok_name && t->kind != tok_string) {
    parse_unexpected_word(p, "a colour (`red`, or `#ff8800`)");
    return false;
  }
  uint32_t rgb = 0;
  bool found = t->kind == tok_string && read_hex(t->text, &rgb);
  const char *nearest = NULL;
  unsigned least = 3;
  for (size_t i = 0; i < colour_count && !found; i++) {
    unsigned distance = word_distance(t->text, colours[i].word);
    if (distance == 0) rgb = colours[i].rgb, found = true;
    else if (distance < least) least = distance, nearest = colours[i].word;
  }
  if (!found) {
    diag_error(p->diags, diag_drawing, t->span, "`%s` is no colour", t->text);
    if (nearest) diag_hint(p->diags, "did you mean `%s`?", nearest);
    else if (t->text[0] == '#') diag_hint(p->diags, "write `#` and three or six digits 0-9, a-f: `#f80`, `#ff8800`");
    else
      diag_hint(p->diags, "red, orange, yellow, green, teal, cyan, blue, purple, magenta, pink, brown, gray, silver, "
                          "gold, black, white, or #ff8800");
    return false;
  }
  parse_advance(p);
  look->colour = (uint32_t)shape_coloured + rgb;
  return true;
}

// ---- clauses

// Is the clause among those of the shape? needed: must it be said?
static bool takes_clause(const char *shape, const char *clause, bool *needed) {
  size_t n = strlen(clause);
  for (const char *c = word_shape_clauses(shape); *c;) {
    size_t length = strcspn(c, " ");
    *needed = c[length - 1] == '!';
    if (length - *needed == n && memcmp(c, clause, n) == 0) return true;
    c += length + (c[length] == ' ');
  }
  *needed = false;
  return false;
}

// "`size`, `turned` and `color`"
static const char *list_clauses(Parser *p, const char *shape, const char *last) {
  Text t = text_in(p->arena);
  const char *c = word_shape_clauses(shape);
  while (*c) {
    size_t length = strcspn(c, " "), bare = length - (c[length - 1] == '!');
    bool end = !c[length];
    text_printf(&t, "%s`%.*s`", t.length == 0 ? "" : end ? last : ", ", (int)bare, c);
    c += length + !end;
  }
  return text_str(&t);
}

static int clause_named(const char *word) {
  for (int i = 0; i < shape_clauses; i++) {
    if (strcmp(clause_words[i], word) == 0) return i;
  }
  return strcmp(word, "color") == 0 || strcmp(word, "colour") == 0 ? shape_clauses : -1;
}

// One clause; the cursor stands at its word. False: reported.
static bool parse_clause(Parser *p, const char *shape, ShapeLook *look) {
  const Token *word = peek(p);
  int clause = clause_named(word->text);
  const char *name = clause == shape_clauses ? "color" : clause_words[clause];
  bool needed;
  if (!takes_clause(shape, name, &needed)) {
    diag_error(p->diags, diag_drawing, word->span, "a `%s` has no `%s`: it takes %s", shape, name,
               list_clauses(p, shape, " and "));
    return false;
  }
  if (clause == shape_clauses ? look->colour != 0 : look->said[clause] != NULL) {
    diag_error(p->diags, diag_twice, word->span, "`%s` is said twice", name);
    return false;
  }
  parse_advance(p);
  if (clause == shape_clauses) return read_colour(p, look);
  const Unit *unit;
  Ast *a = parse_value(p, &unit);
  if (!a) return false;
  if (unit->said && !a->unit) a->unit = unit;
  look->said[clause] = a;
  return true;
}

static bool at_clause(const Parser *p) { return at_kind(p, tok_name) && clause_named(peek(p)->text) >= 0; }

static bool parse_clauses(Parser *p, const Token *shape, ShapeLook *look) {
  while (at_clause(p)) {
    if (!parse_clause(p, shape->text, look)) return false;
  }
  for (int i = 0; i < shape_clauses; i++) {
    bool needed, taken = takes_clause(shape->text, clause_words[i], &needed);
    if (!taken || !needed || look->said[i]) continue;
    diag_error(p->diags, diag_drawing, shape->span, "a `%s` needs its `%s`", shape->text, clause_words[i]);
    diag_hint(p->diags, i == clause_size ? "`%s P size [0.2, 0.1]`: how long it is in x and in y" : "`%s P radius 0.1`",
              shape->text);
    return false;
  }
  if (at_kind(p, tok_comma) || at_kind(p, tok_newline) || at_kind(p, tok_end) || at_kind(p, tok_for)) return true;
  const char *wanted = arena_printf(p->arena, "`,`, %s or the end of the line", list_clauses(p, shape->text, ", "));
  if (wanted) parse_unexpected_word(p, wanted);
  return false;
}

// ---- points

static bool parse_shape_point(Parser *p, Stmt *s, const Token *shape, bool last, ShapeLook *look) {
  Item item = {.name = shape->text, .name_span = shape->span, .unit = &unit_unsaid, .look = look};
  item.value = parse_point(p);
  if (!item.value || !vec_push(p->scratch, &s->items, item)) return false;
  if (!at_kind(p, tok_plus) && !at_kind(p, tok_minus) && !at_kind(p, tok_star) && !at_kind(p, tok_slash)) return true;
  parse_unexpected_word(p, last ? "`,` or the end of the line" : "another point");
  diag_hint(p->diags, "a point that is computed stands in brackets: `%s (P + [1, 0])`", shape->text);
  return false;
}

static bool at_point(const Parser *p) {
  return (at_kind(p, tok_name) && !at_clause(p)) || at_kind(p, tok_lbracket) || at_kind(p, tok_lparen);
}

static void hint_shape(Parser *p) {
  static const char *const words[] = {
#define SHAPE(word, points, clauses, line) #word,
#include "lang/words.def"
  };
  unsigned least = 3;
  const char *nearest = NULL;
  for (size_t i = 0; i < sizeof words / sizeof *words && at_kind(p, tok_name); i++) {
    unsigned distance = word_distance(peek(p)->text, words[i]);
    if (distance < least) least = distance, nearest = words[i];
  }
  if (nearest) diag_hint(p->diags, "did you mean `%s`?", nearest);
}

static bool parse_shape(Parser *p, Stmt *s) {
  const Token *shape = peek(p);
  uint32_t points = shape->kind == tok_name ? word_shape_points(shape->text) : 0;
  if (points == 0) {
    parse_unexpected_word(
        p, "a shape (`rod`, `line`, `spring`, `mass`, `circle`, `box`, `text`, `trail`, `cart`, `ground`, "
           "`support` or `vector`)");
    hint_shape(p);
    return false;
  }
  parse_advance(p);
  ShapeLook *look = arena_new_of(p->arena, ShapeLook);
  if (!look) return false;
  for (uint32_t i = 0; i < points; i++) {
    if (!parse_shape_point(p, s, shape, i + 1 == points, look)) return false;
  }
  while (strcmp(shape->text, "line") == 0 && at_point(p)) {
    if (!parse_shape_point(p, s, shape, true, look)) return false;
  }
  if (strcmp(shape->text, "text") == 0) {
    if (!at_kind(p, tok_string)) {
      parse_unexpected_word(p, "the words in quotes");
      return false;
    }
    look->text = parse_advance(p)->text;
  }
  return parse_clauses(p, shape, look);
}

bool parse_draw(Parser *p, Stmt *s) {
  do {
    if (!parse_shape(p, s)) return false;
  } while (parse_accept(p, tok_comma));
  return true;
}

// ---- into the model

static ShapeKind shape_named(const char *word) {
  static const struct {
    const char *word;
    ShapeKind kind;
  } shapes[] = {
#define SHAPE(word, points, clauses, line) {#word, shape_##word},
#include "lang/words.def"
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (strcmp(shapes[i].word, word) == 0) return shapes[i].kind;
  }
  return shape_mass;
}

// A length of a shape: positive, of parameters. False: reported.
static bool read_length(Elab *e, ExprId id, Span span, const char *what) {
  if (!eval_only_params(e, id, span, what)) return false;
  ExprId wrong = expr_fn(e->pool, op_le, (ExprId[]){id, e->pool->zero}, 2);
  const char *text = arena_printf(e->arena, "%s is more than 0", what);
  if (!text) return false;
  if (wrong == e->pool->one) {
    diag_error(e->diags, diag_drawing, span, "%s", text);
    return false;
  }
  if (wrong != e->pool->zero) vec_push(e->arena, &e->model->demands, (SystemCheck){wrong, diag_drawing, text, span});
  return true;
}

static bool read_number(Elab *e, const Ast *a, const Binding *env, const char *what, ExprId *out) {
  *out = eval_scalar(e, a, env, what);
  return *out && read_length(e, *out, a->span, what);
}

static bool read_sides(Elab *e, const Ast *a, const Binding *env, SystemShape *shape) {
  Value v = eval(e, a, env);
  uint32_t sides = shape->kind == shape_cart ? 2 : shape->dims;
  if (!v.shape) return false;
  if (v.shape != value_vector || v.rows != sides) {
    diag_error(e->diags, diag_shape, a->span, "the size of this %s is a vector of %u, but this is %s",
               shape->kind == shape_cart ? "cart" : "box", sides, value_describe(e->arena, &v));
    return false;
  }
  for (uint32_t i = 0; i < sides; i++) {
    shape->size[i] = value_item(&v, i);
    if (!read_length(e, shape->size[i], a->span, "a side")) return false;
  }
  return true;
}

static bool read_coils(Elab *e, const Ast *a, const Binding *env, SystemShape *shape) {
  enum { most = 1000 };
  ExprId id = eval_scalar(e, a, env, "the number of coils");
  Rat r;
  if (!id) return false;
  double n = expr_number(e->pool, id, &r) ? rat_to_double(r) : 0;
  if (!(n >= 1) || n > most || n != (double)(uint32_t)n) {
    diag_error(e->diags, diag_not_whole, a->span, "the coils of a spring are a whole number from 1 to %d", most);
    return false;
  }
  shape->coils = (uint32_t)n;
  return true;
}

// A rotation in a plane is an angle: the second point is the middle of the side that its own x axis leads to.
static bool turn_in_plane(Elab *e, const Ast *a, const Binding *env, SystemShape *shape) {
  ExprPool *pool = e->pool;
  ExprId angle = a ? eval_scalar(e, a, env, "the turn of a box in a plane") : pool->zero;
  if (!angle) return false;
  ExprId half = expr_scale(pool, (Rat){1, 2, NULL}, shape->size[0]);
  ExprId along[2] = {expr_fn(pool, op_cos, &angle, 1), expr_fn(pool, op_sin, &angle, 1)};
  for (int c = 0; c < 2; c++) shape->points[1][c] = expr_add(pool, shape->points[0][c], expr_mul(pool, half, along[c]));
  shape->count = 2;
  return true;
}

// In space the orientation is a rotation matrix, as of a body; without one a box stands along the axes.
static bool turn_in_space(Elab *e, const Ast *a, const Binding *env, SystemShape *shape) {
  Value v = a ? eval(e, a, env) : (Value){0};
  if (a && !v.shape) return false;
  if (a && (v.shape != value_matrix || v.rows != 3 || v.cols != 3)) {
    diag_error(e->diags, diag_shape, a->span, "a box in space is turned by a matrix of 3 by 3, but this is %s",
               value_describe(e->arena, &v));
    diag_hint(e->diags, "the matrix of a body is `upper.rotation`");
    return false;
  }
  for (uint32_t i = 0; i < 9; i++) shape->turn[i] = a ? value_item(&v, i) : i % 4 ? e->pool->zero : e->pool->one;
  return true;
}

static bool read_look(Elab *e, const ShapeLook *look, const Binding *env, SystemShape *shape) {
  Ast *const *said = look->said;
  bool sides = shape->kind == shape_box || shape->kind == shape_cart;
  shape->colour = look->colour;
  shape->text = look->text;
  if (said[clause_width] && !read_number(e, said[clause_width], env, "a width", &shape->width)) return false;
  if (said[clause_radius] && !read_number(e, said[clause_radius], env, "a radius", &shape->size[0])) return false;
  if (said[clause_size] && sides && !read_sides(e, said[clause_size], env, shape)) return false;
  if (said[clause_size] && !sides && !read_number(e, said[clause_size], env, "the size of a text", &shape->size[0]))
    return false;
  if (said[clause_coils] && !read_coils(e, said[clause_coils], env, shape)) return false;
  if (shape->kind != shape_box) return true;
  return shape->dims == 2 ? turn_in_plane(e, said[clause_turned], env, shape)
                          : turn_in_space(e, said[clause_turned], env, shape);
}

// The point of an item, as the one with the number `k` of the shape. False: reported.
static bool read_point(Elab *e, const Ast *a, const Binding *env, uint32_t k, SystemShape *shape) {
  Value v = eval(e, a, env);
  if (!v.shape) return false;
  if (v.shape != value_vector || (v.rows != 2 && v.rows != 3)) {
    diag_error(e->diags, diag_shape, a->span, "a point is a vector of 2 or 3, but this is %s",
               value_describe(e->arena, &v));
    return false;
  }
  if (k > 0 && v.rows != shape->dims) {
    diag_error(e->diags, diag_shape, a->span, "the two ends of a shape are a vector of %u and a vector of %u",
               shape->dims, v.rows);
    return false;
  }
  shape->dims = v.rows;
  for (uint32_t c = 0; c < v.rows; c++) shape->points[k][c] = value_item(&v, c);
  const char **units = k == 0 ? infer_shown(e, a, NULL, env, v.rows) : NULL;
  if (units) shape->si = units[0];
  shape->count = k + 1;
  shape->span = span_join(shape->span, a->span);
  return true;
}

// A shape from its first item on; returns how many items it has.
static uint32_t visit_shape(Elab *e, const Item *items, uint32_t left, const Binding *env) {
  const ShapeLook *look = items->look;
  SystemShape shape = {.kind = shape_named(items->name), .span = items->name_span};
  uint32_t needed = word_shape_points(items->name), n = 0;
  bool ok = true;
  for (; n < left && items[n].look == look; n++) {
    // a line goes on from its last point
    if (n >= needed) memcpy(shape.points[0], shape.points[1], sizeof shape.points[0]);
    bool read = read_point(e, items[n].value, env, !ok ? 0 : n < needed ? n : 1, &shape);
    ok = ok && read;
    if (ok && n + 1 == needed) ok = read_look(e, look, env, &shape);
    if (ok && n + 1 >= needed) vec_push(e->arena, &e->model->shapes, shape);
  }
  return n;
}

void visit_draw(Elab *e, const Stmt *s, const Binding *env) {
  e->model->draws = true;
  for (uint32_t i = 0; i < s->items.count;) i += visit_shape(e, &s->items.items[i], s->items.count - i, env);
}

// ---- units

// Sizes are lengths as the points are; a rotation is an angle.
void units_draw(Elab *e, const Stmt *s, const Binding *env) {
  Infer *f = e->infer;
  DimEnv names = {NULL, env};
  const ShapeLook *last = NULL;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    if (item->look == last) continue;
    last = item->look;
    // a point whose unit is known: zero has any
    const Ast *at = item->value;
    Dim place = {0};
    for (uint32_t k = i; k < s->items.count && s->items.items[k].look == last; k++) {
      DimValue point = infer_expr(f, s->items.items[k].value, names);
      Dimension known;
      bool told = false;
      for (uint32_t n = 0; point.shape && !told && n < point.rows * point.cols; n++) {
        Dim entry = dim_item(&point, n);
        told = entry.kind != dim_number && dim_known(f, &entry, &known);
        if (told || (k == i && n == 0)) place = entry, at = s->items.items[k].value;
      }
      if (told) break;
    }
    DimValue turned = last->said[clause_turned] ? infer_expr(f, last->said[clause_turned], names) : (DimValue){0};
    Dim angle = dim_of(form_plain());
    for (uint32_t k = 0; turned.shape && k < turned.rows * turned.cols; k++) {
      Dim entry = dim_item(&turned, k);
      if (!infer_same(f, &entry, last->said[clause_turned]->span, &angle, (Span){0}, "an angle is")) break;
    }
    for (int c = 0; c <= clause_width; c++) {
      DimValue v = last->said[c] ? infer_expr(f, last->said[c], names) : (DimValue){0};
      for (uint32_t k = 0; v.shape && k < v.rows * v.cols; k++) {
        Dim side = dim_item(&v, k);
        if (!infer_same(f, &side, last->said[c]->span, &place, at->span, "a size has the unit of its point")) break;
      }
    }
  }
}
