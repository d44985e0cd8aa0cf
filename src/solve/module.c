#include "solve/module.h"

#include "base/trust.h"
#include "solve/steps.h"

#include <dlfcn.h>
#include <string.h>

// The module lies beside the library that holds this code.
static void *open_module(void) {
  char path[4096];
  return trust_find("libviva-solvers.so", path, sizeof path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

const SolveModule *module_load(void) {
  void *handle = open_module();
  void *symbol = handle ? dlsym(handle, "viva_solve_module") : NULL;
  const SolveModule *(*get)(void);
  if (!symbol) return NULL;
  memcpy(&get, &symbol, sizeof get); // an object pointer may not be cast to a function's
  const SolveModule *m = get();
  return m->stamp == SOLVE_MODULE_STAMP ? m : NULL;
}

OdeResult ode_solve_bdf(Arena *arena, const OdeProblem *p, const OdeSettings *s, double *y, const OdeObserver *o) {
  OdeResult r = {.status = ode_no_module, .t = s->t0, .method = ode_bdf, .stiff_at = NAN};
  const SolveModule *m = module_load();
  if (!m) return r;
  double *seen = s->by_scale ? arena_array(arena, p->checked, sizeof *seen) : NULL;
  r.status = ode_no_memory;
  if (s->by_scale && !seen) return r;
  ode_see(seen, y, p->checked);
  EventSearch *search = p->events && p->events->count ? event_search_new(arena, p->events, p->n) : NULL;
  if (p->events && p->events->count && !search) return r;
  return m->bdf(p, s, y, seen, search, o);
}
