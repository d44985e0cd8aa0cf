// Compilers that are missing, fail or hang, and the cache under bad conditions: the run goes on, interpreted if need
// be.
#define _XOPEN_SOURCE 700
#include "tests/support.h"

#include "base/file.h"
#include "base/spawn.h"
#include "tape/native.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const model_text = "param m = 2, k = 3\ncoord x = 1, y = 2\nkinetic 1/2*m*x'^2 + 1/2*y'^2 + "
                                      "1/4*cos(x)*x'*y'\npotential 1/2*k*x^2 + y^4\nsimulate to 1\n";

typedef struct TestPlace {
  char folder[64], cache[80], bin[80], *path;
} TestPlace;

static int begin(void **state) {
  TestPlace *p = calloc(1, sizeof *p);
  strcpy(p->folder, "/tmp/viva-test-XXXXXX");
  assert_non_null(mkdtemp(p->folder));
  snprintf(p->cache, sizeof p->cache, "%s/cache", p->folder);
  snprintf(p->bin, sizeof p->bin, "%s/bin", p->folder);
  assert_int_equal(mkdir(p->bin, 0700), 0);
  const char *path = getenv("PATH");
  p->path = strdup(path ? path : "/usr/bin:/bin");
  setenv("XDG_CACHE_HOME", p->cache, 1);
  *state = p;
  return 0;
}

static int end(void **state) {
  TestPlace *p = *state;
  setenv("PATH", p->path, 1);
  char command[200];
  snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", p->folder, p->folder);
  int rc = system(command);
  free(p->path);
  free(p);
  return rc;
}

// A program `cc` of our own in front of the others.
static void fake_cc(const TestPlace *p, const char *script) {
  char path[200], search[4096];
  snprintf(path, sizeof path, "%s/cc", p->bin);
  FILE *f = fopen(path, "w");
  fprintf(f, "#!/bin/sh\n%s\n", script);
  fclose(f);
  chmod(path, 0700);
  snprintf(search, sizeof search, "%s:%s", p->bin, p->path);
  setenv("PATH", search, 1);
}

static bool have(const char *program) {
  char command[64];
  snprintf(command, sizeof command, "command -v %s > /dev/null 2>&1", program);
  if (system(command) == 0) return true;
  print_message("SKIPPED: %s is not installed\n", program);
  return false;
}

static const Tape *tape_of(Loaded *l) {
  Model *m = &l->model;
  const SymbolId vars[] = {m->time, m->coords.items[0].q, m->coords.items[1].q, m->coords.items[0].v,
                           m->coords.items[1].v};
  const ExprId results[] = {expr_sym(&m->pool, m->coords.items[0].a), expr_sym(&m->pool, m->coords.items[1].a)};
  return tape_build(
      l->arena,
      &(TapeRequest){.system = &l->system, .vars = vars, .var_count = 5, .results = results, .result_count = 2});
}

static void gives_the_interpreters_bits(Loaded *l, const Tape *t, const Native *n) {
  double *a = arena_array(l->arena, t->slot_count, sizeof *a), *b = arena_array(l->arena, t->slot_count, sizeof *b);
  for (uint32_t i = 0; i < t->param_count; i++) a[i] = b[i] = 1.5 + i;
  tape_prepare(t, a);
  tape_prepare(t, b);
  for (uint32_t i = 0; i < t->var_count; i++) tape_vars(t, a)[i] = tape_vars(t, b)[i] = 0.3 * (i + 1);
  tape_eval(t, a);
  native_eval(n, b);
  for (uint32_t i = 0; i < t->output_count; i++) assert_true(tape_result(t, a, i) == tape_result(t, b, i));
}

static RunResult run_with(Loaded *l, const char *backend) {
  RunSettings r = run_defaults();
  r.backend = backend;
  Sink sink = {0};
  Diags diags = {.arena = l->arena, .sources = &l->model.sources};
  return run_model(l->arena, &l->system, &r, &sink, &diags);
}

static void without_a_compiler_a_run_is_interpreted_and_says_so(void **state) {
  TestPlace *p = *state;
  Loaded *l = load_text(model_text);
  RunResult reference = run_with(l, "interp");
  setenv("PATH", p->bin, 1); // an empty folder
  for (int i = 0; i < 3; i++) {
    RunResult r = run_with(l, i == 0 ? "tcc" : i == 1 ? "cc" : "auto");
    assert_int_equal(r.status, run_done);
    assert_int_equal(r.backend, backend_interp);
    assert_true(r.final.values[0] == reference.final.values[0]);
    if (i < 2) assert_non_null(strstr(r.backend_note, "is not installed"));
  }
  unsetenv("PATH");
  assert_int_equal(run_with(l, "auto").status, run_done);
  unload(l);
}

