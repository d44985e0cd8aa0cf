// Files of other programs, from the outside.
#include "api/handles.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum { largest_data = 256 * 1024 * 1024 };

viva_import_options viva_import_defaults(void) { return (viva_import_options){0}; }

static viva_status import(Arena *arena, const char *name, const char *data, size_t length,
                          const viva_import_options *options, char **text, char **message) {
  Sources sources;
  Diags diags;
  Imported made;
  if (!pipeline_import(arena, name, data, length, options && options->limits, &sources, &diags, &made))
    return VIVA_ENOMEM;
  if (!diags.errors) import_note_inputs(&diags, &made, NULL, 0);
  const char *words = messages_text(arena, &sources, &diags, NULL);
  if (arena_failed(arena) || (words && hand_over_string(words, message) != VIVA_OK)) return VIVA_ENOMEM;
  return diags.errors ? VIVA_EINPUT : hand_over_text(&made.text, text, NULL);
}

static viva_status finish(viva_status status, char **text, char **message) {
  if (status != VIVA_ENOMEM) return status;
  free(*text);
  free(*message);
  *text = *message = NULL;
  return status;
}

viva_status viva_import(const char *name, const char *data, size_t length, const viva_import_options *options,
                        char **text, char **message) {
  if (!name || !data || !text || !message) return VIVA_EUSAGE;
  *text = *message = NULL;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  viva_status status = import(arena, name, data, length, options, text, message);
  arena_free(arena);
  return finish(status, text, message);
}

viva_status viva_import_file(const char *path, const viva_import_options *options, char **text, char **message) {
  if (!path || !text || !message) return VIVA_EUSAGE;
  *text = *message = NULL;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  size_t length;
  const char *why = NULL;
  viva_status status;
  char *data = file_read(arena, path, largest_data, &length, &why);
  if (data) {
    status = import(arena, path, data, length, options, text, message);
  } else {
    Text t = text_in(arena);
    text_put(&t, "error: \"");
    text_put_plain(&t, path, strlen(path));
    text_printf(&t, "\" cannot be read: %s\n", why);
    status = hand_over_text(&t, message, NULL) == VIVA_OK ? VIVA_EINPUT : VIVA_ENOMEM;
  }
  arena_free(arena);
  return finish(status, text, message);
}
