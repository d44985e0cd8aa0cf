// Expressions as blocks.
#include "diagram/diagram_parts.h"

#include "lang/lexer.h"

#include <string.h>

const Ref no_ref = {.none = true};

// ---- nodes

uint32_t node_add(Builder *b, BlockKind kind, const char *text) {
  if (b->diagram->nodes.count > diagram_most) return diagram_most;
  vec_push(b->arena, &b->diagram->nodes, (DiagramNode){.kind = kind, .text = text});
  return b->diagram->nodes.count ? b->diagram->nodes.count - 1 : 0;
}

void pin_add(Builder *b, uint32_t node, Ref from, char sign, const char *gain, const char *label) {
  if (from.none || node >= b->diagram->nodes.count) return;
  DiagramPin pin = {
      .node = from.node, .out = from.out, .symbolic = from.symbolic, .sign = sign, .gain = gain, .label = label};
  vec_push(b->arena, &node_at(b, node)->pins, pin);
}

static Ref constant_node(Builder *b, const char *text) { return ref_to(node_add(b, block_constant, text), 0); }

// ---- sums and products

typedef struct Factors {
  Text gain; // of the constants, "" for 1
  VEC(const Ast *) over, under;
  bool minus, divided;
} Factors;

static void take_factor(Builder *b, Factors *f, const Ast *a, bool under) {
  if (a->kind == ast_negate) {
    f->minus = !f->minus;
    a = a->items[0];
  }
  if (a->kind == ast_product) {
    for (uint32_t i = 0; i < a->count; i++) take_factor(b, f, a->items[i], under != (a->ops[i] == '/' && i > 0));
    return;
  }
  if (!is_constant(b, a)) {
    if (under) vec_push(b->arena, &f->under, a);
    else vec_push(b->arena, &f->over, a);
    return;
  }
  const char *text = bracketed(b, a);
  if (!under && a->kind == ast_number && strcmp(text, "1") == 0) return;
  if (f->gain.length) text_put(&f->gain, under ? "/" : "·");
  else if (under) text_put(&f->gain, "1/");
  text_put(&f->gain, text);
}

static Ref multiply(Builder *b, const Factors *f) {
  if (f->over.count == 1 && f->under.count == 0) return build(b, f->over.items[0]);
  uint32_t node = node_add(b, block_product, "×");
  if (f->over.count == 0) pin_add(b, node, constant_node(b, "1"), '*', NULL, NULL);
  for (uint32_t i = 0; i < f->over.count; i++)
    pin_add(b, node, build(b, f->over.items[i]), f->under.count ? '*' : 0, NULL, NULL);
  for (uint32_t i = 0; i < f->under.count; i++) pin_add(b, node, build(b, f->under.items[i]), '/', NULL, NULL);
  return ref_to(node, 0);
}

static Ref build_product(Builder *b, const Ast *a) {
  Factors f = {.gain = text_in(b->arena)};
  take_factor(b, &f, a, false);
  Ref product = multiply(b, &f);
  if (!f.gain.length && !f.minus) return product;
  const char *gain = arena_printf(b->arena, "%s%s", f.minus ? "−" : "", f.gain.length ? text_str(&f.gain) : "1");
  uint32_t node = node_add(b, block_gain, gain);
  pin_add(b, node, product, 0, NULL, NULL);
  return ref_to(node, 0);
}

void sum_terms(Builder *b, uint32_t node, const Ast *a, bool minus, bool outside) {
  if (a->kind == ast_sum) {
    for (uint32_t i = 0; i < a->count; i++) sum_terms(b, node, a->items[i], minus != (a->ops[i] == '-'), outside);
    return;
  }
  if (a->kind == ast_negate && a->items[0]->kind == ast_sum) {
    sum_terms(b, node, a->items[0], !minus, outside);
    return;
  }
  // what a plant does by itself stays in it
  unsigned c = content(b, a);
  if (outside && !(c & (has_signal | has_block | has_time))) return;
  if (c == 0) {
    pin_add(b, node, constant_node(b, text_of(b, a->kind == ast_negate ? a->items[0] : a)),
            minus != (a->kind == ast_negate) ? '-' : '+', NULL, NULL);
    return;
  }
  Factors f = {.gain = text_in(b->arena)};
  take_factor(b, &f, a, false);
  Ref product = multiply(b, &f);
  pin_add(b, node, product, minus != f.minus ? '-' : '+', f.gain.length ? text_str(&f.gain) : NULL, NULL);
}

