// The picture of each function and block of the language: what words.def calls picture_NAME.
//
// Most are one box: arguments that change become its pins, constants stand under it. A few have a shape of their own.
#include "diagram/pictures.h"

#include "lang/words.h"

#include <string.h>

typedef struct Picture {
  DiagramRef (*draw)(DiagramBuilder *b, const Ast *a, const struct Picture *p);
  BlockKind kind;
  const char *text;          // inside; NULL: the word itself
  const char *const *labels; // of its first three pins; NULL: none
  bool signal;               // of time
} Picture;

// A block: arguments that change become pins, constants stand under it.
static DiagramRef put_box(DiagramBuilder *b, const Ast *a, BlockKind kind, const char *text,
                          const char *const *labels) {
  uint32_t node = diagram_node(b, kind, text);
  Text caption = text_in(b->arena);
  for (uint32_t i = 0; i < a->count; i++) {
    const Ast *x = a->items[i];
    if (i > 0 && diagram_is_constant(b, x)) {
      if (caption.length) text_put(&caption, kind == block_limit ? " … " : ", ");
      text_put(&caption, diagram_text(b, x));
      continue;
    }
    DiagramRef from = diagram_expr(b, x);
    const char *label = labels && labels[0] ? labels[i < 3 ? i : 2] : i > 0 ? diagram_text(b, x) : NULL;
    if (!labels && i > 0 && kind == block_function) label = NULL;
    diagram_pin(b, node, from, 0, NULL, label);
  }
  if (caption.length && node < b->diagram->nodes.count) diagram_node_at(b, node)->caption = text_str(&caption);
  return diagram_ref(node, 0);
}

static DiagramRef draw_box(DiagramBuilder *b, const Ast *a, const Picture *p) {
  const char *word = a->primes ? arena_printf(b->arena, "%s%s", a->name, a->primes == 1 ? "'" : "''") : a->name;
  return put_box(b, a, p->kind, p->text ? p->text : word, p->labels);
}

DiagramRef picture_signal_block(DiagramBuilder *b, const Ast *a) { // step(t - 1), ramp(t), impulse(t - 1)
  BlockKind kind = strcmp(a->name, "step") == 0 ? block_step : strcmp(a->name, "ramp") == 0 ? block_ramp : block_source;
  const Ast *x = a->items[0];
  bool plain = x->kind == ast_name && strcmp(x->name, "t") == 0,
       shifted = x->kind == ast_sum && x->count == 2 && x->items[0]->kind == ast_name;
  if (!plain && !(shifted && strcmp(x->items[0]->name, "t") == 0)) return diagram_formula(b, a);
  uint32_t node = diagram_node(b, kind, kind == block_source ? "δ" : a->name);
  if (shifted && node < b->diagram->nodes.count) {
    diagram_node_at(b, node)->caption =
        arena_printf(b->arena, "t = %s%s", x->ops[1] == '-' ? "" : "−", diagram_text(b, x->items[1]));
  }
  return diagram_ref(node, 0);
}

static DiagramRef draw_signal(DiagramBuilder *b, const Ast *a, const Picture *p) {
  (void)p;
  return picture_signal_block(b, a);
}

static DiagramRef draw_integral(DiagramBuilder *b, const Ast *a, const Picture *p) {
  uint32_t node = diagram_node(b, p->kind, p->text);
  diagram_pin(b, node, diagram_expr(b, a->items[0]), 0, NULL, NULL);
  bool zero = a->count < 2 || (a->items[1]->kind == ast_number && strcmp(diagram_text(b, a->items[1]), "0") == 0);
  if (!zero && node < b->diagram->nodes.count)
    diagram_node_at(b, node)->caption = arena_printf(b->arena, "from %s", diagram_text(b, a->items[1]));
  for (uint32_t i = 2; i < a->count && i < 4; i++)
    diagram_pin(b, node, diagram_expr(b, a->items[i]), 0, NULL, i == 2 ? "reset" : "hold");
  return diagram_ref(node, 0);
}

static DiagramRef draw_delay(DiagramBuilder *b, const Ast *a, const Picture *p) {
  uint32_t node = diagram_node(b, p->kind, a->count > 1 ? diagram_bracketed(b, a->items[1]) : p->text);
  diagram_pin(b, node, diagram_expr(b, a->items[0]), 0, NULL, NULL);
  return diagram_ref(node, 0);
}

