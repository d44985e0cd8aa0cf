// C files from the outside.
//
// in    a model, a name for its functions, a folder
// out   four files, all of them or none; nothing that is not an unchanged export is written over, and never what the
//       model was read from
#include "api/handles.h"
#include "base/file.h"
#include "base/outfile.h"

#include <errno.h>
#include <string.h>

viva_export_options viva_export_defaults(void) { return (viva_export_options){0}; }

static bool is_c_name(const char *s) {
  for (const char *c = s; *c; c++) {
    bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_', digit = *c >= '0' && *c <= '9';
    if (!letter && (!digit || c == s)) return false;
  }
  return *s && strlen(s) <= 60 && strcmp(s, "main") != 0;
}

// May an export write here? A file that is there must be one of its own, unchanged; what the model was read from is
// never written to.
static int may_export(Arena *arena, const viva_model *m, const char *path, bool force) {
  for (size_t i = 0; i < viva_model_file_count(m); i++) {
    if (file_same(viva_model_file(m, i), path)) return EEXIST;
  }
  if (force || !file_is_ordinary(path)) return 0;
  size_t length;
  const char *why, *text = file_read(arena, path, (size_t)1 << 30, &length, &why);
  return text && export_is_unchanged(text, length) ? 0 : EEXIST;
}

typedef struct ExportFile {
  const char *name, *path;
  const Text *text;
} ExportFile;

// Writes the files into a folder. All of them are asked for first: an export is whole or none. The result is errno;
// *where is the path that cannot be written. Memory that is out: the arena has failed.
static int write_files(Arena *arena, const viva_model *m, const char *folder, bool force, ExportFile *files,
                       size_t count, const char **where) {
  int error = file_make_folder(folder);
  *where = folder;
  for (size_t i = 0; i < count && !error; i++) {
    *where = files[i].path = arena_printf(arena, "%s/%s", folder, files[i].name ? files[i].name : "");
    if (!files[i].path) return 0;
    error = may_export(arena, m, files[i].path, force);
  }
  for (size_t i = 0; i < count && !error; i++) {
    *where = files[i].path;
    OutFile *out = outfile_open(files[i].path, &error);
    if (!out) return error;
    outfile_write(out, files[i].text->data, files[i].text->length);
    error = outfile_commit(out);
  }
  return error;
}

// VIVA_EINPUT and VIVA_EIO: *where says what or which file.
static viva_status export_to(Arena *arena, const viva_model *model, const viva_export_options *o, const char *folder,
                             const char **where, int *error) {
  ExportText texts;
  *where = export_refuses(arena, &model->system);
  if (*where) return VIVA_EINPUT;
  if (!pipeline_export_c(arena, &model->system, o->name, o->single, &texts, where))
    return *where ? VIVA_EINPUT : arena_failed(arena) ? VIVA_ENOMEM : VIVA_EFAIL;
  ExportFile files[] = {{.name = arena_printf(arena, "%s.c", o->name), .text = &texts.source},
                        {.name = arena_printf(arena, "%s.h", o->name), .text = &texts.header},
                        {.name = "main.c", .text = &texts.example},
                        {.name = "Makefile", .text = &texts.makefile}};
  *error = write_files(arena, model, folder, o->force, files, sizeof files / sizeof *files, where);
  return *error ? VIVA_EIO : arena_failed(arena) ? VIVA_ENOMEM : VIVA_OK;
}

viva_status viva_export_c(const viva_model *model, const viva_export_options *options, const char *folder, char **path,
                          int *system_error) {
  viva_export_options o = options ? *options : viva_export_defaults();
  int error = 0;
  const char *where = NULL;
  if (!o.name) o.name = "model";
  if (path) *path = NULL;
  if (system_error) *system_error = 0;
  if (!folder || !*folder || !is_c_name(o.name)) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  status = export_to(arena, model, &o, folder, &where, &error);
  if (system_error) *system_error = error;
  if ((status == VIVA_EINPUT || status == VIVA_EIO) && path && where) hand_over_string(where, path);
  arena_free(arena);
  return status;
}
