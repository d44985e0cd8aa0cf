// Nonsmooth (not differentiable) terms at a point: corners, jumps, roots.
//
// in    what the model says (the expressions of its statements, outputs), y
// out   those terms, with their spans in the text, if rates or outputs are not smooth at y
//
// A term is suspected when it switches just here (the argument of |x| is 0, both of a minimum are equal). Whether the
// rates depend on it is seen from the exact Jacobian a little to both sides: a difference that does not shrink with the
// distance is a corner or a jump.
#include "linear/kinks.h"

#include "expr/ops.h"
#include "system/table_names.h"

#include <math.h>
#include <string.h>

typedef struct Suspect {
  KinkKind kind;
  ExprId node;
  ExprId zero; // what vanishes where it switches
  bool whole;  // it switches at whole numbers
  const char *label;
  Span span;
} Suspect;

typedef struct KinkSearch {
  Operating *o;
  VEC(Suspect) suspects;
} KinkSearch;

static bool moves(const ExprPool *pool, ExprId id) {
  return !expr_only_kinds(pool, id,
                          kind_set(sym_param) | kind_set(sym_time) | kind_set(sym_bound) | kind_set(sym_mode));
}

static Suspect suspect_of(ExprPool *pool, ExprId id) {
  ExprOp op = expr_op(pool, id);
  Suspect s = {.node = id};
  if (op == op_mul) {
    // a base to a broken power below 1
    for (uint32_t i = 0; i < expr_factor_count(pool, id); i++) {
      Factor f = expr_factor(pool, id, i);
      Rat r;
      if (!expr_number(pool, f.exponent, &r) || rat_is_int(r) || rat_compare(r, RAT_ONE) > 0 || rat_sign(r) < 0 ||
          !moves(pool, f.base))
        continue;
      s.kind = kink_root;
      s.zero = f.base;
    }
    return s;
  }
  if (!expr_op_switches(op)) return s;
  const OpInfo *info = expr_op_info(op);
  s.kind = info->smoothness == smoothness_jump ? kink_jump
           : info->parity == parity_even       ? kink_mean // both derivatives, with opposite signs
                                               : kink_corner;
  s.whole = info->switching == switching_whole;
  s.zero = expr_guard(pool, op, pool_args(pool, id));
  return s;
}

// One that sticks, or begins to slide, is reported as such.
static bool is_held(const Operating *o, const Suspect *s) {
  for (uint32_t k = 0; k < o->events.elements.count; k++) {
    const PointElement *e = &o->events.elements.items[k];
    PointElementState state = events_state(o, e);
    bool known = state == element_sticks || state == element_slides;
    if (known && s->kind != kink_root && s->zero == o->events.h->plan->modes[e->mode].g) return true;
  }
  return false;
}

// Is it on one of its branches at the point, as corners of algebraic loops are?
static bool has_branch(const Operating *o, const Suspect *s) {
  for (uint32_t i = 0; i < o->events.modes; i++) {
    if (o->events.rewriting.modes.items[i].g == s->zero) return true;
  }
  return false;
}

static bool look_through(KinkSearch *w, ExprId root, const char *label, Span span) {
  ExprPool *pool = w->o->s.pool;
  uint32_t length;
  const ExprId *list = root ? pool_reach(pool, &root, 1, NULL, NULL, &length) : NULL;
  if (!root) return true;
  if (!list) return false;
  // the list goes with the next pass
  uint32_t count = 0;
  ExprId *nodes = arena_array(w->o->arena, length, sizeof *nodes);
  if (!nodes) return false;
  for (uint32_t i = 0; i < length; i++) {
    if (moves(pool, list[i])) nodes[count++] = list[i];
  }
  for (uint32_t i = 0; i < count; i++) {
    Suspect s = suspect_of(pool, nodes[i]);
    if (s.kind == kink_none || !s.zero || is_held(w->o, &s)) continue;
    if (s.kind == kink_mean && has_branch(w->o, &s)) s.kind = kink_corner;
    bool known = false;
    for (uint32_t k = 0; k < w->suspects.count; k++) known = known || w->suspects.items[k].node == s.node;
    s.label = label;
    s.span = span;
    if (!known && !vec_push(w->o->arena, &w->suspects, s)) return false;
  }
  return true;
}

// Keeps those that switch at the point.
static bool at_point(KinkSearch *w) {
  Operating *o = w->o;
  uint32_t n = w->suspects.count, kept = 0;
  ExprId *results = arena_array(o->arena, n, sizeof *results);
  OperatingTape t;
  if (!results) return false;
  for (uint32_t i = 0; i < n; i++) results[i] = w->suspects.items[i].zero;
  if (!operating_tape(o, results, n, false, &t)) return false;
  operating_eval(o, &t, o->y);
  for (uint32_t i = 0; i < n; i++) {
    double z = tape_result(t.tape, t.w, i);
    if (w->suspects.items[i].whole) z -= nearbyint(z);
    if (fabs(z) <= 1e-13) w->suspects.items[kept++] = w->suspects.items[i];
  }
  w->suspects.count = kept;
  return true;
}

