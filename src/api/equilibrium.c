// Equilibria, from the outside. Texts are made when they are first asked for, and kept.
#include "api/equilibrium_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static_assert((int)VIVA_NOT_JUDGED == (int)rest_no_verdict && (int)VIVA_STABLE == (int)rest_stable &&
                  (int)VIVA_UNSTABLE == (int)rest_unstable && (int)VIVA_SINGULAR == (int)rest_singular &&
                  (int)VIVA_MECHANISM == (int)rest_mechanism && (int)VIVA_MARGINAL == (int)rest_marginal,
              "RestVerdict is cast to viva_stability");

viva_equilibrium_options viva_equilibrium_defaults(void) {
  return (viva_equilibrium_options){
      .seed = 1, .r0 = NAN, .gamma = NAN, .rmax = NAN, .eps1 = NAN, .eps2 = NAN, .eps3 = NAN};
}

// ---- following it

// Who wants to know of each iteration.
typedef struct Follower {
  const viva_equilibrium_options *options;
  const Operating *o;
  const Equilibria *found;
  Arena *arena;
  bool headed, stopped;
} Follower;

static bool put_header(Follower *w) {
  const StaticForm *f = &w->found->resting.form;
  const char **names = arena_array(w->arena, (size_t)f->n + 3, sizeof *names);
  if (!names) return false;
  names[0] = "iteration";
  for (uint32_t i = 0; i < f->n; i++) names[1 + i] = f->names[i];
  names[f->n + 1] = "potential";
  names[f->n + 2] = "residue";
  w->headed = true;
  const viva_sink *sink = w->options->trace;
  return !sink->header || sink->header(sink->self, names, (size_t)f->n + 3);
}

static void follow(void *self, const DescentStep *step) {
  Follower *w = self;
  const viva_equilibrium_options *o = w->options;
  const viva_sink *sink = o->trace;
  if (o->progress) o->progress(o->self, step->iteration, step->residue);
  if (!sink || !sink->row || w->stopped) return;
  uint32_t n = w->found->resting.form.n;
  double *row = arena_array(w->arena, (size_t)n + 3, sizeof *row);
  if (!row || (!w->headed && !put_header(w))) {
    w->stopped = true;
    return;
  }
  row[0] = step->iteration;
  for (uint32_t i = 0; i < n; i++) row[1 + i] = step->u[i];
  row[n + 1] = step->potential;
  row[n + 2] = step->residue;
  w->stopped = !sink->row(sink->self, row, (size_t)n + 3);
}

// ---- the call

static viva_equilibrium *new_handle(void) {
  viva_equilibrium *e = handle_new(sizeof *e);
  EquilibriumTexts *t = e ? arena_new_of(e->arena, EquilibriumTexts) : NULL;
  if (!t || pthread_mutex_init(&t->lock, NULL) != 0) {
    handle_free(e);
    return NULL;
  }
  t->arena = e->arena;
  e->texts = t;
  return e;
}

static viva_status status_of(RestingStatus status, const EquilibriumJob *job) {
  switch (status) {
  case resting_found: return VIVA_OK;
  case resting_interrupted: return VIVA_EINTERRUPTED;
  case resting_no_memory: return VIVA_ENOMEM;
  case resting_failed: break;
  }
  return job->scope.model.diags.errors || job->bad_input ? VIVA_EINPUT : VIVA_EFAIL;
}

// The methods of structures are for structures.
static const char *refused_method(const viva_equilibrium_options *o) {
  bool other = o->compare || (o->method && strcmp(o->method, "auto") != 0);
  return other ? "error: the six methods are for structures of nodes, bars and springs alone; other models go downhill "
                 "by `auto`\n"
               : NULL;
}

static viva_status find(viva_equilibrium *e, const viva_model *model, const viva_equilibrium_options *o) {
  e->message = refused_method(o);
  if (e->message) return VIVA_EINPUT;
  Follower follower = {.options = o, .o = &e->operating, .found = &e->found, .arena = e->arena};
  EquilibriumJob job = {.model = &model->model,
                        .system = &model->system,
                        .at = o->at,
                        .at_count = o->at_count,
                        .search = o->search,
                        .seed = o->seed,
                        .request = {o->most_iterations, follow, &follower},
                        .interrupted = o->interrupted,
                        .self = o->self,
                        .operating = &e->operating,
                        .out = &e->found};
  RestingStatus status = pipeline_equilibrium(e->arena, &job);
  equilibria_close(&e->found);
  e->done = status == resting_found;
  if (status == resting_no_memory || arena_failed(e->arena)) return VIVA_ENOMEM;
  Diag failure = {.span = job.trouble.place, .message = job.trouble.message, .hint = job.trouble.hint};
  e->message = messages_text(e->arena, &job.scope.model.sources, &job.scope.model.diags, &failure);
  e->texts->any = e->done;
  if (e->done && !equilibrium_keep_shapes(e)) return VIVA_ENOMEM;
  return arena_failed(e->arena) ? VIVA_ENOMEM : status_of(status, &job);
}

