// Random command lines: every command with options that the program itself knows, with good and odd values, on models
// of examples/.
//
//   commands VIVA_PROGRAM EXAMPLES COUNT [SEED]
//
// Options come from `viva complete`, so a new one is tried without a line here. A command ends by itself with status 0,
// 1 or 2, or soon after an interrupt; it never ends by another signal, never says "out of memory" (memory is not
// limited), and says why where its status is not 0. A line that fails is printed with its seed.
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most_words = 64, most_models = 4096, most_options = 128, most_values = 64, patience_s = 2, grace_s = 20 };

typedef struct Option {
  char name[64];
  char values[most_values][64]; // that completion knows
  int value_count;
} Option;

typedef struct Command {
  const char *verb;
  Option options[most_options];
  int option_count;
} Command;

static Command commands[] = {{.verb = "derive"},  {.verb = "run"},    {.verb = "linearize"},   {.verb = "analyze"},
                             {.verb = "check"},   {.verb = "diff"},   {.verb = "equilibrium"}, {.verb = "animate"},
                             {.verb = "diagram"}, {.verb = "report"}, {.verb = "export"},      {.verb = "import"},
                             {.verb = "fit"},     {.verb = "sweep"},  {.verb = "sensitivity"}};
enum { command_count = sizeof commands / sizeof *commands };

static char *models[most_models];
static int model_count;
static const char *program;
static char folder[] = "/tmp/viva-commands-XXXXXX";

