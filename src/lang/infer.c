// Unification of dimensions: products of powers of variables, solved by elimination; and the words of a clash.
//
// in    a = b, both products: base units * v1^p1 * v2^p2 ..., powers rational
// how   c = a/b, solved variables replaced; c = 1 is solved for its youngest variable with power 1 or -1 (any other one
//       where there is none), which from then on stands for the rest
// out   unified, or a clash: no variable is left, and the base units differ. Reported if a written unit takes part.
#include "lang/infer_inside.h"

#include <string.h>

Form form_plain(void) { return (Form){.base = dimension_plain()}; }
Form form_of_unit(const Unit *unit) { return (Form){.base = dimension_of_unit(unit), .grounded = true}; }

uint32_t infer_var(Infer *f, const char *name) {
  return vec_push(f->arena, &f->vars, (DimVar){.name = name}) ? f->vars.count - 1 : 0; // 0: the energy is always there
}

Form form_of_var(Infer *f, uint32_t var) {
  Form r = form_plain();
  r.terms = arena_new_of(f->arena, FormTerm);
  if (!r.terms) return r;
  r.terms[0] = (FormTerm){var, ratio_int(1)};
  r.count = 1;
  return r;
}

Form form_mul(Infer *f, Form a, Form b, Ratio power) {
  Form r = {.base = dimension_mul(a.base, b.base, power), .grounded = a.grounded || b.grounded};
  if (!b.count) {
    r.terms = a.terms;
    r.count = a.count;
    return r;
  }
  r.terms = arena_array(f->arena, (size_t)a.count + b.count, sizeof *r.terms);
  if (!r.terms) return form_plain();
  for (uint32_t i = 0, k = 0; i < a.count || k < b.count;) {
    FormTerm t;
    if (k == b.count || (i < a.count && a.terms[i].var < b.terms[k].var)) {
      t = a.terms[i++];
    } else {
      t = (FormTerm){b.terms[k].var, ratio_mul(b.terms[k].power, power)};
      if (i < a.count && a.terms[i].var == b.terms[k].var) t.power = ratio_add(a.terms[i++].power, t.power);
      k++;
    }
    if (t.power.num || !t.power.den) r.terms[r.count++] = t;
  }
  return r;
}

static bool in_range(const Form *a) {
  bool ok = true;
  for (int i = 0; i < unit_dims; i++) ok = ok && (i == unit_angle || a->base.power[i].den);
  for (uint32_t i = 0; i < a->count; i++) ok = ok && a->terms[i].power.den;
  return ok;
}

// Solved variables are replaced. Equations are solved for the youngest variable, so there are few rounds. Powers beyond
// all sense stay as they are: they would not go away.
Form form_resolve(Infer *f, Form a) {
  for (;;) {
    uint32_t i = 0;
    while (i < a.count && !f->vars.items[a.terms[i].var].form) i++;
    if (i == a.count || !in_range(&a) || arena_failed(f->arena)) return a;
    uint32_t var = a.terms[i].var;
    Ratio power = a.terms[i].power;
    Form solution = *f->vars.items[var].form;
    a = form_mul(f, form_mul(f, a, form_of_var(f, var), (Ratio){-power.num, power.den}), solution, power);
  }
}

Unified infer_equal(Infer *f, Form a, Form b, Span by) {
  enum { most_terms = 64 };
  Form c = form_resolve(f, form_mul(f, a, b, ratio_int(-1)));
  if (arena_failed(f->arena) || !in_range(&c) || c.count > most_terms) return clash_ignored;
  Dimension plain = dimension_plain();
  if (!c.count && dimension_same(&c.base, &plain)) return unified;
  // a name on both sides cancels; what is known of it by a written unit counts
  if (!c.count && !f->quantities) return clash_ignored;
  if (!c.count) return c.grounded || form_resolve(f, a).grounded || form_resolve(f, b).grounded ? clash : clash_later;
  // the youngest variable with the simplest power; the energy, which is the oldest, when nothing else is left
  uint32_t at = c.count - 1;
  for (uint32_t i = c.count; i-- > 0;) {
    bool simple = c.terms[i].power.den == 1 && (c.terms[i].power.num == 1 || c.terms[i].power.num == -1);
    if (simple && c.terms[i].var != f->energy) {
      at = i;
      break;
    }
  }
  FormTerm pivot = c.terms[at];
  Form rest = form_mul(f, c, form_of_var(f, pivot.var), (Ratio){-pivot.power.num, pivot.power.den});
  Form solved = form_mul(f, form_plain(), rest, ratio_div(ratio_int(-1), pivot.power));
  solved.base.power[unit_angle] = ratio_int(0); // radians follow from where a name stands, see dim_known
  if (!in_range(&solved)) return clash_ignored;
  // what one energy says about all of them is no ground to complain of names that have no unit
  solved.grounded = c.grounded && pivot.var != f->energy;
  DimVar *v = &f->vars.items[pivot.var];
  Form *kept = arena_new_of(f->arena, Form);
  if (!kept) return clash_ignored;
  *kept = solved;
  v->form = kept;
  v->by = by;
  return unified;
}

Unified infer_energy(Infer *f, Form a, Span by) {
  Form form = form_resolve(f, a), energy = form_of_var(f, f->energy);
  Unified u = infer_equal(f, form, energy, by);
  return u != unified && !form.grounded ? clash_ignored : u;
}

Dim dim_of(Form form) { return (Dim){.kind = dim_form, .form = form}; }

Dim dim_mechanical(int kilogram, int metre, int second) {
  Unit u = {.said = true};
  u.dim[unit_kilogram] = (int8_t)kilogram;
  u.dim[unit_metre] = (int8_t)metre;
  u.dim[unit_second] = (int8_t)second;
  return dim_of(form_of_unit(&u));
}