// A sum with one wire left is that wire.
Ref finish_sum(Builder *b, uint32_t node) {
  if (node >= b->diagram->nodes.count) return no_ref;
  DiagramNode *n = node_at(b, node);
  if (n->pins.count != 1) return n->pins.count ? ref_to(node, 0) : no_ref;
  DiagramPin *p = &n->pins.items[0];
  if (p->sign == '+' && !p->gain) {
    // the node stays, unused, and goes at the end
    n->kind = block_kinds;
    Ref r = {.symbolic = p->symbolic, .node = p->node, .out = p->out};
    n->pins.count = 0;
    return r;
  }
  n->kind = block_gain;
  n->text = arena_printf(b->arena, "%s%s", p->sign == '-' ? "−" : "", p->gain ? p->gain : "1");
  p->sign = 0;
  p->gain = NULL;
  return ref_to(node, 0);
}

// ---- calls

// A block: arguments that change become pins, constants stand under it.
static Ref build_block(Builder *b, const Ast *a, BlockKind kind, const char *text, const char *const *labels) {
  uint32_t node = node_add(b, kind, text);
  Text caption = text_in(b->arena);
  for (uint32_t i = 0; i < a->count; i++) {
    const Ast *x = a->items[i];
    if (i > 0 && is_constant(b, x)) {
      if (caption.length) text_put(&caption, kind == block_limit ? " … " : ", ");
      text_put(&caption, text_of(b, x));
      continue;
    }
    Ref from = build(b, x);
    const char *label = labels && labels[0] ? labels[i < 3 ? i : 2] : i > 0 ? text_of(b, x) : NULL;
    if (!labels && i > 0 && kind == block_function) label = NULL;
    pin_add(b, node, from, 0, NULL, label);
  }
  if (caption.length && node < b->diagram->nodes.count) node_at(b, node)->caption = text_str(&caption);
  return ref_to(node, 0);
}

Ref build_signal(Builder *b, const Ast *a) { // step(t - 1), ramp(t)
  BlockKind kind = strcmp(a->name, "step") == 0 ? block_step : block_ramp;
  const Ast *x = a->items[0];
  bool plain = x->kind == ast_name && strcmp(x->name, "t") == 0,
       shifted = x->kind == ast_sum && x->count == 2 && x->items[0]->kind == ast_name;
  if (!plain && !(shifted && strcmp(x->items[0]->name, "t") == 0)) return build_formula(b, a);
  uint32_t node = node_add(b, kind, a->name);
  if (shifted && node < b->diagram->nodes.count) {
    node_at(b, node)->caption =
        arena_printf(b->arena, "t = %s%s", x->ops[1] == '-' ? "" : "−", text_of(b, x->items[1]));
  }
  return ref_to(node, 0);
}

