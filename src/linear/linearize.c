// Linearization about an operating point: the point, the state-space matrices exactly and in numbers, modes.
//
// in    an operating point, and where it is to be (given, the start, an equilibrium)
// out   k, A, B, C, D exactly and in numbers, what the point is, remarks, terms without a derivative, modes
//
// The stages: the point (point.c); numbers by the tape of the exact Jacobian; what is held is taken out, with the state
// that it binds; the same in rational numbers, for signs and ranks, where there are few states; the exact form. A
// number is that of its rational entry; else that of the exact entry where both agree (a long formula may cancel); else
// that of the tape. An entry that is exactly zero is zero.
#include "linear/linearize.h"

#include "algebra/style.h"
#include "expr/calculus.h"
#include "linear/linearize_parts.h"
#include "system/dimension.h"

#include <math.h>
#include <string.h>

static const double dependent_part = 1e-10; // of a row: what is left of one that follows from others

// Expressions of parameters and of the state, in numbers at the point.
static bool evaluate(Operating *o, const ExprId *list, size_t count, double *out) {
  OperatingTape t;
  if (count == 0) return true;
  if (!operating_tape(o, list, (uint32_t)count, false, &t)) return false;
  operating_eval(o, &t, o->y);
  for (uint32_t i = 0; i < count; i++) out[i] = tape_result(t.tape, t.w, i);
  return true;
}

// Does one of these depend on the state?
static bool has_motion(const ExprPool *pool, const ExprId *list, size_t count) {
  KindSet motion = kind_set(sym_coord) | kind_set(sym_velocity) | kind_set(sym_state);
  for (size_t i = 0; i < count; i++) {
    if (expr_has_kinds(pool, list[i], motion)) return true;
  }
  return false;
}

// ---- what is held

// Which state follows from the others where `g` stays zero: the one with the largest derivative; of an element that
// sticks a velocity, if there is one in it.
static uint32_t bound_place(const Operating *o, const double *g, bool velocity) {
  uint32_t best = o->dim;
  for (int velocities = velocity; velocities >= 0 && best == o->dim; velocities--) {
    for (uint32_t i = 0; i < o->states; i++) {
      uint32_t at = o->component[i];
      if ((velocity && velocities != operating_is_velocity(o, at)) || g[at] == 0) continue;
      if (best == o->dim || fabs(g[at]) > fabs(g[best])) best = at;
    }
  }
  return best;
}

// One state follows from the others by a row of the Jacobian that stays zero: it is put into all other rows.
static bool bind(LinearWork *w, BoundState bound) {
  Operating *o = w->o;
  uint32_t dim = o->dim, at = bound.at, kept = 0;
  double *g = o->full + (size_t)bound.row * dim;
  for (uint32_t i = 0; i < operating_rows(o); i++) {
    double *row = o->full + (size_t)i * dim, f = row[at] / g[at];
    if (row == g || f == 0) continue;
    for (uint32_t c = 0; c < dim; c++) row[c] -= c == at ? row[c] : f * g[c];
  }
  memset(g, 0, dim * sizeof *g);
  for (uint32_t i = 0; i < o->states; i++) {
    if (o->component[i] != at) o->component[kept++] = o->component[i];
  }
  o->states = kept;
  return vec_push(o->arena, &w->bounds, bound);
}

// The largest entry of a row of the Jacobian.
static double row_size(const Operating *o, uint32_t row) {
  double most = 0;
  for (uint32_t i = 0; i < o->states; i++) most = fmax(most, fabs(o->full[(size_t)row * o->dim + o->component[i]]));
  return most;
}

// Invariants. One that follows from those before it leaves only rounding of its row.
static bool bind_invariants(LinearWork *w) {
  Operating *o = w->o;
  uint32_t count = o->s.invariants.count;
  double *size = arena_array(o->arena, count, sizeof *size);
  if (count && !size) return false;
  for (uint32_t k = 0; k < count; k++) size[k] = row_size(o, operating_invariant_row(o, k));
  for (uint32_t k = 0; k < count; k++) {
    uint32_t row = operating_invariant_row(o, k);
    const double *g = o->full + (size_t)row * o->dim;
    uint32_t at = bound_place(o, g, o->s.invariants.items[k].kind == invariant_rate);
    if (at == o->dim || fabs(g[at]) <= dependent_part * size[k]) continue; // it is stationary there, or dependent
    if (!bind(w, (BoundState){no_element, row, at})) return false;
  }
  return true;
}

