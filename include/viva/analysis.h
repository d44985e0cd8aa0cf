/* Linear analysis of a path or a loop, and questions of design. See viva.h. */
#ifndef VIVA_ANALYSIS_H
#define VIVA_ANALYSIS_H

#include "viva/pictures.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- linear analysis: one path or loop of the linear model about a point ---- */

typedef struct viva_analysis viva_analysis;

typedef struct viva_analyze_options {
  viva_point point;
  const char *const *at; /* as of viva_linearize */
  size_t at_count;
  const char *path; /* "u:y", from an input (or a `let` among the taps of the load) to any expression; NULL: the only
                       input and output, or with `open` the loop itself */
  const char *open; /* cuts the loop at this input, tapped `let` or output, coordinate, velocity or state; NULL: it
                       stays closed */
  const char *over; /* "K=0:100": the poles of the model as it stands, along a parameter; NULL: none */
  uint32_t pade;    /* dead times as rational functions of this order, where a locus or a realization needs it; 0: it
                       is refused */
  bool matrices;    /* the text begins with the linear model, as viva_linearization_text has it; JSON always has it */
  double slope;     /* of the curves of the circle criterion and Popov's: the lower slope of their sector */
  bool (*interrupted)(void *self); /* asked between pieces of work; may be NULL */
  void *self;
} viva_analyze_options;
VIVA_API viva_analyze_options viva_analyze_defaults(void); /* at an equilibrium */

/* *analysis is owned by the caller and given also with VIVA_EINPUT, VIVA_EFAIL and VIVA_EINTERRUPTED, for its message.
 * options may be NULL. */
VIVA_API viva_status viva_analyze(const viva_model *model, const viva_analyze_options *options,
                                  viva_analysis **analysis);
VIVA_API void viva_analysis_free(viva_analysis *analysis); /* NULL is fine */
/* Borrowed until the analysis is freed: text or JSON; "" where there is none, NULL: out of memory. */
VIVA_API const char *viva_analysis_text(const viva_analysis *analysis, viva_format format);
VIVA_API const char *
viva_analysis_message(const viva_analysis *analysis); /* what is wrong, or warnings; NULL: nothing */

typedef enum viva_curve {
  VIVA_CURVE_BODE,
  VIVA_CURVE_NYQUIST,
  VIVA_CURVE_NICHOLS,
  VIVA_CURVE_STEP, /* responses: of the path, of a loop that of the closed one */
  VIVA_CURVE_IMPULSE,
  VIVA_CURVE_RAMP,
  VIVA_CURVE_POLES,  /* and zeros, in the plane */
  VIVA_CURVE_LOCUS,  /* the poles along the parameter of `over` */
  VIVA_CURVE_CIRCLE, /* G(iw) and the border of the sector above `slope` that is proved stable */
  VIVA_CURVE_POPOV   /* Re G, w Im G and Popov's line */
} viva_curve;
/* A curve as a picture; of options `dark`, `width`, and in a terminal `columns` and `colour` count. *data as of
 * viva_figure_draw. VIVA_EINPUT: there is no such curve (a locus without `over`, a sector of what is not stable with
 * the lower slope, is sampled or has dead times). */
VIVA_API viva_status viva_analysis_draw(const viva_analysis *analysis, viva_curve curve,
                                        const viva_figure_options *options, viva_picture picture, char **data,
                                        size_t *length);
/* The same as a table in CSV: a row of names, then numbers that read back. */
VIVA_API viva_status viva_analysis_table(const viva_analysis *analysis, viva_curve curve, char **text, size_t *length);

typedef enum viva_linear_figure {
  VIVA_LINEAR_POLES, /* the eigenvalues in the plane */
  VIVA_LINEAR_MODES  /* the modes: bars, and what the model draws, deflected */
} viva_linear_figure;
/* A picture of a linear model; of options `dark`, `width` and, for poles in a terminal, `columns` and `colour` count.
 * *data as of viva_figure_draw. VIVA_EINPUT: there are no eigenvalues (symbols only); VIVA_EFAIL: a library is missing.
 */
