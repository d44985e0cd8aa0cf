// The answers of check and diff as text or JSON.
#ifndef VIVA_SHOW_CHECK_H
#define VIVA_SHOW_CHECK_H

#include "algebra/check.h"
#include "base/text.h"

void show_check_text(System *s, const CheckReport *report, Text *out);
void show_check_json(System *s, const CheckReport *report, Text *out);
// Two models: equal ones are counted, not listed.
void show_diff_text(System *s, const CheckReport *report, const char *first, const char *second, Text *out);

#endif
