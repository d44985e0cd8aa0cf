// Runs cases: the program as its user would, its whole output compared.
//
//   runner VIVA_PROGRAM [--update] FILE...
//
// FILE.case   file NAME, then its lines behind "| " · bytes NAME TEXT, with C escapes · run COMMAND (`viva` is the
// program)
//             exit N · out, err: what it must print, behind "| " · tolerance R: numbers may differ by R relatively
//             <any> stands for any run of characters without blanks.
//             Where no `ulimit` stands in the command, "out of memory" in what it prints is a failure.
// FILE.md     ```viva NAME blocks are files, ```console blocks are commands behind "$ " with what they print (both
// outputs
//             together); a line "..." stands for any lines, numbers may differ by 1e-6 relatively. Pages show what the
//             program printed, so the numbers that change from run to run or from machine to machine are known here:
//             `work`, `residue`, `half step` and the residues of `constraints` in a summary. --update writes what is
//             printed now in the place of lines that fit.
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Str {
  char *data;
  size_t length;
} Str;

static void *need(void *p) {
  if (p) return p;
  fputs("runner: out of memory\n", stderr);
  exit(3);
}

static void put(Str *s, const char *text, size_t n) {
  s->data = need(realloc(s->data, s->length + n + 1));
  memcpy(s->data + s->length, text, n);
  s->length += n;
  s->data[s->length] = '\0';
}

static Str slurp(const char *path) {
  Str s = {0};
  put(&s, "", 0);
  FILE *f = fopen(path, "rb");
  if (!f) return s;
  char buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;) put(&s, buffer, n);
  fclose(f);
  return s;
}

static void spit(const char *path, const char *data, size_t n) {
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(data, 1, n, f) != n) {
    fprintf(stderr, "runner: cannot write %s\n", path);
    exit(3);
  }
  fclose(f);
}

// ---- comparing

static bool number_at(const char *s, const char **end, double *x) {
  if (!isdigit((unsigned char)*s)) return false;
  char *stop;
  *x = strtod(s, &stop);
  *end = stop;
  return stop > s;
}

// Lines of a summary whose numbers belong to the run that was shown.
static bool numbers_differ(const char *line) {
  return strncmp(line, "  work  ", 8) == 0 || strncmp(line, "  residue  ", 11) == 0 ||
         strncmp(line, "  half step  ", 13) == 0;
}

static bool same_line(const char *want, const char *got, double tolerance) {
  bool any_number = numbers_differ(want), constraints = strncmp(want, "  constraints  ", 15) == 0;
  while (*want || *got) {
    any_number = any_number || (constraints && strncmp(want, "residues ", 9) == 0);
    if (strncmp(want, "<any>", 5) == 0) {
      want += 5;
      while (*got && !isspace((unsigned char)*got) && *got != *want) got++;
      continue;
    }
    const char *we, *ge;
    double x, y;
    if (tolerance > 0 && number_at(want, &we, &x) && number_at(got, &ge, &y)) {
      if (!any_number && fabs(x - y) > tolerance * fmax(fabs(x), fabs(y))) return false;
      want = we;
      got = ge;
      continue;
    }
    if (any_number && *want == '-' && *got != '-') want++;
    if (any_number && *got == '-' && *want != '-') got++;
    if (*want != *got) return false;
    want++;
    got++;
  }
  return true;
}

static char *next_line(char **at) {
  if (!**at) return NULL;
  char *line = *at, *nl = strchr(line, '\n');
  if (nl) *nl = '\0';
  *at = nl ? nl + 1 : line + strlen(line);
  return line;
}

// Lines of both texts, a lone "..." in `want` standing for any number of them. `want` becomes the lines it stood for,
// where `replace` says so.
static bool same_lines(char **want, size_t nw, char **got, size_t ng, double tolerance, bool dots, bool replace) {
  for (size_t i = 0, j = 0;; i++, j++) {
    if (dots && i < nw && strcmp(want[i], "...") == 0) {
      for (size_t skip = j; skip <= ng; skip++) {
        if (same_lines(want + i + 1, nw - i - 1, got + skip, ng - skip, tolerance, dots, replace)) return true;
      }
      return false;
    }
    if (i == nw || j == ng) return i == nw && j == ng;
    if (!same_line(want[i], got[j], tolerance)) return false;
    if (replace) want[i] = got[j];
  }
}

