// A model as C99: the texts of the files.
#ifndef VIVA_SHOW_EXPORT_C_H
#define VIVA_SHOW_EXPORT_C_H

#include "sim/export.h"

typedef struct ExportText {
  Text source, header, example, makefile;
} ExportText;

// name: what functions and files start with, a C name. False: out of memory.
bool show_export_c(const Export *e, const char *name, bool single, const char *version, ExportText *out);
// Is this the text of such a file, as it was written? A file that somebody changed is not.
bool export_is_unchanged(const char *text, size_t length);

#endif
