// The command check with equations: which question each equation asks, and the same decision for all of them.
//
// in    equations of the user, read by lang/scope.c: lhs = rhs, or T, V, L, E, M(i, j) = rhs
// out   a CheckResult for each, or a diagnostic where the equation itself is wrong (CheckFault)
// how   lhs = rhs: does it follow from the equations of motion (motion.c)? A name: is its value the model's (decide.c)?
//       Where that is not so for all values of the parameters, what the user left out is put in and it is asked again:
//       derived parameters (derived.c), values of inputs, of parameters, of both. What was put in is said.
#include "algebra/check.h"

#include "algebra/constrained.h"
#include "algebra/derived.h"
#include "algebra/differentiated.h"
#include "algebra/motion.h"
#include "algebra/style.h"
#include "expr/calculus.h"

void check_put(System *s, CheckReport *report, CheckResult r) {
  vec_push(s->arena, &report->results, r);
  // the worst one: equal < undecided < different
  if (r.verdict == verdict_different || (r.verdict == verdict_undecided && report->verdict == verdict_equal))
    report->verdict = r.verdict;
}

// ---- energies and entries of M

// lhs: what was written, rhs: what the model has
static CheckResult compare(System *s, const CheckEquation *q, const char *means) {
  ExprId *parts = arena_array(s->arena, q->part_count, sizeof *parts);
  uint32_t count = 0;
  for (uint32_t i = 0; parts && i < q->part_count; i++) {
    if (!pool_node(s->pool, q->parts[i])->bound && expr_may_lack_value(s->pool, q->parts[i]) && q->parts[i] != q->lhs)
      parts[count++] = q->parts[i];
  }
  Decision d = decide_equal_where(s->pool, s->arena, q->lhs, q->rhs, parts, count);
  CheckResult r = {.verdict = d.verdict, .reason = d.reason, .witness = d.witness, .means = means};
  if (d.divides_by_zero) r.fault = check_zero_division;
  if (d.verdict == verdict_different) {
    r.difference = expr_short(s->pool, s->arena, expr_sub(s->pool, q->lhs, q->rhs));
    r.yours = true;
    r.difference_of = means;
  }
  return r;
}

// The model's value for the name on the left; 0: reported.
static ExprId named(System *s, const CheckText *q, Diags *diags, const char **means) {
  static const char *const words[] = {"", "the kinetic energy", "the potential energy", "the Lagrangian",
                                      "the stored energy"};
  uint32_t n = s->coord_count;
  if (q->left == check_mass) {
    if (q->row < 1 || q->col < 1 || q->row > n || q->col > n) {
      diag_error(diags, diag_index_range, q->left_span, "there is no such entry in the %u by %u mass matrix", n, n);
      diag_hint(diags, "entries are counted from 1, in the order of the coordinates");
      return 0;
    }
    *means = arena_printf(s->arena, "M(%lld,%lld)", (long long)q->row, (long long)q->col);
    return system_mass(s, (uint32_t)q->row - 1, (uint32_t)q->col - 1);
  }
  if (!s->energy.kept) {
    diag_error(diags, diag_signal_use, q->left_span, "the model has no energies, so there is no `%.*s`", 1, q->text);
    return 0;
  }
  *means = words[q->left];
  return q->left == check_kinetic      ? s->energy.kinetic
         : q->left == check_potential  ? s->energy.potential
         : q->left == check_lagrangian ? s->lagrange.L
                                       : s->energy.stored;
}

// ---- equations

static bool holds_kind(System *s, ExprId a, ExprId b, SymbolKind kind) {
  return expr_has_kind(s->pool, a, kind) || expr_has_kind(s->pool, b, kind);
}

// Values of inputs, and of those parameters that do not stand in `left` and `right`.
static SymbolMap definitions(System *s, bool inputs, bool params, ExprId left, ExprId right) {
  SymbolMap map = symbol_map_new(s->pool);
  for (uint32_t i = 0; inputs && i < s->definitions.count; i++) {
    SymbolKind kind = pool_symbol_get(s->pool, s->definitions.items[i].symbol)->kind;
    if (kind == sym_input || kind == sym_input_rate)
      symbol_map_set(&map, s->definitions.items[i].symbol, s->definitions.items[i].value);
  }
  uint32_t count = params ? s->params.count : 0;
  ExprId *values = arena_array(s->arena, (size_t)count + 1, sizeof *values);
  for (uint32_t i = 0; values && i < count; i++) values[i] = expr_sym(s->pool, s->params.items[i].symbol);
  if (!values || !style_with_values(s, values, count)) return map;
  for (uint32_t i = 0; i < count; i++) {
    SymbolId p = s->params.items[i].symbol;
    bool stands = expr_depends(s->pool, left, p) || expr_depends(s->pool, right, p);
    if (s->params.items[i].value && !stands) symbol_map_set(&map, p, values[i]);
  }
  return map;
}

