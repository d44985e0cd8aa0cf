#include "sim/compiled.h"

#include <math.h>

// All back ends give the same bits, so the change may come in the middle of a run.
void compiled_try(Compiled *c, Arena *arena) {
  const char *why, *note;
  bool missing = false;
  NativeSettings s = {
      .backend = c->trying, .rates = c->rates, .missing = &missing, .self = c->self, .interrupted = c->interrupted};
  Native *native = native_new(arena, c->tape, &s, &why, &note);
  bool asked = c->wanted != backend_auto;
  c->next = UINT64_MAX;
  if (native) {
    native_free(c->own);
    c->native = c->own = native;
    c->backend = c->trying;
    c->note = note;
  } else if (asked || (why && !missing)) {
    c->note = why;
  }
  if (asked || c->cc_failed) return;
  if (c->trying == backend_cc) {
    // heavy work that went to cc at once: tcc is better than nothing
    c->cc_failed = !native;
    if (native || c->native) return;
    c->trying = backend_tcc;
    c->next = c->evaluations;
    return;
  }
  // without tcc the optimizing compiler pays earlier
  c->trying = backend_cc;
  c->next = native_pays(c->cost, backend_cc, native != NULL);
  if (c->next <= c->evaluations) c->next = c->evaluations;
}

void compiled_choose(Compiled *c, Backend wanted, double expected) {
  c->wanted = wanted;
  c->backend = backend_interp;
  c->next = UINT64_MAX;
  if (wanted == backend_interp) return;
  c->cost = native_cost(c->tape);
  c->trying = wanted == backend_auto ? native_first(c->cost) : wanted;
  c->next = wanted == backend_auto ? native_pays(c->cost, c->trying, false) : 0;
  if (wanted != backend_auto || isnan(expected)) return;
  if (expected < (double)c->next) {
    c->next = UINT64_MAX;
    return;
  }
  c->next = 0;
  if (expected >= (double)native_pays(c->cost, backend_cc, true)) c->trying = backend_cc;
}

void compiled_free(Compiled *c) {
  native_free(c->own);
  c->own = NULL;
  c->native = NULL;
}
