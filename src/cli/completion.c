// Completion in the shell.
//
// viva completion SHELL prints a few lines for the shell's start-up file. They ask `viva complete WORD...` for what may
// stand at the last word: verbs, options of a verb, values of an option. So the shell never knows an option that the
// program does not, and no list is kept twice. Where nothing is printed, the shell completes names of files.
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static const char bash_text[] =
    "_viva() {\n"
    "  local IFS=$'\\n'\n"
    "  COMPREPLY=($(viva complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null | cut -f 1))\n"
    "}\n"
    "complete -o default -F _viva viva\n";

static const char zsh_text[] =
    "#compdef viva\n"
    "_viva() {\n"
    "  local -a found\n"
    "  found=(${(f)\"$(viva complete \"${(@)words[2,CURRENT]}\" 2>/dev/null | sed 's/:/\\\\:/g; s/\\t/:/')\"})\n"
    "  if (( ${#found} )); then _describe viva found; else _files; fi\n"
    "}\n"
    "if [ \"$funcstack[1]\" = _viva ]; then _viva \"$@\"; else compdef _viva viva; fi\n";

static const char fish_text[] = "function __viva_complete\n"
                                "  set -l words (commandline -opc) (commandline -ct)\n"
                                "  viva complete $words[2..-1] 2>/dev/null\n"
                                "end\n"
                                "complete -c viva -n 'test -n \"$(__viva_complete)\"' -f -a '(__viva_complete)'\n";

static int completion_main(int argc, char **argv) {
  static const struct {
    const char *shell, *text;
  } scripts[] = {{"bash", bash_text}, {"zsh", zsh_text}, {"fish", fish_text}};
  const char *shell;
  int status = read_options(&verb_completion, NULL, 0, argc, argv, &shell);
  if (status >= 0) return status;
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
    if (strcmp(scripts[i].shell, shell) != 0) continue;
    fputs(scripts[i].text, stdout);
    return finish_output();
  }
  complain("there is no completion for `%s`", shell);
  hint("there is `bash` `zsh` `fish`");
  return exit_input;
}

const Verb verb_completion = {
    .name = "completion",
    .usage = "viva completion SHELL",
    .about = "completion for bash, zsh or fish, to be read by the shell",
    .main = completion_main,
    .files = 1,
    .words = "bash zsh fish",
};

// ---- what may stand at a word

static bool starts_with(const char *text, size_t length, const char *start) {
  size_t n = strlen(start);
  return n <= length && memcmp(text, start, n) == 0;
}

void complete_words(const char *words, const char *start) {
  for (size_t n; words && *words; words += n + (words[n] == ' ')) {
    n = strcspn(words, " ");
    if (starts_with(words, n, start)) printf("%.*s\n", (int)n, words);
  }
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
      if (options[i].kind == option_later || !starts_with(options[i].name, strlen(options[i].name), last)) continue;
      printf("%s\t%s\n", options[i].name, options[i].help);
    }
    if (verb != &verb_completion && starts_with("--confine", 9, last))
      puts("--confine\tread only files in the folder of the model, or below it");
    if (starts_with("--help", 6, last)) puts("--help\tthis text");
  } else if (argc == 1) {
    complete_words(verb->words, last);
  }
  return finish_output();
}