Dim dim_wild(void) { return (Dim){.kind = dim_any, .form = form_plain()}; }
Dim dim_literal(bool odd) { return (Dim){.kind = dim_number, .odd = odd, .form = form_plain()}; }

Dim dim_level(void) { return (Dim){.kind = dim_number, .bare = true, .form = form_plain()}; }

bool dim_known(Infer *f, const Dim *d, Dimension *out) {
  *out = dimension_plain();
  if (d->kind != dim_form) return false;
  // angles of names, which the solution does not tell
  Ratio angle = d->form.base.power[unit_angle];
  for (uint32_t i = 0; i < d->form.count; i++) {
    if (f->vars.items[d->form.terms[i].var].angle) angle = ratio_add(angle, d->form.terms[i].power);
  }
  Form form = form_resolve(f, d->form);
  *out = form.base;
  out->power[unit_angle] = angle;
  return form.count == 0 && in_range(&form);
}

// ---- words

const char *infer_words(Infer *f, const Dim *d) {
  Dimension known;
  if (dim_known(f, d, &known)) return dimension_words(f->arena, &known);
  // what is not known stands by its name
  Form form = form_resolve(f, d->form);
  if (form.count == 1 && form.terms[0].var == f->energy) {
    const Unit joule = {.said = true, .dim = {2, 1, -2}};
    form = form_mul(
        f, form_mul(f, form, form_of_var(f, f->energy), (Ratio){-form.terms[0].power.num, form.terms[0].power.den}),
        form_of_unit(&joule), form.terms[0].power);
    return dimension_words(f->arena, &form.base);
  }
  Text t = text_in(f->arena);
  Dimension plain = dimension_plain();
  if (!dimension_same(&form.base, &plain)) text_put(&t, dimension_words(f->arena, &form.base));
  for (uint32_t i = 0; i < form.count; i++) {
    const DimVar *v = &f->vars.items[form.terms[i].var];
    Ratio p = form.terms[i].power;
    text_printf(&t, "%s[%s]", t.length ? "·" : "", v->name ? v->name : "?");
    if (p.den != 1) text_printf(&t, "^(%d/%d)", p.num, p.den);
    else if (p.num != 1) text_printf(&t, "^%d", p.num);
  }
  return text_str(&t);
}

const char *infer_quote(Infer *f, Span span) {
  enum { longest = 48 };
  const char *text = elab_written(f->e, span);
  size_t n = strlen(text), cut = n;
  if (cut > longest) cut = longest - 3;
  while (cut < n && cut && ((unsigned char)text[cut] & 0xC0) == 0x80) cut--;
  const char *out = arena_printf(f->arena, "`%.*s%s`", (int)cut, text, cut < n ? "..." : "");
  return out ? out : "";
}

// Names whose dimension was inferred, and from where: the mistake may stand there.
void infer_reasons(Infer *f, const Dim *a, const Dim *b) {
  Text t = text_in(f->arena);
  uint32_t count = 0, named[3];
  const Dim *both[] = {a, b};
  for (int k = 0; k < 2; k++) {
    for (uint32_t i = 0; both[k]->kind == dim_form && i < both[k]->form.count && count < 3; i++) {
      const DimVar *v = &f->vars.items[both[k]->form.terms[i].var];
      const Source *source = v->form && v->name ? source_get(&f->e->model->sources, v->by) : NULL;
      uint32_t var = both[k]->form.terms[i].var;
      Dim one = dim_of(form_of_var(f, var));
      Dimension known;
      bool again = false;
      for (uint32_t j = 0; j < count; j++) again = again || named[j] == var;
      if (!source || again || !dim_known(f, &one, &known)) continue;
      const char *words = dimension_words(f->arena, &known);
      uint32_t line = source_place(source, v->by.start).line;
      if (var == f->energy) text_printf(&t, "%senergies are %s by line %u", count ? ", " : "", words, line);
      else text_printf(&t, "%s`%s` counts as %s by line %u", count ? ", " : "", v->name, words, line);
      named[count++] = var;
    }
  }
  if (count) diag_hint(f->diags, "%s", text_str(&t));
}

void infer_again(Infer *f) {
  uint32_t count = f->later.count;
  for (uint32_t i = 0; i < count; i++) {
    DimEquation x = f->later.items[i];
    infer_same(f, &x.a, x.at, &x.b, x.other, x.why);
  }
}

static bool same_span(Span a, Span b) { return a.source == b.source && a.start == b.start && a.end == b.end; }

bool infer_same(Infer *f, const Dim *a, Span at, const Dim *b, Span other, const char *why) {
  if (a->kind != dim_form || b->kind != dim_form) return true;
  // what a number may have left out is not known: nothing can be learnt
  if (f->lenient && (a->scaled || b->scaled || a->bare || b->bare)) return true;
  Unified u = infer_equal(f, a->form, b->form, at);
  if (u == clash_later) vec_push(f->arena, &f->later, (DimEquation){*a, *b, at, other, why});
  if (u != clash) return true;
  const char *p = infer_words(f, a), *q = infer_words(f, b), *text = infer_quote(f, at);
  if (same_span(at, other)) {
    diag_warning(f->diags, diag_units, at, "in %s, %s stands beside %s: %s", text, q, p, why ? why : "they are added");
  } else if (other.source) {
    diag_warning(f->diags, diag_units, at, "%s is %s, but %s is %s%s%s", text, p, infer_quote(f, other), q,
                 why ? ": " : "", why ? why : "");
    diag_also(f->diags, other, "this is %s", q);
  } else {
    diag_warning(f->diags, diag_units, at, "%s is %s, but %s %s", text, p, why, q);
  }
  infer_reasons(f, a, b);
  return false;
}
