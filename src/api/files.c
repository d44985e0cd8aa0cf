// Tables and files from the outside: each appears whole or not at all.
#include "base/outfile.h"
#include "show/table_file.h"
#include "viva/viva.h"

#include <errno.h>
#include <stdlib.h>

// ---- tables

struct viva_csv {
  TableFile *file;
  Sink sink;
};

int viva_csv_knows(const char *path) { return path && table_file_known(path); }

viva_status viva_csv_open(const char *path, viva_csv **csv, int *system_error) {
  if (!path || !csv) return VIVA_EUSAGE;
  *csv = calloc(1, sizeof **csv);
  if (!*csv) return VIVA_ENOMEM;
  int error = 0;
  (*csv)->file = table_file_open(path, &error);
  if (system_error) *system_error = error;
  if ((*csv)->file) {
    (*csv)->sink = table_file_sink((*csv)->file);
    return VIVA_OK;
  }
  free(*csv);
  *csv = NULL;
  return error == ENOMEM ? VIVA_ENOMEM : VIVA_EIO;
}

viva_sink viva_csv_sink(viva_csv *csv) {
  return csv ? (viva_sink){csv->sink.self, csv->sink.header, csv->sink.row} : (viva_sink){0};
}

viva_status viva_csv_finish(viva_csv *csv, int *system_error) {
  if (!csv) return VIVA_EUSAGE;
  int error = table_file_finish(csv->file);
  if (system_error) *system_error = error;
  return error ? VIVA_EIO : VIVA_OK;
}

viva_status viva_csv_close(viva_csv *csv, int *system_error) {
  viva_status status = viva_csv_finish(csv, system_error);
  viva_csv_discard(csv);
  return status;
}

void viva_csv_rescue(viva_csv *csv) {
  if (csv) table_file_rescue(csv->file);
}

void viva_csv_discard(viva_csv *csv) {
  if (!csv) return;
  table_file_discard(csv->file);
  free(csv);
}

// ---- files

struct viva_file {
  OutFile *out;
};

viva_status viva_file_open(const char *path, viva_file **file, int *system_error) {
  if (!path || !file) return VIVA_EUSAGE;
  int error = 0;
  *file = calloc(1, sizeof **file);
  if (!*file) return VIVA_ENOMEM;
  (*file)->out = outfile_open(path, &error);
  if (system_error) *system_error = error;
  if ((*file)->out) return VIVA_OK;
  free(*file);
  *file = NULL;
  return VIVA_EIO;
}

viva_status viva_file_finish(viva_file *file, const char *data, size_t length, int *system_error) {
  if (!file || !data) return VIVA_EUSAGE;
  outfile_write(file->out, data, length);
  int error = outfile_finish(file->out);
  if (system_error) *system_error = error;
  return error ? VIVA_EIO : VIVA_OK;
}

viva_status viva_file_save(viva_file *file, const char *data, size_t length, int *system_error) {
  viva_status status = viva_file_finish(file, data, length, system_error);
  if (status != VIVA_EUSAGE) viva_file_discard(file);
  return status;
}

void viva_file_abandon(viva_file *file) {
  if (file) outfile_abandon(file->out);
}

bool viva_file_same(const char *a, const char *b) { return a && b && outfile_same(a, b); }

void viva_file_discard(viva_file *file) {
  if (!file) return;
  outfile_discard(file->out);
  free(file);
}
