// Inverse dynamics, the forces for a prescribed trajectory, as a summary: text, JSON.
#ifndef VIVA_SHOW_INVERSE_H
#define VIVA_SHOW_INVERSE_H

#include "base/text.h"
#include "sim/inverse.h"

// motion: name of the file that has the trajectory.
void show_inverse_text(const InversePlan *plan, const InverseResult *result, const char *title, const char *motion,
                       Text *out);
void show_inverse_json(const InversePlan *plan, const InverseResult *result, const char *title, const char *motion,
                       Text *out);

#endif