VIVA_API viva_status viva_linearization_draw(const viva_linearization *linearization, viva_linear_figure figure,
                                             const viva_figure_options *options, viva_picture picture, char **data,
                                             size_t *length);

/* A structure of bars at rest, its forces in colour, every iteration faintly behind; of other models the shapes of
 * their `draw` lines where they rest, of several equilibria one pose each. Of options `dark`, `width` and `camera`
 * count. *data as of viva_figure_draw. VIVA_EINPUT: there are no shapes, or nothing was found. */
VIVA_API viva_status viva_equilibrium_draw(const viva_equilibrium *equilibrium, const viva_figure_options *options,
                                           viva_picture picture, char **data, size_t *length);
/* The same of positions: some of them, with the paths that nodes take. VIVA_EINPUT: there is nothing to draw. */
VIVA_API viva_status viva_positions_draw(const viva_positions *positions, const viva_figure_options *options,
                                         viva_picture picture, char **data, size_t *length);
/* Gives them to a figure of the model's animation or poses, one after the other, instead of a run. They take the time
 * that the drives say, else 4 s. The positions must stay until the figure is freed. VIVA_EINPUT: there are fewer than
 * two, or nothing to draw; VIVA_EUSAGE: the figure is one of plots. */
VIVA_API viva_status viva_positions_follow(const viva_positions *positions, viva_figure *figure);

/* The kind of picture that the end of a path says: .svg .png .pdf .html. */
VIVA_API bool viva_picture_find(const char *path, viva_picture *picture);
/* NULL: this library can make it; else what to install. Static. */
VIVA_API const char *viva_picture_missing(viva_picture picture);

/* ---- design: further questions of an analysis ---- */

typedef struct viva_design_options {
  const char *lqr;    /* "Q=diag(1, 2), R=0.1": u = -K x with the least integral of x' Q x + u' R u, of all inputs; a
                         number is that many times the identity. NULL: not asked */
  const char *kalman; /* the same for an observer: covariances of what disturbs the states (Q) and the outputs (R) */
  bool norms;         /* H2 and Hinf of the path */
  bool sector;        /* circle and Popov criteria of the path as the linear part of a loop */
  double lower;       /* of the sector: a slope below which the function does not fall */
  /* of JSON: what viva_analysis_realize writes, as the member "model"; sampling may be NULL. NULL: not asked */
  const char *realize, *sampling;
} viva_design_options;
VIVA_API viva_design_options viva_design_defaults(void); /* nothing is asked */
/* Answers as text, or as JSON together with the analysis itself. *text is owned by the caller (viva_text_free): the
 * answers, or with VIVA_EINPUT and VIVA_EFAIL what is wrong. The model is that of the analysis. */
VIVA_API viva_status viva_analysis_design(const viva_model *model, const viva_analysis *analysis,
                                          const viva_design_options *options, viva_format format, char **text);

/* The path as a model file of its own that runs. form: "controllable", "observable", "cascade" or "parallel"; sampling:
 * NULL, or "zoh:T", "tustin:T" or "matched:T" with the period T: then it is sampled. *text as above. */
VIVA_API viva_status viva_analysis_realize(const viva_analysis *analysis, const char *form, const char *sampling,
                                           char **text);

/* The describing function of a `let` that is a static function of one other signal, which must be among the taps of the
 * load, and the limit cycles of its loop, each checked by a run of the model from there. options: the point; path and
 * open are not asked. */
VIVA_API viva_status viva_describe(const viva_model *model, const char *signal, const viva_analyze_options *options,
                                   viva_format format, char **text);

/* G(iw) of its loop and -1/N(A), limit cycles where both meet, as a picture; *data as of viva_figure_draw, or with
 * VIVA_EINPUT what is wrong. table: as CSV, and options and picture do not count. */
VIVA_API viva_status viva_describe_draw(const viva_model *model, const char *signal,
                                        const viva_analyze_options *options, bool table,
                                        const viva_figure_options *figure, viva_picture picture, char **data,
                                        size_t *length);

#ifdef __cplusplus
}
#endif
#endif
