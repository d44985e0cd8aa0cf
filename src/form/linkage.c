// Nodes, bars and springs as coordinates, energies, forces and constraints:
// from here on a mechanism is a model like others.
//
// in    the lists of a Linkage, positions P(q, t), v = P'
// out   T    1/2 m |v|^2 of a node; m/6 (|va|^2 + va.vb + |vb|^2) of a uniform bar between a and b
//       V    -m g.P of a node, -m g.(Pa + Pb)/2 of a bar; 1/2 k e^2 or the integral of the force of a spring;
//            1/2 k (phi - angle)^2 of a torsion; -F.P of a load that is constant
//       D    1/2 d e'^2; of a cable what its damper can do without pushing
//       P    F.v of any other load
//       0 =  (l^2 - |d|^2)/(2 l) of a bar: its multiplier is the tension, because d/dPb of it is -d/l
//            X - A - alpha (B - A) - beta (C - A) - gamma n of the nodes X of a rigid body, over a base that bars keep:
//            as many as bars would be, and regular also where nodes lie in one line or plane
//            n.(P - P0) of a slider on a fixed line, n its normals; (P - C) x (D - C) on a moving one
//            (sin(phi) u.v - cos(phi) u x v)/(|u| |v|) of a torsion in the plane: phi is a coordinate of its
//            own, without inertia, so that it counts whole turns; the multiplier is the moment
//
// A bar between two fixed nodes binds nothing and is left out. With a stiffness, bars are springs: 1/2 K (|d| - l)^2.
#include "form/form.h"

#include "expr/calculus.h"
#include "form/linkage_rigid.h"
#include "system/bars.h"

static Rat half(void) { return (Rat){1, 2, NULL}; }

static bool add_term(System *s, EnergyKind kind, ExprId value, Span span) {
  if (!value) return false;
  return value == s->pool->zero || vec_push(s->arena, &s->energies, (SystemTerm){kind, value, span});
}

// ---- masses

static ExprId gravity_of(Bars *b, ExprId mass, const BarsVector *place, Rat factor) {
  const Linkage *l = &b->d->linkage;
  BarsVector g = {{l->gravity[0], l->gravity[1], l->gravity[2]}};
  if (!l->gravity[0]) return b->pool->zero;
  return expr_scale(b->pool, factor, expr_mul(b->pool, mass, bars_dot(b, &g, place)));
}

static bool add_node(System *s, Bars *b, uint32_t i) {
  LinkageNode n = s->linkage.nodes.items[i];
  if (!n.mass || expr_is_zero(s->pool, n.mass)) return true;
  BarsVector place = bars_place(b, i), v = bars_rate(b, &place);
  ExprId T = expr_scale(s->pool, half(), expr_mul(s->pool, n.mass, bars_dot(b, &v, &v)));
  return add_term(s, energy_kinetic, T, n.span) &&
         add_term(s, energy_potential, gravity_of(b, n.mass, &place, rat_int(-1)), n.span);
}

static bool add_bar_mass(System *s, Bars *b, const LinkageBar *bar) {
  BarsVector p = bars_place(b, bar->a), q = bars_place(b, bar->b), u = bars_rate(b, &p), v = bars_rate(b, &q);
  Term squares[] = {{RAT_ONE, bars_dot(b, &u, &u)}, {RAT_ONE, bars_dot(b, &u, &v)}, {RAT_ONE, bars_dot(b, &v, &v)}};
  for (int i = 0; i < 3; i++) {
    if (!squares[i].term) return false;
  }
  ExprId T = expr_scale(s->pool, (Rat){1, 6, NULL}, expr_mul(s->pool, bar->mass, expr_sum(s->pool, squares, 3)));
  Rat minus_half = {-1, 2, NULL};
  return add_term(s, energy_kinetic, T, bar->span) &&
         add_term(s, energy_potential, gravity_of(b, bar->mass, &p, minus_half), bar->span) &&
         add_term(s, energy_potential, gravity_of(b, bar->mass, &q, minus_half), bar->span);
}

// ---- bars and springs