static void a_compiler_that_fails_is_told_and_the_run_goes_on(void **state) {
  TestPlace *p = *state;
  Loaded *l = load_text(model_text);
  fake_cc(p, "echo broken compiler >&2; exit 1");
  RunResult r = run_with(l, "cc");
  assert_int_equal(r.status, run_done);
  assert_int_equal(r.backend, backend_interp);
  assert_string_equal(r.backend_note, "cc failed: broken compiler");
  // one that says it worked and leaves nothing, and one that leaves rubbish
  fake_cc(p, "exit 0");
  assert_non_null(strstr(run_with(l, "cc").backend_note, "cc failed"));
  fake_cc(p, "while [ \"$1\" != -o ]; do shift; done; echo rubbish > \"$2\"");
  assert_string_equal(run_with(l, "cc").backend_note, "compiled code cannot be loaded");
  unload(l);
}

static bool soon(void *self) { return ++*(int *)self > 50; }

static void heavy_work_goes_to_tcc_where_there_is_no_cc(void **state) {
  TestPlace *p = *state;
  if (!have("tcc")) skip();
  Loaded *l = load_text(model_text);
  fake_cc(p, "echo broken compiler >&2; exit 1");
  RunSettings r = run_defaults();
  r.method = "rk4";
  r.step = 1e-7; // counted: far beyond what pays for cc
  r.most_steps = 1000000000;
  r.every = 1;
  int asked = 0;
  r.self = &asked;
  r.interrupted = soon;
  Sink sink = {0};
  Diags diags = {.arena = l->arena, .sources = &l->model.sources};
  RunResult result = run_model(l->arena, &l->system, &r, &sink, &diags);
  assert_int_equal(result.status, run_interrupted);
  assert_int_equal(result.backend, backend_tcc);
  unload(l);
}

