// Sensitivity analysis: derivatives of outputs by parameters and initial values, as text and JSON.
#ifndef VIVA_SHOW_SENSITIVITY_H
#define VIVA_SHOW_SENSITIVITY_H

#include "base/text.h"
#include "fit/sensitivity_table.h"

void show_sensitivity_text(const SensitivityResult *r, const char *title, Text *out);
void show_sensitivity_json(const SensitivityResult *r, const char *title, Text *out);

#endif