// Rates, outputs and their Jacobian: the difference between both sides, and (size) how large they are. False: also
// where a loop has no one solution on a side.
static bool both_sides(Operating *o, double part, const double *direction, double *difference, double *size) {
  size_t rows = (size_t)o->dim + o->output_count, total = rows + rows * o->dim;
  double *y = arena_array(o->arena, o->dim, sizeof *y), *value = arena_array(o->arena, total, sizeof *value);
  if (!y || !value) return false;
  for (int side = 0; side < 2; side++) {
    for (uint32_t i = 0; i < o->dim; i++) y[i] = o->y[i] + (side ? 1 : -1) * part * direction[i];
    if (!operating_rates(o, y, value, value + o->dim) || !operating_jacobian(o, y, value + rows)) return false;
    if (o->events.unsolved) return false;
    for (size_t i = 0; i < total; i++) {
      difference[i] = side ? value[i] - difference[i] : value[i];
      size_t row = i < rows ? i : (i - rows) / o->dim;
      if (isfinite(value[i])) size[row] = fmax(size[row], fabs(value[i]));
    }
  }
  return true;
}

// The first `shown` rows. True also when out of memory.
static bool is_smooth(Operating *o, size_t shown) {
  size_t rows = (size_t)o->dim + o->output_count, total = rows + rows * o->dim;
  double *direction = arena_array(o->arena, o->dim, sizeof *direction),
         *size = arena_array(o->arena, rows, sizeof *size);
  double *step_near = arena_array(o->arena, total, sizeof *step_near),
         *step_far = arena_array(o->arena, total, sizeof *step_far);
  if (!direction || !size || !step_near || !step_far) return true;
  // directions of no special kind; several, because jumps can cancel in one
  for (uint32_t k = 0; k < 4; k++) {
    for (uint32_t i = 0; i < o->dim; i++)
      direction[i] =
          o->symbols[i] && o->role[i] <= role_input
              ? fmax(1, fabs(o->y[i])) * (1 + 0.37 * sin(1.7 * i + 0.4)) * (sin(2.3 * k * (i + 1)) < 0 ? -1 : 1)
              : 0;
    if (!both_sides(o, 1e-7, direction, step_near, size) || !both_sides(o, 1e-4, direction, step_far, size))
      return !o->events.unsolved;
    for (size_t i = 0; i < total; i++) {
      size_t row = i < rows ? i : (i - rows) / o->dim;
      if (row >= shown) continue;
      double scale = size[row];
      bool finite = isfinite(step_near[i]) && isfinite(step_far[i]);
      if (!finite || (fabs(step_near[i]) > 1e-8 * scale && fabs(step_near[i]) > 0.1 * fabs(step_far[i]))) return false;
    }
  }
  return true;
}

bool kinks_find(Operating *o, KinkList *out) {
  KinkSearch work = {.o = o}, *w = &work;
  for (uint32_t i = 0; i < o->s.origins.count; i++) {
    const Origin *g = &o->s.origins.items[i];
    if (!look_through(w, g->root, g->label, g->span)) return false;
  }
  for (uint32_t i = 0; i < o->output_count; i++) {
    Span span = i < o->s.outputs.count ? o->s.outputs.items[i].span : (Span){0};
    if (!look_through(w, o->outputs[i], arena_printf(o->arena, "the output %s", o->output_names[i]), span))
      return false;
  }
  if (w->suspects.count == 0) return true;
  if (!at_point(w)) return false;
  if (w->suspects.count == 0 || is_smooth(o, (size_t)o->dim + o->output_count)) return !arena_failed(o->arena);
  bool rates = !is_smooth(o, o->dim);
  ExprNames names = table_names(&o->s, o->arena);
  for (uint32_t i = 0; i < w->suspects.count; i++) {
    static const char *const what[] = {
        [kink_none] = "",
        [kink_corner] = "has a corner at this point: the matrices hold the slope of one side",
        [kink_mean] = "has a corner at this point: the matrices hold the mean of both derivatives",
        [kink_jump] = "jumps at this point: the matrices leave the jump out",
        [kink_root] = "has no finite slope at this point"};
    const Suspect *s = &w->suspects.items[i];
    Text t = text_in(o->arena);
    expr_print(o->s.pool, s->node, format_text, &names, &t);
    if (!vec_push(o->arena, out, (Kink){s->kind, text_str(&t), what[s->kind], s->label, s->span, rates})) return false;
  }
  return !arena_failed(o->arena);
}
