// Files in other formats as models: a table of importers.
//
// An importer writes the text of a model in the language, and says from which span of the file each line of it came,
// so that messages lead there. A new format is a file of its own and a line in import.c.
#ifndef VIVA_LANG_IMPORT_H
#define VIVA_LANG_IMPORT_H

#include "lang/imported.h"

typedef struct Importer {
  const char *name;
  // Is this such a file? Looks at the text; the name alone proves nothing.
  bool (*recognise)(const char *path, const char *text, size_t length);
  // Reads the source; everything wrong is reported. False: it was, or out of memory.
  bool (*read)(Arena *arena, const ImportFrom *from, Diags *diags, Imported *out);
  bool robot; // it describes a mechanism, as `robot` wants it
} Importer;

// The importer of a file; NULL: none recognises it, so it is a model in the language.
const Importer *import_find(const char *path, const char *text, size_t length);
// Reads a file that must be in another format; what none recognises is reported. False: reported, or out of memory.
bool import_read(Arena *arena, const ImportFrom *from, Diags *diags, Imported *out);
// The note on each input that is assumed, but for those that `given` ("u1=EXPR") says.
void import_note_inputs(Diags *diags, const Imported *made, const char *const *given, size_t given_count);

#endif
