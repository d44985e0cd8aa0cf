// Parses the command line behind the name of a command.
//
// in    argv behind the command, the table of its options
// out   values where the table says, files in their order; or a message and the exit status
// how   one word after another: an option with its value (`--set x=1`, `--set=x=1`), or a file. Behind `--` all words
//       are files. `--help`, `--confine` and the word for completion belong to every command.
#define _POSIX_C_SOURCE 200809L
#include "cli/options.h"

#include "cli/complete.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/outputs.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { usual_digits = 6, most_digits = 17 }; // 17 digits tell every double from its neighbours

static bool confined;
bool is_confined(void) { return confined; }

static void show_help(const Verb *verb, const Option *options, size_t count) {
  printf("usage: %s\n\n%s\n\noptions:\n", verb->usage, verb->about);
  for (size_t i = 0; i < count; i++) {
    if (options[i].kind == option_reserved) continue;
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", options[i].name, options[i].value ? " " : "",
             options[i].value ? options[i].value : "");
    printf("  %-22s %s\n", left, options[i].help);
  }
  if (!verb->bare) printf("  %-22s %s\n", confine_option, confine_help);
  printf("  %-22s %s\n", "-h, --help", "this text");
}

// ---- one word

typedef struct OptionReader {
  const Verb *verb;
  const Option *options;
  size_t count;
  int argc, at; // argv[at] is the present word
  char **argv;
  const char **file;
  int files;
  bool words_only; // behind `--`
} OptionReader;

static const Option *find_option(const OptionReader *r, const char *name, size_t length) {
  for (size_t i = 0; i < r->count; i++) {
    if (strlen(r->options[i].name) == length && memcmp(r->options[i].name, name, length) == 0) return &r->options[i];
  }
  return NULL;
}

static int unknown_option(const OptionReader *r, const char *name) {
  Nearest near = {.word = name};
  for (size_t i = 0; i < r->count; i++) nearest_try(&near, r->options[i].name);
  complain("unknown option `%s`", name);
  if (near.best) hint("did you mean `%s`?", near.best);
  return exit_input;
}

static int take_file(OptionReader *r, const char *word) {
  if (r->files < r->verb->files) {
    r->file[r->files++] = word;
    return -1;
  }
  if (r->files == 1) complain("one model file at a time: `%s` and `%s`", *r->file, word);
  else complain("two model files, not a third: `%s`", word);
  return exit_input;
}

static int take_number(const Option *o, const char *value) {
  char *end;
  double x = strtod(value, &end);
  if (end == value || *end || isnan(x)) {
    complain("`%s` needs a number, not `%s`", o->name, value);
    return exit_input;
  }
  *(double *)o->into = x;
  return -1;
}

static int take_item(TextList *list, const char *value) {
  const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
  if (!items) {
    complain("out of memory");
    return exit_failed;
  }
  list->items = items;
  list->items[list->count++] = value;
  return -1;
}

void free_list(TextList *list) { free(list->items); }

static bool is_digits(const char *text) { return *text && strspn(text, "0123456789") == strlen(text); }

// `--numeric`, `--numeric 8`, `--numeric=8`
static int take_digits(OptionReader *r, const Option *o, const char *value) {
  if (!value && r->at + 1 < r->argc && is_digits(r->argv[r->at + 1])) value = r->argv[++r->at];
  long n = !value ? usual_digits : is_digits(value) ? strtol(value, NULL, 10) : 0;
  if (n < 1 || n > most_digits) {
    complain("`%s` takes 1 to %d digits, not `%s`", o->name, most_digits, value);
    return exit_input;
  }
  *(uint32_t *)o->into = (uint32_t)n;
  return -1;
}

static int take_count(const Option *o, const char *value) {
  const size_t most_figures = 9;
  long n = is_digits(value) && strlen(value) <= most_figures ? strtol(value, NULL, 10) : 0;
  if (n < 1) {
    complain("`%s` needs a whole number from 1 to 999999999, not `%s`", o->name, value);
    return exit_input;
  }
  *(uint32_t *)o->into = (uint32_t)n;
  return -1;
}

static int take_flag(const Option *o, const char *value) {
  if (value) {
    complain("`%s` takes no value", o->name);
    return exit_input;
  }
  *(bool *)o->into = true;
  return -1;
}

