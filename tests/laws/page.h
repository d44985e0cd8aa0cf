// A text that is put together: models that laws are tried with.
#ifndef VIVA_TESTS_PAGE_H
#define VIVA_TESTS_PAGE_H

#include "tests/support.h"

typedef struct Page {
  char text[40000];
  size_t length;
} Page;

static inline void put(Page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void put(Page *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  p->length += (size_t)vsnprintf(p->text + p->length, sizeof p->text - p->length, format, args);
  va_end(args);
  assert_true(p->length < sizeof p->text);
}

#endif
