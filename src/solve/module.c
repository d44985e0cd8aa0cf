// Finds, loads and checks the module; bdf as seen from the library.
#define _GNU_SOURCE // MAP_ANONYMOUS, RTLD_NOLOAD
#include "solve/module.h"

#include "base/trust.h"
#include "solve/scale.h"

#include "solve_build_id.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// What loading takes: 42 MB of addresses for the libraries, 128 for a buffer of OpenBLAS and 8 for the stack of each of
// its threads, of which the caller is one (lapack.h); and some to spare.
static const size_t room_for_libraries = (size_t)56 << 20, room_for_thread = (size_t)136 << 20;

// The number of threads that OpenBLAS will have: as the environment sets it, else one for each processor.
static size_t blas_threads(void) {
  static const char *const told[] = {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"};
  for (int i = 0; i < 3; i++) {
    const char *text = getenv(told[i]);
    long count = text ? strtol(text, NULL, 10) : 0;
    if (count > 0) return (size_t)count;
  }
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 ? (size_t)processors : 1;
}

// The module lies beside the library that holds this code.
static void *open_module(int mode) {
  char path[4096];
  return trust_find("libviva-solvers.so", path, sizeof path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL | mode) : NULL;
}

static const SolveModule *enter_module(void *handle) {
  void *symbol = handle ? dlsym(handle, SOLVE_MODULE_ENTRY) : NULL;
  SolveModuleEntry *entry;
  if (!symbol) return NULL;
  memcpy(&entry, &symbol, sizeof entry); // an object pointer may not be cast to a function's
  return entry(SOLVE_VERSION, SOLVE_BUILD_ID);
}

bool module_has_room(void) {
  void *handle = open_module(RTLD_NOLOAD);
  if (handle) {
    const SolveModule *m = enter_module(handle);
    return !m || m->ready();
  }
  size_t needed = room_for_libraries + blas_threads() * room_for_thread;
  void *room = mmap(NULL, needed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, needed);
  return true;
}

const SolveModule *module_load(void) {
  const SolveModule *m = module_has_room() ? enter_module(open_module(0)) : NULL;
  return m && m->ready() ? m : NULL;
}

OdeResult ode_solve_bdf(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o) {
  OdeResult r = {.status = ode_no_module, .t = s->t0, .method = ode_bdf, .stiff_at = NAN};
  const SolveModule *m = module_load();
  if (!m && !module_has_room()) r.status = ode_no_memory;
  if (!m) return r;
  OdeScales scales = {0};
  r.status = ode_no_memory;
  if (!ode_scales_init(&scales, arena, s, p->checked, p->kinds)) return r;
  ode_start_sizes(&scales, 0, y);
  EventSearch *search = p->events && p->events->count ? event_search_new(arena, p->events, p->n) : NULL;
  if (p->events && p->events->count && !search) return r;
  static const SolveHost host = {ode_row_count,  ode_row_time, ode_row_near, ode_at_break,
                                 ode_pass_break, event_search, event_ended,  event_none};
  return m->bdf(&host, p, s, y, &scales, search, o);
}
