// A model as a block diagram: its statements.
//
// in    a program as it was parsed, not evaluated: the diagram shows what the text says
// out   nodes with pins; each pin knows the output that its wire comes from
// how   Each `let`, state, input and unknown is a symbol whose expression becomes blocks (diagram_blocks.c); a state is
//       an integrator. Energies and forces are one block, the plant; implicit equations one, the solver; a part, a
//       family, a `when` or `every` one each. At the end wires that start at symbols are resolved, outputs are
//       attached, and blocks whose output leads nowhere go.
#include "diagram/pictures.h"

#include <string.h>

static DiagramRef build_in(DiagramBuilder *b, const Stmt *stmt, const Ast *a) {
  const Stmt *outer = b->fors;
  b->fors = stmt;
  DiagramRef r = diagram_expr(b, a);
  b->fors = outer;
  return r;
}

static const char *shown_name(DiagramBuilder *b, const char *name, const Item *item) {
  return item && item->index ? arena_printf(b->arena, "%s[%s]", name, diagram_text(b, item->index)) : name;
}

static void give_name(DiagramBuilder *b, DiagramRef r, const char *name) {
  if (r.none || r.symbolic || r.node >= b->diagram->nodes.count) return;
  DiagramNode *n = diagram_node_at(b, r.node);
  if (!n->name && n->kind != block_plant) n->name = name;
}

static DiagramRef integrator(DiagramBuilder *b, const char *name, const Ast *start) {
  uint32_t node = diagram_node(b, block_integral, "∫");
  if (node >= b->diagram->nodes.count) return diagram_no_ref;
  diagram_node_at(b, node)->name = name;
  bool zero = !start || (start->kind == ast_number && strcmp(diagram_text(b, start), "0") == 0);
  if (!zero) diagram_node_at(b, node)->caption = arena_printf(b->arena, "from %s", diagram_text(b, start));
  return diagram_ref(node, 0);
}

static void build_input(DiagramBuilder *b, DiagramSymbol *s) {
  const Ast *value = s->item->value;
  unsigned c = value ? diagram_content(b, value) : 0;
  const char *name = shown_name(b, s->name, s->item);
  if (c == has_time && value->kind == ast_call && picture_is_signal(value->name) && value->count == 1) {
    s->ref[0] = picture_signal_block(b, value);
    give_name(b, s->ref[0], name);
    return;
  }
  s->ref[0] = diagram_ref(diagram_node(b, block_input, name), 0);
}

// i = 2 .. n-1
static const char *range_text(DiagramBuilder *b, const Stmt *s) {
  Text t = text_in(b->arena);
  for (uint32_t i = 0; i < s->fors.count; i++) {
    const ForClause *f = &s->fors.items[i];
    text_printf(&t, ", %s = %s .. %s", f->name, diagram_text(b, f->from), diagram_text(b, f->to));
  }
  return text_str(&t);
}

// What is integrated. Several equations of a family come together in one box, each with its range.
static DiagramRef right_side(DiagramBuilder *b, uint32_t at) {
  uint32_t count = b->symbols.items[at].equations.count;
  if (count == 1) {
    DiagramEquation e = b->symbols.items[at].equations.items[0];
    return e.item->value ? build_in(b, e.stmt, e.item->value) : diagram_no_ref;
  }
  uint32_t node = diagram_node(b, block_plant, "all of");
  diagram_node_at(b, node)->below = b->symbols.items[at].name;
  DiagramRef out = diagram_box_out(b, node, "", 0);
  for (uint32_t i = 0; i < count; i++) {
    DiagramEquation e = b->symbols.items[at].equations.items[i];
    const char *primes = e.item->primes > 1 ? "''" : "'";
    const char *label =
        arena_printf(b->arena, "%s%s%s", shown_name(b, e.item->name, e.item), primes, range_text(b, e.stmt));
    if (e.item->value) diagram_pin(b, node, build_in(b, e.stmt, e.item->value), 0, NULL, label);
  }
  return out;
}

// x' = f, x'' = f: one integrator, or two
static void build_equation(DiagramBuilder *b, uint32_t at) {
  DiagramSymbol *s = &b->symbols.items[at];
  const Item *e = s->equation;
  const char *name = shown_name(b, s->name, s->item);
  s->ref[0] = integrator(b, name, s->item->value);
  DiagramRef last = s->ref[0];
  if (!e && !last.none) { // it changes at events only
    diagram_node_at(b, last.node)->kind = block_function;
    diagram_node_at(b, last.node)->text = "hold";
  }
  b->symbols.items[at].ref[0] = last;
  if (e && e->primes == 2) {
    const char *rate = arena_printf(b->arena, "%s'", name);
    s->ref[1] = last = integrator(b, rate, NULL);
    diagram_pin(b, s->ref[0].node, last, 0, NULL, NULL);
  }
  if (!e || last.none) return;
  DiagramRef in = right_side(b, at);
  b->symbols.items[at].ref[e->primes < 3 ? e->primes : 2] = in;
  diagram_pin(b, last.node, in, 0, NULL, NULL);
}

