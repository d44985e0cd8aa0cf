// Derived equations of motion, from the outside.
#include "api/handles.h"
#include "api/transfer.h"
#include "system/unwritten.h"

#include <assert.h>

static_assert((int)form_lagrange == VIVA_FORM_LAGRANGE && (int)form_matrices == VIVA_FORM_MATRICES &&
                  (int)form_state == VIVA_FORM_STATE && (int)form_solved == VIVA_FORM_SOLVED &&
                  (int)form_kinematics == VIVA_FORM_KINEMATICS && (int)form_hamilton == VIVA_FORM_HAMILTON,
              "viva_form is cast to DeriveForm");
static_assert((int)show_text == VIVA_FORMAT_TEXT && (int)show_latex == VIVA_FORMAT_LATEX &&
                  (int)show_json == VIVA_FORMAT_JSON && (int)show_mathml == VIVA_FORMAT_MATHML &&
                  (int)show_html == VIVA_FORMAT_HTML && (int)show_latex_document == VIVA_FORMAT_LATEX_DOCUMENT,
              "viva_format is cast to ShowFormat");

viva_derive_options viva_derive_defaults(void) {
  return (viva_derive_options){.form = VIVA_FORM_LAGRANGE, .format = VIVA_FORMAT_TEXT};
}

static bool is_known(const viva_derive_options *o) {
  return (unsigned)o->form <= VIVA_FORM_TRANSFER && (unsigned)o->format <= VIVA_FORMAT_LATEX_DOCUMENT;
}

// What was made becomes the caller's; frees the arena.
static viva_status finish(Arena *arena, bool made, const Text *out, char **text) {
  // not made, though there is memory: too large
  viva_status status = made ? hand_over_text(out, text, NULL) : arena_failed(arena) ? VIVA_ENOMEM : VIVA_EFAIL;
  arena_free(arena);
  return status;
}

// A message instead of equations; frees the arena.
static viva_status refuse(Arena *arena, const char *words, viva_status status, char **text) {
  Text reason = text_in(arena);
  text_put(&reason, words);
  viva_status handed = hand_over_text(&reason, text, NULL);
  arena_free(arena);
  return handed == VIVA_OK ? status : handed;
}

// Matrices in numbers at a point.
static viva_status derive_at(Arena *arena, const viva_model *model, const viva_derive_options *o, Text *out,
                             char **text) {
  Operating *operating = arena_new_of(arena, Operating);
  MatricesJob job = {.model = &model->model,
                     .system = &model->system,
                     .at = o->at,
                     .at_count = o->at_count,
                     .digits = o->format == VIVA_FORMAT_JSON ? o->digits
                               : o->digits                   ? o->digits
                                                             : 6,
                     .form = (DeriveForm)o->form,
                     .format = (ShowFormat)o->format,
                     .operating = operating};
  bool made = operating && pipeline_matrices(arena, &job, out);
  if (!made || arena_failed(arena)) return finish(arena, false, out, text);
  const Diags *diags = &job.scope.model.diags;
  if (diags->errors) {
    const char *words = messages_text(arena, &job.scope.model.sources, diags, &(Diag){0});
    return refuse(arena, words ? words : "", VIVA_EINPUT, text);
  }
  if (job.why) return refuse(arena, job.why, VIVA_EFAIL, text);
  return finish(arena, true, out, text);
}

static viva_status derive_transfer(Arena *arena, const viva_model *model, const viva_derive_options *o, Text *out,
                                   char **text) {
  viva_status status = transfer_derive(arena, model, o, out);
  viva_status handed = status == VIVA_ENOMEM ? status : hand_over_text(out, text, NULL);
  arena_free(arena);
  return handed == VIVA_OK ? status : handed;
}

viva_status viva_derive(const viva_model *model, const viva_derive_options *options, char **text) {
  viva_derive_options o = options ? *options : viva_derive_defaults();
  if (!text) return VIVA_EUSAGE;
  *text = NULL;
  if (!is_known(&o) || (o.at && !has_all(o.at, o.at_count))) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Text out = text_in(arena);
  if (o.form == VIVA_FORM_TRANSFER) return derive_transfer(arena, model, &o, &out, text);
  if (o.at && (o.form == VIVA_FORM_MATRICES || o.form == VIVA_FORM_KINEMATICS))
    return derive_at(arena, model, &o, &out, text);
  if (o.at)
    return refuse(arena, "numbers at a point are those of the forms matrices, kinematics and transfer", VIVA_EFAIL,
                  text);
  if (system_is_unwritten(&model->system) && o.form != VIVA_FORM_KINEMATICS)
    return refuse(
        arena,
        "of a tree of this size the equations are not written out; `--form matrices --at NAME=VALUE,...` has them "
        "in numbers",
        VIVA_EFAIL, text);
  DeriveStyle style = {o.factor, o.expand, o.digits, o.steps, o.origins, o.reduce};
  const char *why = NULL;
  bool made = pipeline_derive(arena, &model->system, (DeriveForm)o.form, &style, (ShowFormat)o.format, &out, &why);
  if (made && why) return refuse(arena, why, VIVA_EFAIL, text);
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
