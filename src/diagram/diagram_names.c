// Names of a diagram, what expressions are made of, and their texts.
//
// in    a program
// out   a table of its symbols, hashed (FNV-1a, open addressing); for any tree the DiagramContent of it: does it hold
//       time, blocks, the plant, other signals, or is it constant? its text on one line
// how   the content of a name is that of its definition, found once; a name in work counts as a signal, so a cyclic
//       definition ends
#include "diagram/diagram_parts.h"

#include <string.h>

// ---- names

static uint32_t hash_of(const char *s) {
  uint32_t h = 2166136261u;
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  return h;
}

uint32_t diagram_symbol(const DiagramBuilder *b, const char *name) { // index plus one
  if (!b->table_size || !name) return 0;
  for (uint32_t at = hash_of(name) & (b->table_size - 1); b->table[at]; at = (at + 1) & (b->table_size - 1)) {
    if (strcmp(b->symbols.items[b->table[at] - 1].name, name) == 0) return b->table[at];
  }
  return 0;
}

static void symbol_add(DiagramBuilder *b, DeclKind kind, const char *name, const Item *item, const Stmt *stmt) {
  if (diagram_symbol(b, name)) return;
  DiagramSymbol s = {
      .name = name, .kind = kind, .item = item, .stmt = stmt, .ref = {diagram_no_ref, diagram_no_ref, diagram_no_ref}};
  if (!vec_push(b->arena, &b->symbols, s)) return;
  uint32_t at = hash_of(name) & (b->table_size - 1);
  while (b->table[at]) at = (at + 1) & (b->table_size - 1);
  b->table[at] = b->symbols.count;
}

// Is it set by a `when` or `every`?
static bool set_by_events(const DiagramBuilder *b, const char *name) {
  for (uint32_t i = 0; i < b->program->statements.count; i++) {
    const Stmt *s = &b->program->statements.items[i];
    for (uint32_t n = 0; word_statement(s->kind)->picture == drawn_event && n < s->items.count; n++) {
      if (!s->items.items[n].path.count && strcmp(s->items.items[n].name, name) == 0) return true;
    }
  }
  return false;
}

// Inputs that are ports; and where energy flows by matrices, states without equations are inside of the plant.
static void declare_ports(DiagramBuilder *b) {
  bool matrices = false;
  for (uint32_t i = 0; i < b->program->statements.count; i++) {
    const Stmt *s = &b->program->statements.items[i];
    matrices = matrices || s->kind == stmt_interconnection || s->kind == stmt_hamiltonian;
    uint32_t at = s->kind == stmt_port && s->items.count && !s->items.items[0].path.count
                      ? diagram_symbol(b, s->items.items[0].name)
                      : 0;
    if (at) b->symbols.items[at - 1].port = true;
  }
  for (uint32_t i = 0; matrices && i < b->symbols.count; i++) {
    DiagramSymbol *s = &b->symbols.items[i];
    if (s->kind == decl_state && !s->equation && !set_by_events(b, s->name)) s->kind = decl_coord;
  }
}

void diagram_declare(DiagramBuilder *b) {
  uint32_t names = 16;
  for (uint32_t i = 0; i < b->program->statements.count; i++) names += b->program->statements.items[i].items.count + 1;
  for (b->table_size = 64; b->table_size < 2 * names;) b->table_size *= 2;
  b->table = arena_array(b->arena, b->table_size, sizeof *b->table);
  if (!b->table) return;
  for (uint32_t i = 0; i < b->program->statements.count; i++) {
    const Stmt *s = &b->program->statements.items[i];
    if (s->kind == stmt_use && s->items.count) symbol_add(b, decl_part, s->items.items[0].name, &s->items.items[0], s);
    DeclKind kind = word_statement(s->kind)->declares;
    // multipliers are names of a part, the plant
    if (kind == decl_multiplier) symbol_add(b, kind, "lambda", NULL, s);
    for (uint32_t n = 0; kind != decl_none && kind != decl_multiplier && kind != decl_output && n < s->items.count; n++)
      symbol_add(b, kind == decl_body && n ? decl_coord : kind, s->items.items[n].name, &s->items.items[n], s);
  }
  for (uint32_t i = 0; i < b->program->statements.count; i++) {
    const Stmt *s = &b->program->statements.items[i];
    for (uint32_t n = 0; s->kind == stmt_equation && n < s->items.count; n++) {
      uint32_t at = s->items.items[n].path.count ? 0 : diagram_symbol(b, s->items.items[n].name);
      if (!at) continue;
      DiagramSymbol *x = &b->symbols.items[at - 1];
      if (!x->equation) x->equation = &s->items.items[n];
      vec_push(b->arena, &x->equations, (DiagramEquation){&s->items.items[n], s});
    }
  }
  declare_ports(b);
}

bool diagram_is_bound(const DiagramBuilder *b, const char *name) { // a variable of `for`
  for (uint32_t i = 0; b->fors && i < b->fors->fors.count; i++) {
    if (strcmp(b->fors->fors.items[i].name, name) == 0) return true;
  }
  return false;
}