// Its text is inside the plant; connections are between boxes.
static bool is_energy(StmtKind kind) { return word_statement(kind)->picture == drawn_plant && kind != stmt_connect; }

// Each body of a family has joint coordinates of its own: the family is named by its variable.
static const char *coord_name(DiagramBuilder *b, const DiagramSymbol *s) {
  bool joint = s->stmt && s->stmt->kind == stmt_body && s->item->index;
  return joint ? arena_printf(b->arena, "%s[i]", s->name) : shown_name(b, s->name, s->item);
}

static void make_plant(DiagramBuilder *b) {
  bool energies = false;
  Text names = text_in(b->arena);
  for (uint32_t i = 0; i < b->program->statements.count; i++)
    energies = energies || is_energy(b->program->statements.items[i].kind);
  for (uint32_t i = 0; i < b->symbols.count; i++) {
    const DiagramSymbol *s = &b->symbols.items[i];
    if (s->kind != decl_coord || s->equation) continue;
    if (names.length < 40) text_printf(&names, "%s%s", names.length ? ", " : "", coord_name(b, s));
    else if (names.data[names.length - 1] != '.') text_put(&names, ", ...");
  }
  if (!energies && !names.length) return;
  uint32_t node = diagram_node(b, block_plant, "plant");
  b->plant = node + 1;
  diagram_node_at(b, node)->below = names.length ? text_str(&names) : NULL;
}

// The signals that a box needs from outside; what it makes itself (`own`) needs no wire.
static void box_pins(DiagramBuilder *b, uint32_t node, const Ast *a, DeclKind own, DiagramNames *seen) {
  if (diagram_path_base(b, a)) {
    const char *text = diagram_text(b, a);
    if (!diagram_seen(b, seen, text)) diagram_pin(b, node, diagram_part_ref(b, a), 0, NULL, text);
    return;
  }
  const char *family = diagram_family(b, a);
  uint32_t primes = !family && a->kind == ast_prime && a->items[0]->kind == ast_name ? a->primes : 0;
  const char *name = family ? family : primes ? a->items[0]->name : a->kind == ast_name ? a->name : NULL;
  if (name && diagram_name_content(b, name) && strcmp(name, "t") != 0) {
    uint32_t at = diagram_symbol(b, name);
    bool inner = own == decl_coord && !(diagram_name_content(b, name) & (has_signal | has_time));
    if (inner || (at && b->symbols.items[at - 1].kind == own && !b->symbols.items[at - 1].equation)) return;
    const char *text = diagram_text(b, a);
    // what it sets itself needs no wire; a rate of it, or another one of its family, does
    bool known = diagram_seen(b, seen, family || primes ? text : name);
    if (!known)
      diagram_pin(b, node, family ? diagram_element_ref(b, a) : diagram_name_ref(b, name, primes), 0, NULL, text);
    return;
  }
  for (uint32_t i = 0; i < a->count; i++) box_pins(b, node, a->items[i], own, seen);
}

// Implicit equations are one box: what is known goes in, the unknowns come out.
static void make_solver(DiagramBuilder *b) {
  uint32_t count = 0;
  const Stmt *first = NULL;
  for (uint32_t i = 0; i < b->program->statements.count; i++) {
    const Stmt *s = &b->program->statements.items[i];
    if (word_statement(s->kind)->picture != drawn_solver || !s->expr || !s->against) continue;
    count++;
    if (!first) first = s;
  }
  if (!first) return;
  uint32_t node = diagram_node(b, block_plant, "solve");
  b->solver = node + 1;
  diagram_node_at(b, node)->below =
      count > 1 ? arena_printf(b->arena, "%u equations", count)
                : arena_printf(b->arena, "%s = %s", diagram_text(b, first->expr), diagram_text(b, first->against));
}

static void build_solver(DiagramBuilder *b) {
  DiagramNames seen = {0};
  for (uint32_t i = 0; b->solver && i < b->program->statements.count; i++) {
    const Stmt *s = &b->program->statements.items[i];
    if (word_statement(s->kind)->picture != drawn_solver || !s->expr || !s->against) continue;
    b->fors = s;
    box_pins(b, b->solver - 1, s->expr, decl_unknown, &seen);
    box_pins(b, b->solver - 1, s->against, decl_unknown, &seen);
    b->fors = NULL;
  }
}