static DiagramRef draw_fraction(DiagramBuilder *b, const Ast *a, const Picture *p) {
  if (a->count != 3) return put_box(b, a, block_function, a->name, NULL);
  uint32_t node = diagram_node(b, p->kind, diagram_polynomial(b, a->items[1]));
  if (node < b->diagram->nodes.count) diagram_node_at(b, node)->below = diagram_polynomial(b, a->items[2]);
  diagram_pin(b, node, diagram_expr(b, a->items[0]), 0, NULL, NULL);
  return diagram_ref(node, 0);
}

static DiagramRef draw_noise(DiagramBuilder *b, const Ast *a, const Picture *p) {
  (void)a;
  return diagram_ref(diagram_node(b, p->kind, p->text), 0);
}

static DiagramRef draw_table(DiagramBuilder *b, const Ast *a, const Picture *p) {
  return diagram_ref(diagram_node(b, p->kind, a->count > 1 ? diagram_text(b, a->items[1]) : p->text), 0);
}

static DiagramRef draw_formula(DiagramBuilder *b, const Ast *a, const Picture *p) {
  (void)p;
  return diagram_formula(b, a);
}

static const char *const gate_labels[] = {"", "", ""}, *const latch_labels[] = {"S", "R", "q"},
                         *const switch_labels[] = {"c", "", ""}, *const if_labels[] = {"if", "then", "else"};

static const Picture picture_function = {draw_box, block_function, NULL, NULL, false},
                     picture_formula = {draw_formula, block_function, "", NULL, false},
                     picture_signal = {draw_signal, block_step, "", NULL, true},
                     picture_noise = {draw_noise, block_noise, "", NULL, false},
                     picture_table = {draw_table, block_source, "table", NULL, false},
                     picture_integral = {draw_integral, block_integral, "∫", NULL, false},
                     picture_delay = {draw_delay, block_delay, "T", NULL, false},
                     picture_fraction = {draw_fraction, block_fraction, "", NULL, false},
                     picture_limit = {draw_box, block_limit, "", NULL, false},
                     picture_rectify = {draw_box, block_rectify, "", NULL, false},
                     picture_deadzone = {draw_box, block_deadzone, "", NULL, false},
                     picture_backlash = {draw_box, block_backlash, "", NULL, false},
                     picture_compare = {draw_box, block_compare, "", NULL, false},
                     picture_hysteresis = {draw_box, block_hysteresis, "", NULL, false},
                     picture_sign = {draw_box, block_sign, "", NULL, false},
                     picture_abs = {draw_box, block_abs, "", NULL, false},
                     picture_pulse = {draw_box, block_pulse, "", NULL, false},
                     picture_switch = {draw_box, block_switch, "", switch_labels, false},
                     picture_all = {draw_box, block_and, "", gate_labels, false},
                     picture_nand = {draw_box, block_nand, "", gate_labels, false},
                     picture_any = {draw_box, block_or, "", gate_labels, false},
                     picture_nor = {draw_box, block_nor, "", gate_labels, false},
                     picture_latch = {draw_box, block_latch, "", latch_labels, false},
                     picture_if = {draw_box, block_function, "if", if_labels, false},
                     picture_pid = {draw_box, block_function, "PID", NULL, false},
                     picture_friction = {draw_box, block_function, "friction", NULL, false};

// In the order of word_call_at.
static const Picture *const pictures[] = {
#define FUNCTION(word, least, most, shape, rule, picture, line) &picture_##picture,
#define ELEMENTARY(word, least, most, rule, picture) &picture_##picture,
#define BLOCK(word, least, most, rule, picture, line) &picture_##picture,
#include "lang/words.def"
};

static const Picture *picture_of(const char *word) {
  uint32_t at = word_call(word);
  return at == word_no_call ? &picture_function : pictures[at];
}

bool picture_is_signal(const char *word) { return picture_of(word)->signal; }

DiagramRef picture_call(DiagramBuilder *b, const Ast *a) {
  if (a->count == 0) return diagram_constant(b, diagram_text(b, a));
  const Picture *p = picture_of(a->name);
  return p->draw(b, a, p);
}
