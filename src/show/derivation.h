// A derivation as text, LaTeX, JSON, MathML or a page of HTML.
#ifndef VIVA_SHOW_DERIVATION_H
#define VIVA_SHOW_DERIVATION_H

#include "algebra/derivation.h"
#include "base/text.h"

typedef enum ShowFormat { show_text, show_latex, show_json, show_mathml, show_html, show_latex_document } ShowFormat;

void show_derivation(const System *s, const Derivation *d, ShowFormat format, Text *out);

#endif
