// The first line is the name of a column, the rest a table. What is read grows in its first column and is finite.
#include "tests/fuzz/fuzz.h"

#include "lang/table.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
  Arena *arena = arena_new();
  if (!arena || !end) {
    arena_free(arena);
    return 0;
  }
  Sources sources = {.arena = arena};
  Diags diags = {.arena = arena, .sources = &sources};
  size_t name = (size_t)(end - data), length = size - name - 1;
  const char *column = arena_strndup(arena, (const char *)data, name);
  // a copy of its own, so that reading beyond the end is noticed
  char *text = malloc(length + 1);
  if (text && column) {
    memcpy(text, end + 1, length);
    text[length] = '\0';
    SystemTable t = {0};
    bool ok = table_read(arena, &diags, &t, text, length, "fuzz.csv", column, (Span){0});
    HOLDS(ok == (diags.errors == 0));
    HOLDS(!ok || t.count > 0);
    for (uint32_t i = 0; ok && i < t.count; i++) {
      HOLDS(isfinite(t.x[i]) && isfinite(t.y[i]));
      HOLDS(i == 0 || t.x[i] > t.x[i - 1]);
    }
    check_diagnostics(&sources, &diags, arena);
  }
  free(text);
  arena_free(arena);
  return 0;
}
