// A drawing as characters of a terminal: curves in braille dots, axes in lines, words as they are.
#ifndef VIVA_SHOW_BRAILLE_H
#define VIVA_SHOW_BRAILLE_H

#include "show/drawing.h"

// The drawing must have been laid out in cells. colour: with the escape sequences of a terminal.
void braille_write(const Drawing *d, bool colour, Text *out);

#endif
