// Expressions as blocks.
//
// in    a tree of the parser
// out   the output that carries its value; new nodes and wires in the diagram
// how   A sum is an adder with signs; a product is a gain on the wire where all factors but one are constant, else a
//       multiplier; calls of the blocks of the language have their own symbols, with constant arguments written under
//       them; what has no block of its own is one block with the formula inside.
#include "diagram/pictures.h"

#include "lang/lexer.h"

#include <string.h>

// ---- nodes

uint32_t diagram_node(DiagramBuilder *b, BlockKind kind, const char *text) {
  if (b->diagram->nodes.count > diagram_most) return diagram_most;
  vec_push(b->arena, &b->diagram->nodes, (DiagramNode){.kind = kind, .text = text});
  return b->diagram->nodes.count ? b->diagram->nodes.count - 1 : 0;
}

void diagram_pin(DiagramBuilder *b, uint32_t node, DiagramRef from, char sign, const char *gain, const char *label) {
  if (from.none || node >= b->diagram->nodes.count) return;
  DiagramPin pin = {.node = from.node | (from.symbolic ? DIAGRAM_PIN_SYMBOLIC : 0),
                    .out = from.out,
                    .sign = sign,
                    .gain = gain,
                    .label = label};
  vec_push(b->arena, &diagram_node_at(b, node)->pins, pin);
}

DiagramRef diagram_constant(DiagramBuilder *b, const char *text) {
  return diagram_ref(diagram_node(b, block_constant, text), 0);
}

// ---- sums and products

typedef struct DiagramFactors {
  Text gain; // of the constants, "" for 1
  VEC(const Ast *) over, under;
  bool minus, divided;
} DiagramFactors;

static void take_factor(DiagramBuilder *b, DiagramFactors *f, const Ast *a, bool under) {
  if (a->kind == ast_negate) {
    f->minus = !f->minus;
    a = a->items[0];
  }
  if (a->kind == ast_product) {
    for (uint32_t i = 0; i < a->count; i++) take_factor(b, f, a->items[i], under != (a->ops[i] == '/' && i > 0));
    return;
  }
  if (!diagram_is_constant(b, a)) {
    if (under) vec_push(b->arena, &f->under, a);
    else vec_push(b->arena, &f->over, a);
    return;
  }
  const char *text = diagram_bracketed(b, a);
  if (!under && a->kind == ast_number && strcmp(text, "1") == 0) return;
  if (f->gain.length) text_put(&f->gain, under ? "/" : "·");
  else if (under) text_put(&f->gain, "1/");
  text_put(&f->gain, text);
}

static DiagramRef multiply(DiagramBuilder *b, const DiagramFactors *f) {
  if (f->over.count == 1 && f->under.count == 0) return diagram_expr(b, f->over.items[0]);
  uint32_t node = diagram_node(b, block_product, "×");
  if (f->over.count == 0) diagram_pin(b, node, diagram_constant(b, "1"), '*', NULL, NULL);
  for (uint32_t i = 0; i < f->over.count; i++)
    diagram_pin(b, node, diagram_expr(b, f->over.items[i]), f->under.count ? '*' : 0, NULL, NULL);
  for (uint32_t i = 0; i < f->under.count; i++)
    diagram_pin(b, node, diagram_expr(b, f->under.items[i]), '/', NULL, NULL);
  return diagram_ref(node, 0);
}

static DiagramRef build_product(DiagramBuilder *b, const Ast *a) {
  DiagramFactors f = {.gain = text_in(b->arena)};
  take_factor(b, &f, a, false);
  DiagramRef product = multiply(b, &f);
  if (!f.gain.length && !f.minus) return product;
  const char *gain = arena_printf(b->arena, "%s%s", f.minus ? "−" : "", f.gain.length ? text_str(&f.gain) : "1");
  uint32_t node = diagram_node(b, block_gain, gain);
  diagram_pin(b, node, product, 0, NULL, NULL);
  return diagram_ref(node, 0);
}

