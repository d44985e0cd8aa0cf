// Equations from the outside.
#include "api/handles.h"

#include <assert.h>

static_assert((int)form_lagrange == VIVA_FORM_LAGRANGE && (int)form_matrices == VIVA_FORM_MATRICES &&
                  (int)form_state == VIVA_FORM_STATE && (int)form_solved == VIVA_FORM_SOLVED &&
                  (int)form_kinematics == VIVA_FORM_KINEMATICS,
              "viva_form is cast to DeriveForm");
static_assert((int)show_text == VIVA_FORMAT_TEXT && (int)show_latex == VIVA_FORMAT_LATEX &&
                  (int)show_json == VIVA_FORMAT_JSON && (int)show_mathml == VIVA_FORMAT_MATHML &&
                  (int)show_html == VIVA_FORMAT_HTML && (int)show_latex_document == VIVA_FORMAT_LATEX_DOCUMENT,
              "viva_format is cast to ShowFormat");

viva_derive_options viva_derive_defaults(void) {
  return (viva_derive_options){.form = VIVA_FORM_LAGRANGE, .format = VIVA_FORMAT_TEXT};
}

static bool is_known(const viva_derive_options *o) {
  return (unsigned)o->form <= VIVA_FORM_KINEMATICS && (unsigned)o->format <= VIVA_FORMAT_LATEX_DOCUMENT;
}

// What was made becomes the caller's; frees the arena.
static viva_status finish(Arena *arena, bool made, const Text *out, char **text) {
  // not made, though there is memory: too large
  viva_status status = made ? hand_over_text(out, text, NULL) : arena_failed(arena) ? VIVA_ENOMEM : VIVA_EFAIL;
  arena_free(arena);
  return status;
}

viva_status viva_derive(const viva_model *model, const viva_derive_options *options, char **text) {
  viva_derive_options o = options ? *options : viva_derive_defaults();
  if (!text) return VIVA_EUSAGE;
  *text = NULL;
  if (!is_known(&o)) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Text out = text_in(arena);
  DeriveStyle style = {o.factor, o.expand, o.digits, o.steps};
  bool made = pipeline_derive(arena, &model->system, (DeriveForm)o.form, &style, (ShowFormat)o.format, &out);
  return finish(arena, made, &out, text);
}

viva_status viva_export_latex(const viva_model *model, bool steps, char **text) {
  if (!text) return VIVA_EUSAGE;
  *text = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Text out = text_in(arena);
  bool made = pipeline_export_latex(arena, &model->system, steps, &out);
  return finish(arena, made, &out, text);
}
