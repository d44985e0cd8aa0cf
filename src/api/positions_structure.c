// The initial position of large linkages, from lists of nodes and bars: no equations are made of them.
//
// in    a model of nodes, bars, sliders and rigid bodies alone, loaded as lists (viva_load_options.at_rest), no drives
// out   positions of all nodes, the nearest ones that fit all lengths (statics/balance.h)
#include "api/positions_parts.h"

#include "show/json.h"
#include "show/structure.h"
#include "statics/balance.h"

#include <math.h>
#include <string.h>

enum { most_shown = 12 };

static uint32_t free_numbers(const Linkage *l) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->nodes.count; i++) {
    for (uint32_t k = 0; k < l->dimensions; k++) count += !(l->nodes.items[i].fixed >> k & 1);
  }
  return count;
}

bool positions_are_listed(const viva_model *model, PositionsProblem problem, const viva_positions_options *o) {
  if (model_read_status(model) != VIVA_OK) return false;
  const Linkage *l = &model->system.linkage;
  if (problem != positions_initial || o->mode || o->over || o->reach) return false;
  return l->lists && l->alone && !model->system.drives.count && free_numbers(l) > curve_dense_most;
}

// Names and values of what is free.
static bool fill_row(viva_positions *v, const Linkage *l, const BalanceResult *r) {
  static const char axes[] = "xyz";
  Positions *x = &v->found;
  x->columns = free_numbers(l);
  x->names = arena_array(v->arena, (size_t)x->columns + 1, sizeof *x->names);
  double *row = arena_array(v->arena, (size_t)x->columns + 1, sizeof *row);
  if (!x->names || !row) return false;
  for (uint32_t i = 0, n = 0; i < l->nodes.count; i++) {
    const LinkageNode *node = &l->nodes.items[i];
    for (uint32_t k = 0; k < l->dimensions; k++) {
      if (node->fixed >> k & 1) continue;
      x->names[n] = arena_printf(v->arena, "%s.%c", node->name, axes[k]);
      row[n++] = r->x[(size_t)i * l->dimensions + k];
    }
  }
  x->rows.items = row;
  x->rows.count = x->rows.cap = x->columns;
  x->row_count = 1;
  return !arena_failed(v->arena);
}

static void write_text(viva_positions *v, const BalanceResult *r, Text *out) {
  const Positions *x = &v->found;
  uint32_t shown = x->columns < most_shown ? x->columns : most_shown;
  if (v->system.title) text_printf(out, "%s\n\n", v->system.title);
  if (x->assembled) {
    text_put(out, "Position\n");
    for (uint32_t i = x->columns - shown; i < x->columns; i++)
      text_printf(out, "  %s = %.9g m\n", x->names[i], x->rows.items[i]);
    if (shown < x->columns) text_printf(out, "  (the last of %u numbers: `--out FILE.csv` has them all)\n", x->columns);
  }
  text_printf(out, "%sVerdict\n  %s, lengths within %.1e m\n", x->assembled ? "\n" : "",
              x->assembled ? "assembled" : "not assembled", r->length_residue);
  text_printf(out, "  %u unknowns, %u constraints\n", r->unknowns, r->constraints);
}

static void write_json(viva_positions *v, const BalanceResult *r, Text *out) {
  const Positions *x = &v->found;
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "title", v->system.title);
  json_string(j, "problem", "initial");
  json_string(j, "status", x->assembled ? "done" : "failed");
  json_string(j, "message", x->message);
  json_bool(j, "assembled", x->assembled);
  json_number(j, "residue", r->length_residue);
  json_open(j, "values", '{');
  for (uint32_t i = 0; i < x->columns; i++) json_number(j, x->names[i], x->rows.items[i]);
  json_close(j, '}');
  json_close(j, '}');
  text_putc(out, '\n');
}

static const char *failure(BalanceStatus status) {
  switch (status) {
  case balance_no_module: return "the module of sparse solvers is not there";
  case balance_interrupted: return "interrupted";
  default: return "no position was found: the guesses are far from any";
  }
}

viva_status positions_of_structure(viva_positions *v, const viva_model *model, const viva_positions_options *o,
                                   const viva_sink *sink) {
  Structure s;
  StructureFault fault;
  Positions *x = &v->found;
  v->system = model->system;
  x->problem = positions_initial;
  StructureStatus made = structure_make(v->arena, &model->system, 0, &s, &fault);
  if (made == structure_out_of_memory) return VIVA_ENOMEM;
  v->text[0] = v->text[1] = "";
  if (made == structure_not_finite) {
    v->message = "error: a number of this structure has no finite value: every parameter needs one\n";
    return VIVA_EINPUT;
  }
  BalanceOptions b = balance_defaults(balance_auto);
  b.interrupted = o->interrupted;
  b.context = o->self;
  BalanceResult r = balance_assemble(v->arena, &s, &b);
  if (r.status == balance_no_memory || arena_failed(v->arena)) return VIVA_ENOMEM;
  x->assembled = r.status == balance_found;
  x->iterations = r.iterations;
  if (x->assembled && !fill_row(v, &model->system.linkage, &r)) return VIVA_ENOMEM;
  if (!x->assembled) {
    Diag why = {.message = failure(r.status)};
    if (r.status == balance_infeasible)
      why = structure_failure(v->arena, &(BarsReport){.system = &model->system, .structure = s, .result = r});
    x->message = why.message;
    v->message = messages_text(v->arena, &model->model.sources, &model->model.diags, &why);
  }
  if (x->assembled && sink && sink->header && sink->row && sink->header(sink->self, x->names, x->columns))
    sink->row(sink->self, x->rows.items, x->columns);
  Text text = text_in(v->arena), json = text_in(v->arena);
  write_text(v, &r, &text);
  write_json(v, &r, &json);
  v->text[0] = text_str(&text);
  v->text[1] = text_str(&json);
  if (arena_failed(v->arena)) return VIVA_ENOMEM;
  return x->assembled ? VIVA_OK : r.status == balance_interrupted ? VIVA_EINTERRUPTED : VIVA_EFAIL;
}
