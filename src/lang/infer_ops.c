// Dimensions of formulas: products, powers, sums, rates, and local names.
//
// A dimension is `any` (fits all), a number (fits as a term, and as a factor if it is one that formulas have), or a
// form. A sum has the dimension of its terms, which are equal;
// what is only scaled or bare gives way to what is certain.
#include "lang/infer_inside.h"

#include <string.h>

DimValue dims_none(void) { return (DimValue){.shape = value_bad}; }

DimValue dims_any(void) { return dim_value(dim_wild()); }

DimValue dims_new(Infer *f, ValueShape shape, uint32_t rows, uint32_t cols) {
  uint64_t count = (uint64_t)rows * cols;
  f->work += count;
  if (f->work > infer_most_work) f->cut = true;
  DimValue v = {shape, rows, cols, dim_wild(), f->cut ? NULL : arena_array(f->arena, (size_t)count, sizeof(Dim))};
  if (!v.items) return dims_none();
  for (uint64_t i = 0; i < count; i++) v.items[i] = dim_wild();
  return v;
}

Dim dim_times(Infer *f, Dim a, Dim b, Ratio power) {
  if (a.kind == dim_number && b.kind == dim_number) {
    Dim r = dim_literal(a.odd || b.odd);
    r.bare = a.bare && b.bare;
    return r;
  }
  bool odd = (a.kind == dim_number && a.odd) || (b.kind == dim_number && b.odd);
  if (a.kind == dim_any || b.kind == dim_any || odd) return dim_wild();
  bool scaled = (a.kind == dim_number && !a.bare) || (b.kind == dim_number && !b.bare) || a.scaled || b.scaled;
  Dim r = dim_of(form_mul(f, a.form, b.form, power));
  r.scaled = scaled;
  return r;
}

Dim dim_raised(Infer *f, Dim a, Ratio power) {
  if (a.kind != dim_form) return a;
  Dim r = dim_of(form_mul(f, form_plain(), a.form, power));
  r.scaled = a.scaled;
  r.bare = a.bare;
  return r;
}

// What is added to an angle is one, for reading.
static void mark_angle(Infer *f, const Dim *angle, const Dim *other) {
  Dimension known;
  bool var = other->form.count == 1 && other->form.terms[0].power.num == 1 && other->form.terms[0].power.den == 1;
  if (var && dim_known(f, angle, &known) && known.power[unit_angle].num == 1 && known.power[unit_angle].den == 1)
    f->vars.items[other->form.terms[0].var].angle = true;
}

// Two terms of one sum.
Dim dim_plus(Infer *f, Dim a, Span at_a, Dim b, Span at_b, const char *why) {
  if (a.kind == dim_form && b.kind == dim_form) {
    if (!infer_same(f, &b, at_b, &a, at_a, why)) return dim_wild(); // one complaint is enough
    mark_angle(f, &a, &b);
    mark_angle(f, &b, &a);
    bool certain = !b.scaled && !b.bare;
    return (a.scaled || a.bare) && certain ? b : a;
  }
  if (a.kind == dim_form || b.kind == dim_form) return a.kind == dim_form ? a : b;
  if (a.kind == dim_any || b.kind == dim_any) return dim_wild();
  Dim r = dim_literal(a.odd || b.odd);
  r.bare = a.bare || b.bare; // 1 - exp(-t/T)
  return r;
}

Dim dim_rate(Infer *f, Dim a, int order) {
  Form second = form_plain();
  second.base.power[unit_second] = ratio_int(1);
  if (a.kind != dim_form) return a;
  a.form = form_mul(f, a.form, second, ratio_int(-order));
  return a;
}

// A plain number; `like`: the name of what asks for it.
void dim_plain(Infer *f, const Dim *d, Span span, const char *what) {
  if (d->kind != dim_form || d->scaled) return;
  Dim one = dim_of(form_plain());
  infer_same(f, d, span, &one, (Span){0}, what);
}

// ---- names inside a function, `sum` or `integral_of`

const DimBinding *infer_local(DimEnv env, const char *name) {
  for (const DimBinding *b = env.dims; b; b = b->next) {
    if (strcmp(b->name, name) == 0) return b;
  }
  return NULL;
}

bool infer_bind(Infer *f, DimEnv *env, const char *name, DimValue dims, Value value) {
  DimBinding *d = arena_new_of(f->arena, DimBinding);
  Binding *b = arena_new_of(f->arena, Binding);
  if (!d || !b) return false;
  *d = (DimBinding){name, dims, env->dims};
  *b = (Binding){.name = name, .value = value, .next = env->elab};
  env->dims = d;
  env->elab = b;
  return true;
}
