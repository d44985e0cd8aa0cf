// Blocks with memory: what they add to the model, and how their inputs are read afterwards.
//
// Each block is a pair: block_WORD makes its states, memories or symbols with names and gives the output; read_WORD
// reads the inputs when everything else is read, and sets rates, rules, starts. A memory m changes at events alone: m =
// rule, where `before` in the rule stands for the old value.
#include "lang/block_parts.h"
#include "lang/blocks.h"

#include <string.h>

static Value bad(void) { return value_none(); }

// ---- integral

// A level of the logic that an integrator obeys; zero where it is not said. 0: it was wrong.
static ExprId integral_logic(Elab *e, const DeferredBlock *job, uint32_t i, const char *what) {
  if (i >= job->a->count) return e->pool->zero;
  ExprId x = eval_scalar(e, job->a->items[i], job->env, what);
  return blocks_no_signals(e, x, job->a->items[i]) ? blocks_logic(e, x, job->a) : 0;
}

// Statements are executed in the order of the text, and this one is read behind them all:
// a part that is used twice is two sources.
static void put_in_order(Elab *e, SystemWhen w) {
  SystemWhenList *list = &e->model->whens;
  if (!vec_push(e->arena, list, w)) return;
  uint32_t at = list->count - 1;
  for (uint32_t i = 0; i < list->count - 1; i++) {
    Span other = list->items[i].span;
    if (other.source == w.span.source && other.start > w.span.start) {
      at = i;
      break;
    }
  }
  memmove(list->items + at + 1, list->items + at, (list->count - 1 - at) * sizeof *list->items);
  list->items[at] = w;
}

// x' = the input, but 0 while reset or hold is 1; x = x0 when reset becomes 1, and so as long as it is.
static void read_integral(Elab *e, const DeferredBlock *job) {
  ExprId x = eval_scalar(e, job->a->items[0], job->env, "the input of `integral`");
  ExprId start = blocks_start(e, job->a, job->env, 1, e->pool->zero);
  ExprId reset = integral_logic(e, job, 2, "the reset of `integral`"),
         hold = integral_logic(e, job, 3, "the hold of `integral`");
  SystemState *s = &e->model->states.items[job->index];
  if (!blocks_no_signals(e, x, job->a)) x = 0;
  s->x0 = start;
  s->rhs = x;
  if (job->a->count < 3 || !x || !reset || !hold) return;
  ExprId stands = hold == e->pool->zero ? reset : reset == e->pool->zero ? hold : blocks_op(e, op_or, reset, hold);
  s->rhs = blocks_if(e, stands, e->pool->zero, x);
  vec_push(e->arena, &e->model->places, (SystemPlace){s->rhs, job->a->name, job->a->span});
  if (reset == e->pool->zero) return;
  SystemWhen back = {.condition = reset, .span = job->a->span};
  s->assigned = true;
  vec_push(e->arena, &back.assigns, (SystemAssign){assign_state, job->index, start, job->a->span});
  put_in_order(e, back);
}

Value block_integral(Elab *e, const Ast *a, const Binding *env) {
  if (!blocks_may_stand(e, a)) return bad();
  const char *name = blocks_new_name(e, a);
  uint32_t i = blocks_new_state(e, name, a->span);
  blocks_defer(e, a, env, i, name, read_integral);
  return blocks_state(e, i);
}

// ---- discrete memory

static void read_hysteresis(Elab *e, const DeferredBlock *job) {
  const Ast *a = job->a;
  ExprId x[6];
  if (!blocks_inputs(e, job, x)) return;
  blocks_demand(e, a, blocks_op(e, op_lt, x[2], x[1]), "the lower threshold is above the upper one");
  ExprId above = blocks_corner(e, blocks_op(e, op_lt, x[2], x[0]), a),
         below = blocks_corner(e, blocks_op(e, op_lt, x[0], x[1]), a);
  SystemMemory *m = &e->model->memories.items[job->index];
  m->start = blocks_start(e, a, job->env, 5, blocks_op(e, op_min, x[3], x[4]));
  m->rule = blocks_if(e, above, x[3], blocks_if(e, below, x[4], blocks_symbol(e, m->before)));
  if (m->start && !expr_only_kinds(e->pool, m->start, kind_set(sym_param))) m->start = x[3];
}

