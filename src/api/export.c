// C files from the outside.
#include "api/handles.h"

#include <string.h>

viva_export_options viva_export_defaults(void) { return (viva_export_options){0}; }

static bool is_c_name(const char *s) {
  for (const char *c = s; *c; c++) {
    bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_', digit = *c >= '0' && *c <= '9';
    if (!letter && (!digit || c == s)) return false;
  }
  return *s && strlen(s) <= 60 && strcmp(s, "main") != 0;
}

viva_status viva_export_c(const viva_model *model, const viva_export_options *options, const char *folder, char **path,
                          int *system_error) {
  viva_export_options o = options ? *options : viva_export_defaults();
  const char *name = o.name ? o.name : "model";
  if (path) *path = NULL;
  if (system_error) *system_error = 0;
  if (!folder || !*folder || !is_c_name(name)) return VIVA_EUSAGE;
  viva_status status = model_status(model);
  if (status != VIVA_OK) return status;
  Arena *arena = arena_new();
  if (!arena) return VIVA_ENOMEM;
  int error = 0;
  const char *where = export_refuses(arena, &model->system);
  bool ok = !where &&
            pipeline_export_c(arena, &model->system, &(ExportWish){name, folder, o.single, o.force}, &where, &error);
  bool refused = !ok && !error && where; // before, or found out on the way
  if (system_error) *system_error = error;
  if ((error || refused) && path && where) hand_over_string(where, path);
  status = refused ? VIVA_EINPUT : error ? VIVA_EIO : ok ? VIVA_OK : arena_failed(arena) ? VIVA_ENOMEM : VIVA_EFAIL;
  arena_free(arena);
  return status;
}
