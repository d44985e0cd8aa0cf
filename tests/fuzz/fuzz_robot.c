// A robot or a table of joints: what is read becomes a model that parses, each line of which knows where it came from.
#include "tests/fuzz/fuzz.h"

#include "lang/import_joints.h"
#include "lang/import_urdf.h"
#include "lang/parser.h"

#include <string.h>

static void read_model(Arena *arena, Sources *sources, const Imported *made) {
  uint32_t lines = 0;
  for (size_t i = 0; i < made->text.length; i++) lines += made->text.data[i] == '\n';
  HOLDS(lines == made->origin.count);
  uint32_t source = source_add(sources, "robot", text_str(&made->text), made->text.length);
  if (!source) return;
  Diags diags = {.arena = arena, .sources = sources};
  Program program = {0};
  parse_program(arena, sources, source, &diags, &program);
  HOLDS(diags.list.count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  if (!arena) return 0;
  Sources sources = {.arena = arena};
  Diags diags = {.arena = arena, .sources = &sources};
  char *text = malloc(size + 1);
  uint32_t source = 0;
  bool robot = false;
  if (text) {
    memcpy(text, data, size);
    text[size] = '\0';
    joints_recognise("robot", text, size);
    robot = urdf_recognise("robot", text, size);
    source = source_add(&sources, "robot", text, size);
  }
  free(text);
  Imported made = {.text = text_in(arena)};
  ImportFrom from = {.sources = &sources, .source = source, .limits = true};
  if (source && (robot ? urdf_import : joints_import)(arena, &from, &diags, &made)) {
    HOLDS(diags.errors == 0);
    read_model(arena, &sources, &made);
  } else {
    HOLDS(diags.errors > 0);
  }
  check_diagnostics(&sources, &diags, arena);
  arena_free(arena);
  return 0;
}
