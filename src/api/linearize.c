// Linear models, from the outside.
//
// Texts and entries as expressions are made when they are first asked for, and kept; pictures are made each time.
// Making them takes memory of the handle and of its pool, so it goes under a lock: threads may share a linear model.
#include "api/handles.h"
#include "api/report_parts.h"
#include "show/braille.h"
#include "show/svg.h"
#include "system/table_names.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

// Made when asked for.
typedef struct LinearTexts {
  pthread_mutex_t lock;
  Arena *arena;
  bool exact, numbers;      // what texts show, where it is known
  const char *text[3];      // text, LaTeX, JSON
  const char **symbolic[5]; // entries of A, B, C, D, k; NULL: not yet
} LinearTexts;

struct viva_linearization {
  Arena *arena;
  Operating operating;
  Linearization linear;
  bool done;
  LinearTexts *texts;
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

// Diagnostics of the point, what failed, or terms without a derivative, as texts.
static void keep_message(viva_linearization *l, const LinearizeJob *job) {
  const Diags *said = &job->scope.model.diags;
  const Sources *sources = &job->scope.model.sources;
  Diag failure = {.span = job->place, .message = job->message, .hint = l->linear.hint};
  Text t = text_in(l->arena);
  const char *words = messages_text(l->arena, sources, said, &failure);
  if (words) text_put(&t, words);
  if (l->done) kinks_text(sources, &l->linear.kinks, &t);
  l->message = t.length ? text_str(&t) : NULL;
  for (uint32_t i = 0; i < said->list.count && !l->reason; i++) {
    if (!said->list.items[i].warning) l->reason = said->list.items[i].message;
  }
  if (!l->reason) l->reason = job->message;
}

static bool open_texts(viva_linearization *l, const viva_linearize_options *o) {
  LinearTexts *t = arena_new_of(l->arena, LinearTexts);
  if (!t || pthread_mutex_init(&t->lock, NULL) != 0) return false;
  t->arena = l->arena;
  t->exact = o->symbolic;
  t->numbers = o->numeric;
  l->texts = t;
  return true;
}

static viva_status finish(viva_linearization *l, LinearizeStatus status, const LinearizeJob *job,
                          viva_linearization **out) {
  if (status == linearize_no_memory || arena_failed(l->arena)) {
    viva_status settled = settle_status(l->arena, VIVA_ENOMEM, &l->message);
    if (settled == VIVA_ENOMEM) viva_linearization_free(l);
    else *out = l;
    return settled;
  }
  *out = l;
  if (status == linearize_interrupted) return VIVA_EINTERRUPTED;
  if (status == linearize_done) return VIVA_OK;
  return job->scope.model.diags.errors || status == linearize_refused ? VIVA_EINPUT : VIVA_EFAIL;
}

viva_status viva_linearize(const viva_model *model, const viva_linearize_options *options,
                           viva_linearization **linearization) {
  viva_linearize_options o = options ? *options : viva_linearize_defaults();
  LinearizeAt at;
  if (!linearization) return VIVA_EUSAGE;
  *linearization = NULL;
  if (!has_all(o.at, o.at_count) || !point_of(o.point, &at)) return VIVA_EUSAGE;
  viva_status usable = model_status(model);
  if (usable != VIVA_OK) return usable;
  viva_linearization *l = handle_new(sizeof *l);
  if (!l) return VIVA_ENOMEM;
  if (!open_texts(l, &o)) {
    viva_linearization_free(l);
    return VIVA_ENOMEM;
  }
  LinearizeJob job = {
      .model = &model->model,
      .system = &model->system,
      .at = o.at,
      .at_count = o.at_count,
      .settings = {.at = at, .exact = o.symbolic, .numbers = o.numeric, .interrupted = o.interrupted, .self = o.self},
      .operating = &l->operating,
      .out = &l->linear};
  LinearizeStatus status = pipeline_linearize(l->arena, &job);
  l->done = status == linearize_done;
  if (status != linearize_no_memory) keep_message(l, &job);
  return finish(l, status, &job, linearization);
}

const Linearization *linearization_get(const viva_linearization *l) { return l && l->done ? &l->linear : NULL; }

// The first line of the message alone, without its span.
const char *linearization_reason(const viva_linearization *l) { return l ? l->reason : NULL; }

void viva_linearization_free(viva_linearization *l) {
  if (l && l->texts) pthread_mutex_destroy(&l->texts->lock);
  handle_free(l);
}

static const char *make_text(const viva_linearization *l, int f) {
  static const ShowFormat formats[] = {show_text, show_latex, show_json};
  LinearTexts *texts = l->texts;
  if (texts->text[f]) return texts->text[f];
  Text t = text_in(texts->arena);
  show_linear(&l->linear, formats[f], texts->exact, texts->numbers, &t);
  // a text that was cut off is none
  return texts->text[f] = arena_failed(texts->arena) ? NULL : text_str(&t);
}

const char *viva_linearization_text(const viva_linearization *l, viva_format format) {
  static const viva_format formats[] = {VIVA_FORMAT_TEXT, VIVA_FORMAT_LATEX, VIVA_FORMAT_JSON};
  for (int f = 0; l && l->done && f < 3; f++) {
    if (format != formats[f]) continue;
    pthread_mutex_lock(&l->texts->lock);
    const char *text = make_text(l, f);
    pthread_mutex_unlock(&l->texts->lock);
    return text;
  }
  return "";
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

// Entry `cell` of matrix k.
static const char *make_entry(const viva_linearization *l, int k, size_t cell) {
  LinearTexts *texts = l->texts;
  const LinearMatrix *m = matrix_at(&l->linear, k);
  if (!texts->symbolic[k])
    texts->symbolic[k] = arena_array(texts->arena, (size_t)m->rows * m->cols, sizeof *texts->symbolic[k]);
  if (!texts->symbolic[k] || texts->symbolic[k][cell]) return texts->symbolic[k] ? texts->symbolic[k][cell] : NULL;
  Text t = text_in(texts->arena);
  ExprNames names = table_names(&l->operating.s, texts->arena);
  expr_print(l->operating.s.pool, m->exact[cell], format_text, &names, &t);
  return texts->symbolic[k][cell] = arena_failed(texts->arena) ? NULL : text_str(&t);
}

const char *viva_linearization_symbolic(const viva_linearization *l, char matrix, size_t row, size_t column) {
  const LinearMatrix *m = matrix_of(l, matrix, row, column);
  if (!m || !m->exact) return NULL;
  pthread_mutex_lock(&l->texts->lock);
  const char *text = make_entry(l, (int)(strchr(letters, matrix) - letters), row * m->cols + column);
  pthread_mutex_unlock(&l->texts->lock);
  return text;
}

double viva_linearization_eigenvalue(const viva_linearization *l, size_t index, double *imaginary) {
  bool there = index < viva_linearization_states(l) && l->linear.modes.re;
  if (imaginary) *imaginary = there ? l->linear.modes.im[index] : NAN;
  return there ? l->linear.modes.re[index] : NAN;
}

// How a picture of a linear model is to look.
typedef struct LinearLook {
  viva_figure_options o;
  bool terminal;
  const char *id; // of its parts, where several pictures share a page; NULL: alone
} LinearLook;

// In the arena of the text; with the lock.
static viva_status draw_alone(const viva_linearization *l, viva_linear_figure figure, const LinearLook *look,
                              Text *out) {
  if (!l->done || !l->linear.modes.re) return VIVA_EINPUT;
  const viva_figure_options *o = &look->o;
  bool poles = figure == VIVA_LINEAR_POLES, ok;
  Drawing d = {.arena = out->arena,
               .id = look->id,
               .title = l->linear.o->s.title,
               .description = poles ? "eigenvalues in the complex plane" : "mode shapes"};
  if (poles) {
    PoleMap map = {.l = &l->linear};
    Plot plot;
    linear_pole_map(out->arena, &map, &plot);
    double width = look->terminal ? 2.0 * (o->columns ? o->columns : 80) : o->width > 0 ? o->width : map.width;
    ok = plot_layout(&plot, (PlotStyle){.dark = o->dark, .cells = look->terminal, .width = width}, &d);
  } else {
    ok = linear_mode_shapes(&l->linear, o->dark, o->width, &d);
  }
  if (!ok || arena_failed(l->arena)) return VIVA_ENOMEM;
  if (look->terminal) braille_write(&d, o->colour, out);
  else svg_write(&d, out);
  return VIVA_OK;
}

static viva_status draw(const viva_linearization *l, viva_linear_figure figure, const LinearLook *look, Text *out) {
  pthread_mutex_lock(&l->texts->lock);
  viva_status status = draw_alone(l, figure, look, out);
  pthread_mutex_unlock(&l->texts->lock);
  return status;
}

viva_status linearization_svg(const viva_linearization *l, viva_linear_figure figure, const char *id, Text *out) {
  return draw(l, figure, &(LinearLook){.id = id}, out);
}

viva_status viva_linearization_draw(const viva_linearization *l, viva_linear_figure figure,
                                    const viva_figure_options *options, viva_picture picture, char **data,
                                    size_t *length) {
  if (data) *data = NULL;
  if (length) *length = 0;
  if (!l || !data || !length || (unsigned)figure > VIVA_LINEAR_MODES) return VIVA_EUSAGE;
  bool terminal = picture == VIVA_PICTURE_TERMINAL && figure == VIVA_LINEAR_POLES;
  if (!terminal && !picture_is_still(picture)) return VIVA_EUSAGE;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  viva_figure_options o = options ? *options : viva_figure_defaults();
  Text out = text_in(arena);
  const char *problem;
  viva_status status = draw(l, figure, &(LinearLook){.o = o, .terminal = terminal}, &out);
  if (status == VIVA_OK) status = picture_bytes(picture, &out, &problem, data, length);
  arena_free(arena);
  return status;
}
