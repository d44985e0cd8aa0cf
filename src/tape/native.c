// Native code from a tape.
//
//   tape --emit_c--> C text --tcc or cc--> shared object --dlopen--> function
//
// tcc is quick to compile, cc makes faster code; its results are kept in the cache.
#define _XOPEN_SOURCE 700
#include "tape/lanes.h"

#include "base/spawn.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct Native {
  void *library;
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

// tcc's code of very long tapes is no faster than the interpreter.
Backend native_first(const Tape *tape) { return tape->op_count > 20000 ? backend_cc : backend_tcc; }

// Measured: the interpreter takes about 3 ns an operation, tcc's code 0.5, cc's 0.3; tcc takes 3 ms and 1 us an
// operation to compile, cc 60 ms and 0.15 ms an operation. A back end is taken when it has paid for itself.
uint64_t native_pays(const Tape *tape, Backend backend, bool have_tcc) {
  uint64_t work = tape->op_count + 1;
  for (uint32_t i = 0; i < tape->call_count; i++) {
    uint64_t n = tape->calls[i].size;
    work += n * n * n / 3;
  }
  if (backend == backend_tcc) return 1000000 / work + 500;
  return have_tcc ? 300000000 / work + 750000 : 25000000 / work + 60000;
}

// ---- compiling

typedef struct Workplace {
  char *folder, *source, *object;
} Workplace;

// A folder of our own for the compiler.
static bool place_new(Arena *arena, Workplace *p) {
  const char *base = getenv("TMPDIR");
  p->folder = arena_printf(arena, "%s/viva-XXXXXX", base && base[0] == '/' ? base : "/tmp");
  if (!p->folder || !mkdtemp(p->folder)) {
    p->folder = NULL;
    return false;
  }
  p->source = arena_printf(arena, "%s/tape.c", p->folder);
  p->object = arena_printf(arena, "%s/tape.so", p->folder);
  return p->source && p->object;
}

static void place_remove(const Workplace *p) {
  if (!p->folder) return;
  if (p->source) unlink(p->source);
  if (p->object) unlink(p->object);
  rmdir(p->folder);
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
static const char *level_of(const Tape *tape) { return tape->op_count > 20000 ? "-O1" : "-O2"; }

// Instructions of this processor. Without contraction they change no bit.
static const char *vectors_of(bool lanes) {
#if defined(__x86_64__)
  if (lanes && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return "-mavx512f";
  if (__builtin_cpu_supports("avx2")) return "-mavx2";
#endif
  (void)lanes;
  return "-fPIC";
}

static bool compile(Arena *arena, const Tape *tape, const NativeSettings *s, const Workplace *p, const char **why) {
  const char *const tcc[] = {"tcc", "-shared", "-nostdlib", "-w", "-o", p->object, p->source, NULL};
  const char *const cc[] = {"cc", "-std=gnu99", level_of(tape), "-w", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-shared", "-fPIC",
                            "-nostdlib", "-Wno-psabi", vectors_of(s->lanes), "-o", p->object, p->source, NULL};
  const char *program = backend_name(s->backend);
  double limit = s->limit > 0 ? s->limit : 30 + 1e-3 * tape->op_count;
  SpawnResult r = spawn_wait(s->backend == backend_tcc ? tcc : cc, limit, s->interrupted, s->self);
  switch (r.status) {
  case spawn_missing: *why = arena_printf(arena, "%s is not installed", program); return false;
  case spawn_failed: *why = arena_printf(arena, "%s cannot be started", program); return false;
  case spawn_late: *why = arena_printf(arena, "%s took longer than %.3g s and was stopped", program, limit); return false;
  case spawn_interrupted: *why = "interrupted"; return false;
  default: break;
  }
  if (r.code == 0 && access(p->object, R_OK) == 0) return true;
  size_t line = strcspn(r.output, "\r\n");
  *why = line ? arena_printf(arena, "%s failed: %.*s", program, (int)(line < 200 ? line : 200), r.output) : arena_printf(arena, "%s failed (%d)", program, r.code);
  return false;
}

static Native *load(Arena *arena, const Tape *tape, const NativeSettings *s, const char *path, const char **why) {
  Native *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  n->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
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
  return n;
}

Native *native_new(Arena *arena, const Tape *tape, const NativeSettings *s, const char **why, const char **note) {
  Text text = text_in(arena);
  *note = NULL;
  if ((*why = emit_refuses(tape))) return NULL;
  emit_head(&text, s->lanes ? emit_lanes : emit_native);
  EmitJob job = {.arena = arena, .out = &text, .tape = tape, .style = s->lanes ? emit_lanes : emit_native, .name = "viva_tape", .rates = s->rates};
  if (!emit_c(&job)) return NULL;
  bool cached = s->backend == backend_cc;
  const char *folder = cached ? cache_folder(arena, s->cache) : NULL;
  CacheKey key = {0};
  if (cached && !folder) *note = "not kept: the cache folder cannot be used";
  if (folder) {
    const char *how = arena_printf(arena, "viva 1 cc %s %s %zu", level_of(tape), vectors_of(s->lanes), sizeof(void *));
    if (!how) return NULL;
    key = cache_key(text_str(&text), how);
    const char *found = cache_find(arena, folder, &key);
    Native *n = found ? load(arena, tape, s, found, why) : NULL;
    if (n) return n;
  }
  Workplace place = {0};
  Native *n = NULL;
  if (!place_new(arena, &place) || !write_text(place.source, &text)) {
    *why = "no folder for compiled code can be written";
  } else if (compile(arena, tape, s, &place, why)) {
    const char *path = folder ? cache_put(arena, folder, &key, place.object) : NULL;
    if (folder && !path) *note = "not kept: the cache folder cannot be written";
    n = load(arena, tape, s, path ? path : place.object, why);
    if (path) cache_trim(arena, folder, cache_most);
  }
  place_remove(&place);
  return n;
}

void native_free(Native *native) {
  if (!native) return;
  if (native->library) dlclose(native->library);
  free(native);
}

void lanes_native(const Native *native, const LaneKit *kit, double *w) { native->lanes(w, kit); }

unsigned lanes_rates(const Native *native, const LaneKit *kit, const double *t, const double *y, double *dydt, double *w) {
  return (unsigned)native->lane_rates(t, y, dydt, w, kit);
}

void native_eval(const Native *native, double *w) { native->eval(w, &native->kit); }

bool native_rates(const Native *native, double t, const double *y, double *dydt, double *w) {
  return native->rates(t, y, dydt, w, &native->kit) != 0;
}
