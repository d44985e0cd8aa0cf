// Syntax highlighting: the text of a model as HTML with colours, by the lexer of the language.
#ifndef VIVA_SHOW_COLOURED_H
#define VIVA_SHOW_COLOURED_H

#include "base/source.h"
#include "base/text.h"

// Words of statements are of the class `kw`, functions `fn`, numbers `nu`, strings `st`, units `un`, comments `co`. The
// text itself is unchanged: without its tags it reads back byte by byte, except that it is escaped.
void show_coloured(const Source *source, Text *out);

#endif
