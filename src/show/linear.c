// A linear model as text, LaTeX or JSON.
//
// in    a linear model; which of its forms are wanted
// out   the point, the linear equations one a line, matrices, eigenvalues, modes, the verdict on stability, remarks
//
// A matrix that is wider than a screen is written entry by entry. The verdict stands on Modes.stability alone; where
// all zero eigenvalues belong to cyclic or held coordinates, a second sentence says what is left.
#include "show/linear.h"

#include "show/json.h"
#include "system/table_names.h"
#include "tape/numbers.h"

#include <math.h>
#include <string.h>

typedef struct LinearShow {
  const Linearization *l;
  ExprPool *pool;
  Arena *arena;
  Text *out;
  bool exact, numbers;
  ExprNames names;
} LinearShow;

enum { most_width = 160 }; // of a matrix on a screen
static const double two_pi = 6.28318530717958647692;

static const char *printed(LinearShow *w, ExprId id, ExprFormat format) {
  Text t = text_in(w->arena);
  expr_print(w->pool, id, format, &w->names, &t);
  return text_str(&t);
}

// What could not be made is empty; the arena knows.
static const char *made(const char *text) { return text ? text : ""; }

static const char *number(LinearShow *w, double x) { return x == 0 ? "0" : made(arena_printf(w->arena, "%.6g", x)); }

static const char *const matrix_names[] = {"A", "B", "C", "D"};

static const LinearMatrix *matrix(const Linearization *l, int k) {
  const LinearMatrix *all[] = {&l->A, &l->B, &l->C, &l->D};
  return all[k];
}

static bool has_cells(const LinearMatrix *m) { return m->rows && m->cols; }

static bool is_steady(const Linearization *l) { return l->equilibrium && l->moves; }

// ---- the verdict

// Names of the states that `which` marks.
static const char *names_of(Arena *arena, const Linearization *l, const bool *which, uint32_t *count) {
  Text names = text_in(arena);
  *count = 0;
  for (uint32_t i = 0; i < l->n; i++) {
    if (!which[i]) continue;
    ++*count;
    text_printf(&names, "%s%s", names.length ? ", " : "", l->states[i]);
  }
  return text_str(&names);
}

// A zero is nobody's growth where a state is cyclic or held: what is left decides.
static const char *second_verdict(Arena *arena, const Linearization *l) {
  const HalfPlanes *h = &l->modes.planes;
  if (l->modes.stability != stability_marginal) return NULL;
  uint32_t cyclic, held;
  const char *free = names_of(arena, l, l->cyclic, &cyclic), *bound = names_of(arena, l, l->held, &held);
  const char *rest = h->left ? "asymptotically stable" : "there is nothing else that moves";
  if (!h->axis && held && held == h->zero) return arena_printf(arena, "but for %s, which is held: %s", bound, rest);
  if (!h->axis && cyclic && cyclic == h->zero)
    return arena_printf(arena, "but for %s, on which nothing depends: %s", free, rest);
  return "terms beyond the linear ones, if there are any, decide";
}

const char *linear_verdict(Arena *arena, const Linearization *l, const char **second) {
  static const char *const verdicts[] = {"not decided numerically", "asymptotically stable",
                                         "marginal by the linearization", "unstable"};
  static const char *const where[] = {"right of the imaginary axis", "on it", "left of it"};
  const Modes *x = &l->modes;
  const HalfPlanes *h = &x->planes;
  const uint32_t counts[] = {h->right, h->axis + h->zero, h->left};
  Text t = text_in(arena);
  text_printf(&t, "%s: ", verdicts[x->stability]);
  bool first = true;
  for (int i = 0; i < 3; i++) {
    if (!counts[i]) continue;
    const char *place = where[i];
    if (first && i) place = i == 1 ? "on the imaginary axis" : "left of the imaginary axis";
    text_printf(&t, "%s%u%s %s", first ? "" : ", ", counts[i],
                first ? counts[i] == 1 ? " eigenvalue" : " eigenvalues" : "", place);
    if (i == 1 && h->zero) text_printf(&t, h->zero == counts[1] ? " (zero)" : " (%u of them zero)", h->zero);
    first = false;
  }
  double most = 0;
  for (uint32_t i = 0; i < x->count; i++)
    most = x->modes[i].side == side_undecided ? fmax(most, x->modes[i].bound) : most;
  if (h->undecided)
    text_printf(&t, "%s%u%s known only to within %.2g", first ? "" : ", ", h->undecided,
                first ? h->undecided == 1 ? " eigenvalue" : " eigenvalues" : "", most);
  text_put(&t, x->exact ? ", exactly" : h->axis + h->zero ? ", within rounding" : "");
  *second = second_verdict(arena, l);
  return text_str(&t);
}

