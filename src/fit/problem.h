// A parameter estimation problem: unknown numbers, experiments, what is compared.
//
// in    models (one a case), their `fit` lines, the rows of the data
// out   residuals r = (model - data)/sd over all experiments and columns, and their Jacobian by the unknowns
//
// Notation: u the unknowns, N residuals, cost = sum of r^2. Searches divide residuals by the standard deviations where
// all columns have one, else by the columns' spreads; then the noise of the others is found from the residuals
// (noise.h).
#ifndef VIVA_FIT_PROBLEM_H
#define VIVA_FIT_PROBLEM_H

#include "fit/least.h"
#include "fit/loss.h"
#include "fit/sensitivity.h"
#include "system/fitting.h"

typedef struct FitUnknown {
  const char *name, *shown; // x, x(0)
  const char *in_case;      // of one experiment alone; NULL: shared
  double from, to;          // NAN: no range
  double start;             // where a search begins: the model's own value, or the middle of the range
  double own;               // the model's value; NAN: it has none
  double size;              // what counts as a change
  Span span;
} FitUnknown;

typedef struct FitColumn {
  const char *name, *column;
  double given;  // the standard deviation of its noise; NAN: it is estimated
  double spread; // of the data
  double start;  // what residuals are divided by in searches, and in R^2
  double sd;     // what they are divided by now
  uint32_t group;
  uint32_t points;
  double mean, total; // of the data: sum of squares about its mean
  double left;        // sum of squares of model - data, where noise_look was
} FitColumn;

// Columns that share a variance (noise.h).
typedef struct FitNoiseGroup {
  bool given;
  size_t points;
  double scale;   // of the noise, in parts of each column's spread; 1 where it is given
  double used;    // k_g: unknowns that these points tell
  double freedom; // degrees of freedom of its variance; INFINITY: given
  LeastSums sums; // R and cost of its rows, in parts of each column's spread
} FitNoiseGroup;

// What a line of `fit` came to.
typedef struct FitData {
  const System *system;
  const SystemFit *fit;
  const double *times, *values; // values: a row of the measured columns each time; NAN: missing
  uint32_t count;               // 0: the line names unknowns that all experiments share, and no data
  Span place;                   // of the first line of the data
  const bool *in_unit;          // by column: its head says in which unit it is
} FitData;

// The tolerance of simulations: a search over the range needs no ten digits.
typedef enum FitLevel { level_exact, level_rough, level_count } FitLevel;

typedef struct FitLevelRun {
  SimProgram *p;
  Variation vary;
  Sensitivity *s;
} FitLevelRun;

// Simulations of a population (batch.h), made when they are first asked for.
typedef struct FitBatch {
  SimProgram *p; // NULL: not yet
  Variation vary;
} FitBatch;

typedef struct FitExperiment {
  const FitData *of;
  const System *system; // its outputs are what was measured
  FitBatch batch;
  FitLevelRun at[level_count];
  uint32_t *unknown; // by varied name: which one it is
  uint32_t k;
  FitColumn *columns;
  uint32_t width;
  size_t first; // of its points among those of all experiments
  double *own;  // room for its unknowns
  // times at which the model is asked; rows first_row[i] .. first_row[i + 1] - 1 of the data are those of one
  const double *moments;
  const uint32_t *first_row; // NULL: no time is repeated
  uint32_t moment_count;
  double from; // start time
} FitExperiment;

// Called with the progress of a search, after each simulation or population. NULL: nobody.
typedef struct FitListener {
  void *self;
  void (*told)(void *self, uint64_t motions, double best); // R^2, or the least index so far; NAN: none yet
} FitListener;

// The best point so far, for those who end a search early.
typedef struct FitBest {
  double *u, cost; // cost INFINITY: none
} FitBest;

typedef struct FitIndex FitIndex; // index.h