static void build_plant(DiagramBuilder *b) {
  DiagramNames seen = {0};
  for (uint32_t i = 0; b->plant && i < b->program->statements.count; i++) {
    const Stmt *s = &b->program->statements.items[i];
    b->fors = s;
    if (s->kind == stmt_port && s->items.count && !s->items.items[0].path.count)
      diagram_pin(b, b->plant - 1, diagram_name_ref(b, s->items.items[0].name, 0), 0, NULL, s->items.items[0].name);
    if (is_energy(s->kind) && s->expr) box_pins(b, b->plant - 1, s->expr, decl_coord, &seen);
    for (uint32_t k = 0; is_energy(s->kind) && k < s->items.count; k++) {
      if (s->items.items[k].value) box_pins(b, b->plant - 1, s->items.items[k].value, decl_coord, &seen);
    }
    for (uint32_t k = 0; word_statement(s->kind)->picture == drawn_force && k < s->items.count; k++) {
      const Item *item = &s->items.items[k];
      if (!item->value || !(diagram_content(b, item->value) & (has_signal | has_block | has_time))) continue;
      uint32_t node = diagram_node(b, block_sum, "");
      diagram_sum_terms(b, node, item->value, false, true);
      const char *label = arena_printf(b->arena, "force %s", shown_name(b, item->name, item));
      if (node < b->diagram->nodes.count &&
          diagram_node_at(b, node)->pins.count == 1) { // sign and gain stay on the wire
        DiagramPin pin = diagram_node_at(b, node)->pins.items[0];
        pin.sign = pin.sign == '-' ? '-' : 0;
        pin.label = label;
        diagram_node_at(b, node)->kind = block_kinds;
        diagram_node_at(b, node)->pins.count = 0;
        vec_push(b->arena, &diagram_node_at(b, b->plant - 1)->pins, pin);
      } else {
        diagram_pin(b, b->plant - 1, diagram_finish_sum(b, node), 0, NULL, label);
      }
    }
    b->fors = NULL;
  }
}

// `when` and `every` are a box each: what they read goes in, what they set comes out.
static void build_event(DiagramBuilder *b, const Stmt *s) {
  DiagramNames seen = {0};
  uint32_t node = diagram_node(b, block_plant,
                               arena_printf(b->arena, "%s %s", s->period ? "every" : "when", diagram_text(b, s->expr)));
  diagram_node_at(b, node)->below = s->stop ? "stop" : NULL;
  // its own memory needs no wire
  for (uint32_t i = 0; i < s->items.count; i++) {
    uint32_t at = s->items.items[i].path.count ? 0 : diagram_symbol(b, s->items.items[i].name);
    if (at && !b->symbols.items[at - 1].equation && b->symbols.items[at - 1].kind == decl_state)
      diagram_seen(b, &seen, s->items.items[i].name);
  }
  b->fors = s;
  box_pins(b, node, s->expr, decl_fun, &seen);
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.items[i];
    if (item->value) box_pins(b, node, item->value, decl_fun, &seen);
    uint32_t at = item->path.count ? 0 : diagram_symbol(b, item->name);
    if (!at) continue;
    const DiagramSymbol *x = &b->symbols.items[at - 1];
    DiagramRef out = diagram_box_out(b, node, shown_name(b, item->name, item), item->primes),
               target = x->ref[item->primes < 3 ? item->primes : 2];
    bool plant = x->kind == decl_coord && !x->equation;
    if (plant && b->plant)
      diagram_pin(b, b->plant - 1, out, 0, NULL,
                  arena_printf(b->arena, "%s%.*s :=", shown_name(b, item->name, item),
                               (int)(item->primes < 3 ? item->primes : 3), "'''"));
    else if (!plant && !target.none && !target.symbolic) diagram_pin(b, target.node, out, 0, ":=", NULL);
  }
  b->fors = NULL;
}

static void build_part(DiagramBuilder *b, const Stmt *use) {
  uint32_t at = diagram_symbol(b, use->items.items[0].name);
  if (!at || b->symbols.items[at - 1].ref[0].none) return;
  uint32_t node = b->symbols.items[at - 1].ref[0].node;
  for (uint32_t i = 1; i < use->items.count; i++) {
    const Item *item = &use->items.items[i];
    if (item->value && diagram_content(b, item->value))
      diagram_pin(b, node, build_in(b, use, item->value), 0, NULL, item->name);
  }
}

