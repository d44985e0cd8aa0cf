// Sections of a page that stand on other parts of the public interface.
#ifndef VIVA_API_REPORT_PARTS_H
#define VIVA_API_REPORT_PARTS_H

#include "base/text.h"
#include "viva/viva.h"

// The linear model at the equilibrium nearest to the start; nothing where there is none to speak of. VIVA_OK or VIVA_ENOMEM.
viva_status report_linear(const viva_model *model, Text *out);

#endif
