// The pictures of a model: what its `plot` and `draw` lines ask for, fed by the rows of a run.
// parts: figure_power.c figure_over.c figure_poles.c
#ifndef VIVA_SHOW_FIGURE_H
#define VIVA_SHOW_FIGURE_H

#include "base/sink.h"
#include "show/plot.h"
#include "show/scene.h"
#include "system/system.h"

typedef VEC(double) FigureColumn;

enum { figure_events_most = 200 };

typedef struct Figure {
  Arena *arena;
  const System *system;
  bool plots, energy, scene; // what it will show
  double camera[3];          // from where a scene in space is seen; all 0: as the model says
  bool apart;                // energy balance, powers and phase portraits are figures of their own
  bool power, phase;         // these are shown as well
  VEC(SystemOutput) shown;   // what a table has, where that is watched
  VEC(ExprId) watch;         // what a run must watch for it
  FigureColumn
      *columns; // t, the watched, then the energy balance: kinetic potential stored dissipated supplied balance-error
  uint32_t column_count;
  VEC(size_t) between;   // rows that no table has: the other side of a jump
  VEC(PlotEvent) events; // what happened in the run; marked over time
} Figure;

// plots: the `plot` lines, or without any every output; energy: the account as well; scene: the `draw` lines.
// False: out of memory.
bool figure_init(Figure *f, Arena *arena, const System *system, bool plots, bool energy, bool scene);
// Watches what a table shows, too: outputs, or without any coordinates, velocities and states.
bool figure_watch_table(Figure *f);
// Watches powers, or what phase portraits show: then they stand in the figure, or apart. False: out of memory.
bool figure_watch_power(Figure *f);
bool figure_watch_phase(Figure *f);
// One of these; name NULL: there is none.
typedef struct FigureShown {
  const char *name, *unit;
  const double *values;
} FigureShown;
FigureShown figure_shown(const Figure *f, uint32_t index);
Sink figure_sink(Figure *f);                              // takes the rows of RunSettings.watcher
void figure_clear(Figure *f);                             // forgets the rows of an earlier run
void figure_event(Figure *f, double t, const char *name); // the name is copied; too many are left out
size_t figure_rows(const Figure *f);
bool figure_has_paths(const Figure *f); // in a plane

// Reports what cannot be drawn, with its span in the text. Before the run (rows = false): what the model lacks; after
// it: curves and panels without data.
void figure_check(const Figure *f, bool rows, Diags *diags);

void figure_plot(const Figure *f, Plot *plot);    // plots and account; borrows the columns
void figure_whole(const Figure *f, Plot *plot);   // with powers and phase portraits, where they are watched
void figure_energy(const Figure *f, Plot *plot);  // the account alone; borrows the columns
double figure_residue(const Figure *f);           // the largest of the account's rows, with its sign
void figure_power(const Figure *f, Plot *plot);   // powers alone
void figure_phase(const Figure *f, Plot *plot);   // phase portraits alone
void figure_scene(const Figure *f, Scene *scene); // the same

// ---- for its parts
void figure_watch(Figure *f, ExprId id);
bool figure_make_columns(Figure *f);
PlotPanel *figure_over(const Figure *f, const SystemPlot *line, Plot *plot); // profiles over an index, or their colours
AxisRange figure_limits(const Figure *f, const SystemLimits *limits);        // empty: not said, or not known
const double *figure_column(const Figure *f, ExprId id);
void figure_cut_poles(const Figure *f, Plot *plot); // gaps at poles of curves over time, and axes that stay readable

#endif
