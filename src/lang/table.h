// Tables of numbers from CSV files.
#ifndef VIVA_LANG_TABLE_H
#define VIVA_LANG_TABLE_H

#include "lang/elab.h"

// Reads a table's text: the column over the first one. False: reported, or memory is out.
bool table_read(Arena *arena, Diags *diags, SystemTable *t, const char *data, size_t length, const char *path,
                const char *column, Span span);
uint32_t table_load(Elab *e, const char *path, const char *column, Span span); // index + 1; 0: reported

#endif
