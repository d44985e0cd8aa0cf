/* Pictures of what was found, and one page of all. See viva.h. */
#ifndef VIVA_PICTURES_H
#define VIVA_PICTURES_H

#include "viva/studies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- pictures ---- */

typedef enum viva_figure_kind {
  VIVA_FIGURE_PLOTS,     /* the `plot` lines of the model, or without any every output */
  VIVA_FIGURE_ANIMATION, /* its `draw` lines, moving */
  VIVA_FIGURE_GHOSTS     /* its `draw` lines: poses at equal times in one picture */
} viva_figure_kind;

typedef enum viva_picture {
  VIVA_PICTURE_SVG,
  VIVA_PICTURE_PNG,
  VIVA_PICTURE_PDF,
  VIVA_PICTURE_HTML,    /* of an animation: a page with a slider */
  VIVA_PICTURE_TERMINAL /* of plots: characters */
} viva_picture;

typedef struct viva_figure_options {
  viva_figure_kind kind;
  bool energy;      /* of plots: the energy account as well (the run needs `energy` too) */
  bool power;       /* of plots: the powers that are stored, dissipated and supplied, and those of ports, as well */
  bool phase;       /* of plots: phase portraits as well */
  bool apart;       /* of plots of a family: a panel for each member, instead of one for all */
  bool dark;        /* light lines on a dark ground */
  bool colour;      /* in a terminal: with its escape sequences */
  double width;     /* pixels; 0: by default */
  unsigned columns; /* of a terminal; 0: 80 */
  unsigned ghosts;  /* how many poses; 0: 8 */
  double speed;     /* of an animation; 0: as fast as the clock */
  double fps;       /* its pictures a second; 0: 30 */
  double camera[3]; /* from where a drawing in space is seen; all 0: as the model says */
} viva_figure_options;
VIVA_API viva_figure_options viva_figure_defaults(void);

/* Can a drawing in space of this model be seen from there? VIVA_EINPUT: the direction has no length, or lies along what
 * points up (`camera ... up ...` of the model, else z). */
VIVA_API viva_status viva_camera_check(const viva_model *model, const double camera[3]);

/* A figure of a model: make it, give it to a run, draw it. *figure is owned by the caller, must go before the model,
 * and is given also with VIVA_EINPUT, for its message (the model has no `draw` line), but not where the model has
 * errors. options may be NULL. */
VIVA_API viva_status viva_figure_new(const viva_model *model, const viva_figure_options *options, viva_figure **figure);
VIVA_API void viva_figure_free(viva_figure *figure); /* NULL is fine */
/* *data is owned by the caller; free it with viva_text_free. Text ends in NUL, which *length does not count.
 * VIVA_EINPUT: there is nothing to draw; VIVA_EFAIL: a library is missing; see the message. */
VIVA_API viva_status viva_figure_draw(viva_figure *figure, viva_picture picture, char **data, size_t *length);
/* Takes the rows of another member of a family into a figure. Of plots: every curve becomes a panel with a line for
 * each member, named by the values that vary or, where they are many, coloured by the first of them. Of a run or of
 * poses: the member's shapes in a colour of their own, with a key, of at most VIVA_MEMBERS_MOVING members. The member's
 * figure may go afterwards. VIVA_EUSAGE: its model is no member of a family, the figures are of different kinds, or it
 * is one too many. */
#define VIVA_MEMBERS_MOVING 40
VIVA_API viva_status viva_figure_overlay(viva_figure *figure, viva_figure *member);
/* One picture of an animation, for videos: SVG, PNG or PDF, at a time of the run. */
VIVA_API viva_status viva_figure_frame(viva_figure *figure, double time, viva_picture picture, char **data,
                                       size_t *length);
VIVA_API double viva_figure_end(const viva_figure *figure);          /* the time of the last row; NAN: none */
VIVA_API const char *viva_figure_message(const viva_figure *figure); /* what is wrong, with its span, also warnings of
                                                                        a picture that was drawn; NULL: nothing */

/* The block diagram of a model, as it is written: SVG, PNG or PDF. *data is owned by the caller, see viva_figure_draw;
 * so is *message, which says in words what went wrong (NULL: nothing, and it may be NULL itself). VIVA_EFAIL: there are
 * too many blocks to be looked at, or a library is missing. VIVA_EINPUT: there is no block in the model. */
VIVA_API viva_status viva_diagram(const viva_model *model, bool dark, viva_picture picture, char **data, size_t *length,
                                  char **message);
/* The same as text for Graphviz. */
VIVA_API viva_status viva_diagram_dot(const viva_model *model, char **text, char **message);

typedef struct viva_comparison viva_comparison;

/* One simulation by several methods: energy error, distance from a reference (auto with a relative tolerance of 1e-13),
 * evaluations, time. Of the options rtol and atol are for methods with their own steps, step for the others; save,
 * resume, check_step and figure are not used. *comparison is owned by the caller and given also with VIVA_EINPUT, for
 * its message (NULL only with VIVA_ENOMEM and VIVA_EUSAGE). */
VIVA_API viva_status viva_compare_methods(const viva_model *model, const viva_run_options *options,
                                          const char *const *methods, size_t count, viva_comparison **comparison);
VIVA_API void viva_comparison_free(viva_comparison *comparison); /* NULL is fine */
/* Borrowed until the comparison is freed. */
VIVA_API const char *viva_comparison_summary(const viva_comparison *comparison, viva_format format); /* text, JSON */
VIVA_API const char *viva_comparison_message(const viva_comparison *comparison);                     /* NULL: nothing */
/* The errors along time; of options `dark`, `width`, `columns` and `colour` count. *data as of viva_figure_draw. */
VIVA_API viva_status viva_comparison_draw(const viva_comparison *comparison, const viva_figure_options *options,
                                          viva_picture picture, char **data, size_t *length);