void diagram_sum_terms(DiagramBuilder *b, uint32_t node, const Ast *a, bool minus, bool outside) {
  if (a->kind == ast_sum) {
    for (uint32_t i = 0; i < a->count; i++)
      diagram_sum_terms(b, node, a->items[i], minus != (a->ops[i] == '-'), outside);
    return;
  }
  if (a->kind == ast_negate && a->items[0]->kind == ast_sum) {
    diagram_sum_terms(b, node, a->items[0], !minus, outside);
    return;
  }
  // what a plant does by itself stays in it
  unsigned c = diagram_content(b, a);
  if (outside && !(c & (has_signal | has_block | has_time))) return;
  if (c == 0) {
    diagram_pin(b, node, diagram_constant(b, diagram_text(b, a->kind == ast_negate ? a->items[0] : a)),
                minus != (a->kind == ast_negate) ? '-' : '+', NULL, NULL);
    return;
  }
  DiagramFactors f = {.gain = text_in(b->arena)};
  take_factor(b, &f, a, false);
  DiagramRef product = multiply(b, &f);
  diagram_pin(b, node, product, minus != f.minus ? '-' : '+', f.gain.length ? text_str(&f.gain) : NULL, NULL);
}

// A sum with one wire left is that wire.
DiagramRef diagram_finish_sum(DiagramBuilder *b, uint32_t node) {
  if (node >= b->diagram->nodes.count) return diagram_no_ref;
  DiagramNode *n = diagram_node_at(b, node);
  if (n->pins.count != 1) return n->pins.count ? diagram_ref(node, 0) : diagram_no_ref;
  DiagramPin *p = &n->pins.items[0];
  if (p->sign == '+' && !p->gain) {
    // the node stays, unused, and goes at the end
    n->kind = block_kinds;
    DiagramRef r = {
        .symbolic = (p->node & DIAGRAM_PIN_SYMBOLIC) != 0, .node = p->node & ~DIAGRAM_PIN_SYMBOLIC, .out = p->out};
    n->pins.count = 0;
    return r;
  }
  n->kind = block_gain;
  n->text = arena_printf(b->arena, "%s%s", p->sign == '-' ? "−" : "", p->gain ? p->gain : "1");
  p->sign = 0;
  p->gain = NULL;
  return diagram_ref(node, 0);
}

// ---- anything else: one block with its formula

const Ast *diagram_path_base(const DiagramBuilder *b, const Ast *a) {
  bool path = false;
  if (a->kind == ast_prime) a = a->items[0];
  while ((a->kind == ast_field || a->kind == ast_index) && a->count) {
    path = true;
    a = a->items[0];
  }
  if (!path || a->kind != ast_name) return NULL;
  uint32_t at = diagram_symbol(b, a->name);
  if (!at) return strcmp(a->name, "p") == 0 ? a : NULL; // momenta
  const DiagramSymbol *s = &b->symbols.items[at - 1];
  return s->kind == decl_part || s->kind == decl_multiplier || s->kind == decl_body || s->port ? a : NULL;
}

// A name is taken once.
bool diagram_seen(DiagramBuilder *b, DiagramNames *seen, const char *key) {
  for (uint32_t i = 0; i < seen->count; i++) {
    if (strcmp(seen->items[i], key) == 0) return true;
  }
  vec_push(b->arena, seen, key);
  return false;
}

static void formula_walk(DiagramBuilder *b, uint32_t node, const Ast *a, DiagramNames *seen) {
  uint32_t primes = 0;
  if (diagram_path_base(b, a)) {
    const char *text = diagram_text(b, a);
    if (!diagram_seen(b, seen, text)) diagram_pin(b, node, diagram_part_ref(b, a), 0, NULL, text);
    return;
  }
  if (diagram_family(b, a)) {
    const char *text = diagram_text(b, a);
    if (diagram_content(b, a) && !diagram_seen(b, seen, text))
      diagram_pin(b, node, diagram_element_ref(b, a), 0, NULL, text);
    return;
  }
  if (a->kind == ast_prime && a->items[0]->kind == ast_name) {
    primes = a->primes;
    a = a->items[0];
  }
  if (a->kind == ast_name || a->kind == ast_call) {
    if (a->kind == ast_name && diagram_name_content(b, a->name)) {
      const char *key = arena_printf(b->arena, "%s%.*s", a->name, (int)(primes < 3 ? primes : 3), "'''");
      if (!key || diagram_seen(b, seen, key)) return;
      diagram_pin(b, node, diagram_name_ref(b, a->name, primes), 0, NULL, strcmp(a->name, "t") == 0 ? NULL : key);
      return;
    }
  }
  for (uint32_t i = 0; i < a->count; i++) formula_walk(b, node, a->items[i], seen);
}