static bool add_bar(System *s, Bars *b, uint32_t i) {
  LinkageBar bar = s->linkage.bars.items[i];
  if (bar.mass && !expr_is_zero(s->pool, bar.mass) && !add_bar_mass(s, b, &bar)) return false;
  if (bars_is_given(b, bar.a) && bars_is_given(b, bar.b)) return true;
  ExprId length = bars_bar_length(b, &bar);
  if (!s->linkage.stiffness) return linkage_keep_length(s, b, bar.a, bar.b, length, bar.force, bar.name, bar.span);
  BarsVector d = bars_between(b, bar.a, bar.b);
  ExprId e = expr_sub(s->pool, bars_length(b, &d), length);
  ExprId V = expr_mul(s->pool, s->linkage.stiffness, expr_powi(s->pool, e, 2));
  return add_term(s, energy_potential, expr_scale(s->pool, half(), V), bar.span);
}

// The integral of a force over the stretch, from 0 to e.
static ExprId stored(Bars *b, const LinkageSpring *x, ExprId e) {
  ExprPool *p = b->pool;
  ExprId f = x->force, s = expr_sym(p, x->stretch);
  if (x->cable) f = expr_fn(p, op_ramp, &f, 1);
  return expr_raw(p, op_integral, (ExprId[]){f, s, p->zero, e}, 4);
}

// A cable's damper brakes while the cable is taut, and never more than the cable pulls.
static ExprId cable_damping(Bars *b, const LinkageSpring *x, ExprId e, ExprId rate) {
  ExprPool *p = b->pool;
  ExprId f = bars_spring_force(b, x, false), d = x->damping;
  ExprId free = expr_scale(p, half(), expr_mul(p, d, expr_powi(p, rate, 2)));
  // where f + d e' < 0 the damper takes -f: the content is that of a constant force
  ExprId held =
      expr_neg(p, expr_add(p, expr_mul(p, f, rate), expr_scale(p, half(), expr_div(p, expr_powi(p, f, 2), d))));
  ExprId pulls = expr_fn(p, op_lt, (ExprId[]){expr_neg(p, f), expr_mul(p, d, rate)}, 2);
  ExprId taut = expr_fn(p, op_lt, (ExprId[]){p->zero, e}, 2);
  return expr_fn(p, op_if, (ExprId[]){taut, expr_fn(p, op_if, (ExprId[]){pulls, free, held}, 3), p->zero}, 3);
}

// Where functions with corners came from, for messages.
static void note_corner(System *s, const LinkageSpring *x, ExprId e) {
  if (x->cable && expr_op(s->pool, e) == op_ramp) vec_push(s->arena, &s->places, (SystemPlace){e, "cable", x->span});
}

static bool add_spring(System *s, Bars *b, uint32_t i) {
  LinkageSpring x = s->linkage.springs.items[i];
  ExprPool *p = s->pool;
  BarsVector d = bars_between(b, x.a, x.b);
  if (bars_is_given(b, x.a) && bars_is_given(b, x.b) &&
      !expr_has_kinds(p, bars_dot(b, &d, &d), kind_set(sym_coord) | kind_set(sym_state)))
    return true;
  bool no_length = x.length && expr_is_zero(p, x.length) && !x.cable;
  ExprId e = bars_stretch(b, &x), V;
  if (!e) return false;
  note_corner(s, &x, e);
  if (x.force) V = stored(b, &x, e);
  else V = expr_scale(p, half(), expr_mul(p, x.stiffness, no_length ? bars_dot(b, &d, &d) : expr_powi(p, e, 2)));
  if (!add_term(s, energy_potential, V, x.span)) return false;
  if (!x.damping) return true;
  BarsVector v = bars_rate(b, &d);
  ExprId rate = expr_div(p, bars_dot(b, &d, &v), bars_length(b, &d));
  ExprId D =
      x.cable ? cable_damping(b, &x, e, rate) : expr_scale(p, half(), expr_mul(p, x.damping, expr_powi(p, rate, 2)));
  return add_term(s, energy_dissipation, D, x.span);
}

// ---- torsion

