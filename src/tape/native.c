// Native code from a tape.
//
//   tape --emit_c--> C text --tcc or cc--> shared object --dlopen--> function
//
// tcc is quick to compile, cc makes faster code; its results are kept in the cache. A long tape becomes several texts,
// for several compilers at once.
//
// The compiler works in a folder of our own that others cannot swap, and what is loaded is a copy in memory that has no
// name. A folder that a killed process left is removed by the next one: its owner holds a lock on it while it lives.
#define _GNU_SOURCE // memfd_create
#include "tape/lanes.h"

#include "base/file.h"
#include "base/spawn.h"
#include "base/trust.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct Native {
  void *library;
  int code; // the descriptor that it was loaded from: as long as it is open, no other library gets its name
  void (*eval)(double *w, const NativeKit *kit);
  void (*lanes)(double *w, const LaneKit *kit);
  int (*rates)(double t, const double *y, double *dydt, double *w, const NativeKit *kit);
  int (*lane_rates)(const double *t, const double *y, double *dydt, double *w, const LaneKit *kit);
  NativeKit kit;
};

static const char *const names[] = {"auto", "interp", "tcc", "cc"};

const char *backend_name(Backend backend) { return names[backend]; }

bool backend_find(const char *name, Backend *backend) {
  for (int i = 0; i < 4; i++) {
    if (strcmp(names[i], name) != 0) continue;
    *backend = (Backend)i;
    return true;
  }
  return false;
}

NativeCost native_least(const Tape *tape) {
  NativeCost c = {.work = tape->op_count + 1};
  for (uint32_t i = 0; i < tape->call_count; i++) {
    const TapeCall *call = &tape->calls[i];
    if (call->kernel->work) c.work += call->kernel->work(call->data);
    if (call->kernel->front_length) c.front += call->kernel->front_length(call->data);
  }
  return c;
}

NativeCost native_cost(const Tape *tape) {
  NativeCost c = native_least(tape);
  c.length = tape->op_count;
  Arena *arena = arena_new();
  const Rolled *rolled = arena ? tape_roll(arena, tape, tape->ops, tape->op_count) : NULL;
  if (rolled) c.length = rolled->length;
  arena_free(arena);
  return c;
}

// tcc's code of very long tapes is no faster than the interpreter.
Backend native_first(NativeCost cost) { return cost.length > 20000 ? backend_cc : backend_tcc; }

// Measured: the interpreter takes about 1.5 ns an operation, tcc's code 1, cc's 0.3; tcc takes 3 ms and 1 us for an
// operation to compile, cc 60 ms and 0.15 ms. A back end is taken when it has paid for itself.
uint64_t native_pays(NativeCost cost, Backend backend, bool have_tcc) {
  uint64_t work = cost.work, length = cost.length;
  if (backend == backend_tcc) return (6000000 + 2000 * length) / work + 1;
  length += cost.front;
  return (have_tcc ? 85000000 + 215000 * length : 50000000 + 125000 * length) / work + 1;
}

// ---- compiling

enum { most_parts = 4 }; // compilers at work at once, for the pieces of a long tape

typedef struct Workplace {
  char *folder, *object;
  int base, lock; // descriptors: of the folder above, and of the folder, locked
  char *source[most_parts + 1], *compiled[most_parts + 1]; // the whole, or its frame, then the parts
} Workplace;

static const char place_name[] = "viva-code-XXXXXX";

// What may lie in such a folder: our files, and those of compilers, which have it as their TMPDIR.
static bool is_made_here(const char *name) { return strncmp(name, "tape", 4) == 0 || strncmp(name, "cc", 2) == 0; }

static void empty_folder(int fd) {
  int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = again >= 0 ? fdopendir(again) : NULL;
  if (!dir && again >= 0) close(again);
  for (struct dirent *d; dir && (d = readdir(dir));) {
    if (is_made_here(d->d_name)) unlinkat(fd, d->d_name, 0);
  }
  if (dir) closedir(dir);
}

// Removes a folder whose process was killed: nobody holds its lock, and it is no longer new.
static void remove_left(int base, const char *name) {
  struct stat st;
  int fd = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  bool old = fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 077) == 0 && time(NULL) - st.st_mtime > 60;
  if (old && flock(fd, LOCK_EX | LOCK_NB) == 0) {
    empty_folder(fd);
    unlinkat(base, name, AT_REMOVEDIR);
  }
  close(fd);
}

