// Ensembles: batches of simulations, from the outside.
#include "api/handles.h"

#include <math.h>

struct viva_batch {
  Arena *arena;
  BatchResult result;
  size_t count;
  const char *message;
};

viva_batch_options viva_batch_defaults(void) { return (viva_batch_options){.run = viva_run_defaults()}; }

static bool is_batch(const viva_batch_options *o) {
  if (o->name_count > UINT32_MAX) return false;
  if (o->name_count && (!o->names || (o->count && !o->values))) return false;
  for (size_t i = 0; i < o->name_count; i++) {
    if (!o->names[i]) return false;
  }
  return true;
}

viva_status viva_batch_model(const viva_model *model, const viva_batch_options *o, viva_batch **out) {
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  if (!model || !o || !is_batch(o)) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_batch *b = handle_new(sizeof *b);
  if (!b) return VIVA_ENOMEM;
  BatchSettings settings = {run_settings(&o->run), o->names, (uint32_t)o->name_count, o->values, o->count, o->threads};
  settings.run.energy = settings.run.all = settings.run.check_step = false;
  const Sources *sources = &model->model.sources;
  Diags diags = {.arena = b->arena, .sources = sources};
  b->count = o->count;
  MeasureJob *job = arena_new_of(b->arena, MeasureJob);
  b->result.status = run_no_memory;
  if (job) *job = (MeasureJob){.texts = o->run.measures, .count = o->run.measure_count, .option = "measure"};
  if (job && pipeline_measures(b->arena, &model->model, &model->system, job)) {
    settings.run.measures = &job->set;
    b->result.status = run_input;
    if (job->scope.model.diags.errors) diags = job->scope.model.diags;
    else b->result = pipeline_batch(b->arena, &job->over, &settings, &diags);
  }
  b->message = messages_text(b->arena, diags.sources, &diags, NULL);
  if (b->result.status == run_no_memory || arena_failed(b->arena)) {
    viva_batch_free(b);
    return VIVA_ENOMEM;
  }
  *out = b;
  return b->result.status == run_done ? VIVA_OK : b->result.status == run_interrupted ? VIVA_EINTERRUPTED : VIVA_EINPUT;
}

void viva_batch_free(viva_batch *batch) { handle_free(batch); }

const char *viva_batch_message(const viva_batch *batch) { return batch ? batch->message : NULL; }
size_t viva_batch_failed(const viva_batch *batch) { return batch ? (size_t)batch->result.failed : 0; }
size_t viva_batch_value_count(const viva_batch *batch) { return batch ? batch->result.value_count : 0; }
const char *viva_batch_value_name(const viva_batch *batch, size_t index) {
  return batch && index < batch->result.value_count ? batch->result.names[index] : NULL;
}
double viva_batch_value(const viva_batch *batch, size_t sample, size_t index) {
  if (!batch || !batch->result.values || sample >= batch->count || index >= batch->result.value_count) return NAN;
  return batch->result.values[sample * batch->result.value_count + index];
}
double viva_batch_time(const viva_batch *batch, size_t sample) {
  return batch && batch->result.times && sample < batch->count ? batch->result.times[sample] : NAN;
}
double viva_batch_measure(const viva_batch *batch, size_t sample, size_t index) {
  if (!batch || !batch->result.measures || sample >= batch->count || index >= batch->result.measure_count) return NAN;
  return batch->result.measures[sample * batch->result.measure_count + index];
}
viva_status viva_batch_status(const viva_batch *batch, size_t sample) {
  if (!batch || !batch->result.statuses || sample >= batch->count) return VIVA_EUSAGE;
  switch ((RunStatus)batch->result.statuses[sample]) {
  case run_done: return VIVA_OK;
  case run_input: return VIVA_EINPUT;
  case run_interrupted: return VIVA_EINTERRUPTED;
  default: return VIVA_EFAIL;
  }
}
