// Blocks and events of a derivation: as text, typeset, and as data.
#ifndef VIVA_SHOW_STATEMENTS_H
#define VIVA_SHOW_STATEMENTS_H

#include "show/json.h"
#include "show/typeset.h"

void show_blocks_text(const System *s, const Derivation *d, Text *out);
void show_events_text(const System *s, const Derivation *d, Text *out);
// Rows of cases; sentences with their rows. Nothing where there are none.
void show_blocks_typeset(const System *s, const Derivation *d, ExprFormat format, Text *out);
void show_events_typeset(const System *s, const Derivation *d, ExprFormat format, Text *out);
void show_statements_json(const System *s, const Derivation *d, Json *j); // "blocks" and "events"

#endif
