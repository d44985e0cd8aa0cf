// A minimized performance index, with its parameters, as text and as JSON.
#ifndef VIVA_SHOW_FIT_INDEX_H
#define VIVA_SHOW_FIT_INDEX_H

#include "base/text.h"
#include "fit/fit.h"

void show_index_text(const FitResult *r, const char *title, Text *out);
void show_index_json(const FitResult *r, const char *title, Text *out);

#endif
