// Tables as JSON: {"columns": ["t", "x"], "rows": [[0, 1], ...]}, a line a row.
//
// Numbers as in CSV; what is not finite is null, because JSON has no word for it.
#include "base/number.h"
#include "show/table_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool put(OutFile *file, const char *text) { return outfile_write(file, text, strlen(text)); }

static bool put_name(OutFile *file, const char *name) {
  bool ok = put(file, "\"");
  for (const char *s = name; ok && *s; s++) {
    char code[8];
    if ((unsigned char)*s < 0x20) {
      snprintf(code, sizeof code, "\\u%04x", (unsigned)*s);
      ok = put(file, code);
    } else {
      ok = ((*s != '"' && *s != '\\') || put(file, "\\")) && outfile_write(file, s, 1);
    }
  }
  return ok && put(file, "\"");
}

static bool header(OutFile *file, const char *const *names, size_t count) {
  bool ok = put(file, "{\"columns\": [");
  for (size_t i = 0; i < count && ok; i++) ok = (i == 0 || put(file, ", ")) && put_name(file, names[i]);
  return ok && put(file, "],\n\"rows\": [\n");
}

static bool row(OutFile *file, const double *values, size_t count, size_t before) {
  bool ok = put(file, before ? ",\n[" : "[");
  for (size_t i = 0; i < count && ok; i++) {
    char text[number_text_size] = "null";
    if (isfinite(values[i])) number_print(values[i], text);
    ok = (i == 0 || put(file, ", ")) && put(file, text);
  }
  return ok && put(file, "]");
}

static bool end(OutFile *file, const TableRows *kept) {
  (void)kept;
  return put(file, "\n]}\n");
}

const TableForm table_form_json = {.ending = ".json", .header = header, .row = row, .end = end};
