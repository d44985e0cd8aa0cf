// What a command reads and what it writes: nothing that is read is ever written to, and no two outputs are one file.
//
// A command is one process with one verb, so both lists belong to the process. Files are known by device and number: a
// path, a link, a hard link or another spelling on a disk that ignores case is the same file.
#define _POSIX_C_SOURCE 200809L
#include "cli/outputs.h"

#include "cli/message.h"
#include "cli/signals.h"
#include "cli/verb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Input {
  dev_t device;
  ino_t number;
  const char *what;
} Input;

// A target that is not there yet is known by its folder and its name in it.
typedef struct OutputTarget {
  dev_t device;
  ino_t number;
  const char *option;
  char name[256]; // "": it is there, and this is the file itself
} OutputTarget;

enum { most_outputs = 8 };

static struct {
  Input *inputs;
  size_t input_count;
  OutputTarget targets[most_outputs];
  size_t target_count;
} command;

static void note_stat(const struct stat *st, const char *what) {
  if (!S_ISREG(st->st_mode)) return; // a pipe or a device is not destroyed by writing
  Input *more = realloc(command.inputs, (command.input_count + 1) * sizeof *more);
  if (!more) {
    complain("%s", viva_status_text(VIVA_ENOMEM));
    exit(exit_failed); // what is not noted is not protected
  }
  command.inputs = more;
  command.inputs[command.input_count++] = (Input){st->st_dev, st->st_ino, what};
}

void note_input(const char *path, const char *what) {
  struct stat st;
  bool known = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) == 0 : stat(path, &st) == 0;
  if (known) note_stat(&st, what);
}

void note_model(const viva_model *model) {
  for (size_t i = 0; i < viva_model_file_count(model); i++)
    note_input(viva_model_file(model, i), i ? "a file that the model reads" : "the model itself");
}

// ---- targets

static bool is_stream(const char *path) { return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0; }

bool is_stdout(const char *path) {
  struct stat st, out;
  if (!path) return false;
  if (is_stream(path) || strcmp(path, "/dev/fd/1") == 0 || strcmp(path, "/proc/self/fd/1") == 0) return true;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && fstat(STDOUT_FILENO, &out) == 0 && st.st_dev == out.st_dev &&
         st.st_ino == out.st_ino;
}

// Where an output will be; false: it is a stream or a device, or cannot be told, and then opening it tells why.
static bool find_target(const char *path, OutputTarget *t) {
  struct stat st;
  char folder[4096];
  if (is_stream(path)) return false;
  if (stat(path, &st) == 0) {
    *t = (OutputTarget){.device = st.st_dev, .number = st.st_ino};
    return S_ISREG(st.st_mode);
  }
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  size_t n = slash ? (size_t)(slash - path) + 1 : 0;
  if (n >= sizeof folder || strlen(base) >= sizeof t->name || !*base) return false;
  memcpy(folder, path, n);
  folder[n] = '\0';
  if (stat(n ? folder : ".", &st) != 0) return false;
  *t = (OutputTarget){.device = st.st_dev, .number = st.st_ino};
  memcpy(t->name, base, strlen(base) + 1);
  return true;
}

static bool is_same_target(const OutputTarget *a, const OutputTarget *b) {
  // another case may be another file, but nobody means that
  return a->device == b->device && a->number == b->number && strcasecmp(a->name, b->name) == 0;
}

int check_output(const char *option, const char *path) {
  OutputTarget t;
  if (!find_target(path, &t)) return -1;
  for (size_t i = 0; i < command.input_count; i++) {
    const Input *in = &command.inputs[i];
    if (t.name[0] || in->device != t.device || in->number != t.number) continue;
    complain("\"%s\" is %s: `%s` needs another name", path, in->what, option);
    return exit_input;
  }
  for (size_t i = 0; i < command.target_count; i++) {
    if (!is_same_target(&command.targets[i], &t)) continue;
    complain("\"%s\" is where `%s` goes: `%s` needs another name", path, command.targets[i].option, option);
    return exit_input;
  }
  t.option = option;
  if (command.target_count < most_outputs) command.targets[command.target_count++] = t;
  return -1;
}

static int cannot_write(const char *path, int error, int status) {
  if (error != EPIPE)
    complain("\"%s\" cannot be written: %s", path, strerror(error)); // else the reader has what it wanted
  return status;
}

// ---- files

int open_output(const char *option, const char *path, viva_file **file) {
  int error = 0, status = check_output(option, path);
  if (status >= 0) return status;
  viva_status done = viva_file_open(path, file, &error);
  if (done == VIVA_OK) guard_file(*file);
  return done == VIVA_OK ? -1 : cannot_write(path, error ? error : ENOMEM, exit_input);
}

int save_output(viva_file **file, const char *path, const char *data, size_t length) {
  int error = 0;
  viva_status done = viva_file_finish(*file, data, length, &error);
  discard_output(file);
  return done == VIVA_OK ? -1 : cannot_write(path, error, exit_failed);
}

void discard_output(viva_file **file) {
  unguard_file(*file);
  viva_file_discard(*file);
  *file = NULL;
}

int write_output(const char *option, const char *path, const char *data, size_t length) {
  viva_file *file = NULL;
  int status = open_output(option, path, &file);
  return status < 0 ? save_output(&file, path, data, length) : status;
}

int tell_file(const char *path) {
  if (!is_stdout(path)) puts(path);
  return finish_output();
}

// ---- tables

// The ending says the form, so a name that promises another one is refused. A pipe may have any name.
static int check_table_name(const char *path) {
  struct stat st;
  if (is_stream(path) || viva_csv_knows(path)) return -1;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) return -1;
  const char *dot = strrchr(path, '.');
  complain("`--out %s`: a table is written as .csv, .json, .mat or .npz", path);
  hint("write `--out %.*s.csv`", (int)(dot - path), path);
  return exit_input;
}

int open_table(const char *path, viva_csv **csv) {
  int error = 0, status = check_output("--out", path);
  if (status < 0) status = check_table_name(path);
  if (status >= 0) return status;
  viva_status done = viva_csv_open(path, csv, &error);
  if (done == VIVA_OK) guard_table(*csv);
  return done == VIVA_OK ? -1 : cannot_write(path, error ? error : ENOMEM, exit_failed);
}

void discard_table(viva_csv **csv) {
  unguard_table(*csv);
  viva_csv_discard(*csv);
  *csv = NULL;
}

int save_table(viva_csv **csv, const char *path, viva_status status, bool *kept) {
  int error = 0;
  *kept = false;
  bool rows = status == VIVA_OK || status == VIVA_EFAIL || status == VIVA_EINTERRUPTED;
  viva_status done = VIVA_OK;
  // a full disk shows up while rows are written: ask the file what it was
  if (rows || status == VIVA_EIO) done = viva_csv_finish(*csv, &error);
  *kept = rows && done == VIVA_OK;
  discard_table(csv);
  return done == VIVA_OK ? -1 : cannot_write(path, error, exit_failed);
}