static int take_option(OptionReader *r, const char *word) {
  const char *equal = strchr(word, '='), *value = equal ? equal + 1 : NULL;
  const Option *o = find_option(r, word, equal ? (size_t)(equal - word) : strlen(word));
  if (!o) return unknown_option(r, word);
  if (o->kind == option_reserved) {
    complain("`%s` is not there yet", o->name);
    return exit_input;
  }
  if (o->kind == option_flag) return take_flag(o, value);
  if (o->kind == option_digits) return take_digits(r, o, value);
  if (!value && r->at + 1 < r->argc) value = r->argv[++r->at];
  if (!value) {
    complain("`%s` needs a value: %s %s", o->name, o->name, o->value);
    return exit_input;
  }
  if (o->kind == option_number) return take_number(o, value);
  if (o->kind == option_count) return take_count(o, value);
  if (o->kind == option_list || o->kind == option_inputs || o->kind == option_outputs) return take_item(o->into, value);
  *(const char **)o->into = value;
  return -1;
}

static int take_word(OptionReader *r) {
  const char *word = r->argv[r->at];
  if (r->words_only || word[0] != '-' || word[1] == '\0') return take_file(r, word);
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    show_help(r->verb, r->options, r->count);
    return finish_output();
  }
  if (!r->verb->bare && strcmp(word, confine_option) == 0) {
    confined = true;
    return -1;
  }
  if (strcmp(word, "--") == 0) {
    r->words_only = true;
    return -1;
  }
  return take_option(r, word);
}

// ---- files

// What the command reads and writes, as far as its words tell.
static int note_files(const OptionReader *r) {
  int status = -1;
  for (int i = 0; i < r->files; i++) {
    const char *dot = strrchr(r->file[i], '.');
    note_input(r->file[i], dot && strcmp(dot, ".viva") != 0 ? "the data file itself" : "the model itself");
  }
  for (size_t k = 0; k < r->count; k++) {
    const Option *o = &r->options[k];
    const TextList *list = o->kind == option_inputs || o->kind == option_outputs ? o->into : NULL;
    const char *path = o->kind == option_input || o->kind == option_output ? *(const char **)o->into : NULL;
    if (o->kind == option_input && path) note_option(path, o->name);
    if (o->kind == option_output && path && status < 0) status = note_output(o->name, path);
    for (size_t i = 0; list && i < list->count; i++) {
      const char *equal = strchr(list->items[i], '=');
      if (o->kind == option_inputs) note_option(list->items[i], o->name);
      else if (equal && status < 0) status = note_output(o->name, equal + 1);
    }
  }
  return status < 0 ? check_outputs() : status; // inputs may come behind outputs
}

int read_options(const Verb *verb, const Option *options, size_t count, int argc, char **argv, const char **file) {
  OptionReader r = {.verb = verb, .options = options, .count = count, .argc = argc, .argv = argv, .file = file};
  for (int i = 0; i < verb->files; i++) file[i] = NULL;
  if (argc > 1 && strcmp(argv[1], complete_word) == 0)
    return complete_options(verb, options, count, argc - 2, argv + 2);
  for (r.at = 1; r.at < argc; r.at++) {
    int status = take_word(&r);
    if (status >= 0) return status;
  }
  if (r.files >= verb->files - verb->optional) return note_files(&r);
  complain(r.files       ? "a second model file is missing; usage: %s"
           : verb->words ? "what? usage: %s"
                         : "no model file; usage: %s",
           verb->usage);
  return exit_input;
}

// ---- one of some names

int choose(const char *option, const char *value, const Choice *choice, int *out) {
  for (size_t i = 0; i < choice->count; i++) {
    if (strcmp(choice->names[i], value) != 0) continue;
    *out = (int)i;
    return -1;
  }
  for (size_t i = 0; i < choice->reserved_count; i++) {
    if (strcmp(choice->reserved[i], value) != 0) continue;
    complain("`%s %s` is not there yet", option, value);
    return exit_input;
  }
  complain("`%s` cannot be `%s`", option, value);
  char known[512] = "";
  for (size_t i = 0; i < choice->count; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, " `%s`", choice->names[i]);
  }
  hint("there is%s", known);
  return exit_input;
}
