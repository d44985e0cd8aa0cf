// Passivity at the ports of a model, as text and as JSON.
#ifndef VIVA_SHOW_PASSIVITY_H
#define VIVA_SHOW_PASSIVITY_H

#include "algebra/passivity.h"
#include "base/text.h"

void show_passivity_text(System *s, const Passivity *p, Text *out);
void show_passivity_json(System *s, const Passivity *p, Text *out);

#endif