viva_status viva_equilibrium_find(const viva_model *model, const viva_equilibrium_options *options,
                                  viva_equilibrium **equilibrium) {
  viva_equilibrium_options o = options ? *options : viva_equilibrium_defaults();
  if (!equilibrium) return VIVA_EUSAGE;
  *equilibrium = NULL;
  for (size_t i = 0; i < o.at_count; i++) {
    if (!o.at || !o.at[i]) return VIVA_EUSAGE;
  }
  bool named = o.search || o.at_count; // configurations that only the equations give
  viva_status usable = named ? model_status(model) : model_read_status(model);
  if (usable != VIVA_OK) return usable;
  viva_equilibrium *e = new_handle();
  if (!e) return VIVA_ENOMEM;
  bool structure = !o.search && structure_alone(model);
  viva_status status = structure ? structure_find(e, model, &o) : find(e, model, &o);
  status = settle_status(e->arena, status, &e->message);
  if (status == VIVA_ENOMEM) viva_equilibrium_free(e);
  else *equilibrium = e;
  return status;
}

void viva_equilibrium_free(viva_equilibrium *e) {
  if (e) pthread_mutex_destroy(&e->texts->lock);
  handle_free(e);
}

// ---- what came out

static const char *make_text(const viva_equilibrium *e, int f) {
  static const ShowFormat formats[] = {show_text, show_json};
  EquilibriumTexts *texts = e->texts;
  if (texts->text[f]) return texts->text[f];
  Text t = text_in(texts->arena);
  if (e->structure) show_structure(e->structure, formats[f], &t);
  else show_equilibria(&e->found, formats[f], &t);
  // a text that was cut off is none
  return texts->text[f] = arena_failed(texts->arena) ? NULL : text_str(&t);
}

const char *viva_equilibrium_text(const viva_equilibrium *e, viva_format format) {
  bool known = format == VIVA_FORMAT_TEXT || format == VIVA_FORMAT_JSON;
  if (!e || !e->texts->any || !known) return "";
  pthread_mutex_lock(&e->texts->lock);
  const char *text = make_text(e, format == VIVA_FORMAT_JSON);
  pthread_mutex_unlock(&e->texts->lock);
  return text;
}

const char *viva_equilibrium_message(const viva_equilibrium *e) { return e ? e->message : NULL; }
size_t viva_equilibrium_count(const viva_equilibrium *e) {
  if (!e || !e->done) return 0;
  return e->structure ? 1 : e->found.points.count;
}
bool viva_equilibrium_complete(const viva_equilibrium *e) { return e && e->done && e->found.search.complete; }

static const EquilibriumPoint *point_at(const viva_equilibrium *e, size_t index) {
  return e && !e->structure && index < viva_equilibrium_count(e) ? &e->found.points.items[index] : NULL;
}

static bool is_structure(const viva_equilibrium *e, size_t index) { return e && e->structure && e->done && index == 0; }

viva_stability viva_equilibrium_verdict(const viva_equilibrium *e, size_t index) {
  const EquilibriumPoint *p = point_at(e, index);
  if (is_structure(e, index)) return (viva_stability)e->structure->result.verdict;
  return p ? (viva_stability)p->verdict : VIVA_NOT_JUDGED;
}

double viva_equilibrium_potential(const viva_equilibrium *e, size_t index) {
  const EquilibriumPoint *p = point_at(e, index);
  if (is_structure(e, index)) return e->structure->result.potential;
  return p ? p->potential : NAN;
}

double viva_equilibrium_residue(const viva_equilibrium *e, size_t index) {
  const EquilibriumPoint *p = point_at(e, index);
  if (is_structure(e, index)) return e->structure->result.force_residue;
  return p ? p->residue : NAN;
}

size_t viva_equilibrium_value_count(const viva_equilibrium *e) {
  if (is_structure(e, 0)) return e->values->count;
  return e && e->done ? (size_t)e->found.count + e->found.multiplier_count : 0;
}

const char *viva_equilibrium_value_name(const viva_equilibrium *e, size_t value) {
  if (value >= viva_equilibrium_value_count(e)) return NULL;
  if (is_structure(e, 0)) return e->values->names[value];
  const Equilibria *x = &e->found;
  return value < x->count ? x->names[value] : x->multiplier_names[value - x->count];
}

double viva_equilibrium_value(const viva_equilibrium *e, size_t index, size_t value) {
  const EquilibriumPoint *p = point_at(e, index);
  if (is_structure(e, index)) return value < e->values->count ? e->values->values[value] : NAN;
  if (!p || value >= viva_equilibrium_value_count(e)) return NAN;
  return value < e->found.count ? p->values[value] : p->multipliers[value - e->found.count];
}
