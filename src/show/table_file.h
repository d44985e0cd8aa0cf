// Tables as files, each in the form that the ending of its name says: CSV, JSON, MATLAB's level 5, NumPy's archives.
//
// parts: table_csv.c table_json.c table_mat.c table_npz.c
#ifndef VIVA_SHOW_TABLE_FILE_H
#define VIVA_SHOW_TABLE_FILE_H

#include "base/outfile.h"
#include "base/sink.h"

typedef struct TableFile TableFile;

bool table_file_known(const char *path);                  // is the ending one of these? Without any it is CSV
TableFile *table_file_open(const char *path, int *error); // errno in *error
Sink table_file_sink(TableFile *table);
int table_file_finish(TableFile *table);   // the file appears; 0 or errno, and then nothing is left
void table_file_discard(TableFile *table); // frees; nothing is left of what was not finished
// From a handler of signals (outfile_rescue): whole rows become the file where the form can be cut, else no file is
// left.
void table_file_rescue(TableFile *table);

// ---- for its parts

// Rows that are kept until all are known: those of .mat and .npz.
typedef struct TableRows {
  char **names;
  size_t columns, rows, room;
  double *values; // row by row
} TableRows;

typedef struct TableForm {
  const char *ending;
  bool cut; // what was written so far is a table
  // as the rows come; NULL: they are kept
  bool (*header)(OutFile *file, const char *const *names, size_t count);
  bool (*row)(OutFile *file, const double *values, size_t count, size_t before); // before: number of rows before it
  bool (*end)(OutFile *file, const TableRows *kept); // NULL: nothing is left to write; false: errno says why
} TableForm;
extern const TableForm table_form_csv, table_form_json, table_form_mat, table_form_npz;

#endif