Value block_hysteresis(Elab *e, const Ast *a, const Binding *env) {
  if (!blocks_may_stand(e, a)) return bad();
  const char *name = blocks_new_name(e, a);
  uint32_t i = blocks_new_memory(e, a, name, false);
  blocks_defer(e, a, env, i, name, read_hysteresis);
  return blocks_memory(e, i);
}

static void read_latch(Elab *e, const DeferredBlock *job) {
  const Ast *a = job->a;
  ExprId x[3];
  if (!blocks_inputs(e, job, x)) return;
  ExprId s = blocks_logic(e, x[0], a), r = blocks_logic(e, x[1], a);
  blocks_check(e, a, blocks_op(e, op_and, s, r), "set and reset are both 1");
  SystemMemory *m = &e->model->memories.items[job->index];
  m->start = blocks_start(e, a, job->env, 2, e->pool->zero);
  m->rule = blocks_if(e, s, e->pool->one, blocks_if(e, r, e->pool->zero, blocks_symbol(e, m->before)));
}

Value block_latch(Elab *e, const Ast *a, const Binding *env) {
  if (!blocks_may_stand(e, a)) return bad();
  const char *name = blocks_new_name(e, a);
  uint32_t i = blocks_new_memory(e, a, name, true);
  blocks_defer(e, a, env, i, name, read_latch);
  return blocks_memory(e, i);
}

// Two memories: the output, and right behind it when the pulse ends.
static void read_pulse(Elab *e, const DeferredBlock *job) {
  const Ast *a = job->a;
  ExprPool *p = e->pool;
  ExprId x[2];
  if (!blocks_inputs(e, job, x)) return;
  blocks_demand(e, a, blocks_op(e, op_le, x[1], p->zero), "the pulse has no length");
  ExprId on = blocks_logic(e, x[0], a), t = expr_sym(p, e->model->time);
  SystemMemory *out = &e->model->memories.items[job->index], *until = out + 1;
  ExprId before = blocks_symbol(e, out->before), end = blocks_symbol(e, until->before);
  ExprId over = blocks_corner(e, blocks_op(e, op_le, end, t), a);
  // a fixed step meets the end only to rounding
  ExprId almost_over = blocks_op(e, op_le, expr_sub(p, end, expr_scale(p, (Rat){1, 1000000000, NULL}, x[1])), t);
  out->rule = blocks_if(e, before, blocks_op(e, op_not, over, 0), on);
  out->stage = blocks_if(e, before, blocks_op(e, op_not, almost_over, 0), on);
  until->rule = until->stage =
      blocks_if(e, blocks_op(e, op_and, blocks_op(e, op_not, before, 0), on), expr_add(p, t, x[1]), end);
  out->by_step = until->by_step = true;
  out->of[0] = on;
  out->of[1] = x[1];
  blocks_check(e, a, blocks_op(e, op_and, blocks_op(e, op_and, before, over), on),
               "the trigger is still 1 when the pulse ends");
}

Value block_pulse(Elab *e, const Ast *a, const Binding *env) {
  if (!blocks_may_stand(e, a)) return bad();
  const char *name = blocks_new_name(e, a);
  uint32_t i = blocks_new_memory(e, a, name, true);
  blocks_new_memory(e, a, name ? arena_printf(e->arena, "%s.end", name) : NULL, false);
  blocks_defer(e, a, env, i, name, read_pulse);
  return blocks_memory(e, i);
}

// Play of total width 2w: the output is `rest`, but not below low = x - w and not above high = x + w. At each instant
// `rest` becomes the output; `side`, the sign of x', makes the reversal of x an event.

// x, not below low and not above high.
static ExprId within(Elab *e, const Ast *a, ExprId x, ExprId low, ExprId high) {
  return blocks_corner(e, blocks_op(e, op_min, blocks_corner(e, blocks_op(e, op_max, x, low), a), high), a);
}

