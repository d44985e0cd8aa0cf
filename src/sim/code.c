// Just-in-time compilation of a tape: when, and by which compiler.
//
// Asked for: at the first evaluation. Else by counts: tcc when its time is earned back, the optimizing compiler when
// that is; heavy work goes to cc at once, and to tcc where cc fails.
#include "sim/code.h"

#include <math.h>

static void compile(NativeCode *n, Backend backend, Arena *arena, CodeAsk ask) {
  if (n->tried[backend]) return;
  NativeSettings s = {.backend = backend,
                      .rates = n->rates,
                      .missing = &n->missing[backend],
                      .self = ask.self,
                      .interrupted = ask.interrupted};
  n->native[backend] = native_new(arena, n->tape, &s, &n->why[backend], &n->note[backend]);
  n->tried[backend] = true;
}

void code_try(CodeState *c, NativeCode *n, Arena *arena, CodeAsk ask) {
  if (c->rough) {
    c->rough = false;
    c->cost = native_cost(n->tape);
    c->trying = native_first(c->cost);
    c->next = native_pays(c->cost, c->trying, false);
    if (c->evaluations < c->next) return;
  }
  Backend b = c->trying;
  compile(n, b, arena, ask);
  const char *why = n->why[b];
  bool native = n->native[b] != NULL, asked = c->wanted != backend_auto, before = c->backend != backend_interp;
  c->next = UINT64_MAX;
  if (native) {
    c->backend = c->noted = b;
    c->noted_failure = false;
  } else if (asked || (why && !n->missing[b])) {
    c->noted = b;
    c->noted_failure = true;
  }
  if (asked || c->cc_failed) return;
  if (b == backend_cc) {
    // heavy work that went to cc at once: tcc is better than nothing
    c->cc_failed = !native;
    if (native || before) return;
    c->trying = backend_tcc;
    c->next = c->evaluations;
    return;
  }
  // without tcc the optimizing compiler pays earlier
  c->trying = backend_cc;
  c->next = native_pays(c->cost, backend_cc, native);
  if (c->next <= c->evaluations) c->next = c->evaluations;
}

void code_choose(CodeState *c, const Tape *tape, Backend wanted, double expected) {
  *c = (CodeState){.wanted = wanted, .backend = backend_interp, .next = UINT64_MAX};
  if (wanted == backend_interp) return;
  c->trying = wanted;
  c->next = 0;
  if (wanted != backend_auto) return;
  c->cost = native_least(tape);
  c->next = native_pays(c->cost, backend_tcc, false);
  c->rough = isnan(expected);
  if (c->rough) return;
  if (expected >= (double)c->next) {
    c->cost = native_cost(tape);
    c->trying = native_first(c->cost);
    c->next = native_pays(c->cost, c->trying, false);
  }
  if (expected < (double)c->next) {
    c->next = UINT64_MAX;
    return;
  }
  c->next = 0;
  if (expected >= (double)native_pays(c->cost, backend_cc, true)) c->trying = backend_cc;
}

const char *code_note(const CodeState *c, const NativeCode *n) {
  if (c->noted == backend_auto) return NULL;
  return c->noted_failure ? n->why[c->noted] : n->note[c->noted];
}

void code_free(NativeCode *n) {
  for (int i = 0; i < code_backends; i++) native_free(n->native[i]);
}
