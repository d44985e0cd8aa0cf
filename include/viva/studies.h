/* Studies: parameters from data, the choice of an experiment, sweeps. See viva.h. */
#ifndef VIVA_STUDIES_H
#define VIVA_STUDIES_H

#include "viva/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters from data ---- */

typedef struct viva_fit_options {
  viva_run_options run;             /* rtol (1e-9), atol, method, self and interrupted are used */
  const char *method;               /* auto lm ga ga-binary de cmaes; NULL: auto. What it has no use for is refused */
  uint64_t seed;                    /* of the random numbers */
  bool no_profiles;                 /* intervals by standard errors, not by profiles */
  bool only_before;                 /* what can be found, before anything is searched; there are no estimates then */
  bool pictures;                    /* keep curves, bands and profiles for viva_fit_draw and viva_fit_table */
  uint32_t population, generations; /* of a search; 0: as the method has it (ga: 70 and 30) */
  double crossover, mutation;       /* probabilities of ga; NAN: 0.7 and 0.1 */
  double exponent;                  /* n of its crossover SBX; NAN: 2 */
  bool printed;                     /* the formula of SBX as AGS_R prints it, not Deb's */
  bool mean_square;                 /* its fitness by the mean square, not by R^2 */
  const char *selection;            /* roulette ranking tournament universal remainder; NULL: roulette */
  const char *loss;                 /* huber: outliers count less; NULL or square: they do not */
  /* An index of performance instead of data: this measure of the run (max min mean sd final integral time)
   * becomes least, where these conditions on measures hold. The unknowns are those of the `fit` lines, whose data is
   * not read; the run lasts until run.to, or as the model says. By all methods but lm. minimize NULL: none. */
  const char *minimize;
  const char *const *where;
  size_t where_count;
  /* Called as the search goes on, with run.self: simulations so far and the best R^2, or index (NAN: none yet). May be
   * NULL. */
  void (*best)(void *self, uint64_t simulations, double r_squared);
} viva_fit_options;
VIVA_API viva_fit_options viva_fit_defaults(void);

typedef struct viva_fit viva_fit;

/* Finds the unknowns of the `fit` lines of a model: all lines are one fit. *fit is owned by the caller and given also
 * when something fails (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). A search that was
 * interrupted, or did not converge, keeps the best values so far, without standard errors. options may be NULL. */
VIVA_API viva_status viva_fit_model(const viva_model *model, const viva_fit_options *options, viva_fit **fit);
VIVA_API void viva_fit_free(viva_fit *fit); /* NULL is fine; before the model */

/* All borrowed until it is freed. */
VIVA_API const char *viva_fit_summary(const viva_fit *fit, viva_format format); /* text, JSON */
VIVA_API const char *viva_fit_message(const viva_fit *fit);                     /* NULL: nothing is wrong */
/* The text of the model with the values that were found; NULL: there is none, and *why (may be NULL) says why. */
VIVA_API const char *viva_fit_text(const viva_fit *fit, const char **why);
VIVA_API size_t viva_fit_unknown_count(const viva_fit *fit);
VIVA_API const char *viva_fit_unknown_name(const viva_fit *fit, size_t index);
typedef struct viva_estimate {
  double value, stderr_;
  double low, high; /* of the interval that holds the truth in 95 of 100 repetitions */
  bool at_bound;    /* it lies on the end of its range */
  bool found;       /* the data tells it */
} viva_estimate;
VIVA_API viva_estimate viva_fit_estimate(const viva_fit *fit, size_t index); /* NAN: no such */
VIVA_API double viva_fit_r_squared(const viva_fit *fit);                     /* NAN: an index became least */
VIVA_API double viva_fit_index(const viva_fit *fit);                         /* the least index; NAN: none */
/* Akaike's and Schwarz's criteria compare rival models of the same data: the smaller one wins. */
VIVA_API double viva_fit_aic(const viva_fit *fit);
VIVA_API double viva_fit_bic(const viva_fit *fit);
/* What it was fitted to: the same number for the same data, and how many points (may be NULL). 0: it failed. */
VIVA_API uint64_t viva_fit_data(const viva_fit *fit, size_t *points);

