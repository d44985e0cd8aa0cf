// A sweep on several processes (base/ranks.h). The first one has the table: it deals out parts of the samples, takes
// what comes back, and writes rows in their order; between that it runs samples itself. Nothing that a row holds
// depends on who ran it.
#ifndef VIVA_API_SWEEP_RANKS_H
#define VIVA_API_SWEEP_RANKS_H

#include "api/ranks.h"
#include "api/sweep_parts.h"

typedef struct SweepRanks SweepRanks;

SweepRanks *sweep_ranks_new(viva_sweep *x, const Ranks *ranks); // NULL: out of memory
bool sweep_ranks_leads(const SweepRanks *s);                    // is this the one that has the table?
void sweep_ranks_begin(SweepRanks *s);                          // the program is there, and the rows of the table
bool sweep_ranks_next(SweepRanks *s, uint64_t *from, uint64_t *end);
bool sweep_ranks_take(SweepRanks *s, uint64_t i, const EnsembleEnd *end);
bool sweep_ranks_row(SweepRanks *s, double t, const double *columns);
// All samples are there, or none is to come: the others are notified, and answer. *absent: how many took no part.
void sweep_ranks_end(SweepRanks *s, int *absent);
bool sweep_ranks_interrupted(const SweepRanks *s);
void sweep_ranks_free(SweepRanks *s); // NULL is fine

// ---- of sweep.c: a sample that was run somewhere goes into the table
bool sweep_take_row(viva_sweep *x, uint64_t i, double t, const double *columns);
bool sweep_take_end(viva_sweep *x, uint64_t i, const double *values, const EnsembleEnd *end);

#endif
