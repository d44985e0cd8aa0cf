// The statements of nodes, bars and springs into the lists of a Linkage.
//
// Names stand in the lists already (linkage.c); here come positions, ends and clauses. Every number is an expression of
// parameters; a position that is fixed may move with time and inputs, and a load may be what a force may be. A spring
// may also end at a point that is no node: that becomes a node of its own, fixed to its expression.
#include "lang/eval.h"
#include "lang/linkage.h"
#include "lang/statements.h"

static KindSet constant_kinds(void) { return kind_set(sym_param) | kind_set(sym_bound); }
static KindSet given_kinds(void) { return kind_set(sym_time) | kind_set(sym_input) | kind_set(sym_input_rate); }

// ---- values

static ExprId clause(Elab *e, const Stmt *s, LinkClause which, const Binding *env, const char *what) {
  const Ast *a = s->link->clause[which];
  ExprId id = a ? eval_scalar(e, a, env, what) : 0;
  return id && eval_only_params(e, id, a->span, what) ? id : 0;
}

// A vector of as many entries as the others. False: reported.
static bool vector(Elab *e, const Ast *a, const Unit *unit, const Binding *env, const char *what, ExprId out[3]) {
  Linkage *l = &e->model->linkage;
  Value v = eval(e, a, env);
  if (unit && v.shape) v = eval_unit(e, v, unit);
  if (!v.shape) return false;
  if (v.shape != value_vector || v.rows < 2 || v.rows > 3) {
    diag_error(e->diags, diag_shape, a->span, "%s is a vector of 2 or 3, but this is %s", what,
               value_describe(e->arena, &v));
    return false;
  }
  if (!l->dimensions) l->dimensions = v.rows;
  if (l->dimensions != v.rows) {
    diag_error(e->diags, diag_linkage, a->span, "this is a vector of %u, but the nodes of this model have %u numbers",
               v.rows, l->dimensions);
    diag_hint(e->diags, "a mechanism lies in a plane, [x, y], or in space, [x, y, z]");
    return false;
  }
  for (uint32_t i = 0; i < v.rows; i++) out[i] = value_item(&v, i);
  return true;
}

// A number above zero, or not below it. False: reported. What parameters decide becomes a demand on them.
static bool positive(Elab *e, ExprId id, const Ast *a, const char *what, bool zero) {
  Rat r;
  if (!id) return true;
  if (expr_number(e->pool, id, &r) && rat_sign(r) > -(int)zero) return true;
  const char *text = arena_printf(e->arena, zero ? "%s cannot be negative" : "%s must be above 0", what);
  if (expr_number(e->pool, id, &r)) {
    diag_error(e->diags, diag_linkage, a->span, "%s", text ? text : "");
    return false;
  }
  ExprId wrong = expr_fn(e->pool, zero ? op_lt : op_le, (ExprId[]){id, e->pool->zero}, 2);
  return wrong && vec_push(e->arena, &e->model->demands, (SystemCheck){wrong, diag_linkage, text, a->span});
}

// ---- nodes

static bool place_allowed(Elab *e, const LinkageNode *n, uint32_t axis, ExprId id, Span span) {
  bool fixed = n->fixed >> axis & 1u;
  if (expr_only_kinds(e->pool, id, constant_kinds() | (fixed ? given_kinds() : 0))) return true;
  if (fixed) {
    diag_error(e->diags, diag_not_constant, span,
               "the place of a fixed node may depend on parameters, inputs and time only");
  } else if (expr_has_kinds(e->pool, id, given_kinds()) &&
             expr_only_kinds(e->pool, id, constant_kinds() | given_kinds())) {
    diag_error(e->diags, diag_not_constant, span, "a free node starts at a place that is known: no time, no input");
    diag_hint(e->diags, "a node that is moved is `fixed`");
  } else {
    diag_error(e->diags, diag_not_constant, span, "the place of a node may depend on numbers and parameters only");
  }
  return false;
}