// all: no parameter stands in the equation.
static const char *values_said(System *s, bool inputs, bool params, bool all) {
  if (!params) return "with the values of the inputs put in";
  return arena_printf(s->arena, "with the values of the %sparameters%s put in", all ? "" : "other ",
                      inputs ? " and inputs" : "");
}

// What is put in belongs to the verdict: to the condition of an equality, to what a difference was compared with.
CheckResult check_said(System *s, CheckResult r, const char *with) {
  if (r.verdict == verdict_equal)
    r.condition = r.condition ? arena_printf(s->arena, "%s; %s", with, r.condition) : with;
  else
    r.means = r.means ? arena_printf(s->arena, "%s, %s", r.means, with) : arena_printf(s->arena, "the model, %s", with);
  return r;
}

// The equations with derived parameters put in; *said: which. False: none stands in them, or out of memory.
static bool without_derived(System *s, const CheckEquation *q, System *substituted, CheckEquation *out,
                            const char **said) {
  Derived d;
  uint32_t n = s->coord_count, count = 0;
  ExprId *roots = arena_array(s->arena, (size_t)n * n + n + s->state_count + 2, sizeof *roots);
  ExprId *parts = arena_array(s->arena, q->part_count, sizeof *parts);
  if (!roots || !parts || !derived_find(s, &d) || d.count == 0) return false;
  for (uint32_t i = 0; i < n * n; i++) roots[count++] = system_mass(s, i / n, i % n);
  for (uint32_t i = 0; i < n; i++) roots[count++] = s->h[i];
  for (uint32_t i = 0; i < s->state_count; i++) roots[count++] = s->f[i];
  roots[count++] = q->lhs;
  roots[count++] = q->rhs;
  *said = derived_said(s, &d, roots, count);
  *out = (CheckEquation){.parts = parts, .part_count = q->part_count};
  return *said && constrained_substitute(s, substituted, &d.map) && derived_put(s, &d, &q->lhs, 1, &out->lhs) &&
         derived_put(s, &d, &q->rhs, 1, &out->rhs) && derived_put(s, &d, q->parts, q->part_count, parts);
}

// What an equation leaves out, an input or a parameter, is meant with the value that the file gives: equal if it is so
// with some of them; different by what it says with the parameters' values, if it holds none. Of derived parameters
// only the values that the file gives count: a point with others is no counterexample.
static CheckResult check_equation(System *s, const CheckEquation *q) {
  bool no_inputs =
      s->inputs.count && !holds_kind(s, q->lhs, q->rhs, sym_input) && !holds_kind(s, q->lhs, q->rhs, sym_input_rate);
  bool no_params = s->params.count && !holds_kind(s, q->lhs, q->rhs, sym_param);
  CheckResult r = motion_check(s, q), best;
  if (r.verdict == verdict_equal || r.fault) return r;
  System derived, *model = s;
  CheckEquation put_in;
  const char *said;
  if (without_derived(s, q, &derived, &put_in, &said)) {
    model = &derived;
    q = &put_in;
    r = motion_check(model, q);
    if (r.fault) return r;
    r = check_said(s, r, said);
    if (r.verdict == verdict_equal) return r;
  }
  best = r;
  for (int trial = 0; trial < 3; trial++) {
    bool inputs = trial != 1, params = trial != 0;
    if ((inputs && !no_inputs) || (params && !s->params.count)) continue;
    SymbolMap map = definitions(s, inputs, params, q->lhs, q->rhs);
    System substituted;
    // values of inputs may hold parameters in turn: twice
    if (!constrained_substitute(model, &substituted, &map) || !constrained_substitute(&substituted, &substituted, &map))
      continue;
    CheckResult other = motion_check(&substituted, q);
    if (other.fault) continue;
    other = check_said(s, other, values_said(s, inputs, params, no_params));
    if (other.verdict == verdict_equal) return other;
    // what differs in the same way without any values needs none
    if (params && no_params && other.difference != best.difference &&
        !(best.verdict == verdict_different && other.verdict == verdict_undecided))
      best = other;
  }
  return best;
}

// An energy or an entry of M need be the same only where the constraints hold.
static CheckResult on_constraints(System *s, const CheckEquation *q, const char *means) {
  CheckResult r = check_equation(s, q);
  if (r.verdict == verdict_equal) r.condition = "where the constraints hold";
  r.means = means;
  r.difference_of = r.verdict == verdict_different ? means : NULL;
  return r;
}