static Ref build_call(Builder *b, const Ast *a) {
  static const char *const gate_labels[] = {"", "", ""}, *const latch_labels[] = {"S", "R", "q"},
                           *const switch_labels[] = {"c", "", ""}, *const if_labels[] = {"if", "then", "else"};
  static const struct {
    const char *name;
    BlockKind kind;
    const char *text;
    const char *const *labels;
  } blocks[] = {{"limit", block_limit, "", NULL},         {"rectify", block_rectify, "", NULL},
                {"deadzone", block_deadzone, "", NULL},   {"backlash", block_backlash, "", NULL},
                {"compare", block_compare, "", NULL},     {"hysteresis", block_hysteresis, "", NULL},
                {"sign", block_sign, "", NULL},           {"abs", block_abs, "", NULL},
                {"pulse", block_pulse, "", NULL},         {"switch", block_switch, "", switch_labels},
                {"all", block_and, "", gate_labels},      {"nand", block_nand, "", gate_labels},
                {"any", block_or, "", gate_labels},       {"nor", block_nor, "", gate_labels},
                {"latch", block_latch, "", latch_labels}, {"if", block_function, "if", if_labels},
                {"pid", block_function, "PID", NULL},     {"friction", block_function, "friction", NULL}};
  if (a->count == 0) return constant_node(b, text_of(b, a));
  if (strcmp(a->name, "integral") == 0) {
    uint32_t node = node_add(b, block_integral, "∫");
    pin_add(b, node, build(b, a->items[0]), 0, NULL, NULL);
    bool zero = a->count < 2 || (a->items[1]->kind == ast_number && strcmp(text_of(b, a->items[1]), "0") == 0);
    if (!zero && node < b->diagram->nodes.count)
      node_at(b, node)->caption = arena_printf(b->arena, "from %s", text_of(b, a->items[1]));
    return ref_to(node, 0);
  }
  if (strcmp(a->name, "delay") == 0) {
    uint32_t node = node_add(b, block_delay, a->count > 1 ? bracketed(b, a->items[1]) : "T");
    pin_add(b, node, build(b, a->items[0]), 0, NULL, NULL);
    return ref_to(node, 0);
  }
  if (strcmp(a->name, "tf") == 0 && a->count == 3) {
    uint32_t node = node_add(b, block_fraction, polynomial(b, a->items[1]));
    if (node < b->diagram->nodes.count) node_at(b, node)->below = polynomial(b, a->items[2]);
    pin_add(b, node, build(b, a->items[0]), 0, NULL, NULL);
    return ref_to(node, 0);
  }
  if (strcmp(a->name, "step") == 0 || strcmp(a->name, "ramp") == 0) return build_signal(b, a);
  if (strcmp(a->name, "noise") == 0) return ref_to(node_add(b, block_noise, ""), 0);
  if (strcmp(a->name, "table") == 0)
    return ref_to(node_add(b, block_source, a->count > 1 ? text_of(b, a->items[1]) : "table"), 0);
  if (strcmp(a->name, "sum") == 0 || strcmp(a->name, "integral_of") == 0) return build_formula(b, a);
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    if (strcmp(blocks[i].name, a->name) == 0)
      return build_block(b, a, blocks[i].kind, blocks[i].text, blocks[i].labels);
  }
  const char *text = a->name;
  if (a->primes) text = arena_printf(b->arena, "%s%s", a->name, a->primes == 1 ? "'" : "''");
  return build_block(b, a, block_function, text, NULL);
}

// ---- anything else: one block with its formula

const Ast *path_base(const Builder *b, const Ast *a) {
  bool path = false;
  if (a->kind == ast_prime) a = a->items[0];
  while ((a->kind == ast_field || a->kind == ast_index) && a->count) {
    path = true;
    a = a->items[0];
  }
  uint32_t at = path && a->kind == ast_name ? symbol_find(b, a->name) : 0;
  return at && b->symbols.items[at - 1].kind == symbol_part ? a : NULL;
}

// A name is taken once.
bool name_seen(Builder *b, Names *seen, const char *key) {
  for (uint32_t i = 0; i < seen->count; i++) {
    if (strcmp(seen->items[i], key) == 0) return true;
  }
  vec_push(b->arena, seen, key);
  return false;
}

static void formula_walk(Builder *b, uint32_t node, const Ast *a, Names *seen) {
  uint32_t primes = 0;
  if (path_base(b, a)) {
    const char *text = text_of(b, a);
    if (!name_seen(b, seen, text)) pin_add(b, node, part_ref(b, a), 0, NULL, text);
    return;
  }
  if (family_of(b, a)) {
    const char *text = text_of(b, a);
    if (content(b, a) && !name_seen(b, seen, text)) pin_add(b, node, element_ref(b, a), 0, NULL, text);
    return;
  }
  if (a->kind == ast_prime && a->items[0]->kind == ast_name) {
    primes = a->primes;
    a = a->items[0];
  }
  if (a->kind == ast_name || a->kind == ast_call) {
    if (a->kind == ast_name && name_content(b, a->name)) {
      const char *key = arena_printf(b->arena, "%s%.*s", a->name, (int)(primes < 3 ? primes : 3), "'''");
      if (!key || name_seen(b, seen, key)) return;
      pin_add(b, node, name_ref(b, a->name, primes), 0, NULL, strcmp(a->name, "t") == 0 ? NULL : key);
      return;
    }
  }
  for (uint32_t i = 0; i < a->count; i++) formula_walk(b, node, a->items[i], seen);
}

Ref build_formula(Builder *b, const Ast *a) {
  unsigned c = content(b, a);
  if (c == 0) return constant_node(b, text_of(b, a));
  if (c == has_time) return ref_to(node_add(b, block_source, text_of(b, a)), 0);
  uint32_t node = node_add(b, block_function, text_of(b, a));
  Names seen = {0};
  formula_walk(b, node, a, &seen);
  return ref_to(node, 0);
}

static uint32_t size_of(const Ast *a) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < a->count; i++) n += size_of(a->items[i]);
  return n;
}

