// Pictures as files and in the terminal. Those that return an int: -1 to go on, else the exit status after a message.
#ifndef VIVA_CLI_PICTURE_H
#define VIVA_CLI_PICTURE_H

#include "viva/viva.h"

// A picture that will be written.
typedef struct PictureFile {
  const char *path;
  viva_picture kind;
  viva_file *file;
} PictureFile;

// path NULL: no picture. kinds: the endings that are possible here, closed by NULL.
int open_picture(const char *path, const char *option, const char *const *kinds, PictureFile *picture);
int save_picture(PictureFile *picture, viva_figure *figure);
void discard_picture(PictureFile *picture);
int figure_failed(const viva_figure *figure, viva_status status); // shows why; the exit status

// `--camera x,y,z`; NULL: as the model says.
int read_camera(const char *text, double camera[3]);
int check_camera(const viva_model *model, const char *text, const double camera[3]); // can it be seen from there?
// The panels that `--panels a,b` names.
typedef struct PanelWord {
  const char *name;
  unsigned part;
} PanelWord;
// text: NULL names none. drawn: there is a picture that has panels.
int read_panels(const char *text, bool drawn, const PanelWord *panels, size_t count, unsigned *parts);
int read_theme(const char *theme, viva_figure_options *options); // NULL: light
void use_terminal(viva_figure_options *options, bool plain);     // width and colours of the terminal

#endif
