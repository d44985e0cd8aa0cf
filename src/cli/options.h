// The command line of a command: its options and its files.
#ifndef VIVA_CLI_OPTIONS_H
#define VIVA_CLI_OPTIONS_H

#include "cli/verb.h"

#include <stddef.h>

// One option of a command. Its value goes where the kind says.
typedef enum OptionKind {
  option_flag,
  option_text,
  option_number,
  option_list,
  option_input,   // a file that is read
  option_inputs,  // a list of them
  option_output,  // a file that is written
  option_outputs, // a list of KIND=FILE
  option_digits,
  option_count,   // a whole number from 1 on
  option_reserved // of the language, but of a later version
} OptionKind;

typedef struct TextList {
  const char **items;
  size_t count;
} TextList;

typedef struct Option {
  const char *name; // --set
  OptionKind kind;
  const char *value; // how the help calls its value
  const char *help;
  void *into;          // bool *, const char **, double *, TextList *, uint32_t *
  const char *choices; // the words that its value may be, blanks between them; NULL: anything
} Option;

// Reads the options and the files of a command into file[0] ... Returns -1 to go on, else the exit status: help was
// shown, or an error.
int read_options(const Verb *verb, const Option *options, size_t count, int argc, char **argv, const char **file);
void free_list(TextList *list);

bool is_confined(void); // `--confine`, which every command with models has

// One of some names; *out is its index. reserved: names of a later version. -1: go on.
typedef struct Choice {
  const char *const *names;
  size_t count;
  const char *const *reserved;
  size_t reserved_count;
} Choice;
int choose(const char *option, const char *value, const Choice *choice, int *out);

#endif
