// Where terms come from, in every format.
#ifndef VIVA_SHOW_ORIGINS_H
#define VIVA_SHOW_ORIGINS_H

#include "algebra/derivation.h"
#include "expr/print.h"
#include "show/json.h"

void show_origins_text(const System *s, const Derivation *d, Text *out);
void show_origins_json(const System *s, const Derivation *d, Json *j);
// Equations whose parts stand above their names.
void show_origins_typeset(const System *s, const Derivation *d, ExprFormat format, Text *out);

#endif
