// What the parts of a sweep share: its options as they were read (sweep_read.c), its table (sweep_file.c),
// the job (sweep.c).
// parts: sweep.c sweep_file.c sweep_read.c sweep_ranks.c sweep_table.c sweep_shown.c
#ifndef VIVA_API_SWEEP_PARTS_H
#define VIVA_API_SWEEP_PARTS_H

#include "api/handles.h"
#include "base/growing.h"
#include "lang/distributions.h"
#include "show/sweep.h"
#include "show/sweep_view.h"
#include "sim/sweep.h"
#include "sim/tally.h"

enum { sweep_head_lines = 5 }; // version, model, settings, kinds of the columns, their names

struct viva_sweep {
  Arena *arena, *line; // line: of one row
  const viva_model *model;
  viva_sweep_options o;
  MeasureJob job;
  VEC(ValueRange) ranges;
  VEC(RandomQuantity) random;
  GridFactor *grids;
  const char **names; // of the values of a sample: grids, then random quantities
  Design design;
  uint64_t count;
  Tally tally;
  double *values; // of all samples and measures, for indices; NULL: not kept
  // the table
  Growing *file;      // NULL: none
  Growing *old;       // a table that stays until the new one is complete; NULL: none
  const char *path;   // where the file grows: options' path, or the part beside the old table
  const char *target; // of a part: what it becomes
  const char *head[sweep_head_lines];
  uint64_t rows;              // that are there
  bool complete;              // all of them
  double *varied, *measures;  // of one row
  const char *trouble, *hint; // with the table; NULL: none
  viva_status failure;
  // trajectories
  const char **columns;
  double *row;
  const SimProgram *program;
  struct SweepRanks *ranks;  // NULL: this process alone
  int absent;                // processes that took no part
  SweepView *view;           // for pictures; NULL: none
  const char *first_message; // of a sample that failed
  SweepSummary shown;
  const char *summary[2], *message;
};

// False: out of memory. Problems are in x->job.scope.model.diags.
bool sweep_read(viva_sweep *x);

// One sample of a table.
typedef struct SweepRow {
  uint64_t index;
  const double *values, *measures; // measures: NULL where it is not done; NAN: no value
  const char *status, *message;    // "done", "failed" or "refused"
} SweepRow;
typedef struct SweepWidth {
  uint32_t varied, measures;
} SweepWidth;
void sweep_row_print(const SweepRow *row, SweepWidth width, Text *out);
// Reads a line that sweep_row_print wrote, into arrays for its values and measures.
// False: it is none, to the last byte.
bool sweep_row_read(Arena *arena, const char *line, SweepWidth width, double *values, double *measures, SweepRow *row);

bool sweep_open(viva_sweep *x); // the file is there, and nobody else writes it; false: x->trouble
// The head and, where the sweep goes on, the rows that are there. False: x->trouble.
bool sweep_begin(viva_sweep *x, const SimProgram *p);
bool sweep_put(viva_sweep *x, uint64_t i, const double *values, const EnsembleEnd *end); // false: x->trouble
void sweep_close(viva_sweep *x, bool whole);

// The columns of the table behind the index, with their units. NULL: out of memory.
SweepColumn *sweep_columns(viva_sweep *x, uint32_t *count);
const char *sweep_model_line(Arena *arena, const viva_model *model); // of the head of a table
static inline const char *sweep_kind_word(SweepColumnKind kind) {
  static const char *const words[sweep_kind_count] = {"grid", "draw", "measure", "where"};
  return words[kind];
}
bool sweep_summarize(viva_sweep *x); // x->shown is filled; false: out of memory
// What pictures need of the program that runs. False: out of memory.
bool sweep_begin_view(viva_sweep *x, const SimProgram *p);
bool sweep_view_end(viva_sweep *x, const double *values, const double *measures); // measures NULL: it failed
// The picture as SVG, for pages. VIVA_EINPUT: there is nothing to draw.
viva_status sweep_svg(const viva_sweep *x, unsigned parts, const char *id, Text *out);

#endif