Ref box_out(Builder *b, uint32_t node, const char *name, uint32_t primes) {
  const char *label = arena_printf(b->arena, "%s%.*s", name, (int)(primes < 3 ? primes : 3), "'''");
  DiagramNode *box = node_at(b, node);
  for (uint32_t i = 0; label && i < box->outs.count; i++) {
    if (strcmp(box->outs.items[i], label) == 0) return ref_to(node, i);
  }
  if (!label || !vec_push(b->arena, &box->outs, label)) return no_ref;
  return ref_to(node, box->outs.count - 1);
}

Ref name_ref(Builder *b, const char *name, uint32_t primes) {
  if (strcmp(name, "t") == 0) return ref_to(node_add(b, block_source, "t"), 0);
  uint32_t at = is_bound(b, name) ? 0 : symbol_find(b, name);
  if (!at) return constant_node(b, name);
  const DiagramSymbol *s = &b->symbols.items[at - 1];
  if (s->kind == symbol_coord && !s->equation) return b->plant ? box_out(b, b->plant - 1, name, primes) : no_ref;
  if (s->kind == symbol_unknown) return b->solver ? box_out(b, b->solver - 1, name, primes) : no_ref;
  if (s->kind == symbol_param || s->kind == symbol_fun || (name_content(b, name) == 0 && !primes))
    return constant_node(b, name);
  bool rates = s->kind == symbol_state || s->kind == symbol_coord;
  if (primes && rates && primes < 3) return (Ref){.symbolic = true, .node = at - 1, .out = primes};
  Ref r = {.symbolic = true, .node = at - 1};
  if (!primes) return r;
  uint32_t node = node_add(b, block_fraction, primes > 1 ? "d²" : "d");
  if (node < b->diagram->nodes.count) node_at(b, node)->below = primes > 1 ? "dt²" : "dt";
  pin_add(b, node, r, 0, NULL, NULL);
  return ref_to(node, 0);
}

const char *family_of(const Builder *b, const Ast *a) {
  if (a->kind == ast_prime) a = a->items[0];
  if (a->kind != ast_index || !a->count || a->items[0]->kind != ast_name) return NULL;
  uint32_t at = is_bound(b, a->items[0]->name) ? 0 : symbol_find(b, a->items[0]->name);
  if (!at || !b->symbols.items[at - 1].item || !b->symbols.items[at - 1].item->index) return NULL;
  DiagramSymbolKind kind = b->symbols.items[at - 1].kind;
  return kind == symbol_part || kind == symbol_param || kind == symbol_fun ? NULL : a->items[0]->name;
}

static bool has_bound(const Builder *b, const Ast *a) {
  if (a->kind == ast_name && is_bound(b, a->name)) return true;
  for (uint32_t i = 0; i < a->count; i++) {
    if (has_bound(b, a->items[i])) return true;
  }
  return false;
}

// The wire of a family holds all of it. The element that the statement is about (T[i] for i in ...) is the wire itself;
// any other one, T[i - 1] or T[50], is taken out of it by a block.
Ref element_ref(Builder *b, const Ast *a) {
  uint32_t primes = a->kind == ast_prime ? a->primes : 0;
  const Ast *element = primes ? a->items[0] : a, *index = element->count > 1 ? element->items[1] : NULL;
  const char *name = family_of(b, a), *text = text_of(b, a);
  const DiagramSymbol *s = &b->symbols.items[symbol_find(b, name) - 1];
  bool plant = s->kind == symbol_coord && !s->equation,
       own = index && index->kind == ast_name &&
             (is_bound(b, index->name) || !symbol_find(b, index->name)); // of `for`, or of a `sum`
  if (plant) return b->plant ? box_out(b, b->plant - 1, text_of(b, element), primes) : no_ref;
  if (s->kind == symbol_unknown) return b->solver ? box_out(b, b->solver - 1, text_of(b, element), primes) : no_ref;
  if (own) return name_ref(b, name, primes);
  const Stmt *stmt = index && has_bound(b, index) ? b->fors : NULL;
  for (uint32_t i = 0; i < b->elements.count; i++) {
    const Element *e = &b->elements.items[i];
    if (e->stmt == stmt && strcmp(e->text, text) == 0) return e->ref;
  }
  uint32_t node = node_add(b, block_function, text);
  pin_add(b, node, name_ref(b, name, primes), 0, NULL, NULL);
  vec_push(b->arena, &b->elements, (Element){text, stmt, ref_to(node, 0)});
  return ref_to(node, 0);
}