/* A panel for each output, a curve for each unknown: p dy/dp over time, in the unit of y; dy/dp where p is 0. SVG, PNG,
 * PDF or for a terminal; *data as of viva_figure_draw. VIVA_EINPUT: there are no derivatives. */
VIVA_API viva_status viva_sensitivity_draw(const viva_sensitivity *sensitivity, const viva_figure_options *options,
                                           viva_picture picture, char **data, size_t *length);

/* Panels of the picture of a fit. */
enum {
  VIVA_FIT_CURVES = 1,      /* data under the fitted curve, with the band of 95 % of measurements */
  VIVA_FIT_RESIDUALS = 2,   /* data - curve */
  VIVA_FIT_PROFILES = 4,    /* of each unknown */
  VIVA_FIT_CORRELATION = 8, /* between the unknowns */
  VIVA_FIT_EVOLUTION = 16,  /* best, mean and spread of R^2 by generation */
  VIVA_FIT_SEQUENCE = 32    /* the curves of the best individuals, one after the other */
};
/* parts: their sum, 0: all. Panels that have nothing to show are left out. SVG, PNG, PDF or a terminal; *data is freed
 * by viva_text_free. VIVA_EINPUT: the fit did not keep pictures, or there is nothing to draw. */
VIVA_API viva_status viva_fit_draw(const viva_fit *fit, const viva_figure_options *options, unsigned parts,
                                   viva_picture picture, char **data, size_t *length);

/* Panels of the picture of a sweep. */
enum {
  VIVA_SWEEP_CURVES = 1,     /* each measure over the first grid; what else varies is a band */
  VIVA_SWEEP_HEAT = 2,       /* each measure as colours over the first two grids */
  VIVA_SWEEP_HISTOGRAMS = 4, /* of each measure */
  VIVA_SWEEP_SCATTER = 8,    /* a matrix: every column against every other one, histograms, correlations */
  VIVA_SWEEP_PARALLEL = 16,  /* parallel coordinates: a line a sample across an axis for each column */
  VIVA_SWEEP_FAN = 32,       /* quantiles of trajectories over time */
  VIVA_SWEEP_INDICES = 64    /* Sobol's indices with their intervals */
};
/* parts: their sum; 0: what suits what was varied. Panels that have nothing to show are left out. SVG, PNG, PDF or a
 * terminal; *data is freed by viva_text_free. VIVA_EINPUT: the sweep did not keep pictures, or there is nothing to
 * draw. */
VIVA_API viva_status viva_sweep_draw(const viva_sweep *sweep, const viva_figure_options *options, unsigned parts,
                                     viva_picture picture, char **data, size_t *length);

/* ---- one page ---- */

typedef struct viva_report_options {
  viva_run_options run;           /* energy, all, check_step and figure are not used */
  bool steps;                     /* with the derivation */
  bool apart;                     /* of a family: a panel for each member, instead of one for all */
  double speed;                   /* of the animation; 0: as fast as the clock */
  double camera[3];               /* from where a drawing in space is seen; all 0: as the model says */
  const char *path, *open, *over; /* its linear analysis, as of viva_analyze; all NULL: of the only input and output, if
                                     there are just these */
  const viva_sweep *sweep; /* many runs of this model, with `pictures`, or a table of them: a section; NULL: none */
  bool drive;              /* positions along the `drive` lines, instead of a run */
} viva_report_options;
VIVA_API viva_report_options viva_report_defaults(void);

typedef struct viva_report viva_report;

/* Runs the model and makes one HTML file that needs nothing else: the text of the model, equations, parameters, plots,
 * animation, energy account, results. *report is owned by the caller and given also when the run fails half way, with a
 * page of what there is, or with VIVA_EINPUT, for its message (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where
 * the model has errors). */
VIVA_API viva_status viva_report_model(const viva_model *model, const viva_report_options *options,
                                       viva_report **report);
VIVA_API void viva_report_free(viva_report *report); /* NULL is fine */
/* Borrowed until the report is freed; NULL after VIVA_EINPUT. It ends in NUL, which *length (may be NULL) does not
 * count. */
VIVA_API const char *viva_report_page(const viva_report *report, size_t *length);
VIVA_API const char *viva_report_message(const viva_report *report); /* what went wrong, with its span; NULL: nothing */

/* A file that appears whole or not at all, as a table does; the path "-" is standard output. */
typedef struct viva_file viva_file;
VIVA_API viva_status viva_file_open(const char *path, viva_file **file, int *system_error); /* errno; may be NULL */
VIVA_API viva_status viva_file_save(viva_file *file, const char *data, size_t length, int *system_error); /* frees */
VIVA_API viva_status viva_file_finish(viva_file *file, const char *data, size_t length,
                                      int *system_error); /* viva_file_discard frees */
VIVA_API void viva_file_discard(viva_file *file); /* frees, and leaves nothing of what was not finished; NULL is fine */
/* For a handler of signals: nothing is left of it. The program must end after it. */
VIVA_API void viva_file_abandon(viva_file *file);
/* Are two paths one file, through whatever links, or one open descriptor? Also of files that are not there yet; pipes
 * and devices are never one. A program asks before it writes what it also reads. */
VIVA_API bool viva_file_same(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
