// A rigid body of nodes A, B, C, ... as constraints that are regular wherever its nodes lie.
//
// The base is two nodes in a plane and three in space, which bars keep: those that are farthest apart, and of the
// largest triangle, as they are drawn. Every other node X stays where it is in the frame of the base:
//   plane   X = A + alpha (B - A) + beta J (B - A)              J rotates by a right angle
//   space   X = A + alpha (B - A) + beta (C - A) + gamma (B - A) x (C - A)
// These are 2n - 3 and 3n - 6 constraints, as many as bars would be. Bars to the base would not do: of four nodes in
// one plane of space they leave a motion out of that plane free. The multipliers are the force on X.
#include "form/linkage_rigid.h"

#include "system/approximate.h"

// ---- constraints, of bars too

// A constraint value = 0; `symbol`: its multiplier, where somebody asked for it before.
bool linkage_constrain(System *s, SymbolId symbol, const char *name, const char *label, ExprId value, Span span) {
  if (!value || !name || !label) return false;
  if (!expr_has_kind(s->pool, value, sym_coord)) return true; // of given positions alone
  uint32_t index = s->constraints.count;
  if (symbol) s->pool->symbols.items[symbol].index = index;
  else symbol = pool_symbol(s->pool, name, sym_multiplier, index, 0);
  Dimension newton = dimension_plain();
  newton.known = true;
  newton.power[unit_metre] = newton.power[unit_kilogram] = ratio_int(1);
  newton.power[unit_second] = ratio_int(-2);
  SystemConstraint c = {.symbol = symbol, .name = name, .label = label, .value = value, .dim = newton, .span = span};
  return symbol && vec_push(s->arena, &s->constraints, c);
}

bool linkage_keep_length(System *s, Bars *b, uint32_t from, uint32_t to, ExprId length, SymbolId symbol,
                         const char *label, Span span) {
  BarsVector d = bars_between(b, from, to);
  ExprId gap = expr_sub(s->pool, expr_powi(s->pool, length, 2), bars_dot(b, &d, &d));
  ExprId value = expr_scale(s->pool, (Rat){1, 2, NULL}, expr_div(s->pool, gap, length));
  return linkage_constrain(s, symbol, arena_printf(s->arena, "%s.force", label), label, value, span);
}

// ---- the base

typedef struct Base {
  uint32_t node[3];
  uint32_t count;
} Base;

// Where a node is drawn, in numbers; what has none counts as 0.
static void drawn_numbers(const System *s, uint32_t node, double out[3]) {
  for (uint32_t i = 0; i < 3; i++) {
    ExprId id = i < s->linkage.dimensions ? s->linkage.nodes.items[node].place[i] : 0;
    if (!id || !approximate(&s->described, s->pool, id, &out[i])) out[i] = 0;
  }
}

