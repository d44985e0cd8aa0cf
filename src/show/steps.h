// The lines of a derivation as text, LaTeX, MathML or JSON.
#ifndef VIVA_SHOW_STEPS_H
#define VIVA_SHOW_STEPS_H

#include "algebra/steps.h"
#include "show/json.h"
#include "show/typeset.h"

void show_steps_text(const System *s, const Steps *steps, Text *out);
// LaTeX for the body of a document; MathML with headings of HTML between.
void show_steps_typeset(const System *s, const Steps *steps, ExprFormat format, Text *out);
void show_energies_typeset(const System *s, const Steps *steps, ExprFormat format,
                           Text *out); // of lines that are energies
void show_steps_json(const System *s, const Steps *steps, Json *json);

// What the proofs came to, in a sentence.
const char *steps_verdict(const System *s, const Steps *steps);

#endif