// ---- the linear equations, one a line

// The rate of state i as a sum over deviations; 0: it is a velocity that is a state itself.
static ExprId row_sum(LinearShow *w, uint32_t i) {
  const Linearization *l = w->l;
  const Operating *o = l->o;
  uint32_t count = 0, total = l->n + l->m + 1;
  Term *terms = arena_array(w->arena, total, sizeof *terms);
  if (!terms) return 0;
  for (uint32_t j = 0; j < l->n; j++) {
    ExprId e = l->A.exact[(size_t)i * l->n + j];
    if (!expr_is_zero(w->pool, e))
      terms[count++] = (Term){RAT_ONE, expr_mul(w->pool, e, expr_sym(w->pool, o->symbols[o->component[j]]))};
  }
  for (uint32_t j = 0; j < l->m; j++) {
    ExprId e = l->B.exact[(size_t)i * l->m + j];
    if (expr_is_zero(w->pool, e)) continue;
    for (uint32_t k = 0; k < o->free + o->sampled; k++) {
      if (o->names[o->input_at[k]] == l->inputs[j])
        terms[count++] = (Term){RAT_ONE, expr_mul(w->pool, e, expr_sym(w->pool, o->inputs[k]))};
    }
  }
  ExprId k = l->k.exact[i];
  // at an equilibrium k is 0, or the steady motion, which is no part of the deviation
  if (!l->equilibrium && !expr_is_zero(w->pool, k)) terms[count++] = (Term){RAT_ONE, k};
  return expr_sum(w->pool, terms, count);
}

static const char *rate_name(LinearShow *w, uint32_t i, ExprFormat format) {
  const Linearization *l = w->l;
  const Operating *o = l->o;
  ExprId rate = operating_component(o, o->component[i])->rate;
  if (expr_op(w->pool, rate) == op_sym) return printed(w, rate, format);
  Text t = text_in(w->arena);
  name_print(made(arena_printf(w->arena, "%s'", l->states[i])), 1, format, &t);
  return text_str(&t);
}

// A combination of velocities as a state has no symbol that could stand in a formula.
static bool can_be_written(const Linearization *l) {
  const Operating *o = l->o;
  for (uint32_t i = 0; i < o->n; i++) {
    if (o->s.speeds[i].symbol && o->s.speeds[i].symbol != o->s.coords.items[i].v) return false;
  }
  return !l->at_symbols;
}

// The velocity of a coordinate that is shown itself.
static bool is_velocity(const Linearization *l, uint32_t i) {
  const Component *y = operating_component(l->o, l->o->component[i]);
  return y->kind == component_velocity && y->derivative;
}

// The row of a position whose velocity is shown itself would read x' = x'.
static bool is_trivial(const Linearization *l, uint32_t i) {
  uint32_t at = l->o->component[i];
  for (uint32_t k = 0; k < l->n; k++) {
    if (is_velocity(l, k) && operating_position(l->o, l->o->component[k]) == at) return true;
  }
  return false; // a held velocity is no state
}

// ---- text

static void text_matrix(LinearShow *w, const char *name, const LinearMatrix *m, bool exact) {
  size_t *width = arena_array(w->arena, m->cols, sizeof *width), cells = (size_t)m->rows * m->cols;
  const char **cell = arena_array(w->arena, cells, sizeof *cell);
  if (!width || !cell || !has_cells(m)) return;
  for (size_t i = 0; i < cells; i++) {
    cell[i] = exact ? printed(w, m->exact[i], format_text) : number(w, m->numbers[i]);
    size_t length = utf8_columns(cell[i], strlen(cell[i]));
    if (length > width[i % m->cols]) width[i % m->cols] = length;
  }
  size_t all = 0;
  for (uint32_t j = 0; j < m->cols; j++) all += width[j] + 2;
  if (all > most_width) {
    // too wide for a screen: what is not zero, one a line
    text_printf(w->out, "  %s is 0 but for\n", name);
    for (size_t i = 0; i < cells; i++) {
      if (strcmp(cell[i], "0") != 0)
        text_printf(w->out, "    %s(%zu,%zu) = %s\n", name, i / m->cols + 1, i % m->cols + 1, cell[i]);
    }
    return;
  }
  text_printf(w->out, "  %s = [", name);
  for (uint32_t i = 0; i < m->rows; i++) {
    if (i) text_pad(w->out, ' ', 6 + strlen(name));
    for (uint32_t j = 0; j < m->cols; j++) {
      const char *c = cell[(size_t)i * m->cols + j];
      size_t length = utf8_columns(c, strlen(c)), pad = width[j] - length;
      if (!exact) text_pad(w->out, ' ', pad);
      text_put(w->out, c);
      if (j + 1 == m->cols) continue;
      text_putc(w->out, ',');
      if (exact) text_pad(w->out, ' ', pad);
      text_putc(w->out, ' ');
    }
    text_put(w->out, i + 1 < m->rows ? ";\n" : "]\n");
  }
}

