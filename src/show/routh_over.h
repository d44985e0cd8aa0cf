// Routh's table with a parameter in it, as text and JSON. NULL: there is none, and nothing is printed.
#ifndef VIVA_SHOW_ROUTH_OVER_H
#define VIVA_SHOW_ROUTH_OVER_H

#include "analyze/routh_over.h"
#include "base/text.h"
#include "show/json.h"

void text_routh_over(const RouthOver *r, const char *name, Text *out);
void json_routh_over(const RouthOver *r, const char *name, Json *j);

#endif
