// Tables of numbers from CSV files.
#ifndef VIVA_LANG_TABLE_H
#define VIVA_LANG_TABLE_H

#include "lang/elab.h"

// Reads a table's text: the column over the first one. False: reported, or out of memory.
bool table_read(Arena *arena, Diags *diags, SystemTable *t, const char *data, size_t length, const char *path,
                const char *column, Span span);
// A whole table, as a source of its own: spans in its errors are those in the file.
typedef struct TableHeader {
  const char **names;
  uint32_t width;
  Span place;    // of the line
  size_t behind; // where the rows begin
  char separator;
  bool measured;      // set by the caller: data, with comments, missing cells, and units behind the names
  bool any_order;     // set by the caller: the first column need not rise; else measured times may be repeated
  const char **units; // of its columns, as they are written; NULL: none
} TableHeader;
// Reports all that is wrong at once. False: reported, or out of memory.
bool table_header(Arena *arena, Diags *diags, uint32_t source, const char *data, size_t length, TableHeader *out);
// rows of header->width numbers, the first rising unless `any_order`; NAN in columns that are not used.
bool table_rows(Arena *arena, Diags *diags, uint32_t source, const char *data, size_t length, const TableHeader *header,
                const bool *used, double **values, uint32_t *rows);

// The same one after the other, straight from the file, which may be longer than memory: only what `take` keeps stays.
// False: out of memory. bad: something is wrong with it, which table_rows tells; nothing is reported here.
typedef struct TableStream {
  void *self;
  bool (*take)(void *self, const double *row); // false: out of memory
  bool bad;
} TableStream;
bool table_stream(Arena *arena, const char *path, const TableHeader *header, const bool *used, TableStream *stream);

uint32_t table_load(Elab *e, const char *path, const char *column, Span span); // index + 1; 0: reported

#endif