// One empty line before what comes.
static void gap(LinearShow *w) {
  size_t n = w->out->length;
  if (n && !(n > 1 && w->out->data[n - 1] == '\n' && w->out->data[n - 2] == '\n')) text_putc(w->out, '\n');
}

static void text_list(LinearShow *w, const char *title, const char *const *names, uint32_t count) {
  if (!count) return;
  text_printf(w->out, "  %-8s ", title);
  for (uint32_t i = 0; i < count; i++) text_printf(w->out, "%s%s", i ? ", " : "", names[i]);
  text_putc(w->out, '\n');
}

static void text_value(LinearShow *w, const char *name, ExprId exact, double value, bool first) {
  text_printf(w->out, "%s%s = ", first ? "  " : ", ", name);
  Rat r;
  bool plain = exact && expr_number(w->pool, exact, &r);
  if (exact && !plain) text_put(w->out, printed(w, exact, format_text));
  if (exact && !plain && isfinite(value)) text_printf(w->out, " (%s)", number(w, value));
  if (!exact || plain) text_put(w->out, isfinite(value) || !exact ? number(w, value) : printed(w, exact, format_text));
}

// A model without states: z = f(x, y) near a point.
static bool gains_alone(const Linearization *l) { return l->n == 0 && !l->poles; }

static void text_point(LinearShow *w) {
  const Linearization *l = w->l;
  static const char *const kinds[] = {"Point", "Point, found by Newton's method", "Point, found by Newton's method"};
  text_printf(w->out, "%s\n", kinds[l->kind]);
  for (uint32_t i = 0; i < l->n; i++) text_value(w, l->states[i], l->x_exact[i], l->x[i], i == 0);
  if (l->n) text_putc(w->out, '\n');
  for (uint32_t i = 0; i < l->dependent.count; i++)
    text_value(w, l->dependent.items[i].name, l->dependent.items[i].exact, l->dependent.items[i].value, i == 0);
  if (l->dependent.count) text_put(w->out, ", by constraints\n");
  for (uint32_t i = 0; i < l->m; i++)
    text_value(w, l->inputs[i], l->u_exact[i], l->numbers_note ? NAN : l->u[i], i == 0);
  if (l->m) text_putc(w->out, '\n');
  if (gains_alone(l)) {
    for (uint32_t i = 0; i < l->p && !l->numbers_note; i++) text_value(w, l->outputs[i], 0, l->y[i], i == 0);
    if (l->p && !l->numbers_note) text_putc(w->out, '\n');
  } else if (!l->equilibrium) {
    text_put(w->out, "  not an equilibrium: the rates at this point are the constant term k\n");
  } else {
    text_printf(w->out, "  %s", is_steady(l) ? "a steady motion: " : "an equilibrium");
    bool first = true;
    for (uint32_t i = 0; i < l->n && is_steady(l); i++) {
      if (!l->cyclic[i] || l->cyclic[i] == 0) continue;
      bool still = l->k.numbers ? l->k.numbers[i] == 0 : l->k.exact && expr_is_zero(w->pool, l->k.exact[i]);
      if (still) continue;
      const char *speed = l->k.numbers ? number(w, l->k.numbers[i]) : printed(w, l->k.exact[i], format_text);
      text_printf(w->out, "%s%s grows by %s a second", first ? "" : ", ", l->states[i], speed);
      first = false;
    }
    text_printf(w->out, "%s\n",
                l->proved && l->o->s.params.count ? ", for all values of the parameters"
                : l->proved || l->exact           ? ", exactly"
                                                  : "");
  }
}