static uint64_t state;
static uint64_t next(void) { // splitmix64
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
static int below(int n) { return (int)(next() % (uint64_t)n); }

static void find_models(const char *path) {
  DIR *d = opendir(path);
  for (struct dirent *e; d && (e = readdir(d));) {
    char full[4096];
    struct stat s;
    if (e->d_name[0] == '.') continue;
    snprintf(full, sizeof full, "%s/%s", path, e->d_name);
    if (stat(full, &s) != 0) continue;
    size_t n = strlen(full);
    bool model = n > 5 && strcmp(full + n - 5, ".viva") == 0;
    if (S_ISDIR(s.st_mode)) find_models(full);
    else if ((model || strstr(full, ".urdf") || strstr(full, ".csv")) && s.st_size < 20000 && model_count < most_models)
      models[model_count++] = strdup(full);
  }
  if (d) closedir(d);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Lines of a command, cut at a tab.
static int read_lines(const char *command, char lines[][64], int most) {
  FILE *f = popen(command, "r");
  char line[1024];
  int count = 0;
  while (f && fgets(line, sizeof line, f) && count < most) {
    line[strcspn(line, "\t\n")] = '\0';
    if (line[0]) snprintf(lines[count++], 64, "%.63s", line);
  }
  if (f) pclose(f);
  return count;
}

static void learn(Command *c) {
  static char names[most_options][64];
  char line[8192];
  snprintf(line, sizeof line, "%s complete %s -- 2>/dev/null", program, c->verb);
  c->option_count = read_lines(line, names, most_options);
  for (int i = 0; i < c->option_count; i++) {
    Option *o = &c->options[i];
    snprintf(o->name, sizeof o->name, "%.63s", names[i]);
    snprintf(line, sizeof line, "%s complete %s %s '' 2>/dev/null", program, c->verb, o->name);
    o->value_count = read_lines(line, o->values, most_values);
  }
}

static const char *const odd[] = {"",
                                  "0",
                                  "1",
                                  "-1",
                                  "2",
                                  "1e308",
                                  "-1e-308",
                                  "nan",
                                  "inf",
                                  "1e999",
                                  "x",
                                  "x=1",
                                  "x=",
                                  "=1",
                                  "=",
                                  "x=0:1",
                                  "x=1:0",
                                  "x=0:0.1:1",
                                  "k=0:1",
                                  "m=[1,2]",
                                  "x=[]",
                                  "m=log:1:2:3",
                                  "x=nan",
                                  "angles",
                                  "start",
                                  "equilibrium",
                                  "t",
                                  "t=1",
                                  "x'",
                                  "x''",
                                  "x'=1",
                                  "max(x)",
                                  "final(t)",
                                  "max(",
                                  "max(x) < 1",
                                  "1/0",
                                  "x = x",
                                  "0 = 0",
                                  "x'' = 0",
                                  "a.svg",
                                  "a.csv",
                                  "a.json",
                                  "a.html",
                                  "a.png",
                                  "a.npz",
                                  "a.xyz",
                                  "bode=a.svg",
                                  "bode",
                                  "u:y",
                                  "F:x",
                                  "u:x",
                                  ":",
                                  "a.viva",
                                  "none/a.svg",
                                  "-",
                                  "--",
                                  "rk4",
                                  "rk4,dopri5",
                                  "Q=1,R=1",
                                  "Q=1",
                                  "zoh:0.1",
                                  "zoh:0",
                                  "1,2,3",
                                  "0,0,0",
                                  "%s%n%d",
                                  "\xff\xfe",
                                  "\"",
                                  "'",
                                  "`x`",
                                  "(((((((((",
                                  "x[1]=2",
                                  "th1=0.1",
                                  "normal(0,1)",
                                  "x=normal(1,0.1)",
                                  "k=uniform(1,2)",
                                  "x=uniform(2,1)",
                                  "[1, 0.5; 0.5, 1]",
                                  "[1]",
                                  "0.1",
                                  "0.01",
                                  "1e-9",
                                  "1e-300",
                                  "3",
                                  "100",
                                  "4294967296",
                                  "99999999999999999999",
                                  "light",
                                  "dark"};

// A name that stands in the model.
static void pick_name(const char *path, char *out, size_t size) {
  FILE *f = fopen(path, "r");
  char text[20001];
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) fclose(f);
  snprintf(out, size, "x");
  for (int tries = 0; n && tries < 20; tries++) {
    size_t at = (size_t)below((int)n), length = 0;
    while (at < n && !isalpha((unsigned char)text[at])) at++;
    while (at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_')) at--;
    while (at + length < n && (isalnum((unsigned char)text[at + length]) || text[at + length] == '_')) length++;
    if (!length || length > 30) continue;
    snprintf(out, size, "%.*s", (int)length, text + at);
    return;
  }
}

static void pick_value(const Option *o, const char *model, char *out, size_t size) {
  static const char *const forms[] = {"%s",     "%s=1",    "%s=0:1", "%s=[1,2]",        "%s:%s",
                                      "%s=0.5", "max(%s)", "%s'",    "%s=normal(1,0.1)"};
  char name[64];
  int kind = below(10);
  if (kind < 4 && o->value_count) {
    snprintf(out, size, "%s", o->values[below(o->value_count)]);
  } else if (kind < 7) {
    pick_name(model, name, sizeof name);
    const char *form = forms[below(sizeof forms / sizeof *forms)];
    const char *first = strstr(form, "%s");
    snprintf(out, size, "%.*s%s%s", (int)(first - form), form, name, strcmp(first, "%s:%s") == 0 ? ":y" : first + 2);
  } else {
    snprintf(out, size, "%s", odd[below(sizeof odd / sizeof *odd)]);
  }
}

typedef struct Line {
  char words[most_words][128];
  int count;
} Line;

static void add(Line *l, const char *word) {
  if (l->count < most_words - 1) snprintf(l->words[l->count++], sizeof l->words[0], "%.127s", word);
}

static void make_line(Line *l) {
  const Command *c = &commands[below(command_count)];
  const char *model = models[below(model_count)];
  char value[128];
  l->count = 0;
  add(l, c->verb);
  if (strcmp(c->verb, "export") == 0) add(l, (const char *const[]){"c", "latex", "dot", "x"}[below(4)]);
  if (below(50)) add(l, model);
  if (strcmp(c->verb, "diff") == 0 || below(20) == 0) add(l, models[below(model_count)]);
  for (int n = below(5); n > 0 && c->option_count; n--) {
    const Option *o = &c->options[below(c->option_count)];
    if (strcmp(o->name, "--help") == 0) continue;
    add(l, o->name);
    if (below(12) == 0) continue;
    pick_value(o, model, value, sizeof value);
    if (value[0] != '/' && strncmp(value, "..", 2) != 0) add(l, value);
  }
  if (strcmp(c->verb, "run") == 0 || strcmp(c->verb, "sweep") == 0 || strcmp(c->verb, "sensitivity") == 0) {
    add(l, "--to");
    add(l, below(4) ? "0.1" : "0");
  }
  bool writes = strcmp(c->verb, "animate") == 0 || strcmp(c->verb, "diagram") == 0 || strcmp(c->verb, "report") == 0;
  if (writes) add(l, "-o"), add(l, strcmp(c->verb, "report") == 0 ? "o.html" : "o.svg");
  if (strcmp(c->verb, "export") == 0) add(l, "-o"), add(l, "exported"), add(l, "--force");
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool file_says(const char *name, const char *words, bool *any) {
  FILE *f = fopen(name, "rb");
  char text[65536];
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) fclose(f);
  text[n] = '\0';
  *any = *any || n > 0;
  return memmem(text, n, words, strlen(words)) != NULL;
}

// What is wrong with the line; NULL: nothing.
static const char *try_line(Line *l) {
  static char why[64];
  char *argv[most_words + 1] = {(char *)(uintptr_t)program};
  for (int i = 0; i < l->count && i + 1 < most_words; i++) argv[i + 1] = l->words[i];
  pid_t child = fork();
  if (child == 0) {
    int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600), err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(out, 1);
    dup2(err, 2);
    execv(program, argv);
    _exit(127);
  }
  int status = 0;
  bool interrupted = false;
  double start = now();
  while (waitpid(child, &status, WNOHANG) == 0) {
    double t = now() - start;
    if (t > patience_s && !interrupted) interrupted = true, kill(child, SIGINT);
    if (t > patience_s + grace_s) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "it does not end after an interrupt";
    }
    usleep(t < 0.05 ? 500 : 5000);
  }
  bool said = false;
  bool memory = file_says("err", "out of memory", &said) | file_says("out", "out of memory", &said);
  if (interrupted) return WIFSIGNALED(status) && WTERMSIG(status) != SIGINT ? "a signal after an interrupt" : NULL;
  if (WIFSIGNALED(status)) return snprintf(why, sizeof why, "signal %d", WTERMSIG(status)), why;
  if (WEXITSTATUS(status) > 2) return snprintf(why, sizeof why, "status %d", WEXITSTATUS(status)), why;
  if (memory) return "\"out of memory\"";
  return WEXITSTATUS(status) && !said ? "it fails, and nothing is said" : NULL;
}

