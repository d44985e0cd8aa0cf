// Block diagrams, from the outside.
#include "show/diagram.h"
#include "api/handles.h"
#include "show/svg.h"

// The diagram shows the text, not what became of it.
static viva_status read_diagram(Arena *arena, const viva_model *model, Diagram *diagram, const char **why) {
  if (!diagram_build(arena, &model->model.sources, model->model.program, diagram)) return VIVA_ENOMEM;
  if (diagram->nodes.count == 0) {
    *why = "this model has no signals to draw";
    return VIVA_EINPUT;
  }
  if (diagram->nodes.count <= diagram_most) return VIVA_OK;
  *why = arena_printf(arena, "the diagram has more than %d blocks, too many to be looked at", diagram_most);
  return VIVA_EFAIL;
}

// Frees the arena; the caller gets the words.
static viva_status finish(Arena *arena, viva_status status, const char *why, char **message) {
  if (status != VIVA_ENOMEM && why && message && hand_over_string(why, message) != VIVA_OK) status = VIVA_ENOMEM;
  arena_free(arena);
  return status;
}

static viva_status draw(Arena *arena, const viva_model *model, bool dark, Text *svg, const char **why) {
  Diagram diagram;
  Drawing drawing;
  viva_status status = read_diagram(arena, model, &diagram, why);
  if (status != VIVA_OK) return status;
  if (!show_diagram(arena, &diagram, dark, &drawing)) return VIVA_ENOMEM;
  svg_write(&drawing, svg);
  return VIVA_OK;
}

viva_status viva_diagram(const viva_model *model, bool dark, viva_picture picture, char **data, size_t *length,
                         char **message) {
  if (message) *message = NULL;
  if (!data || !length) return VIVA_EUSAGE;
  *data = NULL;
  *length = 0;
  if (!picture_is_still(picture)) {
    if (message) hand_over_string("a diagram is a picture in SVG, PNG or PDF", message);
    return VIVA_EUSAGE;
  }
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  const char *why = NULL;
  Text svg = text_in(arena);
  status = draw(arena, model, dark, &svg, &why);
  if (status == VIVA_OK) status = picture_bytes(picture, &svg, &why, data, length);
  return finish(arena, status, why, message);
}

viva_status viva_diagram_dot(const viva_model *model, char **text, char **message) {
  if (message) *message = NULL;
  if (!text) return VIVA_EUSAGE;
  *text = NULL;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Diagram diagram;
  const char *why = NULL;
  status = read_diagram(arena, model, &diagram, &why);
  if (status == VIVA_OK) {
    Text out = text_in(arena);
    show_diagram_dot(&diagram, &out);
    status = hand_over_text(&out, text, NULL);
  }
  return finish(arena, status, why, message);
}
