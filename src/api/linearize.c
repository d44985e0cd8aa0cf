// Linear models, from the outside.
#include "api/handles.h"
#include "api/report_parts.h"
#include "expr/print.h"
#include "show/braille.h"
#include "show/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct viva_linearization {
  Arena *arena;
  const viva_model *model;
  Operating operating;
  Linearization linear;
  bool done;
  const char *text[3];      // text, LaTeX, JSON
  const char **symbolic[5]; // entries of A, B, C, D, k; NULL: not known
  const char *message;
  const char *reason; // the first problem in words; NULL: none
};

viva_linearize_options viva_linearize_defaults(void) {
  return (viva_linearize_options){.point = VIVA_AT_EQUILIBRIUM, .symbolic = true, .numeric = true};
}

static const char letters[] = "ABCDk";

static const LinearMatrix *matrix_at(const Linearization *x, int k) {
  const LinearMatrix *all[] = {&x->A, &x->B, &x->C, &x->D, &x->k};
  return all[k];
}

static void keep_entries(viva_linearization *l) {
  for (int k = 0; k < 5; k++) {
    const LinearMatrix *m = matrix_at(&l->linear, k);
    size_t cells = (size_t)m->rows * m->cols;
    const char **texts = m->exact ? arena_array(l->arena, cells, sizeof *texts) : NULL;
    for (size_t i = 0; texts && i < cells; i++) {
      Text t = text_in(l->arena);
      expr_print(l->operating.s.pool, m->exact[i], format_text, NULL, &t);
      texts[i] = text_str(&t);
    }
    l->symbolic[k] = texts;
  }
}

// Diagnostics of the point, what failed, or terms without a derivative, as texts.
static void keep_message(viva_linearization *l, const TextScope *scope, const char *message, Span place) {
  Text t = text_in(l->arena);
  const Sources *sources = &scope->model.sources;
  for (uint32_t i = 0; i < scope->model.diags.list.count; i++)
    diag_format(sources, &scope->model.diags.list.items[i], &t);
  if (message) {
    Diag d = {.span = place, .message = message, .hint = l->linear.hint};
    diag_format(sources, &d, &t);
  }
  for (uint32_t i = 0; l->done && i < l->linear.kinks.count; i++) {
    const Kink *k = &l->linear.kinks.items[i];
    Diag d = {.warning = true,
              .span = k->span,
              .message = arena_printf(l->arena, "`%s`, in %s, %s", k->text, k->label, k->what)};
    if (d.message) diag_format(sources, &d, &t);
  }
  l->message = t.length ? text_str(&t) : NULL;
  for (uint32_t i = 0; i < scope->model.diags.list.count && !l->reason; i++) {
    const Diag *d = &scope->model.diags.list.items[i];
    if (!d->warning) l->reason = d->message;
  }
  if (!l->reason) l->reason = message;
}

static viva_status finish(viva_linearization *l, LinearizeStatus status, const TextScope *scope,
                          viva_linearization **out) {
  if (status == linearize_no_memory || arena_failed(l->arena)) {
    viva_linearization_free(l);
    return VIVA_ENOMEM;
  }
  *out = l;
  if (status == linearize_interrupted) return VIVA_EINTERRUPTED;
  if (status == linearize_done) return VIVA_OK;
  return scope->model.diags.errors || status == linearize_refused ? VIVA_EINPUT : VIVA_EFAIL;
}

viva_status viva_linearize(const viva_model *model, const viva_linearize_options *options,
                           viva_linearization **linearization) {
  if (!model || !linearization) return VIVA_EUSAGE;
  *linearization = NULL;
  if (model->model.diags.errors) return VIVA_EUSAGE;
  viva_linearize_options o = options ? *options : viva_linearize_defaults();
  for (size_t i = 0; i < o.at_count; i++) {
    if (!o.at || !o.at[i]) return VIVA_EUSAGE;
  }
  viva_linearization *l = calloc(1, sizeof *l);
  if (l) l->arena = arena_new();
  if (!l || !l->arena) {
    free(l);
    return VIVA_ENOMEM;
  }
  l->model = model;
  l->text[0] = l->text[1] = l->text[2] = "";
  TextScope scope;
  const char *message = NULL;
  Span place = {0};
  LinearizeSettings settings = {o.point == VIVA_AT_EQUILIBRIUM ? at_equilibrium
                                : o.point == VIVA_AT_START     ? at_start
                                                               : at_point,
                                o.symbolic, o.numeric, o.interrupted, o.self};
  LinearizeStatus status = pipeline_linearize(l->arena, &model->model, &model->system, o.at, o.at_count, &settings,
                                              &scope, &l->operating, &l->linear, &message, &place);
  l->done = status == linearize_done;
  if (status != linearize_no_memory) keep_message(l, &scope, message, place);
  for (int f = 0; l->done && f < 3; f++) {
    Text t = text_in(l->arena);
    show_linear(&l->linear, f == 0 ? show_text : f == 1 ? show_latex : show_json, o.symbolic, o.numeric, &t);
    l->text[f] = text_str(&t);
  }
  if (l->done) keep_entries(l);
  return finish(l, status, &scope, linearization);
}