void visit_node(Elab *e, const Stmt *s, const Binding *env) {
  const Item *item = &s->items.items[0];
  uint32_t place = linkage_own(e, s, env);
  ExprId at[3];
  if (place == linkage_none || !vector(e, item->value, item->unit, env, "a place", at)) return;
  ExprId mass = clause(e, s, link_mass, env, "a mass");
  if (!positive(e, mass, s->link->clause[link_mass], "a mass", true)) return;
  Linkage *l = &e->model->linkage;
  LinkageNode *n = &l->nodes.items[place];
  for (uint32_t i = 0; i < l->dimensions; i++) {
    if (!place_allowed(e, n, i, at[i], item->value->span)) return;
    n->place[i] = at[i];
  }
  n->mass = mass;
  uint8_t all = (uint8_t)(l->dimensions == 2 ? 3 : 7);
  if (l->dimensions == 2 && n->fixed == 4) {
    diag_error(e->diags, diag_linkage, s->items.items[0].name_span, "a node of the plane has no z that could be fixed");
    return;
  }
  n->fixed &= all;
}

static void not_a_node(Elab *e, const Ast *a, const Binding *env) {
  Decl *d;
  uint32_t errors = e->diags->errors;
  PathState state = path_find(e, a, env, &d);
  if (state == path_bad || e->diags->errors > errors) return;
  const char *name = elab_written(e, a->span);
  if (state == path_found) {
    diag_error(e->diags, diag_linkage, a->span, "`%s` is %s, and a node is needed here", name, decl_word(d->kind));
    return;
  }
  if (elab_is_lost(e, name)) return;
  diag_error(e->diags, diag_linkage, a->span, "there is no node `%s`", name);
  const char *near = names_nearest_in(e, e->names.scope, name, 1u << decl_node);
  if (near) diag_hint(e->diags, "did you mean `%s`?", near);
  else diag_hint(e->diags, "declare it with `node %s = [...]`", name);
}

// The node of an end; linkage_none: reported.
static uint32_t end_node(Elab *e, const Stmt *s, uint32_t i, const Binding *env) {
  const Ast *a = s->link->ends.items[i];
  uint32_t place = linkage_find(e, a, env, decl_node);
  if (place == linkage_none) not_a_node(e, a, env);
  return place;
}

// Only these kinds, and quaternions of spherical joints.
static bool only_places(Elab *e, ExprId id, KindSet kinds) {
  if (!expr_only_kinds(e->pool, id, kinds | kind_set(sym_state))) return false;
  for (uint32_t i = 0; expr_has_kind(e->pool, id, sym_state) && i < e->model->states.count; i++) {
    const SystemState *x = &e->model->states.items[i];
    if (!x->kinematic && expr_depends(e->pool, id, x->x)) return false;
  }
  return true;
}

// A point of a spring that is no node becomes one. linkage_none: reported.
static uint32_t end_point(Elab *e, const Stmt *s, uint32_t i, const Binding *env) {
  const Ast *a = s->link->ends.items[i];
  uint32_t place = linkage_find(e, a, env, decl_node);
  Decl *d;
  if (place != linkage_none) return place;
  if (a->kind == ast_name && path_find(e, a, env, &d) != path_found) return end_node(e, s, i, env);
  LinkageNode n = {.name = elab_written(e, a->span), .fixed = (uint8_t)link_fixed_all, .span = a->span};
  if (!vector(e, a, NULL, env, "a point", n.place)) return linkage_none;
  Linkage *l = &e->model->linkage;
  n.fixed = (uint8_t)(l->dimensions == 2 ? 3 : 7);
  KindSet kinds = constant_kinds() | given_kinds() | kind_set(sym_coord);
  for (uint32_t k = 0; k < l->dimensions; k++) {
    if (only_places(e, n.place[k], kinds)) continue;
    diag_error(e->diags, diag_not_constant, a->span, "a point of a spring depends on places, not on rates or states");
    return linkage_none;
  }
  return n.name && vec_push(e->arena, &l->nodes, n) ? l->nodes.count - 1 : linkage_none;
}

// Two different ends. False: reported.
static bool different(Elab *e, const Stmt *s, uint32_t a, uint32_t b, const char *what) {
  if (a == linkage_none || b == linkage_none) return false;
  if (a != b) return true;
  diag_error(e->diags, diag_linkage, s->link->ends.items[1]->span, "%s joins two nodes, and `%s` is one", what,
             e->model->linkage.nodes.items[a].name);
  return false;
}

// ---- what joins them