DiagramRef diagram_formula(DiagramBuilder *b, const Ast *a) {
  unsigned c = diagram_content(b, a);
  if (c == 0) return diagram_constant(b, diagram_text(b, a));
  if (c == has_time) return diagram_ref(diagram_node(b, block_source, diagram_text(b, a)), 0);
  uint32_t node = diagram_node(b, block_function, diagram_text(b, a));
  DiagramNames seen = {0};
  formula_walk(b, node, a, &seen);
  return diagram_ref(node, 0);
}

static uint32_t size_of(const Ast *a) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < a->count; i++) n += size_of(a->items[i]);
  return n;
}

DiagramRef diagram_box_out(DiagramBuilder *b, uint32_t node, const char *name, uint32_t primes) {
  const char *label = arena_printf(b->arena, "%s%.*s", name, (int)(primes < 3 ? primes : 3), "'''");
  DiagramNode *box = diagram_node_at(b, node);
  for (uint32_t i = 0; label && i < box->outs.count; i++) {
    if (strcmp(box->outs.items[i], label) == 0) return diagram_ref(node, i);
  }
  if (!label || !vec_push(b->arena, &box->outs, label)) return diagram_no_ref;
  return diagram_ref(node, box->outs.count - 1);
}

DiagramRef diagram_name_ref(DiagramBuilder *b, const char *name, uint32_t primes) {
  if (strcmp(name, "t") == 0) return diagram_ref(diagram_node(b, block_source, "t"), 0);
  uint32_t at = diagram_is_bound(b, name) ? 0 : diagram_symbol(b, name);
  if (!at) return diagram_constant(b, name);
  const DiagramSymbol *s = &b->symbols.items[at - 1];
  if (s->kind == decl_coord && !s->equation)
    return b->plant ? diagram_box_out(b, b->plant - 1, name, primes) : diagram_no_ref;
  if (s->kind == decl_unknown) return b->solver ? diagram_box_out(b, b->solver - 1, name, primes) : diagram_no_ref;
  if (s->kind == decl_param || s->kind == decl_fun || (diagram_name_content(b, name) == 0 && !primes))
    return diagram_constant(b, name);
  bool rates = s->kind == decl_state || s->kind == decl_coord;
  if (primes && rates && primes < 3) return (DiagramRef){.symbolic = true, .node = at - 1, .out = primes};
  DiagramRef r = {.symbolic = true, .node = at - 1};
  if (!primes) return r;
  uint32_t node = diagram_node(b, block_fraction, primes > 1 ? "d²" : "d");
  if (node < b->diagram->nodes.count) diagram_node_at(b, node)->below = primes > 1 ? "dt²" : "dt";
  diagram_pin(b, node, r, 0, NULL, NULL);
  return diagram_ref(node, 0);
}

const char *diagram_family(const DiagramBuilder *b, const Ast *a) {
  if (a->kind == ast_prime) a = a->items[0];
  if (a->kind != ast_index || !a->count || a->items[0]->kind != ast_name) return NULL;
  uint32_t at = diagram_is_bound(b, a->items[0]->name) ? 0 : diagram_symbol(b, a->items[0]->name);
  if (!at || !b->symbols.items[at - 1].item || !b->symbols.items[at - 1].item->index) return NULL;
  DeclKind kind = b->symbols.items[at - 1].kind;
  return kind == decl_part || kind == decl_param || kind == decl_fun ? NULL : a->items[0]->name;
}

static bool has_bound(const DiagramBuilder *b, const Ast *a) {
  if (a->kind == ast_name && diagram_is_bound(b, a->name)) return true;
  for (uint32_t i = 0; i < a->count; i++) {
    if (has_bound(b, a->items[i])) return true;
  }
  return false;
}

