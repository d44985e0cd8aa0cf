// Files that the build puts into the library.
#ifndef VIVA_SHOW_EMBEDDED_H
#define VIVA_SHOW_EMBEDDED_H

#include <stddef.h>

// src/show/report.css
extern const char report_style[];
extern const size_t report_style_length;
// web/, bundled; empty where Node.js was not there when we were built
extern const char report_script[];
extern const size_t report_script_length;
// the same for scenes in space, which carries three.js: only pages that have one hold it
extern const char space_script[];
extern const size_t space_script_length;

#endif
