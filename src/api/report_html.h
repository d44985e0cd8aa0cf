// Tables and sentences of the sections of a page.
#ifndef VIVA_API_REPORT_HTML_H
#define VIVA_API_REPORT_HTML_H

#include "base/text.h"

void html_number(Text *out, double x);                // NAN: a dash
void html_table_open(Text *out, const char *caption); // then heads, then `</tr></thead><tbody>`
void html_head(Text *out, const char *text);
void html_row(Text *out, const char *text); // opens it, with its name
void html_cell(Text *out, double x);
void html_table_close(Text *out); // sets points of numbers below each other
// Formulas in a box that scrolls by itself; what is too long for a page is left to those who ask for it alone.
void html_math(Text *out, const char *label, const Text *math);
// A sentence of words that begin small and end without a dot.
void html_sentence(Text *out, const char *text);

#endif
