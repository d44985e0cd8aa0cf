// What a command reads and what it writes: nothing that is read is ever written to, and no two outputs are one file.
//
// A command is one process, so both lists belong to the process. viva_file_same sees links and other spellings.
#define _POSIX_C_SOURCE 200809L
#include "cli/outputs.h"

#include "cli/message.h"
#include "cli/signals.h"
#include "cli/verb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Input {
  char *path;
  const char *what, *option; // one of them
} Input;

typedef struct Output {
  const char *option, *path;
} Output;

static struct {
  Input *inputs;
  size_t input_count;
  Output *outputs;
  size_t output_count;
} command;

// What is not noted is not protected, so that the command ends without it.
static void *needed(void *memory) {
  if (memory) return memory;
  complain("%s", viva_status_text(VIVA_ENOMEM));
  exit(exit_failed);
}

// ---- inputs

static void note(const char *path, Input in) {
  in.path = needed(strdup(strcmp(path, "-") == 0 ? "/dev/stdin" : path));
  command.inputs = needed(realloc(command.inputs, (command.input_count + 1) * sizeof in));
  command.inputs[command.input_count++] = in;
}

static bool is_noted(const char *path) {
  for (size_t i = 0; i < command.input_count; i++) {
    if (strcmp(command.inputs[i].path, path) == 0) return true;
  }
  return false;
}

void note_input(const char *path, const char *what) {
  if (!is_noted(path)) note(path, (Input){.what = what});
}
void note_option(const char *path, const char *option) {
  if (!is_noted(path)) note(path, (Input){.option = option});
}

void note_model(const viva_model *model) {
  for (size_t i = 0; i < viva_model_file_count(model); i++)
    note_input(viva_model_file(model, i), i ? "a file that the model reads" : "the model itself");
}

// ---- outputs

static bool is_stream(const char *path) { return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0; }

bool is_stdout(const char *path) { return path && viva_file_same(path, "-"); }

static int refuse_input(const Input *in, const Output *out) {
  if (in->option) complain("\"%s\" is read by `%s`: `%s` needs another name", out->path, in->option, out->option);
  else complain("\"%s\" is %s: `%s` needs another name", out->path, in->what, out->option);
  return exit_input;
}

// One output against the inputs, and against the outputs before it.
static int check_output(size_t index) {
  const Output *out = &command.outputs[index];
  for (size_t i = 0; i < command.input_count; i++) {
    if (viva_file_same(command.inputs[i].path, out->path)) return refuse_input(&command.inputs[i], out);
  }
  for (size_t i = 0; i < index; i++) {
    if (!viva_file_same(command.outputs[i].path, out->path)) continue;
    complain("\"%s\" is where `%s` goes: `%s` needs another name", out->path, command.outputs[i].option, out->option);
    return exit_input;
  }
  return -1;
}

int check_outputs(void) {
  int status = -1;
  for (size_t i = 0; i < command.output_count && status < 0; i++) status = check_output(i);
  return status;
}

int note_output(const char *option, const char *path) {
  for (size_t i = 0; i < command.output_count; i++) {
    if (command.outputs[i].path == path) return check_outputs(); // known from the options
  }
  command.outputs = needed(realloc(command.outputs, (command.output_count + 1) * sizeof *command.outputs));
  command.outputs[command.output_count++] = (Output){option, path};
  return check_outputs();
}

// One status for all commands, also where the disk is full only at the end.
static int cannot_write(const char *path, int error) {
  if (error != EPIPE)
    complain("\"%s\" cannot be written: %s", path, strerror(error)); // else the reader has what it wanted
  return exit_failed;
}

// ---- files

int open_output(const char *option, const char *path, viva_file **file) {
  int error = 0, status = note_output(option, path);
  if (status >= 0) return status;
  viva_status done = viva_file_open(path, file, &error);
  if (done == VIVA_OK) guard_file(*file);
  return done == VIVA_OK ? -1 : cannot_write(path, error ? error : ENOMEM);
}

int save_output(viva_file **file, const char *path, const char *data, size_t length) {
  int error = 0;
  viva_status done = viva_file_finish(*file, data, length, &error);
  discard_output(file);
  return done == VIVA_OK ? -1 : cannot_write(path, error);
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
static int check_table_name(const char *option, const char *path) {
  struct stat st;
  if (is_stream(path) || viva_csv_knows(path)) return -1;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) return -1;
  const char *dot = strrchr(path, '.');
  complain("`%s %s`: a table is written as .csv, .json, .mat or .npz", option, path);
  hint("write `%s %.*s.csv`", option, (int)(dot - path), path);
  return exit_input;
}

int open_table(const char *option, const char *path, viva_csv **csv) {
  int error = 0, status = note_output(option, path);
  if (status < 0) status = check_table_name(option, path);
  if (status >= 0) return status;
  viva_status done = viva_csv_open(path, csv, &error);
  if (done == VIVA_OK) guard_table(*csv);
  return done == VIVA_OK ? -1 : cannot_write(path, error ? error : ENOMEM);
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
  return done == VIVA_OK ? -1 : cannot_write(path, error);
}