static bool add_torsion(System *s, Bars *b, uint32_t i) {
  LinkageTorsion t = s->linkage.torsions.items[i];
  ExprPool *p = s->pool;
  BarsVector u = bars_between(b, t.b, t.a), v = bars_between(b, t.b, t.c);
  ExprId turn, dot = bars_dot(b, &u, &v), angle = t.angle;
  if (t.coord) {
    turn = expr_sym(p, s->coords.items[t.coord - 1].q);
    BarsVector u0 = bars_drawn(b, t.b, t.a), v0 = bars_drawn(b, t.b, t.c);
    ExprId cross = bars_cross(b, &u, &v), arms = expr_mul(p, bars_length(b, &u0), bars_length(b, &v0));
    ExprId sine = expr_mul(p, expr_fn(p, op_sin, &turn, 1), dot),
           cosine = expr_mul(p, expr_fn(p, op_cos, &turn, 1), cross);
    const char *label = s->coords.items[t.coord - 1].name;
    if (!linkage_constrain(s, 0, arena_printf(s->arena, "%s.moment", label), label,
                           expr_div(p, expr_sub(p, sine, cosine), arms), t.span))
      return false;
  } else {
    BarsVector n = bars_normal(b, &u, &v), u0 = bars_drawn(b, t.b, t.a), v0 = bars_drawn(b, t.b, t.c);
    BarsVector n0 = bars_normal(b, &u0, &v0);
    turn = expr_fn(p, op_atan2, (ExprId[]){bars_length(b, &n), dot}, 2);
    if (!angle) angle = expr_fn(p, op_atan2, (ExprId[]){bars_length(b, &n0), bars_dot(b, &u0, &v0)}, 2);
  }
  ExprId V = expr_mul(p, t.stiffness, expr_powi(p, expr_sub(p, turn, angle), 2));
  return add_term(s, energy_potential, expr_scale(p, half(), V), t.span);
}

// ---- sliders

// Two unit vectors across a direction of space, by the axis that it is least along.
static void across(Bars *b, const BarsVector *u, BarsVector out[2]) {
  ExprPool *p = b->pool;
  uint32_t least = 0;
  double smallest = 0;
  for (uint32_t i = 0; i < 3; i++) {
    Rat r;
    double x = expr_number(p, u->at[i], &r) ? rat_to_double(r) : 1;
    x = x < 0 ? -x : x;
    if (i && x >= smallest) continue;
    least = i;
    smallest = x;
  }
  BarsVector axis = {{p->zero, p->zero, p->zero}};
  axis.at[least] = p->one;
  out[0] = bars_normal(b, u, &axis);
  out[1] = bars_normal(b, u, &out[0]);
  for (int k = 0; k < 2; k++) {
    ExprId length = bars_length(b, &out[k]);
    for (int i = 0; i < 3; i++) out[k].at[i] = expr_div(p, out[k].at[i], length);
  }
}

static bool add_fixed_slider(System *s, Bars *b, const LinkageSlider *x) {
  ExprPool *p = s->pool;
  BarsVector place = bars_place(b, x->node), from = {{0}}, u = {{x->along[0], x->along[1], x->along[2]}}, normals[2];
  const LinkageNode *n = &s->linkage.nodes.items[x->node];
  for (uint32_t i = 0; i < s->linkage.dimensions; i++) from.at[i] = expr_sub(p, place.at[i], n->place[i]);
  uint32_t count = s->linkage.dimensions - 1;
  if (count == 2) {
    across(b, &u, normals);
  } else {
    ExprId length = bars_length(b, &u);
    normals[0] = (BarsVector){{expr_div(p, expr_neg(p, u.at[1]), length), expr_div(p, u.at[0], length), 0}};
  }
  for (uint32_t k = 0; k < count; k++) {
    const char *label = arena_printf(s->arena, count == 2 ? "%s.slider[%u]" : "%s.slider", n->name, k + 1);
    if (!linkage_constrain(s, 0, label, label, bars_dot(b, &from, &normals[k]), x->span)) return false;
  }
  return true;
}

// On the line through c and d. In space the position along the line is a coordinate of its own, so that there are as
// many constraints as needed: P = C + along (D - C).
static bool add_moving_slider(System *s, Bars *b, const LinkageSlider *x) {
  ExprPool *p = s->pool;
  const char *name = s->linkage.nodes.items[x->node].name;
  BarsVector v = bars_between(b, x->c, x->node), u = bars_between(b, x->c, x->d), u0 = bars_drawn(b, x->c, x->d);
  ExprId length = bars_length(b, &u0);
  if (s->linkage.dimensions == 2) {
    const char *label = arena_printf(s->arena, "%s.slider", name);
    return linkage_constrain(s, 0, label, label, expr_div(p, bars_cross(b, &u, &v), length), x->span);
  }
  BarsVector v0 = bars_drawn(b, x->c, x->node);
  ExprId start = expr_div(p, bars_dot(b, &u0, &v0), bars_dot(b, &u0, &u0));
  uint32_t along = bars_add_coord(b, arena_printf(s->arena, "%s.along", name), start, x->span);
  for (uint32_t i = 0; along && i < 3; i++) {
    const char *label = arena_printf(s->arena, "%s.slider[%u]", name, i + 1);
    ExprId on = expr_mul(p, expr_sym(p, s->coords.items[along - 1].q), u.at[i]);
    if (!linkage_constrain(s, 0, label, label, expr_sub(p, v.at[i], on), x->span)) return false;
  }
  return along != 0;
}

