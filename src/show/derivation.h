// A derivation as text, LaTeX, JSON or MathML.
#ifndef VIVA_SHOW_DERIVATION_H
#define VIVA_SHOW_DERIVATION_H

#include "base/text.h"
#include "study/derive.h"

typedef enum ShowFormat { show_text, show_latex, show_json, show_mathml } ShowFormat;

void show_derivation(const System *s, const Derivation *d, ShowFormat format, Text *out);

#endif
