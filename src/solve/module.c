#define _GNU_SOURCE // dladdr
#include "solve/module.h"

#include "solve/steps.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// The module lies beside the library that holds this code; else the loader looks where it looks for others.
static void *open_module(void) {
  static const char name[] = "libviva-solvers.so";
  Dl_info info;
  char path[4096];
  const char *slash = dladdr(name, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
  if (slash && (size_t)(slash - info.dli_fname) + sizeof name + 1 < sizeof path) {
    snprintf(path, sizeof path, "%.*s/%s", (int)(slash - info.dli_fname), info.dli_fname, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle) return handle;
  }
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
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
  OdeScales scales = {0};
  r.status = ode_no_memory;
  if (!ode_scales_init(&scales, arena, p->checked)) return r;
  ode_start_sizes(&scales, p, s, y);
  EventSearch *search = p->events && p->events->count ? event_search_new(arena, p->events, p->n) : NULL;
  if (p->events && p->events->count && !search) return r;
  return m->bdf(p, s, y, &scales, search, o);
}
