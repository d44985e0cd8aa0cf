// What all handles of the public API do alike: they are made, freed, refused and asked for their messages.
//
// A handle is one allocation, and an arena as its first member for everything else. What a caller frees himself
// (viva_text_free) is a copy outside of any arena.
#include "api/handles.h"

#include "base/refuse.h"

#include <stdlib.h>
#include <string.h>

void *handle_new(size_t size) {
  Arena **handle = calloc(1, size), *arena = handle ? arena_new() : NULL;
  if (!arena) {
    free(handle);
    return NULL;
  }
  *handle = arena;
  return handle;
}

void handle_free(void *handle) {
  if (!handle) return;
  arena_free(*(Arena **)handle);
  free(handle);
}

viva_status model_read_status(const viva_model *model) {
  if (!model) return VIVA_EUSAGE;
  return model->model.diags.errors ? VIVA_EINPUT : VIVA_OK;
}

viva_status model_status(const viva_model *model) {
  viva_status status = model_read_status(model);
  bool without = status == VIVA_OK && model->system.linkage.lists && model->system.linkage.alone;
  return without ? VIVA_EUSAGE : status;
}

static viva_status hand_over(const char *text, size_t length, char **out) {
  *out = malloc(length + 1);
  if (!*out) return VIVA_ENOMEM;
  memcpy(*out, text, length);
  (*out)[length] = '\0';
  return VIVA_OK;
}

viva_status hand_over_text(const Text *text, char **out, size_t *length) {
  if (arena_failed(text->arena)) return VIVA_ENOMEM;
  if (length) *length = text->length;
  return hand_over(text_str(text), text->length, out);
}

viva_status hand_over_string(const char *text, char **out) { return hand_over(text, strlen(text), out); }

const char *messages_text(Arena *arena, const Sources *sources, const Diags *diags, const Diag *last) {
  Text t = text_in(arena);
  for (uint32_t i = 0; i < diags->list.count; i++) diag_format(sources, &diags->list.items[i], &t);
  if (last && last->message) diag_format(sources, last, &t);
  return t.length ? text_str(&t) : NULL;
}

viva_status settle_status(Arena *arena, viva_status status, const char **message) {
  const char *why = status == VIVA_ENOMEM ? arena_reason(arena) : NULL;
  if (!why) return status;
  *message = arena_printf(arena, "error: %s\n", why);
  return *message ? VIVA_EFAIL : VIVA_ENOMEM;
}

bool has_all(const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!list || !list[i]) return false;
  }
  return true;
}

void kinks_text(const Sources *sources, const KinkList *kinks, Text *out) {
  for (uint32_t i = 0; i < kinks->count; i++) {
    const Kink *k = &kinks->items[i];
    Diag d = {.warning = true,
              .span = k->span,
              .message = arena_printf(out->arena, "`%s`, in %s, %s", k->text, k->label, k->what)};
    if (d.message) diag_format(sources, &d, out);
  }
}

bool point_of(viva_point point, LinearizeAt *at) {
  switch (point) {
  case VIVA_AT_EQUILIBRIUM: *at = at_equilibrium; return true;
  case VIVA_AT_POINT: *at = at_point; return true;
  case VIVA_AT_START: *at = at_start; return true;
  }
  return false;
}