static void sweep(int base) {
  int again = openat(base, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = again >= 0 ? fdopendir(again) : NULL;
  if (!dir && again >= 0) close(again);
  for (struct dirent *d; dir && (d = readdir(dir));) {
    if (strlen(d->d_name) == sizeof place_name - 1 && strncmp(d->d_name, place_name, 10) == 0)
      remove_left(base, d->d_name);
  }
  if (dir) closedir(dir);
}

// A folder of our own for the compiler, in one that others cannot change.
static bool place_new(Arena *arena, Workplace *p) {
  const char *base = getenv("TMPDIR");
  *p = (Workplace){.base = -1, .lock = -1};
  if (base && base[0] == '/') p->base = trust_open(base);
  if (p->base < 0) p->base = trust_open(base = "/tmp");
  if (p->base < 0) return false;
  sweep(p->base);
  p->folder = arena_printf(arena, "%s/%s", base, place_name);
  if (!p->folder || !mkdtemp(p->folder)) {
    p->folder = NULL;
    return false;
  }
  p->lock = open(p->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (p->lock < 0 || flock(p->lock, LOCK_EX | LOCK_NB) != 0) return false;
  p->object = arena_printf(arena, "%s/tape.so", p->folder);
  for (int i = 0; i <= most_parts; i++) {
    p->source[i] = arena_printf(arena, i ? "%s/tape%d.c" : "%s/tape.c", p->folder, i);
    p->compiled[i] = arena_printf(arena, "%s/tape%d.o", p->folder, i);
  }
  return !arena_failed(arena);
}

static void place_remove(const Workplace *p) {
  if (p->lock >= 0) empty_folder(p->lock);
  if (p->folder) rmdir(p->folder);
  if (p->lock >= 0) close(p->lock);
  if (p->base >= 0) close(p->base);
}

static bool write_text(const char *path, const Text *text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  size_t done = 0;
  bool ok = true;
  while (done < text->length && ok) {
    ssize_t n = write(fd, text->data + done, text->length - done);
    if (n > 0) done += (size_t)n;
    else ok = n < 0 && errno == EINTR;
  }
  return close(fd) == 0 && ok;
}

// Flags of cc: no contraction, nothing fast that changes bits. Long programs get the quicker optimizer.
static const char *level_of(const Rolled *rolled) { return rolled_is_long(rolled) ? "-O1" : "-O2"; }

// Instructions of this processor. Without contraction they change no bit.
static const char *vectors_of(bool lanes) {
#if defined(__x86_64__)
  if (lanes && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return "-mavx512f";
  if (__builtin_cpu_supports("avx2")) return "-mavx2";
#endif
  (void)lanes;
  return "-fPIC";
}

// One call of a compiler, on a thread of its own where several work.
typedef struct Call {
  const char *argv[24];
  const char *folder; // for its own files
  double limit;
  const NativeSettings *settings;
  SpawnResult result;
  atomic_bool *stop; // of all that work at once
  atomic_uint *left;
} Call;

static void call(Call *c) {
  c->result = spawn_wait(c->argv, c->folder, c->limit, c->settings->interrupted, c->settings->self);
}

static bool told_to_stop(void *self) { return atomic_load(((Call *)self)->stop); }

static void *call_in_thread(void *self) {
  Call *c = self;
  c->result = spawn_wait(c->argv, c->folder, c->limit, told_to_stop, c);
  atomic_fetch_sub(c->left, 1);
  return NULL;
}

// Compilers side by side. Only this thread asks whether it is to stop.
static void call_all(Call *calls, uint32_t count) {
  pthread_t threads[most_parts + 1];
  bool started[most_parts + 1];
  atomic_bool stop = false;
  atomic_uint left = count;
  const NativeSettings *s = calls[0].settings;
  for (uint32_t i = 0; i < count; i++) {
    calls[i].stop = &stop;
    calls[i].left = &left;
    started[i] = pthread_create(&threads[i], NULL, call_in_thread, &calls[i]) == 0;
    if (started[i]) continue;
    call(&calls[i]);
    atomic_fetch_sub(&left, 1);
  }
  while (atomic_load(&left)) {
    nanosleep(&(struct timespec){0, 5000000}, NULL);
    if (s->interrupted && s->interrupted(s->self)) atomic_store(&stop, true);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (started[i]) pthread_join(threads[i], NULL);
  }
}

static bool succeeded(Arena *arena, const Call *c, const char *product, const char **why) {
  const char *program = c->argv[0];
  if (c->settings->missing) *c->settings->missing = c->result.status == spawn_missing;
  switch (c->result.status) {
  case spawn_missing: *why = arena_printf(arena, "%s is not installed", program); return false;
  case spawn_failed: *why = arena_printf(arena, "%s cannot be started", program); return false;
  case spawn_late:
    *why = arena_printf(arena, "%s took longer than %.3g s and was stopped", program, c->limit);
    return false;
  case spawn_interrupted: *why = "interrupted"; return false;
  default: break;
  }
  if (c->result.code == 0 && access(product, R_OK) == 0) return true;
  const char *output = c->result.output;
  size_t line = strcspn(output, "\r\n");
  *why = line ? arena_printf(arena, "%s failed: %.*s", program, (int)(line < 200 ? line : 200), output)
              : arena_printf(arena, "%s failed (%d)", program, c->result.code);
  return false;
}

static void put_words(Call *c, const char *const *words) {
  size_t n = 0;
  while (c->argv[n]) n++;
  for (; *words; words++) c->argv[n++] = *words;
}

static bool compile(Arena *arena, const Rolled *rolled, const NativeSettings *s, const Workplace *p, uint32_t parts,
                    const char **why) {
  const char *const tcc[] = {"tcc", "-shared", "-nostdlib", "-w", "-o", p->object, p->source[0], NULL};
  const char *const cc[] = {"cc",
                            "-std=gnu99",
                            level_of(rolled),
                            "-w",
                            "-ffp-contract=off",
                            "-fno-math-errno",
                            "-fno-trapping-math",
                            "-ftree-loop-vectorize", // of straight text it is slower: values are moved into vectors
                            "-fno-tree-slp-vectorize",
                            "-fno-tree-ter",             // the order of a tape is a good one
                            "-fexpensive-optimizations", // without, -O1 leaves wide registers dirty for other code
                            "-fvect-cost-model=dynamic",
                            "-fPIC",
                            "-Wno-psabi",
                            vectors_of(s->lanes),
                            NULL};
  const char *const link[] = {"-shared", "-nostdlib", "-o", p->object, NULL};
  Call *calls = arena_array(arena, most_parts + 2, sizeof *calls), *last = &calls[most_parts + 1];
  if (!calls) return false;
  for (uint32_t i = 0; i < most_parts + 2; i++) {
    calls[i].settings = s;
    calls[i].folder = p->folder;
    calls[i].limit = s->limit > 0 ? s->limit : 30 + 1e-3 * rolled->length;
    put_words(&calls[i], s->backend == backend_tcc ? tcc : cc);
  }
  if (s->backend == backend_cc) put_words(last, link);
  if (s->backend == backend_cc && !parts) put_words(last, (const char *const[]){p->source[0], NULL});
  bool ok = true;
  if (parts) {
    for (uint32_t i = 0; i <= parts; i++) {
      put_words(&calls[i], (const char *const[]){"-c", "-o", p->compiled[i], p->source[i], NULL});
      put_words(last, (const char *const[]){p->compiled[i], NULL});
    }
    call_all(calls, parts + 1);
    for (uint32_t i = 0; ok && i <= parts; i++) ok = succeeded(arena, &calls[i], p->compiled[i], why);
  }
  if (!ok) return false;
  call(last);
  return succeeded(arena, last, p->object, why);
}

// Compiles in a folder of its own; the code, in the arena, or NULL.
static const char *compile_texts(Arena *arena, const Rolled *rolled, const NativeSettings *s, const Text *texts,
                                 uint32_t parts, size_t *length, const char **why) {
  Workplace place;
  const char *code = NULL, *problem;
  bool written = place_new(arena, &place);
  for (uint32_t i = 0; written && i <= parts; i++) written = write_text(place.source[i], &texts[i]);
  if (!written) {
    *why = "no folder for compiled code can be written";
  } else if (compile(arena, rolled, s, &place, parts, why)) {
    code = file_read(arena, place.object, cache_most, length, &problem);
    if (!code) *why = arena_printf(arena, "compiled code cannot be read: %s", problem);
  }
  place_remove(&place);
  return code;
}

// A file in memory without a name; -1: the system has none, or does not let it be run.
static int code_in_memory(void) {
#ifdef MFD_CLOEXEC
#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U // newer systems require it
#endif
  int fd = memfd_create("viva", MFD_CLOEXEC | MFD_EXEC);
  return fd >= 0 ? fd : memfd_create("viva", MFD_CLOEXEC);
#else
  return -1;
#endif
}

static void *open_code(Arena *arena, int fd) {
  const char *path = arena_printf(arena, "/proc/self/fd/%d", fd);
  return path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

// The bytes themselves are loaded, from a copy of our own: no path that somebody could change meanwhile.
static void *load_code(Arena *arena, const char *code, size_t length, int *held) {
  *held = code_in_memory();
  void *library = *held >= 0 && file_write_all(*held, code, length) ? open_code(arena, *held) : NULL;
  if (library) return library;
  if (*held >= 0) close(*held);
  *held = -1;
  // a system without: a file that nobody else can change, gone as soon as it is loaded
  Workplace place;
  bool made = place_new(arena, &place);
  int fd = made ? open(place.object, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700) : -1;
  bool written = fd >= 0 && file_write_all(fd, code, length);
  if (fd >= 0) written = close(fd) == 0 && written;
  if (written) library = dlopen(place.object, RTLD_NOW | RTLD_LOCAL);
  place_remove(&place);
  return library;
}

static Native *load(Arena *arena, const Tape *tape, const NativeSettings *s, const char *code, size_t length,
                    const char **why) {
  Native *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  n->library = load_code(arena, code, length, &n->code);
  void *symbol = n->library ? dlsym(n->library, "viva_tape") : NULL;
  void *rates = n->library && s->rates ? dlsym(n->library, "viva_tape_rates") : NULL;
  if (!symbol || (s->rates && !rates)) {
    *why = arena_printf(arena, "compiled code cannot be loaded");
    native_free(n);
    return NULL;
  }
  memcpy(&n->eval, &symbol, sizeof symbol); // ISO C has no cast for this
  memcpy(&n->lanes, &symbol, sizeof symbol);
  memcpy(&n->rates, &rates, sizeof rates);
  memcpy(&n->lane_rates, &rates, sizeof rates);
  n->kit = tape_kit(tape);
  lanes_widen(&n->kit);
  return n;
}

// The texts one after the other, for the cache's key.
static const char *joined(Arena *arena, const Text *texts, uint32_t count) {
  if (count == 1) return text_str(&texts[0]);
  Text all = text_in(arena);
  for (uint32_t i = 0; i < count; i++) text_putn(&all, texts[i].data, texts[i].length);
  return text_str(&all);
}

static bool key_of(Arena *arena, const NativeSettings *s, const Rolled *rolled, const char *all, CacheKey *key) {
  const char *how = arena_printf(arena, "viva 5 cc %s %s %zu", level_of(rolled), vectors_of(s->lanes), sizeof(void *));
  if (!how || arena_failed(arena)) return false;
  *key = cache_key(all, how);
  return true;
}

static Native *from_cache(Arena *arena, const Tape *tape, const NativeSettings *s, const CacheKey *key, int folder,
                          const char **why) {
  size_t length;
  const char *code = cache_find(arena, folder, key, &length);
  return code ? load(arena, tape, s, code, length, why) : NULL;
}

Native *native_new(Arena *arena, const Tape *tape, const NativeSettings *s, const char **why, const char **note) {
  Text texts[most_parts + 1];
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  const Rolled *rolled = tape_roll(arena, tape, tape->ops, tape->op_count);
  if (!rolled) return NULL;
  uint32_t parts = s->backend == backend_cc && rolled_is_long(rolled) ? processors < 2            ? 1
                                                                        : processors > most_parts ? most_parts
                                                                                                  : (uint32_t)processors
                                                                      : 0;
  const EmitTarget *target = !s->lanes ? &emit_native : lanes_by_halves(tape) ? &emit_half_lanes : &emit_lanes;
  *why = *note = NULL;
  for (uint32_t i = 0; i <= parts; i++) texts[i] = text_in(arena);
  EmitJob job = {.arena = arena,
                 .out = &texts[0],
                 .tape = tape,
                 .rolled = rolled,
                 .target = target,
                 .name = "viva_tape",
                 .rates = s->rates,
                 .parts = texts + 1,
                 .part_count = parts};
  if (s->backend == backend_cc && !emit_fronts(&job)) return NULL;
  for (uint32_t i = 0; i <= parts; i++) emit_head(&texts[i], target, rolled);
  if (!emit_c(&job)) return NULL;
  int folder = s->backend == backend_cc ? cache_open(arena, s->cache) : -1;
  if (s->backend == backend_cc && folder < 0) *note = "not kept: the cache folder cannot be used";
  CacheKey key = {0};
  if (folder >= 0 && !key_of(arena, s, rolled, joined(arena, texts, parts + 1), &key)) {
    close(folder);
    return NULL;
  }
  Native *n = folder >= 0 ? from_cache(arena, tape, s, &key, folder, why) : NULL;
  size_t length = 0;
  const char *code = n ? NULL : compile_texts(arena, rolled, s, texts, parts, &length, why);
  if (code) {
    n = load(arena, tape, s, code, length, why);
    bool kept = folder >= 0 && cache_put(arena, folder, &key, code, length);
    if (folder >= 0 && !kept) *note = "not kept: the cache folder cannot be written";
    if (kept) cache_trim(arena, folder, cache_most);
  }
  if (folder >= 0) close(folder);
  return n;
}

void native_free(Native *native) {
  if (!native) return;
  if (native->library) dlclose(native->library);
  if (native->code >= 0) close(native->code);
  free(native);
}

void lanes_native(const Native *native, const LaneKit *kit, double *w) { native->lanes(w, kit); }

unsigned lanes_rates(const Native *native, const LaneKit *kit, const double *t, const double *y, double *dydt,
                     double *w) {
  return (unsigned)native->lane_rates(t, y, dydt, w, kit);
}

void native_eval(const Native *native, double *w) { native->eval(w, &native->kit); }

bool native_rates(const Native *native, double t, const double *y, double *dydt, double *w) {
  return native->rates(t, y, dydt, w, &native->kit) != 0;
}
