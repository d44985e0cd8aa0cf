// Rows written into a file, whatever its format.
//
// in    a path, names, rows of numbers (base/sink.h)
// out   a file that appears whole (base/outfile.h)
// how   Forms that can grow are written as rows come. The others need to know how many rows there are: theirs are kept
//       in memory until the end.
#include "show/table_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

struct TableFile {
  OutFile *file;
  const TableForm *form;
  TableRows kept;
  size_t rows;
  int error; // of what is kept
  bool ended;
};

static const TableForm *const forms[] = {&table_form_csv, &table_form_json, &table_form_mat, &table_form_npz};

// A pipe or a device: its name means nothing.
static bool is_stream(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

// NULL: the ending is none of these.
static const TableForm *form_of(const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  if (!dot || dot == base) return &table_form_csv;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (strcasecmp(dot, forms[i]->ending) == 0) return forms[i];
  }
  return NULL;
}

bool table_file_known(const char *path) { return form_of(path) != NULL; }

TableFile *table_file_open(const char *path, int *error) {
  TableFile *t = calloc(1, sizeof *t);
  if (!t) {
    *error = ENOMEM;
    return NULL;
  }
  t->form = is_stream(path) ? &table_form_csv : form_of(path);
  if (!t->form) t->form = &table_form_csv;
  t->file = outfile_open(path, error);
  if (t->file) return t;
  free(t);
  return NULL;
}

static bool keep_header(TableFile *t, const char *const *names, size_t count) {
  t->kept.names = calloc(count ? count : 1, sizeof *t->kept.names);
  for (size_t i = 0; t->kept.names && i < count; i++) {
    size_t size = strlen(names[i]) + 1;
    t->kept.names[i] = malloc(size);
    if (!t->kept.names[i]) return false;
    memcpy(t->kept.names[i], names[i], size);
    t->kept.columns = i + 1;
  }
  return t->kept.names != NULL;
}

static bool keep_row(TableFile *t, const double *values, size_t count) {
  TableRows *k = &t->kept;
  if (count != k->columns) return false;
  if (k->rows == k->room) {
    size_t room = k->room ? 2 * k->room : 1024;
    double *more =
        count && room <= SIZE_MAX / sizeof *more / count ? realloc(k->values, room * count * sizeof *more) : NULL;
    if (!more) return false;
    k->values = more;
    k->room = room;
  }
  memcpy(k->values + k->rows++ * count, values, count * sizeof *values);
  return true;
}

static bool take_header(void *self, const char *const *names, size_t count) {
  TableFile *t = self;
  if (t->form->header) return t->form->header(t->file, names, count);
  if (keep_header(t, names, count)) return true;
  t->error = ENOMEM;
  return false;
}

static bool take_row(void *self, const double *values, size_t count) {
  TableFile *t = self;
  if (t->form->row) return t->form->row(t->file, values, count, t->rows++) && outfile_end_row(t->file);
  if (keep_row(t, values, count)) return true;
  t->error = ENOMEM;
  return false;
}

Sink table_file_sink(TableFile *t) { return (Sink){.self = t, .header = take_header, .row = take_row}; }

int table_file_finish(TableFile *t) {
  errno = 0;
  if (t->error) return t->error;
  if (!t->ended && t->form->end && !t->form->end(t->file, &t->kept)) {
    int error = errno ? errno : outfile_finish(t->file);
    return error ? error : EIO;
  }
  t->ended = true;
  return outfile_finish(t->file);
}

void table_file_rescue(TableFile *t) {
  if (t->form->cut) outfile_rescue(t->file);
  else outfile_abandon(t->file);
}

void table_file_discard(TableFile *t) {
  if (!t) return;
  outfile_discard(t->file);
  for (size_t i = 0; i < t->kept.columns; i++) free(t->kept.names[i]);
  free(t->kept.names);
  free(t->kept.values);
  free(t);
}
