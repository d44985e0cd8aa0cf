// An old data file: what is read becomes a model that parses, and a diagram that can be drawn.
#include "tests/fuzz/fuzz.h"

#include "lang/import.h"
#include "lang/import_sdsc.h"
#include "lang/parser.h"
#include "show/diagram.h"

#include <string.h>

static void draw(Arena *arena, const Sources *sources, uint32_t source) {
  Diags diags = {.arena = arena, .sources = sources};
  Program program = {0};
  parse_program(arena, sources, source, &diags, &program);
  HOLDS(diags.list.count == 0);
  Diagram diagram;
  Drawing drawing;
  HOLDS(diagram_build(arena, sources, &program, &diagram));
  if (diagram.nodes.count <= 200) HOLDS(show_diagram(arena, &diagram, false, &drawing));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  if (!arena) return 0;
  Sources sources = {.arena = arena};
  Diags diags = {.arena = arena, .sources = &sources};
  char *text = malloc(size + 1);
  uint32_t source = 0;
  if (text) {
    memcpy(text, data, size);
    text[size] = '\0';
    sdsc_recognise("old.dat", text, size);
    source = source_add(&sources, "old.dat", text, size);
  }
  free(text);
  SdscFile file;
  if (source && sdsc_read(arena, &sources, source, &diags, &file)) {
    Imported made;
    sdsc_write(arena, "old.dat", &file, &made);
    uint32_t lines = 0;
    for (size_t i = 0; i < made.text.length; i++) lines += made.text.data[i] == '\n';
    HOLDS(lines == made.origin.count);
    import_note_inputs(&diags, &made, NULL, 0);
    uint32_t model = source_add(&sources, "old.dat", text_str(&made.text), made.text.length);
    if (model) draw(arena, &sources, model);
  } else {
    HOLDS(diags.errors > 0);
  }
  check_diagnostics(&sources, &diags, arena);
  arena_free(arena);
  return 0;
}
