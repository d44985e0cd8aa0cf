// The text of a model that a law writes.
#ifndef VIVA_TESTS_SCRIPT_H
#define VIVA_TESTS_SCRIPT_H

#include "tests/support.h"

#include <stdarg.h>

typedef struct Script {
  char text[8000];
  size_t at;
} Script;

static inline void put(Script *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void put(Script *s, const char *format, ...) {
  va_list list;
  va_start(list, format);
  s->at += (size_t)vsnprintf(s->text + s->at, sizeof s->text - s->at, format, list);
  va_end(list);
  assert_true(s->at < sizeof s->text);
}

#endif