// ---- what an expression is made of

// A block even where its arguments are constant: those of the language, and what makes a signal by itself.
static bool is_block_name(const char *name) {
  enum { alone_function = false, alone_formula = false, alone_noise = true, alone_table = true };
  static const bool blocks[] = {
#define FUNCTION(word, least, most, shape, rule, picture, line) alone_##picture,
#define ELEMENTARY(word, least, most, rule, picture) false,
#define BLOCK(word, least, most, rule, picture, line) true,
#include "lang/words.def"
  };
  uint32_t at = word_call(name);
  return at != word_no_call && blocks[at];
}

// What a name brings with it. Constants bring nothing.
unsigned diagram_name_content(DiagramBuilder *b, const char *name) {
  if (strcmp(name, "t") == 0) return has_time;
  uint32_t at = diagram_is_bound(b, name) ? 0 : diagram_symbol(b, name);
  if (!at) return strcmp(name, "p") == 0 && !diagram_is_bound(b, name) ? has_plant : 0; // momenta
  DiagramSymbol *s = &b->symbols.items[at - 1];
  switch (s->kind) {
  case decl_param:
  case decl_fun: return 0;
  case decl_body: return has_plant;
  case decl_coord: return s->equation ? has_signal : has_plant;
  case decl_let: break;
  default: return has_signal;
  }
  if (s->working) return has_signal; // a cyclic definition
  if (!s->looked) {
    s->working = true;
    const Stmt *outer = b->fors;
    b->fors = s->stmt;
    unsigned c = s->item->value ? diagram_content(b, s->item->value) : 0;
    b->fors = outer;
    s = &b->symbols.items[at - 1];
    s->working = false;
    s->looked = true;
    s->constant = c == 0;
    s->inner = c == has_plant;
  }
  return s->constant ? 0 : s->inner ? has_plant : has_signal;
}

unsigned diagram_content(DiagramBuilder *b, const Ast *a) {
  unsigned c = 0;
  if (++b->depth > 2000) {
    b->depth--;
    return has_signal;
  }
  if (a->kind == ast_name) c |= diagram_name_content(b, a->name);
  if (a->kind == ast_call) {
    c |= is_block_name(a->name) ? has_block : 0;
    c |= diagram_name_content(b, a->name);
  }
  for (uint32_t i = 0; i < a->count; i++) c |= diagram_content(b, a->items[i]);
  b->depth--;
  return c;
}

bool diagram_is_constant(DiagramBuilder *b, const Ast *a) { return diagram_content(b, a) == 0; }

// ---- texts

// As written, on one line, not too long.
static const char *written(DiagramBuilder *b, Span span) {
  enum { most = 28 }; // letters: more make a block wider than its neighbours together
  const Source *source = source_get(b->sources, span);
  Text t = text_in(b->arena);
  uint32_t letters = 0;
  bool blank = false;
  for (uint32_t at = span.start; source && at < span.end;) {
    uint32_t code;
    size_t n = utf8_decode(source->text + at, source->length - at, &code);
    if (n == 0) n = 1;
    if (code <= 32) {
      blank = true;
    } else {
      if (letters >= most) {
        text_put(&t, "…");
        break;
      }
      if (blank && t.length) text_putc(&t, ' ');
      blank = false;
      text_putn(&t, source->text + at, n);
      letters++;
    }
    at += (uint32_t)n;
  }
  return text_str(&t);
}

const char *diagram_text(DiagramBuilder *b, const Ast *a) { return written(b, a->span); }
const char *diagram_bracketed(DiagramBuilder *b, const Ast *a) {
  const char *text = diagram_text(b, a), *end = text;
  if (a->kind != ast_sum && a->kind != ast_negate) return text;
  // the brackets may be part of what was written
  int open = 0;
  do open += *end == '(' ? 1 : *end == ')' ? -1 : 0;
  while (open > 0 && *++end);
  bool whole = *text == '(' && *end && !end[1];
  return whole ? text : arena_printf(b->arena, "(%s)", text);
}

// a polynomial in s, highest power first
const char *diagram_polynomial(DiagramBuilder *b, const Ast *a) {
  static const char *const raised[] = {"", "s", "s²", "s³", "s⁴", "s⁵", "s⁶", "s⁷", "s⁸", "s⁹"};
  if (a->kind != ast_list || a->count > 10) return diagram_text(b, a);
  Text t = text_in(b->arena);
  for (uint32_t i = 0; i < a->count; i++) {
    const Ast *x = a->items[i];
    const char *power = raised[a->count - 1 - i], *factor = diagram_bracketed(b, x);
    bool one = x->kind == ast_number && strcmp(factor, "1") == 0,
         zero = x->kind == ast_number && strcmp(factor, "0") == 0;
    if (zero && a->count > 1) continue;
    if (t.length) text_put(&t, " + ");
    text_printf(&t, "%s%s%s", one && *power ? "" : factor, *power && !one ? " " : "", power);
  }
  return t.length ? text_str(&t) : "0";
}
