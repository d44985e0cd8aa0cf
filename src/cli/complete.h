// Shell completion: what may stand at the word that is being typed (`viva complete WORD...`).
#ifndef VIVA_CLI_COMPLETE_H
#define VIVA_CLI_COMPLETE_H

#include "cli/options.h"

// viva COMMAND --complete-words WORD...: the command, which knows its options, lists what may stand at the last word
static const char complete_word[] = "--complete-words";
static const char confine_option[] = "--confine",
                  confine_help[] = "read only files in the folder of the model, or below it";

int complete_options(const Verb *verb, const Option *options, size_t count, int argc, char **argv);
// Prints a name with its help if it starts as the word does.
void complete_name(const char *name, const char *help, const char *start);

#endif
