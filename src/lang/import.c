// The importers, and what they share. The first one whose `recognise` holds reads the file; what nobody recognises is a
// model in the language, or, where another format is asked for, read by the one that its name promises, whose
// complaints say what is wrong.
#include "lang/import.h"

#include "lang/import_joints.h"
#include "lang/import_sdsc.h"
#include "lang/import_urdf.h"

#include <string.h>

static const Importer importers[] = {
    {"SDSC", sdsc_recognise, sdsc_import, false},
    {"URDF", urdf_recognise, urdf_import, true},
    {"table of joints", joints_recognise, joints_import, true},
};

const Importer *import_find(const char *path, const char *text, size_t length) {
  for (size_t i = 0; i < sizeof importers / sizeof *importers; i++) {
    if (importers[i].recognise(path, text, length)) return &importers[i];
  }
  return NULL;
}

static bool ends_in(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n >= m && strcmp(path + n - m, ending) == 0;
}

bool import_read(Arena *arena, const ImportFrom *from, Diags *diags, Imported *out) {
  *out = (Imported){.text = text_in(arena)};
  const Source *s = source_get(from->sources, (Span){from->source, 0, 0});
  const Importer *found = import_find(s->name, s->text, s->length);
  // what nobody recognises is read as what its name promises: the complaints say what such a file looks like
  const Importer *promised = ends_in(s->name, ".csv") ? &importers[2] : &importers[0];
  return (found ? found : promised)->read(arena, from, diags, out);
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
    diag_hint(diags, "`viva run FILE --input %s=EXPRESSION` says it", u->input);
  }
}
