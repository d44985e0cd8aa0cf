// Shell completion: the start-up lines for each shell.
//
// viva completion SHELL prints a few lines for the shell's start-up file. They ask `viva complete WORD...` for what may
// stand at the last word: commands, options of a command, values of an option. So the shell never knows an option that
// the program does not, and no list is kept twice. Where nothing is printed, the shell completes names of files.
#include "cli/message.h"
#include "cli/options.h"
#include "cli/verbs.h"

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
    .bare = true,
};