/* Rows: experiment, t, and of each output x: data, curve, prediction band, data - curve ("x", "x fit", "x low", "x
 * high", "x residual"); NAN where nothing was measured. VIVA_EINPUT: the fit did not keep pictures. */
VIVA_API viva_status viva_fit_table(const viva_fit *fit, const viva_sink *sink);
/* Rows: generation, best, mean and spread of R^2, simulations so far, the unknowns of the best. VIVA_EINPUT: the method
 * has no generations. */
VIVA_API viva_status viva_fit_evolution(const viva_fit *fit, const viva_sink *sink);
VIVA_API uint64_t viva_fit_simulations(const viva_fit *fit); /* a run with k derivatives counts 1 + k */

/* ---- the choice of an experiment ---- */

typedef struct viva_experiments_options {
  viva_run_options run;    /* to, every, method, rtol (1e-9), atol, self and interrupted are used */
  const char *const *vary; /* ranges of starts and parameters, "x=0.1:0.1:0.5", "w=[1, 2]": all combinations */
  size_t vary_count;
  const char *const *cases; /* names of cases that are candidates, each with all values; none: the model as it is */
  size_t case_count;
  uint32_t samples; /* how many times of each run are measured, the best ones; 0: all */
  void (*progress)(void *self, uint64_t done, uint64_t count); /* candidates, with run.self; may be NULL */
} viva_experiments_options;
VIVA_API viva_experiments_options viva_experiments_defaults(void);

typedef struct viva_experiments viva_experiments;

/* Which experiment would tell the unknowns of the `fit` line best (D-optimal), at the values that the model has. Its
 * data is not read; what is measured stands behind `by`. *experiments is owned by the caller and given also when
 * something fails (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). VIVA_EFAIL: no
 * candidate tells all unknowns. options may be NULL. */
VIVA_API viva_status viva_experiments_choose(const viva_model *model, const viva_experiments_options *options,
                                             viva_experiments **experiments);
VIVA_API void viva_experiments_free(viva_experiments *experiments); /* NULL is fine; before the model */
/* All borrowed until it is freed. */
VIVA_API const char *viva_experiments_summary(const viva_experiments *experiments, viva_format format); /* text, JSON */
VIVA_API const char *viva_experiments_message(const viva_experiments *experiments); /* NULL: nothing is wrong */
VIVA_API size_t viva_experiments_count(const viva_experiments *experiments);
typedef struct viva_experiment {
  const char *text;     /* "case push, x = 0.1" */
  double efficiency;    /* beside the best one: (det M / det M_best)^(1/k); 0: it does not identify all unknowns */
  const double *errors; /* standard errors of the unknowns; INFINITY: not identifiable */
  size_t error_count;
  const double *times; /* the best times to measure; none: all of them */
  size_t time_count;
} viva_experiment;
VIVA_API viva_experiment viva_experiments_get(const viva_experiments *experiments,
                                              size_t index); /* 0 is the best; efficiency NAN: no such */

/* ---- sweeps ---- */

typedef enum viva_sampling {
  VIVA_SAMPLING_RANDOM, /* independent draws */
  VIVA_SAMPLING_LATIN,  /* one draw in each of the equal parts of every quantity */
  VIVA_SAMPLING_SOBOL   /* Sobol's sequence, shifted by the seed; at most 21 quantities */
} viva_sampling;

/* Processes that `mpirun -n 8` started together. */
typedef struct viva_ranks viva_ranks;
/* Joins them, before anything else, once a process. *ranks: NULL where this one was started alone. VIVA_EINPUT: the
 * library was built without MPI, or it does not start; see the message. Owned by the caller. */