// The same for an energy or an entry of M.
static CheckResult check_named(System *s, const CheckEquation *q, const char *means) {
  bool none = !expr_has_kind(s->pool, q->lhs, sym_param) && expr_has_kind(s->pool, q->rhs, sym_param);
  CheckResult r = compare(s, q, means);
  if (r.verdict == verdict_equal || r.fault) return r;
  if (s->constraints.count) return on_constraints(s, q, means);
  CheckEquation substituted = *q;
  Derived d;
  const char *said = derived_find(s, &d) ? derived_said(s, &d, (ExprId[]){q->lhs, q->rhs}, 2) : NULL;
  if (!none && said) {
    if (!derived_put(s, &d, &q->lhs, 1, &substituted.lhs) || !derived_put(s, &d, &q->rhs, 1, &substituted.rhs))
      return r;
    CheckResult other = compare(s, &substituted, means);
    if (!other.fault) r = check_said(s, other, said);
    if (r.verdict == verdict_equal) return r;
  }
  SymbolMap map = definitions(s, false, true, substituted.lhs, s->pool->zero);
  if (!expr_replace(s->pool, &map, &substituted.rhs, 1, &substituted.rhs)) return r;
  CheckResult other = compare(s, &substituted, means);
  if (other.fault || (other.verdict == verdict_undecided && r.verdict == verdict_different)) return r;
  if (!none && other.verdict != verdict_equal) return r;
  return check_said(s, other, values_said(s, false, true, none));
}

// The sum of what the model writes as this kind of energy; 0: nothing.
static ExprId written(System *s, EnergyKind kind) {
  ExprId sum = 0;
  for (uint32_t i = 0; i < s->energies.count; i++) {
    const SystemTerm *e = &s->energies.items[i];
    if (e->kind == kind) sum = sum ? expr_add(s->pool, sum, e->value) : e->value;
  }
  return sum;
}

// T is what the file writes as `kinetic`, as in the derivation. The account's share of the stored energy is another
// where T is not quadratic in the velocities. The same for V.
static ExprId energy_of(System *s, CheckLeft left, ExprId model) {
  ExprId said = left == check_kinetic     ? written(s, energy_kinetic)
                : left == check_potential ? written(s, energy_potential)
                                          : 0;
  return said ? said : model;
}

// Finds the divisor that is identically zero and reports it where it stands.
static void report_zero(System *s, const CheckText *q, Diags *diags) {
  for (uint32_t i = 0; i < q->division_count; i++) {
    const SystemDivision *d = &q->divisions[i];
    if (decide_zero(s->pool, s->arena, d->by).verdict != verdict_equal) continue;
    diag_error(diags, diag_division_by_zero, d->span, "this divides by an expression that is identically zero");
    return;
  }
  diag_error(diags, diag_division_by_zero, q->span, "somewhere inside, this divides by zero");
}

static void check_one(System *s, const CheckText *q, Diags *diags, CheckReport *report) {
  CheckResult r;
  CheckEquation equation = {q->lhs, q->rhs, q->parts, q->part_count};
  if (q->left == check_expression) {
    bool further = differentiated_holds(s, q);
    CheckResult other;
    if (!further || !differentiated_check(s, q, &r)) r = check_equation(s, &equation);
    bool open = !r.fault && r.verdict == verdict_undecided && !further && differentiated_helps(s, q);
    if (open && differentiated_check(s, q, &other) && other.verdict != verdict_undecided) r = other;
  } else {
    const char *means = NULL;
    ExprId model = named(s, q, diags, &means);
    if (!model) return;
    equation.lhs = q->rhs;
    equation.rhs = energy_of(s, q->left, model);
    r = check_named(s, &equation, means);
  }
  if (r.fault == check_zero_division) {
    report_zero(s, q, diags);
    return;
  }
  if (r.fault == check_empty) {
    diag_error(diags, diag_empty_equation, q->span,
               "this equation says nothing: both sides are the same for every motion");
    return;
  }
  // t*impulse(t) is 0 as what it does, and not as it is written
  if (r.verdict == verdict_different &&
      (expr_has_op(s->pool, equation.lhs, op_impulse) || expr_has_op(s->pool, equation.rhs, op_impulse)))
    r = (CheckResult){.verdict = verdict_undecided,
                      .reason = "the sides differ, but an impulse is known by what it does, not by values"};
  r.text = q->text;
  r.span = q->span;
  check_put(s, report, r);
}

bool check_equations(System *s, const CheckText *texts, uint32_t count, Diags *diags, CheckReport *report) {
  *report = (CheckReport){.pool = s->pool};
  for (uint32_t i = 0; i < count; i++) check_one(s, &texts[i], diags, report);
  return !arena_failed(s->arena);
}