// What elements keep at zero, and invariants.
static bool bind_all(LinearWork *w) {
  Operating *o = w->o;
  for (uint32_t k = 0; k < o->events.elements.count; k++) {
    const PointElement *e = &o->events.elements.items[k];
    if (!events_holds(o, e)) continue;
    uint32_t row = operating_element_row(o, k), at = bound_place(o, o->full + (size_t)row * o->dim, true);
    if (at == o->dim) continue; // the same as another one
    if (!bind(w, (BoundState){k, row, at})) return false;
  }
  if (!bind_invariants(w)) return false;
  if (w->bounds.count) memcpy(w->jacobian, o->full, ((size_t)o->dim + o->output_count) * o->dim * sizeof *w->jacobian);
  return true;
}

// Without numbers: the first state whose derivative is not zero, of a rate a velocity. False: out of memory.
static bool bind_symbols(LinearWork *w, ExactLinear *x) {
  Operating *o = w->o;
  for (uint32_t k = 0; k < o->s.invariants.count; k++) {
    uint32_t row = operating_invariant_row(o, k), best = o->dim, kept = 0;
    bool rate = o->s.invariants.items[k].kind == invariant_rate;
    for (uint32_t i = o->states; i-- > 0;) {
      uint32_t at = o->component[i];
      ExprId slope = x->jacobian[(size_t)row * o->dim + at];
      if (expr_is_zero(o->s.pool, slope) || (rate && !operating_is_velocity(o, at))) continue;
      if (best == o->dim || expr_op(o->s.pool, slope) == op_num) best = at;
    }
    if (best == o->dim) continue;
    if (!exact_eliminate(o, exact_symbols, x, row, best) ||
        !vec_push(o->arena, &w->bounds, ((BoundState){no_element, row, best})))
      return false;
    for (uint32_t i = 0; i < o->states; i++) {
      if (o->component[i] != best) o->component[kept++] = o->component[i];
    }
    o->states = kept;
  }
  return true;
}

static bool bind_exact(LinearWork *w, ExactMode mode, ExactLinear *x) {
  Operating *o = w->o;
  for (uint32_t i = 0; i < w->bounds.count; i++) {
    uint32_t row = w->bounds.items[i].row, at = w->bounds.items[i].at;
    if (expr_is_zero(o->s.pool, x->jacobian[(size_t)row * o->dim + at])) {
      x->why = "what a held term binds is not known exactly";
      return true;
    }
    if (!exact_eliminate(o, mode, x, row, at)) return false;
  }
  return true;
}

// Friction at zero that no load can hold: it drives.
static bool put_free_frictions(LinearWork *w) {
  Operating *o = w->o;
  for (uint32_t k = 0; k < o->events.elements.count; k++) {
    const PointElement *e = &o->events.elements.items[k];
    const SwitchMode *m = &o->events.h->plan->modes[e->mode];
    if (strcmp(m->word, "friction") != 0 || events_state(o, e) != element_drives) continue;
    Kink kink = {.kind = kink_jump,
                 .text = "friction",
                 .what = "jumps at this point, and works with the motion: the matrices leave the jump out",
                 .label = e->label ? e->label : "the model",
                 .span = m->span};
    if (!vec_push(o->arena, &w->out->kinks, kink)) return false;
  }
  return true;
}

// Blocks that go wrong here, and events that happen here.
static LinearizeStatus check_events(LinearWork *w, const char **message, Span *place) {
  Operating *o = w->o;
  const char *why;
  const SystemCheck *wrong = events_check(o);
  const SystemWhen *when = wrong ? NULL : events_when(o, &why);
  if (wrong) {
    *message = arena_printf(o->arena, "the point lies outside of what the model can say: %s", wrong->message);
    *place = wrong->span;
    return linearize_failed;
  }
  if (!when) return linearize_done;
  *message = arena_printf(o->arena, "there is no linear model at this point: this `when` sets what moves, and %s", why);
  *place = when->span;
  bool time = expr_has_kind(o->s.pool, when->condition, sym_time);
  w->out->hint = time ? "leave the `when` out"
                      : "name a point away from the event, `--at name=value,...`, or leave the `when` out";
  return linearize_refused;
}

// ---- matrices