static void text_exact(LinearShow *w) {
  const Linearization *l = w->l;
  if (can_be_written(l) && l->n) {
    gap(w);
    text_put(w->out, "Linear equations (in deviations from the point)\n");
    for (uint32_t i = 0; i < l->n; i++) {
      if (!is_trivial(l, i))
        text_printf(w->out, "  %s = %s\n", rate_name(w, i, format_text), printed(w, row_sum(w, i), format_text));
    }
  }
  gap(w);
  text_printf(w->out, "Matrices%s\n",
              l->at_symbols ? " (the names of states stand for their values at the point)" : "");
  if (!l->equilibrium) text_matrix(w, "k", &l->k, true);
  for (int k = 0; k < 4; k++) text_matrix(w, matrix_names[k], matrix(l, k), true);
}

static void text_numbers(LinearShow *w) {
  const Linearization *l = w->l;
  gap(w);
  text_printf(w->out, "%s\n", w->exact && l->A.exact ? "In numbers" : "Matrices");
  if (!l->equilibrium) text_matrix(w, "k", &l->k, false);
  for (int k = 0; k < 4; k++) text_matrix(w, matrix_names[k], matrix(l, k), false);
}

static const char *eigenvalue(LinearShow *w, const EigenMode *m) {
  if (!m->pair) return number(w, m->re);
  if (m->re == 0) return made(arena_printf(w->arena, "+-%si", number(w, m->im)));
  return made(arena_printf(w->arena, "%s +- %si", number(w, m->re), number(w, m->im)));
}

// An entry of a mode: a number, or size and angle.
static void text_entry(LinearShow *w, double re, double im, bool pair) {
  if (!pair || im == 0) {
    text_put(w->out, number(w, re));
    return;
  }
  text_printf(w->out, "%.4g at %.4g deg", hypot(re, im), atan2(im, re) * 360 / two_pi);
}

enum { mode_columns = 5 };

// A table whose columns are as wide as they must be.
static void text_table(LinearShow *w, const char *(*cell)[mode_columns], uint32_t rows) {
  size_t width[mode_columns] = {0};
  for (uint32_t i = 0; i < rows; i++) {
    for (int k = 0; k < mode_columns; k++) width[k] = strlen(cell[i][k]) > width[k] ? strlen(cell[i][k]) : width[k];
  }
  for (uint32_t i = 0; i < rows; i++) {
    size_t before = 2;
    for (int k = 0; k < mode_columns; k++) {
      if (*cell[i][k]) {
        text_pad(w->out, ' ', before);
        text_put(w->out, cell[i][k]);
        before = 2 + width[k] - strlen(cell[i][k]);
      } else {
        before += 2 + width[k];
      }
    }
    text_putc(w->out, '\n');
  }
}

static void text_eigenvalues(LinearShow *w) {
  static const char *const heads[mode_columns] = {"", "eigenvalue", "damping ratio", "natural frequency",
                                                  "time constant"};
  const Modes *x = &w->l->modes;
  const char *(*cell)[mode_columns] = arena_array(w->arena, (size_t)x->count + 1, sizeof *cell);
  if (!cell) return;
  memcpy(cell[0], heads, sizeof heads);
  for (uint32_t i = 0; i < x->count; i++) {
    const EigenMode *m = &x->modes[i];
    const char **c = cell[i + 1];
    c[0] = arena_printf(w->arena, "%u", i + 1);
    c[1] = eigenvalue(w, m);
    c[2] = m->pair ? number(w, m->damping) : "";
    c[3] = m->pair ? arena_printf(w->arena, "%s rad/s, %.4g Hz", number(w, m->frequency), m->frequency / two_pi) : "";
    bool moves = m->side == side_left || m->side == side_right;
    c[4] = moves
               ? arena_printf(w->arena, "%s s%s", number(w, 1 / fabs(m->re)), m->side == side_right ? ", growing" : "")
               : "";
  }
  if (arena_failed(w->arena)) return;
  gap(w);
  text_put(w->out, "Eigenvalues\n");
  text_table(w, cell, x->count + 1);
}

