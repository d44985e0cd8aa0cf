// What samples do: rules that set states at their times, and the discrete system that comes of it.
#ifndef VIVA_ANALYZE_SAMPLED_H
#define VIVA_ANALYZE_SAMPLED_H

#include "analyze/dense.h"

// One assignment of an `every`: target := row over (x, s, u, w).
typedef struct SampleRule {
  uint32_t statement; // rules of one statement take the old values of each other
  double period;
  bool sampled;    // the target is a sampled state, else a state that moves between samples, too
  uint32_t target; // its number
} SampleRule;

typedef struct SampledPart {
  uint32_t q; // sampled states s: constant between their times
  uint32_t count;
  SampleRule *rules;
  double *rows;       // count x (n + q + m)
  double *Bs, *Cs;    // how s enters x' and y: n x q, p x q
  double *Gs;         // how s enters what is delayed: delays x q
  double *late;       // how delayed signals enter the rules: count x delays
  const char **names; // of s
  // a loop that is cut: what comes back is the value that the rules would read there, just before they act
  bool cut;
  uint32_t cut_input, cut_output;
} SampledPart;

// The rules of a system that is cut at a state (system_open_state): they read its last input, too. False: out of
// memory.
bool sampled_open_state(Arena *arena, const LinearSystem *cut, uint32_t state, SampledPart *part);

// The system with its samples over one common period, as x[k + 1] = ..., y[k] = ... . States: x, then s, as they are
// just before the samples at k h, then what is on its way through dead times; inputs are held in between; outputs are
// those just after the samples. *why: there is none. False: out of memory.
bool sampled_lift(Arena *arena, const LinearSystem *s, const SampledPart *part, LinearSystem *out, const char **why);

#endif