static LinearMatrix new_matrix(LinearWork *w, uint32_t rows, uint32_t cols) {
  size_t cells = (size_t)rows * cols;
  LinearMatrix m = {rows, cols, NULL, NULL};
  if (w->exact_done) m.exact = arena_array(w->o->arena, cells, sizeof *m.exact);
  if (w->o->numbers) m.numbers = arena_array(w->o->arena, cells, sizeof *m.numbers);
  return m;
}

// Entry (row, column) of the whole Jacobian into an entry of a matrix.
static void put_entry(LinearWork *w, LinearMatrix *m, uint32_t i, uint32_t j, uint32_t row, uint32_t column) {
  size_t from = (size_t)row * w->o->dim + column, to = (size_t)i * m->cols + j;
  if (m->exact) m->exact[to] = w->exact.jacobian[from];
  Rat r;
  bool rational = m->numbers && w->rational_done && expr_number(w->o->s.pool, w->rational.jacobian[from], &r);
  if (m->numbers && w->jacobian) m->numbers[to] = rational ? rat_to_double(r) : w->jacobian[from];
}

static bool column_counts(const LinearWork *w, uint32_t at) {
  const Operating *o = w->o;
  uint32_t rows = o->dim + o->output_count;
  for (uint32_t i = 0; i < rows && w->exact_done; i++) {
    if (!expr_is_zero(o->s.pool, w->exact.jacobian[(size_t)i * o->dim + at])) return true;
  }
  return !w->exact_done && operating_counts(o, at);
}

static bool choose_inputs(LinearWork *w) {
  Operating *o = w->o;
  Linearization *out = w->out;
  uint32_t all = o->free + o->sampled;
  out->column = w->input = arena_array(o->arena, all, sizeof *w->input);
  out->inputs = arena_array(o->arena, all, sizeof *out->inputs);
  out->u = arena_array(o->arena, all, sizeof *out->u);
  out->u_exact = arena_array(o->arena, all, sizeof *out->u_exact);
  if (!w->input || !out->inputs || !out->u || !out->u_exact) return false;
  for (uint32_t i = 0; i < all; i++) {
    uint32_t at = o->input_at[i];
    // rates of inputs, and delays, only where they matter
    if (i >= o->s.inputs.count && i < o->free && !column_counts(w, at)) continue;
    out->inputs[out->m] = o->names[at];
    if (w->exact_done) out->u_exact[out->m] = w->exact.inputs[i];
    w->input[out->m++] = i;
  }
  return true;
}

// Of y.
static uint32_t input_column(const LinearWork *w, uint32_t j) { return w->o->input_at[w->input[j]]; }

static bool fill_matrices(LinearWork *w) {
  Operating *o = w->o;
  Linearization *out = w->out;
  uint32_t n = out->n, m = out->m, p = out->p;
  out->k = new_matrix(w, n, 1);
  out->A = new_matrix(w, n, n);
  out->B = new_matrix(w, n, m);
  out->C = new_matrix(w, p, n);
  out->D = new_matrix(w, p, m);
  if (arena_failed(o->arena)) return false;
  for (uint32_t i = 0; i < n; i++) {
    if (out->k.exact) out->k.exact[i] = w->exact.rates[o->component[i]];
    if (out->k.numbers && w->rates) out->k.numbers[i] = w->rates[o->component[i]];
    for (uint32_t j = 0; j < n; j++) put_entry(w, &out->A, i, j, o->component[i], o->component[j]);
    for (uint32_t j = 0; j < m; j++) put_entry(w, &out->B, i, j, o->component[i], input_column(w, j));
  }
  for (uint32_t i = 0; i < p; i++) {
    for (uint32_t j = 0; j < n; j++) put_entry(w, &out->C, i, j, o->dim + i, o->component[j]);
    for (uint32_t j = 0; j < m; j++) put_entry(w, &out->D, i, j, o->dim + i, input_column(w, j));
  }
  return true;
}

// Numbers of exact entries: what is zero is zero. A long formula may cancel: where they
// differ the tape counts.
static bool numbers_of(LinearWork *w, LinearMatrix *m) {
  size_t cells = (size_t)m->rows * m->cols;
  double *numbers = m->exact && m->numbers ? arena_array(w->o->arena, cells, sizeof *numbers) : NULL;
  if (!m->exact || !m->numbers) return true;
  if (!numbers || !evaluate(w->o, m->exact, cells, numbers)) return false;
  for (uint32_t i = 0; i < m->rows; i++) {
    double scale = 0;
    for (uint32_t j = 0; j < m->cols; j++) scale = fmax(scale, fabs(m->numbers[(size_t)i * m->cols + j]));
    for (uint32_t j = 0; j < m->cols; j++) {
      double *tape = &m->numbers[(size_t)i * m->cols + j], exact = numbers[(size_t)i * m->cols + j];
      bool zero = expr_is_zero(w->o->s.pool, m->exact[(size_t)i * m->cols + j]);
      if (zero || (!w->rational_done && fabs(exact - *tape) <= 1e-12 * scale)) *tape = exact;
    }
  }
  return true;
}