static void a_compiler_that_hangs_is_killed_with_its_children(void **state) {
  TestPlace *p = *state;
  Loaded *l = load_text(model_text);
  char script[200];
  snprintf(script, sizeof script, "sleep 600 & echo $! > %s/child; wait", p->folder);
  fake_cc(p, script);
  const char *why, *note;
  Native *n = native_new(l->arena, tape_of(l), &(NativeSettings){.backend = backend_cc, .limit = 0.3}, &why, &note);
  assert_null(n);
  assert_string_equal(why, "cc took longer than 0.3 s and was stopped");
  char path[200];
  snprintf(path, sizeof path, "%s/child", p->folder);
  FILE *f = fopen(path, "r");
  int child = 0;
  assert_non_null(f);
  assert_int_equal(fscanf(f, "%d", &child), 1);
  fclose(f);
  // gone, or dead and waiting for its parent
  bool alive = true;
  for (int i = 0; i < 100 && alive; i++) {
    snprintf(path, sizeof path, "/proc/%d/stat", child);
    f = fopen(path, "r");
    char dead = 'Z';
    if (f && fscanf(f, "%*d %*s %c", &dead) != 1) dead = 'Z';
    if (f) fclose(f);
    alive = dead != 'Z' && dead != 'X';
    if (alive) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  assert_false(alive);
  unload(l);
}

static bool at_once(void *self) {
  (void)self;
  return true;
}

static void an_interrupt_stops_the_compiler(void **state) {
  TestPlace *p = *state;
  fake_cc(p, "sleep 600");
  const char *const argv[] = {"cc", NULL};
  assert_int_equal(spawn_wait(argv, NULL, 100, at_once, NULL).status, spawn_interrupted);
}

static Native *cc_into(Loaded *l, const Tape *t, const char *cache, const char **note) {
  const char *why;
  Native *n = native_new(l->arena, t, &(NativeSettings){.backend = backend_cc, .cache = cache}, &why, note);
  if (!n) fail_msg("%s", why ? why : "out of memory");
  return n;
}

// The one entry of a cache; "" when there is none.
static unsigned entries(const char *folder, char *path, size_t size) {
  DIR *dir = opendir(folder);
  unsigned count = 0;
  path[0] = '\0';
  if (!dir) return 0;
  for (struct dirent *d; (d = readdir(dir));) {
    if (d->d_name[0] == '.') continue;
    snprintf(path, size, "%s/%s", folder, d->d_name);
    count++;
  }
  closedir(dir);
  return count;
}

static bool clear_cache(const char *path, uint64_t *files, uint64_t *bytes) {
  Arena *arena = arena_new();
  int folder = cache_open(arena, path);
  bool ok = folder >= 0 && cache_clear(folder, files, bytes);
  if (folder >= 0) close(folder);
  arena_free(arena);
  return ok;
}

static void the_cache_is_used_and_damage_is_repaired(void **state) {
  TestPlace *p = *state;
  if (!have("cc")) skip();
  Loaded *l = load_text(model_text);
  const Tape *t = tape_of(l);
  const char *note;
  char path[512];
  Native *n = cc_into(l, t, p->cache, &note);
  gives_the_interpreters_bits(l, t, n);
  native_free(n);
  assert_int_equal(entries(p->cache, path, sizeof path), 1);
  struct stat st;
  stat(p->cache, &st);
  assert_int_equal(st.st_mode & 0777, 0700);
  // a second time no compiler is needed
  setenv("PATH", p->bin, 1);
  n = cc_into(l, t, p->cache, &note);
  gives_the_interpreters_bits(l, t, n);
  native_free(n);
  setenv("PATH", p->path, 1);
  // cut short, one byte changed, empty, a link to elsewhere, writable by others: made anew each time
  for (int kind = 0; kind < 5; kind++) {
    if (kind == 0) assert_int_equal(truncate(path, 2000), 0);
    if (kind == 1) {
      int fd = open(path, O_RDWR);
      assert_int_equal(pwrite(fd, "x", 1, 1500), 1);
      close(fd);
    }
    if (kind == 2) assert_int_equal(truncate(path, 0), 0);
    if (kind == 3) {
      unlink(path);
      assert_int_equal(symlink("/dev/zero", path), 0);
    }
    if (kind == 4) chmod(path, 0777);
    n = cc_into(l, t, p->cache, &note);
    assert_null(note);
    gives_the_interpreters_bits(l, t, n);
    native_free(n);
    assert_int_equal(entries(p->cache, path, sizeof path), 1);
    lstat(path, &st);
    assert_true(S_ISREG(st.st_mode) && (st.st_mode & 077) == 0);
  }
  uint64_t files, bytes;
  assert_true(clear_cache(p->cache, &files, &bytes));
  assert_true(files == 1 && bytes > 1000);
  assert_int_equal(entries(p->cache, path, sizeof path), 0);
  unload(l);
}

static void a_cache_that_cannot_be_used_is_no_hindrance(void **state) {
  TestPlace *p = *state;
  if (!have("cc")) skip();
  Loaded *l = load_text(model_text);
  const Tape *t = tape_of(l);
  const char *note;
  // a file where the folder should be; a folder in a place that nobody can write
  FILE *f = fopen(p->cache, "w");
  fclose(f);
  Native *n = cc_into(l, t, p->cache, &note);
  assert_string_equal(note, "not kept: the cache folder cannot be used");
  gives_the_interpreters_bits(l, t, n);
  native_free(n);
  n = cc_into(l, t, "/proc/nowhere/viva", &note);
  assert_string_equal(note, "not kept: the cache folder cannot be used");
  native_free(n);
  // a folder that somebody else owns
  if (geteuid() == 0) {
    unlink(p->cache);
    assert_int_equal(mkdir(p->cache, 0700), 0);
    assert_int_equal(chown(p->cache, 12345, 12345), 0);
    n = cc_into(l, t, p->cache, &note);
    assert_non_null(note);
    native_free(n);
  } else {
    print_message("SKIPPED: the folder of somebody else (needs root)\n");
  }
  unload(l);
}

static void an_open_folder_is_not_used(void **state) {
  TestPlace *p = *state;
  Arena *arena = arena_new();
  mkdir(p->cache, 0777);
  chmod(p->cache, 0777);
  int folder = cache_open(arena, p->cache);
  assert_true(folder < 0);
  struct stat st;
  stat(p->cache, &st);
  assert_int_equal(st.st_mode & 0777, 0777);
  arena_free(arena);
}

static void the_oldest_entries_go_first(void **state) {
  TestPlace *p = *state;
  Arena *arena = arena_new();
  int folder = cache_open(arena, p->cache);
  assert_true(folder >= 0);
  char code[1000], path[512], entry[64];
  memset(code, 'x', sizeof code);
  CacheKey keys[5];
  for (int i = 0; i < 5; i++) {
    keys[i] = cache_key("text", (char[]){(char)('a' + i), '\0'});
    assert_true(cache_put(arena, folder, &keys[i], code, sizeof code));
    snprintf(entry, sizeof entry, "%.32s.so", keys[i].name);
    struct timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
    utimensat(folder, entry, times, 0);
  }
  size_t length;
  const char *found = cache_find(arena, folder, &keys[0], &length); // used: young again
  assert_true(found && length == sizeof code && memcmp(found, code, length) == 0);
  cache_trim(arena, folder, 3500);
  assert_int_equal(entries(p->cache, path, sizeof path), 3);
  assert_non_null(cache_find(arena, folder, &keys[0], &length));
  assert_null(cache_find(arena, folder, &keys[1], &length));
  assert_null(cache_find(arena, folder, &keys[2], &length));
  assert_non_null(cache_find(arena, folder, &keys[4], &length));
  close(folder);
  arena_free(arena);
}

// Who may write in a folder above the cache may swap it between the check and the use: such a cache is not used at all.
static void a_cache_below_a_folder_of_others_is_not_used(void **state) {
  TestPlace *p = *state;
  if (!have("cc")) skip();
  Loaded *l = load_text(model_text);
  const Tape *t = tape_of(l);
  const char *note;
  char above[200], below[220], path[512];
  snprintf(above, sizeof above, "%s/theirs", p->folder);
  snprintf(below, sizeof below, "%s/viva", above);
  assert_int_equal(mkdir(above, 0700), 0);
  for (int kind = 0; kind < 3; kind++) {
    if (kind == 0) chmod(above, 0777);
    if (kind == 1) chmod(above, 01777); // with the sticky bit they may not: as /tmp
    if (kind == 2) {
      chmod(above, 0755);
      if (chown(above, 12345, 12345) != 0) continue; // needs root
    }
    Native *n = cc_into(l, t, below, &note);
    if (kind == 1) assert_null(note);
    else assert_string_equal(note, "not kept: the cache folder cannot be used");
    gives_the_interpreters_bits(l, t, n);
    native_free(n);
    assert_int_equal(entries(below, path, sizeof path), kind == 0 ? 0 : 1);
  }
  // a link on the way leads to the same look at what is above
  char link[200];
  snprintf(link, sizeof link, "%s/link", p->folder);
  chmod(above, 0777);
  assert_int_equal(symlink(below, link), 0);
  Native *n = cc_into(l, t, link, &note);
  assert_non_null(note);
  native_free(n);
  // nor do compilers work there
  setenv("TMPDIR", above, 1);
  n = cc_into(l, t, p->cache, &note);
  native_free(n);
  unsetenv("TMPDIR");
  unload(l);
}

// The code that is loaded is the code that was checked, also when its file is exchanged or removed afterwards.
static void two_pieces_of_code_are_never_mixed_up(void **state) {
  TestPlace *p = *state;
  if (!have("cc")) skip();
  Loaded *l = load_text(model_text),
         *other = load_text("coord x = 1, y = 2\nkinetic x'^2 + y'^2\npotential cos(3*x)*y^2\nsimulate to 1\n");
  const Tape *t = tape_of(l), *u = tape_of(other);
  const char *note;
  for (int i = 0; i < 20; i++) {
    Native *a = cc_into(l, t, p->cache, &note), *b = cc_into(other, u, p->cache, &note);
    gives_the_interpreters_bits(l, t, a);
    gives_the_interpreters_bits(other, u, b);
    native_free(i % 2 ? a : b);
    Native *c = cc_into(i % 2 ? other : l, i % 2 ? u : t, p->cache, &note);
    gives_the_interpreters_bits(i % 2 ? other : l, i % 2 ? u : t, c);
    native_free(c);
    native_free(i % 2 ? b : a);
  }
  unload(l);
  unload(other);
}

// A process that is killed while the compiler works leaves a folder; the next one removes it, and nothing else.
static void what_a_killed_process_left_is_removed(void **state) {
  TestPlace *p = *state;
  if (!have("cc")) skip();
  char temporary[200], left[240], file[260], mine[240], path[512];
  snprintf(temporary, sizeof temporary, "%s/tmp", p->folder);
  snprintf(left, sizeof left, "%s/viva-code-abcdef", temporary);
  snprintf(mine, sizeof mine, "%s/viva-code-ghijkl", temporary);
  mkdir(temporary, 0700);
  mkdir(left, 0700);
  mkdir(mine, 0700);
  const char *const names[] = {"tape.c", "ccXYZ.s", "notes.txt"};
  struct timespec old[2] = {{1000, 0}, {1000, 0}};
  for (int i = 0; i < 3; i++) {
    snprintf(file, sizeof file, "%s/%s", i < 2 ? left : mine, names[i]);
    fclose(fopen(file, "w"));
  }
  utimensat(AT_FDCWD, left, old, 0);
  utimensat(AT_FDCWD, mine, old, 0);
  setenv("TMPDIR", temporary, 1);
  Loaded *l = load_text(model_text);
  const char *note;
  native_free(cc_into(l, tape_of(l), p->cache, &note));
  unsetenv("TMPDIR");
  assert_int_equal(access(left, F_OK), -1);
  assert_int_equal(entries(mine, path, sizeof path), 1); // what compilers do not write stays
  assert_int_equal(entries(temporary, path, sizeof path), 1);
  unload(l);
}

static void two_processes_fill_the_cache_at_once(void **state) {
  TestPlace *p = *state;
  if (!have("cc")) skip();
  pid_t children[4];
  for (int i = 0; i < 4; i++) {
    children[i] = fork();
    if (children[i]) continue;
    Loaded *l = load_text(model_text);
    const Tape *t = tape_of(l);
    const char *note;
    Native *n = cc_into(l, t, p->cache, &note);
    gives_the_interpreters_bits(l, t, n);
    _exit(note ? 2 : 0);
  }
  for (int i = 0; i < 4; i++) {
    int status;
    waitpid(children[i], &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  char path[512];
  assert_int_equal(entries(p->cache, path, sizeof path), 1);
}

// A cache, and then a folder for the compiler, on a disk that is full.
static void a_full_disk_is_no_hindrance(void **state) {
  TestPlace *p = *state;
  if (!have("cc")) skip();
  char command[300], small[100], path[512];
  snprintf(small, sizeof small, "%s/small", p->folder);
  assert_int_equal(mkdir(small, 0700), 0);
  snprintf(command, sizeof command, "mount -t tmpfs -o size=8k,mode=700 none %s 2> /dev/null", small);
  if (geteuid() != 0 || system(command) != 0) {
    print_message("SKIPPED: a full disk (needs root)\n");
    skip();
  }
  Loaded *l = load_text(model_text);
  const Tape *t = tape_of(l);
  const char *why, *note;
  Native *n = cc_into(l, t, small, &note);
  bool told = note && strcmp(note, "not kept: the cache folder cannot be written") == 0,
       empty = entries(small, path, sizeof path) == 0;
  gives_the_interpreters_bits(l, t, n);
  native_free(n);
  char before[512] = "";
  const char *old = getenv("TMPDIR");
  if (old) snprintf(before, sizeof before, "%s", old);
  setenv("TMPDIR", small, 1);
  n = native_new(l->arena, t, &(NativeSettings){.backend = backend_cc, .cache = p->cache}, &why, &note);
  RunResult r = run_with(l, "cc");
  bool clean = entries(small, path, sizeof path) == 0;
  if (old) setenv("TMPDIR", before, 1);
  else unsetenv("TMPDIR");
  snprintf(command, sizeof command, "umount %s", small);
  assert_int_equal(system(command), 0);
  assert_true(told && empty && clean);
  // the linker or the compiler says what is wrong; the run goes on
  assert_null(n);
  assert_non_null(why);
  assert_true(r.status == run_done && r.backend == backend_interp && r.backend_note);
  unload(l);
}

// More operations than go into one text.
static Loaded *load_long(void) {
  size_t size = 1 << 20, used = 0;
  char *text = malloc(size);
  used += (size_t)snprintf(text, size, "state x[i] = 0.01*i for i in 1 .. 40\n");
  for (unsigned i = 0; i < 40; i++) {
    used += (size_t)snprintf(text + used, size - used, "x[%u]' = 0", i + 1);
    for (unsigned k = 0; k < 110; k++) {
      used += (size_t)snprintf(text + used, size - used, " + x[%u]*(x[%u]*%u.5 + x[%u]*%u.25)",
                               (i * 37 + k * 11) % 40 + 1, (i * 17 + k * 29) % 40 + 1, k, (k * 7 + i) % 40 + 1, i + k);
    }
    used += (size_t)snprintf(text + used, size - used, "\n");
  }
  Loaded *l = load_text(text);
  free(text);
  return l;
}

static const Tape *long_tape(Loaded *l) {
  Model *m = &l->model;
  SymbolId vars[41];
  ExprId results[40];
  vars[0] = m->time;
  for (uint32_t i = 0; i < 40; i++) {
    vars[1 + i] = m->states.items[i].x;
    results[i] = expr_sym(&m->pool, m->states.items[i].rate);
  }
  const Tape *t = tape_build(
      l->arena,
      &(TapeRequest){.system = &l->system, .vars = vars, .var_count = 41, .results = results, .result_count = 40});
  assert_non_null(t);
  assert_true(rolled_is_long(tape_roll(l->arena, t, t->ops, t->op_count)));
  return t;
}

static void a_long_tape_is_compiled_in_parts(void **state) {
  TestPlace *p = *state;
  if (!have("cc")) skip();
  Loaded *l = load_long();
  const Tape *t = long_tape(l);
  const char *why, *note;
  char path[512], work[100];
  snprintf(work, sizeof work, "%s/work", p->folder);
  assert_int_equal(mkdir(work, 0700), 0);
  const char *old = getenv("TMPDIR");
  char before[512] = "";
  if (old) snprintf(before, sizeof before, "%s", old);
  setenv("TMPDIR", work, 1);
  Native *n = cc_into(l, t, p->cache, &note);
  gives_the_interpreters_bits(l, t, n);
  native_free(n);
  assert_int_equal(entries(work, path, sizeof path), 0);
  // one part fails; all hang; an interrupt: nothing stays behind
  uint64_t files, bytes;
  assert_true(clear_cache(p->cache, &files, &bytes) && files == 1);
  fake_cc(p, "case \"$*\" in *tape2.c*) echo no luck >&2; exit 1;; *) while [ \"$1\" != -o ]; do shift; done; echo > "
             "\"$2\";; esac");
  NativeSettings s = {.backend = backend_cc, .cache = p->cache};
  assert_null(native_new(l->arena, t, &s, &why, &note));
  if (sysconf(_SC_NPROCESSORS_ONLN) > 1) assert_string_equal(why, "cc failed: no luck");
  fake_cc(p, "sleep 600");
  s.limit = 0.3;
  assert_null(native_new(l->arena, t, &s, &why, &note));
  assert_string_equal(why, "cc took longer than 0.3 s and was stopped");
  s.limit = 100;
  s.interrupted = at_once;
  assert_null(native_new(l->arena, t, &s, &why, &note));
  assert_string_equal(why, "interrupted");
  assert_int_equal(entries(work, path, sizeof path), 0);
  if (old) setenv("TMPDIR", before, 1);
  else unsetenv("TMPDIR");
  unload(l);
}

static void work_is_counted_not_timed(void **state) {
  (void)state;
  Loaded *l = load_text(model_text);
  const Tape *t = tape_of(l);
  assert_true(native_pays(native_cost(t), backend_tcc, true) < native_pays(native_cost(t), backend_cc, true));
  assert_true(native_pays(native_cost(t), backend_cc, false) < native_pays(native_cost(t), backend_cc, true));
  unload(l);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(without_a_compiler_a_run_is_interpreted_and_says_so),
      CASE(a_compiler_that_fails_is_told_and_the_run_goes_on),
      CASE(heavy_work_goes_to_tcc_where_there_is_no_cc),
      CASE(a_compiler_that_hangs_is_killed_with_its_children),
      CASE(an_interrupt_stops_the_compiler),
      CASE(the_cache_is_used_and_damage_is_repaired),
      CASE(a_cache_that_cannot_be_used_is_no_hindrance),
      CASE(an_open_folder_is_not_used),
      CASE(the_oldest_entries_go_first),
      CASE(a_cache_below_a_folder_of_others_is_not_used),
      CASE(two_pieces_of_code_are_never_mixed_up),
      CASE(what_a_killed_process_left_is_removed),
      CASE(two_processes_fill_the_cache_at_once),
      CASE(a_full_disk_is_no_hindrance),
      CASE(a_long_tape_is_compiled_in_parts),
      CASE(work_is_counted_not_timed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