static void text_shape(LinearShow *w, const EigenMode *m) {
  const Linearization *l = w->l;
  bool first = true;
  for (uint32_t k = 0; k < l->n; k++) {
    if (hypot(m->shape[0][k], m->shape[1][k]) < 1e-9 || is_velocity(l, k)) continue;
    text_printf(w->out, "%s%s ", first ? "" : ", ", l->states[k]);
    text_entry(w, m->shape[0][k], m->shape[1][k], m->pair);
    first = false;
  }
  text_putc(w->out, '\n');
}

// Is pole k above the real axis, and i its mirror image?
static bool is_mirrored(const LinearPoles *p, uint32_t i, uint32_t k) {
  return p->im[k] > 0 && hypot(p->re[i] - p->re[k], p->im[i] + p->im[k]) <= 1e-9 * (1 + hypot(p->re[i], p->im[i]));
}

// Poles of a model with delays or samples, and their verdict. Those of a pair stand once.
static void text_poles(LinearShow *w, const LinearPoles *p) {
  static const char *const verdicts[] = {"not decided", "asymptotically stable", "marginal by the linearization",
                                         "unstable"};
  gap(w);
  if (p->period > 0) text_printf(w->out, "Poles, of z = e^(s T) with T = %s s\n", number(w, p->period));
  else text_put(w->out, "Poles\n");
  for (uint32_t i = 0; i < p->count; i++) {
    bool told = false;
    for (uint32_t k = 0; p->im[i] < 0 && k < p->count; k++) told = told || is_mirrored(p, i, k);
    if (told) continue;
    text_printf(w->out, "  %s", number(w, p->re[i]));
    if (p->im[i] != 0) text_printf(w->out, " %s %si", p->im[i] > 0 ? "+-" : "-", number(w, fabs(p->im[i])));
    text_putc(w->out, '\n');
  }
  gap(w);
  text_printf(w->out, "Stability\n  %s\n", verdicts[p->stability]);
}

// What the free signals among inputs and outputs are.
static void text_free(LinearShow *w) {
  const Linearization *l = w->l;
  const Operating *o = l->o;
  const System *m = &o->s;
  if (!l->poles) return;
  gap(w);
  text_put(w->out, "Free signals, inputs of the matrices\n");
  for (uint32_t i = 0; i < m->delays.count; i++) {
    double time = 0;
    if (!tape_numbers(w->arena, m, &m->delays.items[i].time, 1, &time)) return;
    text_printf(w->out, "  %s  is the output of the same name, %s s ago\n", m->delays.items[i].name, number(w, time));
  }
  for (uint32_t i = 0; i < m->whens.count; i++) {
    const SystemWhen *e = &m->whens.items[i];
    double time = 0;
    if (!e->period || !tape_numbers(w->arena, m, &e->period, 1, &time)) continue;
    for (uint32_t k = 0; k < e->assigns.count; k++) {
      const SystemAssign *a = &e->assigns.items[k];
      const char *name = a->kind == assign_state ? m->states.items[a->index].name : m->coords.items[a->index].name;
      text_printf(w->out, "  %s%s  is set every %s s to the output next %s\n", name,
                  a->kind == assign_velocity ? "'" : "", number(w, time), name);
    }
  }
}

static void text_modes(LinearShow *w) {
  const Modes *x = &w->l->modes;
  if (w->l->poles) {
    text_free(w);
    text_poles(w, w->l->poles);
    return;
  }
  if (x->why) {
    gap(w);
    text_printf(w->out, "Eigenvalues: none, %s\n", x->why);
    return;
  }
  text_eigenvalues(w);
  text_put(w->out, "\nModes (the largest displacement is 1; velocities follow)\n");
  for (uint32_t i = 0; i < x->count; i++) {
    text_printf(w->out, "  %-3u ", i + 1);
    if (x->modes[i].chain) text_put(w->out, "no eigenvector of its own: it grows with the time along the one before\n");
    else text_shape(w, &x->modes[i]);
  }
}

static void text_reach(LinearShow *w, const char *word, const char *none, const ModeRank *r, bool observe) {
  const Linearization *l = w->l;
  if (!r->known) return;
  bool full = r->rank == l->n;
  text_printf(w->out, "  %s%s: rank %u of %u%s", full ? "" : "not ", word, r->rank, l->n, r->exact ? ", exactly" : "");
  if (full && !isnan(r->smallest))
    text_printf(w->out, "; smallest singular value of [A - lambda, %s] over |A|: %.2g", observe ? "C" : "B",
                r->smallest);
  text_putc(w->out, '\n');
  for (uint32_t i = 0; i < l->modes.count; i++) {
    const EigenMode *m = &l->modes.modes[i];
    if (observe ? m->unobservable : m->uncontrollable)
      text_printf(w->out, "    mode %u (%s) is %s\n", i + 1, eigenvalue(w, m), none);
  }
}