static bool point_values(LinearWork *w) {
  Operating *o = w->o;
  Linearization *out = w->out;
  out->x = arena_array(o->arena, out->n, sizeof *out->x);
  out->y = arena_array(o->arena, out->p, sizeof *out->y);
  out->x_exact = arena_array(o->arena, out->n, sizeof *out->x_exact);
  out->y_exact = arena_array(o->arena, out->p, sizeof *out->y_exact);
  out->cyclic = arena_array(o->arena, out->n, sizeof *out->cyclic);
  out->held = arena_array(o->arena, out->n, sizeof *out->held);
  if (arena_failed(o->arena)) return false;
  for (uint32_t i = 0; i < out->n; i++) {
    uint32_t at = o->component[i];
    bool symbol = o->point[at] == expr_sym(o->s.pool, o->symbols[at]);
    out->x[i] = o->numbers ? o->y[at] : NAN;
    out->x_exact[i] = symbol ? 0 : o->point[at];
    bool cyclic = operating_is_position(o, at);
    for (uint32_t k = 0; k < out->n && cyclic; k++) {
      if (out->A.exact) cyclic = expr_is_zero(o->s.pool, out->A.exact[(size_t)k * out->n + i]);
      else if (w->jacobian && w->bounds.count) cyclic = out->A.numbers[(size_t)k * out->n + i] == 0;
      else if (w->jacobian) cyclic = operating_cyclic(o, at);
    }
    out->cyclic[i] = cyclic;
    for (uint32_t k = 0; k < w->bounds.count; k++)
      out->held[i] = out->held[i] || operating_position(o, w->bounds.items[k].at) == at;
  }
  for (uint32_t i = 0; i < out->p; i++) {
    out->y[i] = w->outputs ? w->outputs[i] : NAN;
    out->y_exact[i] = w->exact_done ? w->exact.outputs[i] : 0;
  }
  out->t = o->numbers ? o->t : NAN;
  ExprId *inputs = arena_array(o->arena, out->m, sizeof *inputs);
  for (uint32_t i = 0; inputs && i < out->m; i++) inputs[i] = expr_sym(o->s.pool, o->inputs[w->input[i]]);
  return inputs && (!o->numbers || evaluate(o, inputs, out->m, out->u));
}

// ---- properties of the point

// To rounding: against what the terms of the row may be.
static bool row_vanishes(const Linearization *l, uint32_t i) {
  double scale = 0;
  for (uint32_t j = 0; j < l->n; j++) scale += fabs(l->A.numbers[(size_t)i * l->n + j]) * fabs(l->x[j]);
  for (uint32_t j = 0; j < l->m; j++) scale += fabs(l->B.numbers[(size_t)i * l->m + j]) * fabs(l->u[j]);
  return l->k.numbers[i] == 0 || fabs(l->k.numbers[i]) <= 1e-12 * scale;
}

// Exactly, for all values of what stands in the point?
static bool lies_on_constraints(const LinearWork *w, const ExactLinear *x) {
  const Operating *o = w->o;
  for (uint32_t k = 0; k < o->s.invariants.count; k++) {
    if (o->s.invariants.items[k].kind != invariant_constant &&
        !expr_is_zero(o->s.pool, x->outputs[operating_invariant_row(o, k) - o->dim]))
      return false;
  }
  return true;
}

// Was a branch chosen by the values of parameters? Friction that sticks, the side of a jump and the value of a memory
// are those of these values alone.
static bool by_values(const Operating *o) { return o->s.params.count && events_places(o); }