static char **split(char *text, size_t *count) {
  char **lines = NULL;
  *count = 0;
  for (char *line; (line = next_line(&text));) {
    lines = need(realloc(lines, (*count + 1) * sizeof *lines));
    lines[(*count)++] = line;
  }
  return lines;
}

// `fresh`: what was got in the form of what was wanted; NULL: not needed.
static bool same_text(const char *want, const char *got, double tolerance, bool dots, Str *fresh) {
  char *w = need(strdup(want)), *g = need(strdup(got));
  size_t nw, ng;
  char **lw = split(w, &nw), **lg = split(g, &ng);
  bool same = same_lines(lw, nw, lg, ng, tolerance, dots, fresh != NULL);
  for (size_t i = 0; fresh && i < nw; i++) put(fresh, lw[i], strlen(lw[i])), put(fresh, "\n", 1);
  free(lw);
  free(lg);
  free(w);
  free(g);
  return same;
}

// ---- running

static char home[4096], folder[] = "/tmp/viva-case-XXXXXX";

static int execute(const char *command, Str *out, Str *err) {
  char line[16384];
  snprintf(line, sizeof line, "cd %s && export PATH=%s/.runner-bin:$PATH && { %s\n} >.out 2>.err </dev/null", folder,
           folder, command);
  int status = system(line);
  char path[4200];
  snprintf(path, sizeof path, "%s/.out", folder);
  *out = slurp(path);
  snprintf(path, sizeof path, "%s/.err", folder);
  *err = slurp(path);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void write_file(const char *name, const Str *content) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  spit(path, content->data ? content->data : "", content->length);
}

static void show_difference(const char *what, const char *want, const char *got) {
  printf("    %s, expected:\n", what);
  fputs(want && *want ? want : "(nothing)\n", stdout);
  printf("    got:\n");
  fputs(got && *got ? got : "(nothing)\n", stdout);
}

// Where the residues of a line of constraints begin; NULL: it is none.
static const char *constraint_residues(const char *s, size_t n) {
  const char *mark = "residues ";
  if (strncmp(s, "  constraints ", 14) != 0) return NULL;
  for (const char *p = s; p + strlen(mark) <= s + n; p++) {
    if (strncmp(p, mark, strlen(mark)) == 0) return p + strlen(mark);
  }
  return NULL;
}

// Wall times change from run to run, counts of steps and residues from machine to machine.
static void put_masked(Str *out, const char *text) {
  for (const char *s = text; *s;) {
    const char *nl = strchr(s, '\n');
    size_t n = nl ? (size_t)(nl - s) : strlen(s);
    const char *mark = "evaluations, ";
    const char *at = NULL;
    for (const char *p = s; p + strlen(mark) <= s + n; p++) {
      if (strncmp(p, mark, strlen(mark)) == 0) at = p + strlen(mark);
    }
    const char *work = "  work         <any> steps (<any> rejected), <any> evaluations, <any> s";
    const char *residue = "  residue      <any> (<any> of the energy moved)";
    const char *kept = "<any> of places, <any> of velocities", *residues = constraint_residues(s, n);
    put(out, "| ", 2);
    if (strncmp(s, "  work ", 7) == 0 && n > 10 && memchr(s, '(', n)) {
      put(out, work, strlen(work));
    } else if (strncmp(s, "  residue ", 10) == 0) {
      put(out, residue, strlen(residue));
    } else if (residues) {
      put(out, s, (size_t)(residues - s));
      put(out, kept, strlen(kept));
    } else if (at) {
      put(out, s, (size_t)(at - s));
      put(out, "<any> s", 7);
    } else {
      put(out, s, n);
    }
    put(out, "\n", 1);
    s += n + (nl != NULL);
  }
}

// Memory is not limited here, unless the command does it: then nothing may call it the reason.
static bool blames_memory(const char *command, const Str *out, const Str *err) {
  static const char words[] = "out of memory";
  if (strstr(command, "ulimit") || (!strstr(out->data, words) && !strstr(err->data, words))) return false;
  printf("    $ %s\n    says \"%s\", and memory is not limited\n", command, words);
  return true;
}

typedef struct Step {
  char *command;
  int exit_status;
  Str out, err;
  bool has_exit;
} Step;

