// The report on a model as text or JSON.
#ifndef VIVA_SHOW_FACTS_H
#define VIVA_SHOW_FACTS_H

#include "algebra/facts.h"
#include "base/text.h"

void show_facts_text(System *s, const Facts *facts, Text *out);
void show_facts_json(System *s, const Facts *facts, Text *out);

#endif