static void read_backlash(Elab *e, const DeferredBlock *job) {
  const Ast *a = job->a;
  ExprPool *p = e->pool;
  ExprId x[3];
  if (!blocks_inputs(e, job, x)) return;
  blocks_demand(e, a, blocks_op(e, op_lt, x[1], p->zero), "the gap is negative");
  ExprId rate = x[0], w = blocks_half(e, x[1]), low = expr_sub(p, x[0], w), high = expr_add(p, x[0], w);
  if (!eval_rates(e, &rate, 1, a->items[0]->span)) return;
  SystemMemory *out = &e->model->memories.items[job->index], *side = out + 1, *rest = out + 2;
  out->start = rest->start = blocks_start(e, a, job->env, 2, x[0]);
  out->of[0] = x[0];
  out->of[1] = x[1];
  out->stage = blocks_op(e, op_min, blocks_op(e, op_max, blocks_symbol(e, out->before), low), high);
  ExprId now = blocks_symbol(e, rest->symbol), before = blocks_symbol(e, rest->before);
  rest->rule = within(e, a, before, low, high);
  out->follow = within(e, a, now, low, high);
  side->rule = blocks_corner(e, expr_fn(p, op_sign, &rate, 1), a);
}

Value block_backlash(Elab *e, const Ast *a, const Binding *env) {
  if (!blocks_may_stand(e, a)) return bad();
  const char *name = blocks_new_name(e, a);
  uint32_t i = blocks_new_memory(e, a, name, false);
  blocks_new_memory(e, a, name ? arena_printf(e->arena, "%s.side", name) : NULL, false);
  blocks_new_memory(e, a, name ? arena_printf(e->arena, "%s.rest", name) : NULL, false);
  if (i + 2 < e->model->memories.count)
    e->model->memories.items[i + 1].located = e->model->memories.items[i + 2].located = true;
  blocks_defer(e, a, env, i, name, read_backlash);
  return blocks_memory(e, i);
}

// ---- delay, friction: the run provides their outputs

static void read_delay(Elab *e, const DeferredBlock *job) {
  const Ast *a = job->a;
  ExprId x[3] = {0, 0, e->pool->zero};
  if (!blocks_inputs(e, job, x)) return;
  if (!eval_only_params(e, x[1], a->items[1]->span, "the time of a delay")) return;
  blocks_demand(e, a, blocks_op(e, op_lt, x[1], e->pool->zero), "the dead time is negative");
  KindSet allowed = kind_set(sym_param) | kind_set(sym_time);
  if (!expr_only_kinds(e->pool, x[2], allowed)) {
    diag_error(e->diags, diag_not_constant, a->items[2]->span,
               "the history of a delay may depend on time and parameters only");
    return;
  }
  SystemDelay *d = &e->model->delays.items[job->index];
  d->input = x[0];
  d->time = x[1];
  d->history = x[2];
}

Value block_delay(Elab *e, const Ast *a, const Binding *env) {
  if (!blocks_may_stand(e, a)) return bad();
  const char *name = blocks_new_name(e, a);
  uint32_t i = e->model->delays.count;
  SystemDelay d = {
      .name = name, .input = e->pool->zero, .time = e->pool->one, .history = e->pool->zero, .span = a->span};
  d.symbol = name ? blocks_new_symbol(e, name, sym_delay, i, 0) : 0;
  if (!d.symbol || !vec_push(e->arena, &e->model->delays, d)) return bad();
  blocks_defer(e, a, env, i, name, read_delay);
  return value_of(expr_sym(e->pool, d.symbol));
}

static void read_friction(Elab *e, const DeferredBlock *job) {
  const Ast *a = job->a;
  ExprId x[3];
  if (!blocks_inputs(e, job, x)) return;
  if (a->count == 2) x[2] = x[1];
  blocks_demand(e, a, blocks_op(e, op_lt, x[1], e->pool->zero), "the friction in motion is negative");
  // a law of friction that comes down from `stick` meets it at rest up to rounding
  ExprId about = expr_mul(e->pool, x[1], expr_sub(e->pool, e->pool->one, blocks_ratio(e, 1, (int64_t)1 << 40)));
  blocks_demand(e, a, blocks_op(e, op_lt, x[2], about), "the friction at rest is less than in motion");
  // the sticking friction is a multiple of the sliding friction;
  // a sliding friction that vanishes later is reported by the run
  bool fixed = !((expr_kinds(e->pool, x[1]) | expr_kinds(e->pool, x[2])) & ~kind_set(sym_param));
  ExprId slippery =
      fixed ? blocks_op(e, op_and, blocks_op(e, op_le, x[1], e->pool->zero), blocks_op(e, op_lt, e->pool->zero, x[2]))
            : 0;
  blocks_demand(e, a, slippery,
                "the friction at rest is not zero, and that in motion is: give it a small value in motion");
  SystemFriction *f = &e->model->frictions.items[job->index];
  f->v = x[0];
  f->slip = x[1];
  f->stick = x[2];
}

