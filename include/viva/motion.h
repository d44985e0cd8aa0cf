/* Simulation: runs, batches of them, inverse dynamics (forces for a given trajectory), sensitivities. See viva.h. */
#ifndef VIVA_MOTION_H
#define VIVA_MOTION_H

#include "viva/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- simulation ---- */

typedef struct viva_figure viva_figure; /* see "pictures" */

typedef struct viva_run_options {
  double to, step, every; /* seconds; NAN: as the model says */
  double rtol,
      atol; /* NAN: 1e-11, and 0.01 rtol times the size of each component; rtol >= 1e-15; not for fixed steps */
  const char *method;  /* euler heun bs3 rk4 dopri5 dop853 rodas bdf auto; NULL: as the model says */
  bool energy;         /* further columns: the energy account */
  bool all;            /* further columns: every named signal */
  const char *resume;  /* the file of a saved state to go on from; NULL: from the start */
  bool save;           /* keep the state at the end, for viva_run_save */
  bool no_events;      /* fixed steps: no event is located, memories change at every evaluation */
  bool check_step;     /* repeat a fixed-step run with half the step and compare */
  uint64_t most_steps; /* 0: 100000000 */
  const char *backend; /* interp, tcc, cc: who makes the code of the right-hand side; NULL or auto: by counted work.
                        * All give the same bits; without a compiler the run is interpreted and the summary says so. */
  viva_figure *figure; /* gets the rows it draws; may be NULL */
  /* measures of the run: "max(x)", "final(x) - 2*min(y)", "time(x > 1)", "max(y) <= 1.02"; formulas of max(e)
   * min(e) mean(e) sd(e) final(e) integral(e) time(condition), parameters and numbers */
  const char *const *measures;
  size_t measure_count;
  void *self;                                        /* handed to the two calls */
  bool (*interrupted)(void *self);                   /* asked every few steps; may be NULL */
  void (*progress)(void *self, double t, double to); /* called now and then; may be NULL */
} viva_run_options;
VIVA_API viva_run_options viva_run_defaults(void);

typedef struct viva_run viva_run;

/* Runs the model. *run is owned by the caller and given also when the run fails half way (NULL only with VIVA_ENOMEM
 * and VIVA_EUSAGE, and where the model has errors). options and sink may be NULL. */
VIVA_API viva_status viva_run_model(const viva_model *model, const viva_run_options *options, const viva_sink *sink,
                                    viva_run **run);
VIVA_API void viva_run_free(viva_run *run); /* NULL is fine */
/* Runs members of one family side by side: eight at a time in lanes, where their method and model allow it, each with
 * the rows, bits, counts and messages of viva_run_model. options and sinks have one entry a member (sinks may be NULL).
 * Rows of a member come when those of the one before are complete; until then they wait in memory. runs[i] and
 * states[i] are what viva_run_model gives. After a member that is interrupted, or whose sink takes no more, no other is
 * run: its state is VIVA_EINTERRUPTED. The callbacks are those of the first member. VIVA_EUSAGE, or the state of a
 * model that cannot be run: nothing was run. */
VIVA_API viva_status viva_run_members(const viva_model *const *members, size_t count, const viva_run_options *options,
                                      const viva_sink *sinks, viva_run **runs, viva_status *states);

/* All borrowed until the run is freed. */
VIVA_API const char *viva_run_summary(const viva_run *run,
                                      viva_format format);  /* text or JSON; "": another format, or VIVA_EINPUT */
VIVA_API const char *viva_run_message(const viva_run *run); /* what went wrong, with its span; NULL: nothing */
VIVA_API size_t viva_run_value_count(const viva_run *run);  /* final values */
VIVA_API const char *viva_run_value_name(const viva_run *run, size_t index);
VIVA_API double viva_run_value(const viva_run *run, size_t index);
/* The measures of its options, as far as the run came. Extrema, crossings and integrals are found inside of steps,
 * as exactly as the trajectory itself. A condition is 1 or 0. NAN: it has no value, or there is no such. */
VIVA_API size_t viva_run_measure_count(const viva_run *run);
VIVA_API double viva_run_measure(const viva_run *run, size_t index);
/* Writes the complete state at the end of a run (needs `save` of its options): a run that resumes from it goes on as if
 * it had not stopped. VIVA_EIO: *system_error is the errno; it may be NULL. */
VIVA_API viva_status viva_run_save(const viva_run *run, const char *path, int *system_error);
/* What switched during the run, in order: a function, a block, a `when`. At most 100000 are kept. */
typedef struct viva_event {
  double t;
  const char *what; /* "hysteresis", "when h < 0" */
  unsigned line;    /* of the model; 0: none */
  double value;     /* the new one; 1 for a `when` */
} viva_event;
VIVA_API size_t viva_run_event_count(const viva_run *run);
VIVA_API viva_event viva_run_event(const viva_run *run, size_t index);
VIVA_API double viva_run_energy_residue(const viva_run *run); /* the largest one; NAN: the model has no energies */

/* ---- inverse dynamics: forces for a given trajectory ---- */

typedef struct viva_inverse viva_inverse;

/* The generalized forces that a trajectory needs beside those of the model: M a + h at each row of a CSV table whose
 * columns are the time, the coordinates by their names and, where it has them, their velocities `x'` and accelerations
 * `x''`; what is missing comes by splines through the rest, and the summary says so. Rows to the sink: t, force.x for
 * each coordinate x. Of the options (may be NULL) only `self` and `interrupted` count. *inverse is owned by the caller
 * and given also when something fails (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). */
