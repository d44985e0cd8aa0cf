// Tables as CSV (RFC 4180): a line of names, then a line a row.
//
// in    names, rows of numbers (base/sink.h)
// out   a file that appears whole (base/outfile.h); numbers by the shortest text that reads back to the same double, so
//       a table keeps its bits. Names that hold a comma or a quote are quoted. Lines end with a newline.
#include "show/csv.h"

#include "base/outfile.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct CsvFile {
  OutFile *file;
};

CsvFile *csv_open(const char *path, int *error) {
  CsvFile *csv = calloc(1, sizeof *csv);
  if (!csv) *error = ENOMEM;
  if (csv) csv->file = outfile_open(path, error);
  if (csv && csv->file) return csv;
  free(csv);
  return NULL;
}

// Names that hold a comma or a quote are quoted.
static bool put_name(OutFile *file, const char *name) {
  if (!strpbrk(name, ",\"\n")) return outfile_write(file, name, strlen(name));
  bool ok = outfile_write(file, "\"", 1);
  for (const char *s = name; ok && *s; s++) {
    ok = outfile_write(file, s, 1) && (*s != '"' || outfile_write(file, "\"", 1));
  }
  return ok && outfile_write(file, "\"", 1);
}

static bool csv_header(void *self, const char *const *names, size_t count) {
  OutFile *file = ((CsvFile *)self)->file;
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) ok = (i == 0 || outfile_write(file, ",", 1)) && put_name(file, names[i]);
  return ok && outfile_write(file, "\n", 1);
}

static bool csv_row(void *self, const double *values, size_t count) {
  OutFile *file = ((CsvFile *)self)->file;
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) {
    char text[number_text_size];
    number_print(values[i], text);
    ok = (i == 0 || outfile_write(file, ",", 1)) && outfile_write(file, text, strlen(text));
  }
  return ok && outfile_write(file, "\n", 1) && outfile_end_row(file);
}

Sink csv_sink(CsvFile *csv) { return (Sink){.self = csv, .header = csv_header, .row = csv_row}; }

int csv_finish(CsvFile *csv) { return outfile_finish(csv->file); }

void csv_rescue(CsvFile *csv) { outfile_rescue(csv->file); }

void csv_discard(CsvFile *csv) {
  if (!csv) return;
  outfile_discard(csv->file);
  free(csv);
}
