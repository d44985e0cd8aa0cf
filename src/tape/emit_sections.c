// Sections of the sources of kernels, for text that has them in it.
//
// Sources are embedded by cmake/embed_lines.cmake: what stands between /* section NAME */ and the next such line
// belongs together.
#include "tape/emit_c.h"

#include <string.h>

#include "kernel_lines.h"

void emit_section(Text *out, const char *name) {
  const size_t length = strlen(name);
  for (size_t i = 0; i < sizeof embedded / sizeof *embedded; i++) {
    bool inside = false;
    for (const char *const *line = embedded[i]; *line; line++) {
      if (strncmp(*line, "/* section ", 11) == 0) {
        inside = strncmp(*line + 11, name, length) == 0 && (*line)[11 + length] == ' ';
      } else if (inside) {
        text_put(out, *line);
        text_putc(out, '\n');
      }
    }
  }
}
