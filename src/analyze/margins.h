// Margins of a loop L that closes as 1 + L = 0, and what the closed loop does to frequencies.
#ifndef VIVA_ANALYZE_MARGINS_H
#define VIVA_ANALYZE_MARGINS_H

#include "analyze/crossings.h"
#include "analyze/rest.h"

typedef struct Margin {
  double value;     // of gain: the factor by which L may be multiplied; of phase: rad; NAN: none
  double frequency; // rad/s; INFINITY: the limit of high frequencies
  bool touches;
} Margin;

typedef struct Margins {
  VEC(Margin) gain, phase; // all crossings, by frequency
  double delay;            // the least dead time that makes it unstable, s, of a sampled loop whole periods; INFINITY:
                           // none does, NAN: not known
  double delay_at;         // its frequency
  bool cut;                // with delays: crossings from `until` rad/s on, where |L| < least, are not listed
  double until, least;
} Margins;

// rest: what the loop does there; NULL: it has no pole there.
DenseStatus margins_find(Arena *arena, const SolveModule *module, const LinearSystem *loop, const RestGain *rest,
                         Margins *out);

// The largest |G(i w)| and where, to rounding: levels through the middles of what lies above the last one (Boyd,
// Balakrishnan 1990; Bruinsma, Steinbuch 1990). INFINITY: a pole lies on the axis.
typedef struct Peak {
  double value, frequency;
} Peak;
DenseStatus margins_peak(Arena *arena, const SolveModule *module, const LinearSystem *path, Peak *out);

// The least frequency at which |G| falls below |G(0)| / sqrt(2); NAN: never, or G(0) is 0 or infinite.
DenseStatus margins_bandwidth(Arena *arena, const SolveModule *module, const LinearSystem *path, double *out);

#endif