VIVA_API viva_status viva_ranks_join(viva_ranks **ranks);
VIVA_API const char *viva_ranks_message(const viva_ranks *ranks); /* NULL: all is well */
VIVA_API int viva_ranks_own(const viva_ranks *ranks);             /* this one; 0: the one that leads, and with NULL */
VIVA_API int viva_ranks_count(const viva_ranks *ranks);           /* 1 with NULL */
VIVA_API void viva_ranks_leave(viva_ranks *ranks);                /* all of them must; NULL is fine */

typedef struct viva_sweep_options {
  viva_run_options run; /* energy, all, save, resume, check_step, figure and progress are not used; without measures the
                         * final values are taken */
  const char *const *vary; /* "k=0:0.1:1", "m=log:0.1:10:30", "c=[1, 2, 5]"; with samples also intervals: "k=0:1" */
  size_t vary_count;
  const char *const *random; /* "g=normal(9.81, 0.01)"; also uniform lognormal triangular, the first cut off by two more
                              * numbers */
  size_t random_count;
  const char *correlation;  /* of the random quantities, in their order: "[1, 0.5; 0.5, 1]"; NULL: independent */
  const char *const *where; /* conditions on measures: how many samples fulfil all of them, and which first */
  size_t where_count;
  uint64_t samples; /* draws at each point of the grids; 0: none */
  viva_sampling sampling;
  uint64_t seed;
  bool indices;     /* Sobol's indices of the random quantities: samples times (2 + quantities) runs */
  const char *path; /* of the table of results, a row a sample; "-" is standard output; NULL: none */
  bool resume;      /* go on with the table that is there */
  viva_sink rows;   /* all trajectories: index, t, columns; not with `resume` */
  bool pictures;    /* keep what viva_sweep_draw needs, in at most 150 MB */
  bool fan;         /* and the trajectories for it; not with `resume` */
  unsigned panels;  /* that will be drawn, VIVA_SWEEP_...: what has nothing to show is refused first; 0: any */
  unsigned threads; /* 0: one for each processor */
  /* Share the samples; each of them makes the same call, and only the one that leads has the table, rows and a summary.
   * NULL: this process alone */
  viva_ranks *ranks;
  void (*progress)(void *self, uint64_t done, uint64_t count); /* called now and then, with run.self; may be NULL */
} viva_sweep_options;
VIVA_API viva_sweep_options viva_sweep_defaults(void);

typedef struct viva_sweep viva_sweep;

/* Runs a model for the product of all grids and, at each point of it, for the draws of the random quantities. The table
 * grows while it goes: a row has index, values, measures, status, message, and the first lines say which model,
 * settings and version it is of. What a row holds depends on its index alone, not on threads nor on when it was
 * computed: after an end of any kind `resume` goes on, and the file is the same. While it grows it is locked. A sample
 * that fails has a row with its message. A table that is there already stays until the new one is complete, which
 * grows beside it as NAME.part; `resume` goes on with that. *sweep is owned by the caller and given also when something
 * fails (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). VIVA_EINPUT: see the message;
 * VIVA_EIO: the table cannot be written; VIVA_EFAIL: no sample has a value. */
VIVA_API viva_status viva_sweep_model(const viva_model *model, const viva_sweep_options *options, viva_sweep **sweep);
/* A table that a sweep wrote, also an unfinished one, or its trajectories (index, t, columns): summary and pictures
 * without running again. *sweep as above, with VIVA_EINPUT and VIVA_EIO for its message. */
VIVA_API viva_status viva_sweep_open(const char *path, viva_sweep **sweep);
VIVA_API void viva_sweep_free(viva_sweep *sweep); /* NULL is fine; before the model */

