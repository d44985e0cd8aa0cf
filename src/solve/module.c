// Finds, loads and checks the module; bdf as seen from the library.
#define _GNU_SOURCE // MAP_ANONYMOUS, RTLD_NOLOAD
#include "solve/module.h"

#include "base/trust.h"
#include "solve/scale.h"

#include "solve_build_id.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

// Room that LAPACK's library takes when it is loaded and first used, with some to spare. OpenBLAS does not tell when
// there is less: it asks again without end.
static const size_t room_for_matrices = (size_t)192 << 20;

// The module lies beside the library that holds this code.
static void *open_module(int mode) {
  char path[4096];
  return trust_find("libviva-solvers.so", path, sizeof path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL | mode) : NULL;
}

bool module_has_room(void) {
  if (open_module(RTLD_NOLOAD)) return true; // it has taken it already
  void *room =
      mmap(NULL, room_for_matrices, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, room_for_matrices);
  return true;
}

const SolveModule *module_load(void) {
  void *handle = module_has_room() ? open_module(0) : NULL;
  void *symbol = handle ? dlsym(handle, SOLVE_MODULE_ENTRY) : NULL;
  SolveModuleEntry *entry;
  if (!symbol) return NULL;
  memcpy(&entry, &symbol, sizeof entry); // an object pointer may not be cast to a function's
  return entry(SOLVE_VERSION, SOLVE_BUILD_ID);
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
  static const SolveHost host = {ode_row_count, ode_row_time, ode_pass_break, event_search, event_ended, event_none};
  return m->bdf(&host, p, s, y, &scales, search, o);
}