// The box that a port belongs to, plus one; 0: none. *label: its name there.
static uint32_t port_box(DiagramBuilder *b, const Item *item, const char **label) {
  const char *owner = item->path.count ? item->path.items[0].name : item->name;
  uint32_t at = diagram_symbol(b, owner);
  *label = item->name;
  if (!at) return 0;
  const DiagramSymbol *s = &b->symbols.items[at - 1];
  if (s->port) return b->plant;
  return s->kind == decl_part && !s->ref[0].none && !s->ref[0].symbolic ? s->ref[0].node + 1 : 0;
}

// Ports that meet: a bond from the first one to each other, whose power goes both ways.
static void build_connect(DiagramBuilder *b, const Stmt *s) {
  const char *from, *to;
  uint32_t first = s->items.count ? port_box(b, &s->items.items[0], &from) : 0;
  for (uint32_t i = 1; first && i < s->items.count; i++) {
    uint32_t other = port_box(b, &s->items.items[i], &to);
    if (other) diagram_pin(b, other - 1, diagram_box_out(b, first - 1, from, 0), 0, "⇄", to);
  }
}

static void build_signals(DiagramBuilder *b) {
  make_plant(b);
  make_solver(b);
  for (uint32_t i = 0; i < b->symbols.count; i++) {
    DiagramSymbol *s = &b->symbols.items[i];
    if (s->kind == decl_input) build_input(b, s);
    if (s->kind != decl_part) continue;
    s->ref[0] = diagram_ref(diagram_node(b, block_plant, shown_name(b, s->name, s->item)), 0);
    if (s->ref[0].node < b->diagram->nodes.count) diagram_node_at(b, s->ref[0].node)->below = s->stmt->name;
  }
  for (uint32_t i = 0; i < b->symbols.count; i++) {
    const DiagramSymbol *s = &b->symbols.items[i];
    if (s->kind == decl_state || (s->kind == decl_coord && s->equation)) build_equation(b, i);
    if (s->kind != decl_let || !s->item->value) continue;
    unsigned c = diagram_name_content(b, s->name);
    if (c == 0) continue;
    s = &b->symbols.items[i];
    DiagramRef r = s->inner ? diagram_formula(b, s->item->value) : build_in(b, s->stmt, s->item->value);
    b->symbols.items[i].ref[0] = r;
    give_name(b, r, shown_name(b, s->name, s->item));
  }
  build_plant(b);
  build_solver(b);
  for (uint32_t i = 0; i < b->program->statements.count; i++) {
    const Stmt *s = &b->program->statements.items[i];
    if (word_statement(s->kind)->picture == drawn_part && s->items.count) build_part(b, s);
    if (word_statement(s->kind)->picture == drawn_event && s->expr) build_event(b, s);
    if (s->kind == stmt_connect) build_connect(b, s);
  }
}

// ---- the end: symbols become nodes, what nobody needs goes

static DiagramRef resolve(const DiagramBuilder *b, DiagramRef r) {
  for (uint32_t turns = 0; !r.none && r.symbolic; turns++) {
    if (turns > b->symbols.count) return diagram_no_ref; // a cyclic definition
    r = b->symbols.items[r.node].ref[r.out < 3 ? r.out : 2];
  }
  return r;
}

static void resolve_pins(DiagramBuilder *b) {
  for (uint32_t i = 0; i < b->diagram->nodes.count; i++) {
    DiagramNode *n = diagram_node_at(b, i);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n->pins.count; k++) {
      DiagramPin p = n->pins.items[k];
      DiagramRef r = resolve(b, (DiagramRef){.symbolic = (p.node & DIAGRAM_PIN_SYMBOLIC) != 0,
                                             .node = p.node & ~DIAGRAM_PIN_SYMBOLIC,
                                             .out = p.out});
      if (r.none || r.node >= b->diagram->nodes.count) continue;
      p.node = r.node;
      p.out = r.out;
      n->pins.items[kept++] = p;
    }
    n->pins.count = kept;
  }
}

static bool is_used(const DiagramBuilder *b, uint32_t node, uint32_t out) {
  for (uint32_t i = 0; i < b->diagram->nodes.count; i++) {
    const DiagramNode *n = &b->diagram->nodes.items[i];
    for (uint32_t k = 0; k < n->pins.count; k++) {
      if (n->pins.items[k].node == node && n->pins.items[k].out == out) return true;
    }
  }
  return false;
}

static void add_terminal(DiagramBuilder *b, DiagramRef r, const char *name) {
  uint32_t node = diagram_node(b, block_output, name);
  diagram_pin(b, node, r, 0, NULL, NULL);
}

