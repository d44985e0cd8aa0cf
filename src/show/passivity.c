// Passivity at the ports of a model, as text and as JSON.
//
// in    a Passivity (algebra/passivity.h)
// out   the verdict and what it means; the powers; whether H has a lower bound; what was assumed; Casimirs;
//       the counterexample
#include "show/passivity.h"

#include "algebra/style.h"
#include "expr/print.h"
#include "show/json.h"

// A sentence about H, which has another name where the model uses this one.
static const char *about_storage(System *s, const char *sentence) {
  const char *name = style_free_name(s, "H");
  Text t = text_in(s->arena);
  for (const char *c = sentence; *c; c++) {
    if (*c == 'H') text_put(&t, name ? name : "H");
    else text_putc(&t, *c);
  }
  return text_str(&t);
}

static const char *meaning(PassivityVerdict v) {
  static const char *const words[] = {
      [passivity_strict] = "dH/dt < y*u wherever dH/dx is not zero, and H has a lower bound",
      [passivity_passive] = "dH/dt <= y*u, and H has a lower bound",
      [passivity_lossless] = "dH/dt = y*u: nothing is lost",
      [passivity_cyclo] = "dH/dt <= y*u",
      [passivity_not] = "with this H, dH/dt > y*u somewhere",
      [passivity_undecided] = "no proof, and no point that speaks against it",
  };
  return words[v];
}

static const char *written(System *s, ExprId id) {
  ExprId tidy = port_tidy(s->pool, id);
  return expr_text(s->pool, s->arena, tidy ? tidy : id);
}

// Squares stay as they are: a sum of them shows its sign.
static const char *sum_of_squares(System *s, const Passivity *p) {
  Text t = text_in(s->arena);
  for (uint32_t i = 0; i < p->squares.count; i++)
    text_printf(&t, "%s%s", i ? " + " : "", expr_text(s->pool, s->arena, p->squares.items[i]));
  return text_str(&t);
}

static const char *bounded_words(Bounded b) {
  return b == bounded_yes ? "H has a lower bound" : b == bounded_no ? "H has no lower bound" : "not decided";
}

static void assumed_text(const Passivity *p, Text *out) {
  if (!p->signs.assumed.count) return;
  text_put(out, "  assumed    ");
  for (uint32_t i = 0; i < p->signs.assumed.count; i++)
    text_printf(out, "%s%s", i ? ", " : "", signs_assumed(&p->signs, i));
  text_putc(out, '\n');
}

void show_passivity_text(System *s, const Passivity *p, Text *out) {
  text_printf(out, "%s: %s\n", passivity_name(p->verdict), about_storage(s, meaning(p->verdict)));
  if (p->because) text_printf(out, "  because    %s\n", p->because);
  if (p->form.why) return;
  text_printf(out, "  stored     %s = %s\n", about_storage(s, "H"), expr_text(s->pool, s->arena, p->form.H));
  text_printf(out, "  lost       %s\n", p->squares.count ? sum_of_squares(s, p) : written(s, p->lost));
  text_printf(out, "  supplied   %s\n", p->form.m ? written(s, p->supplied) : "nothing: the model has no port");
  if (p->verdict != passivity_undecided)
    text_printf(out, "  below      %s\n", about_storage(s, bounded_words(p->bounded)));
  assumed_text(p, out);
  for (uint32_t i = 0; i < p->casimirs.count; i++)
    text_printf(out, "  constant   %s, while nothing comes in at the ports\n",
                expr_text(s->pool, s->arena, p->casimirs.items[i]));
  if (p->witness) text_printf(out, "  witness    %s\n  there      %s is lost\n", p->witness, p->loss);
}

void show_passivity_json(System *s, const Passivity *p, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "passivity", passivity_name(p->verdict));
  if (p->witness) {
    json_open(j, "witness", '{');
    json_string(j, "point", p->witness);
    json_string(j, "lost", p->loss);
    json_close(j, '}');
  } else {
    json_null(j, "witness");
  }
  json_string(j, "because", p->because);
  if (!p->form.why) {
    json_string(j, "H", expr_text(s->pool, s->arena, p->form.H));
    json_string(j, "lost", written(s, p->lost));
    json_open(j, "squares", '[');
    for (uint32_t i = 0; i < p->squares.count; i++)
      json_string(j, NULL, expr_text(s->pool, s->arena, p->squares.items[i]));
    json_close(j, ']');
    json_string(j, "supplied", written(s, p->supplied));
    json_string(j, "bounded", p->bounded == bounded_yes ? "yes" : p->bounded == bounded_no ? "no" : "not decided");
    json_open(j, "assumed", '[');
    for (uint32_t i = 0; i < p->signs.assumed.count; i++) json_string(j, NULL, signs_assumed(&p->signs, i));
    json_close(j, ']');
    json_open(j, "casimirs", '[');
    for (uint32_t i = 0; i < p->casimirs.count; i++)
      json_string(j, NULL, expr_text(s->pool, s->arena, p->casimirs.items[i]));
    json_close(j, ']');
  }
  json_close(j, '}');
  text_putc(out, '\n');
}
