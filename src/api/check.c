// Decisions from the outside: equations of a user, facts of a model, two models.
#include "api/handles.h"
#include "base/file.h"
#include "system/unwritten.h"

#include <assert.h>

static_assert((int)verdict_equal == VIVA_EQUAL && (int)verdict_different == VIVA_DIFFERENT &&
                  (int)verdict_undecided == VIVA_UNDECIDED,
              "Verdict is cast to viva_verdict");

struct viva_check {
  Arena *arena;
  CheckReport report;
  const char *text[2]; // text, JSON
  const char *message;
};

static viva_check *check_new(void) {
  viva_check *c = handle_new(sizeof *c);
  if (c) c->text[0] = c->text[1] = "";
  return c;
}

// Takes over what the decision came to. ok: memory was not out.
static viva_status check_finish(viva_check *c, bool ok, const CheckJob *job, viva_check **out) {
  const Model *m = &job->scope.model;
  if (ok) c->message = messages_text(c->arena, &m->sources, &m->diags, NULL);
  if (ok && !m->diags.errors) {
    c->report = job->report;
    c->text[0] = text_str(&job->plain);
    c->text[1] = text_str(&job->json);
  }
  if (!ok || arena_failed(c->arena)) {
    viva_check_free(c);
    return VIVA_ENOMEM;
  }
  *out = c;
  return m->diags.errors ? VIVA_EINPUT : VIVA_OK;
}

// Many bodies: there is nothing to decide on. The handle says why.
static viva_status refuse_unwritten(viva_check *c, viva_check **out) {
  c->message =
      "error: the equations of a tree of this size are computed by a recursion and not written out: nothing can be "
      "decided about them\n";
  *out = c;
  return VIVA_EFAIL;
}

viva_status viva_check_equations(const viva_model *model, const char *name, const char *text, size_t length,
                                 viva_check **check) {
  if (!check) return VIVA_EUSAGE;
  *check = NULL;
  if (!name || !text) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_check *c = check_new();
  if (!c) return VIVA_ENOMEM;
  if (system_is_unwritten(&model->system)) return refuse_unwritten(c, check);
  CheckJob job = {.model = &model->model, .system = &model->system, .name = name, .text = text, .length = length};
  bool ok = pipeline_check(c->arena, &job);
  return check_finish(c, ok, &job, check);
}

viva_status viva_check_file(const viva_model *model, const char *path, viva_check **check) {
  enum { largest = 64 << 20 }; // bytes
  if (check) *check = NULL;
  if (!check || !path) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  size_t length;
  const char *why, *text = file_read(arena, path, largest, &length, &why);
  status = text ? viva_check_equations(model, path, text, length, check) : VIVA_EINPUT;
  if (!text && !arena_failed(arena)) {
    Diags none = {0};
    viva_check *c = check_new();
    if (c) none.arena = c->arena;
    Diag trouble = {.message = c ? arena_printf(c->arena, "\"%s\" cannot be read: %s", path, why) : NULL};
    if (c) c->message = messages_text(c->arena, NULL, &none, &trouble);
    *check = c;
  }
  arena_free(arena);
  return text || *check ? status : VIVA_ENOMEM;
}

viva_status viva_check_same(const viva_model *a, const viva_model *b, const char *first, const char *second,
                            viva_check **check) {
  if (!check) return VIVA_EUSAGE;
  *check = NULL;
  if (!a || !b || !first || !second) return VIVA_EUSAGE;
  if (model_status(a) != VIVA_OK || model_status(b) != VIVA_OK) return VIVA_EINPUT;
  viva_check *c = check_new();
  if (!c) return VIVA_ENOMEM;
  if (system_is_unwritten(&a->system) || system_is_unwritten(&b->system)) return refuse_unwritten(c, check);
  CheckJob job = {.model = &a->model, .system = &a->system, .other = &b->system, .name = first, .second = second};
  bool ok = pipeline_diff(c->arena, &job);
  return check_finish(c, ok, &job, check);
}

// Facts, or with passivity its proof.
static viva_status tell(const viva_model *model, bool passivity, viva_check **check) {
  if (!check) return VIVA_EUSAGE;
  *check = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  viva_check *c = check_new();
  if (!c) return VIVA_ENOMEM;
  Text plain = text_in(c->arena), json = text_in(c->arena);
  if (passivity ? !pipeline_passivity(c->arena, &model->system, &plain, &json, &c->report.verdict)
                : !pipeline_facts(c->arena, &model->system, &plain, &json)) {
    viva_check_free(c);
    return VIVA_ENOMEM;
  }
  c->text[0] = text_str(&plain);
  c->text[1] = text_str(&json);
  *check = c;
  return VIVA_OK;
}

viva_status viva_check_model(const viva_model *model, viva_check **check) { return tell(model, false, check); }
viva_status viva_check_passivity(const viva_model *model, viva_check **check) { return tell(model, true, check); }

void viva_check_free(viva_check *check) { handle_free(check); }

viva_verdict viva_check_verdict(const viva_check *check) {
  return check ? (viva_verdict)check->report.verdict : VIVA_UNDECIDED;
}
size_t viva_check_count(const viva_check *check) { return check ? check->report.results.count : 0; }
viva_verdict viva_check_verdict_of(const viva_check *check, size_t index) {
  return index < viva_check_count(check) ? (viva_verdict)check->report.results.items[index].verdict : VIVA_UNDECIDED;
}
const char *viva_check_text(const viva_check *check, viva_format format) {
  if (!check || (format != VIVA_FORMAT_TEXT && format != VIVA_FORMAT_JSON)) return "";
  return check->text[format == VIVA_FORMAT_JSON];
}
const char *viva_check_message(const viva_check *check) { return check ? check->message : NULL; }