static void judge_point(LinearWork *w) {
  Operating *o = w->o;
  Linearization *out = w->out;
  out->equilibrium = true;
  out->proved = w->exact_done && !w->assumed && !by_values(o) && lies_on_constraints(w, &w->exact);
  out->exact = w->rational_done && (out->kind == point_given || w->nice) && lies_on_constraints(w, &w->rational);
  for (uint32_t i = 0; i < out->n; i++) {
    if (out->k.exact && expr_is_zero(o->s.pool, out->k.exact[i])) continue;
    out->proved = out->proved && out->cyclic[i];
    if (out->exact && !expr_is_zero(o->s.pool, w->rational.rates[o->component[i]])) out->exact = out->cyclic[i];
    bool moving = w->found.moving && w->found.moving[o->component[i]];
    // what Newton's method found is one, to its own measure
    bool zero = out->kind == point_given ? out->k.numbers && row_vanishes(out, i) : !moving;
    if (zero) out->k.numbers[i] = 0;
    else if (out->cyclic[i]) out->moves = true;
    else out->equilibrium = false;
  }
  out->proved = out->proved && out->equilibrium;
  out->exact = out->exact && out->equilibrium;
}

// An exact form with something undefined in it is none.
static bool is_defined(LinearWork *w, const ExprId *list, size_t count) {
  ExprPool *pool = w->o->s.pool;
  uint32_t length;
  const ExprId *nodes = count ? pool_reach(pool, list, (uint32_t)count, NULL, NULL, &length) : NULL;
  for (uint32_t i = 0; nodes && i < length; i++) {
    if (expr_op(pool, nodes[i]) == op_undefined || expr_op(pool, nodes[i]) == op_inf) return false;
  }
  return true;
}

// A number inside a function, such as the sine of 2.8, makes no formula: the exact form keeps the state's name for it.
static bool keep_names(LinearWork *w) {
  Operating *o = w->o;
  ExprPool *pool = o->s.pool;
  ExprList roots = {0};
  system_roots(&o->s, o->arena, &roots);
  for (uint32_t i = 0; i < o->output_count; i++) vec_push(o->arena, &roots, o->outputs[i]);
  uint32_t length = 0, count = 0;
  const ExprId *list = roots.count ? pool_reach(pool, roots.items, roots.count, NULL, NULL, &length) : NULL;
  ExprId *calls = arena_array(o->arena, length, sizeof *calls);
  if (arena_failed(o->arena) || (roots.count && !list)) return false;
  for (uint32_t i = 0; i < length; i++) {
    if (expr_op(pool, list[i]) >= op_sin) calls[count++] = list[i];
  }
  for (uint32_t i = 0; i < o->states; i++) {
    uint32_t at = o->component[i];
    Rat r;
    if (!expr_number(pool, o->point[at], &r) || rat_is_zero(r)) continue;
    bool inside = false;
    for (uint32_t k = 0; k < count && !inside; k++) inside = expr_depends(pool, calls[k], o->symbols[at]);
    if (inside) o->point[at] = expr_sym(pool, o->symbols[at]);
  }
  return true;
}

static bool find_exact(LinearWork *w) {
  Operating *o = w->o;
  if (w->settings->exact && !w->exact_done) {
    if (o->numbers && w->out->kind == point_given && !keep_names(w)) return false;
    w->assumed = w->out->kind != point_given;
    if (!exact_linear(o, exact_symbols, w->assumed, &w->exact)) return false;
    size_t cells = ((size_t)o->dim + o->output_count) * o->dim;
    if (!w->exact.why && (!is_defined(w, w->exact.jacobian, cells) || !is_defined(w, w->exact.rates, o->dim)))
      w->exact.why = "something is not defined at this point";
    w->exact_done = !w->exact.why;
  }
  if (w->exact_done && !(o->numbers ? bind_exact(w, exact_symbols, &w->exact) : bind_symbols(w, &w->exact)))
    return false;
  w->exact_done = w->exact_done && !w->exact.why;
  w->out->exact_note = w->exact.why;
  size_t rows = (size_t)o->dim + o->output_count;
  w->out->at_symbols =
      w->exact_done && (has_motion(o->s.pool, w->exact.jacobian, rows * o->dim) ||
                        (w->out->kind == point_given && has_motion(o->s.pool, w->exact.rates, o->dim)));
  return true;
}

// In rational numbers, as far as the point is known in them.
static bool find_rational(LinearWork *w) {
  Operating *o = w->o;
  bool known = w->out->kind == point_given || w->nice; // else it is a rest, and what depends on where stays a symbol
  if (!o->numbers || o->states > hurwitz_most) return true;
  ExprId *point = arena_array(o->arena, o->dim, sizeof *point);
  if (!point) return false;
  memcpy(point, o->point, o->dim * sizeof *point);
  bool done = exact_linear(o, exact_numbers, !known, &w->rational);
  memcpy(o->point, point, o->dim * sizeof *point);
  if (!done) return false;
  if (!w->rational.why && !bind_exact(w, exact_numbers, &w->rational)) return false;
  w->rational_done = !w->rational.why;
  return true;
}

