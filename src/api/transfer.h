// `--form transfer` of viva_derive.
#ifndef VIVA_API_TRANSFER_H
#define VIVA_API_TRANSFER_H

#include "api/handles.h"

// The text, or with another status than VIVA_OK why there is none.
viva_status transfer_derive(Arena *arena, const viva_model *model, const viva_derive_options *o, Text *out);

#endif