VIVA_API viva_status viva_inverse_model(const viva_model *model, const char *motion, const viva_run_options *options,
                                        const viva_sink *sink, viva_inverse **inverse);
VIVA_API void viva_inverse_free(viva_inverse *inverse); /* NULL is fine */

/* All borrowed until it is freed. */
VIVA_API const char *viva_inverse_summary(const viva_inverse *inverse, viva_format format); /* text, JSON */
VIVA_API const char *viva_inverse_message(const viva_inverse *inverse);                     /* NULL: nothing is wrong */
VIVA_API size_t viva_inverse_force_count(const viva_inverse *inverse);
VIVA_API const char *viva_inverse_force_name(const viva_inverse *inverse, size_t index);
VIVA_API double viva_inverse_force_largest(const viva_inverse *inverse, size_t index); /* in size, with its sign */
/* What splines may put it off by, estimated from every other row; NAN: nothing comes by splines, or it has fewer than
 * 11 rows. */
VIVA_API double viva_inverse_force_error(const viva_inverse *inverse, size_t index);

/* ---- sensitivities ---- */

typedef struct viva_sensitivity_options {
  viva_run_options run;     /* energy, all, save, resume, check_step, figure and progress are not used */
  const char *const *names; /* parameters and starts ("k", "x", "x'"); none: every parameter that is a number */
  size_t name_count;
} viva_sensitivity_options;
VIVA_API viva_sensitivity_options viva_sensitivity_defaults(void);

typedef struct viva_sensitivity viva_sensitivity;

/* The derivatives of the outputs (without any: coordinates, velocities, states) by parameters and starts, over time.
 * They are exact, integrated with the trajectory, and jump rightly at events; where that cannot be they are
 * finite differences; the summary says why. Rows to the sink (may be NULL): t, outputs, d(output)/d(unknown).
 * *sensitivity is owned by the caller and given also when something fails (NULL only with VIVA_ENOMEM and VIVA_EUSAGE,
 * and where the model has errors). options may be NULL. */
VIVA_API viva_status viva_sensitivity_model(const viva_model *model, const viva_sensitivity_options *options,
                                            const viva_sink *sink, viva_sensitivity **sensitivity);
VIVA_API void viva_sensitivity_free(viva_sensitivity *sensitivity); /* NULL is fine */

/* All borrowed until it is freed. */
VIVA_API const char *viva_sensitivity_summary(const viva_sensitivity *sensitivity, viva_format format); /* text, JSON */
VIVA_API const char *viva_sensitivity_message(const viva_sensitivity *sensitivity); /* NULL: nothing is wrong */
VIVA_API bool
viva_sensitivity_exact(const viva_sensitivity *sensitivity); /* false: by differences, or there are none */
VIVA_API size_t viva_sensitivity_output_count(const viva_sensitivity *sensitivity);
VIVA_API size_t viva_sensitivity_unknown_count(const viva_sensitivity *sensitivity);
VIVA_API const char *viva_sensitivity_output_name(const viva_sensitivity *sensitivity, size_t index);
VIVA_API const char *viva_sensitivity_unknown_name(const viva_sensitivity *sensitivity, size_t index);
VIVA_API double viva_sensitivity_final(const viva_sensitivity *sensitivity, size_t output,
                                       size_t unknown); /* at the end; NAN: no such */

/* ---- ensembles of simulations ---- */

typedef struct viva_batch_options {
  viva_run_options run;     /* energy, all, check_step, figure and progress are not used; measures are */
  const char *const *names; /* parameters and starting values ("m", "x", "x'") that differ from sample to sample */
  size_t name_count;
  const double *values; /* count rows of name_count numbers; borrowed during the call */
  size_t count;         /* of samples */
  unsigned threads;     /* 0: one for each processor */
} viva_batch_options;
VIVA_API viva_batch_options viva_batch_defaults(void);

typedef struct viva_batch viva_batch;

/* Runs all samples, eight at a time in lanes, also with methods that choose their steps (not bdf, nor models with
 * events: these go one by one). Each has the bits of a run of its own, whatever its neighbours and the number of
 * threads. *batch is owned by the caller and given also when something fails (NULL only with VIVA_ENOMEM and
 * VIVA_EUSAGE, and where the model has errors). VIVA_OK also when single samples failed: ask for their status.
 * `interrupted` is asked from several threads. */
VIVA_API viva_status viva_batch_model(const viva_model *model, const viva_batch_options *options, viva_batch **batch);
VIVA_API void viva_batch_free(viva_batch *batch);                 /* NULL is fine */
VIVA_API const char *viva_batch_message(const viva_batch *batch); /* what is wrong with the options; NULL: nothing */
VIVA_API size_t
viva_batch_failed(const viva_batch *batch); /* samples that did not reach the end, or have no values there */
VIVA_API size_t viva_batch_value_count(const viva_batch *batch); /* final values of a sample, as of viva_run_value */
VIVA_API const char *viva_batch_value_name(const viva_batch *batch,
                                           size_t index); /* borrowed until the batch is freed */
VIVA_API double viva_batch_value(const viva_batch *batch, size_t sample, size_t index); /* as far as the sample came */
VIVA_API double viva_batch_time(const viva_batch *batch, size_t sample);                /* how far it came */
VIVA_API double viva_batch_measure(const viva_batch *batch, size_t sample,
                                   size_t index); /* as viva_run_measure; NAN: the sample failed */
/* VIVA_OK, VIVA_EFAIL, VIVA_EINPUT (a value is not finite) or VIVA_EINTERRUPTED */
VIVA_API viva_status viva_batch_status(const viva_batch *batch, size_t sample);

#ifdef __cplusplus
}
#endif
#endif
