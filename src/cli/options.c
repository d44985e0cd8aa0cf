#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool confined;
bool is_confined(void) { return confined; }

int finish_output(void) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return exit_done;
  if (errno == EPIPE) return exit_failed; // the reader has what it wanted, as in `viva derive ... | head`
  complain("standard output cannot be written: %s", strerror(errno));
  return exit_failed;
}

// Edit distance by rows; words are short.
static size_t distance(const char *a, const char *b) {
  size_t row[64], nb = strlen(b);
  if (nb >= 63) return 99;
  for (size_t j = 0; j <= nb; j++) row[j] = j;
  for (size_t i = 1; *a; a++, i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      size_t above = row[j], best = diagonal + (*a != b[j - 1]);
      if (above + 1 < best) best = above + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
      diagonal = above;
    }
  }
  return row[nb];
}

static size_t common_start(const char *a, const char *b) {
  size_t n = 0;
  while (a[n] && a[n] == b[n]) n++;
  return n;
}

// Of equally near ones the one that starts alike: one knows how a word begins.
const char *nearest(const char *word, const char *const *known, size_t count) {
  const char *best = NULL;
  size_t least = 4;
  for (size_t i = 0; i < count; i++) {
    size_t d = distance(word, known[i]);
    bool nearer = d < least || (best && d == least && common_start(word, known[i]) > common_start(word, best));
    if (!nearer || d >= strlen(word)) continue;
    least = d;
    best = known[i];
  }
  return best;
}

static void show_help(const Verb *verb, const Option *options, size_t count) {
  printf("usage: %s\n\n%s\n\noptions:\n", verb->usage, verb->about);
  for (size_t i = 0; i < count; i++) {
    if (options[i].kind == option_later) continue;
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", options[i].name, options[i].value ? " " : "",
             options[i].value ? options[i].value : "");
    printf("  %-22s %s\n", left, options[i].help);
  }
  if (verb != &verb_completion)
    printf("  %-22s %s\n", "--confine", "read only files in the folder of the model, or below it");
  printf("  %-22s %s\n", "-h, --help", "this text");
}

static const Option *find_option(const Option *options, size_t count, const char *name, size_t length) {
  for (size_t i = 0; i < count; i++) {
    if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0) return &options[i];
  }
  return NULL;
}

static int unknown_option(const Option *options, size_t count, const char *name) {
  const char *known[64];
  for (size_t i = 0; i < count && i < 64; i++) known[i] = options[i].name;
  const char *near = nearest(name, known, count);
  complain("unknown option `%s`", name);
  if (near) hint("did you mean `%s`?", near);
  return exit_input;
}

static int take_value(const Option *o, const char *value) {
  if (o->kind == option_text) {
    *(const char **)o->into = value;
  } else if (o->kind == option_number) {
    char *end;
    double x = strtod(value, &end);
    if (end == value || *end || isnan(x)) {
      complain("`%s` needs a number, not `%s`", o->name, value);
      return exit_input;
    }
    *(double *)o->into = x;
  } else {
    TextList *list = o->into;
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items) {
      complain("memory is out");
      return exit_failed;
    }
    list->items = items;
    list->items[list->count++] = value;
  }
  return -1;
}

void free_list(TextList *list) { free(list->items); }

static bool is_digits(const char *text) { return *text && strspn(text, "0123456789") == strlen(text); }

int read_options(const Verb *verb, const Option *options, size_t count, int argc, char **argv, const char **file) {
  int files = 0;
  for (int i = 0; i < verb->files; i++) file[i] = NULL;
  if (argc > 1 && strcmp(argv[1], complete_word) == 0)
    return complete_options(verb, options, count, argc - 2, argv + 2);
  bool words_only = false;
  for (int i = 1; i < argc; i++) {
    const char *arg = argv[i];
    if (!words_only && (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)) {
      show_help(verb, options, count);
      int status = finish_output();
      return status;
    }
    if (!words_only && verb != &verb_completion && strcmp(arg, "--confine") == 0) {
      confined = true;
      continue;
    }
    if (!words_only && strcmp(arg, "--") == 0) {
      words_only = true;
      continue;
    }
    if (words_only || arg[0] != '-' || arg[1] == '\0') {
      if (files == verb->files) {
        if (files == 1) complain("one model file at a time: `%s` and `%s`", *file, arg);
        else complain("two model files, not a third: `%s`", arg);
        return exit_input;
      }
      file[files++] = arg;
      continue;
    }
    const char *equal = strchr(arg, '=');
    const Option *o = find_option(options, count, arg, equal ? (size_t)(equal - arg) : strlen(arg));
    if (!o) return unknown_option(options, count, arg);
    if (o->kind == option_later) {
      complain("`%s` is not there yet", o->name);
      return exit_input;
    }
    if (o->kind == option_flag) {
      if (equal) {
        complain("`%s` takes no value", o->name);
        return exit_input;
      }
      *(bool *)o->into = true;
      continue;
    }
    if (o->kind == option_digits) {
      const char *digits = equal ? equal + 1 : i + 1 < argc && is_digits(argv[i + 1]) ? argv[++i] : "6";
      long n = is_digits(digits) ? strtol(digits, NULL, 10) : 0;
      if (n < 1 || n > 17) {
        complain("`%s` takes 1 to 17 digits, not `%s`", o->name, digits);
        return exit_input;
      }
      *(uint32_t *)o->into = (uint32_t)n;
      continue;
    }
    const char *value = equal ? equal + 1 : i + 1 < argc ? argv[++i] : NULL;
    if (!value) {
      complain("`%s` needs a value: %s %s", o->name, o->name, o->value);
      return exit_input;
    }
    int status = take_value(o, value);
    if (status >= 0) return status;
  }
  if (files == verb->files) return -1;
  complain(files         ? "a second model file is missing; usage: %s"
           : verb->words ? "what? usage: %s"
                         : "no model file; usage: %s",
           verb->usage);
  return exit_input;
}

int choose(const char *option, const char *value, const char *const *names, size_t count, const char *const *later,
           size_t later_count, int *out) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(names[i], value) != 0) continue;
    *out = (int)i;
    return -1;
  }
  for (size_t i = 0; i < later_count; i++) {
    if (strcmp(later[i], value) != 0) continue;
    complain("`%s %s` is not there yet", option, value);
    return exit_input;
  }
  complain("`%s` cannot be `%s`", option, value);
  char known[512] = "";
  for (size_t i = 0; i < count; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, " `%s`", names[i]);
  }
  hint("there is%s", known);
  return exit_input;
}
