// A command of the program: viva NAME FILE... [options].
#ifndef VIVA_CLI_VERB_H
#define VIVA_CLI_VERB_H

#include <stdbool.h>

// Exit statuses of the program. Functions that may end a command return -1 to go on, else one of these after a message.
enum { exit_done = 0, exit_failed = 1, exit_input = 2 };

typedef struct Verb {
  const char *name;
  const char *usage;
  const char *about;
  int (*main)(int argc, char **argv); // argv[0] is the command
  int files;                          // that it takes
  int optional;                       // number of files at the end that may be missing
  const char *words;                  // that may follow it, blanks between them; NULL: none
  bool bare;                          // it reads no model, so there is nothing to confine
} Verb;

#endif
