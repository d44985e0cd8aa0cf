// Any bytes become statements, or errors that say where; a line alone is read as a setting of the command line too.
// What parses can be drawn as a diagram, whatever its names mean.
#include "tests/fuzz/fuzz.h"

#include "lang/parser.h"
#include "show/diagram.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_new();
  if (!arena) return 0;
  Sources sources = {.arena = arena};
  Diags diags = {.arena = arena, .sources = &sources};
  uint32_t id = source_add(&sources, "fuzz.viva", (const char *)data, size);
  Program program = {0};
  parse_program(arena, &sources, id, &diags, &program);
  for (uint32_t i = 0; i < program.statements.count; i++) HOLDS(!program.statements.items[i].broken || diags.errors);
  if (!diags.errors) {
    Diagram diagram;
    Drawing drawing;
    HOLDS(diagram_build(arena, &sources, &program, &diagram));
    HOLDS(diagram.nodes.count > 300 || show_diagram(arena, &diagram, false, &drawing));
  }
  Item item;
  uint32_t before = diags.errors;
  HOLDS(parse_setting(arena, &sources, id, &diags, &item) || diags.errors > before);
  diag_sort(&diags);
  check_diagnostics(&sources, &diags, arena);
  arena_free(arena);
  return 0;
}
