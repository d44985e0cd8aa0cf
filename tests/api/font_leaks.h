// For tests that make pictures of pixels: the font library that librsvg uses keeps its tables. Leaks of our own still
// count.
#ifndef VIVA_TESTS_FONT_LEAKS_H
#define VIVA_TESTS_FONT_LEAKS_H

const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void) {
  return "leak:libfontconfig\nleak:libpango\nleak:librsvg\nleak:libglib\nleak:libgobject\n";
}

#endif