static bool find_tape(LinearWork *w) {
  Operating *o = w->o;
  size_t rows = (size_t)o->dim + o->output_count;
  w->rates = arena_array(o->arena, o->dim, sizeof *w->rates);
  w->outputs = arena_array(o->arena, o->output_count, sizeof *w->outputs);
  w->jacobian = arena_array(o->arena, rows * o->dim, sizeof *w->jacobian);
  return w->rates && w->outputs && w->jacobian && operating_rates(o, o->y, w->rates, w->outputs) &&
         operating_jacobian(o, o->y, w->jacobian);
}

// Why an entry is not finite.
static bool explain(LinearWork *w, const char **message, Span *place) {
  Operating *o = w->o;
  bool finite = true;
  for (uint32_t i = 0; i < o->dim; i++) finite = finite && isfinite(w->rates[i]);
  for (uint32_t i = 0; i < o->output_count; i++) finite = finite && isfinite(w->outputs[i]);
  if (!finite) {
    const char *fault = operating_fault(o, o->y, place);
    *message = arena_printf(o->arena, "the point lies outside of what the model can say: %s",
                            fault ? fault : "a value is not finite");
    return false;
  }
  size_t cells = ((size_t)o->dim + o->output_count) * o->dim;
  for (size_t i = 0; i < cells; i++) finite = finite && isfinite(w->jacobian[i]);
  if (finite) return true;
  const KinkList *kinks = &w->out->kinks;
  *message = "there is no linear model at this point: a slope is not finite";
  for (uint32_t i = 0; i < kinks->count; i++) {
    const Kink *k = &kinks->items[i];
    *message =
        arena_printf(o->arena, "there is no linear model at this point: `%s`, in %s, %s", k->text, k->label, k->what);
    *place = k->span;
    if (k->kind == kink_root) break;
  }
  return false;
}

// Rows and columns of the rational Jacobian as a matrix; NULL: not rational.
static Rat *rationals(LinearWork *w, uint32_t rows, uint32_t cols, bool outputs, bool inputs) {
  Operating *o = w->o;
  Rat *out = w->rational_done ? arena_array(o->arena, (size_t)rows * cols, sizeof *out) : NULL;
  for (uint32_t i = 0; out && i < rows; i++) {
    uint32_t row = outputs ? o->dim + i : o->component[i];
    for (uint32_t j = 0; j < cols; j++) {
      ExprId entry = w->rational.jacobian[(size_t)row * o->dim + (inputs ? input_column(w, j) : o->component[j])];
      if (!expr_number(o->s.pool, entry, &out[(size_t)i * cols + j])) return NULL;
    }
  }
  return out;
}

static bool find_modes(LinearWork *w) {
  Linearization *out = w->out;
  ModesIn in = {.n = out->n, .m = out->m, .p = out->p, .A = out->A.numbers, .B = out->B.numbers, .C = out->C.numbers};
  in.rA = rationals(w, out->n, out->n, false, false);
  in.rB = in.rA ? rationals(w, out->n, out->m, false, true) : NULL;
  in.rC = in.rA ? rationals(w, out->p, out->n, true, false) : NULL;
  out->rational[0] = in.rA;
  out->rational[1] = in.rB;
  out->rational[2] = in.rC;
  out->rational[3] = in.rC ? rationals(w, out->p, out->m, true, true) : NULL;
  in.self = w->o->self;
  in.interrupted = w->o->interrupted;
  bool *position = arena_array(w->o->arena, out->n, sizeof *position);
  if (!position) return false;
  for (uint32_t i = 0; i < out->n; i++) position[i] = operating_is_position(w->o, w->o->component[i]);
  in.position = position;
  return modes_find(w->o->arena, &in, &out->modes);
}

static void name_states(LinearWork *w) {
  Operating *o = w->o;
  Linearization *out = w->out;
  for (uint32_t i = 0; i < out->n; i++) {
    uint32_t at = o->component[i];
    out->states[i] = o->names[at];
    const Component *y = operating_component(o, at);
    out->state_units[i] = y->unit ? unit_si_text(o->arena, y->unit, y->dim, (int)y->derivative) : NULL;
  }
}

