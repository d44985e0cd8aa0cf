// What runs a tape: the interpreter, and native code from the moment on at which it pays.
//
// Native code is kept with the tape, for all runs of a Program; a run counts its evaluations and changes to it by these
// counts, never by the clock. All back ends give the same bits, so the change may come in the middle of a run.
#ifndef VIVA_SIM_CODE_H
#define VIVA_SIM_CODE_H

#include "tape/native.h"

enum { code_backends = backend_cc + 1 };

// Of one tape. Whoever tries a compiler holds the lock of its owner.
typedef struct NativeCode {
  const Tape *tape;
  bool rates;                    // for native_rates
  Native *native[code_backends]; // NULL: not tried, or it failed
  bool tried[code_backends];
  bool missing[code_backends];     // the compiler is not there
  const char *why[code_backends];  // it failed
  const char *note[code_backends]; // worth knowing though it did not
} NativeCode;

void code_free(NativeCode *n);

// Of one run; without pointers.
typedef struct CodeState {
  uint64_t evaluations, next; // counted; at `next` a compiler is tried
  NativeCost cost;            // of compiling
  bool rough;                 // the least it can be: what repeats in a long tape takes time to find
  Backend wanted, trying;     // asked for; tried at `next`
  Backend backend;            // in use
  Backend noted;              // the one there is something to say about; backend_auto: none
  bool noted_failure;         // why it failed
  bool cc_failed;             // not tried again
} CodeState;

typedef struct CodeAsk {
  void *self;
  bool (*interrupted)(void *self); // asked while a compiler works; may be NULL
} CodeAsk;

// expected: how often it will be evaluated; NAN: counted as it comes.
void code_choose(CodeState *c, const Tape *tape, Backend wanted, double expected);
// Compiles by the back end that is to be tried now (trying). With the lock.
void code_try(CodeState *c, NativeCode *n, Arena *arena, CodeAsk ask);
const char *code_note(const CodeState *c, const NativeCode *n); // NULL: nothing is to be said

// NULL: interpreted.
static inline const Native *code_native(const CodeState *c, const NativeCode *n) { return n->native[c->backend]; }

static inline void code_eval(const CodeState *c, const NativeCode *n, double *w) {
  const Native *native = code_native(c, n);
  if (native) native_eval(native, w);
  else tape_eval(n->tape, w);
}

#endif