Value block_friction(Elab *e, const Ast *a, const Binding *env) {
  if (!blocks_may_stand(e, a)) return bad();
  const char *name = blocks_new_name(e, a);
  uint32_t i = e->model->frictions.count;
  SystemFriction f = {.name = name, .v = e->pool->zero, .slip = e->pool->zero, .stick = e->pool->zero, .span = a->span};
  f.symbol = name ? blocks_new_symbol(e, name, sym_friction, i, 0) : 0;
  if (!f.symbol || !vec_push(e->arena, &e->model->frictions, f)) return bad();
  blocks_defer(e, a, env, i, name, read_friction);
  return value_of(expr_sym(e->pool, f.symbol));
}

// ---- linear blocks

// Coefficients, highest power first; zeros at the front are left out.
static ExprId *coefficients(Elab *e, const Ast *a, uint32_t which, const Binding *env, uint32_t *count) {
  Value v = eval(e, a->items[which], env);
  if (!v.shape) return NULL;
  if (v.shape == value_matrix) {
    diag_error(e->diags, diag_shape, a->items[which]->span, "the coefficients of `tf` are a list: `[1, 2]`");
    return NULL;
  }
  uint32_t n = value_count(&v), first = 0;
  while (first + 1 < n && value_item(&v, first) == e->pool->zero) first++;
  ExprId *c = arena_array(e->arena, n, sizeof *c);
  *count = n - first;
  for (uint32_t i = first; c && i < n; i++) {
    c[i - first] = value_item(&v, i);
    if (!eval_only_params(e, c[i - first], a->items[which]->span, "a coefficient of `tf`")) return NULL;
  }
  return c;
}

static void read_tf(Elab *e, const DeferredBlock *job) {
  ExprId x = eval_scalar(e, job->a->items[0], job->env, "the input of `tf`");
  SystemState *s = &e->model->states.items[job->index];
  if (blocks_no_signals(e, x, job->a)) s->rhs = expr_add(e->pool, s->rhs, x);
}

