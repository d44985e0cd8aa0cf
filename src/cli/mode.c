// `--mode N`: the assembly modes are listed as `equilibrium --problem modes` does it, then the model is read once more
// with the configuration of the N-th mode as its initial values.
#include "cli/mode.h"

#include "cli/message.h"
#include "cli/motion.h"
#include "cli/outputs.h"
#include "cli/signals.h"

#include <stdlib.h>
#include <string.h>

static viva_status load_text(const ModelText *text, const viva_load_options *o, viva_model **model) {
  return text->text ? viva_model_parse("<stdin>", text->text, text->length, o, model)
                    : viva_model_load(text->file, o, model);
}

// Does `--set NAME=...` say what "B.x=1" of a mode says, too? A node is both of its coordinates.
static bool sets_same(const char *given, const char *own) {
  size_t length = strcspn(given, "= "), name = strcspn(own, "=");
  return length && length <= name && strncmp(given, own, length) == 0 && (own[length] == '=' || own[length] == '.');
}

// What somebody set and the mode says otherwise would be lost without a word.
static bool contradicts(const viva_positions *v, uint32_t mode, const viva_load_options *o) {
  for (size_t i = 0; i < o->set_count; i++) {
    for (size_t k = 0; k < viva_positions_start_count(v, mode - 1); k++) {
      const char *own = viva_positions_start(v, mode - 1, k);
      if (!sets_same(o->set[i], own)) continue;
      complain("`--set %s`: mode %u sets `%.*s` itself; change the `drive` or the mode", o->set[i], mode,
               (int)strcspn(own, "="), own);
      return true;
    }
  }
  return false;
}

// The settings of a mode behind those of the command line. NULL: reported.
static const char **settings_of(const viva_positions *v, uint32_t mode, const viva_load_options *o, size_t *count) {
  size_t own = viva_positions_start_count(v, mode - 1);
  if (!own) {
    complain("there is no assembly mode %u: `viva equilibrium --problem modes` lists %zu", mode,
             viva_positions_count(v));
    return NULL;
  }
  const char *obstacle = viva_positions_start_obstacle(v);
  if (obstacle) {
    complain("a run cannot start from mode %u: %s", mode, obstacle);
    return NULL;
  }
  const char **list = calloc(o->set_count + own, sizeof *list);
  if (!list) complain("%s", viva_status_text(VIVA_ENOMEM));
  for (size_t i = 0; list && i < o->set_count; i++) list[i] = o->set[i];
  for (size_t i = 0; list && i < own; i++) list[o->set_count + i] = viva_positions_start(v, mode - 1, i);
  *count = o->set_count + own;
  return list;
}

static int find_modes(const viva_model *model, viva_positions **v) {
  viva_positions_options o = viva_positions_defaults();
  o.problem = "modes";
  o.interrupted = was_interrupted;
  listen_for_interrupts();
  viva_status done = viva_positions_find(model, &o, NULL, v);
  listen_signals(false);
  const char *message = viva_positions_message(*v);
  if (message) show_message(message);
  else if (done != VIVA_OK) complain("%s", viva_status_text(done));
  return done == VIVA_OK ? -1 : done == VIVA_EINPUT ? exit_input : exit_failed;
}

int load_in_mode(const char *file, const viva_load_options *options, uint32_t mode, viva_model **model) {
  if (!mode) return load_model(file, options, model);
  viva_load_options own = options ? *options : viva_load_defaults();
  viva_positions *v = NULL;
  const char **set = NULL;
  ModelText text;
  own.confined = is_confined();
  int status = read_model(file, &text);
  if (status < 0) status = take_model(load_text(&text, &own, model), true, model);
  if (status < 0) status = refuse_family(*model, "modes are those of one model");
  if (status < 0) status = find_modes(*model, &v);
  if (status < 0 && contradicts(v, mode, &own)) status = exit_input;
  if (status < 0) {
    set = settings_of(v, mode, &own, &own.set_count);
    status = set ? -1 : exit_failed;
  }
  if (status < 0) {
    viva_model *started = NULL;
    own.set = set;
    status = take_model(load_text(&text, &own, &started), false, &started);
    viva_positions_free(v);
    viva_model_free(*model);
    v = NULL;
    *model = started;
  }
  viva_positions_free(v);
  free(set);
  free_text(&text);
  return status;
}