typedef struct FitProblem {
  Arena *arena;
  FitUnknown *unknowns;
  uint32_t k;
  FitExperiment *experiments;
  uint32_t count;
  size_t points;    // N
  bool curve;       // of all experiments: nothing moves
  bool noise_known; // all columns have a standard deviation
  FitNoiseGroup *groups;
  uint32_t group_count;
  double noise_unit;    // residuals have this standard deviation, once they are weighed
  bool weighed;         // by the noise that was found: costs are not those of a search
  double total;         // as searches count it: sum of squares of the data about the means of its columns
  double *least, *most; // bounds; infinite where there is no range
  double *wide;         // room for a row of the Jacobian
  uint64_t motions;     // so far; one with k sensitivities counts 1 + k
  const RunSettings *settings;
  FitLevel level;
  FitIndex *index; // it is no fit to data: an index of performance becomes least; NULL: it is one
  FitLoss loss;
  FitBest best;
  FitListener listener;
  double horizon;      // data up to this time counts; INFINITY: all
  const char *failure; // why the last evaluation failed; NULL
  Span failure_place;
} FitProblem;

// NULL: out of memory, or diags say what is wrong.
FitProblem *fit_problem_new(Arena *arena, const FitData *data, uint32_t count, const RunSettings *settings,
                            Diags *diags);
void fit_problem_free(FitProblem *f); // what stands outside of the arena; NULL is fine

// One pass over all points that count, in their order: r = (model - data)/sd as its loss has it, and its gradient by
// all unknowns where it is asked for, else NULL. Nothing is kept.
typedef struct FitPoint {
  uint32_t experiment, column;
  size_t at;    // among the points of all experiments
  double value; // of the model
  double r;
  const double *slopes;
} FitPoint;
typedef struct FitPass {
  void *self;
  void (*begin)(void *self); // perhaps a second time: what came before counts nothing
  void (*point)(void *self, const FitPoint *point);
} FitPass;
// False: a simulation failed, or out of memory (arena), or it was interrupted (settings).
bool fit_pass(FitProblem *f, const double *u, bool slopes, const FitPass *pass);
// R, Q'r and the cost alone. False as above.
bool fit_sums(FitProblem *f, const double *u, bool slopes, LeastSums *sums);

// Residuals at u: r[points], and slopes[points * k] where slopes is not NULL. Beyond the horizon they are 0. False: a
// simulation failed, or out of memory (arena), or it was interrupted (settings).
bool fit_residuals(FitProblem *f, const double *u, double *r, double *slopes);
// Of all residuals those of one column, in the order of its rows. room: for as many as fit_column_room says.
size_t fit_column_room(const FitProblem *f);
const double *fit_column(const FitProblem *f, const double *r, uint32_t experiment, uint32_t column, double *room,
                         size_t *count);
bool fit_interrupted(const FitProblem *f);
double fit_cost(const double *r, size_t count);                           // INFINITY where one is not finite
void fit_note(FitProblem *f, const double *u, double cost);               // the best is kept, and reported
uint32_t fit_moments_within(const FitProblem *f, const FitExperiment *x); // that count
static inline uint32_t fit_first_row(const FitExperiment *x, size_t moment) {
  return x->first_row ? x->first_row[moment] : (uint32_t)moment;
}
// stiff: by rodas. False: out of memory.
bool fit_make_batch(FitProblem *f, FitExperiment *x, bool stiff);
size_t fit_points_within(const FitProblem *f); // residuals that count
// Of a cost as searches count it. Or the index itself.
static inline double fit_r2(const FitProblem *f, double cost) { return f->index ? cost : 1 - cost / f->total; }

// ---- for index.h, which has unknowns and no data; see there

bool fit_list_unknowns(FitProblem *f, const FitData *data, uint32_t count, Diags *diags);
bool fit_make_system(FitProblem *f, const FitData *d, System *out, Diags *diags);
bool fit_check_unknown(SimProgram *p, const FitUnknown *u, Diags *diags);
void fit_name_unknown(FitProblem *f, FitUnknown *u, SimProgram *p, const VaryTarget *target);
void fit_settle_starts(FitProblem *f);

#endif