// x1' = x2, ..., xn' = u - a1 xn - ... - an x1;  y = sum of (b_i - b_0 a_i) x + b_0 u
Value block_tf(Elab *e, const Ast *a, const Binding *env) {
  ExprPool *p = e->pool;
  uint32_t nn = 0, nd = 0;
  if (!blocks_may_stand(e, a)) return bad();
  ExprId *num = coefficients(e, a, 1, env, &nn), *den = coefficients(e, a, 2, env, &nd);
  if (!num || !den) return bad();
  if (den[0] == p->zero) {
    diag_error(e->diags, diag_improper, a->items[2]->span, "the denominator of `tf` is zero");
    return bad();
  }
  if (nn > nd) {
    diag_error(e->diags, diag_improper, a->span,
               "this transfer function is not proper: its numerator has degree %u, its denominator %u", nn - 1, nd - 1);
    diag_hint(e->diags, "add a fast pole to the denominator");
    return bad();
  }
  uint32_t n = nd - 1;
  const char *name = n ? blocks_new_name(e, a) : NULL;               // before those of blocks in its input
  ExprId through = nn == nd ? expr_div(p, num[0], den[0]) : p->zero; // b_0
  ExprId direct = p->zero;
  if (through != p->zero) {
    direct = eval_scalar(e, a->items[0], env, "the input of `tf`");
    if (!direct) return bad();
  }
  ExprId y = expr_mul(p, through, direct), feedback = p->zero;
  uint32_t first = e->model->states.count;
  for (uint32_t i = 0; name && i < n; i++) {
    const char *state = n == 1 ? arena_printf(e->arena, "%s.x", name) : arena_printf(e->arena, "%s.x%u", name, i + 1);
    blocks_new_state(e, state, a->span);
  }
  e->blocks.last_name = name;
  if (e->model->states.count != first + n) return bad();
  for (uint32_t i = 0; i < n; i++) {
    SystemState *s = &e->model->states.items[first + i];
    ExprId x = expr_sym(p, s->x), ai = expr_div(p, den[n - i], den[0]); // of s^i
    uint32_t from = nd - nn;                                            // numerator padded to the denominator's length
    ExprId bi = n - i >= from ? expr_div(p, num[n - i - from], den[0]) : p->zero;
    y = expr_add(p, y, expr_mul(p, expr_sub(p, bi, expr_mul(p, through, ai)), x));
    feedback = expr_sub(p, feedback, expr_mul(p, ai, x));
    if (i + 1 < n) s->rhs = expr_sym(p, e->model->states.items[first + i + 1].x);
  }
  if (n) {
    e->model->states.items[first + n - 1].rhs = feedback;
    // an input that goes straight through is read already
    if (through == p->zero) blocks_defer(e, a, env, first + n - 1, name, read_tf);
    else if (blocks_no_signals(e, direct, a)) e->model->states.items[first + n - 1].rhs = expr_add(p, feedback, direct);
  }
  return value_of(y);
}

// kp e + ki I + kd n (e - f),  I' = e,  f' = n (e - f). Where the output is limited the integral waits while e would
// drive it further out.
Value block_pid(Elab *e, const Ast *a, const Binding *env) {
  ExprPool *p = e->pool;
  ExprId x[7];
  if (!blocks_may_stand(e, a)) return bad();
  if (a->count == 6) {
    diag_error(e->diags, diag_arguments, a->span, "`pid` takes 5 arguments, or 7 with both limits");
    return bad();
  }
  const char *name = blocks_new_name(e, a); // before those of blocks in its input
  if (!name || !function_scalars(e, a, env, x)) return bad();
  uint32_t i = blocks_new_state(e, arena_printf(e->arena, "%s.I", name), a->span);
  uint32_t f = blocks_new_state(e, arena_printf(e->arena, "%s.f", name), a->span);
  if (e->model->states.count <= f) return bad();
  e->blocks.last_name = name;
  SystemState *integral = &e->model->states.items[i], *filter = &e->model->states.items[f];
  ExprId I = expr_sym(p, integral->x), slow = expr_sym(p, filter->x), fast = expr_sub(p, x[0], slow);
  blocks_demand(e, a, blocks_op(e, op_lt, x[4], p->zero), "the filter's n is negative");
  filter->rhs = expr_mul(p, x[4], fast);
  integral->rhs = x[0];
  ExprId u = expr_add(p, expr_mul(p, x[1], x[0]),
                      expr_add(p, expr_mul(p, x[2], I), expr_mul(p, expr_mul(p, x[3], x[4]), fast)));
  if (a->count < 7) return value_of(u);
  blocks_demand(e, a, blocks_op(e, op_lt, x[6], x[5]), "the lower limit is above the upper one");
  // one condition a side, so that the sign of e, which is noise at rest, switches nothing inside the limits
  ExprId push = expr_mul(p, x[2], x[0]);
  ExprId out = blocks_corner(
      e, blocks_op(e, op_lt, p->zero, blocks_corner(e, blocks_op(e, op_min, expr_sub(p, u, x[6]), push), a)), a);
  ExprId in = blocks_corner(
      e,
      blocks_op(e, op_lt, p->zero, blocks_corner(e, blocks_op(e, op_min, expr_sub(p, x[5], u), expr_neg(p, push)), a)),
      a);
  integral->rhs = expr_mul(p, x[0], expr_sub(p, expr_sub(p, p->one, out), in));
  return value_of(blocks_corner(e, blocks_op(e, op_min, blocks_corner(e, blocks_op(e, op_max, u, x[5]), a), x[6]), a));
}