Ref part_ref(Builder *b, const Ast *a) { // hip.i, link[2].th, hip.th'
  const Ast *base = a;
  uint32_t primes = 0;
  if (a->kind == ast_prime) {
    primes = a->primes < 3 ? a->primes : 3;
    base = a = a->items[0];
  }
  while ((base->kind == ast_field || base->kind == ast_index) && base->count) base = base->items[0];
  uint32_t at = base->kind == ast_name ? symbol_find(b, base->name) : 0;
  if (!at) return build_formula(b, a);
  DiagramSymbol *s = &b->symbols.items[at - 1];
  if (s->kind != symbol_part) return family_of(b, a) ? element_ref(b, a) : build_formula(b, a);
  if (s->ref[0].none) return no_ref;
  return box_out(b, s->ref[0].node, a->kind == ast_field ? a->name : text_of(b, a), primes);
}

static Ref build_two(Builder *b, const Ast *a, BlockKind kind, const char *text) {
  uint32_t node = node_add(b, kind, text);
  for (uint32_t i = 0; i < a->count; i++) pin_add(b, node, build(b, a->items[i]), 0, NULL, NULL);
  return ref_to(node, 0);
}

static Ref build_comparison(Builder *b, const Ast *a) {
  const char *op = a->op == tok_lt   ? "<"
                   : a->op == tok_le ? "≤"
                   : a->op == tok_gt ? ">"
                   : a->op == tok_ge ? "≥"
                   : a->op == tok_eq ? "="
                                     : "≠";
  bool plain = is_constant(b, a->items[1]);
  uint32_t node =
      node_add(b, block_function, plain ? arena_printf(b->arena, "%s %s", op, text_of(b, a->items[1])) : op);
  pin_add(b, node, build(b, a->items[0]), 0, NULL, NULL);
  if (!plain) pin_add(b, node, build(b, a->items[1]), 0, NULL, NULL);
  return ref_to(node, 0);
}

static Ref build_power(Builder *b, const Ast *a) {
  static const char *const raised[] = {"u⁰", "u", "u²", "u³", "u⁴", "u⁵"};
  if (!is_constant(b, a->items[1])) return build_formula(b, a);
  const char *text = text_of(b, a->items[1]);
  bool small = a->items[1]->kind == ast_number && strlen(text) == 1 && *text >= '0' && *text <= '5';
  uint32_t node = node_add(b, block_function,
                           small ? raised[*text - '0'] : arena_printf(b->arena, "u^%s", bracketed(b, a->items[1])));
  pin_add(b, node, build(b, a->items[0]), 0, NULL, NULL);
  return ref_to(node, 0);
}

Ref build(Builder *b, const Ast *a) {
  if (arena_failed(b->arena)) return no_ref;
  unsigned c = content(b, a);
  if (c == 0) return constant_node(b, text_of(b, a));
  if (b->depth > 400) return build_formula(b, a);
  b->depth++;
  Ref r;
  bool blocks = (c & has_block) != 0;
  bool huge = !blocks && a->kind != ast_name && size_of(a) > 60;
  if (huge) r = build_formula(b, a);
  else if (c == has_time && a->kind != ast_call) r = build_formula(b, a);
  else switch (a->kind) {
    case ast_name: r = name_ref(b, a->name, 0); break;
    case ast_sum: {
      uint32_t node = node_add(b, block_sum, "");
      sum_terms(b, node, a, false, false);
      r = finish_sum(b, node);
      break;
    }
    case ast_product:
    case ast_negate: r = build_product(b, a); break;
    case ast_power: r = build_power(b, a); break;
    case ast_prime:
      r = path_base(b, a)                 ? part_ref(b, a)
          : family_of(b, a)               ? element_ref(b, a)
          : a->items[0]->kind == ast_name ? name_ref(b, a->items[0]->name, a->primes)
                                          : build_formula(b, a);
      break;
    case ast_call:
      r = c == has_time && strcmp(a->name, "step") != 0 && strcmp(a->name, "ramp") != 0 ? build_formula(b, a)
                                                                                        : build_call(b, a);
      break;
    case ast_index:
    case ast_field: r = part_ref(b, a); break;
    case ast_and: r = build_two(b, a, block_and, ""); break;
    case ast_or: r = build_two(b, a, block_or, ""); break;
    case ast_not: r = build_two(b, a, block_nor, ""); break;
    case ast_compare: r = build_comparison(b, a); break;
    default: r = build_formula(b, a); break;
    }
  b->depth--;
  return r;
}
