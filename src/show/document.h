// Whole documents: LaTeX to compile, HTML to open.
#ifndef VIVA_SHOW_DOCUMENT_H
#define VIVA_SHOW_DOCUMENT_H

#include "show/steps.h"

// Several derivations of one system: the title, what is declared, the energies (or with `proofs` the steps), the
// equations of each, the notes of the first. steps may be NULL.
void show_document(const System *s, const Derivation *const *derivations, uint32_t count, const Steps *steps,
                   bool proofs, ExprFormat format, Text *out);

// The value of a parameter as it was written, in any format, and its unit in the format.
void show_param_value(const System *s, ExprPool *pool, const ExprNames *names, const SystemParam *p, ExprFormat format,
                      Text *out);
void show_unit(const Unit *unit, ExprFormat format, Text *out);
// Words of the user: escaped for LaTeX or HTML.
void show_words(const char *text, ExprFormat format, Text *out);

#endif
