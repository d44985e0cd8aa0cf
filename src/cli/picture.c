// Files of pictures and the terminal.
#define _DEFAULT_SOURCE
#include "cli/picture.h"

#include "base/number.h"
#include "cli/message.h"
#include "cli/outputs.h"
#include "cli/verb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int open_picture(const char *path, const char *option, const char *const *kinds, PictureFile *picture) {
  *picture = (PictureFile){.path = path};
  if (!path) return -1;
  const char *dot = strrchr(path, '.');
  bool possible = false;
  for (const char *const *k = kinds; *k && dot; k++) possible = possible || strcmp(*k, dot + 1) == 0;
  if (!possible || !viva_picture_find(path, &picture->kind)) {
    complain("`%s %s`: the end of the name says no known kind of picture", option, path);
    char known[64] = "";
    for (const char *const *k = kinds; *k; k++) {
      size_t used = strlen(known);
      snprintf(known + used, sizeof known - used, " .%s", *k);
    }
    hint("there is%s", known);
    return exit_input;
  }
  const char *missing = viva_picture_missing(picture->kind);
  if (missing) {
    complain("`%s` needs %s", dot, missing);
    return exit_input;
  }
  return open_output(option, path, &picture->file);
}

int figure_failed(const viva_figure *figure, viva_status status) {
  if (viva_figure_message(figure)) show_message(viva_figure_message(figure));
  else complain("%s", viva_status_text(status));
  return status == VIVA_EINPUT ? exit_input : exit_failed;
}

int save_picture(PictureFile *picture, viva_figure *figure) {
  char *data;
  size_t length;
  viva_status done = viva_figure_draw(figure, picture->kind, &data, &length);
  if (done != VIVA_OK) return figure_failed(figure, done);
  if (viva_figure_message(figure)) show_message(viva_figure_message(figure)); // a warning
  int status = save_output(&picture->file, picture->path, data, length);
  viva_text_free(data);
  return status;
}

void discard_picture(PictureFile *picture) { discard_output(&picture->file); }

int read_camera(const char *text, double camera[3]) {
  const char *at = text;
  for (int i = 0; text && i < 3; i++) {
    char *end;
    camera[i] = number_parse(at, &end);
    if (end == at || !isfinite(camera[i]) || *end != (i < 2 ? ',' : 0)) {
      complain("`--camera %s`: three numbers are needed, the direction from which it is seen", text);
      hint("for example `--camera 1,-2,1`: from the right, the front and above");
      return exit_input;
    }
    at = end + 1;
  }
  if (!text || camera[0] != 0 || camera[1] != 0 || camera[2] != 0) return -1;
  complain("`--camera %s` is no direction: all of it is zero", text);
  return exit_input;
}

int check_camera(const viva_model *model, const char *text, const double camera[3]) {
  if (!text || viva_camera_check(model, camera) != VIVA_EINPUT) return -1;
  complain("`--camera %s` looks along what points up", text);
  hint("`camera [0, 0, 1] up [0, 1, 0]` in the model says what else points up in the picture");
  return exit_input;
}

static void hint_panels(const PanelWord *panels, size_t count) {
  char words[256];
  size_t at = 0;
  for (size_t i = 0; i < count && at < sizeof words; i++)
    at += (size_t)snprintf(words + at, sizeof words - at, "%s%s",
                           i == 0           ? ""
                           : i + 1 == count ? " and "
                                            : ", ",
                           panels[i].name);
  hint("there is %s", words);
}

int read_panels(const char *text, bool drawn, const PanelWord *panels, size_t count, unsigned *parts) {
  if (text && !drawn) {
    complain("`--panels` says what is drawn: it goes with `--plot FILE` or `--terminal`");
    return exit_input;
  }
  while (text && *text) {
    size_t length = strcspn(text, ", "), i = 0;
    while (i < count && (strlen(panels[i].name) != length || memcmp(panels[i].name, text, length) != 0)) i++;
    if (length && i == count) {
      complain("there is no panel `%.*s`", (int)length, text);
      hint_panels(panels, count);
      return exit_input;
    }
    if (length) *parts |= panels[i].part;
    text += length + (text[length] != 0);
  }
  return -1;
}

int read_theme(const char *theme, viva_figure_options *options) {
  options->dark = theme && strcmp(theme, "dark") == 0;
  if (!theme || options->dark || strcmp(theme, "light") == 0) return -1;
  complain("`--theme` cannot be `%s`", theme);
  hint("there is `light` `dark`");
  return exit_input;
}

void use_terminal(viva_figure_options *options, bool plain) {
  struct winsize size;
  bool terminal = isatty(STDOUT_FILENO) != 0;
  const char *columns = getenv("COLUMNS");
  options->columns = 80;
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    options->columns = size.ws_col < 160 ? size.ws_col : 160;
  else if (columns && atoi(columns) >= 40 && atoi(columns) <= 1000) options->columns = (unsigned)atoi(columns);
  options->colour = terminal && !plain && !getenv("NO_COLOR");
}
