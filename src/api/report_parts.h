// Sections of a page that stand on other parts of the public interface.
// parts: report.c report_linear.c linearize.c
#ifndef VIVA_API_REPORT_PARTS_H
#define VIVA_API_REPORT_PARTS_H

#include "base/text.h"
#include "linear/linearize.h"
#include "viva/viva.h"

// What stands behind a handle: NULL where there is no linear model. The reason: why not, in words without a place;
// NULL.
const Linearization *linearization_get(const viva_linearization *l);
const char *linearization_reason(const viva_linearization *l);
// A picture for a page that has several: `id` goes before the ids inside. As viva_linearization_draw.
viva_status linearization_svg(const viva_linearization *l, viva_linear_figure figure, const char *id, Text *out);

// The linear model at the equilibrium nearest to the start, or one sentence why there is none; nothing for a model that
// does not move. VIVA_OK, VIVA_EINTERRUPTED (with a sentence) or VIVA_ENOMEM.
viva_status report_linear(const viva_model *model, const viva_report_options *options, Text *out);

#endif