void visit_bar(Elab *e, const Stmt *s, const Binding *env) {
  uint32_t place = linkage_own(e, s, env), a = end_node(e, s, 0, env), b = end_node(e, s, 1, env);
  ExprId length = clause(e, s, link_length, env, "a length"), mass = clause(e, s, link_mass, env, "a mass");
  if (place == linkage_none || !different(e, s, a, b, "a bar")) return;
  if (!positive(e, mass, s->link->clause[link_mass], "a mass", true)) return;
  if (!positive(e, length, s->link->clause[link_length], "the length of a bar", false)) return;
  LinkageBar *bar = &e->model->linkage.bars.items[place];
  bar->a = a;
  bar->b = b;
  bar->length = length;
  bar->mass = mass;
}

// `force k1*e + k3*e^3`: an expression of the stretch e, which hides other names
static ExprId spring_force(Elab *e, const Stmt *s, const Binding *env) {
  const Ast *a = s->link->clause[link_force];
  Linkage *l = &e->model->linkage;
  if (!a) return 0;
  if (!l->stretch) l->stretch = pool_symbol(e->pool, "e", sym_bound, bound_outermost - 1, 0);
  Binding stretch = {.name = "e", .value = value_of(expr_sym(e->pool, l->stretch)), .next = env};
  ExprId id = eval_scalar(e, a, &stretch, "the force of a spring");
  return id && eval_only_params(e, id, a->span, "the force of a spring (beside its stretch `e`)") ? id : 0;
}

void visit_spring(Elab *e, const Stmt *s, const Binding *env) {
  uint32_t place = linkage_own(e, s, env), a = end_point(e, s, 0, env), b = end_point(e, s, 1, env);
  const char *word = s->kind == stmt_cable ? "a cable" : "a spring";
  LinkageSpring spring = {.stiffness = clause(e, s, link_stiffness, env, "a stiffness"),
                          .length = clause(e, s, link_length, env, "a length"),
                          .damping = clause(e, s, link_damping, env, "a damping"),
                          .force = spring_force(e, s, env)};
  if (place == linkage_none || !different(e, s, a, b, word)) return;
  bool by_stiffness = s->link->clause[link_stiffness], by_force = s->link->clause[link_force];
  if (!positive(e, spring.length, s->link->clause[link_length], "the length of a spring", true)) return;
  if (!positive(e, spring.damping, s->link->clause[link_damping], "a damping", true)) return;
  ExprId pulls = s->kind == stmt_cable ? spring.stiffness : 0; // a spring may have a negative one, a cable never pushes
  if (!positive(e, pulls, s->link->clause[link_stiffness], "the stiffness of a cable", true)) return;
  if (!by_stiffness && !by_force) {
    diag_error(e->diags, diag_linkage, s->items.items[0].span, "%s has a `stiffness`, or a `force` of its stretch `e`",
               word);
    return;
  }
  if (by_stiffness && by_force) {
    diag_error(e->diags, diag_linkage, s->link->clause[link_force]->span,
               "the force of %s is said twice: `stiffness` is the force `stiffness*e`", word);
    return;
  }
  LinkageSpring *own = &e->model->linkage.springs.items[place];
  own->a = a;
  own->b = b;
  own->stiffness = spring.stiffness;
  own->length = spring.length;
  own->damping = spring.damping;
  own->force = spring.force;
  own->stretch = spring.force ? e->model->linkage.stretch : 0;
}

void visit_torsion(Elab *e, const Stmt *s, const Binding *env) {
  LinkageTorsion t = {.a = end_node(e, s, 0, env),
                      .b = end_node(e, s, 1, env),
                      .c = end_node(e, s, 2, env),
                      .stiffness = clause(e, s, link_stiffness, env, "a stiffness"),
                      .angle = clause(e, s, link_angle, env, "an angle"),
                      .span = s->span};
  if (t.a == linkage_none || t.b == linkage_none || t.c == linkage_none) return;
  if (!s->link->clause[link_stiffness]) {
    diag_error(e->diags, diag_linkage, s->word, "a torsion spring has a `stiffness`, a moment for each radian");
    return;
  }
  if (t.a == t.b || t.b == t.c || t.a == t.c) {
    diag_error(e->diags, diag_linkage, s->word, "a torsion spring is at three different nodes");
    diag_hint(e->diags, "`torsion A B C` is at B, in the angle from BA to BC");
    return;
  }
  if (t.stiffness) vec_push(e->arena, &e->model->linkage.torsions, t);
}

