// A drawing as SVG text: self-contained, without script, letters of the reader's sans-serif font.
#ifndef VIVA_SHOW_SVG_H
#define VIVA_SHOW_SVG_H

#include "show/drawing.h"

void svg_write(const Drawing *d, Text *out);

// Pieces for other writers of SVG.
void svg_escape(Text *out, const char *text);
void svg_number(Text *out, double value);                                       // at most two decimals
void svg_path(Text *out, const DrawPoint *points, uint32_t count, bool closed); // the value of `d`
void svg_colour(Text *out, const char *attribute, int32_t colour);
void svg_head(Text *out, double width, double height, const char *title, const char *description);
void svg_item(Text *out, const DrawItem *item, const char *id); // id: of its drawing
const char *svg_dash_array(DrawDash dash);                      // "": solid

#endif