// The wire of a family holds all of it. The element that the statement is about (T[i] for i in ...) is the wire itself;
// any other one, T[i - 1] or T[50], is taken out of it by a block.
DiagramRef diagram_element_ref(DiagramBuilder *b, const Ast *a) {
  uint32_t primes = a->kind == ast_prime ? a->primes : 0;
  const Ast *element = primes ? a->items[0] : a, *index = element->count > 1 ? element->items[1] : NULL;
  const char *name = diagram_family(b, a), *text = diagram_text(b, a);
  const DiagramSymbol *s = &b->symbols.items[diagram_symbol(b, name) - 1];
  bool plant = s->kind == decl_coord && !s->equation,
       own = index && index->kind == ast_name &&
             (diagram_is_bound(b, index->name) || !diagram_symbol(b, index->name)); // of `for`, or of a `sum`
  if (plant) return b->plant ? diagram_box_out(b, b->plant - 1, diagram_text(b, element), primes) : diagram_no_ref;
  if (s->kind == decl_unknown)
    return b->solver ? diagram_box_out(b, b->solver - 1, diagram_text(b, element), primes) : diagram_no_ref;
  if (own) return diagram_name_ref(b, name, primes);
  const Stmt *stmt = index && has_bound(b, index) ? b->fors : NULL;
  for (uint32_t i = 0; i < b->elements.count; i++) {
    const DiagramElement *e = &b->elements.items[i];
    if (e->stmt == stmt && strcmp(e->text, text) == 0) return e->ref;
  }
  uint32_t node = diagram_node(b, block_function, text);
  diagram_pin(b, node, diagram_name_ref(b, name, primes), 0, NULL, NULL);
  vec_push(b->arena, &b->elements, (DiagramElement){text, stmt, diagram_ref(node, 0)});
  return diagram_ref(node, 0);
}

// p.x, p.hip.x: a momentum of the plant, or of a part.
static DiagramRef momentum_ref(DiagramBuilder *b, const Ast *a) {
  const Ast *inner = a->kind == ast_field ? a->items[0] : NULL;
  uint32_t at = inner && inner->kind == ast_field ? diagram_symbol(b, inner->name) : 0;
  if (at && b->symbols.items[at - 1].kind == decl_part && !b->symbols.items[at - 1].ref[0].none)
    return diagram_box_out(b, b->symbols.items[at - 1].ref[0].node, arena_printf(b->arena, "p.%s", a->name), 0);
  return b->plant ? diagram_box_out(b, b->plant - 1, diagram_text(b, a), 0) : diagram_no_ref;
}

DiagramRef diagram_part_ref(DiagramBuilder *b, const Ast *a) { // hip.i, link[2].th, hip.th'
  const Ast *base = a;
  uint32_t primes = 0;
  if (a->kind == ast_prime) {
    primes = a->primes < 3 ? a->primes : 3;
    base = a = a->items[0];
  }
  while ((base->kind == ast_field || base->kind == ast_index) && base->count) base = base->items[0];
  uint32_t at = base->kind == ast_name ? diagram_symbol(b, base->name) : 0;
  if (!at) return diagram_path_base(b, a) ? momentum_ref(b, a) : diagram_formula(b, a);
  DiagramSymbol *s = &b->symbols.items[at - 1];
  if (s->kind == decl_multiplier || s->kind == decl_body || s->port)
    return b->plant ? diagram_box_out(b, b->plant - 1, diagram_text(b, a), primes) : diagram_no_ref;
  if (s->kind != decl_part) return diagram_family(b, a) ? diagram_element_ref(b, a) : diagram_formula(b, a);
  if (s->ref[0].none) return diagram_no_ref;
  const Ast *inner = a->kind == ast_field ? a->items[0] : NULL;
  bool multiplier = inner && inner->kind == ast_field && strcmp(inner->name, "lambda") == 0;
  bool port = inner && inner->kind == ast_field && strcmp(a->name, "y") == 0; // motor.T.y
  const char *label = multiplier ? arena_printf(b->arena, "lambda.%s", a->name)
                      : port     ? arena_printf(b->arena, "%s.y", inner->name)
                      : inner    ? a->name
                                 : diagram_text(b, a);
  return diagram_box_out(b, s->ref[0].node, label, primes);
}