// ---- loads

// The force rotated as the bar has rotated since it was drawn: by the angle in a plane, in space by the rotation
// without twist that takes its direction then to its direction now.
static BarsVector turned(Bars *b, const LinkageBar *bar, const BarsVector *f) {
  ExprPool *p = b->pool;
  BarsVector d = bars_between(b, bar->a, bar->b), d0 = bars_drawn(b, bar->a, bar->b), out = {{0}};
  ExprId lengths = expr_mul(p, bars_length(b, &d), bars_length(b, &d0));
  ExprId c = expr_div(p, bars_dot(b, &d0, &d), lengths);
  if (b->d->linkage.dimensions == 2) {
    ExprId s = expr_div(p, bars_cross(b, &d0, &d), lengths);
    out.at[0] = expr_sub(p, expr_mul(p, c, f->at[0]), expr_mul(p, s, f->at[1]));
    out.at[1] = expr_add(p, expr_mul(p, s, f->at[0]), expr_mul(p, c, f->at[1]));
    return out;
  }
  // f + w x f + w x (w x f)/(1 + c), w the cross product of the unit vectors
  BarsVector w = bars_normal(b, &d0, &d);
  for (int i = 0; i < 3; i++) w.at[i] = expr_div(p, w.at[i], lengths);
  BarsVector wf = bars_normal(b, &w, f), wwf = bars_normal(b, &w, &wf);
  for (int i = 0; i < 3; i++)
    out.at[i] = expr_add(p, expr_add(p, f->at[i], wf.at[i]), expr_div(p, wwf.at[i], expr_add(p, p->one, c)));
  return out;
}

static bool add_load(System *s, Bars *b, const LinkageLoad *x) {
  BarsVector f = {{x->force[0], x->force[1], x->force[2]}}, place = bars_place(b, x->node);
  bool constant = x->bar == linkage_none;
  for (uint32_t i = 0; i < s->linkage.dimensions; i++)
    constant = constant && expr_only_kinds(s->pool, f.at[i], kind_set(sym_param));
  if (constant) return add_term(s, energy_potential, expr_neg(s->pool, bars_dot(b, &f, &place)), x->span);
  if (x->bar != linkage_none) f = turned(b, &s->linkage.bars.items[x->bar], &f);
  BarsVector v = bars_rate(b, &place);
  return add_term(s, energy_power, bars_dot(b, &f, &v), x->span);
}

static bool linkage_add(System *s) {
  const Linkage *l = &s->linkage;
  Bars bars = {&s->described, s->arena, s->pool}, *b = &bars;
  if (!l->nodes.count) return true;
  bool ok = bars_coords(b);
  for (uint32_t i = 0; ok && i < l->nodes.count; i++) ok = add_node(s, b, i);
  for (uint32_t i = 0; ok && i < l->bars.count; i++) ok = add_bar(s, b, i);
  for (uint32_t i = 0; ok && i < l->springs.count; i++) ok = add_spring(s, b, i);
  for (uint32_t i = 0; ok && i < l->torsions.count; i++) ok = add_torsion(s, b, i);
  for (uint32_t i = 0; ok && i < l->sliders.count; i++) {
    const LinkageSlider *x = &l->sliders.items[i];
    ok = x->c == linkage_none ? add_fixed_slider(s, b, x) : add_moving_slider(s, b, x);
  }
  for (uint32_t i = 0; ok && i < l->rigids.count; i++) ok = linkage_add_rigid(s, b, &l->rigids.items[i]);
  for (uint32_t i = 0; ok && i < l->loads.count; i++) ok = add_load(s, b, &l->loads.items[i]);
  return ok && linkage_add_shapes(s, b);
}

static bool linkage_fill(System *s) {
  (void)s;
  return true;
}

const Formulation linkage_formulation = {.add = linkage_add, .fill = linkage_fill};