static bool check_step(const Step *s, double tolerance, bool update, Str *fresh) {
  Str out, err;
  int status = execute(s->command, &out, &err);
  bool ok = status == s->exit_status && same_text(s->out.data ? s->out.data : "", out.data, tolerance, false, NULL) &&
            same_text(s->err.data ? s->err.data : "", err.data, tolerance, false, NULL);
  bool blamed = blames_memory(s->command, &out, &err);
  if (update) {
    char line[64];
    put(fresh, "run ", 4);
    put(fresh, s->command, strlen(s->command));
    snprintf(line, sizeof line, "\nexit %d\n", status);
    put(fresh, line, strlen(line));
    if (out.length) put(fresh, "out\n", 4);
    put_masked(fresh, out.data);
    if (err.length) put(fresh, "err\n", 4);
    put_masked(fresh, err.data);
    ok = !blamed;
  } else if (!ok || blamed) {
    printf("    $ %s\n", s->command);
    if (status != s->exit_status) printf("    exit status %d, expected %d\n", status, s->exit_status);
    show_difference("standard output", s->out.data, out.data);
    show_difference("standard error", s->err.data, err.data);
  }
  free(out.data);
  free(err.data);
  return ok && !blamed;
}

static void unescape(const char *s, Str *out) {
  for (; *s; s++) {
    unsigned value;
    if (s[0] == '\\' && s[1] == 'x' && sscanf(s + 2, "%2x", &value) == 1) {
      char c = (char)value;
      put(out, &c, 1);
      s += 3;
    } else if (s[0] == '\\' && s[1] == 'n') {
      put(out, "\n", 1);
      s++;
    } else {
      put(out, s, 1);
    }
  }
}

static bool run_case(const char *path, bool update) {
  Str text = slurp(path), fresh = {0}, content = {0};
  double tolerance = 0;
  Step step = {0};
  char name[256] = "";
  Str *into = NULL;
  bool ok = true, any = false;
  put(&fresh, "", 0);
  char *at = text.data;
  for (;;) {
    char *line = next_line(&at);
    bool content_line = line && strncmp(line, "| ", 2) == 0;
    if (line && strcmp(line, "|") == 0) content_line = true;
    if (content_line) {
      if (into) {
        put(into, strlen(line) > 1 ? line + 2 : "", strlen(line) > 1 ? strlen(line) - 2 : 0);
        put(into, "\n", 1);
      }
      bool expected = into == &step.out || into == &step.err;
      if (!expected || !update) put(&fresh, line, strlen(line)), put(&fresh, "\n", 1);
      continue;
    }
    if (into == &content && name[0]) write_file(name, &content), name[0] = '\0';
    bool starts =
        !line || strncmp(line, "run ", 4) == 0 || strncmp(line, "file ", 5) == 0 || strncmp(line, "bytes ", 6) == 0;
    if (starts && step.command) {
      ok = check_step(&step, tolerance, update, &fresh) && ok;
      any = true;
      free(step.command);
      free(step.out.data);
      free(step.err.data);
      step = (Step){0};
    }
    if (!line) break;
    into = NULL;
    if (strncmp(line, "file ", 5) == 0) {
      snprintf(name, sizeof name, "%s", line + 5);
      free(content.data);
      content = (Str){0};
      put(&content, "", 0);
      into = &content;
    } else if (strncmp(line, "bytes ", 6) == 0) {
      char *blank = strchr(line + 6, ' ');
      Str bytes = {0};
      put(&bytes, "", 0);
      put(&fresh, line, strlen(line)), put(&fresh, "\n", 1);
      if (blank) {
        *blank = '\0';
        unescape(blank + 1, &bytes);
        write_file(line + 6, &bytes);
      }
      free(bytes.data);
      continue;
    } else if (strncmp(line, "run ", 4) == 0) {
      step.command = need(strdup(line + 4));
      if (update) continue;
    } else if (strncmp(line, "exit ", 5) == 0) {
      step.exit_status = atoi(line + 5);
      if (update) continue;
    } else if (strcmp(line, "out") == 0) {
      into = &step.out;
      if (update) continue;
    } else if (strcmp(line, "err") == 0) {
      into = &step.err;
      if (update) continue;
    } else if (strncmp(line, "tolerance ", 10) == 0) {
      tolerance = atof(line + 10);
    }
    put(&fresh, line, strlen(line)), put(&fresh, "\n", 1);
  }
  if (!any) {
    printf("    no `run` in it\n");
    ok = false;
  }
  if (update) spit(path, fresh.data, fresh.length);
  free(text.data);
  free(fresh.data);
  free(content.data);
  return ok;
}