/* All borrowed until it is freed. */
VIVA_API const char *viva_sweep_summary(const viva_sweep *sweep, viva_format format); /* text, JSON */
VIVA_API const char *viva_sweep_message(const viva_sweep *sweep);                     /* NULL: nothing is wrong */
VIVA_API const char *viva_sweep_path(const viva_sweep *sweep); /* where the rows stand; NULL: in no file */
VIVA_API uint64_t viva_sweep_count(const viva_sweep *sweep);   /* of samples, with those of a table that was resumed */
VIVA_API uint64_t viva_sweep_done(const viva_sweep *sweep);    /* rows that are there */
VIVA_API uint64_t viva_sweep_failed(const viva_sweep *sweep);  /* of these */
VIVA_API uint64_t viva_sweep_passed(const viva_sweep *sweep);  /* fulfil all of `where` */
VIVA_API size_t viva_sweep_measure_count(const viva_sweep *sweep); /* conditions of `where` are the last ones */
VIVA_API const char *viva_sweep_measure_name(const viva_sweep *sweep, size_t index);
typedef struct viva_statistics {
  uint64_t count;                               /* samples that have a value */
  double mean, sd, min, low, median, high, max; /* low, high: 5 and 95 %; NAN: there is none, or too many samples */
} viva_statistics;
VIVA_API viva_statistics viva_sweep_statistics(const viva_sweep *sweep, size_t index); /* NAN: no such */

/* Removes the compiled code that runs have kept in $XDG_CACHE_HOME/viva or ~/.cache/viva. Both counts may be NULL. */
VIVA_API viva_status viva_cache_clear(uint64_t *files, uint64_t *bytes);

/* A sink that writes a table, which appears whole or not at all: until then it has a name of its own,
 * NAME.RANDOM.part, in the same folder. An existing file keeps its mode. Pipes and devices are written directly; the
 * path "-" is standard output.
 * The ending says the form: .csv, .json, .mat (MATLAB, level 5: a variable a column, and `columns`, their names as
 * written), .npz (NumPy: an array a column). Anything else is CSV. Rows of .mat and .npz are kept in memory until the
 * end, and are lost where the program is killed. */
typedef struct viva_csv viva_csv;
VIVA_API int viva_csv_knows(const char *path); /* is the ending one of these, or is there none? */
VIVA_API viva_status viva_csv_open(const char *path, viva_csv **csv, int *system_error); /* errno; may be NULL */
VIVA_API viva_sink viva_csv_sink(viva_csv *csv);                        /* of NULL one that takes everything */
VIVA_API viva_status viva_csv_close(viva_csv *csv, int *system_error);  /* the file appears; frees */
VIVA_API viva_status viva_csv_finish(viva_csv *csv, int *system_error); /* the same, but viva_csv_discard frees */
VIVA_API void viva_csv_discard(viva_csv *csv); /* frees, and leaves nothing of what was not finished; NULL is fine */
/* For a handler of signals, wherever the program was: the whole rows so far become the file. The program must end after
 * it. */
VIVA_API void viva_csv_rescue(viva_csv *csv);

/* Columns of a table as they are wanted: `columns` "t, th, x" chooses and orders them (NULL: all), `units` "th=deg,
 * x=mm" is what their numbers are in (NULL: SI); the header then has "th [deg]". *out is owned by the caller, and is
 * given also with VIVA_EINPUT, for its message: a unit that is none, or does not fit. */
typedef struct viva_columns viva_columns;
VIVA_API viva_status viva_columns_new(const viva_model *model, const char *columns, const char *units,
                                      viva_columns **out);
VIVA_API void viva_columns_free(viva_columns *columns); /* NULL is fine */
/* Takes rows as the run gives them and hands them on; stops at the header where a column is not there, see the message.
 */
VIVA_API viva_sink viva_columns_sink(viva_columns *columns, viva_sink to); /* of NULL: `to` itself */
VIVA_API const char *viva_columns_message(const viva_columns *columns);    /* NULL: nothing is wrong */

#ifdef __cplusplus
}
#endif
#endif
