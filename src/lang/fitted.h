// The text of a model with other values of parameters and starts.
#ifndef VIVA_LANG_FITTED_H
#define VIVA_LANG_FITTED_H

#include "lang/model.h"

typedef struct FittedValue {
  const char *name;    // k, x, x'
  double value;        // in SI units
  const char *in_case; // it is that of a case; NULL: of the model
  bool if_said;        // only where the case says one already
} FittedValue;

// Values stand where the text has them; starts that it does not say become lines `init` at its end, and those of a case
// that does not say them stand first in it. NULL: out of memory, or *why names the value that stands nowhere.
const char *fitted_text(Arena *arena, const Model *model, const FittedValue *values, uint32_t count, const char **why);

#endif
