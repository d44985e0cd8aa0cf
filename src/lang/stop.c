// stop q in -1 .. 2 stiffness 1e4 damping 10: an end stop, a spring and a damper beyond the limits of a coordinate.
//
// in    a coordinate q, limits lo < hi (`inf` or `-inf`: none there), stiffness k > 0, damping c >= 0, of parameters
// out   for each limit, with d the depth beyond it (q - hi, or lo - q) and w = d':
//         potential    if(d > 0, 1/2 k d^2, 0)
//         dissipation  if(d > 0, if(c w > -k d, 1/2 c w^2, -k d w - (k d)^2/(2 c)), 0)
//
// So the force of the stop is 0 before the limit and max(0, k d + c w) beyond it: the damper acts only in contact, and
// the stop never pulls. Where the damper alone would, it takes what the spring has left. The power that the account
// takes as dissipated, c w^2 or -k d w, is never negative. The last term of the dissipation, which makes it continuous,
// is gone in its gradient: c = 0 is a spring alone. The limits themselves are noted for problems of position.
#include "lang/eval.h"
#include "lang/statements.h"

typedef struct Stopped {
  ExprId q, v;
  ExprId k, c; // c: 0 where there is no damper
  Span span;
} Stopped;

// The coordinate that is stopped; NULL: reported.
static Decl *stopped(Elab *e, const Item *item, const Binding *env) {
  const char *name = path_full(e, item, env);
  if (!name) return NULL;
  Decl *d = names_find(e, name);
  if (d && d->kind == decl_coord && !item->primes) return d;
  if (d && !item->primes) {
    diag_error(e->diags, diag_force_target, item->name_span, "a stop limits a coordinate, but `%s` is %s", name,
               decl_word(d->kind));
  } else if (d) {
    diag_error(e->diags, diag_force_target, item->name_span, "a stop limits a coordinate: write `stop %s in ...`",
               name);
  } else {
    diag_error(e->diags, diag_unknown_name, item->name_span, "unknown coordinate `%s`", name);
    const char *near = names_nearest(e, name);
    if (near) diag_hint(e->diags, "did you mean `%s`?", near);
  }
  return NULL;
}

// A value of parameters alone; 0: reported.
static ExprId constant(Elab *e, const Ast *a, const Binding *env, const char *what) {
  ExprId id = eval_scalar(e, a, env, what);
  return id && eval_only_params(e, id, a->span, what) ? id : 0;
}

// What must not be: reported at once where numbers say so, before a run where parameters decide.
static bool demand(Elab *e, ExprId wrong, const Ast *a, const char *message) {
  Rat r;
  if (!wrong || wrong == e->pool->zero) return wrong != 0;
  if (expr_number(e->pool, wrong, &r)) {
    diag_error(e->diags, diag_stop, a->span, "%s", message);
    return false;
  }
  return vec_push(e->arena, &e->model->demands, (SystemCheck){wrong, diag_stop, message, a->span});
}

static ExprId compare(Elab *e, ExprOp op, ExprId a, ExprId b) { return expr_fn(e->pool, op, (ExprId[]){a, b}, 2); }

// Is it the infinity of its side?
static bool is_open(Elab *e, ExprId limit, bool upper) {
  ExprId open = expr_raw(e->pool, op_inf, NULL, 0);
  return limit == (upper ? open : expr_neg(e->pool, open));
}

static ExprId half(Elab *e, ExprId x) { return expr_scale(e->pool, (Rat){1, 2, NULL}, x); }

// x where a < b, else y; messages about this switch name the stop
static ExprId where(Elab *e, const Stopped *s, ExprId a, ExprId b, ExprId x, ExprId y) {
  ExprId condition = compare(e, op_lt, a, b);
  if (condition) elab_note_place(e, condition, "stop", s->span);
  return expr_fn(e->pool, op_if, (ExprId[]){condition, x, y}, 3);
}

// The energies of one limit: d is the depth beyond it, w its rate.
static void put_limit(Elab *e, const Stopped *s, ExprId d, ExprId w) {
  ExprPool *p = e->pool;
  ExprId spring = half(e, expr_mul(p, s->k, expr_powi(p, d, 2)));
  ExprId V = where(e, s, p->zero, d, spring, p->zero);
  vec_push(e->arena, &e->model->energies, (SystemTerm){energy_potential, V, s->span});
  if (!s->c || s->c == p->zero) return;
  ExprId push = expr_mul(p, s->k, d), free = half(e, expr_mul(p, s->c, expr_powi(p, w, 2)));
  ExprId held = expr_neg(p, expr_add(p, expr_mul(p, push, w), half(e, expr_div(p, expr_powi(p, push, 2), s->c))));
  ExprId touching = where(e, s, expr_neg(p, push), expr_mul(p, s->c, w), free, held);
  ExprId D = where(e, s, p->zero, d, touching, p->zero);
  vec_push(e->arena, &e->model->energies, (SystemTerm){energy_dissipation, D, s->span});
}

void visit_stop(Elab *e, const Stmt *s, const Binding *env) {
  const Item *item = &s->items.items[0];
  const Ast *stiffness = s->link->clause[link_stiffness], *damping = s->link->clause[link_damping];
  const Decl *d = stopped(e, item, env);
  ExprId lo = constant(e, item->value, env, "a limit"), hi = constant(e, item->until, env, "a limit");
  Stopped stop = {.k = constant(e, stiffness, env, "a stiffness"), .span = s->span};
  if (damping) stop.c = constant(e, damping, env, "a damping");
  if (!d || !lo || !hi || !stop.k || (damping && !stop.c)) return;
  bool below = !is_open(e, lo, false), above = !is_open(e, hi, true), good = true;
  if (below && above)
    good = demand(e, compare(e, op_le, hi, lo), item->until, "the upper limit must lie above the lower one");
  if (is_open(e, lo, true) || is_open(e, hi, false)) {
    diag_error(e->diags, diag_stop, item->value->span, "a range without end is `-inf .. b` or `a .. inf`");
    return;
  }
  good =
      demand(e, compare(e, op_le, stop.k, e->pool->zero), stiffness, "the stiffness of a stop must be above 0") && good;
  if (damping)
    good = demand(e, compare(e, op_lt, stop.c, e->pool->zero), damping, "the damping of a stop cannot be negative") &&
           good;
  if (!below && !above) {
    diag_error(e->diags, diag_stop, item->value->span, "without a limit there is nothing to stop at");
    return;
  }
  if (!good) return;
  const SystemCoord *c = &e->model->coords.items[d->index];
  stop.q = expr_sym(e->pool, c->q);
  stop.v = expr_sym(e->pool, c->v);
  if (above) put_limit(e, &stop, expr_sub(e->pool, stop.q, hi), stop.v);
  if (below) put_limit(e, &stop, expr_sub(e->pool, lo, stop.q), expr_neg(e->pool, stop.v));
  vec_push(e->arena, &e->model->limits, (SystemLimit){d->index, below ? lo : 0, above ? hi : 0});
}
