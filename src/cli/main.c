// The command line program: viva COMMAND FILE [options]
//
// The table of commands, and what concerns all of them: help, completion, unknown commands, closed streams. The program
// uses the public header alone.
#define _POSIX_C_SOURCE 200809L
#include "cli/complete.h"
#include "cli/message.h"
#include "cli/nearest.h"
#include "cli/signals.h"
#include "cli/verbs.h"
#include "viva/viva.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const Verb *const verbs[] = {
    &verb_derive, &verb_run,         &verb_linearize, &verb_analyze, &verb_equilibrium, &verb_check,
    &verb_diff,   &verb_animate,     &verb_diagram,   &verb_report,  &verb_export,      &verb_import,
    &verb_fit,    &verb_sensitivity, &verb_sweep,     &verb_cache,   &verb_completion};
enum { verb_count = sizeof verbs / sizeof *verbs };

static const char help_verb[] = "help"; // main.c's own: it speaks of the others

static int help(void) {
  puts("usage: viva VERB FILE [options]\n\nVis Viva: the dynamics of physical systems, from a short text.\n\nverbs:");
  for (size_t i = 0; i < verb_count; i++) printf("  %-11s %s\n", verbs[i]->name, verbs[i]->about);
  puts("\n`viva help VERB` tells the options of a verb, `viva --version` the version.");
  return finish_output();
}

// A standard stream that is closed must not become the number of a file that is opened later: what is printed would
// land in it. Written to, these stand-ins fail as the closed ones did.
static void hold_streams(void) {
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) != -1) continue;
    int other = open("/dev/null", O_RDONLY);
    if (other >= 0 && other != fd) close(other);
  }
}

static const Verb *find_verb(const char *word) {
  for (size_t i = 0; i < verb_count; i++) {
    if (strcmp(verbs[i]->name, word) == 0) return verbs[i];
  }
  return NULL;
}

// Commands by the words of other programs; NULL: none of them.
static const char *foreign_verb(const char *word) {
  static const struct {
    const char *said, *hint;
  } words[] = {{"simulate", "`viva run FILE` simulates a model"},
               {"sim", "`viva run FILE` simulates a model"},
               {"solve", "`viva run FILE` simulates a model, `viva derive FILE` shows its equations"},
               {"plot", "`viva run FILE --plot FILE.svg` draws a simulation, `--terminal` in the terminal"},
               {"draw", "`viva run FILE --plot FILE.svg` draws a simulation, `viva diagram FILE` the block diagram"},
               {"optimize", "`viva fit FILE --minimize MEASURE --free NAME=FROM:TO` looks for the least"},
               {"estimate", "`viva fit FILE DATA.csv` finds parameters from data"},
               {"bode", "`viva analyze FILE --path u:y --plot bode=FILE.svg` draws it"},
               {"inverse", "`viva run FILE --inverse MOTION.csv` finds the forces of a given motion"},
               {"compare", "`viva run FILE --compare M1,M2` compares methods, `viva diff FILE FILE` models"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i].said, word) == 0) return words[i].hint;
  }
  return NULL;
}

static int unknown_verb(const char *word) {
  const char *foreign = foreign_verb(word);
  Nearest near = {.word = word};
  nearest_try(&near, help_verb);
  for (size_t i = 0; i < verb_count; i++) nearest_try(&near, verbs[i]->name);
  complain("unknown command `%s`", word);
  if (foreign) hint("%s", foreign);
  else if (near.best) hint("did you mean `viva %s`?", near.best);
  else hint("`viva --help` lists the verbs");
  return exit_input;
}

// viva help COMMAND
static int help_on(const char *word) {
  const Verb *verb = find_verb(word);
  if (!verb) return unknown_verb(word);
  char name[32], option[] = "--help";
  snprintf(name, sizeof name, "%s", verb->name);
  return verb->main(2, (char *[]){name, option, NULL});
}

// viva complete WORD...: for the shell; the last word is the one that is being typed.
static int complete(int argc, char **argv) {
  const char *first = argc > 1 ? argv[1] : "";
  if (argc <= 2) {
    for (size_t i = 0; i < verb_count; i++) complete_name(verbs[i]->name, verbs[i]->about, first);
    complete_name(help_verb, "what a verb does, and its options", first);
    return finish_output();
  }
  if (strcmp(first, help_verb) == 0) return complete(argc - 1, argv + 1);
  const Verb *verb = find_verb(first);
  if (!verb) return exit_input;
  // viva COMMAND --complete-words WORD...: the command knows its options
  char word[sizeof complete_word];
  memcpy(word, complete_word, sizeof word);
  argv[0] = argv[1];
  argv[1] = word;
  return verb->main(argc, argv);
}

static int run_verb(int argc, char **argv) {
  const char *word = argv[1];
  if (strcmp(word, help_verb) == 0 && argc > 2) return help_on(argv[2]);
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, help_verb) == 0) return help();
  if (strcmp(word, "--version") == 0) {
    printf("viva %s\n", viva_version());
    return finish_output();
  }
  if (strcmp(word, "complete") == 0) return complete(argc - 1, argv + 1);
  const Verb *verb = find_verb(word);
  return verb ? verb->main(argc - 1, argv + 1) : unknown_verb(word);
}

int main(int argc, char **argv) {
  hold_streams();
  catch_signals();
  if (argc < 2) {
    help();
    return exit_input;
  }
  message_begin(argc, argv);
  return message_end(run_verb(argc, argv));
}
