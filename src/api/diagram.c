// Block diagrams, from the outside.
#include "show/diagram.h"
#include "api/handles.h"
#include "lang/parser.h"
#include "show/raster.h"
#include "show/svg.h"

#include <stdlib.h>
#include <string.h>

static char *keep(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

// The diagram shows the text, not what became of it: it is parsed once more.
static viva_status read_diagram(Arena *arena, const viva_model *model, Diagram *diagram, const char **why) {
  Diags diags = {.arena = arena, .sources = &model->model.sources};
  Program program = {0};
  bool later = false;
  parse_program(arena, &model->model.sources, 1, &diags, &program, &later);
  if (arena_failed(arena) || !diagram_build(arena, &model->model.sources, &program, diagram)) return VIVA_ENOMEM;
  if (diagram->nodes.count == 0) {
    *why = "this model has no signals to draw";
    return VIVA_EINPUT;
  }
  if (diagram->nodes.count <= diagram_most) return VIVA_OK;
  *why = arena_printf(arena, "the diagram has more than %d blocks, too many to be looked at", diagram_most);
  return VIVA_EFAIL;
}

static viva_status finish(Arena *arena, viva_status status, const char *why, char **message) {
  if (status != VIVA_ENOMEM && why && message && !(*message = keep(why, strlen(why)))) status = VIVA_ENOMEM;
  arena_free(arena);
  return status;
}

viva_status viva_diagram(const viva_model *model, bool dark, viva_picture picture, char **data, size_t *length,
                         char **message) {
  if (message) *message = NULL;
  if (!model || !data || !length ||
      (picture != VIVA_PICTURE_SVG && picture != VIVA_PICTURE_PNG && picture != VIVA_PICTURE_PDF))
    return VIVA_EUSAGE;
  *data = NULL;
  if (model->model.diags.errors) return VIVA_EUSAGE;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Diagram diagram;
  Drawing drawing;
  const char *why = NULL;
  viva_status status = read_diagram(arena, model, &diagram, &why);
  if (status == VIVA_OK && !diagram_draw(arena, &diagram, dark, &drawing)) status = VIVA_ENOMEM;
  if (status != VIVA_OK) return finish(arena, status, why, message);
  Text svg = text_in(arena), out = text_in(arena);
  svg_write(&drawing, &svg);
  if (picture != VIVA_PICTURE_SVG)
    why = raster_write(text_str(&svg), svg.length, picture == VIVA_PICTURE_PNG ? raster_png : raster_pdf, 2, &out);
  const Text *done = picture == VIVA_PICTURE_SVG ? &svg : &out;
  if (arena_failed(arena)) return finish(arena, VIVA_ENOMEM, NULL, NULL);
  if (why) return finish(arena, VIVA_EFAIL, why, message);
  *data = keep(text_str(done), done->length);
  *length = done->length;
  return finish(arena, *data ? VIVA_OK : VIVA_ENOMEM, NULL, NULL);
}

viva_status viva_diagram_dot(const viva_model *model, char **text, char **message) {
  if (message) *message = NULL;
  if (!model || !text) return VIVA_EUSAGE;
  *text = NULL;
  if (model->model.diags.errors) return VIVA_EUSAGE;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  Diagram diagram;
  const char *why = NULL;
  viva_status status = read_diagram(arena, model, &diagram, &why);
  if (status == VIVA_OK) {
    Text out = text_in(arena);
    diagram_dot(&diagram, &out);
    if (arena_failed(arena) || !(*text = keep(text_str(&out), out.length))) status = VIVA_ENOMEM;
  }
  return finish(arena, status, why, message);
}
