// Tables as CSV (RFC 4180): a line of names, then a line a row.
//
// Numbers are the shortest text that reads back to the same double, so a table keeps its bits. Names that hold a comma
// or a quote are quoted. Lines end with a newline.
#include "base/number.h"
#include "show/table_file.h"

#include <string.h>

// Names that hold a comma or a quote are quoted.
static bool put_name(OutFile *file, const char *name) {
  if (!strpbrk(name, ",\"\n")) return outfile_write(file, name, strlen(name));
  bool ok = outfile_write(file, "\"", 1);
  for (const char *s = name; ok && *s; s++) {
    ok = outfile_write(file, s, 1) && (*s != '"' || outfile_write(file, "\"", 1));
  }
  return ok && outfile_write(file, "\"", 1);
}

static bool header(OutFile *file, const char *const *names, size_t count) {
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) ok = (i == 0 || outfile_write(file, ",", 1)) && put_name(file, names[i]);
  return ok && outfile_write(file, "\n", 1);
}

static bool row(OutFile *file, const double *values, size_t count, size_t before) {
  (void)before;
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) {
    char text[number_text_size];
    number_print(values[i], text);
    ok = (i == 0 || outfile_write(file, ",", 1)) && outfile_write(file, text, strlen(text));
  }
  return ok && outfile_write(file, "\n", 1);
}

const TableForm table_form_csv = {.ending = ".csv", .cut = true, .header = header, .row = row};
