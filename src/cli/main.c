// viva VERB FILE [options]
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Verb *const verbs[] = {&verb_derive, &verb_run,     &verb_linearize, &verb_check,
                                    &verb_diff,   &verb_animate, &verb_diagram,   &verb_report,
                                    &verb_export, &verb_import,  &verb_cache,     &verb_completion};
enum { verb_count = sizeof verbs / sizeof *verbs };

// Verbs of the language that a later version brings.
static const char *const later[] = {"analyze", "equilibrium", "fit", "sweep", "sensitivity"};
enum { later_count = sizeof later / sizeof *later };

static int help(void) {
  puts("usage: viva VERB FILE [options]\n\nVis Viva: the dynamics of physical systems, from a short text.\n\nverbs:");
  for (size_t i = 0; i < verb_count; i++) printf("  %-10s %s\n", verbs[i]->name, verbs[i]->about);
  puts("\n`viva help VERB` tells the options of a verb, `viva --version` the version.");
  return finish_output();
}

// Standard input as a model: read whole.
static char *read_stdin(size_t *length) {
  size_t cap = 65536, used = 0;
  char *text = malloc(cap);
  while (text) {
    used += fread(text + used, 1, cap - used, stdin);
    if (used < cap) break;
    cap *= 2;
    char *more = cap > (256u << 20) ? NULL : realloc(text, cap);
    if (!more) free(text);
    text = more;
  }
  *length = used;
  return text;
}

int read_model(const char *file, ModelText *text) {
  *text = (ModelText){.file = file};
  note_input(file, "the model itself");
  if (strcmp(file, "-") != 0) return -1;
  text->text = read_stdin(&text->length);
  if (text->text) return -1;
  complain("%s", viva_status_text(VIVA_ENOMEM));
  return exit_failed;
}

void free_text(ModelText *text) { free(text->text); }

int load_text(const ModelText *text, const viva_load_options *options, bool warnings, viva_model **model) {
  viva_load_options own = options ? *options : viva_load_defaults();
  own.confined = is_confined();
  options = &own;
  viva_status status = text->text ? viva_model_parse("<stdin>", text->text, text->length, options, model)
                                  : viva_model_load(text->file, options, model);
  note_model(*model);
  for (size_t i = 0; i < viva_model_diagnostic_count(*model); i++) {
    viva_diagnostic d = viva_model_diagnostic(*model, i);
    if (warnings || !d.warning) show_diagnostic(&d);
  }
  size_t dropped = viva_model_diagnostics_dropped(*model);
  if (dropped) fprintf(stderr, "and %zu more\n", dropped);
  if (status == VIVA_OK) return -1;
  if (status != VIVA_EINPUT) complain("%s", viva_status_text(status));
  viva_model_free(*model);
  *model = NULL;
  return status == VIVA_EINPUT ? exit_input : exit_failed;
}

int load_model(const char *file, const viva_load_options *options, viva_model **model) {
  ModelText text;
  int status = read_model(file, &text);
  if (status < 0) status = load_text(&text, options, true, model);
  free_text(&text);
  return status;
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

static int unknown_verb(const char *word) {
  for (size_t i = 0; i < later_count; i++) {
    if (strcmp(later[i], word) != 0) continue;
    complain("`viva %s` is not there yet", word);
    return exit_input;
  }
  const char *known[verb_count + 1] = {"help"};
  for (size_t i = 0; i < verb_count; i++) known[i + 1] = verbs[i]->name;
  const char *near = nearest(word, known, verb_count + 1);
  complain("unknown verb `%s`", word);
  if (near) hint("did you mean `viva %s`?", near);
  else hint("`viva --help` lists the verbs");
  return exit_input;
}

// viva help VERB
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
    for (size_t i = 0; i < verb_count; i++) {
      if (strncmp(verbs[i]->name, first, strlen(first)) == 0) printf("%s\t%s\n", verbs[i]->name, verbs[i]->about);
    }
    if (strncmp("help", first, strlen(first)) == 0) puts("help\twhat a verb does, and its options");
    return finish_output();
  }
  if (strcmp(first, "help") == 0) return complete(argc - 1, argv + 1);
  const Verb *verb = find_verb(first);
  if (!verb) return exit_input;
  // viva VERB --complete-words WORD...: the verb knows its options
  char word[sizeof complete_word];
  memcpy(word, complete_word, sizeof word);
  argv[0] = argv[1];
  argv[1] = word;
  return verb->main(argc, argv);
}

static int run_verb(int argc, char **argv) {
  const char *word = argv[1];
  if (strcmp(word, "help") == 0 && argc > 2) return help_on(argv[2]);
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) return help();
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