static void build_outputs(DiagramBuilder *b) {
  bool said = false;
  for (uint32_t i = 0; i < b->program->statements.count; i++) {
    const Stmt *s = &b->program->statements.items[i];
    for (uint32_t k = 0; word_statement(s->kind)->picture == drawn_output && k < s->items.count; k++) {
      const Item *item = &s->items.items[k];
      said = true;
      const Ast *value = item->value;
      // an output that only repeats the name of a signal
      bool named = value && !item->name &&
                   (value->kind == ast_name || value->kind == ast_index || value->kind == ast_field ||
                    (value->kind == ast_prime && value->items[0]->kind == ast_name));
      DiagramRef r = value              ? build_in(b, s, value)
                     : item->path.count ? diagram_no_ref
                                        : diagram_name_ref(b, item->name, item->primes);
      bool known = r.symbolic;
      r = resolve(b, r);
      if (r.none || r.symbolic || r.node >= b->diagram->nodes.count) continue;
      DiagramNode *n = diagram_node_at(b, r.node);
      bool plant = n->kind == block_plant;
      // a signal that is seen on its wire needs no end of its own
      if ((known || plant) && (named || !value)) {
        n->shown = true;
        if (!plant && n->name && is_used(b, r.node, r.out)) continue;
      }
      const char *name = item->name ? shown_name(b, item->name, item) : value ? diagram_text(b, value) : "";
      add_terminal(b, r, named && n->name ? n->name : *name ? name : diagram_text(b, value));
    }
  }
  // no output was asked for: what nothing else uses
  if (said) return;
  for (uint32_t i = 0; i < b->symbols.count; i++) {
    const DiagramSymbol *s = &b->symbols.items[i];
    if (s->kind == decl_coord && !s->equation && b->plant) {
      add_terminal(b, diagram_box_out(b, b->plant - 1, coord_name(b, s), 0), coord_name(b, s));
      continue;
    }
    DiagramRef r =
        s->kind == decl_state || s->kind == decl_let || s->kind == decl_coord ? resolve(b, s->ref[0]) : diagram_no_ref;
    if (!r.none && r.node < b->diagram->nodes.count && diagram_node_at(b, r.node)->kind != block_plant &&
        !is_used(b, r.node, r.out)) {
      if (s->kind == decl_let && s->inner) continue;
      add_terminal(b, r, shown_name(b, s->name, s->item));
    }
  }
}

// Blocks whose output leads nowhere: constants, and geometry that only the energies need.
static bool sweep_once(DiagramBuilder *b) {
  uint32_t n = b->diagram->nodes.count, kept = 0;
  uint32_t *place = arena_array(b->arena, n + 1, sizeof *place), *uses = arena_array(b->arena, n + 1, sizeof *uses);
  if (!place || !uses) return false;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < diagram_node_at(b, i)->pins.count; k++) uses[diagram_node_at(b, i)->pins.items[k].node]++;
  }
  for (uint32_t i = 0; i < n; i++) {
    const DiagramNode *x = diagram_node_at(b, i);
    bool end = x->kind == block_output || x->kind == block_plant || x->kind == block_input;
    if (x->kind == block_kinds || (!end && uses[i] == 0)) continue;
    place[i] = kept + 1;
    b->diagram->nodes.items[kept++] = *x;
  }
  b->diagram->nodes.count = kept;
  for (uint32_t i = 0; i < kept; i++) {
    DiagramNode *x = diagram_node_at(b, i);
    uint32_t pins = 0;
    for (uint32_t k = 0; k < x->pins.count; k++) {
      DiagramPin p = x->pins.items[k];
      if (!place[p.node]) continue;
      p.node = place[p.node] - 1;
      x->pins.items[pins++] = p;
    }
    x->pins.count = pins;
  }
  return kept < n;
}

bool diagram_build(Arena *arena, const Sources *sources, const Program *program, Diagram *diagram) {
  *diagram = (Diagram){0};
  DiagramBuilder builder = {.arena = arena, .sources = sources, .program = program, .diagram = diagram};
  DiagramBuilder *b = &builder;
  for (uint32_t i = 0; i < program->statements.count; i++) {
    if (word_statement(program->statements.items[i].kind)->picture == drawn_title)
      diagram->title = program->statements.items[i].name;
  }
  diagram_declare(b);
  if (arena_failed(arena)) return false;
  build_signals(b);
  if (arena_failed(arena)) return false;
  if (diagram->nodes.count > diagram_most) return true;
  resolve_pins(b);
  build_outputs(b);
  resolve_pins(b);
  while (!arena_failed(arena) && sweep_once(b)) continue;
  return !arena_failed(arena);
}
