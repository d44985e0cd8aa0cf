// What the fuzz targets share. A target is one function; libFuzzer calls it, and so does replay.c.
#ifndef VIVA_FUZZ_H
#define VIVA_FUZZ_H

#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Unlike assert it stays in every build.
#define HOLDS(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                                   \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

// Every diagnostic lies inside its source, has words, and can be shown.
static inline void check_diagnostics(const Sources *sources, const Diags *diags, Arena *arena) {
  for (uint32_t i = 0; i < diags->list.count; i++) {
    const Diag *d = &diags->list.items[i];
    const Source *source = source_get(sources, d->span);
    HOLDS(d->message && d->message[0]);
    HOLDS(!source || d->span.start <= d->span.end);
    HOLDS(!source || d->span.start <= source->length);
    Text text = text_in(arena);
    diag_format(sources, d, &text);
    HOLDS(text.length > 0);
  }
}

#endif
