// Columns of the result table: what a row shows.
#ifndef VIVA_SIM_COLUMNS_H
#define VIVA_SIM_COLUMNS_H

#include "expr/calculus.h"
#include "hybrid/rewrite.h"
#include "sim/run_settings.h"

// Columns stand in this order among the results of the tape of rows: shown, final ones that are not shown, watched;
// then the energies kinetic, potential, stored.
typedef struct Columns {
  const char **names; // of the final values
  uint32_t count;     // of these
  uint32_t shown;     // this many first ones go to the sink
  uint32_t outputs;   // this many first ones are outputs of the model
  uint32_t watch_at, watch_count;
  bool *watch_jumps; // of the watched: it jumps with the state, where no event is located
  bool any_jumps;
  uint32_t energy_at;
  ExprId *results; // of the tape
  uint32_t result_count;
  SymbolId *flows; // what the text calls the quadratures: energy.dissipated, ...
} Columns;

// rewriting: of a system with events; NULL: none. False: out of memory.
bool columns_list(System *s, const RunSettings *settings, Rewriting *rewriting, Columns *out);
// energy.kinetic, energy.potential and energy.stored stand for their expressions.
void columns_map_energies(System *s, SymbolMap *map);

#endif