static void text_verdict(LinearShow *w) {
  const Linearization *l = w->l;
  const Modes *x = &l->modes;
  if (x->why || l->n == 0 || l->poles) return;
  const char *second, *first = linear_verdict(w->arena, l, &second);
  gap(w);
  text_put(w->out, "Stability\n");
  if (!l->equilibrium) text_put(w->out, "  the point is no equilibrium: this is about the linear model alone\n");
  text_printf(w->out, "  %s\n", made(first));
  if (second) text_printf(w->out, "  %s\n", second);
  text_reach(w, "controllable", "out of reach of the inputs", &x->control, false);
  text_reach(w, "observable", "not seen by the outputs", &x->observe, true);
}

static void text_note(LinearShow *w, const char *before, const char *text) {
  gap(w);
  text_printf(w->out, "Note: %s%s\n", before, text);
}

static void text_document(LinearShow *w) {
  const Linearization *l = w->l;
  const System *m = &l->o->s;
  bool modes = w->numbers && l->A.numbers;
  if (m->title) text_printf(w->out, "%s\n\n", m->title);
  text_point(w);
  gap(w);
  if (gains_alone(l)) text_put(w->out, "Linear model, without states: y = D u\n");
  else
    text_printf(w->out, "Linear model: x' = A x%s%s%s\n", l->m ? " + B u" : "", l->equilibrium ? "" : " + k",
                !l->p  ? ""
                : l->m ? ", y = C x + D u"
                       : ", y = C x");
  text_list(w, "states", l->states, l->n);
  text_list(w, "inputs", l->inputs, l->m);
  text_list(w, "outputs", l->outputs, l->p);
  if (w->exact && l->A.exact) text_exact(w);
  if (w->numbers && l->A.numbers) text_numbers(w);
  if (modes && !gains_alone(l)) {
    text_modes(w);
    text_verdict(w);
  }
  if (w->exact && l->exact_note) text_note(w, "there is no exact form: ", l->exact_note);
  if (w->numbers && l->numbers_note) text_note(w, "there are no numbers: ", l->numbers_note);
  for (uint32_t i = 0; i < l->notes.count; i++) text_note(w, "", l->notes.items[i]);
  if (l->poles && l->poles->note) text_note(w, "", l->poles->note);
}

// ---- LaTeX

static void latex_matrix(LinearShow *w, const char *name, const LinearMatrix *m, bool exact) {
  if (!has_cells(m)) return;
  text_printf(w->out, "\\[ %s = \\begin{bmatrix} ", name);
  for (uint32_t i = 0; i < m->rows; i++) {
    for (uint32_t j = 0; j < m->cols; j++) {
      size_t at = (size_t)i * m->cols + j;
      text_printf(w->out, "%s%s", j ? " & " : "",
                  exact ? printed(w, m->exact[at], format_latex) : number(w, m->numbers[at]));
    }
    if (i + 1 < m->rows) text_put(w->out, " \\\\ ");
  }
  text_put(w->out, " \\end{bmatrix} \\]\n");
}

static void latex_names(LinearShow *w, const char *name, const char *const *names, uint32_t count) {
  if (!count) return;
  text_printf(w->out, "\\[ %s = \\begin{bmatrix} ", name);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t primes = 0;
    for (const char *c = names[i]; *c; c++) primes += *c == '\'';
    if (i) text_put(w->out, " \\\\ ");
    name_print(names[i], primes, format_latex, w->out);
  }
  text_put(w->out, " \\end{bmatrix} \\]\n");
}

