// Tables as CSV files: a header row, then numbers that read back to the same double.
#ifndef VIVA_SHOW_CSV_H
#define VIVA_SHOW_CSV_H

#include "base/sink.h"

typedef struct CsvFile CsvFile;

CsvFile *csv_open(const char *path, int *error); // errno in *error
Sink csv_sink(CsvFile *csv);
int csv_finish(CsvFile *csv);   // the file appears; 0 or errno, and then nothing is left
void csv_discard(CsvFile *csv); // frees; nothing is left of what was not finished
void csv_rescue(CsvFile *csv);  // see outfile_rescue

#endif
