// SVG to PNG and PDF, by librsvg and cairo.
//
// The libraries are loaded when the first picture is asked for, so that nobody else waits for them. Their headers are
// not needed.
#ifndef VIVA_SHOW_RASTER_H
#define VIVA_SHOW_RASTER_H

#include "base/text.h"

typedef enum RasterFormat { raster_png, raster_pdf } RasterFormat;

const char *raster_missing(void); // NULL: the libraries are there; else what is missing
// Appends the bytes of the picture. scale: pixels for each unit of the SVG (PNG). NULL: done; else what is missing.
const char *raster_write(const char *svg, size_t length, RasterFormat format, double scale, Text *out);

#endif