// The commands of a console block, one after another; `fresh` gets the block as it is now.
static bool run_console(char *body, Str *fresh) {
  bool ok = true;
  char *line = next_line(&body);
  while (line) {
    put(fresh, line, strlen(line)), put(fresh, "\n", 1);
    if (strncmp(line, "$ ", 2) != 0) {
      line = next_line(&body);
      continue;
    }
    char *command = line + 2;
    Str want = {0}, now = {0}, out, err;
    put(&want, "", 0);
    put(&now, "", 0);
    while ((line = next_line(&body)) && strncmp(line, "$ ", 2) != 0)
      put(&want, line, strlen(line)), put(&want, "\n", 1);
    execute(command, &out, &err);
    ok = !blames_memory(command, &out, &err) && ok;
    put(&out, err.data, err.length);
    bool same = same_text(want.data, out.data, 1e-6, true, &now);
    put(fresh, same ? now.data : want.data, same ? now.length : want.length);
    if (!same) {
      printf("    $ %s\n", command);
      show_difference("output", want.data, out.data);
      ok = false;
    }
    free(want.data);
    free(now.data);
    free(out.data);
    free(err.data);
  }
  return ok;
}

static bool run_page(const char *path, bool update) {
  Str text = slurp(path), body = {0}, fresh = {0};
  char kind[256] = "";
  bool ok = true;
  char *at = text.data;
  for (char *line; (line = next_line(&at));) {
    bool fence = strncmp(line, "```", 3) == 0, console = strcmp(kind, "console") == 0;
    if (fence && console) ok = run_console(body.data, &fresh) && ok;
    if (fence || !console) put(&fresh, line, strlen(line)), put(&fresh, "\n", 1);
    if (!fence) {
      if (kind[0]) put(&body, line, strlen(line)), put(&body, "\n", 1);
      continue;
    }
    if (!kind[0]) { // opens
      snprintf(kind, sizeof kind, "%s", line[3] ? line + 3 : "plain");
      free(body.data);
      body = (Str){0};
      put(&body, "", 0);
      continue;
    }
    if (strncmp(kind, "viva ", 5) == 0 || strncmp(kind, "csv ", 4) == 0 || strncmp(kind, "c ", 2) == 0)
      write_file(strchr(kind, ' ') + 1, &body);
    kind[0] = '\0';
  }
  if (update) spit(path, fresh.data, fresh.length);
  free(text.data);
  free(body.data);
  free(fresh.data);
  return ok;
}

int main(int argc, char **argv) {
  if (argc < 3 || !getcwd(home, sizeof home)) {
    fputs("usage: runner VIVA_PROGRAM [--update] FILE...\n", stderr);
    return 3;
  }
  int passed = 0, failed = 0;
  bool update = strcmp(argv[2], "--update") == 0;
  char program[8192];
  snprintf(program, sizeof program, "%s%s%s", argv[1][0] == '/' ? "" : home, argv[1][0] == '/' ? "" : "/", argv[1]);
  for (int i = update ? 3 : 2; i < argc; i++) {
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    if (!mkdtemp(folder)) return 3;
    char line[16384];
    snprintf(line, sizeof line, "mkdir %s/.runner-bin && ln -s %s %s/.runner-bin/viva", folder, program, folder);
    if (system(line) != 0) return 3;
    // the examples of the project are there to be used
    const char *root = getenv("VIVA_ROOT");
    snprintf(line, sizeof line, "ln -s %s/examples %s/examples", root ? root : home, folder);
    if (system(line) != 0) return 3;
    size_t n = strlen(argv[i]);
    bool page = n > 3 && strcmp(argv[i] + n - 3, ".md") == 0;
    bool ok = page ? run_page(argv[i], update) : run_case(argv[i], update);
    printf("%s %s\n", ok ? "ok    " : "FAILED", argv[i]);
    if (ok) passed++;
    else failed++;
    snprintf(line, sizeof line, "rm -rf %s", folder);
    if (system(line) != 0) return 3;
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed ? 1 : 0;
}
