// Families: members of a model that was read.
//
// in    a member, and the number of another one
// out   the other one. Where both differ in numbers that stand in one field (system/variant.h) it shares all lists but
//       those, and its runs go on the Program that was made for the first (sim/family.h). Else the text is read again.
//
// A model that was read lives until its owner freed it and the last member and run that stand on it are gone.
#include "api/handles.h"
#include "tape/numbers.h"

#include <string.h>

// ---- who stands on whom

viva_model *family_hold(const viva_model *model) {
  viva_model *of = model->of ? model->of : (viva_model *)model; // counted, not changed
  atomic_fetch_add(&of->borrowed, 1);
  return of;
}

static void drop(viva_model *model) {
  viva_model *of = model->of;
  if (!of) family_free(model->family);
  handle_free(model);
  family_release(of);
}

// The owner is one of those who hold it.
void family_release(viva_model *model) {
  if (model && atomic_fetch_sub(&model->borrowed, 1) == 0) drop(model);
}

void viva_model_free(viva_model *model) { family_release(model); }

// ---- a model that was read

// What varies, in numbers.
static bool find_numbers(viva_model *m) {
  uint32_t n = m->model.varied.count;
  ExprId *wanted = arena_array(m->arena, n, sizeof *wanted);
  double *numbers = arena_array(m->arena, n, sizeof *numbers);
  if (!wanted || !numbers) return false;
  for (uint32_t i = 0; i < n; i++) {
    const ModelVaried *v = &m->model.varied.items[i];
    wanted[i] = v->values[v->entry];
  }
  m->numbers = numbers;
  return tape_numbers(m->arena, &m->system, wanted, n, numbers);
}

static const char *const *copy_words(Arena *arena, const char *const *words, size_t count) {
  const char **copy = arena_array(arena, count + 1, sizeof *copy);
  for (size_t i = 0; copy && i < count; i++) copy[i] = arena_strndup(arena, words[i], strlen(words[i]));
  return copy;
}

// The caller's words and text may be gone when a further member is asked for.
static bool keep_origin(viva_model *m) {
  ModelOrigin *from = &m->origin;
  ModelOptions *o = &from->options;
  from->name = arena_strndup(m->arena, from->name, strlen(from->name));
  from->text = arena_strndup(m->arena, from->text, from->length);
  if (o->case_name) o->case_name = arena_strndup(m->arena, o->case_name, strlen(o->case_name));
  if (o->fit) o->fit = arena_strndup(m->arena, o->fit, strlen(o->fit));
  if (o->data) o->data = arena_strndup(m->arena, o->data, strlen(o->data));
  o->free = copy_words(m->arena, o->free, o->free_count);
  o->by = copy_words(m->arena, o->by, o->by_count);
  o->set = copy_words(m->arena, o->set, o->set_count);
  o->input = copy_words(m->arena, o->input, o->input_count);
  o->taps = copy_words(m->arena, o->taps, o->tap_count);
  return !arena_failed(m->arena);
}

bool family_begin(viva_model *m) {
  uint32_t n = m->model.varied.count;
  if (m->model.fits.count && !m->model.diags.errors && !keep_origin(m)) return false; // its cases are read once more
  if (n == 0 || m->model.diags.errors) return true;
  uint32_t *params = arena_array(m->arena, n, sizeof *params), count = 0;
  if (!params || !find_numbers(m) || !keep_origin(m)) return false;
  for (uint32_t i = 0; i < n; i++) {
    const ModelVaried *v = &m->model.varied.items[i];
    if (v->kind == variant_param) params[count++] = v->index;
  }
  m->family = family_new(params, count);
  return m->family != NULL;
}

// ---- another member

// The first list varies slowest: it is the highest digit of the member's number.
static uint32_t entry_of(const Model *m, uint32_t varied, size_t member) {
  size_t left = 1;
  for (uint32_t i = varied + 1; i < m->varied.count; i++) {
    if (m->varied.items[i].column == 0) left *= m->varied.items[i].count;
  }
  return (uint32_t)(member / left % m->varied.items[varied].count);
}

// Does it differ in free numbers alone?
static bool is_variant(const viva_model *m, size_t member) {
  for (uint32_t i = 0; i < m->model.varied.count; i++) {
    const ModelVaried *v = &m->model.varied.items[i];
    uint32_t entry = entry_of(&m->model, i, member);
    Variant other = {v->kind, v->index, v->values[entry]};
    if (entry != v->entry && !variant_is_free(&m->system, &other)) return false;
  }
  return true;
}

// The lists of the system that stand in the model as well.
static void share_lists(viva_model *copy, const viva_model *m) {
  Model *to = &copy->model;
  if (to->params.items == m->system.params.items) to->params = copy->system.params;
  if (to->coords.items == m->system.coords.items) to->coords = copy->system.coords;
  if (to->states.items == m->system.states.items) to->states = copy->system.states;
}

static bool make_variant(viva_model *copy, const viva_model *m, size_t member) {
  uint32_t n = m->model.varied.count, changed = 0;
  Variant *numbers = arena_array(copy->arena, n, sizeof *numbers);
  ModelVaried *varied = arena_array(copy->arena, n, sizeof *varied);
  if (!numbers || !varied) return false;
  copy->model = m->model;
  copy->texts = m->texts;
  copy->origin = m->origin;
  copy->family = m->family;
  for (uint32_t i = 0; i < n; i++) {
    varied[i] = m->model.varied.items[i];
    uint32_t entry = varied[i].entry = entry_of(&m->model, i, member);
    if (entry == m->model.varied.items[i].entry) continue;
    numbers[changed++] = (Variant){varied[i].kind, varied[i].index, varied[i].values[entry]};
  }
  copy->model.varied.items = varied;
  if (!variant_make(&copy->system, &m->system, copy->arena, numbers, changed)) return false;
  share_lists(copy, m);
  return find_numbers(copy);
}

// The text once more, with the other values.
static viva_status read_again(viva_model *copy, const viva_model *m, size_t member, viva_model **out) {
  copy->origin = m->origin;
  copy->origin.options.member = member;
  const ModelOrigin *from = &copy->origin;
  bool ok =
      pipeline_load(copy->arena, &copy->model, &copy->system, from->name, from->text, from->length, &from->options);
  return model_finish(copy, ok, out);
}

viva_status viva_model_member(const viva_model *model, size_t member, viva_model **out) {
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  if (!model->family || member >= model->model.members) return VIVA_EUSAGE;
  viva_model *copy = handle_new(sizeof *copy);
  if (!copy) return VIVA_ENOMEM;
  if (!is_variant(model, member)) return read_again(copy, model, member, out);
  copy->of = family_hold(model);
  if (!make_variant(copy, copy->of, member)) {
    viva_model_free(copy);
    return VIVA_ENOMEM;
  }
  *out = copy;
  return VIVA_OK;
}

// ---- what varies

size_t viva_model_member_count(const viva_model *model) { return model ? model->model.members : 0; }
size_t viva_model_varied_count(const viva_model *model) { return model ? model->model.varied.count : 0; }
const char *viva_model_varied_name(const viva_model *model, size_t index) {
  return index < viva_model_varied_count(model) ? model->model.varied.items[index].name : NULL;
}
const char *viva_model_varied_setting(const viva_model *model, size_t index) {
  return index < viva_model_varied_count(model) ? model->model.varied.items[index].setting : NULL;
}
double viva_model_varied_value(const viva_model *model, size_t index) {
  return index < viva_model_varied_count(model) && model->numbers ? model->numbers[index] : NAN;
}