static DiagramRef build_two(DiagramBuilder *b, const Ast *a, BlockKind kind, const char *text) {
  uint32_t node = diagram_node(b, kind, text);
  for (uint32_t i = 0; i < a->count; i++) diagram_pin(b, node, diagram_expr(b, a->items[i]), 0, NULL, NULL);
  return diagram_ref(node, 0);
}

static DiagramRef build_comparison(DiagramBuilder *b, const Ast *a) {
  const char *op = a->op == tok_lt   ? "<"
                   : a->op == tok_le ? "≤"
                   : a->op == tok_gt ? ">"
                   : a->op == tok_ge ? "≥"
                   : a->op == tok_eq ? "="
                                     : "≠";
  bool plain = diagram_is_constant(b, a->items[1]);
  uint32_t node =
      diagram_node(b, block_function, plain ? arena_printf(b->arena, "%s %s", op, diagram_text(b, a->items[1])) : op);
  diagram_pin(b, node, diagram_expr(b, a->items[0]), 0, NULL, NULL);
  if (!plain) diagram_pin(b, node, diagram_expr(b, a->items[1]), 0, NULL, NULL);
  return diagram_ref(node, 0);
}

static DiagramRef build_power(DiagramBuilder *b, const Ast *a) {
  static const char *const raised[] = {"u⁰", "u", "u²", "u³", "u⁴", "u⁵"};
  if (!diagram_is_constant(b, a->items[1])) return diagram_formula(b, a);
  const char *text = diagram_text(b, a->items[1]);
  bool small = a->items[1]->kind == ast_number && strlen(text) == 1 && *text >= '0' && *text <= '5';
  uint32_t node =
      diagram_node(b, block_function,
                   small ? raised[*text - '0'] : arena_printf(b->arena, "u^%s", diagram_bracketed(b, a->items[1])));
  diagram_pin(b, node, diagram_expr(b, a->items[0]), 0, NULL, NULL);
  return diagram_ref(node, 0);
}

DiagramRef diagram_expr(DiagramBuilder *b, const Ast *a) {
  if (arena_failed(b->arena)) return diagram_no_ref;
  unsigned c = diagram_content(b, a);
  if (c == 0) return diagram_constant(b, diagram_text(b, a));
  if (b->depth > 400) return diagram_formula(b, a);
  b->depth++;
  DiagramRef r;
  bool blocks = (c & has_block) != 0;
  bool huge = !blocks && a->kind != ast_name && size_of(a) > 60;
  if (huge) r = diagram_formula(b, a);
  else if (c == has_time && a->kind != ast_call) r = diagram_formula(b, a);
  else switch (a->kind) {
    case ast_name: r = diagram_name_ref(b, a->name, 0); break;
    case ast_sum: {
      uint32_t node = diagram_node(b, block_sum, "");
      diagram_sum_terms(b, node, a, false, false);
      r = diagram_finish_sum(b, node);
      break;
    }
    case ast_product:
    case ast_negate: r = build_product(b, a); break;
    case ast_power: r = build_power(b, a); break;
    case ast_prime:
      r = diagram_path_base(b, a)         ? diagram_part_ref(b, a)
          : diagram_family(b, a)          ? diagram_element_ref(b, a)
          : a->items[0]->kind == ast_name ? diagram_name_ref(b, a->items[0]->name, a->primes)
                                          : diagram_formula(b, a);
      break;
    case ast_call: r = c == has_time && !picture_is_signal(a->name) ? diagram_formula(b, a) : picture_call(b, a); break;
    case ast_index:
    case ast_field: r = diagram_part_ref(b, a); break;
    case ast_and: r = build_two(b, a, block_and, ""); break;
    case ast_or: r = build_two(b, a, block_or, ""); break;
    case ast_not: r = build_two(b, a, block_nor, ""); break;
    case ast_compare: r = build_comparison(b, a); break;
    default: r = diagram_formula(b, a); break;
    }
  b->depth--;
  return r;
}
