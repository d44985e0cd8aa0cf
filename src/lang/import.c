// The importers, and what they share. The first one whose `recognise` holds reads the file; what nobody recognises is a
// model in the language, or, where another format is asked for, read by the first one, whose complaints say what is
// wrong.
#include "lang/import.h"

#include "lang/import_sdsc.h"

#include <string.h>

static const Importer importers[] = {
    {"SDSC", sdsc_recognise, sdsc_import},
};

const Importer *import_find(const char *path, const char *text, size_t length) {
  for (size_t i = 0; i < sizeof importers / sizeof *importers; i++) {
    if (importers[i].recognise(path, text, length)) return &importers[i];
  }
  return NULL;
}

bool import_read(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, Imported *out) {
  *out = (Imported){.text = text_in(arena)};
  const Source *s = source_get(sources, (Span){source, 0, 0});
  const Importer *found = import_find(s->name, s->text, s->length);
  // what nobody recognises is read as the oldest format: its complaints say what such a file looks like
  return (found ? found : &importers[0])->read(arena, sources, source, diags, out);
}

// Is `name = ...` among the given ones?
static bool is_given(const char *const *given, size_t count, const char *name) {
  size_t n = strlen(name);
  for (size_t i = 0; i < count; i++) {
    const char *s = given[i] + strspn(given[i], " ");
    if (strncmp(s, name, n) == 0 && s[n + strspn(s + n, " ")] == '=') return true;
  }
  return false;
}

void import_note_inputs(Diags *diags, const Imported *made, const char *const *given, size_t given_count) {
  for (uint32_t i = 0; i < made->assumed.count; i++) {
    const ImportAssumed *u = &made->assumed.items[i];
    if (is_given(given, given_count, u->input)) continue;
    diag_warning(diags, diag_assumed_input, u->span, "%s", u->text);
    diag_hint(diags, "`--input %s=EXPRESSION` says it", u->input);
  }
}
