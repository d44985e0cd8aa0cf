// Native code from a tape: C text, a compiler as a program of its own, and the loaded result.
// parts: cache.c
//
// Every back end gives the interpreter's bits. Where there is no compiler, or it fails or takes too long, there is no
// native code, and the caller goes on with the interpreter.
#ifndef VIVA_TAPE_NATIVE_H
#define VIVA_TAPE_NATIVE_H

#include "tape/emit_c.h"

typedef struct NativePair {
  double x, y;
} NativePair;

// What native code calls: the interpreter's elementary functions, and the interpreter itself for kernels. The order is
// the one of emit_head.
typedef struct NativeKit {
  const Tape *tape;
  void (*step)(const Tape *tape, uint32_t op, double *w);
  NativePair (*sincos)(double);
  // several at once: their sines from r[0] on, their cosines from r[4] on
  void (*sincos2)(double a, double b, double *r);
  void (*sincos4)(double a, double b, double c, double d, double *r);
#define NATIVE_1 double
#define NATIVE_2 double, double
#define X(name, arity) double (*name)(NATIVE_##arity);
  TAPE_MATH(X)
#undef X
#undef NATIVE_1
#undef NATIVE_2
} NativeKit;

NativeKit tape_kit(const Tape *tape);

typedef enum Backend { backend_auto, backend_interp, backend_tcc, backend_cc } Backend;
const char *backend_name(Backend backend);
bool backend_find(const char *name, Backend *backend);

typedef struct NativeSettings {
  Backend backend;   // tcc or cc
  bool lanes;        // cc: eight lanes at once
  bool rates;        // for native_rates: the variables are t and y
  bool *missing;     // set to whether the compiler is not installed; may be NULL
  double limit;      // seconds for the compiler; 0: 30, and one more for each 1000 operations
  const char *cache; // folder; NULL: the user's
  void *self;
  bool (*interrupted)(void *self); // asked while the compiler works; may be NULL
} NativeSettings;

typedef struct Native Native;

// Compiles and loads. NULL: *why says why not, in words (in the arena or static; NULL when out of memory).
// *note: something worth telling though it worked, such as a cache that cannot be used; NULL: nothing.
Native *native_new(Arena *arena, const Tape *tape, const NativeSettings *settings, const char **why, const char **note);
void native_free(Native *native); // NULL is fine
void native_eval(const Native *native, double *w);
// dydt are the results; false: a result is not finite. Only with NativeSettings.rates.
bool native_rates(const Native *native, double t, const double *y, double *dydt, double *w);

// Counted work of an evaluation, and the length of the text to be compiled, in operations; front: of kernels, for cc
// alone.
typedef struct NativeCost {
  uint64_t work, length, front;
} NativeCost;
NativeCost native_cost(const Tape *tape);
NativeCost native_least(const Tape *tape);                             // at once: the length counts as zero
Backend native_first(NativeCost cost);                                 // what auto tries first
uint64_t native_pays(NativeCost cost, Backend backend, bool have_tcc); // evaluations that pay for a compiler

// The cache of compiled code: one folder, one file an entry, named after what was compiled and how.
typedef struct CacheKey {
  char name[33];
} CacheKey;
CacheKey cache_key(const char *text, const char *how);
// A descriptor of the folder, made where it is missing; -1: none can be used, or others may change it or what is above
// it.
int cache_open(Arena *arena, const char *given);
// The code of a sound entry, in the arena; NULL: there is none. A damaged one is removed.
const char *cache_find(Arena *arena, int folder, const CacheKey *key, size_t *length);
// Keeps code; false: it cannot be written.
bool cache_put(Arena *arena, int folder, const CacheKey *key, const char *code, size_t length);
enum { cache_most = 256 * 1024 * 1024 }; // bytes; the oldest go first
void cache_trim(Arena *arena, int folder, uint64_t most);
bool cache_clear(int folder, uint64_t *files, uint64_t *bytes); // false: something could not be removed

#endif