static void show(uint64_t seed, const char *why, const Line *l) {
  printf("seed %llu: %s: viva", (unsigned long long)seed, why);
  for (int i = 0; i < l->count; i++) printf(" '%s'", l->words[i]);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "commands VIVA_PROGRAM EXAMPLES COUNT [SEED]\n"), 2;
  program = realpath(argv[1], NULL);
  char *examples = realpath(argv[2], NULL), line[8192];
  long count = atol(argv[3]), bad = 0;
  uint64_t first = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
  if (!program || !examples || !mkdtemp(folder) || chdir(folder) != 0) return 2;
  snprintf(line, sizeof line, "cp -r '%s' models && mkdir work", examples);
  free(examples);
  if (system(line) != 0 || chdir("work") != 0) return 2;
  snprintf(line, sizeof line, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", line, 1);
  setenv("TMPDIR", folder, 1);
  find_models("../models");
  qsort(models, (size_t)model_count, sizeof *models, by_text);
  for (int i = 0; i < command_count; i++) learn(&commands[i]);
  if (!model_count || !commands[0].option_count) return fprintf(stderr, "no models, or no options\n"), 2;
  for (long i = 0; i < count; i++) {
    Line l;
    state = first + (uint64_t)i;
    make_line(&l);
    const char *why = try_line(&l);
    if (why) bad++, show(first + (uint64_t)i, why, &l);
  }
  printf("%ld command lines, %ld bad\n", count, bad);
  snprintf(line, sizeof line, "rm -rf '%s'", folder);
  return chdir("/") != 0 || system(line) != 0 || bad ? 1 : 0;
}