void visit_slider(Elab *e, const Stmt *s, const Binding *env) {
  const Ast *along = s->link->clause[link_along];
  LinkageSlider slider = {.node = end_node(e, s, 0, env), .c = linkage_none, .d = linkage_none, .span = s->span};
  bool on = s->link->ends.count == 3;
  if (on && along) {
    diag_error(e->diags, diag_linkage, along->span, "a slider has one line: `along` a direction, or `on` two nodes");
    return;
  }
  if (on) {
    slider.c = end_node(e, s, 1, env);
    slider.d = end_node(e, s, 2, env);
    if (slider.node == linkage_none || slider.c == linkage_none || slider.d == linkage_none) return;
    if (slider.c == slider.d || slider.node == slider.c || slider.node == slider.d) {
      diag_error(e->diags, diag_linkage, s->word, "a slider is on the line through two other nodes");
      return;
    }
  } else {
    if (slider.node == linkage_none || !vector(e, along, NULL, env, "a direction", slider.along)) return;
    bool none = true;
    for (uint32_t i = 0; i < e->model->linkage.dimensions; i++) {
      none = none && expr_is_zero(e->pool, slider.along[i]);
      if (!eval_only_params(e, slider.along[i], along->span, "a direction")) return;
    }
    if (none) {
      diag_error(e->diags, diag_linkage, along->span, "this is no direction: all of it is zero");
      return;
    }
  }
  vec_push(e->arena, &e->model->linkage.sliders, slider);
}

void visit_load(Elab *e, const Stmt *s, const Binding *env) {
  const Item *item = &s->items.items[0];
  const Ast *with = s->link->clause[link_with];
  Ast name = {.kind = ast_name, .name = path_full(e, item, env), .span = item->name_span};
  if (!name.name) return;
  LinkageLoad load = {.node = linkage_node(e, e->names.scope, name.name), .bar = linkage_none, .span = item->span};
  if (load.node == linkage_none) not_a_node(e, &name, NULL);
  if (!vector(e, item->value, item->unit, env, "a load", load.force) || load.node == linkage_none) return;
  if (with) {
    load.bar = linkage_find(e, with, env, decl_bar);
    if (load.bar == linkage_none) {
      diag_error(e->diags, diag_linkage, with->span, "a load turns with a bar, and there is no bar `%s`",
                 elab_written(e, with->span));
      return;
    }
  }
  for (uint32_t i = 0; i < e->model->linkage.dimensions; i++) {
    if (!expr_has_kind(e->pool, load.force[i], sym_acceleration) && !expr_has_kind(e->pool, load.force[i], sym_signal))
      continue;
    diag_error(e->diags, diag_not_constant, item->value->span, "a load may not depend on accelerations or energies");
    return;
  }
  vec_push(e->arena, &e->model->linkage.loads, load);
}

void visit_rigid(Elab *e, const Stmt *s, const Binding *env) {
  Linkage *l = &e->model->linkage;
  uint32_t place = linkage_own(e, s, env), first = l->members.count;
  bool ok = place != linkage_none;
  for (uint32_t i = 0; i < s->link->ends.count; i++) {
    uint32_t node = end_node(e, s, i, env);
    ok = ok && node != linkage_none;
    for (uint32_t k = first; ok && k < l->members.count; k++) {
      if (l->members.items[k] != node) continue;
      diag_error(e->diags, diag_linkage, s->link->ends.items[i]->span, "`%s` is named twice in one body",
                 l->nodes.items[node].name);
      return;
    }
    if (ok) vec_push(e->arena, &l->members, node);
  }
  if (!ok) return;
  if (s->link->ends.count < 3) {
    diag_error(e->diags, diag_linkage, s->items.items[0].span, "a rigid body has three nodes or more");
    if (s->link->ends.count == 2)
      diag_hint(e->diags, "between two nodes write `bar %s: %s %s`", s->items.items[0].name,
                l->nodes.items[l->members.items[first]].name, l->nodes.items[l->members.items[first + 1]].name);
    return;
  }
  l->rigids.items[place].first = first;
  l->rigids.items[place].count = l->members.count - first;
}

void visit_gravity(Elab *e, const Stmt *s, const Binding *env) {
  Linkage *l = &e->model->linkage;
  ExprId g[3];
  if (l->gravity[0]) {
    diag_error(e->diags, diag_twice, s->word, "a second `gravity`");
    return;
  }
  if (!vector(e, s->expr, NULL, env, "gravity", g)) return;
  for (uint32_t i = 0; i < l->dimensions; i++) {
    if (!eval_only_params(e, g[i], s->expr->span, "gravity")) return;
    l->gravity[i] = g[i];
  }
}
