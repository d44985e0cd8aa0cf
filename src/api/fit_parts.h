// What stands behind a fit of the public interface.
// parts: fit.c fit_settings.c fit_shown.c experiments.c report_fit.c
#ifndef VIVA_API_FIT_PARTS_H
#define VIVA_API_FIT_PARTS_H

#include "fit/fit.h"
#include "show/fit.h"
#include "viva/viva.h"

struct viva_fit {
  Arena *arena;
  FitResult result;
  viva_model **cases; // one a line; NULL: the model itself
  uint32_t case_count;
  const char *title;
  const char *summary[2]; // text, JSON
  const char *message;
  const char *text; // of the fitted model; NULL: none
  const char *text_message;
};

// How to search, and by which loss; diags say what cannot be, and what would change nothing.
void fit_settings_read(const viva_fit_options *o, Diags *diags, FitSettings *out);

// A picture for a page that has several: `id` goes before the ids inside. VIVA_EINPUT: there is nothing to draw.
viva_status fit_svg(const viva_fit *fit, unsigned parts, const char *id, Text *out);

// The same model with the values of one of its cases. *out is the caller's to free, given also with VIVA_EINPUT: then
// diags have what is wrong.
viva_status fit_case_model(const viva_model *model, const char *name, Diags *diags, viva_model **out);

#endif
