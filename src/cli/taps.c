// Signals where a channel enters or a loop is opened. See taps.h.
#include "cli/taps.h"

#include <stdlib.h>
#include <string.h>

void find_taps(const char *path, const char *open, const char *describe, Taps *out) {
  *out = (Taps){0};
  if (describe) out->names[out->count++] = describe;
  if (open) out->names[out->count++] = open;
  const char *colon = path ? strchr(path, ':') : NULL;
  if (!colon) return;
  size_t length = (size_t)(colon - path);
  out->from = calloc(length + 1, 1);
  if (!out->from) return;
  memcpy(out->from, path, length);
  while (length && out->from[length - 1] == ' ') out->from[--length] = 0;
  out->names[out->count++] = out->from;
}

void free_taps(Taps *taps) {
  free(taps->from);
  *taps = (Taps){0};
}
