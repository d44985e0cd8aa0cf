// Shell completion: the options, option values and words of a command that start as the word being typed.
//
// in    the table of a command's options and the arguments behind it, the last one being typed
// out   on standard output, a line each: values of the option before it, options that start alike, words of the
//       command; a tab stands between a name and its help. Nothing: the shell completes names of files.
#include "cli/complete.h"

#include "cli/message.h"

#include <stdio.h>
#include <string.h>

static bool starts_with(const char *text, size_t length, const char *start) {
  size_t n = strlen(start);
  return n <= length && memcmp(text, start, n) == 0;
}

static void complete_words(const char *words, const char *start) {
  for (size_t n; words && *words; words += n + (words[n] == ' ')) {
    n = strcspn(words, " ");
    if (starts_with(words, n, start)) printf("%.*s\n", (int)n, words);
  }
}

void complete_name(const char *name, const char *help, const char *start) {
  if (starts_with(name, strlen(name), start)) printf("%s\t%s\n", name, help);
}

int complete_options(const Verb *verb, const Option *options, size_t count, int argc, char **argv) {
  const char *last = argc ? argv[argc - 1] : "";
  // the value of an option
  for (size_t i = 0; argc >= 2 && i < count; i++) {
    if (strcmp(options[i].name, argv[argc - 2]) != 0 || !options[i].value) continue;
    complete_words(options[i].choices, last);
    return finish_output();
  }
  if (last[0] == '-') {
    for (size_t i = 0; i < count; i++) {
      if (options[i].kind != option_reserved) complete_name(options[i].name, options[i].help, last);
    }
    if (!verb->bare) complete_name(confine_option, confine_help, last);
    complete_name("--help", "this text", last);
  } else if (argc == 1) {
    complete_words(verb->words, last);
  }
  return finish_output();
}