// Rates and Jacobian in numbers, and what stands in the way of them.
static LinearizeStatus take_numbers(LinearWork *w, const char **message, Span *place) {
  Operating *o = w->o;
  LinearizeStatus status = check_events(w, message, place);
  if (status != linearize_done) return status;
  if (!find_tape(w) || !bind_all(w) || !kinks_find(o, &w->out->kinks) || !put_free_frictions(w))
    return linearize_no_memory;
  // the search for kinks evaluated at other points
  double *rates = arena_array(o->arena, o->dim, sizeof *rates);
  if (!rates || !operating_rates(o, o->y, rates, NULL)) return linearize_no_memory;
  if (!explain(w, message, place)) return arena_failed(o->arena) ? linearize_no_memory : linearize_failed;
  return linearize_done;
}

LinearizeStatus linearize(Operating *o, const LinearizeSettings *settings, Linearization *out, const char **message,
                          Span *place) {
  *out = (Linearization){.o = o, .p = o->output_count, .outputs = o->output_names};
  LinearWork work = {.o = o, .out = out, .settings = settings}, *w = &work;
  o->interrupted = settings->interrupted;
  o->self = settings->self;
  LinearizeStatus status = linear_take_point(w, message, place);
  if (status == linearize_done && o->numbers) status = take_numbers(w, message, place);
  if (status != linearize_done)
    return linear_is_interrupted(w) && status == linearize_failed ? linearize_interrupted : status;
  if (!o->numbers) out->numbers_note = arena_printf(o->arena, "the parameter `%s` has no value", o->missing);
  if (!find_rational(w) || !find_exact(w)) return linearize_no_memory;
  out->n = o->states;
  out->states = arena_array(o->arena, out->n, sizeof *out->states);
  out->state_units = arena_array(o->arena, out->n, sizeof *out->state_units);
  if (!out->states || !out->state_units) return linearize_no_memory;
  name_states(w);
  if (linear_is_interrupted(w)) return linearize_interrupted;
  if (!o->numbers && !w->exact_done) {
    *message = arena_printf(o->arena, "the parameter `%s` has no value, and there is no exact form: %s", o->missing,
                            w->exact.why ? w->exact.why : "none was asked for");
    return linearize_failed;
  }
  if (!choose_inputs(w) || !fill_matrices(w)) return linearize_no_memory;
  LinearMatrix *all[] = {&out->k, &out->A, &out->B, &out->C, &out->D};
  for (int i = 0; i < 5; i++) {
    if (!numbers_of(w, all[i])) return linearize_no_memory;
  }
  if (!point_values(w)) return linearize_no_memory;
  judge_point(w);
  linear_say_all(w);
  if (w->exact.note && w->exact_done) linear_note(w, w->exact.note);
  if (o->numbers && settings->numbers && !find_modes(w)) return linearize_no_memory;
  if (linear_is_interrupted(w)) return linearize_interrupted;
  return arena_failed(o->arena) ? linearize_no_memory : linearize_done;
}

LinearizeStatus linearize_point(Operating *o, const LinearizeSettings *settings, Linearization *out, Equilibrium *found,
                                const char **message, Span *place) {
  *out = (Linearization){.o = o, .p = o->output_count, .outputs = o->output_names};
  LinearWork work = {.o = o, .out = out, .settings = settings}, *w = &work;
  o->interrupted = settings->interrupted;
  o->self = settings->self;
  LinearizeStatus status = linear_take_point(w, message, place);
  *found = w->found;
  return linear_is_interrupted(w) && status == linearize_failed ? linearize_interrupted : status;
}

bool linear_pose(const Linearization *l, const OperatingTape *t, const EigenMode *m, double part, double angle,
                 double *out) {
  Operating *o = l->o;
  double *y = arena_array(o->arena, o->dim, sizeof *y), c = cos(angle), s = sin(angle);
  if (!y || !o->numbers) return false;
  memcpy(y, o->y, o->dim * sizeof *y);
  for (uint32_t i = 0; i < l->n && m; i++) y[o->component[i]] += part * (c * m->shape[0][i] - s * m->shape[1][i]);
  operating_eval(o, t, y);
  for (uint32_t i = 0; i < t->tape->output_count; i++) out[i] = tape_result(t->tape, t->w, i);
  return true;
}