const Linearization *linearization_get(const viva_linearization *l) { return l && l->done ? &l->linear : NULL; }

// The first line of the message alone, without its place.
const char *linearization_reason(const viva_linearization *l) { return l ? l->reason : NULL; }

void viva_linearization_free(viva_linearization *l) {
  if (!l) return;
  arena_free(l->arena);
  free(l);
}

const char *viva_linearization_text(const viva_linearization *l, viva_format format) {
  return l ? l->text[format == VIVA_FORMAT_LATEX ? 1 : format == VIVA_FORMAT_JSON ? 2 : 0] : "";
}
const char *viva_linearization_message(const viva_linearization *l) { return l ? l->message : NULL; }
bool viva_linearization_equilibrium(const viva_linearization *l) { return l && l->done && l->linear.equilibrium; }
size_t viva_linearization_states(const viva_linearization *l) { return l && l->done ? l->linear.n : 0; }
size_t viva_linearization_inputs(const viva_linearization *l) { return l && l->done ? l->linear.m : 0; }
size_t viva_linearization_outputs(const viva_linearization *l) { return l && l->done ? l->linear.p : 0; }
const char *viva_linearization_state_name(const viva_linearization *l, size_t i) {
  return i < viva_linearization_states(l) ? l->linear.states[i] : NULL;
}
const char *viva_linearization_input_name(const viva_linearization *l, size_t i) {
  return i < viva_linearization_inputs(l) ? l->linear.inputs[i] : NULL;
}
const char *viva_linearization_output_name(const viva_linearization *l, size_t i) {
  return i < viva_linearization_outputs(l) ? l->linear.outputs[i] : NULL;
}
double viva_linearization_state(const viva_linearization *l, size_t i) {
  return i < viva_linearization_states(l) ? l->linear.x[i] : NAN;
}
double viva_linearization_input(const viva_linearization *l, size_t i) {
  return i < viva_linearization_inputs(l) && !l->linear.numbers_note ? l->linear.u[i] : NAN;
}

static const LinearMatrix *matrix_of(const viva_linearization *l, char letter, size_t row, size_t column) {
  if (!l || !l->done || !letter || !strchr(letters, letter)) return NULL;
  const LinearMatrix *m = matrix_at(&l->linear, (int)(strchr(letters, letter) - letters));
  return row < m->rows && column < m->cols ? m : NULL;
}

double viva_linearization_entry(const viva_linearization *l, char matrix, size_t row, size_t column) {
  const LinearMatrix *m = matrix_of(l, matrix, row, column);
  return m && m->numbers ? m->numbers[row * m->cols + column] : NAN;
}

const char *viva_linearization_symbolic(const viva_linearization *l, char matrix, size_t row, size_t column) {
  const LinearMatrix *m = matrix_of(l, matrix, row, column);
  const char **texts = m ? l->symbolic[strchr(letters, matrix) - letters] : NULL;
  return texts ? texts[row * m->cols + column] : NULL;
}

double viva_linearization_eigenvalue(const viva_linearization *l, size_t index, double *imaginary) {
  bool there = index < viva_linearization_states(l) && l->linear.modes.re;
  if (imaginary) *imaginary = there ? l->linear.modes.im[index] : NAN;
  return there ? l->linear.modes.re[index] : NAN;
}

viva_status viva_linearization_draw(const viva_linearization *l, viva_linear_figure figure,
                                    const viva_figure_options *options, viva_picture picture, char **data,
                                    size_t *length) {
  if (!l || !data || !length) return VIVA_EUSAGE;
  *data = NULL;
  *length = 0;
  bool poles = figure == VIVA_LINEAR_POLES, terminal = picture == VIVA_PICTURE_TERMINAL;
  if (picture == VIVA_PICTURE_HTML || (terminal && !poles)) return VIVA_EUSAGE;
  if (!l->done || !l->linear.modes.re) return VIVA_EINPUT;
  viva_figure_options o = options ? *options : viva_figure_defaults();
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Drawing d = {.arena = arena,
               .title = l->linear.o->s.title,
               .description = poles ? "eigenvalues in the complex plane" : "mode shapes"};
  Text out = text_in(arena);
  bool ok;
  if (poles) {
    PoleMap map = {.l = &l->linear};
    Plot plot;
    linear_pole_map(arena, &map, &plot);
    double width = terminal ? 2.0 * (o.columns ? o.columns : 80) : o.width > 0 ? o.width : map.width;
    ok = plot_layout(&plot, (PlotStyle){.dark = o.dark, .cells = terminal, .width = width}, &d);
  } else {
    ok = linear_mode_shapes(&l->linear, o.dark, o.width, &d);
  }
  if (ok && terminal) braille_write(&d, o.colour, &out);
  else if (ok) svg_write(&d, &out);
  const char *problem;
  viva_status status = ok ? picture_bytes(picture, &out, &problem, data, length) : VIVA_ENOMEM;
  arena_free(arena);
  return status;
}
