// The command. It uses the public API alone.
#ifndef VIVA_CLI_CLI_H
#define VIVA_CLI_CLI_H

#include "viva/viva.h"

#include <stdbool.h>
#include <stddef.h>

enum { exit_done = 0, exit_failed = 1, exit_input = 2 };

// One option of a verb. Its value goes where the kind says.
typedef enum OptionKind { option_flag, option_text, option_number, option_list, option_later } OptionKind;

typedef struct TextList {
  const char **items;
  size_t count;
} TextList;

typedef struct Option {
  const char *name;  // --set
  OptionKind kind;
  const char *value; // how the help calls its value
  const char *help;
  void *into;        // bool *, const char **, double *, TextList *
} Option;

typedef struct Verb {
  const char *name;
  const char *usage;
  const char *about;
  int (*main)(int argc, char **argv); // argv[0] is the verb
} Verb;

extern const Verb verb_derive, verb_run, verb_export, verb_cache;

// Reads the options and the one file of a verb. Returns -1 to go on, else the exit status (help was shown, or an error).
int read_options(const Verb *verb, const Option *options, size_t count, int argc, char **argv, const char **file);
void free_list(TextList *list);

// Loads a model and shows its diagnostics. -1: go on.
int load_model(const char *file, const viva_load_options *options, viva_model **model);
void complain(const char *format, ...) __attribute__((format(printf, 1, 2))); // viva: error: ...
const char *nearest(const char *word, const char *const *known, size_t count);
int finish_output(void); // flushes standard output; the exit status

#endif