static void latex_document(LinearShow *w) {
  const Linearization *l = w->l;
  if (gains_alone(l)) text_put(w->out, "\\[ y = D u \\]\n");
  else
    text_printf(w->out, "\\[ \\dot{x} = %s%s%s%s \\]\n", l->n ? "A x" : "", l->m ? " + B u" : "",
                l->equilibrium ? "" : " + k",
                !l->p  ? ""
                : l->m ? ", \\quad y = C x + D u"
                       : ", \\quad y = C x");
  latex_names(w, "x", l->states, l->n);
  latex_names(w, "u", l->inputs, l->m);
  if (w->exact && l->A.exact) {
    if (can_be_written(l) && l->n) {
      text_put(w->out, "\\begin{align*}\n");
      bool first = true;
      for (uint32_t i = 0; i < l->n; i++) {
        if (is_trivial(l, i)) continue;
        text_printf(w->out, "%s%s &= %s", first ? "" : " \\\\\n", rate_name(w, i, format_latex),
                    printed(w, row_sum(w, i), format_latex));
        first = false;
      }
      text_put(w->out, "\n\\end{align*}\n");
    }
    if (!l->equilibrium) latex_matrix(w, "k", &l->k, true);
    for (int k = 0; k < 4; k++) latex_matrix(w, matrix_names[k], matrix(l, k), true);
  }
  if (w->numbers && l->A.numbers) {
    if (!l->equilibrium) latex_matrix(w, "k", &l->k, false);
    for (int k = 0; k < 4; k++) latex_matrix(w, matrix_names[k], matrix(l, k), false);
  }
}

// ---- JSON

static void json_matrix(LinearShow *w, Json *j, const char *name, const LinearMatrix *m, bool exact) {
  if (exact ? !m->exact : !m->numbers) {
    json_null(j, name);
    return;
  }
  json_open(j, name, '[');
  for (uint32_t r = 0; r < m->rows; r++) {
    json_open(j, NULL, '[');
    for (uint32_t c = 0; c < m->cols; c++) {
      size_t at = (size_t)r * m->cols + c;
      if (exact) json_string(j, NULL, printed(w, m->exact[at], format_text));
      else json_number(j, NULL, m->numbers[at]);
    }
    json_close(j, ']');
  }
  json_close(j, ']');
}

static void json_names(Json *j, const char *key, const char *const *names, uint32_t count) {
  json_open(j, key, '[');
  for (uint32_t i = 0; i < count; i++) json_string(j, NULL, names[i]);
  json_close(j, ']');
}

