// The library as a whole: its version, the words of a status, texts that it gave away, its cache.
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *viva_version(void) { return VIVA_VERSION; }

const char *viva_status_text(viva_status status) {
  static const char *const texts[] = {
      "done",          "the computation failed",   "the input is wrong", "the call is wrong",
      "out of memory", "a file cannot be written", "interrupted"};
  return (size_t)status < sizeof texts / sizeof *texts ? texts[status] : "unknown";
}

void viva_text_free(char *text) { free(text); }

char *viva_text_shown(const char *text) {
  Arena *arena = text ? arena_new() : NULL;
  char *copy = NULL;
  if (!arena) return NULL;
  Text out = text_in(arena);
  text_put_plain(&out, text, strlen(text));
  hand_over_text(&out, &copy, NULL);
  arena_free(arena);
  return copy;
}

viva_status viva_cache_clear(uint64_t *files, uint64_t *bytes) {
  uint64_t f = 0, b = 0;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  int folder = cache_open(arena, NULL);
  bool ok = folder < 0 || cache_clear(folder, &f, &b);
  if (folder >= 0) close(folder);
  arena_free(arena);
  if (files) *files = f;
  if (bytes) *bytes = b;
  return ok ? VIVA_OK : VIVA_EIO;
}
