// One tape of a run and what runs it: the interpreter, and native code from the moment on at which it pays.
#ifndef VIVA_SIM_COMPILED_H
#define VIVA_SIM_COMPILED_H

#include "tape/native.h"

typedef struct Compiled {
  const Tape *tape;
  NativeCost cost;            // of compiling it
  const Native *native;       // NULL: interpreted
  Native *own;                // to be freed
  uint64_t evaluations, next; // counted; at `next` a compiler is tried
  Backend wanted, trying;     // asked for; tried at `next`
  Backend backend;            // in use
  const char *note;           // why it is not what was asked for, or what else is worth telling; NULL
  bool rates, cc_failed;      // for native_rates; not tried again
  void *self;
  bool (*interrupted)(void *self);
} Compiled;

// By counts, never by the clock. expected: how often it will be evaluated; NAN: counted as it comes.
void compiled_choose(Compiled *c, Backend wanted, double expected);
void compiled_try(Compiled *c, Arena *arena); // the back end whose turn it is
void compiled_free(Compiled *c);

// Before each evaluation.
static inline void compiled_count(Compiled *c, Arena *arena) {
  if (c->evaluations++ == c->next) compiled_try(c, arena);
}

static inline void compiled_eval(const Compiled *c, double *w) {
  if (c->native) native_eval(c->native, w);
  else tape_eval(c->tape, w);
}

#endif