// What constraints bind: no states.
static void json_dependent(Json *j, const Linearization *l) {
  if (!l->dependent.count) return;
  json_open(j, "dependent", '[');
  for (uint32_t i = 0; i < l->dependent.count; i++) {
    const DependentState *d = &l->dependent.items[i];
    json_open(j, NULL, '{');
    json_string(j, "name", d->name);
    json_string(j, "by", d->by);
    json_number(j, "value", d->value);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_reach(Json *j, const char *key, const Modes *x, const ModeRank *r, bool observe) {
  if (!r->known) {
    json_null(j, key);
    return;
  }
  json_open(j, key, '{');
  json_count(j, "rank", r->rank);
  json_count(j, "of", x->n);
  json_bool(j, "exact", r->exact);
  json_number(j, "smallest", r->smallest);
  json_open(j, "modes_out", '[');
  for (uint32_t i = 0; i < x->count; i++) {
    if (observe ? x->modes[i].unobservable : x->modes[i].uncontrollable) json_count(j, NULL, i + 1);
  }
  json_close(j, ']');
  json_close(j, '}');
}

static void json_modes(LinearShow *w, Json *j) {
  const Linearization *l = w->l;
  const Modes *x = &l->modes;
  static const char *const words[] = {NULL, "stable", "marginal", "unstable"}, *const sides[] = {"left", "zero", "axis",
                                                                                                 "right", "undecided"};
  const LinearPoles *p = l->poles;
  const double *re = p ? p->re : x->re, *im = p ? p->im : x->im;
  json_open(j, "eigenvalues", '[');
  for (uint32_t i = 0; re && i < (p ? p->count : l->n); i++) {
    json_open(j, NULL, '[');
    json_number(j, NULL, re[i]);
    json_number(j, NULL, im[i]);
    json_close(j, ']');
  }
  json_close(j, ']');
  if (p) json_number(j, "period", p->period > 0 ? p->period : NAN);
  json_string(j, "stability", words[p ? p->stability : x->stability]);
  json_bool(j, "stability_exact", x->exact);
  json_open(j, "modes", '[');
  for (uint32_t i = 0; i < x->count; i++) {
    const EigenMode *m = &x->modes[i];
    json_open(j, NULL, '{');
    json_number(j, "re", m->re);
    json_number(j, "im", m->im);
    json_bool(j, "pair", m->pair);
    json_string(j, "side", sides[m->side]);
    json_number(j, "bound", m->bound);
    json_count(j, "times", m->times);
    json_number(j, "damping", m->damping);
    json_number(j, "frequency", m->frequency);
    json_number(j, "hertz", m->frequency / two_pi);
    json_number(j, "control", m->control);
    json_number(j, "observe", m->observe);
    json_open(j, "shape", '[');
    for (uint32_t k = 0; k < l->n && !m->chain; k++) {
      json_open(j, NULL, '[');
      json_number(j, NULL, m->shape[0][k]);
      json_number(j, NULL, m->shape[1][k]);
      json_close(j, ']');
    }
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
  json_reach(j, "controllability", x, &x->control, false);
  json_reach(j, "observability", x, &x->observe, true);
}

static void json_members(LinearShow *w, Json *j) {
  const Linearization *l = w->l;
  static const char *const kinds[] = {"given", "found", "steady"};
  json_string(j, "title", l->o->s.title);
  json_names(j, "states", l->states, l->n);
  json_names(j, "inputs", l->inputs, l->m);
  json_names(j, "outputs", l->outputs, l->p);
  json_dependent(j, l);
  json_open(j, "point", '{');
  json_string(j, "kind", kinds[l->kind]);
  json_bool(j, "equilibrium", l->equilibrium);
  json_bool(j, "moves", l->moves);
  json_bool(j, "proved", l->proved);
  json_number(j, "t", l->t);
  const struct {
    const char *key;
    const char *const *names;
    const double *values;
    uint32_t count;
  } parts[] = {
      {"states", l->states, l->x, l->n}, {"inputs", l->inputs, l->u, l->m}, {"outputs", l->outputs, l->y, l->p}};
  for (int i = 0; i < 3; i++) {
    json_open(j, parts[i].key, '{');
    for (uint32_t k = 0; k < parts[i].count; k++)
      json_number(j, parts[i].names[k], l->numbers_note ? NAN : parts[i].values[k]);
    json_close(j, '}');
  }
  json_close(j, '}');
  for (int k = 0; k < 4; k++) json_matrix(w, j, matrix_names[k], matrix(l, k), false);
  json_matrix(w, j, "constant", &l->k, false);
  if (w->exact && l->A.exact) {
    json_open(j, "symbolic", '{');
    for (int k = 0; k < 4; k++) json_matrix(w, j, matrix_names[k], matrix(l, k), true);
    json_matrix(w, j, "constant", &l->k, true);
    json_close(j, '}');
  } else {
    json_null(j, "symbolic");
  }
  json_modes(w, j);
  json_open(j, "kinks", '[');
  for (uint32_t i = 0; i < l->kinks.count; i++) {
    const Kink *k = &l->kinks.items[i];
    json_open(j, NULL, '{');
    json_string(j, "term", k->text);
    json_string(j, "in", k->label);
    json_string(j, "what", k->what);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_open(j, "notes", '[');
  if (l->exact_note && w->exact)
    json_string(j, NULL, arena_printf(w->arena, "there is no exact form: %s", l->exact_note));
  if (l->numbers_note) json_string(j, NULL, arena_printf(w->arena, "there are no numbers: %s", l->numbers_note));
  for (uint32_t i = 0; i < l->notes.count; i++) json_string(j, NULL, l->notes.items[i]);
  json_close(j, ']');
}

static void json_document(LinearShow *w) {
  Json json = {.out = w->out}, *j = &json;
  json_open(j, NULL, '{');
  json_members(w, j);
  json_close(j, '}');
  text_putc(w->out, '\n');
}

void show_linear_members(const Linearization *l, bool exact, Json *json) {
  LinearShow show = {
      .l = l, .pool = l->o->s.pool, .arena = json->out->arena, .out = json->out, .exact = exact, .numbers = true};
  show.names = table_names(&l->o->s, show.arena);
  json_members(&show, json);
}

void show_linear(const Linearization *l, ShowFormat format, bool exact, bool numbers, Text *out) {
  // printing adds nothing that others see: the pool is the linearization's own
  LinearShow show = {.l = l, .pool = l->o->s.pool, .arena = out->arena, .out = out, .exact = exact, .numbers = numbers};
  show.names = table_names(&l->o->s, show.arena);
  if (format == show_text) text_document(&show);
  if (format == show_latex) latex_document(&show);
  if (format == show_json) json_document(&show);
}