static double distance2(const double a[3], const double b[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// The square of twice the area of a triangle.
static double area2(const double a[3], const double b[3], const double c[3]) {
  double u[3], v[3], sum = 0;
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
  }
  for (int i = 0; i < 3; i++) {
    double n = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    sum += n * n;
  }
  return sum;
}

// The first node, the one farthest from it, and in space the one farthest from their line.
static Base choose_base(const System *s, const LinkageRigid *body) {
  const uint32_t *members = s->linkage.members.items + body->first;
  Base base = {{members[0], members[1], members[2]}, s->linkage.dimensions};
  double a[3], b[3], x[3], best = -1;
  drawn_numbers(s, members[0], a);
  for (uint32_t i = 1; i < body->count; i++) {
    drawn_numbers(s, members[i], x);
    if (distance2(a, x) <= best) continue;
    best = distance2(a, x);
    base.node[1] = members[i];
  }
  drawn_numbers(s, base.node[1], b);
  best = -1;
  for (uint32_t i = 1; i < body->count; i++) {
    drawn_numbers(s, members[i], x);
    if (members[i] == base.node[1] || area2(a, b, x) <= best) continue;
    best = area2(a, b, x);
    base.node[2] = members[i];
  }
  return base;
}

static bool keep_base(System *s, Bars *b, const LinkageRigid *body, const Base *base) {
  for (uint32_t i = 0, k = 1; i < base->count; i++) {
    for (uint32_t j = i + 1; j < base->count; j++, k++) {
      if (bars_is_given(b, base->node[i]) && bars_is_given(b, base->node[j])) continue;
      BarsVector d = bars_drawn(b, base->node[i], base->node[j]);
      const char *label = arena_printf(s->arena, "%s[%u]", body->name, k);
      if (!label || !linkage_keep_length(s, b, base->node[i], base->node[j], bars_length(b, &d), 0, label, body->span))
        return false;
    }
  }
  return true;
}

// The vectors of the frame of the base, and what they are where they are drawn.
static uint32_t frame(Bars *b, const Base *base, BarsVector now[3], BarsVector drawn[3]) {
  ExprPool *p = b->pool;
  now[0] = bars_between(b, base->node[0], base->node[1]);
  drawn[0] = bars_drawn(b, base->node[0], base->node[1]);
  if (base->count == 2) {
    now[1] = (BarsVector){{expr_neg(p, now[0].at[1]), now[0].at[0], 0}};
    drawn[1] = (BarsVector){{expr_neg(p, drawn[0].at[1]), drawn[0].at[0], 0}};
    return 2;
  }
  now[1] = bars_between(b, base->node[0], base->node[2]);
  drawn[1] = bars_drawn(b, base->node[0], base->node[2]);
  now[2] = bars_normal(b, &now[0], &now[1]);
  drawn[2] = bars_normal(b, &drawn[0], &drawn[1]);
  return 3;
}

// x in the frame: by Gram's matrix. The last vector is at right angles to the others.
static void components(Bars *b, const BarsVector f[3], uint32_t count, const BarsVector *x, ExprId out[3]) {
  ExprPool *p = b->pool;
  ExprId ff = bars_dot(b, &f[0], &f[0]), fx = bars_dot(b, &f[0], x);
  if (count == 2) {
    out[0] = expr_div(p, fx, ff);
    out[1] = expr_div(p, bars_dot(b, &f[1], x), ff);
    return;
  }
  ExprId gg = bars_dot(b, &f[1], &f[1]), gx = bars_dot(b, &f[1], x), fg = bars_dot(b, &f[0], &f[1]);
  ExprId det = expr_sub(p, expr_mul(p, ff, gg), expr_powi(p, fg, 2));
  out[0] = expr_div(p, expr_sub(p, expr_mul(p, gg, fx), expr_mul(p, fg, gx)), det);
  out[1] = expr_div(p, expr_sub(p, expr_mul(p, ff, gx), expr_mul(p, fg, fx)), det);
  out[2] = expr_div(p, bars_dot(b, &f[2], x), bars_dot(b, &f[2], &f[2]));
}

static bool keep_node(System *s, Bars *b, const LinkageRigid *body, const Base *base, uint32_t node) {
  ExprPool *p = s->pool;
  BarsVector now[3], drawn[3], x = bars_between(b, base->node[0], node), x0 = bars_drawn(b, base->node[0], node);
  ExprId part[3];
  uint32_t count = frame(b, base, now, drawn);
  components(b, drawn, count, &x0, part);
  for (uint32_t i = 0; i < s->linkage.dimensions; i++) {
    ExprId value = x.at[i];
    for (uint32_t k = 0; k < count; k++) value = expr_sub(p, value, expr_mul(p, part[k], now[k].at[i]));
    const char *label = arena_printf(s->arena, "%s.%s.%c", body->name, s->linkage.nodes.items[node].name, "xyz"[i]);
    if (!linkage_constrain(s, 0, label ? arena_printf(s->arena, "%s.force", label) : NULL, label, value, body->span))
      return false;
  }
  return true;
}

bool linkage_add_rigid(System *s, Bars *b, const LinkageRigid *body) {
  if (!body->count) return true;
  Base base = choose_base(s, body);
  bool ok = keep_base(s, b, body, &base);
  for (uint32_t i = 0; ok && i < body->count; i++) {
    uint32_t node = s->linkage.members.items[body->first + i];
    bool own = node == base.node[0] || node == base.node[1] || (base.count == 3 && node == base.node[2]);
    if (!own) ok = keep_node(s, b, body, &base, node);
  }
  return ok;
}
